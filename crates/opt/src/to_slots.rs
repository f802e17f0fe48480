//! The strategy `slots`: each capture of each function literal is a module-level variable.
//!
//! ```text
//! before   func @add(%x) captures("k": i64) { %k = env.get %env[0] … }
//!          %f = make_closure @add(%k)              call @add(%f, %x)
//! after    global private @closure_1__k : i64
//!          func @add(%x) { %k = global_load @closure_1__k … }
//!          global_store %k to @closure_1__k
//!          %f = make_closure @add()                call @add(%x)
//! ```
//!
//! One variable cannot serve two closures over the same function that are alive together. Whoever
//! runs this pass has checked that there are none: for programs the pass `check_slots` on the graph
//! does. An environment that is a value of its own has no slots and is refused.
//!
//! A slot owns what it holds until something else is stored, longer than any frame lasts: objects of types that slots
//! can hold are counted.

use std::collections::{HashMap, HashSet};

use oxbow_dialect::inspect::{
    attr, attribute_bytes, body_ops, int_attr, lender, list_attr, makes_closure, name_of, operands,
    parent, place_of, set_attr, string_attr, symbol_attr, uses_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Module, Type, TypeLike, ValueLike};
use oxbow_dialect::{Kind, OcamlType, Op, result_of};

use crate::module::{View, captures_of};
use crate::rewrite::{Patterns, Rewriter};
use crate::{Fault, SlotKind};

/// The slots of each function with captures, in the order of its captures.
type Slots<'c> = HashMap<&'c str, Vec<String>>;

pub fn run<'c>(
    module: &Module<'c>,
    context: &'c Context,
    kind: SlotKind,
) -> Result<(), Vec<Fault>> {
    let mut view = View::new(module, context);
    check(&view)?;
    let slots = declare(&mut view, kind);
    count_held(&view);
    Patterns::new(context)
        .add("ocaml.make_closure", |rewriter, op| {
            let values = operands(op);
            let Some(names) = slots.get(symbol_attr(op, "func")).filter(|_| !values.is_empty())
            else {
                return false;
            };
            store_all(rewriter, names, &values);
            let attributes = [
                ("func", rewriter.build.symbol(symbol_attr(op, "func"))),
                ("storage", rewriter.build.string("static")),
            ];
            let ty = result_of(op, 0).r#type();
            let closure = rewriter.value("ocaml.make_closure", &[], ty, &attributes);
            rewriter.replace(op, &[closure]);
            true
        })
        .add("ocaml.closure.fill", |rewriter, op| {
            let Some(names) = slots.get(symbol_attr(op, "func")) else { return false };
            store_all(rewriter, names, &operands(op)[1..]);
            rewriter.erase(op);
            true
        })
        .add("ocaml.env.get", |rewriter, op| {
            let Some(names) = parent(op).and_then(|it| slots.get(string_attr(it, "sym_name")))
            else {
                return false;
            };
            let attributes =
                [("global", rewriter.build.symbol(&names[int_attr(op, "index") as usize]))];
            let ty = result_of(op, 0).r#type();
            let value = rewriter.value("ocaml.global_load", &[], ty, &attributes);
            rewriter.replace(op, &[value]);
            true
        })
        .apply(module);
    let references = view.references();
    lend(&mut view, &slots);
    for func in view.funcs.clone() {
        let name = string_attr(func, "sym_name");
        if slots.contains_key(name) {
            let named = references.get(name).map_or(&[][..], |it| it);
            view.drop_environment(func, named);
        }
    }
    Ok(())
}

/// A function that is called with the closure of another gets what the other's slots hold.
fn lend<'c>(view: &mut View<'c>, slots: &Slots<'c>) {
    let calls: Vec<_> = view.funcs.iter().flat_map(|it| body_ops(*it)).collect();
    for op in calls {
        if !matches!(name_of(op), "ocaml.call" | "ocaml.tail_call") {
            continue;
        }
        let callee = symbol_attr(op, "callee");
        let Some(to) = slots.get(callee) else { continue };
        let Some(from) = lender(op).filter(|it| *it != callee).and_then(|it| slots.get(it)) else {
            continue;
        };
        let func = view.by_name().get(callee).copied();
        let types = func.and_then(captures_of).unwrap_or_default();
        for ((from, to), ty) in from.iter().zip(to).zip(types) {
            let load = [("global", view.build.symbol(from))];
            let value = result_of(view.before(op, "ocaml.global_load", &[], &[ty], &load), 0);
            let store = [("global", view.build.symbol(to))];
            view.before(op, "ocaml.global_store", &[value], &[], &store);
        }
    }
}

/// What slots may hold lies in no frame.
fn count_held(view: &View<'_>) {
    let mut held: HashSet<usize> = HashSet::new();
    let mut work: Vec<Type<'_>> =
        view.funcs.iter().filter_map(|it| captures_of(*it)).flatten().collect();
    let datas = view.datas();
    while let Some(ty) = work.pop() {
        if !held.insert(ty.to_raw().ptr as usize) {
            continue;
        }
        match ty.pair_parts() {
            Some(parts) => work.extend(parts),
            None => match ty.kind() {
                Kind::Tuple => work.extend(ty.elements()),
                Kind::Array => work.push(ty.element()),
                Kind::Data => work.extend(datas.get(ty.data_name()).into_iter().flatten()),
                // A closure holds nothing here, and what exceptions hold is in no frame anyway.
                _ => (),
            },
        }
    }
    for op in view.funcs.iter().flat_map(|it| body_ops(*it)) {
        let in_frame = attr(op, "storage").is_some() && string_attr(op, "storage") == "stack";
        if in_frame
            && !makes_closure(name_of(op))
            && held.contains(&(result_of(op, 0).r#type().to_raw().ptr as usize))
        {
            set_attr(op, "storage", view.build.string("counted"));
        }
    }
}

fn store_all<'c>(rewriter: &Rewriter<'c>, names: &[String], values: &[oxbow_dialect::Val<'c>]) {
    for (name, &value) in names.iter().zip(values) {
        let attributes = [("global", rewriter.build.symbol(name))];
        rewriter.op("ocaml.global_store", &[value], &[], &attributes);
    }
}

/// Only environments that belong to one function have slots.
fn check(view: &View<'_>) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for &func in &view.funcs {
        for op in body_ops(func) {
            if matches!(name_of(op), "ocaml.closure" | "ocaml.env.declare") {
                faults.push(Fault {
                    place: place_of(op.location()),
                    message: "an environment that is a value of its own has no slots".into(),
                });
            }
        }
        let looks =
            |it: &(Op<'_>, usize)| matches!(name_of(it.0), "ocaml.env.get" | "ocaml.env.self");
        if captures_of(func).is_some() && !uses_of(view.env(func)).iter().all(looks) {
            faults.push(Fault {
                place: place_of(func.location()),
                message: format!(
                    "@{} uses its environment as a value, which slots cannot give",
                    string_attr(func, "sym_name")
                ),
            });
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Declares a slot for each capture. Numbers are fresh in the module.
fn declare<'c>(view: &mut View<'c>, kind: SlotKind) -> Slots<'c> {
    let mut slots = Slots::new();
    let mut number = view
        .globals()
        .iter()
        .filter_map(|&it| number_of(string_attr(it, "sym_name")))
        .max()
        .unwrap_or(0);
    let Some(&anchor) = view.funcs.first() else { return slots };
    for func in view.funcs.clone() {
        let Some(captures) = captures_of(func) else { continue };
        number += 1;
        let given = list_attr(func, "capture_names");
        let mut names: Vec<String> = Vec::new();
        for (index, &ty) in captures.iter().enumerate() {
            let captured = given.get(index).map_or(index.to_string(), |it| {
                String::from_utf8_lossy(attribute_bytes(*it)).into_owned()
            });
            let mut name = format!("closure_{number}__{captured}");
            if names.contains(&name) {
                name = format!("{name}.{index}");
            }
            global(view, anchor, func, &name, ty, kind);
            names.push(name);
        }
        slots.insert(string_attr(func, "sym_name"), names);
    }
    slots
}

fn global<'c>(
    view: &mut View<'c>,
    anchor: Op<'c>,
    func: Op<'c>,
    name: &str,
    ty: Type<'c>,
    kind: SlotKind,
) {
    let mut attributes = vec![
        ("sym_name", view.build.string(name)),
        ("sym_visibility", view.build.string("private")),
        ("type", view.build.type_attr(ty)),
    ];
    if kind == SlotKind::ThreadLocal {
        attributes.push(("tls", view.build.unit()));
    }
    view.build.location = func.location();
    let op = view.build.detached("ocaml.global", &[], &[], &attributes, &[], 0);
    oxbow_dialect::inspect::insert_before(anchor, op);
}

/// The number of the literal in the name of a slot.
pub fn number_of(name: &str) -> Option<u32> {
    name.strip_prefix("closure_")?.split_once("__")?.0.parse().ok()
}
