//! Units of measure: `5.0<m/s^2>`, `float<kg>`, `[<Measure>] type m`.

use oxbow_base::Span;
use oxbow_elab::ast::{
    Constant, Expr, ExprKind, Name, Pattern, PatternKind, Power, TypeDecl, TypeDeclKind, TypeExpr,
    TypeExprKind,
};
use oxbow_psg::IntWidth;

use super::class::Class;
use super::{Parsed, Parser, make};
use crate::token::Tok;

/// What a unit is made of, with its powers.
type Factors = Vec<(TypeExpr, Power)>;

fn raised(factors: Factors, power: Power) -> Option<Factors> {
    factors.into_iter().map(|(it, own)| Some((it, own.times(power)?))).collect()
}

impl Parser<'_> {
    /// `<m/s^2>` right behind a number.
    pub(super) fn measure(&mut self) -> Option<TypeExpr> {
        let token = self.raw();
        if token.spaced || !matches!(token.tok, Tok::Op(it) if it.as_str() == "<") {
            return None;
        }
        self.attempt(|this| {
            this.advance();
            let unit = this.unit_expr()?;
            this.close_angle()?;
            Some(unit)
        })
    }

    /// `kg m/s^2`, `1/s`, `/s`, `'u^(1/2)`. Units side by side belong together more closely than `*` and `/`.
    pub(super) fn unit_expr(&mut self) -> Option<TypeExpr> {
        let start = self.here();
        let factors = self.unit_quotient()?;
        let span = start.to(self.previous());
        Some(TypeExpr { kind: TypeExprKind::Unit(factors), span })
    }

    fn unit_quotient(&mut self) -> Option<Factors> {
        let mut factors = if self.is_op("/") { Vec::new() } else { self.unit_sequence()? };
        loop {
            let power = match self.peek() {
                Tok::Op(it) if it.as_str() == "*" => Power::ONE,
                Tok::Op(it) if it.as_str() == "/" => Power::ONE.negated(),
                _ => return Some(factors),
            };
            self.advance();
            factors.extend(raised(self.unit_sequence()?, power)?);
        }
    }

    fn unit_sequence(&mut self) -> Option<Factors> {
        let mut factors = self.unit_power()?;
        while matches!(self.peek(), Tok::Ident(_) | Tok::TypeVar(_) | Tok::Key("(" | "_")) {
            factors.extend(self.unit_power()?);
        }
        Some(factors)
    }

    fn unit_power(&mut self) -> Option<Factors> {
        let factors = self.unit_atom()?;
        let negative = match self.peek() {
            Tok::Op(it) if it.as_str() == "^" => false,
            Tok::Op(it) if it.as_str() == "^-" => true,
            _ => return Some(factors),
        };
        self.advance();
        let power = self.exponent()?;
        raised(factors, if negative { power.negated() } else { power })
    }

    /// `2`, `-2`, `(1/2)`
    fn exponent(&mut self) -> Option<Power> {
        if self.accept("(").is_some() {
            let over = self.exponent()?;
            let under = match self.is_op("/") {
                true => {
                    self.advance();
                    self.exponent()?
                }
                false => Power::ONE,
            };
            self.accept(")")?;
            return over.times(under.inverted()?);
        }
        if self.is_op("-") {
            self.advance();
            return self.exponent().map(Power::negated);
        }
        let Tok::Constant(constant) = self.peek() else { return None };
        let power = whole(&constant)?;
        self.advance();
        Power::new(power, 1)
    }

    fn unit_atom(&mut self) -> Option<Factors> {
        match self.peek() {
            Tok::Constant(constant) if whole(&constant) == Some(1) => {
                self.advance();
                Some(Vec::new())
            }
            Tok::Key("(") => {
                self.advance();
                let inner = self.unit_quotient()?;
                self.accept(")")?;
                Some(inner)
            }
            Tok::TypeVar(_) | Tok::Key("_") => {
                let variable = self.atomic_type().ok()?;
                Some(vec![(variable, Power::ONE)])
            }
            Tok::Ident(_) => {
                let path = self.type_path().ok()?;
                let span = path.span();
                let unit = TypeExpr { kind: TypeExprKind::Constr(path, Vec::new()), span };
                Some(vec![(unit, Power::ONE)])
            }
            _ => None,
        }
    }

    /// A literal, with the unit behind it.
    pub(super) fn number_literal(&mut self, constant: Constant, span: Span) -> Expr {
        let is_number = !matches!(constant, Constant::String(_) | Constant::Char(_));
        let literal = make::expr(ExprKind::Constant(constant), span);
        match self.measure().filter(|_| is_number) {
            Some(unit) => {
                let whole = span.to(self.previous());
                make::expr(ExprKind::Measured(Box::new(literal), unit), whole)
            }
            None => literal,
        }
    }

    /// A constant that may have a unit.
    pub(super) fn number_pattern(&mut self, constant: Constant, span: Span) -> Pattern {
        match self.measure() {
            Some(unit) => {
                let whole = span.to(self.previous());
                make::pattern(PatternKind::Measured(constant, unit), whole)
            }
            None => make::pattern(PatternKind::Constant(constant), span),
        }
    }

    /// `[<Measure>] type m`, `[<Measure>] type N = kg m/s^2`, `[<Measure>] type degC = static member …`
    pub(super) fn measure_type(
        &mut self,
        start: Span,
        name: Name,
        own: &mut Class,
    ) -> Parsed<TypeDecl> {
        let mut manifest = None;
        if self.is_op("=") {
            self.advance();
            if !matches!(self.peek(), Tok::Key("static" | "member")) {
                match self.attempt(Self::unit_expr) {
                    Some(unit) => manifest = Some(unit),
                    None => return self.unexpected("a unit of measure"),
                }
            }
            self.class_lines(own)?;
        }
        own.span = start.to(self.previous());
        Ok(TypeDecl {
            name,
            params: Vec::new(),
            kind: TypeDeclKind::Abstract,
            manifest,
            private: false,
            constraints: Vec::new(),
            attributes: own.attributes.clone(),
            span: own.span,
        })
    }
}

/// The value of an `int`.
fn whole(constant: &Constant) -> Option<i64> {
    match constant {
        Constant::Sized(IntWidth::I32, value) => Some(*value),
        _ => None,
    }
}
