//! LLVM's C interface: what `llvm-sys` declares, in one place, and what it lacks. The libraries are linked
//! by `mlir-sys`.

use std::ffi::{CStr, CString, c_char, c_uint};

pub use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
pub use llvm_sys::core::*;
pub use llvm_sys::error::*;
pub use llvm_sys::orc2::lljit::*;
pub use llvm_sys::orc2::*;
pub use llvm_sys::prelude::*;
pub use llvm_sys::support::LLVMParseCommandLineOptions;
pub use llvm_sys::target::{LLVMDisposeTargetData, LLVMSetModuleDataLayout};
pub use llvm_sys::target_machine::*;
pub use llvm_sys::transforms::pass_builder::*;
pub use llvm_sys::{LLVMCallConv, LLVMLinkage, LLVMOpcode, LLVMTailCallKind, LLVMTypeKind};

pub const FAST_CC: c_uint = LLVMCallConv::LLVMFastCallConv as c_uint;
// Conventions that the C interface does not name.
pub const TAIL_CC: c_uint = 18;
pub const PRESERVE_NONE: c_uint = 21;

/// Makes the code generator for this machine's kind of processor available.
pub fn initialize() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: called once, before any other use of targets, while `Once` keeps other threads waiting.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            llvm_sys::target::LLVMInitializeX86TargetInfo();
            llvm_sys::target::LLVMInitializeX86Target();
            llvm_sys::target::LLVMInitializeX86TargetMC();
            llvm_sys::target::LLVMInitializeX86AsmPrinter();
            llvm_sys::target::LLVMInitializeX86AsmParser();
        }
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        unsafe {
            llvm_sys::target::LLVMInitializeAArch64TargetInfo();
            llvm_sys::target::LLVMInitializeAArch64Target();
            llvm_sys::target::LLVMInitializeAArch64TargetMC();
            llvm_sys::target::LLVMInitializeAArch64AsmPrinter();
            llvm_sys::target::LLVMInitializeAArch64AsmParser();
        }
    });
}

/// Has the function an attribute of this name, which LLVM knows?
///
/// # Safety
/// The function is part of a module that is alive.
pub unsafe fn has_attribute(function: LLVMValueRef, name: &str) -> bool {
    // SAFETY: the caller says that the function is alive; the name is read with its length.
    unsafe {
        let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        !LLVMGetEnumAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
    }
}

/// Gives the function an attribute of this name, which LLVM knows.
///
/// # Safety
/// The function is part of a module that is alive, and nobody else uses it.
pub unsafe fn add_attribute(function: LLVMValueRef, name: &str) {
    // SAFETY: the caller says that the function is alive; the name is read with its length.
    unsafe {
        let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        let context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
        let attribute = LLVMCreateEnumAttribute(context, kind, 0);
        LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, attribute);
    }
}

/// A message that LLVM has handed over, which is freed.
pub fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: callers pass what LLVM has just given them to free: null or a C string.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// The text of an error, if there is one.
pub fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: callers pass what LLVM has just given them; asking for the message uses the error up, and the message
    // is freed here.
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
