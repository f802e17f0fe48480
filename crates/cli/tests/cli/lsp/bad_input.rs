//! What a client should not do, and a server must live with.

use serde_json::{Value, json};

use super::client::{Client, place};
use crate::common::scratch;

const TEXT: &str = "let s = \"変😀\"\nlet x = 1\n";

#[test]
fn messages_out_of_order() {
    let mut client = Client::start(&scratch("lsp", "order"));
    client.change("main.ml", 7, json!([{ "text": "let x = 1" }]));
    client.close("main.ml");
    assert_eq!(client.at("hover", "main.ml", json!({ "line": 0, "character": 0 })), Value::Null);
    client.notify("$/cancelRequest", json!({ "id": 99 }));
    client.notify("unknown/thing", json!({ "a": [1] }));
    client.notify("textDocument/didOpen", json!({ "no": "document" }));
    client.notify("textDocument/didChange", json!([1, 2]));
    let message = client.refused("unknown/request", json!({}));
    assert!(message.contains("not known"), "{message}");
    let message =
        client.refused("textDocument/formatting", json!({ "textDocument": { "uri": "x:" } }));
    assert!(message.contains("not known"), "{message}");
    client.open("notes.txt", "no source");
    assert_eq!(client.at("hover", "notes.txt", json!({ "line": 0, "character": 0 })), Value::Null);
    client.open("main.ml", TEXT);
    let found = client.at("hover", "main.ml", place(TEXT, "x", 0, 0));
    assert!(
        found["contents"]["value"].as_str().is_some_and(|it| it.contains("x : int")),
        "{found}"
    );
    client.end();
}

#[test]
fn positions_that_are_none() {
    let mut client = Client::start(&scratch("lsp", "positions"));
    client.open("main.ml", TEXT);
    let methods = ["hover", "definition", "documentHighlight", "completion", "signatureHelp"];
    // Behind the end, inside a pair of surrogates, beyond all bounds.
    for (line, character) in [(0, 11), (0, 4000), (5000, 1), (u32::MAX, u32::MAX), (1, 9)] {
        for method in methods {
            client.at(method, "main.ml", json!({ "line": line, "character": character }));
        }
    }
    client.at("hover", "main.ml", json!({ "line": -1, "character": "x" }));
    let upside_down = json!({
        "range": { "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 0 } },
        "text": "let y = 2\n",
    });
    client.change("main.ml", 2, json!([upside_down, { "nothing": true }]));
    assert_eq!(client.reports("main.ml", 2), []);
    client.end();
}

#[test]
fn requests_that_are_cancelled() {
    let mut client = Client::start(&scratch("lsp", "cancelled"));
    client.open("main.ml", TEXT);
    let uri = client.uri("main.ml");
    let position = place(TEXT, "x", 0, 0);
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    for _ in 0..5 {
        let id = client.ask("textDocument/completion", params.clone());
        client.notify("$/cancelRequest", json!({ "id": id }));
        let response = client.response(id);
        let is_cancelled = response["error"]["code"] == -32800;
        assert!(is_cancelled || response["result"].is_object(), "{response}");
    }
    // Changes while somebody waits: the answer is about the last text.
    let id = client.ask("textDocument/hover", params.clone());
    for version in 2..20 {
        let text = format!("let x = \"{version}\"\n");
        client.change("main.ml", version, json!([{ "text": text }]));
    }
    client.response(id);
    let at = json!({ "line": 0, "character": 4 });
    let found = client.at("hover", "main.ml", at);
    assert!(
        found["contents"]["value"].as_str().is_some_and(|it| it.contains("x : string")),
        "{found}"
    );
    assert_eq!(client.reports("main.ml", 19), []);
    client.end();
}

#[test]
fn clients_that_die() {
    let folder = scratch("lsp", "dies");
    let mut client = Client::start(&folder);
    client.open("main.ml", TEXT);
    let uri = client.uri("main.ml");
    client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.die(), Some(1));
    assert_eq!(Client::unborn(&folder).die(), Some(0));
    let mut client = Client::start(&folder);
    client.raw(b"Content-Length: 20\r\n\r\n{\"half");
    assert_eq!(client.die(), Some(1));
}

#[test]
fn texts_of_all_kinds() {
    let mut client = Client::start(&scratch("lsp", "texts"));
    let deep = "(".repeat(20_000);
    let long = format!("let l = [{}]", "1; ".repeat(20_000));
    let texts = ["", "\u{feff}", "let", "\0\0", "(* open", "let x = \"", deep.as_str(), &long];
    for (number, text) in texts.iter().enumerate() {
        for file in ["a.ml", "a.mli", "b.fs", "c.esk"] {
            let version = number as i64 + 2;
            if number == 0 {
                client.open(file, text);
            } else {
                client.change(file, version, json!([{ "text": text }]));
            }
            client.at("hover", file, json!({ "line": 0, "character": 1 }));
            client.about("documentSymbol", file);
        }
    }
    client.end();
}

/// Whoever leaves without a `shutdown`, also before the greeting, leaves with 1.
#[test]
fn an_exit_before_the_greeting() {
    let folder = scratch("lsp", "unborn");
    let mut client = Client::unborn(&folder);
    client.notify("textDocument/didClose", json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.die(), Some(1));
}

/// Half of a surrogate pair in a change, bytes that are not UTF-8, and what is not JSON: the text stays that of the
/// editor.
#[test]
fn texts_that_are_not_unicode() {
    let mut client = Client::start(&scratch("lsp", "surrogates"));
    client.open("main.ml", TEXT);
    let uri = client.uri("main.ml");
    let change = |text: &[u8], version: i64| {
        let head = format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{uri}","version":{version}}},"contentChanges":[{{"text":""#
        );
        let body = [head.as_bytes(), text, br#""}]}}"#].concat();
        [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), &body].concat()
    };
    client.raw(&change(br#"let s = \"\ud83d\" let y = s"#, 2));
    assert_eq!(client.reports("main.ml", 2), []);
    let shown = client.at("hover", "main.ml", json!({ "line": 0, "character": 16 }));
    assert!(shown.to_string().contains("y : string"), "{shown}");
    client.raw(&change(b"let s = \\\"\xff\\\" let z = s", 3));
    assert_eq!(client.reports("main.ml", 3), []);
    client.raw(b"Content-Length: 5\r\n\r\n{\"a\":");
    let told = client.response_to_nobody();
    assert_eq!(told["error"]["code"], -32700);
    client.end();
}

/// Two editors on one folder: each knows its own text and what is saved.
#[test]
fn two_windows() {
    let folder = scratch("lsp", "windows");
    std::fs::write(folder.join("util.ml"), "let one = 1\n").expect("writable");
    let mut first = Client::start(&folder);
    let mut second = Client::start(&folder);
    let main = "let two = Util.one + 1\n";
    first.open("main.ml", main);
    second.open("main.ml", main);
    second.open("util.ml", "let one = 1\n");
    for version in 2..8 {
        let text = format!("let one = {version}\n");
        second.change("util.ml", version, json!([{ "text": text }]));
        first.change("main.ml", version, json!([{ "text": format!("{main}let v = {version}\n") }]));
        first.at("definition", "main.ml", place(main, "one", 0, 0));
        second.at("definition", "main.ml", place(main, "one", 0, 0));
    }
    assert_eq!(first.reports("main.ml", 7), []);
    // What one window has not saved the other does not know; then it does.
    second.change("util.ml", 9, json!([{ "text": "let uno = 1\n" }]));
    second.forget_reports();
    second.change("main.ml", 9, json!([{ "text": main }]));
    assert_eq!(second.reports("main.ml", 9), [("E0101".into(), 0)]);
    std::fs::write(folder.join("util.ml"), "let uno = 1\n").expect("writable");
    first.forget_reports();
    first.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(first.reports("main.ml", 7), [("E0101".into(), 0)]);
    first.end();
    second.end();
}
