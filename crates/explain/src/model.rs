//! The explanation of a program, as data. Names and order of the fields are those of the JSON.

/// Everything that is told about a program.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The user's files, in the order they were read.
    pub files: Vec<File>,
    /// The functions that the user wrote, in the order of the text.
    pub lambdas: Vec<Lambda>,
    /// Other objects that the user's code makes, in the order of the text.
    pub allocations: Vec<Allocation>,
    /// Gradients that the user's code takes, in the order of the text.
    pub derivatives: Vec<Derivative>,
    /// Sets of functions that meet at the same places, in the order of the text.
    pub sets: Vec<Set>,
}

/// Functions that are held at the same places.
#[derive(Debug)]
pub struct Set {
    pub members: Vec<Member>,
    /// How many more are the library's.
    pub others: usize,
    /// Why they are closures; else they are constructors of one variant.
    pub closures: Option<&'static str>,
}

/// A function of a set.
#[derive(Debug)]
pub struct Member {
    pub place: Place,
    /// How many arguments it has been given.
    pub applied: usize,
}

/// A gradient: written out as code, or by a tape.
#[derive(Debug)]
pub struct Derivative {
    pub place: Place,
    /// Why there is a tape.
    pub tape: Option<&'static str>,
    /// Why products of matrices are taken by their loops, where there are any.
    pub loops: Option<&'static str>,
    /// Closures that the compiler made for it and that are left after optimisation.
    pub closures: usize,
}

#[derive(Debug)]
pub struct File {
    pub name: String,
    pub text: String,
}

/// A stretch of source text; lines and columns count from 1, columns in characters, and the
/// end is behind the last character.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A function as it is written.
#[derive(Debug)]
pub struct Lambda {
    /// Counts from 1 in the order of the text.
    pub id: usize,
    /// The name it is bound to.
    pub name: Option<String>,
    pub origin: Origin,
    /// From its name, if it has one, to its end.
    pub place: Place,
    pub ty: String,
    pub params: Vec<Binding>,
    pub captures: Vec<Capture>,
    /// The function that it is written in.
    pub inside: Option<usize>,
    /// Why nothing is left of it, if nothing is.
    pub gone: Option<Gone>,
    /// What the compiled program has of it: one for each type it is used at and for each
    /// place that it was copied to.
    pub copies: Vec<Copy>,
}

/// Who made a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user wrote it.
    Written,
    /// The compiler, for a partial application of the function of this name.
    Partial,
    /// The compiler, around a function that meets values of unknown type.
    Adapter,
}

#[derive(Debug)]
pub struct Binding {
    pub name: String,
    pub ty: String,
    pub place: Place,
}

/// An outer variable that a function mentions, found when the function was read.
#[derive(Debug)]
pub struct Capture {
    pub name: String,
    pub ty: String,
    pub mode: Mode,
    /// Where the variable is bound.
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The value is copied.
    Value,
    /// The value is the address of a `ref` cell, which is shared.
    Cell,
    /// The address of a mutable variable.
    Reference,
}

/// A function that the compiled program does not have.
#[derive(Debug)]
pub struct Gone {
    /// The pass that removed the last of it.
    pub pass: &'static str,
    pub reason: String,
}

/// One function of the compiled program.
#[derive(Debug)]
pub struct Copy {
    /// Its symbol in the module of the `ocaml` dialect, if that was made.
    pub symbol: Option<String>,
    /// The function whose code makes or holds it, in words.
    pub within: String,
    pub ty: String,
    pub representation: Representation,
    pub reason: Reason,
    /// The captures that are left, as fields of the object or as leading parameters.
    pub layout: Layout,
    pub storage: Storage,
    /// Places of the program that make an object of it.
    pub creations: usize,
    /// Calls that go straight to its code.
    pub direct_calls: usize,
    /// Calls through a closure of its type; each may reach it or another function of that type.
    pub possible_calls: usize,
    /// What it looks like under each strategy, and before.
    pub code: Vec<Code>,
}

/// How a function is represented at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// Code without an object: every use is a call of its name.
    Function,
    /// Code without an object, which takes the captures as leading parameters.
    Parameters,
    /// A constant object without captures.
    StaticClosure,
    /// `{code, captures…}`, made at run time.
    FlatClosure,
}

/// A sentence, and the place it speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub text: String,
    pub place: Option<Place>,
}

/// Where an object lives, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    pub class: Class,
    /// Each follows from the next one.
    pub reasons: Vec<Reason>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// No object is made.
    None,
    /// In the frame of the function that makes it.
    Stack,
    /// In the executable.
    Static,
    /// With others in pages that end together.
    Region,
    /// In a cell of its own, until its last reference is gone.
    Counted,
}

/// The fields of an object, or for a function without one its leading parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of the whole object with its header; 0 if there is none.
    pub size: u64,
    pub fields: Vec<Field>,
    /// Whether the object lies within one cache line.
    pub cache_line: CacheLine,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheLine {
    /// There is no object.
    #[default]
    None,
    /// It never crosses from one line to the next.
    Within,
    /// It is larger than a line, or nothing keeps it from crossing.
    MayCross,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub kind: FieldKind,
    pub name: String,
    pub ty: String,
    /// From the address of the object; the header lies before it. Absent for a parameter.
    pub offset: Option<i64>,
    pub size: u64,
    pub mode: Option<Mode>,
    /// Where the variable is bound.
    pub place: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Header,
    Code,
    Capture,
    Padding,
}

/// The text of a function in one form.
#[derive(Clone, Debug)]
pub struct Code {
    /// A strategy (`flat`), or a stage before them (`graph`, `ocaml`).
    pub form: String,
    pub text: String,
}

/// An object other than a function, by the place that makes it.
#[derive(Clone, Debug)]
pub struct Allocation {
    pub kind: String,
    pub ty: String,
    pub place: Place,
    /// The function that it is written in.
    pub inside: Option<usize>,
    /// How many places of the compiled program make it, with the same class and reasons.
    pub copies: usize,
    /// Bytes with the header, unless that is known only at run time.
    pub size: Option<u64>,
    pub storage: Storage,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Cell => "cell",
            Self::Reference => "reference",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Value => "by value",
            Self::Cell => "by value: the cell is shared",
            Self::Reference => "by reference",
        }
    }
}

impl Origin {
    pub fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Partial => "partial-application",
            Self::Adapter => "adapter",
        }
    }
}

impl Representation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Parameters => "parameters",
            Self::StaticClosure => "static-closure",
            Self::FlatClosure => "flat-closure",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Function => "a plain function, without an object",
            Self::Parameters => "a plain function, captures as leading parameters",
            Self::StaticClosure => "a constant closure",
            Self::FlatClosure => "a flat closure",
        }
    }
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stack => "stack",
            Self::Static => "static",
            Self::Region => "region",
            Self::Counted => "counted",
        }
    }
}

impl CacheLine {
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Within => "within",
            Self::MayCross => "may-cross",
        }
    }
}

impl FieldKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Code => "code",
            Self::Capture => "capture",
            Self::Padding => "padding",
        }
    }
}

impl Lambda {
    /// Its name, or what it is called without one.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or("fun")
    }
}
