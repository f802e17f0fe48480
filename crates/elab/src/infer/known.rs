//! Functions that the library marks as known to the compiler.
//!
//! ```text
//! let push state visit = … [@@known hash_push]            the library, in OCaml
//! [<known("uncaught_of_clef")>] let last_words e = …      and in Clef
//! ```
//!
//! The words are those of `psg::KnownFunction`, and of `psg::KnownType` for types. Outside of the library the attribute
//! means nothing.

use oxbow_base::Symbol;
use oxbow_diag::ice;
use oxbow_psg::{KnownFunction, KnownFunctions, KnownType, VarId};

use super::Infer;
use super::compared::Place;
use crate::ast::Attribute;

impl Infer<'_> {
    /// Notes what the attributes of a binding say of its variable.
    pub(super) fn note_known(&mut self, attributes: &[Attribute], var: VarId) {
        if self.library && self.local_depth == 0 {
            note(&mut self.known, attributes, var);
        }
    }
}

fn note(known: &mut KnownFunctions, attributes: &[Attribute], var: VarId) {
    for attribute in attributes.iter().filter(|it| it.name.text.as_str() == "known") {
        let word = attribute.payload.map_or("", Symbol::as_str);
        let Some(function) = KnownFunction::from_word(word) else {
            ice!("the library has a function that is known as `{word}`, which nobody asks for")
        };
        if !known.insert(function, var) {
            ice!("the library has two functions that are known as `{word}`")
        }
    }
}

/// What the library's attribute says of a type.
pub(super) fn known_type(attributes: &[Attribute], place: Place) -> Option<KnownType> {
    let attribute =
        attributes.iter().find(|it| place.library && it.name.text.as_str() == "known")?;
    let word = attribute.payload.map_or("", Symbol::as_str);
    let Some(known) = KnownType::from_word(word) else {
        ice!("the library has a type that is known as `{word}`, which nobody asks for")
    };
    Some(known)
}

/// Nobody meets a missing function later than here.
pub(super) fn check_complete(known: &KnownFunctions) {
    if let Some(function) = known.missing() {
        ice!("no function of the library is known as `{}`", function.word());
    }
}

#[cfg(test)]
mod tests {
    use oxbow_base::{Id as _, SourceMap, Span, Symbol};
    use oxbow_psg::{KnownFunction, KnownFunctions, KnownGroup, VarId};

    use super::{check_complete, note};
    use crate::ast::{Attribute, Name};

    fn marked(known: &mut KnownFunctions, name: &str, word: Option<&str>) {
        let mut sources = SourceMap::default();
        let file = sources.add("lib.ml", "");
        let span = Span { file, start: 0, end: 0 };
        let name = Name { text: Symbol::new(name), span };
        let attribute = Attribute { name, payload: word.map(Symbol::new) };
        note(known, &[attribute], VarId::from_index(7));
    }

    #[test]
    fn words_are_noted() {
        let mut known = KnownFunctions::default();
        for function in KnownFunction::of_group(KnownGroup::Hash) {
            marked(&mut known, "known", Some(function.word()));
        }
        marked(&mut known, "inline", Some("never"));
        check_complete(&known);
        assert_eq!(known.get(KnownFunction::HashPush), Some(VarId::from_index(7)));
        assert_eq!(known.get(KnownFunction::StringEscaped), None);
    }

    #[test]
    #[should_panic]
    fn an_unknown_word_is_an_error() {
        marked(&mut KnownFunctions::default(), "known", Some("hash_pull"));
    }

    #[test]
    #[should_panic]
    fn no_word_is_an_error() {
        marked(&mut KnownFunctions::default(), "known", None);
    }

    #[test]
    #[should_panic]
    fn two_of_one_word_are_an_error() {
        let mut known = KnownFunctions::default();
        marked(&mut known, "known", Some("string_escaped"));
        marked(&mut known, "known", Some("string_escaped"));
    }

    #[test]
    #[should_panic]
    fn a_part_of_a_group_is_an_error() {
        let mut known = KnownFunctions::default();
        marked(&mut known, "known", Some("hash_push"));
        check_complete(&known);
    }
}
