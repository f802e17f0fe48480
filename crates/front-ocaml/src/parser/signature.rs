//! Signatures: the items of a `.mli` file or of `sig … end`.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{
    Attribute, External, Name, Passing, SigItem, SigItemKind, Signature, TypeExpr, TypeExprKind,
};

use crate::diagnostics::confusions::WrongPlace;
use crate::lexer::Tok;

use super::modules::functor_type;
use super::typedecl::TypeDecls;
use super::{Parse, Parser};

impl Parser<'_> {
    /// The whole file as a signature.
    pub fn file_signature(&mut self) -> Signature {
        self.signature()
    }

    /// Items up to the closing bracket around them. Each fault costs one item.
    pub(super) fn signature(&mut self) -> Signature {
        let outer_column = self.item_column;
        let mut items = Vec::new();
        loop {
            if self.eat(Tok::SemiSemi) {
                continue;
            }
            if self.at_eof() || self.peek().is_closer() {
                break;
            }
            let (start, start_pos) = (self.here(), self.pos);
            self.item_column = self.column_of(self.token());
            let kind = self.nested(Self::sig_item).unwrap_or_else(|reported| {
                self.leave_item(start_pos);
                SigItemKind::Error(reported)
            });
            items.push(SigItem { kind, span: self.span_from(start) });
        }
        self.item_column = outer_column;
        items
    }

    fn sig_item(&mut self) -> Parse<SigItemKind> {
        let keyword = self.token();
        let start = keyword.start;
        let kind = match keyword.tok {
            Tok::Val => {
                self.bump();
                self.keyword_attributes();
                let name = self.value_name()?;
                self.expect(Tok::Colon, "`:` and the value's type")?;
                SigItemKind::Value { name, ty: self.poly_type()?.ty }
            }
            Tok::External => SigItemKind::External(self.external()?),
            Tok::Type => match self.type_extension()? {
                Some(extension) => SigItemKind::Extend(extension),
                None => {
                    let TypeDecls { recursive, decls, substitution } = self.type_decls()?;
                    match substitution {
                        // The names mean something behind the declaration only.
                        Some(_) => self.local(start, SigItemKind::Type { recursive: false, decls }),
                        None => SigItemKind::Type { recursive, decls },
                    }
                }
            },
            Tok::Exception => {
                self.bump();
                self.keyword_attributes();
                SigItemKind::Exception(self.exception_decl(start)?)
            }
            Tok::Module => self.module_sig_item()?,
            Tok::Open => {
                self.bump();
                let is_quiet = self.eat(Tok::Bang);
                self.keyword_attributes();
                let path = self.module_path_with_applications()?;
                if is_quiet {
                    self.sink.switch_warnings(path.span(), "-33");
                }
                SigItemKind::Open(path)
            }
            Tok::Include => {
                self.bump();
                self.keyword_attributes();
                SigItemKind::Include(self.module_type()?)
            }
            Tok::Class if self.nth(1) == Tok::Type => {
                SigItemKind::ClassType(self.class_type_decls()?)
            }
            Tok::Class => SigItemKind::Class(self.class_descriptions(Tok::Colon)?),
            Tok::LBracketAtAtAt => SigItemKind::Attribute(self.attribute()),
            Tok::LBracketPercentPercent => {
                let span = self.skip_group();
                SigItemKind::Error(self.unsupported(span, "extension points"))
            }
            Tok::Let => {
                let report = WrongPlace {
                    span: self.span_of(keyword),
                    word: "let",
                    place: "a signature",
                    help: "declare the value with `val name : type`",
                };
                let diagnostic = report.render();
                return Err(self.report(diagnostic));
            }
            _ => return Err(self.unexpected("an item such as `val` or `type`")),
        };
        let span = self.span_from(start);
        let attributes = self.item_attributes();
        self.note_warnings(&attributes, span);
        Ok(kind)
    }

    fn local(&self, start: u32, kind: SigItemKind) -> SigItemKind {
        SigItemKind::Local(Box::new(SigItem { kind, span: self.span_from(start) }))
    }

    /// `external name : type = "primitive"`, at `external`.
    pub(super) fn external(&mut self) -> Parse<External> {
        self.bump();
        self.passed.clear();
        self.keyword_attributes();
        let name = self.value_name()?;
        self.expect(Tok::Colon, "`:` and the primitive's type")?;
        let ty = self.poly_type()?.ty;
        self.expect(Tok::Equal, "`=` and the primitive's name")?;
        let mut prims = Vec::new();
        while let Tok::String(index) = self.peek() {
            self.bump();
            let bytes = self.strings.get(index as usize).map_or(&[][..], Vec::as_slice);
            prims.push(Symbol::new(&String::from_utf8_lossy(bytes)));
        }
        if prims.is_empty() {
            return Err(self.unexpected("the primitive's name as a string"));
        }
        let passing = self.passing(&ty);
        Ok(External { name, ty, prims, passing })
    }

    /// How the parameters and the result of an external function are passed: as the attributes at its
    /// end say, or those behind each type.
    fn passing(&mut self, ty: &TypeExpr) -> Vec<Passing> {
        let whole = self.item_attributes().iter().find_map(passing_of);
        let mut parts = Vec::new();
        let mut rest = ty;
        while let TypeExprKind::Arrow(_, param, result) = &rest.kind {
            parts.push(param.span);
            rest = result;
        }
        parts.push(rest.span);
        let marked = |part: Span| {
            let marks = self.passed.iter();
            marks
                .filter(|it| part.start <= it.0.start && it.0.end <= part.end)
                .map(|it| it.1)
                .next_back()
        };
        parts.into_iter().map(|it| marked(it).or(whole).unwrap_or(Passing::Boxed)).collect()
    }

    /// The name of a module type, which may be lower-case.
    pub(super) fn module_type_name(&mut self) -> Parse<Name> {
        let token = self.token();
        match token.tok {
            Tok::Upper(text) | Tok::Lower(text) => {
                self.bump();
                Ok(self.name(text, token))
            }
            _ => Err(self.no_name("a module type")),
        }
    }

    fn module_sig_item(&mut self) -> Parse<SigItemKind> {
        let keyword = self.bump();
        match self.peek() {
            Tok::Type => {
                self.bump();
                self.keyword_attributes();
                let name = self.module_type_name()?;
                if self.eat(Tok::ColonEqual) {
                    let body = Some(self.module_type()?);
                    return Ok(self.local(keyword.start, SigItemKind::ModuleType { name, body }));
                }
                let body = if self.eat(Tok::Equal) { Some(self.module_type()?) } else { None };
                Ok(SigItemKind::ModuleType { name, body })
            }
            Tok::Rec => {
                self.bump();
                let mut modules = Vec::new();
                loop {
                    self.keyword_attributes();
                    let name = self.module_name()?;
                    let start = self.here();
                    let params = self.functor_params()?;
                    self.expect(Tok::Colon, "`:` and the module's type")?;
                    let ty = self.module_type()?;
                    modules.push((name, functor_type(params, ty, self.span_from(start))));
                    self.item_attributes();
                    if !self.eat(Tok::And) {
                        return Ok(SigItemKind::RecModules(modules));
                    }
                }
            }
            _ => self.module_declaration(),
        }
    }

    /// `X : S`, `X (Y : T) : S`, `X = M`, behind `module`.
    fn module_declaration(&mut self) -> Parse<SigItemKind> {
        self.keyword_attributes();
        let name = self.module_name()?;
        match self.peek() {
            Tok::Equal => {
                self.bump();
                let target = self.module_path_with_applications()?;
                Ok(SigItemKind::ModuleAlias { name, target })
            }
            Tok::ColonEqual => {
                self.bump();
                let target = self.module_path_with_applications()?;
                Ok(self.local(name.span.start, SigItemKind::ModuleAlias { name, target }))
            }
            _ => {
                let start = self.here();
                let params = self.functor_params()?;
                self.expect(Tok::Colon, "`:` and the module's type")?;
                let ty = self.module_type()?;
                let span = self.span_from(start);
                Ok(SigItemKind::Module { name, ty: functor_type(params, ty, span) })
            }
        }
    }
}

/// `[@unboxed]` and `[@untagged]`, also as `[@ocaml.unboxed]`.
pub(super) fn passing_of(attribute: &Attribute) -> Option<Passing> {
    match attribute.plain_name() {
        "unboxed" => Some(Passing::Unboxed),
        "untagged" => Some(Passing::Untagged),
        _ => None,
    }
}
