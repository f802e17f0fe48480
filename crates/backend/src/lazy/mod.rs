//! Functions that are compiled when they are first called.
//!
//! ```text
//! program  ──►  eager part, with stubs      print.stub:  while its slot is null, find(…); then go on there
//!          └─►  units, not compiled yet     print.body, …
//! ```
//!
//! A program that runs at once needs little of the library that it could reach. What it starts with is compiled as a
//! whole; the functions of a unit (see [`partition`]) are stubs there. The first call of one compiles the unit, from
//! the module as it was before optimisation, with copies of the small functions that it uses.
//!
//! The address of a function that several parts know is that of its stub, everywhere.

mod graph;
mod partition;

use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{ffi::c_void, ptr};

use oxbow_base::FxHashSet;
use oxbow_diag::{OUR_FAULT, ice};

use crate::emit::{Buffer, LlvmProgram};
use crate::llvm::{
    self, LLVMCodeGenFileType, LLVMDisposeModule, LLVMGetNamedFunction, LLVMGetNamedGlobal,
    LLVMGetValueName2, LLVMLinkage, LLVMModuleRef, LLVMSetLinkage, LLVMTypeRef, LLVMValueRef,
};
use crate::registers;

use graph::Graph;
use partition::{Home, Partition};

unsafe extern "C" {
    fn oxbowClonePart(
        module: LLVMModuleRef,
        kept: *const LLVMValueRef,
        count: usize,
    ) -> LLVMModuleRef;
    fn oxbowDefineElsewhere(variable: LLVMValueRef);
    fn oxbowDefineUnder(function: LLVMValueRef, name: *const std::ffi::c_char);
    fn oxbowDefineStub(function: LLVMValueRef, slot: u64, find: u64, state: u64, number: u64);
}

/// Where the code of a unit is loaded, and found by its name.
pub(crate) type Load = Box<dyn Fn(Option<Buffer>, &str) -> usize + Send>;

/// A program of which parts are not compiled yet. It stays where it is: stubs know its address.
pub(crate) struct Lazy {
    /// Not optimised. Whoever compiles holds it.
    program: Mutex<Compiler>,
    /// The functions that have stubs.
    entries: Vec<Entry>,
    /// The address of each, as soon as it is compiled.
    slots: Vec<AtomicPtr<c_void>>,
}

struct Entry {
    function: usize,
    unit: usize,
}

struct Compiler {
    program: LlvmProgram,
    graph: Graph,
    partition: Partition,
    /// Function types whose convention is the same in all parts.
    settled: FxHashSet<LLVMTypeRef>,
    loaded: Vec<bool>,
    load: Option<Load>,
}

// SAFETY: LLVM's objects belong to no thread, and only one at a time has the compiler.
unsafe impl Send for Compiler {}

impl Lazy {
    /// Divides a program.
    pub fn new(program: LlvmProgram) -> Box<Self> {
        // SAFETY: the module lives as long as the program, which nobody else uses.
        let graph = unsafe { Graph::of(program.module) };
        let partition = Partition::of(&graph);
        let settled = settled_types(&graph, &partition);
        // SAFETY: as above.
        unsafe { registers::settle(program.module, &settled) };
        let entries = entries(&graph, &partition);
        let slots = entries.iter().map(|_| AtomicPtr::new(ptr::null_mut())).collect();
        let loaded = vec![false; partition.units.len()];
        let compiler = Compiler { program, graph, partition, settled, loaded, load: None };
        Box::new(Self { program: Mutex::new(compiler), entries, slots })
    }

    /// Says what loads the code of units.
    pub fn set_load(&self, load: Load) {
        self.compiler(|it| it.load = Some(load));
    }

    /// The code that the program starts with.
    pub fn eager(&self) -> Buffer {
        self.compiler(|compiler| {
            let Compiler { graph, partition, .. } = &*compiler;
            let eager: Vec<usize> = (0..graph.functions.len())
                .filter(|&it| partition.home[it] == Home::Eager)
                .collect();
            let functions = partition.with_copies(graph, &eager);
            let shared = Shared::of(graph, partition);
            // SAFETY: the values are those of the program's module. The part is new, is used here alone, and has a
            // declaration of each function that is not defined in it.
            unsafe {
                let kept = functions.iter().map(|&it| graph.functions[it].value);
                let kept: Vec<_> = kept.chain(graph.variables.iter().map(|it| it.value)).collect();
                let part = oxbowClonePart(compiler.program.module, kept.as_ptr(), kept.len());
                for &function in &shared.functions {
                    let copy = function_in(part, graph.functions[function].value);
                    LLVMSetLinkage(copy, LLVMLinkage::LLVMExternalLinkage);
                }
                for &variable in &shared.variables {
                    let copy = variable_in(part, graph.variables[variable].value);
                    LLVMSetLinkage(copy, LLVMLinkage::LLVMExternalLinkage);
                }
                let state = ptr::from_ref(self) as u64;
                for (number, entry) in self.entries.iter().enumerate() {
                    let stub = function_in(part, graph.functions[entry.function].value);
                    let slot = ptr::from_ref(&self.slots[number]) as u64;
                    let find = find as *const () as u64;
                    oxbowDefineStub(stub, slot, find, state, number as u64);
                }
                compiler.compile(part)
            }
        })
    }

    /// How many units are compiled, of how many.
    pub fn progress(&self) -> (usize, usize) {
        self.compiler(|it| (it.loaded.iter().filter(|it| **it).count(), it.loaded.len()))
    }

    fn compiler<T>(&self, act: impl FnOnce(&mut Compiler) -> T) -> T {
        let mut compiler = self.program.lock().unwrap_or_else(|it| it.into_inner());
        act(&mut compiler)
    }

    fn find(&self, number: usize) -> *mut c_void {
        let unit = self.entries[number].unit;
        self.compiler(|compiler| {
            let entries: Vec<_> = (0..self.entries.len())
                .filter(|&it| self.entries[it].unit == unit)
                .map(|it| (it, self.entries[it].function))
                .collect();
            for (number, address) in compiler.unit(unit, &entries) {
                self.slots[number].store(address as *mut c_void, Ordering::Release);
            }
        });
        self.slots[number].load(Ordering::Acquire)
    }
}

/// Called by stubs: compiles the unit of a function, and gives its address. LLVM takes much stack, and the program's
/// may be short, so another thread does it.
extern "C" fn find(state: u64, number: u64) -> *mut c_void {
    // SAFETY: stubs pass the address of the program that they belong to, which outlives its code.
    let lazy = unsafe { &*(state as *const Lazy) };
    let found = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(COMPILER_STACK)
            .spawn_scoped(scope, || lazy.find(number as usize) as usize)
            .map(std::thread::ScopedJoinHandle::join)
    });
    match found {
        Ok(Ok(address)) => address as *mut c_void,
        // The thread has said why.
        Ok(Err(_)) => std::process::exit(OUR_FAULT),
        Err(error) => ice!("no thread to compile in: {error}"),
    }
}

/// Touched as far as it is used.
const COMPILER_STACK: usize = 64 << 20;

impl Compiler {
    /// Compiles a unit, unless that is done, and gives the addresses of its entries.
    fn unit(&mut self, unit: usize, entries: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let code = (!self.loaded[unit]).then(|| self.unit_code(unit, entries));
        self.loaded[unit] = true;
        let Some(load) = &self.load else { ice!("the program runs before it is loaded") };
        let mut code = code;
        let address = |&(number, function): &(usize, usize)| {
            // SAFETY: the function is one of the program's module.
            let name = unsafe { body_name(self.graph.functions[function].value) };
            (number, load(code.take(), &name))
        };
        entries.iter().map(address).collect()
    }

    fn unit_code(&self, unit: usize, entries: &[(usize, usize)]) -> Buffer {
        let (graph, members) = (&self.graph, &self.partition.units[unit]);
        let functions = self.partition.with_copies(graph, members);
        let variables = graph.variables_of(&functions).into_iter().map(|it| &graph.variables[it]);
        let constants: Vec<_> =
            variables.filter(|it| it.is_plain_constant).map(|it| it.value).collect();
        // SAFETY: the values are those of the program's module. The part is new, and is used here alone.
        unsafe {
            let kept = functions.iter().map(|&it| graph.functions[it].value);
            let kept: Vec<_> = kept.chain(constants.iter().copied()).collect();
            let part = oxbowClonePart(self.program.module, kept.as_ptr(), kept.len());
            for constant in constants {
                oxbowDefineElsewhere(variable_in(part, constant));
            }
            for &(_, function) in entries {
                let function = graph.functions[function].value;
                let name = llvm::c_string(&body_name(function));
                oxbowDefineUnder(function_in(part, function), name.as_ptr());
            }
            self.compile(part)
        }
    }

    /// Optimises a part, makes code of it, and frees it.
    unsafe fn compile(&self, part: LLVMModuleRef) -> Buffer {
        // SAFETY: the caller owns the part, and does not use it again.
        unsafe {
            self.program.optimize(part, &self.settled);
            let code = self.program.machine_code(part, LLVMCodeGenFileType::LLVMObjectFile);
            LLVMDisposeModule(part);
            code
        }
    }
}

/// What units need of the eager part.
struct Shared {
    functions: Vec<usize>,
    variables: Vec<usize>,
}

impl Shared {
    fn of(graph: &Graph, partition: &Partition) -> Self {
        let mut functions = vec![false; graph.functions.len()];
        let mut variables = vec![false; graph.variables.len()];
        for unit in &partition.units {
            let unit = partition.with_copies(graph, unit);
            graph.variables_of(&unit).into_iter().for_each(|it| variables[it] = true);
            for function in unit {
                for &used in &graph.functions[function].functions {
                    let copied = Partition::is_copied(graph, used);
                    functions[used] |= partition.home[used] == Home::Eager && !copied;
                }
            }
        }
        let chosen = |all: Vec<bool>| (0..all.len()).filter(|&it| all[it]).collect();
        Self { functions: chosen(functions), variables: chosen(variables) }
    }
}

/// The functions of units that other parts, or data, know.
fn entries(graph: &Graph, partition: &Partition) -> Vec<Entry> {
    let mut known: Vec<bool> = graph.functions.iter().map(|it| it.is_in_data).collect();
    let eager: Vec<usize> =
        (0..known.len()).filter(|&it| partition.home[it] == Home::Eager).collect();
    let parts = partition.units.iter().enumerate().map(|(at, it)| (Home::Unit(at), it));
    for (home, part) in parts.chain([(Home::Eager, &eager)]) {
        for function in partition.with_copies(graph, part) {
            for &used in &graph.functions[function].functions {
                let copied = Partition::is_copied(graph, used);
                // The stub's address is the function's, also where its body is.
                known[used] |= (partition.home[used] != home && !copied)
                    || graph.functions[used].is_pointed_to;
            }
        }
    }
    let of = |function: usize| match partition.home[function] {
        Home::Unit(unit) if known[function] => Some(Entry { function, unit }),
        _ => None,
    };
    (0..known.len()).filter_map(of).collect()
}

/// The types of function values that cross from part to part.
fn settled_types(graph: &Graph, partition: &Partition) -> FxHashSet<LLVMTypeRef> {
    let is_eager =
        |at: usize| partition.home[at] == Home::Eager && !Partition::is_copied(graph, at);
    let mut settled = FxHashSet::default();
    for at in (0..graph.functions.len()).filter(|&it| !is_eager(it)) {
        let function = &graph.functions[at];
        settled.extend(function.calls.iter().copied());
        let known = function.functions.iter().map(|&it| &graph.functions[it]).chain([function]);
        settled.extend(known.filter(|it| it.is_pointed_to).map(|it| it.ty));
    }
    settled
}

/// The function of a part that stands for one of the program.
unsafe fn function_in(part: LLVMModuleRef, function: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: the caller's values are alive.
    unsafe { LLVMGetNamedFunction(part, llvm::c_string(&name_of(function)).as_ptr()) }
}

unsafe fn variable_in(part: LLVMModuleRef, variable: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: the caller's values are alive.
    unsafe { LLVMGetNamedGlobal(part, llvm::c_string(&name_of(variable)).as_ptr()) }
}

unsafe fn name_of(value: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: the caller's value is alive, and its name as long as LLVM says.
    unsafe {
        let text = LLVMGetValueName2(value, &mut length);
        let text = std::slice::from_raw_parts(text.cast::<u8>(), length);
        String::from_utf8_lossy(text).into_owned()
    }
}

/// What the code of a function with a stub is called.
unsafe fn body_name(function: LLVMValueRef) -> String {
    // SAFETY: the caller's value is alive.
    unsafe { name_of(function) + ".body" }
}
