//! Names of classes: `new c`, and what `inherit` finds.

use std::rc::Rc;

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ClassExprKind};
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

    /// `class d = c a`, where `c` takes more: `d` takes what is left.
    pub(super) fn with_all_parameters(
        &mut self,
        env: &Env,
        name: Symbol,
        class: &ast::ClassExpr,
    ) -> ast::ClassExpr {
        let kind = match &class.kind {
            ClassExprKind::Fun(params, inner) => {
                let inner = self.with_all_parameters(env, name, inner);
                ClassExprKind::Fun(params.clone(), Box::new(inner))
            }
            ClassExprKind::Constraint(inner, ty) => {
                let inner = self.with_all_parameters(env, name, inner);
                ClassExprKind::Constraint(Box::new(inner), ty.clone())
            }
            ClassExprKind::Let { recursive, bindings, body } => {
                let body = Box::new(self.with_all_parameters(env, name, body));
                ClassExprKind::Let { recursive: *recursive, bindings: bindings.clone(), body }
            }
            ClassExprKind::Apply(inner, args) => {
                let left = match &inner.kind {
                    ClassExprKind::Path(path, _) => self.parameters_left(env, path, args),
                    _ => Vec::new(),
                };
                if left.is_empty() {
                    return class.clone();
                }
                let span = class.span;
                let (mut params, mut args) = (Vec::new(), args.clone());
                for (at, label) in left.into_iter().enumerate() {
                    let text = Made::Of(name, Symbol::new(&at.to_string())).symbol();
                    let name = ast::Name { text, span };
                    let (label, given) = match label {
                        ast::ParamLabel::Labelled(it) => {
                            (ast::ParamLabel::Labelled(it), ast::ArgLabel::Labelled(it))
                        }
                        ast::ParamLabel::Optional(it, _) => {
                            (ast::ParamLabel::Optional(it, None), ast::ArgLabel::Optional(it))
                        }
                        other => (other, ast::ArgLabel::None),
                    };
                    let kind = ast::PatternKind::Var(name);
                    let pattern = ast::Pattern { kind, span };
                    params.push(ast::Param { label, pattern, span });
                    let kind = ast::ExprKind::Ident(ast::Path { prefix: None, name });
                    args.push((given, ast::Expr { kind, span, attributes: Vec::new() }));
                }
                let kind = ClassExprKind::Apply(inner.clone(), args);
                ClassExprKind::Fun(params, Box::new(ast::ClassExpr { kind, span }))
            }
            ClassExprKind::Open(..)
            | ClassExprKind::Path(..)
            | ClassExprKind::Body(_)
            | ClassExprKind::Error(_) => return class.clone(),
        };
        ast::ClassExpr { kind, span: class.span }
    }

    /// The parameters of a class that these arguments leave open: an optional one is left out before an argument
    /// without a label.
    fn parameters_left(
        &mut self,
        env: &Env,
        path: &ast::Path,
        args: &[(ast::ArgLabel, ast::Expr)],
    ) -> Vec<ast::ParamLabel> {
        let Some(info) = self.find_class(env, path) else { return Vec::new() };
        let ClassExprKind::Fun(params, _) = &info.body.kind else { return Vec::new() };
        let unlabelled = args.iter().all(|it| it.0 == ast::ArgLabel::None);
        let wanted = params.iter().filter(|it| !matches!(it.label, ast::ParamLabel::Newtype(_)));
        if unlabelled && args.len() >= wanted.clone().count() {
            return Vec::new();
        }
        let mut args: Vec<ast::ArgLabel> = args.iter().map(|it| it.0).collect();
        let mut left = Vec::new();
        for param in wanted {
            let label = match &param.label {
                ast::ParamLabel::Labelled(name) | ast::ParamLabel::Optional(name, _) => {
                    Some(name.text)
                }
                ast::ParamLabel::None | ast::ParamLabel::Newtype(_) => None,
            };
            let found = args.iter().position(|it| match it {
                ast::ArgLabel::None => label.is_none(),
                ast::ArgLabel::Labelled(name) | ast::ArgLabel::Optional(name) => {
                    Some(name.text) == label
                }
            });
            let is_left_out = matches!(param.label, ast::ParamLabel::Optional(..))
                && args.contains(&ast::ArgLabel::None);
            match found {
                Some(at) => drop(args.remove(at)),
                None if is_left_out => (),
                None => left.push(param.label.clone()),
            }
        }
        left
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
