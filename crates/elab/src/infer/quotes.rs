//! How an exception that nobody catches is shown.
//!
//! ```text
//! raise (Failure "a\"b")                      Fatal error: exception Failure("a"b")
//! the same in a program that uses Hashtbl     Fatal error: exception Failure("a\"b")
//! ```
//!
//! OCaml's runtime shows strings as they are. In programs that `Printexc` is linked into, it is asked, and it
//! quotes them. Which modules of the library bring it along is OCaml's affair: their files here say
//! `[@@@links_printexc]`.

use oxbow_base::{FxHashSet, Language, Symbol};
use oxbow_psg::KnownFunction;

use super::Unit;
use crate::ast::ItemKind;
use crate::mentions;

#[derive(Default)]
pub struct Quotes {
    /// The modules of the library that bring `Printexc` along.
    linking: FxHashSet<Symbol>,
    /// A file of the user mentions one of them.
    linked: bool,
}

impl Quotes {
    /// Takes note of a unit; those of the library come first.
    pub fn unit(&mut self, unit: &Unit) {
        if unit.library {
            let links = unit.structure.iter().any(|item| {
                matches!(&item.kind, ItemKind::Attribute(it) if it.name.text.as_str() == "links_printexc")
            });
            if links {
                self.linking.insert(unit.name);
            }
            return;
        }
        // A module of the user hides one of the library.
        self.linking.remove(&unit.name);
        if unit.language == Language::Ocaml && !self.linking.is_empty() {
            let mentions = mentions::of_structure(&unit.structure);
            self.linked |= mentions.iter().any(|it| self.linking.contains(&it.name));
        }
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
