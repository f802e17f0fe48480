//! What a program can say about its own text.

use indexmap::IndexSet;
use oxbow_base::{FxHashSet, Language, Span, Symbol};
use rustc_hash::FxBuildHasher;

use super::env::Env;
use super::{Expect, Infer};
use crate::ast::{self, Name, Path};
use crate::tast;
use crate::types::{Tag, Type, TypeId};

/// What the text is made of, for `__FUNCTION__` and backtraces: modules, definitions, functions, classes and methods.
#[derive(Default)]
pub struct Scopes {
    /// By their places. Bodies of functors and classes are elaborated several times.
    noted: IndexSet<(Span, String), FxBuildHasher>,
    /// The next expression is the value of a definition that makes a scope: if it is a function, it has the name.
    pub is_bound: bool,
    /// The bindings at hand are items of a structure.
    pub in_structure: bool,
    /// Functions that belong to what is around them: `function` behind parameters, those that handlers of effects are
    /// made of.
    pub parts: FxHashSet<Span>,
}

impl Scopes {
    /// The scopes that were noted since the last time.
    pub fn take(&mut self) -> Vec<tast::Scope> {
        let noted = std::mem::take(&mut self.noted);
        noted.into_iter().map(|(span, name)| tast::Scope { span, name }).collect()
    }
}

impl Infer<'_> {
    /// `__LOC_OF__ e` and its like: something about the place of the whole, and the value of `e`.
    pub(super) fn here_of(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ast::ArgLabel, ast::Expr)],
        (span, expect): (Span, Expect),
    ) -> Option<tast::Expr> {
        let ast::ExprKind::Ident(path) = &func.kind else { return None };
        let [(ast::ArgLabel::None, arg)] = args else { return None };
        if !self.is_of_stdlib(env, path) {
            return None;
        }
        let (string, int) = (self.builtins.string, self.builtins.int);
        let (what, ty) = match path.name.text.as_str() {
            "__LOC_OF__" => (tast::Here::Loc, string),
            "__LINE_OF__" => (tast::Here::Line, int),
            "__POS_OF__" => {
                (tast::Here::Pos, self.types.add(Type::Tuple(vec![string, int, int, int])))
            }
            _ => return None,
        };
        let arg_ty = self.fresh();
        let value = self.expr(env, arg, Expect::plain(arg_ty));
        let place = self.node(tast::ExprKind::Here(what), ty, span, Expect::plain(ty));
        let pair = self.types.add(Type::Tuple(vec![ty, arg_ty]));
        Some(self.node(tast::ExprKind::Tuple(vec![place, value]), pair, span, expect))
    }

    /// Does the path mean what OCaml's `Stdlib` has by this name, as `f` or `Stdlib.f`?
    fn is_of_stdlib(&self, env: &Env, path: &Path) -> bool {
        match &path.prefix {
            None => env.value(path.name.text).is_none(),
            Some(prefix) => self.library_module(env, prefix).is_some_and(|it| it == "Stdlib"),
        }
    }

    /// Notes a part of the user's text that has a name.
    pub(super) fn note_scope(&mut self, span: Span, name: impl Into<String>) {
        if !self.library && self.language == Language::Ocaml {
            self.scopes.noted.insert((span, name.into()));
        }
    }

    /// The value of a binding is next, which the binding may name: OCaml's rule.
    pub(super) fn note_binding(&mut self, binding: &ast::Binding) {
        let is_function = matches!(
            without_annotations(&binding.value).kind,
            ast::ExprKind::Fun(..) | ast::ExprKind::Function(..)
        );
        let name = first_name(&binding.pattern).filter(|_| is_function || self.scopes.in_structure);
        self.scopes.is_bound = name.is_some();
        if let Some(name) = name {
            // `( + )` is written in its brackets, `let*` and `mod` are not.
            let is_word = |it: char| it.is_alphabetic() || it == '_';
            let text = match name.as_str().starts_with(is_word) {
                true => name.as_str().to_string(),
                false => format!("({name})"),
            };
            self.note_scope(binding.value.span, text);
        }
    }

    /// What is inferred is the body of a function, which a binding names if it is bound.
    pub(super) fn in_function(
        &mut self,
        (is_bound, span): (bool, Span),
        infer: impl FnOnce(&mut Self) -> tast::Expr,
    ) -> tast::Expr {
        if !is_bound && !self.scopes.parts.contains(&span) {
            self.note_scope(span, tast::ANONYMOUS);
        }
        infer(self)
    }

    /// `fun x -> function …` is one function.
    pub(super) fn note_body(&mut self, body: &ast::Expr) {
        if matches!(body.kind, ast::ExprKind::Function(..)) {
            self.scopes.parts.insert(body.span);
        }
    }

    /// The value of a method is next, which has its name.
    pub(super) fn note_method_scope(&mut self, name: Name, value: Span, tag: &Tag) {
        if let Some(&ty) = tag.types().first() {
            self.note_method(name, name.span, ty);
        }
        self.note_scope(value, format!("#{}", name.text));
        self.scopes.is_bound = true;
    }

    /// The path of the function around the place: `Main.M.f.(fun)`.
    fn function_path(&self, span: Span) -> String {
        let noted = self.scopes.noted.iter();
        tast::scope_path(noted.map(|(span, name)| (*span, name.as_str())), span)
    }

    /// `__LOC__` and its like, which are names of OCaml's library.
    pub(super) fn here(&mut self, env: &Env, path: &Path) -> Option<(tast::ExprKind, TypeId)> {
        let name = path.name.text.as_str();
        if !name.starts_with("__") || !self.is_of_stdlib(env, path) {
            return None;
        }
        let (string, int) = (self.builtins.string, self.builtins.int);
        let here = |it| tast::ExprKind::Here(it);
        Some(match name {
            "__LOC__" => (here(tast::Here::Loc), string),
            "__FILE__" => (here(tast::Here::File), string),
            "__LINE__" => (here(tast::Here::Line), int),
            "__POS__" => {
                let ty = self.types.add(Type::Tuple(vec![string, int, int, int]));
                (here(tast::Here::Pos), ty)
            }
            "__MODULE__" => {
                let name = self.path.first().cloned().unwrap_or_default();
                let constant = ast::Constant::String(name.into_bytes());
                (tast::ExprKind::Constant(constant), string)
            }
            "__FUNCTION__" => {
                let constant = ast::Constant::String(self.function_path(path.span()).into_bytes());
                (tast::ExprKind::Constant(constant), string)
            }
            _ => return None,
        })
    }
}

fn without_annotations(mut expr: &ast::Expr) -> &ast::Expr {
    while let ast::ExprKind::Annotate(inner, _) | ast::ExprKind::Coerce(inner, ..) = &expr.kind {
        expr = inner;
    }
    expr
}

/// The first variable that a pattern binds, as far as it is plain.
fn first_name(pattern: &ast::Pattern) -> Option<Symbol> {
    match &pattern.kind {
        ast::PatternKind::Var(name) => Some(name.text),
        ast::PatternKind::Alias(inner, name) => first_name(inner).or(Some(name.text)),
        ast::PatternKind::Annotate(inner, _) => first_name(inner),
        ast::PatternKind::Tuple(items) => items.iter().find_map(first_name),
        _ => None,
    }
}
