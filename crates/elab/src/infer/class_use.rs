//! Names of classes: `new c`, and what `inherit` finds.

use std::rc::Rc;

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast;
use crate::tast;
use crate::types::{TyConId, Type, TypeId};

use super::class::{ClassInfo, FoundClass, class_symbol, no_parameters};
use super::env::{Env, Sort, Value, ValueKind};
use super::suggest::nearest;
use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn find_class_value(&mut self, env: &Env, path: &ast::Path) -> Option<Value> {
        let name = class_symbol(path.name.text);
        match &path.prefix {
            None => {
                self.use_name(env, Sort::Value, name);
                env.value(name).cloned()
            }
            Some(prefix) => {
                let structure = self.prefix_structure(env, prefix).ok()?;
                structure.values.get(&name).cloned()
            }
        }
    }

    pub(super) fn find_class(&mut self, env: &Env, path: &ast::Path) -> Option<Rc<ClassInfo>> {
        match self.find_class_value(env, path)?.kind {
            ValueKind::Var(var) => self.classes.known.get(var).cloned(),
            _ => None,
        }
    }

    pub(super) fn unbound_class(&mut self, env: &Env, path: &ast::Path) {
        let name = path.name.text;
        if let Some(tycon) = self.type_of_class(env, path) {
            let (what, help) = match self.classes.tycons.contains(tycon) {
                true => ("class type", "it says what objects look like, and makes none"),
                false => ("type", "a class is defined by `class`"),
            };
            let text = format!("`{name}` is a {what}, and no class");
            self.diagnostics.error(Diagnostic::error("E0195", text).at(path.span(), help));
            return;
        }
        let mut report = Diagnostic::error("E0195", format!("unbound class `{name}`"))
            .at(path.span(), "not found in this scope");
        let names: Vec<Symbol> = match &path.prefix {
            None => env.value_names().collect(),
            Some(prefix) => match self.prefix_structure(env, prefix) {
                Ok(structure) => structure.values.keys().copied().collect(),
                // That is reported.
                Err(_) => return,
            },
        };
        let classes = names.iter().filter_map(|it| match it.origin() {
            Some(Made::Class(name)) => Some(name),
            _ => None,
        });
        if let Some(near) = nearest(name, classes) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.error(report);
    }

    /// The class that `inherit` names.
    pub(super) fn lookup_class(&mut self, env: &Env, path: &ast::Path) -> Option<FoundClass> {
        let Some(value) = self.find_class_value(env, path) else {
            self.unbound_class(env, path);
            return None;
        };
        match value.kind {
            ValueKind::Var(var) if self.classes.known.contains(var) => {
                self.classes.known.get(var).cloned().map(FoundClass::Whole)
            }
            _ => self.type_of_class(env, path).map(FoundClass::Described),
        }
    }

    /// The type that comes with a class.
    pub(super) fn type_of_class(&mut self, env: &Env, path: &ast::Path) -> Option<TyConId> {
        match &path.prefix {
            None => env.ty(path.name.text),
            Some(prefix) => {
                let structure = self.prefix_structure(env, prefix).ok()?;
                structure.types.get(&path.name.text).copied()
            }
        }
    }

    /// The type parameters of an inherited class, as names of types.
    pub(super) fn class_params(&mut self, info: &ClassInfo, types: &[(TypeId, Span)], span: Span) {
        if types.len() != info.params.len() {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0106",
                    match (info.params.len(), types.len()) {
                        (1, given) => {
                            format!("the class takes 1 type in brackets, but {given} are given")
                        }
                        (taken, given) => format!(
                            "the class takes {taken} types in brackets, but {given} are given"
                        ),
                    },
                )
                .at(span, "")
                .label(info.span, "declared here"),
            );
        }
        for (at, param) in info.params.iter().enumerate() {
            let ty = match types.get(at) {
                Some(&(ty, _)) => ty,
                None => self.fresh(),
            };
            if let Some(name) = param.name {
                self.tyvars.insert(name.text, ty);
            }
        }
    }

    /// `new c`
    pub(super) fn new_object(
        &mut self,
        env: &Env,
        path: &ast::Path,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let Some(value) = self.find_class_value(env, path) else {
            self.unbound_class(env, path);
            return self.failed(span);
        };
        if let ValueKind::Var(var) = value.kind
            && let Some(info) = self.classes.known.get(var)
            && info.is_virtual
        {
            let mut report = Diagnostic::error(
                "E0192",
                format!("the class `{}` is virtual and has no objects", path.name.text),
            )
            .at(span, "an object would lack methods");
            if info.span.file == span.file {
                report = report.label(info.span, "declared here");
            }
            report = report.help("inherit from it, and define what it declares");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        }
        let func = self.value_expr(&value, span);
        match *self.types.get(func.ty) {
            Type::Arrow(label, unit, result) if label == no_parameters() => {
                let args = vec![tast::Expr { kind: tast::ExprKind::Unit, ty: unit, span }];
                let kind = tast::ExprKind::Apply { func: Box::new(func), args };
                self.node(kind, result, span, expect)
            }
            _ => {
                let ty = func.ty;
                self.node(func.kind, ty, span, expect)
            }
        }
    }
}
