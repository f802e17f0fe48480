//! Data as the reader makes them: the syntax of programs and the constants in them.

use oxbow_base::{Span, Symbol};

/// A name in syntax. A macro's template inserts aliases: each remembers what the
/// name meant where the macro was defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ident {
    Plain(Symbol),
    Alias(u32),
}

#[derive(Clone, Debug)]
pub struct Datum {
    pub kind: DatumKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DatumKind {
    Bool(bool),
    Char(u32),
    String(String),
    Ident(Ident),
    Number(Number),
    /// `(a b . c)`; an improper list has at least one item. `()` has no items.
    List(Vec<Datum>, Option<Box<Datum>>),
    Vector(Vec<Datum>),
    Bytes(Vec<u8>),
    /// `#0=datum`, kept where the datum mentions its own label.
    Labelled(u32, Box<Datum>),
    /// `#0#`
    Reference(u32),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An exact integer that fits a fixnum.
    Fixnum(i64),
    Flonum(f64),
    /// Another exact number, in the syntax that `string->number` reads.
    Exact(String),
}

/// Fixnums have 62 bits.
pub const MAX_FIXNUM: i64 = (1 << 61) - 1;
pub const MIN_FIXNUM: i64 = -(1 << 61);

impl Datum {
    pub fn new(kind: DatumKind, span: Span) -> Self {
        Self { kind, span }
    }

    pub fn list(items: Vec<Datum>, span: Span) -> Self {
        Self::new(DatumKind::List(items, None), span)
    }

    pub fn symbol(text: &str, span: Span) -> Self {
        Self::new(DatumKind::Ident(Ident::Plain(Symbol::new(text))), span)
    }

    pub fn as_ident(&self) -> Option<Ident> {
        match self.kind {
            DatumKind::Ident(ident) => Some(ident),
            _ => None,
        }
    }

    /// The items of a proper list.
    pub fn as_list(&self) -> Option<&[Datum]> {
        match &self.kind {
            DatumKind::List(items, None) => Some(items),
            _ => None,
        }
    }

    pub fn is_nil(&self) -> bool {
        matches!(&self.kind, DatumKind::List(items, None) if items.is_empty())
    }
}
