//! Random edits: what the server knows after them is what a new server knows of the text.
//!
//! `OXBOW_EDITS=10000` makes a longer run.

use serde_json::{Value, json};

use super::client::Client;
use crate::common::scratch;

const PROGRAMS: [(&str, &str); 3] = [
    ("main.ml", super::OCAML),
    (
        "main.fs",
        "let add a b = a + b\ntype T = { X: int }\nlet t = { X = add 1 2 }\nprintfn \"%d é😀\" t.X\n",
    ),
    ("main.esk", "(define (f x) (* x 2))\n(define y (f 3))\n(display (+ y 1))\n"),
];

/// What is typed.
const PIECES: [&str; 14] =
    ["x", " ", "\n", "let z = 1\n", "(", ")", "\"", "é", "😀", "(* ", "= ", "\r\n", "add", ""];

/// A generator of numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// The text that the test believes the server to have.
fn apply(text: &mut String, start: usize, end: usize, piece: &str) -> Value {
    let position = |offset: usize| {
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
        json!({ "line": line, "character": column })
    };
    let range = json!({ "start": position(start), "end": position(end) });
    text.replace_range(start..end, piece);
    json!({ "range": range, "text": piece })
}

fn known(client: &mut Client, file: &str) -> Vec<Value> {
    let uri = client.uri(file);
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": whole });
    vec![
        client.about("documentSymbol", file),
        client.about("semanticTokens/full", file),
        client.request("textDocument/inlayHint", params),
        client.at("hover", file, json!({ "line": 1, "character": 5 })),
        client.at("definition", file, json!({ "line": 2, "character": 10 })),
    ]
}

#[test]
fn random_edits_end_as_a_fresh_start() {
    let steps = std::env::var("OXBOW_EDITS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let folder = scratch("lsp", "edits");
    let mut client = Client::start(&folder);
    let mut texts: Vec<String> = Vec::new();
    for (file, text) in PROGRAMS {
        client.open(file, text);
        texts.push(text.into());
    }
    let mut numbers = Numbers(7);
    for step in 0..steps {
        let at = numbers.below(3);
        let text = &mut texts[at];
        // Between `\r` and `\n` there is no place.
        let is_place = |it: &usize| {
            let is_boundary = text.is_char_boundary(*it);
            is_boundary && !(text[..*it].ends_with('\r') && text[*it..].starts_with('\n'))
        };
        let places: Vec<usize> = (0..=text.len()).filter(is_place).collect();
        let start = numbers.below(places.len());
        let end = (start + numbers.below(4)).min(places.len() - 1);
        let piece = PIECES[numbers.below(PIECES.len())];
        let change = apply(text, places[start], places[end], piece);
        client.change(PROGRAMS[at].0, step as i64 + 2, json!([change]));
        if numbers.below(40) == 0 || step + 1 == steps {
            let mut fresh = Client::start(&folder);
            for (index, (file, _)) in PROGRAMS.iter().enumerate() {
                fresh.open(file, &texts[index]);
            }
            for (index, (file, _)) in PROGRAMS.iter().enumerate() {
                let (ours, theirs) = (known(&mut client, file), known(&mut fresh, file));
                assert_eq!(ours, theirs, "after step {step}:\n{}", texts[index]);
            }
            fresh.end();
        }
        // Now and then it begins anew: most edits break the program.
        if numbers.below(60) == 0 {
            texts[at] = PROGRAMS[at].1.into();
            client.change(PROGRAMS[at].0, step as i64 + 2, json!([{ "text": texts[at] }]));
        }
    }
    client.end();
}
