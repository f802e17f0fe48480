//! `x |> f`, where the type of `x` helps to type `f`, and the conversion of lists, arrays and other
//! collections to sequences where a function wants one.

use oxbow_base::{Made, Span, Symbol};

use crate::ast::{self, ArgLabel, ExprKind};
use crate::tast;
use crate::types::{Label, Type, TypeId};

use super::super::env::{Env, Module};
use super::super::{Because, Expect, Infer};

impl Infer<'_> {
    /// `x |> f a b` is `f a b x` with `x` evaluated first, and typed first.
    pub(in super::super) fn pipe(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        func: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let ty = self.fresh();
        let value = self.expr(env, value, Expect::plain(ty));
        let value_ty = value.ty;
        self.with_typed(env, value, Made::Piped, |cx, env, mention| {
            // `x |> fun p -> e`: the parameter has the type of what is piped.
            if let ExprKind::Fun(..) | ExprKind::Function(..) = &func.kind {
                let result = cx.fresh();
                let wanted = cx.arrow(Label::None, value_ty, result);
                let function = cx.expr(env, func, Expect::plain(wanted));
                let arg = cx.expr(env, &mention, Expect::plain(value_ty));
                let call = cx.call_one(function, arg, span);
                return cx.as_expected(env, call, expect);
            }
            let (func, mut args) = match &func.kind {
                ExprKind::Apply(inner, args) if !is_operator(inner) => {
                    (inner.as_ref(), args.clone())
                }
                _ => (func, Vec::new()),
            };
            args.push((ArgLabel::None, mention));
            cx.apply(env, func, &args, span, expect)
        })
    }

    /// `(x, y) ||> f` is `f x y` with `x` and `y` evaluated first, and typed first.
    pub(in super::super) fn pipe_many(
        &mut self,
        env: &Env,
        values: &[ast::Expr],
        func: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let [first, rest @ ..] = values else { return self.expr(env, func, expect) };
        if rest.is_empty() {
            return self.pipe(env, first, func, span, expect);
        }
        let ty = self.fresh();
        let first = self.expr(env, first, Expect::plain(ty));
        self.with_typed(env, first, Made::Piped, |cx, env, mention| {
            let (func, mut args) = match &func.kind {
                ExprKind::Apply(inner, args) if !is_operator(inner) => (inner, args.clone()),
                _ => (&Box::new(func.clone()), Vec::new()),
            };
            args.push((ArgLabel::None, mention));
            let func = super::node(ExprKind::Apply(func.clone(), args), span);
            cx.pipe_many(env, rest, &func, span, expect)
        })
    }

    /// The last arguments were typed before the others: what is known of it is known of its
    /// parameter.
    pub(in super::super) fn hint_piped(
        &mut self,
        env: &Env,
        func: TypeId,
        args: &[(ArgLabel, ast::Expr)],
    ) {
        let is_piped = |arg: &(ArgLabel, ast::Expr)| match &arg.1.kind {
            ExprKind::Ident(path) if matches!(path.name.text.origin(), Some(Made::Piped(_))) => {
                env.value(path.name.text).map(|it| it.ty)
            }
            _ => None,
        };
        for (at, arg) in args.iter().enumerate().rev() {
            let Some(piped) = is_piped(arg) else { return };
            self.hint_argument(env, func, at, piped);
        }
    }

    /// What is known of the argument at this place is known of its parameter.
    fn hint_argument(&mut self, env: &Env, func: TypeId, at: usize, piped: TypeId) {
        let mut ty = self.types.expand(func);
        for _ in 0..at {
            match self.types.nodes[ty] {
                Type::Arrow(_, _, result) => ty = self.types.expand(result),
                _ => return,
            }
        }
        let Type::Arrow(_, param, _) = self.types.nodes[ty] else { return };
        if let Some(item) = self.item_of_seq(param) {
            if let Some(found) = self.item_of_collection(env, piped) {
                let _ = self.unify(item, found);
                return;
            }
            if self.item_of_seq(piped).is_none() {
                return;
            }
        }
        let mark = self.diagnostics.mark();
        let _ = self.unify(param, piped);
        self.diagnostics.rollback(mark);
    }

    /// The element type of a `seq`.
    pub(super) fn item_of_seq(&mut self, ty: TypeId) -> Option<TypeId> {
        let seq = self.prelude_type("seq")?;
        let (con, args) = self.head_con(ty)?;
        (con == seq).then(|| args.first().copied())?
    }

    /// The element type of what can be converted to a sequence.
    fn item_of_collection(&mut self, env: &Env, ty: TypeId) -> Option<TypeId> {
        let (_, value) = self.member_of(env, ty, Symbol::new("AsSeq"))?;
        let (func, _) = self.instantiate(&value);
        let Type::Arrow(_, param, result) = *self.types.get(func) else { return None };
        self.unify(param, ty).ok()?;
        self.item_of_seq(result)
    }

    /// An argument: where a sequence is wanted, another collection is converted.
    pub(in super::super) fn argument(
        &mut self,
        env: &Env,
        arg: &ast::Expr,
        expect: Expect,
    ) -> tast::Expr {
        if !self.is_clef() {
            return self.erasing(env, arg, expect);
        }
        // An interpolated string may stand for a format without arguments.
        if self.is_clef_format(expect.ty)
            && let ExprKind::Apply(func, _) = &arg.kind
            && super::is_library(func)
        {
            let made =
                super::apply(super::library("format_text", arg.span), vec![arg.clone()], arg.span);
            return self.expr(env, &made, expect);
        }
        let wanted = self.types.expand(expect.ty);
        if let (ExprKind::Tuple(items), Type::Tuple(types)) =
            (&arg.kind, self.types.nodes[wanted].clone())
            && items.len() == types.len()
        {
            let items = items.iter().zip(&types).enumerate().map(|(at, (it, &ty))| {
                let because = match expect.because {
                    // The arguments of a method are numbered within the parentheses.
                    Because::Argument(1, func) => Because::Argument(at as u32 + 1, func),
                    because => because,
                };
                self.argument(env, it, Expect { ty, because })
            });
            let kind = tast::ExprKind::Tuple(items.collect());
            return tast::Expr { kind, ty: expect.ty, span: arg.span };
        }
        // `Seq.collect (fun x -> [x; -x])`: what the function gives is converted.
        if let Some(arg) = self.giving_seq(arg, wanted) {
            return self.expr(env, &arg, expect);
        }
        if let Type::Arrow(_, _, result) = self.types.nodes[wanted]
            && matches!(arg.kind, ExprKind::Ident(_) | ExprKind::Field(..))
            && self.item_of_seq(result).is_some()
        {
            let ty = self.fresh();
            let typed = self.expr(env, arg, Expect::plain(ty));
            let gives = self.types.expand(typed.ty);
            let Type::Arrow(_, _, given) = self.types.nodes[gives] else {
                return self.as_expected(env, typed, expect);
            };
            if self.item_of_seq(given).is_some() || self.item_of_collection(env, given).is_none() {
                return self.as_expected(env, typed, expect);
            }
            let span = arg.span;
            return self.with_typed(env, typed, super::typed("giver"), |this, env, mention| {
                let item = super::made(Made::local("item"), span);
                let call = super::apply(mention, vec![super::ident(item)], span);
                this.expr(env, &lambda(item, as_seq_value(call), span), expect)
            });
        }
        // `xs |> List.map Seq.sum` where the elements are arrays.
        if let Type::Arrow(_, param, _) = self.types.nodes[wanted]
            && self.takes_seq(env, arg)
            && self.item_of_collection(env, param).is_some()
        {
            let ty = self.fresh();
            let typed = self.expr(env, arg, Expect::plain(ty));
            let takes = self.types.expand(typed.ty);
            let Type::Arrow(_, taken, _) = self.types.nodes[takes] else {
                return self.as_expected(env, typed, expect);
            };
            if self.item_of_seq(taken).is_none() {
                return self.as_expected(env, typed, expect);
            }
            let span = arg.span;
            return self.with_typed(env, typed, super::typed("taker"), |this, env, mention| {
                let item = super::made(Made::local("item"), span);
                let call = super::apply(mention, vec![super::ident(item)], span);
                this.expr(env, &lambda(item, call, span), expect)
            });
        }
        let Some(item) = self.item_of_seq(expect.ty) else {
            return self.viewed(env, arg, expect);
        };
        // Elements are seen as what is wanted before the collection is a sequence.
        let seen = self.head_con(item).is_some_and(|it| self.is_view_target(it.0));
        let ty = match &arg.kind {
            ExprKind::List(_) if seen => self.list_of(item),
            ExprKind::Array(_) if seen => {
                let array = self.builtins.array;
                self.types.add(Type::Con(array, vec![item]))
            }
            _ => self.fresh(),
        };
        let typed = self.expr(env, arg, Expect::plain(ty));
        self.as_expected(env, typed, expect)
    }

    /// `Seq.length`, `String.concat ","`: a function by name whose next parameter is a sequence. As a
    /// value it takes any collection.
    pub(in super::super) fn takes_seq(&mut self, env: &Env, arg: &ast::Expr) -> bool {
        let (func, given) = match &arg.kind {
            ExprKind::Apply(func, args) => (func.as_ref(), args.len()),
            _ => (arg, 0),
        };
        let Some(mut ty) = self.type_of_name(env, func) else { return false };
        for _ in 0..given {
            match *self.types.get(ty) {
                Type::Arrow(_, _, result) => ty = result,
                _ => return false,
            }
        }
        match *self.types.get(ty) {
            Type::Arrow(_, param, _) => self.item_of_seq(param).is_some(),
            _ => false,
        }
    }

    /// Its type as declared; nothing is reported and no variable is bound.
    fn type_of_name(&mut self, env: &Env, func: &ast::Expr) -> Option<TypeId> {
        let mut chain = Vec::new();
        let mut base = func;
        while let ExprKind::Field(inner, path) = &base.kind
            && path.prefix.is_none()
        {
            chain.push(path.name.text);
            base = inner;
        }
        let ExprKind::Ident(first) = &base.kind else { return None };
        if first.prefix.is_some() {
            return None;
        }
        let Some(value) = chain.first().copied() else {
            return env.value(first.name.text).map(|it| it.ty);
        };
        if env.value(first.name.text).is_some() {
            return None;
        }
        let mut module = env.module(first.name.text).cloned();
        for &name in chain[1..].iter().rev() {
            module = match &module {
                Some(Module::Structure(it)) => it.modules.get(&name).cloned(),
                _ => return None,
            };
        }
        match &module {
            Some(Module::Structure(it)) => it.values.get(&value).map(|it| it.ty),
            _ => None,
        }
    }

    /// Does it wait for the other arguments? `List.map Seq.length xss`: those tell what it takes.
    pub(in super::super) fn waits(&mut self, env: &Env, arg: &ast::Expr, param: TypeId) -> bool {
        let Type::Arrow(_, taken, _) = *self.types.get(param) else { return false };
        matches!(self.types.get(taken), Type::Var { .. }) && self.takes_seq(env, arg)
    }

    /// A lambda whose result is to be a sequence, with that result ready to be converted.
    fn giving_seq(&mut self, arg: &ast::Expr, wanted: TypeId) -> Option<ast::Expr> {
        let ExprKind::Fun(params, annotation, body) = &arg.kind else { return None };
        let mut ty = wanted;
        for _ in params {
            let Type::Arrow(_, _, result) = self.types.nodes[ty] else { return None };
            ty = self.types.expand(result);
        }
        self.item_of_seq(ty)?;
        let body = Box::new(as_seq_value((**body).clone()));
        Some(super::node(ExprKind::Fun(params.clone(), annotation.clone(), body), arg.span))
    }

    /// Where a sequence of sequences is wanted, other collections in it are converted.
    fn with_inner_seqs(&mut self, env: &Env, typed: tast::Expr, wanted: TypeId) -> tast::Expr {
        let (Some(wanted), Some(found)) = (self.item_of_seq(wanted), self.item_of_seq(typed.ty))
        else {
            return typed;
        };
        if self.item_of_seq(wanted).is_none()
            || self.item_of_seq(found).is_some()
            || self.item_of_collection(env, found).is_none()
        {
            return typed;
        }
        let span = typed.span;
        self.with_typed(env, typed, super::typed("outer"), |this, env, mention| {
            let item = super::made(Made::local("item"), span);
            let function = lambda(item, as_seq_value(super::ident(item)), span);
            let convert = super::library("seq_convert", span);
            let ty = this.fresh();
            this.expr(env, &super::apply(convert, vec![mention, function], span), Expect::plain(ty))
        })
    }

    /// Converts to a sequence if one is wanted, then checks the type.
    pub(super) fn as_expected(
        &mut self,
        env: &Env,
        typed: tast::Expr,
        expect: Expect,
    ) -> tast::Expr {
        let span = typed.span;
        let typed = if self.item_of_seq(expect.ty).is_some() && self.item_of_seq(typed.ty).is_none()
        {
            self.as_seq(env, typed)
        } else {
            typed
        };
        let typed = self.with_inner_seqs(env, typed, expect.ty);
        if self.expect(expect, typed.ty, span) {
            typed
        } else {
            tast::Expr { ty: self.builtins.error, ..typed }
        }
    }

    /// A collection as a sequence; others stay as they are.
    pub(super) fn as_seq(&mut self, env: &Env, typed: tast::Expr) -> tast::Expr {
        let Some((_, value)) = self.member_of(env, typed.ty, Symbol::new("AsSeq")) else {
            return typed;
        };
        let span = typed.span;
        let func = self.value_expr(&value, span);
        self.call_one(func, typed, span)
    }

    /// `a op b` at types that decide: the operands are typed first.
    #[expect(clippy::too_many_arguments, reason = "the parts of one expression")]
    pub(in super::super) fn operator_call(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        shown: Symbol,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let errors = self.diagnostics.error_count();
        let left_ty = self.fresh();
        let typed_left = self.expr(env, left, Expect::plain(left_ty));
        let right_ty = self.fresh();
        let typed_right = self.expr(env, right, Expect::plain(right_ty));
        if self.diagnostics.error_count() > errors {
            return self.failed(span);
        }
        if let Some(call) = self.member_operator(shown, &typed_left, &typed_right, env, func.span) {
            let ok = self.expect(expect, call.ty, span);
            let ty = if ok { call.ty } else { self.builtins.error };
            return tast::Expr { ty, span, ..call };
        }
        let fresh = self.fresh();
        let operator = self.expr(env, func, Expect::plain(fresh));
        let Type::Arrow(_, first, rest) = *self.types.get(operator.ty) else {
            return self.failed(span);
        };
        let Type::Arrow(_, second, result) = *self.types.get(rest) else {
            return self.failed(span);
        };
        for (number, param, operand) in [(1, first, &typed_left), (2, second, &typed_right)] {
            let because = Because::Argument(number, Some(shown));
            if !self.expect(Expect { ty: param, because }, operand.ty, operand.span) {
                // One report for one mistake.
                if let Some(last) = self.clef.overloads.last_mut() {
                    last.meaning = Some(operator.clone());
                }
                return self.failed(span);
            }
        }
        self.apply_unit_rules();
        let args = vec![typed_left, typed_right];
        let kind = tast::ExprKind::Apply { func: Box::new(operator), args };
        self.node(kind, result, span, expect)
    }

    /// The type that a call has before its arguments are typed, told to the function: F# lets what
    /// is expected of a call flow into it.
    pub(in super::super) fn hint_call_result(
        &mut self,
        func: TypeId,
        count: usize,
        expected: TypeId,
    ) {
        let mut ty = self.types.expand(func);
        for _ in 0..count {
            match self.types.nodes[ty] {
                Type::Arrow(Label::None, _, result) => ty = self.types.expand(result),
                _ => return,
            }
        }
        let expected = self.types.expand(expected);
        let open = matches!(
            (&self.types.nodes[ty], &self.types.nodes[expected]),
            (_, Type::Var { .. } | Type::Error) | (Type::Error, _)
        );
        // A sequence may be converted yet.
        if !open && self.item_of_seq(expected).is_none() && self.may_unify(ty, expected, 0) {
            let _ = self.unify(ty, expected);
        }
    }

    /// Could the two be the same type? By what is known of them; no variable is bound.
    fn may_unify(&mut self, a: TypeId, b: TypeId, depth: usize) -> bool {
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        if a == b || depth > 20 {
            return true;
        }
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Var { .. } | Type::Error, _) | (_, Type::Var { .. } | Type::Error) => true,
            (Type::Arrow(la, pa, ra), Type::Arrow(lb, pb, rb)) => {
                la == lb && self.may_unify(pa, pb, depth + 1) && self.may_unify(ra, rb, depth + 1)
            }
            (Type::Tuple(xs), Type::Tuple(ys)) => {
                xs.len() == ys.len()
                    && xs.into_iter().zip(ys).all(|(x, y)| self.may_unify(x, y, depth + 1))
            }
            (Type::Con(ca, xs), Type::Con(cb, ys)) => {
                ca == cb && xs.into_iter().zip(ys).all(|(x, y)| self.may_unify(x, y, depth + 1))
            }
            _ => false,
        }
    }
}

/// `seq_value e`: an argument that is converted where it is another collection.
fn as_seq_value(value: ast::Expr) -> ast::Expr {
    let span = value.span;
    super::apply(super::library("seq_value", span), vec![value], span)
}

pub(super) fn lambda(param: ast::Name, body: ast::Expr, span: Span) -> ast::Expr {
    let pattern = ast::Pattern { kind: ast::PatternKind::Var(param), span };
    let param = ast::Param { label: ast::ParamLabel::None, pattern, span };
    super::node(ExprKind::Fun(vec![param], None, Box::new(body)), span)
}

/// `f >> g` and other operators are functions as a whole, not calls to be completed.
fn is_operator(func: &ast::Expr) -> bool {
    match &func.kind {
        ExprKind::Ident(path) => {
            let name = path.name.text;
            !name.is_hidden()
                && !name.as_str().starts_with(|it: char| it.is_alphabetic() || it == '_')
        }
        _ => false,
    }
}

/// `let name = value in body`
pub(super) fn bound(name: ast::Name, value: ast::Expr, body: ast::Expr, span: Span) -> ast::Expr {
    let pattern = ast::Pattern { kind: ast::PatternKind::Var(name), span };
    let binding = ast::Binding {
        pattern,
        value,
        annotation: None,
        mutable: false,
        attributes: Vec::new(),
        span,
    };
    let kind = ExprKind::Let { recursive: false, bindings: vec![binding], body: Box::new(body) };
    super::node(kind, span)
}
