//! The program's items, and the symbols that the runtime calls.
//!
//! ```text
//! @items, @items.1, …            the items in order; raises what an item raises
//! @oxbow_program_main            items, then `finish`; an exception goes to `uncaught`
//! @oxbow_program_stack_overflow  `uncaught Stack_overflow`
//! @oxbow_program_flush           `flush`
//! @oxbow_program_fiber           what a fibre runs, if there are any
//! @oxbow_program_domain          what the threads of domains run, if there are any: then objects can be shared
//! ```
//!
//! Items are spread over functions of bounded size that are never inlined into one: LLVM's
//! work on a function grows faster than the function. Items without a loop run once, so their
//! functions are `rare`: LLVM translates them and does nothing more. Those with loops have functions
//! of their own, which are optimised (decision 68).

use oxbow_dialect::melior::ir::Location;
use oxbow_dialect::op;
use oxbow_dialect::{Block, FuncSpec, Likely, Val, region_of};
use oxbow_psg::{Item, ItemKind, Mono, NodeId, NodeKind, Program, VarId};

use crate::Lowering;
use crate::expr::Dest;
use crate::function::Function;
use crate::kept;

const CHUNK_NODES: usize = 400;

pub fn emit<'c>(low: &mut Lowering<'_, 'c>, module: Block<'c>) {
    low.build.set_block(module);
    let unit = low.build.types.i1;
    let mut symbols = Vec::new();
    let mut items = &low.program.items[..];
    while !items.is_empty() {
        low.build.set_block(module);
        let Chunk { length, loops } = first_chunk(low, items);
        let (chunk, rest) = items.split_at(length);
        let symbol = low.names.fresh("items");
        let hint = hint_of(loops);
        let returns = items_function(low, &symbol, hint, chunk);
        symbols.push(symbol);
        items = if returns { rest } else { &[] };
    }
    low.build.set_block(module);
    exported(low, oxbow_abi::PROGRAM_MAIN, |function| {
        for symbol in &symbols {
            if let (_, Some(exn)) = function.low.build.call(symbol, &[], unit, true) {
                function.guard(exn);
            }
        }
        if let Some(finish) = function.low.program.well_known.finish {
            let argument = function.unit();
            if let Some(exn) = function.call_global(finish, argument) {
                function.guard(exn);
            }
        }
    });
    low.build.set_block(module);
    let overflow = low.program.well_known.exns.stack_overflow;
    exported(low, oxbow_abi::PROGRAM_STACK_OVERFLOW, |function| {
        if let Some(overflow) = overflow {
            let symbol = function.low.exception(overflow);
            let exn = function.low.build.exn_new(&symbol, &[], op::Storage::Static);
            function.report(exn);
        }
    });
    low.build.set_block(module);
    let flush = low.program.well_known.flush;
    exported(low, oxbow_abi::PROGRAM_FLUSH, |function| {
        if let Some(flush) = flush {
            let argument = function.unit();
            function.call_global(flush, argument);
        }
    });
    if let Some(fiber) = low.program.well_known.fiber {
        low.build.set_block(module);
        // An exception that comes here is the one by which the fibre unwinds.
        exported(low, oxbow_abi::PROGRAM_FIBER, |function| {
            let argument = function.unit();
            function.call_global(fiber, argument);
        });
    }
    if let Some(domain) = low.program.well_known.domain {
        low.build.set_block(module);
        exported(low, oxbow_abi::PROGRAM_DOMAIN, |function| {
            let argument = function.unit();
            if let Some(exn) = function.call_global(domain, argument) {
                function.guard(exn);
            }
        });
    }
}

/// The first of some items, which go into one function.
struct Chunk {
    length: usize,
    loops: bool,
}

/// As many items as have `CHUNK_NODES` nodes together, at least one; either all of them have loops, or none has.
fn first_chunk(low: &Lowering<'_, '_>, items: &[Item]) -> Chunk {
    let mut nodes = 0;
    let mut chunk = Chunk { length: 0, loops: false };
    let mut empty = true;
    for item in items {
        let code = start_code(low.program, computed(low, item));
        nodes += code.nodes;
        let fits = nodes <= CHUNK_NODES && (code.nodes == 0 || code.loops == chunk.loops);
        if !empty && !fits {
            break;
        }
        if empty && code.nodes > 0 {
            chunk.loops = code.loops;
            empty = false;
        }
        chunk.length += 1;
    }
    chunk
}

/// Code of the start of the program.
struct StartCode {
    nodes: usize,
    loops: bool,
}

/// How a function of code that runs once is compiled.
pub fn start_hint(program: &Program<Mono>, code: Vec<NodeId>) -> op::InlineHint {
    hint_of(start_code(program, code).loops)
}

fn hint_of(loops: bool) -> op::InlineHint {
    if loops { op::InlineHint::Never } else { op::InlineHint::Rare }
}

/// Measures code without the functions in it.
fn start_code(program: &Program<Mono>, mut todo: Vec<NodeId>) -> StartCode {
    let mut code = StartCode { nodes: 0, loops: false };
    while let Some(node) = todo.pop() {
        let kind = &program.nodes[node].kind;
        code.nodes += 1;
        code.loops |= match kind {
            NodeKind::While { .. } | NodeKind::For { .. } => true,
            NodeKind::Join { join, .. } => program.joins[*join].recursive,
            _ => false,
        };
        kind.for_each_child(|child| todo.push(child));
    }
    code
}

/// The values of an item that are not just functions.
fn computed(low: &Lowering<'_, '_>, item: &Item) -> Vec<NodeId> {
    match &item.kind {
        ItemKind::Let { var, .. } if low.facts.bound.contains(*var) => Vec::new(),
        ItemKind::Let { value, .. } | ItemKind::Eval(value) => vec![*value],
        ItemKind::LetRec { vars, values } => {
            let values = vars.iter().zip(values);
            values.filter(|it| !low.facts.bound.contains(*it.0)).map(|it| *it.1).collect()
        }
    }
}

/// Whether control comes to the function's end.
fn items_function(
    low: &mut Lowering<'_, '_>,
    symbol: &str,
    hint: op::InlineHint,
    items: &[Item],
) -> bool {
    let unit = low.build.types.i1;
    low.build.location = match items.first() {
        Some(item) => low.location(item.span),
        None => Location::unknown(low.build.context),
    };
    let spec = FuncSpec {
        name: symbol,
        params: &[],
        result: unit,
        raises: true,
        captures: &[],
        capture_names: &[],
        inline_hint: Some(hint),
        exported: false,
    };
    let op = low.build.func(&spec);
    let mut function = Function::new(low, region_of(op), &[], unit, true);
    let mut reachable = true;
    for item in items {
        // What was copied from the library to the root of an item stands in it.
        function.place = None;
        function.at(item.span);
        reachable = match &item.kind {
            ItemKind::Let { var, value } => function.item(*var, *value),
            ItemKind::LetRec { vars, values } => {
                vars.iter().zip(values).all(|(&var, &value)| function.item(var, value))
            }
            ItemKind::Eval(node) => function.emit(*node, Dest::Here).is_some(),
        };
        if !reachable {
            break;
        }
        if function.low.program.well_known.flush.is_some_and(|it| item.kind.vars().contains(&it)) {
            function.low.build.runtime_call("oxbow_flush_ready", &[], None);
        }
    }
    if reachable {
        let unit = function.unit();
        function.low.build.return_(unit);
    }
    function.close();
    reachable
}

fn exported<'a, 'c>(
    low: &mut Lowering<'a, 'c>,
    symbol: &str,
    body: impl FnOnce(&mut Function<'_, 'a, 'c>),
) {
    let unit = low.build.types.i1;
    let spec = FuncSpec {
        name: symbol,
        params: &[],
        result: unit,
        raises: false,
        captures: &[],
        capture_names: &[],
        inline_hint: None,
        exported: true,
    };
    let op = low.build.func(&spec);
    let mut function = Function::new(low, region_of(op), &[], unit, false);
    body(&mut function);
    let unit = function.unit();
    function.low.build.return_(unit);
}

impl<'c> Function<'_, '_, 'c> {
    /// Evaluates an item and keeps its value; false if control does not come back.
    fn item(&mut self, var: VarId, value: NodeId) -> bool {
        if self.low.facts.bound.contains(var) || kept::number(self.low.program, value).is_some() {
            return true;
        }
        let Some(value) = self.emit(value, Dest::Here) else { return false };
        self.write(var, value);
        true
    }

    /// Hands an exception, if there is one, to the program's last handler.
    fn guard(&mut self, exn: Val<'c>) {
        let raised = self.low.build.exn_raised(exn);
        let [failed, next] = [(); 2].map(|()| self.low.build.new_block(&[]));
        self.low.build.cond_br(raised, failed, next, Likely::Second);
        self.start(failed);
        self.report(exn);
        let unit = self.unit();
        self.low.build.return_(unit);
        self.start(next);
    }

    fn report(&mut self, exn: Val<'c>) {
        if let Some(uncaught) = self.low.program.well_known.uncaught {
            self.call_global(uncaught, exn);
        }
    }

    /// Calls a global function of one argument; its exception, if it may raise.
    fn call_global(&mut self, var: VarId, argument: Val<'c>) -> Option<Val<'c>> {
        let unit = self.low.build.types.i1;
        match self.low.facts.bound.get(var) {
            Some(&lambda) if self.low.program.lambdas[lambda].params.len() == 1 => {
                let symbol = self.low.facts.symbols[lambda].clone();
                let raises = self.low.program.lambdas[lambda].raises;
                self.low.build.call(&symbol, &[argument], unit, raises).1
            }
            _ => {
                let closure = self.read(var);
                Some(self.low.build.invoke(closure, &[argument], unit).1)
            }
        }
    }
}
