//! How often and in which roles every variable is mentioned.

use oxbow_base::{IdMap, IdVec};
use oxbow_psg::{JoinId, Mono, NodeId, NodeKind, Program, VarId};

/// The mentions of one variable. Counts may be too high while a pass is at work, never
/// too low.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Use {
    pub mentions: u32,
    /// Mentions as the object of `Field`, `SetField` or `TupleGet`.
    pub fields: u32,
    /// Mentions in any other role.
    pub others: i32,
    /// Mentions as the function of an `Apply`.
    pub calls: u32,
    /// Mentioned in a lambda inside the one that binds it.
    pub captured: bool,
}

pub(crate) struct Uses {
    table: IdVec<VarId, Use>,
    /// How many lambdas stand around the binding.
    depth: IdMap<VarId, u32>,
    jumps: IdMap<JoinId, u32>,
}

impl Uses {
    /// Counts everything that can be reached from the items.
    pub fn of_program(program: &Program<Mono>) -> Self {
        let mut uses = Self {
            table: program.vars.map(|_| Use::default()),
            depth: IdMap::new(),
            jumps: IdMap::new(),
        };
        for item in &program.items {
            for root in item.kind.roots() {
                uses.add(program, root);
            }
        }
        let well_known = &program.well_known;
        for var in well_known.entries() {
            uses.mention(var);
        }
        uses
    }

    pub fn get(&self, var: VarId) -> Use {
        self.table.get(var).copied().unwrap_or_default()
    }

    pub fn get_mut(&mut self, var: VarId) -> &mut Use {
        while self.table.len() <= oxbow_base::Id::index(var) {
            self.table.push(Use::default());
        }
        &mut self.table[var]
    }

    pub fn mention(&mut self, var: VarId) {
        let it = self.get_mut(var);
        it.mentions += 1;
        it.others += 1;
    }

    pub fn forget(&mut self, var: VarId) {
        let it = self.get_mut(var);
        it.mentions = it.mentions.saturating_sub(1);
    }

    pub fn jumps(&self, join: JoinId) -> u32 {
        self.jumps.get(join).copied().unwrap_or(0)
    }

    pub fn forget_jump(&mut self, join: JoinId) {
        if let Some(count) = self.jumps.get_mut(join) {
            *count = count.saturating_sub(1);
        }
    }

    /// Notes that these variables are bound around code that is added next.
    pub fn bind(&mut self, vars: &[VarId]) {
        for &var in vars {
            self.depth.insert(var, 0);
        }
    }

    /// Counts the mentions below `root`.
    pub fn add(&mut self, program: &Program<Mono>, root: NodeId) {
        let mut work = vec![(root, 0)];
        while let Some((node, depth)) = work.pop() {
            let kind = &program.nodes[node].kind;
            kind.for_each_binder(&program.joins, |var| {
                self.depth.insert(var, depth);
            });
            let role = |at: NodeId| match program.nodes[at].kind {
                NodeKind::Var { var, .. } => Some(var),
                _ => None,
            };
            match kind {
                NodeKind::Var { var, .. } | NodeKind::Assign { var, .. } => {
                    let captured = self.depth.get(*var).is_none_or(|&it| it < depth);
                    let it = self.get_mut(*var);
                    it.mentions += 1;
                    it.others += 1;
                    it.captured |= captured;
                }
                NodeKind::Apply { func, .. } => {
                    if let Some(var) = role(*func) {
                        self.get_mut(var).calls += 1;
                    }
                }
                NodeKind::Field { object, .. }
                | NodeKind::SetField { object, .. }
                | NodeKind::TupleGet { tuple: object, .. } => {
                    if let Some(var) = role(*object) {
                        let it = self.get_mut(var);
                        it.fields += 1;
                        // The object itself is counted as another mention below.
                        it.others -= 1;
                    }
                }
                NodeKind::Jump { join, .. } => *self.jumps.entry_or_insert_with(*join, || 0) += 1,
                NodeKind::Lambda(lambda) => {
                    for &param in &program.lambdas[*lambda].params {
                        self.depth.insert(param, depth + 1);
                    }
                    work.push((program.lambdas[*lambda].body, depth + 1));
                }
                _ => (),
            }
            // Operands after what binds variables for them.
            let first = work.len();
            kind.for_each_child(|it| work.push((it, depth)));
            work[first..].reverse();
        }
    }

    /// Takes back the mentions below `root`, which is being dropped.
    pub fn remove(
        &mut self,
        program: &Program<Mono>,
        root: NodeId,
        moved: impl Fn(oxbow_psg::LambdaId) -> bool,
    ) {
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            let kind = &program.nodes[node].kind;
            match kind {
                NodeKind::Var { var, .. } | NodeKind::Assign { var, .. } => self.forget(*var),
                NodeKind::Jump { join, .. } => self.forget_jump(*join),
                NodeKind::Lambda(lambda) if !moved(*lambda) => {
                    work.push(program.lambdas[*lambda].body)
                }
                _ => (),
            }
            kind.for_each_child(|it| work.push(it));
        }
    }
}
