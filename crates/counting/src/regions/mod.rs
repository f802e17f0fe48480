//! Places regions: objects that a scope makes, looks at and forgets are allocated one behind the other and end
//! together.
//!
//! ```text
//! %t = call @make(%d)             %r = region.enter ["tree"]
//! %n = call @count(%t)            %t = call @make.in_region(%r, %d)
//!                                 %n = call @count(%t)
//!                                 (region.leave %r, by the counting pass)
//! ```
//!
//! `escape` says what functions do with their arguments, `builders` which of them can make their result in a
//! region of their caller: of those a copy is made that takes the region as its first parameter. `scopes` finds
//! where regions begin. Functions that only look at objects need no copy, since counting an object
//! of a region does no harm. `closures` says which closures, with their environments, can be among the objects.

mod builders;
mod calls;
mod closures;
mod escape;
mod rewrite;
mod scopes;

use oxbow_dialect::Builder;
use oxbow_dialect::inspect::ops_of;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{Opcode, opcode};

use crate::ir::Program;
use crate::own;
use builders::Builders;
use calls::Calls;
pub use calls::on_cycles;
use escape::Escapes;
use rewrite::Rewriter;
use scopes::Finder;

/// A place that allocates in a region, and where that region begins: `file:line:column` both.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Placed {
    pub site: String,
    pub scope: String,
    /// The function makes counted objects there as well, for other callers.
    pub also_counted: bool,
}

/// Places the regions of a whole module, before its references are counted.
pub fn place<'c>(module: &Module<'c>, context: &'c Context) -> Vec<Placed> {
    let mut build = Builder::new(context);
    let body = build.module_body(module);
    let functions: Vec<_> = ops_of(body).filter(|it| opcode(*it) == Opcode::Func).collect();
    crate::prune::run(&functions, &mut build);
    let mut program = Program::read(ops_of(body), &functions);
    let owners = own::infer(&mut program);
    let escapes = Escapes::new(&program);
    let builders = Builders::new(&program, &escapes);
    let calls = Calls::new(&program);
    let finder = Finder {
        program: &program,
        escapes: &escapes,
        builders: &builders,
        owners: &owners,
        calls: &calls,
    };
    let mut scopes = Vec::new();
    for index in 0..program.functions.len() {
        scopes.extend(finder.scopes(index));
    }
    Rewriter::new(&program, &builders, &mut build).run(&scopes)
}
