//! Which allocated objects may outlive the frame that makes them.
//!
//! ```text
//! let add = fun x -> x + k in add 1 + add 2      called and dropped: bounded by the frame
//! let add = fun x -> x + k in add :: rest        stored: escapes
//! iter (fun x -> r := …) xs                      bounded if `iter` only calls its parameter
//! ```
//!
//! A value escapes if it is returned, raised, assigned, stored in an array or an exception, passed to
//! unknown code, kept by a partial application, carried from the round of a loop that made it to the
//! next, or mentioned in a tail call of the function that made it (its frame is gone when the callee
//! runs; the frames of its callers are not). A call of a known function binds its arguments to the parameters,
//! whose own fate decides: the analysis is interprocedural. What a closure captures escapes with it.
//! A recursive closure that calls itself last hands on what its caller keeps.
//!
//! An object in a tuple, a record or a constructor escapes if the whole does, or if a part of
//! the whole does: a read leads back to everything that lies in an object, however deep.
//!
//! Everything is one graph over variables and allocating nodes, with an edge from what
//! flows to where it flows; escaping spreads against the edges.
//!
//! Phase: Mono. Needs: `closure_repr` (representations and known calls).

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Callee, JoinId, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Repr, Ty, VarId};

/// Objects that may outlive their frame.
pub struct EscapeInfo {
    nodes: IdSet<NodeId>,
}

impl EscapeInfo {
    /// May the object that this node allocates outlive the function's frame?
    pub fn escapes(&self, node: NodeId) -> bool {
        self.nodes.contains(node)
    }
}

/// What a tail call does to the lifetime of what its caller made.
#[derive(Clone, Copy, PartialEq)]
pub enum TailCalls {
    /// The frame is gone when the callee runs.
    EndFrames,
    /// The callee counts as part of its caller: for what does not lie in a frame.
    Continue,
}

/// Finds the allocations of the program that may outlive their frame.
pub fn analyze(program: &Program<Mono>) -> EscapeInfo {
    analyze_with(program, TailCalls::EndFrames)
}

/// The same, with a choice about tail calls.
pub fn analyze_with(program: &Program<Mono>, tail_calls: TailCalls) -> EscapeInfo {
    let mut flow = Flow {
        program,
        tail_calls,
        var_sources: IdMap::new(),
        node_captures: Vec::new(),
        loops: Vec::new(),
        made_in: IdMap::new(),
        carried: Vec::new(),
        function: None,
        frames: IdMap::new(),
        handed_on: Vec::new(),
        node_sources: IdMap::new(),
        escaped_vars: IdSet::new(),
        escaped_nodes: IdSet::new(),
        opened_vars: IdSet::new(),
        opened_nodes: IdSet::new(),
        work: Vec::new(),
    };
    for item in &program.items {
        for root in item.kind.roots() {
            flow.walk(root, Goes::Away, Place::Inner);
        }
        // Module-level variables are read from everywhere.
        for &var in item.kind.vars() {
            flow.escape_var(var);
        }
    }
    flow.end_rounds();
    flow.end_frames();
    flow.spread();
    EscapeInfo { nodes: flow.escaped_nodes }
}

/// What becomes of a node's value.
#[derive(Clone, Copy)]
enum Goes {
    /// Out of the frame.
    Away,
    /// Looked at, then dropped.
    Nowhere,
    /// Bound to a variable.
    To(VarId),
    /// Into the object that a node makes.
    Into(NodeId),
    /// To the next round of a loop, as this variable.
    Next(JoinId, VarId),
    /// To a call in tail position: it is called there, or becomes this variable.
    Last(Option<VarId>),
}

/// Which part of an object goes somewhere.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Itself,
    /// Something that it holds.
    Part,
}

/// Where a node stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// A call here may replace the frame.
    Tail,
    Inner,
}

#[derive(Clone, Copy)]
enum Source {
    Var(VarId),
    Node(NodeId),
}

enum Work {
    /// The object escapes.
    Escaped(Source),
    /// What it holds does.
    Opened(Source),
}

struct Flow<'a> {
    program: &'a Program<Mono>,
    tail_calls: TailCalls,
    /// What flows to a variable.
    var_sources: IdMap<VarId, Vec<(Source, What)>>,
    /// What lies in the object of a node.
    node_sources: IdMap<NodeId, Vec<(Source, What)>>,
    /// Closures and what they capture.
    node_captures: Vec<(NodeId, LambdaId)>,
    /// The loops around the node being walked, in its function.
    loops: Vec<JoinId>,
    /// For each object made in loops, those.
    made_in: IdMap<NodeId, Vec<JoinId>>,
    /// What is carried to the next round.
    carried: Vec<(JoinId, Source)>,
    /// The function being walked.
    function: Option<LambdaId>,
    /// The function that makes an object.
    frames: IdMap<NodeId, Option<LambdaId>>,
    /// What functions mention in tail calls.
    handed_on: Vec<(Option<LambdaId>, Source)>,
    escaped_vars: IdSet<VarId>,
    escaped_nodes: IdSet<NodeId>,
    opened_vars: IdSet<VarId>,
    opened_nodes: IdSet<NodeId>,
    work: Vec<Work>,
}

impl Flow<'_> {
    fn escape_var(&mut self, var: VarId) {
        self.escape(Source::Var(var));
    }

    fn escape_node(&mut self, node: NodeId) {
        self.escape(Source::Node(node));
    }

    fn escape(&mut self, source: Source) {
        let new = match source {
            Source::Var(var) => self.escaped_vars.insert(var),
            Source::Node(node) => self.escaped_nodes.insert(node),
        };
        if new {
            self.work.push(Work::Escaped(source));
        }
    }

    /// What the object holds escapes.
    fn open(&mut self, source: Source) {
        let new = match source {
            Source::Var(var) => self.opened_vars.insert(var),
            Source::Node(node) => self.opened_nodes.insert(node),
        };
        if new {
            self.work.push(Work::Opened(source));
        }
    }

    /// What a round made is overwritten by the next.
    fn end_rounds(&mut self) {
        for (join, source) in std::mem::take(&mut self.carried) {
            for node in self.origins(source) {
                if self.made_in.get(node).is_some_and(|it| it.contains(&join)) {
                    self.escape_node(node);
                }
            }
        }
    }

    /// What a function made is gone when its last call runs.
    fn end_frames(&mut self) {
        for (function, source) in std::mem::take(&mut self.handed_on) {
            for node in self.origins(source) {
                if self.frames.get(node).is_none_or(|it| *it == function) {
                    self.escape_node(node);
                }
            }
        }
    }

    /// The objects that a value may be or hold.
    fn origins(&self, source: Source) -> Vec<NodeId> {
        let (mut vars, mut nodes) = (IdSet::new(), IdSet::new());
        let mut found = Vec::new();
        let mut work = vec![source];
        while let Some(source) = work.pop() {
            let (new, sources) = match source {
                Source::Var(var) => (vars.insert(var), self.var_sources.get(var)),
                Source::Node(node) => (nodes.insert(node), self.node_sources.get(node)),
            };
            if !new {
                continue;
            }
            work.extend(sources.into_iter().flatten().map(|it| it.0));
            if let Source::Node(node) = source {
                found.push(node);
            }
        }
        found
    }

    fn send(&mut self, source: Source, what: What, goes: Goes) {
        match goes {
            Goes::Nowhere => (),
            Goes::Away => match what {
                What::Itself => self.escape(source),
                What::Part => self.open(source),
            },
            Goes::To(target) => {
                self.var_sources.entry_or_insert_with(target, Vec::new).push((source, what))
            }
            Goes::Next(join, target) => {
                self.carried.push((join, source));
                self.var_sources.entry_or_insert_with(target, Vec::new).push((source, what))
            }
            Goes::Into(node) => {
                self.node_sources.entry_or_insert_with(node, Vec::new).push((source, what))
            }
            Goes::Last(target) => {
                self.handed_on.push((self.function, source));
                if let Some(target) = target {
                    self.var_sources.entry_or_insert_with(target, Vec::new).push((source, what));
                }
            }
        }
    }

    /// Follows an object that the function being walked makes.
    fn make(&mut self, node: NodeId, what: What, goes: Goes) {
        if !self.loops.is_empty() {
            self.made_in.insert(node, self.loops.clone());
        }
        self.frames.insert(node, self.function);
        self.send(Source::Node(node), what, goes);
    }

    fn spread(&mut self) {
        let mut captures: IdMap<NodeId, LambdaId> = IdMap::new();
        for &(node, lambda) in &self.node_captures {
            captures.insert(node, lambda);
        }
        while let Some(work) = self.work.pop() {
            match work {
                Work::Escaped(source) => {
                    self.open(source);
                    match source {
                        Source::Var(var) => {
                            for (source, what) in
                                self.var_sources.get(var).cloned().unwrap_or_default()
                            {
                                self.send(source, what, Goes::Away);
                            }
                        }
                        Source::Node(node) => {
                            if let Some(&lambda) = captures.get(node) {
                                let program = self.program;
                                for capture in &program.lambdas[lambda].captures {
                                    self.escape_var(capture.var);
                                }
                            }
                        }
                    }
                }
                Work::Opened(Source::Var(var)) => {
                    for (source, _) in self.var_sources.get(var).cloned().unwrap_or_default() {
                        self.open(source);
                    }
                }
                Work::Opened(Source::Node(node)) => {
                    for (source, what) in self.node_sources.get(node).cloned().unwrap_or_default() {
                        self.send(source, what, Goes::Away);
                    }
                }
            }
        }
    }

    fn walk_all(&mut self, nodes: &[NodeId], goes: Goes) {
        for &node in nodes {
            self.walk(node, goes, Place::Inner);
        }
    }

    /// Follows the value of `node`, which goes where `goes` says.
    fn walk(&mut self, node: NodeId, goes: Goes, place: Place) {
        self.walk_part(node, What::Itself, goes, place);
    }

    /// The same for the value, or for something that it holds.
    fn walk_part(&mut self, node: NodeId, what: What, goes: Goes, place: Place) {
        let program = self.program;
        let mut node = node;
        loop {
            match &program.nodes[node].kind {
                NodeKind::Const(_) => return,
                NodeKind::Var { var, .. } => return self.send(Source::Var(*var), what, goes),
                NodeKind::Lambda(lambda) => return self.lambda(node, *lambda, what, goes),
                NodeKind::Apply { func, args, callee } => {
                    return self.call(node, *func, args, *callee, place);
                }
                NodeKind::Prim { prim, args } => {
                    let looks = matches!(prim, Prim::PhysEq | Prim::PhysNe | Prim::Order(_));
                    return self.walk_all(args, if looks { Goes::Nowhere } else { Goes::Away });
                }
                NodeKind::Let { var, value, body } => {
                    let value_goes =
                        if program.vars[*var].mutable { Goes::Away } else { Goes::To(*var) };
                    self.walk(*value, value_goes, Place::Inner);
                    node = *body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    for (&var, &value) in vars.iter().zip(values) {
                        // Data that holds itself does not end with a frame.
                        let closure = matches!(program.nodes[value].kind, NodeKind::Lambda(_));
                        let value_goes = if closure { Goes::To(var) } else { Goes::Away };
                        self.walk(value, value_goes, Place::Inner);
                    }
                    node = *body;
                }
                NodeKind::Seq(parts) => {
                    let Some((&last, before)) = parts.split_last() else { return };
                    self.walk_all(before, Goes::Nowhere);
                    node = last;
                }
                NodeKind::Assign { value, .. } | NodeKind::Raise(value) => {
                    return self.walk(*value, Goes::Away, Place::Inner);
                }
                NodeKind::If { cond, then, otherwise } => {
                    self.walk(*cond, Goes::Nowhere, Place::Inner);
                    self.walk_part(*then, what, goes, place);
                    node = *otherwise;
                }
                NodeKind::Switch { value, cases, default } => {
                    self.walk(*value, Goes::Nowhere, Place::Inner);
                    for (_, case) in cases {
                        self.walk_part(*case, what, goes, place);
                    }
                    match default {
                        Some(default) => node = *default,
                        None => return,
                    }
                }
                NodeKind::While { cond, body } => {
                    self.walk(*cond, Goes::Nowhere, Place::Inner);
                    return self.walk(*body, Goes::Nowhere, Place::Inner);
                }
                NodeKind::For { from, to, body, .. } => {
                    return self.walk_all(&[*from, *to, *body], Goes::Nowhere);
                }
                NodeKind::Tuple(parts)
                | NodeKind::Record(parts)
                | NodeKind::Construct { args: parts, .. } => {
                    self.make(node, what, goes);
                    return self.walk_all(parts, Goes::Into(node));
                }
                NodeKind::Array(parts) | NodeKind::MakeExn { args: parts, .. } => {
                    self.escape_node(node);
                    return self.walk_all(parts, Goes::Away);
                }
                NodeKind::TupleGet { tuple: object, .. } | NodeKind::Field { object, .. } => {
                    let goes = if self.is_object(node) { goes } else { Goes::Nowhere };
                    return self.walk_part(*object, What::Part, goes, Place::Inner);
                }
                NodeKind::ExnField { object, .. } => {
                    return self.walk(*object, Goes::Nowhere, Place::Inner);
                }
                NodeKind::SetField { object, value, .. } => {
                    self.walk(*object, Goes::Nowhere, Place::Inner);
                    return self.walk(*value, Goes::Away, Place::Inner);
                }
                NodeKind::Try { body, handler, .. } => {
                    self.walk_part(*body, what, goes, Place::Inner);
                    node = *handler;
                }
                NodeKind::Join { join, body, rest } => {
                    let recursive = program.joins[*join].recursive;
                    self.loops.extend(recursive.then_some(*join));
                    self.walk_part(*body, what, goes, place);
                    if recursive {
                        self.loops.pop();
                    }
                    node = *rest;
                }
                NodeKind::Jump { join, args } => {
                    let target = &program.joins[*join];
                    for (&arg, &param) in args.iter().zip(&target.params) {
                        let arg_goes = match self.loops.contains(join) {
                            true => Goes::Next(*join, param),
                            false => Goes::To(param),
                        };
                        self.walk(arg, arg_goes, Place::Inner);
                    }
                    return;
                }
            }
        }
    }

    /// May the value of a node be an object that could lie in a frame, or hold one?
    fn is_object(&self, node: NodeId) -> bool {
        match self.program.types.get(self.program.ty(node)) {
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes => false,
            // What is in them has escaped.
            Ty::Array(_) | Ty::Exn => false,
            Ty::Tuple(_) | Ty::Fn(..) | Ty::Data(..) | Ty::Uniform | Ty::Var(_) => true,
        }
    }

    fn lambda(&mut self, node: NodeId, lambda: LambdaId, what: What, goes: Goes) {
        let program = self.program;
        let it = &program.lambdas[lambda];
        match it.repr {
            Repr::Flat => {
                self.node_captures.push((node, lambda));
                self.make(node, what, goes);
            }
            // Captures travel as arguments, also of tail calls.
            Repr::Lifted | Repr::Undecided => {
                self.escape_node(node);
                for capture in &it.captures {
                    self.escape_var(capture.var);
                }
            }
        }
        let loops = std::mem::take(&mut self.loops);
        let function = self.function.replace(lambda);
        self.walk(it.body, Goes::Away, Place::Tail);
        self.loops = loops;
        self.function = function;
    }

    fn call(&mut self, node: NodeId, func: NodeId, args: &[NodeId], callee: Callee, place: Place) {
        let program = self.program;
        let is_last = place == Place::Tail && self.tail_calls == TailCalls::EndFrames;
        let called = if is_last { Goes::Last(None) } else { Goes::Nowhere };
        match callee {
            Callee::Known(lambda) => {
                self.walk(func, called, Place::Inner);
                for (&arg, &param) in args.iter().zip(&program.lambdas[lambda].params) {
                    let goes = if is_last { Goes::Last(Some(param)) } else { Goes::To(param) };
                    self.walk(arg, goes, Place::Inner);
                }
            }
            Callee::Unknown => {
                // A partial application would keep the closure, and a last call hands it over.
                let partial = matches!(program.types.get(program.ty(node)), Ty::Fn(..));
                let kept = partial || is_last;
                self.walk(func, if kept { Goes::Away } else { Goes::Nowhere }, Place::Inner);
                self.walk_all(args, Goes::Away);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use oxbow_psg::{Mono, NodeKind, Repr, read};

    use super::analyze;

    /// The closures of a program by name, with whether they escape.
    fn closures(text: &str) -> Vec<(String, bool)> {
        let program = match read::read::<Mono>(text) {
            Ok(program) => crate::closure_repr::run(program),
            Err(error) => panic!("{}: {}", error.line, error.message),
        };
        let info = analyze(&program);
        let mut found = Vec::new();
        oxbow_psg::walk::for_each_reachable(&program, |node| {
            if let NodeKind::Lambda(lambda) = program.nodes[node].kind {
                let it = &program.lambdas[lambda];
                if it.repr == Repr::Flat && !it.captures.is_empty() {
                    found.push((
                        it.name.map_or("?".into(), |it| it.to_string()),
                        info.escapes(node),
                    ));
                }
            }
        });
        found.sort();
        found
    }

    /// C3: bounded by the frame when it is only called, not when it is returned.
    #[test]
    fn called_or_returned() {
        let text = "\
let @kept: int -> int -> int =
  fn @kept(k: int) -> int -> int = fn @kept_inner(x: int) captures(k: int) -> int = int.add x, k;
let @pick: bool -> int -> int =
  fn @pick(b: bool, k: int) -> int = {
    let f: int -> int = if b then fn @one(x: int) captures(k: int) -> int = int.add x, k
      else fn @two(x: int) captures(k: int) -> int = int.mul x, k;
    int.add f(1), f(2)
  };
do opaque @kept;
do opaque @pick;
";
        let found = closures(text);
        assert_eq!(
            found,
            [("kept_inner".into(), true), ("one".into(), false), ("two".into(), false)]
        );
    }
}
