//! LLVM IR: translation, optimisation, text and machine code.

use std::ptr;

use oxbow_base::FxHashSet;
use oxbow_diag::ice;
use oxbow_dialect::debug;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::mlir_sys as sys;

use crate::llvm::{
    self, LLVMCodeGenFileType, LLVMCodeGenOptLevel, LLVMCodeModel, LLVMContextRef,
    LLVMMemoryBufferRef, LLVMModuleRef, LLVMRelocMode, LLVMTargetMachineRef, LLVMTypeRef,
    LLVMVerifierFailureAction,
};
use crate::{printers, ranges, registers, returns, self_calls, tail_calls};

/// How hard LLVM works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    O0,
    O1,
    #[default]
    O2,
    O3,
}

/// What the code may use of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Processor {
    /// Any processor of this machine's kind, so that builds do not depend on where they run.
    #[default]
    Any,
    /// The one that compiles, with its vector instructions. Results are the same: nothing is fused.
    Native,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Target {
    pub level: OptLevel,
    pub processor: Processor,
}

impl From<OptLevel> for Target {
    fn from(level: OptLevel) -> Self {
        Self { level, processor: Processor::Any }
    }
}

/// What to make of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    LlvmIr,
    Assembly,
    Object,
}

/// LLVM IR as text, assembly or an object file, of a module in the llvm dialect.
pub fn emit(module: &Module<'_>, target: Target, output: Output) -> Vec<u8> {
    let program = LlvmProgram::new(module, target);
    if let Some(layouts) = debug::layouts(module) {
        program.add_assembly(&printers::section(&layouts));
    }
    match output {
        Output::LlvmIr => program.text().into_bytes(),
        Output::Assembly => program.code(LLVMCodeGenFileType::LLVMAssemblyFile),
        Output::Object => program.code(LLVMCodeGenFileType::LLVMObjectFile),
    }
}

/// A program in LLVM's own form.
pub(crate) struct LlvmProgram {
    context: LLVMContextRef,
    pub module: LLVMModuleRef,
    machine: LLVMTargetMachineRef,
    level: OptLevel,
}

impl LlvmProgram {
    /// As it is translated, not optimised.
    pub fn translated(module: &Module<'_>, target: Target) -> Self {
        llvm::initialize();
        // SAFETY: context, module and machine are new, and owned by `program` until its `drop`; the module of MLIR
        // is translated and left alone. Names are copied, and the layout is freed when the module has a copy.
        unsafe {
            let context = llvm::LLVMContextCreate();
            let translated =
                sys::mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.cast());
            if translated.is_null() {
                ice!("translation to LLVM IR failed");
            }
            let (triple, machine) = target_machine(target);
            let program = Self { context, module: translated.cast(), machine, level: target.level };
            let layout = llvm::LLVMCreateTargetDataLayout(machine);
            llvm::LLVMSetTarget(program.module, triple.as_ptr());
            llvm::LLVMSetModuleDataLayout(program.module, layout);
            llvm::LLVMDisposeTargetData(layout);
            let name = "oxbow";
            llvm::LLVMSetModuleIdentifier(program.module, name.as_ptr().cast(), name.len());
            llvm::LLVMSetSourceFileName(program.module, name.as_ptr().cast(), name.len());
            verify(program.module);
            ranges::run(program.module);
            program
        }
    }

    fn new(module: &Module<'_>, target: Target) -> Self {
        let program = Self::translated(module, target);
        // SAFETY: the module lives as long as the program.
        unsafe {
            // Instances of a functor for types that are held alike are equal here: the rest of the work is done once
            // for all of them. What nothing uses goes first: LLVM's own pipeline optimises it before it looks.
            // For debuggers each function has lines of its own.
            let passes = match debug::layouts(module) {
                Some(_) => "globaldce",
                None => "globaldce,mergefunc",
            };
            program.run_passes(program.module, passes);
            program.optimize(program.module, &FxHashSet::default());
        }
        program
    }

    /// Optimises the program's module, or a part of it that is a module of its own, for which the conventions of some
    /// function types are settled.
    ///
    /// # Safety
    /// The module is alive, and nobody else uses it.
    pub unsafe fn optimize(&self, module: LLVMModuleRef, settled: &FxHashSet<LLVMTypeRef>) {
        let passes = match self.level {
            OptLevel::O0 => "default<O0>",
            OptLevel::O1 => "default<O1>",
            OptLevel::O2 => "default<O2>",
            OptLevel::O3 => "default<O3>",
        };
        // SAFETY: the caller says that the module is alive.
        unsafe {
            if self.level != OptLevel::O0 {
                self_calls::run(module);
            }
            self.run_passes(module, passes);
            tail_calls::run(module);
            returns::run(module);
            registers::run(module, settled);
            tail_calls::keep_prologues(module);
            verify(module);
        }
    }

    /// Optimises a module whose functions are called by others through closures: conventions stay as they are.
    ///
    /// # Safety
    /// Nobody else uses the module.
    pub unsafe fn optimize_open(&self) {
        // SAFETY: the module lives as long as the program.
        unsafe {
            self.run_passes(self.module, "globaldce,default<O0>");
            tail_calls::run(self.module);
            tail_calls::keep_prologues(self.module);
            verify(self.module);
        }
    }

    /// Adds assembly beside the functions.
    fn add_assembly(&self, text: &str) {
        // SAFETY: the module lives as long as `self`, and LLVM copies the text.
        unsafe { llvm::LLVMAppendModuleInlineAsm(self.module, text.as_ptr().cast(), text.len()) }
    }

    /// Runs passes of LLVM by their names.
    ///
    /// # Safety
    /// The module is alive, and nobody else uses it.
    unsafe fn run_passes(&self, module: LLVMModuleRef, passes: &str) {
        let passes = llvm::c_string(passes);
        // SAFETY: the caller says that the module is alive; the machine is as long as `self`. The options are made and
        // freed here.
        unsafe {
            let options = llvm::LLVMCreatePassBuilderOptions();
            // On in clang, off here unless asked for.
            let vectorize = matches!(self.level, OptLevel::O2 | OptLevel::O3);
            llvm::LLVMPassBuilderOptionsSetSLPVectorization(options, vectorize.into());
            let error = llvm::LLVMRunPasses(module, passes.as_ptr(), self.machine, options);
            llvm::LLVMDisposePassBuilderOptions(options);
            if let Err(message) = llvm::check(error) {
                ice!("LLVM's passes: {message}");
            }
        }
    }

    fn code(&self, kind: LLVMCodeGenFileType) -> Vec<u8> {
        // SAFETY: the module lives as long as `self`.
        unsafe { self.machine_code(self.module, kind) }.bytes().to_vec()
    }

    fn text(&self) -> String {
        // SAFETY: the module lives as long as `self`; the text is ours, and freed by `take_message`.
        llvm::take_message(unsafe { llvm::LLVMPrintModuleToString(self.module) })
    }

    /// The code of the program's module, or of a part of it.
    ///
    /// # Safety
    /// The module is alive, and nobody else uses it.
    pub unsafe fn machine_code(&self, module: LLVMModuleRef, kind: LLVMCodeGenFileType) -> Buffer {
        let (mut message, mut buffer) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the caller says that the module is alive; the machine is as long as `self`. What comes back is
        // ours: a message, or a buffer that `Buffer` frees.
        let failed = unsafe {
            llvm::LLVMTargetMachineEmitToMemoryBuffer(
                self.machine,
                module,
                kind,
                &mut message,
                &mut buffer,
            )
        } != 0;
        if failed {
            ice!("LLVM emits no code: {}", llvm::take_message(message));
        }
        Buffer { raw: buffer }
    }
}

/// # Safety
/// The module is alive.
unsafe fn verify(module: LLVMModuleRef) {
    if !cfg!(debug_assertions) {
        return;
    }
    let mut message = ptr::null_mut();
    let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
    // SAFETY: the caller says that the module is alive; the message is ours, and freed by `take_message`.
    let broken = unsafe { llvm::LLVMVerifyModule(module, action, &mut message) } != 0;
    let message = llvm::take_message(message);
    if broken {
        ice!("LLVM finds the module broken: {message}");
    }
}

impl Drop for LlvmProgram {
    fn drop(&mut self) {
        // SAFETY: nobody else owns them, and nothing refers to them any more; the module goes before its context.
        unsafe {
            llvm::LLVMDisposeTargetMachine(self.machine);
            llvm::LLVMDisposeModule(self.module);
            llvm::LLVMContextDispose(self.context);
        }
    }
}

/// Memory that LLVM allocated.
pub(crate) struct Buffer {
    raw: LLVMMemoryBufferRef,
}

impl Buffer {
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: start and size belong to the buffer, which lives as long as `self`.
        unsafe {
            std::slice::from_raw_parts(
                llvm::LLVMGetBufferStart(self.raw).cast(),
                llvm::LLVMGetBufferSize(self.raw),
            )
        }
    }

    pub fn into_raw(self) -> LLVMMemoryBufferRef {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: `self` owns the buffer: `into_raw`, which hands it over, forgets `self`.
        unsafe { llvm::LLVMDisposeMemoryBuffer(self.raw) };
    }
}

/// What LLVM knows no other way to be told. Innermost loops of up to 32 bytes then lie in one cache line.
/// (`-align-loops` would say it for all targets, but only LLVM's own tools read it.) Matches on four constructors are
/// tests and no jump by a table, which is seldom predicted: interpreters of small trees took a quarter more time.
fn set_options() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    const LOOPS: &std::ffi::CStr = c"-x86-experimental-pref-innermost-loop-alignment=5";
    const TABLES: &std::ffi::CStr = c"-min-jump-table-entries=5";
    ONCE.call_once(|| {
        let arguments = [c"oxbow".as_ptr(), LOOPS.as_ptr(), TABLES.as_ptr()];
        // SAFETY: there are three arguments, constant C strings; `Once` keeps others away meanwhile.
        unsafe { llvm::LLVMParseCommandLineOptions(3, arguments.as_ptr(), ptr::null()) };
    });
}

/// With wide vectors more numbers are left over at the end of a loop: those are taken by narrower ones, not one by one.
/// Else loops over rows of a dozen numbers, as in products of matrices, are slower than with narrow vectors.
fn set_native_options() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    const REST: &std::ffi::CStr = c"-epilogue-vectorization-minimum-VF=4";
    ONCE.call_once(|| {
        let arguments = [c"oxbow".as_ptr(), REST.as_ptr()];
        // SAFETY: there are two arguments, constant C strings; `Once` keeps others away meanwhile.
        unsafe { llvm::LLVMParseCommandLineOptions(2, arguments.as_ptr(), ptr::null()) };
    });
}

/// The features of this processor, with vectors of 256 bits where it has wider ones: those begin to
/// pay at rows of hundreds of numbers, and cost more before. Numbers that do not lie side by side are loaded one by
/// one: the instruction that gathers them was the slower way on the processor where it was measured (an AMD EPYC), and
/// LLVM takes it for the faster one.
fn native_features() -> String {
    // SAFETY: it has no precondition; the text is ours, and freed by `take_message`.
    let features = llvm::take_message(unsafe { llvm::LLVMGetHostCPUFeatures() });
    if cfg!(target_arch = "x86_64") {
        features + ",+prefer-256-bit,+prefer-no-gather"
    } else {
        features
    }
}

fn target_machine(target: Target) -> (std::ffi::CString, LLVMTargetMachineRef) {
    set_options();
    if target.processor == Processor::Native {
        set_native_options();
    }
    let processor = target.processor;
    let level = match target.level {
        OptLevel::O0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
        OptLevel::O1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
        OptLevel::O2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
        OptLevel::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
    };
    // SAFETY: `initialize` has registered the target before. Strings outlive the calls, and messages are ours,
    // freed by `take_message`.
    unsafe {
        let triple = llvm::c_string(&llvm::take_message(llvm::LLVMGetDefaultTargetTriple()));
        let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
        if llvm::LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
            ice!("no code generator for {triple:?}: {}", llvm::take_message(message));
        }
        let (cpu, features) = match processor {
            Processor::Any if cfg!(target_arch = "x86_64") => ("x86-64".into(), String::new()),
            Processor::Any => ("generic".into(), String::new()),
            Processor::Native => {
                (llvm::take_message(llvm::LLVMGetHostCPUName()), native_features())
            }
        };
        let (cpu, features) = (llvm::c_string(&cpu), llvm::c_string(&features));
        let machine = llvm::LLVMCreateTargetMachine(
            target,
            triple.as_ptr(),
            cpu.as_ptr(),
            features.as_ptr(),
            level,
            LLVMRelocMode::LLVMRelocPIC,
            LLVMCodeModel::LLVMCodeModelSmall,
        );
        (triple, machine)
    }
}
