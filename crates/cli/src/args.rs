//! What can be typed after `oxbow`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use oxbow_driver::native::Opt;
use oxbow_driver::{Closures, Language, OptLevel, Options, Phase, SlotKind, Stage};

/// A native whole-program compiler for OCaml, Clef and Eshkol.
#[derive(Parser)]
#[command(name = "oxbow", version = env!("OXBOW_VERSION"), propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Exit codes: 0 success, 1 the program has errors, 2 something outside it is wrong (a flag, a
file, the linker), 101 an internal error. `oxbow run` passes on the program's own exit code.")]
#[command(
    override_usage = "oxbow [OPTIONS] <COMMAND>\n       oxbow [OPTIONS OF RUN] <FILE> [ARGS]..."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the command line; one that names a file where a command is expected means `run`.
    pub fn read() -> Self {
        let mut line: Vec<OsString> = std::env::args_os().collect();
        if line.get(1).is_some_and(|it| means_run(it)) {
            line.insert(1, "run".into());
        }
        Self::parse_from(line)
    }
}

/// Whether the first word is none of our commands but a file, or an option before one: other words
/// are commands with a mistake in them.
fn means_run(first: &OsStr) -> bool {
    if Cli::command().find_subcommand(first).is_some() || first == "help" {
        return false;
    }
    match first.to_string_lossy() {
        it if it.starts_with("-h") || it.starts_with("-V") => false,
        it if it == "--help" || it == "--version" => false,
        it if it.starts_with('-') => true,
        _ => Path::new(first).extension().is_some() || Path::new(first).exists(),
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Compile a program and run it; `oxbow FILE` does the same
    #[command(override_usage = "oxbow [run] [OPTIONS] <FILE> [ARGS]...")]
    Run {
        #[command(flatten)]
        flags: Flags,
        /// Find faults in the use of memory while the program runs, and what it leaks
        #[arg(long)]
        check_memory: bool,
        /// Print what the program allocated, by class of storage and by place
        #[arg(long)]
        mem_stats: bool,
        /// Draw what is in use by place over time, as SVG
        #[arg(long, value_name = "OUT")]
        mem_profile: Option<PathBuf>,
        /// End the program when it needs more memory than this, as 64M
        #[arg(long, value_name = "SIZE")]
        max_memory: Option<String>,
        /// Plant a fault in the use of memory, to test that it is found
        #[arg(long, hide = true)]
        plant: Option<String>,
        #[command(flatten)]
        program: ProgramArgs,
    },
    /// Compile a program to an executable file
    Build {
        #[command(flatten)]
        compile: Compile,
        /// Let the program find faults in its use of memory, and what it leaks
        #[arg(long)]
        check_memory: bool,
        /// Count no references and free nothing, to measure what that costs
        #[arg(long, hide = true)]
        uncounted: bool,
        /// Let debuggers know the program's variables, with -O0
        #[arg(short = 'g', long)]
        debug: bool,
        /// The executable [default: FILE without `.ml`]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Check a program for errors without running it
    Check {
        #[command(flatten)]
        compile: Compile,
        /// Warnings to give besides the usual ones
        #[arg(long, value_name = "WHAT")]
        warn: Vec<Warn>,
        /// Change the files as the reports propose, where a proposal is exact
        #[arg(long)]
        fix: bool,
    },
    /// Print a program as it is at one stage of compilation
    Emit {
        #[command(flatten)]
        compile: Compile,
        /// The form to print
        #[arg(long, value_name = "STAGE", default_value = "psg")]
        stage: StageArg,
        /// Print the graph or module after this pass or check; `simplify:1` is its first run
        #[arg(long, value_name = "PASS")]
        dump_after: Option<String>,
        /// With -O0: as `build` compiles it for debuggers
        #[arg(short = 'g', long)]
        debug: bool,
        /// Print only the functions of this name (stages from psg to llvm-dialect)
        #[arg(long, value_name = "NAME")]
        func: Option<String>,
        /// Write to a file instead of the standard output
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Explain how a program's functions and objects are represented, or the code of a diagnostic
    ///
    /// With a file: for every function its captures, representation, layout and storage, with the
    /// reasons, then every other allocation. With a code in place of the file, as E0102 or W0008:
    /// what it means.
    Explain {
        #[command(flatten)]
        compile: Compile,
        /// Print JSON for tools
        #[arg(long, conflicts_with = "html")]
        json: bool,
        /// Write a page that shows the source with its closures
        #[arg(long, value_name = "OUT")]
        html: Option<PathBuf>,
    },
    /// Write pages about the modules of a program, with types and documentation comments
    ///
    /// FILE is a program, with the modules that it mentions, or a folder, with all modules in it.
    Doc {
        #[command(flatten)]
        compile: Compile,
        /// The folder of the pages
        #[arg(short, long, value_name = "DIR", default_value = "doc")]
        output: PathBuf,
        /// Print the documentation and write no pages
        #[arg(long)]
        text: bool,
        /// With --text: where links lead
        #[arg(long, hide = true, requires = "text")]
        links: bool,
    },
    /// Run passes over a file in the `ocaml` dialect and print the result
    Opt {
        #[command(flatten)]
        compile: Compile,
        #[command(flatten)]
        passes: OptPasses,
        /// Write to a file instead of the standard output
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Read phrases, run each and tell what it defines
    ///
    /// At a terminal lines can be edited, and there are completion, history and directives (`#help`). Otherwise the
    /// phrases of the standard input are run.
    #[cfg(feature = "native")]
    Repl {
        /// The language of the phrases
        #[arg(long, value_name = "LANGUAGE", default_value = "ocaml")]
        lang: LibraryArg,
    },
    /// Serve an editor: the language server protocol over the standard input and output
    Lsp {
        /// A folder to look for modules in, after that of each file
        #[arg(short = 'I', value_name = "DIR")]
        include: Vec<PathBuf>,
        /// Some editors say how they talk; there is no other way
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Answer a question of an editor, which is read from the standard input
    #[command(hide = true)]
    Index,
    /// Elaborate the library of a language and keep it beside the compiler, as the first command about a program does
    #[command(hide = true)]
    Prepare { language: LibraryArg },
    /// Print the manual page, or what a shell needs to complete commands
    #[command(hide = true)]
    Generate { what: crate::generate::Generated },
    /// Run a program in the reference interpreter
    #[command(hide = true)]
    TestInterp {
        #[command(flatten)]
        flags: Flags,
        /// The graph to interpret
        #[arg(long, default_value = "mono")]
        phase: PhaseArg,
        #[command(flatten)]
        program: ProgramArgs,
    },
    /// Print where the dialect's plugin for `mlir-opt` is
    #[command(hide = true)]
    TestPlugin,
    /// Run the commands on the standard input, each in a fork of this process
    #[command(hide = true)]
    TestBatch {
        #[command(flatten)]
        limits: BatchLimits,
        /// The main file of the commands
        file: PathBuf,
    },
    /// Fail in a given way, to test the crash report
    #[command(hide = true)]
    TestCrash { kind: String },
}

/// Whose library.
#[derive(Clone, Copy, ValueEnum)]
pub enum LibraryArg {
    Ocaml,
    Clef,
    Eshkol,
}

impl From<LibraryArg> for Language {
    fn from(it: LibraryArg) -> Self {
        match it {
            LibraryArg::Ocaml => Self::Ocaml,
            LibraryArg::Clef => Self::Clef,
            LibraryArg::Eshkol => Self::Eshkol,
        }
    }
}

/// What each command of a batch may use, and where its output goes.
#[derive(Args)]
pub struct BatchLimits {
    /// The folder for what the commands print
    #[arg(long)]
    pub into: PathBuf,
    /// How long a command may take
    #[arg(long, default_value_t = 120)]
    pub seconds: u64,
    /// How much resident memory it may have, in bytes
    #[arg(long, default_value_t = 8 << 30)]
    pub memory: u64,
}

/// The passes of `opt`, which run in the order of this list.
#[derive(Args)]
pub struct OptPasses {
    /// Make captures of module-level variables that serve as capture slots
    #[arg(long)]
    pub migrate_slots: bool,
    /// Keep what a module-level reference holds in the variable itself
    #[arg(long)]
    pub unbox_globals: bool,
    /// Join environments that are made and closed over in one place
    #[arg(long)]
    pub fold_envs: bool,
    /// Remove captures that no code reads
    #[arg(long)]
    pub unused_captures: bool,
    /// Represent closures as `--closures` says
    #[arg(long)]
    pub represent: bool,
    /// Remove private variables that nothing loads
    #[arg(long)]
    pub dead_slots: bool,
    /// Write down what holds for the whole program
    #[arg(long)]
    pub plan: bool,
}

impl OptPasses {
    pub fn list(&self) -> Vec<Opt> {
        let all = [
            (self.migrate_slots, Opt::MigrateSlots),
            (self.unbox_globals, Opt::UnboxGlobals),
            (self.fold_envs, Opt::FoldEnvs),
            (self.unused_captures, Opt::UnusedCaptures),
            (self.represent, Opt::Closures),
            (self.dead_slots, Opt::DeadSlots),
            (self.plan, Opt::Plan),
        ];
        all.into_iter().filter(|it| it.0).map(|it| it.1).collect()
    }
}

/// A program that is run: its file, and all that stands behind it.
#[derive(Args)]
pub struct ProgramArgs {
    /// The main file, or `-` for the standard input; all behind it is handed to the program
    #[arg(value_name = "FILE", required = true, trailing_var_arg = true)]
    line: Vec<OsString>,
}

impl ProgramArgs {
    pub fn file(&self) -> &Path {
        self.line.first().map_or(Path::new(""), Path::new)
    }

    /// The file, and the program's arguments without a `--` that stands before them.
    pub fn split(self) -> (PathBuf, Vec<OsString>) {
        let mut line = self.line.into_iter();
        let file = PathBuf::from(line.next().unwrap_or_default());
        let mut args: Vec<OsString> = line.collect();
        if args.first().is_some_and(|it| it == "--") {
            args.remove(0);
        }
        (file, args)
    }
}

/// What everything takes that compiles, where the options may stand behind the file.
#[derive(Args)]
pub struct Compile {
    /// The main file, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub flags: Flags,
}

/// Options of everything that compiles.
#[derive(Args, Clone)]
pub struct Flags {
    /// How much to optimise
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = ["0", "1", "2", "3"])]
    pub opt_level: String,
    /// A folder to look for modules in, after that of FILE
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Which warnings are given, as OCaml's compilers read it: `+27`, `-8`, `@11`, `+a-9`
    #[arg(short = 'w', value_name = "SPEC", allow_hyphen_values = true)]
    pub warnings: Vec<String>,
    /// Which processors the code runs on
    #[arg(long, value_name = "PROCESSOR", default_value = "any")]
    pub cpu: Cpu,
    /// How closures are represented
    #[arg(long, value_name = "STRATEGY", default_value = "auto")]
    pub closures: ClosuresArg,
    /// Give every thread its own capture slots (with `--closures=slots`)
    #[arg(long)]
    pub thread_local: bool,
    /// Let the program keep backtraces of its exceptions when `OCAMLRUNPARAM=b` asks for them (OCaml)
    #[arg(long)]
    pub backtraces: bool,
    /// Check every intermediate form of the program
    #[arg(long)]
    pub verify: bool,
    /// Show how long each step took
    #[arg(long)]
    pub time_passes: bool,
    /// The form of diagnostics
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// When to colour diagnostics
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

impl Flags {
    /// Whether a program is another one to the compiler from the beginning than it is without any option.
    pub fn change_the_start(&self) -> bool {
        !self.include.is_empty() || !self.warnings.is_empty() || self.backtraces
    }

    pub fn options(&self, file: &Path) -> Options {
        let mut options = Options::new(file);
        options.folders.clone_from(&self.include);
        options.warnings.clone_from(&self.warnings);
        options.verify |= self.verify;
        options.opt_level = match self.opt_level.as_str() {
            "0" => OptLevel::O0,
            "1" => OptLevel::O1,
            "3" => OptLevel::O3,
            _ => OptLevel::O2,
        };
        options.backtraces = self.backtraces;
        options.native_processor = self.cpu == Cpu::Native;
        options.closures = match self.closures {
            ClosuresArg::Slots => Closures::Slots,
            ClosuresArg::Env => Closures::Env,
            ClosuresArg::Flat => Closures::Flat,
            ClosuresArg::Auto => Closures::Auto,
        };
        options.slots = if self.thread_local { SlotKind::ThreadLocal } else { SlotKind::Shared };
        options
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Cpu {
    /// All of this machine's kind
    Any,
    /// This one, with all its vector instructions
    Native,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClosuresArg {
    /// Captures in module-level variables
    Slots,
    /// A code pointer and an environment
    Env,
    /// One object: the code pointer, then the captures
    Flat,
    /// Data where all functions that can be meant are known, else as `flat`
    Auto,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the source, for people
    Human,
    /// One JSON object per line
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Warn {
    /// Assignments that can make a cycle of references, which a scan frees, not counting
    Cycles,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum StageArg {
    /// The surface tree of the main file
    Ast,
    /// The semantic graph
    Psg,
    /// MLIR, `ocaml` dialect, before closures get their representation
    Lowered,
    /// MLIR, `ocaml` dialect
    Ocaml,
    /// MLIR, `ocaml` dialect with references counted
    Counted,
    /// MLIR, `ocaml` dialect with what holds for the whole program
    Planned,
    /// MLIR, `llvm` dialect
    LlvmDialect,
    /// LLVM's text, optimised
    Llvm,
    /// Assembly
    Asm,
}

impl From<StageArg> for Stage {
    fn from(stage: StageArg) -> Self {
        match stage {
            StageArg::Ast => Self::Ast,
            StageArg::Psg => Self::Psg,
            StageArg::Lowered => Self::Lowered,
            StageArg::Ocaml => Self::Ocaml,
            StageArg::Counted => Self::Counted,
            StageArg::Planned => Self::Planned,
            StageArg::LlvmDialect => Self::LlvmDialect,
            StageArg::Llvm => Self::Llvm,
            StageArg::Asm => Self::Asm,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum PhaseArg {
    Poly,
    Mono,
}

impl From<PhaseArg> for Phase {
    fn from(phase: PhaseArg) -> Self {
        match phase {
            PhaseArg::Poly => Self::Poly,
            PhaseArg::Mono => Self::Mono,
        }
    }
}
