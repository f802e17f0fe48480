//! A program that is compiled once for several commands, for tests.
//!
//! ```text
//! Session::prepare(Poly)  ──fork──▶  command   front_end() gives what is there
//! Session::prepare(Mono)  ──fork──▶  command   compile() gives what is there
//! ```
//!
//! A session is used up by its first command, so each command has a process of its own: a copy of the one
//! that prepared it. Steps before the prepared one do not look at what may differ between commands;
//! those after it run as they always do.

use oxbow_psg::{Mono, Poly, Program};

use crate::{Options, Session, Stop, pipeline};

/// Where a command can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// With the text.
    Text,
    /// With the graph that the front end made.
    Poly,
    /// With the graph after the last pass.
    Mono,
}

/// What a session begins with.
#[derive(Default)]
pub(crate) enum Prepared {
    #[default]
    Nothing,
    Poly(Program<Poly>),
    Mono(Program<Mono>),
}

impl Session {
    /// Compiles as far as commands have in common. After a failure the session is of no further use.
    pub fn prepare(&mut self, start: Start) -> Result<(), Stop> {
        self.prepared = match start {
            Start::Text => return Ok(()),
            Start::Poly => Prepared::Poly(self.front_end()?),
            Start::Mono => {
                let program = self.front_end()?;
                let program = self.specialize(program)?;
                Prepared::Mono(self.passes(program, |_, _| ())?)
            }
        };
        Ok(())
    }

    /// The same program for a command with options of its own.
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    pub(crate) fn prepared_poly(&mut self) -> Result<Option<Program<Poly>>, Stop> {
        match std::mem::take(&mut self.prepared) {
            Prepared::Poly(program) => {
                pipeline::check_name(self.options.dump_after.as_deref())?;
                Ok(Some(program))
            }
            Prepared::Nothing | Prepared::Mono(_) => Ok(None),
        }
    }

    pub(crate) fn prepared_mono(&mut self) -> Option<Program<Mono>> {
        match std::mem::take(&mut self.prepared) {
            Prepared::Mono(program) => Some(program),
            other @ (Prepared::Nothing | Prepared::Poly(_)) => {
                self.prepared = other;
                None
            }
        }
    }
}
