//! Expressions, patterns and types as s-expressions.

use oxbow_elab::ast::{
    ArgLabel, Attribute, Binding, Case, Constant, Expr, ExprKind, LetBang, LetOpBinding,
    ModulePath, Name, Param, ParamLabel, Path, Pattern, PatternKind, PolyType, Power,
    ResolvedMember, RowBound, RowExpr, RowField, TypeExpr, TypeExprKind,
};

use super::modules;
use super::sexp::Sexp;

pub(super) fn path(path: &Path) -> Sexp {
    Sexp::atom(path_text(path))
}

pub(super) fn path_text(path: &Path) -> String {
    match &path.prefix {
        Some(prefix) => format!("{}.{}", module_path_text(prefix), path.name.text),
        None => path.name.text.to_string(),
    }
}

pub(super) fn module_path_text(path: &ModulePath) -> String {
    match path {
        ModulePath::Name(name) => name.text.to_string(),
        ModulePath::Dot(prefix, name) => format!("{}.{}", module_path_text(prefix), name.text),
        ModulePath::Apply(func, arg) => {
            format!("{}({})", module_path_text(func), module_path_text(arg))
        }
    }
}

fn constant(constant: &Constant) -> Sexp {
    Sexp::atom(match constant {
        Constant::Int(value) => value.to_string(),
        Constant::Int32(value) => format!("{value}l"),
        Constant::Int64(value) => format!("{value}L"),
        Constant::Nativeint(value) => format!("{value}n"),
        Constant::Sized(width, value) => format!("{value}:{}", width.name()),
        Constant::Float(value) => format!("{value:?}"),
        Constant::Float32(value) => format!("{value:?}f"),
        Constant::Char(byte) => format!("'{}'", byte.escape_ascii()),
        Constant::String(bytes) => format!("\"{}\"", bytes.escape_ascii()),
    })
}

// ------------------------------------------------------------------ expressions

pub(super) fn expr(node: &Expr) -> Sexp {
    let inner = expr_kind(&node.kind);
    with_attributes(inner, &node.attributes)
}

fn with_attributes(inner: Sexp, attributes: &[Attribute]) -> Sexp {
    if attributes.is_empty() {
        return inner;
    }
    Sexp::node("attributes", std::iter::once(inner).chain(attributes.iter().map(attribute)))
}

pub(super) fn attribute(attribute: &Attribute) -> Sexp {
    Sexp::atom(match attribute.payload {
        Some(payload) => format!("@{}={payload}", attribute.name.text),
        None => format!("@{}", attribute.name.text),
    })
}

fn expr_kind(kind: &ExprKind) -> Sexp {
    let boxed = |it: &Expr| expr(it);
    match kind {
        ExprKind::Constant(it) => constant(it),
        ExprKind::Ident(it) | ExprKind::Construct(it, None) => path(it),
        ExprKind::Construct(it, Some(arg)) => Sexp::node("construct", [path(it), expr(arg)]),
        ExprKind::Variant(tag, None) => Sexp::atom(format!("`{}", tag.text)),
        ExprKind::Variant(tag, Some(arg)) => {
            Sexp::node("variant", [Sexp::atom(format!("`{}", tag.text)), expr(arg)])
        }
        ExprKind::Coerce(inner, from, to) => Sexp::node(
            ":>",
            std::iter::once(expr(inner)).chain(from.iter().chain([to]).map(type_expr)),
        ),
        ExprKind::AnonymousCopy(base, fields) => {
            Sexp::node("copy", [expr(base)].into_iter().chain(fields.iter().map(named)))
        }
        ExprKind::List(parts) => Sexp::node("list", parts.iter().map(expr)),
        ExprKind::Array(parts) => Sexp::node("array", parts.iter().map(expr)),
        ExprKind::Tuple(parts) => Sexp::node("tuple", parts.iter().map(expr)),
        ExprKind::LabelledTuple(parts) => Sexp::node("tuple", parts.iter().map(labelled_part)),
        ExprKind::Apply(func, args) => {
            Sexp::node("apply", std::iter::once(expr(func)).chain(args.iter().map(argument)))
        }
        ExprKind::Fun(params, ty, body) => function(params, ty.as_ref(), body),
        ExprKind::Function(_, cases) => Sexp::node("function", cases.iter().map(case)),
        ExprKind::Let { recursive, bindings, body } => {
            let head = if *recursive { "let-rec" } else { "let" };
            Sexp::chain(head, bindings.iter().map(binding).chain([expr(body)]))
        }
        ExprKind::LetOp { bindings, body } => {
            Sexp::chain("let-op", bindings.iter().map(let_op_binding).chain([expr(body)]))
        }
        ExprKind::Match(value, cases) => {
            Sexp::node("match", std::iter::once(expr(value)).chain(cases.iter().map(case)))
        }
        ExprKind::Try(value, cases) => {
            Sexp::node("try", std::iter::once(expr(value)).chain(cases.iter().map(case)))
        }
        ExprKind::If(condition, then, None) => Sexp::node("if", [expr(condition), expr(then)]),
        ExprKind::If(condition, then, Some(other)) => {
            Sexp::chain("if", [expr(condition), expr(then), expr(other)])
        }
        ExprKind::Sequence(parts) => Sexp::node("sequence", parts.iter().map(expr)),
        ExprKind::While(condition, body) => Sexp::node("while", [expr(condition), expr(body)]),
        ExprKind::For { var, from, to, down, body } => {
            let head = if *down { "for-down" } else { "for" };
            Sexp::node(head, [pattern(var), expr(from), expr(to), expr(body)])
        }
        ExprKind::Record { base, fields } => {
            let base = base.as_deref().map(|it| Sexp::node("with", [expr(it)]));
            Sexp::node("record", base.into_iter().chain(fields.iter().map(record_field)))
        }
        ExprKind::Field(record, field) => Sexp::node("field", [expr(record), path(field)]),
        ExprKind::SetField(record, field, value) => {
            Sexp::node("set-field", [expr(record), path(field), expr(value)])
        }
        ExprKind::Annotate(value, ty) => Sexp::node(":", [expr(value), type_expr(ty)]),
        ExprKind::Assert(value) => Sexp::node("assert", [boxed(value)]),
        ExprKind::Lazy(value) => Sexp::node("lazy", [boxed(value)]),
        ExprKind::Open(module, body) => {
            Sexp::chain("open", [modules::module_expr(module), expr(body)])
        }
        ExprKind::LetModule(name, module, body) => {
            let name = Sexp::atom(name.text.as_str());
            Sexp::chain("let-module", [name, modules::module_expr(module), expr(body)])
        }
        ExprKind::Pack(module, ty) => Sexp::node(
            "pack",
            std::iter::once(modules::module_expr(module))
                .chain(ty.as_ref().map(modules::package_type)),
        ),
        ExprKind::LetException(decl, body) => {
            Sexp::chain("let-exception", [modules::exception(decl), expr(body)])
        }
        ExprKind::Object(body) => super::classes::body(body),
        ExprKind::Send(object, name) => {
            Sexp::node("send", [expr(object), Sexp::atom(name.text.as_str())])
        }
        ExprKind::New(it) => Sexp::node("new", [path(it)]),
        ExprKind::ExtensionConstructor(it) => Sexp::node("extension-constructor", [path(it)]),
        ExprKind::Override(fields) => Sexp::node("override", fields.iter().map(named)),
        ExprKind::Handle(call) => expr(call),
        ExprKind::AssignVar(var, value) => Sexp::node("assign", [path(var), expr(value)]),
        ExprKind::ForIn { pattern: var, source, body, until } => {
            let head = if *until { "for-in-until" } else { "for-in" };
            Sexp::node(head, [pattern(var), expr(source), expr(body)])
        }
        ExprKind::Range { from, step, to } => {
            let parts = [Some(from), step.as_ref(), Some(to)];
            Sexp::node("..", parts.into_iter().flatten().map(|it| expr(it)))
        }
        ExprKind::Index(object, index) => Sexp::node("index", [expr(object), expr(index)]),
        ExprKind::SetIndex(object, index, value) => {
            Sexp::node("set-index", [expr(object), expr(index), expr(value)])
        }
        ExprKind::Slice(object, from, to) => {
            let parts = [Some(object), from.as_ref(), to.as_ref()];
            Sexp::node("slice", parts.into_iter().flatten().map(|it| expr(it)))
        }
        ExprKind::TypeApply(inner, args) => type_apply(inner, args),
        ExprKind::AddressOf(inner) => Sexp::node("&", [expr(inner)]),
        ExprKind::Yield(inner) => Sexp::node("yield", [expr(inner)]),
        ExprKind::YieldFrom(inner) => Sexp::node("yield!", [expr(inner)]),
        ExprKind::ImplicitYield { value, .. } => Sexp::node("yield?", [expr(value)]),
        ExprKind::Computation(builder, body) => {
            Sexp::node("computation", [expr(builder), expr(body)])
        }
        ExprKind::LetBang(it) => let_bang(it),
        ExprKind::Bang(bang, value) => Sexp::node(bang.word(), [expr(value)]),
        ExprKind::Aliases(names, body) => {
            Sexp::node("aliases", names.iter().map(named).chain([expr(body)]))
        }
        ExprKind::TypeTest(value, ty) => Sexp::node(":?", [expr(value), type_expr(ty)]),
        ExprKind::Measured(value, unit) => Sexp::node("unit", [expr(value), type_expr(unit)]),
        ExprKind::ResolvedMember(it) => resolved_member(it),
        ExprKind::Downcast(value, ty) => Sexp::node(":?>", [expr(value), type_expr(ty)]),
        ExprKind::Error(_) => Sexp::atom("<error>"),
    }
}

fn resolved_member(it: &ResolvedMember) -> Sexp {
    let name = Sexp::atom(it.name.text.as_str());
    Sexp::node("member", [type_expr(&it.on), name, type_expr(&it.ty), expr(&it.args)])
}

fn record_field((field, ty, value): &(Path, Option<TypeExpr>, Expr)) -> Sexp {
    let ty = ty.as_ref().map(|it| Sexp::node(":", [type_expr(it)]));
    Sexp::list([path(field)].into_iter().chain(ty).chain([expr(value)]).collect())
}

fn named((name, value): &(Name, Expr)) -> Sexp {
    Sexp::list(vec![Sexp::atom(name.text.as_str()), expr(value)])
}

fn let_bang(it: &LetBang) -> Sexp {
    let head = if it.using { "use!" } else { "let!" };
    let bindings = it.bindings.iter();
    let bindings = bindings.map(|(var, value)| Sexp::list(vec![pattern(var), expr(value)]));
    Sexp::chain(head, bindings.chain([expr(&it.body)]).collect::<Vec<_>>())
}

fn let_op_binding(it: &LetOpBinding) -> Sexp {
    Sexp::list(vec![Sexp::atom(it.op.text.as_str()), pattern(&it.pattern), expr(&it.value)])
}

pub(super) fn argument((label, value): &(ArgLabel, Expr)) -> Sexp {
    match label {
        ArgLabel::None => expr(value),
        ArgLabel::Labelled(name) => Sexp::node(&format!("~{}", name.text), [expr(value)]),
        ArgLabel::Optional(name) => Sexp::node(&format!("?{}", name.text), [expr(value)]),
    }
}

fn function(params: &[Param], ty: Option<&TypeExpr>, body: &Expr) -> Sexp {
    let params = Sexp::list(params.iter().map(param).collect());
    let ty = ty.map(|it| Sexp::node(":", [type_expr(it)]));
    Sexp::node("fun", std::iter::once(params).chain(ty).chain([expr(body)]))
}

pub(super) fn param(param: &Param) -> Sexp {
    let inner = pattern(&param.pattern);
    match &param.label {
        ParamLabel::None => inner,
        ParamLabel::Labelled(name) => Sexp::node(&format!("~{}", name.text), [inner]),
        ParamLabel::Optional(name, default) => {
            let default = default.as_deref().map(|it| Sexp::node("=", [expr(it)]));
            Sexp::node(&format!("?{}", name.text), std::iter::once(inner).chain(default))
        }
        ParamLabel::Newtype(name) => Sexp::node("type", [Sexp::atom(name.text.as_str())]),
    }
}

/// `(pattern : type value)`
pub(super) fn binding(binding: &Binding) -> Sexp {
    let annotation = binding.annotation.as_ref().map(|it| Sexp::node(":", [poly_type(it)]));
    let mutable = binding.mutable.then(|| Sexp::atom("mutable"));
    let parts = mutable
        .into_iter()
        .chain([pattern(&binding.pattern)])
        .chain(annotation)
        .chain([expr(&binding.value)]);
    with_attributes(Sexp::list(parts.collect()), &binding.attributes)
}

fn case(case: &Case) -> Sexp {
    let guard = case.guard.as_ref().map(|it| Sexp::node("when", [expr(it)]));
    let body = match &case.body {
        Some(body) => expr(body),
        None => Sexp::atom("<refuted>"),
    };
    Sexp::list(std::iter::once(pattern(&case.pattern)).chain(guard).chain([body]).collect())
}

// --------------------------------------------------------------------- patterns

pub(super) fn pattern(node: &Pattern) -> Sexp {
    match &node.kind {
        PatternKind::Any => Sexp::atom("_"),
        PatternKind::Var(name) => Sexp::atom(name.text.as_str()),
        PatternKind::Alias(inner, name) => {
            Sexp::node("as", [pattern(inner), Sexp::atom(name.text.as_str())])
        }
        PatternKind::Constant(it) => constant(it),
        PatternKind::Range(first, last) => Sexp::node("range", [constant(first), constant(last)]),
        PatternKind::Tuple(parts) => Sexp::node("tuple", parts.iter().map(pattern)),
        PatternKind::LabelledTuple { items, open } => {
            let parts = items.iter().map(|it| labelled(it.0, pattern(&it.1)));
            Sexp::node("tuple", parts.chain(open.then(|| Sexp::atom(".."))))
        }
        PatternKind::Construct(it, None) => path(it),
        PatternKind::Construct(it, Some(arg)) => Sexp::node("construct", [path(it), pattern(arg)]),
        PatternKind::Variant(tag, None) => Sexp::atom(format!("`{}", tag.text)),
        PatternKind::Variant(tag, Some(arg)) => {
            Sexp::node("variant", [Sexp::atom(format!("`{}", tag.text)), pattern(arg)])
        }
        PatternKind::VariantType(it) => Sexp::node("#", [path(it)]),
        PatternKind::List(parts) => Sexp::node("list", parts.iter().map(pattern)),
        PatternKind::Record { fields, open_row } => {
            let fields =
                fields.iter().map(|(field, it)| Sexp::list(vec![path(field), pattern(it)]));
            Sexp::node("record", fields.chain(open_row.then(|| Sexp::atom("_"))))
        }
        PatternKind::Array(parts) => Sexp::node("array", parts.iter().map(pattern)),
        PatternKind::Or(left, right) => Sexp::node("or", [pattern(left), pattern(right)]),
        PatternKind::Annotate(inner, ty) => Sexp::node(":", [pattern(inner), type_expr(ty)]),
        PatternKind::Lazy(inner) => Sexp::node("lazy", [pattern(inner)]),
        PatternKind::Exception(inner) => Sexp::node("exception", [pattern(inner)]),
        PatternKind::Open(module, inner) => {
            Sexp::node("open", [Sexp::atom(module_path_text(module)), pattern(inner)])
        }
        PatternKind::ConstructMany(it, args) => {
            Sexp::node("active", std::iter::once(path(it)).chain(args.iter().map(pattern)))
        }
        PatternKind::ConstructTypes(it, names, arg) => {
            let names = Sexp::node("type", names.iter().map(|it| Sexp::atom(it.text.as_str())));
            Sexp::node("construct", [path(it), names, pattern(arg)])
        }
        PatternKind::TypeTest(it) => Sexp::node(":?", [type_expr(it)]),
        PatternKind::Measured(it, unit) => Sexp::node("unit", [constant(it), type_expr(unit)]),
        PatternKind::Unpack(name, ty) => Sexp::node(
            "unpack",
            std::iter::once(Sexp::atom(name.text.as_str()))
                .chain(ty.as_ref().map(modules::package_type)),
        ),
        PatternKind::Error(_) => Sexp::atom("<error>"),
    }
}

// ------------------------------------------------------------------------ types

pub(super) fn type_expr(node: &TypeExpr) -> Sexp {
    match &node.kind {
        TypeExprKind::Any => Sexp::atom("_"),
        TypeExprKind::Var(name) => Sexp::atom(format!("'{}", name.text)),
        TypeExprKind::Arrow(label, param, result) => {
            let param = match label {
                ArgLabel::None => type_expr(param),
                ArgLabel::Labelled(name) => {
                    Sexp::node(&format!("~{}", name.text), [type_expr(param)])
                }
                ArgLabel::Optional(name) => {
                    Sexp::node(&format!("?{}", name.text), [type_expr(param)])
                }
            };
            Sexp::chain("->", [param, type_expr(result)])
        }
        TypeExprKind::Tuple(parts) => Sexp::node("*", parts.iter().map(type_expr)),
        TypeExprKind::LabelledTuple(parts) => {
            Sexp::node("*", parts.iter().map(|it| labelled(it.0, type_expr(&it.1))))
        }
        TypeExprKind::Constr(it, args) if args.is_empty() => path(it),
        TypeExprKind::Constr(it, args) => {
            Sexp::list(std::iter::once(path(it)).chain(args.iter().map(type_expr)).collect())
        }
        TypeExprKind::Alias(inner, name) => {
            Sexp::node("as", [type_expr(inner), Sexp::atom(format!("'{}", name.text))])
        }
        TypeExprKind::Variant(row) => variant_type(row),
        TypeExprKind::VariantType(it, args) => {
            Sexp::node("#", std::iter::once(path(it)).chain(args.iter().map(type_expr)))
        }
        TypeExprKind::Package(package) => modules::package_type(package),
        TypeExprKind::Object(it) => super::classes::object_type(it),
        TypeExprKind::RootClass(inner) => Sexp::node("root", [type_expr(inner)]),
        TypeExprKind::Unit(factors) => {
            let factor = |(it, power): &(TypeExpr, Power)| {
                Sexp::node("^", [type_expr(it), Sexp::atom(power.to_string())])
            };
            Sexp::node("unit", factors.iter().map(factor))
        }
        TypeExprKind::Error(_) => Sexp::atom("<error>"),
    }
}

fn variant_type(row: &RowExpr) -> Sexp {
    let tag = |name: &Name| Sexp::atom(format!("`{}", name.text));
    let head = match row.bound {
        RowBound::Exact => "variants",
        RowBound::AtLeast => "variants>",
        RowBound::AtMost => "variants<",
    };
    let fields = row.fields.iter().map(|field| match field {
        RowField::Tag { name, types, .. } if types.is_empty() => tag(name),
        RowField::Tag { name, constant, types } => {
            let constant = constant.then(|| Sexp::atom("&"));
            let parts = std::iter::once(tag(name)).chain(constant);
            Sexp::list(parts.chain(types.iter().map(type_expr)).collect())
        }
        RowField::Inherit(ty) => type_expr(ty),
    });
    let present = (!row.present.is_empty()).then(|| Sexp::node(">", row.present.iter().map(tag)));
    Sexp::node(head, fields.chain(present))
}

pub(super) fn poly_type(poly: &PolyType) -> Sexp {
    if poly.vars.is_empty() {
        return type_expr(&poly.ty);
    }
    let head = if poly.locally_abstract { "type" } else { "forall" };
    let vars = poly.vars.iter().map(|it| Sexp::atom(it.text.as_str())).collect();
    Sexp::node(head, [Sexp::list(vars), type_expr(&poly.ty)])
}

/// A part of a tuple, with its label.
fn labelled(label: Option<Name>, part: Sexp) -> Sexp {
    match label {
        Some(label) => Sexp::node(&format!("~{}", label.text), [part]),
        None => part,
    }
}

fn labelled_part((label, part): &(Option<Name>, Expr)) -> Sexp {
    labelled(*label, expr(part))
}

fn type_apply(inner: &Expr, args: &[TypeExpr]) -> Sexp {
    Sexp::node("type-apply", std::iter::once(expr(inner)).chain(args.iter().map(type_expr)))
}
