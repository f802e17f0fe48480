//! The typed tree: what inference hands to the builder of the graph.
//!
//! Names are resolved to variables; labels to positions; modules and functors are gone
//! (a functor's body is elaborated anew for each application); constructors and fields
//! are numbers; patterns are still patterns. Types are [`TypeId`]s of the shared arena
//! and final only when the whole program has been inferred.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Reported;
use oxbow_psg::{ExnId, Prim, VarId};

use crate::ast::Constant;
use crate::types::{InlineOwner, TyConId, TypeId};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Unit,
    Bool(bool),
    /// Everything of [`Constant`]; a nativeint has the representation of an int64.
    Constant(Constant),
    /// `tyargs` has one entry for each of the variable's `tyvars`.
    Var {
        var: VarId,
        tyargs: Vec<TypeId>,
    },
    /// A primitive as a value; applied to enough arguments it is the operation itself.
    Builtin(Builtin),
    /// An operator or function that its operands' type decides (Clef): a number in
    /// [`Program::overloads`].
    Overloaded(u32),
    /// One lambda taking all parameters at once. Patterns are matched after all arguments are
    /// there, first to last.
    Lambda {
        params: Vec<Param>,
        body: Box<Expr>,
        inline: InlineAttribute,
    },
    /// `function …`: one parameter.
    Function {
        /// The word itself.
        keyword: Span,
        /// Where a value that fits no case is said to fail.
        failure: Span,
        cases: Vec<Case>,
        param_ty: TypeId,
        inline: InlineAttribute,
    },
    /// Positional; evaluated last to first, the function last.
    Apply {
        func: Box<Expr>,
        args: Vec<Expr>,
    },
    /// One after the other; `and` bindings do not see each other.
    Let {
        bindings: Vec<Binding>,
        /// The `let` is a `match` of its only value: the place where it fails.
        as_match: Option<Span>,
        body: Box<Expr>,
    },
    LetRec {
        bindings: Vec<RecBinding>,
        body: Box<Expr>,
    },
    /// A local structure (`let module`, `let open struct … end`): its items, then the body.
    LetItems {
        items: Vec<Item>,
        body: Box<Expr>,
    },
    /// `exceptions` are the `exception p` cases, tried on what the scrutinee raises only.
    Match {
        scrutinee: Box<Expr>,
        cases: Vec<Case>,
        exceptions: Vec<Case>,
    },
    Try {
        body: Box<Expr>,
        cases: Vec<Case>,
    },
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Option<Box<Expr>>,
    },
    Sequence(Vec<Expr>),
    While {
        cond: Box<Expr>,
        body: Box<Expr>,
    },
    /// `var` is `None` for `for _ = …`.
    For {
        var: Option<VarId>,
        from: Box<Expr>,
        to: Box<Expr>,
        down: bool,
        body: Box<Expr>,
    },
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Array(Vec<Expr>),
    Construct {
        tycon: TyConId,
        ctor: u32,
        args: Vec<Expr>,
    },
    /// A polymorphic variant.
    Variant {
        tag: Symbol,
        arg: Option<Box<Expr>>,
    },
    MakeExn {
        exn: ExnId,
        args: Vec<Expr>,
    },
    /// All fields of an object: a number in `Types::objects`.
    Object {
        object: u32,
        fields: Vec<Expr>,
    },
    /// `o#m`, a function of what follows.
    Send {
        object: Box<Expr>,
        label: Symbol,
        /// The type of the method, over its own variables.
        method: TypeId,
        /// The method itself, if the object's class is known here: a function of the object.
        known: Option<VarId>,
    },
    /// All fields, in declaration order.
    Record {
        tycon: TyConId,
        fields: Vec<Expr>,
    },
    /// `{ base with … }`: field numbers and values in the order of the text.
    RecordWith {
        base: Box<Expr>,
        record: RecordRef,
        updates: Vec<(u32, Expr)>,
    },
    Field {
        object: Box<Expr>,
        record: RecordRef,
        index: u32,
    },
    SetField {
        object: Box<Expr>,
        record: RecordRef,
        index: u32,
        value: Box<Expr>,
    },
    /// To a `let mutable`.
    AssignVar {
        var: VarId,
        value: Box<Expr>,
    },
    /// `lazy e`; with `at_once`, `e` needs no evaluation and OCaml makes no suspension of it.
    Lazy {
        value: Box<Expr>,
        at_once: bool,
    },
    Assert(Box<Expr>),
    /// `assert false`: raises, has any type.
    AssertFalse,
    /// `__LOC__` and its like.
    Here(Here),
    Error(Reported),
}

/// What a field number counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordRef {
    Record(TyConId),
    /// An instance variable: a number in `Types::objects`.
    Object(u32),
    /// The object is the constructor's (or exception's) own block.
    Inline(InlineOwner),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Builtin {
    Prim(Prim),
    /// `&&`, `||`: the second operand only if needed.
    And,
    Or,
    Raise,
    /// The same, which backtraces do not show.
    RaiseNotrace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InlineAttribute {
    #[default]
    None,
    Always,
    Never,
    /// `[@inline never] [@cold]`
    Cold,
    /// `[@inline never] [@rare]`
    Rare,
    /// `[@inline never] [@once]`
    Once,
    /// `[@zero_alloc]`
    ZeroAlloc,
}

#[derive(Clone, Debug)]
pub struct Binding {
    /// A plain variable may be polymorphic (its `tyvars`); the variables of other patterns
    /// are not.
    pub pattern: Pattern,
    pub value: Expr,
}

/// A binding of a `let rec`. Values that are not functions are allowed where every
/// mention of the group's variables inside them stands under a function or `lazy`.
#[derive(Clone, Debug)]
pub struct RecBinding {
    pub var: VarId,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Expr,
}

/// The pattern of a parameter, and its whole text with the label, where a value that does not fit is said to fail.
#[derive(Clone, Debug)]
pub struct Param {
    pub pattern: Pattern,
    pub span: Span,
}

impl From<Pattern> for Param {
    fn from(pattern: Pattern) -> Self {
        Self { span: pattern.span, pattern }
    }
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub ty: TypeId,
    pub span: Span,
}

impl Pattern {
    /// Calls `visit` for the patterns that this one is made of, from left to right, and for none of their own.
    pub fn for_each_part<'p>(&'p self, mut visit: impl FnMut(&'p Self)) {
        match &self.kind {
            PatternKind::Any
            | PatternKind::Var(_)
            | PatternKind::Unit
            | PatternKind::Bool(_)
            | PatternKind::Constant(_)
            | PatternKind::CharRange(..)
            | PatternKind::Error(_) => (),
            PatternKind::Alias(inner, _) | PatternKind::Lazy { pattern: inner, .. } => visit(inner),
            PatternKind::Tuple(items)
            | PatternKind::Array(items)
            | PatternKind::Construct { args: items, .. }
            | PatternKind::Exn { args: items, .. } => items.iter().for_each(visit),
            PatternKind::Variant { arg, .. } => arg.as_deref().into_iter().for_each(visit),
            PatternKind::Record { fields, .. } => fields.iter().for_each(|it| visit(&it.1)),
            PatternKind::Or(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }

    /// Is there such a pattern: this one, or one inside?
    pub fn contains(&self, mut is_wanted: impl FnMut(&Self) -> bool) -> bool {
        let mut todo = vec![self];
        while let Some(pattern) = todo.pop() {
            if is_wanted(pattern) {
                return true;
            }
            pattern.for_each_part(|it| todo.push(it));
        }
        false
    }
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    Any,
    Var(VarId),
    Alias(Box<Pattern>, VarId),
    Unit,
    Bool(bool),
    Constant(Constant),
    /// Inclusive.
    CharRange(u8, u8),
    Tuple(Vec<Pattern>),
    /// All arguments; `C _` has `Any` for each. A variable bound to a whole inline record
    /// is an `Alias` of the constructor pattern.
    Construct {
        tycon: TyConId,
        ctor: u32,
        args: Vec<Pattern>,
    },
    /// A polymorphic variant; the pattern's type is the row.
    Variant {
        tag: Symbol,
        arg: Option<Box<Pattern>>,
    },
    /// The fields mentioned, by number.
    Record {
        tycon: TyConId,
        fields: Vec<(u32, Pattern)>,
    },
    Array(Vec<Pattern>),
    Exn {
        exn: ExnId,
        args: Vec<Pattern>,
    },
    /// Both sides bind the same variables, by the same ids.
    Or(Box<Pattern>, Box<Pattern>),
    /// The value is forced by calling `force` (`lazy_force`, its instance), then matched.
    Lazy {
        force: Box<Expr>,
        pattern: Box<Pattern>,
    },
    Error(Reported),
}

#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
    pub library: bool,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Let(Vec<Binding>),
    LetRec(Vec<RecBinding>),
    Eval(Expr),
}

/// What a program can say about the place of a mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Here {
    /// `File "a.ml", line 1, characters 2-3`
    Loc,
    Line,
    File,
    /// The file, the line, and the columns of the beginning and the end.
    Pos,
}

/// The result of inference for a whole program.
#[derive(Debug, Default)]
pub struct Program {
    pub types: crate::types::Types,
    pub items: Vec<Item>,
    pub well_known: WellKnown,
    /// What each overloaded mention means: a variable or a primitive.
    pub overloads: Vec<Expr>,
    /// Operands are evaluated first to last (Clef).
    pub left_to_right: bool,
    /// Of OCaml files of the user.
    pub scopes: Vec<Scope>,
}

/// A part of the user's text that has a name: a file, a module, a definition, a function `(fun)`, a class, a method
/// `#m`.
#[derive(Clone, Debug)]
pub struct Scope {
    pub span: Span,
    pub name: String,
}

/// The scope of a function that no definition names.
pub const ANONYMOUS: &str = "(fun)";

/// The path of a place among scopes: `Main.M.f.(fun)`, `Main.c#m`.
pub fn scope_path<'a>(scopes: impl Iterator<Item = (Span, &'a str)>, place: Span) -> String {
    let mut around: Vec<(Span, &str)> = scopes.filter(|it| it.0.contains(place)).collect();
    around.sort_by_key(|it| (it.0.start, std::cmp::Reverse(it.0.end)));
    let mut path = String::new();
    let mut before = "";
    for (_, name) in around {
        // Functions in functions have one name.
        if name == ANONYMOUS && before == ANONYMOUS {
            continue;
        }
        before = name;
        if !path.is_empty() && !name.starts_with('#') {
            path.push('.');
        }
        path.push_str(name);
    }
    path
}

/// Library entities the builder and later passes refer to.
#[derive(Debug, Default)]
pub struct WellKnown {
    pub list: Option<TyConId>,
    /// The function `ref`.
    pub reference: Option<VarId>,
    pub uncaught: Option<VarId>,
    pub finish: Option<VarId>,
    pub flush: Option<VarId>,
    pub exns: oxbow_psg::KnownExns,
    pub functions: oxbow_psg::KnownFunctions,
}
