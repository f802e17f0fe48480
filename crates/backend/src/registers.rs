//! Calls between compiled functions leave no register to the callee to preserve.
//!
//! The `llvm` dialect has no name for LLVM's `preserve_none` convention, so functions come here as
//! `tailcc` and are renamed: a recursive function then saves what it needs later around its calls,
//! and nothing on entry. Code that a closure points to is called by its type alone, so the type
//! decides: all arguments are in registers.
//!
//! A tail call between a function with that convention and one without would not be proper. In
//! a module that has one, all keep `tailcc`.

use std::ptr;

use crate::llvm::{
    self, CALL, LLVMCountParamTypes, LLVMGetCalledFunctionType, LLVMGetFirstBasicBlock,
    LLVMGetFirstFunction, LLVMGetFirstInstruction, LLVMGetFunctionCallConv,
    LLVMGetInstructionCallConv, LLVMGetInstructionOpcode, LLVMGetNextBasicBlock,
    LLVMGetNextFunction, LLVMGetNextInstruction, LLVMGetParamTypes, LLVMGetTailCallKind,
    LLVMGetTypeKind, LLVMGlobalGetValueType, LLVMSetFunctionCallConv, LLVMSetInstructionCallConv,
    ModuleObject, PRESERVE_NONE, TAIL_CC, TypeObject, ValueObject,
};

/// Integer and float arguments that the convention surely passes in registers; conversion
/// makes its tail calls by the same numbers.
const INTEGERS: usize = 6;
const FLOATS: usize = 8;

/// Changes the convention of a module's functions and calls.
pub unsafe fn run(module: *mut ModuleObject) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    // SAFETY: the module is alive, and so are the values and types in it.
    unsafe {
        let mut functions = Vec::new();
        let mut calls = Vec::new();
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let ours = LLVMGetFunctionCallConv(function) == TAIL_CC;
            let fits = ours && in_registers(LLVMGlobalGetValueType(function));
            if fits {
                functions.push(function);
            }
            for call in calls_of(function) {
                if LLVMGetInstructionCallConv(call) != TAIL_CC {
                    continue;
                }
                let callee_fits = in_registers(LLVMGetCalledFunctionType(call));
                if LLVMGetTailCallKind(call) != 0 && callee_fits != fits {
                    return;
                }
                if callee_fits {
                    calls.push(call);
                }
            }
            function = LLVMGetNextFunction(function);
        }
        functions.into_iter().for_each(|it| LLVMSetFunctionCallConv(it, PRESERVE_NONE));
        calls.into_iter().for_each(|it| LLVMSetInstructionCallConv(it, PRESERVE_NONE));
    }
}

unsafe fn calls_of(function: *mut ValueObject) -> Vec<*mut ValueObject> {
    let mut calls = Vec::new();
    // SAFETY: as in `run`.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() {
                if LLVMGetInstructionOpcode(op) == CALL {
                    calls.push(op);
                }
                op = LLVMGetNextInstruction(op);
            }
            block = LLVMGetNextBasicBlock(block);
        }
    }
    calls
}

/// Does a function of this type take all its arguments in registers?
unsafe fn in_registers(ty: *mut TypeObject) -> bool {
    // SAFETY: as in `run`; the list has room for all parameters.
    unsafe {
        let mut params = vec![ptr::null_mut(); LLVMCountParamTypes(ty) as usize];
        LLVMGetParamTypes(ty, params.as_mut_ptr());
        let floats = params
            .iter()
            .filter(|it| [llvm::FLOAT, llvm::DOUBLE].contains(&LLVMGetTypeKind(**it)))
            .count();
        floats <= FLOATS && params.len() - floats <= INTEGERS
    }
}
