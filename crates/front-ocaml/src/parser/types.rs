//! Type expressions.
//!
//! ```text
//! core_type    t as 'a
//! arrow        l:t -> ?m:t -> t       right, read in a loop
//! tuple        t * t * t
//! atomic       'a  _  M.t  t M.u  (t, u) M.v  F(X).t
//! ```

use oxbow_elab::ast::{ArgLabel, ModulePath, Path, PolyType, TypeExpr, TypeExprKind};

use crate::lexer::Tok;

use super::signature::passing_of;
use super::{Parse, Parser, join};

pub(super) fn make_type(kind: TypeExprKind, span: oxbow_base::Span) -> TypeExpr {
    TypeExpr { kind, span }
}

impl Parser<'_> {
    pub(super) fn core_type(&mut self) -> Parse<TypeExpr> {
        let start = self.here();
        let mut ty = self.alias_type()?;
        while self.at(Tok::LBracketAt) {
            let attributes = self.attributes(Tok::LBracketAt);
            let passed = attributes.iter().filter_map(passing_of).map(|it| (ty.span, it));
            self.passed.extend(passed);
            ty = self.aliases(ty, start)?;
        }
        Ok(ty)
    }

    /// A type without the attributes behind it.
    pub(super) fn alias_type(&mut self) -> Parse<TypeExpr> {
        let start = self.here();
        let ty = self.nested(Self::arrow_type)?;
        self.aliases(ty, start)
    }

    fn aliases(&mut self, mut ty: TypeExpr, start: u32) -> Parse<TypeExpr> {
        while self.eat(Tok::As) {
            let token = self.token();
            let Tok::TypeVar(text) = token.tok else {
                return Err(self.unexpected("a type variable"));
            };
            self.bump();
            let name = self.name(text, token);
            ty = make_type(TypeExprKind::Alias(Box::new(ty), name), self.span_from(start));
        }
        Ok(ty)
    }

    /// `'a 'b. t`, `type a. t` or just `t`.
    pub(super) fn poly_type(&mut self) -> Parse<PolyType> {
        self.poly_type_of(Self::core_type)
    }

    pub(super) fn poly_type_of(
        &mut self,
        core_type: impl FnOnce(&mut Self) -> Parse<TypeExpr>,
    ) -> Parse<PolyType> {
        let mut vars = Vec::new();
        if self.at(Tok::Type) {
            self.bump();
            while let Tok::Lower(_) = self.peek() {
                vars.push(self.lower_name("a type")?);
            }
            if vars.is_empty() {
                return Err(self.no_name("a type"));
            }
            self.expect(Tok::Dot, "`.`")?;
            return Ok(PolyType { vars, locally_abstract: true, ty: core_type(self)? });
        }
        let mut ahead = 0;
        while matches!(self.nth(ahead), Tok::TypeVar(_)) {
            ahead += 1;
        }
        if ahead > 0 && self.nth(ahead) == Tok::Dot {
            while let Tok::TypeVar(text) = self.peek() {
                let token = self.bump();
                vars.push(self.name(text, token));
            }
            self.bump();
        }
        Ok(PolyType { vars, locally_abstract: false, ty: core_type(self)? })
    }

    fn arrow_type(&mut self) -> Parse<TypeExpr> {
        let mut params: Vec<(ArgLabel, TypeExpr)> = Vec::new();
        let result = loop {
            let start = self.here();
            let label = self.type_label();
            let ty = self.tuple_type()?;
            let span = ty.span;
            // Of `x:t * y:u` the first label is one of the tuple; `x:t * u -> v` is a labelled parameter.
            let (label, ty) = match (label, ty.kind) {
                (ArgLabel::Labelled(name), TypeExprKind::LabelledTuple(mut parts))
                    if !self.at(Tok::Arrow) =>
                {
                    if let Some(first) = parts.first_mut() {
                        first.0 = Some(name);
                    }
                    (ArgLabel::None, TypeExprKind::LabelledTuple(parts))
                }
                (ArgLabel::Labelled(name), TypeExprKind::Tuple(parts)) if !self.at(Tok::Arrow) => {
                    let rest = parts.into_iter().enumerate();
                    let parts = rest.map(|(index, ty)| ((index == 0).then_some(name), ty));
                    (ArgLabel::None, TypeExprKind::LabelledTuple(parts.collect()))
                }
                (label, kind) => (label, kind),
            };
            let ty = match label {
                ArgLabel::None => make_type(ty, self.span_from(start)),
                _ => make_type(ty, span),
            };
            if self.eat(Tok::Arrow) {
                params.push((label, ty));
                continue;
            }
            if label != ArgLabel::None {
                return Err(self.unexpected("`->`"));
            }
            break ty;
        };
        let end = result.span;
        Ok(params.into_iter().rev().fold(result, |result, (label, param)| {
            let span = param.span.to(end);
            make_type(TypeExprKind::Arrow(label, Box::new(param), Box::new(result)), span)
        }))
    }

    /// `l:` or `?l:` before a parameter's type.
    pub(super) fn type_label(&mut self) -> ArgLabel {
        let token = self.token();
        match (token.tok, self.nth(1)) {
            (Tok::Lower(text), Tok::Colon) => {
                self.pos += 2;
                ArgLabel::Labelled(self.name(text, token))
            }
            (Tok::Label(text), _) => {
                self.bump();
                ArgLabel::Labelled(self.name(text, token))
            }
            (Tok::OptLabel(text), _) => {
                self.bump();
                ArgLabel::Optional(self.name(text, token))
            }
            (Tok::Question, Tok::Lower(text)) if self.nth(2) == Tok::Colon => {
                let name = self.name(text, self.token_at(self.pos + 1));
                self.pos += 3;
                ArgLabel::Optional(name)
            }
            _ => ArgLabel::None,
        }
    }

    pub(super) fn tuple_type(&mut self) -> Parse<TypeExpr> {
        let start = self.here();
        let first = self.atomic_type()?;
        if !self.at(Tok::Star) {
            return Ok(first);
        }
        let mut parts = vec![(None, first)];
        while self.eat(Tok::Star) {
            let label = match (self.peek(), self.nth(1)) {
                (Tok::Lower(_), Tok::Colon) => {
                    let name = self.lower_name("a label")?;
                    self.bump();
                    Some(name)
                }
                _ => None,
            };
            parts.push((label, self.atomic_type()?));
        }
        let kind = match parts.iter().any(|it| it.0.is_some()) {
            true => TypeExprKind::LabelledTuple(parts),
            false => TypeExprKind::Tuple(parts.into_iter().map(|it| it.1).collect()),
        };
        Ok(make_type(kind, self.span_from(start)))
    }

    /// A type without `*` and `->`, with the constructors behind it.
    pub(super) fn atomic_type(&mut self) -> Parse<TypeExpr> {
        let start = self.here();
        let mut ty = self.type_head()?;
        while matches!(self.peek(), Tok::Lower(_) | Tok::Upper(_)) {
            let path = self.type_path()?;
            ty = make_type(TypeExprKind::Constr(path, vec![ty]), self.span_from(start));
        }
        if self.at(Tok::Hash) && matches!(self.nth(1), Tok::Lower(_) | Tok::Upper(_)) {
            self.bump();
            let path = self.type_path()?;
            ty = make_type(TypeExprKind::VariantType(path, vec![ty]), self.span_from(start));
        }
        Ok(ty)
    }

    fn type_head(&mut self) -> Parse<TypeExpr> {
        let token = self.token();
        let start = token.start;
        match token.tok {
            Tok::TypeVar(text) => {
                self.bump();
                let name = self.name(text, token);
                Ok(make_type(TypeExprKind::Var(name), name.span))
            }
            Tok::Underscore => {
                self.bump();
                Ok(make_type(TypeExprKind::Any, self.span_of(token)))
            }
            Tok::Lower(_) | Tok::Upper(_) => {
                let path = self.type_path()?;
                Ok(make_type(TypeExprKind::Constr(path, Vec::new()), self.span_from(start)))
            }
            Tok::LParen if self.nth(1) == Tok::Module => Ok(self.packed_type()),
            Tok::LParen => self.parenthesized_type(),
            Tok::LBracket | Tok::LBracketLess | Tok::LBracketGreater => self.variant_type(),
            Tok::Hash => {
                self.bump();
                let path = self.type_path()?;
                let kind = TypeExprKind::VariantType(path, Vec::new());
                Ok(make_type(kind, self.span_from(start)))
            }
            _ => self.unsupported_type(),
        }
    }

    /// `(t)` or `(t, u) path`
    fn parenthesized_type(&mut self) -> Parse<TypeExpr> {
        let start = self.here();
        let inner = self.group(|parser| {
            let mut types = vec![parser.core_type()?];
            while parser.eat(Tok::Comma) {
                types.push(parser.core_type()?);
            }
            Ok(types)
        });
        let mut types = match inner {
            Ok(types) => types,
            Err(reported) => {
                let span = self.span_from(start);
                return Ok(make_type(TypeExprKind::Error(reported), span));
            }
        };
        let is_single = types.len() == 1;
        match types.pop() {
            Some(ty) if is_single => Ok(TypeExpr { span: self.span_from(start), ..ty }),
            last => {
                types.extend(last);
                if self.eat(Tok::Hash) {
                    let path = self.type_path()?;
                    let kind = TypeExprKind::VariantType(path, types);
                    return Ok(make_type(kind, self.span_from(start)));
                }
                let path = self.type_path()?;
                Ok(make_type(TypeExprKind::Constr(path, types), self.span_from(start)))
            }
        }
    }

    fn unsupported_type(&mut self) -> Parse<TypeExpr> {
        let token = self.token();
        let construct = match token.tok {
            Tok::LBracketPercent => {
                self.skip_group();
                "extension points"
            }
            Tok::Less => return self.object_type(),
            Tok::Infix0(_) if self.text_of(token) == "<>" => return self.object_type(),
            _ => return Err(self.unexpected("a type")),
        };
        let span = self.span_from(token.start);
        let reported = self.unsupported(span, construct);
        Ok(make_type(TypeExprKind::Error(reported), span))
    }

    /// `t`, `M.t`, `F(X).t`
    pub(super) fn type_path(&mut self) -> Parse<Path> {
        if !matches!(self.peek(), Tok::Upper(_)) {
            return Ok(Path::plain(self.lower_name("a type")?));
        }
        let prefix = self.module_path_with_applications()?;
        self.expect(Tok::Dot, "`.` and a type name")?;
        Ok(Path { prefix: Some(Box::new(prefix)), name: self.lower_name("a type")? })
    }

    /// `A.B`, `F(X).B`; stops before a `.` that no upper-case name follows.
    pub(super) fn module_path_with_applications(&mut self) -> Parse<ModulePath> {
        self.nested(|parser| {
            let mut path = ModulePath::Name(parser.upper_name("a module")?);
            loop {
                match (parser.peek(), parser.nth(1)) {
                    (Tok::Dot, Tok::Upper(_)) => {
                        parser.bump();
                        let name = parser.upper_name("a module")?;
                        path = join(Some(Box::new(path)), name);
                    }
                    (Tok::LParen, Tok::Upper(_)) => {
                        let arg = parser.group(Self::module_path_with_applications)?;
                        path = ModulePath::Apply(Box::new(path), Box::new(arg));
                    }
                    _ => return Ok(path),
                }
            }
        })
    }
}
