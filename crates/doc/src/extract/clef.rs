//! Modules of Clef. Members belong to their types; comments stand in lines before definitions.

use oxbow_base::{FileId, Mark, Span};
use oxbow_elab::ast::{
    Binding, ExprKind, Item as AstItem, ItemKind, Member, MemberKind, Members, ModuleExprKind,
    Name, TypeDecl, TypeDeclKind,
};
use oxbow_elab::outline;

use crate::comments::{block_before, stripped};
use crate::markup::{Block, xml};
use crate::model::{Code, Definition, Item, Sort};

use super::{Extract, visible};

/// What documentation comments begin with.
const MARK: &str = "///";

/// The name that a constructor of a class has among its members.
const NEW: &str = "New";

impl<'a> Extract<'a> {
    pub(super) fn clef(&mut self, items: &'a [AstItem], file: FileId, page: usize) -> Vec<Item> {
        let head = self.head_comment(file, page);
        let mut all: Vec<Item> = head.into_iter().map(Item::Text).collect();
        all.extend(self.clef_items(items, file, page));
        all
    }

    /// Before `module M` at the top of the file.
    fn head_comment(&mut self, file: FileId, page: usize) -> Option<Vec<Block>> {
        let text = self.input.sources.file(file).text.clone();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let word = line.trim_start();
            if word.starts_with("module ") || word.starts_with("namespace ") {
                // A module with `=` is one inside the file.
                let is_head = !line.trim_end().ends_with('=');
                return is_head
                    .then(|| self.comment_at(file, at, page))
                    .filter(|it| !it.is_empty());
            }
            if !(word.is_empty() || word.starts_with("//") || word.starts_with("[<")) {
                return None;
            }
            at += line.len();
        }
        None
    }

    /// The comment in the lines before a place.
    fn comment_at(&mut self, file: FileId, at: usize, page: usize) -> Vec<Block> {
        let text = self.input.sources.file(file).text.clone();
        let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
        let Some((start, end)) = block_before(&text[..line], MARK) else { return Vec::new() };
        let span = Span::new(file, start as u32, end as u32);
        let blocks = xml::parse(&stripped(&text[start..end], MARK), span);
        self.referring(blocks, page)
    }

    /// The same of a constructor or field, if it stands in a line of its own.
    fn comment_of_part(&mut self, file: FileId, at: usize, page: usize) -> Vec<Block> {
        let text = self.input.sources.file(file).text.clone();
        let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
        match text[line..at].trim() {
            "" | "|" | "{" => self.comment_at(file, at, page),
            _ => Vec::new(),
        }
    }

    fn clef_items(&mut self, items: &'a [AstItem], file: FileId, page: usize) -> Vec<Item> {
        let mut all: Vec<Item> = Vec::new();
        for item in items.iter().filter(|it| it.span.file == file) {
            match &item.kind {
                ItemKind::Let { bindings, .. } => {
                    let is_private = |it: &oxbow_elab::ast::Binding| {
                        it.attributes.iter().any(|it| it.is(Mark::Private))
                    };
                    if bindings.iter().all(is_private) {
                        continue;
                    }
                    for entry in outline::of_structure(std::slice::from_ref(item)) {
                        let name = entry.name.span.start;
                        let before = Span::new(file, item.span.start.min(name), name);
                        if self.says_private(before) {
                            continue;
                        }
                        let inline = bindings.iter().find(|it| {
                            it.attributes.iter().any(|it| it.is(Mark::Inline))
                                && it.span.contains(entry.name.span)
                        });
                        all.extend(match inline {
                            Some(it) => self.clef_inline(entry.name, it, item.span, page),
                            None => self.clef_value(entry.name, item.span, page),
                        });
                    }
                }
                ItemKind::External(it) => all.extend(self.clef_value(it.name, item.span, page)),
                ItemKind::Type { decls, .. } => {
                    for (at, decl) in decls.iter().enumerate() {
                        let start = if at == 0 { item.span.start } else { decl.span.start };
                        let before =
                            Span::new(file, start.min(decl.name.span.start), decl.name.span.start);
                        if self.is_written(decl.name) && !self.says_private(before) {
                            let definition = self.clef_type(decl, file, page);
                            all.push(Item::Definition(definition));
                        }
                    }
                }
                ItemKind::Exception(it) if self.is_written(it.name) => {
                    let mut definition = self.exception(it, page);
                    definition.doc = self.comment_at(file, item.span.start as usize, page);
                    all.push(Item::Definition(definition));
                }
                ItemKind::Module { name, body } => {
                    let before = Span::new(file, item.span.start, name.span.start);
                    if !self.says_private(before) {
                        all.extend(self.clef_module(*name, body, item, page));
                    }
                }
                ItemKind::Members(groups) => {
                    groups.iter().for_each(|it| self.clef_members(it, (file, page), &mut all));
                }
                _ => (),
            }
        }
        visible(all)
    }

    fn says_private(&self, before: Span) -> bool {
        self.text(before).split_whitespace().any(|it| it == "private" || it == "internal")
    }

    fn clef_value(&mut self, name: Name, span: Span, page: usize) -> Option<Item> {
        if !self.is_written(name) {
            return None;
        }
        let shown = super::structure::shown(name.text);
        let mut code = Code::plain(format!("val {shown} : "));
        code.append(self.inferred(name.span, name.text.as_str(), page)?);
        let what = (Sort::Value, name.text.as_str(), name.span);
        let mut definition = self.define((page, None), what, code);
        definition.doc = self.comment_at(span.file, span.start as usize, page);
        Some(Item::Definition(definition))
    }

    /// What an `inline` function takes is decided where it is used: it is shown as it is written.
    fn clef_inline(
        &mut self,
        name: Name,
        binding: &Binding,
        span: Span,
        page: usize,
    ) -> Option<Item> {
        if !self.is_written(name) {
            return None;
        }
        let mut code = Code::plain("let inline ");
        let end = match &binding.value.kind {
            ExprKind::Fun(params, ..) => params.last().map_or(name.span.end, |it| it.span.end),
            _ => name.span.end,
        };
        code.append(self.source(Span { end: end.max(name.span.end), ..name.span }));
        let what = (Sort::Value, name.text.as_str(), name.span);
        let mut definition = self.define((page, None), what, code);
        definition.doc = self.comment_at(span.file, span.start as usize, page);
        Some(Item::Definition(definition))
    }

    fn clef_module(
        &mut self,
        name: Name,
        body: &'a oxbow_elab::ast::ModuleExpr,
        item: &AstItem,
        page: usize,
    ) -> Option<Item> {
        let mut code = Code::plain(format!("module {}", name.text));
        let structure = match &body.kind {
            ModuleExprKind::Structure(items) => Some(items),
            _ => {
                code.push(" = ");
                code.append(self.source(body.span));
                None
            }
        };
        if !self.is_written(name) {
            return None;
        }
        let what = (Sort::Module, name.text.as_str(), name.span);
        let mut definition = self.define((page, None), what, code);
        definition.doc = self.comment_at(item.span.file, item.span.start as usize, page);
        if let Some(items) = structure {
            let mut path = self.site.pages[page].path.clone();
            path.push(name.text.to_string());
            let inner = self.page(path, Sort::Module, Some(page), item.span);
            definition.page = Some(inner);
            let items = self.clef_items(items, item.span.file, inner);
            self.site.pages[inner].items.extend(items);
        }
        Some(Item::Definition(definition))
    }

    fn clef_type(&mut self, decl: &'a TypeDecl, file: FileId, page: usize) -> Definition {
        let mut code = Code::plain(format!("type {}", decl.name.text));
        let params: Vec<String> =
            decl.params.iter().filter_map(|it| Some(format!("'{}", it.name?.text))).collect();
        if !params.is_empty() {
            code.push(&format!("<{}>", params.join(", ")));
        }
        if let Some(manifest) = &decl.manifest {
            code.push(" = ");
            code.append(self.source(manifest.span));
        }
        let is_class = decl.attributes.iter().any(|it| it.is(Mark::Class));
        match &decl.kind {
            TypeDeclKind::Variant(_) => code.push(" ="),
            TypeDeclKind::Record(_) if !is_class => code.push(" = {"),
            _ => (),
        }
        let what = (Sort::Type, decl.name.text.as_str(), decl.name.span);
        let mut definition = self.define((page, None), what, code);
        definition.doc = self.comment_at(file, decl.name.span.start as usize, page);
        let id = definition.id.clone();
        match &decl.kind {
            TypeDeclKind::Variant(ctors) => {
                for ctor in ctors.iter().filter(|it| it.span.file == file) {
                    let mut code = Code::plain("| ");
                    code.append(self.source(ctor.span));
                    let what = (Sort::Constructor, ctor.name.text.as_str(), ctor.name.span);
                    let mut part = self.define((page, Some(&id)), what, code);
                    part.doc = self.comment_of_part(file, ctor.span.start as usize, page);
                    definition.inner.push(part);
                }
            }
            TypeDeclKind::Record(fields) if !is_class => {
                for field in fields {
                    if !self.is_written(field.name) {
                        continue;
                    }
                    let code = self.source(field.span);
                    let what = (Sort::Field, field.name.text.as_str(), field.name.span);
                    let mut part = self.define((page, Some(&id)), what, code);
                    part.doc = self.comment_of_part(file, field.span.start as usize, page);
                    definition.inner.push(part);
                }
                definition.end = "}";
            }
            _ => (),
        }
        definition
    }

    fn clef_members(
        &mut self,
        group: &'a Members,
        (file, page): (FileId, usize),
        items: &mut [Item],
    ) {
        let owner = items.iter_mut().find_map(|it| match it {
            Item::Definition(it)
                if it.sort == Sort::Type && it.name == group.path.name.text.as_str() =>
            {
                Some(it)
            }
            _ => None,
        });
        let Some(owner) = owner else { return };
        for member in &group.members {
            if member.binding.attributes.iter().any(|it| it.is(Mark::Private)) {
                continue;
            }
            let Some(mut made) = self.member(member, (page, Some(&owner.id)), &owner.name) else {
                continue;
            };
            // The comment before a class is about the class.
            if made.name != "new" {
                made.doc = self.comment_at(file, member.name.span.start as usize, page);
            }
            owner.inner.push(made);
        }
    }

    fn member(
        &mut self,
        member: &Member,
        around: (usize, Option<&str>),
        owner: &str,
    ) -> Option<Definition> {
        let name = member.name;
        // The primary constructor has the name of its class in the text.
        if name.text.as_str() == NEW && self.text(name.span) == owner {
            let mut code = Code::plain("new : ");
            code.append(self.inferred(name.span, NEW, around.0)?);
            return Some(self.define(around, (Sort::Method, "new", name.span), code));
        }
        if !self.is_written(name) {
            return None;
        }
        let text = name.text.as_str();
        let (words, ty) = match member.kind {
            MemberKind::Property | MemberKind::Method => {
                ("member", self.inferred_result(name.span, text, around.0)?)
            }
            MemberKind::StaticProperty => {
                ("static member", self.inferred_result(name.span, text, around.0)?)
            }
            MemberKind::StaticMethod => {
                ("static member", self.inferred(name.span, text, around.0)?)
            }
        };
        let mut code = Code::plain(format!("{words} {text} : "));
        code.append(ty);
        Some(self.define(around, (Sort::Method, text, name.span), code))
    }
}
