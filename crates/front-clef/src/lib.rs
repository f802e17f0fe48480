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
mod lexer;
mod literal;
mod parser;
mod text;
mod token;

use oxbow_base::FileId;
use oxbow_diag::{Diagnostics, Severity};
use oxbow_elab::ast::Structure;

/// A parsed `.clef` or `.fs` file.
pub struct File {
    /// The names of the module that the file says it is: `module A.B` or `namespace A`.
    pub header: Vec<oxbow_base::Symbol>,
    /// The header is that of a namespace.
    pub namespace: bool,
    pub structure: Structure,
}

/// Parses the text of a source file.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> File {
    let mut sink = Diagnostics::new();
    let tokens = lexer::lex(file, text, 0..text.len(), &mut sink);
    let mut parser = parser::Parser::new(file, text, tokens, sink);
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
