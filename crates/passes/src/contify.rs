//! Turns local functions that always return to the same place into join points, and
//! self tail calls into loops.
//!
//! ```text
//! before   let rec loop i acc = if i > n then acc else loop (i + 1) (acc + i) in
//!          let s = loop 0 0 in …
//! after    let s = join loop i acc = if i > n then acc else jump loop (i + 1) (acc + i) in
//!                  jump loop 0 0 in …
//! ```
//!
//! A function qualifies if every mention is a saturated call, the calls inside its own
//! body are tail calls, and all others are in tail position of one and the same piece
//! of code: its *root*. The join is put around that root, also if it lies inside a
//! lambda. Functions of one recursive group of which only one is called from outside
//! are nested into that one first.
//!
//! Phase: Mono -> Mono. Needs: nothing; marks known calls itself. A few rounds, since
//! one join point may bring the calls of another function to one root.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Join, JoinId, LambdaId, Mono, NodeId, NodeKind, Program, VarId, captures, walk};

use crate::called_at::Library;
use crate::known_calls;

const ROUNDS: usize = 4;

/// Makes join points and loops.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    for _ in 0..ROUNDS {
        let nested = nest_groups(&mut program);
        let joined = join_locals(&mut program);
        if !nested && !joined {
            break;
        }
    }
    make_loops(&mut program);
    known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    program
}

/// Where a function is called from.
#[derive(Default)]
struct Calls {
    /// Some mention is no saturated call, or a call in its own body is no tail call.
    escapes: bool,
    /// The root of the calls from outside; `Several` if there is more than one.
    outside: Outside,
    /// Calls in tail position of its own body.
    inside: Vec<NodeId>,
    outside_calls: Vec<NodeId>,
    /// The lambdas (of the same recursive group) whose bodies call it, in tail position.
    callers: Vec<LambdaId>,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Outside {
    #[default]
    Nowhere,
    Root(NodeId),
    Several,
}

struct Scan<'a> {
    program: &'a Program<Mono>,
    known: IdMap<VarId, LambdaId>,
    calls: IdMap<LambdaId, Calls>,
    /// The root in which a binding stands in tail position.
    binding_root: IdMap<NodeId, NodeId>,
    /// Local bindings of lambdas, an outer one before those inside.
    bindings: Vec<NodeId>,
    open: IdSet<LambdaId>,
    /// For a member of a recursive group: its first member's lambda.
    group: IdMap<LambdaId, LambdaId>,
    /// The lambda whose body a root is.
    body_of: IdMap<NodeId, LambdaId>,
}

enum Step {
    /// A node and the root that it is in tail position of.
    Visit(NodeId, NodeId),
    Leave(LambdaId),
}

impl<'a> Scan<'a> {
    fn of(program: &'a Program<Mono>) -> Self {
        let known = known_calls::bound_lambdas(program);
        let mut scan = Self {
            program,
            known,
            calls: IdMap::new(),
            binding_root: IdMap::new(),
            bindings: Vec::new(),
            open: IdSet::new(),
            group: IdMap::new(),
            body_of: IdMap::new(),
        };
        for var in program.well_known.entries() {
            scan.escape(var);
        }
        for item in &program.items {
            for root in item.kind.roots() {
                scan.walk(root);
            }
        }
        scan
    }

    fn escape(&mut self, var: VarId) {
        if let Some(&lambda) = self.known.get(var) {
            self.calls.entry_or_insert_with(lambda, Calls::default).escapes = true;
        }
    }

    fn walk(&mut self, root: NodeId) {
        let mut work = vec![Step::Visit(root, root)];
        while let Some(step) = work.pop() {
            match step {
                Step::Visit(node, root) => {
                    let first = work.len();
                    self.visit(node, root, &mut work);
                    work[first..].reverse();
                }
                Step::Leave(lambda) => {
                    self.open.remove(lambda);
                }
            }
        }
    }

    fn visit(&mut self, node: NodeId, root: NodeId, work: &mut Vec<Step>) {
        let program = self.program;
        let kind = &program.nodes[node].kind;
        let own = |it: NodeId| Step::Visit(it, it);
        match kind {
            NodeKind::Var { var, .. } => self.escape(*var),
            NodeKind::Lambda(lambda) => {
                self.open.insert(*lambda);
                let body = program.lambdas[*lambda].body;
                self.body_of.insert(body, *lambda);
                work.extend([own(body), Step::Leave(*lambda)]);
            }
            NodeKind::Apply { func, args, .. } => {
                let target = match program.nodes[*func].kind {
                    NodeKind::Var { var, .. } => self.known.get(var).copied(),
                    _ => None,
                };
                match target {
                    Some(it) if program.lambdas[it].params.len() == args.len() => {
                        self.call(it, node, root)
                    }
                    _ => work.push(own(*func)),
                }
                work.extend(args.iter().map(|&it| own(it)));
            }
            NodeKind::Let { value, body, .. } => {
                if let NodeKind::Lambda(_) = program.nodes[*value].kind {
                    self.bindings.push(node);
                    self.binding_root.insert(node, root);
                }
                work.extend([own(*value), Step::Visit(*body, root)]);
            }
            NodeKind::LetRec { values, body, .. } => {
                self.bindings.push(node);
                self.binding_root.insert(node, root);
                let lambdas: Vec<LambdaId> =
                    values.iter().filter_map(|&it| lambda_at(program, it)).collect();
                for &lambda in &lambdas {
                    self.group.insert(lambda, lambdas[0]);
                }
                work.extend(values.iter().map(|&it| own(it)));
                work.push(Step::Visit(*body, root));
            }
            NodeKind::Seq(items) => {
                if let Some((&last, init)) = items.split_last() {
                    work.extend(init.iter().map(|&it| own(it)));
                    work.push(Step::Visit(last, root));
                }
            }
            NodeKind::If { cond, then, otherwise } => {
                work.extend([own(*cond), Step::Visit(*then, root), Step::Visit(*otherwise, root)]);
            }
            NodeKind::Switch { value, cases, default } => {
                work.push(own(*value));
                work.extend(
                    cases.iter().map(|it| it.1).chain(*default).map(|it| Step::Visit(it, root)),
                );
            }
            NodeKind::Try { body, handler, .. } => {
                work.extend([own(*body), Step::Visit(*handler, root)])
            }
            NodeKind::Join { body, rest, .. } => {
                work.extend([Step::Visit(*body, root), Step::Visit(*rest, root)]);
            }
            NodeKind::Const(_)
            | NodeKind::Prim { .. }
            | NodeKind::Assign { .. }
            | NodeKind::While { .. }
            | NodeKind::For { .. }
            | NodeKind::Tuple(_)
            | NodeKind::TupleGet { .. }
            | NodeKind::Record(_)
            | NodeKind::Construct { .. }
            | NodeKind::Field { .. }
            | NodeKind::SetField { .. }
            | NodeKind::Array(_)
            | NodeKind::MakeExn { .. }
            | NodeKind::ExnField { .. }
            | NodeKind::Raise(_)
            | NodeKind::Jump { .. } => kind.for_each_child(|it| work.push(own(it))),
        }
    }

    fn call(&mut self, target: LambdaId, call: NodeId, root: NodeId) {
        let inside = root == self.program.lambdas[target].body;
        let open = self.open.contains(target);
        let caller = self.body_of.get(root).copied();
        let sibling = caller.filter(|it| {
            self.group.get(*it).is_some() && self.group.get(*it) == self.group.get(target)
        });
        let calls = self.calls.entry_or_insert_with(target, Calls::default);
        if inside {
            calls.inside.push(call);
            return;
        }
        if open {
            calls.escapes = true;
            return;
        }
        calls.callers.extend(sibling);
        calls.outside_calls.push(call);
        calls.outside = match calls.outside {
            Outside::Nowhere => Outside::Root(root),
            Outside::Root(it) if it == root => calls.outside,
            Outside::Root(_) | Outside::Several => Outside::Several,
        };
    }
}

fn lambda_at(program: &Program<Mono>, node: NodeId) -> Option<LambdaId> {
    match program.nodes[node].kind {
        NodeKind::Lambda(lambda) => Some(lambda),
        _ => None,
    }
}

/// Replaces bindings of one function by join points. True if there were any.
fn join_locals(program: &mut Program<Mono>) -> bool {
    let scan = Scan::of(program);
    let Scan { bindings, binding_root, mut calls, .. } = scan;
    let library = Library::of(program);
    let mut changed = false;
    // Inner bindings first: treating one replaces nodes in place.
    for node in bindings.into_iter().rev() {
        let (var, value, body) = match &program.nodes[node].kind {
            NodeKind::Let { var, value, body } => (*var, *value, *body),
            NodeKind::LetRec { vars, values, body } if vars.len() == 1 => {
                (vars[0], values[0], *body)
            }
            _ => continue,
        };
        let Some(lambda) = lambda_at(program, value) else { continue };
        if program.lambdas[lambda].inline.stays() {
            continue;
        }
        let Some(calls) = calls.remove(lambda) else { continue };
        let Outside::Root(root) = calls.outside else { continue };
        if calls.escapes {
            continue;
        }
        changed = true;
        let join = program.joins.push(Join {
            name: program.vars[var].name,
            params: program.lambdas[lambda].params.clone(),
            recursive: !calls.inside.is_empty(),
        });
        let code = program.lambdas[lambda].body;
        if let [call] = *calls.outside_calls {
            let span = program.span(call);
            library.place(program, code, span);
        }
        for call in calls.inside.into_iter().chain(calls.outside_calls) {
            jump(program, call, join);
        }
        if binding_root.get(node) == Some(&root) {
            program.nodes[node].kind = NodeKind::Join { join, body: code, rest: body };
        } else {
            // Nodes keep their ids: calls further in are known by them.
            program.nodes[node].kind = NodeKind::Seq(vec![body]);
            // The root stays where it is; what it was becomes the rest of the join.
            let rest = program.nodes[root].clone();
            let (ty, span) = (rest.ty, rest.span);
            let rest = program.nodes.push(rest);
            program.nodes[root] = oxbow_psg::Node {
                kind: NodeKind::Join { join, body: code, rest },
                ty,
                span,
                storage: Default::default(),
            };
        }
    }
    changed
}

fn jump(program: &mut Program<Mono>, call: NodeId, join: JoinId) {
    if let NodeKind::Apply { args, .. } = &mut program.nodes[call].kind {
        let args = std::mem::take(args);
        program.nodes[call].kind = NodeKind::Jump { join, args };
    }
}

/// Nests the functions of a recursive group into the one that is called from outside,
/// if all calls among them are tail calls.
fn nest_groups(program: &mut Program<Mono>) -> bool {
    let scan = Scan::of(program);
    let mut work = Vec::new();
    for &node in &scan.bindings {
        let NodeKind::LetRec { vars, values, body } = &program.nodes[node].kind else { continue };
        if vars.len() < 2 {
            continue;
        }
        let lambdas: Vec<LambdaId> =
            values.iter().filter_map(|&it| lambda_at(program, it)).collect();
        let none = Calls::default();
        let of = |it: &LambdaId| scan.calls.get(*it).unwrap_or(&none);
        let tail_only = lambdas.iter().all(|it| !of(it).escapes);
        // A call from a sibling's body is one of `callers`; any other comes from outside.
        let entries: Vec<usize> = (0..lambdas.len())
            .filter(|&it| {
                let calls = of(&lambdas[it]);
                calls.outside_calls.len() > calls.callers.len()
            })
            .collect();
        let [entry] = entries[..] else { continue };
        if !tail_only {
            continue;
        }
        let graph: Vec<Vec<usize>> = (0..lambdas.len())
            .map(|from| {
                (0..lambdas.len())
                    .filter(|&to| {
                        to != entry
                            && from != entry
                            && (of(&lambdas[to]).callers.contains(&lambdas[from])
                                || from == to && !of(&lambdas[to]).inside.is_empty())
                    })
                    .collect()
            })
            .collect();
        work.push((node, vars.clone(), values.clone(), *body, entry, graph));
    }
    let changed = !work.is_empty();
    for (node, vars, values, body, entry, graph) in work {
        let Some(lambda) = lambda_at(program, values[entry]) else { continue };
        let mut code = program.lambdas[lambda].body;
        let (ty, span) = (program.ty(code), program.span(code));
        // A function that others call is bound around them.
        for group in oxbow_base::components(&graph).into_iter().rev() {
            if group[0] == entry {
                continue;
            }
            let recursive = group.len() > 1 || graph[group[0]].contains(&group[0]);
            let members: Vec<VarId> = group.iter().map(|&it| vars[it]).collect();
            let lambdas: Vec<NodeId> = group.iter().map(|&it| values[it]).collect();
            let kind = if recursive {
                NodeKind::LetRec { vars: members, values: lambdas, body: code }
            } else {
                NodeKind::Let { var: members[0], value: lambdas[0], body: code }
            };
            code = program.add(kind, ty, span);
        }
        program.lambdas[lambda].body = code;
        program.nodes[node].kind =
            NodeKind::LetRec { vars: vec![vars[entry]], values: vec![values[entry]], body };
    }
    changed
}

/// Self tail calls of the functions that are left become loops.
fn make_loops(program: &mut Program<Mono>) {
    let calls = Scan::of(program).calls;
    for lambda in walk::reachable_lambdas(program) {
        let Some(calls) = calls.get(lambda).filter(|it| !it.inside.is_empty()) else { continue };
        let old = program.lambdas[lambda].params.clone();
        let name = program.lambdas[lambda].name.unwrap_or("loop".into());
        let join = program.joins.push(Join { name, params: old.clone(), recursive: true });
        for &call in &calls.inside {
            jump(program, call, join);
        }
        let body = program.lambdas[lambda].body;
        let (ty, span) = (program.ty(body), program.lambdas[lambda].span);
        let mut params = Vec::new();
        let mut args = Vec::new();
        for &var in &old {
            let data = program.vars[var].clone();
            let ty = data.ty;
            let fresh = program.vars.push(data);
            params.push(fresh);
            args.push(program.add(NodeKind::Var { var: fresh, tyargs: Vec::new() }, ty, span));
        }
        let rest = program.add(NodeKind::Jump { join, args }, ty, span);
        program.lambdas[lambda].params = params;
        program.lambdas[lambda].body = program.add(NodeKind::Join { join, body, rest }, ty, span);
    }
}
