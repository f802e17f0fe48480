//! The script by which gdb shows values, in a section of the program.
//!
//! ```text
//! .debug_gdb_scripts     4  "oxbow"  <layouts of the program's types>  <printers.py>  0
//! ```
//!
//! The section is not loaded when the program runs.

use std::fmt::Write as _;

use oxbow_abi::FLOAT_BIAS;

use crate::convert::{INTERNAL, descriptor_symbol};

const PRINTERS: &str = include_str!("printers.py");

/// Says that a script of Python follows, with its name on the first line.
const PYTHON_TEXT: u8 = 4;

/// Assembly that makes the section.
pub fn section(layouts: &str) -> String {
    let mut script = vec![PYTHON_TEXT];
    let prefixes = (INTERNAL, descriptor_symbol(""));
    let head =
        format!("oxbow\nLAYOUTS = {layouts}\nFLOAT_BIAS = {FLOAT_BIAS}\nPREFIXES = {prefixes:?}\n");
    script.extend(head.as_bytes());
    script.extend(PRINTERS.as_bytes());
    script.push(0);
    let mut out = String::from(".pushsection .debug_gdb_scripts,\"MS\",@progbits,1\n");
    for line in script.chunks(60) {
        out.push_str(".ascii \"");
        for &byte in line {
            match byte {
                b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
                b' '..=b'~' => out.push(char::from(byte)),
                _ => {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
        }
        out.push_str("\"\n");
    }
    out + ".popsection\n"
}
