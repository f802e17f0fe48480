//! Generates the dialect's C++ and Rust from its records, compiles the C++ into this crate, and links
//! the same objects as a plugin for the distribution's `mlir-opt`.

mod records;
mod rust;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=dialect");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let llvm = PathBuf::from(
        env::var("MLIR_SYS_220_PREFIX").expect("MLIR_SYS_220_PREFIX names the LLVM 22 prefix"),
    );
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (action, extra, file) in [
        ("-gen-dialect-decls", "-dialect=ocaml", "OcamlDialect.h.inc"),
        ("-gen-dialect-defs", "-dialect=ocaml", "OcamlDialect.cpp.inc"),
        ("-gen-typedef-decls", "-typedefs-dialect=ocaml", "OcamlTypes.h.inc"),
        ("-gen-typedef-defs", "-typedefs-dialect=ocaml", "OcamlTypes.cpp.inc"),
        ("-gen-op-decls", "", "OcamlOps.h.inc"),
        ("-gen-op-defs", "", "OcamlOps.cpp.inc"),
    ] {
        let mut command = Command::new(llvm.join("bin/mlir-tblgen"));
        command.arg(action).arg("-I").arg(llvm.join("include")).args([
            "-I",
            "dialect",
            "dialect/Ocaml.td",
            "-o",
        ]);
        command.arg(out.join(file)).args((!extra.is_empty()).then_some(extra));
        run(command);
    }
    generate_rust(&llvm, &out);
    let mut build = compiler();
    build.include(&out).include(llvm.join("include"));
    build.define("NDEBUG", None);
    build.files([
        "dialect/Ocaml.cpp",
        "dialect/Llvm.cpp",
        "dialect/Debug.cpp",
        "dialect/Split.cpp",
    ]);
    let objects = build.compile_intermediates();
    cc::Build::new().cpp(true).objects(&objects).compile("oxbow_ocaml_dialect");
    let plugin = out.join("libOcamlDialect.so");
    link_plugin(&llvm, &objects, &plugin);
    println!("cargo:rustc-env=OXBOW_DIALECT_PLUGIN={}", plugin.display());
}

/// Types of the ops for Rust, from the same records.
fn generate_rust(llvm: &Path, out: &Path) {
    let json = out.join("Ocaml.json");
    let mut command = Command::new(llvm.join("bin/llvm-tblgen"));
    command.arg("--dump-json").arg("-I").arg(llvm.join("include"));
    command.args(["-I", "dialect", "dialect/Ocaml.td", "-o"]).arg(&json);
    run(command);
    let json = fs::read(json).expect("llvm-tblgen has written its file");
    let json = serde_json::from_slice(&json).expect("llvm-tblgen writes JSON");
    fs::write(out.join("ops.rs"), rust::text(&records::read(&json)))
        .expect("OUT_DIR can be written to");
}

/// How all the C++ is compiled.
fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .opt_level(1)
        .debug(false)
        .warnings(false)
        .pic(true);
    build
}

/// Without upstream's libraries: the tool that loads the plugin has them.
fn link_plugin(llvm: &Path, objects: &[PathBuf], plugin: &Path) {
    let mut build = compiler();
    build.include(llvm.join("include")).file("dialect/Plugin.cpp");
    let mut command = Command::new(build.get_compiler().path());
    let ours = objects.iter().filter(|it| it.to_string_lossy().contains("Ocaml"));
    command.arg("-shared").args(ours).args(build.compile_intermediates()).arg("-o").arg(plugin);
    run(command);
    assert!(fs::metadata(plugin).is_ok(), "the linker made {}", plugin.display());
}

fn run(mut command: Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}
