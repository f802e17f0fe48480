//! Why a gradient is not written out as code. `explain` shows the text.

/// What the writer answers.
pub type Written<T> = Result<T, Reason>;

macro_rules! reasons {
    ($($name:ident => $text:literal,)*) => {
        /// What a function does that gradients as code do not serve; its gradient uses the tape.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reason {
            $($name,)*
        }

        impl Reason {
            /// Completes "a tape is used because …".
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

reasons! {
    UnknownFunction => "the function is not known here",
    NoArray => "the input is no array",
    NoNumber => "its result is no number",
    NeverReturns => "it never returns",
    TooLarge => "it is too large",
    Effects => "it has effects",
    Exit => "it may end the program",
    Handler => "it handles exceptions",
    NestedDerivative => "a derivative is taken inside",
    UnknownCall => "an unknown function is called",
    Identity => "objects are compared by identity",
    LosesDerivative => "a function of C or a conversion may lose a derivative",
    FromText => "a float is made from text or bits",
    NoLoop => "it has recursion that is no loop",
    GivesFunctions => "a recursive function gives functions",
    RecursionRaises => "it has recursion that always raises",
    LoopRaises => "it has a loop that always raises",
    EndlessLoop => "it has a loop without end",
    ReferenceLeaves => "a reference leaves its loop",
    FormChanges => "the form of a value changes from round to round",
    CallChanges => "the form of a value changes from call to call",
    FormDecided => "a branch decides over the form of a value",
    StoredClosure => "a closure is stored or passed to unknown code",
    StoredReference => "a reference or closure is stored or passed to unknown code",
    PassedData => "a data structure that is passed to unknown code",
    NumbersInData => "numbers of the derivative are stored in data structures",
    NumbersStored => "numbers of the derivative are stored or passed to unknown code",
    YieldsObjects => "a branch or loop yields objects",
    NeedsObject => "the reverse sweep needs an object of each round of a loop",
    NotKept => "the reverse sweep needs a value that is not kept",
    ChangingMatrix => "a matrix changes after it was multiplied",
    MissingCase => "a case is missing",
    Jump => "a jump out of the function",
    OtherTuple => "a tuple of another type",
    OtherRecord => "a record of another type",
    NoParts => "an object without parts",
    NoPart => "a part of something else",
    NoField => "a field of something else",
}
