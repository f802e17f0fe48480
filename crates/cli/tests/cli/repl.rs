//! `oxbow repl`: transcripts, whose expectations OCaml's own prompt made where that can be, and a session at a
//! terminal.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/repl")
}

/// Runs the phrases of a text.
fn transcript(language: &str, text: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .args(["repl", "--lang", language])
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the compiler starts");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends")
}

fn said(language: &str, text: &str) -> String {
    let output = transcript(language, text);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Each file of phrases says what the file beside it has.
#[test]
fn transcripts_are_as_expected() {
    let mut seen = 0;
    for (language, ending) in [("ocaml", "ml"), ("clef", "clef"), ("eshkol", "scm")] {
        let files = fs::read_dir(folder().join(language)).expect("transcripts");
        for file in files.map(|it| it.expect("a file").path()) {
            if file.extension().is_none_or(|it| it != ending) {
                continue;
            }
            let found = said(language, &fs::read_to_string(&file).expect("phrases"));
            let expected = file.with_extension("expected");
            if std::env::var_os("OXBOW_BLESS").is_some() {
                fs::write(&expected, &found).expect("the expectation is written");
            }
            let wanted = fs::read_to_string(&expected).unwrap_or_default();
            assert_eq!(found, wanted, "{}", file.display());
            seen += 1;
        }
    }
    assert!(seen >= 5, "only {seen} transcripts");
}

/// Programs of `tests/programs/ocaml` as one phrase: what OCaml's own prompt (5.4) says of them.
#[test]
fn programs_are_told_as_by_ocaml() {
    let files = fs::read_dir(folder().join("programs")).expect("transcripts");
    let mut seen = 0;
    for expected in files.map(|it| it.expect("a file").path()) {
        let name = expected.file_stem().and_then(|it| it.to_str()).expect("a name");
        let program = folder().join(format!("../programs/ocaml/{name}.ml"));
        let text = fs::read_to_string(&program).expect("a program") + "\n;;\n";
        let wanted = fs::read_to_string(&expected).expect("a transcript");
        let output = transcript("ocaml", &text);
        assert_eq!(String::from_utf8_lossy(&output.stdout), wanted, "{name}: {output:?}");
        seen += 1;
    }
    assert!(seen >= 40, "only {seen} programs");
}

/// A program at the prompt reads what follows the line of its phrase.
#[test]
fn phrases_read_the_input_behind_them() {
    let text = "let x = read_line ();; let y = 1;;\na line\nx;;\ny;;\nread_int () + 1;;\n41\n";
    let expected = "val x : string = \"a line\"\nval y : int = 1\n- : string = \"a line\"\n- : int = 1\n\
        - : int = 42\n";
    assert_eq!(said("ocaml", text), expected);
    assert_eq!(said("ocaml", "read_line ();;\n"), "Exception: End_of_file.\n");
}

/// OCaml's prompt refuses a phrase that the input ends in, F#'s runs it.
#[test]
fn a_phrase_that_does_not_end() {
    let said_of = said("ocaml", "1;;\nlet x =\n 2\n");
    assert!(said_of.starts_with("- : int = 1\nerror[E0001]: the input ends"), "{said_of}");
    assert!(said_of.contains("2 |  2\n"), "{said_of}");
    assert_eq!(said("clef", "let x = 2\n"), "val x: int = 2\n");
}

/// Types that a later phrase decides (decision 330).
#[test]
fn what_is_decided_later_is_one_value() {
    let text = "type 'a q = { mutable n : int; mutable l : 'a list };;\n\
        let q = { n = 0; l = [] };;\nlet same = q;;\nq.n <- 5;;\nq.l <- [\"a\"];;\nsame;;\nq == same;;\n";
    let told = said("ocaml", text);
    assert!(told.contains("val q : '_weak1 q = {n = 0; l = []}\n"), "{told}");
    let end = "- : string q = {n = 5; l = [\"a\"]}\n- : bool = true\n";
    assert!(told.ends_with(end), "{told}");
    // Code that was compiled before would use the wrong type.
    let text = "let r = ref [];;\nlet held = ref (fun () -> 0);;\n\
        held := (fun () -> List.length !r);;\nr := [1.5];;\n!held ();;\n";
    let told = said("ocaml", text);
    assert!(told.contains("error[E0970]") && told.ends_with("- : int = 0\n"), "{told}");
}

/// A prompt whose output nobody takes ends as other programs do.
#[test]
fn output_that_cannot_be_written_ends_the_prompt() {
    use std::os::unix::process::ExitStatusExt as _;
    let run = |output: Stdio| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .arg("repl")
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the compiler starts");
        let mut input = child.stdin.take().expect("its input");
        drop(child.stdout.take());
        // It may have ended before all is read.
        let _ = input.write_all(b"1;;\n2;;\n");
        drop(input);
        child.wait_with_output().expect("it ends")
    };
    assert_eq!(run(Stdio::piped()).status.signal(), Some(13));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = run(full.into());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.starts_with("error: the output cannot be written"), "{told}");
}

/// What goes wrong in a phrase loses nothing of what was there before.
#[test]
fn a_phrase_that_fails_loses_nothing() {
    let text = "let x = 5;;\n\
        let rec deep n = 1 + deep (n + 1);;\n\
        deep 0;;\n\
        x;;\n\
        let y = x + \"a\";;\n\
        let x = 6 in x + ;;\n\
        x;;\n\
        y;;\n\
        let r = ref 1;;\n\
        r := 2; failwith \"late\";;\n\
        !r;;\n";
    let said = said("ocaml", text);
    let lines: Vec<&str> = said.lines().filter(|it| it.starts_with(['-', 'v', 'E', 'S'])).collect();
    let expected = [
        "val x : int = 5",
        "val deep : int -> int = <fun>",
        "Stack overflow during evaluation (looping recursion?).",
        "- : int = 5",
        "- : int = 5",
        "val r : int ref = {contents = 1}",
        "Exception: Failure \"late\".",
        "- : int = 2",
    ];
    assert_eq!(lines, expected, "{said}");
    assert!(said.contains("error[E0113]") && said.contains("error[E0101]"), "{said}");
}

#[test]
fn a_phrase_that_uses_up_memory_is_given_up() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .arg("repl")
        .env("OXBOW_MAX_MEMORY", "64M")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the compiler starts");
    let mut input = child.stdin.take().expect("its input");
    let text = "let x = 5;;\nlet rec grow l = grow (\"a\" :: l);;\ngrow [];;\nx + 1;;\n";
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.ends_with("- : int = 6\n"), "{said}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("out of memory"), "{output:?}");
}

#[test]
fn exit_ends_the_prompt_with_its_code() {
    let output =
        transcript("ocaml", "at_exit (fun () -> print_endline \"bye\");;\nexit 7;;\n1;;\n");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "- : unit = ()\nbye\n");
}

#[test]
fn what_is_left_for_the_end_is_done_there() {
    let output = transcript("ocaml", "at_exit (fun () -> print_endline \"bye\");;\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "- : unit = ()\nbye\n");
}

#[test]
fn directives_are_understood() {
    let folder = std::env::temp_dir().join(format!("oxbow-repl-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("used.ml");
    fs::write(&file, "let a = 1\nlet b = a + 1\ntype t = T\n").expect("a file");
    let text = format!(
        "#use \"{0}\";;\nb;;\n#load \"{0}\";;\nUsed.b;;\n#show b;;\n#show List.hd\n#show nobody;;\n\
         let f g = fun x -> g x;;\n#nonsense;;\n#help\n#quit;;\nb;;\n",
        file.display()
    );
    let said = said("ocaml", &text);
    let expected = "val a : int = 1\nval b : int = 2\ntype t = T\n- : int = 2\n\
        module Used : sig val a : int val b : int type t = T end\n- : int = 2\nval b : int\n\
        val hd : 'a list -> 'a\nUnknown element.\n\
        val f : ('a -> 'b) -> 'a -> 'b = <fun>\nUnknown directive `nonsense`.\n#help";
    assert!(said.starts_with(expected), "{said}");
    assert!(said.ends_with("leave the prompt\n"), "{said}");
    let _ = fs::remove_dir_all(&folder);
}

/// A terminal of its own, with the prompt in it.
struct Terminal {
    child: std::process::Child,
    master: fs::File,
    seen: String,
}

#[allow(unsafe_code, reason = "a pseudo-terminal of the system")]
impl Terminal {
    fn new(arguments: &[&str]) -> Self {
        use std::os::fd::{FromRawFd as _, OwnedFd};
        use std::os::unix::process::CommandExt as _;
        let (mut master, mut slave) = (0, 0);
        let null = std::ptr::null_mut();
        // SAFETY: the descriptors are variables of this frame; no name, modes or size are given.
        let made =
            unsafe { libc::openpty(&mut master, &mut slave, null, null.cast(), null.cast()) };
        assert_eq!(made, 0, "a terminal");
        // SAFETY: the descriptors are new, and nobody else's.
        let (master, slave) =
            unsafe { (fs::File::from_raw_fd(master), OwnedFd::from_raw_fd(slave)) };
        let end = || Stdio::from(slave.try_clone().expect("the terminal"));
        let state = std::env::temp_dir().join(format!("oxbow-state-{}", std::process::id()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_oxbow"));
        command.arg("repl").args(arguments).env("TERM", "xterm").env("XDG_STATE_HOME", state);
        command.stdin(end()).stdout(end()).stderr(end());
        // SAFETY: both calls are allowed between fork and exec, and need no memory.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let child = command.spawn().expect("the compiler starts");
        Self { child, master, seen: String::new() }
    }

    fn send(&mut self, text: &str) {
        self.seen.clear();
        self.master.write_all(text.as_bytes()).expect("the terminal");
    }

    /// Reads until the text has come, and the prompt behind it.
    fn answer(&mut self, text: &str) {
        self.wait(text, |seen| {
            seen.find(text).is_some_and(|at| {
                let behind = &seen[at + text.len()..];
                behind.contains("# ") || behind.contains("> ")
            })
        });
    }

    /// Reads until the text has come.
    fn expect(&mut self, text: &str) {
        self.wait(text, |seen| seen.contains(text));
    }

    /// What is slow is waited for.
    fn wait(&mut self, text: &str, has_come: impl Fn(&str) -> bool) {
        use std::os::fd::AsRawFd as _;
        let start = Instant::now();
        while !has_come(&self.seen) {
            assert!(start.elapsed() < Duration::from_secs(120), "no `{text}` in:\n{}", self.seen);
            let mut poll =
                libc::pollfd { fd: self.master.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: there is one entry, a variable of this frame.
            if unsafe { libc::poll(&mut poll, 1, 1000) } <= 0 {
                continue;
            }
            let mut bytes = [0; 4096];
            match self.master.read(&mut bytes) {
                Ok(count) if count > 0 => {
                    self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
                }
                _ => panic!("the prompt has ended:\n{}", self.seen),
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A phrase of several lines, an interrupt of one that loops, one while typing, completion, the end.
#[test]
fn a_session_at_a_terminal() {
    let mut terminal = Terminal::new(&[]);
    terminal.expect("# ");
    terminal.send("let x =\r");
    terminal.send("  41 + 1;;\r");
    terminal.answer("val x : int = 42");
    terminal.send("print_int (1000 + 42); flush stdout; while true do () done;;\r");
    terminal.expect("1042");
    terminal.send("\x03");
    terminal.answer("Interrupted.");
    terminal.send("nonsense\x03");
    terminal.expect("# ");
    terminal.send("x + 1;;\r");
    terminal.answer("- : int = 43");
    terminal.send("String.uppercase_a\t \"abc\";;\r");
    terminal.answer("- : string = \"ABC\"");
    terminal.send("\x04");
    let start = Instant::now();
    while terminal.child.try_wait().expect("the prompt").is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What the line editor writes behind what it has read.
const READ: &str = "\x1b[?2004l\r\n";

/// An interrupt ends what Eshkol's prompt computes, and not the prompt. Names are completed; what is evaluated reads
/// the terminal.
#[test]
fn a_session_of_forms() {
    let mut terminal = Terminal::new(&["--lang=eshkol"]);
    terminal.expect("> ");
    terminal.send("(define (twice f)\r  (lambda (it) (f (f it))))\r");
    terminal.answer(READ);
    terminal.send("(define x 42) x\r");
    terminal.answer("\r\n42\r\n");
    terminal.send(
        "(begin (display (+ 1000 x)) (flush-output-port) (let loop ((i 0)) (loop (+ i 1))))\r",
    );
    terminal.expect("1042");
    terminal.send("\x03");
    terminal.answer("error: interrupted");
    terminal.send("(+ x 1)\r");
    terminal.answer("43");
    // One while the prompt waits, and one behind half a form.
    terminal.send("\x03");
    terminal.answer(READ);
    terminal.send("(begin (display (* x 1000))\r");
    terminal.expect("\r\n");
    terminal.send("\x03");
    terminal.answer(READ);
    terminal.send("(+ x 2)\r");
    terminal.answer("\r\n44\r\n");
    terminal.send("(string-append \"<\" (read-line) \">\")\r");
    terminal.expect(READ);
    terminal.send("a line\r");
    terminal.answer("\"<a line>\"");
    terminal.send("(string-upc\t (symbol->str\t 'abc))\r");
    terminal.answer("\"ABC\"");
    terminal.send("((twi\t sqrt) 16)\r");
    terminal.answer("\r\n2\r\n");
    terminal.send("(display \"no end of line\")\r");
    terminal.answer("\r\nno end of line\r\n");
    terminal.send(",quit\r");
    let start = Instant::now();
    while terminal.child.try_wait().expect("the prompt").is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}
