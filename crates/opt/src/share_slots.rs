//! Makes thread-local variables variables of the program, for code that runs in one thread.
//!
//! ```text
//! before   global private thread_local @closure_1__k : i64
//! after    global private @closure_1__k : i64
//! ```

use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;

use crate::module::Declarations;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    for global in Declarations::new(module, context).globals() {
        global.set_tls(false);
    }
}
