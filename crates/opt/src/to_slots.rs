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

use std::fmt;

use oxbow_dialect::inspect::{body_ops, insert_before, place_of, uses_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Module, Type, TypeLike, ValueLike};
use oxbow_dialect::op::{
    ClosureFill, DialectOp, EnvGet, Func, Global, GlobalLoad, GlobalStore, MakeClosure, Opcode,
    Storage, lender, opcode, view,
};
use oxbow_dialect::{Kind, OcamlType, Op, Val, result_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::Declarations;
use crate::rewrite::{Patterns, Rewriter};
use crate::{Fault, SlotKind};

/// The slots of each function with captures, in the order of its captures.
type Slots<'c> = FxHashMap<&'c str, Vec<String>>;

pub fn run<'c>(
    module: &Module<'c>,
    context: &'c Context,
    kind: SlotKind,
) -> Result<(), Vec<Fault>> {
    let mut declarations = Declarations::new(module, context);
    check(&declarations)?;
    let slots = declare(&mut declarations, kind);
    count_held(&declarations);
    Patterns::new(context)
        .add(|rewriter, op: MakeClosure<'c>| {
            let values = op.captures();
            let Some(names) = slots.get(op.func()).filter(|_| !values.is_empty()) else {
                return false;
            };
            store_all(rewriter, names, &values);
            let ty = op.closure().r#type();
            let constant = MakeClosure::draft(op.func(), &[], Storage::Static, ty);
            rewriter.replace(op.op(), &[rewriter.value(&constant)]);
            true
        })
        .add(|rewriter, op: ClosureFill<'c>| {
            let Some(names) = slots.get(op.func()) else { return false };
            store_all(rewriter, names, &op.captures());
            rewriter.erase(op.op());
            true
        })
        .add(|rewriter, op: EnvGet<'c>| {
            let around = Func::around(op.op());
            let Some(names) = around.and_then(|it| slots.get(it.sym_name())) else {
                return false;
            };
            let name = &names[op.index() as usize];
            let value = rewriter.value(&GlobalLoad::draft(name, op.value().r#type()));
            rewriter.replace(op.op(), &[value]);
            true
        })
        .apply(module);
    let references = declarations.references();
    lend(&mut declarations, &slots);
    for func in declarations.funcs.clone() {
        let name = func.sym_name();
        if slots.contains_key(name) {
            let named = references.get(name).map_or(&[][..], |it| it);
            declarations.drop_environment(func, named);
        }
    }
    Ok(())
}

/// A function that is called with the closure of another gets what the other's slots hold.
fn lend<'c>(declarations: &mut Declarations<'c>, slots: &Slots<'c>) {
    let calls: Vec<_> = declarations.funcs.iter().flat_map(|it| body_ops(it.op())).collect();
    for op in calls {
        let Some(callee) = view(op).callee() else { continue };
        let Some(to) = slots.get(callee) else { continue };
        let Some(from) = lender(op).filter(|it| *it != callee).and_then(|it| slots.get(it)) else {
            continue;
        };
        let func = declarations.by_name().get(callee).copied();
        let types = func.and_then(Func::captures).unwrap_or_default();
        for ((from, to), ty) in from.iter().zip(to).zip(types) {
            let value = declarations.value_before(op, &GlobalLoad::draft(from, ty));
            declarations.before(op, &GlobalStore::draft(value, to));
        }
    }
}

/// What slots may hold lies in no frame.
fn count_held(declarations: &Declarations<'_>) {
    let mut held: FxHashSet<usize> = FxHashSet::default();
    let mut work: Vec<Type<'_>> =
        declarations.funcs.iter().filter_map(|it| it.captures()).flatten().collect();
    let datas = declarations.datas();
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
    for op in declarations.funcs.iter().flat_map(|it| body_ops(it.op())) {
        let it = view(op);
        if it.storage() == Some(Storage::Stack)
            && it.new_closure_code().is_none()
            && held.contains(&(result_of(op, 0).r#type().to_raw().ptr as usize))
        {
            it.set_storage(Storage::Counted);
        }
    }
}

fn store_all<'c>(rewriter: &Rewriter<'c>, names: &[String], values: &[Val<'c>]) {
    for (name, &value) in names.iter().zip(values) {
        rewriter.op(&GlobalStore::draft(value, name));
    }
}

/// Only environments that belong to one function have slots.
fn check(declarations: &Declarations<'_>) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    for &func in &declarations.funcs {
        for op in body_ops(func.op()) {
            if matches!(opcode(op), Opcode::Closure | Opcode::EnvDeclare) {
                faults.push(Fault {
                    place: place_of(op.location()),
                    message: "an environment that is a value of its own has no slots".into(),
                });
            }
        }
        let looks = |it: &(Op<'_>, usize)| matches!(opcode(it.0), Opcode::EnvGet | Opcode::EnvSelf);
        if func.has_env() && !uses_of(declarations.env(func)).iter().all(looks) {
            faults.push(Fault {
                place: place_of(func.op().location()),
                message: format!(
                    "@{} uses its environment as a value, which slots cannot give",
                    func.sym_name()
                ),
            });
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Declares a slot for each capture. Numbers are fresh in the module.
fn declare<'c>(declarations: &mut Declarations<'c>, kind: SlotKind) -> Slots<'c> {
    let mut slots = Slots::default();
    let named = declarations.globals();
    let numbers = named.iter().filter_map(|it| Some(SlotName::read(it.sym_name())?.number));
    let mut number = numbers.max().unwrap_or(0);
    let Some(&anchor) = declarations.funcs.first() else { return slots };
    for func in declarations.funcs.clone() {
        let Some(captures) = func.captures() else { continue };
        number += 1;
        let given = func.capture_names().unwrap_or_default();
        let mut names: Vec<String> = Vec::new();
        for (index, &ty) in captures.iter().enumerate() {
            let captured = given.get(index).map_or(index.to_string(), |it| it.to_string());
            let mut name = SlotName { number, captured: &captured }.to_string();
            if names.contains(&name) {
                name = format!("{name}.{index}");
            }
            declarations.build.location = func.op().location();
            let slot = Global::of(declarations.build.create(&Global::draft(&name, ty)));
            slot.set_sym_visibility("private");
            slot.set_tls(kind == SlotKind::ThreadLocal);
            insert_before(anchor.op(), slot.op());
            names.push(name);
        }
        slots.insert(func.sym_name(), names);
    }
    slots
}

/// The name of a capture slot, `closure_2__x`: the number of the literal, and what is captured. Modules from outside
/// have slots by these names, too (`migrate_slots`); they are made and read here alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotName<'n> {
    pub number: u32,
    pub captured: &'n str,
}

impl<'n> SlotName<'n> {
    pub fn read(name: &'n str) -> Option<Self> {
        let (number, captured) = name.strip_prefix("closure_")?.split_once("__")?;
        Some(Self { number: number.parse().ok()?, captured })
    }
}

impl fmt::Display for SlotName<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "closure_{}__{}", self.number, self.captured)
    }
}
