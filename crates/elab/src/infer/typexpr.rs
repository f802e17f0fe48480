//! Type expressions to types.

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;

use crate::ast::{self, ArgLabel, TypeExpr, TypeExprKind};
use crate::types::{GENERIC, Label, Type, TypeId};

use super::Infer;
use super::env::Env;

/// What an unknown `'a` means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Vars {
    /// A unification variable shared by the whole top-level item.
    Shared,
    /// An error: in a type declaration all variables are parameters.
    Declared,
    /// A variable of the constructor that is declared.
    Constructor,
}

impl Infer<'_> {
    pub(super) fn type_expr(&mut self, env: &Env, expr: &TypeExpr, vars: Vars) -> TypeId {
        match &expr.kind {
            TypeExprKind::Any if vars == Vars::Constructor => {
                self.types.add(Type::Var { level: GENERIC, name: None })
            }
            TypeExprKind::Any => self.fresh(),
            TypeExprKind::Var(name) => {
                if let Some(&ty) = self.tyvars.get(&name.text) {
                    return ty;
                }
                if vars == Vars::Declared {
                    self.diagnostics.error(
                        Diagnostic::error(
                            "E0105",
                            format!("unbound type parameter `'{}`", name.text),
                        )
                        .at(expr.span, "not a parameter of this type")
                        .help(format!(
                            "add it to the left of the type's name: `type '{} …`",
                            name.text
                        )),
                    );
                    return self.builtins.error;
                }
                // Shared by the item, so of the item's level.
                let level = if vars == Vars::Constructor { GENERIC } else { self.item_level() };
                let ty = self.types.add(Type::Var { level, name: Some(name.text) });
                self.tyvars.insert(name.text, ty);
                ty
            }
            TypeExprKind::Arrow(label, param, result) => {
                let mut param = self.type_expr(env, param, vars);
                let result = self.type_expr(env, result, vars);
                let label = match label {
                    ArgLabel::None => Label::None,
                    ArgLabel::Labelled(name) => Label::Labelled(name.text),
                    ArgLabel::Optional(name) => {
                        param = self.option_of(param);
                        Label::Optional(name.text)
                    }
                };
                self.arrow(label, param, result)
            }
            TypeExprKind::Tuple(items) => {
                let items = items.iter().map(|it| self.type_expr(env, it, vars)).collect();
                self.types.add(Type::Tuple(items))
            }
            TypeExprKind::LabelledTuple(items) => self.labelled_type(env, items, expr.span, vars),
            TypeExprKind::Constr(path, args) => {
                let written = args;
                let is_any = matches!(&args[..], [TypeExpr { kind: TypeExprKind::Any, .. }]);
                let mut args: Vec<_> =
                    args.iter().map(|it| self.type_expr(env, it, vars)).collect();
                let Ok(tycon) = self.lookup_type(env, path) else { return self.builtins.error };
                let tycon = self.with_arity(tycon, path, args.len());
                if self.is_clef()
                    && let Some(ty) = self.with_units(env, tycon, (written, &args), (expr, vars))
                {
                    return ty;
                }
                let it = &self.types.tycons[tycon];
                let wanted = it.forms.as_ref().map_or(it.params.len(), Vec::len);
                // `_ t` leaves all arguments open.
                if is_any && wanted > 1 {
                    let any = TypeExpr { kind: TypeExprKind::Any, span: expr.span };
                    args.resize_with(wanted, || self.type_expr(env, &any, vars));
                }
                if wanted != args.len() {
                    let count = |n: usize| {
                        if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") }
                    };
                    self.diagnostics.error(
                        Diagnostic::error(
                            "E0106",
                            format!(
                                "type `{}` takes {}, but {} are given",
                                path.name.text,
                                count(wanted),
                                args.len()
                            ),
                        )
                        .at(expr.span, ""),
                    );
                    return self.builtins.error;
                }
                if self.types.tycons[tycon].forms.is_some() {
                    return self.constrained(tycon, &args, expr.span);
                }
                self.check_row_params(tycon, &args, expr.span);
                self.mention_in_group(tycon, &args, expr.span);
                self.types.add(Type::Con(tycon, args))
            }
            TypeExprKind::Alias(inner, name) => self.alias_type(env, inner, *name, vars),
            TypeExprKind::Variant(row) => self.row_type(env, row, vars),
            TypeExprKind::VariantType(path, args) => {
                self.bounded_by(env, path, args, expr.span, vars)
            }
            TypeExprKind::Package(package) => self.package_type(env, package, vars),
            TypeExprKind::Object(object) => self.object_type(env, object, vars),
            TypeExprKind::Unit(_) => self.unit_expr(env, expr, vars),
            TypeExprKind::RootClass(class) => {
                let class = self.type_expr(env, class, vars);
                self.root_class(class)
            }
            TypeExprKind::Error(_) => self.builtins.error,
        }
    }

    /// The level of type variables that the user names: the outermost of the item.
    fn item_level(&self) -> u32 {
        self.named_level
    }

    pub(super) fn option_of(&mut self, ty: TypeId) -> TypeId {
        let option = self.builtins.option;
        self.types.add(Type::Con(option, vec![ty]))
    }

    pub(super) fn list_of(&mut self, ty: TypeId) -> TypeId {
        let list = self.builtins.list;
        self.types.add(Type::Con(list, vec![ty]))
    }
}

/// Does `_` stand in a type?
pub(super) fn has_wildcard(ty: &ast::TypeExpr) -> bool {
    match &ty.kind {
        TypeExprKind::Any => true,
        TypeExprKind::Alias(inner, _) | TypeExprKind::RootClass(inner) => has_wildcard(inner),
        TypeExprKind::Arrow(_, param, result) => has_wildcard(param) || has_wildcard(result),
        TypeExprKind::Tuple(items)
        | TypeExprKind::Constr(_, items)
        | TypeExprKind::VariantType(_, items) => items.iter().any(has_wildcard),
        TypeExprKind::LabelledTuple(items) => items.iter().any(|it| has_wildcard(&it.1)),
        TypeExprKind::Package(package) => package.types.iter().any(|it| has_wildcard(&it.1)),
        TypeExprKind::Object(object) => object.fields.iter().any(|it| has_wildcard(it.ty())),
        TypeExprKind::Unit(factors) => factors.iter().any(|it| has_wildcard(&it.0)),
        TypeExprKind::Var(_) | TypeExprKind::Variant(_) | TypeExprKind::Error(_) => false,
    }
}

/// The names that `as` gives to parts of a type.
pub(super) fn alias_names(ty: &ast::TypeExpr, names: &mut Vec<Symbol>) {
    match &ty.kind {
        TypeExprKind::Alias(inner, name) => {
            names.push(name.text);
            alias_names(inner, names);
        }
        TypeExprKind::Arrow(_, param, result) => {
            alias_names(param, names);
            alias_names(result, names);
        }
        TypeExprKind::Tuple(items)
        | TypeExprKind::Constr(_, items)
        | TypeExprKind::VariantType(_, items) => {
            items.iter().for_each(|it| alias_names(it, names));
        }
        TypeExprKind::LabelledTuple(items) => {
            items.iter().for_each(|it| alias_names(&it.1, names));
        }
        TypeExprKind::Package(package) => {
            package.types.iter().for_each(|it| alias_names(&it.1, names));
        }
        TypeExprKind::Object(object) => {
            object.fields.iter().for_each(|it| alias_names(it.ty(), names));
        }
        TypeExprKind::RootClass(inner) => alias_names(inner, names),
        TypeExprKind::Any
        | TypeExprKind::Var(_)
        | TypeExprKind::Variant(_)
        | TypeExprKind::Unit(_)
        | TypeExprKind::Error(_) => (),
    }
}
