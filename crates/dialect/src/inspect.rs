//! Walking and changing ops that exist, whatever they are: operands, uses, blocks, places. What an op is and what
//! attributes it has is for [`crate::op`].
//!
//! Handles have the context's lifetime, as those of [`crate::Builder`]: they must not outlive the
//! module that owns what they name, nor an op or a block that was erased. Rust does not check this, since passes
//! keep handles while they change what those name. It is the rule of handles, on which comments on soundness in
//! this crate rest: whoever passes a handle knows that what it names is alive.

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, BlockRef, RegionLike, RegionRef, Type, Value, ValueLike,
};
use mlir_sys as sys;
use rustc_hash::FxHashSet;

use crate::builder::{Block, Builder, Op, Val, region_of, result_of};

/// The same op, by a handle with the context's lifetime.
fn lengthen_op<'c>(op: OperationRef<'c, '_>) -> Op<'c> {
    // SAFETY: the op is alive, and who uses the new handle keeps the rule of handles.
    unsafe { OperationRef::from_raw(op.to_raw()) }
}

/// The same block, by a handle with the context's lifetime.
fn lengthen_block<'c>(block: BlockRef<'c, '_>) -> Block<'c> {
    // SAFETY: the block is alive, and who uses the new handle keeps the rule of handles.
    unsafe { BlockRef::from_raw(block.to_raw()) }
}

/// The ops of a block, in order.
pub fn ops_of<'c>(block: Block<'c>) -> impl Iterator<Item = Op<'c>> {
    std::iter::successors(block.first_operation().map(lengthen_op), move |op: &Op<'c>| {
        op.next_in_block().map(lengthen_op)
    })
}

/// The op that a block ends with.
pub fn terminator<'c>(block: Block<'c>) -> Option<Op<'c>> {
    block.terminator().map(lengthen_op)
}

/// The first block of a region.
pub fn first_block<'c>(region: RegionRef<'c, 'c>) -> Option<Block<'c>> {
    region.first_block().map(lengthen_block)
}

/// The blocks of a region, in order.
pub fn blocks_of<'c>(region: RegionRef<'c, 'c>) -> Vec<Block<'c>> {
    std::iter::successors(first_block(region), |it: &Block<'c>| {
        it.next_in_region().map(lengthen_block)
    })
    .collect()
}

/// The blocks that an op branches to.
pub fn successors<'c>(op: Op<'c>) -> Vec<Block<'c>> {
    op.successors().map(lengthen_block).collect()
}

/// An argument of a block.
pub fn argument<'c>(block: Block<'c>, index: usize) -> Val<'c> {
    assert!(index < block.argument_count(), "the block has this argument");
    // SAFETY: the block is alive by the rule of handles, and has so many arguments.
    unsafe { Value::from_raw(sys::mlirBlockGetArgument(block.to_raw(), index as isize)) }
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
    // SAFETY: the op is alive, and its name is interned in the context, which lives for 'c.
    let name = unsafe { bytes_of(sys::mlirIdentifierStr(sys::mlirOperationGetName(op.to_raw()))) };
    std::str::from_utf8(name).expect("op names are text")
}

/// The bytes of a string of MLIR's.
///
/// # Safety
/// They live for 'c.
pub(crate) unsafe fn bytes_of<'c>(text: sys::MlirStringRef) -> &'c [u8] {
    match text.length {
        // Its address may be null.
        0 => &[],
        // SAFETY: MLIR gives address and length together, and the caller knows how long the bytes live.
        length => unsafe { std::slice::from_raw_parts(text.data.cast(), length) },
    }
}

pub(crate) fn attr<'c>(op: Op<'c>, name: &str) -> Option<Attribute<'c>> {
    // SAFETY: the op is alive; its attributes are owned by the context, and MLIR reads the name before it returns.
    unsafe {
        Attribute::from_option_raw(sys::mlirOperationGetAttributeByName(op.to_raw(), text(name)))
    }
}

pub(crate) fn list<'c>(attribute: Attribute<'c>) -> Vec<Attribute<'c>> {
    let array = ArrayAttribute::try_from(attribute).expect("a list");
    (0..array.len()).map(|at| array.element(at).expect("in range")).collect()
}

pub fn operands<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    // SAFETY: operands are alive with the op, and who uses them keeps the rule of handles.
    op.operands().map(|it| unsafe { Value::from_raw(it.to_raw()) }).collect()
}

/// Replaces an operand that the op has by another value of its type.
pub fn set_operand<'c>(op: Op<'c>, index: usize, value: Val<'c>) {
    assert!(index < op.operand_count(), "the op has this operand");
    // SAFETY: both are alive, and the op has so many operands.
    unsafe { sys::mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw()) }
}

pub(crate) fn set_attr<'c>(op: Op<'c>, name: &str, attribute: Attribute<'c>) {
    // SAFETY: both are alive, and MLIR copies the name.
    unsafe { sys::mlirOperationSetAttributeByName(op.to_raw(), text(name), attribute.to_raw()) }
}

pub(crate) fn remove_attr(op: Op<'_>, name: &str) {
    // SAFETY: the op is alive, and MLIR reads the name before it returns.
    unsafe { sys::mlirOperationRemoveAttributeByName(op.to_raw(), text(name)) };
}

/// The ops that use a value, with the number of the operand that is the use.
pub fn uses_of<'c>(value: Val<'c>) -> Vec<(Op<'c>, usize)> {
    let mut uses = Vec::new();
    // SAFETY: the value is alive, and so are the ops that use it; nothing changes the list of uses meanwhile.
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
    // SAFETY: a value that is no argument of a block is the result of an op, which is alive with it.
    unsafe {
        if sys::mlirValueIsABlockArgument(value.to_raw()) {
            return None;
        }
        Some(OperationRef::from_raw(sys::mlirOpResultGetOwner(value.to_raw())))
    }
}

/// The block that an op stands in.
pub fn block_of<'c>(op: Op<'c>) -> Block<'c> {
    // SAFETY: the op is alive, and so is the block that it stands in.
    unsafe { BlockRef::from_raw(sys::mlirOperationGetBlock(op.to_raw())) }
}

/// The op that an op stands in.
pub fn parent<'c>(op: Op<'c>) -> Option<Op<'c>> {
    // SAFETY: the op is alive, and so is the one that it stands in; null says that there is none.
    unsafe {
        let parent = sys::mlirOperationGetParentOperation(op.to_raw());
        (!parent.ptr.is_null()).then(|| OperationRef::from_raw(parent))
    }
}

/// Both have one type.
pub fn replace_uses<'c>(value: Val<'c>, with: Val<'c>) {
    // SAFETY: both are alive, and so are the ops that use the first.
    unsafe { sys::mlirValueReplaceAllUsesOfWith(value.to_raw(), with.to_raw()) }
}

/// Puts a detached op before another.
pub fn insert_before<'c>(anchor: Op<'c>, op: Op<'c>) {
    // SAFETY: the anchor is alive and in a block, which takes the new op over.
    unsafe {
        let block = sys::mlirOperationGetBlock(anchor.to_raw());
        sys::mlirBlockInsertOwnedOperationBefore(block, anchor.to_raw(), op.to_raw());
    }
}

/// Puts a detached op behind another.
pub fn insert_after<'c>(anchor: Op<'c>, op: Op<'c>) {
    // SAFETY: as in `insert_before`.
    unsafe {
        let block = sys::mlirOperationGetBlock(anchor.to_raw());
        sys::mlirBlockInsertOwnedOperationAfter(block, anchor.to_raw(), op.to_raw());
    }
}

/// Puts a detached op at the end of a block.
pub fn append<'c>(block: Block<'c>, op: Op<'c>) {
    // SAFETY: both are alive, and nobody owns the op but the block from here on.
    unsafe { sys::mlirBlockAppendOwnedOperation(block.to_raw(), op.to_raw()) }
}

/// Takes an op out of its block and puts it before another.
pub fn move_before<'c>(op: Op<'c>, anchor: Op<'c>) {
    // SAFETY: both are alive and in blocks; the op changes its owner.
    unsafe { sys::mlirOperationMoveBefore(op.to_raw(), anchor.to_raw()) }
}

/// Takes an op out of its block and puts it behind another.
pub fn move_after<'c>(op: Op<'c>, anchor: Op<'c>) {
    // SAFETY: as in `move_before`.
    unsafe { sys::mlirOperationMoveAfter(op.to_raw(), anchor.to_raw()) }
}

/// A detached copy of an op, with the same operands.
pub fn copy_of<'c>(op: Op<'c>) -> Op<'c> {
    // SAFETY: the op is alive; the copy is nobody's until it is put somewhere.
    unsafe { OperationRef::from_raw(sys::mlirOperationClone(op.to_raw())) }
}

/// Lets a branch go elsewhere: to a block that takes the same arguments.
pub fn set_successor<'c>(branch: Op<'c>, index: usize, block: Block<'c>) {
    assert!(index < branch.successor_count(), "the branch has this successor");
    // SAFETY: both are alive, and the branch has so many successors.
    unsafe { sys::mlirOperationSetSuccessor(branch.to_raw(), index as isize, block.to_raw()) }
}

/// Takes an op that nothing uses out of its block and frees it.
pub fn erase(op: Op<'_>) {
    // SAFETY: the op is alive, and the caller keeps no handle to it or its results.
    unsafe {
        sys::mlirOperationRemoveFromParent(op.to_raw());
        sys::mlirOperationDestroy(op.to_raw());
    }
}

/// Frees a block that has no ops, and that nothing branches to.
pub fn erase_block(block: Block<'_>) {
    assert!(block.first_operation().is_none(), "the block is empty");
    // SAFETY: the block is alive, and the caller keeps no handle to it or its arguments.
    unsafe {
        sys::mlirBlockDetach(block.to_raw());
        sys::mlirBlockDestroy(block.to_raw());
    }
}

/// Removes an argument that nothing uses from a block.
pub fn erase_argument(block: Block<'_>, index: usize) {
    assert!(index < block.argument_count(), "the block has this argument");
    // SAFETY: the block is alive and has so many arguments; the caller keeps no handle to this one.
    unsafe { sys::mlirBlockEraseArgument(block.to_raw(), index as u32) }
}

/// Adds a first argument to a block.
pub fn insert_first_argument<'c>(
    block: Block<'c>,
    ty: Type<'c>,
    location: melior::ir::Location<'c>,
) -> Val<'c> {
    use melior::ir::TypeLike as _;
    // SAFETY: the block is alive, and has a first place for an argument.
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

/// Says that an op, with all within it, stands in no call: where it stands is where its text does.
///
/// MLIR's pass for debug scopes looks for the function around every call, and what a module declares has none.
pub fn outside_of_calls(op: Op<'_>) {
    for op in body_ops(op).into_iter().chain([op]) {
        let location = op.location();
        if location.is_call_site() {
            // SAFETY: the op is alive, and the location is one of its context.
            unsafe {
                let callee = sys::mlirLocationCallSiteGetCallee(location.to_raw());
                sys::mlirOperationSetLocation(op.to_raw(), callee);
            }
        }
    }
}

/// Does a location lie in one of the library's files?
pub fn is_library(location: melior::ir::Location<'_>) -> bool {
    site_text(location).starts_with(oxbow_abi::LIBRARY_FILES)
}

/// `file:line:column` of a location; that of the call for inlined code.
pub fn site_text(location: melior::ir::Location<'_>) -> String {
    fn text(location: sys::MlirLocation) -> String {
        // SAFETY: locations and their texts are owned by the context, and each kind is asked for before it is read.
        unsafe {
            if sys::mlirLocationIsACallSite(location) {
                return text(sys::mlirLocationCallSiteGetCaller(location));
            }
            if !sys::mlirLocationIsAFileLineColRange(location) {
                return "unknown".into();
            }
            let file = sys::mlirLocationFileLineColRangeGetFilename(location);
            let file = bytes_of(sys::mlirIdentifierStr(file));
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
    // SAFETY: locations and their texts are owned by the context, and each kind is asked for before it is read.
    // There is room for all parts of one that has several.
    unsafe {
        if sys::mlirLocationIsAFileLineColRange(location) {
            let name = sys::mlirLocationFileLineColRangeGetFilename(location);
            return Some(Place {
                file: std::str::from_utf8(bytes_of(sys::mlirIdentifierStr(name))).ok()?.into(),
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
    let first = first_block(region).expect("a function has a body");
    let successors = |block: Block<'c>| -> Vec<Block<'c>> {
        let Some(last) = terminator(block) else { panic!("a block without a terminator") };
        successors(last)
    };
    let mut seen = FxHashSet::from_iter([first.to_raw().ptr as usize]);
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

/// Replaces a branch on a condition by one of its ways.
pub fn take_way<'c>(build: &mut Builder<'c>, branch: Op<'c>, way: usize) {
    let targets = successors(branch);
    let all = operands(branch);
    let skip: usize = 1 + targets[..way].iter().map(|it| it.argument_count()).sum::<usize>();
    let args: Vec<Val<'c>> = all[skip..skip + targets[way].argument_count()].to_vec();
    build.location = branch.location();
    build.set_block(block_of(branch));
    erase(branch);
    build.br(targets[way], &args);
}

/// Removes the blocks that nothing leads to.
pub fn erase_unreached(function: Op<'_>) {
    let reached: FxHashSet<usize> =
        reverse_postorder(region_of(function)).iter().map(|it| it.to_raw().ptr as usize).collect();
    let all = blocks_of(region_of(function));
    let lost: Vec<Block<'_>> =
        all.into_iter().filter(|it| !reached.contains(&(it.to_raw().ptr as usize))).collect();
    for &block in &lost {
        if let Some(last) = terminator(block) {
            erase(last);
        }
    }
    // Only ops of lost blocks use what they make; the last ones first.
    let mut ops: Vec<Op<'_>> = lost.iter().flat_map(|&it| ops_of(it)).collect();
    while !ops.is_empty() {
        let is_used =
            |it: &Op<'_>| (0..it.result_count()).any(|at| !uses_of(result_of(*it, at)).is_empty());
        let mut kept = Vec::new();
        for op in ops.into_iter().rev() {
            match is_used(&op) {
                true => kept.push(op),
                false => erase(op),
            }
        }
        kept.reverse();
        ops = kept;
    }
    lost.into_iter().for_each(erase_block);
}
