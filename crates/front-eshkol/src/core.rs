//! The core program: what is left of a Scheme program after expansion. Every variable is resolved
//! and bound once; there are no macros and no names left to look up.

use oxbow_base::{IdMap, IdSet, IdVec, Span, Symbol, define_id};

use crate::builtin::{self, Builtin, BuiltinId};
use crate::datum::Datum;
use crate::variant::Variant;

define_id!(pub VarId, "x");

pub struct Var {
    pub name: Symbol,
    pub span: Span,
    /// Some `set!` changes it.
    pub mutated: bool,
    /// Of a procedure of the library that is called in the place of another.
    pub variant: Option<Variant>,
}

#[derive(Clone, Debug)]
pub struct Core {
    pub kind: CoreKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum CoreKind {
    /// A constant, with the aliases of macros replaced by symbols.
    Const(Datum),
    /// The value of what returns nothing of interest.
    Unspecified,
    Ref(VarId),
    Builtin(BuiltinId),
    Set(VarId, Box<Core>),
    If(Box<Core>, Box<Core>, Box<Core>),
    And(Vec<Core>),
    Or(Vec<Core>),
    Lambda(Box<Lambda>),
    CaseLambda(Vec<Lambda>),
    Let(Vec<(VarId, Core)>, Box<Core>),
    /// Definitions and expressions in order, as `letrec*`.
    Block(Vec<Item>, Box<Core>),
    /// Two or more.
    Seq(Vec<Core>),
    Call(Box<Core>, Vec<Core>),
    /// Runs `body`; if an object is raised to here, `handler` with the object in `var`.
    Guard {
        body: Box<Core>,
        var: VarId,
        handler: Box<Core>,
    },
}

#[derive(Clone, Debug)]
pub struct Lambda {
    pub params: Vec<VarId>,
    pub rest: Option<VarId>,
    pub body: Core,
    pub name: Option<Symbol>,
    pub span: Span,
    /// The first parameter is the continuation.
    pub takes_continuation: bool,
}

/// A definition, or an expression that is evaluated for its effect.
#[derive(Clone, Debug)]
pub struct Item {
    pub var: Option<VarId>,
    pub value: Core,
}

/// A whole program: the library's definitions first.
pub struct Program {
    pub vars: IdVec<VarId, Var>,
    pub items: Vec<Item>,
    /// Where the user's items begin.
    pub user_start: usize,
    /// The user's `main` without parameters, run after the top level.
    pub main: Option<VarId>,
    /// It imports `(scheme complex)`.
    pub imports_complex: bool,
    /// Procedures that hold parts of the top level or its rests, each run once by it.
    pub pieces: IdSet<VarId>,
}

impl Program {
    /// Does it name a builtin of this kind, to call it or as a value?
    pub fn mentions(&self, is_wanted: impl Fn(&Builtin) -> bool) -> bool {
        let mut found = false;
        for item in &self.items {
            item.value.walk(|core| {
                if let CoreKind::Builtin(id) = core.kind {
                    found |= is_wanted(builtin::table().get(id));
                }
            });
        }
        found
    }

    /// The user's items and those of the library that they lead to.
    pub fn reached(mut self) -> Self {
        let index: IdMap<VarId, usize> = self
            .items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| item.var.map(|var| (var, at)))
            .collect();
        let mut wanted = vec![false; self.items.len()];
        let mut todo: Vec<usize> = (self.user_start..self.items.len()).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut wanted[at], true) {
                self.items[at].value.mentions(&index, &mut todo);
            }
        }
        self.user_start = wanted[..self.user_start].iter().filter(|&&it| it).count();
        let mut wanted = wanted.into_iter();
        self.items.retain(|_| wanted.next() == Some(true));
        self
    }
}

impl Core {
    /// The variables of a set that the expression mentions.
    pub fn mentions(&self, of: &IdMap<VarId, usize>, found: &mut Vec<usize>) {
        let mut todo = vec![self];
        while let Some(core) = todo.pop() {
            match &core.kind {
                CoreKind::Ref(var) | CoreKind::Set(var, _) => found.extend(of.get(*var)),
                _ => (),
            }
            core.for_each_child(|it| todo.push(it));
        }
    }

    pub fn new(kind: CoreKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// The expression and all its parts, at any depth and in no order.
    pub fn walk<'a>(&'a self, mut visit: impl FnMut(&'a Core)) {
        let mut todo = vec![self];
        while let Some(core) = todo.pop() {
            visit(core);
            core.for_each_child(|it| todo.push(it));
        }
    }

    /// The parts of an expression, in order.
    pub fn for_each_child<'a>(&'a self, mut visit: impl FnMut(&'a Core)) {
        match &self.kind {
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Ref(_)
            | CoreKind::Builtin(_) => (),
            CoreKind::Set(_, value) => visit(value),
            CoreKind::If(test, yes, no) => {
                visit(test);
                visit(yes);
                visit(no);
            }
            CoreKind::And(items) | CoreKind::Or(items) | CoreKind::Seq(items) => {
                items.iter().for_each(visit);
            }
            CoreKind::Lambda(lambda) => visit(&lambda.body),
            CoreKind::CaseLambda(clauses) => clauses.iter().for_each(|it| visit(&it.body)),
            CoreKind::Let(bindings, body) => {
                bindings.iter().for_each(|it| visit(&it.1));
                visit(body);
            }
            CoreKind::Block(items, body) => {
                items.iter().for_each(|it| visit(&it.value));
                visit(body);
            }
            CoreKind::Call(callee, args) => {
                visit(callee);
                args.iter().for_each(visit);
            }
            CoreKind::Guard { body, handler, .. } => {
                visit(body);
                visit(handler);
            }
        }
    }
}

/// Every definition with its value, by items, `Let` and `Block` at any depth.
pub fn for_each_binding<'a>(items: &'a [Item], mut visit: impl FnMut(VarId, &'a Core)) {
    fn define<'a>(items: &'a [Item], visit: &mut impl FnMut(VarId, &'a Core)) {
        items.iter().filter_map(|it| Some((it.var?, &it.value))).for_each(|it| visit(it.0, it.1));
    }
    define(items, &mut visit);
    for item in items {
        item.value.walk(|core| match &core.kind {
            CoreKind::Let(bindings, _) => bindings.iter().for_each(|it| visit(it.0, &it.1)),
            CoreKind::Block(items, _) => define(items, &mut visit),
            _ => (),
        });
    }
}

/// The procedures that variables are bound to for good.
pub fn known_procedures<'a>(
    items: &'a [Item],
    vars: &IdVec<VarId, Var>,
) -> Vec<(VarId, &'a Lambda)> {
    let mut found = Vec::new();
    for_each_binding(items, |var, value| match &value.kind {
        CoreKind::Lambda(lambda) if !vars[var].mutated => found.push((var, &**lambda)),
        _ => (),
    });
    found
}
