//! Where values go: one graph of the whole program, which every analysis of lifetimes and functions asks.
//!
//! ```text
//! let add = fun x -> x + k in add :: rest
//!
//!   Var k ──Into──▶ Made (fun …) ──Same──▶ Var add ──Into──▶ Made (::) ──Same──▶ …
//! ```
//!
//! The nodes of the graph are *places*: variables, results of functions, objects by the node that makes
//! them, values of calls and reads, and fields by their type. An edge says that what is at one place may come to be at
//! the other, in which [`Way`], and which node of the program causes it: a path through the graph can be told to
//! people.
//!
//! Memory is seen in two ways, since two questions are asked. *Where may this object be held?* An object is followed
//! by where it was made: `Into` leads to the object that holds it, `Part` from an object to what is read from it,
//! and what is put into an object that exists is a [`Store`]. *Which functions can this be?* A function
//! is followed by the type and field that it is put into (`Stored`) and read from (`Loaded`), so that no set of
//! objects is needed; `functions` finds these sets, and with them the edges of calls through closures.
//!
//! `build` makes the graph, `prims` says what primitives move, `functions` resolves calls, `lifetime` finds what
//! outlives the frame that makes it and why, `held` what a value may hold, `puts` which arguments a function puts into
//! which.
//!
//! Phase: Mono, anywhere. Linear in the program, but for the sets, which have a limit (see `functions`).

mod build;
mod functions;
mod held;
mod lifetime;
mod prims;
mod puts;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use oxbow_base::{Id, IdMap, IdSet, IdVec, define_id};
use oxbow_psg::{ExnId, JoinId, LambdaId, Mono, NodeId, Program, TyId, VarId};

pub use functions::{Callees, Candidate, Functions};
pub use lifetime::{Lifetime, Step, TailCalls, Why};
pub(crate) use prims::{Moves, moves};
pub use puts::Puts;

define_id!(
    /// A place of the graph.
    pub PlaceId, "p"
);

/// Something that holds values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Code that is not seen: it may keep what it gets, call it, and give it to anybody.
    Outside,
    Var(VarId),
    /// What a function returns.
    Result(LambdaId),
    /// The object, or the closure, that a node makes.
    Made(NodeId),
    /// The value of a node that is a call, a read or an operand.
    Given(NodeId),
    /// A field of all objects of a type that hold functions there.
    Field(TyId, u32, u32),
    /// The elements of all arrays of a type, which are functions.
    Element(TyId),
    /// An argument of an exception, which is a function.
    Payload(ExnId, u32),
    /// What is raised, anywhere.
    Raised,
}

/// How a value comes from one place to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// As it is.
    Same,
    /// As the argument of a call, the edge's cause.
    Enters,
    /// As the result of a call, the edge's cause.
    Leaves,
    /// As a part of an object, or captured by a closure.
    Into,
    /// Something that it holds.
    Part,
    /// Put into a field or element of a type.
    Stored,
    /// Read from one.
    Loaded,
}

/// A value at `from` may come to be at `to`.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: PlaceId,
    pub to: PlaceId,
    pub way: Way,
    pub cause: NodeId,
}

/// A value is put into an object that exists already.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    pub object: PlaceId,
    pub value: PlaceId,
    pub cause: NodeId,
}

/// A call whose function is known by its sets only.
#[derive(Clone, Debug)]
struct Call {
    node: NodeId,
    func: PlaceId,
    /// The places of those arguments that can hold objects.
    args: Vec<Option<PlaceId>>,
    result: PlaceId,
}

/// What a loop carries to its next round.
#[derive(Clone, Copy, Debug)]
struct Carried {
    join: JoinId,
    place: PlaceId,
    cause: NodeId,
}

/// What a function hands to a call that replaces its frame.
#[derive(Clone, Copy, Debug)]
struct HandedOn {
    function: LambdaId,
    place: PlaceId,
    cause: NodeId,
    role: Role,
}

/// What a value is in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Called,
    Argument,
}

/// Where an object is made.
#[derive(Clone, Copy, Debug)]
struct Home {
    function: Option<LambdaId>,
    /// The innermost loop around it in its function, in `Flow::loops`.
    in_loop: Option<usize>,
}

/// The graph of a program.
pub struct Flow {
    places: IdVec<PlaceId, Place>,
    edges: Vec<Edge>,
    /// Edges on which a function may go.
    function_edges: Vec<usize>,
    stores: Vec<Store>,
    /// Those of the program first, then the rests of calls with more arguments than a function takes.
    calls: Vec<Call>,
    written_calls: usize,
    of_node: IdMap<NodeId, PlaceId>,
    homes: IdMap<PlaceId, Home>,
    /// Each loop with the one around it.
    loops: Vec<(JoinId, Option<usize>)>,
    carried: Vec<Carried>,
    handed_on: Vec<HandedOn>,
    /// Function values that are called in tail position, with the call.
    called_last: Vec<(PlaceId, NodeId)>,
    /// Places that no frame outlives.
    lasting: IdSet<PlaceId>,
    vars: usize,
    globals: IdSet<VarId>,
    /// The closure of each literal.
    literals: Vec<(PlaceId, LambdaId)>,
    functions: Functions,
    /// The edges by their ends, and the stores by their values, once somebody asks.
    into: OnceCell<Sorted>,
    out: OnceCell<Sorted>,
    by_value: OnceCell<Vec<usize>>,
}

impl Flow {
    /// The graph of the whole program.
    pub fn new(program: &Program<Mono>) -> Self {
        let mut flow = build::build(program);
        flow.written_calls = flow.calls.len();
        functions::resolve(program, &mut flow);
        flow
    }

    pub fn place(&self, place: PlaceId) -> Place {
        self.places[place]
    }

    /// The place of a variable.
    pub fn var(&self, var: VarId) -> PlaceId {
        PlaceId::from_index(1 + var.index())
    }

    /// The place of what a function returns.
    pub fn result(&self, lambda: LambdaId) -> PlaceId {
        PlaceId::from_index(1 + self.vars + lambda.index())
    }

    pub fn outside(&self) -> PlaceId {
        PlaceId::from_index(0)
    }

    /// The place of a node that makes an object, or whose value is named by the graph.
    pub fn of_node(&self, node: NodeId) -> Option<PlaceId> {
        self.of_node.get(node).copied()
    }

    /// What is put into objects that exist.
    pub fn stores(&self) -> &[Store] {
        &self.stores
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Calls that are not marked as known, with the places of those arguments that can hold objects.
    pub fn calls(&self) -> impl Iterator<Item = (NodeId, &[Option<PlaceId>])> {
        self.calls[..self.written_calls].iter().map(|it| (it.node, &it.args[..]))
    }

    pub fn edge(&self, edge: usize) -> Edge {
        self.edges[edge]
    }

    /// Which functions the places can be.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }
}

/// The edges of a graph by one of their ends.
struct Sorted {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Sorted {
    fn new(places: usize, edges: &[Edge], end: impl Fn(&Edge) -> Option<PlaceId>) -> Self {
        let mut first = vec![0; places + 1];
        for place in edges.iter().filter_map(&end) {
            first[place.index() + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut next = first.clone();
        let mut sorted = vec![0; first[places] as usize];
        for (edge, it) in edges.iter().enumerate() {
            let Some(place) = end(it) else { continue };
            let at = &mut next[place.index()];
            sorted[*at as usize] = edge as u32;
            *at += 1;
        }
        Self { first, edges: sorted }
    }

    /// The numbers of the edges at a place.
    fn at(&self, place: PlaceId) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        let (from, to) = (self.first[place.index()], self.first[place.index() + 1]);
        self.edges[from as usize..to as usize].iter().map(|&it| it as usize)
    }
}
