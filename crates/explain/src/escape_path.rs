//! Why an object may outlive the frame that makes it: a way from the object to the outside.
//!
//! ```text
//! let add = fun x -> x + k in add :: rest
//!           ^^^^^^^^^^^^^^ bound to `add`   ^^^^^^^^^^^ which is stored in an object
//! ```
//!
//! The passes decide whether an object escapes; this finds a reason to show, by following the
//! value the way `passes::escape` describes. It finds one way, not all.

use oxbow_base::{IdSet, SourceMap};
use oxbow_psg::{Callee, Mono, NodeId, NodeKind, Prim, Repr, Ty, VarId};

use crate::graph::Graph;
use crate::history::place;
use crate::model::Reason;

/// The steps from the object that `node` makes to where it is out of reach, the last one first
/// said; none if no way is found.
pub fn find(graph: &Graph<'_, Mono>, sources: &SourceMap, node: NodeId) -> Vec<Reason> {
    let home = graph.function_around(node);
    let mut search = Search { graph, sources, home, seen: IdSet::new() };
    search.value(node).unwrap_or_default()
}

struct Search<'a> {
    graph: &'a Graph<'a, Mono>,
    sources: &'a SourceMap,
    /// The function that makes the object.
    home: Option<NodeId>,
    seen: IdSet<VarId>,
}

type Way = Option<Vec<Reason>>;

impl Search<'_> {
    fn step(&self, text: impl Into<String>, at: NodeId) -> Reason {
        let span = self.graph.program.span(at);
        if self.sources.file(span.file).is_library {
            return Reason { text: text.into() + ", in the library", place: None };
        }
        Reason { text: text.into(), place: Some(place(self.sources, span)) }
    }

    fn end(&self, text: impl Into<String>, at: NodeId) -> Way {
        Some(vec![self.step(text, at)])
    }

    fn after(&self, text: impl Into<String>, at: NodeId, rest: Way) -> Way {
        let mut steps = vec![self.step(text, at)];
        steps.extend(rest?);
        Some(steps)
    }

    /// What becomes of the value of `node`.
    fn value(&mut self, node: NodeId) -> Way {
        let graph = self.graph;
        let program = graph.program;
        let Some(parent) = graph.parent(node) else {
            let var = graph.items.get(node)?;
            let name = program.vars[*var].name;
            return self.end(format!("`{name}` is bound at the top level"), node);
        };
        match &program.nodes[parent].kind {
            NodeKind::Lambda(lambda) => {
                self.end(format!("{} returns it", graph.name(*lambda)), node)
            }
            NodeKind::Let { var, value, .. } if *value == node => self.bound(*var, node),
            NodeKind::LetRec { vars, values, .. } if values.contains(&node) => {
                let at = values.iter().position(|&it| it == node)?;
                self.bound(vars[at], node)
            }
            NodeKind::Let { .. } | NodeKind::LetRec { .. } | NodeKind::Try { .. } => {
                self.value(parent)
            }
            NodeKind::Join { .. } => self.value(parent),
            NodeKind::Seq(parts) => match parts.last() {
                Some(&last) if last == node => self.value(parent),
                _ => None,
            },
            NodeKind::If { cond, .. } if *cond == node => None,
            NodeKind::Switch { value, .. } if *value == node => None,
            NodeKind::If { .. } | NodeKind::Switch { .. } => self.value(parent),
            NodeKind::Apply { .. } => self.call(parent, node),
            NodeKind::Prim { prim, .. } => match prim {
                Prim::PhysEq | Prim::PhysNe | Prim::Order(_) => None,
                Prim::ArraySet | Prim::ArrayMake => self.end("it is stored in an array", parent),
                Prim::Opaque => self.end("`Sys.opaque_identity` hides it", parent),
                _ => self.end("it is given to a primitive", parent),
            },
            NodeKind::Assign { var, .. } => {
                let name = program.vars[*var].name;
                self.end(format!("it is assigned to `{name}`"), parent)
            }
            NodeKind::SetField { value, .. } if *value == node => {
                self.end("it is stored in a field", parent)
            }
            NodeKind::Raise(_) => self.end("it is raised", parent),
            NodeKind::Tuple(_) => self.end("it is part of a tuple", parent),
            NodeKind::Record(_) => self.end("it is stored in a record", parent),
            NodeKind::Construct { ctor, .. } => {
                let name = constructor(graph, parent, *ctor);
                self.end(format!("it is an argument of `{name}`"), parent)
            }
            NodeKind::Array(_) => self.end("it is stored in an array", parent),
            NodeKind::MakeExn { .. } => self.end("an exception carries it", parent),
            NodeKind::Jump { join, args } => {
                let at = args.iter().position(|&it| it == node)?;
                let target = &program.joins[*join];
                if target.recursive {
                    return self.end("the next round of a loop uses it", parent);
                }
                self.bound(*target.params.get(at)?, node)
            }
            NodeKind::Const(_)
            | NodeKind::Var { .. }
            | NodeKind::While { .. }
            | NodeKind::For { .. }
            | NodeKind::TupleGet { .. }
            | NodeKind::Field { .. }
            | NodeKind::SetField { .. }
            | NodeKind::ExnField { .. } => None,
        }
    }

    /// What becomes of a variable's value.
    fn bound(&mut self, var: VarId, node: NodeId) -> Way {
        self.bound_in(var, node, self.graph.function_around(node))
    }

    /// The same of a variable that the function `home` binds, with `node` as its value.
    fn bound_in(&mut self, var: VarId, node: NodeId, home: Option<NodeId>) -> Way {
        let graph = self.graph;
        let data = &graph.program.vars[var];
        if data.mutable {
            return self.end(format!("it is the value of the mutable `{}`", data.name), node);
        }
        if !self.seen.insert(var) {
            return None;
        }
        for &mention in graph.mentions(var) {
            if let Some(way) = self.value(mention) {
                return Some(way);
            }
            if let Some(way) = self.captured(mention, home) {
                return Some(way);
            }
        }
        None
    }

    /// The functions between a mention and the frame of the variable carry it with them.
    fn captured(&mut self, mention: NodeId, home: Option<NodeId>) -> Way {
        let graph = self.graph;
        let mut at = graph.function_around(mention);
        while let Some(function) = at.filter(|_| at != home) {
            if let NodeKind::Lambda(lambda) = graph.program.nodes[function].kind {
                let name = graph.name(lambda);
                if graph.program.lambdas[lambda].repr != Repr::Flat {
                    return self.end(format!("calls of {name} pass it along"), function);
                }
                if let Some(way) = self.value(function) {
                    return self.after(format!("{name} captures it"), function, Some(way));
                }
            }
            at = graph.function_around(function);
        }
        None
    }

    fn call(&mut self, call: NodeId, node: NodeId) -> Way {
        let graph = self.graph;
        let NodeKind::Apply { func, args, callee } = &graph.program.nodes[call].kind else {
            return None;
        };
        // What the frame of a caller holds is there as long as the call takes.
        let ends = graph.function_around(call) == self.home;
        if (ends || *callee == Callee::Unknown) && self.is_tail(call) {
            let text = if *func == node {
                "it is called in tail position: a frame may be gone when its code runs"
            } else {
                "it is passed in a tail call: a frame may be gone when the callee runs"
            };
            return self.end(text, call);
        }
        match callee {
            Callee::Unknown if *func == node => {
                let partial = matches!(graph.program.types.get(graph.program.ty(call)), Ty::Fn(..));
                partial.then(|| vec![self.step("a partial application keeps it", call)])
            }
            Callee::Unknown => self.end("it is passed to a function that is not known", call),
            Callee::Known(_) if *func == node => None,
            Callee::Known(lambda) => {
                let at = args.iter().position(|&it| it == node)?;
                let param = *graph.program.lambdas[*lambda].params.get(at)?;
                let rest = self.bound_in(param, node, graph.node_of(*lambda));
                self.after(format!("it is passed to {}", graph.name(*lambda)), call, rest)
            }
        }
    }

    /// Nothing of the function runs after this call.
    fn is_tail(&self, call: NodeId) -> bool {
        let graph = self.graph;
        let mut at = call;
        while let Some(parent) = graph.parent(at) {
            let goes_on = match &graph.program.nodes[parent].kind {
                NodeKind::Lambda(_) => return true,
                NodeKind::Let { body, .. } | NodeKind::LetRec { body, .. } => *body == at,
                NodeKind::Seq(parts) => parts.last() == Some(&at),
                NodeKind::If { cond, .. } => *cond != at,
                NodeKind::Switch { value, .. } => *value != at,
                NodeKind::Join { .. } => true,
                NodeKind::Try { handler, .. } => *handler == at,
                _ => false,
            };
            if !goes_on {
                return false;
            }
            at = parent;
        }
        false
    }
}

/// The name of the constructor that a node applies.
pub fn constructor(graph: &Graph<'_, Mono>, node: NodeId, ctor: u32) -> String {
    let types = &graph.program.types;
    if let Ty::Data(data, _) = types.get(graph.program.ty(node))
        && let oxbow_psg::DataKind::Variant(ctors) = &types.datas[*data].kind
        && let Some(ctor) = ctors.get(ctor as usize)
    {
        return ctor.name.to_string();
    }
    "a constructor".into()
}
