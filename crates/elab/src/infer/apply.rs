//! Application: labels, optional arguments, too many and too few arguments.
//!
//! Arguments are brought into the order of the function's parameters. Optional parameters
//! that are passed over become `None`; labelled ones that are passed over are abstracted:
//!
//! ```text
//! f ~b:2          where f : a:int -> b:int -> int
//! fun ~a -> f a 2     with the given arguments evaluated first
//! ```

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ArgLabel, ExprKind};
use crate::tast::{self, InlineAttribute};
use crate::types::{Label, Type, TypeId};

use super::env::Env;
use super::{Because, Expect, Infer};

/// What stands for one parameter of the function.
pub(super) enum Slot {
    Given(Label, tast::Expr),
    /// An omitted optional parameter.
    Omitted(TypeId),
    /// Passed over: becomes a parameter of the result.
    Missing(Label, TypeId),
}

/// The arguments of a call that no parameter has taken so far.
struct Arguments<'e> {
    rest: Vec<(ArgLabel, &'e ast::Expr)>,
    /// Does the call leave out all labels?
    omit_labels: bool,
    /// Arguments that are inferred behind the others, with the numbers of their slots.
    waiting: Vec<(usize, &'e ast::Expr, Expect)>,
}

impl Infer<'_> {
    pub(super) fn apply(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        self.note_application(span, func.span, args);
        self.check_extra_argument(env, func, args);
        if self.is_clef()
            && let Some(done) = self.clef_apply(env, func, args, span, expect)
        {
            return done;
        }
        if let Some(done) = self.here_of(env, func, args, (span, expect)) {
            return done;
        }
        let func_name = match &func.kind {
            ExprKind::Ident(path) => Some(path.name.text),
            _ => None,
        };
        let ty = self.fresh();
        let func_expr = self.expr(env, func, Expect::plain(ty));
        if matches!(self.types.get(func_expr.ty), Type::Error) {
            for (_, arg) in args {
                self.infer_only(env, arg);
            }
            return self.failed(span);
        }
        let typed = self.apply_typed(env, func_expr, func_name, args, span, expect);
        self.check_ignored(args, &typed);
        typed
    }

    /// The call of a function that has been inferred.
    pub(super) fn apply_typed(
        &mut self,
        env: &Env,
        mut func_expr: tast::Expr,
        func_name: Option<Symbol>,
        args: &[(ArgLabel, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if self.types.has_equations {
            // An equation may say that it is a function.
            func_expr.ty = self.types.expand(func_expr.ty);
        }
        // `f x : t` with a polymorphic result: what is expected helps to type the arguments.
        self.hint_result(func_expr.ty, args, expect.ty);
        if self.is_clef() {
            self.hint_piped(env, func_expr.ty, args);
            self.hint_call_result(func_expr.ty, args.len(), expect.ty);
        }
        let func = func_expr.span;
        let rest: Vec<(ArgLabel, &ast::Expr)> =
            args.iter().map(|(label, arg)| (*label, arg)).collect();
        let total = args.len() as u32;
        let mut slots = Vec::new();
        let mut current = func_expr.ty;
        let omit_labels = self.omits_labels(func_expr.ty, &rest);
        if omit_labels {
            self.warn_of_omitted_labels(func_expr.ty, func);
        }
        let errors = self.diagnostics.error_count();
        let overloads = self.clef.overloads.len();
        // A label that the function does not have is the mistake, not the arguments in its place.
        let strange = rest.iter().position(|it| {
            !matches!(it.0, ArgLabel::None) && !self.takes_label(func_expr.ty, it.0)
        });
        if let Some(at) = strange {
            return self.unknown_label(&rest[at..], func_name, func_expr.ty, span);
        }
        let doubtful = self.doubtful_labels(func_expr.ty, &rest);
        let mark = self.diagnostics.mark();
        let mut number = 0;
        let mut given = Arguments { rest, omit_labels, waiting: Vec::new() };
        while !given.rest.is_empty() {
            current = self.types.expand(current);
            let (label, param, result) = match self.types.nodes[current] {
                Type::Arrow(label, param, result) => (label, param, result),
                Type::Var { .. } => {
                    let (label, arg) = given.rest[0];
                    let Some(arrow) = self.become_arrow(current, label) else {
                        return self
                            .too_many(func, func_name, &func_expr, total, number, arg.span, span);
                    };
                    arrow
                }
                Type::Error => {
                    for (_, arg) in given.rest {
                        self.infer_only(env, arg);
                    }
                    return self.failed(span);
                }
                _ if !matches!(given.rest[0].0, ArgLabel::None) => {
                    self.diagnostics.rollback(mark);
                    return self.unknown_label(&given.rest, func_name, func_expr.ty, span);
                }
                _ => {
                    let extra = given.rest[0].1;
                    let place = extra.span;
                    // The operators among the arguments are not wrong, too.
                    self.forget_overloads(overloads);
                    // Arguments in the wrong places are one mistake.
                    if self.is_clef() {
                        self.diagnostics.rollback(mark);
                    }
                    if number == 1 && self.is_clef() && self.takes_tuple(func_expr.ty, total) {
                        let given = args[0].1.span.to(args[args.len() - 1].1.span);
                        return self.not_tupled(func_name, &func_expr, given, span);
                    }
                    return self.too_many(func, func_name, &func_expr, total, number, place, span);
                }
            };
            number += 1;
            let because = Because::Argument(number, func_name);
            let arrow = (label, param, result);
            let slot = self.slot(env, &mut given, slots.len(), arrow, because).filter(|it| {
                !matches!(it, Slot::Missing(..))
                    || given.rest.iter().any(|it| self.can_consume(result, it.0))
            });
            let Some(slot) = slot else {
                return self.unknown_label(&given.rest, func_name, func_expr.ty, span);
            };
            slots.push(slot);
            current = result;
        }
        for (at, arg, expect) in given.waiting {
            slots[at] = Slot::Given(Label::None, self.argument(env, arg, expect));
        }
        if self.diagnostics.error_count() > errors {
            // The result's type might have had such a label, but it was the function's that is wrong.
            if !doubtful.is_empty() {
                self.diagnostics.rollback(mark);
                return self.unknown_label(&doubtful, func_name, func_expr.ty, span);
            }
            // One report for one mistake: the result of a wrong call is not looked at.
            let _ = self.unify(current, expect.ty);
            return self.failed(span);
        }
        self.finish_apply(func_expr, slots, current, span, expect)
    }

    /// The labelled arguments whose labels only the type of the result may have.
    fn doubtful_labels<'e>(
        &mut self,
        func: TypeId,
        args: &[(ArgLabel, &'e ast::Expr)],
    ) -> Vec<(ArgLabel, &'e ast::Expr)> {
        let known = self.labels_of(func);
        args.iter()
            .filter(|it| match it.0 {
                ArgLabel::None => false,
                ArgLabel::Labelled(name) | ArgLabel::Optional(name) => !known.contains(&name.text),
            })
            .copied()
            .collect()
    }

    /// A type variable that is applied is a function of such a parameter.
    fn become_arrow(&mut self, var: TypeId, label: ArgLabel) -> Option<(Label, TypeId, TypeId)> {
        let param = self.fresh();
        let result = self.fresh();
        let label = match label {
            ArgLabel::None => Label::None,
            ArgLabel::Labelled(name) => Label::Labelled(name.text),
            ArgLabel::Optional(name) => Label::Optional(name.text),
        };
        let arrow = self.arrow(label, param, result);
        self.unify(var, arrow).is_ok().then_some((label, param, result))
    }

    /// What stands for the next parameter, the slot of number `place`; none if no argument fits any more.
    fn slot(
        &mut self,
        env: &Env,
        given: &mut Arguments<'_>,
        place: usize,
        (label, param, result): (Label, TypeId, TypeId),
        because: Because,
    ) -> Option<Slot> {
        let rest = &mut given.rest;
        Some(match label {
            Label::None => match rest.iter().position(|it| matches!(it.0, ArgLabel::None)) {
                Some(at) => {
                    let (_, arg) = rest.remove(at);
                    let expect = Expect { ty: param, because };
                    if self.is_clef() && !rest.is_empty() && self.waits(env, arg, param) {
                        given.waiting.push((place, arg, expect));
                        Slot::Missing(label, param)
                    } else {
                        Slot::Given(label, self.argument(env, arg, expect))
                    }
                }
                None if rest.iter().any(|it| self.takes_label(result, it.0)) => {
                    Slot::Missing(label, param)
                }
                None => return None,
            },
            Label::Labelled(name) => {
                let at = if given.omit_labels { Some(0) } else { find_label(rest, name) };
                let Some(at) = at else { return Some(Slot::Missing(label, param)) };
                let (given, arg) = rest.remove(at);
                if let ArgLabel::Optional(given) = given {
                    let text = format!("parameter `~{name}` is not optional");
                    self.diagnostics.warning(
                        Diagnostic::warning("W0043", text).at(given.span, "remove the `?`"),
                    );
                }
                let expect = Expect { ty: param, because };
                Slot::Given(label, self.argument(env, arg, expect))
            }
            Label::Optional(name) => match find_label(rest, name) {
                Some(at) => {
                    let (given, arg) = rest.remove(at);
                    Slot::Given(label, self.optional_argument(env, given, arg, param, because))
                }
                None if rest.iter().any(|it| matches!(it.0, ArgLabel::None)) => {
                    Slot::Omitted(param)
                }
                None => Slot::Missing(label, param),
            },
        })
    }

    /// Could a later parameter take this argument?
    fn can_consume(&mut self, ty: TypeId, label: ArgLabel) -> bool {
        match label {
            ArgLabel::None => {
                let mut ty = ty;
                loop {
                    ty = self.types.expand(ty);
                    match self.types.nodes[ty] {
                        Type::Arrow(Label::None, ..) | Type::Var { .. } | Type::Error => {
                            return true;
                        }
                        Type::Arrow(_, _, result) => ty = result,
                        _ => return false,
                    }
                }
            }
            _ => self.takes_label(ty, label),
        }
    }

    fn takes_label(&mut self, ty: TypeId, label: ArgLabel) -> bool {
        let wanted = match label {
            ArgLabel::None => return false,
            ArgLabel::Labelled(name) | ArgLabel::Optional(name) => name.text,
        };
        let mut ty = ty;
        loop {
            ty = self.types.expand(ty);
            match self.types.nodes[ty] {
                Type::Arrow(Label::Labelled(name) | Label::Optional(name), _, _)
                    if name == wanted =>
                {
                    return true;
                }
                Type::Arrow(_, _, result) => ty = result,
                Type::Var { .. } | Type::Error => return true,
                _ => return false,
            }
        }
    }

    /// Labels may be left out when a call gives every argument that is not optional, and no label.
    fn omits_labels(&mut self, ty: TypeId, args: &[(ArgLabel, &ast::Expr)]) -> bool {
        if args.iter().any(|it| !matches!(it.0, ArgLabel::None)) {
            return false;
        }
        let (mut positional, mut labelled) = (0, 0);
        let mut ty = ty;
        loop {
            ty = self.types.expand(ty);
            match self.types.nodes[ty] {
                Type::Arrow(Label::None, _, result) => {
                    positional += 1;
                    ty = result;
                }
                Type::Arrow(Label::Labelled(_), _, result) => {
                    labelled += 1;
                    ty = result;
                }
                Type::Arrow(Label::Optional(_), _, result) => ty = result,
                Type::Var { .. } => return false,
                _ => break,
            }
        }
        labelled > 0 && positional + labelled == args.len()
    }

    fn warn_of_omitted_labels(&mut self, ty: TypeId, func: Span) {
        if self.library || self.is_clef() {
            return;
        }
        let labels: Vec<String> = self.labels_of(ty).iter().map(|it| format!("`~{it}`")).collect();
        let labels = labels.join(", ");
        self.diagnostics.warning(
            Diagnostic::warning("W0006", "labels are left out in this call")
                .at(func, format!("has the labels {labels}"))
                .help("write the labels"),
        );
    }

    fn optional_argument(
        &mut self,
        env: &Env,
        label: ArgLabel,
        arg: &ast::Expr,
        param: TypeId,
        because: Because,
    ) -> tast::Expr {
        if let ArgLabel::Optional(_) = label {
            return self.argument(env, arg, Expect { ty: param, because });
        }
        let item = self.fresh();
        let option = self.option_of(item);
        let _ = self.unify(param, option);
        let inner = self.argument(env, arg, Expect { ty: item, because });
        let span = inner.span;
        let tycon = self.builtins.option;
        tast::Expr {
            kind: tast::ExprKind::Construct { tycon, ctor: 1, args: vec![inner] },
            ty: option,
            span,
        }
    }

    /// With a function of known arity, the result's expected type is known before the arguments
    /// are: `(f x : float)`. Only for results that are plain variables, where it cannot hide a
    /// better message.
    fn hint_result(&mut self, func: TypeId, args: &[(ArgLabel, ast::Expr)], expected: TypeId) {
        if args.iter().any(|it| !matches!(it.0, ArgLabel::None)) {
            return;
        }
        let mut ty = func;
        for _ in args {
            ty = self.types.expand(ty);
            match self.types.nodes[ty] {
                Type::Arrow(Label::None, _, result) => ty = result,
                _ => return,
            }
        }
        let ty = self.types.repr(ty);
        if matches!(self.types.nodes[ty], Type::Var { .. }) {
            let expected = self.types.repr(expected);
            if !matches!(self.types.nodes[expected], Type::Var { .. } | Type::Arrow(..)) {
                let _ = self.unify(ty, expected);
            }
        }
    }

    fn finish_apply(
        &mut self,
        func: tast::Expr,
        slots: Vec<Slot>,
        result: TypeId,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let missing = slots.iter().any(|it| matches!(it, Slot::Missing(..)));
        if !missing {
            let mut args: Vec<_> = slots.into_iter().map(|it| self.slot_value(it, span)).collect();
            // `x |> f` and `f @@ x` are `f x`, also in the order of evaluation.
            let (forward, backward) =
                (self.is_stdlib_value(&func, "@@"), self.is_stdlib_value(&func, "|>"));
            if args.len() == 2
                && (forward || backward)
                && let Some(second) = args.pop()
                && let Some(first) = args.pop()
            {
                let (func, arg) = if forward { (first, second) } else { (second, first) };
                let kind = tast::ExprKind::Apply { func: Box::new(func), args: vec![arg] };
                return self.node(kind, result, span, expect);
            }
            // `!r` is a field access.
            if self.is_stdlib_value(&func, "!")
                && let Some(record) = self.stdlib_type("ref")
                && let Some(object) = args.pop()
            {
                // An equation may say that it is a reference.
                let ty = self.types.add(Type::Con(record, vec![result]));
                let object = Box::new(tast::Expr { ty, ..object });
                let record = tast::RecordRef::Record(record);
                let kind = tast::ExprKind::Field { object, record, index: 0 };
                return self.node(kind, result, span, expect);
            }
            // A method's object is its first argument.
            let (func, args) = match func.kind {
                tast::ExprKind::Apply { func: inner, args: mut all } if self.is_clef() => {
                    all.extend(args);
                    (inner, all)
                }
                kind => (Box::new(tast::Expr { kind, ..func }), args),
            };
            let kind = tast::ExprKind::Apply { func, args };
            return self.node(kind, result, span, expect);
        }
        self.abstract_missing(func, slots, result, span, expect)
    }

    fn slot_value(&mut self, slot: Slot, span: Span) -> tast::Expr {
        match slot {
            Slot::Given(_, expr) => expr,
            Slot::Omitted(ty) | Slot::Missing(_, ty) => {
                let tycon = self.builtins.option;
                let kind = tast::ExprKind::Construct { tycon, ctor: 0, args: Vec::new() };
                tast::Expr { kind, ty, span: span.at_end() }
            }
        }
    }

    fn is_stdlib_value(&self, expr: &tast::Expr, name: &str) -> bool {
        let tast::ExprKind::Var { var, .. } = expr.kind else { return false };
        self.stdlib.as_ref().and_then(|it| it.find_var(Symbol::new(name))) == Some(var)
    }

    /// `fun ~a -> f a given`. The given arguments are evaluated from the last to the first; then what
    /// stands before the first missing one is applied, unless it is all optional.
    pub(super) fn abstract_missing(
        &mut self,
        func: tast::Expr,
        slots: Vec<Slot>,
        result: TypeId,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let var_expr = |var, ty| tast::Expr {
            kind: tast::ExprKind::Var { var, tyargs: Vec::new() },
            ty,
            span,
        };
        let var_pattern = |var, ty| tast::Pattern { kind: tast::PatternKind::Var(var), ty, span };
        let mut slots = slots;
        let first_missing =
            slots.iter().position(|it| matches!(it, Slot::Missing(..))).unwrap_or(slots.len());
        let rest = slots.split_off(first_missing);
        let all_optional = slots
            .iter()
            .all(|it| matches!(it, Slot::Omitted(_) | Slot::Given(Label::Optional(_), _)));
        let mut values: Vec<_> = slots.into_iter().map(|it| self.slot_value(it, span)).collect();
        let func = if all_optional {
            func
        } else {
            self.apply_prefix(func, std::mem::take(&mut values), span)
        };

        let mut params = Vec::new();
        let mut arrows = Vec::new();
        self.local_depth += 1;
        let func_ty = func.ty;
        let func_var = self.new_var(Symbol::new("func"), func_ty, span);
        // In the order of evaluation: an optional prefix goes from the first to the last.
        let mut bindings = Vec::new();
        let mut args = Vec::new();
        for value in values {
            let ty = value.ty;
            let var = self.new_var(Symbol::new("given"), ty, span);
            bindings.push(tast::Binding { pattern: var_pattern(var, ty), value });
            args.push(var_expr(var, ty));
        }
        bindings.push(tast::Binding { pattern: var_pattern(func_var, func_ty), value: func });
        for slot in rest {
            match slot {
                Slot::Missing(label, ty) => {
                    let name = match label {
                        Label::Labelled(name) | Label::Optional(name) => name,
                        Label::None => Symbol::new("arg"),
                    };
                    let var = self.new_var(name, ty, span);
                    params.push(var_pattern(var, ty).into());
                    arrows.push((label, ty));
                    args.push(var_expr(var, ty));
                }
                slot => {
                    let value = self.slot_value(slot, span);
                    let ty = value.ty;
                    let var = self.new_var(Symbol::new("given"), ty, span);
                    bindings.insert(0, tast::Binding { pattern: var_pattern(var, ty), value });
                    args.push(var_expr(var, ty));
                }
            }
        }
        self.local_depth -= 1;
        let call = tast::Expr {
            kind: tast::ExprKind::Apply { func: Box::new(var_expr(func_var, func_ty)), args },
            ty: result,
            span,
        };
        let ty = arrows
            .iter()
            .rev()
            .fold(result, |result, &(label, param)| self.arrow(label, param, result));
        let lambda = tast::Expr {
            kind: tast::ExprKind::Lambda {
                params,
                body: Box::new(call),
                inline: InlineAttribute::None,
            },
            ty,
            span,
        };
        self.node(
            tast::ExprKind::Let { bindings, as_match: None, body: Box::new(lambda) },
            ty,
            span,
            expect,
        )
    }

    /// `f a b` as a function of what follows.
    fn apply_prefix(&mut self, func: tast::Expr, args: Vec<tast::Expr>, span: Span) -> tast::Expr {
        let mut ty = func.ty;
        for _ in &args {
            let expanded = self.types.expand(ty);
            if let Type::Arrow(_, _, result) = self.types.nodes[expanded] {
                ty = result;
            }
        }
        tast::Expr { kind: tast::ExprKind::Apply { func: Box::new(func), args }, ty, span }
    }

    pub(super) fn labels_of(&mut self, ty: TypeId) -> Vec<Symbol> {
        let mut labels = Vec::new();
        let mut ty = self.types.expand(ty);
        while let Type::Arrow(label, _, result) = self.types.nodes[ty] {
            if let Label::Labelled(name) | Label::Optional(name) = label {
                labels.push(name);
            }
            ty = self.types.expand(result);
        }
        labels
    }
}

fn find_label(args: &[(ArgLabel, &ast::Expr)], name: Symbol) -> Option<usize> {
    args.iter().position(|it| match it.0 {
        ArgLabel::None => false,
        ArgLabel::Labelled(label) | ArgLabel::Optional(label) => label.text == name,
    })
}
