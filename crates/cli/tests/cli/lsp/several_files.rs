//! Programs of several files: definitions, mentions and reports in all of them.

use std::fs;

use serde_json::json;

use super::client::{Client, edited, place, starts};
use crate::common::scratch;

const UTIL: &str = "let twice n = n * 2\nlet thrice n = n * 3\n";
const MAIN: &str = "let six = Util.twice 3\nlet nine = Util.thrice six\n";
const OTHER: &str = "let () = print_int (Util.twice 4)\n";

#[test]
fn mentions_in_other_files() {
    let folder = scratch("lsp", "several");
    for (file, text) in [("util.ml", UTIL), ("main.ml", MAIN), ("other.ml", OTHER)] {
        fs::write(folder.join(file), text).expect("writable");
    }
    let mut client = Client::start(&folder);
    client.open("main.ml", MAIN);
    let found = client.at("definition", "main.ml", place(MAIN, "twice", 0, 0));
    assert_eq!(found[0]["uri"], client.uri("util.ml"));
    assert_eq!(starts(&found), ["0:4"]);
    let found = client.at("references", "main.ml", place(MAIN, "twice", 0, 0));
    let files: Vec<_> =
        found.as_array().expect("a list").iter().map(|it| it["uri"].clone()).collect();
    assert_eq!(files, ["main.ml", "other.ml", "util.ml"].map(|it| json!(client.uri(it))));
    let params = json!({
        "textDocument": { "uri": client.uri("main.ml") },
        "position": place(MAIN, "twice", 0, 0),
        "newName": "double",
    });
    let edit = client.request("textDocument/rename", params);
    for (file, text) in [("util.ml", UTIL), ("main.ml", MAIN), ("other.ml", OTHER)] {
        let uri = client.uri(file);
        assert_eq!(edited(text, &edit["changes"][&uri]), text.replace("twice", "double"));
    }
    // What the editor has not saved counts.
    client.open("util.ml", &UTIL.replace("thrice", "triple"));
    client.change("main.ml", 2, json!([{ "text": format!("{MAIN} ") }]));
    assert_eq!(client.reports("main.ml", 2), [("E0101".into(), 1)]);
    client.forget_reports();
    client.change("util.ml", 2, json!([{ "text": UTIL }]));
    assert_eq!(client.reports("main.ml", 2), []);
    client.end();
}

#[test]
fn interfaces() {
    let folder = scratch("lsp", "interface");
    let interface = "val twice : int -> int\n(** Three times. *)\nval thrice : int -> int\n";
    for (file, text) in [("util.ml", UTIL), ("util.mli", interface), ("main.ml", MAIN)] {
        fs::write(folder.join(file), text).expect("writable");
    }
    let mut client = Client::start(&folder);
    client.open("util.mli", interface);
    client.open("util.ml", UTIL);
    // From what is declared to what is defined, and back.
    let found = client.at("definition", "util.mli", place(interface, "twice", 0, 0));
    assert_eq!(
        (&found[0]["uri"], starts(&found)),
        (&json!(client.uri("util.ml")), vec!["0:4".into()])
    );
    let found = client.at("definition", "util.ml", place(UTIL, "twice", 0, 0));
    assert_eq!(
        (&found[0]["uri"], starts(&found)),
        (&json!(client.uri("util.mli")), vec!["0:4".into()])
    );
    let params = json!({
        "textDocument": { "uri": client.uri("util.ml") },
        "position": place(UTIL, "twice", 0, 0),
        "newName": "double",
    });
    let edit = client.request("textDocument/rename", params);
    for (file, text) in [("util.ml", UTIL), ("util.mli", interface), ("main.ml", MAIN)] {
        let uri = client.uri(file);
        assert_eq!(edited(text, &edit["changes"][&uri]), text.replace("twice", "double"), "{file}");
    }
    client.end();
}

#[test]
fn a_file_that_vanishes() {
    let folder = scratch("lsp", "vanishes");
    fs::write(folder.join("util.ml"), UTIL).expect("writable");
    let mut client = Client::start(&folder);
    client.open("main.ml", MAIN);
    assert_eq!(client.reports("main.ml", 1), []);
    fs::remove_file(folder.join("util.ml")).expect("there");
    client.forget_reports();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let found = client.reports("main.ml", 1);
    assert_eq!(found[0], ("E0201".into(), 0));
    client.forget_reports();
    client.close("main.ml");
    assert_eq!(client.reports("main.ml", 0), []);
    client.end();
}
