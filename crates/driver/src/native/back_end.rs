//! The commands that need MLIR and LLVM.

use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use oxbow_backend::{LinkError, Output, foreign};
use oxbow_diag::{Diagnostic, Diagnostics, ice};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_psg::{Mono, NodeKind, Prim, Program, STANDARD_LIBRARIES};

use super::dialect::{
    LineTables, Origin, closures, convert, count, lower, module_text, plan, ready,
};
use super::{Opt, RunOptions};
use crate::explain::Listing;
use crate::load::io_reason;
use crate::{Closures, Code, Error, OptLevel, Session, Stage, Stop, mlir};

pub use super::dialect::steps;

pub fn plugin() -> Option<&'static Path> {
    Some(oxbow_dialect::plugin_path())
}

pub fn text(session: &mut Session, code: Code, stage: Stage) -> Result<String, Stop> {
    let context = oxbow_dialect::context();
    let origin = Origin::of(&code);
    let module = lower(session, code, &context)?;
    if stage == Stage::Lowered {
        return module_text(session, &module);
    }
    closures(session, &module, &context, origin)?;
    let output = match stage {
        Stage::Ast | Stage::Psg | Stage::Lowered | Stage::Ocaml => {
            return module_text(session, &module);
        }
        Stage::Counted => {
            count(session, &module, &context)?;
            return module_text(session, &module);
        }
        Stage::Planned => {
            plan(session, &module, &context)?;
            return module_text(session, &module);
        }
        Stage::LlvmDialect => {
            let module = convert(session, &module, &context, LineTables::Made)?;
            return module_text(session, &module);
        }
        Stage::Llvm => Output::LlvmIr,
        Stage::Asm => Output::Assembly,
    };
    let bytes = machine_code(session, &module, &context, output)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How closures can be represented, in the order they are shown.
const STRATEGIES: &[(&str, Closures)] =
    &[("flat", Closures::Flat), ("env", Closures::Env), ("slots", Closures::Slots)];

pub fn regions(
    session: &mut Session,
    program: &Program<Mono>,
) -> Result<Vec<oxbow_explain::InRegion>, Stop> {
    let context = oxbow_dialect::context();
    let module = session.step("lower", |cx| oxbow_lower::run(program, &cx.sources, &context));
    closures(session, &module, &context, Origin::Program)?;
    let placed = session.step("regions", |_| oxbow_counting::place(&module, &context));
    let told = |it: oxbow_counting::Placed| oxbow_explain::InRegion {
        site: it.site,
        scope: it.scope,
        also_counted: it.also_counted,
    };
    Ok(placed.into_iter().map(told).collect())
}

pub fn listing(session: &mut Session, program: &Program<Mono>) -> Result<Listing, Stop> {
    let context = oxbow_dialect::context();
    let fresh = |session: &mut Session| {
        session.step("lower", |cx| oxbow_lower::run(program, &cx.sources, &context))
    };
    let symbols = oxbow_lower::symbols(program);
    let mut listing = Listing::new(symbols, program, &session.sources);
    listing.add("ocaml", mlir::function_texts(&fresh(session)));
    let chosen = session.options.closures;
    for &(name, strategy) in STRATEGIES {
        let mut faults = Diagnostics::new();
        if strategy == Closures::Slots {
            oxbow_passes::check_slots::run(program, &mut faults);
        }
        // A program that one set of slots does not suffice for has no code with slots.
        if faults.has_errors() {
            continue;
        }
        let module = fresh(session);
        session.options.closures = strategy;
        let represented = closures(session, &module, &context, Origin::Program);
        session.options.closures = chosen;
        represented?;
        let converted = convert(session, &module, &context, LineTables::Left)?;
        let own = |(symbol, text): (String, String)| {
            let symbol = symbol.strip_prefix(oxbow_backend::INTERNAL).unwrap_or(&symbol);
            (symbol.to_string(), text)
        };
        listing.add(name, mlir::function_texts(&converted).into_iter().map(own));
    }
    Ok(listing)
}

pub type Loaded = oxbow_backend::JitProgram;

pub fn opt(session: &mut Session, passes: &[Opt]) -> Result<String, Stop> {
    let context = oxbow_dialect::context();
    let Code::Mlir(file) = session.code()? else {
        let message = "`opt` takes a file of MLIR, whose name ends in `.mlir`";
        return Err(Error::Usage(message.into()).into());
    };
    let module = mlir::read(session, file, &context)?;
    for pass in passes {
        match pass {
            Opt::UnboxGlobals => oxbow_opt::unbox_globals::run(&module, &context),
            Opt::FoldEnvs => oxbow_opt::fold_envs::run(&module, &context),
            Opt::UnusedCaptures => oxbow_opt::unused_captures::run(&module, &context),
            Opt::Closures => closures(session, &module, &context, Origin::Outside)?,
            Opt::DeadSlots => oxbow_opt::dead_slots::run(&module, &context),
            Opt::MigrateSlots => oxbow_opt::migrate_slots::run(&module, &context),
            Opt::Plan => oxbow_opt::plan(&module, &context),
        }
        if let Err(faults) = oxbow_dialect::verify(&module) {
            ice!("the module is broken after {pass:?}:\n{faults}");
        }
    }
    Ok(format!("{}", module.as_operation()))
}

pub fn load(session: &mut Session, code: Code) -> Result<Loaded, Stop> {
    let context = oxbow_dialect::context();
    let module = ready(session, code, &context)?;
    let foreign = found_all(&module, &context)?;
    // Code that runs in this process runs in one thread, and its loader has no thread-local
    // variables to offer.
    oxbow_opt::share_slots::run(&module, &context);
    let module = convert(session, &module, &context, LineTables::Left)?;
    let mut symbols: Vec<(&str, usize)> =
        oxbow_runtime::symbols().map(|(name, address)| (name, address as usize)).collect();
    // The runtime's own come first: some are functions of C.
    for (name, found) in &foreign {
        if symbols.iter().all(|it| it.0 != name) {
            symbols.push((name, found.address));
        }
    }
    let target = target(session);
    Ok(session.step("jit", |_| oxbow_backend::jit(&module, target, &symbols)))
}

/// What OCaml's library calls the runtime where it calls it by the names of functions.
const RUNTIME: &str = "oxbow-runtime";

/// Looks for a function of C, or of the runtime, which executables are linked with anyway.
fn find_foreign(wanted: &foreign::Foreign) -> Result<foreign::Found, foreign::Missing> {
    if wanted.library != RUNTIME {
        return foreign::find(wanted);
    }
    let mut functions = oxbow_runtime::integers::functions();
    let found = functions.find(|it| it.0 == wanted.name).ok_or(foreign::Missing::Function)?;
    Ok(foreign::Found { address: found.1 as usize, file: None })
}

/// The functions of C that a module calls. A program has been checked for them.
fn found_all<'c>(
    module: &Module<'c>,
    context: &'c Context,
) -> Result<Vec<(String, foreign::Found)>, Stop> {
    let find = |it: foreign::Foreign| match find_foreign(&it) {
        Ok(found) => Ok((it.name, found)),
        Err(_) => {
            let reason = format!("`{}` has no function `{}`", it.library, it.name);
            Err(Error::Tool { what: "calling C".into(), reason }.into())
        }
    };
    foreign::of_module(module, context).into_iter().map(find).collect()
}

/// The same with their addresses.
pub fn found_foreign<'c>(
    module: &Module<'c>,
    context: &'c Context,
) -> Result<Vec<(String, usize)>, Stop> {
    let found = found_all(module, context)?;
    Ok(found.into_iter().map(|(name, it)| (name, it.address)).collect())
}

/// Reports the functions of C that a program calls and that do not exist.
pub fn check_foreign(program: &Program<Mono>, diagnostics: &mut Diagnostics) {
    for node in program.nodes.values() {
        let NodeKind::Prim { prim: Prim::Foreign { name, library, .. }, .. } = &node.kind else {
            continue;
        };
        let wanted = foreign::Foreign { library: library.to_string(), name: name.to_string() };
        let report = match find_foreign(&wanted) {
            Ok(_) => continue,
            Err(foreign::Missing::Library) => Diagnostic::error(
                "E0154",
                format!("the library `{library}` cannot be loaded"),
            )
            .at(node.span, format!("`{name}` is declared to be in it"))
            .help("name it in `DllImport` as the system does: `libm`, `libz.so.1`, or by its path"),
            Err(foreign::Missing::Function) if library.as_str() == STANDARD_LIBRARIES => {
                Diagnostic::error("E0153", format!("C's libraries have no function `{name}`"))
                    .at(node.span, "called here")
                    .help("the second string of `external` is a function of C's `libc` or `libm`")
            }
            Err(foreign::Missing::Function) => Diagnostic::error(
                "E0153",
                format!("the library `{library}` has no function `{name}`"),
            )
            .at(node.span, "declared here")
            .help("the name must be C's own; give another one by `EntryPoint = \"…\"`"),
        };
        diagnostics.error(report);
    }
}

pub fn parse_size(text: &str) -> Option<usize> {
    oxbow_runtime::parse_size(text.as_bytes())
}

/// Does the environment ask for backtraces of what this process runs?
pub fn backtraces_are_wanted() -> bool {
    oxbow_runtime::backtraces_are_wanted()
}

pub fn run(program: Loaded, args: Vec<OsString>, how: RunOptions) -> Result<i32, Stop> {
    if let Some(bytes) = how.max_memory {
        oxbow_runtime::set_max_memory(bytes);
    }
    crate::memory::prepare(how);
    let args: Result<Vec<CString>, _> =
        args.into_iter().map(|it| CString::new(it.into_vec())).collect();
    let args =
        args.map_err(|_| Error::Usage("an argument of the program holds a zero byte".into()))?;
    let mut pointers: Vec<*const c_char> = args.iter().map(|it| it.as_ptr()).collect();
    pointers.push(std::ptr::null());
    let entry = oxbow_runtime::Entry {
        main: program.main(),
        stack_overflow: Some(program.stack_overflow()),
        flush: Some(program.flush()),
        fiber: program.fiber().map(|it| it as unsafe extern "C" fn()),
        domain: program.domain().map(|it| it as unsafe extern "C" fn()),
    };
    oxbow_runtime::reset_sigpipe();
    // SAFETY: one program runs in this process, compiled against this runtime; its code and its
    // arguments live until it has ended.
    #[expect(unsafe_code, reason = "starts the compiled program")]
    let code = unsafe { oxbow_runtime::start(args.len() as c_int, pointers.as_ptr(), entry) };
    Ok(code)
}

pub fn build(session: &mut Session, code: Code, output: &Path) -> Result<(), Stop> {
    let runtime = runtime_library()?;
    if output.is_dir() {
        let path = output.display().to_string();
        return Err(
            Error::File { path, attempt: "write", reason: "it is a directory".into() }.into()
        );
    }
    let folder = output.parent().filter(|it| !it.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        let path = output.display().to_string();
        let reason = format!("there is no folder `{}`", folder.display());
        return Err(Error::File { path, attempt: "write", reason }.into());
    }
    let (object, mut libraries) = {
        let context = oxbow_dialect::context();
        let module = ready(session, code, &context)?;
        let foreign = found_all(&module, &context)?;
        let libraries: Vec<_> = foreign.into_iter().filter_map(|it| it.1.file).collect();
        (machine_code(session, &module, &context, Output::Object)?, libraries)
    };
    libraries.sort();
    libraries.dedup();
    let linked =
        session.step("link", |_| oxbow_backend::link(&object, &runtime, &libraries, output));
    linked.map_err(|error| match error {
        LinkError::Write { path, error } => {
            // The user knows the output, not the file that was to become it.
            let path = if path.parent() == output.parent() { output.into() } else { path };
            Error::File {
                path: path.display().to_string(),
                attempt: "write",
                reason: io_reason(&error),
            }
            .into()
        }
        LinkError::NoRuntime { .. } | LinkError::NoLinker { .. } | LinkError::Linker { .. } => {
            Error::Tool { what: "linking".into(), reason: error.to_string() }.into()
        }
    })
}

fn machine_code<'c>(
    session: &mut Session,
    module: &Module<'c>,
    context: &'c Context,
    output: Output,
) -> Result<Vec<u8>, Stop> {
    let module = convert(session, module, context, LineTables::Made)?;
    let target = target(session);
    Ok(session.step("llvm", |_| oxbow_backend::emit(&module, target, output)))
}

fn target(session: &Session) -> oxbow_backend::Target {
    use oxbow_backend::Processor;
    let level = match session.options.opt_level {
        OptLevel::O0 => oxbow_backend::OptLevel::O0,
        OptLevel::O1 => oxbow_backend::OptLevel::O1,
        OptLevel::O2 => oxbow_backend::OptLevel::O2,
        OptLevel::O3 => oxbow_backend::OptLevel::O3,
    };
    let native = session.options.native_processor;
    let processor = if native { Processor::Native } else { Processor::Any };
    oxbow_backend::Target { level, processor }
}

/// The runtime as a static library: named by the environment, in the build tree, beside the
/// compiler, or where it is installed.
fn runtime_library() -> Result<PathBuf, Error> {
    const NAME: &str = "liboxbow_runtime_static.a";
    if let Some(path) = std::env::var_os("OXBOW_RUNTIME") {
        return Ok(path.into());
    }
    let missing = |reason: &str| Error::Tool {
        what: format!("the runtime `{NAME}`"),
        reason: format!("{reason}; `./x build` makes it, and OXBOW_RUNTIME can name it"),
    };
    let compiler = std::env::current_exe().map_err(|error| missing(&io_reason(&error)))?;
    let folder = compiler.parent().unwrap_or(Path::new("."));
    // In the build tree the folder of the compiler may hold a library of the same name without
    // a `main`, made by another profile; so that folder is not the first.
    [folder.join("../runtime"), folder.join("../lib/oxbow"), folder.to_path_buf()]
        .into_iter()
        .map(|it| it.join(NAME))
        .find(|it| it.is_file())
        .ok_or_else(|| missing("not found"))
}
