//! Which allocated objects may outlive the frame that makes them.
//!
//! ```text
//! let add = fun x -> x + k in add 1 + add 2      called and dropped: bounded by the frame
//! let add = fun x -> x + k in add :: rest        stored: escapes
//! iter (fun x -> r := …) xs                      bounded if `iter` only calls its parameter
//! ```
//!
//! A value escapes if it is returned, raised, assigned, stored in an object, passed to
//! unknown code, kept by a partial application, carried from one round of a loop to the
//! next, or mentioned in a tail call (the frame is gone when the callee runs). A call of a
//! known function binds its arguments to the parameters, whose own fate decides: the
//! analysis is interprocedural. What a closure captures escapes with it.
//!
//! Everything is one graph over variables and allocating nodes, with an edge from what
//! flows to where it flows; escaping spreads against the edges.
//!
//! Phase: Mono. Needs: `closure_repr` (representations and known calls). Parts of objects
//! are taken to escape: a field read does not lead back to what was stored.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Callee, LambdaId, Mono, NodeId, NodeKind, Prim, Program, Repr, Ty, VarId};

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
        escaped_vars: IdSet::new(),
        escaped_nodes: IdSet::new(),
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

enum Escaped {
    Var(VarId),
    Node(NodeId),
}

struct Flow<'a> {
    program: &'a Program<Mono>,
    tail_calls: TailCalls,
    /// What flows to a variable.
    var_sources: IdMap<VarId, Vec<Source>>,
    /// Closures and what they capture.
    node_captures: Vec<(NodeId, LambdaId)>,
    escaped_vars: IdSet<VarId>,
    escaped_nodes: IdSet<NodeId>,
    work: Vec<Escaped>,
}

impl Flow<'_> {
    fn escape_var(&mut self, var: VarId) {
        if self.escaped_vars.insert(var) {
            self.work.push(Escaped::Var(var));
        }
    }

    fn escape_node(&mut self, node: NodeId) {
        if self.escaped_nodes.insert(node) {
            self.work.push(Escaped::Node(node));
        }
    }

    fn send(&mut self, source: Source, goes: Goes) {
        match (goes, source) {
            (Goes::Nowhere, _) => (),
            (Goes::Away, Source::Var(var)) => self.escape_var(var),
            (Goes::Away, Source::Node(node)) => self.escape_node(node),
            (Goes::To(target), _) => {
                self.var_sources.entry_or_insert_with(target, Vec::new).push(source)
            }
        }
    }

    fn spread(&mut self) {
        let mut captures: IdMap<NodeId, LambdaId> = IdMap::new();
        for &(node, lambda) in &self.node_captures {
            captures.insert(node, lambda);
        }
        while let Some(escaped) = self.work.pop() {
            match escaped {
                Escaped::Var(var) => {
                    for source in self.var_sources.remove(var).unwrap_or_default() {
                        self.send(source, Goes::Away);
                    }
                }
                Escaped::Node(node) => {
                    if let Some(&lambda) = captures.get(node) {
                        let program = self.program;
                        for capture in &program.lambdas[lambda].captures {
                            self.escape_var(capture.var);
                        }
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
        let program = self.program;
        let mut node = node;
        loop {
            match &program.nodes[node].kind {
                NodeKind::Const(_) => return,
                NodeKind::Var { var, .. } => return self.send(Source::Var(*var), goes),
                NodeKind::Lambda(lambda) => return self.lambda(node, *lambda, goes),
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
                        self.walk(value, Goes::To(var), Place::Inner);
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
                    self.walk(*then, goes, place);
                    node = *otherwise;
                }
                NodeKind::Switch { value, cases, default } => {
                    self.walk(*value, Goes::Nowhere, Place::Inner);
                    for (_, case) in cases {
                        self.walk(*case, goes, place);
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
                    self.send(Source::Node(node), goes);
                    return self.walk_all(parts, Goes::Away);
                }
                NodeKind::Array(parts) | NodeKind::MakeExn { args: parts, .. } => {
                    self.escape_node(node);
                    return self.walk_all(parts, Goes::Away);
                }
                NodeKind::TupleGet { tuple: object, .. }
                | NodeKind::Field { object, .. }
                | NodeKind::ExnField { object, .. } => {
                    return self.walk(*object, Goes::Nowhere, Place::Inner);
                }
                NodeKind::SetField { object, value, .. } => {
                    self.walk(*object, Goes::Nowhere, Place::Inner);
                    return self.walk(*value, Goes::Away, Place::Inner);
                }
                NodeKind::Try { body, handler, .. } => {
                    self.walk(*body, goes, Place::Inner);
                    node = *handler;
                }
                NodeKind::Join { body, rest, .. } => {
                    self.walk(*body, goes, place);
                    node = *rest;
                }
                NodeKind::Jump { join, args } => {
                    let target = &program.joins[*join];
                    for (&arg, &param) in args.iter().zip(&target.params) {
                        // A loop's next round would overwrite what this one made.
                        let arg_goes = if target.recursive { Goes::Away } else { Goes::To(param) };
                        self.walk(arg, arg_goes, Place::Inner);
                    }
                    return;
                }
            }
        }
    }

    fn lambda(&mut self, node: NodeId, lambda: LambdaId, goes: Goes) {
        let program = self.program;
        let it = &program.lambdas[lambda];
        match it.repr {
            Repr::Flat => {
                self.node_captures.push((node, lambda));
                self.send(Source::Node(node), goes);
            }
            // Captures travel as arguments, also of tail calls.
            Repr::Lifted | Repr::Undecided => {
                self.escape_node(node);
                for capture in &it.captures {
                    self.escape_var(capture.var);
                }
            }
        }
        self.walk(it.body, Goes::Away, Place::Tail);
    }

    fn call(&mut self, node: NodeId, func: NodeId, args: &[NodeId], callee: Callee, place: Place) {
        let program = self.program;
        if place == Place::Tail && self.tail_calls == TailCalls::EndFrames {
            self.walk(func, Goes::Away, Place::Inner);
            return self.walk_all(args, Goes::Away);
        }
        match callee {
            Callee::Known(lambda) => {
                self.walk(func, Goes::Nowhere, Place::Inner);
                for (&arg, &param) in args.iter().zip(&program.lambdas[lambda].params) {
                    self.walk(arg, Goes::To(param), Place::Inner);
                }
            }
            Callee::Unknown => {
                // A partial application would keep the closure.
                let partial = matches!(program.types.get(program.ty(node)), Ty::Fn(..));
                self.walk(func, if partial { Goes::Away } else { Goes::Nowhere }, Place::Inner);
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
