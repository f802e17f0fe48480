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
    VectorRef = "vector-ref";
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

    /// Names of one function of the library are names of one procedure.
    #[test]
    fn one_function_is_one_procedure() {
        let all: Vec<_> = builtin::table().names().map(|it| builtin::table().get(it.1)).collect();
        for it in &all {
            for that in
                all.iter().filter(|that| (that.module, that.function) == (it.module, it.function))
            {
                let is_escape = [it.procedure, that.procedure].contains(&Procedure::CallEc);
                assert!(
                    is_escape || it.procedure == that.procedure,
                    "{} and {}",
                    it.name,
                    that.name
                );
            }
        }
    }
}
