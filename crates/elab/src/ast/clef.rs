//! What only Clef has: computations, and the other types that objects can be seen as.

use super::{Expr, Name, Pattern, TypeExpr};

/// `let! p = e and! q = f` with the rest of its block.
#[derive(Clone, Debug, PartialEq)]
pub struct LetBang {
    pub bindings: Vec<(Pattern, Expr)>,
    /// `use!`: disposed of at the end.
    pub using: bool,
    pub body: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bang {
    /// `return e`
    Return,
    /// `return! e`
    ReturnFrom,
    /// `do! e`
    Do,
}

impl Bang {
    pub fn word(self) -> &'static str {
        match self {
            Self::Return => "return",
            Self::ReturnFrom => "return!",
            Self::Do => "do!",
        }
    }
}

/// Another type that the values of a type can be seen as: an interface, or the class that is inherited.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub ty: TypeExpr,
    /// The member that makes it.
    pub member: Name,
    /// The static member that goes back, if the object is of this class.
    pub back: Option<Name>,
}
