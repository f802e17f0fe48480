//! `OCAMLRUNPARAM=b`: the environment asks for the backtrace of an exception that ends the program.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{check_code, err, oxbow, with_program};

const PROGRAM: &str = "\
exception Odd of int
let half n = if n mod 2 = 1 then raise (Odd n) else n / 2
let rec all = function [] -> 0 | n :: rest -> half n + all rest
let () = print_int (all [ 2; 3; 4 ])
";

const REPORT: &str = "\
Fatal error: exception A.Odd(3)
Raised at A.half in file \"a.ml\", line 2, characters 33-46
Called from A.all in file \"a.ml\", line 3, characters 46-52
Called from A.all in file \"a.ml\", line 3, characters 55-63
Called from A in file \"a.ml\", line 4, characters 19-36
";

fn with_parameters(mut command: Command, folder: &Path, parameters: &str) -> Output {
    command.current_dir(folder).env("OCAMLRUNPARAM", parameters);
    command.output().expect("it starts")
}

/// What the compiler's `run` prints.
fn run(folder: &Path, parameters: &str, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxbow"));
    command.arg("run").args(flags).arg("a.ml");
    with_parameters(command, folder, parameters)
}

#[test]
fn run_shows_them() {
    let folder = with_program("backtraces", "run", "a.ml", PROGRAM);
    for level in ["-O0", "-O2"] {
        let output = run(&folder, "v=0,b", &[level]);
        check_code(&output, 2);
        assert_eq!(err(&output), REPORT, "{level}");
        assert_eq!(err(&run(&folder, "b=0", &[level])), "Fatal error: exception A.Odd(3)\n");
    }
}

#[test]
fn executables_show_them_if_they_are_built_for_it() {
    let folder = with_program("backtraces", "build", "a.ml", PROGRAM);
    for (flags, report) in
        [(&["--backtraces"][..], REPORT), (&[], "Fatal error: exception A.Odd(3)\n")]
    {
        let mut args = vec!["build", "a.ml", "-o", "a"];
        args.extend(flags);
        check_code(&oxbow(&folder, &args), 0);
        let output = with_parameters(Command::new(folder.join("a")), &folder, "b");
        check_code(&output, 2);
        assert_eq!(err(&output), report, "{flags:?}");
    }
}
