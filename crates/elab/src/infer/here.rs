//! What a program can say about its own text.

use super::Infer;
use super::env::Env;
use crate::ast::{self, Path};
use crate::tast;
use crate::types::{Type, TypeId};

impl Infer<'_> {
    /// `__LOC__` and its like, which are names of OCaml's library.
    pub(super) fn here(&mut self, env: &Env, path: &Path) -> Option<(tast::ExprKind, TypeId)> {
        let name = path.name.text.as_str();
        if path.prefix.is_some() || !name.starts_with("__") || env.value(path.name.text).is_some() {
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
            _ => return None,
        })
    }
}
