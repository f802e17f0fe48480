//! What lowering needs to know before it emits the first function.
//!
//! Which lambdas run, what variables stand for, and the captures that are values at run time, which
//! [`oxbow_psg::effective`] finds.

use oxbow_base::{IdMap, IdSet, IdVec};
use oxbow_psg::{
    Callee, Capture, CaptureMode, ItemKind, LambdaId, Mono, NodeId, NodeKind, Program, Repr, VarId,
    effective,
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
        };
        facts.reach(program);
        facts.captures = effective::captures(program, &facts.lambdas, &facts.bound);
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
}
