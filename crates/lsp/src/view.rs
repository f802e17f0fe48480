//! What an index says at a place.

use std::path::Path;
use std::rc::Rc;

use oxbow_driver::index::{Definition, Entry, File, Index, Place, TypeText};

use crate::protocol::{Location, Position, Range};
use crate::server::State;
use crate::text::Text;

/// A document in a program that has been looked at.
pub struct View<'a> {
    pub state: &'a State,
    pub index: Rc<Index>,
    /// The number of the file in the index.
    pub file: u32,
    pub text: Rc<Text>,
}

/// Longer paths of modules are not searched for.
const LONGEST_PATH: u32 = 200;

/// A mention: start, end, number of the definition.
pub type Mention = (u32, u32, u32);

impl<'a> View<'a> {
    pub fn new(state: &'a State, path: &Path) -> Option<Self> {
        let index = state.index_of(path)?;
        let name = path.to_str()?;
        let file = index.files.iter().position(|it| it.name == name)? as u32;
        Some(Self { state, index, file, text: state.text_of(name)? })
    }

    pub fn of_file(&self) -> &File {
        &self.index.files[self.file as usize]
    }

    pub fn offset(&self, position: Position) -> u32 {
        self.text.offset(position) as u32
    }

    pub fn range(&self, span: (u32, u32)) -> Range {
        self.text.range(span.0 as usize, span.1 as usize)
    }

    pub fn definition(&self, number: u32) -> &Definition {
        &self.index.definitions[number as usize]
    }

    /// The mentions at a place. A name ends behind its last character, where the cursor may be, too.
    pub fn mentions_at(&self, offset: u32) -> Vec<Mention> {
        let all = &self.of_file().mentions;
        let inside: Vec<_> =
            all.iter().filter(|it| it.0 <= offset && offset < it.1).copied().collect();
        if !inside.is_empty() {
            return inside;
        }
        all.iter().filter(|it| it.0 <= offset && offset == it.1).copied().collect()
    }

    /// The innermost expression or pattern at a place, and its type.
    pub fn type_at(&self, offset: u32) -> Option<((u32, u32), &TypeText)> {
        let around = self.of_file().typed.iter().filter(|it| it.0 <= offset && offset < it.1);
        let best = around.min_by_key(|it| it.1 - it.0)?;
        Some(((best.0, best.1), &self.index.types[best.2 as usize]))
    }

    /// The type of exactly this text.
    pub fn type_of(&self, span: (u32, u32)) -> Option<&TypeText> {
        let typed = &self.of_file().typed;
        let at = typed.binary_search_by_key(&span, |it| (it.0, it.1)).ok()?;
        Some(&self.index.types[typed[at].2 as usize])
    }

    /// The type of the value that a name means: of the name, or of the path that ends in it.
    pub fn type_of_name(&self, (start, end): (u32, u32)) -> Option<&TypeText> {
        let is_path = |from: u32| {
            let before = self.text.slice(from as usize, start as usize);
            before.chars().all(|it| it.is_alphanumeric() || "_'. ".contains(it))
        };
        self.type_of((start, end)).or_else(|| {
            let typed = &self.of_file().typed;
            let before = typed[..typed.partition_point(|it| it.0 < start)].iter().rev();
            let mut near = before.take_while(|it| it.0 + LONGEST_PATH >= start);
            let nearest = near.find(|it| it.1 == end).filter(|it| is_path(it.0))?;
            Some(&self.index.types[nearest.2 as usize])
        })
    }

    /// A place as editors see it.
    pub fn location(&self, place: Place) -> Option<Location> {
        let file = self.index.files.get(place.file as usize)?;
        let text = self.state.text_of(&file.name)?;
        let uri = self.state.uri_of(&file.name)?;
        let range = text.range(place.start as usize, place.end as usize);
        Some(Location { uri, range })
    }

    /// The definitions that are one with this.
    pub fn group(&self, number: u32) -> u32 {
        self.definition(number).group
    }

    /// All mentions of a definition in the files of the user, with their addresses.
    pub fn all_mentions(&self, group: u32) -> Vec<(String, Rc<Text>, (u32, u32))> {
        let mut found = Vec::new();
        for file in self.index.files.iter().filter(|it| !it.is_library) {
            let mut spans = file.mentions.iter().filter(|it| self.group(it.2) == group).peekable();
            if spans.peek().is_none() {
                continue;
            }
            let (Some(text), Some(uri)) =
                (self.state.text_of(&file.name), self.state.uri_of(&file.name))
            else {
                continue;
            };
            found.extend(spans.map(|it| (uri.clone(), text.clone(), (it.0, it.1))));
        }
        found
    }

    /// The entry of the outline whose name stands at a place.
    pub fn entry_of(&self, place: Place) -> Option<&Entry> {
        let file = self.index.files.get(place.file as usize)?;
        find(&file.outline, (place.start, place.end))
    }
}

fn find(entries: &[Entry], name: (u32, u32)) -> Option<&Entry> {
    entries.iter().find_map(
        |it| {
            if it.name_span == name { Some(it) } else { find(&it.inner, name) }
        },
    )
}
