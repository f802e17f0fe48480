//! How an exception that nobody catches is shown.
//!
//! ```text
//! raise (Failure "a\"b")                      Fatal error: exception Failure("a"b")
//! the same in a program that uses Hashtbl     Fatal error: exception Failure("a\"b")
//! ```
//!
//! OCaml's runtime shows strings as they are. In programs that `Printexc` is linked into, it is asked, and it
//! quotes them. Which modules of the library bring it along is OCaml's affair: their files here say
//! `[@@@links_printexc "f g"]`, with the names of what is a primitive there, which links nothing.

use oxbow_base::{FileId, SparseMap, Symbol};
use oxbow_psg::KnownFunction;

use super::Unit;
use super::env::Value;
use crate::ast::ItemKind;

#[derive(Default)]
pub struct Quotes {
    /// The files of the library that bring `Printexc` along, with the names of their primitives.
    linking: SparseMap<FileId, Vec<Symbol>>,
    /// A file of the user uses a value of one of them.
    linked: bool,
}

impl Quotes {
    /// Takes note of a unit of the library.
    pub fn unit(&mut self, unit: &Unit) {
        if !unit.library {
            return;
        }
        for item in &unit.structure {
            if let ItemKind::Attribute(it) = &item.kind
                && it.name.text.as_str() == "links_printexc"
            {
                let names = it.payload.map_or("", |it| it.as_str());
                let primitives = names.split_whitespace().map(Symbol::new).collect();
                self.linking.insert(unit.span.file, primitives);
            }
        }
    }

    /// Takes note of a value that a file of the user names.
    pub fn used(&mut self, name: Symbol, value: &Value) {
        let primitives = self.linking.get(value.span.file);
        self.linked |= primitives.is_some_and(|it| !it.contains(&name));
    }

    /// What is called in the end.
    pub fn finish(&self) -> KnownFunction {
        if self.linked { KnownFunction::FinishQuoted } else { KnownFunction::Finish }
    }

    /// What is called with the exception.
    pub fn uncaught(&self) -> KnownFunction {
        if self.linked { KnownFunction::UncaughtQuoted } else { KnownFunction::Uncaught }
    }
}
