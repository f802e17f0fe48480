//! Makes captures of capture slots: code written for `slots` becomes code with `make_closure`.
//!
//! ```text
//! before   func @g(%z) { %x = global_load @closure_2__x … }
//!          global_store %x0 to @closure_2__x    %f = make_closure @g()    call @g(%y)
//! after    func @g(%z) captures("x": i64) { %x = env.get %env[0] … }
//!          %f = make_closure @g(%x0)            call @g(%f, %y)
//! ```
//!
//! A function takes part if it alone loads the slots of one literal, first thing in its body, and
//! stores to none of them. A closure holds what was stored just before it, or else what its slots hold
//! when it is made; a direct call makes a closure of what they hold. Slots that nothing loads in
//! the end go away.

use std::collections::BTreeMap;

use oxbow_dialect::inspect::{
    block_of, body_ops, erase, insert_first_argument, ops_of, replace_uses,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Module, Type, ValueLike};
use oxbow_dialect::op::{
    DialectOp, EnvGet, EnvSelf, Func, GlobalLoad, MakeClosure, Opcode, Storage, Upstream, View,
    opcode, view,
};
use oxbow_dialect::{Op, Val};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dead_slots;
use crate::module::Declarations;
use crate::to_slots::SlotName;

/// A literal whose captures are slots.
struct Literal<'c> {
    func: Func<'c>,
    slots: Vec<(&'c str, Type<'c>)>,
}

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut declarations = Declarations::new(module, context);
    let references = declarations.references();
    for literal in literals(&declarations) {
        let name = literal.func.sym_name();
        let named = references.get(name).cloned().unwrap_or_default();
        if named.iter().all(|it| is_simple(*it)) {
            migrate(&mut declarations, &literal, &named);
        }
    }
    dead_slots::run(module, context);
}

/// Closures of one op, and direct calls.
fn is_simple(op: Op<'_>) -> bool {
    matches!(opcode(op), Opcode::MakeClosure | Opcode::Call | Opcode::TailCall)
}

fn literals<'c>(declarations: &Declarations<'c>) -> Vec<Literal<'c>> {
    let mut slots: BTreeMap<u32, Vec<(&'c str, Type<'c>)>> = BTreeMap::new();
    for global in declarations.globals() {
        let name = global.sym_name();
        if let Some(SlotName { number, .. }) = SlotName::read(name) {
            slots.entry(number).or_default().push((name, global.r#type()));
        }
    }
    let mut loads: FxHashMap<u32, Vec<Func<'c>>> = FxHashMap::default();
    for &func in &declarations.funcs {
        for load in body_ops(func.op()).into_iter().filter_map(GlobalLoad::cast) {
            if let Some(SlotName { number, .. }) = SlotName::read(load.global()) {
                let loading = loads.entry(number).or_default();
                if loading.last() != Some(&func) {
                    loading.push(func);
                }
            }
        }
    }
    let mut taken = FxHashSet::default();
    slots
        .into_iter()
        .filter_map(|(number, slots)| {
            let [func] = loads.get(&number)?[..] else { return None };
            let fits = !func.has_env()
                && !func.exported()
                && loads_first(declarations, func, number)
                && taken.insert(func.sym_name());
            fits.then_some(Literal { func, slots })
        })
        .collect()
}

/// Are the slots loaded before anything else happens, and never stored?
fn loads_first<'c>(declarations: &Declarations<'c>, func: Func<'c>, number: u32) -> bool {
    let of_literal = |op: Op<'c>, wanted: Opcode| {
        let named = view(op).global().and_then(SlotName::read);
        opcode(op) == wanted && named.is_some_and(|it| it.number == number)
    };
    let ops = body_ops(func.op());
    let total = ops.iter().filter(|it| of_literal(**it, Opcode::GlobalLoad)).count();
    let quiet = |it: &Op<'c>| {
        matches!(opcode(*it), Opcode::GlobalLoad | Opcode::Upstream(Upstream::Constant))
    };
    let first = ops_of(declarations.entry(func))
        .take_while(quiet)
        .filter(|it| of_literal(*it, Opcode::GlobalLoad))
        .count();
    first == total && !ops.iter().any(|it| of_literal(*it, Opcode::GlobalStore))
}

fn migrate<'c>(declarations: &mut Declarations<'c>, literal: &Literal<'c>, named: &[Op<'c>]) {
    let func = literal.func;
    let types: Vec<_> = literal.slots.iter().map(|it| it.1).collect();
    let names: Vec<_> = literal
        .slots
        .iter()
        .map(|it| SlotName::read(it.0).map_or("", |name| name.captured))
        .collect();
    func.set_captures(&types);
    func.set_capture_names(&names);
    let entry = declarations.entry(func);
    let env = insert_first_argument(entry, declarations.build.types.env, func.op().location());
    for load in body_ops(func.op()).into_iter().filter_map(GlobalLoad::cast) {
        let index = literal.slots.iter().position(|it| it.0 == load.global());
        if let Some(index) = index {
            let draft = EnvGet::draft(env, index as u32, load.value().r#type());
            replace_uses(load.value(), declarations.value_before(load.op(), &draft));
            erase(load.op());
        }
    }
    let closure_type = declarations.build.types.closure(&func.inputs(), func.outputs()[0]);
    for &op in named {
        let mut closure = |ty: Type<'c>| match Func::around(op) == Some(func) {
            true => declarations.value_before(op, &EnvSelf::draft(env, ty)),
            false => closure(declarations, op, literal, ty),
        };
        match view(op) {
            View::MakeClosure(it) => {
                let closure = closure(it.closure().r#type());
                replace_uses(it.closure(), closure);
                erase(op);
            }
            View::Call(it) => {
                let closure = closure(closure_type);
                it.set_args(&[&[closure], &it.args()[..]].concat());
            }
            View::TailCall(it) => {
                let closure = closure(closure_type);
                it.set_args(&[&[closure], &it.args()[..]].concat());
            }
            _ => (),
        }
    }
}

/// A closure of what the slots hold, made before `op`.
fn closure<'c>(
    declarations: &mut Declarations<'c>,
    op: Op<'c>,
    literal: &Literal<'c>,
    ty: Type<'c>,
) -> Val<'c> {
    let mut values = Vec::new();
    for &(slot, slot_type) in &literal.slots {
        let value = stored(op, slot)
            .unwrap_or_else(|| declarations.value_before(op, &GlobalLoad::draft(slot, slot_type)));
        values.push(value);
    }
    let name = literal.func.sym_name();
    declarations.value_before(op, &MakeClosure::draft(name, &values, Storage::Counted, ty))
}

/// What a slot holds for sure before `op`: the value of the last store in the same block, if
/// nothing between the two can store to it.
fn stored<'c>(op: Op<'c>, slot: &str) -> Option<Val<'c>> {
    let mut held = None;
    for before in ops_of(block_of(op)).take_while(|it| *it != op) {
        match view(before) {
            View::GlobalStore(it) if it.global() == slot => held = Some(it.value()),
            View::Call(_) | View::Invoke(_) => held = None,
            _ => (),
        }
    }
    held
}
