//! The program's text at any stage.

use oxbow_base::Language;
use oxbow_front_ocaml as front;

use crate::{Code, Error, Session, Stop, native};

/// The forms a program has on its way to machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The surface tree of the main file.
    Ast,
    /// The semantic graph after the last pass.
    Psg,
    /// MLIR in the `ocaml` dialect, before closures get their representation.
    Lowered,
    /// The same after that.
    Ocaml,
    /// The same with its references counted.
    Counted,
    /// The same with what holds for the whole program.
    Planned,
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
    let is_source = session.options.language != Language::Mlir;
    let is_dump = session.options.dump_after.is_some();
    if session.options.dump_func.is_some()
        && !is_dump
        && matches!(stage, Stage::Ast | Stage::Llvm | Stage::Asm)
    {
        let message = "`--func` selects functions of the graph and of modules of MLIR; \
                       this stage is printed as a whole";
        return Err(Error::Usage(message.into()).into());
    }
    if stage == Stage::Ast && !is_dump && is_source {
        let units = session.parse()?;
        if session.diagnostics.has_errors() {
            return Err(Stop::Reported);
        }
        return Ok(units.last().map(|main| front::dump(&main.structure)).unwrap_or_default());
    }
    let code = session.code()?;
    let asked = session.options.dump_after.as_deref();
    if asked.is_some_and(|it| native::steps().contains(&it)) {
        return native::text(session, code, Stage::Planned);
    }
    match (stage, code) {
        (Stage::Ast | Stage::Psg, Code::Graph(program)) => Ok(session.graph_text(&program)?),
        (Stage::Ast | Stage::Psg, Code::Mlir(_)) => {
            let message =
                "a file of MLIR has no tree and no graph; its stages begin with `lowered`";
            Err(Error::Usage(message.into()).into())
        }
        (
            Stage::Lowered
            | Stage::Ocaml
            | Stage::Counted
            | Stage::Planned
            | Stage::LlvmDialect
            | Stage::Llvm
            | Stage::Asm,
            code,
        ) => native::text(session, code, stage),
    }
}
