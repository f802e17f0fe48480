//! Colours by what names mean.

use oxbow_driver::index::{Kind, Place};
use serde_json::{Value, json};

use crate::view::View;

pub const TYPES: &[&str] = &[
    "variable",
    "function",
    "type",
    "enumMember",
    "property",
    "method",
    "namespace",
    "interface",
    "macro",
];
pub const MODIFIERS: &[&str] = &["definition", "defaultLibrary"];

pub fn tokens(view: &View<'_>) -> Value {
    let mut data: Vec<u32> = Vec::new();
    let (mut line, mut column, mut end) = (0, 0, 0);
    for &(start, stop, number) in &view.of_file().mentions {
        // A name for two things has one colour.
        if start < end {
            continue;
        }
        end = stop;
        let definition = view.definition(number);
        let is_function = view.type_of_name((start, stop)).is_some_and(|it| it.is_function);
        let kind = match definition.kind {
            Kind::Value if is_function => 1,
            Kind::Value => 0,
            Kind::Type => 2,
            Kind::Constructor => 3,
            Kind::Field => 4,
            Kind::Method => 5,
            Kind::Module => 6,
            Kind::ModuleType => 7,
            Kind::Macro => 8,
        };
        let here = Place { file: view.file, start, end: stop };
        let is_library = view.index.files[definition.place.file as usize].is_library;
        let modifiers = u32::from(definition.place == here) | u32::from(is_library) << 1;
        let range = view.range((start, stop));
        if range.start.line != range.end.line {
            continue;
        }
        let from = if range.start.line == line { column } else { 0 };
        let length = range.end.character - range.start.character;
        data.extend([range.start.line - line, range.start.character - from, length]);
        data.extend([kind, modifiers]);
        (line, column) = (range.start.line, range.start.character);
    }
    json!({ "data": data })
}
