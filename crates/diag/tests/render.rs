//! How reports look, and that no span whatsoever makes rendering fail.

use oxbow_base::{SourceMap, Span};
use oxbow_diag::{Diagnostic, RenderOptions, render, render_json};

fn plain(report: &Diagnostic, sources: &SourceMap) -> String {
    render(report, sources, RenderOptions::default())
}

#[track_caller]
fn check(text: &str, at: std::ops::Range<u32>, expected: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("a.ml", text);
    let report = Diagnostic::error("E0001", "wrong").at(Span::new(file, at.start, at.end), "here");
    let shown = plain(&report, &sources);
    assert_eq!(shown, expected, "\n--- shown\n{shown}");
}

#[test]
fn labels_notes_and_help() {
    let mut sources = SourceMap::new();
    let text =
        "(* adds *)\n\nlet add a b = a + b\n\nlet t = 1\nlet u = 2\n  let s = add 1 2 3 in\n";
    let file = sources.add("bin/main.ml", text);
    let call = text.find("3 in").expect("the argument") as u32;
    let add = text.find("add a").expect("the function") as u32;
    let report = Diagnostic::error("E0113", "`add` takes 2 arguments, but 3 are given")
        .at(Span::new(file, call, call + 1), "not expected")
        .label(Span::new(file, add, add + 3), "`add` is defined here")
        .note("its type is int -> int -> int")
        .help("remove the argument,\nor add a parameter to `add`");
    assert_eq!(
        plain(&report, &sources),
        "\
error[E0113]: `add` takes 2 arguments, but 3 are given
 --> bin/main.ml:7:19
  |
3 | let add a b = a + b
  |     --- `add` is defined here
...
7 |   let s = add 1 2 3 in
  |                   ^ not expected
note: its type is int -> int -> int
help: remove the argument,
      or add a parameter to `add`
"
    );
    let coloured = render(&report, &sources, RenderOptions { color: true });
    assert!(coloured.contains("\u{1b}["));
}

#[test]
fn labels_in_two_files() {
    let mut sources = SourceMap::new();
    let user = sources.add("main.ml", "let x = List.map 1\n");
    let library =
        sources.add_library("<library>/list.ml", "let rec length l = 0\nlet map f l = l\n");
    let report = Diagnostic::warning("W0001", "odd")
        .at(Span::new(user, 8, 16), "used here")
        .label(Span::new(library, 25, 28), "defined here");
    assert_eq!(
        plain(&report, &sources),
        "\
warning[W0001]: odd
 --> main.ml:1:9
  |
1 | let x = List.map 1
  |         ^^^^^^^^ used here
  |
 ::: <library>/list.ml:2:5
  |
2 | let map f l = l
  |     --- defined here
"
    );
}

#[test]
#[allow(clippy::reversed_empty_ranges, reason = "spans that make no sense are shown, too")]
fn the_end_of_a_file() {
    let expected = "\
error[E0001]: wrong
 --> a.ml:1:8
  |
1 | let x =
  |        ^ here
";
    check("let x =", 7..7, expected);
    check("let x =\n", 8..8, expected);
    check("let x =\r\n\r\n", 11..11, expected);
    check("let x =", 7..99, expected);
    check("let x =\n", 500..10, expected);
}

#[test]
fn an_empty_file() {
    check("", 0..0, "error[E0001]: wrong\n --> a.ml:1:1\n  |\n1 |\n  | ^ here\n");
    check("\n\n", 2..2, "error[E0001]: wrong\n --> a.ml:1:1\n  |\n1 |\n  | ^ here\n");
}

#[test]
fn several_lines() {
    check(
        "let f x =\n  match x with\n  | 0 -> 1\n  | 1 -> 2\nlet y = 1\n",
        12..46,
        "\
error[E0001]: wrong
 --> a.ml:2:3
  |
2 | /   match x with
3 | |   | 0 -> 1
4 | |   | 1 -> 2
  | |__________^ here
",
    );
}

#[test]
fn tabs_line_ends_and_wide_characters() {
    check(
        "let a = 1\r\n\tlet b = é + 漢 in x\r\n",
        25..28,
        "\
error[E0001]: wrong
 --> a.ml:2:14
  |
2 |     let b = é + 漢 in x
  |                 ^^ here
",
    );
    check("ab\r\ncd\r\n", 0..4, "error[E0001]: wrong\n --> a.ml:1:1\n  |\n1 | ab\n  | ^^ here\n");
}

#[test]
fn overlong_lines() {
    let text = format!("let x = {}\n", "1 + ".repeat(50_000));
    let mut sources = SourceMap::new();
    let file = sources.add("a.ml", text);
    for at in [0, 4_000, 199_999] {
        let report = Diagnostic::error("E0001", "wrong").at(Span::new(file, at, at + 3), "here");
        let shown = plain(&report, &sources);
        assert!(shown.lines().all(|it| it.chars().count() < 200), "{shown}");
        assert!(shown.contains("here"), "{shown}");
    }
}

#[test]
fn no_place_at_all() {
    let report = Diagnostic::error("E0001", "wrong").help("do it right");
    assert_eq!(plain(&report, &SourceMap::new()), "error[E0001]: wrong\nhelp: do it right\n");
}

/// Random texts and random spans, many of them nonsense.
#[test]
fn nothing_panics() {
    let pieces = [
        "a", "\t", "\r\n", "\n", "é", "漢", "🐫", " ", "\r", "let x", "\u{202e}", "\u{0}",
        "e\u{301}",
    ];
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for round in 0..4_000 {
        let mut sources = SourceMap::new();
        let mut report = Diagnostic::error("E0001", "x\ny");
        for file in 0..1 + random(2) {
            let text: String = (0..random(30)).map(|_| pieces[random(pieces.len())]).collect();
            let length = text.len() + 4;
            let id = sources.add(format!("f{file}.ml"), text);
            for label in 0..random(4) {
                let span = Span::new(id, random(length) as u32, random(length) as u32);
                report = match label {
                    0 if file == 0 => report.at(span, "here"),
                    1 => report.label(span, ""),
                    _ => report.label(span, "there\nand there"),
                };
            }
        }
        let shown = render(&report, &sources, RenderOptions { color: round % 2 == 0 });
        assert!(shown.ends_with('\n'));
        assert!(!render_json(&report, &sources).is_empty());
    }
}
