//! What a report proposes, done: the edits of a closure that outlives a variable make a program that
//! compiles.
//!
//! covers: C5

use std::fs;
use std::path::Path;
use std::process::Command;

fn check(file: &Path) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .args(["check", "--message-format=json"])
        .arg(file)
        .output()
        .expect("the compiler starts");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The edits of all reports: the bytes and the new text.
fn edits(reports: &str) -> Vec<(usize, usize, String)> {
    let mut edits = Vec::new();
    for report in reports.lines().filter(|it| it.contains("E0150")) {
        let Some((_, rest)) = report.split_once("\"edits\":[") else { continue };
        let Some((list, _)) = rest.split_once("],\"rendered\"") else { continue };
        for edit in list.split("{\"file\"").skip(1) {
            let number = |key: &str| {
                let rest = edit.split_once(&format!("\"{key}\":")).expect("a number").1;
                rest.chars().take_while(char::is_ascii_digit).collect::<String>()
            };
            let text = edit.split_once("\"text\":\"").expect("a text").1;
            let text = text.split('"').next().unwrap_or_default().to_string();
            let place = |key| number(key).parse::<usize>().expect("an offset");
            edits.push((place("start"), place("end"), text));
        }
    }
    edits.sort();
    edits.dedup();
    edits
}

#[test]
fn the_cell_that_is_proposed_compiles() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits");
    fs::create_dir_all(&folder).expect("a scratch folder");
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/clef_escape");
    let mut done = 0;
    for entry in fs::read_dir(goldens).expect("the golden files").flatten() {
        let golden = fs::read_to_string(entry.path()).expect("a golden file");
        if !golden.contains("error[E0150]") {
            continue;
        }
        let (_, rest) = golden.split_once("```clef\n").expect("a program");
        let (program, _) = rest.split_once("\n```").expect("the end of the program");
        let name = entry.path().with_extension("clef");
        let file = folder.join(name.file_name().expect("a name"));
        fs::write(&file, format!("{program}\n")).expect("a writable folder");
        let (ok, reports) = check(&file);
        assert!(!ok, "{} is refused", file.display());
        let mut text = format!("{program}\n");
        let edits = edits(&reports);
        assert!(!edits.is_empty(), "{}: no edit is proposed\n{reports}", file.display());
        for (start, end, new) in edits.into_iter().rev() {
            text.replace_range(start..end, &new);
        }
        fs::write(&file, &text).expect("a writable folder");
        let (ok, reports) = check(&file);
        assert!(ok, "{}:\n{text}\n{reports}", file.display());
        done += 1;
    }
    assert!(done >= 20, "{done} programs");
}

/// `check --fix` makes the changes; what needs a second look waits for the next run.
#[test]
fn exact_proposals_are_made() {
    let folder = crate::common::scratch("edits", "fix");
    let cases = [
        (
            "rec.ml",
            "let f n = if n = 0 then 0 else f (n - 1) + f 0\n",
            "let rec f n = if n = 0 then 0 else f (n - 1) + f 0\n",
        ),
        ("and.ml", "let a = 1 and f n = f n\n", "let rec a = 1 and f n = f n\n"),
        (
            "near.ml",
            "let l = List.lenght [1] + String.lenght \"é\"\n",
            "let l = List.length [1] + String.length \"é\"\n",
        ),
        (
            "ctor.ml",
            "type t = Circle | Square\nlet x : t = Cirle\n",
            "type t = Circle | Square\nlet x : t = Circle\n",
        ),
        (
            "field.ml",
            "type t = { left : int }\nlet f (x : t) = x.lefd\n",
            "type t = { left : int }\nlet f (x : t) = x.left\n",
        ),
        (
            "near.fs",
            "let total = 1\nprintfn \"%d\" totl\n",
            "let total = 1\nprintfn \"%d\" total\n",
        ),
        ("near.esk", "(define total 1)\n(display totla)\n", "(define total 1)\n(display total)\n"),
    ];
    for (name, text, fixed) in cases {
        let file = folder.join(name);
        fs::write(&file, text).expect("writable");
        let output = crate::common::oxbow(&folder, &["check", "--fix", name]);
        assert_eq!(output.status.code(), Some(1), "{}", crate::common::err(&output));
        assert_eq!(fs::read_to_string(&file).expect("there"), fixed, "{name}");
        crate::common::check_code(&crate::common::oxbow(&folder, &["check", "--fix", name]), 0);
        assert_eq!(fs::read_to_string(&file).expect("there"), fixed, "{name}");
    }
}

/// A name that is a label or a field as well is not mended by another name: the program would have another error.
#[test]
fn proposals_that_mend_nothing_are_not_made() {
    let folder = crate::common::scratch("edits", "unfixed");
    let texts = [
        "let f ~valeu = valeu + 1 let value = 1 let _ = f ~valeu\n",
        "type t = { name : int }\nlet nam = 1 let r = { name }\n",
        "type t = { name : int }\nlet g { nmae; _ } = nmae\n",
    ];
    for text in texts {
        let file = folder.join("pun.ml");
        fs::write(&file, text).expect("writable");
        let output = crate::common::oxbow(&folder, &["check", "--fix", "pun.ml"]);
        assert_eq!(output.status.code(), Some(1), "{}", crate::common::err(&output));
        assert_eq!(fs::read_to_string(&file).expect("there"), text);
    }
}

#[test]
fn a_file_that_is_mended_keeps_its_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = crate::common::scratch("edits", "permissions");
    let (file, link) = (folder.join("real.ml"), folder.join("link.ml"));
    let _ = fs::remove_file(&link);
    fs::write(&file, "let _ = List.lenght [1]\n").expect("writable");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).expect("ours");
    symlink("real.ml", &link).expect("writable");
    crate::common::oxbow(&folder, &["check", "--fix", "link.ml"]);
    assert_eq!(fs::read_to_string(&file).expect("there"), "let _ = List.length [1]\n");
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o750);
}
