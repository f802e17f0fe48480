//! Classes and class types, with what their objects can be asked.

use oxbow_base::Span;
use oxbow_elab::ast::{
    ClassDecl, ClassExpr, ClassExprKind, ClassField, ClassFieldKind, ClassType, ClassTypeField,
    ClassTypeKind, Name, TypeParam,
};

use crate::model::{Code, Definition, Sort};

use super::Extract;
use super::attach::{Place, Range, Side};

impl<'a> Extract<'a> {
    fn head(&self, words: &str, is_virtual: bool, params: &[TypeParam], name: Name) -> Code {
        let mut code = Code::plain(words);
        if is_virtual {
            code.push(" virtual");
        }
        if let Some((first, last)) = params.first().zip(params.last()) {
            code.push(&format!(" [{}]", self.text(first.span.to(last.span))));
        }
        code.push(&format!(" {}", name.text));
        code
    }

    pub(super) fn class(&mut self, decl: &'a ClassDecl<ClassExpr>, page: usize) -> Definition {
        let mut code = self.head("class", decl.is_virtual, &decl.params, decl.name);
        let mut body = &decl.body;
        let inner = loop {
            match &body.kind {
                ClassExprKind::Fun(params, inner) => {
                    for it in params {
                        code.push(" ");
                        code.append(self.source(it.span));
                    }
                    body = inner;
                }
                ClassExprKind::Let { body: inner, .. } | ClassExprKind::Open(_, inner) => {
                    body = inner;
                }
                ClassExprKind::Body(body) => break Ok(body),
                ClassExprKind::Constraint(_, ty) => {
                    code.push(" : ");
                    break Err(ty);
                }
                ClassExprKind::Path(..) | ClassExprKind::Apply(..) | ClassExprKind::Error(_) => {
                    code.push(" = ");
                    code.append(self.source(body.span));
                    return self.defined(Sort::Class, decl.name, code, page);
                }
            }
        };
        match inner {
            Ok(body) => {
                let mut definition = self.defined(Sort::Class, decl.name, code, page);
                let id = definition.id.clone();
                definition.inner = self.class_fields(&body.fields, body.span, (page, &id));
                definition
            }
            Err(ty) => {
                let start = ty.span.at_start();
                self.class_body_type(ty, (Sort::Class, decl.name, code), (page, start))
            }
        }
    }

    fn defined(&mut self, sort: Sort, name: Name, code: Code, page: usize) -> Definition {
        self.define((page, None), (sort, name.text.as_str(), name.span), code)
    }

    fn class_fields(
        &mut self,
        fields: &'a [ClassField],
        span: Span,
        (page, around): (usize, &str),
    ) -> Vec<Definition> {
        let ranges: Vec<Range> = fields.iter().map(|it| (it.span.start, it.span.end)).collect();
        let mut all = Vec::new();
        for place in self.attach(span.file, (span.start, span.end), &ranges, Side::Before) {
            let Place::Definition(number, comments) = place else { continue };
            let Some(mut definition) = self.class_field(&fields[number], (page, around)) else {
                continue;
            };
            for comment in comments {
                definition.doc.extend(self.markup(span.file, comment, page));
            }
            all.push(definition);
        }
        all
    }

    fn class_field(
        &mut self,
        field: &ClassField,
        (page, around): (usize, &str),
    ) -> Option<Definition> {
        match &field.kind {
            ClassFieldKind::Method { name, private: false, ty, value, .. } => {
                let mut code = Code::plain("method ");
                code.push(if value.is_none() { "virtual " } else { "" });
                code.push(&format!("{} : ", name.text));
                code.append(match ty {
                    Some(ty) => self.written(name.span, ty.ty.span.end),
                    None => self.inferred(name.span, name.text.as_str(), page).unwrap_or_default(),
                });
                let what = (Sort::Method, name.text.as_str(), name.span);
                Some(self.define((page, Some(around)), what, code))
            }
            ClassFieldKind::Inherit { class, .. } => {
                let mut code = Code::plain("inherit ");
                code.append(self.source(class.span));
                let name = self.text(class.span);
                Some(self.define((page, Some(around)), (Sort::Include, name, class.span), code))
            }
            // Of the object itself.
            ClassFieldKind::Method { .. }
            | ClassFieldKind::Val { .. }
            | ClassFieldKind::Constraint(..)
            | ClassFieldKind::Initializer(_)
            | ClassFieldKind::Error(_) => None,
        }
    }

    pub(super) fn class_type(
        &mut self,
        decl: &'a ClassDecl<ClassType>,
        sort: Sort,
        page: usize,
    ) -> Definition {
        let mut code = self.head(sort.word(), decl.is_virtual, &decl.params, decl.name);
        code.push(if sort == Sort::Class { " : " } else { " = " });
        self.class_body_type(&decl.body, (sort, decl.name, code), (page, decl.name.span))
    }

    fn class_body_type(
        &mut self,
        ty: &'a ClassType,
        (sort, name, mut code): (Sort, Name, Code),
        // The type is written behind this.
        (page, before): (usize, Span),
    ) -> Definition {
        let mut body = ty;
        while let ClassTypeKind::Arrow(_, _, inner) | ClassTypeKind::Open(_, inner) = &body.kind {
            body = inner;
        }
        let ClassTypeKind::Body { fields, .. } = &body.kind else {
            code.append(self.written(before, ty.span.end));
            return self.defined(sort, name, code, page);
        };
        // `int -> object`
        code.append(self.written(before, body.span.start));
        code.push("object");
        let mut definition = self.defined(sort, name, code, page);
        let id = definition.id.clone();
        let mut ranges: Vec<Range> = Vec::new();
        let mut shown = Vec::new();
        for field in fields {
            let end = ranges.last().map_or(body.span.start, |it| it.1);
            match field {
                ClassTypeField::Method { name, ty, .. } => {
                    // From the keyword on.
                    let before = self.text(Span::new(name.span.file, end, name.span.start));
                    let start =
                        before.rfind("method").map_or(name.span.start, |it| end + it as u32);
                    ranges.push((start, ty.ty.span.end));
                    shown.push(field);
                }
                ClassTypeField::Val { name, ty, .. } => {
                    ranges.push((name.span.start, ty.span.end));
                    shown.push(field);
                }
                ClassTypeField::Inherit(it) => {
                    ranges.push((it.span.start, it.span.end));
                    shown.push(field);
                }
                ClassTypeField::Constraint(..) | ClassTypeField::Error(_) => (),
            }
        }
        let file = body.span.file;
        for place in self.attach(file, (body.span.start, body.span.end), &ranges, Side::Before) {
            let Place::Definition(number, comments) = place else { continue };
            let Some(mut made) = self.class_type_field(shown[number], (page, &id)) else {
                continue;
            };
            for comment in comments {
                made.doc.extend(self.markup(file, comment, page));
            }
            definition.inner.push(made);
        }
        definition.end = "end";
        definition
    }

    fn class_type_field(
        &mut self,
        field: &ClassTypeField,
        (page, around): (usize, &str),
    ) -> Option<Definition> {
        match field {
            ClassTypeField::Method { name, private: false, is_virtual, ty } => {
                let mut code = Code::plain("method ");
                code.push(if *is_virtual { "virtual " } else { "" });
                code.push(&format!("{} : ", name.text));
                code.append(self.written(name.span, ty.ty.span.end));
                let what = (Sort::Method, name.text.as_str(), name.span);
                Some(self.define((page, Some(around)), what, code))
            }
            ClassTypeField::Inherit(it) => {
                let mut code = Code::plain("inherit ");
                code.append(self.source(it.span));
                let name = self.text(it.span);
                Some(self.define((page, Some(around)), (Sort::Include, name, it.span), code))
            }
            ClassTypeField::Method { .. }
            | ClassTypeField::Val { .. }
            | ClassTypeField::Constraint(..)
            | ClassTypeField::Error(_) => None,
        }
    }
}
