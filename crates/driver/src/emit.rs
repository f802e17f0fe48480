//! The program's text at any stage.

use oxbow_front_ocaml as front;

use crate::{Session, Stop, native};

/// The forms a program has on its way to machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The surface tree of the main file.
    Ast,
    /// The semantic graph after the last pass.
    Psg,
    /// MLIR in the `ocaml` dialect.
    Ocaml,
    /// The same with its references counted.
    Counted,
    /// MLIR in the `llvm` dialect.
    LlvmDialect,
    /// LLVM's own text, optimised.
    Llvm,
    /// Assembly of the machine.
    Asm,
}

/// Compiles as far as `stage` and returns its text. With the option `dump_after` it stops
/// earlier, with the dump in the session.
pub fn emit(session: &mut Session, stage: Stage) -> Result<String, Stop> {
    if stage == Stage::Ast && session.options.dump_after.is_none() {
        let units = session.parse()?;
        if session.diagnostics.has_errors() {
            return Err(Stop::Reported);
        }
        return Ok(units.last().map(|main| front::dump(&main.structure)).unwrap_or_default());
    }
    let program = session.compile()?;
    match stage {
        Stage::Ast | Stage::Psg => Ok(session.graph_text(&program)?),
        Stage::Ocaml | Stage::Counted | Stage::LlvmDialect | Stage::Llvm | Stage::Asm => {
            native::text(session, &program, stage)
        }
    }
}
