//! What a declaration says of `=`, `compare` and `hash` on the values of its type.
//!
//! ```text
//! [<ReferenceEquality>]      Clef: a value is equal to itself alone
//! [<compared("elements")>]   the library, in Clef: maps and sets
//! [@@compared identity]      the library, in OCaml
//! ```

use oxbow_base::{Mark, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{Compared, OwnFunctions};

use crate::ast::Attribute;

/// Where a declaration stands.
#[derive(Clone, Copy)]
pub struct Place {
    pub clef: bool,
    pub library: bool,
}

pub fn compared(attributes: &[Attribute], place: Place) -> Compared {
    let mut compared = Compared::Parts;
    let is_struct = attributes.iter().any(|it| it.is(Mark::Struct));
    for attribute in attributes {
        match attribute.name.text.as_str() {
            "ReferenceEquality" if place.clef => compared = Compared::Reference,
            // Objects have a number, which is 0 in structs: their parts are compared.
            _ if attribute.is(Mark::Class) && !is_struct => compared = Compared::Identity,
            // For programs it is an attribute like others that mean nothing here.
            "compared" if place.library => {
                let wanted = attribute.payload.map_or("", Symbol::as_str);
                match Compared::NAMES.iter().find(|it| it.1 == wanted) {
                    Some(&(known, _)) => compared = known,
                    None => ice!("the library's types cannot be compared by `{wanted}`"),
                }
            }
            _ => (),
        }
    }
    compared
}

/// `[<NoEquality>]`, `[<NoComparison>]`: the values of the type have no such operation.
pub fn forbidden(attributes: &[Attribute], place: Place) -> OwnFunctions {
    let says = |name: &str| place.clef && attributes.iter().any(|it| it.name.text.as_str() == name);
    let (no_equality, no_order) = (says("NoEquality"), says("NoComparison"));
    OwnFunctions { no_equality, no_order, ..OwnFunctions::default() }
}

#[cfg(test)]
mod tests {
    use oxbow_base::{SourceMap, Span, Symbol};
    use oxbow_psg::Compared;

    use super::{Place, compared};
    use crate::ast::{Attribute, Name};

    fn ask(name: &str, payload: Option<&str>, place: Place) -> Compared {
        let mut sources = SourceMap::default();
        let file = sources.add("lib.clef", "");
        let span = Span { file, start: 0, end: 0 };
        let name = Name { text: Symbol::new(name), span };
        compared(&[Attribute { name, payload: payload.map(Symbol::new) }], place)
    }

    const LIBRARY: Place = Place { clef: true, library: true };

    #[test]
    fn the_library_says_how() {
        assert_eq!(ask("compared", Some("elements"), LIBRARY), Compared::Elements);
        assert_eq!(ask("compared", Some("identity"), LIBRARY), Compared::Identity);
        assert_eq!(ask("inline", Some("never"), LIBRARY), Compared::Parts);
    }

    #[test]
    #[should_panic]
    fn an_unknown_way_is_an_error() {
        ask("compared", Some("element"), LIBRARY);
    }

    #[test]
    #[should_panic]
    fn no_way_is_an_error() {
        ask("compared", None, LIBRARY);
    }

    #[test]
    fn programs_have_references_only() {
        let program = Place { clef: true, library: false };
        assert_eq!(ask("compared", Some("element"), program), Compared::Parts);
        assert_eq!(ask("ReferenceEquality", None, program), Compared::Reference);
        let ocaml = Place { clef: false, library: false };
        assert_eq!(ask("ReferenceEquality", None, ocaml), Compared::Parts);
    }
}
