//! Clef programs: one file, or a project (`.fidproj`) that lists its files in order.

use std::path::Path;

use oxbow_abi::LIBRARY_FILES;
use oxbow_base::{FileId, Language, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::Item;
use oxbow_elab::infer::Unit;
use oxbow_elab::mentions;
use oxbow_front_clef as front;

use crate::load::{Loader, module_name};
use crate::{Error, library, project};

impl Loader<'_> {
    /// All of Clef's library, after the modules of OCaml's that it mentions.
    pub(crate) fn clef_library(&mut self) {
        self.library(Symbol::new(oxbow_psg::library_module::SHOW));
        let mut units = Vec::new();
        for stem in library::CLEF_ORDER {
            units.extend(self.clef_library_file(stem));
        }
        for stem in library::CLEF_PARTS {
            let unit = self.clef_library_file(stem);
            units.extend(unit.map(|it| Unit { opened: true, ..it }));
        }
        self.units.append(&mut units);
    }

    fn clef_library_file(&mut self, stem: &str) -> Option<Unit> {
        let (name, text) = library::find_clef(stem)?;
        let file = self.sources.add_library(format!("{LIBRARY_FILES}{name}"), text);
        let parsed = front::parse(file, text, &outline_of(file, text), self.diagnostics);
        let mut module = stem.to_string();
        if let Some(first) = module.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        let part = parsed.into_iter().next()?;
        self.ocaml_modules(&part.structure);
        let span = Span::new(file, 0, 0);
        Some(Unit { library: true, ..unit(Symbol::new(&module), part, span) })
    }

    /// The modules of OCaml's library that a tree mentions, which Clef sees within `OCaml`.
    fn ocaml_modules(&mut self, structure: &[Item]) {
        for mention in mentions::of_structure(structure) {
            if mention.within.is_some_and(|it| it.as_str() == "OCaml") {
                self.library(mention.name);
            }
        }
    }

    /// A program of one file.
    pub(crate) fn clef_file(&mut self, path: &Path, text: String) -> Result<(), Error> {
        let file = self.sources.add(path.display().to_string(), text);
        let outline = outline_of(file, &self.sources.file(file).text);
        self.clef_part(path, file, &outline)
    }

    /// A user's file; the modules of OCaml's library that it mentions are loaded with it.
    fn clef_part(
        &mut self,
        path: &Path,
        file: FileId,
        outline: &front::Outline,
    ) -> Result<(), Error> {
        let name = module_name(path)?;
        let text = self.sources.file(file).text.clone();
        let parsed = front::parse(file, &text, outline, self.diagnostics);
        let before = self.units.len();
        let at = self.units.iter().position(|it| it.language == Language::Clef);
        parsed.iter().for_each(|it| self.ocaml_modules(&it.structure));
        // OCaml's modules come before Clef's, which see them all.
        if let Some(at) = at {
            let added = self.units.len() - before;
            self.units[at..].rotate_right(added);
        }
        let span = Span::new(file, 0, 0);
        self.units.extend(parsed.into_iter().map(|it| unit(name, it, span)));
        Ok(())
    }

    /// A phrase of a prompt. The library sees no further modules of OCaml's.
    #[cfg(feature = "native")]
    pub(crate) fn clef_phrase(&mut self, file: oxbow_base::FileId, text: &str) {
        let parsed = front::parse(file, text, &outline_of(file, text), self.diagnostics);
        let (name, span) = (Symbol::new("Prompt"), Span::new(file, 0, 0));
        self.units.extend(parsed.into_iter().map(|it| unit(name, it, span)));
    }

    pub(crate) fn clef_project(&mut self, path: &Path, text: String) -> Result<(), Error> {
        let file = self.sources.add(path.display().to_string(), text);
        let text = self.sources.file(file).text.clone();
        let project = project::parse(file, &text, self.diagnostics);
        let folder = match path.parent() {
            Some(folder) if folder.components().next().is_some() => folder,
            _ => Path::new("."),
        };
        let (mut parts, mut outline) = (Vec::new(), front::Outline::default());
        for source in &project.sources {
            let path = folder.join(&source.text);
            if !self.files.is_file(&path) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0061",
                        format!("the source file `{}` does not exist", source.text),
                    )
                    .at(source.span, format!("looked for in `{}`", folder.display())),
                );
                continue;
            }
            if Language::of(&path) != Some(Language::Clef) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0061",
                        format!("`{}` is not a Clef source file", source.text),
                    )
                    .at(source.span, "expected a name that ends in `.clef` or `.fs`"),
                );
                continue;
            }
            let text = self.files.read_source(&path)?;
            let file = self.sources.add(path.display().to_string(), text);
            outline.add(file, &self.sources.file(file).text);
            parts.push((path, file));
        }
        for (path, file) in parts {
            self.clef_part(&path, file, &outline)?;
        }
        Ok(())
    }
}

fn outline_of(file: FileId, text: &str) -> front::Outline {
    let mut outline = front::Outline::default();
    outline.add(file, text);
    outline
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
        opened: false,
        later: Vec::new(),
    }
}
