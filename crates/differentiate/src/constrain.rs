//! What the code of one function demands of the levels of its numbers.
//!
//! ```text
//! fun (x: slot 1) -> x *. k +. y        1 ≤ 5, k ≤ 5 (product), 5 ≤ 6, y ≤ 6 (sum)
//! ```
//!
//! Where a number flows, its level may rise: `a ≤ b`. Inside of containers and functions levels
//! are equal, since the same object is seen from both sides. A call at ambient level `c` of a function
//! demands `c ≤` the slot of its arrow, and the body of a lambda is at the level of that slot. An
//! operator of the library (it contains `%ad` primitives) has two slots of its own: the outer level,
//! not below the ambient level, and the inner level, one deeper, at which its body runs.
//!
//! Derivatives only mean something while their operator runs: a number that a function value or an
//! object yields is used at the ambient level at most, whatever else it carries.
//!
//! A mutable object that is made outside of a derivative and filled inside keeps its numbers when the
//! derivative is done. In forward mode an old tangent would be
//! taken for one of the next derivative; nodes of a tape show how old they are. So numbers that may
//! outlive their derivative are in reverse mode; the payloads of exceptions are always among them.
//!
//! Mentions of global functions are recorded, not followed: each mention may become its own
//! instance. Global data and the payloads of exceptions have one level in the whole program.

use oxbow_base::{IdMap, IdSet, Span};
use oxbow_diag::ice;
use oxbow_psg::{
    DataKind, ExnId, FloatOp, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Ty, TyId, VarId,
    walk,
};

use super::level::Mode;
use super::shape::{Shape, ShapeId, Shapes, Slot, Types};

/// Something that has one level in the whole program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Global {
    Var(VarId),
    Payload(ExnId),
}

/// The demands of one function, or of one item that is no function.
#[derive(Default)]
pub struct Constraints {
    pub shapes: Shapes,
    /// The shape of the function; none for an item.
    pub shape: Option<ShapeId>,
    /// The slots of the function's type; empty for an item.
    pub interface: Vec<Slot>,
    /// The level of the first is not above that of the second.
    pub flows: Vec<(Slot, Slot)>,
    pub scope: Option<Scope>,
    pub mentions: Vec<Mention>,
    pub globals: Vec<(Global, Vec<Slot>)>,
    /// Mutable parts of objects, where these are made.
    pub outliving: Vec<Outliving>,
    /// Numbers made from what is no number, with the ambient level.
    pub opaque: Vec<(NodeId, Slot)>,
    /// Operations that take a number and lose its derivatives, which it must not have.
    pub losing: Vec<(NodeId, Slot)>,
    /// Given derivatives: the slots of value, derivative and argument.
    pub attached: Vec<(NodeId, [Slot; 3])>,
    /// Numbers that are read at an ambient level: what is read, that level, what is used.
    pub cuts: Vec<(Slot, Slot, Slot)>,
    /// The numbers that are copied from one array to another one.
    pub copied: IdMap<NodeId, Slot>,
    pub nodes: IdMap<NodeId, ShapeId>,
    /// The shapes of nodes before the cut.
    pub uncut: IdMap<NodeId, ShapeId>,
    pub vars: IdMap<VarId, ShapeId>,
    /// Slots of exceptions' payloads.
    pub payloads: IdMap<ExnId, Vec<ShapeId>>,
}

/// Numbers in a place that may outlive the derivatives around them.
pub struct Outliving {
    /// The ambient level of the place.
    pub ambient: Slot,
    pub slots: Vec<Slot>,
    /// Where the object is made; none for the payload of an exception.
    pub made: Option<Span>,
}

/// The levels of an operator.
#[derive(Clone, Copy)]
pub struct Scope {
    /// Where the operator is called.
    pub call: Slot,
    pub outer: Slot,
    pub inner: Slot,
    /// The mode that it demands; one that can be forward demands nothing.
    pub mode: Mode,
}

pub struct Mention {
    pub node: NodeId,
    pub function: VarId,
    pub slots: Vec<Slot>,
}

/// Which global variables are functions.
pub struct Functions {
    pub lambdas: IdMap<VarId, LambdaId>,
}

/// The demands of a global function.
pub fn function(
    program: &Program<Mono>,
    types: &mut Types,
    functions: &Functions,
    var: VarId,
) -> Constraints {
    let Some(&lambda) = functions.lambdas.get(var) else { ice!("{var} is no function") };
    let mut walk = Walk::new(program, types, functions);
    let (shape, slots) = walk.fresh(program.vars[var].ty);
    walk.out.interface = slots;
    walk.out.shape = Some(shape);
    let body = program.lambdas[lambda].body;
    walk.lambda(lambda, shape, Some(body));
    walk.out
}

/// The demands of code that runs outside of all derivatives.
pub fn item(
    program: &Program<Mono>,
    types: &mut Types,
    functions: &Functions,
    root: NodeId,
    var: Option<VarId>,
) -> Constraints {
    let mut walk = Walk::new(program, types, functions);
    let ground = walk.out.shapes.slot();
    let ambient = walk.open_scope(root, ground);
    let shape = walk.node(root, ambient);
    if let Some(var) = var {
        let target = walk.global(Global::Var(var), program.vars[var].ty);
        walk.flow(shape, target);
        walk.out.vars.insert(var, target);
        let data = &program.vars[var];
        if data.mutable {
            walk.outlives(ground, (data.ty, target), data.span);
        }
    }
    walk.out
}

struct Walk<'a> {
    program: &'a Program<Mono>,
    types: &'a mut Types,
    functions: &'a Functions,
    out: Constraints,
    /// Local names of global functions.
    aliases: IdMap<VarId, VarId>,
}

impl<'a> Walk<'a> {
    fn new(program: &'a Program<Mono>, types: &'a mut Types, functions: &'a Functions) -> Self {
        Self { program, types, functions, out: Constraints::default(), aliases: IdMap::new() }
    }

    fn fresh(&mut self, ty: TyId) -> (ShapeId, Vec<Slot>) {
        self.out.shapes.fresh(self.types, ty)
    }

    /// If the code is that of an operator: its levels. Answers the level that it runs at.
    fn open_scope(&mut self, root: NodeId, ambient: Slot) -> Slot {
        let mut found = IdSet::<NodeId>::new();
        let (mut forward, mut taylor) = (false, false);
        walk::for_each_node(self.program, root, |node| {
            if let NodeKind::Prim { prim, .. } = self.program.nodes[node].kind
                && prim.is_differentiation()
                && !matches!(prim, Prim::AdConstant | Prim::AdAttach | Prim::AdIsZero)
            {
                found.insert(node);
                forward |= prim == Prim::AdDual;
                taylor |= prim == Prim::AdSeries;
            }
        });
        if found.is_empty() {
            return ambient;
        }
        let (outer, inner) = (self.out.shapes.slot(), self.out.shapes.slot());
        self.le(ambient, outer);
        let mode = match (taylor, forward) {
            (true, _) => Mode::Taylor,
            (false, true) => Mode::Forward,
            (false, false) => Mode::Reverse,
        };
        self.out.scope = Some(Scope { call: ambient, outer, inner, mode });
        inner
    }

    fn scope(&self) -> Scope {
        match self.out.scope {
            Some(scope) => scope,
            None => ice!("a primitive of differentiation outside of an operator"),
        }
    }

    fn le(&mut self, low: Slot, high: Slot) {
        self.out.flows.push((low, high));
    }

    /// A value of the first shape becomes one of the second.
    fn flow(&mut self, from: ShapeId, to: ShapeId) {
        match (self.out.shapes.as_number(from), self.out.shapes.as_number(to)) {
            (Some(from), Some(to)) => self.le(from, to),
            _ => self.out.shapes.merge(from, to),
        }
    }

    fn outlives(&mut self, ambient: Slot, (ty, shape): (TyId, ShapeId), made: Span) {
        let mut slots = self.out.shapes.slots_of(self.types, ty, shape);
        slots.retain(|&it| !self.out.shapes.is_latent(it));
        if !slots.is_empty() {
            self.out.outliving.push(Outliving { ambient, slots, made: Some(made) });
        }
    }

    fn global(&mut self, global: Global, ty: TyId) -> ShapeId {
        let (shape, slots) = self.fresh(ty);
        self.out.globals.push((global, slots));
        shape
    }

    fn var(&mut self, var: VarId) -> ShapeId {
        if let Some(&shape) = self.out.vars.get(var) {
            return shape;
        }
        let ty = self.program.vars[var].ty;
        let shape = if self.program.vars[var].global {
            self.global(Global::Var(var), ty)
        } else {
            self.fresh(ty).0
        };
        self.out.vars.insert(var, shape);
        shape
    }

    /// The global function that a variable stands for.
    fn function_named(&self, var: VarId) -> Option<VarId> {
        if self.functions.lambdas.contains(var) {
            return Some(var);
        }
        self.aliases.get(var).copied()
    }

    fn payload(&mut self, exn: ExnId) -> Vec<ShapeId> {
        if let Some(shapes) = self.out.payloads.get(exn) {
            return shapes.clone();
        }
        let tys: Vec<TyId> = self.types.table.exns[exn].fields.iter().map(|it| it.ty).collect();
        let mut all = Vec::new();
        let mut shapes = Vec::new();
        for ty in tys {
            let (shape, slots) = self.fresh(ty);
            shapes.push(shape);
            all.extend(slots);
        }
        // An exception can be kept anywhere and looked into by a later derivative.
        let outside = self.out.shapes.slot();
        let numbers: Vec<Slot> =
            all.iter().copied().filter(|&it| !self.out.shapes.is_latent(it)).collect();
        self.out.outliving.push(Outliving { ambient: outside, slots: numbers, made: None });
        self.out.globals.push((Global::Payload(exn), all));
        self.out.payloads.insert(exn, shapes.clone());
        shapes
    }

    /// A lambda of this shape. `operator` is the body if it may be that of an operator.
    fn lambda(&mut self, lambda: LambdaId, shape: ShapeId, operator: Option<NodeId>) {
        let program = self.program;
        let lambda = &program.lambdas[lambda];
        let mut at = shape;
        let mut ambient = None;
        for &param in &lambda.params {
            let &Shape::Fn { latent, param: param_shape, result } = self.out.shapes.get(at) else {
                ice!("a lambda of another shape")
            };
            self.out.vars.insert(param, param_shape);
            match ambient {
                None => ambient = Some(latent),
                Some(first) => self.out.shapes.merge_slots(first, latent),
            }
            at = result;
        }
        let Some(mut ambient) = ambient else { ice!("a lambda without parameters") };
        if let Some(root) = operator {
            ambient = self.open_scope(root, ambient);
        }
        let body = self.node(lambda.body, ambient);
        self.flow(body, at);
    }

    fn node(&mut self, node: NodeId, ambient: Slot) -> ShapeId {
        let mut shape = self.shape(node, ambient);
        if let Some(slot) = self.out.shapes.as_number(shape)
            && yields(&self.program.nodes[node].kind)
        {
            let (used, level) = self.out.shapes.number();
            self.out.cuts.push((slot, ambient, level));
            self.out.uncut.insert(node, shape);
            shape = used;
        }
        self.out.nodes.insert(node, shape);
        shape
    }

    fn shape(&mut self, node: NodeId, ambient: Slot) -> ShapeId {
        let program = self.program;
        let ty = program.ty(node);
        match &program.nodes[node].kind {
            NodeKind::Const(_) => self.fresh(ty).0,
            NodeKind::Var { var, .. } => match self.function_named(*var) {
                Some(function) => {
                    let (shape, slots) = self.fresh(ty);
                    self.out.mentions.push(Mention { node, function, slots });
                    shape
                }
                None => self.var(*var),
            },
            NodeKind::Lambda(lambda) => {
                let shape = self.fresh(ty).0;
                self.lambda(*lambda, shape, None);
                shape
            }
            NodeKind::Apply { func, args, .. } => {
                let mut at = self.node(*func, ambient);
                for &arg in args {
                    let arg = self.node(arg, ambient);
                    let &Shape::Fn { latent, param, result } = self.out.shapes.get(at) else {
                        ice!("{node} calls something that is no function")
                    };
                    self.le(ambient, latent);
                    self.flow(arg, param);
                    at = result;
                }
                at
            }
            NodeKind::Prim { prim, args } => self.prim(node, *prim, args, ambient),
            NodeKind::Let { var, value, body } => {
                if let NodeKind::Var { var: named, .. } = program.nodes[*value].kind
                    && let Some(function) = self.function_named(named)
                    && !program.vars[*var].mutable
                {
                    self.aliases.insert(*var, function);
                }
                let value = self.node(*value, ambient);
                let shape = self.var(*var);
                self.flow(value, shape);
                if program.vars[*var].mutable {
                    let data = &program.vars[*var];
                    self.outlives(ambient, (data.ty, shape), data.span);
                }
                self.node(*body, ambient)
            }
            NodeKind::LetRec { vars, values, body } => {
                for &var in vars {
                    self.var(var);
                }
                for (&var, &value) in vars.iter().zip(values) {
                    let value = self.node(value, ambient);
                    let var = self.var(var);
                    self.flow(value, var);
                }
                self.node(*body, ambient)
            }
            NodeKind::Assign { var, value } => {
                let value = self.node(*value, ambient);
                let var = self.var(*var);
                self.flow(value, var);
                self.fresh(ty).0
            }
            NodeKind::Seq(items) => {
                let mut last = None;
                for &item in items {
                    last = Some(self.node(item, ambient));
                }
                last.unwrap_or_else(|| ice!("{node} is an empty sequence"))
            }
            NodeKind::If { cond, then, otherwise } => {
                self.node(*cond, ambient);
                self.branches(ty, [*then, *otherwise], ambient)
            }
            NodeKind::Switch { value, cases, default } => {
                self.node(*value, ambient);
                self.branches(ty, cases.iter().map(|it| it.1).chain(*default), ambient)
            }
            NodeKind::While { cond, body } => {
                self.node(*cond, ambient);
                self.node(*body, ambient);
                self.fresh(ty).0
            }
            NodeKind::For { var, from, to, body, .. } => {
                self.var(*var);
                for &it in [from, to, body] {
                    self.node(it, ambient);
                }
                self.fresh(ty).0
            }
            NodeKind::Tuple(items) => {
                let shape = self.fresh(ty).0;
                let parts = match self.out.shapes.get(shape) {
                    Shape::Tuple(parts) => parts.clone(),
                    _ => Vec::new(),
                };
                self.fill(items, &parts, ambient);
                shape
            }
            NodeKind::TupleGet { tuple, index } => {
                let tuple = self.node(*tuple, ambient);
                match self.out.shapes.get(tuple) {
                    Shape::Tuple(parts) => parts[*index as usize],
                    _ => self.fresh(ty).0,
                }
            }
            NodeKind::Record(items) => self.construct(node, 0, items, ambient),
            NodeKind::Construct { ctor, args } => self.construct(node, *ctor, args, ambient),
            NodeKind::Field { object, ctor, index } => {
                let object = self.node(*object, ambient);
                self.field(object, *ctor, *index, ty)
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let (value_ty, value) = (program.ty(*value), self.node(*value, ambient));
                let object = self.node(*object, ambient);
                let field = self.field(object, *ctor, *index, value_ty);
                self.flow(value, field);
                self.fresh(ty).0
            }
            NodeKind::Array(items) => {
                let shape = self.fresh(ty).0;
                let parts = match *self.out.shapes.get(shape) {
                    Shape::Array(item) => vec![item; items.len()],
                    _ => Vec::new(),
                };
                self.fill(items, &parts, ambient);
                self.outlives(ambient, (ty, shape), program.span(node));
                shape
            }
            NodeKind::MakeExn { exn, args } => {
                let parts = self.payload(*exn);
                self.fill(args, &parts, ambient);
                self.fresh(ty).0
            }
            NodeKind::ExnField { object, exn, index } => {
                self.node(*object, ambient);
                self.payload(*exn)[*index as usize]
            }
            NodeKind::Raise(value) => {
                self.node(*value, ambient);
                self.fresh(ty).0
            }
            NodeKind::Try { body, var, handler } => {
                self.var(*var);
                self.branches(ty, [*body, *handler], ambient)
            }
            NodeKind::Join { join, body, rest } => {
                for &param in &program.joins[*join].params {
                    self.var(param);
                }
                self.branches(ty, [*body, *rest], ambient)
            }
            NodeKind::Jump { join, args } => {
                for (&arg, &param) in args.iter().zip(&program.joins[*join].params) {
                    let arg = self.node(arg, ambient);
                    let param = self.var(param);
                    self.flow(arg, param);
                }
                self.fresh(ty).0
            }
        }
    }

    /// The common shape of the results of several ways.
    fn branches(
        &mut self,
        ty: TyId,
        nodes: impl IntoIterator<Item = NodeId>,
        ambient: Slot,
    ) -> ShapeId {
        let shape = self.fresh(ty).0;
        for node in nodes {
            let branch = self.node(node, ambient);
            self.flow(branch, shape);
        }
        shape
    }

    /// `items` become the parts of an object; a plain object has none.
    fn fill(&mut self, items: &[NodeId], parts: &[ShapeId], ambient: Slot) {
        for (place, &item) in items.iter().enumerate() {
            let item = self.node(item, ambient);
            if let Some(&part) = parts.get(place) {
                self.flow(item, part);
            }
        }
    }

    fn construct(&mut self, node: NodeId, ctor: u32, args: &[NodeId], ambient: Slot) -> ShapeId {
        let ty = self.program.ty(node);
        let shape = self.fresh(ty).0;
        let parts = match self.out.shapes.get(shape) {
            Shape::Data(ctors) => ctors[ctor as usize].clone(),
            _ => Vec::new(),
        };
        self.fill(args, &parts, ambient);
        if !parts.is_empty() {
            let tys = self.types.fields(ty);
            for place in self.mutable_fields(ty, ctor) {
                let part = (tys[ctor as usize][place], parts[place]);
                self.outlives(ambient, part, self.program.span(node));
            }
        }
        shape
    }

    /// The places of the mutable fields of a constructor.
    fn mutable_fields(&self, ty: TyId, ctor: u32) -> Vec<usize> {
        let table = &self.types.table;
        let Ty::Data(data, _) = *table.get(ty) else { return Vec::new() };
        let fields = match &table.datas[data].kind {
            DataKind::Record(fields) => fields,
            DataKind::Variant(ctors) => &ctors[ctor as usize].fields,
        };
        (0..fields.len()).filter(|&it| fields[it].mutable).collect()
    }

    fn field(&mut self, object: ShapeId, ctor: u32, index: u32, ty: TyId) -> ShapeId {
        match self.out.shapes.get(object) {
            Shape::Data(ctors) => ctors[ctor as usize][index as usize],
            _ => self.fresh(ty).0,
        }
    }

    fn item_of(&mut self, array: ShapeId, ty: TyId) -> ShapeId {
        match *self.out.shapes.get(array) {
            Shape::Array(item) => item,
            _ => self.fresh(ty).0,
        }
    }

    /// Copied numbers are read and written one by one; other items are the same objects.
    fn blit(&mut self, node: NodeId, from: ShapeId, into: ShapeId, ambient: Slot) {
        let (&Shape::Array(source), &Shape::Array(target)) =
            (self.out.shapes.get(from), self.out.shapes.get(into))
        else {
            return;
        };
        match (self.out.shapes.as_number(source), self.out.shapes.as_number(target)) {
            (Some(source), Some(target)) => {
                let copied = self.out.shapes.slot();
                self.out.cuts.push((source, ambient, copied));
                self.le(copied, target);
                self.out.copied.insert(node, copied);
            }
            _ => self.out.shapes.merge(from, into),
        }
    }

    fn slot_of(&self, shape: ShapeId) -> Slot {
        match self.out.shapes.as_number(shape) {
            Some(slot) => slot,
            None => ice!("a number has another shape"),
        }
    }

    fn prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId], ambient: Slot) -> ShapeId {
        let ty = self.program.ty(node);
        let shapes: Vec<ShapeId> = args.iter().map(|&it| self.node(it, ambient)).collect();
        match prim {
            Prim::ArrayGet => return self.item_of(shapes[0], ty),
            Prim::ArraySet => {
                let item = self.item_of(shapes[0], self.program.ty(args[2]));
                self.flow(shapes[2], item);
            }
            Prim::ArrayMake => {
                let array = self.fresh(ty).0;
                let item = self.item_of(array, self.program.ty(args[1]));
                self.flow(shapes[1], item);
                self.outlives(ambient, (ty, array), self.program.span(node));
                return array;
            }
            Prim::ArrayBlit => self.blit(node, shapes[0], shapes[2], ambient),
            Prim::Opaque => return shapes[0],
            Prim::ParseFloat
            | Prim::FloatOfBits
            | Prim::FloatOfBits32
            | Prim::FiberNew
            | Prim::FiberResume
            | Prim::FiberSuspend => {
                self.out.opaque.push((node, ambient));
            }
            Prim::Foreign { .. } | Prim::Float32OfFloat => {
                let float = self.program.types.float;
                for (&arg, &shape) in args.iter().zip(&shapes) {
                    if self.program.ty(arg) == float {
                        let slot = self.slot_of(shape);
                        self.out.losing.push((node, slot));
                    }
                }
            }
            _ => (),
        }
        let (result, slots) = self.fresh(ty);
        if prim == Prim::ArrayUninit {
            self.outlives(ambient, (ty, result), self.program.span(node));
        }
        for operand in differentiable(prim) {
            let from = self.slot_of(shapes[*operand]);
            self.le(from, slots[0]);
        }
        match prim {
            Prim::AdDual | Prim::AdVariable => {
                let Scope { call, outer, inner, .. } = self.scope();
                // The derivative that begins here is not part of what it begins with, even if an
                // array is used inside and outside.
                for shape in shapes {
                    if let Some(from) = self.out.shapes.as_number(shape) {
                        self.out.cuts.push((from, call, outer));
                    }
                }
                self.le(inner, slots[0]);
            }
            Prim::AdOuter => {
                let Scope { call, outer, .. } = self.scope();
                let from = self.slot_of(shapes[0]);
                self.out.cuts.push((from, call, slots[0]));
                self.le(slots[0], outer);
            }
            Prim::AdPrimal | Prim::AdTangent => {
                let Scope { outer, inner, .. } = self.scope();
                let from = self.slot_of(shapes[0]);
                self.le(from, inner);
                self.le(outer, slots[0]);
            }
            Prim::AdIndex => {
                let inner = self.scope().inner;
                let from = self.slot_of(shapes[0]);
                self.le(from, inner);
            }
            Prim::AdAttach => {
                let operands = [0, 1, 2].map(|it| self.slot_of(shapes[it]));
                self.out.attached.push((node, operands));
            }
            Prim::AdSeries => {
                let Scope { outer, inner, .. } = self.scope();
                let item = self.item_of(shapes[0], ty);
                let item = self.slot_of(item);
                self.out.shapes.merge_slots(outer, item);
                self.le(inner, slots[0]);
            }
            Prim::AdCoefficients => {
                let Scope { outer, inner, .. } = self.scope();
                let from = self.slot_of(shapes[0]);
                self.le(from, inner);
                self.out.shapes.merge_slots(outer, slots[0]);
            }
            Prim::AdTape => {
                let outer = self.scope().outer;
                for slot in slots {
                    self.out.shapes.merge_slots(outer, slot);
                }
            }
            _ => (),
        }
        result
    }
}

/// Whether a node reads a number that may have been made elsewhere.
fn yields(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Var { .. }
        | NodeKind::Apply { .. }
        | NodeKind::TupleGet { .. }
        | NodeKind::Field { .. }
        | NodeKind::ExnField { .. }
        | NodeKind::Prim { prim: Prim::ArrayGet, .. } => true,
        NodeKind::Const(_)
        | NodeKind::Lambda(_)
        | NodeKind::Prim { .. }
        | NodeKind::Let { .. }
        | NodeKind::LetRec { .. }
        | NodeKind::Assign { .. }
        | NodeKind::Seq(_)
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::While { .. }
        | NodeKind::For { .. }
        | NodeKind::Tuple(_)
        | NodeKind::Record(_)
        | NodeKind::Construct { .. }
        | NodeKind::SetField { .. }
        | NodeKind::Array(_)
        | NodeKind::MakeExn { .. }
        | NodeKind::Raise(_)
        | NodeKind::Try { .. }
        | NodeKind::Join { .. }
        | NodeKind::Jump { .. } => false,
    }
}

/// The operands on which the result depends continuously.
pub fn differentiable(prim: Prim) -> &'static [usize] {
    match prim {
        Prim::Float(FloatOp::Ceil | FloatOp::Floor | FloatOp::Trunc | FloatOp::Round) => &[],
        Prim::Float(FloatOp::CopySign | FloatOp::NextAfter)
        | Prim::FloatLdexp
        | Prim::FloatFrexpMantissa => &[0],
        Prim::Float(op) => match op.arity() {
            1 => &[0],
            2 => &[0, 1],
            _ => &[0, 1, 2],
        },
        // The derivative operand only has to reach the level of the others.
        Prim::AdAttach => &[0, 2],
        _ => &[],
    }
}
