//! Enumerations and anonymous records.
//!
//! ```text
//! type Color = Red = 0 | Green = 1     a union of constants, whose names need the type's before them; `int` and the
//!                                      like are static members of it
//! {| X = 1; Y = "a" |}                 a value of the record type `%anon.X.Y`, which inference knows
//! ```

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, Case, Constant, ConstructorArgs, ConstructorDecl, Expr, ExprKind, MemberKind, Name,
    Path, PatternKind, TypeDeclKind, TypeExpr, TypeExprKind,
};
use oxbow_psg::IntWidth;

use super::class::Class;
use super::class_code::{field, member_of};
use super::{Parsed, Parser, make};
use crate::token::Tok;

/// Conversions of enumerations to numbers.
const CONVERSIONS: &[&str] = &["int", "int32"];

impl Parser<'_> {
    /// `A = 0`, as the first case of an enumeration.
    pub(super) fn is_enumeration(&self, equals: usize) -> bool {
        let name = self.raw_after(equals - 1);
        let value = &self.raw_after(equals + 1).tok;
        matches!(name.tok, Tok::Ident(_))
            && matches!(self.raw_after(equals).tok, Tok::Op(it) if it.as_str() == "=")
            && (matches!(value, Tok::Constant(Constant::Sized(..)))
                || matches!(value, Tok::Op(it) if it.as_str() == "-"))
    }

    pub(super) fn enumeration(&mut self, class: &mut Class) -> Parsed<TypeDeclKind> {
        let start = self.here();
        let mut cases: Vec<(Name, i64)> = Vec::new();
        self.accept("|");
        loop {
            let name = self.ident("the name of a case")?;
            self.equals()?;
            let negative = self.is_op("-");
            if negative {
                self.advance();
            }
            let at = self.here();
            let Tok::Constant(Constant::Sized(IntWidth::I32, value)) = self.advance().tok else {
                return self
                    .fail(Diagnostic::not_supported(at, "enumerations of other types than `int`"));
            };
            cases.push((name, if negative { -value } else { value }));
            let token = self.raw();
            if token.tok == Tok::Key("|") && (!token.first || token.column >= self.offside) {
                self.advance();
            } else {
                break;
            }
        }
        if class.attributes.iter().any(|it| it.name.text.as_str() == "Flags") {
            return Ok(self.flags(class, cases));
        }
        self.enumeration_members(class, &cases, start);
        self.enumeration_of_number(class, &cases, start);
        let qualified = make::name("RequireQualifiedAccess", start);
        class.attributes.push(Attribute { name: qualified, payload: None });
        // They are ordered by their numbers.
        cases.sort_by_key(|it| it.1);
        let decl = |(name, _): (Name, i64)| ConstructorDecl {
            name,
            args: ConstructorArgs::Tuple(Vec::new()),
            names: Vec::new(),
            result: None,
            span: name.span,
        };
        Ok(TypeDeclKind::Variant(cases.into_iter().map(decl).collect()))
    }

    fn enumeration_members(&mut self, class: &mut Class, cases: &[(Name, i64)], span: Span) {
        let owner = class.name();
        let qualified = |name: Name| {
            let prefix = Some(Box::new(oxbow_elab::ast::ModulePath::Name(owner)));
            PatternKind::Construct(Path { prefix, name }, None)
        };
        for conversion in CONVERSIONS {
            let value = self.fresh_name("value", span);
            let branches: Vec<Case> = cases
                .iter()
                .map(|&(name, number)| {
                    let number = Constant::Sized(IntWidth::I32, number);
                    let number = make::expr(ExprKind::Constant(number), span);
                    make::case(make::pattern(qualified(name), span), number)
                })
                .collect();
            let body = make::expr(ExprKind::Match(Box::new(make::ident(value)), branches), span);
            let function = make::fun(vec![make::var(value)], body, span);
            let name = make::name(conversion, span);
            class.members.push(member_of(name, MemberKind::StaticMethod, function));
        }
    }

    /// `enum<T> n`: the case with this number. .NET has values for all numbers, which are none of the cases.
    fn enumeration_of_number(&mut self, class: &mut Class, cases: &[(Name, i64)], span: Span) {
        let owner = class.name();
        let number = self.fresh_name("number", span);
        let mut branches: Vec<Case> = cases
            .iter()
            .map(|&(name, value)| {
                let constant = PatternKind::Constant(Constant::Sized(IntWidth::I32, value));
                let case = field(make::ident(owner), name);
                make::case(make::pattern(constant, span), case)
            })
            .collect();
        let text = format!("there is no case of `{}` with this number", owner.text).into_bytes();
        let failed =
            make::apply(make::library("no_case", span), vec![make::string(text, span)], span);
        branches.push(make::case(make::pattern(PatternKind::Any, span), failed));
        let body = make::expr(ExprKind::Match(Box::new(make::ident(number)), branches), span);
        let function = make::fun(vec![make::var(number)], body, span);
        let name = make::made(Made::local("enum"), span);
        class.members.push(member_of(name, MemberKind::StaticMethod, function));
    }

    /// `enum<T>` as the function of the type.
    pub(super) fn enumeration_function(&self, args: &[TypeExpr], span: Span) -> Option<Expr> {
        let [TypeExpr { kind: TypeExprKind::Constr(path, inner), .. }] = args else { return None };
        if !inner.is_empty() {
            return None;
        }
        let ty = make::expr(ExprKind::Ident(path.clone()), path.span());
        let member = Path::plain(make::made(Made::local("enum"), span));
        Some(make::expr(ExprKind::Field(Box::new(ty), member), span))
    }

    /// `{| X = 1; Y = 2 |}`
    pub(super) fn anonymous_record(&mut self) -> Parsed<Expr> {
        let open = self.advance().span;
        let base = self.attempt(|this| {
            let base = this.application().ok()?;
            this.accept("with")?;
            Some(base)
        });
        let mut fields = Vec::new();
        while self.raw().tok != Tok::Key("|}") {
            let name = self.ident("the name of a field")?;
            let column = self.raw().column;
            self.equals()?;
            let value = self.at_column(column.min(self.offside), |it| {
                it.short_block("the value of this field")
            })?;
            fields.push((name, value));
            if self.accept(";").is_none() && !self.raw().first {
                break;
            }
        }
        let end = self.close("{|", open, "|}")?;
        let span = open.to(end);
        if let Some(base) = base {
            return Ok(make::expr(ExprKind::AnonymousCopy(Box::new(base), fields), span));
        }
        let names: Vec<Symbol> = fields.iter().map(|it| it.0.text).collect();
        let (path, count) = anonymous_path(names, span);
        let any = (0..count).map(|_| TypeExpr { kind: TypeExprKind::Any, span }).collect();
        let ty = TypeExpr { kind: TypeExprKind::Constr(path, any), span };
        let fields = fields.into_iter().map(|it| (Path::plain(it.0), None, it.1)).collect();
        let record = make::expr(ExprKind::Record { base: None, fields }, span);
        Ok(make::expr(ExprKind::Annotate(Box::new(record), ty), span))
    }

    /// `{| X: int; Y: string |}`
    pub(super) fn anonymous_type(&mut self) -> Parsed<TypeExpr> {
        let open = self.advance().span;
        let mut fields = Vec::new();
        while self.raw().tok != Tok::Key("|}") {
            let name = self.ident("the name of a field")?;
            if self.accept(":").is_none() {
                return self.unexpected("`:` and the field's type");
            }
            fields.push((name.text, self.type_expr()?));
            if self.accept(";").is_none() && !self.raw().first {
                break;
            }
        }
        let span = open.to(self.close("{|", open, "|}")?);
        let (path, _) = anonymous_path(fields.iter().map(|it| it.0).collect(), span);
        fields.sort_by_key(|it| it.0.as_str());
        let args = fields.into_iter().map(|it| it.1).collect();
        Ok(TypeExpr { kind: TypeExprKind::Constr(path, args), span })
    }
}

/// The type of the anonymous records with these fields, and how many there are.
fn anonymous_path(mut names: Vec<Symbol>, span: Span) -> (Path, usize) {
    names.sort_by_key(|it| it.as_str());
    let count = names.len();
    let names: Vec<&str> = names.iter().map(|it| it.as_str()).collect();
    let text = Made::Anonymous(Symbol::new(&names.join("."))).symbol();
    (Path::plain(Name { text, span }), count)
}
