//! Data as the reader makes them: the syntax of programs and the constants in them.

use oxbow_base::{Span, Symbol};

/// Before parameters that may be left out.
pub const OPTIONAL: &str = "#!optional";

/// What begins a keyword.
pub const KEYWORD: &str = "#:";

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
    /// A complex number, in the same syntax.
    Complex(String),
}

/// Fixnums have 62 bits.
pub const MAX_FIXNUM: i64 = (1 << 61) - 1;
pub const MIN_FIXNUM: i64 = -(1 << 61);

impl Datum {
    /// Does a part of it refer to a whole that it is in?
    pub fn has_labels(&self) -> bool {
        match &self.kind {
            DatumKind::Labelled(..) | DatumKind::Reference(_) => true,
            DatumKind::List(items, tail) => {
                items.iter().chain(tail.as_deref()).any(Self::has_labels)
            }
            DatumKind::Vector(items) => items.iter().any(Self::has_labels),
            _ => false,
        }
    }

    /// A word such as `#:by`, which names an argument.
    pub fn keyword(&self) -> Option<Symbol> {
        match self.kind {
            DatumKind::Ident(Ident::Plain(name)) if name.as_str().starts_with(KEYWORD) => {
                Some(name)
            }
            _ => None,
        }
    }

    /// Is a complex number in it?
    pub fn has_complex(&self) -> bool {
        match &self.kind {
            DatumKind::Number(Number::Complex(_)) => true,
            DatumKind::List(items, tail) => {
                items.iter().chain(tail.as_deref()).any(Self::has_complex)
            }
            DatumKind::Vector(items) => items.iter().any(Self::has_complex),
            DatumKind::Labelled(_, datum) => datum.has_complex(),
            _ => false,
        }
    }

    /// How many data it is, with all that are in it.
    pub fn size(&self) -> usize {
        let all = |items: &[Self]| items.iter().map(Self::size).sum::<usize>();
        1 + match &self.kind {
            DatumKind::List(items, tail) => all(items) + tail.as_ref().map_or(0, |it| it.size()),
            DatumKind::Vector(items) => all(items),
            DatumKind::Labelled(_, datum) => datum.size(),
            _ => 0,
        }
    }

    /// In the syntax that `read` takes.
    pub fn text(&self) -> String {
        let all = |items: &[Self]| items.iter().map(Self::text).collect::<Vec<_>>().join(" ");
        match &self.kind {
            DatumKind::Bool(value) => (if *value { "#t" } else { "#f" }).into(),
            DatumKind::Char(code) => format!("#\\x{code:x}"),
            DatumKind::String(text) => quoted(text, '"'),
            DatumKind::Ident(Ident::Plain(symbol)) => quoted(symbol.as_str(), '|'),
            DatumKind::Ident(Ident::Alias(_)) => oxbow_diag::ice!("an alias in a constant"),
            DatumKind::Number(Number::Fixnum(value)) => value.to_string(),
            DatumKind::Number(Number::Flonum(value)) if value.is_nan() => "+nan.0".into(),
            DatumKind::Number(Number::Flonum(value)) if value.is_infinite() => {
                (if *value > 0.0 { "+inf.0" } else { "-inf.0" }).into()
            }
            DatumKind::Number(Number::Flonum(value)) => format!("{value:?}"),
            DatumKind::Number(Number::Exact(text) | Number::Complex(text)) => text.clone(),
            DatumKind::List(items, None) => format!("({})", all(items)),
            DatumKind::List(items, Some(tail)) => format!("({} . {})", all(items), tail.text()),
            DatumKind::Vector(items) => format!("#({})", all(items)),
            DatumKind::Bytes(bytes) => {
                let bytes: Vec<_> = bytes.iter().map(u8::to_string).collect();
                format!("#u8({})", bytes.join(" "))
            }
            DatumKind::Labelled(label, datum) => format!("#{label}={}", datum.text()),
            DatumKind::Reference(label) => format!("#{label}#"),
        }
    }

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

/// Text between two of these characters.
fn quoted(text: &str, mark: char) -> String {
    let mut out = String::from(mark);
    for c in text.chars() {
        match c {
            _ if c == mark || c == '\\' => out.extend(['\\', c]),
            _ if c.is_control() => out.push_str(&format!("\\x{:x};", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push(mark);
    out
}
