//! Names as comments write them: `twice`, `Inner.twice`, `type:t`, `module-Inner.val-twice`. They are looked up in the
//! module of the comment, then in those around it.

use crate::model::{Anchor, Sort};

#[derive(Default)]
pub struct Names {
    all: Vec<(Vec<String>, Sort, Anchor)>,
}

/// What may stand before a name, with `:` or `-`.
const PREFIXES: &[(&str, &[Sort])] = &[
    ("module", &[Sort::Module, Sort::Functor, Sort::Parameter]),
    ("module-type", &[Sort::ModuleType]),
    ("modtype", &[Sort::ModuleType]),
    ("type", &[Sort::Type]),
    ("val", &[Sort::Value, Sort::Macro]),
    ("value", &[Sort::Value, Sort::Macro]),
    ("exception", &[Sort::Exception]),
    ("exn", &[Sort::Exception]),
    ("constructor", &[Sort::Constructor]),
    ("const", &[Sort::Constructor]),
    ("field", &[Sort::Field]),
    ("recfield", &[Sort::Field]),
    ("class", &[Sort::Class]),
    ("class-type", &[Sort::ClassType]),
    ("method", &[Sort::Method]),
    ("section", &[Sort::Include]),
    ("label", &[Sort::Include]),
    ("page", &[Sort::Module]),
];

impl Names {
    pub fn add(&mut self, path: Vec<String>, sort: Sort, anchor: Anchor) {
        self.all.push((path, sort, anchor));
    }

    /// What a name means on a page of this path.
    pub fn find(&self, target: &str, page: &[String]) -> Option<Anchor> {
        let (whole, target) = match target.split_once(':') {
            Some((prefix, rest)) if sorts(prefix).is_some() => (sorts(prefix), rest),
            _ => (None, target),
        };
        let mut wanted = Vec::new();
        let mut last = None;
        for part in target.trim().split(['.', '#']) {
            let part = part.trim_matches(['(', ')', ' ']);
            let named = PREFIXES.iter().filter_map(|(prefix, sorts)| {
                let name = part.strip_prefix(prefix)?.strip_prefix('-')?;
                Some((name, *sorts))
            });
            // The longest prefix: `module-type-S` is no module `type-S`.
            let named = named.min_by_key(|it| it.0.len());
            last = named.map(|it| it.1);
            wanted.push(named.map_or(part, |it| it.0));
        }
        let sorts = last.or(whole);
        (0..=page.len()).rev().find_map(|around| {
            let is_it = |it: &&(Vec<String>, Sort, Anchor)| {
                it.0.len() == around + wanted.len()
                    && it.0[..around] == page[..around]
                    && it.0[around..].iter().zip(&wanted).all(|(a, b)| a == b)
                    && sorts.is_none_or(|all| all.contains(&it.1))
            };
            let found = self.all.iter().filter(is_it);
            found.min_by_key(|it| rank(it.1)).map(|it| it.2.clone())
        })
    }
}

fn sorts(prefix: &str) -> Option<&'static [Sort]> {
    PREFIXES.iter().find(|it| it.0 == prefix).map(|it| it.1)
}

/// A name without a prefix means the first of these.
fn rank(sort: Sort) -> u32 {
    match sort {
        Sort::Module | Sort::Functor | Sort::Parameter => 0,
        Sort::ModuleType => 1,
        Sort::Type => 2,
        Sort::Value | Sort::Macro => 3,
        Sort::Exception => 4,
        Sort::Class => 5,
        Sort::ClassType => 6,
        Sort::Constructor => 7,
        Sort::Field => 8,
        Sort::Method => 9,
        Sort::Include => 10,
    }
}
