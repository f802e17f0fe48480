//! The options that programs with a number for each test have in common.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct Seeds {
    #[arg(long, default_value = "target/release/oxbow")]
    pub oxbow: PathBuf,
    #[arg(long, default_value_t = 500)]
    pub count: u64,
    /// The first number
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Print the program of a seed, and nothing else
    #[arg(long, value_name = "SEED")]
    pub print: Option<u64>,
}
