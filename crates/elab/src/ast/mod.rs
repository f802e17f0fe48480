//! The ML surface tree: what the OCaml and Clef parsers produce and what
//! inference reads. Close to the text (sugar that inference can treat better
//! than a parser is kept), independent of either language's concrete syntax.
//!
//! Lists that a program can make very long (sequences, `let` chains inside a
//! structure, list literals) are vectors, not nested nodes.

mod classes;
mod clef;
mod modules;
mod patterns;

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_diag::Reported;
use oxbow_psg::IntWidth;

pub use classes::*;
pub use clef::*;
pub use modules::*;

/// A name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: Symbol,
    pub span: Span,
}

/// `M.N.x`; also functor application in type paths: `F(X).t`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub prefix: Option<Box<ModulePath>>,
    pub name: Name,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ModulePath {
    Name(Name),
    Dot(Box<ModulePath>, Name),
    Apply(Box<ModulePath>, Box<ModulePath>),
}

impl Path {
    pub fn plain(name: Name) -> Self {
        Self { prefix: None, name }
    }
    pub fn span(&self) -> Span {
        match &self.prefix {
            Some(prefix) => prefix.span().to(self.name.span),
            None => self.name.span,
        }
    }
}

impl ModulePath {
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span,
            Self::Dot(prefix, name) => prefix.span().to(name.span),
            Self::Apply(func, arg) => func.span().to(arg.span()),
        }
    }
}

/// `[@name payload]`, attached to the node it follows. Unknown ones are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub name: Name,
    /// The payload when it is one identifier, string or integer, as text.
    pub payload: Option<Symbol>,
}

impl Attribute {
    /// What a parser says of a node itself.
    pub fn mark(mark: Mark, span: Span) -> Self {
        Self { name: Name { text: Made::Mark(mark).symbol(), span }, payload: None }
    }

    pub fn is(&self, mark: Mark) -> bool {
        self.name.text.origin() == Some(Made::Mark(mark))
    }

    /// The name without the `ocaml` that may stand before OCaml's own attributes.
    pub fn plain_name(&self) -> &'static str {
        let name = self.name.text.as_str();
        name.strip_prefix("ocaml").and_then(|it| it.strip_prefix('.')).unwrap_or(name)
    }
}

// ---------------------------------------------------------------- expressions

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A native `int`, already range-checked by the parser, as its value.
    Int(i64),
    Int32(i32),
    Int64(i64),
    Nativeint(i64),
    Float(f64),
    /// Integers of other types than OCaml's (Clef), within the type's range.
    Sized(IntWidth, i64),
    Float32(f32),
    Char(u8),
    /// Bytes, not text: OCaml strings hold any bytes.
    String(Vec<u8>),
}

/// A field of a record, the type that is written behind it, and its value.
pub type FieldValue = (Path, Option<TypeExpr>, Expr);

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Constant(Constant),
    /// A value path. Operators are names: `+`, `@`, `!`, `~-`, `.()` and `.()<-`
    /// (array), `.[]` and `.[]<-` (string, bytes), `mod`, `:=`, `not`, …
    Ident(Path),
    /// `C`, `C arg`, `M.C (a, b)`. `true`, `false`, `()`, `[]`, `::` are constructors
    /// with those names. An argument list written as a tuple is one `Tuple` argument.
    Construct(Path, Option<Box<Expr>>),
    /// `[a; b; c]`, never empty.
    List(Vec<Expr>),
    /// `[|a; b|]`
    Array(Vec<Expr>),
    /// Two or more.
    Tuple(Vec<Expr>),
    /// `~x:1, 2`: a tuple some of whose parts have labels. One part alone is not a tuple yet.
    LabelledTuple(Vec<(Option<Name>, Expr)>),
    /// `f a ~b ?c`. At least one argument. `a + b` is this with the operator's name;
    /// `a && b` and `a || b` likewise. A unary minus before a literal is folded into it.
    Apply(Box<Expr>, Vec<(ArgLabel, Expr)>),
    /// `fun p1 p2 -> e`, with every parameter of one `fun` in one node.
    Fun(Vec<Param>, Option<TypeExpr>, Box<Expr>),
    /// `function p -> e | …`, with the place of the keyword.
    Function(Span, Vec<Case>),
    Let {
        recursive: bool,
        bindings: Vec<Binding>,
        body: Box<Expr>,
    },
    /// `let* p = e and* q = e2 in body`: `op` is the operator's name, `let*` or `and*`.
    LetOp {
        bindings: Vec<LetOpBinding>,
        body: Box<Expr>,
    },
    Match(Box<Expr>, Vec<Case>),
    Try(Box<Expr>, Vec<Case>),
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `a; b; c`, two or more.
    Sequence(Vec<Expr>),
    While(Box<Expr>, Box<Expr>),
    For {
        var: Pattern,
        from: Box<Expr>,
        to: Box<Expr>,
        down: bool,
        body: Box<Expr>,
    },
    /// `{ e with l = e1; m }`; a punned field has its own name as the value.
    Record {
        base: Option<Box<Expr>>,
        fields: Vec<FieldValue>,
    },
    /// `{| e with l = e1 |}` (Clef)
    AnonymousCopy(Box<Expr>, Vec<(Name, Expr)>),
    Field(Box<Expr>, Path),
    SetField(Box<Expr>, Path, Box<Expr>),
    /// `(e : t)`
    Annotate(Box<Expr>, TypeExpr),
    /// `` `Tag ``, `` `Tag e ``
    Variant(Name, Option<Box<Expr>>),
    /// `(e :> t)`, `(e : s :> t)`
    Coerce(Box<Expr>, Option<TypeExpr>, TypeExpr),
    Assert(Box<Expr>),
    Lazy(Box<Expr>),
    /// `let open M in e`, `M.(e)`
    Open(ModuleExpr, Box<Expr>),
    LetModule(Name, Box<ModuleExpr>, Box<Expr>),
    /// `(module M)`, `(module M : S with type t = u)`
    Pack(Box<ModuleExpr>, Option<PackageType>),
    LetException(ExceptionDecl, Box<Expr>),
    /// `x <- e` on a `let mutable` (Clef).
    AssignVar(Path, Box<Expr>),
    /// `for p in e do body` (Clef). With `until` the body says whether to go on, and so does the
    /// whole.
    ForIn {
        pattern: Pattern,
        source: Box<Expr>,
        body: Box<Expr>,
        until: bool,
    },
    /// `a .. b` or `a .. s .. b`, as what a loop or a comprehension runs over (Clef).
    Range {
        from: Box<Expr>,
        step: Option<Box<Expr>>,
        to: Box<Expr>,
    },
    /// `a.[i]`, `a[i]` (Clef): the member `Item` of the object's type.
    Index(Box<Expr>, Box<Expr>),
    SetIndex(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a.[i..j]`
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `f<int>` (Clef)
    TypeApply(Box<Expr>, Vec<TypeExpr>),
    /// `&x` (Clef)
    AddressOf(Box<Expr>),
    /// `yield e` and `yield! e`; the parser rewrites those inside comprehensions.
    Yield(Box<Expr>),
    YieldFrom(Box<Expr>),
    /// A line of a comprehension without `yield`: given to the function `give` unless its type
    /// is `unit`.
    ImplicitYield {
        value: Box<Expr>,
        give: Name,
        until: bool,
    },
    /// `builder { … }` (Clef)
    Computation(Box<Expr>, Box<Expr>),
    /// `let! p = e and! q = f` and what follows, in a computation.
    LetBang(Box<LetBang>),
    /// `return e`, `return! e`, `do! e`
    Bang(Bang, Box<Expr>),
    /// Names that stand for other expressions, as the `let`s of a class do in its members (Clef).
    Aliases(Vec<(Name, Expr)>, Box<Expr>),
    /// `e :? t` (Clef)
    TypeTest(Box<Expr>, TypeExpr),
    /// `e :?> t` (Clef)
    Downcast(Box<Expr>, TypeExpr),
    /// `1.5<m/s>` (Clef): a number with a unit of measure.
    Measured(Box<Expr>, TypeExpr),
    /// `(^a : (member M : t) x)` (Clef)
    ResolvedMember(Box<ResolvedMember>),
    /// `object … end`
    Object(Box<ClassBody>),
    /// `o#m`
    Send(Box<Expr>, Name),
    /// `new c`
    New(Path),
    /// `[%extension_constructor E]`
    ExtensionConstructor(Path),
    /// `{< x = e; y >}`
    Override(Vec<(Name, Expr)>),
    /// `match` or `try` with cases for effects: the call of the library that it is, and in that the function of the
    /// effects.
    Handle(Box<Expr>),
    /// A syntax error that was reported and skipped.
    Error(Reported),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgLabel {
    None,
    /// `~l:e`, `~l`
    Labelled(Name),
    /// `?l:e`, `?l`: an option is passed on.
    Optional(Name),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub label: ParamLabel,
    pub pattern: Pattern,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ParamLabel {
    None,
    Labelled(Name),
    /// `?(l = default)` or `?l`.
    Optional(Name, Option<Box<Expr>>),
    /// `(type a)`: a locally abstract type; `pattern` is a wildcard.
    Newtype(Name),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub pattern: Pattern,
    /// `let f a b : t = e` arrives as pattern `f` and value `Fun([a, b], Some(t), e)`.
    pub value: Expr,
    /// `let x : 'a 'b. t = e` has explicit quantifiers, `let x : t = e` none.
    pub annotation: Option<PolyType>,
    /// `let mutable` (Clef).
    pub mutable: bool,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LetOpBinding {
    pub op: Name,
    pub pattern: Pattern,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    /// `None` is `.` (a refutation case).
    pub body: Option<Expr>,
}

// ------------------------------------------------------------------- patterns

#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    Any,
    Var(Name),
    Alias(Box<Pattern>, Name),
    Constant(Constant),
    /// `'a' .. 'z'`
    Range(Constant, Constant),
    Tuple(Vec<Pattern>),
    /// `~x, ~y:p, ..`: labelled parts; an open one need not name them all.
    LabelledTuple {
        items: Vec<(Option<Name>, Pattern)>,
        open: bool,
    },
    /// As in expressions; the wildcard argument of `C _` is an `Any` pattern.
    Construct(Path, Option<Box<Pattern>>),
    /// `[a; b]`, never empty.
    List(Vec<Pattern>),
    /// `{ l = p; m; _ }`; `open_row` says that `; _` was written.
    Record {
        fields: Vec<(Path, Pattern)>,
        open_row: bool,
    },
    Array(Vec<Pattern>),
    Or(Box<Pattern>, Box<Pattern>),
    Annotate(Box<Pattern>, TypeExpr),
    Lazy(Box<Pattern>),
    /// `exception p`, only at the top of a `match` case (also under `|`).
    Exception(Box<Pattern>),
    /// `M.(p)`
    Open(ModulePath, Box<Pattern>),
    /// `` `Tag ``, `` `Tag p ``
    Variant(Name, Option<Box<Pattern>>),
    /// `#t`: all tags of a polymorphic variant type.
    VariantType(Path),
    /// `Active a b p` (Clef): an active pattern with arguments.
    ConstructMany(Path, Vec<Pattern>),
    /// `C (type a b) p`: names for the types that the constructor hides.
    ConstructTypes(Path, Vec<Name>, Box<Pattern>),
    /// `:? T` (Clef): a value of this type; an exception, whatever it holds.
    TypeTest(TypeExpr),
    /// `1.5<m/s>` (Clef)
    Measured(Constant, TypeExpr),
    /// `(module M)`, `(module M : S)`, `(module _)`
    Unpack(Name, Option<PackageType>),
    Error(Reported),
}

// ---------------------------------------------------------------------- types

#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    pub kind: TypeExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeExprKind {
    /// `_`
    Any,
    /// `'a`, without the quote.
    Var(Name),
    Arrow(ArgLabel, Box<TypeExpr>, Box<TypeExpr>),
    Tuple(Vec<TypeExpr>),
    /// `x:int * y:int`
    LabelledTuple(Vec<(Option<Name>, TypeExpr)>),
    Constr(Path, Vec<TypeExpr>),
    /// `t as 'a`
    Alias(Box<TypeExpr>, Name),
    /// `` [ `A | `B of t ] `` and its like.
    Variant(RowExpr),
    /// `(t, u) #path`: the polymorphic variants with no tags but those of the type.
    VariantType(Path, Vec<TypeExpr>),
    /// `(module S with type t = u)`
    Package(Box<PackageType>),
    /// `< m : t; n : 'a. t; u; .. >`
    Object(ObjectTypeExpr),
    /// `kg m/s^2` (Clef): a product of units of measure, or of variables for them, with their powers.
    Unit(Vec<(TypeExpr, Power)>),
    /// The class at the top of this one's chain of bases (Clef): itself, if it inherits from none.
    RootClass(Box<TypeExpr>),
    Error(Reported),
}

/// The type of packed modules: a module type by its name, and what some of its types are.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageType {
    pub path: Path,
    pub types: Vec<(Path, TypeExpr)>,
    pub span: Span,
}

/// The type of objects, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectTypeExpr {
    pub fields: Vec<ObjectTypeField>,
    /// `..`: there may be other methods.
    pub open: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ObjectTypeField {
    Method(Name, PolyType),
    /// The methods of another type.
    Inherit(TypeExpr),
}

impl ObjectTypeField {
    pub fn ty(&self) -> &TypeExpr {
        match self {
            Self::Method(_, poly) => &poly.ty,
            Self::Inherit(ty) => ty,
        }
    }
}

/// The type of polymorphic variants, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct RowExpr {
    pub bound: RowBound,
    pub fields: Vec<RowField>,
    /// The tags behind `>` in `[< … > … ]`.
    pub present: Vec<Name>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowBound {
    /// `[ … ]`
    Exact,
    /// `[> … ]`
    AtLeast,
    /// `[< … ]`
    AtMost,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RowField {
    /// `` `A of t & u ``; `constant` if it may stand alone, as in `` `A `` and `` `A of & t ``.
    Tag { name: Name, constant: bool, types: Vec<TypeExpr> },
    /// The tags of another type.
    Inherit(TypeExpr),
}

/// `'a 'b. t`; without quantifiers just `t`.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyType {
    pub vars: Vec<Name>,
    /// `let f : type a. …`: the variables are locally abstract types.
    pub locally_abstract: bool,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    pub name: Name,
    pub params: Vec<TypeParam>,
    pub kind: TypeDeclKind,
    /// `= t`: an abbreviation, or the re-exported type before a representation.
    pub manifest: Option<TypeExpr>,
    pub private: bool,
    /// `constraint t = u`
    pub constraints: Vec<(TypeExpr, TypeExpr)>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    /// `None` for `_`.
    pub name: Option<Name>,
    /// `!'a`: different arguments make different types, whatever stands behind an abstract one.
    pub injective: bool,
    pub variance: ParamVariance,
    /// `[<Measure>] 'u` (Clef): it stands for a unit of measure.
    pub measure: bool,
    pub span: Span,
}

/// What a declaration says of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ParamVariance {
    #[default]
    Unsaid,
    /// `+'a`
    Covariant,
    /// `-'a`
    Contravariant,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeDeclKind {
    /// Abstract, or an abbreviation if there is a manifest.
    Abstract,
    Variant(Vec<ConstructorDecl>),
    Record(Vec<FieldDecl>),
    /// `= ..`
    Open,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConstructorDecl {
    pub name: Name,
    pub args: ConstructorArgs,
    /// `of width: float * height: float` (Clef); empty or one for each argument.
    pub names: Vec<Option<Name>>,
    /// `C : 'a. t -> u`: the type that the constructor makes.
    pub result: Option<ConstructorResult>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConstructorResult {
    /// `'a 'b.`; without them, all variables that occur.
    pub vars: Vec<Name>,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ConstructorArgs {
    /// `C`, `C of t`, `C of t * u`; `C of (t * u)` is one argument, a tuple.
    Tuple(Vec<TypeExpr>),
    Record(Vec<FieldDecl>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    pub name: Name,
    pub mutable: bool,
    /// `[@acyclic]`: assignments to it close no cycle of references.
    pub acyclic: bool,
    pub role: FieldRole,
    pub ty: PolyType,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ExceptionDecl {
    pub name: Name,
    pub args: ConstructorArgs,
    /// What `E : t -> u` makes.
    pub result: Option<ConstructorResult>,
    /// `exception E = M.F`
    pub rebind: Option<Path>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

/// `type ('a) M.t += A | B of u | C = M.D`
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExtension {
    pub path: Path,
    pub params: Vec<TypeParam>,
    pub private: bool,
    pub ctors: Vec<ExceptionDecl>,
}
