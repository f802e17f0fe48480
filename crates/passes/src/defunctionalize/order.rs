//! Puts the functions of a program in order: each behind those that it calls, where that is possible.
//!
//! ```text
//! before   let f c = apply c 1          after    let apply c x = …
//!          let v = f A                           let f c = apply c 1
//!          let apply c x = …                     let v = f A
//! ```
//!
//! `simplify` inlines what stands before a call. Functions that call each other become one item. A
//! function stays behind the values that it mentions.

use oxbow_base::{IdMap, components};
use oxbow_psg::{Item, ItemKind, Mono, NodeId, NodeKind, Program, VarId, walk};

pub(super) fn run(program: &mut Program<Mono>) {
    let is_function: Vec<bool> = program.items.iter().map(|it| is_function(program, it)).collect();
    let mut place: IdMap<VarId, usize> = IdMap::new();
    for (index, item) in program.items.iter().enumerate() {
        for &var in item.kind.vars() {
            place.insert(var, index);
        }
    }
    let mentions: Vec<Vec<usize>> =
        program.items.iter().map(|it| mentions(program, it, &place)).collect();
    let calls: Vec<Vec<usize>> = mentions
        .iter()
        .zip(&is_function)
        .map(|(it, &from)| it.iter().copied().filter(|&to| from && is_function[to]).collect())
        .collect();
    let groups = components(&calls);
    let mut group_of = vec![0; calls.len()];
    for (group, members) in groups.iter().enumerate() {
        members.iter().for_each(|&it| group_of[it] = group);
    }
    let mut order = Order {
        items: std::mem::take(&mut program.items).into_iter().map(Some).collect(),
        done: vec![false; groups.len()],
        groups,
        group_of,
        mentions,
        is_function,
        out: Vec::new(),
    };
    for index in 0..order.items.len() {
        if !order.is_function[index] {
            order.functions_for(index);
            order.emit(order.group_of[index]);
        }
    }
    for group in 0..order.groups.len() {
        order.emit(group);
    }
    program.items = order.out;
}

struct Order {
    items: Vec<Option<Item>>,
    done: Vec<bool>,
    /// Callees first.
    groups: Vec<Vec<usize>>,
    group_of: Vec<usize>,
    mentions: Vec<Vec<usize>>,
    is_function: Vec<bool>,
    out: Vec<Item>,
}

impl Order {
    /// Emits the functions that the code of an item can reach and whose values are there.
    fn functions_for(&mut self, item: usize) {
        let mut reached = vec![self.group_of[item]];
        let mut at = 0;
        let mut seen = vec![false; self.groups.len()];
        while let Some(&group) = reached.get(at) {
            at += 1;
            for &member in &self.groups[group] {
                for &to in &self.mentions[member] {
                    let to = self.group_of[to];
                    if self.is_function[self.groups[to][0]] && !self.done[to] && !seen[to] {
                        seen[to] = true;
                        reached.push(to);
                    }
                }
            }
        }
        let mut wanted: Vec<usize> = reached[1..].to_vec();
        wanted.sort_unstable();
        for group in wanted {
            let values = self.groups[group].iter().flat_map(|&it| &self.mentions[it]);
            let is_ready = |&it: &usize| self.is_function[it] || self.done[self.group_of[it]];
            if values.copied().all(|it| is_ready(&it)) {
                self.emit(group);
            }
        }
    }

    fn emit(&mut self, group: usize) {
        if std::mem::replace(&mut self.done[group], true) {
            return;
        }
        let mut members = self.groups[group].clone();
        members.sort_unstable();
        let is_recursive = members.len() > 1
            || self.is_function[members[0]] && self.mentions[members[0]].contains(&members[0]);
        let mut taken: Vec<Item> =
            members.into_iter().filter_map(|it| self.items[it].take()).collect();
        if is_recursive {
            let vars = taken.iter().flat_map(|it| it.kind.vars().to_vec()).collect();
            let values: Vec<NodeId> = taken.iter().flat_map(|it| it.kind.roots()).collect();
            let library = taken.iter().all(|it| it.library);
            let span = taken[0].span;
            taken = vec![Item { kind: ItemKind::LetRec { vars, values }, span, library }];
        }
        self.out.extend(taken);
    }
}

fn is_function(program: &Program<Mono>, item: &Item) -> bool {
    let is_lambda = |it| matches!(program.nodes[it].kind, NodeKind::Lambda(_));
    let is_mutable = |it: &VarId| program.vars[*it].mutable;
    !item.kind.vars().is_empty()
        && item.kind.roots().all(is_lambda)
        && !item.kind.vars().iter().any(is_mutable)
}

/// The items whose variables an item mentions.
fn mentions(program: &Program<Mono>, item: &Item, place: &IdMap<VarId, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for root in item.kind.roots() {
        walk::for_each_node(program, root, |node| {
            if let Some(var) = program.nodes[node].kind.mentioned() {
                found.extend(place.get(var));
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}
