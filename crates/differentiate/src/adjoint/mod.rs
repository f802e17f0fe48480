//! Gradients as code: where the function is known and its code is made of numbers, arrays, branches and
//! loops, the reverse sweep is written out, and there is no tape.
//!
//! ```text
//! Ad.gradient (fun w -> tanh (w.(0) *. k)) x
//! let g = Array.make (length x) 0.0 in
//! let t = tanh (x.(0) *. k) in
//! g.(0) <- g.(0) +. (1.0 -. t *. t) *. k; g
//! ```
//!
//! `eval` reads the function, `prune` drops what does nothing, `ranges` tests that cannot fail, `hoist` takes out of
//! loops what stays the same, `lift` the tests of bounds, `activity` finds what depends on the input, `plan` what must
//! be kept, `room` where space for it is made, `forward` and `backward` write. The result is ordinary code, so
//! derivatives around it are taken like those of any other. Whatever does not fit keeps the tape; the reasons are
//! reported by `explain`.

mod activity;
mod arms;
mod backward;
mod backward_loops;
mod calls;
mod eval;
mod forward;
mod hoist;
mod ir;
mod lift;
mod partial;
mod plan;
mod prune;
mod quiet;
mod ranges;
mod reason;
mod room;
mod shadows;
mod split;
mod useful;
mod wrappers;
mod write;

use oxbow_base::{IdMap, IdSet, IdVec, Span};
use oxbow_psg::{
    Const, IntOp, IntWidth, ItemKind, KnownFunction, Mono, NodeId, NodeKind, OrderOp, Prim,
    Program, Ty, VarId, captures, walk,
};

use eval::Known;
pub use reason::Reason;
use reason::Written;
use write::{Library, Writer};

/// Functions of more statements than this keep the tape: their gradients would be slow to compile.
const LARGEST: usize = 8000;

/// What became of one use of an operator.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub span: Span,
    /// Why the tape is used; none if the gradient is code.
    pub tape: Option<Reason>,
    /// Why products of matrices are taken by their loops; none if they are one operation, or there are none.
    pub loops: Option<Reason>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Gradient,
    ValueAndGradient,
    /// Of a function with an array for its result, which is weighted.
    Vjp,
    /// Becomes rows by `Vjp` or columns in forward mode.
    Jacobian,
}

impl Operator {
    fn arity(self) -> usize {
        if self == Self::Vjp { 3 } else { 2 }
    }
}

pub fn run(program: &mut Program<Mono>, is_user_code: &dyn Fn(Span) -> bool) -> Vec<Outcome> {
    let find = |function: KnownFunction| program.well_known.functions.get(function);
    let mut operators: IdMap<VarId, Operator> = IdMap::new();
    for (function, operator) in [
        (KnownFunction::Gradient, Operator::Gradient),
        (KnownFunction::ValueAndGradient, Operator::ValueAndGradient),
        (KnownFunction::Vjp, Operator::Vjp),
        (KnownFunction::Jacobian, Operator::Jacobian),
    ] {
        if let Some(var) = find(function) {
            operators.insert(var, operator);
        }
    }

    let (Some(more_floats), Some(more_ints), Some(more_arrays)) = (
        find(KnownFunction::TapeMoreFloats),
        find(KnownFunction::TapeMoreInts),
        find(KnownFunction::TapeMoreArrays),
    ) else {
        return Vec::new();
    };
    let (Some(items), Some(expected)) =
        (find(KnownFunction::TapeItems), find(KnownFunction::TapeExpected))
    else {
        return Vec::new();
    };
    let add_product = find(KnownFunction::AddProduct);
    let library = Library { more_floats, more_ints, more_arrays, items, expected, add_product };
    let by_parts = find(KnownFunction::JacobianByParts);
    wrappers::run(program, &mut operators, is_user_code);
    let mut outcomes = Vec::new();
    let jacobians = jacobians(program, &operators, by_parts);
    if jacobians.iter().any(|it| it.1.is_none()) {
        wrappers::run(program, &mut operators, is_user_code);
    }
    for (span, tape) in jacobians {
        if tape.is_some() && is_user_code(span) {
            outcomes.push(Outcome { span, tape, loops: None });
        }
    }
    for (node, operator) in sites(program, &operators) {
        if operator == Operator::Jacobian {
            continue;
        }
        let span = program.span(node);
        let mut known = known(program);
        let mut replaced = replace(program, &known, library, node, operator);
        let loops = replaced.as_ref().err().copied().filter(|it| *it == Reason::ChangingMatrix);
        if loops.is_some() {
            known.add_product = None;
            replaced = replace(program, &known, library, node, operator);
        }
        let tape = replaced.err();
        // Those of the library's own functions are reported where the user calls these.
        if is_user_code(span) {
            outcomes.push(Outcome { span, tape, loops: loops.filter(|_| tape.is_none()) });
        }
    }
    if outcomes.iter().any(|it| it.tape.is_none()) {
        captures::fill_all(program);
    }
    outcomes
}

/// Jacobians of known functions go part by part, by gradients and tangents that are code. The function is
/// called once for each part, so it must not have effects. Answers for each why not.
fn jacobians(
    program: &mut Program<Mono>,
    operators: &IdMap<VarId, Operator>,
    by_parts: Option<VarId>,
) -> Vec<(Span, Option<Reason>)> {
    let mut found = sites(program, operators);
    found.retain(|it| it.1 == Operator::Jacobian);
    let Some(by_parts) = by_parts.filter(|_| !found.is_empty()) else { return Vec::new() };
    let known = known(program);
    let mut results = Vec::new();
    for (node, _) in found {
        let tape = match is_repeatable(program, &known, node) {
            Err(why) => Some(why),
            Ok(func) => {
                program.nodes[func].kind = NodeKind::Var { var: by_parts, tyargs: Vec::new() };
                None
            }
        };
        results.push((program.span(node), tape));
    }
    results
}

/// Whether the function of a Jacobian is known and can be called often; answers the operator's node.
fn is_repeatable(
    program: &mut Program<Mono>,
    known: &Known,
    node: NodeId,
) -> Result<NodeId, Reason> {
    let NodeKind::Apply { func: operator, args, .. } = &program.nodes[node].kind else {
        oxbow_diag::ice!("an operator that is not called")
    };
    let (operator, func, point) = (*operator, args[0], args[1]);
    if !is_known(program, known, func) {
        return Err(Reason::UnknownFunction);
    }
    let input = program.ty(point);
    let mut code = eval::read(program, known, func, input, input)?;
    prune::run(&mut code);
    if activity::analyze(&mut code, &mut program.types)?.writes_outside {
        return Err(Reason::Effects);
    }
    Ok(operator)
}

/// The uses of operators with all arguments, inner ones first.
fn sites(program: &Program<Mono>, operators: &IdMap<VarId, Operator>) -> Vec<(NodeId, Operator)> {
    let mut found = Vec::new();
    for root in super::reachable(program) {
        let first = found.len();
        walk::for_each_node(program, root, |node| {
            if let Some(operator) = operator_at(program, operators, node) {
                found.push((node, operator));
            }
        });
        found[first..].reverse();
    }
    found
}

/// The operator that a node applies to all its arguments.
fn operator_at(
    program: &Program<Mono>,
    operators: &IdMap<VarId, Operator>,
    node: NodeId,
) -> Option<Operator> {
    let NodeKind::Apply { func, args, .. } = &program.nodes[node].kind else { return None };
    let NodeKind::Var { var, .. } = program.nodes[*func].kind else { return None };
    let operator = *operators.get(var)?;
    (args.len() == operator.arity()).then_some(operator)
}

fn known(program: &Program<Mono>) -> Known {
    let mut known = Known {
        lambdas: IdMap::new(),
        grouped: IdSet::new(),
        recursive: IdSet::new(),
        integers: IdMap::new(),
        add_product: None,
    };
    for item in &program.items {
        if let ItemKind::Let { var, value } = &item.kind
            && !program.vars[*var].mutable
            && let Some(integer) = integer(program, &known, *value)
        {
            known.integers.insert(*var, integer);
        }
    }
    let mut aliases = Vec::new();
    let mut note = |vars: &[VarId], values: &[NodeId], recursive: bool| {
        for (&var, &value) in vars.iter().zip(values) {
            if let NodeKind::Var { var: named, .. } = program.nodes[value].kind
                && !program.vars[var].mutable
            {
                aliases.push((var, named));
            }
            if let NodeKind::Lambda(lambda) = program.nodes[value].kind
                && !program.vars[var].mutable
            {
                known.lambdas.insert(var, lambda);
                if recursive {
                    known.grouped.insert(lambda);
                    if comes_again(program, vars, values, var) {
                        known.recursive.insert(lambda);
                    }
                }
            }
        }
    };
    for item in &program.items {
        match &item.kind {
            ItemKind::Let { var, value } => note(&[*var], &[*value], false),
            ItemKind::LetRec { vars, values } => note(vars, values, true),
            ItemKind::Eval(_) => (),
        }
        for root in item.kind.roots() {
            walk::for_each_node(program, root, |node| match &program.nodes[node].kind {
                NodeKind::Let { var, value, .. } => note(&[*var], &[*value], false),
                NodeKind::LetRec { vars, values, .. } => note(vars, values, true),
                _ => (),
            });
        }
    }
    for (var, named) in aliases {
        if let Some(&lambda) = known.lambdas.get(named) {
            known.lambdas.insert(var, lambda);
        }
    }
    let add_product = program.well_known.functions.get(KnownFunction::AddProduct);
    known.add_product = add_product.and_then(|var| known.lambdas.get(var).copied());
    known
}

/// Whether a function of a recursive group mentions itself, through others of the group as well.
fn comes_again(program: &Program<Mono>, vars: &[VarId], values: &[NodeId], from: VarId) -> bool {
    let mut seen: IdSet<VarId> = IdSet::new();
    let mut work = vec![from];
    while let Some(var) = work.pop() {
        let Some(place) = vars.iter().position(|&it| it == var) else { continue };
        walk::for_each_node(program, values[place], |node| {
            if let NodeKind::Var { var, .. } = program.nodes[node].kind
                && vars.contains(&var)
                && seen.insert(var)
            {
                work.push(var);
            }
        });
        if seen.contains(from) {
            return true;
        }
    }
    false
}

/// The value of a sum or product of known integers.
fn integer(program: &Program<Mono>, known: &Known, node: NodeId) -> Option<i64> {
    let value = match &program.nodes[node].kind {
        NodeKind::Const(Const::Int(IntWidth::I63, value)) => *value,
        NodeKind::Var { var, .. } => *known.integers.get(*var)?,
        NodeKind::Prim { prim: Prim::Int(IntWidth::I63, op), args } if args.len() == 2 => {
            let a = integer(program, known, args[0])?;
            let b = integer(program, known, args[1])?;
            match op {
                IntOp::Add => a.wrapping_add(b),
                IntOp::Sub => a.wrapping_sub(b),
                IntOp::Mul => a.wrapping_mul(b),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(IntWidth::I63.wrap(value))
}

/// Whether a node is a function whose code is seen: itself, a name, or a partial application.
fn is_known(program: &Program<Mono>, known: &Known, func: NodeId) -> bool {
    match &program.nodes[func].kind {
        NodeKind::Lambda(_) => true,
        NodeKind::Var { var, .. } => known.lambdas.contains(*var),
        NodeKind::Apply { func, args, .. } => match program.nodes[*func].kind {
            NodeKind::Var { var, .. } => known
                .lambdas
                .get(var)
                .is_some_and(|&it| program.lambdas[it].params.len() > args.len()),
            _ => false,
        },
        _ => false,
    }
}

/// Replaces one use of an operator, or says why not.
fn replace(
    program: &mut Program<Mono>,
    known: &Known,
    library: Library,
    node: NodeId,
    operator: Operator,
) -> Result<(), Reason> {
    let NodeKind::Apply { args, .. } = &program.nodes[node].kind else {
        oxbow_diag::ice!("an operator that is not called")
    };
    let (func, point) = (args[0], args[1]);
    let weights = args.get(2).copied();
    if !is_known(program, known, func) {
        return Err(Reason::UnknownFunction);
    }
    let input = program.ty(point);
    if !matches!(program.types.get(input), Ty::Array(_)) {
        return Err(Reason::NoArray);
    }
    let result = match operator {
        Operator::Gradient | Operator::ValueAndGradient => program.types.float,
        Operator::Vjp | Operator::Jacobian => input,
    };
    let mut code = eval::read(program, known, func, input, result)?;
    prune::run(&mut code);
    ranges::run(&mut code, &program.types);
    prune::run(&mut code);
    hoist::run(&mut code);
    lift::run(&mut code, &program.types);
    prune::run(&mut code);
    if code.blocks.values().map(|it| it.stmts.len()).sum::<usize>() > LARGEST {
        return Err(Reason::TooLarge);
    }
    let before = code.clone();
    let mut activity = activity::analyze(&mut code, &mut program.types)?;
    let plans = match plan::plan(&code, &program.types, &activity) {
        Err(Reason::NeedsObject) => {
            code = before;
            arms::run(&mut code, &program.types);
            activity = activity::analyze(&mut code, &mut program.types)?;
            plan::plan(&code, &program.types, &activity)?
        }
        planned => planned?,
    };
    let rooms = room::find(&code, &plans);
    let span = program.span(node);
    let ty = program.ty(node);
    let ir::End::Yield(results) = code.blocks[code.root].end.clone() else {
        return Err(Reason::NeverReturns);
    };
    let mut writer = Writer {
        program,
        code: &code,
        activity: &activity,
        plans: &plans,
        library,
        span,
        vars: code.values.ids().map(|_| None).collect(),
        pieces: Vec::new(),
        adjoints: code.values.ids().map(|_| write::Adjoint::Zero).collect::<IdVec<_, _>>(),
        kept: IdMap::new(),
        stacks: [None; 3],
        rooms: &rooms,
        forward: IdMap::new(),
        reverse: IdMap::new(),
        array_ty: input,
    };
    let new = writer.scope(|it| {
        // Operands are evaluated from the last to the first.
        let weights = weights.map(|node| it.bind("w", node));
        it.bind_input(point)?;
        it.declare_stacks();
        it.declare_kept(code.root);
        it.forward_stmts(code.root)?;
        it.bind_gradient()?;
        match weights {
            Some(weights) => it.backward_weighted(results[0], weights)?,
            None => it.backward(results[0])?,
        }
        let gradient = match it.activity.shadows.get(code.input) {
            Some(&shadow) => it.value(shadow)?,
            None => it.unit(),
        };
        Ok(match operator {
            Operator::Gradient => gradient,
            Operator::ValueAndGradient => {
                let value = it.value(results[0])?;
                it.add(NodeKind::Tuple(vec![value, gradient]), ty)
            }
            Operator::Vjp | Operator::Jacobian => {
                // The result may be an object that the function shares with others.
                let value = it.value(results[0])?;
                let value = it.bind("y", value);
                let value = it.copy_of(value);
                let value = it.mention(value);
                it.add(NodeKind::Tuple(vec![value, gradient]), ty)
            }
        })
    })?;
    let made = program.nodes[new].clone();
    program.nodes[node] = made;
    Ok(())
}

impl Writer<'_> {
    fn copy_of(&mut self, array: VarId) -> VarId {
        let given = self.mention(array);
        let (length, zero, ty) = (self.length(given), self.float(0.0), self.array_ty);
        let copy = self.prim(Prim::ArrayMake, vec![length, zero], ty);
        let copy = self.bind("copy", copy);
        let given = self.mention(array);
        let length = self.length(given);
        let (from, into) = (self.mention(array), self.mention(copy));
        let args = vec![from, self.int(0), into, self.int(0), length];
        let unit = self.program.types.unit;
        let node = self.prim(Prim::ArrayBlit, args, unit);
        self.run(node);
        copy
    }

    /// The point, and the array for its gradient.
    fn bind_input(&mut self, point: NodeId) -> Written<()> {
        let input = self.code.input;
        let mut point = self.bind("x", point);
        if self.activity.writes_input || self.activity.writes_outside {
            point = self.copy_of(point);
        }
        self.vars[input] = Some(point);
        let passed_on = |it: &ir::ValueId| !self.activity.late.contains(*it);
        if self.activity.shadows.get(input).is_some_and(passed_on) {
            self.bind_gradient()?;
        }
        Ok(())
    }

    /// Exceptions of the forward sweep need not forget it if it is made after that.
    fn bind_gradient(&mut self) -> Written<()> {
        let input = self.code.input;
        let Some(&shadow) = self.activity.shadows.get(input) else { return Ok(()) };
        if self.vars[shadow].is_some() {
            return Ok(());
        }
        let given = self.value(input)?;
        let (length, zero, ty) = (self.length(given), self.float(0.0), self.array_ty);
        let gradient = self.prim(Prim::ArrayMake, vec![length, zero], ty);
        let gradient = self.bind("g", gradient);
        self.vars[shadow] = Some(gradient);
        Ok(())
    }
}

/// Tests for zero that no derivative surrounds compare floats.
pub fn compare_zeros(program: &mut Program<Mono>) {
    let mut found = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Prim { prim: Prim::AdIsZero, args } = &program.nodes[node].kind {
            found.push((node, args[0]));
        }
    });
    for (node, of) in found {
        let (ty, span) = (program.ty(of), program.span(node));
        let zero = program.add(NodeKind::Const(Const::Float(0.0)), ty, span);
        let prim = Prim::Order(OrderOp::Eq);
        program.nodes[node].kind = NodeKind::Prim { prim, args: vec![of, zero] };
    }
}
