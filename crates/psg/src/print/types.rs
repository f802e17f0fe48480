//! Types in the text: `int`, `'a`, `(int * string)`, `int -> bool`, `list<'a>`.

use super::names::Names;
use crate::{Ty, TyId, TypeTable};

pub(super) struct TypeText<'a> {
    pub types: &'a TypeTable,
    pub names: &'a mut Names,
}

impl TypeText<'_> {
    pub fn text(&mut self, ty: TyId) -> String {
        match self.types.get(ty) {
            Ty::Unit => "unit".into(),
            Ty::Bool => "bool".into(),
            Ty::Char => "char".into(),
            Ty::Int(width) => width.name().into(),
            Ty::Float => "float".into(),
            Ty::Float32 => "float32".into(),
            Ty::String => "string".into(),
            Ty::Bytes => "bytes".into(),
            Ty::Exn => "exn".into(),
            Ty::Dyn => "dyn".into(),
            Ty::Var(tyvar) => self.names.tyvar(self.types, *tyvar),
            Ty::Tuple(items) => format!("({})", self.list(items, " * ")),
            Ty::Array(item) => format!("array<{}>", self.text(*item)),
            Ty::Data(data, args) if args.is_empty() => self.names.data(*data),
            Ty::Data(data, args) => {
                format!("{}<{}>", self.names.data(*data), self.list(args, ", "))
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
