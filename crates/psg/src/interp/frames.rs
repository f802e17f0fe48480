//! Frames: the slot that each variable has in the frame of its function.
//!
//! ```text
//! slot   0 … n-1            n … n+c-1        n+c …
//!        parameters,        captures         locals, in order
//!        the last first                      of their binders
//! ```
//!
//! Arguments are evaluated from the last to the first and pushed, so a call finds
//! its parameters in place. Captures are those that the lambda lists; a variable that
//! is mentioned without being listed is a fault of whoever built the program.

use oxbow_base::{IdMap, IdVec};

use crate::{JoinId, LambdaId, NodeId, NodeKind, Program, VarId};

/// No slot: the variable is global, or the node mentions none.
pub(super) const NO_SLOT: u32 = u32::MAX;

pub(super) struct Frames {
    /// The slot of the variable that a `Var` or `Assign` node mentions.
    pub mentions: IdVec<NodeId, u32>,
    /// The slot of a variable in the frame that binds it.
    pub binders: IdVec<VarId, u32>,
    pub lambdas: IdMap<LambdaId, LambdaFrame>,
    /// The code of each join point.
    pub joins: IdMap<JoinId, NodeId>,
    /// The size of the frame of each item's root, by root.
    pub roots: IdMap<NodeId, usize>,
}

pub(super) struct LambdaFrame {
    /// Where in the frame around it the captured variables are found.
    pub captures: Vec<u32>,
    pub size: usize,
}

enum Step {
    Node(NodeId),
    Leave(LambdaId),
}

struct Open {
    size: u32,
    /// What the captured variables were before this lambda began.
    hidden: Vec<(VarId, Option<Place>)>,
}

#[derive(Clone, Copy)]
struct Place {
    level: usize,
    slot: u32,
}

struct Planner<'a, P> {
    program: &'a Program<P>,
    frames: Frames,
    places: IdMap<VarId, Place>,
    open: Vec<Open>,
}

impl Frames {
    pub fn new<P>(program: &Program<P>) -> Result<Self, String> {
        let frames = Self {
            mentions: program.nodes.map(|_| NO_SLOT),
            binders: program.vars.map(|_| NO_SLOT),
            lambdas: IdMap::new(),
            joins: IdMap::new(),
            roots: IdMap::new(),
        };
        let mut planner = Planner { program, frames, places: IdMap::new(), open: Vec::new() };
        for item in &program.items {
            for root in item.kind.roots() {
                planner.open.push(Open { size: 0, hidden: Vec::new() });
                planner.tree(root)?;
                if let Some(open) = planner.open.pop() {
                    planner.frames.roots.insert(root, open.size as usize);
                }
            }
        }
        Ok(planner.frames)
    }
}

impl<P> Planner<'_, P> {
    fn tree(&mut self, root: NodeId) -> Result<(), String> {
        let program = self.program;
        let mut todo = vec![Step::Node(root)];
        while let Some(step) = todo.pop() {
            let node = match step {
                Step::Node(node) => node,
                Step::Leave(lambda) => {
                    self.leave(lambda);
                    continue;
                }
            };
            let kind = &program.nodes[node].kind;
            kind.for_each_binder(&program.joins, |var| self.bind(var));
            if let Some(var) = kind.mentioned()
                && !program.vars[var].global
            {
                self.frames.mentions[node] = self.slot(var, node)?;
            }
            if let NodeKind::Join { join, body, .. } = *kind {
                self.frames.joins.insert(join, body);
            }
            if let NodeKind::Lambda(lambda) = *kind {
                self.enter(lambda, node)?;
                todo.push(Step::Leave(lambda));
                todo.push(Step::Node(program.lambdas[lambda].body));
            }
            let first = todo.len();
            kind.for_each_child(|child| todo.push(Step::Node(child)));
            todo[first..].reverse();
        }
        Ok(())
    }

    fn slot(&self, var: VarId, node: NodeId) -> Result<u32, String> {
        match self.places.get(var) {
            Some(place) if place.level == self.open.len() => Ok(place.slot),
            Some(_) => Err(format!("{node}: `{}` is not captured", self.program.vars[var].name)),
            None => Err(format!("{node}: `{}` is not bound", self.program.vars[var].name)),
        }
    }

    fn bind(&mut self, var: VarId) {
        let level = self.open.len();
        if let Some(open) = self.open.last_mut() {
            self.places.insert(var, Place { level, slot: open.size });
            self.frames.binders[var] = open.size;
            open.size += 1;
        }
    }

    fn enter(&mut self, id: LambdaId, node: NodeId) -> Result<(), String> {
        let lambda = &self.program.lambdas[id];
        let captures: Result<Vec<u32>, String> =
            lambda.captures.iter().map(|it| self.slot(it.var, node)).collect();
        self.frames.lambdas.insert(id, LambdaFrame { captures: captures?, size: 0 });
        self.open.push(Open { size: 0, hidden: Vec::new() });
        for &param in lambda.params.iter().rev() {
            self.bind(param);
        }
        let level = self.open.len();
        for capture in &lambda.captures {
            let Some(open) = self.open.last_mut() else { continue };
            let place = Place { level, slot: open.size };
            open.size += 1;
            open.hidden.push((capture.var, self.places.insert(capture.var, place)));
        }
        Ok(())
    }

    fn leave(&mut self, lambda: LambdaId) {
        let Some(open) = self.open.pop() else { return };
        for (var, place) in open.hidden {
            match place {
                Some(place) => self.places.insert(var, place),
                None => self.places.remove(var),
            };
        }
        if let Some(frame) = self.frames.lambdas.get_mut(lambda) {
            frame.size = open.size as usize;
        }
    }
}
