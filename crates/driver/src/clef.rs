//! Clef programs: one file, or a project (`.fidproj`) that lists its files in order.

use std::path::Path;

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::infer::{Language, Unit};
use oxbow_front_clef as front;

use crate::load::{Loader, module_name, read_source};
use crate::{Error, library, project};

pub fn is_clef(path: &Path) -> bool {
    matches!(path.extension().and_then(|it| it.to_str()), Some("clef" | "fs"))
}

pub fn is_project(path: &Path) -> bool {
    path.extension().and_then(|it| it.to_str()) == Some("fidproj")
}

impl Loader<'_> {
    /// All of Clef's library, after the modules of OCaml's that it mentions.
    pub(crate) fn clef_library(&mut self) {
        self.library(Symbol::new(oxbow_psg::library_module::SHOW));
        for stem in library::CLEF_ORDER {
            let Some((_, text)) = library::find_clef(stem) else { continue };
            for module in ocaml_modules(text) {
                self.library(Symbol::new(module));
            }
        }
        for stem in library::CLEF_ORDER {
            let Some((name, text)) = library::find_clef(stem) else { continue };
            let file = self.sources.add_library(format!("<library>/{name}"), text);
            let parsed = front::parse(file, text, self.diagnostics);
            let mut module = stem.to_string();
            if let Some(first) = module.get_mut(0..1) {
                first.make_ascii_uppercase();
            }
            let span = Span::new(file, 0, 0);
            let name = Symbol::new(&module);
            self.units.push(Unit { library: true, ..unit(name, parsed, span) });
        }
    }

    /// A user's file; the modules of OCaml's library that it mentions are loaded with it.
    pub(crate) fn clef_file(&mut self, path: &Path, text: String) -> Result<(), Error> {
        let name = module_name(path)?;
        for module in ocaml_modules(&text) {
            let at = self.units.iter().position(|it| it.language == Language::Clef);
            let before = self.units.len();
            self.library(Symbol::new(module));
            // OCaml's modules come before Clef's, which see them all.
            if let Some(at) = at {
                let added = self.units.len() - before;
                self.units[at..].rotate_right(added);
            }
        }
        let file = self.sources.add(path.display().to_string(), text);
        let text = self.sources.file(file).text.clone();
        let parsed = front::parse(file, &text, self.diagnostics);
        self.units.push(unit(name, parsed, Span::new(file, 0, 0)));
        Ok(())
    }

    pub(crate) fn clef_project(&mut self, path: &Path, text: String) -> Result<(), Error> {
        let file = self.sources.add(path.display().to_string(), text);
        let text = self.sources.file(file).text.clone();
        let project = project::parse(file, &text, self.diagnostics);
        let folder = match path.parent() {
            Some(folder) if folder.components().next().is_some() => folder,
            _ => Path::new("."),
        };
        for source in &project.sources {
            let path = folder.join(&source.text);
            if !path.is_file() {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0061",
                        format!("the source file `{}` does not exist", source.text),
                    )
                    .at(source.span, format!("looked for in `{}`", folder.display())),
                );
                continue;
            }
            if !is_clef(&path) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0061",
                        format!("`{}` is not a Clef source file", source.text),
                    )
                    .at(source.span, "expected a name that ends in `.clef` or `.fs`"),
                );
                continue;
            }
            let text = read_source(&path)?;
            self.clef_file(&path, text)?;
        }
        Ok(())
    }
}

fn unit(name: Symbol, parsed: front::File, span: Span) -> Unit {
    let front::File { header, namespace, structure } = parsed;
    let mut outer = header;
    let name = match outer.last() {
        Some(&last) if !namespace => {
            outer.pop();
            last
        }
        _ => name,
    };
    Unit {
        name,
        structure,
        signature: None,
        interface_only: false,
        library: false,
        generated: false,
        span,
        language: Language::Clef,
        outer,
        merged: namespace,
    }
}

/// The modules after `OCaml.` in a text. A mention in a string or comment only loads a module that
/// stays unused.
fn ocaml_modules(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in text.split("OCaml.").skip(1) {
        let length = part.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(part.len());
        let name = &part[..length];
        if !name.is_empty() && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}
