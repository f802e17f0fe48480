//! What a file defines, in the order of its text and nested as there: for the outlines that editors show.
//!
//! ```text
//! module M = struct        M            module
//!   type t = A | B           t          type
//!                              A, B     constructors
//!   let f x = x              f          function
//! end
//! ```

use oxbow_base::Span;
use serde::{Deserialize, Serialize};

use crate::ast::{
    ClassBody, ClassExpr, ClassExprKind, ClassFieldKind, ConstructorArgs, ConstructorDecl,
    ExceptionDecl, Expr, ExprKind, FieldDecl, Item, ItemKind, ModuleExpr, ModuleExprKind,
    ModuleType, ModuleTypeKind, Name, Pattern, PatternKind, SigItem, SigItemKind, TypeDecl,
    TypeDeclKind,
};

/// What is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    Value,
    Function,
    Type,
    Constructor,
    Field,
    Exception,
    Module,
    ModuleType,
    Class,
    Method,
}

/// A definition, with those inside it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub sort: Sort,
    pub name: Name,
    /// All of the definition.
    pub span: Span,
    pub inner: Vec<Entry>,
}

pub fn of_structure(items: &[Item]) -> Vec<Entry> {
    items.iter().flat_map(item).collect()
}

pub fn of_signature(items: &[SigItem]) -> Vec<Entry> {
    items.iter().flat_map(sig_item).collect()
}

fn entry(sort: Sort, name: Name, span: Span, inner: Vec<Entry>) -> Entry {
    // Generated code stands elsewhere than its name.
    let span = if span.file == name.span.file { span.to(name.span) } else { name.span };
    Entry { sort, name, span, inner }
}

fn item(item: &Item) -> Vec<Entry> {
    let span = item.span;
    match &item.kind {
        ItemKind::Let { bindings, .. } => {
            let whole = bindings.len() == 1;
            let parts = bindings.iter().flat_map(|it| {
                let sort = if is_function(&it.value) { Sort::Function } else { Sort::Value };
                let span = if whole { span } else { it.span };
                names_of(&it.pattern).into_iter().map(move |name| entry(sort, name, span, vec![]))
            });
            parts.collect()
        }
        ItemKind::External(it) => vec![entry(Sort::Function, it.name, span, vec![])],
        ItemKind::Type { decls, .. } => types(decls, span),
        ItemKind::Exception(it) => vec![exception(it)],
        ItemKind::Extend(it) => it.ctors.iter().map(exception).collect(),
        ItemKind::Module { name, body } => {
            vec![entry(Sort::Module, *name, span, module(body))]
        }
        ItemKind::RecModules(modules) => modules
            .iter()
            .map(|it| entry(Sort::Module, it.name, it.body.span, module(&it.body)))
            .collect(),
        ItemKind::ModuleType { name, body } => {
            let inner = body.as_ref().map(module_type).unwrap_or_default();
            vec![entry(Sort::ModuleType, *name, span, inner)]
        }
        ItemKind::Class(decls) => {
            decls.iter().map(|it| entry(Sort::Class, it.name, it.span, class(&it.body))).collect()
        }
        ItemKind::ClassType(decls) => {
            decls.iter().map(|it| entry(Sort::Class, it.name, it.span, vec![])).collect()
        }
        ItemKind::Members(groups) => groups
            .iter()
            .flat_map(|it| &it.members)
            .map(|it| entry(Sort::Method, it.name, it.span, vec![]))
            .collect(),
        ItemKind::Include(body) => module(body),
        ItemKind::Eval(_)
        | ItemKind::Open(_)
        | ItemKind::Broken(_)
        | ItemKind::Attribute(_)
        | ItemKind::Error(_) => Vec::new(),
    }
}

fn sig_item(item: &SigItem) -> Vec<Entry> {
    let span = item.span;
    match &item.kind {
        SigItemKind::Value { name, .. } => vec![entry(Sort::Value, *name, span, vec![])],
        SigItemKind::External(it) => vec![entry(Sort::Function, it.name, span, vec![])],
        SigItemKind::Type { decls, .. } => types(decls, span),
        SigItemKind::Exception(it) => vec![exception(it)],
        SigItemKind::Extend(it) => it.ctors.iter().map(exception).collect(),
        SigItemKind::Module { name, ty } => {
            vec![entry(Sort::Module, *name, span, module_type(ty))]
        }
        SigItemKind::RecModules(modules) => modules
            .iter()
            .map(|(name, ty)| entry(Sort::Module, *name, ty.span, module_type(ty)))
            .collect(),
        SigItemKind::ModuleAlias { name, .. } => vec![entry(Sort::Module, *name, span, vec![])],
        SigItemKind::ModuleType { name, body } => {
            let inner = body.as_ref().map(module_type).unwrap_or_default();
            vec![entry(Sort::ModuleType, *name, span, inner)]
        }
        SigItemKind::Class(decls) | SigItemKind::ClassType(decls) => {
            decls.iter().map(|it| entry(Sort::Class, it.name, it.span, vec![])).collect()
        }
        SigItemKind::Local(inner) => sig_item(inner),
        SigItemKind::Open(_)
        | SigItemKind::Include(_)
        | SigItemKind::Attribute(_)
        | SigItemKind::Error(_) => Vec::new(),
    }
}

fn types(decls: &[TypeDecl], span: Span) -> Vec<Entry> {
    let whole = decls.len() == 1;
    let one = |it: &TypeDecl| {
        let inner = match &it.kind {
            TypeDeclKind::Variant(ctors) => ctors.iter().map(constructor).collect(),
            TypeDeclKind::Record(fields) => fields.iter().map(field).collect(),
            TypeDeclKind::Abstract | TypeDeclKind::Open => Vec::new(),
        };
        entry(Sort::Type, it.name, if whole { span } else { it.span }, inner)
    };
    decls.iter().map(one).collect()
}

fn constructor(it: &ConstructorDecl) -> Entry {
    entry(Sort::Constructor, it.name, it.span, fields(&it.args))
}

fn exception(it: &ExceptionDecl) -> Entry {
    entry(Sort::Exception, it.name, it.span, fields(&it.args))
}

fn fields(args: &ConstructorArgs) -> Vec<Entry> {
    match args {
        ConstructorArgs::Record(fields) => fields.iter().map(field).collect(),
        ConstructorArgs::Tuple(_) => Vec::new(),
    }
}

fn field(it: &FieldDecl) -> Entry {
    entry(Sort::Field, it.name, it.span, Vec::new())
}

fn module(body: &ModuleExpr) -> Vec<Entry> {
    match &body.kind {
        ModuleExprKind::Structure(items) => of_structure(items),
        ModuleExprKind::Functor(_, inner) | ModuleExprKind::Constraint(inner, _) => module(inner),
        ModuleExprKind::Path(_)
        | ModuleExprKind::Apply(..)
        | ModuleExprKind::Unpack(..)
        | ModuleExprKind::Error(_) => Vec::new(),
    }
}

fn module_type(ty: &ModuleType) -> Vec<Entry> {
    match &ty.kind {
        ModuleTypeKind::Signature(items) => of_signature(items),
        ModuleTypeKind::Functor(_, inner) | ModuleTypeKind::With(inner, _) => module_type(inner),
        ModuleTypeKind::Path(_) | ModuleTypeKind::TypeOf(_) | ModuleTypeKind::Error(_) => {
            Vec::new()
        }
    }
}

fn class(body: &ClassExpr) -> Vec<Entry> {
    match &body.kind {
        ClassExprKind::Body(body) => class_body(body),
        ClassExprKind::Fun(_, inner)
        | ClassExprKind::Apply(inner, _)
        | ClassExprKind::Constraint(inner, _)
        | ClassExprKind::Open(_, inner)
        | ClassExprKind::Let { body: inner, .. } => class(inner),
        ClassExprKind::Path(..) | ClassExprKind::Error(_) => Vec::new(),
    }
}

fn class_body(body: &ClassBody) -> Vec<Entry> {
    let one = |it: &crate::ast::ClassField| match &it.kind {
        ClassFieldKind::Val { name, .. } => Some(entry(Sort::Field, *name, it.span, vec![])),
        ClassFieldKind::Method { name, .. } => Some(entry(Sort::Method, *name, it.span, vec![])),
        ClassFieldKind::Inherit { .. }
        | ClassFieldKind::Constraint(..)
        | ClassFieldKind::Initializer(_)
        | ClassFieldKind::Error(_) => None,
    };
    body.fields.iter().filter_map(one).collect()
}

fn is_function(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Fun(..) | ExprKind::Function(..))
}

/// The names that a pattern binds, with their places, in their order.
pub(crate) fn names_of(pattern: &Pattern) -> Vec<Name> {
    let mut names = Vec::new();
    let mut todo = vec![pattern];
    while let Some(pattern) = todo.pop() {
        match &pattern.kind {
            PatternKind::Var(name) => names.push(*name),
            PatternKind::Alias(inner, name) => {
                names.push(*name);
                todo.push(inner);
            }
            PatternKind::Tuple(items) | PatternKind::List(items) | PatternKind::Array(items) => {
                todo.extend(items);
            }
            PatternKind::ConstructMany(_, items) => todo.extend(items),
            PatternKind::Construct(_, inner) | PatternKind::Variant(_, inner) => {
                todo.extend(inner.as_deref());
            }
            PatternKind::LabelledTuple { items, .. } => todo.extend(items.iter().map(|it| &it.1)),
            PatternKind::Record { fields, .. } => todo.extend(fields.iter().map(|it| &it.1)),
            PatternKind::Or(left, _) => todo.push(left),
            PatternKind::Annotate(inner, _)
            | PatternKind::Lazy(inner)
            | PatternKind::Exception(inner)
            | PatternKind::Open(_, inner)
            | PatternKind::ConstructTypes(_, _, inner) => todo.push(inner),
            PatternKind::Any
            | PatternKind::Constant(_)
            | PatternKind::Range(..)
            | PatternKind::VariantType(_)
            | PatternKind::TypeTest(_)
            | PatternKind::Measured(..)
            | PatternKind::Unpack(..)
            | PatternKind::Error(_) => (),
        }
    }
    names.sort_by_key(|it| it.span);
    names
}
