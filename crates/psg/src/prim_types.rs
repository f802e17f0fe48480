//! The types of primitives: a small language of constants, and how types of the program match them.
//!
//! ```text
//! ArraySet = …, [ANY_ARRAY, INT, ANY] -> UNIT        'a array -> int -> 'a -> unit
//! ```
//!
//! There is one variable, `'a`; all its places in a signature stand for the same type. `OTHER` is a type that nothing
//! else in the signature shows.

use std::fmt;

use crate::prim_ops::{FloatOp, IntOp, IntWidth, OrderOp};
use crate::{Prim, Ty, TyId, TypeTable};

/// The most that a primitive does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// No effect and the same result for the same operands.
    Pure,
    /// Depends on memory that `Write` primitives and field stores change; may be dropped when unused, not moved over a
    /// write.
    Read,
    /// Makes a fresh mutable object; may be dropped when unused, never merged.
    Alloc,
    /// Changes memory or the world.
    Write,
}

/// The type of an operand or of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PrimTy {
    Unit,
    Bool,
    Char,
    Float,
    Float32,
    String,
    Bytes,
    Exn,
    Int(IntWidth),
    /// `'a`
    Any,
    /// `'b`: any type, in one place.
    Other,
    Array(&'static PrimTy),
    Function(&'static PrimTy, &'static PrimTy),
}

pub(crate) const UNIT: PrimTy = PrimTy::Unit;
pub(crate) const BOOL: PrimTy = PrimTy::Bool;
pub(crate) const CHAR: PrimTy = PrimTy::Char;
pub(crate) const FLOAT: PrimTy = PrimTy::Float;
pub(crate) const FLOAT32: PrimTy = PrimTy::Float32;
pub(crate) const STRING: PrimTy = PrimTy::String;
pub(crate) const BYTES: PrimTy = PrimTy::Bytes;
pub(crate) const EXN: PrimTy = PrimTy::Exn;
pub(crate) const INT: PrimTy = PrimTy::Int(IntWidth::I63);
pub(crate) const INT32: PrimTy = PrimTy::Int(IntWidth::I32);
pub(crate) const INT64: PrimTy = PrimTy::Int(IntWidth::I64);
pub(crate) const ANY: PrimTy = PrimTy::Any;
pub(crate) const OTHER: PrimTy = PrimTy::Other;
pub(crate) const ANY_ARRAY: PrimTy = PrimTy::Array(&PrimTy::Any);
pub(crate) const FLOAT_ARRAY: PrimTy = PrimTy::Array(&PrimTy::Float);
pub(crate) const FLOAT_FUNCTION: PrimTy = PrimTy::Function(&PrimTy::Float, &PrimTy::Float);

/// No primitive has more operands.
const MOST: usize = 12;

/// The type of a primitive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    params: [PrimTy; MOST],
    count: usize,
    result: PrimTy,
}

impl Signature {
    pub const fn new(given: &[PrimTy], result: PrimTy) -> Self {
        let mut params = [UNIT; MOST];
        let mut count = 0;
        while count < given.len() {
            params[count] = given[count];
            count += 1;
        }
        Self { params, count, result }
    }

    pub fn params(&self) -> &[PrimTy] {
        &self.params[..self.count]
    }

    #[cfg(test)]
    pub fn result(&self) -> PrimTy {
        self.result
    }
}

impl IntOp {
    pub(crate) fn signature(self, width: IntWidth) -> Signature {
        let int = PrimTy::Int(width);
        match self {
            Self::Neg => Signature::new(&[int], int),
            Self::Shl | Self::Lsr | Self::Asr => Signature::new(&[int, INT], int),
            Self::Ult => Signature::new(&[int, int], BOOL),
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Mod
            | Self::And
            | Self::Or
            | Self::Xor => Signature::new(&[int, int], int),
        }
    }
}

impl FloatOp {
    pub(crate) fn signature(self) -> Signature {
        Signature::new(&[FLOAT; MOST][..self.arity()], FLOAT)
    }
}

impl OrderOp {
    pub(crate) fn signature(self) -> Signature {
        match self {
            Self::Compare => Signature::new(&[ANY, ANY], INT),
            Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge => {
                Signature::new(&[ANY, ANY], BOOL)
            }
        }
    }
}

/// Checks operands and result against the type of the primitive.
pub(crate) fn check(
    types: &mut TypeTable,
    prim: Prim,
    args: &[TyId],
    result: TyId,
) -> Result<(), String> {
    if args.len() != prim.arity() {
        return Err(format!("{} takes {} operands", prim.name(), prim.arity()));
    }
    // The object's constructors say what its methods take.
    if let Prim::Send { .. } = prim {
        return Ok(());
    }
    let Some(signature) = prim.signature() else {
        let fits = args.iter().chain([&result]).all(|&it| is_foreign(types, it));
        return fits.then_some(()).ok_or_else(|| format!("{} is given an object", prim.name()));
    };
    let mut matcher = Matcher { types, variable: None };
    let expected = signature.params().iter().chain([&signature.result]);
    for (expected, &ty) in expected.zip(args.iter().chain([&result])) {
        if !matcher.matches(*expected, ty) {
            return Err(format!("{} : {signature} is given another type", prim.name()));
        }
    }
    Ok(())
}

/// Can a value of this type be given to a function of C? Strings are, as the address of their bytes.
pub fn is_foreign(types: &TypeTable, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Unit | Ty::Bool | Ty::Char | Ty::Float | Ty::Float32 | Ty::String | Ty::Int(_) => true,
        Ty::Bytes
        | Ty::Exn
        | Ty::Array(_)
        | Ty::Fn(..)
        | Ty::Tuple(_)
        | Ty::Data(..)
        | Ty::Uniform
        | Ty::Var(_) => false,
    }
}

/// The type of the result, if the operands determine it.
pub(crate) fn result(types: &mut TypeTable, prim: Prim, args: &[TyId]) -> Option<TyId> {
    let signature = prim.signature()?;
    let mut matcher = Matcher { types, variable: None };
    for (&expected, &ty) in signature.params().iter().zip(args) {
        matcher.matches(expected, ty);
    }
    matcher.build(signature.result)
}

/// Whether the result has a type that no operand shows.
pub(crate) fn result_is_open(prim: Prim) -> bool {
    match prim.signature() {
        Some(it) if it.result == OTHER => true,
        Some(it) => it.result.is_open() && !it.params().iter().any(|it| it.is_open()),
        None => true,
    }
}

impl PrimTy {
    /// Does `'a` occur in it?
    fn is_open(self) -> bool {
        match self {
            Self::Any | Self::Other => true,
            Self::Array(item) => item.is_open(),
            Self::Function(param, result) => param.is_open() || result.is_open(),
            Self::Unit
            | Self::Bool
            | Self::Char
            | Self::Float
            | Self::Float32
            | Self::String
            | Self::Bytes
            | Self::Exn
            | Self::Int(_) => false,
        }
    }
}

struct Matcher<'a> {
    types: &'a mut TypeTable,
    /// What `'a` stands for.
    variable: Option<TyId>,
}

impl Matcher<'_> {
    fn matches(&mut self, expected: PrimTy, ty: TyId) -> bool {
        let found = self.types.get(ty);
        match expected {
            PrimTy::Any => *self.variable.get_or_insert(ty) == ty,
            PrimTy::Other => true,
            PrimTy::Array(item) => match *found {
                Ty::Array(found) => self.matches(*item, found),
                _ => false,
            },
            PrimTy::Function(param, result) => match *found {
                Ty::Fn(from, to) => self.matches(*param, from) && self.matches(*result, to),
                _ => false,
            },
            PrimTy::Unit => *found == Ty::Unit,
            PrimTy::Bool => *found == Ty::Bool,
            PrimTy::Char => *found == Ty::Char,
            PrimTy::Float => *found == Ty::Float,
            PrimTy::Float32 => *found == Ty::Float32,
            PrimTy::String => *found == Ty::String,
            PrimTy::Bytes => *found == Ty::Bytes,
            PrimTy::Exn => *found == Ty::Exn,
            PrimTy::Int(width) => *found == Ty::Int(width),
        }
    }

    fn build(&mut self, expected: PrimTy) -> Option<TyId> {
        let ty = match expected {
            PrimTy::Any => return self.variable,
            PrimTy::Other => return None,
            PrimTy::Array(item) => Ty::Array(self.build(*item)?),
            PrimTy::Function(param, result) => Ty::Fn(self.build(*param)?, self.build(*result)?),
            PrimTy::Unit => Ty::Unit,
            PrimTy::Bool => Ty::Bool,
            PrimTy::Char => Ty::Char,
            PrimTy::Float => Ty::Float,
            PrimTy::Float32 => Ty::Float32,
            PrimTy::String => Ty::String,
            PrimTy::Bytes => Ty::Bytes,
            PrimTy::Exn => Ty::Exn,
            PrimTy::Int(width) => Ty::Int(width),
        };
        Some(self.types.intern(ty))
    }
}

impl fmt::Display for PrimTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => write!(f, "unit"),
            Self::Bool => write!(f, "bool"),
            Self::Char => write!(f, "char"),
            Self::Float => write!(f, "float"),
            Self::Float32 => write!(f, "float32"),
            Self::String => write!(f, "string"),
            Self::Bytes => write!(f, "bytes"),
            Self::Exn => write!(f, "exn"),
            Self::Int(width) => write!(f, "{}", width.name()),
            Self::Any => write!(f, "'a"),
            Self::Other => write!(f, "'b"),
            Self::Array(item) => write!(f, "{item} array"),
            Self::Function(param, result) => write!(f, "({param} -> {result})"),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for param in self.params() {
            write!(f, "{param} -> ")?;
        }
        write!(f, "{}", self.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_printed_as_ocaml_writes_them() {
        let text = |prim: Prim| prim.signature().map(|it| it.to_string());
        let same = |prim: Prim, expected: &str| assert_eq!(text(prim).as_deref(), Some(expected));
        same(Prim::ArraySet, "'a array -> int -> 'a -> unit");
        same(Prim::AdMapNumbers, "(float -> float) -> 'a -> 'a");
        same(Prim::Int(IntWidth::U8, IntOp::Shl), "uint8 -> int -> uint8");
        same(Prim::Float(FloatOp::Fma), "float -> float -> float -> float");
    }

    #[test]
    fn the_variable_stands_for_one_type() {
        let mut types = TypeTable::default();
        let (int, bool, unit) = (types.int, types.bool, types.unit);
        let ints = types.intern(Ty::Array(int));
        assert!(check(&mut types, Prim::ArraySet, &[ints, int, int], unit).is_ok());
        assert!(check(&mut types, Prim::ArraySet, &[ints, int, bool], unit).is_err());
        assert!(check(&mut types, Prim::ArraySet, &[int, int, int], unit).is_err());
        assert!(check(&mut types, Prim::ArraySet, &[ints, int], unit).is_err());
        assert_eq!(result(&mut types, Prim::ArrayGet, &[ints, int]), Some(int));
        assert_eq!(result(&mut types, Prim::ArrayUninit, &[int]), None);
    }

    #[test]
    fn open_results_are_those_that_operands_do_not_show() {
        for prim in [Prim::SysExit, Prim::ArrayUninit, Prim::WordOfInt, Prim::AdCoefficients] {
            assert!(result_is_open(prim), "{}", prim.name());
        }
        for prim in [Prim::ArrayMake, Prim::Opaque, Prim::AdSeries, Prim::Hash] {
            assert!(!result_is_open(prim), "{}", prim.name());
        }
    }
}
