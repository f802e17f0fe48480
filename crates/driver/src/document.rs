//! The documentation of a program: what inference notes for editors, with the comments of its files.

use oxbow_base::{FxHashSet, Language, SourceMap, Span};
use oxbow_doc::model::Site;
use oxbow_doc::{Input, extract};
use oxbow_elab::infer::Unit;
use oxbow_elab::types::Types;

use crate::{Session, Stop, library};

/// What is described.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// The program, but for the module of this name.
    Program { hidden: Option<&'a str> },
    /// The library of a language: these modules, or all.
    Library(Language, Option<&'a [String]>),
}

/// Checks a program and describes its modules.
pub fn document(session: &mut Session, title: &str, subject: Subject<'_>) -> Result<Site, Stop> {
    let found = match subject {
        Subject::Program { .. } => session.noted(None)?,
        Subject::Library(language, _) => session.noted_library(language)?,
    };
    if !found.is_whole {
        return Err(Stop::Reported);
    }
    let names = in_scope(&found.typed.types, &session.sources);
    let known = |name: &str| names.contains(name) || name == "Stdlib" || library::has_module(name);
    let is_shown = |it: &Unit| match subject {
        Subject::Program { hidden } => !it.library && hidden != Some(it.name.as_str()),
        Subject::Library(language, modules) => {
            let is_named = |all: &[String]| all.iter().any(|name| it.name.as_str() == name);
            it.library && it.language == language && modules.is_none_or(is_named)
        }
    };
    let (units, others) = found.units.iter().partition(|it| is_shown(it));
    let input = Input {
        title: title.into(),
        sources: &session.sources,
        units,
        others,
        notes: &found.noted,
        eshkol: (&found.eshkol.entries, &found.eshkol.definitions),
        known: &known,
    };
    let site = extract(input, &mut session.diagnostics);
    session.check_rest(found)?;
    Ok(site)
}

/// The names that are in scope everywhere: references may lead to them.
fn in_scope(types: &Types, sources: &SourceMap) -> FxHashSet<String> {
    let mut names: FxHashSet<String> = FxHashSet::default();
    let is_library = |span: Span| sources.file(span.file).is_library;
    let exns = types.exns.values().filter(|it| is_library(it.span));
    names.extend(exns.map(|it| it.name.to_string()));
    let tycons = types.tycons.values().filter(|it| !it.path.contains('.'));
    names.extend(tycons.map(|it| it.path.clone()));
    let global = format!("{}stdlib.ml", oxbow_abi::LIBRARY_FILES);
    let is_global = |span: Span| is_library(span) && sources.file(span.file).name == global;
    let vars = types.vars.values().filter(|it| is_global(it.span));
    names.extend(vars.map(|it| it.name.to_string()));
    names
}
