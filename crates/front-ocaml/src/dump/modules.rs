//! Items, declarations and modules as s-expressions.

use oxbow_elab::ast::{
    ClassDecl, ConstructorArgs, ConstructorResult, ExceptionDecl, External, FieldDecl,
    FunctorParam, Item, ItemKind, ModuleExpr, ModuleExprKind, ModuleType, ModuleTypeKind, Name,
    PackageType, Passing, SigItem, SigItemKind, TypeDecl, TypeDeclKind, TypeExtension, TypeParam,
    WithConstraint,
};

use super::classes::{class_expr, class_type};
use super::exprs::{attribute, binding, expr, module_path_text, path, poly_type, type_expr};
use super::sexp::Sexp;

fn name(name: &Name) -> Sexp {
    Sexp::atom(name.text.as_str())
}

pub(super) fn item(item: &Item) -> Sexp {
    match &item.kind {
        ItemKind::Let { recursive, bindings } => {
            Sexp::node(if *recursive { "let-rec" } else { "let" }, bindings.iter().map(binding))
        }
        ItemKind::Eval(value) => Sexp::node("eval", [expr(value)]),
        ItemKind::External(it) => external(it),
        ItemKind::Type { recursive, decls } => type_decls(*recursive, decls),
        ItemKind::Exception(decl) => Sexp::node("exception", [exception(decl)]),
        ItemKind::Extend(it) => extension(it),
        ItemKind::Module { name: it, body } => Sexp::node("module", [name(it), module_expr(body)]),
        ItemKind::RecModules(modules) => Sexp::node(
            "module-rec",
            modules.iter().map(|it| {
                Sexp::list(vec![name(&it.name), module_type(&it.ty), module_expr(&it.body)])
            }),
        ),
        ItemKind::ModuleType { name: it, body } => Sexp::node(
            "module-type",
            std::iter::once(name(it)).chain(body.as_ref().map(module_type)),
        ),
        ItemKind::Open(module) => Sexp::node("open", [module_expr(module)]),
        ItemKind::Include(module) => Sexp::node("include", [module_expr(module)]),
        ItemKind::Attribute(it) => Sexp::node("attribute", [attribute(it)]),
        ItemKind::Class(decls) => {
            Sexp::node("class", decls.iter().map(|it| class_decl(it, class_expr)))
        }
        ItemKind::ClassType(decls) => {
            Sexp::node("class-type", decls.iter().map(|it| class_decl(it, class_type)))
        }
        ItemKind::Members(groups) => Sexp::node(
            "members",
            groups.iter().flat_map(|it| &it.members).map(|it| {
                Sexp::list(vec![
                    Sexp::atom(it.name.text.as_str()),
                    super::exprs::expr(&it.binding.value),
                ])
            }),
        ),
        ItemKind::Error(_) | ItemKind::Broken(_) => Sexp::atom("<error>"),
    }
}

pub(super) fn sig_item(item: &SigItem) -> Sexp {
    match &item.kind {
        SigItemKind::Value { name: it, ty } => Sexp::node("val", [name(it), type_expr(ty)]),
        SigItemKind::External(it) => external(it),
        SigItemKind::Type { recursive, decls } => type_decls(*recursive, decls),
        SigItemKind::Exception(decl) => Sexp::node("exception", [exception(decl)]),
        SigItemKind::Extend(it) => extension(it),
        SigItemKind::Module { name: it, ty } => Sexp::node("module", [name(it), module_type(ty)]),
        SigItemKind::RecModules(modules) => Sexp::node(
            "module-rec",
            modules.iter().map(|(it, ty)| Sexp::list(vec![name(it), module_type(ty)])),
        ),
        SigItemKind::ModuleAlias { name: it, target } => {
            Sexp::node("module-alias", [name(it), Sexp::atom(module_path_text(target))])
        }
        SigItemKind::ModuleType { name: it, body } => Sexp::node(
            "module-type",
            std::iter::once(name(it)).chain(body.as_ref().map(module_type)),
        ),
        SigItemKind::Open(module) => Sexp::node("open", [Sexp::atom(module_path_text(module))]),
        SigItemKind::Include(ty) => Sexp::node("include", [module_type(ty)]),
        SigItemKind::Class(decls) => {
            Sexp::node("class", decls.iter().map(|it| class_decl(it, class_type)))
        }
        SigItemKind::ClassType(decls) => {
            Sexp::node("class-type", decls.iter().map(|it| class_decl(it, class_type)))
        }
        SigItemKind::Local(it) => Sexp::node("local", [sig_item(it)]),
        SigItemKind::Attribute(it) => Sexp::node("attribute", [attribute(it)]),
        SigItemKind::Error(_) => Sexp::atom("<error>"),
    }
}

/// `(name (params) virtual body)`
fn class_decl<T>(decl: &ClassDecl<T>, body: impl Fn(&T) -> Sexp) -> Sexp {
    let is_virtual = decl.is_virtual.then(|| Sexp::atom("virtual"));
    let head = [name(&decl.name), params(&decl.params)].into_iter().chain(is_virtual);
    Sexp::list(head.chain([body(&decl.body)]).collect())
}

fn external(it: &External) -> Sexp {
    let prims = it.prims.iter().map(|it| Sexp::atom(format!("{:?}", it.as_str())));
    let marked = it.passing.iter().any(|it| *it != Passing::Boxed);
    let passing = marked.then(|| {
        Sexp::node(
            "passing",
            it.passing.iter().map(|it| Sexp::atom(format!("{it:?}").to_lowercase())),
        )
    });
    Sexp::node(
        "external",
        [name(&it.name), type_expr(&it.ty)].into_iter().chain(prims).chain(passing),
    )
}

// ----------------------------------------------------------------- declarations

fn type_decls(recursive: bool, decls: &[TypeDecl]) -> Sexp {
    Sexp::node(if recursive { "type" } else { "type-nonrec" }, decls.iter().map(type_decl))
}

/// `(name (params) private (= manifest) body @attributes)`
fn type_decl(decl: &TypeDecl) -> Sexp {
    let mut parts = vec![name(&decl.name), params(&decl.params)];
    if decl.private {
        parts.push(Sexp::atom("private"));
    }
    parts.extend(decl.manifest.as_ref().map(|it| Sexp::node("=", [type_expr(it)])));
    for (left, right) in &decl.constraints {
        parts.push(Sexp::node("constraint", [type_expr(left), type_expr(right)]));
    }
    match &decl.kind {
        TypeDeclKind::Abstract => (),
        TypeDeclKind::Variant(constructors) => parts.push(Sexp::node(
            "variant",
            constructors.iter().map(|it| made_constructor(&it.name, &it.args, it.result.as_ref())),
        )),
        TypeDeclKind::Record(decls) => parts.push(fields(decls)),
        TypeDeclKind::Open => parts.push(Sexp::atom("..")),
    }
    parts.extend(decl.attributes.iter().map(attribute));
    Sexp::list(parts)
}

fn params(params: &[TypeParam]) -> Sexp {
    let text = |it: &TypeParam| {
        let name = it.name.map_or("_".to_owned(), |name| format!("'{}", name.text));
        if it.injective { format!("!{name}") } else { name }
    };
    Sexp::list(params.iter().map(|it| Sexp::atom(text(it))).collect())
}

fn made_constructor(it: &Name, args: &ConstructorArgs, result: Option<&ConstructorResult>) -> Sexp {
    let Some(made) = result else { return constructor(it, args) };
    let vars = made.vars.iter().map(|it| Sexp::atom(format!("'{}", it.text)));
    Sexp::node("makes", vars.chain([constructor(it, args), type_expr(&made.ty)]))
}

fn constructor(it: &Name, args: &ConstructorArgs) -> Sexp {
    match args {
        ConstructorArgs::Tuple(types) if types.is_empty() => name(it),
        ConstructorArgs::Tuple(types) => {
            Sexp::list(std::iter::once(name(it)).chain(types.iter().map(type_expr)).collect())
        }
        ConstructorArgs::Record(decls) => Sexp::list(vec![name(it), fields(decls)]),
    }
}

fn fields(decls: &[FieldDecl]) -> Sexp {
    let field = |it: &FieldDecl| {
        let mutable = it.mutable.then(|| Sexp::atom("mutable"));
        Sexp::list(mutable.into_iter().chain([name(&it.name), poly_type(&it.ty)]).collect())
    };
    Sexp::node("record", decls.iter().map(field))
}

fn extension(extension: &TypeExtension) -> Sexp {
    let private = extension.private.then(|| Sexp::atom("private"));
    let head = std::iter::once(path(&extension.path)).chain(private);
    Sexp::node("extend", head.chain(extension.ctors.iter().map(exception)))
}

pub(super) fn exception(decl: &ExceptionDecl) -> Sexp {
    match &decl.rebind {
        Some(target) => Sexp::node("=", [name(&decl.name), path(target)]),
        None => made_constructor(&decl.name, &decl.args, decl.result.as_ref()),
    }
}

// ---------------------------------------------------------------------- modules

pub(super) fn module_expr(module: &ModuleExpr) -> Sexp {
    match &module.kind {
        ModuleExprKind::Path(it) => Sexp::atom(module_path_text(it)),
        ModuleExprKind::Structure(items) => Sexp::node("struct", items.iter().map(item)),
        ModuleExprKind::Functor(param, body) => {
            Sexp::chain("functor", [functor_param(param), module_expr(body)])
        }
        ModuleExprKind::Apply(func, arg) => {
            let arg = arg.as_deref().map_or_else(|| Sexp::atom("()"), module_expr);
            Sexp::node("apply", [module_expr(func), arg])
        }
        ModuleExprKind::Constraint(inner, ty) => {
            Sexp::node(":", [module_expr(inner), module_type(ty)])
        }
        ModuleExprKind::Unpack(value, ty) => {
            Sexp::node("val", std::iter::once(expr(value)).chain(ty.as_ref().map(package_type)))
        }
        ModuleExprKind::Error(_) => Sexp::atom("<error>"),
    }
}

pub(super) fn package_type(ty: &PackageType) -> Sexp {
    let types = ty.types.iter().map(|(it, ty)| Sexp::node("type", [path(it), type_expr(ty)]));
    Sexp::node("module", std::iter::once(path(&ty.path)).chain(types))
}

fn functor_param(param: &FunctorParam) -> Sexp {
    let it = Sexp::atom(param.name.map_or("_", |it| it.text.as_str()));
    match &param.ty {
        Some(ty) => Sexp::list(vec![it, module_type(ty)]),
        None => Sexp::atom("()"),
    }
}

fn module_type(ty: &ModuleType) -> Sexp {
    match &ty.kind {
        ModuleTypeKind::Path(it) => path(it),
        ModuleTypeKind::Signature(items) => Sexp::node("sig", items.iter().map(sig_item)),
        ModuleTypeKind::Functor(param, result) => {
            Sexp::chain("functor", [functor_param(param), module_type(result)])
        }
        ModuleTypeKind::With(inner, constraints) => Sexp::node(
            "with",
            std::iter::once(module_type(inner)).chain(constraints.iter().map(with_constraint)),
        ),
        ModuleTypeKind::TypeOf(module) => Sexp::node("type-of", [module_expr(module)]),
        ModuleTypeKind::Error(_) => Sexp::atom("<error>"),
    }
}

fn with_constraint(constraint: &WithConstraint) -> Sexp {
    let equal = |destructive: bool| Sexp::atom(if destructive { ":=" } else { "=" });
    match constraint {
        WithConstraint::Type { path: it, params: given, ty, destructive, constraints } => {
            let parts = [path(it), params(given), equal(*destructive), type_expr(ty)];
            let constraints = constraints
                .iter()
                .map(|(left, right)| Sexp::node("constraint", [type_expr(left), type_expr(right)]));
            Sexp::node("type", parts.into_iter().chain(constraints))
        }
        WithConstraint::Module { path: it, target, destructive } => Sexp::node(
            "module",
            [path(it), equal(*destructive), Sexp::atom(module_path_text(target))],
        ),
        WithConstraint::ModuleType { path: it, ty, destructive } => {
            Sexp::node("module-type", [path(it), equal(*destructive), module_type(ty)])
        }
    }
}
