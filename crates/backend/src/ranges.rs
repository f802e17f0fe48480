//! What lengths can be.
//!
//! ```text
//! %n = load i64, ptr %array, !tbaa !length          %n = load …, !range !{0, 2^56}
//! ```
//!
//! A loop `for i = 0 to Array.length a - 1` computes with plain `int`s, twice their value plus nothing: that `2n - 2`
//! does not overflow, and so that each index is in bounds, follows from this. The `llvm` dialect has no
//! attribute for it.

use std::ffi::{c_char, c_uint};

use crate::llvm::{
    LLVMConstInt, LLVMGetFirstBasicBlock, LLVMGetFirstFunction, LLVMGetFirstInstruction,
    LLVMGetInstructionOpcode, LLVMGetMDKindIDInContext, LLVMGetMDNodeNumOperands,
    LLVMGetMDNodeOperands, LLVMGetMDString, LLVMGetMetadata, LLVMGetModuleContext,
    LLVMGetNextBasicBlock, LLVMGetNextFunction, LLVMGetNextInstruction, LLVMInt64TypeInContext,
    LLVMMDNodeInContext2, LLVMMetadataAsValue, LLVMModuleRef, LLVMOpcode, LLVMSetMetadata,
    LLVMValueAsMetadata, LLVMValueRef,
};
use oxbow_base::FxHashMap;

/// More elements than any memory holds.
const MOST: u64 = 1 << 56;

/// How accesses to lengths are called, see `convert/llvm_ops.rs`.
const LENGTH: &[u8] = b"length";

/// Notes the range of all lengths that a module reads.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef) {
    // SAFETY: the caller says that the module is alive; so are its context and the values in it, none of which is
    // erased here.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let kind = |name: &str| {
            LLVMGetMDKindIDInContext(context, name.as_ptr().cast::<c_char>(), name.len() as c_uint)
        };
        let (tbaa, range) = (kind("tbaa"), kind("range"));
        let word = LLVMInt64TypeInContext(context);
        let mut bounds = [0, MOST].map(|it| LLVMValueAsMetadata(LLVMConstInt(word, it, 0)));
        let fact = LLVMMDNodeInContext2(context, bounds.as_mut_ptr(), bounds.len());
        let fact = LLVMMetadataAsValue(context, fact);
        let mut known: FxHashMap<LLVMValueRef, bool> = FxHashMap::default();
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                let mut op = LLVMGetFirstInstruction(block);
                while !op.is_null() {
                    if LLVMGetInstructionOpcode(op) == LLVMOpcode::LLVMLoad {
                        let tag = LLVMGetMetadata(op, tbaa);
                        if !tag.is_null() && *known.entry(tag).or_insert_with(|| is_length(tag)) {
                            LLVMSetMetadata(op, range, fact);
                        }
                    }
                    op = LLVMGetNextInstruction(op);
                }
                block = LLVMGetNextBasicBlock(block);
            }
            function = LLVMGetNextFunction(function);
        }
    }
}

/// Is this the tag of an access to a length? Tags are `{base, accessed, offset}`, types `{name, …}`.
unsafe fn is_length(tag: LLVMValueRef) -> bool {
    // SAFETY: the tag is of a module that is alive, as in `run`, and so are its parts. The text is one if it is not
    // null, with the length that comes with it.
    unsafe {
        let Some(&accessed) = parts(tag).get(1) else { return false };
        let Some(&name) = parts(accessed).first() else { return false };
        let mut length: c_uint = 0;
        let text = LLVMGetMDString(name, &mut length);
        !text.is_null() && std::slice::from_raw_parts(text.cast::<u8>(), length as usize) == LENGTH
    }
}

unsafe fn parts(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: the node is of a module that is alive, as in `run`, and there is room for all its operands.
    unsafe {
        let mut all = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, all.as_mut_ptr());
        all
    }
}
