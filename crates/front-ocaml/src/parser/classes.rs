//! Objects, classes and their types.
//!
//! ```text
//! class_expr    fun p -> ce | let … in ce | simple a b
//! simple        [t] M.c | object … end | (ce) | (ce : ct)
//! class_type    t -> ct | let open M in ct | [t] M.c | object … end
//! ```

use oxbow_elab::ast::{
    ArgLabel, ClassBody, ClassDecl, ClassExpr, ClassExprKind, ClassField, ClassFieldKind,
    ClassType, ClassTypeField, ClassTypeKind, Expr, ExprKind, ItemKind, Name, ObjectTypeExpr,
    ObjectTypeField, Pattern, PatternKind, TypeExpr, TypeExprKind, TypeParam,
};

use crate::lexer::Tok;

use super::abstract_method::without_abstract_types;
use super::expr::{error_expr, ident_expr, make_expr};
use super::simple::module_expr;
use super::types::make_type;
use super::{Parse, Parser};

impl Parser<'_> {
    // ---------------------------------------------------------- expressions

    /// `object … end` as an expression.
    pub(super) fn object_expr(&mut self) -> Parse<Expr> {
        let start = self.here();
        let body = self.class_body();
        let span = self.span_from(start);
        Ok(match body {
            Ok(body) => make_expr(ExprKind::Object(Box::new(body)), span),
            Err(reported) => error_expr(reported, span),
        })
    }

    /// `{< x = e; y >}`
    pub(super) fn override_expr(&mut self) -> Parse<Expr> {
        let start = self.here();
        let inner = self.group(|parser| {
            let mut fields = Vec::new();
            while !parser.peek().is_closer() {
                let name = parser.lower_name("an instance variable")?;
                let value = match parser.eat_definition_equal("an instance variable") {
                    true => parser.expr()?,
                    false => ident_expr(name),
                };
                fields.push((name, value));
                if !parser.eat(Tok::Semi) {
                    break;
                }
            }
            Ok(fields)
        });
        let span = self.span_from(start);
        Ok(match inner {
            Ok(fields) => make_expr(ExprKind::Override(fields), span),
            Err(reported) => error_expr(reported, span),
        })
    }

    /// `< m : t; .. >`, at `<`; `<>` is one token.
    pub(super) fn object_type(&mut self) -> Parse<TypeExpr> {
        let opening = self.bump();
        let (mut fields, mut open) = (Vec::new(), false);
        let empty = self.text_of(opening) == "<>";
        while !empty && !self.at(Tok::Greater) {
            if self.eat(Tok::DotDot) {
                open = true;
                break;
            }
            if let (Tok::Lower(text), Tok::Colon) = (self.peek(), self.nth(1)) {
                let token = self.bump();
                self.bump();
                let name = self.name(text, token);
                fields.push(ObjectTypeField::Method(name, self.poly_type()?));
            } else {
                fields.push(ObjectTypeField::Inherit(self.core_type()?));
            }
            if !self.eat(Tok::Semi) {
                break;
            }
        }
        if !empty {
            self.expect(Tok::Greater, "`;` or `>`")?;
        }
        let kind = TypeExprKind::Object(ObjectTypeExpr { fields, open });
        Ok(make_type(kind, self.span_from(opening.start)))
    }

    // --------------------------------------------------------------- bodies

    /// `object (self) … end`, at `object`.
    fn class_body(&mut self) -> Parse<ClassBody> {
        let start = self.here();
        let inner = self.group(|parser| {
            parser.keyword_attributes();
            let self_pattern =
                if parser.at(Tok::LParen) { Some(parser.self_pattern()?) } else { None };
            let mut fields = Vec::new();
            while !parser.peek().is_closer() && !parser.at_eof() {
                fields.push(parser.nested(Self::class_field)?);
            }
            Ok((self_pattern, fields))
        });
        let (self_pattern, fields) = inner?;
        Ok(ClassBody { self_pattern, fields, span: self.span_from(start) })
    }

    /// `(self)`, `(self : t)`
    fn self_pattern(&mut self) -> Parse<Pattern> {
        self.group(|parser| {
            let start = parser.here();
            let pattern = parser.pattern()?;
            if !parser.eat(Tok::Colon) {
                return Ok(pattern);
            }
            let ty = parser.core_type()?;
            let kind = PatternKind::Annotate(Box::new(pattern), ty);
            Ok(Pattern { kind, span: parser.span_from(start) })
        })
    }

    fn class_field(&mut self) -> Parse<ClassField> {
        let keyword = self.token();
        let kind = match keyword.tok {
            Tok::Inherit => {
                self.bump();
                let overrides = self.eat(Tok::Bang);
                self.keyword_attributes();
                let class = self.class_expr()?;
                let name = if self.eat(Tok::As) { Some(self.lower_name("a value")?) } else { None };
                ClassFieldKind::Inherit { class, name, overrides }
            }
            Tok::Val => self.class_value()?,
            Tok::Method => self.class_method()?,
            Tok::Constraint => {
                self.bump();
                self.keyword_attributes();
                let left = self.core_type()?;
                self.expect(Tok::Equal, "`=`")?;
                ClassFieldKind::Constraint(left, self.core_type()?)
            }
            Tok::Initializer => {
                self.bump();
                self.keyword_attributes();
                ClassFieldKind::Initializer(self.sequence()?)
            }
            Tok::LBracketAtAtAt => {
                self.attribute();
                return self.class_field_after_attribute(keyword.start);
            }
            _ => return Err(self.unexpected("`method`, `val`, `inherit` or `initializer`")),
        };
        self.item_attributes();
        Ok(ClassField { kind, span: self.span_from(keyword.start) })
    }

    /// An attribute between fields stands for a constraint that says nothing.
    fn class_field_after_attribute(&mut self, start: u32) -> Parse<ClassField> {
        let span = self.span_from(start);
        let any = || make_type(TypeExprKind::Any, span);
        Ok(ClassField { kind: ClassFieldKind::Constraint(any(), any()), span })
    }

    fn class_value(&mut self) -> Parse<ClassFieldKind> {
        self.bump();
        let overrides = self.eat(Tok::Bang);
        self.keyword_attributes();
        let (mut mutable, mut is_virtual) = (false, false);
        loop {
            match self.peek() {
                Tok::Mutable => mutable = true,
                Tok::Virtual => is_virtual = true,
                _ => break,
            }
            self.bump();
        }
        let name = self.lower_name("an instance variable")?;
        let mut ty = if self.eat(Tok::Colon) { Some(self.core_type()?) } else { None };
        if is_virtual {
            return Ok(ClassFieldKind::Val { name, mutable, overrides, ty, value: None });
        }
        let to = if self.eat(Tok::ColonGreater) { Some(self.core_type()?) } else { None };
        if !self.eat_definition_equal("an instance variable") {
            return Err(self.unexpected("`=`"));
        }
        let mut value = self.sequence()?;
        if let Some(to) = to {
            let span = value.span;
            value = make_expr(ExprKind::Coerce(Box::new(value), ty.take(), to), span);
        }
        Ok(ClassFieldKind::Val { name, mutable, overrides, ty, value: Some(value) })
    }

    fn class_method(&mut self) -> Parse<ClassFieldKind> {
        self.bump();
        let overrides = self.eat(Tok::Bang);
        self.keyword_attributes();
        let (mut private, mut is_virtual) = (false, false);
        loop {
            match self.peek() {
                Tok::Private => private = true,
                Tok::Virtual => is_virtual = true,
                _ => break,
            }
            self.bump();
        }
        let name = self.lower_name("a method")?;
        if is_virtual {
            self.expect(Tok::Colon, "`:` and the method's type")?;
            let ty = Some(self.poly_type()?);
            return Ok(ClassFieldKind::Method { name, private, overrides, ty, value: None });
        }
        let (value, ty) = match self.method_definition()? {
            (value, None) => (value, None),
            (value, Some(ty)) => {
                let (value, ty) = without_abstract_types(value, ty);
                (value, Some(ty))
            }
        };
        Ok(ClassFieldKind::Method { name, private, overrides, ty, value: Some(value) })
    }

    // -------------------------------------------------------- class expressions

    pub(super) fn class_expr(&mut self) -> Parse<ClassExpr> {
        self.nested(|parser| {
            let start = parser.here();
            match parser.peek() {
                Tok::Fun => {
                    parser.bump();
                    parser.keyword_attributes();
                    let params = parser.params()?;
                    parser.expect(Tok::Arrow, "`->`")?;
                    let body = parser.class_expr()?;
                    Ok(parser.class_node(ClassExprKind::Fun(params, Box::new(body)), start))
                }
                Tok::Let if parser.nth(1) != Tok::Open => {
                    let (recursive, bindings) = parser.let_bindings()?;
                    parser.expect(Tok::In, "`in`")?;
                    let body = Box::new(parser.class_expr()?);
                    let kind = ClassExprKind::Let { recursive, bindings, body };
                    Ok(parser.class_node(kind, start))
                }
                Tok::Let => {
                    parser.pos += 2;
                    parser.eat(Tok::Bang);
                    parser.keyword_attributes();
                    let module = parser.module_path_with_applications()?;
                    parser.expect(Tok::In, "`in`")?;
                    let body = Box::new(parser.class_expr()?);
                    Ok(parser.class_node(ClassExprKind::Open(module_expr(module), body), start))
                }
                _ => parser.class_application(),
            }
        })
    }

    fn class_node(&self, kind: ClassExprKind, start: u32) -> ClassExpr {
        ClassExpr { kind, span: self.span_from(start) }
    }

    fn class_application(&mut self) -> Parse<ClassExpr> {
        let start = self.here();
        let head = self.simple_class()?;
        let mut args = Vec::new();
        while Self::starts_argument(self.peek()) {
            args.push(self.argument()?);
        }
        if args.is_empty() {
            return Ok(head);
        }
        Ok(self.class_node(ClassExprKind::Apply(Box::new(head), args), start))
    }

    fn simple_class(&mut self) -> Parse<ClassExpr> {
        let start = self.here();
        let kind = match self.peek() {
            Tok::Object => match self.class_body() {
                Ok(body) => ClassExprKind::Body(body),
                Err(reported) => ClassExprKind::Error(reported),
            },
            Tok::LParen => {
                let inner = self.group(|parser| {
                    let class = parser.class_expr()?;
                    if !parser.eat(Tok::Colon) {
                        return Ok(class.kind);
                    }
                    let ty = parser.class_type()?;
                    Ok(ClassExprKind::Constraint(Box::new(class), ty))
                });
                inner.unwrap_or_else(ClassExprKind::Error)
            }
            Tok::LBracket => {
                let args = self.class_arguments()?;
                ClassExprKind::Path(self.class_path()?, args)
            }
            _ => ClassExprKind::Path(self.class_path()?, Vec::new()),
        };
        Ok(self.class_node(kind, start))
    }

    /// `c` or `M.c`
    pub(super) fn class_path(&mut self) -> Parse<oxbow_elab::ast::Path> {
        if matches!(self.peek(), Tok::Lower(_) | Tok::Upper(_)) {
            return self.field_path();
        }
        Err(self.unexpected("a class"))
    }

    /// `[t, u]`
    fn class_arguments(&mut self) -> Parse<Vec<TypeExpr>> {
        self.group(|parser| {
            let mut types = vec![parser.core_type()?];
            while parser.eat(Tok::Comma) {
                types.push(parser.core_type()?);
            }
            Ok(types)
        })
    }

    // ---------------------------------------------------------- class types

    pub(super) fn class_type(&mut self) -> Parse<ClassType> {
        self.nested(|parser| {
            let start = parser.here();
            let kind = parser.class_type_kind()?;
            Ok(ClassType { kind, span: parser.span_from(start) })
        })
    }

    fn class_type_kind(&mut self) -> Parse<ClassTypeKind> {
        match self.peek() {
            Tok::Object => {
                let inner = self.group(|parser| {
                    let self_type = match parser.at(Tok::LParen) {
                        true => Some(parser.group(Self::core_type)?),
                        false => None,
                    };
                    let mut fields = Vec::new();
                    while !parser.peek().is_closer() && !parser.at_eof() {
                        fields.push(parser.class_type_field()?);
                        parser.item_attributes();
                    }
                    Ok((self_type, fields))
                });
                return Ok(match inner {
                    Ok((self_type, fields)) => ClassTypeKind::Body { self_type, fields },
                    Err(reported) => ClassTypeKind::Error(reported),
                });
            }
            Tok::Let => {
                self.bump();
                self.expect(Tok::Open, "`open`")?;
                self.eat(Tok::Bang);
                self.keyword_attributes();
                let module = self.module_path_with_applications()?;
                self.expect(Tok::In, "`in`")?;
                let inner = Box::new(self.class_type()?);
                return Ok(ClassTypeKind::Open(module_expr(module), inner));
            }
            Tok::LBracket if !matches!(self.nth(1), Tok::Backquote | Tok::Bar) => {
                let args = self.class_arguments()?;
                return Ok(ClassTypeKind::Path(self.class_path()?, args));
            }
            _ => (),
        }
        let label = self.type_label();
        let param = self.tuple_type()?;
        if self.eat(Tok::Arrow) {
            let result = Box::new(self.class_type()?);
            return Ok(ClassTypeKind::Arrow(label, param, result));
        }
        match param.kind {
            TypeExprKind::Constr(path, args) if label == ArgLabel::None && args.is_empty() => {
                Ok(ClassTypeKind::Path(path, args))
            }
            TypeExprKind::Error(reported) => Ok(ClassTypeKind::Error(reported)),
            _ => Err(self.unexpected("`->` and a class type")),
        }
    }

    fn class_type_field(&mut self) -> Parse<ClassTypeField> {
        match self.peek() {
            Tok::Inherit => {
                self.bump();
                Ok(ClassTypeField::Inherit(self.class_type()?))
            }
            Tok::Constraint => {
                self.bump();
                let left = self.core_type()?;
                self.expect(Tok::Equal, "`=`")?;
                Ok(ClassTypeField::Constraint(left, self.core_type()?))
            }
            word @ (Tok::Val | Tok::Method) => {
                self.bump();
                let (mut mutable, mut private, mut is_virtual) = (false, false, false);
                loop {
                    match self.peek() {
                        Tok::Mutable if word == Tok::Val => mutable = true,
                        Tok::Private if word == Tok::Method => private = true,
                        Tok::Virtual => is_virtual = true,
                        _ => break,
                    }
                    self.bump();
                }
                let name = self.lower_name(if word == Tok::Val {
                    "an instance variable"
                } else {
                    "a method"
                })?;
                self.expect(Tok::Colon, "`:` and a type")?;
                let ty = self.poly_type()?;
                Ok(match word {
                    Tok::Val => ClassTypeField::Val { name, mutable, is_virtual, ty: ty.ty },
                    _ => ClassTypeField::Method { name, private, is_virtual, ty },
                })
            }
            _ => Err(self.unexpected("`method`, `val` or `inherit`")),
        }
    }

    // ---------------------------------------------------------------- items

    /// `class … and …`, at `class`.
    pub(super) fn class_item(&mut self) -> Parse<ItemKind> {
        if self.nth(1) == Tok::Type {
            return Ok(ItemKind::ClassType(self.class_type_decls()?));
        }
        let mut decls = Vec::new();
        loop {
            let start = self.here();
            self.bump();
            self.keyword_attributes();
            let (is_virtual, params, name) = self.class_head()?;
            let body = self.class_definition()?;
            self.item_attributes();
            let span = self.span_from(start);
            decls.push(ClassDecl { name, is_virtual, params, body, span });
            if !self.at(Tok::And) {
                return Ok(ItemKind::Class(decls));
            }
        }
    }

    /// Parameters, class type and class behind the name.
    fn class_definition(&mut self) -> Parse<ClassExpr> {
        let start = self.here();
        let params = self.params()?;
        let ty = if self.eat(Tok::Colon) { Some(self.class_type()?) } else { None };
        if !self.eat_definition_equal("a class") {
            return Err(self.unexpected("`=`"));
        }
        let mut body = self.class_expr()?;
        if let Some(ty) = ty {
            let span = body.span;
            body = ClassExpr { kind: ClassExprKind::Constraint(Box::new(body), ty), span };
        }
        if params.is_empty() {
            return Ok(body);
        }
        Ok(self.class_node(ClassExprKind::Fun(params, Box::new(body)), start))
    }

    fn class_head(&mut self) -> Parse<(bool, Vec<TypeParam>, Name)> {
        let is_virtual = self.eat(Tok::Virtual);
        let params = if self.at(Tok::LBracket) {
            self.group(|parser| {
                let mut params = vec![parser.type_param()?];
                while parser.eat(Tok::Comma) {
                    params.push(parser.type_param()?);
                }
                Ok(params)
            })?
        } else {
            Vec::new()
        };
        Ok((is_virtual, params, self.lower_name("a class")?))
    }

    /// `class type c = … and …`, at `class`.
    pub(super) fn class_type_decls(&mut self) -> Parse<Vec<ClassDecl<ClassType>>> {
        self.bump();
        self.class_descriptions(Tok::Equal)
    }

    /// `class c : … and …`, at `class`; the same for class types, at `type`.
    pub(super) fn class_descriptions(&mut self, sign: Tok) -> Parse<Vec<ClassDecl<ClassType>>> {
        let mut decls = Vec::new();
        loop {
            let start = self.here();
            self.bump();
            self.keyword_attributes();
            let (is_virtual, params, name) = self.class_head()?;
            self.expect(sign, if sign == Tok::Colon { "`:`" } else { "`=`" })?;
            let body = self.class_type()?;
            self.item_attributes();
            let span = self.span_from(start);
            decls.push(ClassDecl { name, is_virtual, params, body, span });
            if !self.at(Tok::And) {
                return Ok(decls);
            }
        }
    }
}
