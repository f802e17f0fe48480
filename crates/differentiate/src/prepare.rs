//! Makes functions global where that can be done without changing the program.
//!
//! ```text
//! let d = Ad.derivative                  let d f x = Ad.derivative f x
//! let grad = Ad.gradient loss            let grad x = Ad.gradient loss x
//! fun y -> let sq x = x *. x in …        let sq x = x *. x    fun y -> …
//! fun a -> let best f = down f a in …    let best a f = down f a    fun a -> …, with best a for best
//! ```
//!
//! Only global functions have instances at several levels; the levels of a function value are the
//! same wherever it is used. So a name for an operator, or a local helper around one, can be used
//! inside of itself only if it is global. A partial application becomes a function if its
//! arguments have no effects; local functions move out if they mention no local variable. Those that take derivatives
//! or functions, and are mentioned more than once, take the local variables as arguments (`lift`).

use oxbow_base::{IdMap, IdSet};

mod lift;
use oxbow_psg::{
    Callee, Item, ItemKind, Lambda, Mono, NodeId, NodeKind, Program, VarId, captures, walk,
};

pub fn run(program: &mut Program<Mono>) {
    let items = std::mem::take(&mut program.items);
    // How many parameters the global functions so far take at once.
    let mut arity: IdMap<VarId, usize> = IdMap::new();
    let mut out = Vec::with_capacity(items.len());
    let mut operators = lift::Operators::default();
    for mut item in items {
        operators.note(program, &item.kind);
        if let ItemKind::Let { var, value } = &mut item.kind
            && !program.vars[*var].mutable
            && let Some(lambda) = as_function(program, &arity, *value)
        {
            *value = lambda;
        }
        note_arity(program, &item.kind, &mut arity);
        let mut moved = Vec::new();
        for root in item.kind.roots() {
            hoist(program, &operators, root, &mut moved);
        }
        for kind in moved {
            note_arity(program, &kind, &mut arity);
            let hoisted = Item { kind, span: item.span, library: item.library };
            // A function of a recursive item may mention the others of the item.
            match (&mut item.kind, hoisted.kind) {
                (
                    ItemKind::LetRec { vars, values },
                    ItemKind::LetRec { vars: more, values: more_values },
                ) => {
                    vars.extend(more);
                    values.extend(more_values);
                }
                (ItemKind::LetRec { vars, values }, ItemKind::Let { var, value }) => {
                    vars.push(var);
                    values.push(value);
                }
                (_, kind) => out.push(Item { kind, ..hoisted }),
            }
        }
        out.push(item);
    }
    program.items = out;
    captures::fill_all(program);
}

fn note_arity(program: &Program<Mono>, item: &ItemKind, arity: &mut IdMap<VarId, usize>) {
    for (&var, root) in item.vars().iter().zip(item.roots()) {
        if let NodeKind::Lambda(lambda) = program.nodes[root].kind {
            arity.insert(var, program.lambdas[lambda].params.len());
        }
    }
}

/// The lambda for a name of a function or for a partial application of one.
pub fn as_function(
    program: &mut Program<Mono>,
    arity: &IdMap<VarId, usize>,
    value: NodeId,
) -> Option<NodeId> {
    let (func, args) = match &program.nodes[value].kind {
        NodeKind::Var { .. } => (value, Vec::new()),
        NodeKind::Apply { func, args, .. } => (*func, args.clone()),
        _ => return None,
    };
    let NodeKind::Var { var, .. } = program.nodes[func].kind else { return None };
    let missing = arity.get(var)?.checked_sub(args.len()).filter(|&it| it > 0)?;
    if !args.iter().all(|&it| is_value(program, arity, it)) {
        return None;
    }
    let (ty, span) = (program.ty(value), program.span(value));
    let (tys, result) = program.types.split_function(ty, missing);
    let mut params = Vec::new();
    let mut all = args;
    for ty in tys {
        let mut data = program.vars[var].clone();
        (data.ty, data.global, data.span) = (ty, false, span);
        data.name = oxbow_base::Symbol::new("x");
        let param = program.vars.push(data);
        params.push(param);
        all.push(program.add(NodeKind::Var { var: param, tyargs: Vec::new() }, ty, span));
    }
    let kind = NodeKind::Apply { func, args: all, callee: Callee::Unknown };
    let body = program.add(kind, result, span);
    let lambda = program.lambdas.push(Lambda::new(None, params, body, span));
    Some(program.add(NodeKind::Lambda(lambda), ty, span))
}

/// Evaluating it again and again, or never, makes no difference.
pub fn is_value(program: &Program<Mono>, arity: &IdMap<VarId, usize>, node: NodeId) -> bool {
    match &program.nodes[node].kind {
        NodeKind::Const(_) | NodeKind::Lambda(_) => true,
        NodeKind::Var { var, .. } => !program.vars[*var].mutable,
        NodeKind::Apply { func, args, .. } => match program.nodes[*func].kind {
            NodeKind::Var { var, .. } => {
                arity.get(var).is_some_and(|&it| it > args.len())
                    && args.iter().all(|&it| is_value(program, arity, it))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Takes the functions without free variables out of the code below `root`.
fn hoist(
    program: &mut Program<Mono>,
    operators: &lift::Operators,
    root: NodeId,
    moved: &mut Vec<ItemKind>,
) {
    let mut bindings = Vec::new();
    walk::for_each_node(program, root, |node| {
        if matches!(program.nodes[node].kind, NodeKind::Let { .. } | NodeKind::LetRec { .. }) {
            bindings.push(node);
        }
    });
    // Outer ones first: inner functions may mention them.
    for node in bindings {
        let (vars, values, body) = match &program.nodes[node].kind {
            NodeKind::Let { var, value, body } => (vec![*var], vec![*value], *body),
            NodeKind::LetRec { vars, values, body } => (vars.clone(), values.clone(), *body),
            _ => continue,
        };
        let is_lambda = |it: &NodeId| matches!(program.nodes[*it].kind, NodeKind::Lambda(_));
        if !values.iter().all(is_lambda) || vars.iter().any(|&it| program.vars[it].mutable) {
            continue;
        }
        let own: IdSet<VarId> = vars.iter().copied().collect();
        let is_closed =
            |&it: &NodeId| walk::free_vars(program, it).into_iter().all(|it| own.contains(it));
        if !values.iter().all(is_closed) && !operators.lift(program, (&vars, &values), body) {
            continue;
        }
        let recursive = matches!(program.nodes[node].kind, NodeKind::LetRec { .. });
        for &var in &vars {
            program.vars[var].global = true;
        }
        moved.push(if recursive {
            ItemKind::LetRec { vars, values }
        } else {
            ItemKind::Let { var: vars[0], value: values[0] }
        });
        program.nodes[node].kind = NodeKind::Seq(vec![body]);
    }
}
