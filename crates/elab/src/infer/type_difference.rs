//! How a type differs from what a signature declares of it, in one sentence.

use oxbow_base::Symbol;

use crate::types::{CtorInfo, FieldInfo, TyConKind};

use super::Infer;

impl Infer<'_> {
    /// What is different in the definition that was found.
    pub(super) fn type_difference(&self, wanted: &TyConKind, found: &TyConKind) -> String {
        match (wanted, found) {
            (TyConKind::Record(wanted), TyConKind::Record(found)) => fields_differ(wanted, found),
            (TyConKind::Variant(wanted), TyConKind::Variant(found)) => {
                self.ctors_differ(wanted, found)
            }
            (TyConKind::Record(_), _) => "it is no record".into(),
            (TyConKind::Variant(_), _) => "it has no constructors".into(),
            (TyConKind::Open, _) => "it is not extensible (`..`)".into(),
            _ => "it is defined otherwise".into(),
        }
    }

    fn ctors_differ(&self, wanted: &[CtorInfo], found: &[CtorInfo]) -> String {
        let names = |all: &[CtorInfo]| all.iter().map(|it| it.name).collect::<Vec<Symbol>>();
        if let Some(text) = names_differ("constructor", &names(wanted), &names(found)) {
            return text;
        }
        for (wanted, found) in wanted.iter().zip(found) {
            let name = wanted.name;
            let fields = [wanted, found].map(|it| it.inline_record.map(|it| self.fields_of(it)));
            match (&wanted.own, &found.own, fields) {
                (Some(_), None, _) => {
                    return format!("constructor `{name}` has no result of its own");
                }
                (None, Some(_), _) => {
                    return format!("constructor `{name}` has a result of its own");
                }
                (_, _, [Some(wanted), Some(found)]) => {
                    let names =
                        |all: &[FieldInfo]| all.iter().map(|it| (it.name, it.mutable)).collect();
                    let (a, b): (Vec<_>, Vec<_>) = (names(wanted), names(found));
                    if a != b {
                        return format!(
                            "in constructor `{name}`, {}",
                            fields_differ(wanted, found)
                        );
                    }
                }
                (_, _, [None, None]) if wanted.args.len() == found.args.len() => (),
                _ => return format!("constructor `{name}` has other arguments"),
            }
        }
        match wanted.iter().filter(|it| !it.args.is_empty()).collect::<Vec<_>>()[..] {
            _ if wanted.iter().any(|it| it.own.is_some()) => {
                "its constructors have other arguments or results".into()
            }
            [only] => format!("constructor `{}` has other arguments", only.name),
            _ => "the arguments of its constructors have other types".into(),
        }
    }
}

fn fields_differ(wanted: &[FieldInfo], found: &[FieldInfo]) -> String {
    let names = |all: &[FieldInfo]| all.iter().map(|it| it.name).collect::<Vec<Symbol>>();
    if let Some(text) = names_differ("field", &names(wanted), &names(found)) {
        return text;
    }
    match wanted.iter().zip(found).find(|(a, b)| a.mutable != b.mutable) {
        Some((_, it)) if it.mutable => format!("field `{}` is mutable", it.name),
        Some((_, it)) => format!("field `{}` is not mutable", it.name),
        None => match found {
            [only] => format!("field `{}` has another type", only.name),
            _ => "its fields have other types".into(),
        },
    }
}

fn names_differ(what: &str, wanted: &[Symbol], found: &[Symbol]) -> Option<String> {
    if let Some(name) = wanted.iter().find(|it| !found.contains(it)) {
        return Some(format!("{what} `{name}` is missing"));
    }
    if let Some(name) = found.iter().find(|it| !wanted.contains(it)) {
        return Some(format!("the signature has no {what} `{name}`"));
    }
    (wanted != found).then(|| format!("its {what}s stand in another order"))
}
