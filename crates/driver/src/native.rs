//! Machine code: MLIR and LLVM text, running in this process, executables.
//!
//! Without the feature `native` the compiler needs no MLIR: it checks programs, and whatever
//! needs machine code is refused.

use std::ffi::OsString;
use std::path::Path;

use oxbow_psg::{Mono, Program};

use crate::session::note_step;
use crate::{Session, Stage, Stop};

/// The MLIR, LLVM or assembly text of a program.
pub fn text(session: &mut Session, program: &Program<Mono>, stage: Stage) -> Result<String, Stop> {
    back_end::text(session, program, stage)
}

/// Loads a program into this process.
pub fn load(session: &mut Session, program: Program<Mono>) -> Result<Loaded, Stop> {
    back_end::load(session, program).map(Loaded)
}

/// A program that is ready to run.
pub struct Loaded(back_end::Loaded);

impl Loaded {
    /// Runs it and returns its exit code, unless it ends this process. `args[0]` is its name.
    pub fn run(self, args: Vec<OsString>) -> Result<i32, Stop> {
        note_step("run");
        back_end::run(self.0, args)
    }
}

/// Makes an executable file.
pub fn build(session: &mut Session, program: &Program<Mono>, output: &Path) -> Result<(), Stop> {
    back_end::build(session, program, output)
}

/// The `ocaml` dialect as a plugin for the distribution's `mlir-opt`.
pub fn plugin() -> Option<&'static Path> {
    back_end::plugin()
}

#[cfg(feature = "native")]
mod back_end {
    use std::ffi::{CString, OsString, c_char, c_int};
    use std::os::unix::ffi::OsStringExt as _;
    use std::path::{Path, PathBuf};

    use oxbow_backend::{LinkError, LoweringOptions, Output};
    use oxbow_diag::ice;
    use oxbow_dialect::melior::Context;
    use oxbow_dialect::melior::ir::Module;
    use oxbow_dialect::melior::ir::operation::OperationLike as _;
    use oxbow_psg::{Mono, Program};

    use crate::load::io_reason;
    use crate::{Error, OptLevel, Session, Stage, Stop};

    /// Do debuggers and profilers see source lines? Code that runs in this process is gone
    /// before one could be attached, and its start should not wait for tables.
    #[derive(Clone, Copy, PartialEq)]
    enum LineTables {
        Made,
        Left,
    }

    pub fn plugin() -> Option<&'static Path> {
        Some(oxbow_dialect::plugin_path())
    }

    pub fn text(
        session: &mut Session,
        program: &Program<Mono>,
        stage: Stage,
    ) -> Result<String, Stop> {
        let context = oxbow_dialect::context();
        let module = lower(session, program, &context);
        let output = match stage {
            Stage::Ast | Stage::Psg | Stage::Ocaml => {
                return Ok(format!("{}", module.as_operation()));
            }
            Stage::Counted => {
                count(session, &module, &context);
                return Ok(format!("{}", module.as_operation()));
            }
            Stage::LlvmDialect => {
                return Ok(format!(
                    "{}",
                    convert(session, &module, &context, LineTables::Made).as_operation()
                ));
            }
            Stage::Llvm => Output::LlvmIr,
            Stage::Asm => Output::Assembly,
        };
        let bytes = machine_code(session, &module, &context, output);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub type Loaded = oxbow_backend::JitProgram;

    pub fn load(session: &mut Session, program: Program<Mono>) -> Result<Loaded, Stop> {
        let context = oxbow_dialect::context();
        let module = lower(session, &program, &context);
        drop(program);
        let module = convert(session, &module, &context, LineTables::Left);
        let symbols: Vec<(&str, usize)> =
            oxbow_runtime::symbols().map(|(name, address)| (name, address as usize)).collect();
        let level = level(session);
        Ok(session.step("jit", |_| oxbow_backend::jit(&module, level, &symbols)))
    }

    pub fn run(program: Loaded, args: Vec<OsString>) -> Result<i32, Stop> {
        let args: Result<Vec<CString>, _> =
            args.into_iter().map(|it| CString::new(it.into_vec())).collect();
        let args =
            args.map_err(|_| Error::Usage("an argument of the program holds a zero byte".into()))?;
        let mut pointers: Vec<*const c_char> = args.iter().map(|it| it.as_ptr()).collect();
        pointers.push(std::ptr::null());
        let entry = oxbow_runtime::Entry {
            main: program.main(),
            stack_overflow: Some(program.stack_overflow()),
        };
        oxbow_runtime::reset_sigpipe();
        // SAFETY: one program runs in this process, compiled against this runtime; its code and its
        // arguments live until it has ended.
        #[allow(unsafe_code, reason = "starts the compiled program")]
        let code = unsafe { oxbow_runtime::start(args.len() as c_int, pointers.as_ptr(), entry) };
        Ok(code)
    }

    pub fn build(
        session: &mut Session,
        program: &Program<Mono>,
        output: &Path,
    ) -> Result<(), Stop> {
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
        let object = {
            let context = oxbow_dialect::context();
            let module = lower(session, program, &context);
            machine_code(session, &module, &context, Output::Object)
        };
        let linked = session.step("link", |_| oxbow_backend::link(&object, &runtime, output));
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

    fn lower<'c>(
        session: &mut Session,
        program: &Program<Mono>,
        context: &'c Context,
    ) -> Module<'c> {
        let module = session.step("lower", |cx| oxbow_lower::run(program, &cx.sources, context));
        if session.options.verify && !session.step("verify", |_| module.as_operation().verify()) {
            ice!("the module is broken after `lower`");
        }
        module
    }

    /// Makes ownership explicit.
    fn count<'c>(session: &mut Session, module: &Module<'c>, context: &'c Context) {
        session.step("count", |_| oxbow_counting::run(module, context));
        if session.options.verify && !session.step("verify", |_| module.as_operation().verify()) {
            ice!("the module is broken after `count`");
        }
    }

    fn convert<'c>(
        session: &mut Session,
        module: &Module<'c>,
        context: &'c Context,
        lines: LineTables,
    ) -> Module<'c> {
        count(session, module, context);
        let options = LoweringOptions {
            verify: session.options.verify,
            debug_info: lines == LineTables::Made,
            ..LoweringOptions::default()
        };
        session.step("convert", |_| oxbow_backend::lower_to_llvm_dialect(module, context, options))
    }

    fn machine_code<'c>(
        session: &mut Session,
        module: &Module<'c>,
        context: &'c Context,
        output: Output,
    ) -> Vec<u8> {
        let module = convert(session, module, context, LineTables::Made);
        let level = level(session);
        session.step("llvm", |_| oxbow_backend::emit(&module, level, output))
    }

    fn level(session: &Session) -> oxbow_backend::OptLevel {
        match session.options.opt_level {
            OptLevel::O0 => oxbow_backend::OptLevel::O0,
            OptLevel::O2 => oxbow_backend::OptLevel::O2,
            OptLevel::O3 => oxbow_backend::OptLevel::O3,
        }
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
}

#[cfg(not(feature = "native"))]
mod back_end {
    use super::*;
    use crate::Error;

    pub fn plugin() -> Option<&'static Path> {
        None
    }

    pub fn text(_: &mut Session, _: &Program<Mono>, _: Stage) -> Result<String, Stop> {
        Err(missing())
    }

    pub type Loaded = std::convert::Infallible;

    pub fn load(_: &mut Session, _: Program<Mono>) -> Result<Loaded, Stop> {
        Err(missing())
    }

    pub fn run(program: Loaded, _: Vec<OsString>) -> Result<i32, Stop> {
        match program {}
    }

    pub fn build(_: &mut Session, _: &Program<Mono>, _: &Path) -> Result<(), Stop> {
        Err(missing())
    }

    fn missing() -> Stop {
        Error::Tool { what: "oxbow".into(), reason: "the back end is not built in".into() }.into()
    }
}
