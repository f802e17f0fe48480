//! Named and optional arguments of methods.
//!
//! ```text
//! member _.Draw(x: int, ?color: string) = …
//! pen.Draw(1)                     pen.Draw(1, None)
//! pen.Draw(color = "red", x = 1)  pen.Draw(1, Some "red")
//! ```

use oxbow_base::{Span, Symbol};

use crate::ast::{self, ArgLabel, Expr, ExprKind};

use super::super::Infer;
use super::member::MemberInfo;
use super::{construct, node};

/// The parameters of the method that a call was found to mean.
#[derive(Clone, Debug)]
pub struct Chosen {
    place: Span,
    names: Vec<(Option<Symbol>, bool)>,
}

impl Infer<'_> {
    pub(super) fn note_chosen(&mut self, info: &MemberInfo, place: Option<Span>) {
        if let Some(place) = place {
            self.clef.chosen = Some(Chosen { place, names: info.names.clone() });
        }
    }

    /// The arguments of a call in the order of the parameters, if they are not so already.
    pub(super) fn arranged(
        &mut self,
        func: &Expr,
        args: &[(ArgLabel, Expr)],
    ) -> Option<Vec<(ArgLabel, Expr)>> {
        let (ExprKind::Field(_, path) | ExprKind::Ident(path)) = &func.kind else { return None };
        let Chosen { names, .. } =
            self.clef.chosen.take().filter(|it| it.place == path.name.span)?;
        let [(label, arg), rest @ ..] = args else { return None };
        let items: Vec<&Expr> = match &arg.kind {
            ExprKind::Tuple(items) => items.iter().collect(),
            ExprKind::Construct(path, None) if path.name.text.as_str() == "()" => Vec::new(),
            _ => vec![arg],
        };
        let given: Vec<Option<(Symbol, &Expr)>> = items.iter().map(|it| named(it)).collect();
        let is_param = |name: Symbol| names.iter().any(|it| it.0 == Some(name));
        let any_named = given.iter().flatten().any(|it| is_param(it.0));
        if !any_named && !names.iter().any(|it| it.1) || items.len() > names.len() {
            return None;
        }
        let mut slots: Vec<Option<Expr>> = names.iter().map(|_| None).collect();
        let mut next = 0;
        for (item, named) in items.iter().zip(given) {
            let (at, value) = match named.filter(|it| is_param(it.0)) {
                Some((name, value)) => (names.iter().position(|it| it.0 == Some(name))?, value),
                None => {
                    next += 1;
                    (next - 1, *item)
                }
            };
            let value = value.clone();
            let span = value.span;
            slots[at] = Some(match names[at].1 {
                true => construct("Some", Some(value), span),
                false => value,
            });
        }
        let mut parts = Vec::new();
        for (slot, (_, optional)) in slots.into_iter().zip(&names) {
            match slot {
                Some(value) => parts.push(value),
                None if *optional => parts.push(construct("None", None, arg.span)),
                None => return None,
            }
        }
        let whole = match parts.len() {
            0 => construct("()", None, arg.span),
            1 => parts.remove(0),
            _ => node(ExprKind::Tuple(parts), arg.span),
        };
        let first = (*label, whole);
        Some(std::iter::once(first).chain(rest.iter().cloned()).collect())
    }
}

/// `name = e`
fn named(item: &Expr) -> Option<(Symbol, &Expr)> {
    let ExprKind::Apply(func, args) = &item.kind else { return None };
    let (ExprKind::Ident(op), [(_, left), (_, right)]) = (&func.kind, args.as_slice()) else {
        return None;
    };
    let ExprKind::Ident(ast::Path { prefix: None, name }) = &left.kind else { return None };
    (op.name.text.as_str() == "=").then_some((name.text, right))
}
