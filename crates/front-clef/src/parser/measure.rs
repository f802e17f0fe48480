//! Units of measure: `5.0<m/s^2>`, `float<kg>`, `[<Measure>] type m`. They are read and left out, since they mean
//! nothing when a program runs.

use oxbow_base::Symbol;
use oxbow_elab::ast::{TypeExpr, TypeParam};

use super::Parser;
use crate::token::Tok;

/// Types of numbers that may have a unit.
const NUMBERS: &[&str] = &[
    "float",
    "float32",
    "double",
    "single",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "sbyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "byte",
    "nativeint",
    "decimal",
];

impl Parser<'_> {
    /// `<m/s^2>` right behind a number, or behind the name of a type of numbers; was there one?
    pub(super) fn skip_measure(&mut self) -> bool {
        let token = self.raw();
        if token.spaced || !matches!(token.tok, Tok::Op(it) if it.as_str().starts_with('<')) {
            return false;
        }
        let read = self.attempt(|this| {
            if !this.is_op("<") {
                return None;
            }
            this.advance();
            let mut any = false;
            loop {
                match this.peek() {
                    Tok::Ident(_) | Tok::TypeVar(_) | Tok::Constant(_) => any = true,
                    Tok::Key("(" | ")" | ".") => (),
                    Tok::Key("_") => any = true,
                    Tok::Op(it) if matches!(it.as_str(), "/" | "*" | "^" | "-" | "^-") => (),
                    Tok::Op(it) if it.as_str().starts_with('>') && any => {
                        this.close_angle()?;
                        return Some(());
                    }
                    _ => return None,
                }
                this.advance();
            }
        });
        read.is_some()
    }

    /// Is this the name of a type of numbers?
    pub(super) fn is_number_type(name: Symbol) -> bool {
        NUMBERS.contains(&name.as_str())
    }

    /// `[<Measure>] type m`, `[<Measure>] type N = kg m / s^2`: nothing is declared.
    pub(super) fn skip_measure_type(&mut self) {
        if self.is_op("=") {
            while !matches!(self.peek(), Tok::Offside | Tok::Eof) {
                self.advance();
            }
        }
    }

    /// Notes which parameters of a type are units, and leaves them out.
    pub(super) fn without_measures(
        &mut self,
        name: Symbol,
        params: Vec<(TypeParam, bool)>,
    ) -> Vec<TypeParam> {
        if params.iter().any(|it| it.1) {
            self.measured.push((name, params.iter().map(|it| it.1).collect()));
        }
        params.into_iter().filter(|it| !it.1).map(|it| it.0).collect()
    }

    /// The type arguments without units.
    pub(super) fn without_units(&self, name: Symbol, args: Vec<TypeExpr>) -> Vec<TypeExpr> {
        let Some((_, units)) = self.measured.iter().rev().find(|it| it.0 == name) else {
            return args;
        };
        let kept = args.into_iter().enumerate();
        kept.filter(|(at, _)| !units.get(*at).copied().unwrap_or(false)).map(|it| it.1).collect()
    }
}
