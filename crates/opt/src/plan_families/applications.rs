//! Which numbers of arguments meet which closures.
//!
//! ```text
//! fun a -> fun b -> …  called with two            calls of (A, B) -> C with 2 meet code that takes 1;
//!                                                 so calls of (B) -> C with 1 meet what its result takes
//! ```
//!
//! All closures are made in this module. A program that is extended at run time would need a plan for all numbers.

use oxbow_dialect::inspect::body_ops;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{DialectOp, Func, view};
use oxbow_dialect::{OcamlType, Op, Types, result_of};
use rustc_hash::FxHashMap;

use crate::module::Declarations;
use crate::objects::type_key;

pub struct Applications<'c> {
    types: Types<'c>,
    /// Closure types that are called or made, in the order in which they were met.
    pub met: Vec<Met<'c>>,
    numbers: FxHashMap<usize, usize>,
}

/// A closure type.
pub struct Met<'c> {
    pub ty: Type<'c>,
    /// How many arguments code of that type takes, in order.
    pub arities: Vec<usize>,
    /// How many arguments it is called with.
    calls: Vec<usize>,
}

impl<'c> Applications<'c> {
    pub fn of(declarations: &Declarations<'c>) -> Self {
        let types = declarations.build.types;
        let mut this = Self { types, met: Vec::new(), numbers: FxHashMap::default() };
        let funcs = declarations.by_name();
        for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
            this.note(op, &funcs);
        }
        this.close();
        this
    }

    /// As if there were closures and calls elsewhere, of all types that are met here.
    pub fn open(&mut self) {
        let mut at = 0;
        while at < self.met.len() {
            let ty = self.met[at].ty;
            for count in 1..=ty.signature().0.len() {
                self.add_arity(ty, count);
                self.add_call(ty, count);
            }
            self.close();
            at += 1;
        }
    }

    /// All types that are met.
    pub fn all(&self) -> Vec<Type<'c>> {
        self.met.iter().map(|it| it.ty).collect()
    }

    fn note(&mut self, op: Op<'c>, funcs: &FxHashMap<&'c str, Func<'c>>) {
        if let Some(code) = view(op).new_closure_code() {
            self.add_arity(result_of(op, 0).r#type(), funcs[code].inputs().len());
        }
        if let Some(callee) = view(op).called_value() {
            self.add_call(callee.r#type(), op.operand_count() - 1);
        }
    }

    /// Where numbers differ, a call goes on with what code gives, and closures wait for what is missing.
    fn close(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.met.len() {
                for (count, arity) in self.met[at].unlike() {
                    let ty = self.met[at].ty;
                    changed |= match arity < count {
                        true => self.add_call(self.rest(ty, arity), count - arity),
                        false => self.add_arity(self.rest(ty, count), arity - count),
                    };
                }
            }
        }
    }

    /// Closure types whose calls or code go through stubs.
    pub fn general(&self) -> Vec<Type<'c>> {
        let unlike = |it: &Met<'c>| it.unlike().into_iter().map(|(a, b)| a.min(b));
        self.met
            .iter()
            .flat_map(|it| unlike(it).flat_map(|count| [it.ty, self.rest(it.ty, count)]))
            .collect()
    }

    fn met(&mut self, ty: Type<'c>) -> &mut Met<'c> {
        let at = *self.numbers.entry(type_key(ty)).or_insert_with(|| {
            self.met.push(Met { ty, arities: Vec::new(), calls: Vec::new() });
            self.met.len() - 1
        });
        &mut self.met[at]
    }

    fn add_arity(&mut self, ty: Type<'c>, arity: usize) -> bool {
        let known = &mut self.met(ty).arities;
        let fresh = !known.contains(&arity);
        if fresh {
            known.push(arity);
            known.sort_unstable();
        }
        fresh
    }

    fn add_call(&mut self, ty: Type<'c>, count: usize) -> bool {
        let known = &mut self.met(ty).calls;
        let fresh = !known.contains(&count);
        if fresh {
            known.push(count);
        }
        fresh
    }

    /// The closure type after `count` arguments, fewer than it has.
    fn rest(&self, ty: Type<'c>, count: usize) -> Type<'c> {
        let (inputs, result) = ty.signature();
        self.types.closure(&inputs[count..], result)
    }
}

impl Met<'_> {
    /// Numbers of a call and of code that differ.
    fn unlike(&self) -> Vec<(usize, usize)> {
        let pairs = |&count: &usize| self.arities.iter().map(move |&arity| (count, arity));
        self.calls.iter().flat_map(pairs).filter(|it| it.0 != it.1).collect()
    }
}
