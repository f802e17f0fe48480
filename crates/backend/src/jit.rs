//! Running a program in this process.

use std::ptr;

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::Module;

use crate::emit::{LlvmProgram, Target};
use crate::llvm::{
    self, LLVMCodeGenFileType, LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags,
    LLVMJITSymbolGenericFlags, LLVMOrcCSymbolMapPair, LLVMOrcLLJITRef,
};

/// A program that is loaded and ready. Its code goes away with it.
pub struct JitProgram {
    jit: LLVMOrcLLJITRef,
    main: usize,
    stack_overflow: usize,
    flush: usize,
    /// 0 if the program has none.
    fiber: usize,
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
fn entry_point(address: usize) -> EntryPoint {
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
    let code = LlvmProgram::new(module, target).machine_code(LLVMCodeGenFileType::LLVMObjectFile);
    let ok = |error| {
        if let Err(message) = llvm::check(error) {
            ice!("the program does not load: {message}");
        }
    };
    // SAFETY: the JIT is alive in `program`, and so is its library. Names are copied; symbols, the generator and
    // the code are handed over and not used again.
    unsafe {
        let mut jit = ptr::null_mut();
        ok(llvm::LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()));
        let mut program =
            JitProgram { jit, main: 0, stack_overflow: 0, flush: 0, fiber: 0, domain: 0 };
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
        let mut generator = ptr::null_mut();
        let prefix = llvm::LLVMOrcLLJITGetGlobalPrefix(jit);
        ok(llvm::LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
            &mut generator,
            prefix,
            None,
            ptr::null_mut(),
        ));
        llvm::LLVMOrcJITDylibAddGenerator(dylib, generator);
        ok(llvm::LLVMOrcLLJITAddObjectFile(jit, dylib, code.into_raw()));
        let lookup = |name: &str| {
            let mut address = 0;
            ok(llvm::LLVMOrcLLJITLookup(jit, &mut address, llvm::c_string(name).as_ptr()));
            address as usize
        };
        program.main = lookup(oxbow_abi::PROGRAM_MAIN);
        program.stack_overflow = lookup(oxbow_abi::PROGRAM_STACK_OVERFLOW);
        program.flush = lookup(oxbow_abi::PROGRAM_FLUSH);
        // A program without effects or domains has none.
        let lookup_optional = |name: &str| {
            let mut address = 0;
            let name = llvm::c_string(name);
            match llvm::check(llvm::LLVMOrcLLJITLookup(jit, &mut address, name.as_ptr())) {
                Ok(()) => address as usize,
                Err(_) => 0,
            }
        };
        program.fiber = lookup_optional(oxbow_abi::PROGRAM_FIBER);
        program.domain = lookup_optional(oxbow_abi::PROGRAM_DOMAIN);
        program
    }
}
