//! The library that is kept beside the executable: what it serves, and what it does not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An executable of the compiler in a folder of its own, with programs beside it.
struct Installed(PathBuf);

const PROGRAMS: [(&str, &str); 3] = [
    (
        "main.ml",
        "module M = Map.Make (String)\n\
         let f m = M.fold (fun k v acc -> (k, v + 1) :: acc) m []\n\
         let () = List.iter (fun (k, v) -> Printf.printf \"%s %d\\n\" k v) (f (M.singleton \"a\" 1))\n",
    ),
    (
        "main.clef",
        "let f xs = xs |> List.map (fun x -> x * 2) |> List.sum\n\
         printfn \"%d %A\" (f [1; 2; 3]) (Some 1.5)\n",
    ),
    ("main.esk", "(define (f xs) (map (lambda (x) (* x x)) xs))\n(display (f '(1 2 3)))\n"),
];

impl Installed {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a scratch folder");
        let executable = Path::new(env!("CARGO_BIN_EXE_oxbow"));
        let here = folder.join("oxbow");
        if fs::hard_link(executable, &here).is_err() {
            fs::copy(executable, &here).expect("a copy of the compiler");
        }
        for (name, text) in PROGRAMS {
            fs::write(folder.join(name), text).expect("a writable folder");
        }
        Self(folder)
    }

    fn library(&self, language: &str) -> PathBuf {
        self.0.join(format!("oxbow.{language}.library"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.0.join("oxbow"));
        command.args(args).current_dir(&self.0);
        command
    }

    #[track_caller]
    fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the compiler starts")
    }

    /// The same from the library's text.
    fn with_text(&self, args: &[&str]) -> Output {
        self.command(args).env("OXBOW_LIBRARY", "text").output().expect("the compiler starts")
    }
}

#[test]
fn programs_are_the_same_with_the_library_as_text() {
    let installed = Installed::new("same");
    for (file, _) in PROGRAMS {
        for args in [
            &["run", file][..],
            &["emit", "--stage=lowered", file],
            &["emit", "--stage=counted", file],
        ] {
            let (kept, text) = (installed.output(args), installed.with_text(args));
            assert!(text.status.success(), "{args:?}: {}", String::from_utf8_lossy(&text.stderr));
            assert!(kept == text, "{args:?}: {}", String::from_utf8_lossy(&kept.stderr));
        }
    }
    for language in ["ocaml", "clef", "eshkol"] {
        assert!(installed.library(language).is_file(), "{language}");
    }
}

/// With the text, no file is made. With the library, its steps are not run.
#[test]
fn the_library_is_read_once() {
    let installed = Installed::new("once");
    assert!(installed.with_text(&["check", "main.ml"]).status.success());
    assert!(!installed.library("ocaml").exists());
    assert!(installed.output(&["check", "main.ml"]).status.success());
    let made = fs::metadata(installed.library("ocaml")).expect("a file").modified().ok();
    assert!(installed.output(&["check", "main.ml"]).status.success());
    let now = fs::metadata(installed.library("ocaml")).expect("a file").modified().ok();
    assert_eq!(made, now);
}

#[test]
fn what_this_executable_did_not_write_is_made_anew() {
    let installed = Installed::new("anew");
    assert!(installed.output(&["check", "main.ml"]).status.success());
    let good = fs::read(installed.library("ocaml")).expect("a file");
    let mut other = good.clone();
    // Somewhere in the digest, which stands behind seven numbers.
    other[7 * 8 + 3] ^= 1;
    for bad in [other, good[..good.len() / 2].to_vec(), b"text".to_vec(), Vec::new()] {
        // A new file: the old one may be mapped.
        fs::remove_file(installed.library("ocaml")).expect("a file");
        fs::write(installed.library("ocaml"), &bad).expect("a writable folder");
        let output = installed.output(&["run", "main.ml"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a 2\n");
        let now = fs::metadata(installed.library("ocaml")).expect("a file").len();
        assert_ne!(now, bad.len() as u64 + u64::from(bad.len() == good.len()));
    }
}

#[test]
fn a_clef_program_may_name_further_modules_of_ocaml() {
    let installed = Installed::new("further");
    let program = "printfn \"%s\" (OCaml.Filename.concat \"a\" \"b\")\n";
    fs::write(installed.0.join("main.clef"), program).expect("a writable folder");
    let (kept, text) =
        (installed.output(&["run", "main.clef"]), installed.with_text(&["run", "main.clef"]));
    assert!(kept == text, "{}", String::from_utf8_lossy(&kept.stderr));
    assert_eq!(String::from_utf8_lossy(&kept.stdout), "a/b\n");
}
