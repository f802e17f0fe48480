//! Programs in Eshkol, run by other Schemes.
//!
//! ```text
//! examples/eshkol/<name>.esk           eshkol-examples/<name>/guile, …/chez
//! tests/programs/eshkol/<name>.esk     eshkol/<name>/guile, …/chez: those that say `shared: guile chez`
//! ```
//!
//! What they print must be the `.expected` that Oxbow is held to. `tests/peers/<peer>.scm` comes before the
//! program and defines the names that the peer has under others. A peer that is not
//! installed is left out with a note.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};

use crate::diff::diff;
use crate::{Config, entries, has_extension, process, stem};

/// Examples that only Eshkol can run.
const NOT_SHARED: &[(&str, &str)] = &[
    ("convolution", "takes gradients"),
    ("logistic", "takes gradients"),
    ("optimisers", "takes derivatives"),
    ("pendulum", "takes gradients"),
    ("perceptron", "takes gradients"),
    ("xor", "takes gradients"),
];

#[derive(Clone, Copy)]
struct Peer {
    name: &'static str,
    program: &'static str,
}

const PEERS: &[Peer] =
    &[Peer { name: "guile", program: "guile" }, Peer { name: "chez", program: "chezscheme" }];

pub fn trials(config: &Config) -> Vec<Trial> {
    let mut trials = vec![no_stale_names(config)];
    for &peer in PEERS {
        if !peer.is_installed() {
            eprintln!("note: no {}: comparisons with it are left out", peer.program);
            continue;
        }
        for source in entries(&config.root.join("examples/eshkol")) {
            if !NOT_SHARED.iter().any(|it| it.0 == stem(&source)) {
                trials.extend(trial(config, peer, "eshkol-examples", source));
            }
        }
        for source in entries(&config.root.join("tests/programs/eshkol")) {
            if is_shared(&source, peer) {
                trials.extend(trial(config, peer, "eshkol", source));
            }
        }
    }
    trials
}

/// The list above names examples that are there.
fn no_stale_names(config: &Config) -> Trial {
    let folder = config.root.join("examples/eshkol");
    Trial::test("eshkol-examples/not_shared", move || {
        for (name, why) in NOT_SHARED {
            let text = fs::read_to_string(folder.join(format!("{name}.esk")))
                .map_err(|error| format!("{name}, which {why}: {error}"))?;
            if !["(gradient", "(derivative", "(value-and-gradient"]
                .iter()
                .any(|it| text.contains(it))
            {
                return Err(format!("{name} can be shared: it no longer {why}").into());
            }
        }
        Ok(())
    })
}

/// `;; shared: guile chez` in the first lines.
fn is_shared(source: &Path, peer: Peer) -> bool {
    let text = fs::read_to_string(source).unwrap_or_default();
    let names = text.lines().take(3).find_map(|it| it.split_once("shared: "));
    has_extension(source, "esk")
        && names.is_some_and(|(_, it)| it.split_whitespace().any(|it| it == peer.name))
}

fn trial(config: &Config, peer: Peer, suite: &'static str, source: PathBuf) -> Option<Trial> {
    let config = config.clone();
    let name = stem(&source);
    let expected = config.root.join("tests/programs").join(suite).join(format!("{name}.expected"));
    has_extension(&source, "esk").then(|| {
        Trial::test(format!("{suite}/{name}/{}", peer.name), move || {
            let expected = fs::read(&expected)?;
            let output = process::run(&mut peer.command(&config, suite, &source)?, &[])?;
            let (old, new) =
                (String::from_utf8_lossy(&expected), String::from_utf8_lossy(&output.stdout));
            match diff(&old, &new) {
                None => Ok(()),
                Some(text) => Err(format!("{text}{}", output.stderr_text()).into()),
            }
        })
    })
}

impl Peer {
    fn is_installed(self) -> bool {
        let mut command = Command::new(self.program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|it| it.success())
    }

    fn command(self, config: &Config, suite: &str, source: &Path) -> Result<Command, Failed> {
        let before = config.root.join("tests/peers").join(format!("{}.scm", self.name));
        let folder = source.parent().ok_or("a file is in a folder")?;
        let mut command = Command::new(self.program);
        command.current_dir(folder);
        match self.name {
            "guile" => {
                command.args(["--r7rs", "--no-auto-compile", "-q", "-l"]).arg(before).arg(source);
            }
            _ => {
                // Chez takes one script, so the two become one.
                let folder = config.scratch.join(suite);
                fs::create_dir_all(&folder)?;
                let both = folder.join(format!("{}.{}.scm", stem(source), self.name));
                fs::write(&both, [fs::read(before)?, fs::read(source)?].concat())?;
                command.arg("--script").arg(both);
            }
        }
        Ok(command)
    }
}
