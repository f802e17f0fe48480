//! Each way out of a function returns by itself.
//!
//! ```text
//! a: … br out        b: … br out          a: … ret {x, null}
//! out: %v = phi [x, a], [poison, b]   ⟹   b: … ret {poison, e}
//!      %e = phi [null, a], [e, b]
//!      ret {%v, %e}
//! ```
//!
//! Where all ways meet, the value that is returned is one variable for LLVM's allocator of registers, together with
//! whatever it was computed from in place. In a function with many ways that variable is live in all of them, and
//! ends up in memory. LLVM copies the end into the ways itself, but later (decision 221). Functions with few ways
//! stay as they are, and those that return one value and no exception: with one end, what they save on entry they can
//! save later.
//!
//! Where a call in tail position with arguments in memory leads to the end, all ways return by themselves: only in
//! front of a return is it sure to be a jump.

use std::ffi::c_uint;

use crate::llvm::{
    LLVMAppendBasicBlockInContext, LLVMBasicBlockRef, LLVMBuilderRef, LLVMCountIncoming,
    LLVMCreateBuilderInContext, LLVMDeleteBasicBlock, LLVMDisposeBuilder,
    LLVMGetBasicBlockTerminator, LLVMGetFirstBasicBlock, LLVMGetFirstFunction,
    LLVMGetFirstInstruction, LLVMGetIncomingBlock, LLVMGetIncomingValue,
    LLVMGetInstructionCallConv, LLVMGetInstructionOpcode, LLVMGetLastInstruction,
    LLVMGetModuleContext, LLVMGetNextBasicBlock, LLVMGetNextFunction, LLVMGetNextInstruction,
    LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetOperand, LLVMGetPreviousInstruction,
    LLVMGetSuccessor, LLVMGetTypeContext, LLVMInsertIntoBuilder, LLVMInstructionClone,
    LLVMInstructionEraseFromParent, LLVMModuleRef, LLVMOpcode, LLVMPositionBuilderAtEnd,
    LLVMSetOperand, LLVMSetSuccessor, LLVMTypeOf, LLVMValueRef, TAIL_CC,
};
use crate::tail_calls::{REGISTERS, fits, is_tail_call};
use oxbow_base::{FxHashMap, FxHashSet};

/// Instructions of an end that is copied: those that make one value of the parts of a result.
const MOST: usize = 8;

/// So few ways to an end need no copies.
const FEW: c_uint = 3;

/// Copies the ends of functions to where they come from.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef) {
    // SAFETY: the caller says that the module is alive; so are the values in it. A block is deleted when nothing leads
    // there any more; what it computed is used in it alone, since it ends the function.
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                let next = LLVMGetNextBasicBlock(block);
                if let Some(end) = End::of(block) {
                    end.copy(function, builder);
                    LLVMDeleteBasicBlock(block);
                }
                block = next;
            }
            function = LLVMGetNextFunction(function);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// A block that only returns what depends on the way to it.
struct End {
    block: LLVMBasicBlockRef,
    phis: Vec<LLVMValueRef>,
    /// The last of them returns.
    rest: Vec<LLVMValueRef>,
}

impl End {
    unsafe fn of(block: LLVMBasicBlockRef) -> Option<Self> {
        let mut end = Self { block, phis: Vec::new(), rest: Vec::new() };
        // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
        unsafe {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() && end.rest.len() < MOST {
                match LLVMGetInstructionOpcode(op) {
                    LLVMOpcode::LLVMPHI => end.phis.push(op),
                    LLVMOpcode::LLVMInsertValue => end.rest.push(op),
                    LLVMOpcode::LLVMRet => {
                        end.rest.push(op);
                        let ways = end.phis.first().map_or(0, |it| LLVMCountIncoming(*it));
                        let has_parts = ways > FEW && end.rest.len() > 1;
                        return (has_parts || end.follows_tail_call()).then_some(end);
                    }
                    _ => return None,
                }
                op = LLVMGetNextInstruction(op);
            }
        }
        None
    }

    /// Is there a way here from a call that has to be a jump?
    unsafe fn follows_tail_call(&self) -> bool {
        let Some(&phi) = self.phis.first() else { return false };
        // SAFETY: as in `of`.
        unsafe {
            (0..LLVMCountIncoming(phi)).any(|at| {
                let mut op = LLVMGetLastInstruction(LLVMGetIncomingBlock(phi, at));
                while !op.is_null() && LLVMGetInstructionOpcode(op) != LLVMOpcode::LLVMCall {
                    op = LLVMGetPreviousInstruction(op);
                }
                !op.is_null()
                    && LLVMGetInstructionCallConv(op) == TAIL_CC
                    && !fits(op, REGISTERS)
                    && is_tail_call(op)
            })
        }
    }

    /// All that leads here returns instead.
    unsafe fn copy(&self, function: LLVMValueRef, builder: LLVMBuilderRef) {
        // SAFETY: as in `of`. A phi has a value for each block that leads to its own, all phis of a block in the same
        // blocks' order or another one: each is asked.
        unsafe {
            let mut seen: FxHashSet<LLVMBasicBlockRef> = FxHashSet::default();
            for at in 0..LLVMCountIncoming(self.phis[0]) {
                let from = LLVMGetIncomingBlock(self.phis[0], at);
                if !seen.insert(from) {
                    continue;
                }
                let branch = LLVMGetBasicBlockTerminator(from);
                if LLVMGetNumSuccessors(branch) == 1 {
                    LLVMInstructionEraseFromParent(branch);
                    LLVMPositionBuilderAtEnd(builder, from);
                } else {
                    let context = LLVMGetTypeContext(LLVMTypeOf(function));
                    let copy = LLVMAppendBasicBlockInContext(context, function, c"".as_ptr());
                    for at in 0..LLVMGetNumSuccessors(branch) {
                        if LLVMGetSuccessor(branch, at) == self.block {
                            LLVMSetSuccessor(branch, at, copy);
                        }
                    }
                    LLVMPositionBuilderAtEnd(builder, copy);
                }
                self.build(from, builder);
            }
        }
    }

    /// The end as it is when it comes from this block.
    unsafe fn build(&self, from: LLVMBasicBlockRef, builder: LLVMBuilderRef) {
        let mut values: FxHashMap<LLVMValueRef, LLVMValueRef> = FxHashMap::default();
        // SAFETY: as in `copy`.
        unsafe {
            for &phi in &self.phis {
                let at =
                    (0..LLVMCountIncoming(phi)).find(|&it| LLVMGetIncomingBlock(phi, it) == from);
                values.extend(at.map(|at| (phi, LLVMGetIncomingValue(phi, at))));
            }
            for &op in &self.rest {
                let copy = LLVMInstructionClone(op);
                for at in 0..LLVMGetNumOperands(copy) as u32 {
                    if let Some(&value) = values.get(&LLVMGetOperand(copy, at)) {
                        LLVMSetOperand(copy, at, value);
                    }
                }
                LLVMInsertIntoBuilder(builder, copy);
                values.insert(op, copy);
            }
        }
    }
}
