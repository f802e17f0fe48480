//! The command line.

use std::path::PathBuf;

use oxbow_fuzz::generate::{self, Profile};
use oxbow_fuzz::run::mode::Mode;
use oxbow_fuzz::tree::Program;

pub const USAGE: &str = "\
usage: oxbow-fuzz [--count N] [--seed S] [--modes M,…] [--oxbow PATH] [--batch K] [--save DIR]
                  [--budget N] [--max-failures N] [--jobs N] [--profile wide|small|memory]
                  [--flags \"FLAG…\"]     flags for `oxbow run` and `oxbow build`
       oxbow-fuzz --print SEED [--profile P]";

pub struct Options {
    pub count: u64,
    pub seed: u64,
    pub modes: Vec<Mode>,
    pub oxbow: PathBuf,
    pub batch: usize,
    pub save: Option<PathBuf>,
    /// Runs to spend on making one failure smaller.
    pub budget: usize,
    pub max_failures: usize,
    pub print: Option<u64>,
    /// Batches that run at a time.
    pub jobs: usize,
    /// What kind of programs; each seed has its own otherwise.
    pub profile: Option<Profile>,
    pub flags: Vec<String>,
}

impl Options {
    pub fn program(&self, seed: u64) -> Program {
        generate::program_of(seed, self.profile.unwrap_or(Profile::of(seed)))
    }
}

pub fn parse(args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        count: 100,
        seed: 1,
        modes: vec![Mode::INTERP_POLY, Mode::INTERP_MONO, Mode::OCAMLOPT],
        oxbow: PathBuf::from("target/release/oxbow"),
        batch: 10,
        save: None,
        budget: 800,
        max_failures: 5,
        print: None,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        profile: None,
        flags: Vec::new(),
    };
    let mut args = args;
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{name}` needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is no number"));
        match name.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--batch" => options.batch = number()?.max(1) as usize,
            "--budget" => options.budget = number()? as usize,
            "--max-failures" => options.max_failures = number()?.max(1) as usize,
            "--jobs" => options.jobs = number()?.max(1) as usize,
            "--flags" => options.flags = value.split_whitespace().map(String::from).collect(),
            "--profile" => {
                let found = Profile::ALL.iter().find(|it| it.0 == value);
                options.profile = Some(found.ok_or(format!("`{value}` is no profile"))?.1);
            }
            "--print" => options.print = Some(number()?),
            "--oxbow" => {
                options.oxbow = std::path::absolute(&value).map_err(|error| error.to_string())?
            }
            "--save" => options.save = Some(PathBuf::from(value)),
            "--modes" => options.modes = modes(&value)?,
            _ => return Err(format!("there is no option `{name}`")),
        }
    }
    options.oxbow = std::path::absolute(&options.oxbow).map_err(|error| error.to_string())?;
    Ok(options)
}

fn modes(text: &str) -> Result<Vec<Mode>, String> {
    text.split(',')
        .map(|it| {
            Mode::parse(it).ok_or_else(|| format!("`{it}` is no mode; there are {}", Mode::names()))
        })
        .collect()
}
