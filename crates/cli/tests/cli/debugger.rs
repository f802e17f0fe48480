//! Programs that are compiled to be debugged (decision 331): gdb stops in them, and shows their variables.
//!
//! `tests/debug/<language>/NAME.gdb` are gdb's commands for the program beside them, `NAME.expected` is what gdb says,
//! without addresses. Without gdb they are left out with a note.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/debug")
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("oxbow-debug-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

fn oxbow(args: &[&str], at: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_oxbow")).args(args).current_dir(at).output();
    let output = output.expect("the compiler starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What gdb says, without what differs from one machine and run to the next.
fn gdb(program: &Path, script: &str, at: &Path) -> Option<String> {
    let output = Command::new("gdb")
        .args(["-q", "-batch", "-nx", "-iex", "set auto-load safe-path /"])
        .args(["-iex", "set debuginfod enabled off", "-iex", "set width 0", "-x", script])
        .arg(program)
        .current_dir(at)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = said + &String::from_utf8_lossy(&output.stderr);
    let is_noise = |it: &str| it.is_empty() || it.contains("libthread_db");
    let lines = said.lines().filter(|it| !is_noise(it)).map(plain);
    Some(lines.collect::<Vec<_>>().join("\n") + "\n")
}

/// A line without addresses, numbers of processes and of places of a breakpoint.
fn plain(line: &str) -> String {
    if line.starts_with("[Inferior") {
        return "[the program has ended]".into();
    }
    if let Some(rest) =
        line.strip_prefix("Breakpoint ").or(line.strip_prefix("Temporary breakpoint "))
        && let Some((number, rest)) = rest.split_once(' ')
        && rest.starts_with("at 0x")
    {
        return format!("breakpoint {number}");
    }
    let mut out = String::new();
    for (at, word) in line.split(' ').enumerate() {
        let is_address = word.starts_with("0x") && word.len() > 6;
        // The number of one of several places of a breakpoint.
        let stops = line.contains("reakpoint ") && at < 3 && word.ends_with(',');
        match word.split_once('.') {
            _ if is_address => out.push_str("0x…"),
            Some((number, _)) if stops => out.extend([number, ","]),
            _ => out.push_str(word),
        }
        out.push(' ');
    }
    without_numbers(out.trim_end())
}

/// Functions without names, members and Eshkol's procedures have numbers that depend on the library: `fun.8`,
/// `Counter.Step#786`, `vlook_1664`.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    let mut letters = line.chars().peekable();
    while let Some(it) = letters.next() {
        out.push(it);
        let is_numbered = out.ends_with("fun.")
            || it == '#' && out.len() > 1
            || out.ends_with("partial.")
            || it == '_';
        let mut digits = String::new();
        while is_numbered && let Some(digit) = letters.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        match digits.is_empty() || it == '_' && digits.len() < 3 {
            true => out.push_str(&digits),
            false => out.push('N'),
        }
    }
    out
}

#[test]
fn gdb_shows_variables_in_three_languages() {
    let mut seen = 0;
    for (language, ending) in [("ocaml", "ml"), ("clef", "clef"), ("eshkol", "esk")] {
        let folder = folder().join(language);
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).expect("programs").map(|it| it.expect("a file").path()).collect();
        files.retain(|it| it.extension().is_some_and(|it| it == "gdb"));
        files.sort();
        for script in files {
            let name = script.file_stem().and_then(|it| it.to_str()).expect("a name").to_string();
            let source = format!("{name}.{ending}");
            let program = scratch(&format!("{language}-{name}"));
            let output = program.to_str().expect("a path");
            oxbow(&["build", "-O0", "-g", "-o", output, &source], &folder);
            let Some(found) = gdb(&program, &format!("{name}.gdb"), &folder) else {
                return eprintln!("there is no gdb: what it shows is not tested");
            };
            let expected = script.with_extension("expected");
            if std::env::var_os("OXBOW_BLESS").is_some() {
                fs::write(&expected, &found).expect("the expectation is written");
            }
            let wanted = fs::read_to_string(&expected).unwrap_or_default();
            assert_eq!(found, wanted, "{}", script.display());
            seen += 1;
        }
    }
    assert!(seen >= 20, "only {seen} programs");
}

/// A program that is optimised is the same with and without `-g`.
#[test]
fn debuggers_change_nothing_in_optimised_code() {
    let folder = folder().join("ocaml");
    for level in ["-O1", "-O2"] {
        for source in ["values.ml", "closures.ml"] {
            let (with, without) = (scratch("with"), scratch("without"));
            let [first, second] = [&with, &without].map(|it| it.to_str().expect("a path"));
            oxbow(&["build", level, "-g", "-o", first, source], &folder);
            oxbow(&["build", level, "-o", second, source], &folder);
            let same =
                fs::read(&with).expect("a program") == fs::read(&without).expect("a program");
            assert!(same, "{level} {source}");
        }
    }
}

/// Without `-O0 -g` there is no script for gdb in the program; with it there is.
#[test]
fn programs_carry_their_printers() {
    let folder = folder().join("ocaml");
    let holds = |args: &[&str]| {
        let program = scratch("printers");
        let mut all = vec!["build", "-o", program.to_str().expect("a path")];
        all.extend(args);
        all.push("values.ml");
        oxbow(&all, &folder);
        let bytes = fs::read(&program).expect("a program");
        bytes.windows(18).any(|it| it == b".debug_gdb_scripts")
    };
    assert!(holds(&["-O0", "-g"]));
    assert!(!holds(&["-O0"]));
    assert!(!holds(&["-O2"]));
}

/// What `perf` and `valgrind` look at: at each level of optimisation functions have symbols with their names, and code
/// has its lines.
#[test]
fn functions_and_lines_are_known_when_optimised() {
    let text = "let[@inline never] twice n =\n  print_int n;\n  n * 2\n\
                let () = print_int (twice (Array.length Sys.argv))\n";
    let source = scratch("lines.ml");
    fs::write(&source, text).expect("writable");
    let at = source.parent().expect("a folder");
    for level in ["-O0", "-O2", "-O3"] {
        oxbow(&["build", level, "-o", "lines", "lines.ml"], at);
        let Ok(symbols) = Command::new("nm").arg("lines").current_dir(at).output() else {
            return eprintln!("there is no nm: symbols are not looked at");
        };
        let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
        let found = symbols.lines().find(|it| it.ends_with(" ml.twice"));
        let found = found.unwrap_or_else(|| panic!("{level}: no `twice` in\n{symbols}"));
        let start = found.split(' ').next().expect("an address");
        let Ok(lines) =
            Command::new("addr2line").args(["-e", "lines", start]).current_dir(at).output()
        else {
            return eprintln!("there is no addr2line: lines are not looked at");
        };
        let line = String::from_utf8_lossy(&lines.stdout).trim().to_string();
        let number =
            line.rsplit(':').next().and_then(|it| it.split(' ').next()?.parse::<u32>().ok());
        assert!(line.contains("lines.ml:") && number.is_some_and(|it| it <= 3), "{level}: {line}");
    }
}
