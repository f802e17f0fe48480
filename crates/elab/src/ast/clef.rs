//! What only Clef has: computations, and the other types that objects can be seen as.

use oxbow_base::Symbol;

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

/// What a field of the record behind a class or an interface is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldRole {
    /// The field of a record that is no class.
    #[default]
    Plain,
    /// The number of the object. Every class and interface has it, as the first field.
    Number,
    /// What a `let` or a constructor's parameter holds.
    State,
    /// A member of an interface, or one that heirs may override.
    Member,
    /// The class or an interface that is inherited.
    Base,
}

/// The field of a member of an interface, or of one that heirs may override.
pub fn member_field(member: Symbol) -> Symbol {
    Symbol::new(&format!("{MEMBER_FIELD}{member}"))
}

/// The member whose field has this name.
pub fn member_of_field(field: Symbol) -> Option<Symbol> {
    field.as_str().strip_prefix(MEMBER_FIELD).map(Symbol::new)
}

const MEMBER_FIELD: &str = "%v.";
