//! The values of attributes: read from ops, and made for them.

use melior::Context;
use melior::ir::attribute::{
    ArrayAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute,
    StringAttribute, TypeAttribute,
};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, AttributeLike, Type};
use mlir_sys as sys;

use crate::builder::Op;
use crate::inspect::{attr, bytes_of, list, name_of, remove_attr, set_attr};

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Until its last reference is gone.
    Counted,
    /// In the frame of its function.
    Stack,
    /// A constant, part of the program.
    Static,
}

impl Storage {
    /// As it stands in the text of a module.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Stack => "stack",
            Self::Static => "static",
        }
    }

    pub(super) fn read(attribute: Attribute<'_>) -> Self {
        let all = [Self::Counted, Self::Stack, Self::Static];
        word(attribute, all, Self::word)
    }
}

/// What is known of the calls of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlineHint {
    Always,
    Never,
    /// Called rarely: its calls leave registers alone.
    Cold,
    /// Made quickly, not to run quickly.
    Rare,
}

impl InlineHint {
    /// As it stands in the text of a module.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::Cold => "cold",
            Self::Rare => "rare",
        }
    }

    pub(super) fn read(attribute: Attribute<'_>) -> Self {
        word(attribute, [Self::Always, Self::Never, Self::Cold, Self::Rare], Self::word)
    }
}

/// What calls do with the closure whose code they call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnClosure {
    /// Every call lends it.
    Lent,
    /// Every call hands it over.
    Owned,
    /// Its address says which.
    Either,
}

impl OwnClosure {
    /// As it stands in the text of a module.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lent => "lent",
            Self::Owned => "owned",
            Self::Either => "either",
        }
    }

    pub(super) fn read(attribute: Attribute<'_>) -> Self {
        word(attribute, [Self::Lent, Self::Owned, Self::Either], Self::word)
    }
}

/// The one that has this word; the verifier lets no others pass.
fn word<T: Copy, const N: usize>(
    attribute: Attribute<'_>,
    all: [T; N],
    word: impl Fn(T) -> &'static str,
) -> T {
    let text = read_text(attribute);
    let found = all.into_iter().find(|it| word(*it) == text);
    found.unwrap_or_else(|| panic!("the verifier lets no {text} pass"))
}

/// An attribute that is to be made.
pub(super) enum AttrValue<'c> {
    Unit,
    U32(u32),
    Text(String),
    Bytes(Vec<u8>),
    Symbol(String),
    Type(Type<'c>),
    Types(Vec<Type<'c>>),
    Texts(Vec<String>),
    Numbers(Vec<u32>),
    Ctors(Vec<Vec<Type<'c>>>),
}

impl<'c> AttrValue<'c> {
    pub(super) fn make(&self, context: &'c Context) -> Attribute<'c> {
        let types = |it: &[Type<'c>]| -> Attribute<'c> {
            let all: Vec<_> = it.iter().map(|&it| TypeAttribute::new(it).into()).collect();
            ArrayAttribute::new(context, &all).into()
        };
        match self {
            Self::Unit => Attribute::unit(context),
            Self::U32(it) => {
                IntegerAttribute::new(IntegerType::new(context, 32).into(), (*it).into()).into()
            }
            Self::Text(it) => StringAttribute::new(context, it).into(),
            Self::Bytes(it) => {
                let text = sys::MlirStringRef { data: it.as_ptr().cast(), length: it.len() };
                // SAFETY: MLIR copies the bytes, and the context owns the attribute.
                unsafe { Attribute::from_raw(sys::mlirStringAttrGet(context.to_raw(), text)) }
            }
            Self::Symbol(it) => FlatSymbolRefAttribute::new(context, it).into(),
            Self::Type(it) => TypeAttribute::new(*it).into(),
            Self::Types(it) => types(it),
            Self::Texts(it) => {
                let all: Vec<_> =
                    it.iter().map(|it| StringAttribute::new(context, it).into()).collect();
                ArrayAttribute::new(context, &all).into()
            }
            Self::Numbers(it) => {
                let all: Vec<_> = it.iter().map(|&it| it as i32).collect();
                DenseI32ArrayAttribute::new(context, &all).into()
            }
            Self::Ctors(it) => {
                let all: Vec<_> = it.iter().map(|it| types(it)).collect();
                ArrayAttribute::new(context, &all).into()
            }
        }
    }
}

pub(super) fn owned_texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&it| it.into()).collect()
}

/// An attribute that the op's definition requires.
pub(super) fn required<'c>(op: Op<'c>, name: &str) -> Attribute<'c> {
    attr(op, name).unwrap_or_else(|| panic!("{} has {name}", name_of(op)))
}

pub(super) fn set<'c>(op: Op<'c>, name: &str, value: &AttrValue<'c>) {
    let context = op.context();
    // SAFETY: the reference is to the variable above, which outlives its use here.
    let context = unsafe { context.to_ref() };
    set_attr(op, name, value.make(context));
}

pub(super) fn set_flag(op: Op<'_>, name: &str, value: bool) {
    match (value, attr(op, name)) {
        (true, None) => set(op, name, &AttrValue::Unit),
        (false, Some(_)) => remove_attr(op, name),
        // MLIR removes only what is there.
        (true, Some(_)) | (false, None) => (),
    }
}

pub(super) fn read_u32(attribute: Attribute<'_>) -> u32 {
    // SAFETY: the op's definition, which its accessor was made from, says that it is an integer of 32 bits.
    unsafe { sys::mlirIntegerAttrGetValueInt(attribute.to_raw()) as u32 }
}

pub(super) fn read_bytes<'c>(attribute: Attribute<'c>) -> &'c [u8] {
    let attribute = StringAttribute::try_from(attribute).expect("a string attribute");
    // SAFETY: it is a string, as just asked, and owned by the context, which lives for 'c.
    unsafe { bytes_of(sys::mlirStringAttrGetValue(attribute.to_raw())) }
}

pub(super) fn read_text<'c>(attribute: Attribute<'c>) -> &'c str {
    std::str::from_utf8(read_bytes(attribute)).expect("names are text")
}

pub(super) fn read_symbol<'c>(attribute: Attribute<'c>) -> &'c str {
    // SAFETY: the op's definition says that it is a symbol; the context, which lives for 'c, owns its name.
    let bytes = unsafe { bytes_of(sys::mlirFlatSymbolRefAttrGetValue(attribute.to_raw())) };
    std::str::from_utf8(bytes).expect("symbols are text")
}

pub(super) fn read_type<'c>(attribute: Attribute<'c>) -> Type<'c> {
    TypeAttribute::try_from(attribute).expect("a type attribute").value()
}

pub(super) fn read_types<'c>(attribute: Attribute<'c>) -> Vec<Type<'c>> {
    list(attribute).into_iter().map(read_type).collect()
}

pub(super) fn read_texts<'c>(attribute: Attribute<'c>) -> Vec<&'c str> {
    list(attribute).into_iter().map(read_text).collect()
}

pub(super) fn read_ctors<'c>(attribute: Attribute<'c>) -> Vec<Vec<Type<'c>>> {
    list(attribute).into_iter().map(read_types).collect()
}

pub(super) fn read_numbers(attribute: Attribute<'_>) -> Vec<u32> {
    // SAFETY: the op's definition says that it is a list of i32, and each index is below its length.
    unsafe {
        (0..sys::mlirDenseArrayGetNumElements(attribute.to_raw()))
            .map(|at| sys::mlirDenseI32ArrayGetElement(attribute.to_raw(), at) as u32)
            .collect()
    }
}
