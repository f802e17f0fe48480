//! A program that grows while it runs: each phrase of a prompt is a module of its own.
//!
//! ```text
//! phrase 1   oxbow.var.prompt:2 (weak)   oxbow_program_main.1
//! phrase 2   oxbow.var.prompt:2 (weak)   oxbow_program_main.2       the loader keeps the first of what is weak
//! ```
//!
//! Functions of one phrase are called by another through closures alone, which are called in the general way: nothing
//! that holds for one module decides a convention here. Code is never unloaded: closures may hold its address.

use std::ptr;

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::Module;

use crate::convert;
use crate::emit::{LlvmProgram, Target};
use crate::jit::{self, EntryPoint, Loader};
use crate::llvm::{
    self, LLVMAddGlobal, LLVMCodeGenFileType, LLVMDeleteGlobal, LLVMGetAlignment,
    LLVMGetInitializer, LLVMGetNamedFunction, LLVMGetNamedGlobal, LLVMGlobalGetValueType,
    LLVMIsGlobalConstant, LLVMLinkage, LLVMModuleRef, LLVMOrcLLJITRef, LLVMReplaceAllUsesWith,
    LLVMSetAlignment, LLVMSetGlobalConstant, LLVMSetInitializer, LLVMSetLinkage, LLVMSetValueName2,
};

/// The phrases that are loaded.
pub struct Phrases {
    jit: LLVMOrcLLJITRef,
    loaded: usize,
}

/// The ways into a phrase.
pub struct PhraseEntries {
    pub main: EntryPoint,
    pub flush: EntryPoint,
    pub fiber: Option<EntryPoint>,
}

/// What a phrase shares with others, by the names in the dialect.
#[derive(Default)]
pub struct Shared {
    pub variables: Vec<String>,
    pub exceptions: Vec<String>,
}

impl Phrases {
    /// `symbols` are what the runtime offers, with addresses.
    pub fn new(symbols: &[(&str, usize)]) -> Self {
        llvm::initialize();
        // SAFETY: the JIT is new; names and addresses are copied.
        let jit = unsafe {
            let mut jit = ptr::null_mut();
            jit::ok(llvm::LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()));
            jit::define(jit, symbols);
            jit
        };
        Self { jit, loaded: 0 }
    }

    /// Makes functions of C known that a phrase calls.
    pub fn define(&self, symbols: &[(&str, usize)]) {
        let loader = Loader { jit: self.jit };
        for &(name, address) in symbols {
            if loader.find(name).is_err() {
                // SAFETY: the JIT is alive, and has no such name.
                unsafe { jit::define_absolute(self.jit, &[(name, address)]) };
            }
        }
    }

    /// Loads a phrase: a module in the llvm dialect.
    pub fn add(&mut self, module: &Module<'_>, target: Target, shared: &Shared) -> PhraseEntries {
        self.loaded += 1;
        let program = LlvmProgram::translated(module, target);
        let own = |name: &str| format!("{name}.{}", self.loaded);
        // SAFETY: the module is alive, and nobody else uses it; names are copied.
        let code = unsafe {
            let variables = shared.variables.iter().map(|it| convert::variable_symbol(it));
            let exceptions = shared.exceptions.iter().map(|it| convert::descriptor_symbol(it));
            for name in variables.chain(exceptions) {
                make_weak(program.module, &name);
            }
            for entry in ENTRIES {
                let function = LLVMGetNamedFunction(program.module, llvm::c_string(entry).as_ptr());
                if !function.is_null() {
                    let name = own(entry);
                    LLVMSetValueName2(function, name.as_ptr().cast(), name.len());
                }
            }
            program.optimize_open();
            program.machine_code(program.module, LLVMCodeGenFileType::LLVMObjectFile)
        };
        let loader = Loader { jit: self.jit };
        loader.add(code);
        let found = |name: &str| loader.find(&own(name)).ok().map(jit::entry_point);
        let needed = |name: &str| match loader.find(&own(name)) {
            Ok(address) => jit::entry_point(address),
            Err(message) => ice!("the phrase does not load: {message}"),
        };
        PhraseEntries {
            main: needed(oxbow_abi::PROGRAM_MAIN),
            flush: needed(oxbow_abi::PROGRAM_FLUSH),
            fiber: found(oxbow_abi::PROGRAM_FIBER),
        }
    }

    /// Where a variable is that some phrase has.
    pub fn variable(&self, name: &str) -> Option<usize> {
        Loader { jit: self.jit }.find(&convert::variable_symbol(name)).ok()
    }

    /// What the values of an exception point to.
    pub fn exception(&self, name: &str) -> Option<usize> {
        Loader { jit: self.jit }.find(&convert::descriptor_symbol(name)).ok()
    }
}

/// Makes a variable one that other modules may have, too. What was internal is taken to lie near its uses, so that it
/// is replaced by another.
///
/// # Safety
/// The module is alive, and nobody else uses it.
unsafe fn make_weak(module: LLVMModuleRef, name: &str) {
    // SAFETY: the caller says that the module is alive. The old variable is deleted when nothing uses it any more;
    // names are copied.
    unsafe {
        let old = LLVMGetNamedGlobal(module, llvm::c_string(name).as_ptr());
        if old.is_null() {
            return;
        }
        let new = LLVMAddGlobal(module, LLVMGlobalGetValueType(old), c"".as_ptr());
        LLVMSetInitializer(new, LLVMGetInitializer(old));
        LLVMSetGlobalConstant(new, LLVMIsGlobalConstant(old));
        LLVMSetAlignment(new, LLVMGetAlignment(old));
        LLVMSetLinkage(new, LLVMLinkage::LLVMWeakAnyLinkage);
        LLVMReplaceAllUsesWith(old, new);
        LLVMDeleteGlobal(old);
        LLVMSetValueName2(new, name.as_ptr().cast(), name.len());
    }
}

/// What every module defines under one name.
const ENTRIES: [&str; 4] = [
    oxbow_abi::PROGRAM_MAIN,
    oxbow_abi::PROGRAM_STACK_OVERFLOW,
    oxbow_abi::PROGRAM_FLUSH,
    oxbow_abi::PROGRAM_FIBER,
];
