//! Type expressions.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    ArgLabel, ModulePath, Name, ParamVariance, Path, TypeExpr, TypeExprKind, TypeParam, is_measure,
};

use super::bracket::extend;
use super::{Parsed, Parser, make};
use crate::token::{Tok, Token};

fn ty(kind: TypeExprKind, span: Span) -> TypeExpr {
    TypeExpr { kind, span }
}

impl Parser<'_> {
    /// `a * b -> c`
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(|this| {
            let param = this.tuple_type()?;
            let result = match this.accept("->") {
                Some(_) => {
                    let result = this.type_expr()?;
                    let span = param.span.to(result.span);
                    ty(TypeExprKind::Arrow(ArgLabel::None, Box::new(param), Box::new(result)), span)
                }
                None => param,
            };
            let known = this.bounds.len();
            this.constraints();
            Ok(if this.bounds.len() > known { this.bounded(result) } else { result })
        })
    }

    /// The type with what is asked of its variables in their places.
    fn bounded(&self, mut ty: TypeExpr) -> TypeExpr {
        match &mut ty.kind {
            TypeExprKind::Var(name) => {
                let bound = self.bounds.iter().rev().find(|it| it.0 == name.text);
                return bound.map_or(ty, |it| it.1.clone());
            }
            TypeExprKind::Arrow(_, param, result) => {
                **param = self.bounded(*param.clone());
                **result = self.bounded(*result.clone());
            }
            TypeExprKind::Tuple(items) | TypeExprKind::Constr(_, items) => {
                items.iter_mut().for_each(|it| *it = self.bounded(it.clone()));
            }
            _ => (),
        }
        ty
    }

    /// `'T :> t` behind `when` or `and`: in this binding `'T` is `t`, as `#t` would be.
    fn upper_bound(&mut self) {
        let (Tok::TypeVar(name), Tok::Key(":>")) =
            (self.raw().tok.clone(), self.raw_after(1).tok.clone())
        else {
            return;
        };
        let found = self.attempt(|this| {
            this.advance();
            this.advance();
            this.atomic_type().ok()
        });
        // What can be compared is known without, and a type that is asked for itself is none that has a name.
        let Some(ty) = found.filter(|it| !is_of_itself(it, name) && !is_order(it)) else { return };
        self.bounds.push((name, ty));
    }

    /// `when 'T : comparison and …`: what they ask for is decided by use.
    pub(super) fn constraints(&mut self) {
        let next = &self.raw_after(1).tok;
        let is_variable = match next {
            Tok::TypeVar(_) => true,
            Tok::Op(it) => it.as_str() == "^",
            _ => false,
        };
        if !self.is("when") || !is_variable {
            return;
        }
        let mut depth = 0;
        loop {
            let before = self.at;
            if depth == 0 {
                self.upper_bound();
            }
            if self.at > before {
                continue;
            }
            match self.peek() {
                Tok::Key("(") => depth += 1,
                Tok::Key(")") if depth > 0 => depth -= 1,
                Tok::Key(")" | "]" | "}" | "," | ";") | Tok::Offside | Tok::Eof => return,
                Tok::Op(it)
                    if depth == 0 && (it.as_str().starts_with('>') || it.as_str() == "=") =>
                {
                    return;
                }
                _ => (),
            }
            self.advance();
        }
    }

    fn tuple_type(&mut self) -> Parsed<TypeExpr> {
        self.skip_label();
        let first = self.postfix_type()?;
        let mut items = vec![first];
        while self.is_op("*") {
            self.advance();
            self.skip_label();
            items.push(self.postfix_type()?);
        }
        Ok(tuple(items))
    }

    /// `width: float` in the type of an abstract member: the name of a parameter.
    fn skip_label(&mut self) {
        if matches!(self.peek(), Tok::Ident(_)) && self.raw_after(1).tok == Tok::Key(":") {
            self.advance();
            self.advance();
        }
    }

    /// `int list`, `int[]`, `'a option`
    pub(super) fn postfix_type(&mut self) -> Parsed<TypeExpr> {
        let mut base = self.atomic_type()?;
        loop {
            match self.peek() {
                Tok::Ident(_) => {
                    let path = self.type_path()?;
                    let span = base.span.to(path.span());
                    base = ty(TypeExprKind::Constr(path, vec![base]), span);
                }
                Tok::Key("[") if self.raw_after(1).tok == Tok::Key("]") => {
                    self.advance();
                    let end = self.advance().span;
                    let span = base.span.to(end);
                    let path = Path::plain(make::name("array", span));
                    base = ty(TypeExprKind::Constr(path, vec![base]), span);
                }
                Tok::Key("[") if self.raw_after(1).tok == Tok::Key(",") => {
                    base = self.several_dimensions(base)?;
                }
                _ => return Ok(base),
            }
        }
    }

    /// `int[,]`, `int[,,]`
    fn several_dimensions(&mut self, element: TypeExpr) -> Parsed<TypeExpr> {
        let open = self.advance().span;
        let mut dimensions = 1;
        while self.raw().tok == Tok::Key(",") {
            self.advance();
            dimensions += 1;
        }
        let span = element.span.to(self.close("[", open, "]")?);
        let (module, name) = match dimensions {
            2 => ("Array2D", "Array2"),
            3 => ("Array3D", "Array3"),
            _ => {
                let construct = "arrays of more than three dimensions";
                return self.fail(Diagnostic::not_supported(span, construct));
            }
        };
        let prefix = ModulePath::Name(make::name(module, span));
        let path = Path { prefix: Some(Box::new(prefix)), name: make::name(name, span) };
        Ok(ty(TypeExprKind::Constr(path, vec![element]), span))
    }

    pub(super) fn atomic_type(&mut self) -> Parsed<TypeExpr> {
        let span = self.here();
        match self.peek() {
            Tok::TypeVar(text) => {
                self.advance();
                Ok(self.bounded(ty(TypeExprKind::Var(Name { text, span }), span)))
            }
            Tok::Op(text) if text.as_str() == "^" => {
                self.advance();
                let name = self.ident("a type variable")?;
                Ok(ty(TypeExprKind::Var(name), span.to(name.span)))
            }
            Tok::Key("_") => {
                self.advance();
                Ok(ty(TypeExprKind::Any, span))
            }
            // `#seq<int>`: conversions to sequences are made where they are needed.
            Tok::Key("#") => {
                self.advance();
                self.atomic_type()
            }
            Tok::Key("struct") => {
                self.advance();
                self.atomic_type()
            }
            Tok::Key("(") => {
                let open = self.advance().span;
                let inner = self.type_expr()?;
                let end = self.close("(", open, ")")?;
                Ok(TypeExpr { span: open.to(end), ..inner })
            }
            Tok::Key("{|") => self.anonymous_type(),
            Tok::Ident(_) => {
                let path = self.type_path()?;
                let args = self.type_arguments().unwrap_or_default();
                let whole = span.to(self.previous());
                Ok(ty(TypeExprKind::Constr(path, args), whole))
            }
            _ => self.unexpected("a type"),
        }
    }

    pub(super) fn type_path(&mut self) -> Parsed<Path> {
        let mut name = self.ident("a type")?;
        let mut prefix: Option<Box<ModulePath>> = None;
        while self.is(".") && matches!(self.raw_after(1).tok, Tok::Ident(_)) {
            self.advance();
            prefix = Some(Box::new(extend(prefix, name)));
            name = self.ident("a type")?;
        }
        Ok(Path { prefix, name })
    }

    /// `<int, string>` right behind a name; nothing is read if it is not that.
    pub(super) fn type_arguments(&mut self) -> Option<Vec<TypeExpr>> {
        let token = self.raw();
        if token.spaced || !matches!(token.tok, Tok::Op(it) if matches!(it.as_str(), "<" | "<#")) {
            return None;
        }
        self.attempt(|this| {
            this.open_angle();
            let mut args = Vec::new();
            loop {
                args.push(this.type_argument()?);
                if this.accept(",").is_none() {
                    break;
                }
            }
            this.close_angle()?;
            // `a<b>c` compares.
            let next = this.raw();
            let operand = matches!(next.tok, Tok::Ident(_) | Tok::Constant(_));
            (next.spaced || !operand).then_some(args)
        })
    }

    /// A type, or a unit of measure.
    fn type_argument(&mut self) -> Option<TypeExpr> {
        let ends = |it: &Self| match it.peek() {
            Tok::Op(text) => text.as_str().starts_with('>'),
            other => other == Tok::Key(","),
        };
        let read = self.attempt(|this| this.type_expr().ok().filter(|_| ends(this)));
        read.or_else(|| self.attempt(|this| this.unit_expr().filter(|_| ends(this))))
    }

    /// A `<`, which may have a flexible type behind it: `seq<#Shape>`.
    fn open_angle(&mut self) {
        if self.is_op("<") {
            self.advance();
            return;
        }
        let token = self.raw().clone();
        self.split.push((self.at, token.clone()));
        let span = Span { start: token.span.start + 1, ..token.span };
        let at = self.at;
        self.tokens[at] = Token { tok: Tok::Key("#"), span, first: false, spaced: false, ..token };
    }

    /// A `>`, which may be the first of several: `list<list<int>>`.
    pub(super) fn close_angle(&mut self) -> Option<Span> {
        let Tok::Op(text) = self.peek() else { return None };
        let rest = text.as_str().strip_prefix('>')?;
        if rest.is_empty() {
            return Some(self.advance().span);
        }
        let token = self.raw().clone();
        let (index, start) = (self.at, token.span.start);
        self.split.push((index, token.clone()));
        let span = Span { start: start + 1, ..token.span };
        let tok = match rest {
            "." => Tok::Key("."),
            _ => Tok::Op(Symbol::new(rest)),
        };
        self.tokens[index] = Token { tok, span, first: false, spaced: false, ..token.clone() };
        Some(Span { end: start + 1, ..token.span })
    }

    /// `<'T, 'U>` behind a name that is being defined; `[]` if there is none.
    pub(super) fn type_parameters(&mut self) -> Vec<TypeParam> {
        let parsed = self.attempt(|this| {
            if !this.is_op("<") {
                return None;
            }
            this.advance();
            let mut params = Vec::new();
            loop {
                let attributes = this.attributes().ok()?;
                let measure = is_measure(&attributes);
                let span = this.here();
                match this.peek() {
                    Tok::TypeVar(text) => {
                        this.advance();
                        let param = TypeParam {
                            name: Some(Name { text, span }),
                            injective: false,
                            variance: ParamVariance::Unsaid,
                            measure,
                            span,
                        };
                        params.push(param);
                    }
                    Tok::Op(text) if text.as_str() == "^" => {
                        this.advance();
                        let name = this.ident("a type variable").ok()?;
                        let param = TypeParam {
                            name: Some(name),
                            injective: false,
                            variance: ParamVariance::Unsaid,
                            measure,
                            span,
                        };
                        params.push(param);
                    }
                    _ => return None,
                }
                this.constraints();
                if this.accept(",").is_none() {
                    break;
                }
            }
            this.close_angle()?;
            Some(params)
        });
        parsed.unwrap_or_default()
    }
}

pub fn tuple(mut items: Vec<TypeExpr>) -> TypeExpr {
    if items.len() == 1
        && let Some(one) = items.pop()
    {
        return one;
    }
    let span = match (items.first(), items.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::new(oxbow_base::Id::from_index(0), 0, 0),
    };
    ty(TypeExprKind::Tuple(items), span)
}

/// Does a variable stand in what is asked of it?
fn is_of_itself(ty: &TypeExpr, name: oxbow_base::Symbol) -> bool {
    match &ty.kind {
        TypeExprKind::Var(it) => it.text == name,
        TypeExprKind::Arrow(_, param, result) => {
            is_of_itself(param, name) || is_of_itself(result, name)
        }
        TypeExprKind::Tuple(items) | TypeExprKind::Constr(_, items) => {
            items.iter().any(|it| is_of_itself(it, name))
        }
        _ => false,
    }
}

/// `IComparable`, without an argument: it is no type here.
fn is_order(ty: &TypeExpr) -> bool {
    matches!(&ty.kind, TypeExprKind::Constr(path, args)
        if args.is_empty() && path.name.text.as_str() == "IComparable")
}
