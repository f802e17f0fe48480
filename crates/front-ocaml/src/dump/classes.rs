//! Objects, classes and their types as s-expressions.

use oxbow_elab::ast::{
    ClassBody, ClassExpr, ClassExprKind, ClassFieldKind, ClassType, ClassTypeField, ClassTypeKind,
    ObjectTypeExpr, ObjectTypeField,
};

use super::exprs::{argument, binding, expr, param, path, pattern, poly_type, type_expr};
use super::sexp::Sexp;

fn flags(flags: &[(bool, &str)]) -> Vec<Sexp> {
    flags.iter().filter(|it| it.0).map(|it| Sexp::atom(it.1)).collect()
}

pub(super) fn body(body: &ClassBody) -> Sexp {
    let this = body.self_pattern.as_ref().map(|it| Sexp::node("self", [pattern(it)]));
    let fields = body.fields.iter().map(|it| match &it.kind {
        ClassFieldKind::Inherit { class, name, overrides } => {
            let name = name.map(|it| Sexp::atom(it.text.as_str()));
            let parts = flags(&[(*overrides, "!")]).into_iter().chain([class_expr(class)]);
            Sexp::node("inherit", parts.chain(name))
        }
        ClassFieldKind::Val { name, mutable, overrides, ty, value } => {
            let marks = [(*overrides, "!"), (*mutable, "mutable"), (value.is_none(), "virtual")];
            let ty = ty.as_ref().map(|it| Sexp::node(":", [type_expr(it)]));
            let parts = flags(&marks).into_iter().chain([Sexp::atom(name.text.as_str())]);
            Sexp::node("val", parts.chain(ty).chain(value.as_ref().map(expr)))
        }
        ClassFieldKind::Method { name, private, overrides, ty, value } => {
            let marks = [(*overrides, "!"), (*private, "private"), (value.is_none(), "virtual")];
            let ty = ty.as_ref().map(|it| Sexp::node(":", [poly_type(it)]));
            let parts = flags(&marks).into_iter().chain([Sexp::atom(name.text.as_str())]);
            Sexp::node("method", parts.chain(ty).chain(value.as_ref().map(expr)))
        }
        ClassFieldKind::Constraint(left, right) => {
            Sexp::node("constraint", [type_expr(left), type_expr(right)])
        }
        ClassFieldKind::Initializer(value) => Sexp::node("initializer", [expr(value)]),
        ClassFieldKind::Error(_) => Sexp::atom("<error>"),
    });
    Sexp::node("object", this.into_iter().chain(fields))
}

pub(super) fn class_expr(class: &ClassExpr) -> Sexp {
    match &class.kind {
        ClassExprKind::Path(it, args) if args.is_empty() => path(it),
        ClassExprKind::Path(it, args) => {
            Sexp::node("class", std::iter::once(path(it)).chain(args.iter().map(type_expr)))
        }
        ClassExprKind::Body(it) => body(it),
        ClassExprKind::Fun(params, inner) => {
            Sexp::node("fun", [Sexp::list(params.iter().map(param).collect()), class_expr(inner)])
        }
        ClassExprKind::Apply(class, args) => {
            Sexp::node("apply", std::iter::once(class_expr(class)).chain(args.iter().map(argument)))
        }
        ClassExprKind::Let { recursive, bindings, body } => {
            let head = if *recursive { "let-rec" } else { "let" };
            Sexp::node(head, bindings.iter().map(binding).chain([class_expr(body)]))
        }
        ClassExprKind::Open(module, inner) => {
            Sexp::node("open", [super::modules::module_expr(module), class_expr(inner)])
        }
        ClassExprKind::Constraint(class, ty) => {
            Sexp::node(":", [class_expr(class), class_type(ty)])
        }
        ClassExprKind::Error(_) => Sexp::atom("<error>"),
    }
}

pub(super) fn class_type(ty: &ClassType) -> Sexp {
    match &ty.kind {
        ClassTypeKind::Path(it, args) if args.is_empty() => path(it),
        ClassTypeKind::Path(it, args) => {
            Sexp::node("class", std::iter::once(path(it)).chain(args.iter().map(type_expr)))
        }
        ClassTypeKind::Arrow(_, param, result) => {
            Sexp::chain("->", [type_expr(param), class_type(result)])
        }
        ClassTypeKind::Open(module, inner) => {
            Sexp::node("open", [super::modules::module_expr(module), class_type(inner)])
        }
        ClassTypeKind::Body { self_type, fields } => {
            let this = self_type.as_ref().map(|it| Sexp::node("self", [type_expr(it)]));
            Sexp::node("object", this.into_iter().chain(fields.iter().map(class_type_field)))
        }
        ClassTypeKind::Error(_) => Sexp::atom("<error>"),
    }
}

fn class_type_field(field: &ClassTypeField) -> Sexp {
    match field {
        ClassTypeField::Inherit(ty) => Sexp::node("inherit", [class_type(ty)]),
        ClassTypeField::Val { name, mutable, is_virtual, ty } => {
            let marks = flags(&[(*mutable, "mutable"), (*is_virtual, "virtual")]);
            let name = Sexp::atom(name.text.as_str());
            Sexp::node("val", marks.into_iter().chain([name, type_expr(ty)]))
        }
        ClassTypeField::Method { name, private, is_virtual, ty } => {
            let marks = flags(&[(*private, "private"), (*is_virtual, "virtual")]);
            let name = Sexp::atom(name.text.as_str());
            Sexp::node("method", marks.into_iter().chain([name, poly_type(ty)]))
        }
        ClassTypeField::Constraint(left, right) => {
            Sexp::node("constraint", [type_expr(left), type_expr(right)])
        }
        ClassTypeField::Error(_) => Sexp::atom("<error>"),
    }
}

pub(super) fn object_type(object: &ObjectTypeExpr) -> Sexp {
    let fields = object.fields.iter().map(|it| match it {
        ObjectTypeField::Method(name, ty) => {
            Sexp::list(vec![Sexp::atom(name.text.as_str()), poly_type(ty)])
        }
        ObjectTypeField::Inherit(ty) => type_expr(ty),
    });
    Sexp::node("object-type", fields.chain(object.open.then(|| Sexp::atom(".."))))
}
