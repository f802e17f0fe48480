//! `module rec` and `namespace rec`: what stands in them may use what comes later.
//!
//! ```text
//! type A = … B …        type A = … B … and B = …
//! let f x = g x         (members of A and B)
//! type B = …            let rec f x = g x and g x = …
//! let g x = …           let n = f 1
//! let n = f 1
//! ```
//!
//! Types come first, as one group, then functions, as another one, then all else in its order. Members stand before the
//! functions, or behind them if they mention one.

use oxbow_elab::ast::{Binding, ExprKind, Item, ItemKind, Members, PatternKind};

use super::Parser;

impl Parser<'_> {
    pub(super) fn recursive_items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let (mut opened, mut decls, mut exceptions) = (Vec::new(), Vec::new(), Vec::new());
        let mut members: Vec<Members> = Vec::new();
        let (mut functions, mut rest) = (Vec::new(), Vec::new());
        let mut spans = [None; 3];
        for item in items {
            let span = item.span;
            match item.kind {
                ItemKind::Open(_) => opened.push(item),
                ItemKind::Type { decls: own, .. } => {
                    spans[0].get_or_insert(span);
                    decls.extend(own);
                }
                ItemKind::Exception(_) => exceptions.push(item),
                ItemKind::Members(own) => {
                    spans[1].get_or_insert(span);
                    members.extend(own);
                }
                ItemKind::Let { bindings, .. } if bindings.iter().all(is_function) => {
                    spans[2].get_or_insert(span);
                    functions.extend(bindings);
                }
                _ => rest.push(item),
            }
        }
        let names = std::mem::take(&mut self.names_of_types);
        let mentioned = functions.iter().any(|it: &Binding| match it.pattern.kind {
            PatternKind::Var(name) => names.contains(&name.text),
            _ => false,
        });
        let mut made = opened;
        if let Some(span) = spans[0] {
            made.push(Item { kind: ItemKind::Type { recursive: true, decls }, span });
        }
        made.extend(exceptions);
        let members = spans[1].map(|span| Item { kind: ItemKind::Members(members), span });
        let functions = spans[2].map(|span| {
            let kind = ItemKind::Let { recursive: true, bindings: functions };
            Item { kind, span }
        });
        match mentioned {
            true => made.extend(functions.into_iter().chain(members)),
            false => made.extend(members.into_iter().chain(functions)),
        }
        made.extend(rest);
        made
    }
}

fn is_function(binding: &Binding) -> bool {
    matches!(binding.pattern.kind, PatternKind::Var(_))
        && matches!(binding.value.kind, ExprKind::Fun(..) | ExprKind::Function(..))
}
