//! From the `ocaml` dialect to the `llvm` dialect.
//!
//! A new module is built beside the old one, function by function; blocks are visited so that
//! definitions come before uses. Ops of `arith` and `cf` are copied and left to upstream's own
//! conversions, everything of `ocaml` is spelled out here:
//!
//! ```text
//! ocaml.func                  llvm.func internal tailcc @ml.<name>; results (T) or (T, exception)
//! ocaml.call, tail_call       llvm.call tailcc [musttail]
//! ocaml.invoke                load the code pointer, call it with the closure first;
//!                             other numbers of arguments go through `apply` stubs
//! ocaml.block.new, …          a cell of the heap, alloca or a constant, by `storage`
//! ocaml.dup, drop, take       counting in the object's header
//! ```
//!
//! Nothing is decided here that concerns more than one function: the passes that plan the code have written it down,
//! in attributes of functions and ops, and for types in `ocaml.family` and `ocaml.objects` (`facts`).

mod alloc;
mod apply;
mod arrays;
mod body;
mod calls;
mod checked;
mod closures;
mod cycles;
mod data;
mod debug;
mod facts;
mod fibers;
mod layout;
mod llvm_ops;
mod references;
mod regions;
mod release;
mod release_any;
mod shared;
mod statics;
mod words;

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{append, ops_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Attribute, Module, Type};
use oxbow_dialect::op::{self, DialectOp, InlineHint, OwnClosure, View, view};
use oxbow_dialect::{Block, Builder, OcamlType, Op, Val, region_of};

use apply::Applications;
pub use checked::MemoryChecks;
use facts::Facts;
use layout::Layout;
use llvm_ops::{Access, Convention};
use release::Releases;

/// Before the names of functions that are the program's own: they cannot clash with those of C.
pub const INTERNAL: &str = "ml.";

/// The declaration of a function of the old module.
#[derive(Clone)]
pub(crate) struct Func<'c> {
    /// Its symbol in the new module.
    symbol: String,
    params: Vec<Type<'c>>,
    result: Type<'c>,
    raises: bool,
    /// Of a closure function.
    own_closure: Option<OwnClosure>,
    notes_caller: bool,
    /// Of a closure function.
    captures: Option<Vec<Type<'c>>>,
    /// Closures over it hold an environment object instead of the captures.
    separate_env: bool,
    /// Some closures over it are in frames.
    framed: bool,
    exported: bool,
    /// Takes all its arguments in registers.
    in_registers: bool,
    /// Called rarely: its calls leave registers alone, and are never tail calls.
    cold: bool,
    /// Of a function without captures that only closures call.
    only_value: bool,
}

impl Func<'_> {
    fn convention(&self) -> Convention {
        match (self.exported, self.cold) {
            (true, _) => Convention::C,
            (false, true) => Convention::PreserveMost,
            (false, false) => Convention::Tail,
        }
    }

    /// Does its code get the closure as its first argument?
    fn gets_closure(&self) -> bool {
        self.captures.is_some() || self.only_value
    }

    /// Do closures over it hold anything besides the code?
    fn has_captures(&self) -> bool {
        self.captures.as_ref().is_some_and(|it| !it.is_empty())
    }
}

pub(crate) struct Converter<'c> {
    build: Builder<'c>,
    layout: Layout<'c>,
    /// The body of the new module.
    out: Block<'c>,
    funcs: FxHashMap<String, Func<'c>>,
    /// Field types of each constructor.
    datas: FxHashMap<String, Vec<Vec<Type<'c>>>>,
    exceptions: FxHashMap<String, Vec<Type<'c>>>,
    aliases: Vec<(Access, Attribute<'c>)>,
    applications: Applications<'c>,
    facts: Facts,
    releases: Releases<'c>,
    /// Symbols already made in the new module.
    made: FxHashSet<String>,
    strings: FxHashMap<Vec<u8>, String>,
    /// Constant objects without mutable fields, by what they hold.
    blocks: FxHashMap<String, String>,
    /// Places in the source, as C strings.
    sites: FxHashMap<String, String>,
    static_count: usize,
    /// The cell for the next object on the heap, and its size.
    reused: Option<(u64, Val<'c>)>,
    /// Static objects with a descriptor.
    large_statics: FxHashSet<String>,
    memory: MemoryChecks,
    /// Domains are started, so that objects may be shared (`shared`).
    domains: bool,
    /// Number and bytes of static objects.
    statics: [u64; 2],
    /// The variables of the program.
    globals: Vec<(String, Type<'c>)>,
}

pub(crate) fn run<'c>(
    module: &Module<'c>,
    context: &'c Context,
    memory: MemoryChecks,
) -> Module<'c> {
    let result = Module::new(module.as_operation().location());
    let build = Builder::new(context);
    let (source, out) = (build.module_body(module), build.module_body(&result));
    let mut converter = Converter {
        layout: Layout::new(context),
        out,
        funcs: FxHashMap::default(),
        datas: FxHashMap::default(),
        exceptions: FxHashMap::default(),
        aliases: Vec::new(),
        applications: Applications::default(),
        facts: Facts::default(),
        releases: Releases::default(),
        made: FxHashSet::default(),
        strings: FxHashMap::default(),
        blocks: FxHashMap::default(),
        sites: FxHashMap::default(),
        static_count: 0,
        reused: None,
        large_statics: FxHashSet::default(),
        memory,
        domains: false,
        statics: [0; 2],
        globals: Vec::new(),
        build,
    };
    converter.aliases = Access::TAGGED
        .iter()
        .map(|&(access, name, parent)| {
            (access, converter.build.parsed(&Access::text(name, parent)))
        })
        .collect();
    converter.build.set_block(out);
    let ops: Vec<Op<'c>> = ops_of(source).collect();
    converter.domains = ops
        .iter()
        .filter_map(|&it| op::Func::cast(it))
        .any(|it| it.sym_name() == oxbow_abi::PROGRAM_DOMAIN);
    for &op in &ops {
        converter.declare(op);
    }
    for &op in &ops {
        if let Some(func) = op::Func::cast(op) {
            converter.function(func);
        }
    }
    converter.emit_applications();
    converter.emit_releases();
    converter.emit_statics();
    result
}

/// The name of a variable of the program in LLVM.
pub fn variable_symbol(name: &str) -> String {
    format!("oxbow.var.{name}")
}

/// The name of what an exception's values point to.
pub fn descriptor_symbol(exception: &str) -> String {
    format!("oxbow.exception.{exception}")
}

impl<'c> Converter<'c> {
    /// Notes what a module-level op declares.
    fn declare(&mut self, op: Op<'c>) {
        match view(op) {
            View::Func(it) => {
                let func = self.signature(it);
                self.funcs.insert(it.sym_name().into(), func);
            }
            View::Data(it) => {
                self.datas.insert(it.sym_name().into(), it.ctors());
            }
            View::Exception(it) => {
                self.exceptions.insert(it.sym_name().into(), it.fields());
                self.exception_descriptor(it.sym_name(), it.name());
            }
            View::Global(it) => self.global(it),
            View::Family(it) => self.facts.family(it),
            View::Objects(it) => self.facts.objects(it),
            _ => (),
        }
    }

    fn signature(&self, func: op::Func<'c>) -> Func<'c> {
        let name = func.sym_name();
        let (params, outputs) = (func.inputs(), func.outputs());
        let (captures, exported) = (func.captures(), func.exported());
        let mut used = self.layout.registers_of(&params);
        used.0 += usize::from(captures.is_some() || func.only_value());
        let cold = func.inline_hint() == Some(InlineHint::Cold) && captures.is_none() && !exported;
        Func {
            symbol: if exported { name.into() } else { format!("{INTERNAL}{name}") },
            params,
            result: outputs[0],
            raises: outputs.len() == 2 && !func.never_raises(),
            own_closure: func.own_closure(),
            notes_caller: func.notes_caller(),
            captures,
            separate_env: func.separate_env(),
            framed: func.framed(),
            exported,
            in_registers: fits_registers(used),
            cold,
            only_value: func.only_value(),
        }
    }

    fn global(&mut self, global: op::Global<'c>) {
        let held = global.r#type();
        let (ty, parts) = (self.layout.memory(held), held.pair_parts());
        let parts = parts.map_or(vec![held], Vec::from);
        if parts.iter().any(|it| self.layout.is_counted(*it)) {
            self.need_heap();
        }
        let symbol = variable_symbol(global.sym_name());
        self.globals.push((symbol.clone(), held));
        self.build.location = global.op().location();
        let mut attributes = vec![
            ("global_type", self.build.type_attr(ty)),
            ("sym_name", self.build.string(&symbol)),
            ("linkage", self.build.parsed("#llvm.linkage<internal>")),
        ];
        if global.tls() {
            attributes.push(("thread_local_", self.build.unit()));
        }
        let source = global.op();
        let global = self.append("llvm.mlir.global", &attributes, 1);
        self.build.copy_variable(source, global);
        let block = self.build.new_block(&[]);
        self.build.place(block, region_of(global));
        self.build.set_block(block);
        // What is stored later replaces something that can be dropped.
        let first = |part: &Type<'c>| match self.layout.is_counted(*part) {
            true => self.nothing_address(),
            false => self.build.value("llvm.mlir.zero", &[], self.layout.memory(*part), &[]),
        };
        let first: Vec<_> = parts.iter().map(first).collect();
        let first = if let [single] = first[..] { single } else { self.pack(&first) };
        self.ret(Some(first));
        self.build.set_block(self.out);
    }

    /// Appends a module-level op to the new module.
    fn append(&self, name: &str, attributes: &[(&str, Attribute<'c>)], regions: usize) -> Op<'c> {
        let op = self.build.detached(name, &[], &[], attributes, &[], regions);
        append(self.out, op);
        op
    }

    /// A function of the new module, with an entry block that becomes current.
    fn new_function(&mut self, spec: &NewFunction<'_, 'c>) -> Block<'c> {
        let op = self.append_function(spec);
        let entry = self.build.new_block(spec.params);
        self.build.place(entry, region_of(op));
        self.build.set_block(entry);
        entry
    }

    fn append_function(&mut self, spec: &NewFunction<'_, 'c>) -> Op<'c> {
        let ty = self.layout.function(spec.params, spec.result);
        let mut attributes = vec![
            ("sym_name", self.build.string(spec.symbol)),
            ("function_type", self.build.type_attr(ty)),
            ("CConv", self.build.parsed(spec.convention.text())),
            ("no_unwind", self.build.unit()),
        ];
        if !spec.exported {
            attributes.push(("linkage", self.build.parsed("#llvm.linkage<internal>")));
        }
        if spec.facts.iter().any(Option::is_some) {
            let mut facts: Vec<_> =
                spec.facts.iter().map(|it| self.pointer_attributes(*it)).collect();
            facts.resize(spec.params.len(), self.pointer_attributes(None));
            attributes.push(("arg_attrs", self.build.list(&facts)));
        }
        match spec.hint {
            Hint::None => (),
            Hint::Inline => attributes.push(("always_inline", self.build.unit())),
            Hint::NoInline | Hint::Cold | Hint::Rare => {
                attributes.push(("no_inline", self.build.unit()))
            }
        }
        // Frames larger than a page touch each page, so that none steps over the stack's end.
        let probe = "[\"probe-stack\", \"inline-asm\"]";
        let others = match spec.hint {
            Hint::Cold => format!("[{probe}, \"cold\"]"),
            Hint::Rare => format!("[{probe}, \"optnone\"]"),
            Hint::None | Hint::Inline | Hint::NoInline => format!("[{probe}]"),
        };
        attributes.push(("passthrough", self.build.parsed(&others)));
        self.append("llvm.func", &attributes, 1)
    }

    /// Small objects lie in memory that is never given back, so what a parameter points to can be
    /// read at any time while the function runs, though it may be another object by then.
    fn pointer_attributes(&self, size: Option<u64>) -> Attribute<'c> {
        self.build.parsed(&match size {
            Some(size) => format!(
                "{{llvm.nonnull, llvm.noundef, llvm.align = 8 : i64, llvm.dereferenceable = {size} : i64}}"
            ),
            None => "{}".into(),
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    None,
    Inline,
    NoInline,
    Cold,
    /// Not optimised.
    Rare,
}

struct NewFunction<'a, 'c> {
    symbol: &'a str,
    params: &'a [Type<'c>],
    /// For parameters that point to an object for sure: its size. May be shorter.
    facts: &'a [Option<u64>],
    result: Type<'c>,
    convention: Convention,
    exported: bool,
    hint: Hint,
}

/// Integer and float registers of the C convention on x86-64, which `tailcc` shares.
fn fits_registers((ints, floats): (usize, usize)) -> bool {
    ints <= 6 && floats <= 8
}
