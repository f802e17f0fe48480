//! Widths of integers, and the operations on numbers and in order that primitives are made of.

use crate::Prim;

/// Declares operations with their names and numbers of operands.
macro_rules! operations {
    ($(#[doc = $head:literal])* $type:ident {
        $($(#[doc = $doc:literal])* $variant:ident = $name:literal, $arity:literal;)*
    }) => {
        $(#[doc = $head])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $type {
            $($(#[doc = $doc])* $variant,)*
        }

        impl $type {
            const ALL: &'static [$type] = &[$($type::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            pub fn arity(self) -> usize {
                match self { $(Self::$variant => $arity,)* }
            }

            pub(crate) fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }
        }
    };
}

/// Widths of integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntWidth {
    /// OCaml's `int`.
    I63,
    I32,
    /// `int64` and `nativeint`.
    I64,
    I8,
    I16,
    U8,
    U16,
    U32,
    U64,
}

operations! {
    IntOp {
        Add = "add", 2;
        Sub = "sub", 2;
        Mul = "mul", 2;
        /// Truncating; the divisor is not zero. The least value divided by -1 is itself.
        Div = "unsafe_div", 2;
        /// Sign of the dividend; the divisor is not zero.
        Mod = "unsafe_mod", 2;
        Neg = "neg", 1;
        And = "and", 2;
        Or = "or", 2;
        Xor = "xor", 2;
        /// Shift counts are within 0..width; others give an unspecified value.
        Shl = "shl", 2;
        Lsr = "lsr", 2;
        Asr = "asr", 2;
        /// Unsigned less-than, to bool: `0 <= a && a < b` in one test for `b >= 0`.
        Ult = "ult", 2;
    }
}

operations! {
    /// Operations on `float`, all to `float`.
    FloatOp {
        Add = "add", 2;
        Sub = "sub", 2;
        Mul = "mul", 2;
        Div = "div", 2;
        /// C's `fmod`.
        Rem = "rem", 2;
        Neg = "neg", 1;
        Abs = "abs", 1;
        Pow = "pow", 2;
        Sqrt = "sqrt", 1;
        Cbrt = "cbrt", 1;
        Exp = "exp", 1;
        Exp2 = "exp2", 1;
        Expm1 = "expm1", 1;
        Log = "log", 1;
        Log2 = "log2", 1;
        Log10 = "log10", 1;
        Log1p = "log1p", 1;
        Sin = "sin", 1;
        Cos = "cos", 1;
        Tan = "tan", 1;
        Asin = "asin", 1;
        Acos = "acos", 1;
        Atan = "atan", 1;
        Atan2 = "atan2", 2;
        Sinh = "sinh", 1;
        Cosh = "cosh", 1;
        Tanh = "tanh", 1;
        Asinh = "asinh", 1;
        Acosh = "acosh", 1;
        Atanh = "atanh", 1;
        Erf = "erf", 1;
        Erfc = "erfc", 1;
        Ceil = "ceil", 1;
        Floor = "floor", 1;
        Trunc = "trunc", 1;
        /// Half away from zero, as C's `round`.
        Round = "round", 1;
        Hypot = "hypot", 2;
        CopySign = "copysign", 2;
        NextAfter = "nextafter", 2;
        Fma = "fma", 3;
        /// `Add`, where the terms of a sum may be added in any order.
        Sum = "sum", 2;
        /// `exp` and `tanh` by `kernels`, for loops of vector instructions.
        FastExp = "fast_exp", 1;
        FastTanh = "fast_tanh", 1;
    }
}

operations! {
    /// Polymorphic order: decided by the operand type. `monomorphize` replaces those at
    /// structured types by calls of generated functions; those at scalar types and
    /// strings stay.
    OrderOp {
        Eq = "eq", 2;
        Ne = "ne", 2;
        Lt = "lt", 2;
        Le = "le", 2;
        Gt = "gt", 2;
        Ge = "ge", 2;
        /// -1, 0 or 1; a `nan` is equal to itself and below every other float.
        Compare = "compare", 2;
    }
}

impl IntWidth {
    pub const ALL: [IntWidth; 9] = [
        Self::I63,
        Self::I32,
        Self::I64,
        Self::I8,
        Self::I16,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::I63 => "int",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Self::I63 => 63,
            Self::I32 | Self::U32 => 32,
            Self::I64 | Self::U64 => 64,
            Self::I8 | Self::U8 => 8,
            Self::I16 | Self::U16 => 16,
        }
    }

    pub fn signed(self) -> bool {
        match self {
            Self::I63 | Self::I32 | Self::I64 | Self::I8 | Self::I16 => true,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => false,
        }
    }

    /// The value of this type with the same low bits. Those of `U64` are kept as the `i64` of the
    /// same bits.
    pub fn wrap(self, value: i64) -> i64 {
        let spare = 64 - self.bits();
        if self.signed() {
            (value << spare) >> spare
        } else {
            (((value as u64) << spare) >> spare) as i64
        }
    }
}

impl FloatOp {
    /// For a kernel: the primitive that does the same to many numbers of an array.
    pub fn over_array(self) -> Option<Prim> {
        match self {
            Self::Tanh => Some(Prim::ArrayTanh),
            Self::Exp => Some(Prim::ArrayExp),
            Self::FastTanh => Some(Prim::ArrayFastTanh),
            Self::FastExp => Some(Prim::ArrayFastExp),
            _ => None,
        }
    }
}

impl Prim {
    /// Replaced by `differentiate`; unknown to the stages after it.
    pub fn is_differentiation(self) -> bool {
        matches!(
            self,
            Prim::AdReverse
                | Prim::AdDual
                | Prim::AdOuter
                | Prim::AdPrimal
                | Prim::AdTangent
                | Prim::AdVariable
                | Prim::AdIndex
                | Prim::AdTape
                | Prim::AdSeries
                | Prim::AdCoefficients
                | Prim::AdIsZero
                | Prim::AdConstant
                | Prim::AdAttach
        )
    }
}
