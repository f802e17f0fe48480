//! The types that exist before any file is read.

use oxbow_base::{FileId, Id, Span, Symbol};
use oxbow_psg::{IntWidth, KnownType};

use crate::types::{Builtin, CtorInfo, GENERIC, TyCon, TyConId, TyConKind, Type, TypeId, Types};

use super::env::{Ctor, Env};

/// Handles of predefined types.
pub struct Builtins {
    pub unit: TypeId,
    pub bool: TypeId,
    pub char: TypeId,
    pub int: TypeId,
    pub int32: TypeId,
    pub int64: TypeId,
    pub nativeint: TypeId,
    pub float: TypeId,
    pub float32: TypeId,
    pub string: TypeId,
    pub exn: TypeId,
    pub error: TypeId,
    pub array: TyConId,
    pub list: TyConId,
    pub option: TyConId,
    pub unit_con: TyConId,
    float32_con: TyConId,
    nativeptr: TyConId,
    /// The other integer types.
    sized: Vec<(IntWidth, TyConId, TypeId)>,
    named: Vec<(&'static str, TyConId)>,
}

fn no_span() -> Span {
    Span::new(FileId::from_index(0), 0, 0)
}

impl Builtins {
    pub fn new(types: &mut Types) -> Self {
        let mut named = Vec::new();
        let mut con = |types: &mut Types, name: &'static str, arity: usize, kind: TyConKind| {
            let params =
                (0..arity).map(|_| types.add(Type::Var { level: GENERIC, name: None })).collect();
            let tycon =
                types.tycons.push(TyCon::new(Symbol::new(name), name.into(), params, kind, None));
            named.push((name, tycon));
            tycon
        };
        let mut base = |types: &mut Types, name, builtin| {
            let tycon = con(types, name, 0, TyConKind::Builtin(builtin));
            (tycon, types.add(Type::Con(tycon, Vec::new())))
        };
        let (unit_con, unit) = base(types, "unit", Builtin::Unit);
        let (_, bool) = base(types, "bool", Builtin::Bool);
        let (_, char) = base(types, "char", Builtin::Char);
        let (_, int) = base(types, "int", Builtin::Int(IntWidth::I63));
        let (_, int32) = base(types, "int32", Builtin::Int(IntWidth::I32));
        let (_, int64) = base(types, "int64", Builtin::Int(IntWidth::I64));
        let (_, nativeint) = base(types, "nativeint", Builtin::Nativeint);
        let (_, float) = base(types, "float", Builtin::Float);
        let (_, string) = base(types, "string", Builtin::String);
        base(types, "bytes", Builtin::Bytes);
        let (float32_con, float32) = base(types, "float32", Builtin::Float32);
        let sized = IntWidth::ALL[3..]
            .iter()
            .map(|&width| {
                let (con, ty) = base(types, width.name(), Builtin::Int(width));
                (width, con, ty)
            })
            .collect();
        let (_, exn) = base(types, "exn", Builtin::Exn);
        let array = con(types, "array", 1, TyConKind::Builtin(Builtin::Array));
        let nativeptr = con(types, "nativeptr", 1, TyConKind::Builtin(Builtin::Nativeptr));
        let list = con(types, "list", 1, TyConKind::Pending);
        let option = con(types, "option", 1, TyConKind::Pending);
        let ctor = |name: &str, args| CtorInfo {
            name: name.into(),
            args,
            inline_record: None,
            own: None,
            span: no_span(),
        };
        types.tycons[list].known = Some(KnownType::List);
        types.tycons[option].known = Some(KnownType::Option);
        let item = types.tycons[list].params[0];
        let rest = types.add(Type::Con(list, vec![item]));
        types.tycons[list].kind =
            TyConKind::Variant(vec![ctor("[]", vec![]), ctor("::", vec![item, rest])]);
        let item = types.tycons[option].params[0];
        types.tycons[option].kind =
            TyConKind::Variant(vec![ctor("None", vec![]), ctor("Some", vec![item])]);
        let error = types.add(Type::Error);
        types.units = Some(crate::types::Units::new(types, unit));
        Self {
            unit,
            bool,
            char,
            int,
            int32,
            int64,
            nativeint,
            float,
            float32,
            string,
            exn,
            error,
            array,
            list,
            option,
            unit_con,
            float32_con,
            nativeptr,
            sized,
            named,
        }
    }

    /// The integer type of a width.
    pub fn sized(&self, width: IntWidth) -> TypeId {
        match width {
            IntWidth::I63 => self.int,
            IntWidth::I32 => self.int32,
            IntWidth::I64 => self.int64,
            _ => self.sized.iter().find(|it| it.0 == width).map_or(self.error, |it| it.2),
        }
    }

    /// What OCaml does not have is not in scope.
    fn is_ocaml(&self, tycon: TyConId) -> bool {
        ![self.float32_con, self.nativeptr].contains(&tycon)
            && self.sized.iter().all(|it| it.1 != tycon)
    }

    pub fn env(&self, types: &Types) -> Env {
        let mut env = Env::default();
        for &(name, tycon) in self.named.iter().filter(|it| self.is_ocaml(it.1)) {
            env.add_type(name.into(), tycon);
            if let TyConKind::Variant(ctors) = &types.tycons[tycon].kind {
                for (index, ctor) in ctors.iter().enumerate() {
                    env.add_ctor(ctor.name, Ctor::Variant(tycon, index as u32));
                }
            }
        }
        env
    }

    /// Clef's names: `int` has 32 bits, and OCaml's is `ocaml_int`.
    pub fn clef_env(&self, types: &Types) -> Env {
        let mut env = Env::default();
        for &(name, tycon) in &self.named {
            let name = if name == "int" { "ocaml_int" } else { name };
            env.add_type(name.into(), tycon);
            if let TyConKind::Variant(ctors) = &types.tycons[tycon].kind {
                for (index, ctor) in ctors.iter().enumerate() {
                    env.add_ctor(ctor.name, Ctor::Variant(tycon, index as u32));
                }
            }
        }
        for (alias, name) in [
            ("int", "int32"),
            ("double", "float"),
            ("single", "float32"),
            ("byte", "uint8"),
            ("sbyte", "int8"),
            ("uint", "uint32"),
        ] {
            if let Some(tycon) = env.ty(name.into()) {
                env.add_type(alias.into(), tycon);
            }
        }
        env
    }
}
