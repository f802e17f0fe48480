//! Modules of MLIR as text: reading a file in the `ocaml` dialect, what is wrong with it, where, and printing
//! functions.
//!
//! ```text
//! read        text -> module that verifies and that the back end can convert
//! complete    a module that is to run has the entry points that the runtime calls
//! function_texts      module -> the text of each of its functions
//! ```
//!
//! Faults that MLIR finds are reported as E0301, those of ours as E0302 and E0303, at the place in the
//! file. After that the module is as good as one that was lowered from a program.

use std::cell::RefCell;

use oxbow_base::{FileId, Language, Span};
use oxbow_diag::Diagnostic;
use oxbow_dialect::inspect::{Place, place_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::attribute::StringAttribute;
use oxbow_dialect::melior::ir::operation::{OperationLike, OperationPrintingFlags};
use oxbow_dialect::melior::ir::{BlockLike, Module};
use oxbow_opt::{Fault, check_input, check_loads};

use crate::{Session, Stop};

/// The functions of a module by their symbols, each as text of its own; declarations are among them.
pub fn function_texts(module: &Module<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let body = module.body();
    let mut next = body.first_operation();
    while let Some(op) = next {
        if op.has_attribute("function_type")
            && let Ok(symbol) = op.attribute("sym_name").and_then(StringAttribute::try_from)
        {
            let flags = OperationPrintingFlags::new().use_local_scope();
            let text = op.to_string_with_flags(flags).expect("what MLIR prints is text");
            found.push((symbol.value().to_string(), text + "\n"));
        }
        next = op.next_in_block();
    }
    found
}

/// Reads a module and checks it.
pub fn read<'c>(
    session: &mut Session,
    file: FileId,
    context: &'c Context,
) -> Result<Module<'c>, Stop> {
    let text = session.sources.file(file).text.clone();
    let faults = RefCell::new(Vec::new());
    let handler = context.attach_diagnostic_handler(|diagnostic| {
        let place = place_of(diagnostic.location());
        faults.borrow_mut().push(Fault { place, message: diagnostic.to_string() });
        true
    });
    let module = session.step("read", |_| Module::parse(context, &text));
    context.detach_diagnostic_handler(handler);
    let faults = faults.into_inner();
    let Some(module) = module else { return Err(report(session, "E0301", &faults)) };
    session
        .step("check_input", |_| check_input::run(&module, context))
        .map_err(|faults| report(session, "E0302", &faults))?;
    session
        .step("check_loads", |_| check_loads::run(&module, context))
        .map_err(|faults| report(session, "E0303", &faults))?;
    Ok(module)
}

/// Makes sure of the entry points that the runtime calls.
pub fn complete<'c>(
    session: &mut Session,
    module: &Module<'c>,
    context: &'c Context,
) -> Result<(), Stop> {
    check_input::complete(module, context).map_err(|fault| report(session, "E0302", &[fault]))
}

/// Reports what is wrong with the module.
pub fn report(session: &mut Session, code: &'static str, faults: &[Fault]) -> Stop {
    for fault in faults {
        // Messages of MLIR come in its own style.
        let message = fault.message.trim_end_matches('.').to_string();
        let mut diagnostic = Diagnostic::error(code, message);
        if let Some(span) = fault.place.as_ref().and_then(|it| span_of(session, it)) {
            diagnostic = diagnostic.at(span, "");
        } else if let Some(place) = &fault.place {
            let Place { file, line, column } = place;
            diagnostic = diagnostic.note(format!("at {file}:{line}:{column}"));
        }
        session.diagnostics.error(diagnostic);
    }
    if faults.is_empty() {
        session.diagnostics.error(Diagnostic::error(code, "the file is not a module of MLIR"));
    }
    Stop::Reported
}

/// The word at a place of the file that is being read.
fn span_of(session: &Session, place: &Place) -> Option<Span> {
    let (file, source) = session.sources.files().find(|(_, it)| it.language == Language::Mlir)?;
    // What is read from memory has no name; other names are of files that were compiled earlier.
    if !["-", "", source.name.as_str()].contains(&place.file.as_str()) {
        return None;
    }
    let line = place.line.checked_sub(1)? as usize;
    let start: usize = source.text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = source.text.get(start..)?.lines().next().unwrap_or("");
    let column = (place.column.max(1) as usize - 1).min(rest.len());
    let column = (0..=column).rev().find(|&it| rest.is_char_boundary(it))?;
    let word = rest[column..]
        .find(|it: char| !(it.is_alphanumeric() || "_.@%!^$".contains(it)))
        .unwrap_or(rest.len() - column);
    let word =
        if word == 0 { rest[column..].chars().next().map_or(0, char::len_utf8) } else { word };
    let start = (start + column) as u32;
    Some(Span::new(file, start, start + word as u32))
}
