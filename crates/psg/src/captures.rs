//! The captures of lambdas: the one place of the compiler where they are computed.
//!
//! Front ends and passes build or change lambdas without minding `captures` and
//! then call [`fill_all`]; the verifier recomputes them with the same walk.
//!
//! ```text
//! let k = 1 in                         captures
//! let f = fun x ->                     f: (k)      k is mentioned by g, and f builds g
//!   let g = fun y -> x + y + k in      g: (x, k)   in order of first mention
//!   g in …
//! ```
//!
//! One linear walk, in the order of the text, with its own stack. Every variable
//! has a *reach*: the deepest lambda around the current node that has the
//! variable at hand, at first the one that binds it. A mention at a deeper level
//! adds the variable to all lambdas between and extends its reach; leaving a
//! lambda takes the reach of its captures back by one level. So the work is linear
//! in the size of the program and of its captures.
//!
//! Needs: every variable is bound once. A local variable that nothing binds around
//! its mention (the walk may start in the middle) counts as bound outside, with an
//! unknown `source`.

use oxbow_base::{Id as _, IdMap};

use crate::{Capture, CaptureMode, Item, LambdaId, NodeId, NodeKind, Program, Repr, VarId};

/// The captures of one lambda. Walks the program up to the end of that lambda: for
/// more than a few lambdas use [`all`] or [`fill_all`].
pub fn compute<P>(program: &Program<P>, lambda: LambdaId) -> Vec<Capture> {
    let mut walk = Walk::new(program, Some(lambda));
    for item in &program.items {
        for root in item.kind.roots() {
            walk.run(Step::Node(root));
            if let Some(captures) = walk.found.take() {
                return captures;
            }
        }
    }
    // Not reachable from the items: a fragment under construction.
    walk.enter(lambda, None);
    walk.run(Step::Node(program.lambdas[lambda].body));
    walk.leave();
    walk.found.take().unwrap_or_default()
}

/// The captures of every lambda that can be reached from the items.
pub fn all<P>(program: &Program<P>) -> IdMap<LambdaId, Vec<Capture>> {
    within(program, &program.items)
}

/// The captures of every lambda in some of the items.
fn within<P>(program: &Program<P>, items: &[Item]) -> IdMap<LambdaId, Vec<Capture>> {
    let mut walk = Walk::new(program, None);
    for item in items {
        for root in item.kind.roots() {
            walk.run(Step::Node(root));
        }
    }
    walk.done
}

/// Recomputes the captures of every lambda that can be reached from the items.
pub fn fill_all<P>(program: &mut Program<P>) {
    fill_from(program, 0, LambdaId::from_index(0));
}

/// The same for the items behind the first ones; `lambda` is the first of their lambdas.
pub fn fill_from<P>(program: &mut Program<P>, item: usize, lambda: LambdaId) {
    let captures = within(program, program.items.get(item..).unwrap_or_default());
    for index in lambda.index()..program.lambdas.len() {
        let id = LambdaId::from_index(index);
        if let Some(found) = captures.get(id) {
            program.lambdas[id].captures.clone_from(found);
        }
    }
}

enum Step {
    Node(NodeId),
    Leave,
}

#[derive(Clone, Copy)]
struct Binding {
    source: Option<NodeId>,
    reach: usize,
}

struct Walk<'a, P> {
    program: &'a Program<P>,
    wanted: Option<LambdaId>,
    found: Option<Vec<Capture>>,
    done: IdMap<LambdaId, Vec<Capture>>,
    bindings: IdMap<VarId, Binding>,
    /// The lambdas around the current node; level 0 is outside of all.
    open: Vec<(LambdaId, Vec<Capture>)>,
}

impl<'a, P> Walk<'a, P> {
    fn new(program: &'a Program<P>, wanted: Option<LambdaId>) -> Self {
        Self {
            program,
            wanted,
            found: None,
            done: IdMap::new(),
            bindings: IdMap::new(),
            open: Vec::new(),
        }
    }

    fn run(&mut self, start: Step) {
        let mut todo = vec![start];
        while let Some(step) = todo.pop() {
            match step {
                Step::Node(node) => self.node(node, &mut todo),
                Step::Leave => {
                    self.leave();
                    if self.found.is_some() {
                        return;
                    }
                }
            }
        }
    }

    fn node(&mut self, node: NodeId, todo: &mut Vec<Step>) {
        let kind = &self.program.nodes[node].kind;
        kind.for_each_binder(&self.program.joins, |var| self.bind(var, Some(node)));
        if let Some(var) = kind.mentioned() {
            self.mention(var);
        }
        if let NodeKind::Lambda(lambda) = *kind {
            self.enter(lambda, Some(node));
            todo.push(Step::Leave);
            todo.push(Step::Node(self.program.lambdas[lambda].body));
        }
        let first = todo.len();
        kind.for_each_child(|child| todo.push(Step::Node(child)));
        todo[first..].reverse();
    }

    fn bind(&mut self, var: VarId, source: Option<NodeId>) {
        self.bindings.insert(var, Binding { source, reach: self.open.len() });
    }

    fn mention(&mut self, var: VarId) {
        let data = &self.program.vars[var];
        if data.global {
            return;
        }
        let level = self.open.len();
        let binding =
            self.bindings.entry_or_insert_with(var, || Binding { source: None, reach: 0 });
        let mode = if data.mutable { CaptureMode::ByRef } else { CaptureMode::ByValue };
        let capture = Capture { var, ty: data.ty, mode, source: binding.source };
        for (_, captures) in &mut self.open[binding.reach.min(level)..] {
            captures.push(capture);
        }
        binding.reach = level;
    }

    fn enter(&mut self, lambda: LambdaId, node: Option<NodeId>) {
        self.open.push((lambda, Vec::new()));
        for &param in &self.program.lambdas[lambda].params {
            self.bind(param, node);
        }
    }

    fn leave(&mut self) {
        let Some((lambda, captures)) = self.open.pop() else { return };
        for capture in &captures {
            if let Some(binding) = self.bindings.get_mut(capture.var) {
                binding.reach = self.open.len();
            }
        }
        if self.wanted == Some(lambda) {
            self.found = Some(captures);
        } else {
            self.done.insert(lambda, captures);
        }
    }
}

/// The closures of a recursive binding that may refer to each other: all of its flat ones, if
/// there are several. They share what they capture.
pub fn recursive_group<P>(program: &Program<P>, values: &[NodeId]) -> Vec<LambdaId> {
    let lambdas = values.iter().filter_map(|&it| match program.nodes[it].kind {
        NodeKind::Lambda(lambda) if program.lambdas[lambda].repr == Repr::Flat => Some(lambda),
        _ => None,
    });
    let members: Vec<_> = lambdas.collect();
    if members.len() > 1 { members } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Builder;

    fn names(program: &Program<crate::Poly>, captures: &[Capture]) -> Vec<&'static str> {
        captures.iter().map(|it| program.vars[it.var].name.as_str()).collect()
    }

    #[test]
    fn nested_lambdas_pass_captures_outward_in_order_of_mention() {
        let mut b = Builder::new();
        let int = b.program.types.int;
        let (k, x, y, z) = (b.var("k", int), b.var("x", int), b.var("y", int), b.mutable("z", int));
        // let k = 1 in let mutable z = 2 in fun x -> fun y -> x + (z + (k + y))
        let sum = b.add_vars(&[x, z, k, y]);
        let inner = b.lambda("g", &[y], sum);
        let outer = b.lambda("f", &[x], inner);
        let one = b.int(1);
        let two = b.int(2);
        let body = b.let_(z, two, outer);
        let root = b.let_(k, one, body);
        b.eval(root);
        let lambdas = crate::walk::reachable_lambdas(&b.program);
        fill_all(&mut b.program);
        let [f, g] = lambdas[..] else { panic!("two lambdas") };
        let p = &b.program;
        assert_eq!(names(p, &p.lambdas[f].captures), ["z", "k"]);
        assert_eq!(names(p, &p.lambdas[g].captures), ["x", "z", "k"]);
        assert_eq!(compute(p, f), p.lambdas[f].captures);
        assert_eq!(compute(p, g), p.lambdas[g].captures);
        let modes: Vec<_> = p.lambdas[f].captures.iter().map(|it| it.mode).collect();
        assert_eq!(modes, [CaptureMode::ByRef, CaptureMode::ByValue]);
        assert_eq!(p.lambdas[f].captures[1].source, Some(root));
        assert_eq!(p.lambdas[g].captures[0].source, Some(outer));
    }

    #[test]
    fn sibling_lambdas_each_capture() {
        let mut b = Builder::new();
        let int = b.program.types.int;
        let (k, x, y) = (b.var("k", int), b.var("x", int), b.var("y", int));
        let kx = b.add_vars(&[k, x]);
        let first = b.lambda("a", &[x], kx);
        let ky = b.add_vars(&[k, y]);
        let second = b.lambda("b", &[y], ky);
        let pair = b.tuple(&[first, second]);
        let one = b.int(1);
        let root = b.let_(k, one, pair);
        b.eval(root);
        fill_all(&mut b.program);
        for lambda in crate::walk::reachable_lambdas(&b.program) {
            assert_eq!(names(&b.program, &b.program.lambdas[lambda].captures), ["k"]);
        }
    }

    #[test]
    fn long_chains_do_not_use_the_stack() {
        let mut b = Builder::new();
        let int = b.program.types.int;
        let mut node = b.int(0);
        for _ in 0..200_000 {
            let (var, value) = (b.var("x", int), b.int(1));
            node = b.let_(var, value, node);
        }
        b.eval(node);
        fill_all(&mut b.program);
    }
}
