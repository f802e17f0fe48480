//! The command line.

use std::path::PathBuf;

use oxbow_fuzz::run::mode::Mode;

pub const USAGE: &str = "\
usage: oxbow-fuzz [--count N] [--seed S] [--modes M,…] [--oxbow PATH] [--batch K] [--save DIR]
                  [--budget N] [--max-failures N]
       oxbow-fuzz --print SEED";

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
}

pub fn parse(args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        count: 100,
        seed: 1,
        modes: vec![Mode::Interp("poly"), Mode::Interp("mono"), Mode::Ocamlopt],
        oxbow: PathBuf::from("target/release/oxbow"),
        batch: 10,
        save: None,
        budget: 800,
        max_failures: 5,
        print: None,
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
