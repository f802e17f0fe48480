//! Types with their constructors and fields, and exceptions.

use oxbow_base::{FileId, Span};
use oxbow_elab::ast::{
    ConstructorArgs, ConstructorDecl, ExceptionDecl, FieldDecl, ParamVariance, TypeDecl,
    TypeDeclKind, TypeParam,
};

use crate::comments::ocaml::Kind;
use crate::model::{Code, Definition, Sort};

use super::Extract;
use super::attach::{Place, Range, Side};
use super::structure::{Element, What};

impl<'a> Extract<'a> {
    /// An element with the comments behind it that are about its last constructor.
    pub(super) fn whole(&mut self, file: FileId, element: &Element<'a>) -> Range {
        let (start, end) = element.range;
        let What::Type(TypeDecl { kind: TypeDeclKind::Variant(_), .. }) = element.what else {
            return (start, end);
        };
        let text = self.input.sources.file(file).text.clone();
        let column = |at: usize| at - text[..at].rfind('\n').map_or(0, |it| it + 1);
        let own = column(start as usize);
        let behind = self.comments(file).iter().find(|it| it.start >= end as usize).copied();
        let Some(comment) = behind.filter(|it| it.kind == Kind::Text) else { return (start, end) };
        let between = &text[end as usize..comment.start];
        let same_line = between.trim().is_empty() && !between.contains('\n');
        let next_line = between.trim().is_empty() && between.matches('\n').count() == 1;
        match same_line || next_line && column(comment.start) > own {
            true => (start, comment.end as u32),
            false => (start, end),
        }
    }

    pub(super) fn type_decl(
        &mut self,
        decl: &'a TypeDecl,
        (file, at): (FileId, Range),
        page: usize,
    ) -> Definition {
        let mut code = Code::plain("type ");
        let params: Vec<String> = decl.params.iter().map(parameter).collect();
        match &params[..] {
            [] => (),
            [one] => code.push(&format!("{one} ")),
            many => code.push(&format!("({}) ", many.join(", "))),
        }
        code.push(decl.name.text.as_str());
        let private = if decl.private { " private" } else { "" };
        if self.closed.contains(decl.name.text.as_str()) {
            let what = (Sort::Type, decl.name.text.as_str(), decl.name.span);
            return self.define((page, None), what, code);
        }
        if let Some(manifest) = &decl.manifest {
            code.push(" = ");
            code.append(self.written(decl.name.span, manifest.span.end));
        }
        match &decl.kind {
            TypeDeclKind::Abstract => (),
            TypeDeclKind::Open => code.push(" = .."),
            TypeDeclKind::Variant(_) => code.push(&format!(" ={private}")),
            TypeDeclKind::Record(_) => code.push(&format!(" ={private} {{")),
        }
        if let (TypeDeclKind::Abstract, Some(((left, _), (_, right)))) =
            (&decl.kind, decl.constraints.first().zip(decl.constraints.last()))
        {
            code.push(" constraint ");
            code.append(self.source(left.span.to(right.span)));
        }
        let name = decl.name;
        let mut definition =
            self.define((page, None), (Sort::Type, name.text.as_str(), name.span), code);
        let id = definition.id.clone();
        match &decl.kind {
            TypeDeclKind::Variant(ctors) => {
                let ranges: Vec<Range> =
                    ctors.iter().map(|it| (it.span.start, it.span.end)).collect();
                definition.inner = self.parts((file, at), &ranges, page, |this, number| {
                    this.constructor(&ctors[number], (page, &id))
                });
            }
            TypeDeclKind::Record(fields) => {
                definition.inner = self.fields(fields, (file, at), (page, &id));
                definition.end = "}";
            }
            TypeDeclKind::Abstract | TypeDeclKind::Open => (),
        }
        definition
    }

    /// Definitions inside of a type, with their comments.
    fn parts(
        &mut self,
        (file, at): (FileId, Range),
        ranges: &[Range],
        page: usize,
        mut make: impl FnMut(&mut Self, usize) -> Definition,
    ) -> Vec<Definition> {
        let start = ranges.first().map_or(at.0, |it| self.line_start(file, it.0).max(at.0));
        let mut all = Vec::new();
        for place in self.attach(file, (start, at.1), ranges, Side::Behind) {
            match place {
                Place::Definition(number, comments) => {
                    let mut definition = make(self, number);
                    for comment in comments {
                        definition.doc.extend(self.markup(file, comment, page));
                    }
                    all.push(definition);
                }
                Place::Text(comment) => {
                    let blocks = self.markup(file, comment, page);
                    if let Some(last) = all.last_mut() {
                        last.doc.extend(blocks);
                    }
                }
            }
        }
        all
    }

    /// Comments may stand before the first part, on lines of their own.
    fn line_start(&self, file: FileId, at: u32) -> u32 {
        let text = &self.input.sources.file(file).text;
        let before = &text[..at as usize];
        before.rfind(['=', '{']).map_or(0, |it| it as u32)
    }

    fn fields(
        &mut self,
        fields: &[FieldDecl],
        at: (FileId, Range),
        (page, around): (usize, &str),
    ) -> Vec<Definition> {
        let ranges: Vec<Range> = fields.iter().map(|it| (it.span.start, it.span.end)).collect();
        self.parts(at, &ranges, page, |this, number| {
            let field = &fields[number];
            let name = field.name;
            let mut code = this.source(field.span);
            if let Some(last) = code.0.last_mut() {
                last.text = last.text.trim_end().trim_end_matches(';').trim_end().to_string();
            }
            code.push(";");
            let what = (Sort::Field, name.text.as_str(), name.span);
            this.define((page, Some(around)), what, code)
        })
    }

    fn constructor(
        &mut self,
        ctor: &'a ConstructorDecl,
        (page, around): (usize, &str),
    ) -> Definition {
        let name = ctor.name;
        let what = (Sort::Constructor, name.text.as_str(), name.span);
        let ConstructorArgs::Record(fields) = &ctor.args else {
            let mut code = Code::plain("| ");
            code.append(self.source(ctor.span));
            return self.define((page, Some(around)), what, code);
        };
        let code = Code::plain(format!("| {} of {{", name.text));
        let mut definition = self.define((page, Some(around)), what, code);
        let range = (ctor.span.start, ctor.span.end);
        let id = definition.id.clone();
        definition.inner = self.fields(fields, (ctor.span.file, range), (page, &id));
        definition.end = "}";
        definition
    }

    pub(super) fn exception(&mut self, decl: &ExceptionDecl, page: usize) -> Definition {
        let name = decl.name;
        let mut code = Code::plain("exception ");
        // The keyword may be a part of it.
        let span = Span::new(name.span.file, name.span.start, decl.span.end.max(name.span.end));
        code.append(self.source(span));
        self.define((page, None), (Sort::Exception, name.text.as_str(), name.span), code)
    }

    /// A constructor of an open type.
    pub(super) fn extension(&mut self, decl: &ExceptionDecl, page: usize) -> Definition {
        let name = decl.name;
        let mut code = Code::plain("type … += ");
        code.append(self.source(decl.span));
        self.define((page, None), (Sort::Constructor, name.text.as_str(), name.span), code)
    }
}

/// `+'a`
fn parameter(it: &TypeParam) -> String {
    let variance = match it.variance {
        ParamVariance::Unsaid => "",
        ParamVariance::Covariant => "+",
        ParamVariance::Contravariant => "-",
    };
    let injective = if it.injective { "!" } else { "" };
    let name = it.name.map_or("_".to_string(), |it| format!("'{}", it.text));
    format!("{variance}{injective}{name}")
}
