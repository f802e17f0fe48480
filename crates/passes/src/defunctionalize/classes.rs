//! Which places hold functions of one kind: those between which a function may go are one class.
//!
//! ```text
//! let f = if c then g else fun x -> x + k in [f]
//!
//!   f, the two branches and the first field of `::` in (int -> int) list are one class, with two members
//! ```
//!
//! Places are variables, nodes and parts of types, all of function type. Classes are found by unification: a class
//! has one representation, so direction does not matter. Which functions one call can reach is a question to `flow`.

use oxbow_base::{FxHashMap, Id, IdMap, IdSet};
use oxbow_psg::{
    Callee, ExnId, ItemKind, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Ty, TyId, VarId, walk,
};

use super::choose::{Reason, Values};
use crate::flow::{Candidate, Flow, Moves, moves};

/// A part of a type that holds functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// A field: the type, the constructor, its position.
    Field(TyId, u32, u32),
    Element(TyId),
    Payload(ExnId, u32),
}

/// The places of the program, joined to classes.
pub struct Classes {
    parents: Vec<u32>,
    vars: usize,
    nodes: usize,
    slots: FxHashMap<Slot, u32>,
    /// Variables and nodes that were made later stand at the places of others.
    later_vars: IdMap<VarId, u32>,
    later_nodes: IdMap<NodeId, u32>,
    /// The functions that are made at the places of a class.
    pub members: FxHashMap<u32, Vec<Candidate>>,
    /// Places whose class stays one of closures.
    pub fixed: Vec<(u32, Reason)>,
    /// Calls of function values: what is called, and those of the arguments and the result that are functions.
    pub calls: Vec<(u32, Vec<u32>)>,
}

impl Classes {
    pub fn var(&self, var: VarId) -> u32 {
        if var.index() < self.vars { var.index() as u32 } else { self.later_vars[var] }
    }

    pub fn node(&self, node: NodeId) -> u32 {
        if node.index() < self.nodes {
            (self.vars + node.index()) as u32
        } else {
            self.later_nodes[node]
        }
    }

    /// A new variable holds what is at a place.
    pub fn add_var(&mut self, var: VarId, place: u32) {
        self.later_vars.insert(var, place);
    }

    pub fn add_node(&mut self, node: NodeId, place: u32) {
        self.later_nodes.insert(node, place);
    }

    pub fn slot(&mut self, slot: Slot) -> u32 {
        let next = self.parents.len() as u32;
        let it = *self.slots.entry(slot).or_insert(next);
        if it == next {
            self.parents.push(next);
        }
        it
    }

    /// The same if there is such a place.
    pub fn known_slot(&self, slot: Slot) -> Option<u32> {
        self.slots.get(&slot).copied()
    }

    /// The place that stands for the class of a place.
    pub fn find(&self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            place = self.parents[place as usize];
        }
        place
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.shorten(one), self.shorten(other));
        // The smaller number stays, so that the result does not depend on the order.
        let (root, below) = if one < other { (one, other) } else { (other, one) };
        self.parents[below as usize] = root;
    }

    fn shorten(&mut self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            let above = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = above;
            place = above;
        }
        place
    }
}

/// Finds the classes of a program.
pub fn find(
    program: &Program<Mono>,
    known: &IdMap<VarId, LambdaId>,
    values: &Values,
    flow: &Flow,
) -> Classes {
    let places = program.vars.len() + program.nodes.len();
    let classes = Classes {
        parents: (0..places as u32).collect(),
        vars: program.vars.len(),
        nodes: program.nodes.len(),
        later_vars: IdMap::new(),
        later_nodes: IdMap::new(),
        slots: FxHashMap::default(),
        members: FxHashMap::default(),
        fixed: Vec::new(),
        calls: Vec::new(),
    };
    let used = values.uses.iter().map(|it| it.0);
    let mut uses = IdSet::new();
    used.for_each(|it| {
        uses.insert(it);
    });
    let mut build = Build { program, known, values, flow, classes, uses, members: Vec::new() };
    for item in &program.items {
        if let ItemKind::Let { var, value } = item.kind {
            build.bind(var, value);
        }
    }
    walk::for_each_reachable(program, |node| build.visit(node));
    build.finish()
}

struct Build<'a> {
    program: &'a Program<Mono>,
    known: &'a IdMap<VarId, LambdaId>,
    values: &'a Values,
    flow: &'a Flow,
    classes: Classes,
    /// Nodes that are functions as values.
    uses: IdSet<NodeId>,
    members: Vec<(u32, Candidate)>,
}

impl Build<'_> {
    fn is_function(&self, ty: TyId) -> bool {
        matches!(self.program.types.get(ty), Ty::Fn(..))
    }

    /// Joins two nodes if they are functions.
    fn same(&mut self, one: NodeId, other: NodeId) {
        if self.is_function(self.program.ty(other)) {
            let (one, other) = (self.classes.node(one), self.classes.node(other));
            self.classes.join(one, other);
        }
    }

    fn join_var(&mut self, var: VarId, node: NodeId) {
        if self.is_function(self.program.ty(node)) {
            let (one, other) = (self.classes.var(var), self.classes.node(node));
            self.classes.join(one, other);
        }
    }

    fn join_slot(&mut self, slot: Slot, node: NodeId) {
        if self.is_function(self.program.ty(node)) {
            let (one, other) = (self.classes.slot(slot), self.classes.node(node));
            self.classes.join(one, other);
        }
    }

    fn bind(&mut self, var: VarId, value: NodeId) {
        // What a named function is as a value is seen where it is mentioned.
        if !self.known.contains(var) {
            self.join_var(var, value);
        }
    }

    fn fields(&mut self, node: NodeId, ctor: u32, parts: &[NodeId]) {
        let ty = self.program.ty(node);
        for (at, &part) in parts.iter().enumerate() {
            self.join_slot(Slot::Field(ty, ctor, at as u32), part);
        }
    }

    fn visit(&mut self, node: NodeId) {
        let program = self.program;
        match &program.nodes[node].kind {
            NodeKind::Const(_)
            | NodeKind::While { .. }
            | NodeKind::For { .. }
            | NodeKind::Raise(_) => (),
            NodeKind::Var { var, .. } => self.mention(node, *var),
            NodeKind::Lambda(lambda) => {
                if self.uses.contains(node) {
                    let class = self.classes.node(node);
                    self.members.push((class, Candidate { lambda: *lambda, applied: 0 }));
                }
            }
            NodeKind::Let { var, value, body } => {
                self.bind(*var, *value);
                self.same(node, *body);
            }
            NodeKind::LetRec { body, .. } => self.same(node, *body),
            NodeKind::Seq(parts) => {
                if let Some(&last) = parts.last() {
                    self.same(node, last);
                }
            }
            NodeKind::If { then, otherwise, .. } => {
                self.same(node, *then);
                self.same(node, *otherwise);
            }
            NodeKind::Switch { cases, default, .. } => {
                cases.iter().map(|it| it.1).chain(*default).for_each(|it| self.same(node, it));
            }
            NodeKind::Try { body, handler, .. } => {
                self.same(node, *body);
                self.same(node, *handler);
            }
            NodeKind::Join { body, rest, .. } => {
                self.same(node, *body);
                self.same(node, *rest);
            }
            NodeKind::Jump { join, args } => {
                for (&arg, &param) in args.iter().zip(&program.joins[*join].params) {
                    self.join_var(param, arg);
                }
            }
            NodeKind::Assign { var, value } => self.join_var(*var, *value),
            NodeKind::Tuple(parts) | NodeKind::Record(parts) => self.fields(node, 0, parts),
            NodeKind::Construct { ctor, args } => self.fields(node, *ctor, args),
            NodeKind::Array(parts) => {
                let ty = program.ty(node);
                parts.iter().for_each(|&it| self.join_slot(Slot::Element(ty), it));
            }
            NodeKind::TupleGet { tuple, index } => {
                self.join_slot(Slot::Field(program.ty(*tuple), 0, *index), node);
            }
            NodeKind::Field { object, ctor, index } => {
                self.join_slot(Slot::Field(program.ty(*object), *ctor, *index), node);
            }
            NodeKind::SetField { object, ctor, index, value } => {
                self.join_slot(Slot::Field(program.ty(*object), *ctor, *index), *value);
            }
            NodeKind::MakeExn { exn, args } => {
                for (at, &arg) in args.iter().enumerate() {
                    self.join_slot(Slot::Payload(*exn, at as u32), arg);
                }
            }
            NodeKind::ExnField { exn, index, .. } => {
                self.join_slot(Slot::Payload(*exn, *index), node);
            }
            NodeKind::Prim { prim, args } => self.prim(node, *prim, args),
            NodeKind::Apply { func, args, callee } => self.apply(node, *func, args, *callee),
        }
    }

    fn mention(&mut self, node: NodeId, var: VarId) {
        let Some(&lambda) = self.known.get(var) else { return self.join_var(var, node) };
        if !self.uses.contains(node) {
            return;
        }
        let class = self.classes.node(node);
        self.members.push((class, Candidate { lambda, applied: 0 }));
        // The value of a local function is made once.
        if !self.program.vars[var].global {
            self.join_var(var, node);
        }
    }

    fn prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) {
        let ty = |at: usize| self.program.ty(args[at]);
        match moves(prim) {
            Moves::Reads { object } => self.join_slot(Slot::Element(ty(object)), node),
            Moves::Puts { value, object } => {
                self.join_slot(Slot::Element(ty(object)), args[value]);
            }
            Moves::Makes { value } => {
                self.join_slot(Slot::Element(self.program.ty(node)), args[value]);
            }
            Moves::Copies { from, to } => {
                let (from, to) = (Slot::Element(ty(from)), Slot::Element(ty(to)));
                let (from, to) = (self.classes.slot(from), self.classes.slot(to));
                self.classes.join(from, to);
            }
            Moves::Nothing if matches!(prim, Prim::PhysEq | Prim::PhysNe) => {
                self.fix(args, Reason::Compared);
            }
            Moves::Nothing => (),
            Moves::Unknown => {
                self.fix(args, Reason::Outside);
                self.fix(&[node], Reason::Outside);
            }
        }
    }

    /// The nodes stay closures.
    fn fix(&mut self, nodes: &[NodeId], reason: Reason) {
        for &node in nodes {
            if self.is_function(self.program.ty(node)) {
                self.classes.fixed.push((self.classes.node(node), reason));
            }
        }
    }

    fn apply(&mut self, node: NodeId, func: NodeId, args: &[NodeId], callee: Callee) {
        let program = self.program;
        if let Callee::Known(lambda) = callee {
            for (&arg, &param) in args.iter().zip(&program.lambdas[lambda].params) {
                self.join_var(param, arg);
            }
            return self.same(node, program.lambdas[lambda].body);
        }
        if let NodeKind::Var { var, .. } = program.nodes[func].kind
            && let Some(&lambda) = self.known.get(var)
        {
            for (&arg, &param) in args.iter().zip(&program.lambdas[lambda].params) {
                self.join_var(param, arg);
            }
            let class = self.classes.node(node);
            return self.members.push((class, Candidate { lambda, applied: args.len() }));
        }
        let func_place = self.classes.node(func);
        let involved = args.iter().chain([&node]).copied();
        let involved = involved.filter(|&it| self.is_function(program.ty(it)));
        let involved = involved.map(|it| self.classes.node(it)).collect();
        self.classes.calls.push((func_place, involved));
        let callees = self.flow.functions().callee(node);
        if callees.open {
            self.fix(&[func], Reason::Outside);
        }
        for candidate in callees.known {
            self.call(candidate, program.ty(func), args, node);
        }
    }

    /// A call of this function by a value of this type.
    fn call(&mut self, candidate: Candidate, ty: TyId, args: &[NodeId], node: NodeId) {
        let program = self.program;
        let Candidate { lambda, applied } = candidate;
        let own = self.values.types[lambda];
        if program.types.split_function(own, applied).1 != ty {
            return;
        }
        let params = &program.lambdas[lambda].params[applied..];
        for (&arg, &param) in args.iter().zip(params) {
            self.join_var(param, arg);
        }
        if args.len() < params.len() {
            let class = self.classes.node(node);
            self.members.push((class, Candidate { lambda, applied: applied + args.len() }));
            return;
        }
        let body = program.lambdas[lambda].body;
        if args.len() == params.len() {
            return self.same(node, body);
        }
        let rest = &args[params.len()..];
        let returned = self.flow.functions().at(self.flow.result(lambda));
        let mut involved: Vec<NodeId> = rest.to_vec();
        involved.push(node);
        involved.retain(|&it| self.is_function(program.ty(it)));
        let involved = involved.iter().map(|&it| self.classes.node(it)).collect();
        self.classes.calls.push((self.classes.node(body), involved));
        if returned.open {
            self.fix(&[body], Reason::Outside);
        }
        for candidate in returned.known {
            self.call(candidate, program.ty(body), rest, node);
        }
    }

    fn finish(self) -> Classes {
        let mut classes = self.classes;
        for (place, candidate) in self.members {
            let root = classes.shorten(place);
            let set = classes.members.entry(root).or_default();
            if !set.contains(&candidate) {
                set.push(candidate);
            }
        }
        classes
    }
}
