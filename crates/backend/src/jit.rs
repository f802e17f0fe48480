//! Running a program in this process.

use std::ptr;

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::Module;

use crate::emit::{LlvmProgram, Target};
use crate::llvm::{self, EvaluatedSymbol, JitObject, SymbolFlags, SymbolMapPair};

/// A program that is loaded and ready. Its code goes away with it.
pub struct JitProgram {
    jit: *mut JitObject,
    main: usize,
    stack_overflow: usize,
    flush: usize,
}

impl JitProgram {
    /// `oxbow_program_main`
    pub fn main(&self) -> extern "C" fn() {
        // SAFETY: the address is that of the program's entry, which has this type.
        unsafe { std::mem::transmute::<usize, extern "C" fn()>(self.main) }
    }

    /// `oxbow_program_stack_overflow`
    pub fn stack_overflow(&self) -> extern "C" fn() {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<usize, extern "C" fn()>(self.stack_overflow) }
    }

    /// `oxbow_program_flush`
    pub fn flush(&self) -> extern "C" fn() {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<usize, extern "C" fn()>(self.flush) }
    }
}

impl Drop for JitProgram {
    fn drop(&mut self) {
        // SAFETY: freed once. An error here has no one left to act on it.
        let _ = llvm::check(unsafe { llvm::LLVMOrcDisposeLLJIT(self.jit) });
    }
}

/// Loads a module in the llvm dialect. `symbols` are what the runtime offers, with addresses;
/// C's own functions are found in this process.
pub fn jit(module: &Module<'_>, target: Target, symbols: &[(&str, usize)]) -> JitProgram {
    let code = LlvmProgram::new(module, target).machine_code(llvm::OBJECT);
    let ok = |error| {
        if let Err(message) = llvm::check(error) {
            ice!("the program does not load: {message}");
        }
    };
    // SAFETY: objects are used while alive; what is handed over is not used again.
    unsafe {
        let mut jit = ptr::null_mut();
        ok(llvm::LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()));
        let mut program = JitProgram { jit, main: 0, stack_overflow: 0, flush: 0 };
        let dylib = llvm::LLVMOrcLLJITGetMainJITDylib(jit);
        let flags = SymbolFlags { generic: llvm::EXPORTED | llvm::CALLABLE, target: 0 };
        let mut pairs: Vec<_> = symbols
            .iter()
            .map(|&(name, address)| SymbolMapPair {
                name: llvm::LLVMOrcLLJITMangleAndIntern(jit, llvm::c_string(name).as_ptr()),
                symbol: EvaluatedSymbol { address: address as u64, flags },
            })
            .collect();
        let unit = llvm::LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
        ok(llvm::LLVMOrcJITDylibDefine(dylib, unit));
        let mut generator = ptr::null_mut();
        let prefix = llvm::LLVMOrcLLJITGetGlobalPrefix(jit);
        ok(llvm::LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
            &mut generator,
            prefix,
            ptr::null(),
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
        program
    }
}
