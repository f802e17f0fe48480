//! The command line.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use oxbow_fuzz::generate::{self, Profile};
use oxbow_fuzz::run::mode::Mode;
use oxbow_fuzz::tree::Program;

/// Random programs in several ways to run them; differences are made small
#[derive(Parser)]
#[command(name = "oxbow-fuzz")]
pub struct Options {
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub count: u64,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_delimiter = ',', default_value = "interp-poly,interp-mono,ocamlopt", value_parser = mode)]
    pub modes: Vec<Mode>,
    #[arg(long, default_value = "target/release/oxbow", value_parser = absolute)]
    pub oxbow: PathBuf,
    /// Programs in one file
    #[arg(long, default_value_t = 10, value_parser = positive)]
    pub batch: usize,
    /// A folder for the programs that differ
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Runs to spend on making one failure smaller
    #[arg(long, default_value_t = 800)]
    pub budget: usize,
    #[arg(long, default_value_t = 5, value_parser = positive)]
    pub max_failures: usize,
    /// Print the program of a seed, and nothing else
    #[arg(long, value_name = "SEED")]
    pub print: Option<u64>,
    /// Batches that run at a time
    #[arg(long, default_value_t = oxbow_fuzz::run::processors(), value_parser = positive)]
    pub jobs: usize,
    /// What kind of programs; each seed has its own otherwise
    #[arg(long, value_parser = profile())]
    pub profile: Option<Profile>,
    /// Flags for `oxbow run` and `oxbow build`, separated by spaces
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

impl Options {
    pub fn program(&self, seed: u64) -> Program {
        generate::program_of(seed, self.profile.unwrap_or(Profile::of(seed)))
    }
}

fn mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).ok_or_else(|| format!("there are {}", Mode::names()))
}

fn absolute(text: &str) -> std::io::Result<PathBuf> {
    std::path::absolute(text)
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|it| *it > 0).ok_or_else(|| "it is a number, at least 1".into())
}

fn profile() -> impl clap::builder::TypedValueParser<Value = Profile> {
    let names = PossibleValuesParser::new(Profile::ALL.map(|it| it.0));
    names.try_map(|name| {
        Profile::ALL.iter().find(|it| it.0 == name).map(|it| it.1).ok_or("no profile")
    })
}
