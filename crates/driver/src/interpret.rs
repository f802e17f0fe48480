//! Running a program in the reference interpreter: for tests, never for users.

use oxbow_psg::interp::{self, Outcome, StdHost};

use crate::{Error, Session, Stop};

/// Which graph is interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// As the front end made it.
    Poly,
    /// After the last pass.
    Mono,
}

/// The exit code of the program. `args[0]` is its name. It needs a big stack.
pub fn interpret(session: &mut Session, phase: Phase, args: Vec<Vec<u8>>) -> Result<i32, Stop> {
    let mut host = StdHost::new(args);
    let options = interp::Options::default();
    let outcome = match phase {
        Phase::Poly => {
            let program = session.front_end()?;
            session.step("interpret", |_| interp::run(&program, &mut host, options))
        }
        Phase::Mono => {
            let program = session.compile()?;
            session.step("interpret", |_| interp::run(&program, &mut host, options))
        }
    };
    match outcome {
        Outcome::Exit(code) => Ok(code),
        Outcome::StepLimit => {
            Err(Error::Tool { what: "interpreter".into(), reason: "too many steps".into() }.into())
        }
        Outcome::Refused(reason) => Err(Error::Tool { what: "interpreter".into(), reason }.into()),
        Outcome::Fault(fault) => {
            oxbow_diag::ice!("the interpreted program broke a rule of the graph: {fault}")
        }
    }
}
