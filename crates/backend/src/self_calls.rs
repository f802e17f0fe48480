//! Calls by which functions call themselves, kept out of LLVM's sight while it propagates constants.
//!
//! ```text
//! f a b = … f b 4 …          f a b = … f' b 4 …
//!                      ⟹    f' a b = f a b                  inlined everywhere, as soon as constants are propagated
//! ```
//!
//! LLVM 22 follows arguments from calls to functions (`ipsccp`). When it looks at the call `f b 4`, and learns by that
//! very call that `b` need not be what it was, it does not look at the call again: `a` stays what `b` was (mended
//! in LLVM's sources in August 2026). Only a call that passes a parameter of its own function on, in another
//! place, shows that. Through a function between the two the call is no longer one of `f` in `f`.

use std::ffi::c_uint;

use llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeIndex};

use crate::llvm::{
    LLVMAddAttributeAtIndex, LLVMAddFunction, LLVMAppendBasicBlockInContext, LLVMBuildCall2,
    LLVMBuildRet, LLVMBuildRetVoid, LLVMBuilderRef, LLVMCountParams, LLVMCreateBuilderInContext,
    LLVMDisposeBuilder, LLVMGetAttributeCountAtIndex, LLVMGetAttributesAtIndex, LLVMGetCalledValue,
    LLVMGetEnumAttributeKindForName, LLVMGetFirstFunction, LLVMGetFunctionCallConv,
    LLVMGetInstructionOpcode, LLVMGetLinkage, LLVMGetModuleContext, LLVMGetNextFunction,
    LLVMGetNumArgOperands, LLVMGetNumOperands, LLVMGetOperand, LLVMGetParam, LLVMGetReturnType,
    LLVMGetTypeKind, LLVMGlobalGetValueType, LLVMIsConstant, LLVMLinkage, LLVMModuleRef,
    LLVMOpcode, LLVMPositionBuilderAtEnd, LLVMRemoveEnumAttributeAtIndex, LLVMSetFunctionCallConv,
    LLVMSetInstructionCallConv, LLVMSetLinkage, LLVMSetOperand, LLVMSetTailCallKind,
    LLVMTailCallKind, LLVMTypeKind, LLVMTypeOf, LLVMValueRef, add_attribute,
};
use crate::tail_calls::instructions;

/// Puts functions between those that may pass parameters on in other places and themselves.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef) {
    // SAFETY: the caller says that the module is alive; so are the values in it. The last operand of a call is what it
    // calls.
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            // Those that are added stand behind all others, and do not call themselves.
            let next = LLVMGetNextFunction(function);
            let calls: Vec<LLVMValueRef> = match LLVMGetLinkage(function) {
                LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => {
                    instructions(function).into_iter().filter(|it| moves(function, *it)).collect()
                }
                // LLVM does not know who else calls it.
                _ => Vec::new(),
            };
            if !calls.is_empty() {
                let between = between(module, function, builder);
                for call in calls {
                    LLVMSetOperand(call, LLVMGetNumOperands(call).cast_unsigned() - 1, between);
                }
            }
            function = next;
        }
        LLVMDisposeBuilder(builder);
    }
}

/// Is this a call of the function itself that may pass a parameter on in another place? What is computed before it may
/// turn out to be a parameter.
unsafe fn moves(function: LLVMValueRef, op: LLVMValueRef) -> bool {
    // SAFETY: as in `run`.
    unsafe {
        if LLVMGetInstructionOpcode(op) != LLVMOpcode::LLVMCall
            || LLVMGetCalledValue(op) != function
        {
            return false;
        }
        let params = LLVMCountParams(function);
        (0..LLVMGetNumArgOperands(op)).any(|at| {
            let arg = LLVMGetOperand(op, at);
            let others = || (0..params).filter(|it| *it != at);
            LLVMIsConstant(arg) == 0
                && arg != LLVMGetParam(function, at)
                && others().any(|it| LLVMTypeOf(LLVMGetParam(function, it)) == LLVMTypeOf(arg))
        })
    }
}

/// A function that does nothing but call another one.
unsafe fn between(
    module: LLVMModuleRef,
    function: LLVMValueRef,
    builder: LLVMBuilderRef,
) -> LLVMValueRef {
    // SAFETY: as in `run`.
    unsafe {
        let ty = LLVMGlobalGetValueType(function);
        let between = LLVMAddFunction(module, c"again".as_ptr(), ty);
        LLVMSetLinkage(between, LLVMLinkage::LLVMInternalLinkage);
        LLVMSetFunctionCallConv(between, LLVMGetFunctionCallConv(function));
        copy_attributes(function, between);
        add_attribute(between, "alwaysinline");
        let context = LLVMGetModuleContext(module);
        let block = LLVMAppendBasicBlockInContext(context, between, c"".as_ptr());
        LLVMPositionBuilderAtEnd(builder, block);
        let mut args: Vec<LLVMValueRef> =
            (0..LLVMCountParams(between)).map(|it| LLVMGetParam(between, it)).collect();
        let count = args.len() as c_uint;
        let call = LLVMBuildCall2(builder, ty, function, args.as_mut_ptr(), count, c"".as_ptr());
        LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
        LLVMSetTailCallKind(call, LLVMTailCallKind::LLVMTailCallKindMustTail);
        match LLVMGetTypeKind(LLVMGetReturnType(ty)) {
            LLVMTypeKind::LLVMVoidTypeKind => LLVMBuildRetVoid(builder),
            _ => LLVMBuildRet(builder, call),
        };
        between
    }
}

/// Gives a function what another one has, but for what speaks against inlining it.
unsafe fn copy_attributes(from: LLVMValueRef, to: LLVMValueRef) {
    let at: LLVMAttributeIndex = LLVMAttributeFunctionIndex;
    // SAFETY: as in `run`; there is room for as many attributes as the function has.
    unsafe {
        let mut attributes =
            vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(from, at) as usize];
        LLVMGetAttributesAtIndex(from, at, attributes.as_mut_ptr());
        for attribute in attributes {
            LLVMAddAttributeAtIndex(to, at, attribute);
        }
        for name in ["noinline", "optnone"] {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMRemoveEnumAttributeAtIndex(to, at, kind);
        }
    }
}
