//! `Printexc.to_string` without registered printers, as OCaml's library has it.

use super::c_format;
use super::layout::Layout;
use super::order::immediate;
use super::value::{ObjectKind, Value};
use crate::{ExnText, Program};

pub(super) fn exn_text<P>(program: &Program<P>, layout: &Layout, exn: &Value) -> Vec<u8> {
    let Value::Object(object) = exn else { return b"_".to_vec() };
    let ObjectKind::Exn(id) = object.kind else { return b"_".to_vec() };
    let decl = &program.types.exns[id];
    let name = decl.name.as_str();
    let fields = object.fields.borrow();
    let fields = &fields[..decl.declared().len()];
    match program.well_known.exns.text(id) {
        Some(ExnText::Message(text)) => return text.as_bytes().to_vec(),
        Some(ExnText::At { width, message }) => return location(fields, width, message),
        None => (),
    }
    let mut text = name.as_bytes().to_vec();
    if !fields.is_empty() {
        let declared = fields.iter().zip(decl.declared());
        let shown: Vec<Vec<u8>> = declared
            .map(|(it, field_of)| match it {
                // A mutable field holds a cell.
                Value::Object(cell) if field_of.mutable => {
                    cell.fields.borrow().first().map_or(b"_".to_vec(), |it| field(layout, it))
                }
                _ => field(layout, it),
            })
            .collect();
        text.push(b'(');
        text.extend(shown.join(b", ".as_slice()));
        text.push(b')');
    }
    text
}

/// The payload is a triple: a file, a line and a column.
fn location(fields: &[Value], length: i64, what: &str) -> Vec<u8> {
    let [Value::Object(triple)] = fields else { return what.as_bytes().to_vec() };
    let fields = triple.fields.borrow();
    let [Value::Bytes(file), Value::Int(line), Value::Int(column)] = &fields[..] else {
        return what.as_bytes().to_vec();
    };
    let mut text = b"File \"".to_vec();
    text.extend(file.borrow().iter());
    let end = column + length;
    text.extend(format!("\", line {line}, characters {column}-{end}: {what}").bytes());
    text
}

fn field(layout: &Layout, value: &Value) -> Vec<u8> {
    match value {
        Value::Bytes(bytes) => quoted(&bytes.borrow()),
        Value::Float(value) => float_text(*value).into_bytes(),
        Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Constant { .. } => {
            immediate(layout, value).unwrap_or(0).to_string().into_bytes()
        }
        // Boxed in OCaml, as are all others.
        Value::Int32(_)
        | Value::Int64(_)
        | Value::Sized(..)
        | Value::Float32(_)
        | Value::Mark(_)
        | Value::Object(_)
        | Value::Cell(_)
        | Value::Undefined => b"_".to_vec(),
    }
}

/// `string_of_float`
fn float_text(value: f64) -> String {
    let text = c_format::format_float(b"%.12g", value).unwrap_or_default();
    let whole = text.bytes().all(|it| it.is_ascii_digit() || it == b'-');
    if whole { text + "." } else { text }
}

/// `%S`
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut text = vec![b'"'];
    for &byte in bytes {
        match byte {
            b'"' => text.extend(b"\\\""),
            b'\\' => text.extend(b"\\\\"),
            b'\n' => text.extend(b"\\n"),
            b'\t' => text.extend(b"\\t"),
            b'\r' => text.extend(b"\\r"),
            0x08 => text.extend(b"\\b"),
            b' '..=b'~' => text.push(byte),
            _ => text.extend(format!("\\{byte:03}").bytes()),
        }
    }
    text.push(b'"');
    text
}
