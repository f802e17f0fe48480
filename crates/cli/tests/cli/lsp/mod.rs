//! `oxbow lsp`, by a client that speaks to it over pipes: each feature in three languages.

mod bad_input;
mod client;
mod edits;
mod neovim;
mod proposals;
mod several_files;

use serde_json::{Value, json};

use crate::common::scratch;
use client::{Client, edited, place, starts};

const OCAML: &str = "\
(** A point in the plane. *)
type point = { left : int; right : int }
type shape = Circle of int | Square
module Tools = struct
  (** Doubles a number. *)
  let double n = n * 2
end
let add a b = a + b
let origin = { left = 0; right = 1 }
let rec area shape = match shape with
  | Circle radius -> add radius (area Square)
  | Square -> Tools.double origin.left
let all = List.map (fun it -> it + 1) [area (Circle 1)]
";

fn hover(client: &mut Client, file: &str, position: Value) -> String {
    let answer = client.at("hover", file, position);
    answer["contents"]["value"].as_str().unwrap_or_default().to_string()
}

fn labels(found: &Value) -> Vec<String> {
    let items = found["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|it| it["label"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn ocaml_hover_and_definition() {
    let mut client = Client::start(&scratch("lsp", "ocaml"));
    client.open("main.ml", OCAML);
    let shown = hover(&mut client, "main.ml", place(OCAML, "add radius", 0, 1));
    assert!(shown.contains("add : int -> int -> int"), "{shown}");
    let shown = hover(&mut client, "main.ml", place(OCAML, "double origin", 0, 0));
    assert!(
        shown.contains("double : int -> int") && shown.contains("Doubles a number."),
        "{shown}"
    );
    let shown = hover(&mut client, "main.ml", place(OCAML, "map (", 0, 0));
    assert!(shown.contains("('a -> 'b) -> 'a list -> 'b list"), "{shown}");
    assert!(shown.contains("(int -> int) -> int list -> int list"), "{shown}");
    let shown = hover(&mut client, "main.ml", place(OCAML, "Circle radius", 0, 0));
    assert!(shown.contains("Circle : int -> shape"), "{shown}");
    let shown = hover(&mut client, "main.ml", place(OCAML, "[area", 0, 0));
    assert!(shown.contains("int list"), "{shown}");
    let defined = |client: &mut Client, position| {
        let found = client.at("definition", "main.ml", position);
        (found[0]["uri"].as_str().unwrap_or_default().to_string(), starts(&found))
    };
    assert_eq!(defined(&mut client, place(OCAML, "add radius", 0, 1)).1, ["7:4"]);
    assert_eq!(defined(&mut client, place(OCAML, "double origin", 0, 1)).1, ["5:6"]);
    assert_eq!(defined(&mut client, place(OCAML, "origin.left", 0, 7)).1, ["1:15"]);
    assert_eq!(defined(&mut client, place(OCAML, "Square ->", 0, 0)).1, ["2:29"]);
    assert_eq!(defined(&mut client, place(OCAML, "Tools.double", 0, 0)).1, ["3:7"]);
    let (uri, _) = defined(&mut client, place(OCAML, "map (", 0, 1));
    assert!(uri.ends_with("/library/list.ml"), "{uri}");
    let file = uri.strip_prefix("file://").expect("a file");
    assert!(std::fs::read_to_string(file).expect("it is there").contains("map"));
    let found = client.at("typeDefinition", "main.ml", place(OCAML, "origin.left", 0, 0));
    assert_eq!(starts(&json!([found])), ["1:5"]);
    client.end();
}

#[test]
fn ocaml_mentions_and_symbols() {
    let mut client = Client::start(&scratch("lsp", "ocaml-mentions"));
    client.open("main.ml", OCAML);
    let found = client.at("documentHighlight", "main.ml", place(OCAML, "radius ->", 0, 0));
    assert_eq!(starts(&found), ["10:11", "10:25"]);
    let found = client.at("references", "main.ml", place(OCAML, "area shape", 0, 0));
    assert_eq!(starts(&found), ["9:8", "10:33", "12:39"]);
    let symbols = client.about("documentSymbol", "main.ml");
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["point", "shape", "Tools", "add", "origin", "area", "all"]);
    assert_eq!(symbols[0]["children"][1]["name"], "right");
    assert_eq!(symbols[2]["children"][0]["name"], "double");
    let found = client.request("workspace/symbol", json!({ "query": "ou" }));
    assert_eq!(found[0]["name"], "double");
    assert_eq!(found[0]["containerName"], "Tools");
    let folds = client.about("foldingRange", "main.ml");
    assert_eq!(folds[0], json!({ "startLine": 3, "endLine": 6 }));
    let uri = client.uri("main.ml");
    let params = json!({
        "textDocument": { "uri": uri },
        "positions": [place(OCAML, "radius (area", 0, 0)],
    });
    let found = client.request("textDocument/selectionRange", params);
    assert_eq!(starts(&json!([found[0]])), ["10:25"]);
    assert!(found[0]["parent"]["parent"].is_object(), "{found}");
    let tokens = client.about("semanticTokens/full", "main.ml");
    let data = tokens["data"].as_array().expect("numbers");
    // The first name is the type `point`, where it is defined.
    assert_eq!(data[..5], json!([1, 5, 5, 2, 1]).as_array().expect("numbers")[..]);
    assert_eq!(data.len() % 5, 0);
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": client.uri("main.ml") }, "range": whole });
    let hints = client.request("textDocument/inlayHint", params);
    let hints: Vec<&str> =
        hints.as_array().expect("a list").iter().filter_map(|it| it["label"].as_str()).collect();
    assert!(hints.contains(&": point") && hints.contains(&": int list"), "{hints:?}");
    client.end();
}

#[test]
fn ocaml_completion_and_signatures() {
    let mut client = Client::start(&scratch("lsp", "ocaml-completion"));
    let complete = |client: &mut Client, line: &str| {
        let text = format!("{OCAML}{line}");
        client.open("main.ml", &text);
        let end = json!({ "line": 13, "character": line.encode_utf16().count() });
        labels(&client.at("completion", "main.ml", end))
    };
    assert_eq!(complete(&mut client, "let x = List.ma"), ["map", "map2", "mapi"]);
    assert_eq!(complete(&mut client, "let x = origin."), ["left", "right"]);
    assert_eq!(complete(&mut client, "let x = are"), ["area"]);
    assert_eq!(complete(&mut client, "let x = Tools."), ["double"]);
    assert_eq!(complete(&mut client, "let f local = loc"), ["local"]);
    assert_eq!(complete(&mut client, "let x = Squ"), ["Square"]);
    assert!(complete(&mut client, "let x = fu").contains(&"function".to_string()));
    // Errors elsewhere do not matter.
    let text = format!("let broken = 1 + \"a\"\n{OCAML}let y = origin.le");
    client.open("main.ml", &text);
    let end = json!({ "line": 14, "character": 17 });
    assert_eq!(labels(&client.at("completion", "main.ml", end)), ["left"]);
    let text = format!("{OCAML}let f (x : poi) = x\n");
    client.open("main.ml", &text);
    let found = client.at("completion", "main.ml", json!({ "line": 13, "character": 14 }));
    assert_eq!(labels(&found), ["point"]);
    let text = format!("{OCAML}let y = add 1 ");
    client.open("main.ml", &text);
    let help = client.at("signatureHelp", "main.ml", json!({ "line": 13, "character": 14 }));
    assert_eq!(help["signatures"][0]["label"], "add : int -> int -> int");
    assert_eq!(help["activeParameter"], 1);
    client.end();
}

#[test]
fn ocaml_reports_and_actions() {
    let mut client = Client::start(&scratch("lsp", "ocaml-reports"));
    let text =
        "let lenght = 1\nlet f n = if n = 0 then 0 else f (n - 1)\nlet x = lengt + 1\nlet y = x\n";
    client.open("main.ml", text);
    let mut reports = client.reports("main.ml", 1);
    reports.sort();
    assert_eq!(reports, [("E0101".into(), 1), ("E0101".into(), 2)]);
    // With errors elsewhere, the rest is known.
    let shown = hover(&mut client, "main.ml", place(text, "n = 0", 0, 0));
    assert!(shown.contains("int"), "{shown}");
    let uri = client.uri("main.ml");
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params =
        json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let mut fixed = text.to_string();
    for action in actions.as_array().expect("a list").iter().rev() {
        fixed = edited(&fixed, &action["edit"]["changes"][&uri]);
    }
    assert_eq!(fixed, text.replace("let f", "let rec f").replace("= lengt +", "= lenght +"));
    client.change("main.ml", 2, json!([{ "text": fixed }]));
    assert_eq!(client.reports("main.ml", 2), []);
    client.end();
}

#[test]
fn ocaml_rename() {
    let mut client = Client::start(&scratch("lsp", "ocaml-rename"));
    let text = "\
type t = { x : int; y : int }
let make x = { x; y = x }
let f ~x () = x
let use x = f ~x ()
let p = 1
let q = 2
let r = p + q
";
    client.open("main.ml", text);
    let uri = client.uri("main.ml");
    let params = |position: Value, name: &str| json!({ "textDocument": { "uri": uri }, "position": position, "newName": name });
    let mut rename = |position: Value, name: &str| {
        let edit = client.request("textDocument/rename", params(position, name));
        edited(text, &edit["changes"][&uri])
    };
    let renamed = rename(place(text, "make x", 0, 5), "v");
    assert_eq!(renamed, text.replace("make x = { x; y = x }", "make v = { x = v; y = v }"));
    let renamed = rename(place(text, "{ x :", 0, 2), "w");
    assert_eq!(renamed, text.replace("{ x :", "{ w :").replace("{ x; y", "{ w = x; y"));
    let renamed = rename(place(text, "use x", 0, 4), "v");
    assert_eq!(renamed, text.replace("use x = f ~x", "use v = f ~x:v"));
    let renamed = rename(place(text, "f ~x () =", 0, 0), "g");
    assert_eq!(renamed, text.replace("f ~x", "g ~x"));
    let mut refuse =
        |position: Value, name: &str| client.refused("textDocument/rename", params(position, name));
    assert!(refuse(place(text, "make x", 0, 5), "1v").contains("not a name"));
    assert!(refuse(place(text, "make x", 0, 5), "let").contains("not a name"));
    assert!(refuse(place(text, "make x", 0, 5), "V").contains("lower-case"));
    assert!(refuse(place(text, "int", 0, 0), "v").contains("no name here"));
    // `p` would mean the second one then.
    let message = refuse(place(text, "q = 2", 0, 0), "p");
    assert!(message.contains("`p` means something else"), "{message}");
    let message = refuse(place(text, "+", 0, 0), "plus");
    assert!(message.contains("library"), "{message}");
    client.end();
}

#[test]
fn clef() {
    let text = "\
/// A person.
type Person = { Name: string; Age: int }
module Tools =
    let twice n = n * 2
let older person = { person with Age = Tools.twice person.Age }
let ada = { Name = \"Ada\"; Age = 36 }
let text = (older ada).Name.Length
printfn \"%d\" text
";
    let mut client = Client::start(&scratch("lsp", "clef"));
    client.open("main.fs", text);
    assert_eq!(client.reports("main.fs", 1), []);
    let shown = hover(&mut client, "main.fs", place(text, "older ada", 0, 0));
    assert!(shown.contains("older : Person -> Person"), "{shown}");
    let found = client.at("definition", "main.fs", place(text, "twice person", 0, 0));
    assert_eq!(starts(&found), ["3:8"]);
    let found = client.at("definition", "main.fs", place(text, "person.Age", 0, 7));
    assert_eq!(starts(&found), ["1:30"]);
    let found = client.at("references", "main.fs", place(text, "older person", 0, 0));
    assert_eq!(starts(&found), ["4:4", "6:12"]);
    let symbols = client.about("documentSymbol", "main.fs");
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["Person", "Tools", "older", "ada", "text"]);
    let uri = client.uri("main.fs");
    let params = json!({
        "textDocument": { "uri": uri },
        "position": place(text, "ada =", 0, 0),
        "newName": "grace",
    });
    let edit = client.request("textDocument/rename", params);
    let renamed = edited(text, &edit["changes"][&uri]);
    assert_eq!(renamed, text.replace("ada =", "grace =").replace("older ada", "older grace"));
    let changed = format!("{text}let more = ada.");
    client.change("main.fs", 2, json!([{ "text": changed }]));
    let found = client.at("completion", "main.fs", json!({ "line": 8, "character": 15 }));
    assert_eq!(labels(&found), ["Age", "Name"]);
    let changed = format!("{text}let more = oldr ada\n");
    client.change("main.fs", 3, json!([{ "text": changed }]));
    assert_eq!(client.reports("main.fs", 3), [("E0101".into(), 8)]);
    client.end();
}

#[test]
fn eshkol() {
    let text = "\
;; Doubles a number.
(define (double n) (* n 2))
(define limit 10)
(define (count-up n)
  (let loop ((i 0))
    (if (< i limit) (loop (+ i (double n))) i)))
(display (count-up 3))
";
    let mut client = Client::start(&scratch("lsp", "eshkol"));
    client.open("main.esk", text);
    assert_eq!(client.reports("main.esk", 1), []);
    let shown = hover(&mut client, "main.esk", place(text, "double n)))", 0, 0));
    assert!(shown.contains("(double n)") && shown.contains("Doubles a number."), "{shown}");
    let found = client.at("definition", "main.esk", place(text, "limit)", 0, 0));
    assert_eq!(starts(&found), ["2:8"]);
    let found = client.at("references", "main.esk", place(text, "loop (", 1, 0));
    assert_eq!(starts(&found), ["4:7", "5:21"]);
    let symbols = client.about("documentSymbol", "main.esk");
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["double", "limit", "count-up"]);
    let uri = client.uri("main.esk");
    let params = json!({
        "textDocument": { "uri": uri },
        "position": place(text, "limit 10", 0, 0),
        "newName": "top-most",
    });
    let edit = client.request("textDocument/rename", params);
    assert_eq!(edited(text, &edit["changes"][&uri]), text.replace("limit", "top-most"));
    let changed = format!("{text}(display (dou");
    client.change("main.esk", 2, json!([{ "text": changed }]));
    let found = client.at("completion", "main.esk", json!({ "line": 7, "character": 13 }));
    assert!(labels(&found).contains(&"double".to_string()), "{found}");
    let changed = format!("{text}(display (doubel 2))\n");
    client.change("main.esk", 3, json!([{ "text": changed }]));
    assert_eq!(client.reports("main.esk", 3), [("E0430".into(), 7)]);
    client.end();
}

/// What became of a function is known a little later.
#[cfg(feature = "native")]
#[test]
fn hover_tells_what_became_of_a_function() {
    let text = "let make k =\n  let scale x = x * k in\n  fun l -> List.map scale l\n\
                let () = List.iter print_int (make (Array.length Sys.argv) [1; 2])\n";
    let mut client = Client::start(&scratch("lsp", "explained"));
    client.open("main.ml", text);
    let mut shown = String::new();
    for _ in 0..600 {
        shown = hover(&mut client, "main.ml", place(text, "scale x", 0, 0));
        if shown.contains("captures") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(shown.contains("captures `k : int`"), "{shown}");
    client.end();
}
