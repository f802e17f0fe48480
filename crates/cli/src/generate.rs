//! What is installed with the compiler and follows from its arguments: the manual page and completions for shells.

use clap::{CommandFactory as _, ValueEnum};
use clap_complete::Shell;

use crate::args::Cli;

#[derive(Clone, Copy, ValueEnum)]
pub enum Generated {
    /// A page for `man`
    Man,
    Bash,
    Zsh,
    Fish,
}

pub fn text(what: Generated) -> String {
    let mut command = Cli::command();
    let mut out = Vec::new();
    let shell = match what {
        Generated::Man => {
            let written = clap_mangen::Man::new(command).render(&mut out);
            return written.map_or(String::new(), |()| String::from_utf8_lossy(&out).into_owned());
        }
        Generated::Bash => Shell::Bash,
        Generated::Zsh => Shell::Zsh,
        Generated::Fish => Shell::Fish,
    };
    clap_complete::generate(shell, &mut command, "oxbow", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
