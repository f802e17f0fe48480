//! What is rare in small programs: constructors with results of their own, classes, polymorphic variants, packed
//! modules.
//!
//! The module `Features` of the prelude has one use of each; expressions here go through it with values of any type, so
//! that what is held uniformly, dispatched or unpacked is checked with closures, floats, records and lists alike. A
//! template's own variables have names that no other variable gets.

use crate::tree::Expr;
use crate::types::Ty;

use super::Generator;

impl Generator {
    /// A value of this type that has passed through one of them.
    pub fn feature(&mut self, ty: &Ty, size: usize) -> Expr {
        let part = (size / 3).max(1);
        if *ty == Ty::Str && self.rng.below(3) == 0 {
            let of = self.ty(2);
            let template = match self.rng.below(2) {
                0 => "(Features.reveal (Features.Hidden ({0}, fun _ -> {1})))",
                _ => "(Features.shown {0} (fun _ -> {1}))",
            };
            let args = vec![self.expr(&of, part), self.expr(&Ty::Str, part)];
            return Expr::op(Ty::Str, template, args);
        }
        let other = self.ty(2);
        let (template, types): (&'static str, Vec<Ty>) = match self.rng.below(9) {
            0 => (
                "(Features.eval (Features.If (Features.Value {0}, Features.Value {1}, \
                 Features.Fst (Features.Pair (Features.Value {2}, Features.Value {3})))))",
                vec![Ty::Bool, ty.clone(), ty.clone(), other],
            ),
            1 => (
                "(Features.eval (Features.Apply (Features.Value {0}, Features.Value {1})))",
                vec![Ty::fun(std::slice::from_ref(&other), ty.clone()), other],
            ),
            2 => ("((new Features.twice {0})#put {1})#get", vec![ty.clone(), ty.clone()]),
            3 => ("(Stdlib.fst (new Features.twice {0})#both)", vec![ty.clone()]),
            4 => ("(Features.get (new Features.twice {0} :> _ Features.cell))", vec![ty.clone()]),
            5 => (
                "(Features.get (object (self0) method get = self0#one method one = {0} end))",
                vec![ty.clone()],
            ),
            6 => (
                "(Features.unrow {0} (if {1} then `A {2} else `D))",
                vec![ty.clone(), Ty::Bool, ty.clone()],
            ),
            7 => (
                "(Features.closed (if {0} then `B ({1}, 3) else `C (fun () -> {2})))",
                vec![Ty::Bool, ty.clone(), ty.clone()],
            ),
            _ => ("(Features.unbox (Features.box {0}))", vec![ty.clone()]),
        };
        let args = types.iter().map(|it| self.expr(it, part)).collect();
        Expr::op(ty.clone(), template, args)
    }
}
