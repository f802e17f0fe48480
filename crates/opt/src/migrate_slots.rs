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

use std::collections::{BTreeMap, HashMap, HashSet};

use oxbow_dialect::inspect::{
    attr, block_of, body_ops, erase, insert_first_argument, name_of, operands, ops_of, parent,
    replace_uses, set_attr, string_attr, symbol_attr, type_attr,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Module, Type, ValueLike};
use oxbow_dialect::{Op, Val, result_of};

use crate::dead_slots;
use crate::module::{View, set_operands};
use crate::to_slots::number_of;

/// A literal whose captures are slots.
struct Literal<'c> {
    func: Op<'c>,
    slots: Vec<(&'c str, Type<'c>)>,
}

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut view = View::new(module, context);
    let references = view.references();
    for literal in literals(&view) {
        let name = string_attr(literal.func, "sym_name");
        let named = references.get(name).cloned().unwrap_or_default();
        if named.iter().all(|it| is_simple(*it)) {
            migrate(&mut view, &literal, &named);
        }
    }
    dead_slots::run(module, context);
}

/// Closures of one op, and direct calls.
fn is_simple(op: Op<'_>) -> bool {
    matches!(name_of(op), "ocaml.make_closure" | "ocaml.call" | "ocaml.tail_call")
}

fn literals<'c>(view: &View<'c>) -> Vec<Literal<'c>> {
    let mut slots: BTreeMap<u32, Vec<(&'c str, Type<'c>)>> = BTreeMap::new();
    for global in view.globals() {
        let name = string_attr(global, "sym_name");
        if let Some(number) = number_of(name) {
            slots.entry(number).or_default().push((name, type_attr(global, "type")));
        }
    }
    let mut loads: HashMap<u32, Vec<Op<'c>>> = HashMap::new();
    for &func in &view.funcs {
        for op in body_ops(func).into_iter().filter(|it| name_of(*it) == "ocaml.global_load") {
            if let Some(number) = number_of(symbol_attr(op, "global")) {
                let loading = loads.entry(number).or_default();
                if loading.last() != Some(&func) {
                    loading.push(func);
                }
            }
        }
    }
    let mut taken = HashSet::new();
    slots
        .into_iter()
        .filter_map(|(number, slots)| {
            let [func] = loads.get(&number)?[..] else { return None };
            let fits = attr(func, "captures").is_none()
                && attr(func, "exported").is_none()
                && loads_first(view, func, number)
                && taken.insert(string_attr(func, "sym_name"));
            fits.then_some(Literal { func, slots })
        })
        .collect()
}

/// Are the slots loaded before anything else happens, and never stored?
fn loads_first<'c>(view: &View<'c>, func: Op<'c>, number: u32) -> bool {
    let of_literal = |op: Op<'c>| number_of(symbol_attr(op, "global")) == Some(number);
    let is = |op: Op<'c>, name: &str| name_of(op) == name && of_literal(op);
    let ops = body_ops(func);
    let total = ops.iter().filter(|it| is(**it, "ocaml.global_load")).count();
    let first = ops_of(view.entry(func))
        .take_while(|it| matches!(name_of(*it), "ocaml.global_load" | "arith.constant"))
        .filter(|it| is(*it, "ocaml.global_load"))
        .count();
    first == total && !ops.iter().any(|it| is(*it, "ocaml.global_store"))
}

fn migrate<'c>(view: &mut View<'c>, literal: &Literal<'c>, named: &[Op<'c>]) {
    let func = literal.func;
    let types: Vec<_> = literal.slots.iter().map(|it| it.1).collect();
    let names: Vec<_> = literal
        .slots
        .iter()
        .map(|it| view.build.string(it.0.split_once("__").map_or("", |it| it.1)))
        .collect();
    set_attr(func, "captures", view.build.type_list(&types));
    set_attr(func, "capture_names", view.build.list(&names));
    let entry = view.entry(func);
    let env = insert_first_argument(entry, view.build.types.env, func.location());
    for op in body_ops(func).into_iter().filter(|it| name_of(*it) == "ocaml.global_load") {
        let index = literal.slots.iter().position(|it| it.0 == symbol_attr(op, "global"));
        if let Some(index) = index {
            let value = result_of(op, 0);
            let attributes = [("index", view.build.i32_attr(index as u32))];
            let get = view.before(op, "ocaml.env.get", &[env], &[value.r#type()], &attributes);
            replace_uses(value, result_of(get, 0));
            erase(op);
        }
    }
    for &op in named {
        let inside = parent(op) == Some(func);
        match name_of(op) {
            "ocaml.make_closure" => {
                let ty = result_of(op, 0).r#type();
                let closure = if inside {
                    own_closure(view, op, env, ty)
                } else {
                    closure(view, op, literal, ty)
                };
                replace_uses(result_of(op, 0), closure);
                erase(op);
            }
            _ => {
                let ty = closure_type(view, func);
                let closure = if inside {
                    own_closure(view, op, env, ty)
                } else {
                    closure(view, op, literal, ty)
                };
                let mut args = vec![closure];
                args.extend(operands(op));
                set_operands(op, &args);
            }
        }
    }
}

fn own_closure<'c>(view: &mut View<'c>, op: Op<'c>, env: Val<'c>, ty: Type<'c>) -> Val<'c> {
    result_of(view.before(op, "ocaml.env.self", &[env], &[ty], &[]), 0)
}

/// A closure of what the slots hold, made before `op`.
fn closure<'c>(view: &mut View<'c>, op: Op<'c>, literal: &Literal<'c>, ty: Type<'c>) -> Val<'c> {
    let mut values = Vec::new();
    for &(slot, slot_type) in &literal.slots {
        let value = stored(op, slot).unwrap_or_else(|| {
            let attributes = [("global", view.build.symbol(slot))];
            result_of(view.before(op, "ocaml.global_load", &[], &[slot_type], &attributes), 0)
        });
        values.push(value);
    }
    let name = string_attr(literal.func, "sym_name");
    let attributes = [("func", view.build.symbol(name)), ("storage", view.build.string("counted"))];
    result_of(view.before(op, "ocaml.make_closure", &values, &[ty], &attributes), 0)
}

/// What a slot holds for sure before `op`: the value of the last store in the same block, if
/// nothing between the two can store to it.
fn stored<'c>(op: Op<'c>, slot: &str) -> Option<Val<'c>> {
    let mut held = None;
    for before in ops_of(block_of(op)).take_while(|it| *it != op) {
        match name_of(before) {
            "ocaml.global_store" if symbol_attr(before, "global") == slot => {
                held = operands(before).first().copied();
            }
            "ocaml.call" | "ocaml.invoke" => held = None,
            _ => (),
        }
    }
    held
}

fn closure_type<'c>(view: &View<'c>, func: Op<'c>) -> Type<'c> {
    use oxbow_dialect::melior::ir::r#type::FunctionType;
    let ty = FunctionType::try_from(type_attr(func, "function_type")).expect("a function type");
    let inputs: Vec<_> = (0..ty.input_count()).filter_map(|at| ty.input(at).ok()).collect();
    view.build.types.closure(&inputs, ty.result(0).expect("a function has a result"))
}
