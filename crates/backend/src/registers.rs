//! Cheaper calling conventions than `tailcc`.
//!
//! `tailcc` makes calls in tail position proper whatever the types of caller and callee are; for
//! that every callee adjusts the stack pointer when it returns, and its caller puts it back. On
//! optimised LLVM IR it can be seen who calls whom in tail position. Functions between which there are
//! such calls form a group, and change together (decision 220):
//!
//! - functions that nothing points to become `preserve_none`: a recursive function saves what it needs
//!   later around its calls, and nothing on entry (the `llvm` dialect has no name for it);
//! - functions that closures point to become `fastcc`, all of one type together, since a call of a
//!   function value knows the type alone.
//!
//! LLVM makes a jump of each call in tail position between functions of one of these conventions, if all arguments are
//! in registers and both give the same. A group in which this is not so of one call stays as it is.
//!
//! Types that differ in nothing but addresses in the place of integers of their size are one type here: LLVM's
//! `mergefunc` makes one function of two whose calls of function values differ in this.
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
    LLVMIsAFunction, LLVMLinkage, LLVMModuleRef, LLVMOpcode, LLVMPrintTypeToString,
    LLVMSetAlignment, LLVMSetFunctionCallConv, LLVMSetInstructionCallConv, LLVMSetTailCallKind,
    LLVMTailCallKind, LLVMTypeRef, LLVMValueRef, PRESERVE_NONE, TAIL_CC, take_message,
};
use crate::tail_calls::{REGISTERS, fits, is_tail_call};
use oxbow_base::{FxHashMap, FxHashSet};

/// Bytes in a line of the caches of code, decoded or not. With less, the same function is up to a tenth slower or
/// faster by what happens to lie before it (decision 291).
const FETCHED: c_uint = 64;

/// Instructions of a function that is called small.
const MOST_SMALL: usize = 24;

/// Integers, addresses included, and floats that `preserve_none` has registers for on x86-64.
const PRESERVE_NONE_REGISTERS: (usize, usize) = (12, 8);

/// Changes the convention of a module's functions where that is possible. For function values of some types it is
/// `settled`.
///
/// # Safety
/// The module is alive, and nobody else uses it.
pub unsafe fn run(module: LLVMModuleRef, settled: &FxHashSet<LLVMTypeRef>) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let mut groups = Groups::default();
    // SAFETY: the caller says that the module is alive; so are the values in it, none of which is erased here.
    unsafe {
        for function in functions_of(module) {
            // What lies before a function then changes nothing about how its code is fetched.
            LLVMSetAlignment(function, FETCHED);
            if LLVMGetFunctionCallConv(function) == TAIL_CC {
                groups.add_function(function, settled);
            }
            for call in tail_cc_calls(function) {
                groups.add_call(function, call, settled);
            }
        }
        for group in groups.all.iter().flatten() {
            group.change();
        }
    }
}

/// Functions that change their convention together: those of one type that closures point to, and those between which
/// there are calls in tail position.
#[derive(Default)]
struct Group {
    functions: Vec<LLVMValueRef>,
    calls: Vec<LLVMValueRef>,
    /// Those in tail position, with the functions that they stand in.
    tail_calls: Vec<(LLVMValueRef, LLVMValueRef)>,
    is_pointed_to: bool,
    /// Something prevents a change.
    stays: bool,
}

impl Group {
    unsafe fn change(&self) {
        let (convention, registers) = match self.is_pointed_to {
            true => (FAST_CC, REGISTERS),
            false => (PRESERVE_NONE, PRESERVE_NONE_REGISTERS),
        };
        // SAFETY: the values are part of a module that is alive, as in `run`.
        unsafe {
            if self.stays || !self.tail_calls.iter().all(|it| fits(it.1, registers)) {
                return;
            }
            for &(caller, call) in &self.tail_calls {
                // Where the types differ, only `tailcc` lets the mark stand; LLVM makes a jump all the same.
                if LLVMGetTailCallKind(call) == LLVMTailCallKind::LLVMTailCallKindMustTail
                    && LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(caller)
                {
                    LLVMSetTailCallKind(call, LLVMTailCallKind::LLVMTailCallKindTail);
                }
            }
            change(&self.functions, &self.calls, convention);
        }
    }

    fn join(&mut self, other: Group) {
        self.functions.extend(other.functions);
        self.calls.extend(other.calls);
        self.tail_calls.extend(other.tail_calls);
        self.is_pointed_to |= other.is_pointed_to;
        self.stays |= other.stays;
    }
}

#[derive(Default)]
struct Groups {
    /// Those that have joined others are gone.
    all: Vec<Option<Group>>,
    /// For those that are gone: which group they are part of.
    joined: Vec<usize>,
    of_functions: FxHashMap<LLVMValueRef, usize>,
    of_types: FxHashMap<String, usize>,
}

impl Groups {
    unsafe fn add_function(&mut self, function: LLVMValueRef, settled: &FxHashSet<LLVMTypeRef>) {
        let mut group = self.of_function(function);
        // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
        unsafe {
            let uses = Uses::of(function);
            if uses.is_pointed_to {
                if is_small(function) {
                    LLVMSetAlignment(function, oxbow_abi::CACHE_LINE as c_uint);
                }
                let family = self.of_type(LLVMGlobalGetValueType(function), settled);
                group = self.join(group, family);
            }
            let it = self.at(group);
            it.stays |= LLVMGetLinkage(function) != LLVMLinkage::LLVMInternalLinkage;
            it.functions.push(function);
            it.calls.extend(uses.calls);
        }
    }

    /// A call by `tailcc`.
    unsafe fn add_call(
        &mut self,
        caller: LLVMValueRef,
        call: LLVMValueRef,
        settled: &FxHashSet<LLVMTypeRef>,
    ) {
        // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
        unsafe {
            let callee = LLVMGetCalledValue(call);
            let is_value = LLVMIsAFunction(callee).is_null();
            let mut group = match is_value {
                true => self.of_type(LLVMGetCalledFunctionType(call), settled),
                false => self.of_function(callee),
            };
            if is_tail_call(call) {
                let of_caller = self.of_function(caller);
                group = self.join(group, of_caller);
                let it = self.at(group);
                it.stays |= LLVMGetFunctionCallConv(caller) != TAIL_CC;
                it.tail_calls.push((caller, call));
            }
            let it = self.at(group);
            match is_value {
                true => it.calls.push(call),
                // A function that is only declared is another module's.
                false => it.stays |= LLVMGetFirstBasicBlock(callee).is_null(),
            }
        }
    }

    fn of_function(&mut self, function: LLVMValueRef) -> usize {
        let next = self.all.len();
        let group = *self.of_functions.entry(function).or_insert(next);
        if group == next {
            self.new_group(Group::default());
        }
        group
    }

    /// The functions of a type that closures point to.
    fn of_type(&mut self, ty: LLVMTypeRef, settled: &FxHashSet<LLVMTypeRef>) -> usize {
        let next = self.all.len();
        let group = *self.of_types.entry(machine_type(ty)).or_insert(next);
        if group == next {
            self.new_group(Group { is_pointed_to: true, ..Group::default() });
        }
        self.at(group).stays |= settled.contains(&ty);
        group
    }

    fn new_group(&mut self, group: Group) {
        self.joined.push(self.all.len());
        self.all.push(Some(group));
    }

    fn find(&mut self, mut group: usize) -> usize {
        while self.joined[group] != group {
            self.joined[group] = self.joined[self.joined[group]];
            group = self.joined[group];
        }
        group
    }

    fn at(&mut self, group: usize) -> &mut Group {
        let group = self.find(group);
        self.all[group].as_mut().expect("a group that has not joined another one is there")
    }

    fn join(&mut self, one: usize, other: usize) -> usize {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            let parts = self.all[other].take().expect("as in `at`");
            self.joined[other] = one;
            self.at(one).join(parts);
        }
        one
    }
}

/// A type as the machine knows it: an address is an integer.
fn machine_type(ty: LLVMTypeRef) -> String {
    // SAFETY: types live as long as their context; the text is ours, and freed by `take_message`.
    let text = take_message(unsafe { LLVMPrintTypeToString(ty) });
    text.replace("ptr", "i64")
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
        for call in tail_cc_calls(function) {
            let is_tail = is_tail_call(call);
            found |= is_tail;
            if LLVMIsAFunction(LLVMGetCalledValue(call)).is_null() {
                let family = types.entry(LLVMGetCalledFunctionType(call)).or_default();
                family.takes_part |= is_tail;
                family.calls.push(call);
            }
        }
    }
    found
}

/// The calls in a function by `tailcc`.
unsafe fn tail_cc_calls(function: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut calls = Vec::new();
    // SAFETY: what the caller passes is part of a module that is alive, as in `run`.
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut op = LLVMGetFirstInstruction(block);
            while !op.is_null() {
                if LLVMGetInstructionOpcode(op) == LLVMOpcode::LLVMCall
                    && LLVMGetInstructionCallConv(op) == TAIL_CC
                {
                    calls.push(op);
                }
                op = LLVMGetNextInstruction(op);
            }
            block = LLVMGetNextBasicBlock(block);
        }
    }
    calls
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
