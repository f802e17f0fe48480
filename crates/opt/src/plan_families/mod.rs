//! Decides what all closures of one type have in common.
//!
//! A call of a function value knows the closure's type and nothing else, so functions of one closure
//! type are called in one way: a family. All closures are made in this module, and often a family
//! needs less than the general way:
//!
//! - its code always takes as many arguments as calls give (`applications`);
//! - none of its functions can raise: its code gives no exception, and calls test for none;
//! - every call lends the closure, or every call hands it over: its code need not find out which;
//! - none of its functions changes memory: what was read before a call is known after it (`reading`).
//!
//! ```text
//! in general                    family !ocaml.closure<(i64) -> i64> takes [1, 2] {changes, owned, raises}
//!                               code(closure | lent, x) -> (i64, exn)
//! all lent, and none raises     family !ocaml.closure<(i64) -> i64> takes [1]
//!                               code(closure, x) -> i64
//!                               func @add … attributes {never_raises, own_closure = "lent"}
//! ```
//!
//! The signature of a function says what its caller must expect without knowing who else is called in the same way:
//! in it, a closure's code may always raise. `never_raises` is the last word. A call in tail position hands over what
//! its callee gives, so both raise or neither; families that are applied to another number of
//! arguments than their code takes stay general.
//!
//! A module that is one of several plans for all numbers of arguments, and for functions that raise and change memory.
//!
//! Needs: references are counted.

mod applications;
mod graph;
mod reading;

use oxbow_dialect::inspect::{
    argument, body_ops, definition, erase, key, operands, ops_of, reverse_postorder, successors,
    terminator,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{BlockLike, Location, Module, Type, ValueLike};
use oxbow_dialect::op::{
    DialectOp, Family, Func, Opcode, OwnClosure, Raise, Upstream, View, opcode, view,
};
use oxbow_dialect::{Op, Val, region_of, result_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::Declarations;
use applications::Applications;
use graph::{Graph, Node};

/// Functions that closures are made over, with the types of those.
type Members<'c> = Vec<(&'c str, Type<'c>)>;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    plan(module, context, Elsewhere::Nothing);
}

/// The same for a module that is one of several: a phrase of a prompt. Every family is general.
pub fn run_open<'c>(module: &Module<'c>, context: &'c Context) {
    plan(module, context, Elsewhere::Closures);
}

/// What other modules there are.
#[derive(Clone, Copy, PartialEq)]
enum Elsewhere {
    Nothing,
    /// Some that make closures, and call those of this one.
    Closures,
}

fn plan<'c>(module: &Module<'c>, context: &'c Context, elsewhere: Elsewhere) {
    let mut declarations = Declarations::new(module, context);
    let stated: Vec<_> = ops_of(declarations.body).filter_map(Family::cast).collect();
    stated.into_iter().for_each(|it| erase(it.op()));
    let mut applications = Applications::of(&declarations);
    let general = match elsewhere {
        Elsewhere::Nothing => applications.general(),
        Elsewhere::Closures => {
            applications.open();
            applications.all()
        }
    };
    let calls = Calls::of(&declarations, &general);
    for &func in &declarations.funcs {
        func.set_never_raises(
            raises(func) && !calls.raising.reaches(Node::Function(func.sym_name())),
        );
        if func.has_env() {
            func.set_own_closure(calls.own_closure(func.sym_name()));
        }
    }
    let changing = reading::changing(&declarations, &general, &calls.members);
    declarations.build.location = Location::unknown(context);
    declarations.build.set_block(declarations.body);
    for met in &applications.met {
        let takes: Vec<u32> = met.arities.iter().map(|&it| it as u32).collect();
        let family = Family::of(declarations.build.append(&Family::draft(met.ty, &takes)));
        let node = Node::family(met.ty);
        family.set_raises(calls.raising.reaches(node));
        family.set_owned(calls.owning.reaches(node));
        family.set_changes(changing.reaches(node));
    }
}

/// May it raise, by its signature?
fn raises(func: Func<'_>) -> bool {
    func.outputs().len() == 2
}

/// How functions and families are called.
#[derive(Default)]
struct Calls<'c> {
    /// What ends with an exception.
    raising: Graph<'c>,
    /// What is handed the closure by some call.
    owning: Graph<'c>,
    /// What is lent the closure by some call.
    lending: Graph<'c>,
    members: Members<'c>,
}

impl<'c> Calls<'c> {
    fn of(declarations: &Declarations<'c>, general: &[Type<'c>]) -> Self {
        let mut this = Self::default();
        for graph in [&mut this.raising, &mut this.owning, &mut this.lending] {
            general.iter().for_each(|it| graph.start(Node::family(*it)));
        }
        for &func in &declarations.funcs {
            this.exceptions(func);
            let captures = func.captures().unwrap_or_default();
            for op in body_ops(func.op()) {
                this.op(op, Node::Function(func.sym_name()), &captures);
            }
        }
        let funcs = declarations.by_name();
        for &(function, family) in &this.members {
            let (function, family) = (Node::Function(function), Node::family(family));
            this.owning.agree(function, family);
            this.lending.agree(function, family);
        }
        // The code of a function that cannot raise may still have to look as if it did.
        for &(function, family) in this.members.iter().filter(|it| raises(funcs[it.0])) {
            this.raising.agree(Node::Function(function), Node::family(family));
        }
        for graph in [&mut this.raising, &mut this.owning, &mut this.lending] {
            graph.close();
        }
        this
    }

    fn op(&mut self, op: Op<'c>, here: Node<'c>, captures: &[Type<'c>]) {
        if let Some(code) = view(op).new_closure_code() {
            self.members.push((code, result_of(op, 0).r#type()));
        }
        match view(op) {
            View::Invoke(it) => {
                let family = Node::family(it.callee().r#type());
                if it.handed_over() { &mut self.owning } else { &mut self.lending }.start(family);
            }
            View::Call(it) => {
                let callee = Node::Function(it.callee());
                if it.handed_over() { &mut self.owning } else { &mut self.lending }.start(callee);
            }
            // Who was lent itself lends this capture on.
            View::Take(it) => {
                if let Some(lent) = it.lent() {
                    self.lending.implies(here, Node::family(captures[lent as usize]));
                }
            }
            View::TailInvoke(it) => {
                let family = Node::family(it.callee().r#type());
                self.raising.agree(here, family);
                self.owning.start(family);
            }
            View::TailCall(it) => {
                let callee = Node::Function(it.callee());
                self.raising.agree(here, callee);
                self.owning.start(callee);
            }
            _ => (),
        }
    }

    fn own_closure(&self, function: &'c str) -> OwnClosure {
        let node = Node::Function(function);
        match self.owning.reaches(node) {
            false => OwnClosure::Lent,
            true if self.lending.reaches(node) => OwnClosure::Either,
            true => OwnClosure::Owned,
        }
    }

    /// What exceptions a function passes on.
    fn exceptions(&mut self, func: Func<'c>) {
        let here = Node::Function(func.sym_name());
        let mut passed: FxHashMap<usize, Vec<Val<'c>>> = FxHashMap::default();
        let mut waiting: Vec<Val<'c>> = Vec::new();
        for block in reverse_postorder(region_of(func.op())) {
            let Some(last) = terminator(block) else { continue };
            waiting.extend(Raise::cast(last).map(Raise::exn));
            for (argument, value) in arguments(last) {
                passed.entry(key(argument)).or_default().push(value);
            }
        }
        let mut seen = FxHashSet::default();
        while let Some(exn) = waiting.pop() {
            if !seen.insert(key(exn)) {
                continue;
            }
            match definition(exn) {
                None => match passed.get(&key(exn)) {
                    Some(values) => waiting.extend(values),
                    // A parameter.
                    None => self.raising.start(here),
                },
                Some(op) if key(result_of(op, 0)) != key(exn) => match view(op) {
                    View::Call(it) => self.raising.implies(Node::Function(it.callee()), here),
                    View::Invoke(it) => {
                        self.raising.implies(Node::family(it.callee().r#type()), here);
                    }
                    _ => self.raising.start(here),
                },
                Some(_) => self.raising.start(here),
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
    for next in successors(branch) {
        let (here, others) = rest.split_at(next.argument_count().min(rest.len()));
        rest = others;
        for (index, &value) in here.iter().enumerate() {
            result.push((argument(next, index), value));
        }
    }
    result
}
