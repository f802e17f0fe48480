//! Taking values apart, with a fault when they are not what they should be.

use std::rc::Rc;

use super::eval::{Result, fault};
use super::layout::Layout;
use super::value::{Object, ObjectKind, Value};
use crate::IntWidth;

impl Value {
    fn expected<T>(&self, what: &str) -> Result<T> {
        fault(format!("{} where {what} is expected", self.describe()))
    }

    pub fn as_bool(&self) -> Result<bool> {
        match self {
            Self::Bool(value) => Ok(*value),
            _ => self.expected("a bool"),
        }
    }

    pub fn as_int(&self) -> Result<i64> {
        match self {
            Self::Int(value) => Ok(*value),
            _ => self.expected("an int"),
        }
    }

    pub fn as_width(&self, width: IntWidth) -> Result<i64> {
        match self.as_any_int()? {
            (found, value) if found == width => Ok(value),
            _ => self.expected(width.name()),
        }
    }

    pub fn as_any_int(&self) -> Result<(IntWidth, i64)> {
        match self {
            Self::Int(value) => Ok((IntWidth::I63, *value)),
            Self::Int32(value) => Ok((IntWidth::I32, i64::from(*value))),
            Self::Int64(value) => Ok((IntWidth::I64, *value)),
            Self::Sized(width, value) => Ok((*width, *value)),
            _ => self.expected("an integer"),
        }
    }

    pub fn as_float(&self) -> Result<f64> {
        match self {
            Self::Float(value) => Ok(*value),
            _ => self.expected("a float"),
        }
    }

    pub fn as_char(&self) -> Result<u8> {
        match self {
            Self::Char(value) => Ok(*value),
            _ => self.expected("a char"),
        }
    }

    /// The contents of a string or of bytes, copied.
    pub fn as_string(&self) -> Result<Vec<u8>> {
        self.with_bytes(|bytes| Ok(bytes.clone()))
    }

    pub fn with_bytes<T>(&self, read: impl FnOnce(&Vec<u8>) -> Result<T>) -> Result<T> {
        match self {
            Self::Bytes(bytes) => read(&bytes.borrow()),
            _ => self.expected("a string"),
        }
    }

    pub fn with_bytes_mut<T>(&self, write: impl FnOnce(&mut Vec<u8>) -> Result<T>) -> Result<T> {
        match self {
            Self::Bytes(bytes) => write(&mut bytes.borrow_mut()),
            _ => self.expected("bytes"),
        }
    }

    pub fn as_array(&self) -> Result<&Rc<Object>> {
        match self {
            Self::Object(object) if object.kind == ObjectKind::Array => Ok(object),
            _ => self.expected("an array"),
        }
    }

    /// The kind that an object with constructor `ctor` of this value's type has.
    pub fn data_kind(&self, layout: &Layout, ctor: u32) -> Result<ObjectKind> {
        match self {
            Self::Object(object) => match object.kind {
                ObjectKind::Data { data, .. } => {
                    Ok(ObjectKind::Data { data, ctor: layout.same_tag(data, ctor) })
                }
                _ => self.expected("a record or constructor"),
            },
            _ => self.expected("a record or constructor"),
        }
    }

    pub fn field(&self, kind: ObjectKind, index: u32) -> Result<Value> {
        if let Self::Object(object) = self
            && object.kind == kind
            && let Some(value) = object.fields.borrow().get(index as usize)
        {
            return Ok(value.clone());
        }
        self.expected(&format!("{kind:?} with field {index}"))
    }

    pub fn set_field(&self, kind: ObjectKind, index: u32, value: Value) -> Result<()> {
        if let Self::Object(object) = self
            && object.kind == kind
            && let Some(place) = object.fields.borrow_mut().get_mut(index as usize)
        {
            *place = value;
            return Ok(());
        }
        self.expected(&format!("{kind:?} with field {index}"))
    }
}
