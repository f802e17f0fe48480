//! Clef's concrete syntax, which is that of F#: from text to the ML surface tree.
//!
//! ```text
//! text ──lexer──▶ tokens with columns ──parser (offside rule)──▶ oxbow_elab::ast
//! ```
//!
//! The tree is returned whatever the text is like; what could not be read is an error node,
//! and each fault is reported once. Constructs of F# that the compiler does not handle are
//! reported as such and left out.

mod diagnostics;
mod directive;
mod lexer;
mod literal;
mod outline;
mod parser;
mod text;
mod token;

use oxbow_base::FileId;
use oxbow_diag::{Diagnostic, Diagnostics, Severity};
use oxbow_elab::ast::Structure;

pub use outline::Outline;

/// A parsed `.clef` or `.fs` file.
pub struct File {
    /// The names of the module that the file says it is: `module A.B` or `namespace A`.
    pub header: Vec<oxbow_base::Symbol>,
    /// The header is that of a namespace.
    pub namespace: bool,
    pub structure: Structure,
}

/// Parses the text of a source file: one module, or its namespaces in their order. The outline is that of all files of
/// the program.
pub fn parse(
    file: FileId,
    text: &str,
    outline: &Outline,
    diagnostics: &mut Diagnostics,
) -> Vec<File> {
    let mut sink = Diagnostics::new();
    let tokens = lexer::lex(file, text, 0..text.len(), &mut sink);
    // With a quote too much or too few, what was meant as text is read as code and the reverse.
    let is_quote = |it: &Diagnostic| {
        let place = it.primary.as_ref().map_or(0, |it| it.span.start as usize);
        it.code == diagnostics::UNTERMINATED && text[place..].starts_with('"')
    };
    if sink.iter().any(is_quote) {
        for report in sink.take().into_iter().filter(is_quote) {
            diagnostics.error(report);
        }
        return vec![File {
            header: Vec::new(),
            namespace: false,
            structure: Structure::default(),
        }];
    }
    let mut parser = parser::Parser::new((file, text), tokens, outline, sink);
    let parsed = parser.file();
    // The lexer reads the whole file first; a person reads from top to bottom.
    let mut reports = parser.into_diagnostics().take();
    reports.sort_by_key(|report| report.primary.as_ref().map_or(0, |it| it.span.start));
    for report in reports {
        match report.severity {
            Severity::Error => {
                diagnostics.error(report);
            }
            Severity::Warning => diagnostics.warning(report),
        }
    }
    parsed
}

#[cfg(test)]
mod tests {
    use oxbow_base::SourceMap;
    use oxbow_diag::Diagnostics;

    const SAMPLE: &str = r#"
module Sample
open System
type Shape =
    | Circle of radius: float
    | Rect of float * float
    member s.Area = match s with Circle r -> r * r | Rect (a, b) -> a * b
type P = { X: int; mutable Y: int list } with
    static member (+) (a: P, b: P) = { X = a.X + b.X; Y = [] }
let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd
let rec f (x: int) = function
    | [] -> [| for i in 1 .. 2 .. 9 -> i |]
    | h :: t when h > 1 -> [| 1; 2 |]
    | _ -> try f 1 [] with Failure m -> [||]
let s = seq { yield 1; yield! [ 2 ]; while true do yield 3 }
let t = $"a {1 + 2:F2} {{}} %d{3}" + """raw "x" """ + @"c:\x"
let g x =
    let mutable y = x
    for i in xs do
        y <- y + a.[i] - b[1..2].Length
    use r = open' y
    (fun z ->
        z |> List.map (fun w -> w, 1uy)
    )
"#;

    fn errors(text: &str) -> usize {
        let mut sources = SourceMap::new();
        let file = sources.add("test.clef", text);
        let mut diagnostics = Diagnostics::new();
        let mut outline = super::Outline::default();
        outline.add(file, text);
        super::parse(file, text, &outline, &mut diagnostics);
        diagnostics.error_count()
    }

    #[test]
    fn a_correct_text_has_no_errors() {
        assert_eq!(errors(SAMPLE), 0);
    }

    /// Whatever the text is like, parsing ends and makes a tree.
    #[test]
    fn no_text_breaks_the_parser() {
        let marks = [
            "(", "]", "{|", "\"", "$\"{", "| ->", "let", "\n  ", "\t", "match", "'", "(*", "<",
            ">>",
        ];
        for (at, _) in SAMPLE.char_indices() {
            errors(&SAMPLE[..at]);
            errors(&SAMPLE[at..]);
            let mark = marks[at % marks.len()];
            errors(&format!("{}{mark}{}", &SAMPLE[..at], &SAMPLE[at..]));
        }
    }

    /// Nesting is bounded, not the text.
    #[test]
    fn deep_nesting_is_reported() {
        std::thread::Builder::new()
            .stack_size(1 << 30)
            .spawn(|| {
                assert!(errors(&format!("let x = {}", "(".repeat(100_000))) > 0);
                assert_eq!(errors(&"let x = 1\n".repeat(10_000)), 0);
            })
            .map(|it| it.join().expect("no panic"))
            .expect("a thread");
    }
}
