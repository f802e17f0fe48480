//! Functions of the library that the compiler itself calls.
//!
//! ```text
//! lib/ocaml/oxbow_hash.ml    let push state visit = …  [@@known hash_push]
//! lib/clef/prelude.clef      [<known("uncaught_of_clef")>] let …
//! here                       HashPush = "hash_push", Hash;
//! ```
//!
//! The attribute is the only link: a function may have any name and stand in any file of the library. A word that is
//! not in this table, one that two functions have, and a group of which the library that was read has only a part are
//! internal errors (`elab`, when the library is read). Files that no program asks for are not read, so
//! a whole group may be absent.

use oxbow_base::{Id, IdMap};

use crate::Prim;

use crate::VarId;

macro_rules! known_functions {
    ($($(#[doc = $doc:literal])* $variant:ident = $word:literal, $group:ident;)*) => {
        /// A function of the library that is known to the compiler.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum KnownFunction {
            $($(#[doc = $doc])* $variant,)*
        }

        impl KnownFunction {
            pub const ALL: &'static [KnownFunction] = &[$(KnownFunction::$variant,)*];

            /// The word of its attribute.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            pub fn group(self) -> KnownGroup {
                match self { $(Self::$variant => KnownGroup::$group,)* }
            }
        }
    };
}

/// Functions that are used together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownGroup {
    /// What the entry point calls, and `ref`.
    Program,
    /// The same for programs in Clef.
    Clef,
    /// `%hash` at structured types.
    Hash,
    /// Text of exceptions.
    Format,
    /// `%show` and `%text`.
    Show,
    /// The same of one type of the library.
    BigInteger,
    Decimal,
    TimeSpan,
    DateTime,
    /// Operators whose derivatives are written out as code.
    Operators,
    /// Operations on arrays that derivatives know.
    Matrices,
    /// Gradients that are written out, and tapes.
    Tape,
    /// Power series.
    Series,
    /// Fibres.
    Fibers,
    /// Domains and threads.
    Domains,
    /// Signals whose handlers are functions of the program.
    Signals,
    /// What sets them.
    System,
    /// `=`, `compare` and `%hash` of arrays of numbers.
    Numbers,
    /// The same of integers of any size.
    Integers,
}

/// What a primitive needs of the library, since a later stage calls it for the primitive.
const CALLED: &[(Prim, KnownGroup)] = &[
    // `differentiate`, for operations on numbers with derivatives.
    (Prim::AdTape, KnownGroup::Tape),
    (Prim::AdSeries, KnownGroup::Series),
    // The runtime starts these.
    (Prim::DomainSpawn, KnownGroup::Domains),
    (Prim::FiberNew, KnownGroup::Fibers),
    // `poll_signals`.
    (Prim::SignalSet, KnownGroup::Signals),
];

impl KnownGroup {
    pub fn called_by(prim: Prim) -> Option<Self> {
        CALLED.iter().find(|it| it.0 == prim).map(|it| it.1)
    }
}

known_functions! {
    /// `exn -> unit`: prints the message for an uncaught exception and exits with 2.
    Uncaught = "uncaught", Program;
    /// The same in programs that `Printexc` is linked into.
    UncaughtQuoted = "uncaught_quoted", Program;
    /// `unit -> unit`: runs `at_exit` functions and flushes.
    Finish = "finish", Program;
    /// The same with `UncaughtQuoted`.
    FinishQuoted = "finish_quoted", Program;
    /// `unit -> unit`
    Flush = "flush", Program;
    /// `'a -> 'a ref`
    Reference = "ref", Program;
    /// As `Uncaught`.
    UncaughtOfClef = "uncaught_of_clef", Clef;
    /// `'a -> obj`
    PlainObject = "plain_object", Clef;
    /// The same for a value that is equal to itself alone.
    IdentityObject = "identity_object", Clef;
    /// The same for what can be seen as a sequence.
    ListObject = "list_object", Clef;
    ArrayObject = "array_object", Clef;
    StringObject = "string_object", Clef;
    /// `obj -> bool`: is `null` boxed?
    NullObject = "null_object", Clef;
    /// `obj -> string`: what `%A` prints.
    ShowObject = "show_object", Clef;

    /// `unit -> unit`: what a fibre runs.
    FiberStart = "fiber_start", Fibers;
    /// `exn -> bool`: is this the exception of a fibre that unwinds?
    FiberUnwinds = "fiber_unwinds", Fibers;

    /// `unit -> unit`: what the thread of a domain runs.
    DomainStart = "domain_start", Domains;

    /// `unit -> unit`: calls the handlers of signals that have come.
    SignalsRun = "signals_run", Signals;
    /// `int -> signal_behavior -> signal_behavior`: the constructor with a field asks for a handler.
    SignalsSet = "signals_set", System;
    /// `%io.read` that calls handlers when a signal interrupts it.
    SignalsRead = "signals_read", Signals;
    /// The same for `%io.write`.
    SignalsWrite = "signals_write", Signals;

    /// Kind, sizes, start and bytes of two arrays: -1, 0, 1, or 2 if they cannot be ordered because of a `nan`.
    NumbersCompare = "numbers_compare", Numbers;
    /// The same for `compare`, to which a `nan` is equal to itself.
    NumbersCompareTotal = "numbers_compare_total", Numbers;
    /// Kind, sizes, start and bytes: 32 bits.
    NumbersHash = "numbers_hash", Numbers;

    /// -1, 0 or 1.
    IntegersCompare = "integers_compare", Integers;
    IntegersEqual = "integers_equal", Integers;
    /// Mixes a number into the state of a hash.
    IntegersHash = "integers_hash", Integers;

    HashCreate = "hash_create", Hash;
    HashPush = "hash_push", Hash;
    HashMixInt = "hash_mix_int", Hash;
    HashMixFloat = "hash_mix_float", Hash;
    HashMixString = "hash_mix_string", Hash;
    HashMixInt64 = "hash_mix_int64", Hash;
    HashMixBlock = "hash_mix_block", Hash;
    HashRun = "hash_run", Hash;

    /// `string -> string -> string`: a conversion and the text for it.
    StringEscaped = "string_escaped", Format;

    ShowNumber = "show_number", Show;
    ShowUnsigned = "show_unsigned", Show;
    ShowFloat = "show_float", Show;
    ShowFloat32 = "show_float32", Show;
    ShowQuoted = "show_quoted", Show;
    ShowCharacter = "show_character", Show;
    ShowLeaf = "show_leaf", Show;
    ShowNothing = "show_nothing", Show;
    ShowCons = "show_cons", Show;
    ShowAppend = "show_append", Show;
    ShowList = "show_list", Show;
    ShowTuple = "show_tuple", Show;
    ShowCollection = "show_collection", Show;
    ShowApplication = "show_application", Show;
    ShowField = "show_field", Show;
    ShowRecord = "show_record", Show;
    ShowRender = "show_render", Show;
    TextFloat = "text_float", Show;
    TextFloat32 = "text_float32", Show;

    ShowBigInteger = "show_bigint", BigInteger;
    ShowDecimal = "show_decimal", Decimal;
    TextDecimal = "text_decimal", Decimal;
    ShowTimeSpan = "show_timespan", TimeSpan;
    ShowDateTime = "show_datetime", DateTime;

    Gradient = "gradient", Operators;
    ValueAndGradient = "value_and_gradient", Operators;
    Vjp = "vjp", Operators;
    Jacobian = "jacobian", Operators;
    /// What `Jacobian` becomes where rows or columns are taken apart; it comes with it.
    JacobianByParts = "jacobian_by_parts", Operators;

    /// What `Prim::ArrayAddProduct` does, as loops: for numbers that carry derivatives.
    AddProduct = "add_product", Matrices;

    TapeClose = "tape_close", Tape;
    TapeCreate = "tape_create", Tape;
    TapeEdge = "tape_edge", Tape;
    TapeEdges = "tape_edges", Tape;
    TapeExpected = "tape_expected", Tape;
    TapeIsLast = "tape_is_last", Tape;
    TapeItems = "tape_items", Tape;
    TapeMoreArrays = "tape_more_arrays", Tape;
    TapeMoreFloats = "tape_more_floats", Tape;
    TapeMoreInts = "tape_more_ints", Tape;
    TapeRoomFor = "tape_room_for", Tape;

    TaylorAdd = "taylor_add", Series;
    TaylorCbrt = "taylor_cbrt", Series;
    TaylorCos = "taylor_cos", Series;
    TaylorCosh = "taylor_cosh", Series;
    TaylorDiv = "taylor_div", Series;
    TaylorExp = "taylor_exp", Series;
    TaylorHypot = "taylor_hypot", Series;
    TaylorIntegrate = "taylor_integrate", Series;
    TaylorIsZero = "taylor_is_zero", Series;
    TaylorMul = "taylor_mul", Series;
    TaylorNeg = "taylor_neg", Series;
    TaylorPow = "taylor_pow", Series;
    TaylorSin = "taylor_sin", Series;
    TaylorSinh = "taylor_sinh", Series;
    TaylorSlope = "taylor_slope", Series;
    TaylorSqrt = "taylor_sqrt", Series;
    TaylorSub = "taylor_sub", Series;
    TaylorTanh = "taylor_tanh", Series;
}

/// A type of the library that is known to the compiler, by the same attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownType {
    /// `format_piece`: what formats are put together from.
    FormatPiece,
    /// An abstract type whose values are of unknown type (decision 85); `%retype` leads there and back.
    Any,
    /// `Obj.t`: any value.
    Obj,
    /// Types of Clef's library with a text of their own.
    BigInteger,
    Decimal,
    TimeSpan,
    DateTime,
    /// `obj` of Clef: any value, with its type.
    Object,
    /// A value of Eshkol whose kind is not known.
    Dynamic,
    /// `ref`: a capture of one is the address of the cell.
    Cell,
    /// What the languages themselves declare.
    List,
    Option,
}

impl KnownType {
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "format_piece" => Some(Self::FormatPiece),
            "any" => Some(Self::Any),
            "obj" => Some(Self::Obj),
            "bigint" => Some(Self::BigInteger),
            "decimal" => Some(Self::Decimal),
            "timespan" => Some(Self::TimeSpan),
            "datetime" => Some(Self::DateTime),
            "object" => Some(Self::Object),
            "dynamic" => Some(Self::Dynamic),
            "cell" => Some(Self::Cell),
            _ => None,
        }
    }

    /// A type like those of programs, of which only this is known: where it comes from.
    pub fn is_ordinary(self) -> bool {
        matches!(self, Self::Dynamic | Self::Cell | Self::List | Self::Option)
    }

    /// What `%A` prints of its values, if it is no matter of their parts.
    pub fn shown_by(self) -> Option<KnownFunction> {
        match self {
            Self::FormatPiece
            | Self::Any
            | Self::Obj
            | Self::Dynamic
            | Self::Cell
            | Self::List
            | Self::Option => None,
            Self::BigInteger => Some(KnownFunction::ShowBigInteger),
            Self::Decimal => Some(KnownFunction::ShowDecimal),
            Self::TimeSpan => Some(KnownFunction::ShowTimeSpan),
            Self::DateTime => Some(KnownFunction::ShowDateTime),
            Self::Object => Some(KnownFunction::ShowObject),
        }
    }
}

/// Modules of the library that syntax and primitives refer to, for who reads files and makes paths.
pub mod library_module {
    /// What the conversions of formats call.
    pub const FORMAT: &str = "Oxbow_format";
    /// How formats read, and how strings become formats.
    pub const SCAN: &str = "Oxbow_scan";
    /// `%hash` at structured types.
    pub const HASH: &str = "Oxbow_hash";
    /// `%show` and `%text`.
    pub const SHOW: &str = "Oxbow_show";
}

impl KnownFunction {
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.word() == word)
    }

    pub fn of_group(group: KnownGroup) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |it| it.group() == group)
    }
}

impl Id for KnownFunction {
    fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The variables of a program that hold known functions.
#[derive(Clone, Debug, Default)]
pub struct KnownFunctions {
    vars: IdMap<KnownFunction, VarId>,
}

impl KnownFunctions {
    pub fn get(&self, function: KnownFunction) -> Option<VarId> {
        self.vars.get(function).copied()
    }

    /// False if another one is known by that word.
    #[must_use]
    pub fn insert(&mut self, function: KnownFunction, var: VarId) -> bool {
        self.vars.insert(function, var).is_none()
    }

    /// In the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (KnownFunction, VarId)> {
        KnownFunction::ALL.iter().filter_map(|&it| self.get(it).map(|var| (it, var)))
    }

    /// The same functions, where they have become others; those without one are forgotten.
    #[must_use]
    pub fn filter_map(&self, mut new: impl FnMut(VarId) -> Option<VarId>) -> Self {
        let mut made = Self::default();
        for (function, var) in self.iter() {
            if let Some(var) = new(var) {
                made.vars.insert(function, var);
            }
        }
        made
    }

    /// A function that is absent though others of its group are present.
    pub fn missing(&self) -> Option<KnownFunction> {
        let absent = |it: &KnownFunction| self.get(*it).is_none();
        let begun = |it: &KnownFunction| self.iter().any(|that| that.0.group() == it.group());
        KnownFunction::ALL.iter().copied().find(|it| absent(it) && begun(it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_functions_own() {
        for &function in KnownFunction::ALL {
            assert_eq!(KnownFunction::from_word(function.word()), Some(function));
        }
        assert_eq!(KnownFunction::from_word("hash_pull"), None);
    }

    #[test]
    fn a_group_is_there_as_a_whole() {
        let mut known = KnownFunctions::default();
        assert_eq!(known.missing(), None);
        assert!(known.insert(KnownFunction::Gradient, VarId::from_index(0)));
        assert!(!known.insert(KnownFunction::Gradient, VarId::from_index(1)));
        assert_eq!(known.missing(), Some(KnownFunction::ValueAndGradient));
        for function in KnownFunction::of_group(KnownGroup::Operators).skip(1) {
            assert!(known.insert(function, VarId::from_index(2)));
        }
        assert_eq!(known.missing(), None);
    }
}
