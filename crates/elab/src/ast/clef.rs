//! What only Clef has: computations, and the other types that objects can be seen as.

use oxbow_base::{Made, Symbol};

use super::{Attribute, Expr, Name, Pattern, TypeExpr};

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
    /// It is the class that is inherited, not an interface.
    pub base: bool,
}

/// `(^a : (static member M : t) args)`: a member that the type has where the function around is used.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedMember {
    pub on: TypeExpr,
    pub is_static: bool,
    pub name: Name,
    pub ty: TypeExpr,
    pub args: Expr,
}

/// The power of a unit of measure: a fraction in its lowest terms, whose denominator is above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    over: i64,
    under: i64,
}

impl Power {
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// `None` if there is no such fraction, or it cannot be held.
    pub fn new(over: i64, under: i64) -> Option<Self> {
        let divisor = greatest_divisor(over.checked_abs()?, under.checked_abs()?);
        if under == 0 {
            return None;
        }
        let divisor = divisor * under.signum();
        Some(Self { over: over / divisor, under: under / divisor })
    }

    pub fn is_zero(self) -> bool {
        self.over == 0
    }

    pub fn is_negative(self) -> bool {
        self.over < 0
    }

    pub fn negated(self) -> Self {
        Self { over: -self.over, ..self }
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.over.checked_mul(other.under)?;
        let right = other.over.checked_mul(self.under)?;
        Self::new(left.checked_add(right)?, self.under.checked_mul(other.under)?)
    }

    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?)
    }

    /// One divided by it.
    pub fn inverted(self) -> Option<Self> {
        Self::new(self.under, self.over)
    }
}

impl std::fmt::Display for Power {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.under {
            1 => write!(out, "{}", self.over),
            under => write!(out, "({}/{under})", self.over),
        }
    }
}

fn greatest_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// `[<Measure>]`: a unit of measure, or a parameter that stands for one.
pub fn is_measure(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| it.name.text.as_str() == "Measure")
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
    /// `val X: t`: named by all, set by the constructors of the class.
    Declared,
}

/// The field of a member of an interface, or of one that heirs may override.
pub fn member_field(member: Symbol) -> Symbol {
    Made::Slot(member).symbol()
}

/// The member whose field has this name.
pub fn member_of_field(field: Symbol) -> Option<Symbol> {
    match field.origin() {
        Some(Made::Slot(member)) => Some(member),
        _ => None,
    }
}
