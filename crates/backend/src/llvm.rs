//! The functions of LLVM's C interface that the backend uses. The libraries are linked by
//! `mlir-sys`.

#![allow(non_snake_case, reason = "names of a C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

macro_rules! opaque {
    ($($name:ident),*) => {
        $(#[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        })*
    };
}

opaque!(
    ContextObject,
    ModuleObject,
    TargetObject,
    MachineObject,
    LayoutObject,
    BufferObject,
    ErrorObject,
    PassOptionsObject,
    JitObject,
    JitBuilderObject,
    DylibObject,
    SymbolObject,
    UnitObject,
    GeneratorObject,
    ValueObject,
    BlockObject,
    TypeObject,
    UseObject
);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct SymbolFlags {
    pub generic: u8,
    pub target: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct EvaluatedSymbol {
    pub address: u64,
    pub flags: SymbolFlags,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct SymbolMapPair {
    pub name: *mut SymbolObject,
    pub symbol: EvaluatedSymbol,
}

pub const EXPORTED: u8 = 1;
pub const CALLABLE: u8 = 4;
pub const RELOC_PIC: c_int = 2;
pub const CODE_MODEL_SMALL: c_int = 3;
pub const ASSEMBLY: c_int = 0;
pub const OBJECT: c_int = 1;
pub const RETURN_STATUS: c_int = 2;
pub const FAST_CC: c_uint = 8;
pub const TAIL_CC: c_uint = 18;
pub const PRESERVE_NONE: c_uint = 21;
/// Opcode of a call.
pub const CALL: c_int = 45;
/// Opcode of a return.
pub const RET: c_int = 1;
/// Opcode of a load.
pub const LOAD: c_int = 27;

unsafe extern "C" {
    pub fn LLVMContextCreate() -> *mut ContextObject;
    pub fn LLVMContextDispose(context: *mut ContextObject);
    pub fn LLVMDisposeModule(module: *mut ModuleObject);
    pub fn LLVMDisposeMessage(message: *mut c_char);
    pub fn LLVMPrintModuleToString(module: *mut ModuleObject) -> *mut c_char;
    pub fn LLVMSetTarget(module: *mut ModuleObject, triple: *const c_char);
    pub fn LLVMSetModuleDataLayout(module: *mut ModuleObject, layout: *mut LayoutObject);
    pub fn LLVMSetModuleIdentifier(module: *mut ModuleObject, name: *const c_char, length: usize);
    pub fn LLVMSetSourceFileName(module: *mut ModuleObject, name: *const c_char, length: usize);
    pub fn LLVMVerifyModule(
        module: *mut ModuleObject,
        action: c_int,
        message: *mut *mut c_char,
    ) -> c_int;

    pub fn LLVMGetFirstFunction(module: *mut ModuleObject) -> *mut ValueObject;
    pub fn LLVMGetNextFunction(function: *mut ValueObject) -> *mut ValueObject;
    pub fn LLVMGetFirstBasicBlock(function: *mut ValueObject) -> *mut BlockObject;
    pub fn LLVMGetNextBasicBlock(block: *mut BlockObject) -> *mut BlockObject;
    pub fn LLVMGetFirstInstruction(block: *mut BlockObject) -> *mut ValueObject;
    pub fn LLVMGetNextInstruction(op: *mut ValueObject) -> *mut ValueObject;
    pub fn LLVMGetInstructionOpcode(op: *mut ValueObject) -> c_int;
    pub fn LLVMGetFunctionCallConv(function: *mut ValueObject) -> c_uint;
    pub fn LLVMParseCommandLineOptions(
        count: c_int,
        arguments: *const *const c_char,
        overview: *const c_char,
    );
    pub fn LLVMSetAlignment(value: *mut ValueObject, bytes: c_uint);
    pub fn LLVMSetFunctionCallConv(function: *mut ValueObject, convention: c_uint);
    pub fn LLVMGetInstructionCallConv(call: *mut ValueObject) -> c_uint;
    pub fn LLVMSetInstructionCallConv(call: *mut ValueObject, convention: c_uint);
    pub fn LLVMGetTailCallKind(call: *mut ValueObject) -> c_int;
    pub fn LLVMIsAFunction(value: *mut ValueObject) -> *mut ValueObject;
    pub fn LLVMGlobalGetValueType(global: *mut ValueObject) -> *mut TypeObject;
    pub fn LLVMGetCalledFunctionType(call: *mut ValueObject) -> *mut TypeObject;
    pub fn LLVMGetCalledValue(call: *mut ValueObject) -> *mut ValueObject;
    pub fn LLVMGetNumArgOperands(call: *mut ValueObject) -> c_uint;
    pub fn LLVMGetOperand(user: *mut ValueObject, index: c_uint) -> *mut ValueObject;
    pub fn LLVMIsACallInst(value: *mut ValueObject) -> *mut ValueObject;
    pub fn LLVMGetModuleContext(module: *mut ModuleObject) -> *mut ContextObject;
    pub fn LLVMInt64TypeInContext(context: *mut ContextObject) -> *mut TypeObject;
    pub fn LLVMConstInt(ty: *mut TypeObject, value: u64, signed: c_int) -> *mut ValueObject;
    pub fn LLVMGetMDKindIDInContext(
        context: *mut ContextObject,
        name: *const c_char,
        length: c_uint,
    ) -> c_uint;
    pub fn LLVMGetMetadata(op: *mut ValueObject, kind: c_uint) -> *mut ValueObject;
    pub fn LLVMSetMetadata(op: *mut ValueObject, kind: c_uint, node: *mut ValueObject);
    pub fn LLVMMDNodeInContext(
        context: *mut ContextObject,
        values: *mut *mut ValueObject,
        count: c_uint,
    ) -> *mut ValueObject;
    pub fn LLVMGetMDNodeNumOperands(node: *mut ValueObject) -> c_uint;
    pub fn LLVMGetMDNodeOperands(node: *mut ValueObject, operands: *mut *mut ValueObject);
    pub fn LLVMGetMDString(name: *mut ValueObject, length: *mut c_uint) -> *const c_char;
    pub fn LLVMGetFirstUse(value: *mut ValueObject) -> *mut UseObject;
    pub fn LLVMGetNextUse(it: *mut UseObject) -> *mut UseObject;
    pub fn LLVMGetUser(it: *mut UseObject) -> *mut ValueObject;

    pub fn LLVMGetDefaultTargetTriple() -> *mut c_char;
    pub fn LLVMGetHostCPUName() -> *mut c_char;
    pub fn LLVMGetHostCPUFeatures() -> *mut c_char;
    pub fn LLVMGetTargetFromTriple(
        triple: *const c_char,
        target: *mut *mut TargetObject,
        message: *mut *mut c_char,
    ) -> c_int;
    pub fn LLVMCreateTargetMachine(
        target: *mut TargetObject,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        level: c_int,
        reloc: c_int,
        code_model: c_int,
    ) -> *mut MachineObject;
    pub fn LLVMDisposeTargetMachine(machine: *mut MachineObject);
    pub fn LLVMCreateTargetDataLayout(machine: *mut MachineObject) -> *mut LayoutObject;
    pub fn LLVMDisposeTargetData(layout: *mut LayoutObject);
    pub fn LLVMTargetMachineEmitToMemoryBuffer(
        machine: *mut MachineObject,
        module: *mut ModuleObject,
        kind: c_int,
        message: *mut *mut c_char,
        buffer: *mut *mut BufferObject,
    ) -> c_int;
    pub fn LLVMGetBufferStart(buffer: *mut BufferObject) -> *const c_char;
    pub fn LLVMGetBufferSize(buffer: *mut BufferObject) -> usize;
    pub fn LLVMDisposeMemoryBuffer(buffer: *mut BufferObject);

    pub fn LLVMGetErrorMessage(error: *mut ErrorObject) -> *mut c_char;
    pub fn LLVMDisposeErrorMessage(message: *mut c_char);
    pub fn LLVMCreatePassBuilderOptions() -> *mut PassOptionsObject;
    pub fn LLVMDisposePassBuilderOptions(options: *mut PassOptionsObject);
    pub fn LLVMPassBuilderOptionsSetSLPVectorization(options: *mut PassOptionsObject, on: c_int);
    pub fn LLVMRunPasses(
        module: *mut ModuleObject,
        passes: *const c_char,
        machine: *mut MachineObject,
        options: *mut PassOptionsObject,
    ) -> *mut ErrorObject;

    pub fn LLVMOrcCreateLLJIT(
        jit: *mut *mut JitObject,
        builder: *mut JitBuilderObject,
    ) -> *mut ErrorObject;
    pub fn LLVMOrcDisposeLLJIT(jit: *mut JitObject) -> *mut ErrorObject;
    pub fn LLVMOrcLLJITGetMainJITDylib(jit: *mut JitObject) -> *mut DylibObject;
    pub fn LLVMOrcLLJITGetGlobalPrefix(jit: *mut JitObject) -> c_char;
    pub fn LLVMOrcLLJITMangleAndIntern(
        jit: *mut JitObject,
        name: *const c_char,
    ) -> *mut SymbolObject;
    pub fn LLVMOrcLLJITAddObjectFile(
        jit: *mut JitObject,
        dylib: *mut DylibObject,
        buffer: *mut BufferObject,
    ) -> *mut ErrorObject;
    pub fn LLVMOrcLLJITLookup(
        jit: *mut JitObject,
        address: *mut u64,
        name: *const c_char,
    ) -> *mut ErrorObject;
    pub fn LLVMOrcAbsoluteSymbols(symbols: *mut SymbolMapPair, count: usize) -> *mut UnitObject;
    pub fn LLVMOrcJITDylibDefine(
        dylib: *mut DylibObject,
        unit: *mut UnitObject,
    ) -> *mut ErrorObject;
    pub fn LLVMOrcJITDylibAddGenerator(dylib: *mut DylibObject, generator: *mut GeneratorObject);
    pub fn LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        generator: *mut *mut GeneratorObject,
        prefix: c_char,
        filter: *const c_void,
        context: *mut c_void,
    ) -> *mut ErrorObject;
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    fn LLVMInitializeX86TargetInfo();
    fn LLVMInitializeX86Target();
    fn LLVMInitializeX86TargetMC();
    fn LLVMInitializeX86AsmPrinter();
    fn LLVMInitializeX86AsmParser();
}

#[cfg(target_arch = "aarch64")]
unsafe extern "C" {
    fn LLVMInitializeAArch64TargetInfo();
    fn LLVMInitializeAArch64Target();
    fn LLVMInitializeAArch64TargetMC();
    fn LLVMInitializeAArch64AsmPrinter();
    fn LLVMInitializeAArch64AsmParser();
}

/// Makes the code generator for this machine's kind of processor available.
pub fn initialize() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: called once, before any other use of targets.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            LLVMInitializeX86AsmParser();
        }
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        unsafe {
            LLVMInitializeAArch64TargetInfo();
            LLVMInitializeAArch64Target();
            LLVMInitializeAArch64TargetMC();
            LLVMInitializeAArch64AsmPrinter();
            LLVMInitializeAArch64AsmParser();
        }
    });
}

/// A message of LLVM's, which is freed.
pub fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands over a NUL-terminated string.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// The text of an error, if there is one.
pub fn check(error: *mut ErrorObject) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is not null, and its message is freed once.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

pub fn c_string(text: &str) -> CString {
    CString::new(text).expect("no NUL in names")
}
