//! Finds the least levels that satisfy all demands, for one instance of a function at a time.
//!
//! ```text
//! let sq x = x *. x           sq 3.0 outside:             instance sq (0 -> 0)
//! derivative (fun y -> sq y)  sq y inside:                instance sq (F -> F)
//! ```
//!
//! An instance is a function with levels for the slots of its type: those that the mention demands
//! at first, and what the body adds. A mention takes over what its instance adds, and then asks
//! for the instance with these levels, until nothing changes; so at the end each mention has an instance
//! with exactly its levels. Depths are found first and modes afterwards, since the position at
//! which an operator demands a mode depends on its depth.

use std::rc::Rc;

use oxbow_base::{FxHashMap, Id as _, IdMap, IdSet, IdVec, Span, define_id};
use oxbow_psg::{ItemKind, Mono, NodeKind, Program, TyId, VarId};

use super::constrain::{self, Constraints, Functions, Global, Outliving};
use super::level::{Level, MAX_DEPTH};
use super::shape::{Slot, Types};

define_id!(
    /// A function, or an item, with its numbers at certain levels.
    pub InstanceId, "instance"
);

pub struct Instance {
    pub owner: Owner,
    /// One level for each slot; merged slots agree through `find_slot`.
    pub levels: Vec<Level>,
    /// Instances that mention this one.
    users: IdSet<InstanceId>,
    /// Where the user's code first asked for it.
    pub origin: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    Function(VarId),
    /// The place of an item that is no function.
    Item(usize),
}

/// Why a program has no solution.
pub enum Unsolved {
    /// Derivatives are taken inside each other without end: where.
    Unbounded(Span),
    /// Data types in data types without end.
    TooDeep(TyId),
}

pub struct Solver<'a> {
    pub program: &'a Program<Mono>,
    pub types: Types,
    pub functions: Functions,
    pub instances: IdVec<InstanceId, Instance>,
    pub constraints: FxHashMap<Owner, Rc<Constraints>>,
    by_key: FxHashMap<(VarId, Vec<Level>), InstanceId>,
    globals: FxHashMap<Global, Vec<Level>>,
    global_users: FxHashMap<Global, IdSet<InstanceId>>,
    work: Vec<InstanceId>,
    queued: IdSet<InstanceId>,
    with_modes: bool,
    is_user_code: Box<dyn Fn(Span) -> bool + 'a>,
}

impl<'a> Solver<'a> {
    pub fn new(
        program: &'a Program<Mono>,
        is_user_code: Box<dyn Fn(Span) -> bool + 'a>,
    ) -> Solver<'a> {
        let functions = Functions { lambdas: global_functions(program) };
        Solver {
            program,
            types: Types::new(program.types.clone()),
            functions,
            instances: IdVec::new(),
            constraints: FxHashMap::default(),
            by_key: FxHashMap::default(),
            globals: FxHashMap::default(),
            global_users: FxHashMap::default(),
            work: Vec::new(),
            queued: IdSet::new(),
            with_modes: false,
            is_user_code,
        }
    }

    /// Solves the whole program from its items.
    pub fn run(&mut self) -> Result<(), Unsolved> {
        for (index, item) in self.program.items.iter().enumerate() {
            if is_function_item(self.program, &item.kind) {
                continue;
            }
            let owner = Owner::Item(index);
            let (root, var) = match &item.kind {
                ItemKind::Let { var, value } => (*value, Some(*var)),
                ItemKind::Eval(node) => (*node, None),
                ItemKind::LetRec { .. } => continue,
            };
            let constraints =
                constrain::item(self.program, &mut self.types, &self.functions, root, var);
            self.constraints.insert(owner, Rc::new(constraints));
            self.add_instance(owner, &[], item.span);
        }
        let well_known = &self.program.well_known;
        for var in well_known.entries() {
            let span = self.program.vars[var].span;
            self.instance_at(var, Level::GROUND, span)?;
        }
        self.drain()?;
        self.with_modes = true;
        for instance in self.instances.ids() {
            self.enqueue(instance);
        }
        self.drain()?;
        self.types.too_deep.map_or(Ok(()), |ty| Err(Unsolved::TooDeep(ty)))
    }

    /// The instance of a function with all its numbers at one level, called at this level.
    pub fn instance_at(
        &mut self,
        function: VarId,
        level: Level,
        span: Span,
    ) -> Result<InstanceId, Unsolved> {
        self.require(Owner::Function(function));
        let constraints = &self.constraints[&Owner::Function(function)];
        let key = vec![level; constraints.interface.len()];
        let instance = self.instance(function, key, span);
        self.drain()?;
        Ok(instance)
    }

    /// The level of a slot.
    pub fn level(&self, instance: InstanceId, slot: Slot) -> Level {
        let instance = &self.instances[instance];
        let slot = self.constraints[&instance.owner].shapes.find_slot(slot);
        instance.levels[slot.index()]
    }

    pub fn levels(&self, instance: InstanceId, slots: &[Slot]) -> Vec<Level> {
        slots.iter().map(|&it| self.level(instance, it)).collect()
    }

    /// The instance that a mention with these levels means, after `run`.
    pub fn find(&self, function: VarId, levels: &[Level]) -> Option<InstanceId> {
        self.by_key.get(&(function, levels.to_vec())).copied()
    }

    pub fn global_levels(&self, global: Global) -> Vec<Level> {
        self.globals.get(&global).cloned().unwrap_or_default()
    }

    pub fn is_user(&self, span: Span) -> bool {
        (self.is_user_code)(span)
    }

    fn require(&mut self, owner: Owner) {
        if let Owner::Function(var) = owner
            && !self.constraints.contains_key(&owner)
        {
            let made = constrain::function(self.program, &mut self.types, &self.functions, var);
            self.constraints.insert(owner, Rc::new(made));
        }
    }

    fn add_instance(&mut self, owner: Owner, key: &[Level], origin: Span) -> InstanceId {
        let constraints = &self.constraints[&owner];
        let mut levels = vec![Level::GROUND; constraints.shapes.slot_count()];
        if self.with_modes
            && let Owner::Function(var) = owner
        {
            // The depths are known already; only modes are new.
            let plain: Vec<Level> = key.iter().map(|it| it.without_modes()).collect();
            if let Some(&known) = self.by_key.get(&(var, plain)) {
                levels = self.instances[known].levels.iter().map(|it| it.without_modes()).collect();
            }
        }
        for (&slot, &level) in constraints.interface.iter().zip(key) {
            let slot = constraints.shapes.find_slot(slot);
            levels[slot.index()] = levels[slot.index()].join(level);
        }
        let id = self.instances.push(Instance { owner, levels, users: IdSet::new(), origin });
        self.enqueue(id);
        id
    }

    fn instance(&mut self, function: VarId, key: Vec<Level>, origin: Span) -> InstanceId {
        if let Some(&found) = self.by_key.get(&(function, key.clone())) {
            return found;
        }
        let owner = Owner::Function(function);
        self.require(owner);
        let id = self.add_instance(owner, &key, origin);
        self.by_key.insert((function, key), id);
        id
    }

    fn enqueue(&mut self, instance: InstanceId) {
        if self.queued.insert(instance) {
            self.work.push(instance);
        }
    }

    fn drain(&mut self) -> Result<(), Unsolved> {
        while let Some(instance) = self.work.pop() {
            self.queued.remove(instance);
            self.solve(instance)?;
        }
        Ok(())
    }

    /// One round: the demands of the body, then what the mentioned functions add.
    fn solve(&mut self, id: InstanceId) -> Result<(), Unsolved> {
        let owner = self.instances[id].owner;
        let constraints = Rc::clone(&self.constraints[&owner]);
        let mut levels = self.instances[id].levels.clone();
        propagate(&constraints, &mut levels, self.with_modes);
        if levels.iter().any(|it| it.depth > MAX_DEPTH) {
            return Err(Unsolved::Unbounded(self.instances[id].origin));
        }
        let asked: Vec<(VarId, Vec<Level>, Span)> = constraints
            .mentions
            .iter()
            .map(|it| {
                let key = read(&constraints, &levels, &it.slots);
                (it.function, key, self.program.span(it.node))
            })
            .collect();
        // A recursive function asks for itself.
        self.update(id, &constraints, levels);
        let mut answers = Vec::new();
        for (function, key, span) in asked {
            let origin = if (self.is_user_code)(span) { span } else { self.instances[id].origin };
            let callee = self.instance(function, key, origin);
            self.instances[callee].users.insert(id);
            let callee = &self.instances[callee];
            answers.push(interface_levels(&self.constraints[&callee.owner], &callee.levels));
        }
        let mut levels = self.instances[id].levels.clone();
        let mut changed = false;
        for (mention, answer) in constraints.mentions.iter().zip(answers) {
            changed |= raise(&constraints, &mut levels, &mention.slots, &answer);
        }
        changed |= self.exchange_globals(id, &constraints, &mut levels);
        self.update(id, &constraints, levels);
        if changed {
            self.enqueue(id);
        }
        Ok(())
    }

    fn update(&mut self, id: InstanceId, constraints: &Constraints, levels: Vec<Level>) {
        let before = interface_levels(constraints, &self.instances[id].levels);
        let after = interface_levels(constraints, &levels);
        self.instances[id].levels = levels;
        if after != before {
            let users: Vec<InstanceId> = self.instances[id].users.iter().collect();
            users.into_iter().for_each(|it| self.enqueue(it));
        }
    }

    /// Levels of global data are the join of all that is demanded.
    fn exchange_globals(
        &mut self,
        id: InstanceId,
        constraints: &Constraints,
        levels: &mut [Level],
    ) -> bool {
        let mut changed = false;
        for (global, slots) in &constraints.globals {
            let own = read(constraints, levels, slots);
            let all = self.globals.entry(*global).or_insert_with(|| vec![Level::GROUND; own.len()]);
            let joined: Vec<Level> = all.iter().zip(&own).map(|(a, b)| a.join(*b)).collect();
            self.global_users.entry(*global).or_default().insert(id);
            if joined != *all {
                all.clone_from(&joined);
                let users: Vec<InstanceId> = self.global_users[global].iter().collect();
                users.into_iter().for_each(|it| self.enqueue(it));
            }
            changed |= raise(constraints, levels, slots, &joined);
        }
        changed
    }
}

fn read(constraints: &Constraints, levels: &[Level], slots: &[Slot]) -> Vec<Level> {
    slots.iter().map(|&it| levels[constraints.shapes.find_slot(it).index()]).collect()
}

fn interface_levels(constraints: &Constraints, levels: &[Level]) -> Vec<Level> {
    read(constraints, levels, &constraints.interface)
}

fn raise(constraints: &Constraints, levels: &mut [Level], slots: &[Slot], to: &[Level]) -> bool {
    let mut changed = false;
    for (&slot, &level) in slots.iter().zip(to) {
        changed |= set(levels, constraints.shapes.find_slot(slot), level);
    }
    changed
}

fn set(levels: &mut [Level], slot: Slot, level: Level) -> bool {
    let old = levels[slot.index()];
    let new = old.join(level);
    levels[slot.index()] = new;
    new != old
}

/// Satisfies the demands within the function.
fn propagate(constraints: &Constraints, levels: &mut [Level], with_modes: bool) {
    let find = |slot: Slot| constraints.shapes.find_slot(slot);
    let flows: Vec<(Slot, Slot)> =
        constraints.flows.iter().map(|&(a, b)| (find(a), find(b))).collect();
    let scope = constraints.scope.map(|it| (find(it.outer), find(it.inner), it.mode));
    loop {
        let mut changed = false;
        for &(low, high) in &flows {
            let below = levels[low.index()];
            changed |= set(levels, high, below);
            let modes = levels[high.index()];
            let adjusted = levels[low.index()].with_modes_of(modes);
            changed |= set(levels, low, adjusted);
        }
        for &(read, ambient, used) in &constraints.cuts {
            let (read, used) = (find(read), find(used));
            let cut = levels[read.index()].cut(levels[find(ambient).index()].depth);
            changed |= set(levels, used, cut);
            let adjusted = levels[read.index()].with_modes_of(levels[used.index()]);
            changed |= set(levels, read, adjusted);
        }
        if let Some((outer, inner, mode)) = scope {
            let mut demanded = levels[outer.index()].inner();
            if with_modes {
                demanded = demanded.join(levels[outer.index()].mode_bit(mode));
            }
            changed |= set(levels, inner, demanded);
            let around = levels[inner.index()].outer();
            changed |= set(levels, outer, around);
        }
        if with_modes {
            for Outliving { ambient, slots, .. } in &constraints.outliving {
                let depth = levels[find(*ambient).index()].depth;
                for &slot in slots {
                    let level = levels[find(slot).index()].reversed_from(depth);
                    changed |= set(levels, find(slot), level);
                }
            }
        }
        if !changed || levels.iter().any(|it| it.depth > MAX_DEPTH) {
            return;
        }
    }
}

/// The global variables that are bound to lambdas.
fn global_functions(program: &Program<Mono>) -> IdMap<VarId, oxbow_psg::LambdaId> {
    let mut found = IdMap::new();
    for item in &program.items {
        for (&var, root) in item.kind.vars().iter().zip(item.kind.roots()) {
            if let NodeKind::Lambda(lambda) = program.nodes[root].kind
                && !program.vars[var].mutable
            {
                found.insert(var, lambda);
            }
        }
    }
    found
}

pub fn is_function_item(program: &Program<Mono>, item: &ItemKind) -> bool {
    match item {
        ItemKind::Let { var, value } => {
            matches!(program.nodes[*value].kind, NodeKind::Lambda(_)) && !program.vars[*var].mutable
        }
        ItemKind::LetRec { .. } => true,
        ItemKind::Eval(_) => false,
    }
}
