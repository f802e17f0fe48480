//! Arithmetic where the result or all operands are floats: no object is made for them.

use oxbow_base::Span;
use oxbow_elab::ast;

use super::Emitter;
use crate::builtin::{Builtin, Form};
use crate::core::{Core, CoreKind};
use crate::infer::float_operation;
use crate::ml;
use crate::procedure::Procedure;

impl Emitter<'_> {
    /// Arithmetic on floats, where all operands are known to be such (or exact constants).
    pub(super) fn float_fold(
        &mut self,
        it: &Builtin,
        args: &[Core],
        span: Span,
    ) -> Option<(ast::Expr, Form)> {
        let operator = float_operation(it.procedure)?;
        if args.len() < 2 || !self.types.is_float_call(it.procedure, args) {
            return None;
        }
        let wanted: Vec<_> = args.iter().map(|it| (it, self.float_form(it))).collect();
        let value = self.arguments(
            &wanted,
            |this, values| {
                this.float_values(it.name, &wanted, values, span)
                    .into_iter()
                    .reduce(|left, right| ml::call("", operator, vec![left, right], span))
                    .unwrap_or_else(|| ml::float(0.0, span))
            },
            span,
        );
        Some((value, Form::Float))
    }

    /// The form in which an operand of a float operation is made: a value of any kind is checked
    /// where it is used.
    pub(super) fn float_form(&self, core: &Core) -> Form {
        match self.types.form(core) {
            Form::Float | Form::Int => Form::Float,
            _ if float_result(core).is_some() => Form::Float,
            _ => Form::Dyn,
        }
    }

    /// A sum or product of values of any kind where a float is wanted: floats need no object.
    pub(super) fn float_operation(&mut self, core: &Core) -> Option<ast::Expr> {
        let (function, args) = float_result(core)?;
        let wanted: Vec<_> = args.iter().map(|it| (it, Form::Dyn)).collect();
        let place = self.place_text(core.span);
        let make = |_: &mut Self, mut values: Vec<ast::Expr>| {
            values.insert(0, place);
            ml::call(super::NUM, function, values, core.span)
        };
        Some(self.arguments(&wanted, make, core.span))
    }

    pub(super) fn float_values(
        &self,
        who: &str,
        wanted: &[(&Core, Form)],
        values: Vec<ast::Expr>,
        span: Span,
    ) -> Vec<ast::Expr> {
        let checked = |value: ast::Expr| {
            let args = vec![self.place_text(span), ml::string(who, span), value];
            ml::call(super::NUM, "to_float", args, span)
        };
        values
            .into_iter()
            .zip(wanted)
            .map(|(value, it)| if it.1 == Form::Dyn { checked(value) } else { value })
            .collect()
    }
}

/// Arithmetic that can give its result as a float.
fn float_result(core: &Core) -> Option<(&'static str, &[Core])> {
    let CoreKind::Call(callee, args) = &core.kind else { return None };
    let CoreKind::Builtin(id) = callee.kind else { return None };
    let function = match (crate::builtin::table().get(id).procedure, args.len()) {
        (Procedure::Add, 2) => "add_float",
        (Procedure::Sub, 2) => "sub_float",
        (Procedure::Mul, 2) => "mul_float",
        _ => return None,
    };
    Some((function, args))
}
