//! What can be typed after `oxbow`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use oxbow_driver::{OptLevel, Options, Phase, Stage};

/// A native whole-program compiler for OCaml.
#[derive(Parser)]
#[command(name = "oxbow", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Exit codes: 0 success, 1 the program has errors, 2 something outside it is wrong (a flag, a
file, the linker), 101 an internal error. `oxbow run` passes on the program's own exit code.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Compile a program and run it
    Run {
        #[command(flatten)]
        compile: Compile,
        /// Arguments of the program
        #[arg(last = true, value_name = "ARGS")]
        args: Vec<OsString>,
    },
    /// Compile a program to an executable file
    Build {
        #[command(flatten)]
        compile: Compile,
        /// The executable [default: FILE without `.ml`]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Check a program for errors without running it
    Check {
        #[command(flatten)]
        compile: Compile,
    },
    /// Print a program as it is at one stage of compilation
    Emit {
        #[command(flatten)]
        compile: Compile,
        /// The form to print
        #[arg(long, value_name = "STAGE", default_value = "psg")]
        stage: StageArg,
        /// Print the graph after this pass instead of after the last; `simplify:1` is its first run
        #[arg(long, value_name = "PASS")]
        dump_after: Option<String>,
        /// Print only the functions of this name (stage psg)
        #[arg(long, value_name = "NAME")]
        func: Option<String>,
        /// Write to a file instead of the standard output
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Explain the code of a diagnostic, as E0102 or W0008
    Explain { code: String },
    /// Run a program in the reference interpreter
    #[command(hide = true)]
    TestInterp {
        #[command(flatten)]
        compile: Compile,
        /// The graph to interpret
        #[arg(long, default_value = "mono")]
        phase: PhaseArg,
        #[arg(last = true)]
        args: Vec<OsString>,
    },
    /// Print where the dialect's plugin for `mlir-opt` is
    #[command(hide = true)]
    TestPlugin,
    /// Fail in a given way, to test the crash report
    #[command(hide = true)]
    TestCrash { kind: String },
}

/// Options of everything that compiles.
#[derive(Args)]
pub struct Compile {
    /// The main file, or `-` for the standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How much to optimise
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = ["0", "2", "3"])]
    pub opt_level: String,
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

impl Compile {
    pub fn options(&self) -> Options {
        let mut options = Options::new(&self.file);
        options.verify |= self.verify;
        options.opt_level = match self.opt_level.as_str() {
            "0" => OptLevel::O0,
            "3" => OptLevel::O3,
            _ => OptLevel::O2,
        };
        options
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the source, for people
    Human,
    /// One JSON object per line
    Json,
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
    /// MLIR, `ocaml` dialect
    Ocaml,
    /// MLIR, `ocaml` dialect with references counted
    Counted,
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
            StageArg::Ocaml => Self::Ocaml,
            StageArg::Counted => Self::Counted,
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
