//! OCaml's concrete syntax: from text to the ML surface tree.
//!
//! ```text
//! text ──lexer──▶ balanced tokens ──parser──▶ oxbow_elab::ast
//! ```
//!
//! The tree is returned whatever the text is like; what could not be read is an
//! error node, and each fault is reported once. Constructs of OCaml that the compiler
//! does not handle are read, reported as such and left out.
//!
//! Nesting is limited (see `parser`), so the trees are of bounded depth; running the
//! parser near that limit needs a stack of some hundred megabytes.

#![warn(clippy::indexing_slicing)]

mod diagnostics;
mod dump;
mod lexer;
mod parser;

use oxbow_base::{Encoding, FileId};
use oxbow_diag::{Diagnostic, Diagnostics, Severity};
use oxbow_elab::ast::{Signature, Structure};

pub use dump::{dump, dump_signature};

/// A file's text, and what its bytes were.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    pub text: &'a str,
    pub encoding: Encoding,
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, encoding: Encoding::Utf8 }
    }
}

/// Parses the text of a `.ml` file.
pub fn parse_structure<'a>(
    file: FileId,
    text: impl Into<Text<'a>>,
    diagnostics: &mut Diagnostics,
) -> Structure {
    parse(file, text.into(), diagnostics, parser::Parser::file_structure)
}

/// Parses the text of a `.mli` file.
pub fn parse_signature<'a>(
    file: FileId,
    text: impl Into<Text<'a>>,
    diagnostics: &mut Diagnostics,
) -> Signature {
    parse(file, text.into(), diagnostics, parser::Parser::file_signature)
}

fn parse<'a, T>(
    file: FileId,
    text: Text<'a>,
    diagnostics: &mut Diagnostics,
    run: impl FnOnce(&mut parser::Parser<'a>) -> T,
) -> T {
    let mut sink = Diagnostics::new();
    let lexed = lexer::lex(file, text, &mut sink);
    let text = text.text;
    let mut parser = parser::Parser::new(file, text, lexed, sink);
    let tree = run(&mut parser);
    // The lexer reads the whole file first; a person reads from top to bottom.
    let mut own = parser.into_diagnostics();
    diagnostics.take_switches(&mut own);
    let mut reports = own.take();
    reports.sort_by_key(start_of);
    for report in reports {
        match report.severity {
            Severity::Error => {
                diagnostics.error(report);
            }
            Severity::Warning => diagnostics.warning(report),
        }
    }
    tree
}

fn start_of(report: &Diagnostic) -> u32 {
    report.primary.as_ref().map_or(0, |it| it.span.start)
}
