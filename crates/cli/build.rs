//! Links the C library's mathematical functions before Rust's own versions of some of them, whose `cbrt` gives other
//! last digits: the reference interpreter must count as compiled programs do.

fn main() {
    println!("cargo::rustc-link-lib=m");
    println!("cargo::rerun-if-changed=build.rs");
}
