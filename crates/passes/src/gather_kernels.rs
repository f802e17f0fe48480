//! Loops that fill an array with values of a kernel compute the arguments, then the kernel of all of them at once, then
//! the rest.
//!
//! ```text
//! before   let b = unsafe_uninit n in for i = 0 to n - 1 do unsafe_set b i (1. /. (1. +. exp (f i))) done; …
//! after    let b = unsafe_uninit n in for i = 0 to n - 1 do unsafe_set b i (f i) done; unsafe_exp b 0 1 n;
//!          for j = 0 to n - 1 do unsafe_set b j (1. /. (1. +. unsafe_get b j)) done; …
//! before   for i = 0 to n - 1 do unsafe_set a (k + i * 3) (tanh (unsafe_get a (k + i * 3))) done
//! after    unsafe_tanh a k 3 n
//! ```
//!
//! A kernel is an operation on a number that the runtime has for many at once, with the same bits
//! (`FloatOp::over_array`). The first form is for an array that is made right before the loop, so that nothing else
//! sees what is in it meanwhile: kernels in each other, and arithmetic around them with what does not change in the
//! loop. The second one is for any array.
//!
//! Phase: Mono -> Mono. After inlining, which shows the loops of `Array.map` and `Array.init`.

use oxbow_base::{IdMap, IdSet, Symbol};
use oxbow_psg::{
    Const, IntOp, IntWidth, Mono, NodeId, NodeKind, Prim, Program, Ty, Var, VarId, captures, walk,
};

pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let mut loops = Vec::new();
    let mut made: IdMap<NodeId, VarId> = IdMap::new();
    walk::for_each_reachable(&program, |node| match &program.nodes[node].kind {
        NodeKind::For { .. } => loops.push(node),
        NodeKind::Let { var, value, body } if !program.vars[*var].mutable => {
            let makes = matches!(
                program.nodes[*value].kind,
                NodeKind::Prim { prim: Prim::ArrayMake | Prim::ArrayUninit, .. }
            );
            let first = match &program.nodes[*body].kind {
                NodeKind::Seq(items) => items[0],
                _ => *body,
            };
            if makes {
                made.insert(first, *var);
            }
        }
        _ => (),
    });
    let before = program.nodes.len();
    for node in loops {
        if !in_place(&mut program, node)
            && let Some(&array) = made.get(node)
        {
            filled(&mut program, node, array);
        }
    }
    // Variables are mentioned at other places.
    if program.nodes.len() != before {
        captures::fill_all(&mut program);
    }
    program
}

/// Where a loop stores: the loop's parts, and those of the store that is its body.
struct Store {
    index: VarId,
    array: VarId,
    place: NodeId,
    value: NodeId,
    /// What a variable of the body stands for.
    bound: Option<(VarId, NodeId)>,
}

fn store(program: &Program<Mono>, node: NodeId) -> Option<Store> {
    let NodeKind::For { var, body, .. } = program.nodes[node].kind else { return None };
    if program.vars[var].ty != program.types.int {
        return None;
    }
    let mut bound = None;
    let mut at = body;
    loop {
        match &program.nodes[at].kind {
            NodeKind::Let { var, value, body } if bound.is_none() => {
                bound = Some((*var, *value));
                at = *body;
            }
            NodeKind::Seq(items) => match &items[..] {
                [only] => at = *only,
                [first, last] if is_unit(program, *last) => at = *first,
                _ => return None,
            },
            NodeKind::Prim { prim: Prim::ArraySet, args } => {
                let &[array, place, value] = &args[..] else { return None };
                let array = mentioned(program, array)?;
                let Ty::Array(item) = *program.types.get(program.vars[array].ty) else {
                    return None;
                };
                let is_float = item == program.types.float;
                let store = Store { index: var, array, place, value, bound };
                return is_float.then_some(store);
            }
            _ => return None,
        }
    }
}

fn is_unit(program: &Program<Mono>, node: NodeId) -> bool {
    matches!(program.nodes[node].kind, NodeKind::Const(Const::Unit))
}

fn mentioned(program: &Program<Mono>, node: NodeId) -> Option<VarId> {
    match program.nodes[node].kind {
        NodeKind::Var { var, .. } => Some(var),
        _ => None,
    }
}

/// The operation on arrays for a kernel, and the kernel's argument.
fn kernel(program: &Program<Mono>, node: NodeId) -> Option<(Prim, NodeId)> {
    match &program.nodes[node].kind {
        NodeKind::Prim { prim: Prim::Float(op), args } => Some((op.over_array()?, args[0])),
        _ => None,
    }
}

/// An array whose elements are read and stored again.
fn in_place(program: &mut Program<Mono>, node: NodeId) -> bool {
    let Some(it) = store(program, node) else { return false };
    let Some((prim, argument)) = kernel(program, it.value) else { return false };
    let NodeKind::Prim { prim: Prim::ArrayGet, args } = &program.nodes[argument].kind else {
        return false;
    };
    let &[array, place] = &args[..] else { return false };
    if mentioned(program, array) != Some(it.array) || !is_same(program, place, it.place) {
        return false;
    }
    let place = match (mentioned(program, it.place), it.bound) {
        (Some(var), Some((bound, value))) if var == bound => value,
        (_, Some(_)) => return false,
        (_, None) => it.place,
    };
    let Some((start, step)) = evenly(program, place, it.index) else { return false };
    let span = program.span(node);
    let int = program.types.int;
    let (bounds, [low, high]) = bind_bounds(program, node);
    let first = mention(program, low, span);
    let first = match step {
        1 => first,
        step => {
            let step = program.add(NodeKind::Const(Const::Int(IntWidth::I63, step)), int, span);
            int_op(program, IntOp::Mul, first, step)
        }
    };
    let first = match start {
        Some(start) => int_op(program, IntOp::Add, start, first),
        None => first,
    };
    let call = call(program, prim, (it.array, first, step), [low, high], node);
    finish(program, node, bounds, vec![call]);
    true
}

/// A new array that the loop fills.
fn filled(program: &mut Program<Mono>, node: NodeId, made: VarId) {
    let Some(it) = store(program, node) else { return };
    if it.array != made || mentioned(program, it.place) != Some(it.index) || it.bound.is_some() {
        return;
    }
    // The store mentions it; what else does, in a bound too, could read what is not there yet.
    let mut mentions = 0;
    walk::for_each_node(program, node, |inner| {
        mentions += usize::from(program.nodes[inner].kind.mentioned() == Some(made));
    });
    let mut last = it.value;
    loop {
        match &program.nodes[last].kind {
            NodeKind::Let { body, .. } => last = *body,
            NodeKind::Seq(items) => last = items[items.len() - 1],
            _ => break,
        }
    }
    let mut stages = Vec::new();
    let first = stages_of(program, last, &bound_inside(program, node), &mut stages);
    if stages.is_empty() || mentions != 1 {
        return;
    }
    let NodeKind::For { var, down, body, .. } = program.nodes[node].kind else { return };
    let span = program.span(node);
    let (bounds, [low, high]) = bind_bounds(program, node);
    let mut items = Vec::new();
    for stage in stages {
        items.push(match stage {
            Stage::Kernel(prim) => {
                let start = mention(program, low, span);
                call(program, prim, (made, start, 1), [low, high], node)
            }
            Stage::Arithmetic { root, hole } => {
                // The place of the outermost one is for the loop that fills.
                let root = if root == last { copy(program, root) } else { root };
                again(program, made, [low, high], (root, hole))
            }
        });
    }
    program.nodes[last] = program.nodes[first].clone();
    let (from, to) = if down { (high, low) } else { (low, high) };
    let (from, to) = (mention(program, from, span), mention(program, to, span));
    let unit = program.types.unit;
    let fill = program.add(NodeKind::For { var, from, to, down, body }, unit, span);
    items.insert(0, fill);
    finish(program, node, bounds, items);
}

/// A step that all numbers of an array take.
enum Stage {
    /// This operation on arrays.
    Kernel(Prim),
    /// The expression `root`, in which `hole` is the number.
    Arithmetic { root: NodeId, hole: NodeId },
}

/// The steps of a number from the argument of its innermost kernel, which is the answer.
fn stages_of(
    program: &Program<Mono>,
    node: NodeId,
    inside: &IdSet<VarId>,
    out: &mut Vec<Stage>,
) -> NodeId {
    if let Some((prim, argument)) = kernel(program, node) {
        let first = stages_of(program, argument, inside, out);
        out.push(Stage::Kernel(prim));
        return first;
    }
    let NodeKind::Prim { prim: Prim::Float(_), args } = &program.nodes[node].kind else {
        return node;
    };
    for (place, &arg) in args.iter().enumerate() {
        let mut found = Vec::new();
        let first = stages_of(program, arg, inside, &mut found);
        if found.is_empty() {
            continue;
        }
        let mut others = args.iter().enumerate().filter(|it| it.0 != place);
        if !others.all(|(_, &it)| is_fixed(program, it, inside)) {
            return node;
        }
        let hole = match found.last() {
            Some(&Stage::Arithmetic { hole, .. }) => {
                found.pop();
                hole
            }
            _ => arg,
        };
        found.push(Stage::Arithmetic { root: node, hole });
        out.extend(found);
        return first;
    }
    node
}

/// Arithmetic on constants and on variables that stay the same in a loop that binds `inside`.
fn is_fixed(program: &Program<Mono>, node: NodeId, inside: &IdSet<VarId>) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Const(_) => true,
        NodeKind::Var { var, .. } => !program.vars[*var].mutable && !inside.contains(*var),
        NodeKind::Prim { prim: Prim::Float(_), args } => {
            args.iter().all(|&it| is_fixed(program, it, inside))
        }
        _ => false,
    }
}

/// The variables that a loop binds.
fn bound_inside(program: &Program<Mono>, node: NodeId) -> IdSet<VarId> {
    let mut inside = IdSet::new();
    walk::for_each_node(program, node, |inner| {
        program.nodes[inner].kind.for_each_binder(&program.joins, |var| {
            inside.insert(var);
        });
    });
    inside
}

/// A loop that replaces the numbers of an array by `root`, in which each of them is the `hole`.
fn again(
    program: &mut Program<Mono>,
    array: VarId,
    [low, high]: [VarId; 2],
    (root, hole): (NodeId, NodeId),
) -> NodeId {
    let (unit, int, float) = (program.types.unit, program.types.int, program.types.float);
    let span = program.span(root);
    let name = Symbol::new("j");
    let var = Var { name, ty: int, tyvars: Vec::new(), mutable: false, global: false, span };
    let var = program.vars.push(var);
    let args = vec![mention(program, array, span), mention(program, var, span)];
    let get = program.add(NodeKind::Prim { prim: Prim::ArrayGet, args }, float, span);
    program.nodes[hole] = program.nodes[get].clone();
    let args = vec![mention(program, array, span), mention(program, var, span), root];
    let body = program.add(NodeKind::Prim { prim: Prim::ArraySet, args }, unit, span);
    let (from, to) = (mention(program, low, span), mention(program, high, span));
    program.add(NodeKind::For { var, from, to, down: false, body }, unit, span)
}

fn copy(program: &mut Program<Mono>, node: NodeId) -> NodeId {
    let (kind, ty, span) = (program.nodes[node].kind.clone(), program.ty(node), program.span(node));
    program.add(kind, ty, span)
}

/// `start + index * step`, with a start that does not change in a loop that only stores to an array.
fn evenly(program: &Program<Mono>, place: NodeId, index: VarId) -> Option<(Option<NodeId>, i64)> {
    let by = |node: NodeId| match &program.nodes[node].kind {
        NodeKind::Var { var, .. } if *var == index => Some(1),
        NodeKind::Prim { prim: Prim::Int(IntWidth::I63, IntOp::Mul), args } => {
            match (&program.nodes[args[0]].kind, &program.nodes[args[1]].kind) {
                (NodeKind::Var { var, .. }, NodeKind::Const(Const::Int(_, by)))
                | (NodeKind::Const(Const::Int(_, by)), NodeKind::Var { var, .. })
                    if *var == index =>
                {
                    Some(*by)
                }
                _ => None,
            }
        }
        _ => None,
    };
    if let Some(step) = by(place) {
        return Some((None, step));
    }
    let NodeKind::Prim { prim: Prim::Int(IntWidth::I63, IntOp::Add), args } =
        &program.nodes[place].kind
    else {
        return None;
    };
    let is_fixed = |node: NodeId| match &program.nodes[node].kind {
        NodeKind::Const(_) => true,
        NodeKind::Var { var, .. } => *var != index,
        _ => false,
    };
    let &[a, b] = &args[..] else { return None };
    match (by(a), by(b)) {
        (None, Some(step)) if is_fixed(a) => Some((Some(a), step)),
        (Some(step), None) if is_fixed(b) => Some((Some(b), step)),
        _ => None,
    }
}

/// The same variables, constants and integer operations.
fn is_same(program: &Program<Mono>, a: NodeId, b: NodeId) -> bool {
    match (&program.nodes[a].kind, &program.nodes[b].kind) {
        (NodeKind::Var { var: a, .. }, NodeKind::Var { var: b, .. }) => a == b,
        (NodeKind::Const(a), NodeKind::Const(b)) => a == b,
        (
            NodeKind::Prim { prim: a @ Prim::Int(..), args: of_a },
            NodeKind::Prim { prim: b, args: of_b },
        ) => a == b && of_a.iter().zip(of_b).all(|(&a, &b)| is_same(program, a, b)),
        _ => false,
    }
}

type Bound = (VarId, NodeId);

/// Variables for the bounds of a loop: in the order of evaluation, and as the lower and the upper one.
fn bind_bounds(program: &mut Program<Mono>, node: NodeId) -> ([Bound; 2], [VarId; 2]) {
    let NodeKind::For { from, to, down, .. } = program.nodes[node].kind else {
        oxbow_diag::ice!("a loop has bounds")
    };
    let (ty, span) = (program.types.int, program.span(node));
    let mut bind = |name: &str, value| {
        let name = Symbol::new(name);
        let var = Var { name, ty, tyvars: Vec::new(), mutable: false, global: false, span };
        (program.vars.push(var), value)
    };
    let bounds = [bind("from", from), bind("to", to)];
    let [from, to] = bounds.map(|it| it.0);
    (bounds, if down { [to, from] } else { [from, to] })
}

fn mention(program: &mut Program<Mono>, var: VarId, span: oxbow_base::Span) -> NodeId {
    let ty = program.vars[var].ty;
    program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
}

fn int_op(program: &mut Program<Mono>, op: IntOp, a: NodeId, b: NodeId) -> NodeId {
    let (ty, span) = (program.types.int, program.span(a));
    let prim = Prim::Int(IntWidth::I63, op);
    program.add(NodeKind::Prim { prim, args: vec![a, b] }, ty, span)
}

/// A kernel of all that the loop at `node` went through.
fn call(
    program: &mut Program<Mono>,
    prim: Prim,
    (array, first, step): (VarId, NodeId, i64),
    [low, high]: [VarId; 2],
    node: NodeId,
) -> NodeId {
    let (unit, int, span) = (program.types.unit, program.types.int, program.span(node));
    let array = mention(program, array, span);
    let (low, high) = (mention(program, low, span), mention(program, high, span));
    let number = |program: &mut Program<Mono>, value| {
        program.add(NodeKind::Const(Const::Int(IntWidth::I63, value)), int, span)
    };
    let one = number(program, 1);
    let count = int_op(program, IntOp::Sub, high, low);
    let count = int_op(program, IntOp::Add, count, one);
    let step = number(program, step);
    let args = vec![array, first, step, count];
    program.add(NodeKind::Prim { prim, args }, unit, span)
}

/// The items in the place of the loop, with its bounds around them.
fn finish(program: &mut Program<Mono>, node: NodeId, bounds: [Bound; 2], items: Vec<NodeId>) {
    let (unit, span) = (program.types.unit, program.span(node));
    let mut body = match items[..] {
        [only] => only,
        _ => program.add(NodeKind::Seq(items), unit, span),
    };
    let [outer, inner] = bounds;
    body = program.add(NodeKind::Let { var: inner.0, value: inner.1, body }, unit, span);
    program.nodes[node].kind = NodeKind::Let { var: outer.0, value: outer.1, body };
}
