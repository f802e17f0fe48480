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
    /// How many of the modes behind the first a batch goes, in turn with the others; all of them otherwise
    #[arg(long, value_name = "N", value_parser = positive)]
    pub turn: Option<usize>,
    /// Flags for `oxbow run` and `oxbow build`, separated by spaces
    #[arg(long, value_delimiter = ' ', allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

impl Options {
    pub fn program(&self, seed: u64) -> Program {
        generate::program_of(seed, self.profile.unwrap_or(Profile::of(seed)))
    }

    /// The mode that is right: `ocamlopt` if it is among the modes, else the first.
    pub fn reference(&self) -> Mode {
        self.modes.iter().copied().find(|it| *it == Mode::OCAMLOPT).unwrap_or(self.modes[0])
    }

    /// The modes that the batch that begins with this seed is compared in. The first is cheap and finds most: every
    /// batch goes it.
    pub fn compared(&self, seed: u64) -> Vec<Mode> {
        let reference = self.reference();
        let (first, rest) = self.modes.split_first().expect("there is a default");
        let rest: Vec<Mode> = rest.iter().copied().filter(|it| *it != reference).collect();
        let batch = (seed - self.seed) as usize / self.batch;
        let turn = self.turn.unwrap_or(rest.len()).min(rest.len());
        let in_turn = rest.iter().cycle().skip(batch * turn).take(turn);
        [first].into_iter().filter(|it| **it != reference).chain(in_turn).copied().collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn modes_of(arguments: &[&str], seed: u64) -> String {
        let options = Options::parse_from([&["oxbow-fuzz"], arguments].concat());
        let modes: Vec<String> = options.compared(seed).iter().map(Mode::to_string).collect();
        modes.join(" ")
    }

    #[test]
    fn batches_take_turns_behind_the_first_mode() {
        let modes = "--modes=interp-mono,jit-O0,jit-O3,ocamlopt,native";
        let arguments = [modes, "--seed=5", "--batch=10", "--turn=2"];
        assert_eq!(modes_of(&arguments, 5), "interp-mono jit-O0 jit-O3");
        assert_eq!(modes_of(&arguments, 15), "interp-mono native jit-O0");
        assert_eq!(modes_of(&arguments, 25), "interp-mono jit-O3 native");
        assert_eq!(modes_of(&[modes], 1), "interp-mono jit-O0 jit-O3 native");
        assert_eq!(modes_of(&["--modes=interp-poly,jit-O0", "--turn=7"], 1), "jit-O0");
    }
}
