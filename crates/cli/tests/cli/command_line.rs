//! The command line: exit codes, where things are printed, and what is left behind.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a scratch folder");
        Self(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        fs::write(self.0.join(name), text).expect("a writable folder");
        self
    }

    fn oxbow(&self, args: &[&str]) -> Output {
        self.oxbow_with(args, "")
    }

    fn oxbow_with(&self, args: &[&str], stdin: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .args(args)
            .current_dir(&self.0)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the compiler starts");
        let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
        child.wait_with_output().expect("the compiler ends")
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("the folder")
            .flatten()
            .map(|it| it.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn check_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", out(output), err(output));
}

const HELLO: &str = "let () = print_endline \"hello\"\n";

#[test]
fn a_good_program_is_checked_in_silence() {
    let folder = Folder::new("good");
    let output = folder.file("a.ml", HELLO).oxbow(&["check", "a.ml"]);
    check_code(&output, 0);
    assert_eq!((out(&output), err(&output)), (String::new(), String::new()));
}

#[test]
fn errors_of_the_program() {
    let folder = Folder::new("errors");
    let output = folder.file("a.ml", "let x = y\n").oxbow(&["check", "a.ml"]);
    check_code(&output, 1);
    assert!(
        err(&output).starts_with("error[E0101]: unbound value `y`\n --> a.ml:1:9\n"),
        "{}",
        err(&output)
    );
    // A file that is not UTF-8 is read byte by byte, and shown as Latin-1.
    let text = b"let s : int = \"\xe9\xff\" ^ x\n";
    let output = folder.file("b.ml", text).oxbow(&["check", "b.ml"]);
    check_code(&output, 1);
    assert!(err(&output).contains("1 | let s : int = \"\u{e9}\u{ff}\" ^ x\n"), "{}", err(&output));
    assert!(err(&output).contains(" --> b.ml:1:22\n"), "{}", err(&output));
    let output = folder.oxbow(&["check", "--color=always", "a.ml"]);
    assert!(err(&output).contains("\u{1b}["));
}

#[test]
fn a_cycle_of_modules_is_one_error() {
    let folder = Folder::new("cycle");
    folder.file("util.ml", "let x = Main.z\n");
    let output = folder.file("main.ml", "let z = Util.x\n").oxbow(&["check", "main.ml"]);
    check_code(&output, 1);
    let text = err(&output);
    let start =
        "error[E0212]: modules depend on each other: Main → Util → Main\n --> util.ml:1:9\n";
    assert!(text.starts_with(start) && text.matches("error").count() == 1, "{text}");
}

/// Not where a comment or a string has the name.
#[test]
fn modules_are_reported_where_the_tree_names_them() {
    let folder = Folder::new("mentions");
    folder.file("util.ml", "(* Main *)\nlet x = \"Main\" ^ Main.z\n");
    let output = folder.file("main.ml", "let z = Util.x\n").oxbow(&["check", "main.ml"]);
    assert!(err(&output).contains("\n --> util.ml:2:18\n"), "{}", err(&output));
    folder.file("list.ml", "let one = 1\n");
    let output = folder.file("a.ml", "(* List *)\nlet () = print_int List.one\n");
    let output = output.oxbow(&["check", "a.ml"]);
    check_code(&output, 0);
    assert!(
        err(&output).contains("W0904") && err(&output).contains(" a.ml:2:20\n"),
        "{}",
        err(&output)
    );
}

/// The library's modules go on with the library's `List`; `Stdlib.List` is that one, too.
#[test]
fn a_module_may_have_the_name_of_the_library() {
    let folder = Folder::new("shadow");
    folder.file("list.ml", "let length l = 40 + List.length l\n");
    let program = "\
let () = print_int (List.length [1; 2])
let s = Stack.create ()
let () = Stack.push 7 s; Stack.iter print_int s
module M = Map.Make (Int)
let () = print_int (M.cardinal (M.add 1 2 M.empty)); print_int (Stdlib.List.length [1])
";
    let output = folder.file("main.ml", program).oxbow(&["run", "main.ml"]);
    check_code(&output, 0);
    assert_eq!(out(&output), "42711");
    let program = "module L = Stdlib.List\nlet () = print_int (L.length [1])\n";
    let output = folder.file("other.ml", program).oxbow(&["run", "other.ml"]);
    assert_eq!(out(&output), "1");
}

#[test]
fn errors_as_json() {
    let folder = Folder::new("json");
    let output = folder.file("a.ml", "let x = y\nlet z = w").oxbow(&[
        "check",
        "--message-format=json",
        "a.ml",
    ]);
    check_code(&output, 1);
    let text = err(&output);
    let lines: Vec<&str> = text.lines().filter(|it| !it.is_empty()).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(
        lines[0].starts_with("{\"severity\":\"error\",\"code\":\"E0101\"")
            && lines[0].ends_with('}'),
        "{text}"
    );
    let output = folder.oxbow(&["check", "--message-format=json", "none.ml"]);
    check_code(&output, 2);
    assert!(err(&output).starts_with("{\"severity\":\"error\",\"code\":null"), "{}", err(&output));
}

#[test]
fn errors_of_the_world() {
    let folder = Folder::new("world");
    folder.file("a.ml", HELLO).file("a.txt", "");
    for args in [
        &["check", "none.ml"][..],
        &["check", "a.txt"],
        &["check", "."],
        &["check", "--no-such-flag", "a.ml"],
        &["run", "-O7", "a.ml"],
        &["emit", "--stage=nothing", "a.ml"],
        &["emit", "--dump-after=nothing", "a.ml"],
        &["emit", "-o", "no/such/folder/x", "a.ml"],
        &["explain", "E9999"],
        &["build", "-"],
        &[],
    ] {
        let output = folder.oxbow(args);
        check_code(&output, 2);
        assert!(!err(&output).is_empty(), "{args:?}");
    }
    let output = folder.oxbow(&["check", "none.ml"]);
    assert_eq!(err(&output), "error: cannot read `none.ml`: no such file or directory\n");
}

/// Who names a folder or a build file learns which file is meant.
#[test]
fn a_folder_is_no_program() {
    let folder = Folder::new("no_program");
    for name in ["bin", "empty", "clef"] {
        fs::create_dir_all(folder.0.join(name)).expect("a folder");
    }
    folder.file("bin/dune", "(executable\n (name start)\n (libraries util))\n");
    folder.file("bin/start.ml", HELLO).file("bin/util.ml", "");
    folder.file("clef/Hello.fidproj", "").file("clef/A.clef", "").file("start.mli", "");
    for (file, part) in [
        (".", "name the main file of the program: `bin/start.ml`"),
        ("bin", "name the main file of the program: `bin/start.ml`"),
        ("bin/dune", "here that is `bin/start.ml`, and the folders of its libraries by `-I DIR`"),
        ("empty", "`empty` is a folder; name the main file of the program, which ends in `.ml`"),
        ("clef", "name the main file of the program: `clef/Hello.fidproj`"),
        ("start.mli", "is an interface; name the file that implements it, as `start.ml`"),
    ] {
        for command in ["run", "check", "build"] {
            let output = folder.oxbow(&[command, file]);
            check_code(&output, 2);
            assert!(err(&output).contains(part), "{file}: {}", err(&output));
        }
    }
}

/// Places are those that an editor in the working folder opens, however the file was named.
#[test]
fn explained_places_are_relative() {
    let folder = Folder::new("relative");
    folder.file("a.ml", "let () = print_int (List.length [fun x -> x + 1])\n");
    let path = folder.0.join("a.ml").display().to_string();
    for form in [&["explain"][..], &["explain", "--json"]] {
        let output = folder.oxbow(&[form, &[path.as_str()]].concat());
        check_code(&output, 0);
        let text = out(&output);
        assert!(text.contains("a.ml") && !text.contains(&path), "{text}");
    }
}

/// The line that says what the compiler does is for terminals.
#[test]
fn no_progress_in_a_pipe() {
    let folder = Folder::new("progress");
    let functions: String = (0..3000)
        .map(|it| format!("let f{it} x = List.map (fun y -> x * {it} + y) [x; {it}]\n"))
        .collect();
    let output = folder.file("a.ml", functions + HELLO).oxbow(&["check", "a.ml"]);
    check_code(&output, 0);
    assert_eq!((out(&output), err(&output)), (String::new(), String::new()));
}

/// Files of Scheme that cannot be read, or hold no program.
#[test]
fn files_of_scheme() {
    let folder = Folder::new("scheme");
    let main = "(include \"part.esk\")\n(display x)\n";
    folder.file("empty.esk", "").file("bytes.esk", b"(display \"\xff\")").file("a.esk", main);
    fs::create_dir_all(folder.0.join("folder.scm")).expect("a folder");
    std::os::unix::fs::symlink("nowhere.esk", folder.0.join("link.esk")).expect("a link");
    for (file, code, report) in [
        ("empty.esk", 0, ""),
        ("bytes.esk", 1, "error: `bytes.esk` is not valid UTF-8 (line 1, byte 10)\n"),
        ("folder.scm", 2, "error: cannot read `folder.scm`: it is a directory\n"),
        ("link.esk", 2, "error: cannot read `link.esk`: no such file or directory\n"),
        ("none.scm", 2, "error: cannot read `none.scm`: no such file or directory\n"),
    ] {
        for command in ["check", "run"] {
            let output = folder.oxbow(&[command, file]);
            check_code(&output, code);
            assert_eq!((out(&output).as_str(), err(&output).as_str()), ("", report), "{file}");
        }
    }
    // What a program includes is a part of it: its faults are those of the program.
    let output = folder.oxbow(&["check", "a.esk"]);
    check_code(&output, 1);
    assert!(err(&output).contains("error[E0434]: cannot read `part.esk`"), "{}", err(&output));
    fs::create_dir_all(folder.0.join("part.esk")).expect("a folder");
    let output = folder.oxbow(&["check", "a.esk"]);
    check_code(&output, 1);
    assert!(err(&output).contains("it is a directory"), "{}", err(&output));
}

#[test]
fn our_own_errors() {
    let folder = Folder::new("crash");
    for kind in ["ice", "panic"] {
        let output = folder.oxbow(&["test-crash", kind]);
        check_code(&output, 101);
        let text = err(&output);
        for part in
            ["internal error: on purpose", "step", "version  oxbow ", "--verify", "--dump-after"]
        {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[test]
fn dumps_go_to_the_output() {
    let folder = Folder::new("dumps");
    let output = folder
        .file("a.ml", "let twice f x = f (f x)\nlet () = print_int (twice succ 1)\n")
        .oxbow(&["emit", "--dump-after=build", "--func=twice", "a.ml"]);
    check_code(&output, 0);
    assert!(out(&output).starts_with("fn @twice("), "{}", out(&output));
    let output = folder.oxbow(&["emit", "--dump-after=check_captures", "--func=twice", "a.ml"]);
    assert!(out(&output).starts_with("fn @twice("), "{}", out(&output));
    let output = folder.oxbow(&["emit", "--stage=ast", "-o", "tree.txt", "a.ml"]);
    check_code(&output, 0);
    assert_eq!(folder.names(), ["a.ml", "tree.txt"]);
    let output = folder.oxbow(&["check", "--time-passes", "a.ml"]);
    for step in ["monomorphize", "check_captures", "total"] {
        assert!(err(&output).contains(step), "{step}");
    }
}

#[test]
fn a_reader_may_go_away() {
    let folder = Folder::new("pipe");
    folder.file("a.ml", HELLO);
    let script = format!(
        "{} emit --dump-after=build a.ml | head -1; echo ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_oxbow")
    );
    let output =
        Command::new("bash").arg("-c").arg(script).current_dir(&folder.0).output().expect("bash");
    assert_eq!(err(&output), "");
    assert_eq!(out(&output).lines().last(), Some("0"));
}

#[test]
fn warnings_do_not_stop_a_program() {
    let folder = Folder::new("warnings");
    folder.file("a.ml", "let f = function Some x -> x\nlet () = print_int (f (Some 1))\n");
    let output = folder.oxbow(&["test-interp", "a.ml"]);
    check_code(&output, 0);
    assert_eq!(out(&output), "1");
    assert!(err(&output).starts_with("warning[W0008]"), "{}", err(&output));
}

/// Warnings that nobody gets by default are asked for by `-w`; the text of the program has the last word.
#[test]
fn warnings_are_switched_by_a_flag() {
    let folder = Folder::new("warning_flag");
    folder.file(
        "a.ml",
        "let f x y = x\nlet g x y = x [@@warning \"-27\"]\nlet h = function Some x -> x\n",
    );
    let text = err(&folder.oxbow(&["check", "a.ml"]));
    assert!(!text.contains("W0027") && text.contains("W0008"), "{text}");
    let text = err(&folder.oxbow(&["check", "-w", "+27-8", "a.ml"]));
    assert_eq!(text.matches("warning[W0027]").count(), 1, "{text}");
    assert!(!text.contains("W0008"), "{text}");
    let output = folder.oxbow(&["check", "-w", "+a", "-w", "@27", "a.ml"]);
    check_code(&output, 1);
    assert!(err(&output).starts_with("error[W0027]"), "{}", err(&output));
}

/// However many warnings come before it, an error is shown.
#[test]
fn warnings_do_not_hide_errors() {
    let folder = Folder::new("hidden_errors");
    let warned = "let () = let a = 1 in ()\n".repeat(150);
    folder.file("a.ml", format!("{warned}let () = print_int \"a\"\n"));
    let output = folder.oxbow(&["check", "a.ml"]);
    check_code(&output, 1);
    let text = err(&output);
    assert!(text.contains("warning[W0026]"), "{text}");
    assert!(text.contains("error[E0"), "{text}");
    assert!(text.contains("… and 51 more"), "{text}");
}

#[test]
fn the_standard_input_is_a_program() {
    let folder = Folder::new("stdin");
    let output = folder.oxbow_with(&["check", "-"], "let x = y");
    check_code(&output, 1);
    assert!(err(&output).contains("--> <stdin>:1:9"), "{}", err(&output));
}

#[test]
fn codes_are_explained() {
    let folder = Folder::new("explain");
    let output = folder.oxbow(&["explain", "e0101"]);
    check_code(&output, 0);
    assert!(out(&output).starts_with("E0101: unbound value\n"), "{}", out(&output));
}

/// The first program of each section of `docs/diagnostics.md` is reported with its code.
#[test]
fn the_examples_of_the_manual_are_reported() {
    let folder = Folder::new("manual");
    let manual =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagnostics.md"))
            .expect("the manual");
    let mut seen = 0;
    for section in manual.split("\n### ").skip(1) {
        let code = section.split(':').next().unwrap_or_default();
        let Some((_, rest)) = section.split_once("```") else { continue };
        let Some((kind, rest)) = rest.split_once('\n') else { continue };
        let arguments = match kind {
            "ocaml" => ["check", "a.ml"].as_slice(),
            "ocaml doc" => &["doc", "--text", "a.ml"],
            "ocaml slots" => &["check", "--closures=slots", "a.ml"],
            "eshkol" => &["check", "a.esk"],
            "clef" => &["check", "a.clef"],
            "toml" => &["check", "a.fidproj"],
            "mlir" if cfg!(feature = "native") => &["check", "a.mlir"],
            _ => continue,
        };
        let program = rest.split("\n```").next().unwrap_or_default();
        let output = folder.file(arguments[arguments.len() - 1], program).oxbow(arguments);
        assert!(
            err(&output).contains(&format!("[{code}]")),
            "{code}:\n{program}\n{}",
            err(&output)
        );
        seen += 1;
    }
    assert!(seen > 50, "only {seen} examples");
}

#[cfg(feature = "native")]
mod native {
    use super::*;

    #[test]
    fn a_program_runs_with_arguments_and_exit_code() {
        let folder = Folder::new("run");
        folder.file("a.ml", "let () = Array.iter print_endline Sys.argv; exit 7\n");
        for level in ["-O0", "-O2", "-O3"] {
            let output = folder.oxbow(&["run", level, "a.ml", "--", "x", "-O9"]);
            check_code(&output, 7);
            assert_eq!(out(&output), "a.ml\nx\n-O9\n");
        }
    }

    /// As with every runner of scripts: what stands behind the file is the program's.
    #[test]
    fn arguments_stand_behind_the_file() {
        let folder = Folder::new("arguments");
        folder.file("a.ml", "let () = Array.iter print_endline Sys.argv\n");
        for (args, seen) in [
            (&["run", "a.ml", "x", "y"][..], "x\ny\n"),
            (&["run", "a.ml", "-v", "--help", "-O0"], "-v\n--help\n-O0\n"),
            (&["run", "a.ml", "--", "x"], "x\n"),
            (&["run", "a.ml", "--", "--", "x"], "--\nx\n"),
            (&["run", "a.ml", "x", "--", "y"], "x\n--\ny\n"),
            (&["run", "-O1", "--", "a.ml", "x"], "x\n"),
            (&["a.ml", "x", "-O7"], "x\n-O7\n"),
            (&["-O1", "a.ml", "x"], "x\n"),
            (&["./a.ml"], ""),
        ] {
            let output = folder.oxbow(args);
            check_code(&output, 0);
            let text = out(&output);
            let (name, rest) = text.split_once('\n').expect("the name of the program");
            assert!(name.ends_with("a.ml") && rest == seen, "{args:?}: {text}");
        }
        let output = folder.oxbow_with(&["-", "x"], "let () = print_string Sys.argv.(1)");
        assert_eq!(out(&output), "x");
        // A command with a mistake in it is no file.
        check_code(&folder.oxbow(&["chek", "a.ml"]), 2);
    }

    #[test]
    fn modules_in_other_folders() {
        let folder = Folder::new("folders");
        for name in ["bin", "lib", "more"] {
            fs::create_dir_all(folder.0.join(name)).expect("a folder");
        }
        folder.file("bin/main.ml", "let () = print_int (Util.x + Other.y)\n");
        folder.file("bin/other.ml", "let y = Deep.z\n").file("lib/other.ml", "let y = 7\n");
        folder.file("lib/util.ml", "let x = 40\n").file("lib/util.mli", "val x : int\n");
        folder.file("more/deep.ml", "let z = 2\n").file("more/util.ml", "let x = 0\n");
        let folders = ["-I", "lib", "-I", "more"];
        let with = |command: &[&'static str], file: &'static str| {
            folder.oxbow(&[command, &folders, &[file]].concat())
        };
        let output = with(&["run"], "bin/main.ml");
        check_code(&output, 0);
        assert_eq!(out(&output), "42");
        for command in
            [&["check"][..], &["explain"], &["emit", "--stage=psg"], &["build", "-o", "x"]]
        {
            check_code(&with(command, "bin/main.ml"), 0);
        }
        check_code(&folder.oxbow(&["check", "-I", "lib", "bin/main.ml"]), 1);
        let output = folder.oxbow(&["check", "-I", "none", "bin/main.ml"]);
        check_code(&output, 2);
        assert_eq!(err(&output), "error: `-I none` does not name a folder\n");
        folder.file("bin/a.esk", "(include \"part.esk\")\n(display x)\n");
        folder.file("lib/part.esk", "(define x 42)\n");
        assert_eq!(out(&folder.oxbow(&["run", "-I", "lib", "bin/a.esk"])), "42");
        folder.file("a.clef", "printfn \"a\"\n");
        let output = folder.oxbow(&["run", "-I", "lib", "a.clef"]);
        check_code(&output, 2);
        assert!(err(&output).contains("listed in a project"), "{}", err(&output));
    }

    /// Modules have longer names than their files, and know each other by the short ones.
    #[test]
    fn libraries_as_dune_installs_them() {
        let folder = Folder::new("wrapped");
        for name in ["json", "shapes"] {
            fs::create_dir_all(folder.0.join(name)).expect("a folder");
        }
        // `json.ml` has the names of its parts, of which it re-exports one. `List` is not OCaml's in this folder.
        folder.file("json/json.ml", "include Common\nmodule Safe = Safe\nmodule List = List\n");
        folder.file("json/common.ml", "exception Bad of int\nlet one = 1\n");
        folder.file("json/common.mli", "exception Bad of int\nval one : int\n");
        folder.file("json/safe.ml", "let two = Common.one + List.length\n");
        folder.file("json/list.ml", "let length = 1\n");
        // This one has names for a head, and a module whose source is not there.
        folder.file("shapes/shapes.ml", "module Square = Shapes__Square\n");
        folder.file("shapes/square.ml", "let area x = x * x * Common.factor\n");
        folder.file("shapes/common.ml", "let factor = List.length [ () ]\n");
        for name in ["json/json", "shapes/shapes"] {
            folder.file(&format!("{name}.cmi"), "").file(&format!("{name}__.cmi"), "");
        }
        for name in ["json__Common", "json__Safe", "json__List"] {
            folder.file(&format!("json/{name}.cmi"), "");
        }
        for name in ["Square", "Common", "Gone"] {
            folder.file(&format!("shapes/shapes__{name}.cmi"), "");
        }
        folder.file(
            "main.ml",
            "let () =\n  Printf.printf \"%d %d %d %d %s\\n\" Json.one Json.Safe.two\n    \
             (Shapes.Square.area 3) (List.length [ 1; 2; 3 ])\n    \
             (Printexc.to_string (Json.Bad 3))\n",
        );
        let output = folder.oxbow(&["run", "-I", "json", "-I", "shapes", "main.ml"]);
        check_code(&output, 0);
        assert_eq!(out(&output), "1 2 9 3 Json__Common.Bad(3)\n");
        // The short names are for the library alone.
        folder.file("other.ml", "let () = print_int Common.one\n");
        let output = folder.oxbow(&["check", "-I", "json", "-I", "shapes", "other.ml"]);
        check_code(&output, 1);
        assert!(err(&output).contains("unbound module `Common`"), "{}", err(&output));
    }

    #[test]
    fn an_executable_appears_whole_or_not_at_all() {
        let folder = Folder::new("build");
        folder.file("a.ml", HELLO).file("bad.ml", "let x = y");
        check_code(&folder.oxbow(&["build", "bad.ml", "-o", "bad"]), 1);
        let broken = Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .args(["build", "a.ml", "-o", "broken"])
            .env("CC", "no-such-compiler")
            .current_dir(&folder.0)
            .output()
            .expect("the compiler starts");
        check_code(&broken, 2);
        assert!(err(&broken).contains("no-such-compiler"), "{}", err(&broken));
        assert_eq!(folder.names(), ["a.ml", "bad.ml"]);
        check_code(&folder.oxbow(&["build", "a.ml"]), 0);
        assert_eq!(folder.names(), ["a", "a.ml", "bad.ml"]);
        let output = Command::new(folder.0.join("a")).output().expect("the program starts");
        assert_eq!(out(&output), "hello\n");
    }

    #[test]
    fn a_runtime_that_is_missing() {
        let folder = Folder::new("runtime");
        folder.file("a.ml", HELLO);
        let output = Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .args(["build", "a.ml"])
            .env("OXBOW_RUNTIME", "none.a")
            .current_dir(&folder.0)
            .output()
            .expect("the compiler starts");
        check_code(&output, 2);
        assert!(err(&output).contains("none.a"), "{}", err(&output));
        assert_eq!(folder.names(), ["a.ml"]);
    }

    #[test]
    fn every_stage_prints() {
        let folder = Folder::new("stages");
        folder.file("a.ml", HELLO);
        for stage in ["ast", "psg", "ocaml", "counted", "planned", "llvm-dialect", "llvm", "asm"] {
            let output = folder.oxbow(&["emit", &format!("--stage={stage}"), "a.ml"]);
            check_code(&output, 0);
            assert!(!output.stdout.is_empty(), "{stage}");
        }
        for (step, part) in [("lower", "ocaml.func"), ("plan_families", "ocaml.family")] {
            let output = folder.oxbow(&["emit", &format!("--dump-after={step}"), "a.ml"]);
            check_code(&output, 0);
            assert!(out(&output).contains(part), "{step}");
        }
    }

    /// What is printed in the `ocaml` dialect is valid for upstream's tool, which may optimise it.
    #[test]
    fn upstream_reads_and_optimises_programs() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = Folder::new("upstream");
        let plugin = out(&folder.oxbow(&["test-plugin"]));
        let tool = Path::new(env!("MLIR_SYS_220_PREFIX")).join("bin/mlir-opt");
        for program in [
            "examples/ocaml/bank.ml",
            "examples/ocaml/closures.ml",
            "examples/ocaml/game_of_life.ml",
            "examples/ocaml/interpreter.ml",
            "examples/ocaml/streams.ml",
            "tests/programs/ocaml/avl_tree.ml",
            "tests/programs/ocaml/closure_cps.ml",
            "tests/programs/ocaml/closure_memo.ml",
            "tests/programs/ocaml/closure_mutual.ml",
            "tests/programs/ocaml/church_numerals.ml",
            "tests/programs/ocaml/bytes_buffer.ml",
        ] {
            let path = root.join(program);
            let path = path.to_str().expect("a path of text");
            let emitted = folder.oxbow(&["emit", "--stage=ocaml", "-o", "a.mlir", path]);
            check_code(&emitted, 0);
            let optimised = Command::new(&tool)
                .arg(format!("--load-dialect-plugin={}", plugin.trim_end()))
                .args(["--cse", "--canonicalize", "a.mlir"])
                .current_dir(&folder.0)
                .output()
                .expect("mlir-opt starts");
            check_code(&optimised, 0);
            let text = out(&optimised);
            assert!(text.contains("ocaml.func @oxbow_program_main"), "{program}\n{text}");
        }
    }
}

/// The instructions of a function in LLVM's text, without operands.
fn instructions(text: &str, function: &str) -> Vec<String> {
    let start = text
        .lines()
        .position(|it| it.starts_with("define ") && it.contains(function))
        .unwrap_or_else(|| panic!("no {function} in\n{text}"));
    let lines = text.lines().skip(start + 1).take_while(|it| *it != "}");
    let opcode = |line: &str| {
        let words = line.split_whitespace().skip_while(|it| it.starts_with('%') || *it == "=");
        words.take(1).collect::<String>()
    };
    lines.filter(|it| it.starts_with("  ")).map(opcode).collect()
}

/// A closure elsewhere in the program adds no instruction to code without closures.
///
/// covers: K14
#[test]
fn a_closure_elsewhere_costs_nothing() {
    let plain = "(define (sum n total) (if (= n 0) total (sum (- n 1) (+ total (* n n)))))\n\
                 (display (sum 100 0))\n(display (sum 200 1))\n";
    let closure = "(define (make-adder k) (lambda (x) (+ x k)))\n\
                   (display (map (make-adder 3) (list 1 2 3)))\n";
    let folder = Folder::new("unrelated_closure");
    folder.file("plain.esk", plain).file("both.esk", format!("{plain}{closure}"));
    for strategy in ["--closures=flat", "--closures=env"] {
        let [plain, both] = ["plain.esk", "both.esk"].map(|file| {
            let output = folder.oxbow(&["emit", "--stage=llvm", "-O2", strategy, file]);
            assert!(output.status.success());
            instructions(&String::from_utf8_lossy(&output.stdout), "@ml.vsum_")
        });
        assert!(plain.len() > 10, "{plain:?}");
        assert_eq!(plain, both);
    }
}

/// Instances of a functor that are held alike are one for the machine.
#[test]
fn instances_of_a_functor_share_code() {
    let program = |count: usize| {
        let one = |at: usize| {
            format!(
                "module M{at} = Map.Make (Int)\n\
                 let m{at} = M{at}.add 1 \"x\" (M{at}.add 2 \"y\" M{at}.empty)\n\
                 let () = if M{at}.mem 1 m{at} then print_string (M{at}.find 2 m{at})\n"
            )
        };
        (0..count).map(one).collect::<String>()
    };
    let folder = Folder::new("shared_instances");
    folder.file("one.ml", program(1)).file("ten.ml", program(10));
    let [one, ten] = ["one.ml", "ten.ml"].map(|file| {
        let output = folder.oxbow(&["emit", "--stage=llvm", "-O0", file]);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).matches("\ndefine ").count()
    });
    // Each application may keep an entry of its own, and no more.
    assert!(one > 10 && ten <= one + 2 * 10, "{one} functions, {ten} for ten instances");
}

/// Straight-line code and loops: no tape, and no closure for the reverse sweep.
///
/// covers: K12
#[test]
fn the_gradients_of_the_models_are_code() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/ad");
    let folder = Folder::new("gradients");
    for model in ["mlp", "layers", "gmm", "lstm", "reprojection", "ode"] {
        let file = models.join(model).with_extension("ml");
        let output = folder.oxbow(&["explain", &file.to_string_lossy()]);
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find(|it| it.contains("closures as backpropagators"));
        let line = line.unwrap_or_else(|| panic!("{model}: no gradients are explained"));
        assert!(line.ends_with("0 by a tape, 0 closures as backpropagators"), "{model}: {line}");
    }
}

/// The C library has two versions of the function, and its own switch between them.
#[test]
fn tanh_of_many_numbers_is_that_of_one() {
    let folder = Folder::new("tanh");
    folder.file(
        "all.ml",
        "let numbers = Array.init 100000 (fun i -> sin (float i) *. float (i land 31))\n\
         let many = Array.map tanh numbers\n\
         let one = Array.map (Sys.opaque_identity tanh) numbers\n\
         let () = print_string (if many = one then \"same\" else \"different\")",
    );
    let built = folder.oxbow(&["build", "-O3", "all.ml", "-o", "all"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for switch in ["", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"] {
        let mut program = Command::new(folder.0.join("all"));
        let output = program.env("GLIBC_TUNABLES", switch).output().expect("the program starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "same", "{switch}");
    }
}

#[test]
fn vector_instructions_of_this_machine_give_the_same_results() {
    let folder = Folder::new("cpu");
    folder.file(
        "sum.ml",
        "let a = Array.init 1000 (fun i -> sin (float i))\n\
         let b = Array.map (fun x -> Ad.fast_tanh ((x *. 1.3) +. 0.1)) a\n\
         let () = Array.iter (fun x -> Printf.printf \"%h\\n\" x) b",
    );
    let any = folder.oxbow(&["run", "-O3", "sum.ml"]);
    let native = folder.oxbow(&["run", "-O3", "--cpu=native", "sum.ml"]);
    assert!(any.status.success() && native.status.success());
    assert_eq!(any.stdout, native.stdout);
}
