//! Faults on purpose, to show that a checked program finds them. For tests only.
//!
//! ```text
//! lose-dup@FILE:LINE     the dups of that line are left out: something is freed too early
//! extra-drop@FILE:LINE   what is duplicated there is dropped once more
//! lose-drop@FILE:LINE    the drops of that line are left out: something leaks
//! in-frame@FILE:LINE     what is allocated there goes into the frame, though it outlives it
//! ```

use oxbow_dialect::inspect::{attr, name_of, operands, ops_of, string_attr};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, BlockRef, RegionLike, ValueLike};
use oxbow_dialect::{Builder, Kind, OcamlType, Op, mlir_sys as sys, region_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    LoseDup,
    ExtraDrop,
    LoseDrop,
    InFrame,
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
        _ => return false,
    }
    true
}

fn erase(op: Op<'_>) {
    // SAFETY: the op has no results, and nothing else refers to it.
    unsafe { sys::mlirOperationDestroy(op.to_raw()) }
}
