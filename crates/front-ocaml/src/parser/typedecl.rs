//! Type and exception declarations.

use oxbow_base::Span;
use oxbow_elab::ast::{
    ConstructorArgs, ConstructorDecl, ConstructorResult, ExceptionDecl, FieldDecl, FieldRole, Name,
    ParamVariance, Path, TypeDecl, TypeDeclKind, TypeExpr, TypeExtension, TypeParam,
};

use crate::lexer::Tok;

use super::{Parse, Parser};

/// The declarations of one `type`.
pub(super) struct TypeDecls {
    pub recursive: bool,
    pub decls: Vec<TypeDecl>,
    /// Where `:=` stands, which gives a name to a type in a signature.
    pub substitution: Option<Span>,
}

/// What stands behind `=` in a declaration.
#[derive(Default)]
struct Body {
    kind: Option<TypeDeclKind>,
    manifest: Option<TypeExpr>,
    private: bool,
}

impl Parser<'_> {
    /// `type t = … and u = …`, at `type`.
    pub(super) fn type_decls(&mut self) -> Parse<TypeDecls> {
        let mut start = self.here();
        self.bump();
        self.keyword_attributes();
        let recursive = !self.eat(Tok::Nonrec);
        let mut decls = Vec::new();
        let mut substitution = None;
        loop {
            decls.push(self.type_decl(start, &mut substitution)?);
            if !self.at(Tok::And) {
                return Ok(TypeDecls { recursive, decls, substitution });
            }
            start = self.here();
            self.bump();
            self.keyword_attributes();
        }
    }

    fn type_decl(&mut self, start: u32, substitution: &mut Option<Span>) -> Parse<TypeDecl> {
        let params = self.type_params()?;
        let name = self.lower_name("a type")?;
        // `:=` replaces a type in a signature.
        let body = if self.at(Tok::ColonEqual) {
            let token = self.bump();
            *substitution = Some(self.span_of(token));
            Body { manifest: Some(self.core_type()?), ..Body::default() }
        } else if self.eat(Tok::Equal) {
            self.type_body()?
        } else {
            Body::default()
        };
        let constraints = self.constraints()?;
        let attributes = self.item_attributes();
        Ok(TypeDecl {
            name,
            params,
            kind: body.kind.unwrap_or(TypeDeclKind::Abstract),
            manifest: body.manifest,
            private: body.private,
            constraints,
            attributes,
            span: self.span_from(start),
        })
    }

    /// `type t += A | B of u | C = M.D`, at `type`; nothing if this is a declaration.
    pub(super) fn type_extension(&mut self) -> Parse<Option<TypeExtension>> {
        let before = self.pos;
        self.bump();
        self.keyword_attributes();
        let params = self.type_params()?;
        let mut ahead = 0;
        while matches!(self.nth(ahead), Tok::Upper(_)) && self.nth(ahead + 1) == Tok::Dot {
            ahead += 2;
        }
        if self.nth(ahead + 1) != Tok::PlusEqual {
            self.pos = before;
            return Ok(None);
        }
        let path = self.type_path()?;
        self.expect(Tok::PlusEqual, "`+=`")?;
        let private = self.eat(Tok::Private);
        let mut ctors = Vec::new();
        self.eat(Tok::Bar);
        loop {
            let start = self.here();
            ctors.push(self.exception_decl(start)?);
            if !self.eat(Tok::Bar) {
                break;
            }
        }
        self.item_attributes();
        Ok(Some(TypeExtension { path, params, private, ctors }))
    }

    /// Nothing, `'a`, or `(+'a, -'b)`.
    pub(super) fn type_params(&mut self) -> Parse<Vec<TypeParam>> {
        if self.at(Tok::LParen) {
            return self.group(|parser| {
                let mut params = vec![parser.type_param()?];
                while parser.eat(Tok::Comma) {
                    params.push(parser.type_param()?);
                }
                Ok(params)
            });
        }
        if matches!(self.peek(), Tok::Lower(_) | Tok::Upper(_)) {
            return Ok(Vec::new());
        }
        let is_param = matches!(
            self.peek(),
            Tok::TypeVar(_)
                | Tok::Underscore
                | Tok::Plus
                | Tok::Minus
                | Tok::Bang
                | Tok::Prefix(_)
                | Tok::Infix2(_)
        );
        if is_param { Ok(vec![self.type_param()?]) } else { Ok(Vec::new()) }
    }

    pub(super) fn type_param(&mut self) -> Parse<TypeParam> {
        let mut injective = false;
        let mut variance = ParamVariance::Unsaid;
        while matches!(
            self.peek(),
            Tok::Plus | Tok::Minus | Tok::Bang | Tok::Prefix(_) | Tok::Infix2(_)
        ) {
            let token = self.bump();
            let text = self.text_of(token);
            injective |= text.contains('!');
            if text.contains('+') {
                variance = ParamVariance::Covariant;
            } else if text.contains('-') {
                variance = ParamVariance::Contravariant;
            }
        }
        let token = self.token();
        let name = match token.tok {
            Tok::TypeVar(text) => Some(self.name(text, token)),
            Tok::Underscore => None,
            _ => return Err(self.unexpected("a type parameter")),
        };
        self.bump();
        Ok(TypeParam { name, injective, variance, measure: false, span: self.span_of(token) })
    }

    fn type_body(&mut self) -> Parse<Body> {
        let mut body = Body { private: self.eat(Tok::Private), ..Body::default() };
        body.kind = self.representation()?;
        if body.kind.is_some() {
            return Ok(body);
        }
        body.manifest = Some(self.core_type()?);
        if self.eat(Tok::Equal) {
            body.private = self.eat(Tok::Private);
            body.kind = self.representation()?;
            if body.kind.is_none() {
                return Err(self.unexpected("constructors or a record"));
            }
        }
        Ok(body)
    }

    /// Constructors, a record or `..`; `None` if a type expression stands here.
    fn representation(&mut self) -> Parse<Option<TypeDeclKind>> {
        let is_variant = match (self.peek(), self.nth(1)) {
            (Tok::Bar | Tok::True | Tok::False, _) => true,
            (Tok::Upper(_), next) => !matches!(next, Tok::Dot | Tok::LParen),
            (Tok::LBracket, Tok::RBracket) => true,
            (Tok::LParen, Tok::ColonColon | Tok::RParen) => true,
            _ => false,
        };
        Ok(match self.peek() {
            _ if is_variant => Some(TypeDeclKind::Variant(self.constructors()?)),
            Tok::LBrace => Some(TypeDeclKind::Record(self.record_fields()?)),
            Tok::DotDot => {
                self.bump();
                Some(TypeDeclKind::Open)
            }
            _ => None,
        })
    }

    // --------------------------------------------------------- constructors

    /// `| A | B of t`, the first bar optional. A lone `|` declares none.
    fn constructors(&mut self) -> Parse<Vec<ConstructorDecl>> {
        let mut constructors = Vec::new();
        let has_bar = self.eat(Tok::Bar);
        if has_bar && !self.at_constructor_name() {
            return Ok(constructors);
        }
        loop {
            let start = self.here();
            let name = self.constructor_name()?;
            let mut result = None;
            let args = match self.peek() {
                Tok::Of => {
                    self.bump();
                    self.constructor_args()?
                }
                Tok::Colon => {
                    self.bump();
                    let (args, made) = self.generalized_constructor()?;
                    result = Some(made);
                    args
                }
                // `type t += A = M.A`
                Tok::Equal => {
                    self.bump();
                    self.upper_path()?;
                    ConstructorArgs::Tuple(Vec::new())
                }
                _ => ConstructorArgs::Tuple(Vec::new()),
            };
            self.attributes(Tok::LBracketAt);
            let span = self.span_from(start);
            constructors.push(ConstructorDecl { name, args, names: Vec::new(), result, span });
            if !self.eat(Tok::Bar) {
                return Ok(constructors);
            }
        }
    }

    fn at_constructor_name(&self) -> bool {
        match self.peek() {
            Tok::Upper(_) | Tok::True | Tok::False => true,
            Tok::LBracket => self.nth(1) == Tok::RBracket,
            Tok::LParen => matches!(self.nth(1), Tok::RParen | Tok::ColonColon),
            _ => false,
        }
    }

    /// `C`, and the names of the built-in constructors.
    fn constructor_name(&mut self) -> Parse<Name> {
        let start = self.here();
        let (text, length) = match (self.peek(), self.nth(1), self.nth(2)) {
            (Tok::LParen, Tok::ColonColon, Tok::RParen) => ("::", 3),
            (Tok::LParen, Tok::RParen, _) => ("()", 2),
            (Tok::LBracket, Tok::RBracket, _) => ("[]", 2),
            (Tok::True, _, _) => ("true", 1),
            (Tok::False, _, _) => ("false", 1),
            _ => return self.upper_name("a constructor"),
        };
        self.pos += length;
        Ok(Name { text: text.into(), span: self.span_from(start) })
    }

    /// `t * u` or `{ l : t }`, behind `of`.
    fn constructor_args(&mut self) -> Parse<ConstructorArgs> {
        if self.at(Tok::LBrace) {
            return Ok(ConstructorArgs::Record(self.record_fields()?));
        }
        let mut types = vec![self.atomic_type()?];
        while self.eat(Tok::Star) {
            types.push(self.atomic_type()?);
        }
        Ok(ConstructorArgs::Tuple(types))
    }

    /// `'a 'b. t * u -> v` or just `v`, behind the colon.
    fn generalized_constructor(&mut self) -> Parse<(ConstructorArgs, ConstructorResult)> {
        let mut ahead = 0;
        while matches!(self.nth(ahead), Tok::TypeVar(_)) {
            ahead += 1;
        }
        let mut vars = Vec::new();
        if ahead > 0 && self.nth(ahead) == Tok::Dot {
            while let Tok::TypeVar(text) = self.peek() {
                let token = self.bump();
                vars.push(self.name(text, token));
            }
            self.bump();
        }
        let args = self.constructor_args()?;
        if self.eat(Tok::Arrow) {
            let ty = self.atomic_type()?;
            return Ok((args, ConstructorResult { vars, ty }));
        }
        match args {
            ConstructorArgs::Tuple(mut types) if types.len() == 1 => {
                let Some(ty) = types.pop() else { return Err(self.unexpected("a type")) };
                Ok((ConstructorArgs::Tuple(types), ConstructorResult { vars, ty }))
            }
            ConstructorArgs::Tuple(_) | ConstructorArgs::Record(_) => {
                Err(self.unexpected("`->` and the type that the constructor makes"))
            }
        }
    }

    // --------------------------------------------------------------- fields

    /// `{ mutable l : t; m : u }`
    fn record_fields(&mut self) -> Parse<Vec<FieldDecl>> {
        self.group(|parser| {
            let mut fields = Vec::new();
            loop {
                let start = parser.here();
                let mutable = parser.eat(Tok::Mutable);
                let name = parser.lower_name("a field")?;
                parser.expect(Tok::Colon, "`:` and the field's type")?;
                let ty = parser.poly_type_of(Self::alias_type)?;
                let attributes = parser.attributes(Tok::LBracketAt);
                let acyclic = attributes.iter().any(|it| it.name.text.as_str() == "acyclic");
                let span = parser.span_from(start);
                fields.push(FieldDecl { name, mutable, acyclic, role: FieldRole::Plain, ty, span });
                if !parser.eat(Tok::Semi) {
                    break;
                }
                parser.attributes(Tok::LBracketAt);
                if parser.at(Tok::RBrace) {
                    break;
                }
            }
            Ok(fields)
        })
    }

    /// `constraint 'a = t`
    pub(super) fn constraints(&mut self) -> Parse<Vec<(TypeExpr, TypeExpr)>> {
        let mut constraints = Vec::new();
        while self.eat(Tok::Constraint) {
            let left = self.core_type()?;
            self.expect(Tok::Equal, "`=`")?;
            constraints.push((left, self.core_type()?));
        }
        Ok(constraints)
    }

    // ----------------------------------------------------------- exceptions

    /// `E`, `E of t`, `E = M.F`, behind `exception`.
    pub(super) fn exception_decl(&mut self, start: u32) -> Parse<ExceptionDecl> {
        let name = self.constructor_name()?;
        let mut args = ConstructorArgs::Tuple(Vec::new());
        let (mut result, mut rebind) = (None, None);
        match self.peek() {
            Tok::Of => {
                self.bump();
                args = self.constructor_args()?;
            }
            Tok::Colon => {
                self.bump();
                let (given, made) = self.generalized_constructor()?;
                (args, result) = (given, Some(made));
            }
            Tok::Equal => {
                self.bump();
                let (prefix, name) = self.upper_path()?;
                rebind = Some(Path { prefix, name });
            }
            _ => (),
        }
        let attributes = self.attributes(Tok::LBracketAt);
        Ok(ExceptionDecl { name, args, result, rebind, attributes, span: self.span_from(start) })
    }
}
