//! Cheaper calling conventions where no tail call needs `tailcc`.
//!
//! `tailcc` makes calls in tail position proper whatever the types of caller and callee are; for
//! that every callee adjusts the stack pointer when it returns, and its caller puts it back. On
//! optimised LLVM IR it can be seen who takes part in tail calls. Of the others,
//!
//! - functions that nothing points to become `preserve_none`: a recursive function saves what it needs
//!   later around its calls, and nothing on entry (the `llvm` dialect has no name for it);
//! - functions that closures point to become `fastcc`, all of one type together, since a call of a
//!   function value knows the type alone.
//!
//! Small functions that closures point to begin at a cache line: they are called from anywhere, and
//! often.
//!
//! What other modules call keeps its convention. For function values that several modules call it is decided
//! before there are several.

use std::ffi::c_uint;

use crate::llvm::{
    FAST_CC, LLVMGetCalledFunctionType, LLVMGetCalledValue, LLVMGetFirstBasicBlock,
    LLVMGetFirstFunction, LLVMGetFirstInstruction, LLVMGetFirstUse, LLVMGetFunctionCallConv,
    LLVMGetInstructionCallConv, LLVMGetInstructionOpcode, LLVMGetLinkage, LLVMGetNextBasicBlock,
    LLVMGetNextFunction, LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumArgOperands,
    LLVMGetOperand, LLVMGetTailCallKind, LLVMGetUser, LLVMGlobalGetValueType, LLVMIsACallInst,
    LLVMIsAFunction, LLVMLinkage, LLVMModuleRef, LLVMOpcode, LLVMSetAlignment,
    LLVMSetFunctionCallConv, LLVMSetInstructionCallConv, LLVMTailCallKind, LLVMTypeRef,
    LLVMValueRef, PRESERVE_NONE, TAIL_CC,
};
use oxbow_base::{FxHashMap, FxHashSet};

/// Bytes of code that a processor fetches at a time.
const FETCHED: c_uint = 32;

/// Instructions of a function that is called small.
const MOST_SMALL: usize = 24;

/// Changes the convention of a module's functions where that is possible. For function values of some types it is
/// `settled`.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef, settled: &FxHashSet<LLVMTypeRef>) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let mut types: FxHashMap<LLVMTypeRef, Family> = FxHashMap::default();
    // SAFETY: the caller says that the module is alive; so are the values in it, none of which is erased here.
    unsafe {
        for function in functions_of(module) {
            // What lies before a function then changes nothing about how its code is fetched.
            if !LLVMGetFirstBasicBlock(function).is_null() {
                LLVMSetAlignment(function, FETCHED);
            }
            let makes_tail_calls = indirect_calls(function, &mut types);
            if LLVMGetFunctionCallConv(function) != TAIL_CC {
                continue;
            }
            let uses = Uses::of(function);
            let takes_part = makes_tail_calls || uses.in_tail_position;
            if uses.is_pointed_to {
                if is_small(function) {
                    LLVMSetAlignment(function, oxbow_abi::CACHE_LINE as c_uint);
                }
                let family = types.entry(LLVMGlobalGetValueType(function)).or_default();
                family.takes_part |= takes_part;
                family.functions.push(function);
                family.calls.extend(uses.calls);
            } else if !takes_part && LLVMGetLinkage(function) == LLVMLinkage::LLVMInternalLinkage {
                change(&[function], &uses.calls, PRESERVE_NONE);
            }
        }
        for (ty, family) in &types {
            if !family.takes_part && !settled.contains(ty) {
                change(&family.functions, &family.calls, FAST_CC);
            }
        }
    }
}

/// Decides the convention of function values of these types, for a module that is divided and optimised later:
/// that makes no calls in tail position that have to be proper.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn settle(module: LLVMModuleRef, types: &FxHashSet<LLVMTypeRef>) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let mut families: FxHashMap<LLVMTypeRef, Family> = FxHashMap::default();
    // SAFETY: the caller says that the module is alive; so are the values in it, none of which is erased here.
    unsafe {
        for function in functions_of(module) {
            let makes_tail_calls = indirect_calls(function, &mut families);
            let uses = Uses::of(function);
            if LLVMGetFunctionCallConv(function) == TAIL_CC && uses.is_pointed_to {
                let family = families.entry(LLVMGlobalGetValueType(function)).or_default();
                family.takes_part |= makes_tail_calls || uses.in_tail_position;
                family.functions.push(function);
                family.calls.extend(uses.calls);
            }
        }
        for (ty, family) in &families {
            if !family.takes_part && types.contains(ty) {
                change(&family.functions, &family.calls, FAST_CC);
            }
        }
    }
}

/// The functions that closures point to and the calls of function values, of one type.
#[derive(Default)]
struct Family {
    functions: Vec<LLVMValueRef>,
    calls: Vec<LLVMValueRef>,
    /// In tail calls.
    takes_part: bool,
}

unsafe fn change(functions: &[LLVMValueRef], calls: &[LLVMValueRef], convention: c_uint) {
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        functions.iter().for_each(|&it| LLVMSetFunctionCallConv(it, convention));
        calls.iter().for_each(|&it| LLVMSetInstructionCallConv(it, convention));
    }
}

/// Does the function fit a cache line, or nearly?
unsafe fn is_small(function: LLVMValueRef) -> bool {
    let mut count = 0;
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() && count <= MOST_SMALL {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() && count <= MOST_SMALL {
                count += 1;
                op = LLVMGetNextInstruction(op);
            }
            block = LLVMGetNextBasicBlock(block);
        }
    }
    count <= MOST_SMALL
}

/// The functions of a module that have a body.
unsafe fn functions_of(module: LLVMModuleRef) -> Vec<LLVMValueRef> {
    let mut functions = Vec::new();
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            if !LLVMGetFirstBasicBlock(function).is_null() {
                functions.push(function);
            }
            function = LLVMGetNextFunction(function);
        }
    }
    functions
}

/// Notes the calls of function values, and says whether any call in tail position has to be proper.
unsafe fn indirect_calls(
    function: LLVMValueRef,
    types: &mut FxHashMap<LLVMTypeRef, Family>,
) -> bool {
    let mut found = false;
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() {
                if LLVMGetInstructionOpcode(op) == LLVMOpcode::LLVMCall
                    && LLVMGetInstructionCallConv(op) == TAIL_CC
                {
                    let is_tail = is_tail_call(op);
                    found |= is_tail;
                    if LLVMIsAFunction(LLVMGetCalledValue(op)).is_null() {
                        let family = types.entry(LLVMGetCalledFunctionType(op)).or_default();
                        family.takes_part |= is_tail;
                        family.calls.push(op);
                    }
                }
                op = LLVMGetNextInstruction(op);
            }
            block = LLVMGetNextBasicBlock(block);
        }
    }
    found
}

/// Does the call stand last? LLVM marks others that could.
unsafe fn is_tail_call(call: LLVMValueRef) -> bool {
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let next = LLVMGetNextInstruction(call);
        let last = next.is_null() || LLVMGetInstructionOpcode(next) == LLVMOpcode::LLVMRet;
        last && LLVMGetTailCallKind(call) != LLVMTailCallKind::LLVMTailCallKindNone
    }
}

/// How a function is used.
struct Uses {
    calls: Vec<LLVMValueRef>,
    is_pointed_to: bool,
    in_tail_position: bool,
}

impl Uses {
    unsafe fn of(function: LLVMValueRef) -> Self {
        let mut uses = Self { calls: Vec::new(), is_pointed_to: false, in_tail_position: false };
        // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
        unsafe {
            let mut it = LLVMGetFirstUse(function);
            while !it.is_null() {
                let user = LLVMGetUser(it);
                it = LLVMGetNextUse(it);
                if LLVMIsACallInst(user).is_null() || LLVMGetCalledValue(user) != function {
                    uses.is_pointed_to = true;
                    continue;
                }
                let arguments = LLVMGetNumArgOperands(user);
                uses.is_pointed_to |= (0..arguments).any(|at| LLVMGetOperand(user, at) == function);
                uses.in_tail_position |= is_tail_call(user);
                uses.calls.push(user);
            }
        }
        uses
    }
}
