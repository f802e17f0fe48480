//! Module expressions and module types.
//!
//! ```text
//! module     struct … end   functor (X : S) -> m   F (X) (Y)   (m : S)   M.N
//! module type  sig … end   functor (X : S) -> S   S -> S   S with type t = u
//! ```

use oxbow_elab::ast::{
    Expr, ExprKind, FunctorParam, ModuleExpr, ModuleExprKind, ModuleType, ModuleTypeKind, Name,
    PackageType, Path, Pattern, PatternKind, RecModule, TypeExpr, TypeExprKind, WithConstraint,
};

use crate::diagnostics::modules::{PackageConstraint, UnnamedPackage, UntypedRecursive};
use crate::lexer::Tok;

use super::expr::make_expr;
use super::pattern::make_pattern;
use super::simple::module_expr;
use super::types::make_type;
use super::{Parse, Parser, join};

impl Parser<'_> {
    // -------------------------------------------------------------- modules

    pub(super) fn module_expr(&mut self) -> Parse<ModuleExpr> {
        self.nested(|parser| {
            let start = parser.here();
            let mut module = parser.module_head()?;
            loop {
                match (parser.peek(), parser.nth(1)) {
                    (Tok::LParen, Tok::RParen) => {
                        parser.pos += 2;
                        let kind = ModuleExprKind::Apply(Box::new(module), None);
                        module = ModuleExpr { kind, span: parser.span_from(start) };
                    }
                    (Tok::LParen, _) => {
                        let arg = Some(Box::new(parser.parenthesized_module()));
                        let kind = ModuleExprKind::Apply(Box::new(module), arg);
                        module = ModuleExpr { kind, span: parser.span_from(start) };
                    }
                    (Tok::LBracketAt, _) => {
                        parser.attributes(Tok::LBracketAt);
                    }
                    _ => return Ok(module),
                }
            }
        })
    }

    fn module_head(&mut self) -> Parse<ModuleExpr> {
        let start = self.here();
        match self.peek() {
            Tok::Upper(_) => {
                let (prefix, name) = self.upper_path()?;
                Ok(module_expr(join(prefix, name)))
            }
            Tok::Struct => {
                let items = self.group(|parser| {
                    parser.attributes(Tok::LBracketAt);
                    Ok(parser.structure())
                });
                let kind = match items {
                    Ok(items) => ModuleExprKind::Structure(items),
                    Err(reported) => ModuleExprKind::Error(reported),
                };
                Ok(ModuleExpr { kind, span: self.span_from(start) })
            }
            Tok::Functor => {
                self.bump();
                self.keyword_attributes();
                let params = self.functor_params()?;
                if params.is_empty() {
                    return Err(self.unexpected("a functor parameter"));
                }
                self.expect(Tok::Arrow, "`->`")?;
                let body = self.module_expr()?;
                Ok(functor_expr(params, body, self.span_from(start)))
            }
            Tok::LParen => Ok(self.parenthesized_module()),
            Tok::LBracketPercent => {
                let span = self.skip_group();
                let reported = self.unsupported(span, "extension points");
                Ok(ModuleExpr { kind: ModuleExprKind::Error(reported), span })
            }
            Tok::Lower(_) => Err(self
                .upper_name("a module")
                .err()
                .unwrap_or_else(|| self.unexpected("a module"))),
            _ => Err(self.unexpected("a module")),
        }
    }

    /// `(m)`, `(m : S)`, `(val e)`
    fn parenthesized_module(&mut self) -> ModuleExpr {
        let start = self.here();
        if self.nth(1) == Tok::Val {
            return self.unpacked_module();
        }
        let inner = self.group(|parser| {
            let module = parser.module_expr()?;
            let ty = if parser.eat(Tok::Colon) { Some(parser.module_type()?) } else { None };
            Ok((module, ty))
        });
        let span = self.span_from(start);
        let kind = match inner {
            Ok((module, Some(ty))) => ModuleExprKind::Constraint(Box::new(module), ty),
            Ok((module, None)) => module.kind,
            Err(reported) => ModuleExprKind::Error(reported),
        };
        ModuleExpr { kind, span }
    }

    /// `(val e)`, `(val e : S)`, `(val e : S :> T)`, `(val e :> T)`
    fn unpacked_module(&mut self) -> ModuleExpr {
        let start = self.here();
        let inner = self.group(|parser| {
            parser.bump();
            parser.keyword_attributes();
            let value_start = parser.here();
            let mut value = parser.expr()?;
            let mut ty = None;
            if parser.eat(Tok::Colon) {
                ty = Some(parser.package_type()?);
            }
            if parser.eat(Tok::ColonGreater) {
                let package = |ty: PackageType| {
                    let span = ty.span;
                    make_type(TypeExprKind::Package(Box::new(ty)), span)
                };
                let (from, to) = (ty.take().map(package), parser.package_type()?);
                ty = Some(to.clone());
                let kind = ExprKind::Coerce(Box::new(value), from, package(to));
                value = make_expr(kind, parser.span_from(value_start));
            }
            Ok(ModuleExprKind::Unpack(Box::new(value), ty))
        });
        let kind = inner.unwrap_or_else(ModuleExprKind::Error);
        ModuleExpr { kind, span: self.span_from(start) }
    }

    /// `(module M)` or `(module M : S)` as an expression.
    pub(super) fn packed_module(&mut self) -> Expr {
        let start = self.here();
        let inner = self.group(|parser| {
            parser.bump();
            parser.keyword_attributes();
            let module = parser.module_expr()?;
            let ty = if parser.eat(Tok::Colon) { Some(parser.package_type()?) } else { None };
            Ok(ExprKind::Pack(Box::new(module), ty))
        });
        make_expr(inner.unwrap_or_else(ExprKind::Error), self.span_from(start))
    }

    /// `(module S with type t = u)` as a type.
    pub(super) fn packed_type(&mut self) -> TypeExpr {
        let start = self.here();
        let inner = self.group(|parser| {
            parser.bump();
            parser.keyword_attributes();
            Ok(TypeExprKind::Package(Box::new(parser.package_type()?)))
        });
        make_type(inner.unwrap_or_else(TypeExprKind::Error), self.span_from(start))
    }

    /// `(module M)` or `(module M : S)` as a pattern.
    pub(super) fn unpacking_pattern(&mut self) -> Pattern {
        let (start, closing) = (self.here(), self.token().partner as usize);
        let inner = self.group(|parser| {
            parser.bump();
            parser.keyword_attributes();
            let name = parser.module_name()?;
            if !parser.eat(Tok::Colon) {
                return Ok((name, Ok(None)));
            }
            let ty = parser.package_type();
            if ty.is_err() {
                parser.pos = closing;
            }
            Ok((name, ty.map(Some)))
        });
        let span = self.span_from(start);
        let kind = match inner {
            Ok((name, Ok(ty))) => PatternKind::Unpack(name, ty),
            // The module is known by its name all the same.
            Ok((name, Err(reported))) => {
                let ty = make_type(TypeExprKind::Error(reported), span);
                let pattern = make_pattern(PatternKind::Unpack(name, None), span);
                PatternKind::Annotate(Box::new(pattern), ty)
            }
            Err(reported) => PatternKind::Error(reported),
        };
        make_pattern(kind, span)
    }

    /// A module type by its name, with what some of its types are.
    fn package_type(&mut self) -> Parse<PackageType> {
        let ty = self.module_type()?;
        let span = ty.span;
        let (head, constraints) = match ty.kind {
            ModuleTypeKind::With(head, constraints) => (head.kind, constraints),
            kind => (kind, Vec::new()),
        };
        let mut types = Vec::new();
        for constraint in constraints {
            match constraint {
                WithConstraint::Type { path, params, ty, destructive: false, constraints }
                    if params.is_empty() && constraints.is_empty() =>
                {
                    types.push((path, ty));
                }
                WithConstraint::Type { path, .. }
                | WithConstraint::Module { path, .. }
                | WithConstraint::ModuleType { path, .. } => {
                    let at = path.span();
                    return Err(self.report(PackageConstraint { span: at }.render()));
                }
            }
        }
        match head {
            ModuleTypeKind::Path(path) => Ok(PackageType { path, types, span }),
            ModuleTypeKind::Error(reported) => Err(reported),
            _ => Err(self.report(UnnamedPackage { span }.render())),
        }
    }

    /// `A : S = a and B : T = b`, behind `module rec`.
    pub(super) fn recursive_modules(&mut self) -> Parse<Vec<RecModule>> {
        let mut modules = Vec::new();
        loop {
            self.keyword_attributes();
            let name = self.module_name()?;
            let start = self.here();
            let params = self.functor_params()?;
            if !self.at(Tok::Colon) {
                return Err(self.report(UntypedRecursive { name }.render()));
            }
            self.bump();
            let ty = self.module_type()?;
            if !self.eat_definition_equal("a module") {
                return Err(self.unexpected("`=`"));
            }
            let body = self.module_expr()?;
            let span = self.span_from(start);
            let ty = functor_type(params.clone(), ty, span);
            modules.push(RecModule { name, ty, body: functor_expr(params, body, span) });
            self.item_attributes();
            if !self.eat(Tok::And) {
                return Ok(modules);
            }
        }
    }

    /// `(X : S) (Y : T) ()`; possibly none.
    pub(super) fn functor_params(&mut self) -> Parse<Vec<FunctorParam>> {
        let mut params = Vec::new();
        while self.at(Tok::LParen) {
            if self.nth(1) == Tok::RParen {
                self.pos += 2;
                params.push(FunctorParam { name: None, ty: None });
                continue;
            }
            params.push(self.group(|parser| {
                let name = parser.module_name()?;
                parser.expect(Tok::Colon, "`:` and the parameter's module type")?;
                let ty = Some(Box::new(parser.module_type()?));
                let name = (name.text.as_str() != "_").then_some(name);
                Ok(FunctorParam { name, ty })
            })?);
        }
        Ok(params)
    }

    /// `X` or `_`
    pub(super) fn module_name(&mut self) -> Parse<Name> {
        if self.at(Tok::Underscore) {
            let token = self.bump();
            return Ok(self.name("_".into(), token));
        }
        self.upper_name("a module")
    }

    /// `X (A : S) : T = m`, behind `module`.
    pub(super) fn module_binding(&mut self) -> Parse<(Name, ModuleExpr)> {
        let name = self.module_name()?;
        let start = self.here();
        let params = self.functor_params()?;
        let ty = if self.eat(Tok::Colon) { Some(self.module_type()?) } else { None };
        if !self.eat_definition_equal("a module") {
            return Err(self.unexpected("`=`"));
        }
        let mut body = self.module_expr()?;
        if let Some(ty) = ty {
            let span = ty.span.to(body.span);
            body = ModuleExpr { kind: ModuleExprKind::Constraint(Box::new(body), ty), span };
        }
        Ok((name, functor_expr(params, body, self.span_from(start))))
    }

    // --------------------------------------------------------- module types

    pub(super) fn module_type(&mut self) -> Parse<ModuleType> {
        self.nested(|parser| {
            let start = parser.here();
            if parser.eat(Tok::Functor) {
                parser.keyword_attributes();
                let params = parser.functor_params()?;
                return parser.functor_type(params, start);
            }
            // `(X : S) -> T` and `() -> T` are functor types without the keyword.
            let is_param = match (parser.peek(), parser.nth(1), parser.nth(2)) {
                (Tok::LParen, Tok::RParen, _) => true,
                (Tok::LParen, name, Tok::Colon) => matches!(name, Tok::Upper(_) | Tok::Underscore),
                _ => false,
            };
            if is_param {
                let params = parser.functor_params()?;
                return parser.functor_type(params, start);
            }
            let ty = parser.module_type_head()?;
            let ty = parser.module_type_suffix(ty, start)?;
            if parser.at(Tok::Arrow) {
                let param = FunctorParam { name: None, ty: Some(Box::new(ty)) };
                return parser.functor_type(vec![param], start);
            }
            Ok(ty)
        })
    }

    /// `-> S`, behind the parameters.
    fn functor_type(&mut self, params: Vec<FunctorParam>, start: u32) -> Parse<ModuleType> {
        self.expect(Tok::Arrow, "`->`")?;
        let result = self.module_type()?;
        let span = self.span_from(start);
        Ok(functor_type(params, result, span))
    }

    /// Attributes and `with` behind a module type.
    fn module_type_suffix(&mut self, ty: ModuleType, start: u32) -> Parse<ModuleType> {
        let mut ty = ty;
        loop {
            match self.peek() {
                Tok::LBracketAt => {
                    self.attributes(Tok::LBracketAt);
                }
                Tok::With => {
                    self.bump();
                    let mut constraints = Vec::new();
                    loop {
                        constraints.push(self.with_constraint()?);
                        // `and` may also go on with `module rec`, which has no `type` here.
                        if !(self.at(Tok::And) && matches!(self.nth(1), Tok::Type | Tok::Module)) {
                            break;
                        }
                        self.bump();
                    }
                    let kind = ModuleTypeKind::With(Box::new(ty), constraints);
                    ty = ModuleType { kind, span: self.span_from(start) };
                }
                _ => return Ok(ty),
            }
        }
    }

    fn module_type_head(&mut self) -> Parse<ModuleType> {
        let start = self.here();
        let kind = match self.peek() {
            Tok::Sig => {
                let items = self.group(|parser| {
                    parser.attributes(Tok::LBracketAt);
                    Ok(parser.signature())
                });
                match items {
                    Ok(items) => ModuleTypeKind::Signature(items),
                    Err(reported) => ModuleTypeKind::Error(reported),
                }
            }
            Tok::Module if self.nth(1) == Tok::Type && self.nth(2) == Tok::Of => {
                self.pos += 3;
                self.keyword_attributes();
                ModuleTypeKind::TypeOf(Box::new(self.module_expr()?))
            }
            Tok::LParen => match self.group(Self::module_type) {
                Ok(ty) => ty.kind,
                Err(reported) => ModuleTypeKind::Error(reported),
            },
            Tok::Upper(_) | Tok::Lower(_) => ModuleTypeKind::Path(self.module_type_path()?),
            Tok::LBracketPercent => {
                let span = self.skip_group();
                ModuleTypeKind::Error(self.unsupported(span, "extension points"))
            }
            _ => return Err(self.unexpected("a module type")),
        };
        Ok(ModuleType { kind, span: self.span_from(start) })
    }

    /// `S`, `M.S`, `F(X).s`; the last name may be lower-case.
    fn module_type_path(&mut self) -> Parse<Path> {
        if let Tok::Lower(text) = self.peek() {
            let token = self.bump();
            return Ok(Path::plain(self.name(text, token)));
        }
        let path = self.module_path_with_applications()?;
        if let (Tok::Dot, Tok::Lower(text)) = (self.peek(), self.nth(1)) {
            self.bump();
            let token = self.bump();
            return Ok(Path { prefix: Some(Box::new(path)), name: self.name(text, token) });
        }
        match path {
            oxbow_elab::ast::ModulePath::Name(name) => Ok(Path::plain(name)),
            oxbow_elab::ast::ModulePath::Dot(prefix, name) => {
                Ok(Path { prefix: Some(prefix), name })
            }
            oxbow_elab::ast::ModulePath::Apply(..) => Err(self.unexpected("`.` and a module type")),
        }
    }

    /// `type t = u`, `module M = N`, behind `with` or `and`.
    fn with_constraint(&mut self) -> Parse<WithConstraint> {
        let keyword = self.token();
        match keyword.tok {
            Tok::Type => {
                self.bump();
                let params = self.type_params()?;
                let path = self.type_path()?;
                let destructive = self.with_equal()?;
                self.eat(Tok::Private);
                let ty = self.core_type()?;
                let constraints = self.constraints()?;
                Ok(WithConstraint::Type { path, params, ty, destructive, constraints })
            }
            Tok::Module if self.nth(1) == Tok::Type => {
                self.pos += 2;
                let path = self.module_type_path()?;
                let destructive = self.with_equal()?;
                // A `with` behind it belongs to the whole.
                let ty = self.module_type_head()?;
                Ok(WithConstraint::ModuleType { path, ty, destructive })
            }
            Tok::Module => {
                self.bump();
                let (prefix, name) = self.upper_path()?;
                let destructive = self.with_equal()?;
                let target = self.module_path_with_applications()?;
                Ok(WithConstraint::Module { path: Path { prefix, name }, target, destructive })
            }
            _ => Err(self.unexpected("`type` or `module`")),
        }
    }

    /// `=`, or `:=`, for which the answer is true.
    fn with_equal(&mut self) -> Parse<bool> {
        match self.peek() {
            Tok::Equal => {
                self.bump();
                Ok(false)
            }
            Tok::ColonEqual => {
                self.bump();
                Ok(true)
            }
            _ => Err(self.unexpected("`=` or `:=`")),
        }
    }
}

fn functor_expr(params: Vec<FunctorParam>, body: ModuleExpr, span: oxbow_base::Span) -> ModuleExpr {
    params.into_iter().rev().fold(body, |body, param| {
        let span = span.to(body.span);
        ModuleExpr { kind: ModuleExprKind::Functor(param, Box::new(body)), span }
    })
}

pub(super) fn functor_type(
    params: Vec<FunctorParam>,
    result: ModuleType,
    span: oxbow_base::Span,
) -> ModuleType {
    params.into_iter().rev().fold(result, |result, param| {
        let span = span.to(result.span);
        ModuleType { kind: ModuleTypeKind::Functor(param, Box::new(result)), span }
    })
}
