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
