//! Which calls are in tail position, and what LLVM gets wrong about them.
//!
//! ```text
//! f x = … 1 + f y … | … musttail g x …     LLVM makes a loop of `f` that adds up, and adds to what `g` gives
//! ```
//!
//! When LLVM gives a function an accumulator, it puts an operation behind calls that are marked `musttail`, and the
//! mark stays: the code generator refuses that. Such a call is an ordinary one.
//!
//! ```text
//! f x =  cmp; jump b; sub $32, %rsp; … jump g      a call with more arguments in memory than `f` has makes room first
//!        b: add $32, %rsp; jump h                  … and each other call gives it back, whether it was made or not
//! ```
//!
//! The room is made where a function saves registers. LLVM puts that behind the first tests if it can (`ShrinkWrap`),
//! and does not know that calls in tail position before it give back what they have not got.

use crate::llvm::{
    LLVMBasicBlockRef, LLVMGetFirstBasicBlock, LLVMGetFirstFunction, LLVMGetFirstInstruction,
    LLVMGetFunctionCallConv, LLVMGetInstructionOpcode, LLVMGetNextBasicBlock, LLVMGetNextFunction,
    LLVMGetNextInstruction, LLVMGetNumArgOperands, LLVMGetNumSuccessors, LLVMGetOperand,
    LLVMGetSuccessor, LLVMGetTailCallKind, LLVMGetTypeKind, LLVMModuleRef, LLVMOpcode,
    LLVMSetTailCallKind, LLVMTailCallKind, LLVMTypeKind, LLVMTypeOf, LLVMValueRef, TAIL_CC,
    add_attribute,
};

/// Integers, addresses included, and floats that `fastcc` and `tailcc` have registers for on x86-64.
pub const REGISTERS: (usize, usize) = (6, 8);

/// Takes the mark off calls of the module that stand before something else than the end of their function.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef) {
    // SAFETY: the caller says that the module is alive; so are the values in it, none of which is erased here.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            for op in instructions(function) {
                if has_lost_its_place(op) {
                    LLVMSetTailCallKind(op, LLVMTailCallKind::LLVMTailCallKindNone);
                }
            }
            function = LLVMGetNextFunction(function);
        }
    }
}

/// Functions by `tailcc` that pass arguments in memory to calls in tail position save registers, and make room, at
/// their beginning. What keeps LLVM from doing it later is one of the marks for tools that watch memory; it means
/// nothing else to the code generator.
///
/// # Safety
/// As for `run`; the conventions are those that code is made for.
pub unsafe fn keep_prologues(module: LLVMModuleRef) {
    // SAFETY: as in `run`.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            if LLVMGetFunctionCallConv(function) == TAIL_CC
                && instructions(function).iter().any(|&it| is_tail_call(it) && !fits(it, REGISTERS))
            {
                add_attribute(function, "sanitize_hwaddress");
            }
            function = LLVMGetNextFunction(function);
        }
    }
}

pub unsafe fn instructions(function: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut all = Vec::new();
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() {
                all.push(op);
                op = LLVMGetNextInstruction(op);
            }
            block = LLVMGetNextBasicBlock(block);
        }
    }
    all
}

/// Is this a call that has to be a jump? It is marked, and nothing is left to do but to return what it gives. Those
/// with all arguments in registers are marked `musttail` and stand before a return; the others return where LLVM makes
/// them.
///
/// # Safety
/// The instruction is part of a module that is alive.
pub unsafe fn is_tail_call(op: LLVMValueRef) -> bool {
    // SAFETY: the caller says that the module is alive.
    unsafe {
        if LLVMGetInstructionOpcode(op) != LLVMOpcode::LLVMCall
            || LLVMGetTailCallKind(op) == LLVMTailCallKind::LLVMTailCallKindNone
        {
            return false;
        }
        let next = LLVMGetNextInstruction(op);
        if next.is_null() || LLVMGetInstructionOpcode(next) == LLVMOpcode::LLVMRet {
            return true;
        }
        !fits(op, REGISTERS) && returns_later(next)
    }
}

unsafe fn returns_later(op: LLVMValueRef) -> bool {
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let op = behind_parts(op);
        match LLVMGetInstructionOpcode(op) {
            LLVMOpcode::LLVMRet => true,
            LLVMOpcode::LLVMBr if LLVMGetNumSuccessors(op) == 1 => {
                only_returns(LLVMGetSuccessor(op, 0))
            }
            _ => false,
        }
    }
}

unsafe fn only_returns(block: LLVMBasicBlockRef) -> bool {
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let last = behind_parts(LLVMGetFirstInstruction(block));
        LLVMGetInstructionOpcode(last) == LLVMOpcode::LLVMRet
    }
}

/// The first instruction from here that does something else than to take a result apart and to put it together.
unsafe fn behind_parts(mut op: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        while !op.is_null()
            && matches!(
                LLVMGetInstructionOpcode(op),
                LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMExtractValue | LLVMOpcode::LLVMInsertValue
            )
        {
            op = LLVMGetNextInstruction(op);
        }
    }
    op
}

/// Are all arguments of the call in registers, of which there are so many for integers and for floats?
///
/// # Safety
/// As for `is_tail_call`.
pub unsafe fn fits(call: LLVMValueRef, registers: (usize, usize)) -> bool {
    let (mut ints, mut floats) = (0, 0);
    // SAFETY: the caller says that the module is alive.
    unsafe {
        for at in 0..LLVMGetNumArgOperands(call) {
            match LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, at))) {
                LLVMTypeKind::LLVMIntegerTypeKind | LLVMTypeKind::LLVMPointerTypeKind => ints += 1,
                LLVMTypeKind::LLVMDoubleTypeKind | LLVMTypeKind::LLVMFloatTypeKind => floats += 1,
                _ => return false,
            }
        }
    }
    ints <= registers.0 && floats <= registers.1
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
