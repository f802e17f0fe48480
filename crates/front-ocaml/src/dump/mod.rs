//! The surface tree as text: one s-expression for each item, without places.
//!
//! ```text
//! let f x = x + 1;;        (let (f (fun (x) (apply + x 1))))
//! ```
//!
//! A node that fits on a line is on a line. Otherwise its parts stand below it,
//! indented, except that the last part of a `let` is not: chains stay at the margin.

mod classes;
mod exprs;
mod modules;
mod sexp;

use oxbow_elab::ast::{Item, SigItem};

use sexp::Sexp;

/// The text of a structure, one item after another.
pub fn dump(structure: &[Item]) -> String {
    print_all(structure.iter().map(modules::item))
}

/// The text of a signature.
pub fn dump_signature(signature: &[SigItem]) -> String {
    print_all(signature.iter().map(modules::sig_item))
}

fn print_all(nodes: impl Iterator<Item = Sexp>) -> String {
    let mut text = String::new();
    for node in nodes {
        node.print(&mut text);
        text.push('\n');
    }
    text
}
