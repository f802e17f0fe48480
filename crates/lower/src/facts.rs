//! What lowering needs to know before it emits the first function.
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

use oxbow_base::{IdMap, IdSet, IdVec};
use oxbow_psg::{
    Callee, Capture, CaptureMode, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Repr, VarId,
};

use crate::names::Names;

pub struct Facts {
    /// Lambdas that the program's items reach, in order of first mention.
    pub lambdas: Vec<LambdaId>,
    /// The lambda that an immutable variable is bound to.
    pub bound: IdMap<VarId, LambdaId>,
    pub captures: IdVec<LambdaId, Vec<Capture>>,
    pub symbols: IdMap<LambdaId, String>,
    /// Global variables that hold a value, in order of binding.
    pub globals: Vec<VarId>,
    /// Mutable variables whose address is in a closure object.
    pub shared: IdSet<VarId>,
    /// The recursive group of a closure, by the group's first lambda.
    groups: IdMap<LambdaId, LambdaId>,
}

impl Facts {
    pub fn new(program: &Program<Mono>, names: &mut Names) -> Self {
        let mut facts = Self {
            lambdas: Vec::new(),
            bound: IdMap::new(),
            captures: program.lambdas.map(|_| Vec::new()),
            symbols: IdMap::new(),
            globals: Vec::new(),
            shared: IdSet::new(),
            groups: IdMap::new(),
        };
        facts.reach(program);
        facts.solve_captures(program);
        facts.unify_groups();
        for &lambda in &facts.lambdas {
            let name = program.lambdas[lambda].name.map_or("fun", |it| it.as_str());
            facts.symbols.insert(lambda, names.fresh(name));
            if program.lambdas[lambda].repr != Repr::Lifted {
                let by_ref =
                    facts.captures[lambda].iter().filter(|it| it.mode == CaptureMode::ByRef);
                by_ref.for_each(|it| {
                    facts.shared.insert(it.var);
                });
            }
        }
        facts
    }

    /// The lambda is the function itself wherever it is mentioned: no object is needed.
    pub fn is_constant(&self, lambda: LambdaId) -> bool {
        self.captures[lambda].is_empty()
    }

    fn reach(&mut self, program: &Program<Mono>) {
        for item in &program.items {
            match &item.kind {
                ItemKind::Let { var, value } => self.bind(program, *var, *value),
                ItemKind::LetRec { vars, values } => {
                    vars.iter()
                        .zip(values)
                        .for_each(|(&var, &value)| self.bind(program, var, value));
                }
                ItemKind::Eval(_) => (),
            }
        }
        let mut seen = IdSet::new();
        let mut todo = Vec::new();
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
        let it = &program.vars[var];
        match program.nodes[value].kind {
            NodeKind::Lambda(lambda) if !it.mutable => {
                self.bound.insert(var, lambda);
            }
            _ if it.global => self.globals.push(var),
            _ => (),
        }
    }

    /// Notes the closures of a recursive binding that may mention each other.
    fn group(&mut self, program: &Program<Mono>, values: &[NodeId]) {
        let members = oxbow_psg::captures::recursive_group(program, values);
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

    fn solve_captures(&mut self, program: &Program<Mono>) {
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
