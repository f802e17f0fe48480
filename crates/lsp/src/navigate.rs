//! From a name to its definition, its type's declaration, and its mentions.

use std::path::{Path, PathBuf};

use oxbow_driver::index::Place;
use serde_json::{Value, json};

use crate::protocol::Location;
use crate::view::View;

pub fn definition(view: &View<'_>, at: u32) -> Value {
    let mentions = view.mentions_at(at);
    let mut places: Vec<Place> = Vec::new();
    for (start, end, number) in mentions {
        let own = view.definition(number);
        // From what a signature declares to what the structure defines, and back.
        let here = Place { file: view.file, start, end };
        let others = view.index.definitions.iter();
        let same = others.filter(|it| it.group == own.group).map(|it| it.place);
        let others: Vec<Place> = same.filter(|it| *it != here).collect();
        match own.place == here && !others.is_empty() {
            true => places.extend(others),
            false => places.push(own.place),
        }
    }
    let found: Vec<Location> = places.into_iter().filter_map(|it| view.location(it)).collect();
    json!(found)
}

pub fn type_definition(view: &View<'_>, at: u32) -> Value {
    let span = view.mentions_at(at).first().map(|it| (it.0, it.1));
    let ty = span.and_then(|it| view.type_of(it)).or_else(|| view.type_at(at).map(|it| it.1));
    let place = ty.and_then(|it| it.declared);
    json!(place.and_then(|it| view.location(it)))
}

pub fn highlights(view: &View<'_>, at: u32) -> Value {
    let groups: Vec<u32> = view.mentions_at(at).iter().map(|it| view.group(it.2)).collect();
    let all = view.of_file().mentions.iter();
    let found: Vec<Value> = all
        .filter(|it| groups.contains(&view.group(it.2)))
        .map(|it| json!({ "range": view.range((it.0, it.1)), "kind": 1 }))
        .collect();
    json!(found)
}

/// All mentions, in the programs around, too.
pub fn references(
    view: &View<'_>,
    (path, mains): (&Path, &[PathBuf]),
    at: u32,
    with_definition: bool,
) -> Value {
    let mut found: Vec<Location> = Vec::new();
    let Some(&(_, _, number)) = view.mentions_at(at).first() else { return Value::Null };
    for (other, group) in of_programs(view, (path, mains), number) {
        let defined: Vec<Location> = other
            .index
            .definitions
            .iter()
            .filter(|it| it.group == group)
            .filter_map(|it| other.location(it.place))
            .collect();
        for (uri, text, span) in other.all_mentions(group) {
            let range = text.range(span.0 as usize, span.1 as usize);
            let location = Location { uri, range };
            if !found.contains(&location) && (with_definition || !defined.contains(&location)) {
                found.push(location);
            }
        }
    }
    found.sort_by(|a, b| (&a.uri, a.range.start).cmp(&(&b.uri, b.range.start)));
    json!(found)
}

/// What a definition is in each program: in the one of the document, and in the others that have the definition.
pub fn of_programs<'a>(
    view: &View<'a>,
    (path, mains): (&Path, &[PathBuf]),
    number: u32,
) -> Vec<(View<'a>, u32)> {
    let wanted = view.definition(number);
    let file = &view.index.files[wanted.place.file as usize].name;
    let mut found = Vec::new();
    for main in mains {
        let Some(index) = view.state.programs.get(main).and_then(|it| it.index.clone()) else {
            continue;
        };
        let Some(number) = index.files.iter().position(|it| it.name == *file) else { continue };
        let place = Place { file: number as u32, ..wanted.place };
        let Some(definition) = index.definitions.iter().find(|it| it.place == place) else {
            continue;
        };
        let group = definition.group;
        // Some file of it, for its places.
        let own = index.files.iter().position(|it| Path::new(&it.name) == path).unwrap_or(number);
        let other = View {
            state: view.state,
            index: index.clone(),
            file: own as u32,
            text: view.text.clone(),
        };
        found.push((other, group));
    }
    found
}
