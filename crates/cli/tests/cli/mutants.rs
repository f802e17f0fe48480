//! Damaged programs: whatever the text, `oxbow check` accepts it or says what is wrong, and ends. `./x fuzz mutants`
//! looks at many more.

use std::path::Path;

use oxbow_fuzz::mutants::{Checker, LANGUAGES, Programs};

/// How many programs of each language are looked at.
const USUAL: u64 = 100;

fn check(name: &str) {
    let language = LANGUAGES.iter().find(|it| it.name == name).expect("a language");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let programs = Programs::new(&root, language).expect("programs to damage");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants").join(name);
    let checker =
        Checker::new(env!("CARGO_BIN_EXE_oxbow").as_ref(), &folder).expect("a scratch folder");
    let texts: Vec<String> = (0..USUAL).map(|seed| programs.mutant(seed)).collect();
    let found = checker.check(&programs, &texts).expect("the compiler starts");
    for (text, fault) in texts.iter().zip(found) {
        if let Some(fault) = fault {
            panic!("{}\n{}\n{text}", fault.kind, fault.said);
        }
    }
}

#[test]
fn damaged_ocaml_is_reported() {
    check("OCaml");
}

#[test]
fn damaged_clef_is_reported() {
    check("Clef");
}

#[test]
fn damaged_eshkol_is_reported() {
    check("Eshkol");
}
