//! `method m : type a. t = e`, by what it stands for.
//!
//! ```text
//! method m : type a. a t -> a = e        method m : 'a. 'a t -> 'a = fun (type a) -> (e : a t -> a)
//! ```

use oxbow_elab::ast::{
    Expr, ExprKind, Name, ObjectTypeField, Param, ParamLabel, Pattern, PatternKind, PolyType,
    RowField, TypeExpr, TypeExprKind,
};

use super::expr::make_expr;

/// The method with variables in place of its locally abstract types.
pub(super) fn without_abstract_types(value: Expr, poly: PolyType) -> (Expr, PolyType) {
    if !poly.locally_abstract {
        return (value, poly);
    }
    let PolyType { vars, mut ty, .. } = poly;
    let span = value.span;
    let params = vars.iter().map(|&name| Param {
        label: ParamLabel::Newtype(name),
        pattern: Pattern { kind: PatternKind::Any, span: name.span },
        span: name.span,
    });
    let annotated = make_expr(ExprKind::Annotate(Box::new(value), ty.clone()), span);
    let value = make_expr(ExprKind::Fun(params.collect(), None, Box::new(annotated)), span);
    to_variables(&mut ty, &vars);
    (value, PolyType { vars, locally_abstract: false, ty })
}

/// Writes `'a` for `a`.
fn to_variables(ty: &mut TypeExpr, names: &[Name]) {
    let all = |types: &mut [TypeExpr]| types.iter_mut().for_each(|it| to_variables(it, names));
    match &mut ty.kind {
        TypeExprKind::Any | TypeExprKind::Var(_) | TypeExprKind::Error(_) => (),
        TypeExprKind::Constr(path, args) => {
            all(args);
            let is_one = path.prefix.is_none() && names.iter().any(|it| it.text == path.name.text);
            if is_one && args.is_empty() {
                ty.kind = TypeExprKind::Var(path.name);
            }
        }
        TypeExprKind::Arrow(_, param, result) => {
            to_variables(param, names);
            to_variables(result, names);
        }
        TypeExprKind::Tuple(items) => all(items),
        TypeExprKind::LabelledTuple(items) => {
            items.iter_mut().for_each(|it| to_variables(&mut it.1, names));
        }
        TypeExprKind::Alias(inner, _) | TypeExprKind::RootClass(inner) => {
            to_variables(inner, names);
        }
        TypeExprKind::VariantType(_, args) => all(args),
        TypeExprKind::Variant(row) => {
            for field in &mut row.fields {
                match field {
                    RowField::Tag { types, .. } => all(types),
                    RowField::Inherit(ty) => to_variables(ty, names),
                }
            }
        }
        TypeExprKind::Package(package) => {
            package.types.iter_mut().for_each(|it| to_variables(&mut it.1, names));
        }
        TypeExprKind::Object(object) => {
            for field in &mut object.fields {
                match field {
                    ObjectTypeField::Method(_, poly) => to_variables(&mut poly.ty, names),
                    ObjectTypeField::Inherit(ty) => to_variables(ty, names),
                }
            }
        }
        TypeExprKind::Unit(factors) => {
            factors.iter_mut().for_each(|it| to_variables(&mut it.0, names));
        }
    }
}
