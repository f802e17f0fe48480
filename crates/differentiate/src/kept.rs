//! Warns of mutable objects that are made outside of a derivative and filled inside: what a
//! derivative leaves there is a constant to the next one.
//!
//! ```text
//! let memo = Hashtbl.create 16                             `memo` keeps numbers of a derivative
//! let f x = … Hashtbl.add memo 3 (x *. x) …
//! ```
//!
//! That numbers outlive their derivative in an object is seen by their levels, which the solver
//! knows; but objects that meet share their levels, also those that nobody changes. So the variable
//! that holds the object must be one that another function changes: a store to it, to what is in it, or
//! through a parameter that its function changes.

use oxbow_base::{IdMap, IdSet, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{ItemKind, LambdaId, Mono, NodeId, NodeKind, Prim, Program, VarId, walk};

use super::solve::{InstanceId, Owner, Solver};

pub fn warn(solver: &Solver<'_>, diagnostics: &mut Diagnostics) {
    let places = places(solver);
    if places.is_empty() {
        return;
    }
    let program = solver.program;
    let changed = Changes::new(program).run();
    let mut seen: IdSet<VarId> = IdSet::new();
    for place in places {
        let Some(var) = holder(program, place) else { continue };
        let name = program.vars[var].name;
        if !changed.contains(var) || is_made(name) || !seen.insert(var) {
            continue;
        }
        diagnostics.warning(
            Diagnostic::warning("W0960", format!("`{name}` keeps numbers of a derivative"))
                .at(place, "made outside of the derivative, and changed inside of it")
                .note("to a later derivative, what it finds there is constant: its derivative is zero")
                .help("make it inside of the function, or set it anew before it is read"),
        );
    }
}

/// Names that the compiler makes are no use to anyone, and `_x` is one that the user does not want to hear of.
fn is_made(name: Symbol) -> bool {
    name.is_hidden() || name.as_str().starts_with('_')
}

/// Where the user's code makes objects whose numbers outlive their derivative.
fn places(solver: &Solver<'_>) -> Vec<Span> {
    let mut places = Vec::new();
    for id in running(solver) {
        let instance = &solver.instances[id];
        for it in &solver.constraints[&instance.owner].outliving {
            let Some(made) = it.made else { continue };
            let outside = solver.level(id, it.ambient).depth;
            let place = if solver.is_user(made) { made } else { instance.origin };
            let outlives = it.slots.iter().any(|&slot| solver.level(id, slot).depth > outside);
            if outlives && solver.is_user(place) && !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places.sort_by_key(|it| (it.file, it.start));
    places
}

/// The instances that can run: those that items lead to. The solver leaves others behind, in which numbers
/// that it raised later meet functions outside of all derivatives.
fn running(solver: &Solver<'_>) -> Vec<InstanceId> {
    let is_item = |id: &InstanceId| matches!(solver.instances[*id].owner, Owner::Item(_));
    let mut found: Vec<InstanceId> = solver.instances.ids().filter(is_item).collect();
    let mut seen: IdSet<InstanceId> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        for mention in &solver.constraints[&solver.instances[id].owner].mentions {
            let instance = solver.find(mention.function, &solver.levels(id, &mention.slots));
            found.extend(instance.filter(|&it| seen.insert(it)));
        }
    }
    found
}

/// The variable that is bound to what is made at a place: the innermost one.
fn holder(program: &Program<Mono>, place: Span) -> Option<VarId> {
    let holds = |outer: Span| {
        outer.file == place.file && outer.start <= place.start && place.end <= outer.end
    };
    let items = program.items.iter().filter_map(|it| match it.kind {
        ItemKind::Let { var, value } => Some((var, value)),
        ItemKind::LetRec { .. } | ItemKind::Eval(_) => None,
    });
    let locals = program.nodes.values().filter_map(|it| match it.kind {
        NodeKind::Let { var, value, .. } => Some((var, value)),
        _ => None,
    });
    let bindings = items.chain(locals).filter(|&(var, value)| {
        let is_function = matches!(program.nodes[value].kind, NodeKind::Lambda(_));
        !is_function && (holds(program.span(value)) || program.vars[var].span == place)
    });
    let size = |value: NodeId| {
        let span = program.span(value);
        span.end - span.start
    };
    bindings.min_by_key(|&(_, value)| size(value)).map(|it| it.0)
}

/// Finds the variables whose objects are changed, and those that another function changes than the
/// one that binds them: what is inside of a derivative is in a function of its own.
struct Changes<'a> {
    program: &'a Program<Mono>,
    /// The functions that variables stand for.
    functions: IdMap<VarId, LambdaId>,
    /// The functions around nodes and variables; code of items is in none.
    owners: IdMap<NodeId, LambdaId>,
    binders: IdMap<VarId, LambdaId>,
    changed: IdSet<VarId>,
    elsewhere: IdSet<VarId>,
    more: bool,
}

impl<'a> Changes<'a> {
    fn new(program: &'a Program<Mono>) -> Self {
        let mut it = Self {
            program,
            functions: IdMap::new(),
            owners: IdMap::new(),
            binders: IdMap::new(),
            changed: IdSet::new(),
            elsewhere: IdSet::new(),
            more: true,
        };
        for item in &program.items {
            for (&var, value) in item.kind.vars().iter().zip(item.kind.roots()) {
                it.bind(var, value, None);
            }
        }
        for (lambda, data) in program.lambdas.iter() {
            walk::for_each_node_in_function(program, data.body, |node| {
                it.owners.insert(node, lambda);
            });
        }
        for (node, data) in program.nodes.iter() {
            let owner = it.owners.get(node).copied();
            match &data.kind {
                NodeKind::Let { var, value, .. } => it.bind(*var, *value, owner),
                NodeKind::LetRec { vars, values, .. } => {
                    vars.iter().zip(values).for_each(|(&var, &value)| it.bind(var, value, owner));
                }
                _ => (),
            }
        }
        it
    }

    fn bind(&mut self, var: VarId, value: NodeId, owner: Option<LambdaId>) {
        if let NodeKind::Lambda(lambda) = self.program.nodes[value].kind {
            self.functions.insert(var, lambda);
        }
        if let Some(owner) = owner {
            self.binders.insert(var, owner);
        }
    }

    /// Each round follows one more call or name; there are as many as these are deep.
    fn run(mut self) -> IdSet<VarId> {
        while std::mem::take(&mut self.more) {
            for node in self.program.nodes.ids() {
                self.node(node);
            }
        }
        self.elsewhere
    }

    fn node(&mut self, node: NodeId) {
        let program = self.program;
        let owner = self.owners.get(node).copied();
        match &program.nodes[node].kind {
            NodeKind::SetField { object, .. } => self.change(*object, owner, false),
            NodeKind::Prim { prim: Prim::ArraySet, args } => self.change(args[0], owner, false),
            NodeKind::Prim { prim: Prim::ArrayBlit, args } => self.change(args[2], owner, false),
            NodeKind::Assign { var, .. } => self.add(*var, owner, false),
            // Another name for an object, or for a part of it.
            NodeKind::Let { var, value, .. } if self.changed.contains(*var) => {
                self.change(*value, owner, self.elsewhere.contains(*var));
            }
            NodeKind::Apply { func, args, .. } => {
                let NodeKind::Var { var, .. } = program.nodes[*func].kind else { return };
                let Some(&lambda) = self.functions.get(var) else { return };
                for (&param, &arg) in program.lambdas[lambda].params.iter().zip(args) {
                    if self.changed.contains(param) {
                        self.change(arg, owner, false);
                    }
                }
            }
            _ => (),
        }
    }

    /// What an expression stands for, or a part of it, is changed by code of `owner`, or is known to be changed
    /// elsewhere.
    fn change(&mut self, object: NodeId, owner: Option<LambdaId>, elsewhere: bool) {
        let mut todo = vec![object];
        while let Some(node) = todo.pop() {
            match &self.program.nodes[node].kind {
                NodeKind::Var { var, .. } => self.add(*var, owner, elsewhere),
                NodeKind::Field { object, .. } => todo.push(*object),
                NodeKind::TupleGet { tuple, .. } => todo.push(*tuple),
                NodeKind::Prim { prim: Prim::ArrayGet | Prim::Opaque, args } => todo.push(args[0]),
                NodeKind::Let { body, .. } => todo.push(*body),
                NodeKind::Seq(items) => todo.extend(items.last()),
                NodeKind::If { then, otherwise, .. } => todo.extend([*then, *otherwise]),
                NodeKind::Switch { cases, default, .. } => {
                    todo.extend(cases.iter().map(|it| it.1).chain(*default));
                }
                _ => (),
            }
        }
    }

    fn add(&mut self, var: VarId, owner: Option<LambdaId>, elsewhere: bool) {
        let elsewhere = elsewhere || self.binders.get(var).copied() != owner;
        if !self.changed.contains(var) || elsewhere && !self.elsewhere.contains(var) {
            self.changed.insert(var);
            self.more = true;
            if elsewhere {
                self.elsewhere.insert(var);
            }
        }
    }
}
