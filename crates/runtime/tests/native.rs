//! Links the static library with a program in C and runs it, as a compiled program is.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

fn run_tool(command: &mut Command) {
    let output = command.output().expect("the tool can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{errors}");
}

/// The folder of the static library, which is built once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
        // A target directory of its own: this runs inside `cargo test`.
        run_tool(
            Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--profile", "runtime"])
                .args(["-p", "oxbow-runtime-static", "--target-dir"])
                .arg(&dir)
                .current_dir(env!("CARGO_MANIFEST_DIR")),
        );
        dir
    })
}

/// Links the program as `oxbow build` does, with these flags besides.
fn link(name: &str, flags: &[&str]) -> PathBuf {
    let program = library().join(name);
    run_tool(
        Command::new("cc")
            .args(["-O1", "-Wall", "-Werror"])
            .args(flags)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/program.c"))
            .arg("-lm")
            .arg(library().join("runtime/liboxbow_runtime_static.a"))
            .args(["-Wl,--gc-sections", "-lm", "-lpthread", "-ldl", "-o"])
            .arg(&program),
    );
    program
}

/// Builds the program once. Its symbols are for the test that walks over the stack.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| link("program", &["-rdynamic"]))
}

fn run(args: &[&str]) -> Output {
    Command::new(program()).args(args).output().expect("the program starts")
}

/// Runs it from a shell, where `$0` is the program.
fn run_in_shell(script: &str) -> Output {
    Command::new("sh").arg("-c").arg(script).arg(program()).output().expect("the shell starts")
}

fn check(output: &Output, code: i32, stdout: &str, stderr: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(output.status.code(), Some(code), "{}", output.status);
}

#[test]
fn hello() {
    check(&run(&["hello"]), 0, "hello, world\n", "");
    check(&run(&["numbers"]), 0, "-00042 0.667\n", "");
    check(&run(&["arguments", "a b", "", "c"]), 0, "a b\n\nc\n", "");
    check(&run(&["exit"]), 7, "", "");
}

/// What a user gets: a symbol that is exported keeps its function, so that `program` has all of them.
#[test]
fn the_program_is_small() {
    let program = link("small", &[]);
    let stripped = program.with_extension("stripped");
    run_tool(Command::new("strip").arg("-o").arg(&stripped).arg(&program));
    let size = std::fs::metadata(&stripped).expect("strip wrote it").len();
    assert!(size < 50_000, "{size}");
}

#[test]
fn inline_allocation() {
    check(&run_in_shell("ulimit -v 100000; exec $0 list"), 0, "4999995000000", "");
}

#[test]
fn recursion_may_be_deep() {
    check(&run(&["deep"]), 0, "2000000", "");
}

#[test]
fn stack_overflow_lets_the_program_flush() {
    let message = "Fatal error: exception Stack_overflow\n";
    check(&run(&["overflow"]), 2, "buffered\n", message);
    check(&run(&["overflow-again"]), 2, "", message);
    check(&run_in_shell("ulimit -v 60000; exec $0 overflow"), 2, "buffered\n", message);
}

#[test]
fn other_faults_keep_their_signal() {
    for mode in ["fault", "raise"] {
        let output = run_in_shell(&format!("ulimit -c 0; exec $0 {mode}"));
        assert_eq!(output.status.signal(), Some(11), "{}", output.status);
    }
}

#[test]
fn memory_can_be_exhausted() {
    let message = "Fatal error: out of memory at native.c:1:1\n";
    for limit in [16_000, 100_000, 1_000_000] {
        let script = format!("ulimit -v {limit}; exec $0 exhaust");
        check(&run_in_shell(&script), 2, "buffered\n", message);
    }
    check(&run_in_shell("ulimit -v 16000; exec $0 exhaust-again"), 2, "", message);
    check(&run(&["huge"]), 2, "", "Fatal error: out of memory\n");
}

#[test]
fn write_errors_reach_the_program() {
    check(&run_in_shell("exec $0 print >&-"), 9, "", ""); // EBADF
    check(&run_in_shell("exec $0 print > /dev/full"), 28, "", ""); // ENOSPC
    let script = "trap '' PIPE; { sleep 0.2; $0 print; echo $? >&2; } | true";
    check(&run_in_shell(script), 0, "", "32\n"); // EPIPE
}

#[test]
fn a_closed_pipe_ends_the_program() {
    let mut child = Command::new("sh")
        .args(["-c", "sleep 0.2; exec $0 print"])
        .arg(program())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the shell starts");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(13), "{status}");
}

#[test]
fn the_stack_can_be_walked() {
    let output = run(&["backtrace"]);
    let frames = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(frames.contains("oxbow_program_main") && frames.contains("(main"), "{frames}");
    assert!(frames.contains("libc.so"), "{frames}");
}
