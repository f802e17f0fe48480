//! A compiler without a back end checks programs.

use super::*;
use crate::Error;

pub fn steps() -> Vec<&'static str> {
    Vec::new()
}

pub fn plugin() -> Option<&'static Path> {
    None
}

pub fn text(_: &mut Session, _: Code, _: Stage) -> Result<String, Stop> {
    Err(missing())
}

pub fn opt(_: &mut Session, _: &[Opt]) -> Result<String, Stop> {
    Err(missing())
}

pub fn listing(session: &mut Session, program: &Program<Mono>) -> Result<Listing, Stop> {
    Ok(Listing::new(Default::default(), program, &session.sources))
}

pub fn regions(_: &mut Session, _: &Program<Mono>) -> Result<Vec<oxbow_explain::InRegion>, Stop> {
    Ok(Vec::new())
}

pub fn check_foreign(_: &Program<Mono>, _: &mut oxbow_diag::Diagnostics) {}

pub type Loaded = std::convert::Infallible;

pub fn load(_: &mut Session, _: Code) -> Result<Loaded, Stop> {
    Err(missing())
}

pub fn parse_size(_: &str) -> Option<usize> {
    None
}

pub fn backtraces_are_wanted() -> bool {
    false
}

pub fn run(program: Loaded, _: Vec<OsString>, _: RunOptions) -> Result<i32, Stop> {
    match program {}
}

pub fn build(_: &mut Session, _: Code, _: &Path) -> Result<(), Stop> {
    Err(missing())
}

fn missing() -> Stop {
    Error::Tool { what: "oxbow".into(), reason: "the back end is not built in".into() }.into()
}
