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

mod nodes;
mod prims;

use oxbow_base::{IdMap, IdSet, Span};
use oxbow_diag::ice;
use oxbow_psg::{ExnId, LambdaId, Mono, NodeId, NodeKind, Prim, Program, TyId, VarId, walk};

use super::level::Mode;
use super::shape::{Shape, ShapeId, Shapes, Slot, Types};

pub use prims::differentiable;

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
}
