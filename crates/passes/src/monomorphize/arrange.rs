//! Puts items into order when some mention what stands behind them: copies of the library's functions call functions
//! of types that the program declares (`own`).
//!
//! ```text
//! before   contains = … Person.Equals …   Person.Equals = …   x = contains …
//! after    Person.Equals = …   contains = …   x = contains …
//! ```
//!
//! Only functions move. They go where all is there that they mention; those that mention each other become one group.

use oxbow_base::IdMap;
use oxbow_psg::walk::for_each_node;
use oxbow_psg::{Item, ItemKind, Mono, NodeId, NodeKind, Program, VarId};

pub(super) fn run(program: &mut Program<Mono>) {
    let graph = mentions(program);
    if !graph.iter().enumerate().any(|(item, mentioned)| mentioned.iter().any(|&it| it > item)) {
        return;
    }
    let edges: Vec<&[usize]> = graph.iter().map(Vec::as_slice).collect();
    let groups = oxbow_base::components(&edges);
    let mut group_of = vec![0; graph.len()];
    for (index, group) in groups.iter().enumerate() {
        group.iter().for_each(|&it| group_of[it] = index);
    }
    let moves: Vec<bool> =
        groups.iter().map(|it| it.iter().all(|&it| is_function(program, it))).collect();
    let needs: Vec<Vec<usize>> = groups
        .iter()
        .enumerate()
        .map(|(index, group)| {
            let mentioned = group.iter().flat_map(|&it| &graph[it]).map(|&it| group_of[it]);
            mentioned.filter(|&it| it != index).collect()
        })
        .collect();
    let mut plan = Plan { needs, moves, done: vec![false; groups.len()], order: Vec::new() };
    for &group in &group_of {
        plan.place(group);
    }
    // What no value waits for.
    for &group in &group_of {
        plan.place_all(group);
    }
    let mut items: Vec<Option<Item>> =
        std::mem::take(&mut program.items).into_iter().map(Some).collect();
    for group in plan.order {
        let mut members = groups[group].clone();
        members.sort_unstable();
        let members = members.into_iter().filter_map(|it| items[it].take());
        program.items.extend(joined(members.collect()));
    }
}

/// The groups that are still to be placed, and the order of those that are.
struct Plan {
    needs: Vec<Vec<usize>>,
    moves: Vec<bool>,
    done: Vec<bool>,
    order: Vec<usize>,
}

impl Plan {
    /// Places a group behind what it needs; a function waits if that is a value which is not there yet.
    fn place(&mut self, group: usize) {
        if self.done[group] {
            return;
        }
        let needed = self.missing(group);
        let waits = needed.iter().any(|&it| it != group && !self.moves[it]);
        if !(waits && self.moves[group]) {
            self.place_all(group);
        }
    }

    fn place_all(&mut self, group: usize) {
        // Groups are numbered so that those that are mentioned come first.
        for it in self.missing(group) {
            self.done[it] = true;
            self.order.push(it);
        }
    }

    fn missing(&self, group: usize) -> Vec<usize> {
        let (mut found, mut work) = (Vec::new(), vec![group]);
        while let Some(it) = work.pop() {
            if !self.done[it] && !found.contains(&it) {
                found.push(it);
                work.extend(&self.needs[it]);
            }
        }
        found.sort_unstable();
        found
    }
}

/// For each item those whose variables it mentions.
fn mentions(program: &Program<Mono>) -> Vec<Vec<usize>> {
    let mut binder: IdMap<VarId, usize> = IdMap::new();
    for (index, item) in program.items.iter().enumerate() {
        for &var in item.kind.vars() {
            binder.insert(var, index);
        }
    }
    let mentioned = |item: &Item| {
        let mut found: Vec<usize> = Vec::new();
        for &value in values(item) {
            for_each_node(program, value, |node| {
                if let NodeKind::Var { var, .. } | NodeKind::Assign { var, .. } =
                    &program.nodes[node].kind
                    && let Some(&it) = binder.get(*var)
                {
                    found.push(it);
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    program.items.iter().map(mentioned).collect()
}

fn values(item: &Item) -> &[NodeId] {
    match &item.kind {
        ItemKind::Let { value, .. } | ItemKind::Eval(value) => std::slice::from_ref(value),
        ItemKind::LetRec { values, .. } => values,
    }
}

fn is_function(program: &Program<Mono>, item: usize) -> bool {
    let item = &program.items[item];
    let is_lambda = |&it: &NodeId| matches!(program.nodes[it].kind, NodeKind::Lambda(_));
    !matches!(item.kind, ItemKind::Eval(_)) && values(item).iter().all(is_lambda)
}

/// Functions that mention each other as one group; another item as it is.
fn joined(items: Vec<Item>) -> Vec<Item> {
    if items.len() < 2 {
        return items;
    }
    let (mut vars, mut all, mut library) = (Vec::new(), Vec::new(), true);
    let Some(span) = items.first().map(|it| it.span) else { return items };
    for item in &items {
        vars.extend(item.kind.vars());
        all.extend(values(item));
        library &= item.library;
    }
    vec![Item { kind: ItemKind::LetRec { vars, values: all }, span, library }]
}
