//! Brings the use of an object to the places where it is made, so that it need not be
//! made at all.
//!
//! ```text
//! before   let t = if c then Some a else None in switch t of { Some -> f t.0; None -> g }
//! after    join some(p) = f p; join none() = g;
//!          if c then jump some(a) else jump none()
//!
//! before   let t = if c then (a, b) else (b, a) in t.0 - t.1
//! after    join rest(p, q) = p - q;  if c then jump rest(a, b) else jump rest(b, a)
//!
//! before   (if c then fun x -> x + 1 else f) a
//! after    let arg = a in if c then (fun x -> x + 1) arg else f arg
//! ```
//!
//! Applies if the variable is used for nothing else than the switch and reads of
//! immutable fields in the branch of their constructor, or for reads of components.
//! Nothing is copied: each branch becomes one join point.

use oxbow_base::{IdMap, IdSet, Span, Symbol};
use oxbow_psg::{
    Callee, DataKind, Join, JoinId, Key, Mono, Node, NodeId, NodeKind, Program, Ty, TyId, Var,
    VarId, walk,
};

use crate::uses::Uses;

/// Values that end in more places are left alone.
const MAX_LEAVES: usize = 64;
/// The same of functions, whose calls are copied.
const MAX_CALLS: usize = 8;

/// Applies the rewriting wherever it is possible. True if it was.
pub(super) fn run(program: &mut Program<Mono>) -> bool {
    let uses = Uses::of_program(program);
    let mut reads: IdMap<VarId, Vec<NodeId>> = IdMap::new();
    let (mut bindings, mut calls) = (Vec::new(), Vec::new());
    walk::for_each_reachable(program, |node| match program.nodes[node].kind {
        NodeKind::Field { object, .. } | NodeKind::TupleGet { tuple: object, .. } => {
            if let NodeKind::Var { var, .. } = program.nodes[object].kind {
                reads.entry_or_insert_with(var, Vec::new).push(node);
            }
        }
        NodeKind::Let { var, value, .. } if !program.vars[var].mutable => {
            if let NodeKind::If { .. } | NodeKind::Switch { .. } | NodeKind::Join { .. } =
                program.nodes[value].kind
            {
                bindings.push(node);
            }
        }
        NodeKind::Apply { func, .. }
            if matches!(
                program.nodes[func].kind,
                NodeKind::If { .. } | NodeKind::Switch { .. } | NodeKind::Join { .. }
            ) =>
        {
            calls.push(node)
        }
        _ => (),
    });
    let mut changed = false;
    for node in calls.into_iter().rev() {
        changed |= call_of_choice(program, node);
    }
    // Inner bindings first: nodes are replaced in place.
    for node in bindings.into_iter().rev() {
        let NodeKind::Let { var, value, body } = program.nodes[node].kind else { continue };
        let mentions = uses.get(var).mentions as usize;
        let reads = reads.remove(var).unwrap_or_default();
        changed |= switch_on(program, node, (var, value, body), &reads, mentions)
            || components(program, node, (var, value, body), &reads, mentions);
    }
    changed
}

/// Where a value ends.
enum Leaf {
    /// An object is made here.
    Object(NodeId),
    /// Any other value.
    Value(NodeId),
    /// No value: a jump or an exception.
    Nothing,
}

/// The ends of `value`, and the nodes on the way there.
fn leaves(program: &Program<Mono>, value: NodeId) -> Option<(Vec<Leaf>, Vec<NodeId>)> {
    let (mut leaves, mut inner, mut work) = (Vec::new(), Vec::new(), vec![value]);
    while let Some(node) = work.pop() {
        inner.push(node);
        match &program.nodes[node].kind {
            NodeKind::If { then, otherwise, .. } => work.extend([*then, *otherwise]),
            NodeKind::Switch { cases, default, .. } => {
                work.extend(cases.iter().map(|it| it.1).chain(*default))
            }
            NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => work.push(*body),
            NodeKind::Seq(items) => work.extend(items.last()),
            NodeKind::Join { body, rest, .. } => work.extend([*body, *rest]),
            NodeKind::Jump { .. } | NodeKind::Raise(_) => leaves.push(Leaf::Nothing),
            NodeKind::Construct { .. }
            | NodeKind::Tuple(_)
            | NodeKind::Record(_)
            | NodeKind::Lambda(_) => {
                inner.pop();
                leaves.push(Leaf::Object(node));
            }
            // The handler is in tail position and may jump to a join of the value. A use of what the `try` gives would
            // stand behind that jump.
            NodeKind::Try { handler, .. } if jumps_out(program, *handler) => return None,
            _ => {
                inner.pop();
                leaves.push(Leaf::Value(node));
            }
        }
        if leaves.len() > MAX_LEAVES {
            return None;
        }
    }
    let made = leaves.iter().any(|it| matches!(it, Leaf::Object(_)));
    made.then_some((leaves, inner))
}

/// Does it jump to a join that is not its own?
fn jumps_out(program: &Program<Mono>, root: NodeId) -> bool {
    let (mut own, mut targets) = (IdSet::new(), Vec::new());
    walk::for_each_node_in_function(program, root, |node| match program.nodes[node].kind {
        NodeKind::Join { join, .. } => {
            own.insert(join);
        }
        NodeKind::Jump { join, .. } => targets.push(join),
        _ => (),
    });
    targets.iter().any(|it| !own.contains(*it))
}

/// A call of one of several functions, some of which are known.
fn call_of_choice(program: &mut Program<Mono>, node: NodeId) -> bool {
    let NodeKind::Apply { func, args, .. } = program.nodes[node].kind.clone() else {
        return false;
    };
    let Some((leaves, inner)) = leaves(program, func).filter(|it| it.0.len() <= MAX_CALLS) else {
        return false;
    };
    let (result, span) = (program.ty(node), program.span(node));
    let mut vars = Vec::new();
    for &arg in &args {
        let ty = program.ty(arg);
        vars.push(fresh(program, "arg", ty, span));
    }
    for node in inner {
        program.nodes[node].ty = result;
    }
    for leaf in leaves {
        let (Leaf::Object(leaf) | Leaf::Value(leaf)) = leaf else { continue };
        let func = program.nodes[leaf].clone();
        let func = program.nodes.push(func);
        let args = vars.iter().map(|&it| mention(program, it, span)).collect();
        let kind = NodeKind::Apply { func, args, callee: Callee::Unknown };
        replace(program, leaf, kind, result);
    }
    // The arguments are evaluated before the function, the last one first.
    let mut code = func;
    for (&var, &value) in vars.iter().zip(&args) {
        code = program.add(NodeKind::Let { var, value, body: code }, result, span);
    }
    let kind = program.nodes[code].kind.clone();
    replace(program, node, kind, result);
    true
}

/// A continuation: a join point whose parameters are these fields of the object.
struct Target {
    join: JoinId,
    fields: Vec<u32>,
}

/// `let var = value in switch var of …`
fn switch_on(
    program: &mut Program<Mono>,
    node: NodeId,
    (var, value, body): (VarId, NodeId, NodeId),
    reads: &[NodeId],
    mentions: usize,
) -> bool {
    let NodeKind::Switch { value: scrutinee, cases, default } = program.nodes[body].kind.clone()
    else {
        return false;
    };
    let is_scrutinee =
        matches!(program.nodes[scrutinee].kind, NodeKind::Var { var: it, .. } if it == var);
    if !is_scrutinee || mentions != reads.len() + 1 {
        return false;
    }
    let has_case = |ctor: u32| cases.iter().any(|it| it.0 == Key::Ctor(ctor));
    let ty = program.vars[var].ty;
    let fits = reads.iter().all(|&it| match program.nodes[it].kind {
        NodeKind::Field { ctor, index, .. } => {
            has_case(ctor) && !is_mutable(program, ty, ctor, index)
        }
        _ => false,
    });
    if !fits {
        return false;
    }
    let Some((leaves, inner)) = leaves(program, value) else { return false };
    // A value that is not known needs a switch of its own.
    let unknown = leaves.iter().filter(|it| matches!(it, Leaf::Value(_))).count();
    if unknown * cases.len() > MAX_LEAVES {
        return false;
    }
    let (result, span) = (program.ty(body), program.span(node));

    // One join point per branch, all around the value.
    let mut targets: Vec<(Option<Key>, Target)> = Vec::new();
    let mut rest = value;
    let branches =
        cases.into_iter().map(|(key, case)| (Some(key), case)).chain(default.map(|it| (None, it)));
    for (key, branch) in branches {
        let of_branch: Vec<NodeId> = reads
            .iter()
            .copied()
            .filter(|&it| match program.nodes[it].kind {
                NodeKind::Field { ctor, .. } => key == Some(Key::Ctor(ctor)),
                _ => false,
            })
            .collect();
        let target = make_target(program, "case", &of_branch, span);
        rest = program.add(NodeKind::Join { join: target.join, body: branch, rest }, result, span);
        targets.push((key, target));
    }
    for node in inner {
        program.nodes[node].ty = result;
    }
    for leaf in leaves {
        match leaf {
            Leaf::Nothing => (),
            Leaf::Object(leaf) => {
                let NodeKind::Construct { ctor, .. } = program.nodes[leaf].kind else { continue };
                let found = targets.iter().find(|it| it.0 == Some(Key::Ctor(ctor)));
                let found = found.or_else(|| targets.iter().find(|it| it.0.is_none()));
                if let Some((_, target)) = found {
                    jump_with_parts(program, leaf, target, result);
                }
            }
            Leaf::Value(leaf) => dispatch(program, leaf, &targets, result),
        }
    }
    program.nodes[node].kind = program.nodes[rest].kind.clone();
    true
}

/// `let var = value in …` with nothing but reads of components.
fn components(
    program: &mut Program<Mono>,
    node: NodeId,
    (var, value, body): (VarId, NodeId, NodeId),
    reads: &[NodeId],
    mentions: usize,
) -> bool {
    if mentions != reads.len() || reads.is_empty() {
        return false;
    }
    let ty = program.vars[var].ty;
    let fits = match program.types.get(ty) {
        Ty::Tuple(_) => true,
        Ty::Data(data, _) => match &program.types.datas[*data].kind {
            DataKind::Record(fields) => fields.iter().all(|it| !it.mutable),
            DataKind::Variant(_) => false,
        },
        _ => false,
    };
    if !fits {
        return false;
    }
    let Some((leaves, inner)) = leaves(program, value) else { return false };
    let (result, span) = (program.ty(body), program.span(node));
    let target = make_target(program, "rest", reads, span);
    for node in inner {
        program.nodes[node].ty = result;
    }
    for leaf in leaves {
        match leaf {
            Leaf::Nothing => (),
            Leaf::Object(leaf) => jump_with_parts(program, leaf, &target, result),
            Leaf::Value(leaf) => {
                let (object, value) = name(program, leaf, span);
                let args =
                    target.fields.iter().map(|&it| field(program, object, 0, it, span)).collect();
                let jump = program.add(NodeKind::Jump { join: target.join, args }, result, span);
                replace(program, leaf, NodeKind::Let { var: object, value, body: jump }, result);
            }
        }
    }
    program.nodes[node].kind = NodeKind::Join { join: target.join, body, rest: value };
    true
}

fn is_mutable(program: &Program<Mono>, ty: TyId, ctor: u32, index: u32) -> bool {
    let Ty::Data(data, _) = program.types.get(ty) else { return false };
    match &program.types.datas[*data].kind {
        DataKind::Record(fields) => fields[index as usize].mutable,
        DataKind::Variant(ctors) => ctors[ctor as usize].fields[index as usize].mutable,
    }
}

fn fresh(program: &mut Program<Mono>, name: &str, ty: TyId, span: Span) -> VarId {
    let name = Symbol::new(name);
    program.vars.push(Var { name, ty, tyvars: Vec::new(), mutable: false, global: false, span })
}

fn mention(program: &mut Program<Mono>, var: VarId, span: Span) -> NodeId {
    let ty = program.vars[var].ty;
    program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
}

/// A join point whose parameters take the place of these reads.
fn make_target(program: &mut Program<Mono>, name: &str, reads: &[NodeId], span: Span) -> Target {
    let (mut fields, mut params): (Vec<u32>, Vec<VarId>) = (Vec::new(), Vec::new());
    for &read in reads {
        let index = match program.nodes[read].kind {
            NodeKind::Field { index, .. } | NodeKind::TupleGet { index, .. } => index,
            _ => continue,
        };
        let place = fields.iter().position(|&it| it == index).unwrap_or_else(|| {
            let ty = program.ty(read);
            fields.push(index);
            params.push(fresh(program, "part", ty, span));
            fields.len() - 1
        });
        program.nodes[read].kind = NodeKind::Var { var: params[place], tyargs: Vec::new() };
    }
    let join = program.joins.push(Join { name: Symbol::new(name), params, recursive: false });
    Target { join, fields }
}

/// A copy of the node under a fresh name; the node itself is free for other use.
fn name(program: &mut Program<Mono>, node: NodeId, span: Span) -> (VarId, NodeId) {
    let copy: Node = program.nodes[node].clone();
    let var = fresh(program, "object", copy.ty, span);
    (var, program.nodes.push(copy))
}

fn replace(program: &mut Program<Mono>, node: NodeId, kind: NodeKind, ty: TyId) {
    program.nodes[node].kind = kind;
    program.nodes[node].ty = ty;
}

fn field(program: &mut Program<Mono>, object: VarId, ctor: u32, index: u32, span: Span) -> NodeId {
    let ty = program.vars[object].ty;
    let field_ty = match program.types.get(ty).clone() {
        Ty::Tuple(items) => items[index as usize],
        Ty::Data(data, args) => {
            let field = match &program.types.datas[data].kind {
                DataKind::Record(fields) => fields[index as usize].ty,
                DataKind::Variant(ctors) => ctors[ctor as usize].fields[index as usize].ty,
            };
            program.types.field_type(data, &args, field)
        }
        _ => ty,
    };
    let is_tuple = matches!(program.types.get(ty), Ty::Tuple(_));
    let object = mention(program, object, span);
    let kind = if is_tuple {
        NodeKind::TupleGet { tuple: object, index }
    } else {
        NodeKind::Field { object, ctor, index }
    };
    program.add(kind, field_ty, span)
}

/// A node that makes an object evaluates its parts and jumps instead.
fn jump_with_parts(program: &mut Program<Mono>, leaf: NodeId, target: &Target, result: TyId) {
    let span = program.span(leaf);
    let parts = match &program.nodes[leaf].kind {
        NodeKind::Construct { args, .. } | NodeKind::Tuple(args) | NodeKind::Record(args) => {
            args.clone()
        }
        _ => return,
    };
    let vars: Vec<VarId> = parts
        .iter()
        .map(|&it| {
            let ty = program.ty(it);
            fresh(program, "part", ty, span)
        })
        .collect();
    let args = target.fields.iter().map(|&it| mention(program, vars[it as usize], span)).collect();
    let mut code = program.add(NodeKind::Jump { join: target.join, args }, result, span);
    // The last part is evaluated first: its binding stands outermost.
    for (&var, &value) in vars.iter().zip(&parts) {
        code = program.add(NodeKind::Let { var, value, body: code }, result, span);
    }
    let kind = program.nodes[code].kind.clone();
    replace(program, leaf, kind, result);
}

/// A value that is not known is looked at where it arises.
fn dispatch(
    program: &mut Program<Mono>,
    leaf: NodeId,
    targets: &[(Option<Key>, Target)],
    result: TyId,
) {
    let span = program.span(leaf);
    let (object, value) = name(program, leaf, span);
    let (mut cases, mut default) = (Vec::new(), None);
    for (key, target) in targets {
        let ctor = match key {
            Some(Key::Ctor(ctor)) => *ctor,
            _ => 0,
        };
        let args = target.fields.iter().map(|&it| field(program, object, ctor, it, span)).collect();
        let jump = program.add(NodeKind::Jump { join: target.join, args }, result, span);
        match key {
            Some(key) => cases.push((key.clone(), jump)),
            None => default = Some(jump),
        }
    }
    let scrutinee = mention(program, object, span);
    let body = program.add(NodeKind::Switch { value: scrutinee, cases, default }, result, span);
    replace(program, leaf, NodeKind::Let { var: object, value, body }, result);
}
