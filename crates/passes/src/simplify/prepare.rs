//! Puts bindings into shape before a walk: recursive groups are split into what is
//! really recursive, curried lambdas are merged.

use oxbow_base::IdSet;
use oxbow_psg::{Item, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, VarId, walk};

/// `let rec` only for functions that reach themselves. Needs captures.
pub(super) fn split_recursion(program: &mut Program<Mono>) {
    let mut groups = Vec::new();
    walk::for_each_reachable(program, |node| {
        if let NodeKind::LetRec { .. } = program.nodes[node].kind {
            groups.push(node);
        }
    });
    for node in groups {
        split_local(program, node);
    }
    let items = std::mem::take(&mut program.items);
    for item in items {
        let ItemKind::LetRec { vars, values } = &item.kind else {
            program.items.push(item);
            continue;
        };
        let graph = mentions(program, vars, values);
        for group in oxbow_base::components(&graph) {
            let (vars, values) = select(&group, vars, values);
            let kind = if is_recursive(&graph, &group) {
                ItemKind::LetRec { vars, values }
            } else {
                ItemKind::Let { var: vars[0], value: values[0] }
            };
            program.items.push(Item { kind, ..item });
        }
    }
}

fn split_local(program: &mut Program<Mono>, node: NodeId) {
    let NodeKind::LetRec { vars, values, body } = program.nodes[node].kind.clone() else { return };
    let place = Places::new(&vars);
    let mut graph = Vec::new();
    for &value in &values {
        let NodeKind::Lambda(lambda) = program.nodes[value].kind else { return };
        let captures = &program.lambdas[lambda].captures;
        graph.push(captures.iter().filter_map(|it| place.get(it.var)).collect::<Vec<_>>());
    }
    let groups = oxbow_base::components(&graph);
    if groups.len() == 1 && is_recursive(&graph, &groups[0]) {
        return;
    }
    let (ty, span) = (program.ty(node), program.span(node));
    let mut result = body;
    for group in groups.iter().rev() {
        let (vars, values) = select(group, &vars, &values);
        let kind = if is_recursive(&graph, group) {
            NodeKind::LetRec { vars, values, body: result }
        } else {
            NodeKind::Let { var: vars[0], value: values[0], body: result }
        };
        result = program.add(kind, ty, span);
    }
    program.nodes[node].kind = program.nodes[result].kind.clone();
}

fn is_recursive(graph: &[Vec<usize>], group: &[usize]) -> bool {
    group.len() > 1 || graph[group[0]].contains(&group[0])
}

fn select(group: &[usize], vars: &[VarId], values: &[NodeId]) -> (Vec<VarId>, Vec<NodeId>) {
    group.iter().map(|&it| (vars[it], values[it])).unzip()
}

/// The position of each variable of a group. Sorted, since a table over all variables would cost
/// as much as the program for every group.
struct Places(Vec<(VarId, usize)>);

impl Places {
    fn new(vars: &[VarId]) -> Self {
        let mut places: Vec<_> = vars.iter().copied().zip(0..).collect();
        places.sort_unstable();
        Self(places)
    }

    fn get(&self, var: VarId) -> Option<usize> {
        self.0.binary_search_by_key(&var, |it| it.0).ok().map(|at| self.0[at].1)
    }
}

/// Which of a group's variables each of its values mentions.
fn mentions(program: &Program<Mono>, vars: &[VarId], values: &[NodeId]) -> Vec<Vec<usize>> {
    let place = Places::new(vars);
    let of_value = |&value: &NodeId| {
        let mut found = Vec::new();
        walk::for_each_node(program, value, |node| {
            if let NodeKind::Var { var, .. } = program.nodes[node].kind
                && let Some(it) = place.get(var)
                && !found.contains(&it)
            {
                found.push(it);
            }
        });
        found
    };
    values.iter().map(of_value).collect()
}

/// `fun a -> fun b -> e` becomes `fun a b -> e`: nothing happens between the two.
pub(super) fn merge_curried(program: &mut Program<Mono>) {
    let mut lambdas = walk::reachable_lambdas(program);
    // Inner ones first.
    lambdas.reverse();
    for outer in lambdas {
        while let NodeKind::Lambda(inner) = program.nodes[program.lambdas[outer].body].kind {
            let params = program.lambdas[inner].params.clone();
            program.lambdas[outer].params.extend(params);
            program.lambdas[outer].body = program.lambdas[inner].body;
        }
    }
}

/// The lambdas of recursive bindings.
pub(super) fn recursive_lambdas(program: &Program<Mono>) -> IdSet<LambdaId> {
    let mut recursive = IdSet::new();
    let mut add = |values: &[NodeId]| {
        for &value in values {
            if let NodeKind::Lambda(lambda) = program.nodes[value].kind {
                recursive.insert(lambda);
            }
        }
    };
    for item in &program.items {
        if let ItemKind::LetRec { values, .. } = &item.kind {
            add(values);
        }
    }
    walk::for_each_reachable(program, |node| {
        if let NodeKind::LetRec { values, .. } = &program.nodes[node].kind {
            add(values);
        }
    });
    recursive
}
