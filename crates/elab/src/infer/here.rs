//! What a program can say about its own text.

use oxbow_base::{Span, Symbol};

use super::env::Env;
use super::{Expect, Infer};
use crate::ast::{self, Path};
use crate::tast;
use crate::types::{Type, TypeId};

/// The bindings around the expression at hand, for `__FUNCTION__`.
#[derive(Default)]
pub struct Scopes {
    names: Vec<Symbol>,
    /// The next expression is the value of the innermost: if that is a function, it has the name.
    pub is_bound: bool,
    /// Methods around it. They are elaborated once for each class that has them.
    pub methods: u32,
}

impl Scopes {
    /// A pattern other than a name makes no scope.
    pub fn enter_binding(&mut self, name: Option<Symbol>) {
        self.names.extend(name);
        self.is_bound = name.is_some();
    }

    pub fn leave_binding(&mut self, name: Option<Symbol>) {
        if name.is_some() {
            self.names.pop();
        }
        self.is_bound = false;
    }

    pub fn enter_function(&mut self, is_bound: bool) {
        if !is_bound {
            self.names.push(Symbol::new("(fun)"));
        }
    }

    pub fn leave_function(&mut self, is_bound: bool) {
        if !is_bound {
            self.names.pop();
        }
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

    /// The path of the function around the place: `Main.M.f.(fun)`.
    fn function_path(&self) -> Option<String> {
        if self.scopes.methods > 0 {
            return None;
        }
        let modules = self.exn_path.iter().map(String::as_str);
        let names = self.scopes.names.iter().map(|it| it.as_str());
        Some(modules.chain(names).collect::<Vec<_>>().join("."))
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
                let constant = ast::Constant::String(self.function_path()?.into_bytes());
                (tast::ExprKind::Constant(constant), string)
            }
            _ => return None,
        })
    }
}
