//! Schemes: generalisation, instantiation, and which expressions may be generalised.

use crate::ast::{self, ExprKind};
use crate::types::{GENERIC, Type, TypeId};

use super::Infer;
use super::env::{Value, ValueKind};

impl Infer<'_> {
    pub(super) fn enter_level(&mut self) {
        self.level += 1;
    }

    pub(super) fn leave_level(&mut self) {
        self.level -= 1;
    }

    /// Makes the variables of `ty` above the current level generic and adds them to `vars`.
    pub(super) fn generalize(&mut self, ty: TypeId, vars: &mut Vec<TypeId>) {
        let ty = self.types.repr(ty);
        let current = self.level;
        match &mut self.types.nodes[ty] {
            Type::Var { level, .. } => {
                if *level != GENERIC && *level > current {
                    *level = GENERIC;
                    vars.push(ty);
                }
            }
            Type::Link(_) | Type::Error => (),
            &mut Type::Arrow(_, param, result) => {
                self.generalize(param, vars);
                self.generalize(result, vars);
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                for item in items.clone() {
                    self.generalize(item, vars);
                }
            }
        }
    }

    /// Keeps the variables of `ty` from being generalised at the current level.
    pub(super) fn fix_levels(&mut self, ty: TypeId) {
        let ty = self.types.repr(ty);
        let current = self.level;
        match &mut self.types.nodes[ty] {
            Type::Var { level, .. } => {
                if *level != GENERIC && *level > current {
                    *level = current;
                }
            }
            Type::Link(_) | Type::Error => (),
            &mut Type::Arrow(_, param, result) => {
                self.fix_levels(param);
                self.fix_levels(result);
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                for item in items.clone() {
                    self.fix_levels(item);
                }
            }
        }
    }

    /// A fresh instance of a value: its type and the type arguments of its variable.
    pub(super) fn instantiate(&mut self, value: &Value) -> (TypeId, Vec<TypeId>) {
        if value.vars.is_empty() {
            return (value.ty, value.instance.as_ref().map(|it| it.to_vec()).unwrap_or_default());
        }
        let fresh: Vec<_> = value.vars.iter().map(|_| self.fresh()).collect();
        let ty = self.types.substitute(value.ty, &value.vars, &fresh);
        let tyargs = match &value.instance {
            None => fresh,
            Some(instance) => instance.iter().map(|&it| self.types.substitute(it, &value.vars, &fresh)).collect(),
        };
        (ty, tyargs)
    }

    /// May the type of this expression be generalised? (The value restriction.)
    pub(super) fn is_value(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_)
            | ExprKind::Ident(_)
            | ExprKind::Fun(..)
            | ExprKind::Function(_)
            | ExprKind::Error(_) => true,
            ExprKind::Construct(_, arg) => arg.as_ref().is_none_or(|it| self.is_value(it)),
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().all(|it| self.is_value(it)),
            ExprKind::Array(items) => items.is_empty(),
            ExprKind::Annotate(inner, _) | ExprKind::Open(_, inner) => self.is_value(inner),
            ExprKind::Lazy(_) => true,
            ExprKind::Record { base, fields } => {
                base.is_none() && fields.iter().all(|it| self.is_value(&it.2)) && self.is_immutable_record(fields)
            }
            ExprKind::Let { bindings, body, .. } => {
                bindings.iter().all(|it| self.is_value(&it.value)) && self.is_value(body)
            }
            ExprKind::If(_, then, otherwise) => {
                self.is_value(then) && otherwise.as_ref().is_none_or(|it| self.is_value(it))
            }
            ExprKind::Apply(..)
            | ExprKind::LetOp { .. }
            | ExprKind::Match(..)
            | ExprKind::Try(..)
            | ExprKind::Sequence(_)
            | ExprKind::While(..)
            | ExprKind::For { .. }
            | ExprKind::Field(..)
            | ExprKind::SetField(..)
            | ExprKind::Assert(_)
            | ExprKind::LetModule(..)
            | ExprKind::LetException(..)
            | ExprKind::AssignVar(..) => false,
        }
    }

    /// Conservative: a field name that is mutable in some record makes it no value.
    fn is_immutable_record(&self, fields: &[(ast::Path, Option<ast::TypeExpr>, ast::Expr)]) -> bool {
        fields.iter().all(|(path, _, _)| !self.mutable_fields.contains(&path.name.text))
    }

    pub(super) fn mono_value(&self, kind: ValueKind, ty: TypeId, span: oxbow_base::Span) -> Value {
        Value { kind, vars: Vec::new(), ty, instance: None, span }
    }
}
