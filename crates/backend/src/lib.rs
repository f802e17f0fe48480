//! From the `ocaml` dialect to LLVM, and from there to running code or files.
//!
//! ```text
//! lower_to_llvm_dialect   ocaml + arith + cf  ->  llvm dialect
//! emit                    llvm dialect -> LLVM IR, assembly or an object file, optimised
//! jit                     the same in this process, where functions are compiled when they are first called
//! phrases                 the same for a program that grows while it runs
//! link                    object file + runtime -> executable
//! foreign                 functions of C libraries
//! ```

#![expect(unsafe_code, reason = "calls LLVM's and MLIR's C interfaces")]

mod convert;
mod emit;
pub mod foreign;
mod jit;
mod lazy;
mod link;
mod llvm;
mod phrases;
mod printers;
mod ranges;
mod registers;
mod returns;
mod self_calls;
mod tail_calls;

pub use convert::{INTERNAL, MemoryChecks};
pub use emit::{OptLevel, Output, Processor, Target, emit};
pub use jit::{EntryPoint, JitProgram, jit};
pub use link::{LinkError, link};
pub use phrases::{PhraseEntries, Phrases, Shared};

use oxbow_diag::ice;
use oxbow_dialect::inspect::{name_of, ops_of, outside_of_calls};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::melior::pass::PassManager;
use oxbow_dialect::melior::pass::conversion;
use oxbow_dialect::{Builder, debug};

/// What conversion may choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoweringOptions {
    pub memory: MemoryChecks,
    /// Line tables for debuggers and profilers.
    pub debug_info: bool,
    /// Check the result, whatever the build.
    pub verify: bool,
}

/// The module in the llvm dialect.
pub fn lower_to_llvm_dialect<'c>(
    module: &Module<'c>,
    context: &'c Context,
    options: LoweringOptions,
) -> Module<'c> {
    let layouts = debug::layouts(module).filter(|_| options.debug_info);
    let mut result = convert::run(module, context, options.memory);
    if let Some(layouts) = &layouts {
        Builder::new(context).tell_layouts(&result, layouts);
    }
    let passes = PassManager::new(context);
    passes.enable_verifier(options.verify || cfg!(debug_assertions));
    passes.add_pass(conversion::create_arith_to_llvm());
    passes.add_pass(conversion::create_control_flow_to_llvm());
    if options.debug_info {
        let declared = ops_of(Builder::new(context).module_body(&result));
        declared.filter(|it| name_of(*it) != "llvm.func").for_each(outside_of_calls);
        match &layouts {
            Some(_) => oxbow_dialect::debug_variables_passes()
                .into_iter()
                .for_each(|it| passes.add_pass(it)),
            None => passes.add_pass(oxbow_dialect::debug_scope_pass()),
        }
    }
    if passes.run(&mut result).is_err() {
        ice!("conversion to the llvm dialect failed:\n{}", result.as_operation());
    }
    result
}
