//! Walking and changing ops that exist, whatever they are: operands, uses, blocks, places. What an op is and what
//! attributes it has is for [`crate::op`].
//!
//! Handles have the context's lifetime, as those of [`crate::Builder`]: they must not outlive the
//! module that owns what they name, nor an op that was erased.

use std::collections::HashSet;

use melior::StringRef;
use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, BlockRef, RegionLike, RegionRef, Type, Value, ValueLike,
};
use mlir_sys as sys;

use crate::builder::{Block, Op, Val};

/// The ops of a block, in order.
pub fn ops_of<'c>(block: Block<'c>) -> impl Iterator<Item = Op<'c>> {
    // SAFETY: the ops belong to a module that outlives the handles; likewise below.
    let lengthen = |op: OperationRef<'c, '_>| unsafe { OperationRef::from_raw(op.to_raw()) };
    std::iter::successors(block.first_operation().map(lengthen), move |op: &Op<'c>| {
        op.next_in_block().map(lengthen)
    })
}

/// The blocks of a region, in order.
pub fn blocks_of<'c>(region: RegionRef<'c, 'c>) -> Vec<Block<'c>> {
    let lengthen =
        |it: BlockRef<'c, '_>| -> Block<'c> { unsafe { BlockRef::from_raw(it.to_raw()) } };
    std::iter::successors(region.first_block().map(lengthen), |it: &Block<'c>| {
        it.next_in_region().map(lengthen)
    })
    .collect()
}

/// Every op in the body of a function.
pub fn body_ops<'c>(func: Op<'c>) -> Vec<Op<'c>> {
    // Asking for a region that is not there prints the op.
    if func.region_count() == 0 {
        return Vec::new();
    }
    func.region(0).map(blocks_of).unwrap_or_default().into_iter().flat_map(ops_of).collect()
}

pub fn name_of<'c>(op: Op<'c>) -> &'c str {
    // SAFETY: names are interned in the context.
    unsafe {
        let name = sys::mlirIdentifierStr(sys::mlirOperationGetName(op.to_raw()));
        StringRef::from_raw(name).as_str().expect("op names are text")
    }
}

pub(crate) fn attr<'c>(op: Op<'c>, name: &str) -> Option<Attribute<'c>> {
    // SAFETY: the op is alive; attributes are owned by the context.
    unsafe {
        Attribute::from_option_raw(sys::mlirOperationGetAttributeByName(op.to_raw(), text(name)))
    }
}

pub(crate) fn list<'c>(attribute: Attribute<'c>) -> Vec<Attribute<'c>> {
    let array = ArrayAttribute::try_from(attribute).expect("a list");
    (0..array.len()).map(|at| array.element(at).expect("in range")).collect()
}

pub fn operands<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    // SAFETY: operands live as long as the module of the op.
    op.operands().map(|it| unsafe { Value::from_raw(it.to_raw()) }).collect()
}

pub(crate) fn set_operand<'c>(op: Op<'c>, index: usize, value: Val<'c>) {
    // SAFETY: both are alive; the caller knows the op's operands.
    unsafe { sys::mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw()) }
}

pub(crate) fn set_attr<'c>(op: Op<'c>, name: &str, attribute: Attribute<'c>) {
    // SAFETY: the op is alive.
    unsafe { sys::mlirOperationSetAttributeByName(op.to_raw(), text(name), attribute.to_raw()) }
}

pub(crate) fn remove_attr(op: Op<'_>, name: &str) {
    // SAFETY: the op is alive.
    unsafe { sys::mlirOperationRemoveAttributeByName(op.to_raw(), text(name)) };
}

/// The ops that use a value, with the number of the operand that is the use.
pub fn uses_of<'c>(value: Val<'c>) -> Vec<(Op<'c>, usize)> {
    let mut uses = Vec::new();
    // SAFETY: uses are read while nothing changes them.
    unsafe {
        let mut operand = sys::mlirValueGetFirstUse(value.to_raw());
        while !sys::mlirOpOperandIsNull(operand) {
            let owner = OperationRef::from_raw(sys::mlirOpOperandGetOwner(operand));
            uses.push((owner, sys::mlirOpOperandGetOperandNumber(operand) as usize));
            operand = sys::mlirOpOperandGetNextUse(operand);
        }
    }
    uses
}

/// The op that makes a value; `None` for the argument of a block.
pub fn definition<'c>(value: Val<'c>) -> Option<Op<'c>> {
    // SAFETY: a value that is no block argument is the result of an op that is alive with it.
    unsafe {
        if sys::mlirValueIsABlockArgument(value.to_raw()) {
            return None;
        }
        Some(OperationRef::from_raw(sys::mlirOpResultGetOwner(value.to_raw())))
    }
}

/// The block that an op stands in.
pub fn block_of<'c>(op: Op<'c>) -> Block<'c> {
    // SAFETY: the block is alive with the op.
    unsafe { BlockRef::from_raw(sys::mlirOperationGetBlock(op.to_raw())) }
}

/// The op that an op stands in.
pub fn parent<'c>(op: Op<'c>) -> Option<Op<'c>> {
    // SAFETY: the parent is alive with the op.
    unsafe {
        let parent = sys::mlirOperationGetParentOperation(op.to_raw());
        (!parent.ptr.is_null()).then(|| OperationRef::from_raw(parent))
    }
}

pub fn replace_uses<'c>(value: Val<'c>, with: Val<'c>) {
    // SAFETY: both are alive and have one type.
    unsafe { sys::mlirValueReplaceAllUsesOfWith(value.to_raw(), with.to_raw()) }
}

/// Puts a detached op before another.
pub fn insert_before<'c>(anchor: Op<'c>, op: Op<'c>) {
    // SAFETY: the anchor is in a block, which takes the new op over.
    unsafe {
        let block = sys::mlirOperationGetBlock(anchor.to_raw());
        sys::mlirBlockInsertOwnedOperationBefore(block, anchor.to_raw(), op.to_raw());
    }
}

/// Takes an op that nothing uses out of its block and frees it.
pub fn erase(op: Op<'_>) {
    // SAFETY: the caller keeps no handle to the op.
    unsafe {
        sys::mlirOperationRemoveFromParent(op.to_raw());
        sys::mlirOperationDestroy(op.to_raw());
    }
}

/// Removes an argument that nothing uses from a block.
pub fn erase_argument(block: Block<'_>, index: usize) {
    // SAFETY: the caller knows the block's arguments.
    unsafe { sys::mlirBlockEraseArgument(block.to_raw(), index as u32) }
}

/// Adds a first argument to a block.
pub fn insert_first_argument<'c>(
    block: Block<'c>,
    ty: Type<'c>,
    location: melior::ir::Location<'c>,
) -> Val<'c> {
    use melior::ir::TypeLike as _;
    // SAFETY: the block is alive.
    unsafe {
        Value::from_raw(sys::mlirBlockInsertArgument(
            block.to_raw(),
            0,
            ty.to_raw(),
            location.to_raw(),
        ))
    }
}

/// Identifies a value while it is alive.
pub fn key(value: Val<'_>) -> usize {
    value.to_raw().ptr as usize
}

fn text(name: &str) -> sys::MlirStringRef {
    sys::MlirStringRef { data: name.as_ptr().cast(), length: name.len() }
}

/// A place in a file, counted from 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// `file:line:column` of a location; that of the call for inlined code.
pub fn site_text(location: melior::ir::Location<'_>) -> String {
    fn text(location: sys::MlirLocation) -> String {
        // SAFETY: locations are owned by the context.
        unsafe {
            if sys::mlirLocationIsACallSite(location) {
                return text(sys::mlirLocationCallSiteGetCaller(location));
            }
            if !sys::mlirLocationIsAFileLineColRange(location) {
                return "unknown".into();
            }
            let file = sys::mlirLocationFileLineColRangeGetFilename(location);
            let file = sys::mlirIdentifierStr(file);
            let file = std::slice::from_raw_parts(file.data.cast::<u8>(), file.length);
            format!(
                "{}:{}:{}",
                String::from_utf8_lossy(file),
                sys::mlirLocationFileLineColRangeGetStartLine(location),
                sys::mlirLocationFileLineColRangeGetStartColumn(location)
            )
        }
    }
    text(location.to_raw())
}

/// Where a location points to; the innermost of several.
pub fn place_of(location: melior::ir::Location<'_>) -> Option<Place> {
    place_of_raw(location.to_raw())
}

fn place_of_raw(location: sys::MlirLocation) -> Option<Place> {
    // SAFETY: locations are owned by the context, and each kind is asked for before it is read.
    unsafe {
        if sys::mlirLocationIsAFileLineColRange(location) {
            let name =
                sys::mlirIdentifierStr(sys::mlirLocationFileLineColRangeGetFilename(location));
            return Some(Place {
                file: StringRef::from_raw(name).as_str().ok()?.into(),
                line: sys::mlirLocationFileLineColRangeGetStartLine(location) as u32,
                column: sys::mlirLocationFileLineColRangeGetStartColumn(location) as u32,
            });
        }
        if sys::mlirLocationIsAName(location) {
            return place_of_raw(sys::mlirLocationNameGetChildLoc(location));
        }
        if sys::mlirLocationIsACallSite(location) {
            return place_of_raw(sys::mlirLocationCallSiteGetCallee(location));
        }
        if sys::mlirLocationIsAFused(location) {
            let count = sys::mlirLocationFusedGetNumLocations(location);
            let mut parts = vec![location; count as usize];
            sys::mlirLocationFusedGetLocations(location, parts.as_mut_ptr());
            return parts.into_iter().find_map(place_of_raw);
        }
        None
    }
}

/// Blocks so that each comes after those that dominate it; unreachable ones are left out.
pub fn reverse_postorder<'c>(region: RegionRef<'c, 'c>) -> Vec<Block<'c>> {
    let first = region.first_block().expect("a function has a body");
    // SAFETY: blocks live as long as the module of the region.
    let lengthen =
        |block: &BlockRef<'c, '_>| -> Block<'c> { unsafe { BlockRef::from_raw(block.to_raw()) } };
    let successors = |block: Block<'c>| -> Vec<Block<'c>> {
        let Some(last) = block.terminator() else { panic!("a block without a terminator") };
        last.successors().map(|it| lengthen(&it)).collect()
    };
    let first = lengthen(&first);
    let mut seen = HashSet::from([first.to_raw().ptr as usize]);
    let mut order = Vec::new();
    let mut stack = vec![(first, successors(first))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next.to_raw().ptr as usize) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
