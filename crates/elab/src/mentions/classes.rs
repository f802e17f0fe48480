//! What classes and their types mention.

use super::Walk;
use crate::ast::{
    ClassBody, ClassExpr, ClassExprKind, ClassFieldKind, ClassType, ClassTypeField, ClassTypeKind,
};

impl Walk {
    pub(super) fn class_expr(&mut self, class: &ClassExpr) {
        match &class.kind {
            ClassExprKind::Path(path, args) => {
                self.path(path);
                args.iter().for_each(|it| self.type_expr(it));
            }
            ClassExprKind::Body(body) => self.class_body(body),
            ClassExprKind::Fun(params, body) => {
                self.params(params);
                self.class_expr(body);
            }
            ClassExprKind::Apply(class, args) => {
                self.class_expr(class);
                args.iter().for_each(|(_, it)| self.expr(it));
            }
            ClassExprKind::Let { bindings, body, .. } => {
                self.bindings(bindings);
                self.class_expr(body);
            }
            ClassExprKind::Open(module, body) => {
                self.opened(module);
                self.module_expr(module);
                self.class_expr(body);
            }
            ClassExprKind::Constraint(class, ty) => {
                self.class_expr(class);
                self.class_type(ty);
            }
            ClassExprKind::Error(_) => (),
        }
    }

    pub(super) fn class_body(&mut self, body: &ClassBody) {
        body.self_pattern.iter().for_each(|it| self.pattern(it));
        for field in &body.fields {
            match &field.kind {
                ClassFieldKind::Inherit { class, .. } => self.class_expr(class),
                ClassFieldKind::Val { ty, value, .. } => {
                    ty.iter().for_each(|it| self.type_expr(it));
                    value.iter().for_each(|it| self.expr(it));
                }
                ClassFieldKind::Method { ty, value, .. } => {
                    ty.iter().for_each(|it| self.type_expr(&it.ty));
                    value.iter().for_each(|it| self.expr(it));
                }
                ClassFieldKind::Constraint(left, right) => {
                    [left, right].into_iter().for_each(|it| self.type_expr(it));
                }
                ClassFieldKind::Initializer(value) => self.expr(value),
                ClassFieldKind::Error(_) => (),
            }
        }
    }

    pub(super) fn class_type(&mut self, ty: &ClassType) {
        match &ty.kind {
            ClassTypeKind::Path(path, args) => {
                self.path(path);
                args.iter().for_each(|it| self.type_expr(it));
            }
            ClassTypeKind::Arrow(_, param, result) => {
                self.type_expr(param);
                self.class_type(result);
            }
            ClassTypeKind::Open(module, ty) => {
                self.opened(module);
                self.module_expr(module);
                self.class_type(ty);
            }
            ClassTypeKind::Body { self_type, fields } => {
                self_type.iter().for_each(|it| self.type_expr(it));
                for field in fields {
                    match field {
                        ClassTypeField::Inherit(ty) => self.class_type(ty),
                        ClassTypeField::Val { ty, .. } => self.type_expr(ty),
                        ClassTypeField::Method { ty, .. } => self.type_expr(&ty.ty),
                        ClassTypeField::Constraint(left, right) => {
                            [left, right].into_iter().for_each(|it| self.type_expr(it));
                        }
                        ClassTypeField::Error(_) => (),
                    }
                }
            }
            ClassTypeKind::Error(_) => (),
        }
    }
}
