//! Calls: of known procedures, of the library's functions, of values.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast;

use super::{DATA, Emitter, Place, Signature, VALUE, form_type};
use crate::builtin::{Builtin, BuiltinId, Form, Shape};
use crate::core::{Core, CoreKind, Item, VarId};
use crate::datum::{Datum, DatumKind, Number};
use crate::ml;
use crate::procedure::Procedure;

/// Records of at most so many fields hold them themselves: `Record` in `eshkol_value.ml`.
const SMALL_RECORD: usize = 4;

impl Emitter<'_> {
    pub(super) fn call(&mut self, callee: &Core, args: &[Core], span: Span) -> (ast::Expr, Form) {
        match &callee.kind {
            CoreKind::Builtin(id) => self.builtin_call(*id, args, span),
            // `((gradient f) x)` is `(gradient f x)`.
            CoreKind::Call(inner, first) => {
                if let CoreKind::Ref(var) = &inner.kind
                    && self.operators.contains(*var)
                    && first.len() == 2
                {
                    let all: Vec<Core> = first.iter().chain(args).cloned().collect();
                    if let Some(made) = self.typed_derivative(*var, &all, span) {
                        return (made, Form::Dyn);
                    }
                }
                self.value_call(callee, args, span)
            }
            CoreKind::Ref(var) => match self.places.get(*var).cloned() {
                Some(Place::Function(signature)) => {
                    if self.operators.contains(*var)
                        && let Some(made) = self.typed_derivative(*var, args, span)
                    {
                        return (made, Form::Dyn);
                    }
                    self.known_call(*var, &signature, args, span)
                }
                Some(Place::Value(Form::Fun(_))) => self.function_call_of(*var, args, span),
                _ => self.value_call(callee, args, span),
            },
            _ => self.value_call(callee, args, span),
        }
    }

    /// Arguments in the forms wanted, evaluated from the first to the last where that can be seen.
    pub(super) fn arguments(
        &mut self,
        args: &[(&Core, Form)],
        make: impl FnOnce(&mut Self, Vec<ast::Expr>) -> ast::Expr,
        span: Span,
    ) -> ast::Expr {
        let impure = args.iter().filter(|it| !self.is_pure(it.0)).count();
        let fixed = args.iter().filter(|it| self.is_fixed(it.0)).count();
        let in_order = impure > 1 || (impure == 1 && fixed + 1 < args.len());
        let mut bindings = Vec::new();
        let mut values = Vec::new();
        for &(arg, form) in args {
            let value = self.expr_as(arg, form);
            if in_order && !self.is_fixed(arg) {
                let name = self.fresh("t");
                let pattern = ml::typed_pattern(name, form_type(form, arg.span), arg.span);
                bindings.push(ml::binding(pattern, value, arg.span));
                values.push(ml::local(name, arg.span));
            } else {
                values.push(value);
            }
        }
        let call = make(self, values);
        bindings.into_iter().rev().fold(call, |body, it| ml::let_(vec![it], body, span))
    }

    /// No evaluation of other expressions changes its value.
    fn is_fixed(&self, core: &Core) -> bool {
        match &core.kind {
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Builtin(_)
            | CoreKind::Lambda(_) => true,
            CoreKind::Ref(var) => !matches!(self.places.get(*var), Some(Place::Cell { .. })),
            _ => false,
        }
    }

    /// It has no effect, though its value may depend on those of others. What is not of the program itself is taken
    /// to have one.
    fn is_pure(&self, core: &Core) -> bool {
        self.pure.contains(&std::ptr::from_ref(core))
    }

    /// Notes which expressions are pure, the parts before what they are parts of.
    pub(super) fn find_pure(&mut self, items: &[Item]) {
        let mut nodes = Vec::new();
        items.iter().for_each(|it| it.value.walk(|core| nodes.push(core)));
        for core in nodes.into_iter().rev() {
            if self.is_pure_of(core) {
                self.pure.insert(core);
            }
        }
    }

    /// Whether an expression is pure, given which of its parts are.
    fn is_pure_of(&self, core: &Core) -> bool {
        match &core.kind {
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Ref(_)
            | CoreKind::Builtin(_)
            | CoreKind::Lambda(_) => true,
            CoreKind::If(a, b, c) => [a, b, c].iter().all(|it| self.is_pure(it)),
            CoreKind::And(items) | CoreKind::Or(items) => items.iter().all(|it| self.is_pure(it)),
            CoreKind::Call(callee, args) => match &callee.kind {
                CoreKind::Builtin(id) => {
                    let quiet = self.builtins.get(*id).effect.is_quiet();
                    quiet && args.iter().all(|it| self.is_pure(it))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn known_call(
        &mut self,
        var: VarId,
        signature: &Signature,
        args: &[Core],
        span: Span,
    ) -> (ast::Expr, Form) {
        let count = signature.params.len();
        if args.len() < count || (args.len() > count && !signature.rest) {
            oxbow_diag::ice!("`{}` is called with {} arguments", self.vars[var].name, args.len());
        }
        let wanted: Vec<(&Core, Form)> = args
            .iter()
            .enumerate()
            .map(|(at, it)| (it, signature.params.get(at).copied().unwrap_or(Form::Dyn)))
            .collect();
        let target = ml::local(self.name(var), span);
        let rest = signature.rest;
        let value = self.arguments(
            &wanted,
            |this, mut values| {
                if rest {
                    let extra = values.split_off(count);
                    let nil = ml::construct(VALUE, "Nil", Vec::new(), span);
                    values.push(this.list_of(extra, nil, span));
                }
                if values.is_empty() {
                    values.push(ml::unit(span));
                }
                ml::apply(target, values, span)
            },
            span,
        );
        (value, signature.result)
    }

    /// A call of a parameter that is held as a function.
    fn function_call_of(&mut self, var: VarId, args: &[Core], span: Span) -> (ast::Expr, Form) {
        let target = ml::local(self.name(var), span);
        let wanted: Vec<_> = args.iter().map(|it| (it, Form::Dyn)).collect();
        let make = |_: &mut Self, mut values: Vec<ast::Expr>| {
            if values.is_empty() {
                values.push(ml::unit(span));
            }
            ml::apply(target, values, span)
        };
        (self.arguments(&wanted, make, span), Form::Dyn)
    }

    /// The procedure is a value: what it takes is checked at run time.
    fn value_call(&mut self, callee: &Core, args: &[Core], span: Span) -> (ast::Expr, Form) {
        let mut wanted: Vec<(&Core, Form)> = vec![(callee, Form::Dyn)];
        wanted.extend(args.iter().map(|it| (it, Form::Dyn)));
        let place = self.place_text(span);
        let count = args.len();
        let value = self.arguments(
            &wanted,
            |this, mut values| {
                if count <= 4 {
                    let function = ["call0", "call1", "call2", "call3", "call4"][count];
                    values.insert(0, place);
                    return ml::call(VALUE, function, values, span);
                }
                let callee = values.remove(0);
                let nil = ml::construct(VALUE, "Nil", Vec::new(), span);
                let list = this.list_of(values, nil, span);
                ml::call(VALUE, "apply_list", vec![place, callee, list], span)
            },
            span,
        );
        (value, Form::Dyn)
    }

    fn builtin_call(&mut self, id: BuiltinId, args: &[Core], span: Span) -> (ast::Expr, Form) {
        let builtins = self.builtins;
        let it = builtins.get(id);
        let (least, most) = it.arity();
        if args.len() < least || most.is_some_and(|most| args.len() > most) {
            oxbow_diag::ice!("`{}` is called with {} arguments", it.name, args.len());
        }
        if let Some(made) = self.special_builtin(it, args, span) {
            return made;
        }
        match it.shape {
            Shape::Plain { required, optional, rest } => {
                let wanted: Vec<_> = args.iter().map(|it| (it, Form::Dyn)).collect();
                let value = self.arguments(
                    &wanted,
                    |this, values| this.plain_call(it, values, required + optional, rest, span),
                    span,
                );
                (value, it.result)
            }
            Shape::Fold(identity) => self.fold_call(it, args, identity, span),
            Shape::Inverse(identity) => {
                if let [one] = args {
                    if identity == 0 {
                        let place = self.place_text(span);
                        let value = self.expr_as(one, Form::Dyn);
                        return (
                            ml::call(super::NUM, "negate", vec![place, value], span),
                            Form::Dyn,
                        );
                    }
                    let number = ml::call(VALUE, "of_int", vec![ml::int(identity, span)], span);
                    let value = self.expr_as(one, Form::Dyn);
                    return (self.function_call(it, vec![number, value], span), it.result);
                }
                self.fold_call(it, args, identity, span)
            }
            Shape::Chain => self.chain_call(it, args, span),
        }
    }

    /// The function of the library with its place and arguments.
    fn function_call(&self, it: &Builtin, mut values: Vec<ast::Expr>, span: Span) -> ast::Expr {
        if it.takes_place {
            values.insert(0, self.place_text(span));
        }
        if values.is_empty() {
            values.push(ml::unit(span));
        }
        // An element of a vector is borrowed, one of a tensor is made: where there may be both, it must be counted.
        let function = match it.procedure {
            Procedure::VectorRef if !self.types.tensors => "element_of_vector",
            _ => it.function,
        };
        ml::call(it.module, function, values, span)
    }

    fn plain_call(
        &self,
        it: &Builtin,
        mut values: Vec<ast::Expr>,
        fixed: usize,
        rest: bool,
        span: Span,
    ) -> ast::Expr {
        let extra = if values.len() > fixed { values.split_off(fixed) } else { Vec::new() };
        while values.len() < fixed {
            values.push(ml::construct(VALUE, "Absent", Vec::new(), span));
        }
        if rest {
            let nil = ml::construct(VALUE, "Nil", Vec::new(), span);
            values.push(self.list_of(extra, nil, span));
        }
        self.function_call(it, values, span)
    }

    fn fold_call(
        &mut self,
        it: &Builtin,
        args: &[Core],
        identity: i64,
        span: Span,
    ) -> (ast::Expr, Form) {
        if args.is_empty() {
            return (ml::int(identity, span), Form::Int);
        }
        if let Some(made) = self.float_fold(it, args, span) {
            return made;
        }
        let wanted: Vec<_> = args.iter().map(|it| (it, Form::Dyn)).collect();
        let single = args.len() == 1;
        let value = self.arguments(
            &wanted,
            |this, values| {
                let mut values = values.into_iter();
                let first = values.next().unwrap_or_else(|| oxbow_diag::ice!("an argument"));
                if single {
                    // `(+ x)` still checks that it is a number.
                    let zero =
                        ml::call(VALUE, "of_int", vec![ml::int(identity.max(0), span)], span);
                    return match it.procedure {
                        Procedure::Add | Procedure::Mul | Procedure::Gcd | Procedure::Lcm => {
                            this.function_call(it, vec![zero, first], span)
                        }
                        _ => first,
                    };
                }
                values.fold(first, |left, right| this.function_call(it, vec![left, right], span))
            },
            span,
        );
        (value, it.result)
    }

    fn chain_call(&mut self, it: &Builtin, args: &[Core], span: Span) -> (ast::Expr, Form) {
        let some_float = self.types.is_float_call(it.procedure, args);
        // An exact number is not rounded to be compared.
        let fits = |it: &Core| self.types.form(it) == Form::Float || is_exact_float(it);
        let float = some_float && args.iter().all(fits);
        let form = if float { Form::Float } else { Form::Dyn };
        let wanted: Vec<_> = args.iter().map(|it| (it, form)).collect();
        let value = self.arguments(
            &wanted,
            |this, values| {
                let compare = |this: &Self, a: ast::Expr, b: ast::Expr| {
                    if float {
                        return ml::call("", it.name, vec![a, b], span);
                    }
                    if let Some(function) = floats_comparison(it.procedure).filter(|_| some_float) {
                        return ml::call(
                            super::NUM,
                            function,
                            vec![this.place_text(span), a, b],
                            span,
                        );
                    }
                    this.function_call(it, vec![a, b], span)
                };
                match <[ast::Expr; 2]>::try_from(values) {
                    Ok([a, b]) => compare(this, a, b),
                    Err(values) => this.long_chain(values, form, compare, span),
                }
            },
            span,
        );
        (value, Form::Bool)
    }

    fn long_chain(
        &mut self,
        values: Vec<ast::Expr>,
        form: Form,
        compare: impl Fn(&Self, ast::Expr, ast::Expr) -> ast::Expr,
        span: Span,
    ) -> ast::Expr {
        if values.len() == 1 {
            return ml::boolean(true, span);
        }
        let names: Vec<Symbol> = values.iter().map(|_| self.fresh("t")).collect();
        let tests: Vec<ast::Expr> = names
            .windows(2)
            .map(|it| compare(self, ml::local(it[0], span), ml::local(it[1], span)))
            .collect();
        let body = tests
            .into_iter()
            .rev()
            .reduce(|rest, it| ml::call("", "&&", vec![it, rest], span))
            .unwrap_or_else(|| ml::boolean(true, span));
        names.iter().zip(values).rev().fold(body, |body, (&name, value)| {
            let pattern = ml::typed_pattern(name, form_type(form, span), span);
            ml::let_(vec![ml::binding(pattern, value, span)], body, span)
        })
    }

    /// Calls that have a better form for their arguments.
    fn special_builtin(
        &mut self,
        it: &Builtin,
        args: &[Core],
        span: Span,
    ) -> Option<(ast::Expr, Form)> {
        if let Some(known) = self.known_pairs(it, args, span) {
            return Some(known);
        }
        let wanted: Vec<_> = args.iter().map(|it| (it, Form::Dyn)).collect();
        match (it.procedure, args) {
            (Procedure::List, _) => {
                let nil = ml::construct(VALUE, "Nil", Vec::new(), span);
                let value = self.arguments(&wanted, |this, it| this.list_of(it, nil, span), span);
                Some((value, Form::Dyn))
            }
            (Procedure::Vector, _) => {
                let make = |_: &mut Self, items| {
                    ml::construct(VALUE, "Vec", vec![ml::array(items, span)], span)
                };
                Some((self.arguments(&wanted, make, span), Form::Dyn))
            }
            (Procedure::Record, _) => {
                let make = |_: &mut Self, mut items: Vec<ast::Expr>| {
                    if items.len() > 1 + SMALL_RECORD {
                        let slots = ml::array(items.split_off(1), span);
                        items.push(slots);
                        return ml::call(DATA, "large_record", items, span);
                    }
                    items.resize_with(1 + SMALL_RECORD, || {
                        ml::construct(VALUE, "Nil", Vec::new(), span)
                    });
                    ml::call(DATA, "small_record", items, span)
                };
                Some((self.arguments(&wanted, make, span), Form::Dyn))
            }
            (Procedure::Append, [_, _]) => {
                let place = self.place_text(span);
                let make = |_: &mut Self, mut items: Vec<ast::Expr>| {
                    items.insert(0, place);
                    ml::call(DATA, "append2", items, span)
                };
                Some((self.arguments(&wanted, make, span), Form::Dyn))
            }
            (Procedure::Place, []) => {
                let text = Datum::new(DatumKind::String((self.locate)(span)), span);
                Some((self.constant_value(&text), Form::Dyn))
            }
            (
                Procedure::CallCc | Procedure::CallEc,
                [Core { kind: CoreKind::Lambda(lambda), .. }],
            ) if lambda.params.len() == 1
                && lambda.rest.is_none()
                && !lambda.takes_continuation =>
            {
                let function = self.plain_function(lambda);
                Some((ml::call(super::CONTROL, "call_cc_with", vec![function], span), Form::Dyn))
            }
            (Procedure::Values, [one]) => Some(self.expr(one)),
            (Procedure::Values, [_, _]) => {
                let make = |_: &mut Self, items| ml::call(DATA, "values2", items, span);
                Some((self.arguments(&wanted, make, span), Form::Dyn))
            }
            (Procedure::Inexact, [one]) => {
                if self.types.may_be_active(one) {
                    return None;
                }
                let (value, form) = self.expr(one);
                let value = match form {
                    Form::Float => value,
                    Form::Int => self.convert(value, Form::Int, Form::Float, span),
                    _ => {
                        let value = self.convert(value, form, Form::Dyn, span);
                        let args = vec![self.place_text(span), ml::string("inexact", span), value];
                        ml::call(super::NUM, "to_float", args, span)
                    }
                };
                Some((value, Form::Float))
            }
            (Procedure::Expt, [_, _]) => self.float_fold(it, args, span),
            (Procedure::Not, [one]) => {
                let test = self.test(one);
                Some((ml::call("", "not", vec![test], span), Form::Bool))
            }
            (Procedure::IsEq | Procedure::IsEqv | Procedure::IsEqual, [a, b])
                if is_identity(a) || is_identity(b) =>
            {
                let make = |_: &mut Self, items| ml::call("", "==", items, span);
                Some((self.arguments(&wanted, make, span), Form::Bool))
            }
            (procedure, [one]) => {
                let function = match procedure {
                    Procedure::Sub => "~-.",
                    _ => procedure.on_float()?,
                };
                if !self.types.is_float_call(procedure, args) {
                    return None;
                }
                let value = self.expr_as(one, Form::Float);
                Some((ml::call("", function, vec![value], span), Form::Float))
            }
            _ => None,
        }
    }
}

/// Constants that are equal only to themselves.
fn is_identity(core: &Core) -> bool {
    match &core.kind {
        CoreKind::Const(datum) => match &datum.kind {
            DatumKind::Ident(_) | DatumKind::Bool(_) | DatumKind::Char(_) => true,
            DatumKind::Number(Number::Fixnum(_)) => true,
            DatumKind::List(items, None) => items.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

/// A small exact constant, which as a float is the same number.
fn is_exact_float(core: &Core) -> bool {
    let CoreKind::Const(datum) = &core.kind else { return false };
    matches!(datum.kind, DatumKind::Number(Number::Fixnum(it)) if it.unsigned_abs() <= 1 << 53)
}

/// The library's comparison of two values of which one is a float.
fn floats_comparison(procedure: Procedure) -> Option<&'static str> {
    Some(match procedure {
        Procedure::Equal => "eq_floats",
        Procedure::Less => "lt_floats",
        Procedure::Greater => "gt_floats",
        Procedure::LessOrEqual => "le_floats",
        Procedure::GreaterOrEqual => "ge_floats",
        _ => return None,
    })
}
