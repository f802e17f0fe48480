//! The graph itself.

use std::marker::PhantomData;
use std::sync::Arc;

use oxbow_base::{IdMap, IdVec, Span, Symbol};

use crate::{
    ExnId, IntWidth, JoinId, KnownFunctions, LambdaId, NodeId, Prim, TyId, TyVarId, TypeTable,
    VarId,
};

/// Type variables and polymorphic bindings may occur.
#[derive(Clone, Copy, Debug)]
pub struct Poly;
/// No type variable is left; no binding has type parameters; polymorphic order, hash
/// and exception printing are expanded.
#[derive(Clone, Copy, Debug)]
pub struct Mono;

/// A whole program: the user's files and as much of the library as it names.
#[derive(Clone, Debug)]
pub struct Program<P> {
    pub types: TypeTable,
    pub nodes: IdVec<NodeId, Node>,
    pub vars: IdVec<VarId, Var>,
    pub lambdas: IdVec<LambdaId, Lambda>,
    pub joins: IdVec<JoinId, Join>,
    /// In order of execution.
    pub items: Vec<Item>,
    pub well_known: WellKnown,
    /// Exceptions that the phrases of a prompt know by one symbol each. Other programs have none.
    pub shared_exns: IdMap<ExnId, String>,
    phase: PhantomData<P>,
}

/// Things that the compiler itself refers to.
#[derive(Clone, Debug, Default)]
pub struct WellKnown {
    /// `exn -> unit` of the library: prints the message for an uncaught exception and
    /// exits with 2. The entry point calls it when an item raises.
    pub uncaught: Option<VarId>,
    /// `unit -> unit`: runs `at_exit` functions and flushes; called after the last item.
    pub finish: Option<VarId>,
    /// `unit -> unit`: flushes; called before the program ends because memory is used up.
    pub flush: Option<VarId>,
    /// `unit -> unit`: what a fibre runs on its stack. Only specialised programs that make some have it.
    pub fiber: Option<VarId>,
    /// `exn -> bool`: with `fiber`, is this the exception by which a fibre unwinds?
    pub unwinds: Option<VarId>,
    /// `unit -> unit`: what the threads of domains run. Only specialised programs that start some have it.
    pub domain: Option<VarId>,
    pub exns: KnownExns,
    /// Functions of the library that passes refer to.
    pub functions: KnownFunctions,
}

impl WellKnown {
    /// The functions that the entry points call.
    pub fn entries(&self) -> impl Iterator<Item = VarId> + use<> {
        [self.uncaught, self.finish, self.flush, self.fiber, self.unwinds, self.domain]
            .into_iter()
            .flatten()
    }
}

/// Exceptions of the library.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownExns {
    /// Those that generated code raises.
    pub match_failure: Option<ExnId>,
    pub assert_failure: Option<ExnId>,
    pub invalid_argument: Option<ExnId>,
    pub stack_overflow: Option<ExnId>,
    /// With those above, the ones that `Printexc` has texts of its own for.
    pub out_of_memory: Option<ExnId>,
    pub undefined_module: Option<ExnId>,
}

impl KnownExns {
    /// What `Printexc` says of an exception of the library instead of its name and values. A program's own exception
    /// has its name, whatever that is.
    pub fn text(&self, exn: ExnId) -> Option<ExnText> {
        let at = |width, message| ExnText::At { width, message };
        let texts = [
            (self.out_of_memory, ExnText::Message("Out of memory")),
            (self.stack_overflow, ExnText::Message("Stack overflow")),
            (self.match_failure, at(5, "Pattern matching failed")),
            (self.assert_failure, at(6, "Assertion failed")),
            (self.undefined_module, at(6, "Undefined recursive module")),
        ];
        texts.into_iter().find(|it| it.0 == Some(exn)).map(|it| it.1)
    }
}

/// The text of an exception of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExnText {
    Message(&'static str),
    /// Behind the place that the exception holds, which ends so many columns after it begins.
    At {
        width: i64,
        message: &'static str,
    },
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    pub ty: TyId,
    pub span: Span,
    /// Where the object lives that this node allocates; meaningless for others.
    pub storage: Storage,
}

/// Where an allocated object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    /// In the frame of the function that allocates it.
    Stack,
    /// Until the last reference to it is gone.
    #[default]
    Counted,
    /// A constant, built at compile time.
    Static,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: Symbol,
    pub ty: TyId,
    /// Type parameters of a polymorphic binding; those of one `LetRec` are shared by
    /// all its variables. Empty in `Mono`.
    pub tyvars: Vec<TyVarId>,
    /// `let mutable`, or a reference that became one: read by `Var`, written by `Assign`.
    pub mutable: bool,
    /// Bound by an item. Never a capture.
    pub global: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Lambda {
    /// The name it is bound to, for people and symbols.
    pub name: Option<Symbol>,
    /// At least one. A `unit` parameter is a parameter.
    pub params: Vec<VarId>,
    pub body: NodeId,
    /// Outer local variables that the body (with the lambdas in it) mentions, in order of
    /// first mention. The body names them by the same `VarId`.
    pub captures: Vec<Capture>,
    pub inline: InlineHint,
    pub repr: Repr,
    /// A call may end with an exception. True until `may_raise` shows otherwise.
    pub raises: bool,
    /// It stands around another function, whose types are known better or less here.
    pub adapter: bool,
    /// It calls the function that a constructor stands for (`defunctionalize`).
    pub dispatches: bool,
    pub span: Span,
}

impl Lambda {
    /// A new function: its captures are to be filled, and nothing is decided about it.
    pub fn new(name: Option<Symbol>, params: Vec<VarId>, body: NodeId, span: Span) -> Self {
        Self {
            name,
            params,
            body,
            captures: Vec::new(),
            inline: InlineHint::Default,
            repr: Repr::Undecided,
            raises: true,
            adapter: false,
            dispatches: false,
            span,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    pub var: VarId,
    pub ty: TyId,
    pub mode: CaptureMode,
    /// The node that binds the variable: `Let`, `LetRec`, `Lambda`, `For`, `Try`, `Join`.
    pub source: Option<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureMode {
    /// The value is copied; a ref cell's pointer counts as its value.
    ByValue,
    /// The address of a mutable variable.
    ByRef,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InlineHint {
    #[default]
    Default,
    Always,
    Never,
    /// As `Never`, and its calls are rare: whoever calls it should pay nothing while it is not called.
    Cold,
    /// As `Never`, and how fast it runs does not matter: its code is made quickly.
    Rare,
    /// As `Never`: its body is a part of the program's start, and runs once. What is no loop in it is `Rare`.
    Once,
    /// As `Never`: the function must not allocate, which is checked where it stands.
    ZeroAlloc,
}

impl InlineHint {
    /// The function stays where it is.
    pub fn stays(self) -> bool {
        matches!(self, Self::Never | Self::Cold | Self::Rare | Self::Once | Self::ZeroAlloc)
    }
}

/// How a lambda is represented at run time; filled in by `closure_repr`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repr {
    /// Not decided.
    #[default]
    Undecided,
    /// Every use is a known call: captures are leading parameters, no object.
    Lifted,
    /// A flat closure `{code, captures…}`; known calls still go to the code directly.
    Flat,
}

/// A join point: code shared by several jumps of one function. Jumps stand in tail
/// position relative to the `Join` node; a recursive one is a loop.
#[derive(Clone, Debug)]
pub struct Join {
    pub name: Symbol,
    pub params: Vec<VarId>,
    pub recursive: bool,
}

#[derive(Clone, Debug)]
pub enum NodeKind {
    Const(Const),
    /// A variable, with the type arguments of its instance if it is polymorphic.
    Var {
        var: VarId,
        tyargs: Vec<TyId>,
    },
    Lambda(LambdaId),
    /// `func` applied to one or more arguments; fewer or more than the function takes
    /// at once are allowed.
    Apply {
        func: NodeId,
        args: Vec<NodeId>,
        callee: Callee,
    },
    Prim {
        prim: Prim,
        args: Vec<NodeId>,
    },
    Let {
        var: VarId,
        value: NodeId,
        body: NodeId,
    },
    /// All values are lambdas.
    LetRec {
        vars: Vec<VarId>,
        values: Vec<NodeId>,
        body: NodeId,
    },
    /// To a mutable variable; the result is unit.
    Assign {
        var: VarId,
        value: NodeId,
    },
    /// Evaluated first to last, the last one's value is the result. Never empty.
    Seq(Vec<NodeId>),
    If {
        cond: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
    /// Without a default the cases are exhaustive. Duplicate keys do not occur.
    Switch {
        value: NodeId,
        cases: Vec<(Key, NodeId)>,
        default: Option<NodeId>,
    },
    While {
        cond: NodeId,
        body: NodeId,
    },
    /// `var` is a fresh immutable int for each round; bounds are evaluated once,
    /// `from` before `to`.
    For {
        var: VarId,
        from: NodeId,
        to: NodeId,
        down: bool,
        body: NodeId,
    },
    Tuple(Vec<NodeId>),
    TupleGet {
        tuple: NodeId,
        index: u32,
    },
    /// All fields in declaration order; the node's type names the record.
    Record(Vec<NodeId>),
    /// A constructor by position, with all its fields.
    Construct {
        ctor: u32,
        args: Vec<NodeId>,
    },
    /// A field of a record (`ctor` 0) or of a constructor known to be the value's.
    Field {
        object: NodeId,
        ctor: u32,
        index: u32,
    },
    SetField {
        object: NodeId,
        ctor: u32,
        index: u32,
        value: NodeId,
    },
    Array(Vec<NodeId>),
    MakeExn {
        exn: ExnId,
        args: Vec<NodeId>,
    },
    /// A payload field of an exception known to be `exn`.
    ExnField {
        object: NodeId,
        exn: ExnId,
        index: u32,
    },
    Raise(NodeId),
    /// `handler` runs with `var` bound to the exception; it re-raises what it does not
    /// handle.
    Try {
        body: NodeId,
        var: VarId,
        handler: NodeId,
    },
    /// `body` is what a jump to `join` runs; `rest` is evaluated first and contains the jumps
    /// (for a recursive join `body` contains jumps as well). Result: that of `rest`, or of
    /// `body` after a jump.
    Join {
        join: JoinId,
        body: NodeId,
        rest: NodeId,
    },
    /// Leaves for the join; has the type of the place it stands in, produces no value.
    Jump {
        join: JoinId,
        args: Vec<NodeId>,
    },
}

/// What a switch distinguishes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A constructor of the scrutinee's variant type.
    Ctor(u32),
    Int(IntWidth, i64),
    Char(u8),
    String(Arc<[u8]>),
    Exn(ExnId),
}

/// What is known of the function that a call reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Callee {
    #[default]
    Unknown,
    /// Exactly this lambda, with exactly as many arguments as it takes. `func` still names it.
    Known(LambdaId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    Unit,
    Bool(bool),
    Int(IntWidth, i64),
    Float(f64),
    Char(u8),
    String(Arc<[u8]>),
}

#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
    /// Of the shipped library: dropped unless something mentions its variables.
    pub library: bool,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Let { var: VarId, value: NodeId },
    LetRec { vars: Vec<VarId>, values: Vec<NodeId> },
    Eval(NodeId),
}

impl<P> Default for Program<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> Program<P> {
    pub fn new() -> Self {
        Self {
            types: TypeTable::new(),
            nodes: IdVec::new(),
            vars: IdVec::new(),
            lambdas: IdVec::new(),
            joins: IdVec::new(),
            items: Vec::new(),
            well_known: WellKnown::default(),
            shared_exns: IdMap::new(),
            phase: PhantomData,
        }
    }

    pub fn add(&mut self, kind: NodeKind, ty: TyId, span: Span) -> NodeId {
        self.nodes.push(Node { kind, ty, span, storage: Storage::default() })
    }

    pub fn ty(&self, node: NodeId) -> TyId {
        self.nodes[node].ty
    }

    pub fn span(&self, node: NodeId) -> Span {
        self.nodes[node].span
    }
}

impl NodeKind {
    /// The operand nodes in order of the text of the kind (evaluation order is the
    /// reverse, except for `Let`, `Seq`, control flow). Bodies of lambdas are not operands.
    pub fn for_each_child(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Const(_) | Self::Var { .. } | Self::Lambda(_) => (),
            Self::Apply { func, args, callee: _ } => {
                visit(*func);
                args.iter().copied().for_each(visit);
            }
            Self::Prim { args, .. }
            | Self::Construct { args, .. }
            | Self::MakeExn { args, .. }
            | Self::Jump { args, .. } => args.iter().copied().for_each(visit),
            Self::Seq(items) | Self::Tuple(items) | Self::Record(items) | Self::Array(items) => {
                items.iter().copied().for_each(visit);
            }
            Self::Let { value, body, .. } => {
                visit(*value);
                visit(*body);
            }
            Self::LetRec { values, body, .. } => {
                values.iter().copied().for_each(&mut visit);
                visit(*body);
            }
            Self::Assign { value, .. } => visit(*value),
            Self::If { cond, then, otherwise } => {
                visit(*cond);
                visit(*then);
                visit(*otherwise);
            }
            Self::Switch { value, cases, default } => {
                visit(*value);
                cases.iter().for_each(|it| visit(it.1));
                default.iter().copied().for_each(visit);
            }
            Self::While { cond, body } => {
                visit(*cond);
                visit(*body);
            }
            Self::For { from, to, body, .. } => {
                visit(*from);
                visit(*to);
                visit(*body);
            }
            Self::TupleGet { tuple, .. } => visit(*tuple),
            Self::Field { object, .. } | Self::ExnField { object, .. } => visit(*object),
            Self::SetField { object, value, .. } => {
                visit(*object);
                visit(*value);
            }
            Self::Raise(value) => visit(*value),
            Self::Try { body, handler, .. } => {
                visit(*body);
                visit(*handler);
            }
            Self::Join { body, rest, .. } => {
                visit(*body);
                visit(*rest);
            }
        }
    }
}
