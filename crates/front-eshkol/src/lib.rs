//! The Eshkol front end: a Scheme (R7RS-small) that is compiled ahead of time.
//!
//! ```text
//! text ─ reader ─▶ data ─ expand ─▶ core ─ infer ─▶ forms of variables
//!                                     └──── emit ──▶ surface tree of `elab`
//! ```
//!
//! The library is written in two languages: primitives in OCaml (`lib/eshkol/*.ml`), which `builtin`
//! lists, and everything that calls procedures in Eshkol (`lib/eshkol/prelude.esk`), so that it takes part in
//! the analyses of the program.

pub mod builtin;
mod core;
mod cps;
pub mod datum;
mod emit;
mod escape;
mod expand;
mod infer;
mod ml;
mod plan;
pub mod reader;

pub use expand::Files;

use oxbow_base::{FileId, Span};
use oxbow_diag::Diagnostics;
use oxbow_elab::ast;

/// Modules of the library that a compiled program refers to.
pub const MODULES: &[&str] = &[
    "Eshkol_value",
    "Eshkol_big",
    "Eshkol_num",
    "Eshkol_data",
    "Eshkol_print",
    "Eshkol_port",
    "Eshkol_control",
];

/// A file and its text.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub file: FileId,
    pub text: &'a str,
}

/// Compiles a program to the items of one module.
pub fn compile(
    prelude: Source<'_>,
    program: Source<'_>,
    files: Files<'_>,
    locate: &dyn Fn(Span) -> String,
    diagnostics: &mut Diagnostics,
) -> Vec<ast::Item> {
    let library = reader::read(prelude.file, prelude.text, diagnostics);
    let data = reader::read(program.file, program.text, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    let core = expand::expand(&library, prelude.file, &data, files, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    let core = if escape::needs_first_class(&core) { cps::convert(core) } else { core };
    let types = infer::infer(&core);
    let start = Span::new(program.file, 0, 0);
    emit::emit(&core, &types, locate, start, diagnostics)
}
