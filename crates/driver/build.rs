//! Makes the tables of library files that are compiled into the driver.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let mut tables = String::new();
    table("OCAML", "ocaml", &[".ml"], &mut tables);
    table("CLEF", "clef", &[".clef"], &mut tables);
    table("ESHKOL", "eshkol", &[".ml", ".esk"], &mut tables);
    table("ESHKOL_LIBRARIES", "eshkol/libraries", &[".sld"], &mut tables);
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("library_table.rs");
    fs::write(out, tables).expect("OUT_DIR is writable");
}

/// The sources of one language's library, by file name.
fn table(constant: &str, folder: &str, endings: &[&str], into: &mut String) {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../lib")
        .join(folder);
    println!("cargo:rerun-if-changed={}", root.display());
    let mut names: Vec<String> = fs::read_dir(&root)
        .expect("the library's folder")
        .filter_map(|it| it.ok()?.file_name().into_string().ok())
        .filter(|it| endings.iter().any(|ending| it.ends_with(ending)))
        .collect();
    names.sort();
    writeln!(into, "pub const {constant}: &[(&str, &str)] = &[").expect("writes to a string");
    for name in names {
        let path = root.join(&name).canonicalize().expect("a readable file");
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(into, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("writes to a string");
    }
    into.push_str("];\n");
}
