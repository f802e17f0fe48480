//! Values as text: `%show` as F#'s `%A` writes them, `%text` as its `string` does. The compiled
//! programs have the same from the library's `Oxbow_show`, which says more about the form.

use super::pretty::Pretty;
use super::value::{Object, ObjectKind, Value};
use super::{c_format, floats};
use crate::{DataKind, IntWidth, KnownType, Program};

/// Elements shown of a list or an array.
const MOST_ITEMS: usize = 100;

pub(super) fn text<P>(program: &Program<P>, value: &Value) -> String {
    match value {
        Value::Bool(value) => if *value { "True" } else { "False" }.into(),
        Value::Bytes(bytes) => lossy(&bytes.borrow()),
        Value::Char(value) => lossy(&[*value]),
        Value::Float(value) => plain_float(*value),
        Value::Float32(value) => plain_float32(*value),
        Value::Int64(value) => value.to_string(),
        Value::Sized(IntWidth::U64, value) => (*value as u64).to_string(),
        Value::Sized(_, value) => value.to_string(),
        _ if is_null(program, value) => String::new(),
        Value::Object(object) => text_object(program, object),
        _ => show(program, value),
    }
}

fn is<P>(program: &Program<P>, data: crate::DataId, known: KnownType) -> bool {
    program.types.datas[data].known == Some(known)
}

/// `Some(3)`, `(a, 1)`, `[1; 2; 3; ... ]`: what `ToString` says where it differs from `%A`.
fn text_object<P>(program: &Program<P>, object: &Object) -> String {
    let fields = object.fields.borrow();
    match object.kind {
        ObjectKind::Tuple => {
            let items: Vec<_> = fields.iter().map(|it| text(program, it)).collect();
            format!("({})", items.join(", "))
        }
        ObjectKind::Data { data, .. } if is(program, data, KnownType::Option) => {
            format!("Some({})", part_text(program, &fields[0]))
        }
        ObjectKind::Data { data, .. } if is(program, data, KnownType::List) => {
            let mut items = vec![part_text(program, &fields[0])];
            let mut rest = fields[1].clone();
            while let Value::Object(next) = rest {
                if items.len() == 3 {
                    return format!("[{}; ... ]", items.join("; "));
                }
                items.push(part_text(program, &next.fields.borrow()[0]));
                rest = next.fields.borrow()[1].clone();
            }
            format!("[{}]", items.join("; "))
        }
        _ => object_layout(program, object).render(),
    }
}

/// Strings hold bytes; the result is made of them again.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(super) fn show<P>(program: &Program<P>, value: &Value) -> String {
    layout(program, value).render()
}

/// Is it what .NET has `null` for?
pub(super) fn is_null<P>(program: &Program<P>, value: &Value) -> bool {
    match value {
        Value::Unit => true,
        Value::Constant { data, ctor: 0 } => is(program, *data, KnownType::Option),
        _ => false,
    }
}

/// The text of a part of an option or a list.
fn part_text<P>(program: &Program<P>, part: &Value) -> String {
    if is_null(program, part) { "null".into() } else { text(program, part) }
}

fn escaped(char: u8) -> String {
    match char {
        b'\'' => "\\'".into(),
        b'\\' => "\\\\".into(),
        8 => "\\b".into(),
        0..=31 | 127 => format!("\\{char:03}"),
        _ => lossy(&[char]),
    }
}

fn layout<P>(program: &Program<P>, value: &Value) -> Pretty {
    Pretty::leaf(match value {
        Value::Unit => "()".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Int32(value) => value.to_string(),
        Value::Int64(value) => format!("{value}L"),
        Value::Sized(width, value) => sized(*width, *value),
        Value::Float(value) => float(*value),
        Value::Float32(value) => format!("{}f", float(f64::from(*value))),
        Value::Char(value) => format!("'{}'", escaped(*value)),
        Value::Bytes(bytes) => format!("\"{}\"", lossy(&bytes.borrow())),
        Value::Constant { data, ctor } => {
            let decl = &program.types.datas[*data];
            if let Some(tree) = decl.tree() {
                return Pretty::collection(tree.name(), Vec::new());
            }
            match &decl.kind {
                DataKind::Variant(ctors) => ctors[*ctor as usize].name.to_string(),
                DataKind::Record(_) => "{ }".into(),
            }
        }
        Value::Object(object) => return object_layout(program, object),
        Value::Mark(number) => format!("<mark {number}>"),
        Value::Cell(_) | Value::Undefined => "<undefined>".into(),
    })
}

fn sized(width: IntWidth, value: i64) -> String {
    let suffix = match width {
        IntWidth::I63 | IntWidth::I32 => "",
        IntWidth::I64 => "L",
        IntWidth::I8 => "y",
        IntWidth::I16 => "s",
        IntWidth::U8 => "uy",
        IntWidth::U16 => "us",
        IntWidth::U32 => "u",
        IntWidth::U64 => return format!("{}UL", value as u64),
    };
    format!("{value}{suffix}")
}

fn object_layout<P>(program: &Program<P>, object: &Object) -> Pretty {
    let fields = object.fields.borrow();
    let shown = || fields.iter().map(|it| layout(program, it)).collect::<Vec<_>>();
    match object.kind {
        ObjectKind::Tuple => Pretty::tuple(shown()),
        ObjectKind::Array => {
            let items = fields.iter().map(|it| layout(program, it));
            Pretty::list("[|", ";", "|]", limited(items))
        }
        ObjectKind::Exn(exn) => {
            let decl = &program.types.exns[exn];
            let mut shown = shown();
            shown.truncate(decl.declared().len());
            Pretty::application(decl.plain_name(), shown)
        }
        ObjectKind::Closure(_) | ObjectKind::Partial => Pretty::leaf("<fun>"),
        ObjectKind::Data { data, ctor } => match &program.types.datas[data].kind {
            DataKind::Record(decl) => {
                let names = decl.iter().map(|it| it.name.as_str());
                Pretty::record(names.zip(shown()).collect())
            }
            DataKind::Variant(ctors) => {
                let tree = program.types.datas[data].tree();
                match (tree, ctors[ctor as usize].name.as_str()) {
                    (Some(tree), _) => {
                        let mut items = Vec::new();
                        tree_items(program, object, &mut items);
                        Pretty::collection(tree.name(), limited(items.into_iter()))
                    }
                    (None, "::") => Pretty::list("[", ";", "]", list_items(program, object)),
                    (None, name) => Pretty::application(name, shown()),
                }
            }
        },
    }
}

/// The first items, and dots where there are more.
fn limited(mut items: impl Iterator<Item = Pretty>) -> Vec<Pretty> {
    let mut first: Vec<_> = items.by_ref().take(MOST_ITEMS).collect();
    first.extend(items.next().map(|_| Pretty::leaf("...")));
    first
}

fn list_items<P>(program: &Program<P>, first: &Object) -> Vec<Pretty> {
    let mut next = Some(Value::clone(&first.fields.borrow()[1]));
    let mut item = Some(layout(program, &first.fields.borrow()[0]));
    limited(std::iter::from_fn(move || {
        let this = item.take();
        if let Some(Value::Object(cell)) = next.take() {
            item = Some(layout(program, &cell.fields.borrow()[0]));
            next = Some(cell.fields.borrow()[1].clone());
        }
        this
    }))
}

/// The library's trees: left, key (and value), right, height.
fn tree_items<P>(program: &Program<P>, node: &Object, items: &mut Vec<Pretty>) {
    let fields = node.fields.borrow();
    if let Some(Value::Object(left)) = fields.first() {
        tree_items(program, left, items);
    }
    let map = fields.len() == 5;
    if map {
        let parts = fields[1..3].iter().map(|it| layout(program, it)).collect();
        items.push(Pretty::tuple(parts));
    } else if let Some(key) = fields.get(1) {
        items.push(layout(program, key));
    }
    if let Some(Value::Object(right)) = fields.get(if map { 3 } else { 2 }) {
        tree_items(program, right, items);
    }
}

/// Ten digits, and at least one behind the point.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "infinity" } else { "-infinity" }.into();
    }
    let text = c_format::format_float(b"%.10g", value).unwrap_or_default();
    if text.bytes().all(|it| it.is_ascii_digit() || it == b'-') { text + ".0" } else { text }
}

fn plain_float(value: f64) -> String {
    shortest(value, &floats::digits(value.abs()), 15)
}

fn plain_float32(value: f32) -> String {
    shortest(f64::from(value), &floats::digits(value.abs()), 7)
}

/// The digits that mean the value, with an exponent from `most` on.
fn shortest(value: f64, digits: &str, most: i32) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let (digits, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let body = if exponent >= most || exponent < -4 {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let mark = if exponent < 0 { '-' } else { '+' };
        format!("{first}{point}{rest}E{mark}{:02}", exponent.abs())
    } else if exponent < 0 {
        format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
    } else {
        let whole = exponent as usize + 1;
        if digits.len() <= whole {
            format!("{digits}{}", "0".repeat(whole - digits.len()))
        } else {
            format!("{}.{}", &digits[..whole], &digits[whole..])
        }
    };
    format!("{sign}{body}")
}
