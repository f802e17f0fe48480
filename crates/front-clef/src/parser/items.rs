//! Files, modules and what stands in them.

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Expr, ExprKind, External, Item, ItemKind, ModuleExpr, ModuleExprKind, ModulePath, Name,
    TypeExpr, TypeExprKind,
};

use super::bracket::extend;
use super::{Failed, Parsed, Parser, make};
use crate::File;
use crate::diagnostics;
use crate::token::Tok;

impl Parser<'_> {
    /// The file, or its namespaces one by one.
    pub fn file(&mut self) -> Vec<File> {
        let mut parts = vec![self.part_of_file()];
        while self.begins_namespace() {
            parts.push(self.part_of_file());
        }
        parts
    }

    fn begins_namespace(&self) -> bool {
        let token = self.raw();
        token.first && token.tok == Tok::Key("namespace")
    }

    fn part_of_file(&mut self) -> File {
        let (header, namespace, recursive) = self.header();
        self.recursive = recursive;
        let mut structure = Vec::new();
        let column = self.raw().column;
        self.items(column, &mut structure);
        // What is left begins in another column.
        while self.raw().tok != Tok::Eof && !(namespace && self.begins_namespace()) {
            let at = self.at;
            let column = self.raw().column;
            self.items(column, &mut structure);
            if self.at == at {
                let _: Parsed<()> = self.unexpected("a definition");
                self.advance();
            }
        }
        if recursive {
            structure = self.recursive_items(structure);
        }
        if !self.broken.is_empty() {
            let names = std::mem::take(&mut self.broken);
            structure.insert(0, Item { kind: ItemKind::Broken(names), span: self.here() });
        }
        File { header, namespace, structure }
    }

    /// `module A.B` or `namespace A.B` at the top of a file.
    fn header(&mut self) -> (Vec<Symbol>, bool, bool) {
        let result = self.attempt(|this| {
            let _ = this.attributes().ok()?;
            let namespace = this.is("namespace");
            if !namespace && !this.is("module") {
                return None;
            }
            this.advance();
            let recursive = this.accept("rec").is_some();
            while this.accept("private").is_some()
                || this.accept("internal").is_some()
                || this.accept("public").is_some()
            {}
            // What stands in it is seen everywhere.
            if namespace && this.accept("global").is_some() {
                return Some((Vec::new(), true, recursive));
            }
            let path = this.module_path().ok()?;
            // `module M =` is a module inside the file.
            if !namespace && this.is_op("=") {
                return None;
            }
            Some((names(&path), namespace, recursive))
        });
        result.unwrap_or_default()
    }

    pub(super) fn module_path(&mut self) -> Parsed<ModulePath> {
        let mut path = ModulePath::Name(self.ident("the name of a module")?);
        while self.is(".") {
            self.advance();
            let name = self.ident("the name of a module")?;
            path = extend(Some(Box::new(path)), name);
        }
        Ok(path)
    }

    /// Items that begin in `column`.
    fn items(&mut self, column: i32, into: &mut Vec<Item>) {
        self.at_column(column, |this| {
            this.hard = column;
            loop {
                let token = this.raw().clone();
                if token.tok == Tok::Eof || token.column < column || this.begins_namespace() {
                    return;
                }
                if token.first && token.column > column {
                    this.report(diagnostics::indentation(token.span, token.span.at_start()));
                    this.skip_to_line(column);
                    continue;
                }
                let start = this.at;
                this.exempt = Some(this.at);
                let known = this.sink.iter().count();
                // What stands before it lacks what it seems to be.
                let blamed = this.sink.iter().last().and_then(|it| it.primary.as_ref());
                let blamed = blamed.is_some_and(|it| it.span.start == token.span.start);
                if let Err(Failed(reported)) = this.item(into) {
                    into.push(Item { kind: ItemKind::Error(reported), span: token.span });
                    if this.at == start {
                        this.advance();
                    }
                    this.skip_to_line(column);
                    this.note_broken(start);
                    this.skip_closing(start);
                }
                let mut separated = false;
                while matches!(this.raw().tok, Tok::Key(";;" | ";")) {
                    this.advance();
                    separated = true;
                }
                if separated && !this.raw().first {
                    continue;
                }
                // Whatever is left on the line cannot be read.
                let next = this.raw().clone();
                if next.tok != Tok::Eof && !(next.first && next.column <= column) {
                    let from = this.at;
                    // After a mistake in the item, it is no second one.
                    if !blamed && this.sink.iter().count() == known {
                        let _: Parsed<()> = this.unexpected("the end of the definition");
                    }
                    this.skip_to_line(column);
                    this.note_broken(from);
                    this.skip_closing(from);
                }
            }
        });
    }

    fn item(&mut self, into: &mut Vec<Item>) -> Parsed<()> {
        let attributes = self.attributes()?;
        self.exempt = Some(self.at);
        let start = self.here();
        match self.peek() {
            // `use` of a module ends with the program, so it is a `let`.
            Tok::Key("let" | "use") => {
                self.advance();
                let entry = attributes.iter().any(|it| it.name.text.as_str() == "EntryPoint");
                let (recursive, mut bindings) = self.bindings(attributes, start)?;
                if entry && let Some(main) = bindings.first_mut() {
                    annotate_arguments(main);
                }
                if self.continues("in") {
                    let at = self.advance().span;
                    let body = self.block("the body of this `let`")?;
                    let kind = ExprKind::Let { recursive, bindings, body: Box::new(body) };
                    let expr = make::expr(kind, start.to(at));
                    into.push(Item { span: expr.span, kind: ItemKind::Eval(expr) });
                    return Ok(());
                }
                let main = bindings.first().map(|it| it.pattern.clone());
                let span = start.to(self.previous());
                into.push(Item { kind: ItemKind::Let { recursive, bindings }, span });
                if entry && let Some(main) = main {
                    into.push(entry_point(&main));
                }
            }
            Tok::Key("type") => {
                let begin = self.at;
                into.extend(self.type_group(attributes)?);
                if self.recursive {
                    let names = self.names_since(begin);
                    self.names_of_types.extend(names);
                }
            }
            Tok::Key("exception") => into.push(self.exception_item()?),
            Tok::Key("module") => {
                let module = self.module_item()?;
                let opened = attributes.iter().any(|it| it.name.text.as_str() == "AutoOpen");
                let own = match module.kind {
                    ItemKind::Module { name, .. } if opened => Some(name),
                    _ => None,
                };
                into.push(module);
                // What it holds belongs to the module around it as well.
                if let Some(name) = own {
                    let span = name.span;
                    let path = ModuleExprKind::Path(ModulePath::Name(name));
                    let module = ModuleExpr { kind: path, span };
                    into.push(Item { kind: ItemKind::Include(module), span });
                }
            }
            Tok::Key("open") => {
                self.advance();
                self.accept("type");
                let path = self.module_path()?;
                let span = start.to(self.previous());
                let module = ModuleExpr { kind: ModuleExprKind::Path(path), span };
                into.push(Item { kind: ItemKind::Open(module), span });
            }
            Tok::Ident(text) if text.as_str() == "external" && self.is_external() => {
                into.push(self.external_item()?);
            }
            Tok::Key("extern") => self.extern_item(&attributes, into)?,
            Tok::Key("do") => {
                self.advance();
                let body = self.block("the body of this `do`")?;
                into.push(Item { span: body.span, kind: ItemKind::Eval(body) });
            }
            Tok::Key("namespace") => {
                return self.fail(Diagnostic::not_supported(start, "a namespace behind a module"));
            }
            Tok::Key("member" | "static" | "override") => {
                return self
                    .unexpected("a definition (members stand further right than their `type`)");
            }
            _ => {
                let expr = self.expr()?;
                into.push(Item { span: expr.span, kind: ItemKind::Eval(expr) });
            }
        }
        Ok(())
    }

    /// `module M = …`
    fn module_item(&mut self) -> Parsed<Item> {
        let start = self.advance().span;
        let recursive = self.accept("rec").is_some();
        while self.accept("private").is_some()
            || self.accept("internal").is_some()
            || self.accept("public").is_some()
        {}
        let name = self.ident("the name of a module")?;
        self.equals()?;
        if matches!(self.peek(), Tok::Offside | Tok::Eof) {
            let at = self.here();
            return self.fail(diagnostics::empty_block(start, at, "the body of this module"));
        }
        // `module M = A.B`
        let token = self.raw().clone();
        if !token.first && matches!(token.tok, Tok::Ident(_)) {
            let path = self.module_path()?;
            let span = start.to(self.previous());
            let body = ModuleExpr { kind: ModuleExprKind::Path(path), span };
            return Ok(Item { kind: ItemKind::Module { name, body }, span });
        }
        let begin = self.accept("begin");
        let mut inner = Vec::new();
        let column = self.raw().column;
        let outer = (self.recursive, std::mem::take(&mut self.names_of_types));
        self.recursive |= recursive;
        self.items(column, &mut inner);
        if self.recursive {
            inner = self.recursive_items(inner);
        }
        (self.recursive, self.names_of_types) = outer;
        if begin.is_some() {
            self.expect("end", "`end`")?;
        }
        let span = start.to(self.previous());
        let body = ModuleExpr { kind: ModuleExprKind::Structure(inner), span };
        Ok(Item { kind: ItemKind::Module { name, body }, span })
    }

    /// Is this a declaration of a primitive, as the library has them?
    fn is_external(&self) -> bool {
        matches!(self.raw_after(1).tok, Tok::Ident(_) | Tok::Key("("))
            && (2..6).any(|it| self.raw_after(it).tok == Tok::Key(":"))
            && !self.raw_after(1).first
    }

    /// `external name : type = "%primitive"`
    fn external_item(&mut self) -> Parsed<Item> {
        let start = self.advance().span;
        let Some(name) = self.defined_name() else { return self.unexpected("a name") };
        if self.accept(":").is_none() {
            return self.unexpected("`:`");
        }
        let ty = self.type_expr()?;
        self.equals()?;
        let token = self.advance();
        let Tok::Constant(oxbow_elab::ast::Constant::String(bytes)) = token.tok else {
            return self.unexpected("the name of a primitive");
        };
        let prim = Symbol::new(&String::from_utf8_lossy(&bytes));
        let kind =
            ItemKind::External(External { name, ty, prims: vec![prim], passing: Vec::new() });
        Ok(Item { kind, span: start.to(token.span) })
    }
}

/// The parameter of the function marked `[<EntryPoint>]` is an array of strings.
fn annotate_arguments(main: &mut oxbow_elab::ast::Binding) {
    use oxbow_elab::ast::{Path, Pattern, PatternKind};
    let ExprKind::Fun(params, _, _) = &mut main.value.kind else { return };
    let Some(first) = params.first_mut() else { return };
    let span = first.pattern.span;
    let named = |text: &str, args| TypeExpr {
        kind: TypeExprKind::Constr(Path::plain(make::name(text, span)), args),
        span,
    };
    let ty = named("array", vec![named("string", Vec::new())]);
    let inner = std::mem::replace(&mut first.pattern.kind, PatternKind::Any);
    let inner = Box::new(Pattern { kind: inner, span });
    first.pattern.kind = PatternKind::Annotate(inner, ty);
}

/// The call of the function marked `[<EntryPoint>]`: its result is the exit code.
fn entry_point(main: &oxbow_elab::ast::Pattern) -> Item {
    let span = main.span;
    let name = match main.kind {
        oxbow_elab::ast::PatternKind::Var(name) => name,
        _ => make::name("main", span),
    };
    let main: Expr = make::ident(Name { text: name.text, span });
    let call = make::apply(make::library("run_main", span), vec![main], span);
    Item { kind: ItemKind::Eval(call), span }
}

fn names(path: &ModulePath) -> Vec<Symbol> {
    match path {
        ModulePath::Name(name) => vec![name.text],
        ModulePath::Dot(prefix, name) => {
            let mut all = names(prefix);
            all.push(name.text);
            all
        }
        ModulePath::Apply(..) => Vec::new(),
    }
}
