//! Between the words of the protocol and ours: what the server can do, which function does it, and reports.

use std::path::{Path, PathBuf};

use oxbow_driver::index::{Remark, Report};
use serde_json::{Value, json};

use crate::protocol::{Location, Position, Range, uri_of};
use crate::server::State;
use crate::view::View;
use crate::{actions, complete, hints, hover, navigate, ranges, rename, symbols, tokens};

/// The requests about documents that are answered.
pub const METHODS: &[&str] = &[
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/typeDefinition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/codeAction",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
];

pub fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "hoverProvider": true,
        "definitionProvider": true,
        "typeDefinitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": [".", "#"] },
        "signatureHelpProvider": { "triggerCharacters": [" ", "("] },
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS },
            "full": true,
        },
        "inlayHintProvider": true,
    })
}

/// The answer to a request about a document whose programs have been looked at.
pub fn answer(
    view: &View<'_>,
    path: &Path,
    method: &str,
    params: &Value,
    mains: &[PathBuf],
) -> Value {
    let position: Position = serde_json::from_value(params["position"].clone()).unwrap_or_default();
    let at = view.offset(position);
    match method {
        "textDocument/hover" => hover::hover(view, path, at),
        "textDocument/definition" => navigate::definition(view, at),
        "textDocument/typeDefinition" => navigate::type_definition(view, at),
        "textDocument/references" => {
            let declared = params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
            navigate::references(view, (path, mains), at, declared)
        }
        "textDocument/documentHighlight" => navigate::highlights(view, at),
        "textDocument/documentSymbol" => symbols::of_document(view),
        "textDocument/prepareRename" => rename::prepare(view, at),
        "textDocument/signatureHelp" => complete::signature(view, at),
        "textDocument/codeAction" => actions::actions(view, &range_of(params)),
        "textDocument/foldingRange" => ranges::folding(view),
        "textDocument/selectionRange" => ranges::selection(view, &params["positions"]),
        "textDocument/semanticTokens/full" => tokens::tokens(view),
        "textDocument/inlayHint" => hints::hints(view, path, &range_of(params)),
        _ => Value::Null,
    }
}

fn range_of(params: &Value) -> Range {
    serde_json::from_value(params["range"].clone()).unwrap_or_default()
}

/// A place as editors see it.
pub fn location(state: &State, it: &Remark) -> Option<Location> {
    let text = state.text_of(&it.file)?;
    let range = text.range(it.start as usize, it.end as usize);
    Some(Location { uri: state.uri_of(&it.file)?, range })
}

pub fn diagnostic(state: &State, report: &Report) -> Value {
    let place = report.primary.as_ref().and_then(|it| location(state, it));
    let mut message = report.message.clone();
    let said = report.primary.as_ref().map(|it| it.text.as_str()).filter(|it| !it.is_empty());
    let lines = said.map(str::to_string).into_iter();
    let lines = lines.chain(report.notes.iter().map(|it| format!("note: {it}")));
    for line in lines.chain(report.help.iter().map(|it| format!("help: {it}"))) {
        message.push('\n');
        message.push_str(&line);
    }
    let related = report.labels.iter().filter_map(|it| {
        let location = location(state, it)?;
        let message = if it.text.is_empty() { "here".to_string() } else { it.text.clone() };
        Some(json!({ "location": location, "message": message }))
    });
    let related: Vec<Value> = related.collect();
    json!({
        "range": place.map(|it| it.range).unwrap_or_default(),
        "severity": if report.is_error { 1 } else { 2 },
        "code": report.code,
        "source": "oxbow",
        "message": message,
        "relatedInformation": related,
    })
}

/// The address of a file of the library, which is written out for the editor.
pub fn library_file(name: &str, text: &str) -> Option<String> {
    let home = || std::env::var_os("HOME").map(|it| PathBuf::from(it).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    let cache = cache.unwrap_or_else(std::env::temp_dir).join("oxbow").join("library");
    let file = cache.join(Path::new(name).file_name()?);
    if std::fs::read_to_string(&file).ok().as_deref() != Some(text) {
        std::fs::create_dir_all(&cache).ok()?;
        // Whole or not at all: another server may be writing it, too.
        let draft = cache.join(format!(".{}", std::process::id()));
        std::fs::write(&draft, text).ok()?;
        std::fs::rename(&draft, &file).ok()?;
    }
    Some(uri_of(&file))
}
