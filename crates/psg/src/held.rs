//! How values are held, in registers and in memory: one table for lowering and for what people are told.
//!
//! ```text
//! bool, unit    a bit in a register, a byte in memory        char    a byte
//! int8 to uint32, variants without arguments                 32 bits; the small ones are kept in range
//! int, int64, uint64, nativeint                              64 bits
//! a * b         both side by side, unless one of them is such a pair itself
//! the rest      the address of an object, or a constant in its place
//! ```

use crate::{DataKind, IntWidth, Ty, TyId, TypeTable};

/// How a value of a type without variables is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    Bit,
    Byte,
    Int32,
    Int64,
    Float32,
    Float64,
    /// Two values side by side.
    Pair(TyId, TyId),
    Reference,
}

impl TypeTable {
    pub fn held(&self, ty: TyId) -> Held {
        match self.get(ty) {
            Ty::Unit | Ty::Bool => Held::Bit,
            Ty::Char => Held::Byte,
            Ty::Int(IntWidth::I63 | IntWidth::I64 | IntWidth::U64) => Held::Int64,
            Ty::Int(
                IntWidth::I8
                | IntWidth::I16
                | IntWidth::I32
                | IntWidth::U8
                | IntWidth::U16
                | IntWidth::U32,
            ) => Held::Int32,
            Ty::Float32 => Held::Float32,
            Ty::Float => Held::Float64,
            Ty::Data(..) if self.is_enumeration(ty) => Held::Int32,
            Ty::Tuple(items) => match items[..] {
                [first, second] if self.is_pair(ty) => Held::Pair(first, second),
                _ => Held::Reference,
            },
            Ty::String
            | Ty::Bytes
            | Ty::Exn
            | Ty::Uniform
            | Ty::Var(_)
            | Ty::Array(_)
            | Ty::Fn(..)
            | Ty::Data(..) => Held::Reference,
        }
    }

    /// A variant without arguments is its constructor's number.
    pub fn is_enumeration(&self, ty: TyId) -> bool {
        let Ty::Data(data, _) = self.get(ty) else { return false };
        match &self.datas[*data].kind {
            DataKind::Record(_) => false,
            DataKind::Variant(ctors) => ctors.iter().all(|it| it.fields.is_empty()),
        }
    }
}
