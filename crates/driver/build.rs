//! Makes the table of library files that are compiled into the driver.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let mut table = String::new();
    folder(&mut table, "OCAML", "../../lib/ocaml", &[".ml"]);
    folder(&mut table, "ESHKOL", "../../lib/eshkol", &[".ml", ".esk"]);
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("library_table.rs");
    fs::write(out, table).expect("OUT_DIR is writable");
}

/// A table of the files of one folder: their names and texts.
fn folder(table: &mut String, name: &str, path: &str, endings: &[&str]) {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(path);
    println!("cargo:rerun-if-changed={}", root.display());
    let mut names: Vec<String> = fs::read_dir(&root)
        .expect("the library's folder")
        .filter_map(|it| it.ok()?.file_name().into_string().ok())
        .filter(|it| endings.iter().any(|ending| it.ends_with(ending)))
        .collect();
    names.sort();
    writeln!(table, "pub const {name}: &[(&str, &str)] = &[").expect("writes to a string");
    for name in names {
        let path = root.join(&name).canonicalize().expect("a readable file");
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("writes to a string");
    }
    table.push_str("];\n");
}
