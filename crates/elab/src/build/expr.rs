//! Expressions.
//!
//! Operands of a node are evaluated last to first, as the tree means them; where the
//! text decides the order (`let`, `;`, the base of `{ e with … }`) there are `Let` and `Seq`.

use oxbow_base::{Span, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{Const, InlineHint, IntWidth, NodeId, NodeKind, Ty, TyId, VarId};

use super::Builder;
use super::frames::Frame;
use super::matching::{Failure, Root, Site, Subject};
use crate::ast::Constant;
use crate::tast::{Case, Expr, ExprKind, InlineAttribute, Param, Pattern, PatternKind, RecordRef};
use crate::types::InlineOwner;

impl Builder<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> NodeId {
        self.named(expr, None)
    }

    pub(super) fn exprs(&mut self, exprs: &[Expr]) -> Vec<NodeId> {
        exprs.iter().map(|it| self.expr(it)).collect()
    }

    /// What an expression ends with that does something before: that becomes frames.
    pub(super) fn step_into<'e>(
        &mut self,
        expr: &'e Expr,
        frames: &mut Vec<Frame<'e>>,
    ) -> Option<&'e Expr> {
        match &expr.kind {
            ExprKind::Let { bindings, as_match, body } => {
                self.let_bindings(bindings, *as_match, frames);
                Some(body)
            }
            ExprKind::LetRec { bindings, body } => {
                frames.extend(self.rec_group(bindings, expr.span));
                Some(body)
            }
            ExprKind::LetItems { items, body } => {
                self.local_items(items, frames);
                Some(body)
            }
            ExprKind::Sequence(items) => {
                let Some((last, before)) = items.split_last() else { ice!("an empty sequence") };
                if !before.is_empty() {
                    let before = self.exprs(before);
                    frames.push(Frame::Seq { before, span: expr.span });
                }
                Some(last)
            }
            _ => None,
        }
    }

    /// An expression that a variable of this name is bound to: a lambda takes the name.
    pub(super) fn named(&mut self, expr: &Expr, name: Option<Symbol>) -> NodeId {
        let mut frames = Vec::new();
        let mut expr = expr;
        let node = loop {
            if let Some(inner) = self.step_into(expr, &mut frames) {
                expr = inner;
                continue;
            }
            match &expr.kind {
                ExprKind::Let { .. }
                | ExprKind::LetRec { .. }
                | ExprKind::LetItems { .. }
                | ExprKind::Sequence(_) => ice!("it has been stepped into"),
                ExprKind::Lambda { params, body, inline } => {
                    let ty = self.ty(expr.ty);
                    break self.function(params, body, name, hint(*inline), (ty, expr.span));
                }
                ExprKind::Function { keyword, failure, cases, param_ty, inline } => {
                    let param_ty = self.ty(*param_ty);
                    let at = (self.ty(expr.ty), expr.span, (*keyword, *failure));
                    break self.function_cases(cases, param_ty, name, hint(*inline), at);
                }
                ExprKind::Unit
                | ExprKind::Bool(_)
                | ExprKind::Constant(_)
                | ExprKind::Var { .. }
                | ExprKind::Builtin(_)
                | ExprKind::Overloaded(_)
                | ExprKind::Apply { .. }
                | ExprKind::Match { .. }
                | ExprKind::Try { .. }
                | ExprKind::If { .. }
                | ExprKind::While { .. }
                | ExprKind::For { .. }
                | ExprKind::Tuple(_)
                | ExprKind::List(_)
                | ExprKind::Array(_)
                | ExprKind::Construct { .. }
                | ExprKind::Variant { .. }
                | ExprKind::MakeExn { .. }
                | ExprKind::Object { .. }
                | ExprKind::Send { .. }
                | ExprKind::Record { .. }
                | ExprKind::RecordWith { .. }
                | ExprKind::Field { .. }
                | ExprKind::SetField { .. }
                | ExprKind::AssignVar { .. }
                | ExprKind::Lazy { .. }
                | ExprKind::Assert(_)
                | ExprKind::AssertFalse
                | ExprKind::Here(_)
                | ExprKind::Error(_) => break self.operation_of(expr),
            }
        };
        self.close(frames, node)
    }

    /// Everything but lambdas and what puts frames around a body.
    fn operation_of(&mut self, expr: &Expr) -> NodeId {
        let (ty, span) = (self.ty(expr.ty), expr.span);
        let kind = match &expr.kind {
            ExprKind::Unit => NodeKind::Const(Const::Unit),
            ExprKind::Bool(value) => NodeKind::Const(Const::Bool(*value)),
            ExprKind::Constant(constant) => NodeKind::Const(convert(constant)),
            ExprKind::Var { var, tyargs } => {
                // A recursive use inside the definition is at the definition's own type
                // variables, as far as it does not say otherwise.
                let tyvars = self.types.vars[*var].tyvars.clone();
                let tyargs = self.tyargs_without_rows(&tyvars, tyargs);
                let mut tyargs = self.tys(&tyargs);
                tyargs.extend(self.own_tyargs(*var).into_iter().skip(tyargs.len()));
                match self.cells.get(*var) {
                    Some(&cell) => return self.read_cell(cell, tyargs, span),
                    None => return self.mention(*var, tyargs, expr.ty, span),
                }
            }
            ExprKind::Builtin(builtin) => return self.builtin(*builtin, ty, Vec::new(), ty, span),
            ExprKind::Overloaded(number) => {
                let meaning = self.overload(*number);
                return self.expr(&Expr { ty: expr.ty, span, ..meaning });
            }
            ExprKind::Apply { func, args } => return self.apply(func, args, ty, span),
            ExprKind::Match { scrutinee, cases, exceptions } => {
                return self.match_expr(scrutinee, cases, exceptions, ty, span);
            }
            ExprKind::Try { body, cases } => return self.try_expr(body, cases, ty, span),
            ExprKind::If { cond, then, otherwise } => {
                let (cond, then) = (self.condition(cond), self.expr_at(then, ty));
                let otherwise = match otherwise {
                    Some(otherwise) => self.expr_at(otherwise, ty),
                    None => {
                        let unit = self.unit(span);
                        self.fit(unit, ty)
                    }
                };
                NodeKind::If { cond, then, otherwise }
            }
            ExprKind::While { cond, body } => {
                NodeKind::While { cond: self.condition(cond), body: self.expr(body) }
            }
            ExprKind::For { var, from, to, down, body } => {
                let counter = self.ty(from.ty);
                let var = var.unwrap_or_else(|| self.fresh(Symbol::new("_"), counter, span));
                let counter = self.program.vars[var].ty;
                let (from, to) = (self.expr_at(from, counter), self.expr_at(to, counter));
                let body = self.expr(body);
                NodeKind::For { var, from, to, down: *down, body }
            }
            ExprKind::Tuple(items) => NodeKind::Tuple(self.parts_at(items, 0, ty)),
            ExprKind::List(items) => return self.list(items, ty, span),
            ExprKind::Array(items) => NodeKind::Array(self.parts_at(items, 0, ty)),
            ExprKind::Construct { tycon: _, ctor, args } => {
                NodeKind::Construct { ctor: *ctor, args: self.parts_at(args, *ctor, ty) }
            }
            ExprKind::Variant { tag, arg } => {
                return self.variant(*tag, arg.as_deref(), ty, span);
            }
            ExprKind::Object { object, fields } => return self.object(*object, fields, ty, span),
            ExprKind::Send { .. } => return self.send(expr, &[], ty, span),
            ExprKind::MakeExn { exn, args } => {
                let exn = self.types.exn_behind(*exn);
                let args = self.exprs(args);
                let fields = self.exn_fields(exn);
                let args = self.fit_all(args, &fields);
                let mut args = self.held_by_exn(exn, args, span);
                args.extend(self.exn_number(exn, span));
                NodeKind::MakeExn { exn, args }
            }
            ExprKind::Lazy { value, at_once } => return self.suspension(value, *at_once, ty, span),
            ExprKind::Record { tycon: _, fields } => NodeKind::Record(self.parts_at(fields, 0, ty)),
            ExprKind::RecordWith { base, record, updates } => {
                return self.record_with(base, *record, updates, ty, span);
            }
            ExprKind::Field { object, record, index } => {
                let object = self.expr_at_own(object);
                return self.field_at(object, *record, *index, ty, span);
            }
            ExprKind::SetField { object, record, index, value } => {
                let (object, value) = (self.expr_at_own(object), self.expr(value));
                let ctor = match record {
                    RecordRef::Record(_) => 0,
                    RecordRef::Object(object) => self.object_ctor(*object),
                    RecordRef::Inline(InlineOwner::Ctor(_, ctor)) => *ctor,
                    RecordRef::Inline(InlineOwner::Exn(exn)) => {
                        return self.set_exn_field(object, (*exn, *index), value, span);
                    }
                };
                let fields = self.field_tys(self.program.ty(object), ctor);
                let value = self.fit(value, fields[*index as usize]);
                NodeKind::SetField { object, ctor, index: *index, value }
            }
            ExprKind::AssignVar { var, value } => {
                let value = self.expr_at(value, self.program.vars[*var].ty);
                NodeKind::Assign { var: *var, value }
            }
            ExprKind::Assert(cond) => {
                let cond = self.condition(cond);
                let then = self.unit(span);
                let otherwise =
                    self.raise_at(self.program.well_known.exns.assert_failure, span, ty);
                NodeKind::If { cond, then, otherwise }
            }
            ExprKind::Here(here) => return self.here(*here, ty, span),
            ExprKind::AssertFalse => {
                return self.raise_at(self.program.well_known.exns.assert_failure, span, ty);
            }
            ExprKind::Error(_) => ice!("an error expression reaches the graph"),
            ExprKind::Lambda { .. }
            | ExprKind::Function { .. }
            | ExprKind::Let { .. }
            | ExprKind::LetRec { .. }
            | ExprKind::LetItems { .. }
            | ExprKind::Sequence(_) => ice!("handled by `named`"),
        };
        self.node(kind, ty, span)
    }

    fn function(
        &mut self,
        written: &[Param],
        body: &Expr,
        name: Option<Symbol>,
        inline: InlineHint,
        (ty, span): (TyId, Span),
    ) -> NodeId {
        let (mut params, mut frames) = (Vec::new(), Vec::new());
        for one in written {
            let (param, rest) = self.param(&one.pattern);
            params.push(param);
            if let Some(rest) = rest {
                frames.push(self.param_frame(rest, param, one.span));
            }
        }
        let (_, result) = self.program.types.split_function(ty, params.len());
        let body = self.expr_at(body, result);
        let body = self.close(frames, body);
        let body = self.fit_params(&mut params, body, ty);
        self.lambda(params, body, name, inline, span)
    }

    /// The variable of a parameter, and the pattern that it has to match.
    fn param<'t>(&mut self, pattern: &'t Pattern) -> (VarId, Option<&'t Pattern>) {
        let simple = |this: &Self, var: VarId| !this.program.vars[var].mutable;
        match &pattern.kind {
            PatternKind::Var(var) if simple(self, *var) => (*var, None),
            PatternKind::Alias(inner, var) if simple(self, *var) => (*var, Some(inner)),
            PatternKind::Any | PatternKind::Unit => {
                let ty = self.ty(pattern.ty);
                (self.fresh(Symbol::new("_"), ty, pattern.span), None)
            }
            PatternKind::Var(_)
            | PatternKind::Alias(..)
            | PatternKind::Bool(_)
            | PatternKind::Constant(_)
            | PatternKind::CharRange(..)
            | PatternKind::Tuple(_)
            | PatternKind::Construct { .. }
            | PatternKind::Variant { .. }
            | PatternKind::Record { .. }
            | PatternKind::Array(_)
            | PatternKind::Exn { .. }
            | PatternKind::Or(..)
            | PatternKind::Lazy { .. }
            | PatternKind::Error(_) => {
                let ty = self.ty(pattern.ty);
                (self.fresh(Symbol::new("param"), ty, pattern.span), Some(pattern))
            }
        }
    }

    fn function_cases(
        &mut self,
        cases: &[Case],
        param_ty: TyId,
        name: Option<Symbol>,
        inline: InlineHint,
        (whole, span, (keyword, failure)): (TyId, Span, (Span, Span)),
    ) -> NodeId {
        let Some(first) = cases.first() else { ice!("a function without cases") };
        let ty = match self.types.has_equations {
            true => self.program.types.split_function(whole, 1).1,
            false => self.ty(first.body.ty),
        };
        let param = self.fresh(Symbol::new("param"), param_ty, span);
        let site = Site { ty, span, failure: Failure::Raise(failure) };
        let plan = self.plan_cases(cases, param_ty);
        self.report(&plan, Subject::Match, keyword, cases.last());
        let body = self.emit_cases(&plan, Root::Var(param), cases, site);
        self.lambda(vec![param], body, name, inline, span)
    }

    pub(super) fn list(&mut self, items: &[Expr], ty: TyId, span: Span) -> NodeId {
        let mut items = self.exprs(items);
        if self.types.has_equations {
            let item = self.field_tys(ty, 1)[0];
            items = items.into_iter().map(|it| self.fit(it, item)).collect();
        }
        let nil = self.node(NodeKind::Construct { ctor: 0, args: Vec::new() }, ty, span);
        items.into_iter().rev().fold(nil, |tail, head| {
            self.node(NodeKind::Construct { ctor: 1, args: vec![head, tail] }, ty, span)
        })
    }

    fn record_with(
        &mut self,
        base: &Expr,
        record: RecordRef,
        updates: &[(u32, Expr)],
        ty: TyId,
        span: Span,
    ) -> NodeId {
        let mut value = self.expr_at_own(base);
        // An equation may say that it is a record.
        if !matches!(self.program.types.get(self.program.ty(value)), Ty::Data(..) | Ty::Exn) {
            value = self.fit(value, ty);
        }
        let (var, fresh) = match self.plain_var(value) {
            Some(var) => (var, false),
            None => (self.fresh(Symbol::new("base"), self.program.ty(value), span), true),
        };
        let field_tys = match record {
            RecordRef::Record(_) => self.field_tys(ty, 0),
            RecordRef::Object(object) => {
                let ctor = self.object_ctor(object);
                self.field_tys(ty, ctor)
            }
            RecordRef::Inline(InlineOwner::Ctor(_, ctor)) => self.field_tys(ty, ctor),
            RecordRef::Inline(InlineOwner::Exn(exn)) => self.exn_fields(exn),
        };
        let mut fields = Vec::with_capacity(field_tys.len());
        for (index, &field_ty) in (0..).zip(&field_tys) {
            fields.push(match updates.iter().find(|it| it.0 == index) {
                Some((_, update)) => self.expr_at(update, field_ty),
                None => {
                    let object = self.read(var, span);
                    self.field_at(object, record, index, field_ty, span)
                }
            });
        }
        let kind = match record {
            RecordRef::Record(_) => NodeKind::Record(fields),
            RecordRef::Object(object) => {
                NodeKind::Construct { ctor: self.object_ctor(object), args: fields }
            }
            RecordRef::Inline(InlineOwner::Ctor(_, ctor)) => {
                NodeKind::Construct { ctor, args: fields }
            }
            RecordRef::Inline(InlineOwner::Exn(exn)) => {
                NodeKind::MakeExn { exn, args: self.held_by_exn(exn, fields, span) }
            }
        };
        let node = self.node(kind, ty, span);
        if fresh { self.bind(var, value, node, span) } else { node }
    }
}

fn hint(inline: InlineAttribute) -> InlineHint {
    match inline {
        InlineAttribute::None => InlineHint::Default,
        InlineAttribute::Always => InlineHint::Always,
        InlineAttribute::Never => InlineHint::Never,
        InlineAttribute::Cold => InlineHint::Cold,
        InlineAttribute::Rare => InlineHint::Rare,
        InlineAttribute::Once => InlineHint::Once,
        InlineAttribute::ZeroAlloc => InlineHint::ZeroAlloc,
    }
}

fn convert(constant: &Constant) -> Const {
    match constant {
        Constant::Int(value) => Const::Int(IntWidth::I63, *value),
        Constant::Int32(value) => Const::Int(IntWidth::I32, i64::from(*value)),
        Constant::Int64(value) | Constant::Nativeint(value) => Const::Int(IntWidth::I64, *value),
        Constant::Sized(width, value) => Const::Int(*width, *value),
        Constant::Float(value) => Const::Float(*value),
        Constant::Float32(_) => ice!("a float32 literal is a conversion"),
        Constant::Char(value) => Const::Char(*value),
        Constant::String(value) => Const::String(value.as_slice().into()),
    }
}
