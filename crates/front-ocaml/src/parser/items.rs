//! Structures: the items of a `.ml` file or of `struct … end`.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast::{Attribute, Item, ItemKind, Name, Structure};

use crate::diagnostics::confusions::{ExpressionAfterItem, WrongPlace};
use crate::lexer::Tok;

use super::binding::LetHeader;
use super::typedecl::TypeDecls;
use super::{Parse, Parser};

impl Parser<'_> {
    /// The whole file as a structure.
    pub fn file_structure(&mut self) -> Structure {
        let items = self.structure();
        debug_assert!(self.at_eof(), "brackets match, so only the end of the file ends a file");
        items
    }

    /// Items up to the closing bracket around them. Each fault costs one item.
    pub(super) fn structure(&mut self) -> Structure {
        let outer_column = self.item_column;
        let mut items = Vec::new();
        // An expression may only stand first or behind `;;`.
        let mut expression_allowed = true;
        loop {
            if self.eat(Tok::SemiSemi) {
                expression_allowed = true;
                continue;
            }
            if self.at_eof() || self.peek().is_closer() {
                break;
            }
            let (start, start_pos) = (self.here(), self.pos);
            self.item_column = self.column_of(self.token());
            let kind = self.nested(|parser| parser.item(expression_allowed));
            expression_allowed = false;
            let kind = kind.unwrap_or_else(|reported| {
                self.leave_item(start_pos);
                ItemKind::Error(reported)
            });
            items.push(Item { kind, span: self.span_from(start) });
        }
        for item in &items {
            if let ItemKind::Attribute(attribute) = &item.kind {
                let rest = self.span_from(item.span.start);
                self.note_warnings(std::slice::from_ref(attribute), rest);
            }
        }
        self.item_column = outer_column;
        items
    }

    /// Skips the rest of an item with a fault; at least one token.
    pub(super) fn leave_item(&mut self, start_pos: usize) {
        let awaiting = self.awaiting;
        if self.pos == start_pos && !self.peek().is_closer() {
            if self.peek().closer().is_some() {
                self.skip_group();
            } else {
                self.bump();
            }
        }
        self.skip_to_item();
        self.awaiting = awaiting;
    }

    fn item(&mut self, expression_allowed: bool) -> Parse<ItemKind> {
        let keyword = self.token();
        let start = keyword.start;
        let awaiting = std::mem::take(&mut self.awaiting);
        let kind = match keyword.tok {
            Tok::Let if !matches!(self.nth(1), Tok::Open | Tok::Module | Tok::Exception) => {
                self.let_item(expression_allowed)
            }
            Tok::Type => match self.type_extension() {
                Ok(Some(extension)) => Ok(ItemKind::Extend(extension)),
                Ok(None) => self.type_item(),
                Err(reported) => Err(reported),
            },
            Tok::Exception => {
                self.bump();
                self.keyword_attributes();
                self.exception_decl(start).map(ItemKind::Exception)
            }
            Tok::External => self.external().map(ItemKind::External),
            Tok::Module => self.module_item(),
            Tok::Open => {
                self.bump();
                let module = self.opened_module();
                module.map(ItemKind::Open)
            }
            Tok::Include => {
                self.bump();
                self.keyword_attributes();
                self.module_expr().map(ItemKind::Include)
            }
            Tok::Class => self.class_item(),
            Tok::LBracketAtAtAt => Ok(ItemKind::Attribute(self.attribute())),
            Tok::LBracketPercentPercent => {
                let span = self.skip_group();
                Ok(ItemKind::Error(self.unsupported(span, "extension points")))
            }
            Tok::Val => {
                let report = WrongPlace {
                    span: self.span_of(keyword),
                    word: "val",
                    place: "a structure",
                    help: "define the value with `let`, or move the declaration to a signature",
                };
                let diagnostic = report.render();
                Err(self.report(diagnostic))
            }
            Tok::Hash if expression_allowed || self.is_first_on_line(keyword) => self.directive(),
            _ => self.eval_item(expression_allowed),
        };
        self.awaiting = awaiting;
        let kind = kind?;
        let span = self.span_from(start);
        let attributes = self.item_attributes();
        self.note_warnings(&attributes, span);
        Ok(kind)
    }

    fn type_item(&mut self) -> Parse<ItemKind> {
        let TypeDecls { recursive, decls, substitution } = self.type_decls()?;
        if let Some(span) = substitution {
            let report = WrongPlace {
                span,
                word: ":=",
                place: "a structure",
                help: "define the type with `=`",
            };
            let diagnostic = report.render();
            return Err(self.report(diagnostic));
        }
        Ok(ItemKind::Type { recursive, decls })
    }

    /// A `let` that defines, or that is an expression when `in` follows.
    fn let_item(&mut self, expression_allowed: bool) -> Parse<ItemKind> {
        let keyword = self.span_of(self.token());
        let (recursive, bindings) = self.let_bindings()?;
        if !self.at(Tok::In) {
            return Ok(ItemKind::Let { recursive, bindings });
        }
        if !expression_allowed {
            self.expression_after_item(keyword);
        }
        self.bump();
        let header = LetHeader::values(keyword, recursive, bindings);
        let expr = self.sequence_after(Some(header))?;
        self.end_of_expression()?;
        Ok(ItemKind::Eval(expr))
    }

    fn eval_item(&mut self, expression_allowed: bool) -> Parse<ItemKind> {
        if !expression_allowed {
            if !self.starts_expr() {
                return Err(self.unexpected("an item such as `let` or `type`"));
            }
            self.expression_after_item(self.current_span());
        }
        let expr = self.sequence()?;
        self.end_of_expression()?;
        Ok(ItemKind::Eval(expr))
    }

    fn expression_after_item(&mut self, span: Span) {
        let report = ExpressionAfterItem { span }.render();
        self.report(report);
    }

    /// What follows an expression at the top must be the next item.
    fn end_of_expression(&mut self) -> Parse<()> {
        let ends = self.at_eof()
            || self.peek().is_closer()
            || self.peek().begins_item()
            || matches!(
                self.peek(),
                Tok::SemiSemi
                    | Tok::LBracketAtAt
                    | Tok::LBracketAtAtAt
                    | Tok::LBracketPercentPercent
            );
        if ends { Ok(()) } else { Err(self.unexpected("an operator or a new item")) }
    }

    fn module_item(&mut self) -> Parse<ItemKind> {
        self.bump();
        match self.peek() {
            Tok::Type => {
                self.bump();
                self.keyword_attributes();
                let name = self.module_type_name()?;
                let body = if self.eat(Tok::Equal) { Some(self.module_type()?) } else { None };
                Ok(ItemKind::ModuleType { name, body })
            }
            Tok::Rec => {
                self.bump();
                self.recursive_modules().map(ItemKind::RecModules)
            }
            _ => {
                self.keyword_attributes();
                let (name, body) = self.module_binding()?;
                Ok(ItemKind::Module { name, body })
            }
        }
    }

    /// `#load "file"` and the like tell the interactive system what a whole program has anyway. `#use` would bring
    /// definitions.
    fn directive(&mut self) -> Parse<ItemKind> {
        let start = self.here();
        self.bump();
        let name = match self.peek() {
            Tok::Lower(_) => self.bump(),
            _ => return Err(self.unexpected("an item such as `let` or `type`")),
        };
        let text = self.text_of(name);
        if !text.ends_with("use") {
            let name = Name { text: Symbol::new(text), span: self.span_of(name) };
            self.skip_to_item();
            return Ok(ItemKind::Attribute(Attribute { name, payload: None }));
        }
        let span = Span { start, ..self.span_of(name) };
        let reported = self.unsupported(span, "`#use` and `#mod_use`");
        self.skip_to_item();
        Ok(ItemKind::Error(reported))
    }
}
