//! `oxbow-fuzz`: makes random programs, runs each in several ways, and reports differences.
//!
//! ```text
//! oxbow-fuzz --count 200 --seed 1 --modes interp-poly,interp-mono,jit-O3,ocamlopt --oxbow PATH --batch 20
//! oxbow-fuzz --count 10000 --modes interp-mono,jit-O0+slots,jit-O0+env,jit-O0+flat,jit-O3+flat,ocamlopt
//! oxbow-fuzz --count 20000 --batch 20 --turn 1 --modes interp-mono,checked,checked-O3,jit-O3+env,native,ocamlopt
//! oxbow-fuzz --profile memory --modes interp-mono,jit-O0 --flags "--check-memory"
//! oxbow-fuzz --print SEED
//! ```
//!
//! The first mode is the one the others are compared with, except that `ocamlopt` takes that part
//! where it is among the modes. Programs run in batches of several in one file, and several batches at
//! a time; those of a batch that differ are run again alone, and made smaller. A strategy that may
//! refuse a program gets the parts of a batch that it accepts.

mod campaign;
mod options;

use std::process::ExitCode;

use clap::Parser as _;
use oxbow_fuzz::print;

fn main() -> ExitCode {
    let options = options::Options::parse();
    if let Some(seed) = options.print {
        print!("{}", print::standalone(&options.program(seed)));
        return ExitCode::SUCCESS;
    }
    match campaign::run(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
