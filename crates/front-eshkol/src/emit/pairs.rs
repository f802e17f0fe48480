//! Parts of values that are pairs for certain are taken without a test.
//!
//! ```text
//! (define entry (cons 'a 1)) (cdr entry)       known_cdr entry
//! (caar rules)                                 known_car (first_car … rules), if the entries of `rules` are pairs
//! (assq 'a rules)                              assq_known …, if it is a list of pairs
//! ```
//!
//! What is known comes from `lists`. A longer path is taken this way if it is known from its second step on: then an
//! error can only be one of the first step.

use oxbow_base::Span;
use oxbow_elab::ast;

use super::{DATA, Emitter};
use crate::builtin::{Builtin, Form};
use crate::core::Core;
use crate::lists::{Half, path};
use crate::ml;
use crate::procedure::Procedure;

impl Emitter<'_> {
    /// A call whose arguments are known well enough.
    pub(super) fn known_pairs(
        &mut self,
        it: &Builtin,
        args: &[Core],
        span: Span,
    ) -> Option<(ast::Expr, Form)> {
        match (it.procedure, args) {
            (Procedure::Assq | Procedure::Assv | Procedure::Assoc, [_, list])
                if self.types.lists.is_alist(list) =>
            {
                let function = match it.procedure {
                    Procedure::Assq => "assq_known",
                    Procedure::Assv => "assv_known",
                    _ => "assoc_known",
                };
                Some(self.untested(function, it, args, span))
            }
            (Procedure::SetCar, [pair, _]) if self.types.lists.is_pair(pair) => {
                Some(self.untested("known_set_car", it, args, span))
            }
            (Procedure::SetCdr, [pair, _]) if self.types.lists.is_pair(pair) => {
                Some(self.untested("known_set_cdr", it, args, span))
            }
            (_, [pair]) => self.known_path(it.name, pair, span),
            _ => None,
        }
    }

    fn untested(
        &mut self,
        function: &str,
        it: &Builtin,
        args: &[Core],
        span: Span,
    ) -> (ast::Expr, Form) {
        let wanted: Vec<_> = args.iter().map(|it| (it, Form::Dyn)).collect();
        let make = |_: &mut Self, items| ml::call(DATA, function, items, span);
        (self.arguments(&wanted, make, span), it.result)
    }

    fn known_path(&mut self, name: &str, pair: &Core, span: Span) -> Option<(ast::Expr, Form)> {
        let path = path(name)?;
        let known = self.types.lists.known_steps(pair, &path);
        let (&first, later) = known.split_first()?;
        if !later.iter().all(|&it| it) || (later.is_empty() && !first) {
            return None;
        }
        let place = self.place_text(span);
        let make = |_: &mut Self, items: Vec<ast::Expr>| {
            let mut parts = path.iter();
            let mut value = items;
            if !first && let Some(half) = parts.next() {
                let letters = name.trim_start_matches('c').trim_end_matches('r');
                let mut all = vec![place, ml::string(name, span), ml::string(letters, span)];
                all.append(&mut value);
                let function = match half {
                    Half::Car => "first_car",
                    Half::Cdr => "first_cdr",
                };
                value = vec![ml::call(DATA, function, all, span)];
            }
            for half in parts {
                let function = match half {
                    Half::Car => "known_car",
                    Half::Cdr => "known_cdr",
                };
                value = vec![ml::call(DATA, function, value, span)];
            }
            value.remove(0)
        };
        Some((self.arguments(&[(pair, Form::Dyn)], make, span), Form::Dyn))
    }
}
