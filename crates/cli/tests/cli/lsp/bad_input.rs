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
