//! Type and exception declarations.

use oxbow_base::Mark;
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, ConstructorArgs, ConstructorDecl, ExceptionDecl, ExprKind, FieldDecl, FieldRole,
    Item, ItemKind, Name, ParamVariance, PatternKind, PolyType, TypeDecl, TypeDeclKind, TypeExpr,
    TypeParam, is_measure,
};

use super::class::Class;
use super::class_code::Declared;
use super::{Parsed, Parser};
use crate::diagnostics;
use crate::token::Tok;

impl Parser<'_> {
    /// `type A = … and B = …` with their members.
    pub(super) fn type_group(&mut self, attributes: Vec<Attribute>) -> Parsed<Vec<Item>> {
        let start = self.advance().span;
        let mut made = Declared::default();
        let mut members = Vec::new();
        let mut attributes = attributes;
        loop {
            let own = std::mem::take(&mut attributes);
            let class = self.type_decl(own, &mut made)?;
            members.push(self.class_code(class, &mut made));
            if self.accept_continuing("and").is_none() {
                break;
            }
            attributes = self.attributes()?;
        }
        let span = start.to(self.previous());
        let mut items = Vec::new();
        if !made.decls.is_empty() {
            items.push(Item { kind: ItemKind::Type { recursive: true, decls: made.decls }, span });
        }
        items.extend(made.items);
        if members.iter().any(|it| !it.members.is_empty()) {
            items.push(Item { kind: ItemKind::Members(members), span });
        }
        Ok(items)
    }

    /// One type, or an extension `type T with …`: its declaration, and what else stands in it.
    fn type_decl(&mut self, attributes: Vec<Attribute>, made: &mut Declared) -> Parsed<Class> {
        while self.accept("private").is_some()
            || self.accept("internal").is_some()
            || self.accept("public").is_some()
        {}
        let start = self.here();
        // `'a tree` or `tree<'a>`
        let mut params = Vec::new();
        if let Tok::TypeVar(text) = self.peek() {
            let span = self.advance().span;
            params.push(TypeParam {
                name: Some(Name { text, span }),
                injective: false,
                variance: ParamVariance::Unsaid,
                measure: false,
                span,
            });
        }
        let mut path = self.field_path()?;
        let bounds = self.bounds.len();
        if params.is_empty() {
            params = self.type_parameters();
        }
        self.constraints();
        self.bounds.truncate(bounds);
        let name = path.name;
        self.forget_flags(name.text);
        let mut own = Class::new(path.clone(), params.clone(), attributes.clone());
        path.prefix = None;
        if self.is("(") || matches!(self.raw().tok, Tok::Key("private" | "internal")) {
            self.class_head(&mut own)?;
            self.class_lines(&mut own)?;
            own.span = start.to(self.previous());
            return Ok(own);
        }
        if self.accept("with").is_some() {
            self.class_lines(&mut own)?;
            return Ok(own);
        }
        if is_measure(&attributes) {
            let decl = self.measure_type(start, name, &mut own)?;
            made.decls.push(decl);
            return Ok(own);
        }
        if self.is_op("=") {
            self.advance();
        } else if matches!(self.peek(), Tok::Key("{" | "|")) {
            // The rest says what is meant.
            let here = self.here();
            self.report(diagnostics::type_without_equals(here, name.text.as_str()));
        } else {
            return self.unexpected("`=`");
        }
        let private = self.accept("private").is_some();
        self.accept("internal");
        self.accept("public");
        if self.is("delegate") {
            self.delegate(&mut own)?;
            own.span = start.to(self.previous());
            return Ok(own);
        }
        // Only static members: there are no values of it.
        if self.is("static") {
            self.class_lines(&mut own)?;
            own.span = start.to(self.previous());
            let (kind, manifest) = (TypeDeclKind::Abstract, None);
            let (private, constraints) = (false, Vec::new());
            let (attributes, span) = (own.attributes.clone(), own.span);
            let decl =
                TypeDecl { name, params, kind, manifest, private, constraints, attributes, span };
            made.decls.push(decl);
            return Ok(own);
        }
        if self.is_interface_body() {
            self.class_lines(&mut own)?;
            own.span = start.to(self.previous());
            return Ok(own);
        }
        let begin = self.at;
        let is_explicit = self.is("val") || self.is_explicit_body();
        let is_struct = self.is("struct") || own.is_struct();
        let (mut kind, manifest) = match is_explicit {
            true => (TypeDeclKind::Abstract, None),
            false => self.type_body(&mut own)?,
        };
        let _ = private;
        self.class_lines(&mut own)?;
        if is_explicit {
            let fields = std::mem::take(&mut own.fields);
            if fields.is_empty() {
                let at = start.to(name.span);
                return self.fail(Diagnostic::not_supported(at, "a class without constructors"));
            }
            kind = TypeDeclKind::Record(fields);
            own.explicit = true;
            // An object of a class is equal to itself alone.
            if !is_struct {
                let reference = super::make::name("ReferenceEquality", name.span);
                own.attributes.push(Attribute { name: reference, payload: None });
            }
        }
        if is_struct && !own.is_struct() {
            own.attributes.push(Attribute::mark(Mark::Struct, start));
        }
        if let TypeDeclKind::Record(fields) = &kind
            && is_struct
        {
            let fields: Vec<_> =
                fields.iter().filter(|it| it.mutable).map(|it| it.name.text).collect();
            self.refuse_changes(begin, &mut own, &fields);
        }
        own.span = start.to(self.previous());
        let span = own.span;
        let attributes = own.attributes.clone();
        let (private, constraints) = (false, Vec::new());
        let decl =
            TypeDecl { name, params, kind, manifest, private, constraints, attributes, span };
        made.decls.push(decl);
        Ok(own)
    }

    /// `this.X <- e` in a member of a struct changes the place that holds the struct, which the member does not know.
    fn refuse_changes(&mut self, begin: usize, class: &mut Class, fields: &[oxbow_base::Symbol]) {
        let this = |it: &oxbow_elab::ast::Member| match &it.binding.value.kind {
            ExprKind::Fun(params, _, _) => match params.first()?.pattern.kind {
                PatternKind::Var(name) => Some(name.text),
                _ => None,
            },
            _ => None,
        };
        let objects: Vec<_> = class.members.iter().filter_map(this).collect();
        let found = self.tokens[begin..self.at].windows(4).find(|it| {
            matches!((&it[0].tok, &it[1].tok, &it[2].tok, &it[3].tok),
                (Tok::Ident(object), Tok::Key("."), Tok::Ident(field), Tok::Key("<-"))
                    if objects.contains(object) && fields.contains(field))
        });
        if let Some(tokens) = found {
            let span = tokens[0].span.to(tokens[3].span);
            let construct = "a member of a struct that changes it";
            let help = "let it give a new value: `{ this with X = 1 }`";
            self.report(Diagnostic::not_supported(span, construct).help(help));
            // What mentions its members is no mistake of its own.
            self.broken.extend(class.members.iter().map(|it| it.name.text));
            class.members.clear();
            class.overriding.clear();
        }
    }

    /// `abstract …` or `interface` on a line of its own.
    fn is_interface_body(&self) -> bool {
        match self.peek() {
            Tok::Key("abstract" | "inherit" | "[<") => true,
            Tok::Key("interface") => self.raw_after(1).first,
            _ => false,
        }
    }

    /// `struct val …` or `class val …`, on as many lines.
    fn is_explicit_body(&self) -> bool {
        matches!(self.peek(), Tok::Key("struct" | "class"))
            && matches!(self.raw_after(1).tok, Tok::Key("val" | "new" | "member" | "static"))
    }

    fn type_body(&mut self, class: &mut Class) -> Parsed<(TypeDeclKind, Option<TypeExpr>)> {
        let token = self.raw().clone();
        match self.peek() {
            Tok::Key("{") => Ok((TypeDeclKind::Record(self.record_fields()?), None)),
            Tok::Key("|") if self.is_enumeration(2) => Ok((self.enumeration(class)?, None)),
            Tok::Key("|") => Ok((self.union_cases()?, None)),
            Tok::Ident(_) if self.is_enumeration(1) => Ok((self.enumeration(class)?, None)),
            Tok::Ident(text) if self.is_union_case(text.as_str()) => {
                Ok((self.union_cases()?, None))
            }
            Tok::Key(word @ ("class" | "interface" | "struct" | "delegate" | "member" | "new")) => {
                self.fail(Diagnostic::not_supported(token.span, &format!("`{word}` types")))
            }
            _ => Ok((TypeDeclKind::Abstract, Some(self.type_expr()?))),
        }
    }

    /// `A of …`, `A | …`, or `A = 0` of an enumeration.
    fn is_union_case(&self, text: &str) -> bool {
        let next = &self.raw_after(1).tok;
        matches!(next, Tok::Key("of" | "|"))
            || text.starts_with(|it: char| it.is_uppercase())
                && matches!(next, Tok::Op(it) if it.as_str() == "=")
    }

    fn record_fields(&mut self) -> Parsed<Vec<FieldDecl>> {
        let open = self.advance().span;
        let mut fields = Vec::new();
        while self.raw().tok != Tok::Key("}") {
            let column = self.raw().column;
            self.exempt = Some(self.at);
            let field = self.at_column(column, |this| {
                this.attributes()?;
                this.exempt = Some(this.at);
                let start = this.here();
                let mutable = this.accept("mutable").is_some();
                let name = this.ident("the name of a field")?;
                if this.accept(":").is_none() {
                    return this.unexpected("`:` and the field's type");
                }
                let ty = this.type_expr()?;
                let span = start.to(ty.span);
                let ty = PolyType { vars: Vec::new(), locally_abstract: false, ty };
                Ok(FieldDecl { name, mutable, acyclic: false, role: FieldRole::Plain, ty, span })
            })?;
            fields.push(field);
            let token = self.raw();
            if token.tok == Tok::Key(";") {
                self.advance();
            } else if token.tok == Tok::Key(",") {
                let span = self.advance().span;
                self.report(diagnostics::comma_between_fields(span));
            } else if !token.first || token.tok == Tok::Key("}") {
                break;
            }
        }
        if fields.is_empty() {
            return self.unexpected("the name of a field");
        }
        self.close("{", open, "}")?;
        Ok(fields)
    }

    fn union_cases(&mut self) -> Parsed<TypeDeclKind> {
        let mut cases = Vec::new();
        self.accept("|");
        loop {
            self.attributes()?;
            let start = self.at;
            match self.union_case() {
                Ok(case) => cases.push(case),
                Err(failed) => {
                    // On to the next case; the names of this one are known to be broken.
                    let next = |it: &Self| {
                        matches!(it.raw().tok, Tok::Eof | Tok::Key("|"))
                            || it.is_offside(it.raw())
                            || matches!(
                                it.raw().tok,
                                Tok::Key("member" | "static" | "override" | "with")
                            )
                    };
                    while !next(self) {
                        self.advance();
                    }
                    self.note_broken(start);
                    if self.raw().tok != Tok::Key("|") && cases.is_empty() {
                        return Err(failed);
                    }
                }
            }
            let token = self.raw();
            // The bars may stand on the column of `type`.
            if token.tok == Tok::Key("|") && (!token.first || token.column >= self.offside) {
                self.advance();
            } else {
                return Ok(TypeDeclKind::Variant(cases));
            }
        }
    }

    fn union_case(&mut self) -> Parsed<ConstructorDecl> {
        let name = self.ident("the name of a case")?;
        if name.text.as_str().starts_with(|it: char| it.is_lowercase()) {
            self.report(diagnostics::lower_case(name.span, name.text.as_str()));
        }
        let (mut args, mut names) = (Vec::new(), Vec::new());
        let has_of = self.accept("of").is_some();
        let follows = self.raw();
        let no_of = !has_of
            && !follows.first
            && matches!(follows.tok, Tok::Ident(_) | Tok::TypeVar(_) | Tok::Key("("));
        if no_of {
            let span = self.here();
            self.report(diagnostics::missing_of(span, name.text.as_str()));
        }
        if has_of || no_of {
            loop {
                let (field, ty) = self.union_field()?;
                names.push(field);
                args.push(ty);
                if !self.is_op("*") {
                    break;
                }
                self.advance();
            }
        }
        let span = name.span.to(self.previous());
        Ok(ConstructorDecl { name, args: ConstructorArgs::Tuple(args), names, result: None, span })
    }

    /// `width: float` or `float`
    fn union_field(&mut self) -> Parsed<(Option<Name>, TypeExpr)> {
        let named = self.attempt(|this| {
            let name = this.ident("").ok()?;
            this.accept(":")?;
            Some(name)
        });
        Ok((named, self.postfix_type()?))
    }

    /// `exception E of t` or `exception E = F`
    pub(super) fn exception_item(&mut self) -> Parsed<Item> {
        let start = self.advance().span;
        if matches!(self.raw_after(1).tok, Tok::Op(it) if it.as_str() == "=") {
            let name = self.ident("a name")?;
            self.advance();
            let rebind = Some(self.field_path()?);
            let span = start.to(self.previous());
            let args = ConstructorArgs::Tuple(Vec::new());
            let decl =
                ExceptionDecl { name, args, result: None, rebind, attributes: Vec::new(), span };
            return Ok(Item { kind: ItemKind::Exception(decl), span });
        }
        let case = self.union_case()?;
        let span = start.to(self.previous());
        if self.is("with") {
            let here = self.here();
            return self.fail(Diagnostic::not_supported(here, "members of exceptions"));
        }
        let ConstructorDecl { name, args, names: _, result: _, span: at } = case;
        Ok(Item {
            kind: ItemKind::Exception(ExceptionDecl {
                name,
                args,
                result: None,
                rebind: None,
                attributes: Vec::new(),
                span: at,
            }),
            span,
        })
    }

    /// `[<A; B("x")>]`, any number of them.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.is("[<") {
            let open = self.advance().span;
            loop {
                match self.raw().tok.clone() {
                    Tok::Key(">]") => {
                        self.advance();
                        break;
                    }
                    Tok::Ident(text) => {
                        let span = self.advance().span;
                        let first = self.at;
                        let payload = self.attribute_argument();
                        let is_option = |it: &crate::token::Token| matches!(&it.tok, Tok::Ident(text) if text.as_str() == "NoInlining");
                        if text.as_str() == "MethodImpl"
                            && self.tokens[first..self.at].iter().any(is_option)
                        {
                            let payload = Some(oxbow_base::Symbol::new("never"));
                            let name = super::make::name("inline", span);
                            attributes.push(Attribute { name, payload });
                            continue;
                        }
                        attributes.push(match text.as_str() {
                            "Struct" => Attribute::mark(Mark::Struct, span),
                            _ => Attribute { name: Name { text, span }, payload },
                        });
                    }
                    Tok::Eof => {
                        return self.fail(crate::diagnostics::unclosed(
                            open,
                            "[<",
                            open.at_end(),
                            ">]",
                        ));
                    }
                    _ => {
                        self.advance();
                    }
                }
            }
        }
        Ok(attributes)
    }

    /// `("text")`: the first string among the arguments.
    fn attribute_argument(&mut self) -> Option<oxbow_base::Symbol> {
        if self.raw().tok != Tok::Key("(") {
            return None;
        }
        let mut found = None;
        let mut depth = 0;
        loop {
            match &self.raw().tok {
                Tok::Key("(") => depth += 1,
                Tok::Key(")") => depth -= 1,
                Tok::Constant(oxbow_elab::ast::Constant::String(bytes)) if found.is_none() => {
                    found = std::str::from_utf8(bytes).ok().map(oxbow_base::Symbol::new);
                }
                Tok::Eof => return found,
                _ => (),
            }
            self.advance();
            if depth == 0 {
                return found;
            }
        }
    }
}
