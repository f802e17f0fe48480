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

    /// `oxbow_program_fiber`
    pub fn fiber(&self) -> Option<extern "C" fn()> {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<usize, Option<extern "C" fn()>>(self.fiber) }
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
    let code = LlvmProgram::new(module, target).machine_code(LLVMCodeGenFileType::LLVMObjectFile);
    let ok = |error| {
        if let Err(message) = llvm::check(error) {
            ice!("the program does not load: {message}");
        }
    };
    // SAFETY: objects are used while alive; what is handed over is not used again.
    unsafe {
        let mut jit = ptr::null_mut();
        ok(llvm::LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()));
        let mut program = JitProgram { jit, main: 0, stack_overflow: 0, flush: 0, fiber: 0 };
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
        let mut fiber = 0;
        let name = llvm::c_string(oxbow_abi::PROGRAM_FIBER);
        // A program without effects has none.
        if llvm::check(llvm::LLVMOrcLLJITLookup(jit, &mut fiber, name.as_ptr())).is_ok() {
            program.fiber = fiber as usize;
        }
        program
    }
}
