//! stub
use oxbow_diag::Diagnostics;
use oxbow_psg::{Mono, Program};
pub fn run(_: &Program<Mono>, _: &mut Diagnostics) {}
