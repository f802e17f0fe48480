//! Polymorphic comparison, as OCaml's `compare` and its relatives do it.
//!
//! Constants come before blocks, blocks are ordered by tag, then size, then fields.
//! `compare` is total: a `nan` is equal to itself and below every float. The other
//! relations fail on the first `nan` that decides.

use std::cmp::Ordering;
use std::rc::Rc;

use super::layout::Layout;
use super::value::{Object, ObjectKind, Value};
use crate::{IntWidth, OrderOp};

/// A function was compared.
pub(super) struct FunctionalValue;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Total,
    Partial,
}

enum Outcome {
    Decided(Option<Ordering>),
    Fields(Rc<Object>, Rc<Object>),
}

pub(super) fn order(
    layout: &Layout,
    op: OrderOp,
    a: &Value,
    b: &Value,
) -> Result<Value, FunctionalValue> {
    let mode = if op == OrderOp::Compare { Mode::Total } else { Mode::Partial };
    let result = compare(layout, mode, a, b)?;
    Ok(match op {
        OrderOp::Eq => Value::Bool(result == Some(Ordering::Equal)),
        OrderOp::Ne => Value::Bool(result != Some(Ordering::Equal)),
        OrderOp::Lt => Value::Bool(result == Some(Ordering::Less)),
        OrderOp::Le => Value::Bool(result.is_some_and(Ordering::is_le)),
        OrderOp::Gt => Value::Bool(result == Some(Ordering::Greater)),
        OrderOp::Ge => Value::Bool(result.is_some_and(Ordering::is_ge)),
        OrderOp::Compare => Value::Int(result.map_or(0, |it| it as i64)),
    })
}

/// `None` if a `nan` makes the operands incomparable.
fn compare(
    layout: &Layout,
    mode: Mode,
    a: &Value,
    b: &Value,
) -> Result<Option<Ordering>, FunctionalValue> {
    // Blocks that are being compared, with the next field of each. An entry is popped
    // with its last field, so a list needs one entry at a time.
    let mut open: Vec<(Rc<Object>, Rc<Object>, usize)> = Vec::new();
    let mut outcome = compare_one(layout, mode, a, b)?;
    loop {
        match outcome {
            Outcome::Decided(Some(Ordering::Equal)) => (),
            Outcome::Decided(other) => return Ok(other),
            Outcome::Fields(a, b) => {
                if !a.fields.borrow().is_empty() {
                    open.push((a, b, 0));
                }
            }
        }
        let Some((a, b, index)) = open.pop() else { return Ok(Some(Ordering::Equal)) };
        let field = |object: &Object| object.fields.borrow()[index].clone();
        outcome = compare_one(layout, mode, &field(&a), &field(&b))?;
        let count = a.fields.borrow().len();
        if index + 1 < count {
            open.push((a, b, index + 1));
        }
    }
}

fn compare_one(
    layout: &Layout,
    mode: Mode,
    a: &Value,
    b: &Value,
) -> Result<Outcome, FunctionalValue> {
    if let (Some(a), Some(b)) = (layout.place(a), layout.place(b))
        && a != b
    {
        return Ok(Outcome::Decided(Some(a.cmp(&b))));
    }
    let (a, b) = (&layout.listed(a), &layout.listed(b));
    if let Some(outcome) = compare_suspended(layout, mode, a, b)? {
        return Ok(outcome);
    }
    let decided = match (a, b) {
        (Value::Float(a), Value::Float(b)) => compare_floats(mode, *a, *b),
        (Value::Float32(a), Value::Float32(b)) => {
            compare_floats(mode, f64::from(*a), f64::from(*b))
        }
        (Value::Sized(IntWidth::U64, a), Value::Sized(IntWidth::U64, b)) => {
            Some((*a as u64).cmp(&(*b as u64)))
        }
        (Value::Bytes(a), Value::Bytes(b)) => Some(a.borrow().cmp(&b.borrow())),
        (Value::Object(a), Value::Object(b)) => return compare_objects(layout, mode, a, b),
        _ => match (immediate(layout, a), immediate(layout, b)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            (Some(_), None) => Some(Ordering::Less),
            (None, Some(_)) => Some(Ordering::Greater),
            // Blocks of different sorts: no type has such values.
            (None, None) => Some(Ordering::Equal),
        },
    };
    Ok(Outcome::Decided(decided))
}

/// If one of them is a suspension that is not evaluated.
fn compare_suspended(
    layout: &Layout,
    mode: Mode,
    a: &Value,
    b: &Value,
) -> Result<Option<Outcome>, FunctionalValue> {
    let suspended = |it: &Value| match it {
        Value::Object(object) => layout.suspended(object),
        _ => None,
    };
    let (left, right) = (suspended(a), suspended(b));
    match (left, right) {
        (None, None) => Ok(None),
        (Some((left, x)), Some((right, y))) if left == right => {
            compare_one(layout, mode, &x, &y).map(Some)
        }
        (left, right) => {
            let tag = |it: Option<(u32, Value)>, value| match it {
                Some((tag, _)) => Some(tag),
                None => tag_of(layout, value),
            };
            let outcome = tag(left, a).cmp(&tag(right, b));
            Ok(Some(Outcome::Decided(Some(outcome))))
        }
    }
}

fn compare_objects(
    layout: &Layout,
    mode: Mode,
    a: &Rc<Object>,
    b: &Rc<Object>,
) -> Result<Outcome, FunctionalValue> {
    let (same, reference) = (Rc::ptr_eq(a, b), layout.is_reference(a));
    if same && (reference || mode == Mode::Total) {
        return Ok(Outcome::Decided(Some(Ordering::Equal)));
    }
    // They are different; there is no order to be asked for.
    if reference {
        return Ok(Outcome::Decided(None));
    }
    let is_function = |it: &Object| matches!(it.kind, ObjectKind::Closure(_) | ObjectKind::Partial);
    if is_function(a) || is_function(b) {
        return Err(FunctionalValue);
    }
    let (size_a, size_b) = (a.fields.borrow().len(), b.fields.borrow().len());
    let shape = tag(layout, a).cmp(&tag(layout, b)).then(size_a.cmp(&size_b));
    let shape = match (a.kind, b.kind) {
        (ObjectKind::Exn(a), ObjectKind::Exn(b)) => shape.then(a.cmp(&b)),
        _ => shape,
    };
    Ok(match shape {
        Ordering::Equal => Outcome::Fields(a.clone(), b.clone()),
        other => Outcome::Decided(Some(other)),
    })
}

/// The tag of a value that is a block in OCaml.
pub(super) fn tag_of(layout: &Layout, value: &Value) -> Option<u32> {
    match value {
        Value::Unit
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Char(_)
        | Value::Mark(_)
        | Value::Constant { .. }
        | Value::Cell(_)
        | Value::Undefined => None,
        Value::Int32(_) | Value::Int64(_) | Value::Sized(..) => Some(255),
        Value::Float(_) | Value::Float32(_) => Some(253),
        Value::Bytes(_) => Some(252),
        Value::Object(object) => {
            let flat = match object.kind {
                ObjectKind::Data { data, .. } => layout.is_flat(data),
                ObjectKind::Array => {
                    matches!(object.fields.borrow().first(), Some(Value::Float(_)))
                }
                _ => false,
            };
            Some(if flat { 254 } else { tag(layout, object) })
        }
    }
}

/// The tag of a block. A constant exception is an object in OCaml.
pub(super) fn tag(layout: &Layout, object: &Object) -> u32 {
    match object.kind {
        ObjectKind::Data { data, ctor } => layout.number(data, ctor),
        ObjectKind::Exn(_) if object.fields.borrow().is_empty() => 248,
        ObjectKind::Tuple | ObjectKind::Array | ObjectKind::Exn(_) => 0,
        ObjectKind::Closure(_) | ObjectKind::Partial => 247,
    }
}

/// The integer of a value that is none but one in OCaml, or that compares as one.
pub(super) fn immediate(layout: &Layout, value: &Value) -> Option<i64> {
    match value {
        Value::Unit => Some(0),
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Int(value) | Value::Int64(value) => Some(*value),
        Value::Int32(value) => Some(i64::from(*value)),
        Value::Sized(_, value) => Some(*value),
        Value::Char(value) => Some(i64::from(*value)),
        Value::Constant { data, ctor } => Some(i64::from(layout.number(*data, *ctor))),
        Value::Float(_)
        | Value::Float32(_)
        | Value::Mark(_)
        | Value::Bytes(_)
        | Value::Object(_)
        | Value::Cell(_)
        | Value::Undefined => None,
    }
}

fn compare_floats(mode: Mode, a: f64, b: f64) -> Option<Ordering> {
    match (a.partial_cmp(&b), mode) {
        (None, Mode::Total) => Some(b.is_nan().cmp(&a.is_nan())),
        (result, _) => result,
    }
}

/// `==`: the same object, or the same scalar.
pub(super) fn same(layout: &Layout, a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Float32(a), Value::Float32(b)) => a.to_bits() == b.to_bits(),
        (Value::Bytes(a), Value::Bytes(b)) => Rc::ptr_eq(a, b),
        (Value::Object(x), Value::Object(y)) => {
            Rc::ptr_eq(x, y)
                || match (layout.plain(a), layout.plain(b)) {
                    (Some(a), Some(b)) => same(layout, &a, &b),
                    _ => false,
                }
        }
        (Value::Mark(a), Value::Mark(b)) => a == b,
        // An int that `%word.of_int` put among constructors.
        (Value::Int(_), Value::Constant { .. }) | (Value::Constant { .. }, Value::Int(_)) => false,
        _ => immediate(layout, a).is_some_and(|a| immediate(layout, b) == Some(a)),
    }
}
