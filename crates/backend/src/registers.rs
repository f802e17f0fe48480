//! Functions that are only called directly leave no register to the callee to preserve.
//!
//! A recursive function then saves what it needs later around its calls, and nothing on entry.
//! LLVM's `preserve_none` convention has no name in the `llvm` dialect, and its tail calls are proper
//! only between functions of one type; so this runs on optimised LLVM IR, for functions that nothing
//! points to, that no call in tail position reaches and that make none.

use crate::llvm::{
    CALL, LLVMGetCalledValue, LLVMGetFirstBasicBlock, LLVMGetFirstFunction,
    LLVMGetFirstInstruction, LLVMGetFirstUse, LLVMGetFunctionCallConv, LLVMGetInstructionCallConv,
    LLVMGetInstructionOpcode, LLVMGetNextBasicBlock, LLVMGetNextFunction, LLVMGetNextInstruction,
    LLVMGetNextUse, LLVMGetNumArgOperands, LLVMGetOperand, LLVMGetTailCallKind, LLVMGetUser,
    LLVMIsACallInst, LLVMSetFunctionCallConv, LLVMSetInstructionCallConv, ModuleObject,
    PRESERVE_NONE, RET, TAIL_CC, ValueObject,
};

/// Changes the convention of a module's functions where that is possible.
pub unsafe fn run(module: *mut ModuleObject) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    // SAFETY: the module is alive, and so are the values in it.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            if LLVMGetFunctionCallConv(function) == TAIL_CC
                && !LLVMGetFirstBasicBlock(function).is_null()
                && !makes_tail_calls(function)
                && let Some(calls) = direct_calls(function)
            {
                LLVMSetFunctionCallConv(function, PRESERVE_NONE);
                calls.into_iter().for_each(|it| LLVMSetInstructionCallConv(it, PRESERVE_NONE));
            }
            function = LLVMGetNextFunction(function);
        }
    }
}

/// Is there a call in tail position that has to be proper?
unsafe fn makes_tail_calls(function: *mut ValueObject) -> bool {
    // SAFETY: as in `run`.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() {
                if LLVMGetInstructionOpcode(op) == CALL && is_tail_call(op) {
                    return true;
                }
                op = LLVMGetNextInstruction(op);
            }
            block = LLVMGetNextBasicBlock(block);
        }
        false
    }
}

/// A call of our own convention that stands last. LLVM marks others that could.
unsafe fn is_tail_call(call: *mut ValueObject) -> bool {
    // SAFETY: as in `run`.
    unsafe {
        let ours = [TAIL_CC, PRESERVE_NONE].contains(&LLVMGetInstructionCallConv(call));
        let next = LLVMGetNextInstruction(call);
        let last = next.is_null() || LLVMGetInstructionOpcode(next) == RET;
        ours && last && LLVMGetTailCallKind(call) != 0
    }
}

/// The calls of a function, if it is used in no other way and none of them is in tail position.
unsafe fn direct_calls(function: *mut ValueObject) -> Option<Vec<*mut ValueObject>> {
    let mut calls = Vec::new();
    // SAFETY: as in `run`.
    unsafe {
        let mut it = LLVMGetFirstUse(function);
        while !it.is_null() {
            let user = LLVMGetUser(it);
            let is_call = !LLVMIsACallInst(user).is_null() && LLVMGetCalledValue(user) == function;
            if !is_call || is_tail_call(user) {
                return None;
            }
            let arguments = LLVMGetNumArgOperands(user);
            if (0..arguments).any(|at| LLVMGetOperand(user, at) == function) {
                return None;
            }
            calls.push(user);
            it = LLVMGetNextUse(it);
        }
    }
    Some(calls)
}
