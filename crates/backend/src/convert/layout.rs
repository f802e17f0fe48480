//! Dialect types as LLVM types.
//!
//! ```text
//! value        i1, i8, i32, i64, f32, f64 as they are; a pair is a struct; the rest are pointers
//! in memory    the same, but i1 takes a byte
//! ```
//!
//! Where fields lie is for `oxbow_dialect::layout`.

use oxbow_dialect::layout::{self, Fields};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::dialect::llvm;
use oxbow_dialect::melior::ir::{Type, TypeLike};
use oxbow_dialect::{Kind, OcamlType, Types};

#[derive(Clone, Copy)]
pub struct Layout<'c> {
    pub types: Types<'c>,
    pub ptr: Type<'c>,
    pub void: Type<'c>,
}

impl<'c> Layout<'c> {
    pub fn new(context: &'c Context) -> Self {
        Self {
            types: Types::new(context),
            ptr: llvm::r#type::pointer(context, 0),
            void: llvm::r#type::void(context),
        }
    }

    /// The type of a value in registers.
    pub fn value(&self, ty: Type<'c>) -> Type<'c> {
        match ty.pair_parts() {
            Some([first, second]) => self.record(&[self.value(first), self.value(second)]),
            None if is_scalar(ty) => ty,
            None => self.ptr,
        }
    }

    /// The type of a value in memory.
    pub fn memory(&self, ty: Type<'c>) -> Type<'c> {
        match ty.pair_parts() {
            Some([first, second]) => self.record(&[self.memory(first), self.memory(second)]),
            None if ty == self.types.i1 => self.types.i8,
            None => self.value(ty),
        }
    }

    pub fn record(&self, fields: &[Type<'c>]) -> Type<'c> {
        llvm::r#type::r#struct(self.types.context, fields, false)
    }

    /// A value's registers, as parameters and block arguments hold it: LLVM sees through
    /// scalars much better than through structs.
    pub fn flat(&self, ty: Type<'c>) -> Vec<Type<'c>> {
        match ty.pair_parts() {
            Some(parts) => parts.iter().map(|&it| self.value(it)).collect(),
            None => vec![self.value(ty)],
        }
    }

    pub fn flat_all(&self, types: &[Type<'c>]) -> Vec<Type<'c>> {
        types.iter().flat_map(|&it| self.flat(it)).collect()
    }

    /// What a function returns: its value, with the exception behind it if it may raise.
    pub fn result_parts(&self, value: Type<'c>, raises: bool) -> Vec<Type<'c>> {
        let mut parts = self.flat(value);
        parts.extend(raises.then_some(self.ptr));
        parts
    }

    /// The same as one type.
    pub fn result(&self, value: Type<'c>, raises: bool) -> Type<'c> {
        match self.result_parts(value, raises)[..] {
            [single] => single,
            ref parts => self.record(parts),
        }
    }

    pub fn function(&self, params: &[Type<'c>], result: Type<'c>) -> Type<'c> {
        llvm::r#type::function(result, params, false)
    }

    pub fn size_align(&self, ty: Type<'c>) -> (u64, u64) {
        let extent = layout::extent(ty);
        (extent.size, extent.align)
    }

    pub fn fields(&self, types: &[Type<'c>]) -> Fields {
        layout::fields(0, types)
    }

    /// Fields behind `start` bytes of something else.
    pub fn fields_from(&self, start: u64, types: &[Type<'c>]) -> Fields {
        layout::fields(start, types)
    }

    /// Integer and float registers that arguments of these types take.
    pub fn registers_of(&self, types: &[Type<'c>]) -> (usize, usize) {
        types.iter().map(|&it| self.registers(it)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Does a value of this type hold a reference that counts? The address of a variable does not.
    pub fn is_counted(&self, ty: Type<'c>) -> bool {
        !matches!(ty.kind(), Kind::Foreign | Kind::Box | Kind::Region)
    }

    /// How many integer and float registers a value takes as an argument.
    fn registers(&self, ty: Type<'c>) -> (usize, usize) {
        match ty.pair_parts() {
            Some([first, second]) => {
                let (a, b) = (self.registers(first), self.registers(second));
                (a.0 + b.0, a.1 + b.1)
            }
            None if ty == self.types.f64 || ty == self.types.f32 => (0, 1),
            None => (1, 0),
        }
    }
}

/// An integer or float.
fn is_scalar(ty: Type<'_>) -> bool {
    ty.is_integer() || ty.is_float()
}
