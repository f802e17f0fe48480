//! What all closures of one type have in common.
//!
//! A call of a function value knows the closure's type and nothing else, so functions of one closure
//! type are called in one way: a family. All closures are made in this module, and often a family
//! needs less than the general way:
//!
//! - none of its functions can raise: its code gives no exception, and calls test for none;
//! - every call lends the closure, or every call hands it over: its code need not find out which;
//! - none of its functions changes memory: what was read before a call is known after it (`reading`).
//!
//! ```text
//! invoke of (i64) -> i64, all of them lent, none raises       code(closure, x) -> i64
//! in general                                                  code(closure | lent, x) -> (i64, exn)
//! ```
//!
//! A call in tail position hands over what its callee gives, so both raise or neither; families that
//! are applied to another number of arguments than their code takes stay general.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::inspect::{body_ops, definition, key, operands, reverse_postorder};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, TypeLike, ValueLike};
use oxbow_dialect::op::{self, DialectOp, Opcode, Raise, Upstream, View, opcode, view};
use oxbow_dialect::{Block, Op, Val, mlir_sys as sys, region_of, result_of};

use super::{Converter, OwnClosure};

/// Families that need the general way, by closure type.
#[derive(Default)]
pub struct Families {
    raising: HashSet<usize>,
    owning: HashSet<usize>,
    changing: HashSet<usize>,
}

impl Families {
    /// Can calls of closures of this type raise?
    pub fn raises(&self, ty: Type<'_>) -> bool {
        self.raising.contains(&id(ty))
    }

    /// Does every call of closures of this type lend the closure?
    pub fn lends(&self, ty: Type<'_>) -> bool {
        !self.owning.contains(&id(ty))
    }

    /// Can calls of closures of this type change memory?
    pub fn changes(&self, ty: Type<'_>) -> bool {
        self.changing.contains(&id(ty))
    }
}

/// A function or a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node<'c> {
    Function(&'c str),
    Family(usize),
}

/// What follows from what.
#[derive(Default)]
pub(super) struct Graph<'c> {
    edges: HashMap<Node<'c>, Vec<Node<'c>>>,
    reached: HashSet<Node<'c>>,
    work: Vec<Node<'c>>,
}

impl<'c> Graph<'c> {
    pub fn implies(&mut self, cause: Node<'c>, effect: Node<'c>) {
        self.edges.entry(cause).or_default().push(effect);
    }

    pub fn agree(&mut self, a: Node<'c>, b: Node<'c>) {
        self.implies(a, b);
        self.implies(b, a);
    }

    pub fn start(&mut self, node: Node<'c>) {
        if self.reached.insert(node) {
            self.work.push(node);
        }
    }

    /// Follows the edges; answers the families that were reached.
    pub fn close(&mut self) -> HashSet<usize> {
        while let Some(node) = self.work.pop() {
            for next in self.edges.get(&node).cloned().unwrap_or_default() {
                self.start(next);
            }
        }
        let family = |it: &Node<'c>| match it {
            Node::Family(family) => Some(*family),
            Node::Function(_) => None,
        };
        self.reached.iter().filter_map(family).collect()
    }
}

impl<'c> Converter<'c> {
    /// Finds out about families; which numbers of arguments meet is planned already.
    pub fn plan_families(&mut self, ops: &[Op<'c>]) {
        let mut raising = Graph::default();
        let mut owning = Graph::default();
        let mut lending = Graph::default();
        let mut members: Vec<(&'c str, usize)> = Vec::new();
        for ty in self.general_families() {
            raising.start(Node::Family(id(ty)));
            owning.start(Node::Family(id(ty)));
            lending.start(Node::Family(id(ty)));
        }
        for func in ops.iter().filter_map(|it| op::Func::cast(*it)) {
            let name = func.sym_name();
            let here = Node::Function(name);
            self.plan_raises(func, &mut raising);
            for op in body_ops(func.op()) {
                if let Some(code) = view(op).new_closure_code() {
                    members.push((code, id(result_of(op, 0).r#type())));
                }
                match view(op) {
                    View::Invoke(it) => {
                        let family = Node::Family(id(it.callee().r#type()));
                        if it.handed_over() { &mut owning } else { &mut lending }.start(family);
                    }
                    View::Call(it) => {
                        let callee = Node::Function(it.callee());
                        if it.handed_over() { &mut owning } else { &mut lending }.start(callee);
                    }
                    // Who was lent itself lends this capture on.
                    View::Take(it) => {
                        let captures = self.funcs[name].captures.as_deref().unwrap_or_default();
                        if let Some(lent) = it.lent() {
                            let lent = captures[lent as usize];
                            lending.implies(here, Node::Family(id(lent)));
                        }
                    }
                    View::TailInvoke(it) => {
                        let family = Node::Family(id(it.callee().r#type()));
                        raising.agree(here, family);
                        owning.start(family);
                    }
                    View::TailCall(it) => {
                        let callee = Node::Function(it.callee());
                        raising.agree(here, callee);
                        owning.start(callee);
                    }
                    _ => (),
                }
            }
        }
        for &(function, family) in &members {
            owning.agree(Node::Function(function), Node::Family(family));
            lending.agree(Node::Function(function), Node::Family(family));
            if self.funcs[function].raises {
                raising.agree(Node::Function(function), Node::Family(family));
            }
        }
        self.families =
            Families { raising: raising.close(), owning: owning.close(), changing: HashSet::new() };
        lending.close();
        for &(function, family) in &members {
            let func = self.funcs.get_mut(function).expect("a closure names a function");
            func.code_raises = self.families.raising.contains(&family);
        }
        for (name, func) in &mut self.funcs {
            func.raises &= raising.reached.contains(&Node::Function(name));
            let node = Node::Function(name);
            func.own_closure = match owning.reached.contains(&node) {
                false => OwnClosure::Lent,
                true if lending.reached.contains(&node) => OwnClosure::Either,
                true => OwnClosure::Owned,
            };
        }
        self.families.changing = self.changing_families(ops, &members);
    }

    /// What exceptions a function passes on.
    fn plan_raises(&self, func: op::Func<'c>, graph: &mut Graph<'c>) {
        let here = Node::Function(func.sym_name());
        let order = reverse_postorder(region_of(func.op()));
        let mut passed: HashMap<usize, Vec<Val<'c>>> = HashMap::new();
        let mut waiting: Vec<Val<'c>> = Vec::new();
        for &block in &order {
            // SAFETY: the op lives as long as its module.
            let Some(last) = block.terminator().map(|it| unsafe { Op::from_raw(it.to_raw()) })
            else {
                continue;
            };
            waiting.extend(Raise::cast(last).map(Raise::exn));
            for (argument, value) in arguments(last) {
                passed.entry(key(argument)).or_default().push(value);
            }
        }
        let mut seen = HashSet::new();
        while let Some(exn) = waiting.pop() {
            if !seen.insert(key(exn)) {
                continue;
            }
            match definition(exn) {
                None => match passed.get(&key(exn)) {
                    Some(values) => waiting.extend(values),
                    // A parameter.
                    None => graph.start(here),
                },
                Some(op) if key(result_of(op, 0)) != key(exn) => match view(op) {
                    View::Call(it) => graph.implies(Node::Function(it.callee()), here),
                    View::Invoke(it) => {
                        graph.implies(Node::Family(id(it.callee().r#type())), here);
                    }
                    _ => graph.start(here),
                },
                Some(_) => graph.start(here),
            }
        }
    }
}

/// The arguments that a branch passes values to.
fn arguments<'c>(branch: Op<'c>) -> Vec<(Val<'c>, Val<'c>)> {
    let all = operands(branch);
    // The condition or the value that is switched on comes first.
    let mut rest = match opcode(branch) {
        Opcode::Upstream(Upstream::Br) => &all[..],
        _ => all.get(1..).unwrap_or_default(),
    };
    let mut result = Vec::new();
    for next in branch.successors() {
        // SAFETY: blocks live as long as the module.
        let next: Block<'c> = unsafe { Block::from_raw(next.to_raw()) };
        let (here, others) = rest.split_at(next.argument_count().min(rest.len()));
        rest = others;
        for (index, &value) in here.iter().enumerate() {
            // SAFETY: the index is in range.
            let argument =
                unsafe { Val::from_raw(sys::mlirBlockGetArgument(next.to_raw(), index as isize)) };
            result.push((argument, value));
        }
    }
    result
}

pub(super) fn id(ty: Type<'_>) -> usize {
    ty.to_raw().ptr as usize
}
