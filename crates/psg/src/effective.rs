//! The captures that a closure object or a lifted function holds in the end.
//!
//! A lambda's list of captures names variables. Some of those are no values at run time: a
//! lifted function has no object, and a function without captures is a constant. The captures
//! that remain, the *effective* ones, follow from the lists alone:
//!
//! ```text
//! effective(f) = ⋃ over captures c of f
//!     c is bound to a lifted g      effective(g)      passed on to calls of g
//!     c is bound to a flat g        {c}, or {} if effective(g) is empty or g is f itself
//!     … of f's own recursive group  effective(g)      g is made anew where it is a value
//!     otherwise                     {c}
//! ```
//!
//! as the least solution, found by iteration from the empty sets. Closures of one group then
//! capture the same variables in the same order, so that one can serve as the environment of a
//! call to another: they never refer to each other, and no cycle of references arises.
//!
//! Needs: `repr` of every lambda is decided.

use oxbow_base::{IdMap, IdSet, IdVec};

use crate::{
    Callee, Capture, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Repr, VarId, captures,
};

/// The effective captures of a program.
pub struct Effective {
    /// Lambdas that the program's items reach, in order of first mention.
    pub lambdas: Vec<LambdaId>,
    /// The lambda that an immutable variable is bound to.
    pub bound: IdMap<VarId, LambdaId>,
    pub captures: IdVec<LambdaId, Vec<Capture>>,
    /// The recursive group of a closure, by the group's first lambda.
    pub groups: IdMap<LambdaId, LambdaId>,
}

impl Effective {
    pub fn new(program: &Program<Mono>) -> Self {
        let mut effective = Self {
            lambdas: Vec::new(),
            bound: IdMap::new(),
            captures: program.lambdas.map(|_| Vec::new()),
            groups: IdMap::new(),
        };
        effective.reach(program);
        effective.solve(program);
        effective.unify_groups();
        effective
    }

    /// The lambda is the function itself wherever it is mentioned: no object is needed.
    pub fn is_constant(&self, lambda: LambdaId) -> bool {
        self.captures[lambda].is_empty()
    }

    fn reach(&mut self, program: &Program<Mono>) {
        let mut seen = IdSet::new();
        let mut todo = Vec::new();
        for item in &program.items {
            item.kind.vars().iter().zip(item.kind.roots()).for_each(|(&var, value)| {
                self.bind(program, var, value);
            });
        }
        for item in program.items.iter().rev() {
            match &item.kind {
                ItemKind::Let { value, .. } | ItemKind::Eval(value) => todo.push(*value),
                ItemKind::LetRec { values, .. } => todo.extend(values.iter().rev()),
            }
        }
        while let Some(node) = todo.pop() {
            let first_child = todo.len();
            match &program.nodes[node].kind {
                NodeKind::Lambda(lambda) => {
                    todo.extend(self.enter(program, *lambda, &mut seen));
                    continue;
                }
                // A known call may be all that is left of a lambda.
                NodeKind::Apply { callee: Callee::Known(lambda), .. } => {
                    todo.extend(self.enter(program, *lambda, &mut seen));
                }
                NodeKind::Let { var, value, .. } => self.bind(program, *var, *value),
                NodeKind::LetRec { vars, values, .. } => {
                    vars.iter()
                        .zip(values)
                        .for_each(|(&var, &value)| self.bind(program, var, value));
                    self.group(program, values);
                }
                _ => (),
            }
            program.nodes[node].kind.for_each_child(|child| todo.push(child));
            if let Some(children) = todo.get_mut(first_child..) {
                children.reverse();
            }
        }
    }

    /// Notes a lambda; its body, if it is new.
    fn enter(
        &mut self,
        program: &Program<Mono>,
        lambda: LambdaId,
        seen: &mut IdSet<LambdaId>,
    ) -> Option<NodeId> {
        let fresh = seen.insert(lambda);
        self.lambdas.extend(fresh.then_some(lambda));
        fresh.then_some(program.lambdas[lambda].body)
    }

    fn bind(&mut self, program: &Program<Mono>, var: VarId, value: NodeId) {
        if let NodeKind::Lambda(lambda) = program.nodes[value].kind
            && !program.vars[var].mutable
        {
            self.bound.insert(var, lambda);
        }
    }

    /// Notes the closures of a recursive binding that may mention each other.
    fn group(&mut self, program: &Program<Mono>, values: &[NodeId]) {
        let members = captures::recursive_group(program, values);
        for &member in &members {
            self.groups.insert(member, members[0]);
        }
    }

    /// Are both closures of one recursive group?
    pub fn in_one_group(&self, a: LambdaId, b: LambdaId) -> bool {
        self.groups.get(a).is_some_and(|it| self.groups.get(b) == Some(it))
    }

    /// The captures of a group's closures become the same list.
    fn unify_groups(&mut self) {
        let mut lists: IdMap<LambdaId, Vec<Capture>> = IdMap::new();
        for &lambda in &self.lambdas {
            let Some(&first) = self.groups.get(lambda) else { continue };
            let list = lists.entry_or_insert_with(first, Vec::new);
            for capture in &self.captures[lambda] {
                if list.iter().all(|it| it.var != capture.var) {
                    list.push(*capture);
                }
            }
        }
        for &lambda in &self.lambdas {
            if let Some(list) = self.groups.get(lambda).and_then(|it| lists.get(*it)) {
                self.captures[lambda] = list.clone();
            }
        }
    }

    fn solve(&mut self, program: &Program<Mono>) {
        let mut changed = true;
        while changed {
            changed = false;
            for &lambda in &self.lambdas {
                let effective = self.step(program, lambda);
                if effective.len() != self.captures[lambda].len() {
                    self.captures[lambda] = effective;
                    changed = true;
                }
            }
        }
    }

    fn step(&self, program: &Program<Mono>, lambda: LambdaId) -> Vec<Capture> {
        let mut effective: Vec<Capture> = Vec::new();
        let mut todo: Vec<Capture> = program.lambdas[lambda].captures.clone();
        todo.reverse();
        let lifted = program.lambdas[lambda].repr == Repr::Lifted;
        while let Some(capture) = todo.pop() {
            match self.bound.get(capture.var) {
                // What a lifted function is called with may be this closure itself.
                Some(&other) if !lifted && other == lambda => (),
                Some(&other)
                    if program.lambdas[other].repr == Repr::Lifted
                        || (!lifted && self.in_one_group(other, lambda)) =>
                {
                    // Those of a lifted function may be of this group again, once.
                    let known = |it: &&Capture| effective.iter().all(|other| other.var != it.var);
                    todo.extend(self.captures[other].iter().rev().filter(known).copied());
                }
                Some(&other) if self.is_constant(other) => (),
                _ if effective.iter().any(|it| it.var == capture.var) => (),
                _ => effective.push(capture),
            }
        }
        effective
    }
}
