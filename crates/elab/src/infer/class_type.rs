//! Class types: `class type c = object … end`, and classes in signatures.
//!
//! A class type is the type of its objects here. What it says of instance variables and private methods concerns
//! classes that inherit, and those are made of the class itself.

use oxbow_base::Symbol;

use crate::ast::{self, ArgLabel, ClassDecl, ClassType, ClassTypeField, ClassTypeKind};
use crate::types::{Label, Row, Tag, Type, TypeId};

use super::class::class_symbol;
use super::env::{Env, Structure, Value, ValueKind};
use super::typexpr::Vars;
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn class_type_decls(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        decls: &[ClassDecl<ClassType>],
    ) {
        self.described(env, structure, decls, false);
    }

    /// `class c : ct` in a signature.
    pub(super) fn class_descriptions(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        decls: &[ClassDecl<ClassType>],
    ) {
        self.described(env, structure, decls, true);
    }

    fn described(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        decls: &[ClassDecl<ClassType>],
        are_classes: bool,
    ) {
        let saved = (std::mem::take(&mut self.tyvars), self.named_level);
        self.enter_level();
        self.named_level = self.level;
        let mut group = Vec::new();
        for decl in decls {
            let (tycon, row) = self.class_tycon(env, decl);
            group.push((decl, tycon, row));
        }
        self.classes.pending.extend(group.iter().map(|it| it.1));
        let groups = self.classes.group.len();
        self.classes.group.extend(group.iter().map(|it| it.1));
        let mut makers = Vec::new();
        for &(decl, tycon, row) in &group {
            self.tyvars.clear();
            let params = self.types.tycons[tycon].params.clone();
            for (param, &ty) in decl.params.iter().zip(&params) {
                if let Some(name) = param.name {
                    self.tyvars.insert(name.text, ty);
                }
            }
            let named = self.types.add(Type::Con(tycon, params));
            let made = self.class_arrows(env, &decl.body, (row, named));
            makers.push(self.maker_type(made));
            self.classes.pending.retain(|it| *it != tycon);
        }
        self.classes.group.truncate(groups);
        self.leave_level();
        (self.tyvars, self.named_level) = saved;
        let mut vars = Vec::new();
        for &(_, tycon, row) in &group {
            for param in self.types.tycons[tycon].params.clone() {
                self.generalize(param, &mut vars);
            }
            self.generalize(row, &mut vars);
            self.types.forget_expansions(row);
        }
        for (&(decl, tycon, _), ty) in group.iter().zip(makers) {
            let name = decl.name.text;
            structure.types.insert(name, tycon);
            let mut told = Vec::new();
            self.told_by(env, &decl.body, &mut told);
            self.classes.tycons.insert(tycon, told.into());
            if are_classes {
                let mut vars = vars.clone();
                self.generalize(ty, &mut vars);
                let (kind, span) = (ValueKind::Declared, decl.name.span);
                let value = Value { kind, vars, ty, instance: None, span };
                env.add_value(class_symbol(name), value.clone());
                structure.values.insert(class_symbol(name), value);
            }
        }
    }

    /// The instance variables and private methods that a class type tells of.
    fn told_by(&mut self, env: &Env, ty: &ClassType, told: &mut Vec<Symbol>) {
        match &ty.kind {
            ClassTypeKind::Arrow(_, _, result) => self.told_by(env, result, told),
            ClassTypeKind::Open(module, inner) => {
                let before = self.diagnostics.mark();
                let scope = self.opened_in_class(env, module);
                // A module that is unknown has been reported with the methods.
                self.diagnostics.rollback(before);
                self.told_by(&scope, inner, told);
            }
            ClassTypeKind::Body { fields, .. } => {
                for field in fields {
                    match field {
                        ClassTypeField::Inherit(inner) => self.told_by(env, inner, told),
                        ClassTypeField::Val { name, .. }
                        | ClassTypeField::Method { name, private: true, .. } => {
                            told.push(name.text);
                        }
                        ClassTypeField::Method { .. }
                        | ClassTypeField::Constraint(..)
                        | ClassTypeField::Error(_) => (),
                    }
                }
            }
            ClassTypeKind::Path(path, _) => {
                let known = env.ty(path.name.text).filter(|_| path.prefix.is_none());
                if let Some(names) = known.and_then(|it| self.classes.tycons.get(it)) {
                    told.extend(names.iter());
                }
            }
            ClassTypeKind::Error(_) => (),
        }
    }

    /// The type of what makes objects; the row gets the methods.
    fn class_arrows(
        &mut self,
        env: &Env,
        ty: &ClassType,
        (row, named): (TypeId, TypeId),
    ) -> TypeId {
        if let ClassTypeKind::Arrow(label, param, result) = &ty.kind {
            let mut param = self.type_expr(env, param, Vars::Shared);
            let label = match label {
                ArgLabel::None => Label::None,
                ArgLabel::Labelled(name) => Label::Labelled(name.text),
                ArgLabel::Optional(name) => {
                    param = self.option_of(param);
                    Label::Optional(name.text)
                }
            };
            let result = self.class_arrows(env, result, (row, named));
            return self.arrow(label, param, result);
        }
        if let ClassTypeKind::Open(module, inner) = &ty.kind {
            let scope = self.opened_in_class(env, module);
            return self.class_arrows(&scope, inner, (row, named));
        }
        let level = self.level;
        let empty = Row { object: true, tags: Vec::new(), closed: true, level, name: None };
        let mut methods = empty;
        self.class_type_methods(env, ty, row, &mut methods);
        self.types.nodes[row] = Type::Row(Box::new(methods));
        named
    }

    /// A class type as a type of its own.
    pub(super) fn class_type_as_type(&mut self, env: &Env, ty: &ClassType) -> TypeId {
        let row = self.add_object_row(Vec::new(), true);
        self.class_arrows(env, ty, (row, row))
    }

    fn class_type_methods(&mut self, env: &Env, ty: &ClassType, this: TypeId, row: &mut Row) {
        match &ty.kind {
            ClassTypeKind::Path(path, args) => {
                let kind = ast::TypeExprKind::Constr(path.clone(), args.clone());
                let named = ast::TypeExpr { kind, span: ty.span };
                let named = self.type_expr(env, &named, Vars::Shared);
                if let Type::Con(tycon, _) = *self.types.get(named)
                    && self.check_inheritable(tycon, path.name.text, ty.span).is_err()
                {
                    return;
                }
                let Some((at, of)) = self.object_row(named) else {
                    return self.not_an_object(named, ty.span);
                };
                // What is the type itself there is this type here.
                let of = of.map(|it| self.types.substitute(it, &[at], &[this]));
                for (name, tag) in of.tags {
                    self.class_type_method(row, name, tag, ty.span);
                }
            }
            ClassTypeKind::Body { self_type, fields } => {
                if let Some(ast::TypeExpr { kind: ast::TypeExprKind::Var(name), .. }) = self_type {
                    self.tyvars.insert(name.text, this);
                }
                for field in fields {
                    match field {
                        ClassTypeField::Inherit(inner) => {
                            self.class_type_methods(env, inner, this, row);
                        }
                        ClassTypeField::Method { name, private: false, ty, .. } => {
                            let tag = self.method_tag(env, ty, Vars::Shared);
                            self.class_type_method(row, name.text, tag, name.span);
                        }
                        ClassTypeField::Val { ty, .. } => {
                            self.type_expr(env, ty, Vars::Shared);
                        }
                        ClassTypeField::Constraint(left, right) => {
                            let wanted = self.type_expr(env, left, Vars::Shared);
                            let found = self.type_expr(env, right, Vars::Shared);
                            self.expect(Expect::plain(wanted), found, right.span);
                        }
                        ClassTypeField::Method { .. } | ClassTypeField::Error(_) => (),
                    }
                }
            }
            ClassTypeKind::Open(module, inner) => {
                let scope = self.opened_in_class(env, module);
                self.class_type_methods(&scope, inner, this, row);
            }
            ClassTypeKind::Arrow(..) => {
                self.not_supported(ty.span, "a class type with parameters in the place of objects");
            }
            ClassTypeKind::Error(_) => (),
        }
    }

    fn class_type_method(&mut self, row: &mut Row, name: Symbol, tag: Tag, span: oxbow_base::Span) {
        if let Some(known) = row.find(name).cloned() {
            if self.same_method(&known, &tag).is_err() {
                let wanted = known.types().first().copied().unwrap_or(self.builtins.error);
                let found = tag.types().first().copied().unwrap_or(self.builtins.error);
                self.expect(Expect::plain(wanted), found, span);
            }
            return;
        }
        row.add(name, tag);
    }
}
