//! Running a program in this process.

use std::ptr;

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::Module;

use crate::emit::{Buffer, LlvmProgram, Target};
use crate::lazy::Lazy;
use crate::llvm::{
    self, LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags,
    LLVMOrcCSymbolMapPair, LLVMOrcLLJITRef,
};

/// A program that is loaded and ready. Its code goes away with it.
pub struct JitProgram {
    jit: LLVMOrcLLJITRef,
    /// What is not compiled yet.
    lazy: Box<Lazy>,
    main: usize,
    stack_overflow: usize,
    flush: usize,
    /// 0 if the program has none.
    fiber: usize,
    /// The same.
    domain: usize,
}

/// A way into a program. It may be called as long as the program is loaded, by one thread at a time, as
/// `oxbow_runtime::start` does.
pub type EntryPoint = unsafe extern "C" fn();

impl JitProgram {
    /// `oxbow_program_main`
    pub fn main(&self) -> EntryPoint {
        entry_point(self.main)
    }

    /// `oxbow_program_stack_overflow`
    pub fn stack_overflow(&self) -> EntryPoint {
        entry_point(self.stack_overflow)
    }

    /// `oxbow_program_flush`
    pub fn flush(&self) -> EntryPoint {
        entry_point(self.flush)
    }

    /// How many of the units that wait for their first call are compiled, of how many.
    pub fn units(&self) -> (usize, usize) {
        self.lazy.progress()
    }

    /// `oxbow_program_domain`
    pub fn domain(&self) -> Option<extern "C" fn()> {
        // SAFETY: null, which is none, or the function of this name, which has this type and lives as long as the
        // program.
        unsafe { std::mem::transmute::<usize, Option<extern "C" fn()>>(self.domain) }
    }

    /// `oxbow_program_fiber`
    pub fn fiber(&self) -> Option<extern "C" fn()> {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<usize, Option<extern "C" fn()>>(self.fiber) }
    }
}

/// The function at an address that [`jit`] has looked up.
pub(crate) fn entry_point(address: usize) -> EntryPoint {
    // SAFETY: the backend gives the functions of `PROGRAM_ENTRIES` this type, and a lookup that fails ends the
    // compiler, so that the address is not 0. Whoever calls it knows that the code is still there.
    unsafe { std::mem::transmute::<usize, EntryPoint>(address) }
}

impl Drop for JitProgram {
    fn drop(&mut self) {
        // SAFETY: `jit` has made it, and it is freed here alone. An error has no one left to act on it.
        let _ = llvm::check(unsafe { llvm::LLVMOrcDisposeLLJIT(self.jit) });
    }
}

/// Loads a module in the llvm dialect. `symbols` are what the runtime offers, with addresses;
/// C's own functions are found in this process.
pub fn jit(module: &Module<'_>, target: Target, symbols: &[(&str, usize)]) -> JitProgram {
    let lazy = Lazy::new(LlvmProgram::translated(module, target));
    let code = lazy.eager();
    // SAFETY: the JIT is alive in `program`, and so is its library. Names are copied; symbols, the generator and
    // the code are handed over and not used again.
    unsafe {
        let mut jit = ptr::null_mut();
        ok(llvm::LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()));
        let mut program =
            JitProgram { jit, lazy, main: 0, stack_overflow: 0, flush: 0, fiber: 0, domain: 0 };
        define(jit, symbols);
        let loader = Loader { jit };
        loader.add(code);
        program.main = loader.lookup(oxbow_abi::PROGRAM_MAIN);
        program.stack_overflow = loader.lookup(oxbow_abi::PROGRAM_STACK_OVERFLOW);
        program.flush = loader.lookup(oxbow_abi::PROGRAM_FLUSH);
        // A program without effects or domains has none.
        program.fiber = loader.find(oxbow_abi::PROGRAM_FIBER).unwrap_or(0);
        program.domain = loader.find(oxbow_abi::PROGRAM_DOMAIN).unwrap_or(0);
        program.lazy.set_load(Box::new(move |code, name| {
            if let Some(code) = code {
                loader.add(code);
            }
            loader.lookup(name)
        }));
        program
    }
}

pub(crate) fn ok(error: llvm::LLVMErrorRef) {
    if let Err(message) = llvm::check(error) {
        ice!("the program does not load: {message}");
    }
}

/// Makes the runtime's functions and those of this process known.
pub(crate) unsafe fn define(jit: LLVMOrcLLJITRef, symbols: &[(&str, usize)]) {
    // SAFETY: the caller's JIT is alive, and so is its library. The generator is handed over and not used again.
    unsafe {
        define_absolute(jit, symbols);
        let dylib = llvm::LLVMOrcLLJITGetMainJITDylib(jit);
        let mut generator = ptr::null_mut();
        let prefix = llvm::LLVMOrcLLJITGetGlobalPrefix(jit);
        ok(llvm::LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
            &mut generator,
            prefix,
            None,
            ptr::null_mut(),
        ));
        llvm::LLVMOrcJITDylibAddGenerator(dylib, generator);
    }
}

/// Makes names known with their addresses.
///
/// # Safety
/// The JIT is alive, and has no such names.
pub(crate) unsafe fn define_absolute(jit: LLVMOrcLLJITRef, symbols: &[(&str, usize)]) {
    // SAFETY: the caller's JIT is alive, and so is its library. Names are copied; symbols are handed over and not used
    // again.
    unsafe {
        let dylib = llvm::LLVMOrcLLJITGetMainJITDylib(jit);
        let generic = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8;
        let mut pairs: Vec<_> = symbols
            .iter()
            .map(|&(name, address)| LLVMOrcCSymbolMapPair {
                Name: llvm::LLVMOrcLLJITMangleAndIntern(jit, llvm::c_string(name).as_ptr()),
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address as u64,
                    Flags: LLVMJITSymbolFlags { GenericFlags: generic, TargetFlags: 0 },
                },
            })
            .collect();
        let unit = llvm::LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
        ok(llvm::LLVMOrcJITDylibDefine(dylib, unit));
    }
}

/// Adds code to a program, now or later.
#[derive(Clone, Copy)]
pub(crate) struct Loader {
    pub jit: LLVMOrcLLJITRef,
}

// SAFETY: LLVM's JIT may be used by any thread.
unsafe impl Send for Loader {}

impl Loader {
    pub fn add(&self, code: Buffer) {
        // SAFETY: the JIT lives as long as the program whose code it loads; the code is handed over.
        unsafe {
            let dylib = llvm::LLVMOrcLLJITGetMainJITDylib(self.jit);
            ok(llvm::LLVMOrcLLJITAddObjectFile(self.jit, dylib, code.into_raw()));
        }
    }

    fn lookup(&self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|message| ice!("the program does not load: {message}"))
    }

    /// The address of a name, if there is such a one.
    pub fn find(&self, name: &str) -> Result<usize, String> {
        let mut address = 0;
        // SAFETY: as above; the name is copied.
        let error = unsafe {
            llvm::LLVMOrcLLJITLookup(self.jit, &mut address, llvm::c_string(name).as_ptr())
        };
        llvm::check(error).map(|()| address as usize)
    }
}
