//! Names that the compiler makes up: what each is for, as data.
//!
//! ```text
//! x |> f        let %pipe.1 = x in f %pipe.1          Made::Piped(1)
//! base.M ()     base.%impl.M ()                       Made::Implementation(M)
//! ```
//!
//! A [`Symbol`] is a text of the program, or one of these. Their texts are for dumps: no text of a program is equal to
//! such a name, whatever it spells, and who must know what a name is for asks for [`Symbol::origin`].
//!
//! Needs: nothing. The front ends and inference make them; later stages ask whether a name can be shown.

use std::fmt::{self, Write as _};

use crate::Symbol;

/// What a name that no program can write is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Made {
    // ------------------------------------------------ variables
    /// A variable of the code that some syntax stands for.
    Local(Symbol),
    /// The same, and another one at each place: `%give3`.
    Fresh(Symbol, u32),
    /// What was inferred before the code around it was made: `%list.3`.
    Typed(Symbol, u32),
    /// Such a value that is the last argument of a call, `x` of `x |> f`.
    Piped(u32),
    /// Such a value whose property is set.
    Object(u32),
    /// A parameter that may be left out, `?x`; the name is an alias of its pattern.
    Optional(u32),
    /// `[<ParamArray>] xs`, likewise.
    Rest(u32),
    /// What `finally` does, and what the body before it gave.
    Finish(u32),
    Result(u32),
    /// The exception that a handler has caught, for `reraise ()`.
    Caught,
    /// What a branch ends in, where the whole is seen as an interface or a class: a function of it.
    Seen,
    /// The memory of a variable whose address is taken.
    Cell(Symbol),
    /// A variable of Eshkol behind the expander, which tells those of one name apart; and the value of one that is
    /// also called as a function.
    Variable(Symbol, u32),
    Value(Symbol, u32),

    // ------------------------------------------------ classes of Clef
    /// What makes the objects of a type, `C(…)`.
    Constructor,
    /// The member that `x.P <- v` means, and for `P` called `Item` also `x[i] <- v`.
    Setter(Symbol),
    /// The number of an object, the first field of all.
    Number,
    /// The field of the class that is inherited, or of an interface that one inherits.
    Base,
    BaseInterface(u32),
    /// The fields that an heir adds, in one record.
    Own,
    /// The part of an object that its heir adds to it, and the members that read and set it.
    Heir,
    GetHeir,
    SetHeir,
    /// The object behind a value, as an `obj`: a member of classes, and what interfaces ask the object for.
    Behind,
    /// The member that finds the type of a number among those that an object can be seen as.
    Views,
    /// The static member that looks for an heir in an object.
    Cast,
    /// The variable behind `member val`.
    Auto(Symbol),
    /// What a class does itself where heirs may override.
    Implementation(Symbol),
    /// The field of a member that is called through the object.
    Slot(Symbol),
    /// What belongs to a name of the program, and is nothing that anybody asks for: `%set.M`.
    Of(Symbol, Symbol),

    // ------------------------------------------------ others
    /// An attribute that says what the node is, or what it was written as.
    Mark(Mark),
    /// The module of Clef's that holds what syntax refers to.
    Prelude,
    /// The type of anonymous records, by its fields.
    Anonymous(Symbol),
    /// The function behind one of several members of a name: `Point.Scale#2`.
    Overload(Symbol, u32),
    /// The value of a class of OCaml's; the field of a method in its objects; the label of what a class without
    /// parameters takes.
    Class(Symbol),
    Method(Symbol),
    NoParameters,
}

/// What the parser of Clef says of a node by an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// What `use` has become.
    Use,
    Inline,
    Private,
    /// In parentheses: no part of the comprehension around it.
    Group,
    /// The record behind a class.
    Class,
    /// A record whose fields of inherited interfaces are filled by inference.
    Bases,
    /// A list or array of elements that may be seen as another type; the function that makes such a sequence.
    Elements,
    /// The operand of `yield!` in a list, and in an array.
    OfList,
    OfArray,
    /// The constructor of the class that is inherited.
    Inherits,
    /// A member that says what `=`, `compare` and `hash` mean at its type.
    Equality,
    Order,
    /// That of the class that is inherited, if it has one.
    InheritedOrder,
    Hash,
    /// The `ToString` of a type, and that of a class, which `%A` shows, too.
    Text,
    Shown,
    /// A value type: `[<Struct>]`, `struct … end`.
    Struct,
    /// A class around a function.
    Delegate,
    /// What a value is as an `obj`.
    Object,
    /// The constructor of the class of an object expression, with the names of what that defines.
    Defines,
    /// A binding around the body of a class.
    AroundClass,
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::Inline => "inline",
            Self::Private => "private",
            Self::Group => "group",
            Self::Class => "class",
            Self::Bases => "bases",
            Self::Elements => "elements",
            Self::OfList => "of list",
            Self::OfArray => "of array",
            Self::Inherits => "inherits",
            Self::Equality => "equality",
            Self::Order => "order",
            Self::InheritedOrder => "inherited order",
            Self::Hash => "hash",
            Self::Text => "text",
            Self::Shown => "shown",
            Self::Struct => "struct",
            Self::Delegate => "delegate",
            Self::Object => "object",
            Self::Defines => "defines",
            Self::AroundClass => "around class",
        }
    }
}

impl Made {
    pub fn local(stem: &str) -> Self {
        Self::Local(Symbol::new(stem))
    }

    pub fn fresh(stem: &str, number: u32) -> Self {
        Self::Fresh(Symbol::new(stem), number)
    }

    pub fn symbol(self) -> Symbol {
        Symbol::made(self)
    }

    /// As people see it, who know neither the number nor that it was made up: by the name of the program that it
    /// belongs to, or in parentheses by what it is for.
    pub fn shown(self) -> String {
        match self {
            Self::Cell(name)
            | Self::Setter(name)
            | Self::Auto(name)
            | Self::Implementation(name)
            | Self::Slot(name)
            | Self::Of(_, name)
            | Self::Overload(name, _)
            | Self::Variable(name, _)
            | Self::Value(name, _)
            | Self::Class(name)
            | Self::Method(name) => name.shown(),
            Self::Local(stem) | Self::Fresh(stem, _) | Self::Typed(stem, _) => format!("({stem})"),
            Self::Piped(_) => "(argument)".into(),
            Self::Object(_) | Self::Behind | Self::Views => "(object)".into(),
            Self::Optional(_) | Self::Rest(_) => "(parameter)".into(),
            Self::Finish(_) => "(finally)".into(),
            Self::Result(_) => "(result)".into(),
            Self::Caught => "(exception)".into(),
            Self::Seen => "(branch)".into(),
            Self::Constructor => "New".into(),
            Self::Number => "(number)".into(),
            Self::Base | Self::BaseInterface(_) => "(base)".into(),
            Self::Own | Self::Heir | Self::GetHeir | Self::SetHeir => "(heir)".into(),
            Self::Cast => "(cast)".into(),
            Self::Mark(mark) => format!("({})", mark.word()),
            Self::Prelude => "(prelude)".into(),
            Self::Anonymous(fields) => format!("{{| {fields} |}}"),
            Self::NoParameters => "(class)".into(),
        }
    }
}

impl fmt::Display for Made {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(stem) => write!(out, "%{stem}"),
            Self::Fresh(stem, number) => write!(out, "%{stem}{number}"),
            Self::Typed(stem, number) => write!(out, "%{stem}.{number}"),
            Self::Piped(number) => write!(out, "%pipe.{number}"),
            Self::Object(number) => write!(out, "%object.{number}"),
            Self::Optional(number) => write!(out, "%optional{number}"),
            Self::Rest(number) => write!(out, "%rest{number}"),
            Self::Finish(number) => write!(out, "%finish{number}"),
            Self::Result(number) => write!(out, "%result{number}"),
            Self::Caught => out.write_str("%exn"),
            Self::Seen => out.write_str("%seen"),
            Self::Cell(name) => write!(out, "%cell.{name}"),
            Self::Variable(name, number) => write!(out, "v{}_{number}", Plain(*name)),
            Self::Value(name, number) => write!(out, "v{}_{number}'", Plain(*name)),
            Self::Constructor => out.write_str("New"),
            Self::Setter(name) => write!(out, "set_{name}"),
            Self::Number => out.write_str("%id"),
            Self::Base => out.write_str("%base"),
            Self::BaseInterface(number) => write!(out, "%base{number}"),
            Self::Own => out.write_str("%own"),
            Self::Heir => out.write_str("%ext"),
            Self::GetHeir => out.write_str("%getext"),
            Self::SetHeir => out.write_str("%setext"),
            Self::Behind => out.write_str("%object"),
            Self::Views => out.write_str("%views"),
            Self::Cast => out.write_str("%cast"),
            Self::Auto(name) => write!(out, "%val.{name}"),
            Self::Implementation(name) => write!(out, "%impl.{name}"),
            Self::Slot(name) => write!(out, "%v.{name}"),
            Self::Of(stem, name) => write!(out, "%{stem}.{name}"),
            Self::Mark(mark) => write!(out, "clef.{}", mark.word()),
            Self::Prelude => out.write_str("%prelude"),
            Self::Anonymous(fields) => write!(out, "%anon.{fields}"),
            Self::Overload(name, number) => write!(out, "{name}#{number}"),
            Self::Class(name) | Self::Method(name) => write!(out, "#{name}"),
            Self::NoParameters => out.write_str("#"),
        }
    }
}

/// A name of Eshkol in letters, digits and low lines.
struct Plain(Symbol);

impl fmt::Display for Plain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '_' };
        self.0.as_str().chars().take(LONGEST).try_for_each(|it| out.write_char(plain(it)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_made_name() {
        let made = Made::Piped(1).symbol();
        assert_eq!(made.as_str(), "%pipe.1");
        assert_ne!(made, Symbol::new("%pipe.1"));
        assert_eq!(made, Made::Piped(1).symbol());
        assert_eq!(made.origin(), Some(Made::Piped(1)));
        assert_eq!(Symbol::new("%pipe.1").origin(), None);
    }

    #[test]
    fn what_a_user_called_something_can_be_shown() {
        let name = Symbol::new("Scale");
        assert!(!Made::Overload(name, 2).symbol().is_hidden());
        assert!(Made::Implementation(name).symbol().is_hidden());
        assert!(!name.is_hidden());
    }

    #[test]
    fn variables_of_eshkol_keep_their_names() {
        let made = Made::Variable(Symbol::new("list->set!"), 7).symbol();
        assert_eq!(made.as_str(), "vlist__set__7");
        assert_eq!(made.shown(), "list->set!");
        assert!(!made.is_hidden());
        assert_eq!(Made::Value(Symbol::new("f"), 7).symbol().as_str(), "vf_7'");
    }

    #[test]
    fn people_see_no_numbers() {
        let name = Symbol::new("Scale");
        assert_eq!(Made::Overload(name, 736).symbol().shown(), "Scale");
        assert_eq!(Made::Typed(Symbol::new("builder"), 112).symbol().shown(), "(builder)");
        assert_eq!(Made::Implementation(name).symbol().shown(), "Scale");
        assert_eq!(name.shown(), "Scale");
    }
}
