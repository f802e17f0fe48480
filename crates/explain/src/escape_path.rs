//! Why an object may outlive the frame that makes it: the way from the object to the outside.
//!
//! ```text
//! let add = fun x -> x + k in add :: rest
//!           ^^^^^^^^^^^^^^ an argument of `::`   ^^^^^^^^^^^ which the function returns
//! ```
//!
//! `passes::flow` found the way when it decided; here it is put into words. Names that a value is only bound to on the
//! way are left out.

use oxbow_base::{IdMap, SourceMap};
use oxbow_passes::flow::{Edge, Flow, Functions, Lifetime, Place, Role, Step, TailCalls, Way, Why};
use oxbow_psg::{DataKind, KnownType, LambdaId, Mono, NodeId, NodeKind, Prim, Repr, Ty, VarId};

use crate::graph::Graph;
use crate::history::place;
use crate::model::Reason;

/// The ways of all objects of a program.
pub struct Paths<'a> {
    pub graph: &'a Graph<'a, Mono>,
    pub sources: &'a SourceMap,
    flow: Flow,
    lifetime: Lifetime,
    /// The functions that parameters belong to.
    params: IdMap<VarId, LambdaId>,
}

impl<'a> Paths<'a> {
    pub fn new(graph: &'a Graph<'a, Mono>, sources: &'a SourceMap) -> Self {
        let program = graph.program;
        let flow = Flow::new(program);
        let lifetime = Lifetime::new(program, &flow, TailCalls::EndFrames);
        let mut params = IdMap::new();
        for (lambda, data) in program.lambdas.iter() {
            for &param in &data.params {
                params.insert(param, lambda);
            }
        }
        Self { graph, sources, flow, lifetime, params }
    }

    /// The steps from the object that `node` makes to where it is out of reach; none if it stays.
    pub fn find(&self, node: NodeId) -> Vec<Reason> {
        let steps = self.lifetime.path(&self.flow, node);
        let mut reasons: Vec<Reason> = steps.iter().filter_map(|it| self.reason(it)).collect();
        reasons.dedup();
        shorten(reasons)
    }

    /// Which functions calls can reach.
    pub fn functions(&self) -> &Functions {
        self.flow.functions()
    }

    fn reason(&self, step: &Step) -> Option<Reason> {
        let (text, at) = match step.why {
            Why::Lasting => return None,
            Why::Edge { edge, .. } => {
                let edge = self.flow.edge(edge);
                (self.edge(&edge)?, edge.cause)
            }
            Why::Stored(cause) => match self.graph.program.nodes[cause].kind {
                NodeKind::SetField { .. } => ("it is stored in a field".into(), cause),
                _ => ("it is stored in an array".into(), cause),
            },
            Why::NextRound(cause) => ("the next round of a loop uses it".into(), cause),
            Why::LastCall(cause, Role::Called) => (
                "it is called in tail position: a frame may be gone when its code runs".into(),
                cause,
            ),
            Why::LastCall(cause, Role::Argument) => (
                "it is passed in a tail call: a frame may be gone when the callee runs".into(),
                cause,
            ),
        };
        let span = self.graph.program.span(at);
        if self.sources.file(span.file).is_library {
            return Some(Reason { text: text + ", in the library", place: None });
        }
        Some(Reason { text, place: Some(place(self.sources, span)) })
    }

    fn edge(&self, edge: &Edge) -> Option<String> {
        match edge.way {
            Way::Same => self.same(edge),
            Way::Enters => {
                let Place::Var(param) = self.flow.place(edge.to) else { return None };
                let lambda = *self.params.get(param)?;
                Some(format!("it is passed to {}", self.graph.name(lambda)))
            }
            Way::Into => Some(self.into(edge.cause)),
            Way::Part => Some("it is read from there".into()),
            Way::Leaves | Way::Stored | Way::Loaded => None,
        }
    }

    /// The value comes to another place as it is.
    fn same(&self, edge: &Edge) -> Option<String> {
        let program = self.graph.program;
        let cause = &program.nodes[edge.cause].kind;
        match self.flow.place(edge.to) {
            Place::Result(lambda) => Some(format!("{} returns it", self.graph.name(lambda))),
            Place::Raised => Some("it is raised".into()),
            Place::Var(var) => {
                let data = &program.vars[var];
                let name = data.name.shown();
                match cause {
                    NodeKind::Assign { var: set, .. } if *set == var => {
                        Some(format!("it is assigned to `{name}`"))
                    }
                    _ if data.global => Some(format!("`{name}` is bound at the top level")),
                    _ if data.mutable => Some(format!("it is the value of the mutable `{name}`")),
                    _ => None,
                }
            }
            Place::Outside => Some(match cause {
                NodeKind::Prim { prim: Prim::Opaque, .. } => {
                    "`Sys.opaque_identity` hides it".into()
                }
                NodeKind::Prim { .. } => "it is given to a primitive".into(),
                _ => "it is passed to a function that is not known".into(),
            }),
            Place::Made(_)
            | Place::Given(_)
            | Place::Field(..)
            | Place::Element(_)
            | Place::Payload(..) => None,
        }
    }

    /// The value becomes part of what a node makes.
    fn into(&self, node: NodeId) -> String {
        let graph = self.graph;
        match &graph.program.nodes[node].kind {
            NodeKind::Lambda(lambda) => {
                let name = graph.name(*lambda);
                match graph.program.lambdas[*lambda].repr {
                    Repr::Flat => format!("{name} captures it"),
                    Repr::Lifted | Repr::Undecided => format!("calls of {name} pass it along"),
                }
            }
            NodeKind::Tuple(_) => "it is part of a tuple".into(),
            NodeKind::Record(_) => "it is stored in a record".into(),
            NodeKind::Construct { ctor, .. } => match constructor(graph, node, *ctor) {
                Some(name) => format!("it is an argument of `{name}`"),
                None => "it becomes part of a value".into(),
            },
            NodeKind::MakeExn { .. } => "an exception carries it".into(),
            NodeKind::Apply { .. } => "a partial application keeps it".into(),
            _ => "it is stored in an array".into(),
        }
    }
}

/// Long ways through the library, by where they begin and end: nobody can change what is between.
fn shorten(reasons: Vec<Reason>) -> Vec<Reason> {
    const LONGEST: usize = 3;
    let mut shown = Vec::new();
    for run in reasons.chunk_by(|a, b| a.place.is_none() && b.place.is_none()) {
        let [first, between @ .., last] = run else {
            shown.extend(run.iter().cloned());
            continue;
        };
        if run.len() <= LONGEST {
            shown.extend(run.iter().cloned());
            continue;
        }
        let text = format!("it goes on for {} more steps, in the library", between.len());
        shown.extend([first.clone(), Reason { text, place: None }, last.clone()]);
    }
    shown
}

/// The name of the constructor that a node applies; none for one of a value of Eshkol, which its users do not know.
pub fn constructor(graph: &Graph<'_, Mono>, node: NodeId, ctor: u32) -> Option<String> {
    let types = &graph.program.types;
    let Ty::Data(data, _) = types.get(graph.program.ty(node)) else { return None };
    let decl = &types.datas[*data];
    match &decl.kind {
        DataKind::Variant(ctors) if decl.known != Some(KnownType::Dynamic) => {
            ctors.get(ctor as usize).map(|it| it.name.to_string())
        }
        DataKind::Variant(_) | DataKind::Record(_) => None,
    }
}
