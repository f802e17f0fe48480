//! Lets a program tell the runtime where its exceptions are raised, and which calls they leave.
//!
//! ```text
//! before   raise e                    1 + f x
//! after    note RAISE place e;        1 + (try f x with e -> note CALL place e; raise e)
//!          raise e
//! ```
//!
//! Exceptions are results (decision 2): the frames that one leaves are those that pass it on, so that a backtrace is
//! written by the code on its way, and no other code changes. This comes before all inlining: what is told is what was
//! written, at each level of optimisation. Calls in tail position have no frame. The library is not traced; what it
//! raises seems to be raised by the call of it, and where a call is all that its function does, it counts in tail
//! position as well, as one of OCaml's primitives does. A function of the library may tell of itself by `%backtrace`
//! primitives; then nothing is added to it.
//!
//! Phase: Mono -> Mono. Needs: `drop_frames`. Programs that are not traced have no frames: what the library tells goes.

use std::sync::Arc;

use oxbow_base::{IdSet, Span, SparseMap, Symbol};
use oxbow_psg::backtrace::{CALL, LIBRARY, PRIMITIVE, RAISE, RERAISE};
use oxbow_psg::{
    Const, IntWidth, ItemKind, LambdaId, Mono, NodeId, NodeKind, Prim, Program, TyId, Var, VarId,
    walk,
};

/// Drops what the library tells, unless somebody asked for it or the program turns backtraces on. This comes before
/// derivatives are taken, to which a note would be an effect.
pub fn drop_frames(mut program: Program<Mono>, asked: bool) -> Program<Mono> {
    let told = Told::find(&program, asked);
    let mut own = Vec::new();
    walk::for_each_reachable(&program, |node| {
        if let NodeKind::Prim { prim, .. } = program.nodes[node].kind {
            own.extend(told.without(prim).map(|it| (node, it)));
        }
    });
    for (node, value) in own {
        program.nodes[node].kind = NodeKind::Const(value);
    }
    program
}

/// What a program tells the runtime.
#[derive(Clone, Copy)]
struct Told {
    /// The ways of exceptions.
    raises: bool,
    /// The calls that are going on.
    calls: bool,
}

impl Told {
    fn find(program: &Program<Mono>, asked: bool) -> Self {
        let mut told = Self { raises: asked, calls: false };
        walk::for_each_reachable(program, |node| {
            if let NodeKind::Prim { prim, .. } = program.nodes[node].kind {
                told.raises |= prim == Prim::BacktraceRecord;
                told.calls |= prim == Prim::StackCount;
            }
        });
        told
    }

    /// What a primitive gives in a program that does not tell what it is about.
    fn without(self, prim: Prim) -> Option<Const> {
        match prim {
            Prim::BacktraceNote
            | Prim::BacktraceRestore
            | Prim::BacktracePush
            | Prim::BacktracePrint
                if !self.raises =>
            {
                Some(Const::Unit)
            }
            Prim::BacktraceLength if !self.raises => Some(Const::Int(IntWidth::I63, 0)),
            Prim::StackKept if !self.calls => Some(Const::Bool(false)),
            _ => None,
        }
    }
}

/// Adds the notes to a program that is traced. `place` gives the text for a place of the user's code.
pub fn run(
    mut program: Program<Mono>,
    asked: bool,
    place: impl Fn(Span) -> Option<Arc<[u8]>>,
) -> Program<Mono> {
    let told = Told::find(&program, asked);
    if !told.raises && !told.calls {
        return program;
    }
    let found = Steps::find(&program);
    for (node, kind) in found.raises.into_iter().filter(|_| told.raises) {
        let text =
            if kind == LIBRARY { Some(Arc::from(&b""[..])) } else { place(program.span(node)) };
        if let Some(text) = text {
            note_raise(&mut program, node, kind, text);
        }
    }
    for node in found.calls {
        if let Some(text) = place(program.span(node)) {
            note_call(&mut program, told, node, text);
        }
    }
    program
}

/// What is to be noted.
#[derive(Default)]
struct Steps {
    raises: Vec<(NodeId, i64)>,
    calls: Vec<NodeId>,
    /// Variables that hold what a handler handles.
    handled: SparseMap<VarId, Handler>,
    /// Variables that hold a value, or the exception that was raised instead.
    outcomes: SparseMap<VarId, Handler>,
}

#[derive(Clone, Copy)]
struct Handler {
    span: Span,
    function: Option<LambdaId>,
}

#[derive(Clone, Copy)]
struct At {
    node: NodeId,
    is_tail: bool,
    /// Of the library.
    library: bool,
    /// In a function that tells of itself.
    tells: bool,
    function: Option<LambdaId>,
}

impl Steps {
    fn find(program: &Program<Mono>) -> Self {
        let leaves = leaves(program);
        let mut found = Self::default();
        for item in &program.items {
            for node in item.kind.roots() {
                let mut todo = vec![At {
                    node,
                    is_tail: false,
                    library: item.library,
                    tells: false,
                    function: None,
                }];
                while let Some(at) = todo.pop() {
                    found.visit(program, &leaves, at);
                    push_children(program, at, &mut todo);
                }
            }
        }
        found
    }

    fn visit(&mut self, program: &Program<Mono>, leaves: &IdSet<VarId>, at: At) {
        let it = &program.nodes[at.node];
        match it.kind {
            NodeKind::Try { var, .. } => {
                self.handled.insert(var, Handler { span: it.span, function: at.function });
            }
            NodeKind::Let { var, value, .. } => self.bind(program, var, value, at),
            NodeKind::Raise(value) if !at.tells => {
                let handler = named(program, value).and_then(|it| self.handled.get(it));
                let kind = match handler {
                    // What a handler does not match goes on.
                    Some(handler) if handler.span == it.span => return,
                    Some(handler) if at.library && handler.function == at.function => return,
                    Some(_) if !at.library => RERAISE,
                    _ if at.library => LIBRARY,
                    _ => RAISE,
                };
                self.raises.push((at.node, kind));
            }
            NodeKind::Apply { func, .. } if !at.library => {
                let is_leaf = || named(program, func).is_some_and(|it| leaves.contains(it));
                if !at.is_tail || is_leaf() {
                    self.calls.push(at.node);
                }
            }
            _ => (),
        }
    }
}

impl Steps {
    /// A name for what is handled, or for the outcome of `match … with exception e -> …`.
    fn bind(&mut self, program: &Program<Mono>, var: VarId, value: NodeId, at: At) {
        let it = &program.nodes[value];
        match it.kind {
            NodeKind::Var { var: from, .. } => {
                if let Some(&handler) = self.handled.get(from) {
                    self.handled.insert(var, handler);
                }
            }
            NodeKind::Try { .. } => {
                self.outcomes.insert(var, Handler { span: it.span, function: at.function });
            }
            NodeKind::Field { object, .. } if it.ty == program.types.exn => {
                let outcome = named(program, object).and_then(|it| self.outcomes.get(it));
                if let Some(&handler) = outcome {
                    self.handled.insert(var, handler);
                }
            }
            _ => (),
        }
    }
}

fn named(program: &Program<Mono>, node: NodeId) -> Option<VarId> {
    match program.nodes[node].kind {
        NodeKind::Var { var, .. } => Some(var),
        _ => None,
    }
}

fn push_children(program: &Program<Mono>, at: At, todo: &mut Vec<At>) {
    let inner = |node: NodeId| At { node, is_tail: false, ..at };
    let kind = &program.nodes[at.node].kind;
    if let NodeKind::Lambda(lambda) = *kind {
        let body = program.lambdas[lambda].body;
        let tells = at.library && tells(program, body);
        let function = Some(lambda);
        return todo.push(At { node: body, is_tail: true, tells, function, ..at });
    }
    let first = todo.len();
    kind.for_each_child(|child| todo.push(inner(child)));
    let mut last = |node: NodeId| {
        for it in &mut todo[first..] {
            it.is_tail |= it.node == node && at.is_tail;
        }
    };
    match kind {
        NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => last(*body),
        NodeKind::Seq(nodes) => nodes.last().copied().into_iter().for_each(last),
        NodeKind::If { then, otherwise, .. } => [*then, *otherwise].into_iter().for_each(last),
        NodeKind::Switch { cases, default, .. } => {
            cases.iter().map(|it| it.1).chain(*default).for_each(last);
        }
        NodeKind::Try { handler, .. } => last(*handler),
        NodeKind::Join { body, rest, .. } => [*body, *rest].into_iter().for_each(last),
        _ => (),
    }
    // The first is visited first: a binder before what mentions its variable.
    todo[first..].reverse();
}

/// Does a function of the library tell of its exceptions itself?
fn tells(program: &Program<Mono>, body: NodeId) -> bool {
    let mut found = false;
    walk::for_each_node_in_function(program, body, |node| {
        let tells = [Prim::BacktraceNote, Prim::BacktraceRestore];
        found |= matches!(program.nodes[node].kind, NodeKind::Prim { prim, .. } if tells.contains(&prim));
    });
    found
}

/// Functions of the library that call nothing but functions of this kind, which are defined before them.
fn leaves(program: &Program<Mono>) -> IdSet<VarId> {
    let mut leaves = IdSet::new();
    for item in program.items.iter().filter(|it| it.library) {
        let ItemKind::Let { var, value } = item.kind else { continue };
        let NodeKind::Lambda(lambda) = program.nodes[value].kind else { continue };
        let mut is_leaf = true;
        walk::for_each_node_in_function(program, program.lambdas[lambda].body, |node| {
            is_leaf &= match &program.nodes[node].kind {
                NodeKind::Apply { func, .. } => {
                    named(program, *func).is_some_and(|it| leaves.contains(it))
                }
                NodeKind::Prim { prim: Prim::BacktraceNote, args } => {
                    is_primitive(program, args[0])
                }
                _ => true,
            };
        });
        if is_leaf {
            leaves.insert(var);
        }
    }
    leaves
}

/// Does a function of the library that tells of itself stand for one of OCaml's primitives?
fn is_primitive(program: &Program<Mono>, kind: NodeId) -> bool {
    matches!(program.nodes[kind].kind, NodeKind::Const(Const::Int(_, PRIMITIVE)))
}

fn new_var(program: &mut Program<Mono>, name: &str, ty: TyId, span: Span) -> VarId {
    let name = Symbol::new(name);
    program.vars.push(Var { name, ty, tyvars: Vec::new(), mutable: false, global: false, span })
}

/// The note, then the exception is raised.
fn noted(
    program: &mut Program<Mono>,
    node: NodeId,
    (kind, text): (i64, Arc<[u8]>),
    exception: VarId,
) -> NodeId {
    let (ty, span) = (program.ty(node), program.span(node));
    let (int, string, unit, exn) =
        (program.types.int, program.types.string, program.types.unit, program.types.exn);
    let read = NodeKind::Var { var: exception, tyargs: Vec::new() };
    let args = vec![
        program.add(NodeKind::Const(Const::Int(IntWidth::I63, kind)), int, span),
        program.add(NodeKind::Const(Const::String(text)), string, span),
        program.add(read.clone(), exn, span),
    ];
    let note = program.add(NodeKind::Prim { prim: Prim::BacktraceNote, args }, unit, span);
    let again = program.add(read, exn, span);
    let raise = program.add(NodeKind::Raise(again), ty, span);
    program.add(NodeKind::Seq(vec![note, raise]), ty, span)
}

fn note_raise(program: &mut Program<Mono>, node: NodeId, kind: i64, text: Arc<[u8]>) {
    let NodeKind::Raise(value) = program.nodes[node].kind else { return };
    let var = new_var(program, "raised", program.types.exn, program.span(node));
    let body = noted(program, node, (kind, text), var);
    program.nodes[node].kind = NodeKind::Let { var, value, body };
}

fn raised_again(program: &mut Program<Mono>, node: NodeId, exception: VarId) -> NodeId {
    let (ty, span, exn) = (program.ty(node), program.span(node), program.types.exn);
    let again = program.add(NodeKind::Var { var: exception, tyargs: Vec::new() }, exn, span);
    program.add(NodeKind::Raise(again), ty, span)
}

/// A call has ended.
fn left(program: &mut Program<Mono>, span: Span) -> NodeId {
    let unit = program.types.unit;
    let nothing = program.add(NodeKind::Const(Const::Unit), unit, span);
    let leave = NodeKind::Prim { prim: Prim::StackLeave, args: vec![nothing] };
    program.add(leave, unit, span)
}

/// The operands are evaluated before: what they raise does not leave this call.
fn note_call(program: &mut Program<Mono>, told: Told, node: NodeId, text: Arc<[u8]>) {
    let NodeKind::Apply { mut func, mut args, callee } = program.nodes[node].kind.clone() else {
        return;
    };
    let (ty, span) = (program.ty(node), program.span(node));
    // The last is evaluated first, and the function last.
    let mut bound = Vec::new();
    for operand in args.iter_mut().rev().chain([&mut func]) {
        if let Some(value) = taken_out(program, *operand) {
            let (ty, span) = (program.ty(value), program.span(value));
            let var = new_var(program, "operand", ty, span);
            *operand = program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span);
            bound.push((var, value));
        }
    }
    let mut body = program.add(NodeKind::Apply { func, args, callee }, ty, span);
    let var = new_var(program, "raised", program.types.exn, span);
    let mut handler = if told.raises {
        noted(program, node, (CALL, text.clone()), var)
    } else {
        raised_again(program, node, var)
    };
    if told.calls {
        let leave = left(program, span);
        handler = program.add(NodeKind::Seq(vec![leave, handler]), ty, span);
        let result = new_var(program, "result", ty, span);
        let leave = left(program, span);
        let read = program.add(NodeKind::Var { var: result, tyargs: Vec::new() }, ty, span);
        let after = program.add(NodeKind::Seq(vec![leave, read]), ty, span);
        body = program.add(NodeKind::Let { var: result, value: body, body: after }, ty, span);
    }
    let mut kind = NodeKind::Try { body, var, handler };
    if told.calls {
        let (string, unit) = (program.types.string, program.types.unit);
        let place = program.add(NodeKind::Const(Const::String(text)), string, span);
        let enter = NodeKind::Prim { prim: Prim::StackEnter, args: vec![place] };
        let enter = program.add(enter, unit, span);
        let call = program.add(kind, ty, span);
        kind = NodeKind::Seq(vec![enter, call]);
    }
    for (var, value) in bound.into_iter().rev() {
        let body = program.add(kind, ty, span);
        kind = NodeKind::Let { var, value, body };
    }
    program.nodes[node].kind = kind;
}

/// An operand that is not the same, and does nothing, wherever it stands.
fn taken_out(program: &Program<Mono>, operand: NodeId) -> Option<NodeId> {
    let stays = match program.nodes[operand].kind {
        NodeKind::Const(_) | NodeKind::Lambda(_) => true,
        NodeKind::Var { var, .. } => !program.vars[var].mutable,
        _ => false,
    };
    (!stays).then_some(operand)
}
