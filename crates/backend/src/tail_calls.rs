//! Calls that have lost their tail position.
//!
//! ```text
//! f x = … 1 + f y … | … musttail g x …     LLVM makes a loop of `f` that adds up, and adds to what `g` gives
//! ```
//!
//! When LLVM gives a function an accumulator, it puts an operation behind calls that are marked `musttail`, and the
//! mark stays: the code generator refuses that. Such a call is an ordinary one.

use crate::llvm::{
    LLVMGetFirstBasicBlock, LLVMGetFirstFunction, LLVMGetFirstInstruction,
    LLVMGetInstructionOpcode, LLVMGetNextBasicBlock, LLVMGetNextFunction, LLVMGetNextInstruction,
    LLVMGetTailCallKind, LLVMModuleRef, LLVMOpcode, LLVMSetTailCallKind, LLVMTailCallKind,
    LLVMValueRef,
};

/// Takes the mark off calls of the module that stand before something else than the end of their function.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef) {
    // SAFETY: the caller says that the module is alive; so are the values in it, none of which is erased here.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                let mut op = LLVMGetFirstInstruction(block);
                while !op.is_null() {
                    if has_lost_its_place(op) {
                        LLVMSetTailCallKind(op, LLVMTailCallKind::LLVMTailCallKindNone);
                    }
                    op = LLVMGetNextInstruction(op);
                }
                block = LLVMGetNextBasicBlock(block);
            }
            function = LLVMGetNextFunction(function);
        }
    }
}

/// Is this a call that has to be the last one, and is not?
unsafe fn has_lost_its_place(op: LLVMValueRef) -> bool {
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        if LLVMGetInstructionOpcode(op) != LLVMOpcode::LLVMCall
            || LLVMGetTailCallKind(op) != LLVMTailCallKind::LLVMTailCallKindMustTail
        {
            return false;
        }
        let next = LLVMGetNextInstruction(op);
        next.is_null() || LLVMGetInstructionOpcode(next) != LLVMOpcode::LLVMRet
    }
}
