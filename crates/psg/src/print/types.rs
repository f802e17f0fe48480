//! Types in the text: `int`, `'a`, `(int * string)`, `int -> bool`, `list<'a>`.

use oxbow_base::SparseMap;

use super::names::Names;
use crate::{Ty, TyId, TypeTable};

pub(super) struct TypeText<'a> {
    pub types: &'a TypeTable,
    pub names: &'a mut Names,
    /// What the head of a type is called, if not as it is here.
    pub called: Called,
}

/// Another name for the head of a type.
pub type Called = fn(&TypeTable, &Ty) -> Option<&'static str>;

impl TypeText<'_> {
    pub fn text(&mut self, ty: TyId) -> String {
        let called = (self.called)(self.types, self.types.get(ty));
        match self.types.get(ty) {
            Ty::Unit => "unit".into(),
            Ty::Bool => "bool".into(),
            Ty::Char => "char".into(),
            Ty::Int(width) => called.unwrap_or(width.name()).into(),
            Ty::Float => "float".into(),
            Ty::Float32 => "float32".into(),
            Ty::String => "string".into(),
            Ty::Bytes => "bytes".into(),
            Ty::Exn => "exn".into(),
            Ty::Uniform => "uniform".into(),
            Ty::Var(tyvar) => self.names.tyvar(self.types, *tyvar),
            Ty::Tuple(items) => format!("({})", self.list(items, " * ")),
            Ty::Array(item) => format!("array<{}>", self.text(*item)),
            Ty::Data(data, args) => {
                let name = called.map_or_else(|| self.names.data(*data), String::from);
                match &args[..] {
                    [] => name,
                    args => format!("{name}<{}>", self.list(args, ", ")),
                }
            }
            Ty::Fn(param, result) => {
                let text = self.text(*param);
                let text = match self.types.get(*param) {
                    Ty::Fn(..) => format!("({text})"),
                    _ => text,
                };
                format!("{text} -> {}", self.text(*result))
            }
        }
    }

    fn list(&mut self, tys: &[TyId], separator: &str) -> String {
        let tys: Vec<_> = tys.iter().map(|&it| self.text(it)).collect();
        tys.join(separator)
    }
}

/// How many parts the text of a type has. Parts that a type has twice are counted twice, and looked at once.
pub(super) fn size(types: &TypeTable, ty: TyId) -> usize {
    fn count(types: &TypeTable, ty: TyId, known: &mut SparseMap<TyId, usize>) -> usize {
        if let Some(&known) = known.get(ty) {
            return known;
        }
        let mut parts = |items: &[TyId]| {
            items.iter().fold(0, |sum: usize, &it| sum.saturating_add(count(types, it, known)))
        };
        let inside = match types.get(ty) {
            Ty::Tuple(items) | Ty::Data(_, items) => parts(items),
            Ty::Array(item) => parts(&[*item]),
            Ty::Fn(param, result) => parts(&[*param, *result]),
            _ => 0,
        };
        let size = inside.saturating_add(1);
        known.insert(ty, size);
        size
    }
    count(types, ty, &mut SparseMap::new())
}
