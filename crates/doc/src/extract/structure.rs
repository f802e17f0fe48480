//! What a structure or signature defines, in the order of the text.

use oxbow_base::{FileId, Span, Symbol};
use oxbow_elab::ast::{
    ClassDecl, ClassExpr, ClassType, ExceptionDecl, Item as AstItem, ItemKind, ModuleExpr,
    ModuleExprKind, ModuleType, ModuleTypeKind, Name, TypeDecl, TypeExpr, TypeExtension,
    WithConstraint,
};
use oxbow_elab::infer::Unit;
use oxbow_elab::outline;

use crate::model::{Code, Definition, Item, Sort};

use super::attach::{Place, Range, Side};
use super::{Extract, visible};

/// A part of a structure or signature that may define something.
pub struct Element<'a> {
    pub range: Range,
    pub what: What<'a>,
}

pub enum What<'a> {
    /// It defines nothing, but stands there.
    Nothing,
    /// With the type that is written, or without one.
    Value(Name, Option<&'a TypeExpr>),
    Type(&'a TypeDecl),
    Exception(&'a ExceptionDecl),
    Extend(&'a TypeExtension),
    Module(Name, Body<'a>),
    ModuleType(Name, Option<&'a ModuleType>),
    Include(Body<'a>),
    Class(&'a ClassDecl<ClassExpr>),
    ClassType(&'a ClassDecl<ClassType>, Sort),
}

/// What a module is.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    Expr(&'a ModuleExpr),
    Type(&'a ModuleType),
    /// Another name for a module.
    Alias(Span),
    /// A file.
    Unit(&'a Unit),
}

/// Longer ways by names of modules are not gone.
const DEEPEST: u32 = 50;

/// What is in a module, and where.
pub struct Contents<'a> {
    pub elements: Vec<Element<'a>>,
    pub span: Span,
}

/// A parameter of a functor.
type Parameter<'a> = (Option<Name>, Option<&'a ModuleType>);

pub fn elements(items: &[AstItem]) -> Vec<Element<'_>> {
    items.iter().flat_map(element).collect()
}

fn range(span: Span) -> Range {
    (span.start, span.end)
}

/// Elements that begin with the first of several parts, which has the keyword.
pub fn parts<'a>(whole: Span, all: Vec<(Span, What<'a>)>) -> Vec<Element<'a>> {
    let count = all.len();
    let all = all.into_iter().enumerate().map(|(at, (span, what))| {
        let start = if at == 0 { whole.start } else { span.start };
        let end = if count == 1 { whole.end } else { span.end };
        Element { range: (start, end.max(start)), what }
    });
    all.collect()
}

fn element(item: &AstItem) -> Vec<Element<'_>> {
    let one = |what| vec![Element { range: range(item.span), what }];
    match &item.kind {
        ItemKind::Let { .. } => {
            let entries = outline::of_structure(std::slice::from_ref(item));
            if entries.is_empty() {
                return one(What::Nothing);
            }
            let mut elements: Vec<Element<'_>> = Vec::new();
            for it in entries {
                let mut range = range(it.span);
                // Names of one pattern stand together.
                if let Some(last) = elements.last() {
                    range.0 = range.0.max(last.range.1);
                    range.1 = range.1.max(range.0);
                }
                elements.push(Element { range, what: What::Value(it.name, None) });
            }
            elements[0].range.0 = item.span.start;
            elements
        }
        ItemKind::External(it) => one(What::Value(it.name, Some(&it.ty))),
        ItemKind::Type { decls, .. } => {
            parts(item.span, decls.iter().map(|it| (it.span, What::Type(it))).collect())
        }
        ItemKind::Exception(it) => one(What::Exception(it)),
        ItemKind::Extend(it) => one(What::Extend(it)),
        ItemKind::Module { name, body } => one(What::Module(*name, Body::Expr(body))),
        ItemKind::RecModules(all) => {
            let all = all.iter().map(|it| {
                let span = it.name.span.to(it.body.span);
                (span, What::Module(it.name, Body::Type(&it.ty)))
            });
            parts(item.span, all.collect())
        }
        ItemKind::ModuleType { name, body } => one(What::ModuleType(*name, body.as_ref())),
        ItemKind::Include(body) => one(What::Include(Body::Expr(body))),
        ItemKind::Class(all) => {
            parts(item.span, all.iter().map(|it| (it.span, What::Class(it))).collect())
        }
        ItemKind::ClassType(all) => {
            let all = all.iter().map(|it| (it.span, What::ClassType(it, Sort::ClassType)));
            parts(item.span, all.collect())
        }
        ItemKind::Eval(_)
        | ItemKind::Open(_)
        | ItemKind::Members(_)
        | ItemKind::Broken(_)
        | ItemKind::Attribute(_)
        | ItemKind::Error(_) => one(What::Nothing),
    }
}

impl<'a> Extract<'a> {
    pub(super) fn elements(&mut self, contents: &Contents<'a>, page: usize) -> Vec<Item> {
        let file = contents.span.file;
        if self.open.contains(&contents.span) {
            return Vec::new();
        }
        self.open.push(contents.span);
        // Code that a front end makes stands anywhere.
        let mut kept: Vec<&Element<'a>> = Vec::new();
        let mut ranges: Vec<Range> = Vec::new();
        for it in &contents.elements {
            let range = self.whole(file, it);
            if ranges.last().is_none_or(|last| last.1 <= range.0) {
                ranges.push(range);
                kept.push(it);
            }
        }
        let places = self.attach(file, range(contents.span), &ranges, Side::Before);
        let mut items = Vec::new();
        for place in places {
            match place {
                Place::Text(comment) => {
                    let blocks = self.markup(file, comment, page);
                    items.push(Item::Text(blocks));
                }
                Place::Definition(at, comments) => {
                    let mut made = self.element((file, ranges[at]), &kept[at].what, page);
                    if let Some(Item::Definition(first)) = made.first_mut() {
                        for comment in comments {
                            let blocks = self.markup(file, comment, page);
                            first.doc.extend(blocks);
                        }
                    }
                    items.extend(made);
                }
            }
        }
        self.open.pop();
        visible(items)
    }

    fn element(&mut self, (file, at): (FileId, Range), what: &What<'a>, page: usize) -> Vec<Item> {
        let definition = match what {
            What::Nothing => return Vec::new(),
            What::Value(name, ty) => {
                if !self.is_written(*name) || self.hidden.contains(name.text.as_str()) {
                    return Vec::new();
                }
                self.value(*name, *ty, page)
            }
            What::Type(decl) if self.hidden.contains(decl.name.text.as_str()) => return Vec::new(),
            What::Type(decl) => self.type_decl(decl, (file, at), page),
            What::Exception(decl) => self.exception(decl, page),
            What::Extend(it) => {
                let all = it.ctors.iter().map(|it| Item::Definition(self.extension(it, page)));
                return all.collect();
            }
            What::Module(name, body) => self.module(*name, *body, page),
            What::ModuleType(name, body) => self.module_type(*name, *body, page),
            What::Include(body) => return self.include(*body, page),
            What::Class(decl) => self.class(decl, page),
            What::ClassType(decl, sort) => self.class_type(decl, *sort, page),
        };
        vec![Item::Definition(definition)]
    }

    fn value(&mut self, name: Name, ty: Option<&TypeExpr>, page: usize) -> Definition {
        let shown = shown(name.text);
        let mut code = Code::plain(format!("val {shown}"));
        let ty = match ty {
            Some(ty) => Some(self.written(name.span, ty.span.end)),
            None => self.inferred(name.span, name.text.as_str(), page),
        };
        if let Some(ty) = ty {
            code.push(" : ");
            code.append(ty);
        }
        self.define((page, None), (Sort::Value, name.text.as_str(), name.span), code)
    }

    fn module(&mut self, name: Name, body: Body<'a>, page: usize) -> Definition {
        let mut parameters = Vec::new();
        let result = collect_parameters(body, &mut parameters);
        let mut code = Code::plain(format!("module {}", name.text));
        for (name, ty) in &parameters {
            let text = name.map_or_else(String::new, |it| format!("{} : ", it.text));
            code.push(&format!(" ({text}"));
            if let Some(ty) = ty {
                code.append(self.module_type_code(ty, page));
            }
            code.push(")");
        }
        match result {
            Body::Expr(ModuleExpr { kind: ModuleExprKind::Constraint(_, ty), .. })
            | Body::Type(ty) => {
                code.push(" : ");
                code.append(self.module_type_code(ty, page));
            }
            Body::Expr(ModuleExpr { kind: ModuleExprKind::Structure(_), .. }) => (),
            Body::Expr(it) => {
                code.push(" = ");
                code.append(self.source(it.span));
            }
            Body::Alias(span) => {
                code.push(" = ");
                code.append(self.source(span));
            }
            Body::Unit(unit) => code.push(&format!(" = {}", unit.name)),
        }
        let sort = if parameters.is_empty() { Sort::Module } else { Sort::Functor };
        let mut definition = self.define((page, None), (sort, name.text.as_str(), name.span), code);
        let is_name = match result {
            Body::Alias(_) | Body::Unit(_) => true,
            Body::Expr(it) => matches!(it.kind, ModuleExprKind::Path(_)),
            Body::Type(_) => false,
        };
        if let Some(contents) = self.contents(result, page).filter(|_| !is_name) {
            let inner = self.inner_page(name.text, sort, page, contents.span);
            definition.page = Some(inner);
            self.modules.push((self.site.pages[inner].path.clone(), result));
            let names = parameters.iter().filter_map(|it| it.0).map(|it| it.text.to_string());
            self.frames[inner].parameters = names.collect();
            let mut items = self.parameters(&parameters, inner);
            items.extend(self.elements(&contents, inner));
            self.site.pages[inner].items = items;
        }
        definition
    }

    fn parameters(&mut self, parameters: &[Parameter<'a>], page: usize) -> Vec<Item> {
        let mut items = Vec::new();
        for (name, ty) in parameters {
            let (Some(name), Some(ty)) = (name, ty) else { continue };
            let mut code = Code::plain(format!("module {} : ", name.text));
            code.append(self.module_type_code(ty, page));
            let what = (Sort::Parameter, name.text.as_str(), name.span);
            let mut definition = self.define((page, None), what, code);
            // What a signature says that stands here is shown here.
            if let ModuleTypeKind::Signature(signature) = &ty.kind {
                let elements = super::signature::elements(signature);
                let items = self.elements(&Contents { elements, span: ty.span }, page);
                definition.inner = items.into_iter().filter_map(definition_of).collect();
            }
            items.push(Item::Definition(definition));
        }
        items
    }

    fn module_type(&mut self, name: Name, body: Option<&'a ModuleType>, page: usize) -> Definition {
        let mut code = Code::plain(format!("module type {}", name.text));
        if let Some(body) = body {
            code.push(" = ");
            code.append(self.module_type_code(body, page));
        }
        let what = (Sort::ModuleType, name.text.as_str(), name.span);
        let mut definition = self.define((page, None), what, code);
        let Some(body) = body else { return definition };
        let mut path = self.site.pages[page].path.clone();
        path.push(name.text.to_string());
        self.module_types.push((path, body));
        let is_name = matches!(body.kind, ModuleTypeKind::Path(_));
        if let Some(contents) = self.contents(Body::Type(body), page).filter(|_| !is_name) {
            let inner = self.inner_page(name.text, Sort::ModuleType, page, contents.span);
            definition.page = Some(inner);
            let items = self.elements(&contents, inner);
            self.site.pages[inner].items = items;
        }
        definition
    }

    fn inner_page(&mut self, name: Symbol, sort: Sort, page: usize, span: Span) -> usize {
        let mut path = self.site.pages[page].path.clone();
        path.push(name.to_string());
        self.page(path, sort, Some(page), span)
    }

    /// What is included stands where it is included, if it is part of the program.
    fn include(&mut self, body: Body<'a>, page: usize) -> Vec<Item> {
        let (span, code) = match body {
            Body::Expr(it) => (it.span, self.source(it.span)),
            Body::Type(it) => (it.span, self.module_type_code(it, page)),
            Body::Alias(it) => (it, self.source(it)),
            Body::Unit(_) => return Vec::new(),
        };
        let contents = self.contents(body, page);
        if let Body::Expr(ModuleExpr { kind: ModuleExprKind::Structure(_), .. }) = body {
            return contents.map(|it| self.elements(&it, page)).unwrap_or_default();
        }
        let mut whole = Code::plain("include ");
        let name = code.text();
        whole.append(code);
        let what = (Sort::Include, name.as_str(), span);
        let mut items = vec![Item::Definition(self.define((page, None), what, whole))];
        if let Some(contents) = contents {
            items.extend(self.elements(&contents, page));
        }
        items
    }

    /// A module type as it is written, with what is between `sig` and `end` left out.
    fn module_type_code(&mut self, ty: &ModuleType, page: usize) -> Code {
        match &ty.kind {
            ModuleTypeKind::Signature(_) => Code::plain("sig … end"),
            ModuleTypeKind::Path(path) => self.named(path.span(), page),
            ModuleTypeKind::With(inner, _) => {
                let mut code = self.module_type_code(inner, page);
                let rest = Span::new(ty.span.file, inner.span.end, ty.span.end);
                code.append(self.source(rest));
                code
            }
            ModuleTypeKind::Functor(..) | ModuleTypeKind::TypeOf(_) | ModuleTypeKind::Error(_) => {
                self.source(ty.span)
            }
        }
    }

    /// What is in a module, as others see it.
    fn contents(&self, body: Body<'a>, page: usize) -> Option<Contents<'a>> {
        self.contents_at(body, page, 0)
    }

    /// Names that lead in a circle end.
    fn contents_at(&self, body: Body<'a>, page: usize, depth: u32) -> Option<Contents<'a>> {
        if depth > DEEPEST {
            return None;
        }
        let inside = |it: Body<'a>| self.contents_at(it, page, depth + 1);
        match body {
            Body::Alias(span) => inside(self.module_named(span, page)?),
            Body::Unit(unit) => Some(self.file_contents(unit)),
            Body::Expr(it) => match &it.kind {
                ModuleExprKind::Structure(items) => {
                    Some(Contents { elements: elements(items), span: it.span })
                }
                ModuleExprKind::Constraint(inner, ty) => {
                    let declared = inside(Body::Type(ty));
                    declared.or_else(|| inside(Body::Expr(inner)))
                }
                ModuleExprKind::Functor(_, inner) | ModuleExprKind::Apply(inner, _) => {
                    inside(Body::Expr(inner))
                }
                ModuleExprKind::Path(_) => inside(self.module_named(it.span, page)?),
                ModuleExprKind::Unpack(..) | ModuleExprKind::Error(_) => None,
            },
            Body::Type(it) => match &it.kind {
                ModuleTypeKind::Signature(items) => {
                    Some(Contents { elements: super::signature::elements(items), span: it.span })
                }
                ModuleTypeKind::With(inner, constraints) => {
                    let mut contents = inside(Body::Type(inner))?;
                    // `type t := u`: there is no `t` in it.
                    let gone = constraints.iter().filter_map(|it| match it {
                        WithConstraint::Type { path, destructive: true, .. } => {
                            Some(path.name.text)
                        }
                        _ => None,
                    });
                    let gone: Vec<Symbol> = gone.collect();
                    contents.elements.retain(
                        |it| !matches!(&it.what, What::Type(it) if gone.contains(&it.name.text)),
                    );
                    Some(contents)
                }
                ModuleTypeKind::Functor(_, inner) => inside(Body::Type(inner)),
                ModuleTypeKind::Path(path) => {
                    let found = self.look_up(&self.module_types, path.span(), page)?;
                    inside(Body::Type(found))
                }
                ModuleTypeKind::TypeOf(inner) => inside(Body::Expr(inner)),
                ModuleTypeKind::Error(_) => None,
            },
        }
    }

    /// What a file holds, as its interface says.
    pub(super) fn file_contents(&self, unit: &'a Unit) -> Contents<'a> {
        let first = unit.signature.as_ref().and_then(|it| it.first());
        let file = first.map_or(unit.span.file, |it| it.span.file);
        let end = self.input.sources.file(file).text.len() as u32;
        let elements = match &unit.signature {
            Some(signature) => super::signature::elements(signature),
            None => elements(&unit.structure),
        };
        Contents { elements, span: Span::new(file, 0, end) }
    }

    fn module_named(&self, span: Span, page: usize) -> Option<Body<'a>> {
        self.look_up(&self.modules, span, page)
    }

    /// What a path means on a page: the latest of that name, from the inside out.
    fn look_up<T: Copy>(&self, all: &[(Vec<String>, T)], span: Span, page: usize) -> Option<T> {
        let wanted: Vec<&str> = self.text(span).split('.').map(str::trim).collect();
        let around = &self.site.pages[page].path;
        (0..=around.len()).rev().find_map(|depth| {
            let is_it = |it: &&(Vec<String>, T)| {
                it.0.len() == depth + wanted.len()
                    && it.0[..depth] == around[..depth]
                    && it.0[depth..].iter().zip(&wanted).all(|(a, b)| a == b)
            };
            all.iter().rev().find(is_it).map(|it| it.1)
        })
    }
}

fn definition_of(item: Item) -> Option<Definition> {
    match item {
        Item::Definition(it) => Some(it),
        Item::Text(_) => None,
    }
}

/// What stands behind the parameters of a functor.
fn collect_parameters<'a>(body: Body<'a>, into: &mut Vec<Parameter<'a>>) -> Body<'a> {
    let mut body = body;
    loop {
        let (param, inner) = match body {
            Body::Expr(ModuleExpr { kind: ModuleExprKind::Functor(param, inner), .. }) => {
                (param, Body::Expr(inner))
            }
            Body::Type(ModuleType { kind: ModuleTypeKind::Functor(param, inner), .. }) => {
                (param, Body::Type(inner))
            }
            _ => return body,
        };
        into.push((param.name, param.ty.as_deref()));
        body = inner;
    }
}

/// `(+)`: an operator as it is defined.
pub fn shown(name: Symbol) -> String {
    let text = name.as_str();
    let is_word = text.starts_with(|it: char| it.is_alphabetic() || it == '_');
    let is_operator = !is_word
        || ["mod", "land", "lor", "lxor", "lsl", "lsr", "asr"].contains(&text)
        || text.contains(|it: char| "!$%&*+-./:<=>?@^|~".contains(it));
    match is_operator {
        true => format!("( {text} )"),
        false => text.to_string(),
    }
}
