//! Reading modules: ops, attributes, operands, blocks in order.

use std::collections::HashSet;

use melior::StringRef;
use melior::ir::attribute::{ArrayAttribute, StringAttribute, TypeAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::{
    Attribute, AttributeLike, BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, Type,
    Value, ValueLike,
};
use mlir_sys as sys;

use crate::{Block, Op, Val};

pub fn ops_of<'c>(block: Block<'c>) -> impl Iterator<Item = Op<'c>> {
    // SAFETY: the ops belong to a module that outlives the conversion.
    let lengthen = |op: OperationRef<'c, '_>| unsafe { OperationRef::from_raw(op.to_raw()) };
    std::iter::successors(block.first_operation().map(lengthen), move |op: &Op<'c>| {
        op.next_in_block().map(lengthen)
    })
}

pub fn name_of<'c>(op: Op<'c>) -> &'c str {
    // SAFETY: names are interned in the context.
    unsafe {
        let name = sys::mlirIdentifierStr(sys::mlirOperationGetName(op.to_raw()));
        StringRef::from_raw(name).as_str().expect("op names are text")
    }
}

pub fn attr<'c>(op: Op<'c>, name: &str) -> Option<Attribute<'c>> {
    let name = sys::MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
    // SAFETY: the op is alive; attributes are owned by the context.
    unsafe { Attribute::from_option_raw(sys::mlirOperationGetAttributeByName(op.to_raw(), name)) }
}

pub fn bytes_attr<'c>(op: Op<'c>, name: &str) -> &'c [u8] {
    let attribute = attr(op, name).unwrap_or_else(|| panic!("{} has {name}", name_of(op)));
    attribute_bytes(attribute)
}

pub fn attribute_bytes<'c>(attribute: Attribute<'c>) -> &'c [u8] {
    let attribute = StringAttribute::try_from(attribute).expect("a string attribute");
    // SAFETY: the string is owned by the context.
    unsafe {
        let text = sys::mlirStringAttrGetValue(attribute.to_raw());
        if text.length == 0 {
            &[]
        } else {
            std::slice::from_raw_parts(text.data.cast(), text.length)
        }
    }
}

pub fn string_attr<'c>(op: Op<'c>, name: &str) -> &'c str {
    std::str::from_utf8(bytes_attr(op, name)).expect("names are text")
}

pub fn type_attr<'c>(op: Op<'c>, name: &str) -> Type<'c> {
    let attribute = attr(op, name).unwrap_or_else(|| panic!("{} has {name}", name_of(op)));
    TypeAttribute::try_from(attribute).expect("a type attribute").value()
}

pub fn symbol_attr<'c>(op: Op<'c>, name: &str) -> &'c str {
    let attribute = attr(op, name).unwrap_or_else(|| panic!("{} has {name}", name_of(op)));
    // SAFETY: the string is owned by the context.
    unsafe {
        let text = sys::mlirFlatSymbolRefAttrGetValue(attribute.to_raw());
        std::str::from_utf8_unchecked(std::slice::from_raw_parts(text.data.cast(), text.length))
    }
}

pub fn int_attr(op: Op<'_>, name: &str) -> i64 {
    let attribute = attr(op, name).unwrap_or_else(|| panic!("{} has {name}", name_of(op)));
    // SAFETY: the attribute is an integer of at most 64 bits.
    unsafe { sys::mlirIntegerAttrGetValueInt(attribute.to_raw()) }
}

pub fn list_attr<'c>(op: Op<'c>, name: &str) -> Vec<Attribute<'c>> {
    attr(op, name).map(list).unwrap_or_default()
}

pub fn list<'c>(attribute: Attribute<'c>) -> Vec<Attribute<'c>> {
    let array = ArrayAttribute::try_from(attribute).expect("a list");
    (0..array.len()).map(|at| array.element(at).expect("in range")).collect()
}

pub fn type_list<'c>(attribute: Attribute<'c>) -> Vec<Type<'c>> {
    list(attribute)
        .into_iter()
        .map(|it| TypeAttribute::try_from(it).expect("a list of types").value())
        .collect()
}

pub fn operands<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    // SAFETY: operands live as long as the module of the op.
    op.operands().map(|it| unsafe { Value::from_raw(it.to_raw()) }).collect()
}

/// What identifies a value.
pub fn key(value: Val<'_>) -> usize {
    value.to_raw().ptr as usize
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
