//! Code that runs once: what stands at module level, in no function and in no loop.
//!
//! ```text
//! check "t1" (List.map (fun x -> x + 1) [1; 2]) [2; 3]      a call that runs once, of a function with a loop
//! check "t2" (List.map (fun x -> x * 2) [1; 2]) [2; 4]      … and hundreds more
//! ```
//!
//! In a short program the loop that such a call brings may be all that matters, so it is copied for the function that
//! it is called with. A long program of that kind is a table, a script or a list of tests (decision 68).

use oxbow_base::IdMap;
use oxbow_psg::{ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Ty, VarId, walk};

/// With more calls than these that run once and bring a loop, none is worth a copy of it.
const FEW: usize = 40;

/// Are there many calls that run once, of functions with loops, with functions as arguments?
pub fn has_many_loops(program: &Program<Mono>) -> bool {
    let mut loops: IdMap<VarId, bool> = IdMap::new();
    for item in &program.items {
        for (var, value) in item.kind.vars().iter().zip(item.kind.roots()) {
            if let NodeKind::Lambda(lambda) = program.nodes[value].kind {
                let recursive = matches!(item.kind, ItemKind::LetRec { .. });
                loops.insert(*var, recursive || has_loop(program, lambda));
            }
        }
    }
    let is_function = |it: &NodeId| matches!(program.types.get(program.ty(*it)), Ty::Fn(..));
    let brings_loop = |call: &NodeId| {
        let NodeKind::Apply { func, args, .. } = &program.nodes[*call].kind else { return false };
        let NodeKind::Var { var, .. } = program.nodes[*func].kind else { return false };
        loops.get(var) == Some(&true) && args.iter().any(is_function)
    };
    let calls = program.items.iter().flat_map(|it| calls(program, &it.kind));
    calls.filter(brings_loop).nth(FEW).is_some()
}

/// The calls in an item that run once.
pub fn calls(program: &Program<Mono>, item: &ItemKind) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut work: Vec<NodeId> = item.roots().collect();
    while let Some(node) = work.pop() {
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Lambda(_) | NodeKind::While { .. } | NodeKind::For { .. } => continue,
            NodeKind::Join { join, .. } if program.joins[*join].recursive => continue,
            NodeKind::Apply { .. } => found.push(node),
            _ => (),
        }
        kind.for_each_child(|it| work.push(it));
    }
    found
}

/// Does a loop stand in the function, or a recursive function?
pub fn has_loop(program: &Program<Mono>, lambda: LambdaId) -> bool {
    let mut found = false;
    walk::for_each_node_in_function(program, program.lambdas[lambda].body, |node| {
        found |= match program.nodes[node].kind {
            NodeKind::While { .. } | NodeKind::For { .. } | NodeKind::LetRec { .. } => true,
            NodeKind::Join { join, .. } => program.joins[join].recursive,
            _ => false,
        };
    });
    found
}
