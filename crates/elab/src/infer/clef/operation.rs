//! What overloaded names mean: one row for each word of `"%overload.word"` in the library.
//!
//! ```text
//! Add "add" Int Kept         a + b    `add_int32` at `int`; nothing known: `int`; all have one unit
//! Sqrt "sqrt" Float Root     sqrt a   nothing known: `float`; the unit is the root of that of `a`
//! ```
//!
//! Inference asks the row, and never looks at a word again.

use oxbow_psg::Prim;

/// The type of an operand that nothing decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    Int,
    Float,
}

/// What becomes of units of measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Operands have no units.
    None,
    /// All operands have one unit, and so has a result of their type.
    Kept,
    /// The result is a number without one: `int x`.
    Dropped,
    Product,
    Quotient,
    Root,
    /// No unit, of two operands with one unit.
    Ratio,
}

/// What a name means at types that have no meaning of their own for it.
#[derive(Clone, Copy, Debug)]
pub enum Generic {
    /// A type's own `ToString` comes first.
    Prim(Prim),
    /// `compare_generic` of `compare`. Members of that name are something else.
    Function,
}

macro_rules! operations {
    ($($name:ident $word:literal $default:ident $units:ident,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation {
            $($name,)*
            /// A member that is resolved where the function around it is used (`resolved`).
            Member,
        }

        impl Operation {
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The first part of the names of the functions that it means: `add` of `add_int32`.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                    Self::Member => "member",
                }
            }

            pub fn default(self) -> Default {
                match self {
                    $(Self::$name => Default::$default,)*
                    Self::Member => Default::Int,
                }
            }

            pub fn units(self) -> Units {
                match self {
                    $(Self::$name => Units::$units,)*
                    Self::Member => Units::None,
                }
            }
        }
    };
}

operations! {
    Add "add" Int Kept,
    Sub "sub" Int Kept,
    Mul "mul" Int Product,
    Div "div" Int Quotient,
    // The same, which raise where the result is none of the type.
    AddChecked "addchecked" Int Kept,
    SubChecked "subchecked" Int Kept,
    MulChecked "mulchecked" Int Product,
    NegChecked "negchecked" Int Kept,
    Rem "rem" Int Kept,
    Pow "pow" Float None,
    PowInt "pown" Int None,
    DivInt "divint" Int Kept,
    Neg "neg" Int Kept,
    Plus "plus" Int Kept,
    Abs "abs" Int Kept,
    Sign "sign" Int Kept,
    Zero "zero" Int Kept,
    One "one" Int None,
    And "and" Int None,
    Or "or" Int None,
    Xor "xor" Int None,
    Not "not" Int None,
    ShiftLeft "shl" Int None,
    ShiftRight "shr" Int None,

    Compare "compare" Int Kept,
    Min "min" Int Kept,
    Max "max" Int Kept,

    Sqrt "sqrt" Float Root,
    Exp "exp" Float None,
    Log "log" Float None,
    Log10 "log10" Float None,
    Log2 "log2" Float None,
    Sin "sin" Float None,
    Cos "cos" Float None,
    Tan "tan" Float None,
    Asin "asin" Float None,
    Acos "acos" Float None,
    Atan "atan" Float None,
    Atan2 "atan2" Float Ratio,
    Sinh "sinh" Float None,
    Cosh "cosh" Float None,
    Tanh "tanh" Float None,
    Floor "floor" Float None,
    Ceil "ceil" Float None,
    Round "round" Float None,
    Truncate "truncate" Float None,

    ToInt8 "toint8" Int Dropped,
    ToInt16 "toint16" Int Dropped,
    ToInt "toint" Int Dropped,
    ToInt64 "toint64" Int Dropped,
    ToUint8 "touint8" Int Dropped,
    ToUint16 "touint16" Int Dropped,
    ToUint32 "touint32" Int Dropped,
    ToUint64 "touint64" Int Dropped,
    ToNativeint "tonativeint" Int Dropped,
    ToFloat "tofloat" Int Dropped,
    ToFloat32 "tofloat32" Int Dropped,
    ToDecimal "todecimal" Int Dropped,
    ToBigint "tobigint" Int Dropped,
    ToChar "tochar" Int Dropped,

    // As text: `string`, `%A`, a hole with a format, `%d` (any integer) and `%f` (any floating-point number).
    Text "text" Int Kept,
    Show "show" Int Kept,
    Spec "spec" Int Kept,
    FormatInt "fmt_int" Int Kept,
    FormatFloat "fmt_float" Float Kept,

    Range "range" Int None,
    RangeStep "rangestep" Int Kept,
    PointerRead "ptrread" Int None,
    PointerWrite "ptrwrite" Int None,
    PointerBytes "ptrbytes" Int None,
}

impl Operation {
    pub fn generic(self) -> Option<Generic> {
        match self {
            Self::Text => Some(Generic::Prim(Prim::Text)),
            Self::Show => Some(Generic::Prim(Prim::Show)),
            Self::Compare | Self::Min | Self::Max => Some(Generic::Function),
            _ => None,
        }
    }

    /// The operation that does the same at types where nothing is too large.
    pub fn unchecked(self) -> Option<Self> {
        match self {
            Self::AddChecked => Some(Self::Add),
            Self::SubChecked => Some(Self::Sub),
            Self::MulChecked => Some(Self::Mul),
            Self::NegChecked => Some(Self::Neg),
            _ => None,
        }
    }

    /// The operator that programs know it as, if the library has another name for it.
    pub fn operator(self) -> Option<&'static str> {
        match self {
            Self::AddChecked => Some("+"),
            Self::SubChecked => Some("-"),
            Self::MulChecked => Some("*"),
            Self::NegChecked => Some("~-"),
            _ => None,
        }
    }

    /// `int x` and the like.
    pub fn is_conversion(self) -> bool {
        self.units() == Units::Dropped
    }

    /// What an operand of a format's conversion must be.
    pub fn format_wants(self) -> Option<&'static str> {
        match self {
            Self::FormatInt => Some("an integer"),
            Self::FormatFloat => Some("a floating-point number"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_rows() {
        for word in ["add", "fmt_float", "toint", "text"] {
            assert_eq!(Operation::from_word(word).map(Operation::word), Some(word));
        }
        // No library can say that an external is a member.
        assert_eq!(Operation::from_word("member"), None);
    }

    #[test]
    fn conversions_drop_units() {
        assert!(Operation::ToDecimal.is_conversion());
        assert!(!Operation::Text.is_conversion());
    }
}
