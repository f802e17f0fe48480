//! Values at run time.

use std::cell::RefCell;
use std::rc::Rc;

use crate::{DataId, ExnId, IntWidth, LambdaId};

#[derive(Clone)]
pub(super) enum Value {
    Unit,
    Bool(bool),
    /// OCaml's `int`, sign-extended from 63 bits.
    Int(i64),
    Int32(i32),
    Int64(i64),
    /// Of the other widths.
    Sized(IntWidth, i64),
    Float(f64),
    Float32(f32),
    Char(u8),
    /// A number that stands among constructors and is none: `%word.of_mark`.
    Mark(i64),
    /// A constructor without fields.
    Constant {
        data: DataId,
        ctor: u32,
    },
    /// A string or bytes: `%bytes.unsafe_to_string` makes one the other.
    Bytes(Rc<RefCell<Vec<u8>>>),
    Object(Rc<Object>),
    /// A mutable variable's place, shared by the closures that capture it. Stands in
    /// frames, never in other values.
    Cell(Rc<RefCell<Value>>),
    /// Not yet set.
    Undefined,
}

/// A block with identity.
pub(super) struct Object {
    pub kind: ObjectKind,
    pub fields: RefCell<Vec<Value>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ObjectKind {
    Tuple,
    /// A record (`ctor` 0) or a constructor with fields.
    Data {
        data: DataId,
        ctor: u32,
    },
    Array,
    Exn(ExnId),
    /// The fields are the captured variables.
    Closure(LambdaId),
    /// The fields are the arguments so far, the last one first, then the function.
    Partial,
}

impl Value {
    pub fn object(kind: ObjectKind, fields: Vec<Value>) -> Self {
        Self::Object(Rc::new(Object { kind, fields: RefCell::new(fields) }))
    }

    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Bytes(Rc::new(RefCell::new(bytes.into())))
    }

    /// The integer of a width, wrapped to it.
    pub fn wrap(width: IntWidth, value: i64) -> Self {
        match width {
            IntWidth::I63 => Self::Int((value << 1) >> 1),
            IntWidth::I32 => Self::Int32(value as i32),
            IntWidth::I64 => Self::Int64(value),
            IntWidth::I8
            | IntWidth::I16
            | IntWidth::U8
            | IntWidth::U16
            | IntWidth::U32
            | IntWidth::U64 => Self::Sized(width, width.wrap(value)),
        }
    }

    /// A word for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Bool(_) => "a bool",
            Self::Int(_) => "an int",
            Self::Int32(_) => "an int32",
            Self::Int64(_) => "an int64",
            Self::Sized(..) => "a sized integer",
            Self::Float(_) => "a float",
            Self::Float32(_) => "a float32",
            Self::Char(_) => "a char",
            Self::Mark(_) => "a mark",
            Self::Constant { .. } => "a constant constructor",
            Self::Bytes(_) => "a string",
            Self::Object(object) => match object.kind {
                ObjectKind::Tuple => "a tuple",
                ObjectKind::Data { .. } => "a record or constructor",
                ObjectKind::Array => "an array",
                ObjectKind::Exn(_) => "an exception",
                ObjectKind::Closure(_) | ObjectKind::Partial => "a function",
            },
            Self::Cell(_) => "a variable",
            Self::Undefined => "an undefined value",
        }
    }
}

/// Frees long lists and chains of closures in a loop: one frame for each link would
/// overflow the stack.
impl Drop for Object {
    fn drop(&mut self) {
        let fields = self.fields.get_mut();
        if !fields.iter().any(|it| matches!(it, Value::Object(_))) {
            return;
        }
        let mut pending = std::mem::take(fields);
        while let Some(value) = pending.pop() {
            if let Value::Object(object) = value
                && let Some(mut object) = Rc::into_inner(object)
            {
                pending.append(object.fields.get_mut());
            }
        }
    }
}
