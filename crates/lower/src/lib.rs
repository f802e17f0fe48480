//! From the typed semantic graph to the `ocaml` dialect.
//!
//! ```text
//! facts      which lambdas run, what each captures in the end, their symbols
//! types      graph types to dialect types, data declarations on the way
//! function   one function: parameters, captures, variables, slots
//! expr       nodes to ops and blocks;  calls, switches, prims beside it
//! entry      the program's items and the two entry points
//! debug      the user's variables, for debuggers
//! ```
//!
//! Nothing is decided here: representation and storage are read from the graph. What the graph
//! leaves to this stage is spelled out in [`oxbow_psg::effective`] (captures of lifted functions).

mod calls;
mod debug;
mod entry;
mod expr;
mod facts;
mod foreign;
mod function;
mod kept;
mod names;
mod numbers;
mod prims;
mod switch;
mod types;
mod written;

use oxbow_base::{FxHashSet, IdMap, SourceMap, Span};
use oxbow_diag::ice;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Location, Module};
use oxbow_dialect::op;
use oxbow_dialect::{Block, Builder};
use oxbow_psg::{ExnId, LambdaId, Mono, Program, VarId};

use debug::Layouts;
use facts::Facts;
use names::Names;

pub use kept::symbol as kept_symbol;
use types::TypeMap;

/// The program as a module of the `ocaml` dialect. It verifies, or the fault is ours.
pub fn run<'c>(program: &Program<Mono>, sources: &SourceMap, context: &'c Context) -> Module<'c> {
    lowered(program, sources, context, None)
}

/// The same for debuggers: with the user's variables (see [`debug`]).
pub fn run_for_debuggers<'c>(
    program: &Program<Mono>,
    sources: &SourceMap,
    context: &'c Context,
) -> Module<'c> {
    lowered(program, sources, context, Some(Layouts::new(program)))
}

fn lowered<'c>(
    program: &Program<Mono>,
    sources: &SourceMap,
    context: &'c Context,
    layouts: Option<Layouts>,
) -> Module<'c> {
    let module = Module::new(main_file(program, sources, context));
    let mut names = Names::new();
    let facts = Facts::new(program, &mut names);
    let mut lowering = Lowering {
        program,
        sources,
        types: TypeMap::new(program, context),
        facts,
        names,
        build: Builder::new(context),
        globals: IdMap::new(),
        exceptions: IdMap::new(),
        used_exceptions: Vec::new(),
        kept: FxHashSet::default(),
        body: None,
        layouts,
    };
    let body = lowering.build.module_body(&module);
    lowering.body = Some(body);
    lowering.build.set_block(body);
    lowering.declare_globals();
    for lambda in lowering.facts.lambdas.clone() {
        lowering.build.set_block(body);
        function::lambda(&mut lowering, lambda);
    }
    entry::emit(&mut lowering, body);
    lowering.build.set_block(body);
    lowering.tell_exceptions();
    if let Some(layouts) = &lowering.layouts {
        lowering.build.tell_layouts(&module, &layouts.text());
    }
    lowering.declare_types();
    if cfg!(debug_assertions)
        && let Err(faults) = oxbow_dialect::verify(&module)
    {
        ice!("the lowered module is not valid:\n{faults}");
    }
    module
}

/// The symbol that [`run`] gives to the function of each lambda.
pub fn symbols(program: &Program<Mono>) -> IdMap<LambdaId, String> {
    Facts::new(program, &mut Names::new()).symbols
}

/// The file that the program is named after: that of its first item that is not the library's.
fn main_file<'c>(
    program: &Program<Mono>,
    sources: &SourceMap,
    context: &'c Context,
) -> Location<'c> {
    match program.items.iter().find(|it| !it.library) {
        Some(item) => Location::new(context, &sources.file(item.span.file).name, 1, 1),
        None => Location::unknown(context),
    }
}

/// What all functions of one module share.
struct Lowering<'a, 'c> {
    program: &'a Program<Mono>,
    sources: &'a SourceMap,
    types: TypeMap<'c>,
    facts: Facts,
    names: Names,
    build: Builder<'c>,
    /// Symbols of global variables that hold a value.
    globals: IdMap<VarId, String>,
    /// Symbols of exceptions that something mentions.
    exceptions: IdMap<ExnId, String>,
    used_exceptions: Vec<ExnId>,
    /// The places of a prompt's values that are declared.
    kept: FxHashSet<String>,
    /// The module's own block.
    body: Option<Block<'c>>,
    /// What debuggers are told of types, if they are told anything.
    layouts: Option<Layouts>,
}

impl<'c> Lowering<'_, 'c> {
    fn location(&self, span: Span) -> Location<'c> {
        let at = self.sources.position(span.file, span.start);
        let name = &self.sources.file(span.file).name;
        Location::new(self.build.context, name, at.line as usize, at.column as usize)
    }

    /// The symbol of an exception, which is then declared.
    fn exception(&mut self, exn: ExnId) -> String {
        if let Some(symbol) = self.exceptions.get(exn) {
            return symbol.clone();
        }
        let symbol = match self.program.shared_exns.get(exn) {
            Some(shared) => shared.clone(),
            None => self.names.fresh(self.program.types.exns[exn].name.as_str()),
        };
        self.exceptions.insert(exn, symbol.clone());
        self.used_exceptions.push(exn);
        symbol
    }

    fn declare_globals(&mut self) {
        let kept = kept::variables(self.program);
        for var in self.facts.globals.clone() {
            let it = &self.program.vars[var];
            self.build.location = self.location(it.span);
            if let Some(&number) = kept.get(var) {
                let ty = self.types.get(it.ty, &mut self.names);
                let symbol = self.declare_kept(number, ty);
                self.globals.insert(var, symbol);
                continue;
            }
            let symbol = self.names.fresh(it.name.as_str());
            let ty = self.types.get(it.ty, &mut self.names);
            let global = self.build.global(&symbol, ty);
            self.tell_global(var, global);
            self.globals.insert(var, symbol);
        }
    }

    /// Declares every data type and exception that was mentioned. Fields may mention more.
    fn declare_types(&mut self) {
        self.build.location = Location::unknown(self.build.context);
        for exn in std::mem::take(&mut self.used_exceptions) {
            let decl = &self.program.types.exns[exn];
            let fields: Vec<_> =
                decl.fields.iter().map(|it| self.types.get(it.ty, &mut self.names)).collect();
            let symbol = &self.exceptions[exn];
            self.build.append(&op::Exception::draft(symbol, decl.name.as_str(), &fields));
        }
        while let Some((ty, name)) = self.types.next_undeclared() {
            let ctors = self.types.constructors(ty, &mut self.names);
            self.build.append(&op::Data::draft(&name, &ctors));
        }
    }
}
