//! Procedures of the table of which more is known than their lines say: the compiler has rules of its own for them.
//!
//! The text of a name is compared here alone, once, when the table is read. Procedures of several names are one:
//! `exact->inexact` is [`Procedure::Inexact`].

use crate::known;

macro_rules! procedures {
    ($($procedure:ident = $($name:expr),+;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Procedure {
            $($procedure,)*
            /// What it does is said by its line of the table, as far as anybody asks.
            Other,
        }

        const NAMES: &[(&str, Procedure)] = &[$($(($name, Procedure::$procedure),)+)*];
    };
}

procedures! {
    Add = "+";
    Sub = "-";
    Mul = "*";
    Div = "/";
    Max = "max";
    Min = "min";
    Abs = "abs";
    Magnitude = "magnitude";
    Expt = "expt";
    Quotient = "quotient", "truncate-quotient";
    Remainder = "remainder", "truncate-remainder";
    Modulo = "modulo", "mod", "floor-remainder";
    FloorQuotient = "floor-quotient";
    Gcd = "gcd";
    Lcm = "lcm";
    BitwiseAnd = "bitwise-and";
    BitwiseOr = "bitwise-or";
    BitwiseXor = "bitwise-xor";
    ArithmeticShift = "arithmetic-shift";
    Exact = "exact", "inexact->exact";
    Inexact = "inexact", "exact->inexact";
    Numerator = "numerator";
    Denominator = "denominator";
    Floor = "floor";
    Ceiling = "ceiling";
    Truncate = "truncate";
    Round = "round";
    Exp = "exp";
    Log = "log";
    Sqrt = "sqrt";
    Sin = "sin";
    Cos = "cos";
    Tan = "tan";
    Asin = "asin";
    Acos = "acos";
    Atan = "atan";
    Sinh = "sinh";
    Cosh = "cosh";
    Tanh = "tanh";
    Equal = "=";
    Less = "<";
    Greater = ">";
    LessOrEqual = "<=";
    GreaterOrEqual = ">=";
    IsZero = "zero?";
    IsPositive = "positive?";
    IsNegative = "negative?";
    Not = "not";
    IsEq = "eq?";
    IsEqv = "eqv?";
    IsEqual = "equal?";
    Cons = "cons";
    SetCar = "set-car!";
    SetCdr = "set-cdr!";
    List = "list";
    Append = "append";
    Length = "length";
    Assq = "assq";
    Assv = "assv";
    Assoc = known::ASSOC;
    Vector = "vector";
    MakeVector = "make-vector";
    VectorRef = "vector-ref", "vref";
    VectorSet = "vector-set!";
    VectorCopy = "vector-copy";
    VectorLength = "vector-length";
    StringLength = "string-length";
    CharToInteger = "char->integer";
    Record = known::RECORD;
    Values = "values";
    Apply = "apply";
    ApplyValues = known::APPLY_VALUES;
    CallCc = "call/cc", "call-with-current-continuation";
    CallEc = "call/ec", "call-with-escape-continuation";
    WithExceptionHandler = "with-exception-handler";
    RaiseContinuable = "raise-continuable";
    Reraise = known::RERAISE;
    Resume = known::RESUME;
    Place = known::PLACE;
    AdOpen = known::AD_OPEN;
}

impl Procedure {
    pub fn named(name: &str) -> Self {
        NAMES.iter().find(|it| it.0 == name).map_or(Self::Other, |it| it.1)
    }

    /// The library's function from a float to a float.
    pub fn on_float(self) -> Option<&'static str> {
        Some(match self {
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Sqrt => "sqrt",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Floor => "floor",
            Self::Ceiling => "ceil",
            Self::Abs | Self::Magnitude => "abs_float",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn all_are_in_the_table() {
        for (name, procedure) in NAMES {
            let mut names = builtin::table().names();
            let Some((_, id)) = names.find(|it| it.0.as_str() == *name) else {
                panic!("`{name}` is not in the table")
            };
            assert_eq!(builtin::table().get(id).procedure, *procedure);
        }
    }

    /// Names of one function of the library that take the same arguments are names of one procedure.
    #[test]
    fn one_function_is_one_procedure() {
        let all: Vec<_> = builtin::table().names().map(|it| builtin::table().get(it.1)).collect();
        let key = |it: &builtin::Builtin| (it.module, it.function, it.shape, it.takes_place);
        for it in all.iter().filter(|it| it.procedure != Procedure::CallEc) {
            for that in all.iter().filter(|that| key(that) == key(it)) {
                let is_same = [it.procedure, Procedure::CallEc].contains(&that.procedure);
                assert!(is_same, "{} and {}", it.name, that.name);
            }
        }
    }
}
