//! Drops bindings that nothing reaches.
//!
//! ```text
//! before   let rec even n = … odd … and odd n = … even …      let main () = 1
//! after                                                       let main () = 1
//! ```
//!
//! What counts is reachability, so functions that only mention each other go as well.
//! A binding whose value has effects stays, unless it is an item of the library.
//!
//! Phase: Mono -> Mono. Needs: nothing.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{ItemKind, Mono, NodeId, NodeKind, Program, VarId, captures};

/// Removes what is not reachable from the effects of the program.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let live = Mark::of(&program);
    let mut removals = Vec::new();
    for item in &program.items {
        for root in item.kind.roots() {
            live_nodes(&program, root, &live, |node| removals.push(node));
        }
    }
    program.items.retain(|item| match &item.kind {
        ItemKind::Eval(_) => !item.library,
        ItemKind::Let { var, value } => live.vars.contains(*var) || live.walked.contains(*value),
        ItemKind::LetRec { vars, .. } => vars.iter().any(|&it| live.vars.contains(it)),
    });
    for item in &mut program.items {
        if let ItemKind::LetRec { vars, values } = &mut item.kind {
            let keep: Vec<bool> = vars.iter().map(|&it| live.vars.contains(it)).collect();
            retain(vars, &keep);
            retain(values, &keep);
        }
    }
    // A node is reported before those in it.
    for node in removals.into_iter().rev() {
        remove(&mut program, node, &live);
    }
    prune_well_known(&mut program);
    captures::fill_all(&mut program);
    program
}

/// Forgets well-known functions that no item binds any more.
pub(crate) fn prune_well_known(program: &mut Program<Mono>) {
    let bound: IdSet<VarId> = program.items.iter().flat_map(|it| it.kind.vars()).copied().collect();
    let functions = &mut program.well_known.functions;
    *functions = functions.filter_map(|it| bound.contains(it).then_some(it));
}

struct Mark<'a> {
    program: &'a Program<Mono>,
    vars: IdSet<VarId>,
    /// Values that have been looked at.
    walked: IdSet<NodeId>,
    /// Values that matter only if their variable does.
    waiting: IdMap<VarId, NodeId>,
    work: Vec<NodeId>,
}

struct Live {
    vars: IdSet<VarId>,
    walked: IdSet<NodeId>,
}

impl<'a> Mark<'a> {
    fn of(program: &'a Program<Mono>) -> Live {
        let mut mark = Mark {
            program,
            vars: IdSet::new(),
            walked: IdSet::new(),
            waiting: IdMap::new(),
            work: Vec::new(),
        };
        for item in &program.items {
            match &item.kind {
                ItemKind::Let { var, value } => mark.binding(*var, *value, item.library),
                ItemKind::LetRec { vars, values } => {
                    vars.iter().zip(values).for_each(|it| mark.binding(*it.0, *it.1, item.library));
                }
                ItemKind::Eval(node) if !item.library => mark.push(*node),
                ItemKind::Eval(_) => (),
            }
        }
        for var in program.well_known.entries() {
            mark.mention(var);
        }
        while let Some(node) = mark.work.pop() {
            mark.node(node);
        }
        Live { vars: mark.vars, walked: mark.walked }
    }

    fn push(&mut self, value: NodeId) {
        if self.walked.insert(value) {
            self.work.push(value);
        }
    }

    /// A binding: its value counts at once if it has effects, else when the variable is
    /// mentioned.
    fn binding(&mut self, var: VarId, value: NodeId, may_drop: bool) {
        if self.vars.contains(var) || !(may_drop || crate::effects::droppable(self.program, value))
        {
            self.push(value);
        } else {
            self.waiting.insert(var, value);
        }
    }

    fn mention(&mut self, var: VarId) {
        if self.vars.insert(var)
            && let Some(value) = self.waiting.remove(var)
        {
            self.push(value);
        }
    }

    fn node(&mut self, node: NodeId) {
        let program = self.program;
        match &program.nodes[node].kind {
            NodeKind::Let { var, value, body } => {
                self.binding(*var, *value, false);
                self.work.push(*body);
            }
            NodeKind::LetRec { vars, values, body } => {
                vars.iter().zip(values).for_each(|it| self.binding(*it.0, *it.1, false));
                self.work.push(*body);
            }
            NodeKind::Lambda(lambda) => self.work.push(program.lambdas[*lambda].body),
            kind => {
                if let Some(var) = kind.mentioned() {
                    self.mention(var);
                }
                kind.for_each_child(|it| self.work.push(it));
            }
        }
    }
}

/// Reports the live nodes below `root` that bind something dead.
fn live_nodes(program: &Program<Mono>, root: NodeId, live: &Live, mut report: impl FnMut(NodeId)) {
    let mut work = vec![root];
    while let Some(node) = work.pop() {
        let kind = &program.nodes[node].kind;
        match kind {
            NodeKind::Let { var, value, body } if !live.vars.contains(*var) => {
                report(node);
                work.push(*body);
                if live.walked.contains(*value) {
                    work.push(*value);
                }
                continue;
            }
            NodeKind::LetRec { vars, .. } if vars.iter().any(|&it| !live.vars.contains(it)) => {
                report(node)
            }
            NodeKind::Lambda(lambda) => work.push(program.lambdas[*lambda].body),
            _ => (),
        }
        kind.for_each_child(|it| work.push(it));
    }
}

/// Takes the dead bindings off a node. Those inside of it are off already.
fn remove(program: &mut Program<Mono>, node: NodeId, live: &Live) {
    match &mut program.nodes[node].kind {
        &mut NodeKind::Let { value, body, .. } => {
            if live.walked.contains(value) {
                // The value has effects.
                program.nodes[node].kind = NodeKind::Seq(vec![value, body]);
            } else {
                program.nodes[node] = program.nodes[body].clone();
            }
        }
        NodeKind::LetRec { vars, values, body } => {
            let keep: Vec<bool> = vars.iter().map(|&it| live.vars.contains(it)).collect();
            retain(vars, &keep);
            retain(values, &keep);
            if vars.is_empty() {
                let body = *body;
                program.nodes[node] = program.nodes[body].clone();
            }
        }
        _ => (),
    }
}

/// Keeps the items whose flags are set.
pub(crate) fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    items.retain(|_| flags.next().is_some_and(|&it| it));
}
