//! What the server proposes on demand: missing cases, names of other modules, and what became of functions between the
//! text.

use serde_json::{Value, json};

use super::client::{Client, edited, place};
use crate::common::scratch;

/// The titles of the actions in a document, with the text after each.
fn actions(client: &mut Client, file: &str, text: &str) -> Vec<(String, String)> {
    let uri = client.uri(file);
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params =
        json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
    let found = client.request("textDocument/codeAction", params);
    let one = |it: &Value| {
        let title = it["title"].as_str().unwrap_or_default().to_string();
        (title, edited(text, &it["edit"]["changes"][&uri]))
    };
    found.as_array().cloned().unwrap_or_default().iter().map(one).collect()
}

/// The only action of a document; what it makes of the text has no reports.
fn mended(client: &mut Client, (file, version): (&str, i64), text: &str) -> String {
    match version {
        1 => client.open(file, text),
        _ => client.change(file, version, json!([{ "text": text }])),
    }
    client.some_reports(file, version);
    let found = actions(client, file, text);
    let [(_, after)] = &found[..] else { panic!("{found:?}") };
    client.change(file, version + 1, json!([{ "text": after }]));
    assert_eq!(client.reports(file, version + 1), [], "{after}");
    after.clone()
}

#[test]
fn missing_cases_in_ocaml() {
    let mut client = Client::start(&scratch("lsp", "cases"));
    let own = "type t = A | B of int | C of { x : int }\n";
    let text = format!("{own}let f it =\n  match it with\n  | A -> 1\n");
    let after = mended(&mut client, ("main.ml", 1), &text);
    let added =
        "  | B _ -> failwith \"not implemented\"\n  | C _ -> failwith \"not implemented\"\n";
    assert_eq!(after, format!("{text}{added}"));
    // On one line, behind a guard, with a match at the end.
    let text = format!("{own}let f = function A -> 1\n");
    assert!(mended(&mut client, ("main.ml", 3), &text).contains("A -> 1 | B _ -> failwith"));
    let text = format!("{own}let f = function A | C _ -> 1 | B n when n > 0 -> n\n");
    assert!(mended(&mut client, ("main.ml", 5), &text).contains("-> n | B _ -> failwith"));
    let text = "let f a b =\n  match a with\n  | Some _ -> match b with None -> 1 | Some _ -> 2\n";
    let after = mended(&mut client, ("main.ml", 7), text);
    assert!(after.contains("-> (match b with None -> 1 | Some _ -> 2)\n  | None -> failwith"));
    let text = "let f : [ `A | `B of int | `C ] -> int = function `A -> 1\n";
    let after = mended(&mut client, ("main.ml", 9), text);
    assert!(after.contains("| `B _ -> failwith") && after.contains("| `C -> failwith"), "{after}");
    client.end();
}

#[test]
fn missing_cases_in_clef() {
    let mut client = Client::start(&scratch("lsp", "clef-cases"));
    let text = "type T = A | B of int | C\nlet f it =\n    match it with\n    | A -> 1\nprintfn \"%d\" (f A)\n";
    let after = mended(&mut client, ("main.fs", 1), text);
    let added =
        "    | B _ -> failwith \"not implemented\"\n    | C -> failwith \"not implemented\"\n";
    assert_eq!(after, text.replace("printfn", &format!("{added}printfn")));
    client.end();
}

/// A name that several modules have: the user chooses.
#[test]
fn names_of_other_modules() {
    let mut client = Client::start(&scratch("lsp", "elsewhere"));
    let own = "module Mine = struct let only = 1 let mapi = 2 end\n";
    let text = format!("{own}let x = only\n");
    let after = mended(&mut client, ("main.ml", 1), &text);
    assert_eq!(after, format!("{own}let x = Mine.only\n"));
    let text = format!("{own}let x = mapi\nlet y = List.mapi\n");
    client.change("main.ml", 3, json!([{ "text": text }]));
    assert_eq!(client.reports("main.ml", 3), [("E0101".into(), 1)]);
    let found = actions(&mut client, "main.ml", &text);
    let list = found.iter().find(|it| it.0 == "write `List.mapi`").expect("an action");
    assert_eq!(list.1, text.replace("x = mapi", "x = List.mapi"));
    assert!(found.iter().any(|it| it.0 == "write `Mine.mapi`"), "{found:?}");
    client.end();
}

/// What functions capture is shown to clients that ask for it.
#[cfg(feature = "native")]
#[test]
fn hints_on_demand() {
    let text = "let make k =\n  let scale x = x * k in\n  fun l -> List.map scale l\n\
                let () = List.iter print_int (make (Array.length Sys.argv) [1; 2])\n";
    let mut client = Client::start(&scratch("lsp", "hints"));
    client.open("main.ml", text);
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": client.uri("main.ml") }, "range": whole });
    let hints = |client: &mut Client| -> Vec<(Value, String)> {
        let found = client.request("textDocument/inlayHint", params.clone());
        let one = |it: &Value| {
            (it["position"].clone(), it["label"].as_str().unwrap_or_default().to_string())
        };
        found.as_array().cloned().unwrap_or_default().iter().map(one).collect()
    };
    assert!(hints(&mut client).iter().all(|it| it.1.starts_with(": ")));
    let settings = json!({ "oxbow": { "hints": ["captures", "storage"] } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    let mut found = Vec::new();
    for _ in 0..600 {
        found = hints(&mut client);
        if !found.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let at = place(text, "x = x", 0, 0);
    let of_scale = found.iter().find(|it| it.0["line"] == at["line"]);
    assert!(of_scale.is_some_and(|it| it.1.contains('k')), "{found:?}");
    assert!(found.iter().all(|it| !it.1.starts_with(": ")), "{found:?}");
    client.end();
}
