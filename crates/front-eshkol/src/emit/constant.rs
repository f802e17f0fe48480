//! Constants: items before all others, equal small ones shared.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast;

use super::{DATA, Emitter, NUMBER_TEXT, PORT, TEXT, VALUE, form_type};
use crate::builtin::Form;
use crate::datum::{Datum, DatumKind, Ident, Number};
use crate::ml;

/// Longer lists are made from an array, so that the tree stays flat.
const LONG: usize = 40;
/// Constants of more data are read when the program starts: code that makes them would be much longer than their text.
const READ: usize = 300;
/// Where a program changes pairs, constants that hold some are made at its start, and those of more data by a text that
/// stands for them.
const PACKED: usize = 3;

impl Emitter<'_> {
    /// A constant and the form that it has.
    pub(super) fn constant(&mut self, datum: &Datum) -> (ast::Expr, Form) {
        let span = datum.span;
        match &datum.kind {
            DatumKind::Bool(value) => (ml::boolean(*value, span), Form::Bool),
            DatumKind::Number(Number::Fixnum(value)) => (ml::int(*value, span), Form::Int),
            DatumKind::Number(Number::Flonum(value)) => (ml::float(*value, span), Form::Float),
            _ => (self.constant_value(datum), Form::Dyn),
        }
    }

    /// The constant as a value.
    pub(super) fn constant_value(&mut self, datum: &Datum) -> ast::Expr {
        let span = datum.span;
        match &datum.kind {
            DatumKind::Bool(value) => {
                ml::construct(VALUE, if *value { "True" } else { "False" }, Vec::new(), span)
            }
            DatumKind::Number(Number::Fixnum(value)) => {
                ml::call(VALUE, "of_int", vec![ml::int(*value, span)], span)
            }
            DatumKind::Number(Number::Flonum(value)) if oxbow_abi::float_word(*value).is_some() => {
                ml::call(VALUE, "of_float_word", vec![ml::float(*value, span)], span)
            }
            DatumKind::List(items, None) if items.is_empty() => {
                ml::construct(VALUE, "Nil", Vec::new(), span)
            }
            DatumKind::Char(code) => {
                ml::call(VALUE, "of_char", vec![ml::int(i64::from(*code), span)], span)
            }
            DatumKind::Ident(Ident::Plain(symbol)) => {
                let number = self.symbol_number(symbol.as_str());
                ml::call(VALUE, "symbol_of_number", vec![ml::int(number, span)], span)
            }
            _ => self.shared(datum),
        }
    }

    /// Symbols are known by numbers; the program says at its start which names they have.
    fn symbol_number(&mut self, name: &str) -> i64 {
        let next = self.symbols.len() as i64;
        if let Some(&number) = self.symbol_numbers.get(name) {
            return number;
        }
        self.symbol_numbers.insert(name.to_string(), next);
        self.symbols.push(name.to_string());
        next
    }

    /// The item that names the symbols.
    pub(super) fn symbol_item(&self, span: Span) -> Option<ast::Item> {
        if self.symbols.is_empty() {
            return None;
        }
        let names = self.symbols.iter().map(|it| ml::string(it, span)).collect();
        let call = ml::call(VALUE, "known_symbols", vec![ml::array(names, span)], span);
        Some(ml::eval_item(call, span))
    }

    fn shared(&mut self, datum: &Datum) -> ast::Expr {
        let span = datum.span;
        let key = match &datum.kind {
            DatumKind::Number(Number::Flonum(value)) => Some(format!("float {}", value.to_bits())),
            DatumKind::Number(Number::Exact(text) | Number::Complex(text)) => {
                Some(format!("exact {text}"))
            }
            _ => None,
        };
        if let Some(&name) = key.as_ref().and_then(|it| self.known_constants.get(it)) {
            return ml::local(name, span);
        }
        // What refers to itself is read when the program starts, too.
        let value = if datum.has_labels() || datum.size() > READ {
            ml::call(PORT, "constant", vec![ml::string(&datum.text(), span)], span)
        } else if let Some(text) = self.packed_text(datum) {
            ml::call(VALUE, "unpacked", vec![ml::string(&text, span)], span)
        } else {
            self.built(datum)
        };
        let name = self.fresh("c");
        self.constant_item(name, value, span);
        if let Some(key) = key {
            self.known_constants.insert(key, name);
        }
        ml::local(name, span)
    }

    /// The text for `unpacked`, where it is shorter than code.
    fn packed_text(&mut self, datum: &Datum) -> Option<String> {
        let has_pairs = matches!(&datum.kind, DatumKind::List(..));
        if !(self.changes_pairs && has_pairs && datum.size() > PACKED && is_packable(datum)) {
            return None;
        }
        let mut text = String::new();
        self.pack(datum, &mut text);
        Some(text)
    }

    fn pack(&mut self, datum: &Datum, text: &mut String) {
        let number = |text: &mut String, mark: char, value: i64| {
            text.push_str(&format!("{mark}{value};"));
        };
        match &datum.kind {
            DatumKind::Bool(value) => text.push(if *value { 't' } else { 'f' }),
            DatumKind::Char(code) => number(text, 'c', i64::from(*code)),
            DatumKind::Number(Number::Fixnum(value)) => number(text, 'i', *value),
            DatumKind::String(it) => {
                number(text, '"', it.len() as i64);
                text.push_str(it);
            }
            DatumKind::Ident(Ident::Plain(symbol)) => {
                let symbol = self.symbol_number(symbol.as_str());
                number(text, 's', symbol);
            }
            DatumKind::List(items, None) if items.is_empty() => text.push('.'),
            DatumKind::List(items, tail) => {
                text.push('(');
                items.iter().for_each(|it| self.pack(it, text));
                match tail {
                    Some(tail) => {
                        text.push('|');
                        self.pack(tail, text);
                    }
                    None => text.push(')'),
                }
            }
            DatumKind::Vector(items) => {
                number(text, '#', items.len() as i64);
                items.iter().for_each(|it| self.pack(it, text));
            }
            DatumKind::Number(Number::Flonum(_) | Number::Exact(_) | Number::Complex(_))
            | DatumKind::Bytes(_)
            | DatumKind::Ident(Ident::Alias(_))
            | DatumKind::Labelled(..)
            | DatumKind::Reference(_) => oxbow_diag::ice!("this is not packed"),
        }
    }

    fn constant_item(&mut self, name: Symbol, value: ast::Expr, span: Span) {
        let pattern = ml::typed_pattern(name, form_type(Form::Dyn, span), span);
        self.constants.push(ml::let_item(false, vec![ml::binding(pattern, value, span)], span));
    }

    fn built(&mut self, datum: &Datum) -> ast::Expr {
        let span = datum.span;
        match &datum.kind {
            DatumKind::String(text) => {
                ml::call(VALUE, "string_of_utf8", vec![ml::string(text, span)], span)
            }
            DatumKind::Ident(Ident::Alias(_)) => oxbow_diag::ice!("an alias in a constant"),
            DatumKind::Number(Number::Flonum(value)) => {
                ml::call(VALUE, "flo", vec![ml::float(*value, span)], span)
            }
            DatumKind::Number(Number::Exact(text) | Number::Complex(text)) => {
                ml::call(NUMBER_TEXT, "literal", vec![ml::string(text, span)], span)
            }
            DatumKind::List(items, tail) => self.built_list(items, tail.as_deref(), span),
            DatumKind::Vector(items) => {
                let items = items.iter().map(|it| self.constant_value(it)).collect();
                ml::construct(VALUE, "Vec", vec![ml::array(items, span)], span)
            }
            DatumKind::Bytes(bytes) => {
                let items = bytes
                    .iter()
                    .map(|&it| ml::call(VALUE, "of_int", vec![ml::int(i64::from(it), span)], span));
                let list = self.array_list(items.collect(), span);
                ml::call(TEXT, "bytevector", vec![ml::string("", span), list], span)
            }
            DatumKind::Labelled(..) | DatumKind::Reference(_) => {
                oxbow_diag::ice!("a constant with labels is made by the reader")
            }
            DatumKind::Bool(_)
            | DatumKind::Char(_)
            | DatumKind::Ident(Ident::Plain(_))
            | DatumKind::Number(Number::Fixnum(_)) => self.constant_value(datum),
        }
    }

    fn array_list(&self, items: Vec<ast::Expr>, span: Span) -> ast::Expr {
        let count = ml::int(items.len() as i64, span);
        let array = ml::array(items, span);
        ml::call(DATA, "list_of_array", vec![array, ml::int(0, span), count], span)
    }

    fn built_list(&mut self, items: &[Datum], tail: Option<&Datum>, span: Span) -> ast::Expr {
        let values: Vec<ast::Expr> = items.iter().map(|it| self.constant_value(it)).collect();
        if tail.is_none() && values.len() > LONG {
            return self.array_list(values, span);
        }
        let end = match tail {
            Some(tail) => self.constant_value(tail),
            None => ml::construct(VALUE, "Nil", Vec::new(), span),
        };
        self.list_of(values, end, span)
    }

    /// `cons a (cons b end)`
    pub(super) fn list_of(&self, values: Vec<ast::Expr>, end: ast::Expr, span: Span) -> ast::Expr {
        values.into_iter().rev().fold(end, |list, it| ml::call(VALUE, "cons", vec![it, list], span))
    }
}

/// Whether `pack` takes all of it.
fn is_packable(datum: &Datum) -> bool {
    match &datum.kind {
        DatumKind::Bool(_)
        | DatumKind::Char(_)
        | DatumKind::Number(Number::Fixnum(_))
        | DatumKind::String(_)
        | DatumKind::Ident(Ident::Plain(_)) => true,
        DatumKind::List(items, tail) => items.iter().chain(tail.as_deref()).all(is_packable),
        DatumKind::Vector(items) => items.iter().all(is_packable),
        DatumKind::Number(Number::Flonum(_) | Number::Exact(_) | Number::Complex(_))
        | DatumKind::Bytes(_)
        | DatumKind::Ident(Ident::Alias(_))
        | DatumKind::Labelled(..)
        | DatumKind::Reference(_) => false,
    }
}
