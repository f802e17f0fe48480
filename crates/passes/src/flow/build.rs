//! From the program to the graph: one walk, in which each expression is told where its value goes.
//!
//! ```text
//! let x = (if c then a else r.f) in …      Var a ──Same──▶ Var x     Var r ──Part──▶ Given (r.f) ──Same──▶ Var x
//! ```
//!
//! Values that are no objects and hold none (numbers, strings) are left out. Calls of functions that are not
//! known are noted, and become edges when `functions` knows what they call.

use std::cell::OnceCell;

use oxbow_base::{FxHashMap, Id, IdMap, IdSet, IdVec};
use oxbow_psg::{Callee, JoinId, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Repr, Ty, TyId};

use super::prims::{Moves, moves};
use super::{
    Call, Carried, Edge, Flow, Functions, HandedOn, Home, Place, PlaceId, Role, Store, Way,
};

pub(super) fn build(program: &Program<Mono>) -> Flow {
    let mut places = IdVec::new();
    places.push(Place::Outside);
    for var in program.vars.ids() {
        places.push(Place::Var(var));
    }
    for lambda in program.lambdas.ids() {
        places.push(Place::Result(lambda));
    }
    let raised = places.push(Place::Raised);
    let flow = Flow {
        places,
        edges: Vec::new(),
        function_edges: Vec::new(),
        stores: Vec::new(),
        calls: Vec::new(),
        written_calls: 0,
        of_node: IdMap::new(),
        homes: IdMap::new(),
        loops: Vec::new(),
        carried: Vec::new(),
        handed_on: Vec::new(),
        called_last: Vec::new(),
        lasting: IdSet::new(),
        vars: program.vars.len(),
        globals: IdSet::new(),
        literals: Vec::new(),
        functions: Functions::default(),
        into: OnceCell::new(),
        out: OnceCell::new(),
        by_value: OnceCell::new(),
    };
    let mut build = Build {
        program,
        flow,
        raised,
        by_type: FxHashMap::default(),
        function: None,
        in_loop: None,
    };
    build.items();
    build.flow
}

/// What becomes of a node's value.
#[derive(Clone, Copy)]
enum To {
    /// It is looked at, then dropped.
    Nowhere,
    /// Whoever asked takes it from the node's own place.
    Named,
    Place(PlaceId, Way, NodeId),
}

/// Where a node stands.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// A call here may replace the frame.
    Tail,
    Inner,
}

struct Build<'a> {
    program: &'a Program<Mono>,
    flow: Flow,
    raised: PlaceId,
    /// The places of fields, elements and payloads: few, as only functions need them.
    by_type: FxHashMap<(Slot, u32, u32), PlaceId>,
    /// The function being walked.
    function: Option<LambdaId>,
    in_loop: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Field(TyId),
    Element(TyId),
    Payload(u32),
}

impl Build<'_> {
    fn items(&mut self) {
        let program = self.program;
        let lasting = [self.flow.outside(), self.raised];
        lasting.into_iter().for_each(|it| self.lasts(it));
        for (var, data) in program.vars.iter() {
            if data.global {
                self.flow.globals.insert(var);
            }
            if data.global || data.mutable {
                self.lasts(self.flow.var(var));
            }
        }
        for item in &program.items {
            let vars = item.kind.vars();
            for (index, root) in item.kind.roots().enumerate() {
                let to = match vars.get(index) {
                    Some(&var) => To::Place(self.flow.var(var), Way::Same, root),
                    None => To::Nowhere,
                };
                self.walk(root, to, Position::Inner);
            }
        }
        for var in program.well_known.entries() {
            let Some(item) = program.items.iter().find(|it| it.kind.vars().contains(&var)) else {
                continue;
            };
            let Some(root) = item.kind.roots().next() else { continue };
            let (from, to) = (self.flow.var(var), self.flow.outside());
            self.edge(Edge { from, to, way: Way::Same, cause: root }, true);
        }
    }

    fn lasts(&mut self, place: PlaceId) {
        self.flow.lasting.insert(place);
    }

    fn edge(&mut self, edge: Edge, is_function: bool) {
        if is_function {
            self.flow.function_edges.push(self.flow.edges.len());
        }
        self.flow.edges.push(edge);
    }

    /// Can a value of the type be an object, or hold one?
    fn is_object(&self, ty: TyId) -> bool {
        match self.program.types.get(ty) {
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes => false,
            Ty::Data(..) => !self.program.types.is_enumeration(ty),
            Ty::Array(_) | Ty::Exn | Ty::Tuple(_) | Ty::Fn(..) | Ty::Uniform | Ty::Var(_) => true,
        }
    }

    fn is_function(&self, ty: TyId) -> bool {
        matches!(self.program.types.get(ty), Ty::Fn(..))
    }

    /// What is at `source`, the value of `node`, goes on.
    fn send(&mut self, source: PlaceId, node: NodeId, to: To) {
        let To::Place(target, way, cause) = to else { return };
        let ty = self.program.ty(node);
        if self.is_object(ty) {
            let moves = matches!(way, Way::Same | Way::Enters | Way::Stored | Way::Loaded);
            let is_function = moves && self.is_function(ty);
            self.edge(Edge { from: source, to: target, way, cause }, is_function);
        }
    }

    /// The place of a node that makes an object.
    fn made(&mut self, node: NodeId, to: To) -> PlaceId {
        let place = self.flow.places.push(Place::Made(node));
        self.flow.of_node.insert(node, place);
        self.flow.homes.insert(place, Home { function: self.function, in_loop: self.in_loop });
        self.send(place, node, to);
        place
    }

    /// A place for the value of a node.
    fn given(&mut self, node: NodeId, to: To) -> PlaceId {
        let place = self.flow.places.push(Place::Given(node));
        self.flow.of_node.insert(node, place);
        self.send(place, node, to);
        place
    }

    /// The place where the value of an operand is, if it can be an object.
    fn operand(&mut self, node: NodeId) -> Option<PlaceId> {
        if !self.is_object(self.program.ty(node)) {
            self.walk(node, To::Nowhere, Position::Inner);
            return None;
        }
        if let NodeKind::Var { var, .. } = self.program.nodes[node].kind {
            return Some(self.flow.var(var));
        }
        if has_place(&self.program.nodes[node].kind) {
            self.walk(node, To::Named, Position::Inner);
            if let Some(place) = self.flow.of_node(node) {
                return Some(place);
            }
            return Some(self.given(node, To::Named));
        }
        let place = self.given(node, To::Named);
        self.walk(node, To::Place(place, Way::Same, node), Position::Inner);
        Some(place)
    }

    fn operands(&mut self, nodes: &[NodeId]) -> Vec<Option<PlaceId>> {
        nodes.iter().map(|&it| self.operand(it)).collect()
    }

    fn walk_all(&mut self, nodes: &[NodeId], to: To) {
        for &node in nodes {
            self.walk(node, to, Position::Inner);
        }
    }

    /// Follows the value of `node`, which goes where `to` says.
    fn walk(&mut self, node: NodeId, to: To, position: Position) {
        let program = self.program;
        let mut node = node;
        loop {
            match &program.nodes[node].kind {
                NodeKind::Const(_) => return,
                NodeKind::Var { var, .. } => return self.send(self.flow.var(*var), node, to),
                NodeKind::Lambda(lambda) => return self.lambda(node, *lambda, to),
                NodeKind::Apply { .. } => return self.call(node, to, position),
                NodeKind::Prim { prim, args } => return self.prim(node, *prim, args, to),
                NodeKind::Let { var, value, body } => {
                    let place = self.flow.var(*var);
                    let to = To::Place(place, Way::Same, *value);
                    self.walk(*value, to, Position::Inner);
                    node = *body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    for (&var, &value) in vars.iter().zip(values) {
                        let place = self.flow.var(var);
                        // Data that holds itself does not end with a frame.
                        if !matches!(program.nodes[value].kind, NodeKind::Lambda(_)) {
                            self.lasts(place);
                        }
                        let to = To::Place(place, Way::Same, value);
                        self.walk(value, to, Position::Inner);
                    }
                    node = *body;
                }
                NodeKind::Seq(parts) => {
                    let Some((&last, before)) = parts.split_last() else { return };
                    self.walk_all(before, To::Nowhere);
                    node = last;
                }
                NodeKind::Assign { var, value } => {
                    let to = To::Place(self.flow.var(*var), Way::Same, node);
                    return self.walk(*value, to, Position::Inner);
                }
                NodeKind::Raise(value) => {
                    let to = To::Place(self.raised, Way::Same, node);
                    return self.walk(*value, to, Position::Inner);
                }
                NodeKind::If { cond, then, otherwise } => {
                    self.walk(*cond, To::Nowhere, Position::Inner);
                    self.walk(*then, to, position);
                    node = *otherwise;
                }
                NodeKind::Switch { value, cases, default } => {
                    self.walk(*value, To::Nowhere, Position::Inner);
                    for (_, case) in cases {
                        self.walk(*case, to, position);
                    }
                    match default {
                        Some(default) => node = *default,
                        None => return,
                    }
                }
                NodeKind::While { cond, body } => {
                    return self.walk_all(&[*cond, *body], To::Nowhere);
                }
                NodeKind::For { from, to: last, body, .. } => {
                    return self.walk_all(&[*from, *last, *body], To::Nowhere);
                }
                NodeKind::Try { body, var, handler } => {
                    let (from, caught) = (self.raised, self.flow.var(*var));
                    self.edge(Edge { from, to: caught, way: Way::Same, cause: node }, false);
                    self.walk(*body, to, Position::Inner);
                    node = *handler;
                }
                NodeKind::Join { join, body, rest } => {
                    let around = self.in_loop;
                    if program.joins[*join].recursive {
                        self.in_loop = Some(self.flow.loops.len());
                        self.flow.loops.push((*join, around));
                    }
                    self.walk(*body, to, position);
                    self.in_loop = around;
                    node = *rest;
                }
                NodeKind::Jump { join, args } => return self.jump(node, *join, args),
                NodeKind::Tuple(parts) | NodeKind::Record(parts) => {
                    return self.object(node, 0, parts, to);
                }
                NodeKind::Construct { args, .. } if args.is_empty() => return,
                NodeKind::Construct { ctor, args } => return self.object(node, *ctor, args, to),
                NodeKind::Array(parts) => return self.array(node, parts, to),
                NodeKind::MakeExn { exn, args } => {
                    let slot = Slot::Payload(exn.index() as u32);
                    let place = self.made(node, to);
                    self.lasts(place);
                    return self.fill(node, place, args, |at| (slot, 0, at));
                }
                NodeKind::TupleGet { tuple, index } => {
                    let slot = Slot::Field(program.ty(*tuple));
                    return self.read(node, *tuple, (slot, 0, *index), to);
                }
                NodeKind::Field { object, ctor, index } => {
                    let slot = Slot::Field(program.ty(*object));
                    return self.read(node, *object, (slot, *ctor, *index), to);
                }
                NodeKind::ExnField { object, exn, index } => {
                    let slot = Slot::Payload(exn.index() as u32);
                    return self.read(node, *object, (slot, 0, *index), to);
                }
                NodeKind::SetField { object, ctor, index, value } => {
                    let slot = Slot::Field(program.ty(*object));
                    let object = self.operand(*object);
                    return self.store(node, object, *value, (slot, *ctor, *index));
                }
            }
        }
    }

    fn lambda(&mut self, node: NodeId, lambda: LambdaId, to: To) {
        let it = &self.program.lambdas[lambda];
        let place = self.made(node, to);
        self.flow.literals.push((place, lambda));
        // The captures of a lifted function travel as arguments, also of tail calls.
        if it.repr != Repr::Flat {
            self.lasts(place);
        }
        for capture in &it.captures {
            if self.is_object(capture.ty) {
                let from = self.flow.var(capture.var);
                self.edge(Edge { from, to: place, way: Way::Into, cause: node }, false);
            }
        }
        let in_loop = self.in_loop.take();
        let function = self.function.replace(lambda);
        let to = To::Place(self.flow.result(lambda), Way::Same, it.body);
        self.walk(it.body, to, Position::Tail);
        self.in_loop = in_loop;
        self.function = function;
    }

    fn object(&mut self, node: NodeId, ctor: u32, parts: &[NodeId], to: To) {
        let slot = Slot::Field(self.program.ty(node));
        let place = self.made(node, to);
        self.fill(node, place, parts, |at| (slot, ctor, at));
    }

    fn array(&mut self, node: NodeId, parts: &[NodeId], to: To) {
        let slot = Slot::Element(self.program.ty(node));
        let place = self.made(node, to);
        self.lasts(place);
        self.fill(node, place, parts, |_| (slot, 0, 0));
    }

    /// Puts the parts into the object that a node makes.
    fn fill(
        &mut self,
        node: NodeId,
        place: PlaceId,
        parts: &[NodeId],
        slot: impl Fn(u32) -> (Slot, u32, u32),
    ) {
        for (at, &part) in parts.iter().enumerate() {
            if !self.is_function(self.program.ty(part)) {
                self.walk(part, To::Place(place, Way::Into, node), Position::Inner);
                continue;
            }
            let Some(from) = self.operand(part) else { continue };
            self.edge(Edge { from, to: place, way: Way::Into, cause: node }, false);
            let to = self.slot(slot(at as u32));
            self.edge(Edge { from, to, way: Way::Stored, cause: node }, true);
        }
    }

    fn slot(&mut self, key: (Slot, u32, u32)) -> PlaceId {
        let places = &mut self.flow.places;
        *self.by_type.entry(key).or_insert_with(|| {
            let (slot, ctor, index) = key;
            places.push(match slot {
                Slot::Field(ty) => Place::Field(ty, ctor, index),
                Slot::Element(ty) => Place::Element(ty),
                Slot::Payload(exn) => {
                    Place::Payload(oxbow_psg::ExnId::from_index(exn as usize), index)
                }
            })
        })
    }

    /// A part of an object is the value of `node`.
    fn read(&mut self, node: NodeId, object: NodeId, slot: (Slot, u32, u32), to: To) {
        let ty = self.program.ty(node);
        if matches!(to, To::Nowhere) || !self.is_object(ty) {
            return self.walk(object, To::Nowhere, Position::Inner);
        }
        let place = self.given(node, to);
        self.walk(object, To::Place(place, Way::Part, node), Position::Inner);
        if self.is_function(ty) {
            let from = self.slot(slot);
            self.edge(Edge { from, to: place, way: Way::Loaded, cause: node }, true);
        }
    }

    /// The value is put into an object that exists.
    fn store(
        &mut self,
        node: NodeId,
        object: Option<PlaceId>,
        value: NodeId,
        slot: (Slot, u32, u32),
    ) {
        let (Some(value_place), Some(object)) = (self.operand(value), object) else { return };
        if self.is_function(self.program.ty(value)) {
            let to = self.slot(slot);
            self.edge(Edge { from: value_place, to, way: Way::Stored, cause: node }, true);
        }
        self.flow.stores.push(Store { object, value: value_place, cause: node });
    }

    fn jump(&mut self, node: NodeId, join: JoinId, args: &[NodeId]) {
        let program = self.program;
        let is_round = self.loops_around().any(|it| it == join);
        for (&arg, &param) in args.iter().zip(&program.joins[join].params) {
            let to = To::Place(self.flow.var(param), Way::Same, node);
            if !is_round || !self.is_object(program.ty(arg)) {
                self.walk(arg, to, Position::Inner);
                continue;
            }
            let Some(place) = self.operand(arg) else { continue };
            self.send(place, arg, to);
            self.flow.carried.push(Carried { join, place, cause: node });
        }
    }

    /// The loops around the node being walked, in its function.
    fn loops_around(&self) -> impl Iterator<Item = JoinId> {
        let loops = &self.flow.loops;
        let mut at = self.in_loop;
        std::iter::from_fn(move || {
            let (join, around) = loops[at?];
            at = around;
            Some(join)
        })
    }

    fn prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId], to: To) {
        let slot = |array: NodeId| (Slot::Element(self.program.ty(array)), 0, 0);
        match moves(prim) {
            Moves::Nothing => self.walk_all(args, To::Nowhere),
            Moves::Reads { object } => {
                let slot = slot(args[object]);
                let others: Vec<NodeId> = skip(args, &[object]);
                self.walk_all(&others, To::Nowhere);
                self.read(node, args[object], slot, to);
            }
            Moves::Puts { value, object } => {
                let slot = slot(args[object]);
                self.walk_all(&skip(args, &[value, object]), To::Nowhere);
                let object = self.operand(args[object]);
                self.store(node, object, args[value], slot);
            }
            Moves::Makes { value } => {
                let slot = slot(node);
                self.walk_all(&skip(args, &[value]), To::Nowhere);
                let place = self.made(node, to);
                self.lasts(place);
                self.fill(node, place, &[args[value]], |_| slot);
            }
            Moves::Copies { from, to } => {
                self.walk_all(&skip(args, &[from, to]), To::Nowhere);
                let places = (self.operand(args[from]), self.operand(args[to]));
                if let (Some(source), Some(object)) = places {
                    let value = self.flow.places.push(Place::Given(node));
                    let way = Way::Part;
                    self.edge(Edge { from: source, to: value, way, cause: node }, false);
                    self.flow.stores.push(Store { object, value, cause: node });
                }
            }
            Moves::Unknown => {
                let outside = self.flow.outside();
                self.walk_all(args, To::Place(outside, Way::Same, node));
                if !matches!(to, To::Nowhere) && self.is_object(self.program.ty(node)) {
                    let place = self.given(node, to);
                    self.send(outside, node, To::Place(place, Way::Same, node));
                }
            }
        }
    }

    fn call(&mut self, node: NodeId, to: To, position: Position) {
        let program = self.program;
        let NodeKind::Apply { func, args, callee } = &program.nodes[node].kind else { return };
        let func_place = self.operand(*func);
        let places = self.operands(args);
        if let Some(function) = self.function.filter(|_| position == Position::Tail) {
            let args = places.iter().flatten().map(|&it| (it, Role::Argument));
            let handed = args.chain(func_place.map(|it| (it, Role::Called)));
            self.flow.handed_on.extend(handed.map(|(place, role)| HandedOn {
                function,
                place,
                cause: node,
                role,
            }));
        }
        let result = match to {
            To::Nowhere => None,
            _ if !self.is_object(program.ty(node)) => None,
            _ => Some(self.given(node, to)),
        };
        match *callee {
            Callee::Known(lambda) => {
                let params = &program.lambdas[lambda].params;
                for ((place, &param), &arg) in places.iter().zip(params).zip(args) {
                    let Some(place) = *place else { continue };
                    let to = To::Place(self.flow.var(param), Way::Enters, node);
                    self.send(place, arg, to);
                }
                if let Some(to) = result {
                    let from = self.flow.result(lambda);
                    let is_function = self.is_function(program.ty(node));
                    self.edge(Edge { from, to, way: Way::Leaves, cause: node }, is_function);
                }
            }
            Callee::Unknown => {
                let Some(func) = func_place else { return };
                if position == Position::Tail {
                    self.flow.called_last.push((func, node));
                }
                let result = result.unwrap_or_else(|| self.given(node, To::Named));
                self.flow.calls.push(Call { node, func, args: places, result });
            }
        }
    }
}

/// A node of this kind has a place of its own when it has been walked, if its value can be an object.
fn has_place(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Lambda(_)
        | NodeKind::Tuple(_)
        | NodeKind::Record(_)
        | NodeKind::Construct { .. }
        | NodeKind::Array(_)
        | NodeKind::MakeExn { .. }
        | NodeKind::Apply { .. }
        | NodeKind::TupleGet { .. }
        | NodeKind::Field { .. }
        | NodeKind::ExnField { .. } => true,
        NodeKind::Prim { prim, .. } => {
            matches!(moves(*prim), Moves::Reads { .. } | Moves::Makes { .. } | Moves::Unknown)
        }
        NodeKind::Const(_)
        | NodeKind::Var { .. }
        | NodeKind::Let { .. }
        | NodeKind::LetRec { .. }
        | NodeKind::Assign { .. }
        | NodeKind::Seq(_)
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::While { .. }
        | NodeKind::For { .. }
        | NodeKind::SetField { .. }
        | NodeKind::Raise(_)
        | NodeKind::Try { .. }
        | NodeKind::Join { .. }
        | NodeKind::Jump { .. } => false,
    }
}

/// The operands other than these.
fn skip(args: &[NodeId], but: &[usize]) -> Vec<NodeId> {
    let others = args.iter().enumerate().filter(|(at, _)| !but.contains(at));
    others.map(|it| *it.1).collect()
}
