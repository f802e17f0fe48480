//! From notes to an index: files get numbers, places that are not the names they are said to be are left out.
//!
//! Front ends make code of their own, whose names stand at places where the text says something else. What is kept is
//! where the text is the name.

use oxbow_base::{FileId, FxHashMap, FxHashSet, IdMap, SourceMap, Span};
use oxbow_elab::infer::notes;
use oxbow_elab::outline;

use super::{Call, Candidate, Definition, Entry, File, Found, Index, Kind, Place, Sort, TypeText};
use crate::Session;

pub fn candidates(found: &Found) -> Vec<Candidate> {
    let all = found.noted.candidates.as_ref().or(found.eshkol.candidates.as_ref());
    let one = |it: &notes::Candidate| Candidate {
        name: it.name.to_string(),
        kind: it.kind,
        text: it.text.clone(),
    };
    all.map(|it| it.iter().map(one).collect()).unwrap_or_default()
}

pub fn index(session: &Session, found: &Found) -> Index {
    let mut made = Making {
        sources: &session.sources,
        index: Index::default(),
        numbers: IdMap::new(),
        definitions: FxHashMap::default(),
    };
    for (file, it) in session.sources.files() {
        if !it.is_library {
            made.file(file);
        }
    }
    made.outlines(found);
    made.definitions(found);
    made.mentions(found);
    made.types(&found.noted);
    made.calls(&found.noted);
    for file in &mut made.index.files {
        file.typed.sort_unstable();
        file.mentions.sort_unstable();
        file.mentions.dedup();
    }
    made.index
}

struct Making<'a> {
    sources: &'a SourceMap,
    index: Index,
    numbers: IdMap<FileId, u32>,
    /// The numbers of definitions, by their places.
    definitions: FxHashMap<Span, u32>,
}

impl Making<'_> {
    fn file(&mut self, file: FileId) -> u32 {
        if let Some(&number) = self.numbers.get(file) {
            return number;
        }
        let it = self.sources.file(file);
        let number = self.index.files.len() as u32;
        let (name, is_library) = (it.name.clone(), it.is_library);
        self.index.files.push(File { name, is_library, ..File::default() });
        self.numbers.insert(file, number);
        number
    }

    fn place(&mut self, span: Span) -> Place {
        Place { file: self.file(span.file), start: span.start, end: span.end }
    }

    fn define(&mut self, span: Span, kind: Kind, name: &str, text: &str) -> u32 {
        if let Some(&number) = self.definitions.get(&span) {
            let known = &mut self.index.definitions[number as usize];
            if known.text.is_empty() {
                known.text = text.into();
            }
            return number;
        }
        let place = self.place(span);
        let number = self.index.definitions.len() as u32;
        let (name, text) = (name.to_string(), text.to_string());
        self.index.definitions.push(Definition { place, kind, name, text, group: number });
        self.definitions.insert(span, number);
        number
    }

    fn mention(&mut self, span: Span, definition: u32) {
        let name = &self.index.definitions[definition as usize].name;
        let text = self.sources.text(span);
        let operator = text.trim_start_matches('(').trim_end_matches(')').trim();
        if text != name && operator != name {
            return;
        }
        let file = self.file(span.file);
        self.index.files[file as usize].mentions.push((span.start, span.end, definition));
    }

    fn outlines(&mut self, found: &Found) {
        for unit in found.units.iter().filter(|it| !it.library && !it.generated) {
            let entries = outline::of_structure(&unit.structure);
            self.outline(&entries);
            let entries = unit.signature.as_deref().map(outline::of_signature);
            self.outline(&entries.unwrap_or_default());
        }
        self.outline(&found.eshkol.entries);
    }

    fn outline(&mut self, entries: &[outline::Entry]) {
        for entry in entries {
            let file = self.file(entry.name.span.file);
            if let Some(made) = self.entry(entry) {
                self.index.files[file as usize].outline.push(made);
            }
        }
    }

    fn entry(&mut self, entry: &outline::Entry) -> Option<Entry> {
        let span = entry.name.span;
        let name = entry.name.text.as_str();
        let inner: Vec<Entry> = entry.inner.iter().filter_map(|it| self.entry(it)).collect();
        let text = self.sources.text(span);
        if text != name && text.trim_matches(['(', ')', ' ']) != name {
            return None;
        }
        let number = self.define(span, kind_of(entry.sort), name, "");
        self.mention(span, number);
        Some(Entry {
            sort: entry.sort,
            name: name.into(),
            span: (entry.span.start, entry.span.end),
            name_span: (span.start, span.end),
            inner,
        })
    }

    fn definitions(&mut self, found: &Found) {
        for it in &found.noted.definitions {
            self.define(it.span, it.kind, it.name.as_str(), &it.text);
        }
        // Of Eshkol's library there is much that nobody mentions.
        let mentioned: FxHashSet<Span> =
            found.eshkol.mentions.iter().map(|it| it.definition).collect();
        for it in found.eshkol.definitions.iter().filter(|it| mentioned.contains(&it.span)) {
            self.define(it.span, it.kind, it.name.as_str(), &it.text);
        }
        for (declared, actual) in &found.noted.same {
            let known = (self.definitions.get(declared), self.definitions.get(actual));
            if let (Some(&a), Some(&b)) = known {
                self.join(a, b);
            }
        }
    }

    /// Two definitions are one: so are those that were joined with them.
    fn join(&mut self, a: u32, b: u32) {
        let (from, to) = {
            let all = &self.index.definitions;
            (all[a as usize].group, all[b as usize].group)
        };
        if from != to {
            for it in self.index.definitions.iter_mut().filter(|it| it.group == from) {
                it.group = to;
            }
        }
    }

    fn mentions(&mut self, found: &Found) {
        for it in found.noted.mentions.iter().chain(&found.eshkol.mentions) {
            if let Some(&number) = self.definitions.get(&it.definition) {
                self.mention(it.span, number);
            }
        }
    }

    fn types(&mut self, noted: &notes::Noted) {
        for it in &noted.texts {
            let declared = it.declared.map(|it| self.place(it));
            let (text, is_function) = (it.text.clone(), it.is_function);
            self.index.types.push(TypeText { text, declared, is_function });
        }
        for &(span, number) in &noted.types {
            let file = self.file(span.file);
            self.index.files[file as usize].typed.push((span.start, span.end, number));
        }
    }

    fn calls(&mut self, noted: &notes::Noted) {
        for it in &noted.calls {
            let file = self.file(it.span.file);
            let range = |span: &Span| (span.start, span.end);
            // Operators stand between their operands.
            if it.arguments.iter().any(|arg| arg.start < it.function.start) {
                continue;
            }
            self.index.files[file as usize].calls.push(Call {
                span: range(&it.span),
                function: range(&it.function),
                arguments: it.arguments.iter().map(range).collect(),
                parameters: it.parameters.clone(),
                result: it.result.clone(),
            });
        }
    }
}

fn kind_of(sort: Sort) -> Kind {
    match sort {
        Sort::Value | Sort::Function => Kind::Value,
        Sort::Type | Sort::Class => Kind::Type,
        Sort::Constructor | Sort::Exception => Kind::Constructor,
        Sort::Field => Kind::Field,
        Sort::Module => Kind::Module,
        Sort::ModuleType => Kind::ModuleType,
        Sort::Method => Kind::Method,
    }
}
