//! Faults on purpose, to show that a checked program finds them. For tests only.
//!
//! ```text
//! lose-dup@FILE:LINE     the dups of that line are left out: something is freed too early
//! extra-drop@FILE:LINE   what is duplicated there is dropped once more
//! lose-drop@FILE:LINE    the drops of that line are left out: something leaks
//! in-frame@FILE:LINE     what is allocated there goes into the frame, though it outlives it
//! in-region@FILE:LINE    it goes into a region that is left at once
//! early-leave@FILE:LINE  the region that begins there is left as soon as something was made in it
//! lose-leave@FILE:LINE   the region that begins there is never left, nor emptied
//! unique@FILE:LINE       closures taken apart there are said to have no other owner
//! ```

use oxbow_dialect::inspect::{
    attr, insert_before, int_attr, name_of, operands, ops_of, replace_uses, set_attr, string_attr,
    symbol_attr, uses_of,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, BlockRef, RegionLike, ValueLike};
use oxbow_dialect::{Builder, Kind, OcamlType, Op, Val, mlir_sys as sys, region_of, result_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    LoseDup,
    ExtraDrop,
    LoseDrop,
    InFrame,
    InRegion,
    EarlyLeave,
    LoseLeave,
    Unique,
}

/// A fault to be planted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    what: What,
    /// `file:line:`
    place: String,
}

impl Fault {
    /// Reads one of the forms above.
    pub fn parse(text: &str) -> Option<Self> {
        let (what, place) = text.split_once('@')?;
        let what = match what {
            "lose-dup" => What::LoseDup,
            "extra-drop" => What::ExtraDrop,
            "lose-drop" => What::LoseDrop,
            "in-frame" => What::InFrame,
            "in-region" => What::InRegion,
            "early-leave" => What::EarlyLeave,
            "lose-leave" => What::LoseLeave,
            "unique" => What::Unique,
            _ => return None,
        };
        Some(Self { what, place: format!("{place}:") })
    }
}

/// Plants a fault in the function; how many ops it touched.
pub fn run<'c>(function: Op<'c>, fault: &Fault, build: &mut Builder<'c>) -> usize {
    let mut blocks = Vec::new();
    // SAFETY: blocks live as long as the module.
    let lengthen = |it: BlockRef<'c, '_>| unsafe { BlockRef::from_raw(it.to_raw()) };
    let mut block: Option<BlockRef<'c, 'c>> = region_of(function).first_block().map(lengthen);
    while let Some(it) = block {
        blocks.push(it);
        block = it.next_in_region().map(lengthen);
    }
    let mut touched = 0;
    for block in blocks {
        let ops: Vec<_> = ops_of(block).collect();
        for op in ops {
            if format!("{}", op.location()).contains(&spelled(&fault.place)) {
                touched += usize::from(plant(op, fault.what, build));
            }
        }
    }
    touched
}

/// How a location prints: `"file":line:column`.
fn spelled(place: &str) -> String {
    match place.trim_end_matches(':').rsplit_once(':') {
        Some((file, line)) => format!("{file}\":{line}:"),
        None => place.to_string(),
    }
}

fn plant<'c>(op: Op<'c>, what: What, build: &mut Builder<'c>) -> bool {
    let name = name_of(op);
    match what {
        What::LoseDup if name == "ocaml.dup" => erase(op),
        What::LoseDrop if name == "ocaml.drop" => erase(op),
        What::ExtraDrop if name == "ocaml.dup" => {
            build.location = op.location();
            let value = operands(op)[0];
            if value.r#type().kind() == Kind::Env {
                return false;
            }
            let drop = build.detached("ocaml.drop", &[value], &[], &[], &[], 0);
            // SAFETY: both ops are in the block, or will be.
            unsafe {
                let block = sys::mlirOperationGetBlock(op.to_raw());
                sys::mlirBlockInsertOwnedOperationAfter(block, op.to_raw(), drop.to_raw());
                let again = sys::mlirOperationClone(drop.to_raw());
                sys::mlirBlockInsertOwnedOperationAfter(block, drop.to_raw(), again);
            }
            return true;
        }
        What::InFrame
            if attr(op, "storage").is_some() && string_attr(op, "storage") == "counted" =>
        {
            let name = "storage";
            let name = sys::MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
            use oxbow_dialect::melior::ir::AttributeLike;
            // SAFETY: the op is alive; attributes are owned by the context.
            unsafe {
                sys::mlirOperationSetAttributeByName(
                    op.to_raw(),
                    name,
                    build.string("stack").to_raw(),
                );
            }
            return true;
        }
        What::InRegion if matches!(name, "ocaml.block.new" | "ocaml.make_closure") => {
            // A closure without captures is a constant.
            if string_attr(op, "storage") != "counted"
                || name == "ocaml.make_closure" && operands(op).is_empty()
            {
                return false;
            }
            build.location = op.location();
            let holds = [("holds", build.type_list(&[]))];
            let region = build.types.region;
            let enter = build.detached("ocaml.region.enter", &[], &[region], &holds, &[], 0);
            insert_before(op, enter);
            let mut args = vec![result_of(enter, 0)];
            args.extend(operands(op));
            let (made, what) = match name {
                "ocaml.block.new" => {
                    ("ocaml.region.block", ("ctor", build.i32_attr(int_attr(op, "ctor") as u32)))
                }
                _ => ("ocaml.region.closure", ("func", build.symbol(symbol_attr(op, "func")))),
            };
            let types = [result_of(op, 0).r#type()];
            let new = build.detached(made, &args, &types, &[what], &[], 0);
            insert_before(op, new);
            insert_before(op, leave(build, result_of(enter, 0)));
            replace_uses(result_of(op, 0), result_of(new, 0));
            erase(op);
        }
        What::EarlyLeave if name == "ocaml.region.enter" => {
            let region = result_of(op, 0);
            let makes = |it: &Op<'c>| {
                let name = name_of(*it);
                matches!(name, "ocaml.call" | "ocaml.region.block" | "ocaml.region.closure")
            };
            let Some(user) = uses_of(region).into_iter().map(|it| it.0).find(makes) else {
                return false;
            };
            build.location = user.location();
            let leave = leave(build, region);
            // SAFETY: the op is in its block.
            unsafe {
                let block = sys::mlirOperationGetBlock(user.to_raw());
                sys::mlirBlockInsertOwnedOperationAfter(block, user.to_raw(), leave.to_raw());
            }
        }
        What::Unique if name == "ocaml.take" => set_attr(op, "unique", build.unit()),
        What::LoseLeave if name == "ocaml.region.enter" => {
            for (user, _) in uses_of(result_of(op, 0)) {
                if matches!(name_of(user), "ocaml.region.leave" | "ocaml.region.reset") {
                    erase(user);
                }
            }
        }
        _ => return false,
    }
    true
}

fn leave<'c>(build: &Builder<'c>, region: Val<'c>) -> Op<'c> {
    build.detached("ocaml.region.leave", &[region], &[], &[], &[], 0)
}

fn erase(op: Op<'_>) {
    // SAFETY: the op has no results, and nothing else refers to it.
    unsafe { sys::mlirOperationDestroy(op.to_raw()) }
}
