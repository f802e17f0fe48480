//! The `ocaml` dialect: its context, types and op builders.
//!
//! The records are in `dialect/*.td`, registration and verifiers in C++ beside them. This crate
//! knows neither the semantic graph nor LLVM code generation.
//!
//! ```text
//! context()        a context with `ocaml`, `arith`, `cf` and `llvm`, nothing else
//! Types            constructors and inspection of the dialect's types
//! Builder          appends ops to a block, with a current source location
//! op               every op as a Rust type: operands, attributes, results, effects
//! inspect          walks and changes ops that exist, whatever they are
//! layout           sizes and offsets in memory
//! plugin_path()    the shared library for `mlir-opt --load-dialect-plugin=`
//! ```

#![expect(unsafe_code, reason = "calls MLIR's C interface")]

mod builder;
pub mod debug;
pub mod inspect;
pub mod layout;
pub mod op;
mod ops;
mod types;

pub use builder::{Block, Builder, Op, Val, is_terminated, region_of, result_of};
pub use melior;
pub use mlir_sys;
pub use ops::{FloatPredicate, FuncSpec, Likely, Predicate};
pub use types::{Kind, OcamlType, Types, type_key};

use std::cell::RefCell;
use std::path::Path;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::OperationLike;

unsafe extern "C" {
    fn oxbowRegisterOcaml(registry: mlir_sys::MlirDialectRegistry);
    fn oxbowRegisterUpstream(registry: mlir_sys::MlirDialectRegistry);
    fn oxbowCreateDebugScopePass() -> mlir_sys::MlirPass;
    fn oxbowCreateFullDebugScopePass() -> mlir_sys::MlirPass;
    fn oxbowCreateDebugVariablesPass() -> mlir_sys::MlirPass;
}

/// A context with the dialects that the compiler uses, all loaded.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    // SAFETY: the registry is alive, and both functions only add to it.
    unsafe {
        oxbowRegisterOcaml(registry.to_raw());
        oxbowRegisterUpstream(registry.to_raw());
    }
    // One thread: programs are small, and starting threads would cost more than it gains.
    let context = Context::new_with_threading(false);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// Gives every function a debug scope, so that locations become line tables.
pub fn debug_scope_pass() -> melior::pass::Pass {
    // SAFETY: the pass is new, and nobody owns it but what is returned.
    unsafe { melior::pass::Pass::from_raw(oxbowCreateDebugScopePass()) }
}

/// The same two steps for programs whose variables debuggers know: scopes, and the variables in them.
pub fn debug_variables_passes() -> [melior::pass::Pass; 2] {
    // SAFETY: the passes are new, and nobody owns them but what is returned.
    unsafe {
        [oxbowCreateFullDebugScopePass(), oxbowCreateDebugVariablesPass()]
            .map(|it| melior::pass::Pass::from_raw(it))
    }
}

/// Checks a module; what is wrong with it, one line for each fault.
pub fn verify(module: &Module<'_>) -> Result<(), String> {
    let context = module.context();
    let messages = RefCell::new(String::new());
    // SAFETY: the reference is to the variable above. The handler, which borrows `messages`, is detached before
    // that goes away.
    let context = unsafe { context.to_ref() };
    let handler = context.attach_diagnostic_handler(|diagnostic| {
        let mut messages = messages.borrow_mut();
        messages.push_str(&format!("{}: {diagnostic}\n", diagnostic.location()));
        true
    });
    let valid = module.as_operation().verify();
    context.detach_diagnostic_handler(handler);
    if valid { Ok(()) } else { Err(messages.into_inner()) }
}

/// The dialect as a plugin for the distribution's `mlir-opt`.
pub fn plugin_path() -> &'static Path {
    Path::new(env!("OXBOW_DIALECT_PLUGIN"))
}
