//! Schemes: generalisation, instantiation, and which expressions may be generalised.

use oxbow_base::Symbol;

use crate::tast::{self, ExprKind, PatternKind, RecordRef};
use crate::types::{GENERIC, TyConId, TyConKind, Type, TypeId, Walk};

use super::Infer;
use super::env::{Module, Value, ValueKind};

impl Infer<'_> {
    pub(super) fn enter_level(&mut self) {
        self.level += 1;
    }

    pub(super) fn leave_level(&mut self) {
        self.level -= 1;
    }

    /// Makes the variables of `ty` above the current level generic and adds them to `vars`.
    pub(super) fn generalize(&mut self, ty: TypeId, vars: &mut Vec<TypeId>) {
        self.generalize_parts(ty, vars, &mut Walk::default());
    }

    fn generalize_parts(&mut self, ty: TypeId, vars: &mut Vec<TypeId>, walk: &mut Walk<TypeId>) {
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
                if !walk.has_seen(ty) {
                    self.generalize_parts(param, vars, walk);
                    self.generalize_parts(result, vars, walk);
                }
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                if !items.is_empty() && !walk.has_seen(ty) {
                    for item in items.clone() {
                        self.generalize_parts(item, vars, walk);
                    }
                }
            }
            Type::Row(row) => {
                if !row.is_fixed() && row.level != GENERIC && row.level > current {
                    row.level = GENERIC;
                    vars.push(ty);
                } else if self.rigid_rows.get(ty).is_some_and(|&it| it > current) {
                    self.rigid_rows.remove(ty);
                    vars.push(ty);
                }
                let parts = row.types();
                if !walk.has_entered(ty) {
                    parts.into_iter().for_each(|it| self.generalize_parts(it, vars, walk));
                }
            }
        }
    }

    /// Makes the rows in `ty` that belong to an inner level generic, and the other variables those of this level.
    pub(super) fn generalize_rows(&mut self, ty: TypeId, rows: &mut Vec<TypeId>) {
        let current = self.level;
        let mut walk = Walk::default();
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            let ty = self.types.repr(ty);
            if walk.has_seen(ty) {
                continue;
            }
            match &mut self.types.nodes[ty] {
                Type::Var { level, .. } if *level != GENERIC && *level > current => {
                    *level = current
                }
                Type::Row(row)
                    if !row.is_fixed() && row.level != GENERIC && row.level > current =>
                {
                    row.level = GENERIC;
                    rows.push(ty);
                }
                _ => (),
            }
            todo.extend(self.types.parts(ty));
        }
    }

    /// Keeps the variables of `ty` from being generalised at the current level.
    pub(super) fn fix_levels(&mut self, ty: TypeId) {
        self.fix_parts(ty, &mut Walk::default());
    }

    fn fix_parts(&mut self, ty: TypeId, walk: &mut Walk<TypeId>) {
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
                if !walk.has_seen(ty) {
                    self.fix_parts(param, walk);
                    self.fix_parts(result, walk);
                }
            }
            Type::Tuple(items) | Type::Con(_, items) => {
                if !items.is_empty() && !walk.has_seen(ty) {
                    for item in items.clone() {
                        self.fix_parts(item, walk);
                    }
                }
            }
            Type::Row(row) => {
                if row.level != GENERIC && row.level > current {
                    row.level = current;
                }
                let parts = row.types();
                if !walk.has_entered(ty) {
                    parts.into_iter().for_each(|it| self.fix_parts(it, walk));
                }
            }
        }
    }

    /// A fresh instance of a value: its type and the type arguments of its variable.
    pub(super) fn instantiate(&mut self, value: &Value) -> (TypeId, Vec<TypeId>) {
        if value.vars.is_empty() {
            return (value.ty, value.instance.as_ref().map(|it| it.to_vec()).unwrap_or_default());
        }
        let fresh = self.types.fresh_copies(&value.vars, self.level);
        let ty = self.types.substitute(value.ty, &value.vars, &fresh);
        let tyargs = match &value.instance {
            None => fresh,
            Some(instance) => {
                instance.iter().map(|&it| self.types.substitute(it, &value.vars, &fresh)).collect()
            }
        };
        if let ValueKind::Var(var) = value.kind
            && self.relaxed.contains(var)
        {
            self.relaxed_uses.push((var, tyargs.clone()));
        }
        (ty, tyargs)
    }

    /// Is this an expression that makes a value and does nothing else? Its type may be
    /// generalised (the value restriction), and each instance may compute it again.
    pub(super) fn is_value(&self, expr: &tast::Expr) -> bool {
        let all = |items: &[tast::Expr]| items.iter().all(|it| self.is_value(it));
        match &expr.kind {
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Var { .. }
            | ExprKind::Builtin(_)
            | ExprKind::Overloaded(_)
            | ExprKind::Here(_)
            | ExprKind::Lambda { .. }
            | ExprKind::Function { .. }
            | ExprKind::Error(_) => true,
            ExprKind::Tuple(items) | ExprKind::List(items) => all(items),
            ExprKind::Array(items) => items.is_empty(),
            ExprKind::Object { object, .. } => {
                self.types.objects[*object as usize].is_value.is_some()
            }
            ExprKind::Send { .. } => false,
            ExprKind::MakeExn { exn, args } => {
                let record = self.types.exns[*exn].inline_record;
                all(args) && !record.is_some_and(|it| self.has_mutable_field(it))
            }
            ExprKind::Variant { arg, .. } => arg.as_ref().is_none_or(|it| self.is_value(it)),
            ExprKind::Construct { tycon, ctor, args } => {
                all(args) && !self.has_mutable_argument(*tycon, *ctor)
            }
            ExprKind::Record { tycon, fields } => {
                all(fields) && self.fields_of(*tycon).iter().all(|it| !it.mutable)
            }
            ExprKind::RecordWith { base, record, updates } => {
                let fields = match record {
                    RecordRef::Record(tycon) => self.fields_of(*tycon),
                    RecordRef::Inline(_) | RecordRef::Object(_) => return false,
                };
                self.is_value(base)
                    && fields.iter().all(|it| !it.mutable)
                    && updates.iter().all(|it| self.is_value(&it.1))
            }
            // What a method reads of its object may change.
            ExprKind::Field { record: RecordRef::Object(_), .. } => false,
            ExprKind::Field { object, .. } => self.is_value(object),
            ExprKind::Lazy { value, .. } => self.is_value(value),
            ExprKind::Let { bindings, body, .. } => {
                bindings.iter().all(|it| self.is_value(&it.value) || self.is_number(it))
                    && self.is_value(body)
            }
            ExprKind::LetRec { bindings, body } => {
                bindings.iter().all(|it| self.is_value(&it.value)) && self.is_value(body)
            }
            ExprKind::LetItems { items, body } => {
                self.is_value(body)
                    && items.iter().all(|it| match &it.kind {
                        tast::ItemKind::Let(bindings) => {
                            bindings.iter().all(|it| self.is_value(&it.value))
                        }
                        tast::ItemKind::LetRec(bindings) => {
                            bindings.iter().all(|it| self.is_value(&it.value))
                        }
                        tast::ItemKind::Eval(_) => false,
                    })
            }
            ExprKind::If { cond, then, otherwise } => {
                self.is_value(cond)
                    && self.is_value(then)
                    && otherwise.as_ref().is_none_or(|it| self.is_value(it))
            }
            ExprKind::Match { scrutinee, cases, exceptions } => {
                exceptions.is_empty()
                    && self.is_value(scrutinee)
                    && cases.iter().all(|it| {
                        !forces(&it.pattern)
                            && it.guard.as_ref().is_none_or(|it| self.is_value(it))
                            && self.is_value(&it.body)
                    })
            }
            ExprKind::Apply { .. }
            | ExprKind::Try { .. }
            | ExprKind::Sequence(_)
            | ExprKind::While { .. }
            | ExprKind::For { .. }
            | ExprKind::SetField { .. }
            | ExprKind::AssignVar { .. }
            | ExprKind::Assert(_)
            | ExprKind::AssertFalse => false,
        }
    }

    /// Does it bind the number of an object that is a value?
    fn is_number(&self, binding: &tast::Binding) -> bool {
        match binding.pattern.kind {
            PatternKind::Var(var) => self.classes.numbers.contains(var),
            _ => false,
        }
    }

    fn has_mutable_argument(&self, tycon: TyConId, ctor: u32) -> bool {
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return false };
        let record = ctors.get(ctor as usize).and_then(|it| it.inline_record);
        record.is_some_and(|it| self.has_mutable_field(it))
    }

    fn has_mutable_field(&self, record: TyConId) -> bool {
        self.fields_of(record).iter().any(|it| it.mutable)
    }

    /// A type of the standard library's own module.
    pub(super) fn stdlib_type(&self, name: &str) -> Option<TyConId> {
        match &self.stdlib {
            Some(Module::Structure(stdlib)) => stdlib.types.get(&Symbol::new(name)).copied(),
            _ => None,
        }
    }

    pub(super) fn mono_value(&self, kind: ValueKind, ty: TypeId, span: oxbow_base::Span) -> Value {
        Value { kind, vars: Vec::new(), ty, instance: None, span }
    }
}

/// Does matching run code?
fn forces(pattern: &tast::Pattern) -> bool {
    pattern.contains(|it| matches!(it.kind, PatternKind::Lazy { .. }))
}
