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
//!     otherwise                     {c}
//! ```
//!
//! as the least solution, found by iteration from the empty sets. Needs: `repr` of every lambda
//! is decided.

use oxbow_base::{IdMap, IdSet, IdVec};

use crate::{Callee, Capture, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Repr, VarId};

/// The effective captures of a program.
pub struct Effective {
    /// Lambdas that the program's items reach, in order of first mention.
    pub lambdas: Vec<LambdaId>,
    /// The lambda that an immutable variable is bound to.
    pub bound: IdMap<VarId, LambdaId>,
    pub captures: IdVec<LambdaId, Vec<Capture>>,
}

impl Effective {
    pub fn new(program: &Program<Mono>) -> Self {
        let mut effective = Self {
            lambdas: Vec::new(),
            bound: IdMap::new(),
            captures: program.lambdas.map(|_| Vec::new()),
        };
        effective.reach(program);
        effective.solve(program);
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
        let mut add = |capture: Capture| {
            if effective.iter().all(|it| it.var != capture.var) {
                effective.push(capture);
            }
        };
        let lifted = program.lambdas[lambda].repr == Repr::Lifted;
        for &capture in &program.lambdas[lambda].captures {
            match self.bound.get(capture.var) {
                Some(&other) if program.lambdas[other].repr == Repr::Lifted => {
                    // What a lifted function is called with may be this closure itself.
                    let is_self = |var| !lifted && self.bound.get(var) == Some(&lambda);
                    self.captures[other]
                        .iter()
                        .copied()
                        .filter(|it| !is_self(it.var))
                        .for_each(&mut add);
                }
                Some(&other) if !lifted && other == lambda => (),
                Some(&other) if self.is_constant(other) => (),
                _ => add(capture),
            }
        }
        effective
    }
}
