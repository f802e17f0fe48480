//! Functions of C, and variables that have an address.
//!
//! ```text
//! extern int write(int fd, string text, nativeint count)
//!     external %c.write : int -> string -> nativeint -> int
//!     let write (fd, text, count) = flush (); %c.write fd text count
//!
//! let mutable x = e                 let %cell.x = native_cell e
//! … &&x …                           let mutable x = %cell.x
//!                                   let x = byref_make (fun () -> ptr_read x) (fun v -> ptr_write x v)
//!                                   … %cell.x …
//! ```
//!
//! The reference to `x` captures the variable that holds the address, so it cannot outlive the block; and
//! a function that has such memory of its own gives it back at its end (`native_frame`).

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    ArgLabel, Attribute, Binding, Constant, Expr, ExprKind, External, Item, ItemKind, Path,
    PatternKind, TypeExpr, TypeExprKind,
};

use super::{Parsed, Parser, make};
use crate::token::Tok;

impl Parser<'_> {
    /// `[<DllImport("libc")>] extern int getpid()`
    pub(super) fn extern_item(
        &mut self,
        attributes: &[Attribute],
        into: &mut Vec<Item>,
    ) -> Parsed<()> {
        let entry = self.entry_point();
        let start = self.advance().span;
        let result = self.extern_type()?;
        let name = self.ident("the name of a C function")?;
        if self.raw().tok != Tok::Key("(") {
            return self.unexpected("`(` and the parameters");
        }
        let open = self.advance().span;
        let mut params = Vec::new();
        while self.raw().tok != Tok::Key(")") {
            params.push(self.extern_type()?);
            if let Tok::Ident(_) = self.peek() {
                self.advance();
            }
            if self.accept(",").is_none() {
                break;
            }
        }
        let end = self.close("(", open, ")")?;
        let span = start.to(end);
        let library = attributes
            .iter()
            .find(|it| it.name.text.as_str() == "DllImport")
            .and_then(|it| it.payload)
            .unwrap_or(Symbol::new("libc"));
        let symbol = entry.unwrap_or(name.text);
        let prim = format!("%c.{}.{library}.{symbol}", params.len().max(1));
        let hidden = make::made(Made::Of(Symbol::new("c"), name.text), name.span);

        // In F# such a function takes its arguments as a tuple.
        let names: Vec<_> = (0..params.len())
            .map(|at| make::made(Made::fresh("argument", at as u32), name.span))
            .collect();
        let pattern = match &names[..] {
            [] => make::unit_pattern(span),
            &[one] => make::var(one),
            all => {
                let items = all.iter().map(|&it| make::var(it)).collect();
                make::pattern(PatternKind::Tuple(items), span)
            }
        };
        let args = match &names[..] {
            [] => vec![make::unit(span)],
            all => all.iter().map(|&it| make::ident(it)).collect(),
        };
        if params.is_empty() {
            params.push(named_type("unit", Vec::new(), span));
        }
        let is_text = is_named(&result, "string");
        let result = if is_text { named_type("nativeint", Vec::new(), span) } else { result };
        let ty = params.into_iter().rev().fold(result, |result, param| {
            let kind = TypeExprKind::Arrow(ArgLabel::None, Box::new(param), Box::new(result));
            TypeExpr { kind, span }
        });
        let prims = vec![Symbol::new(&prim)];
        let external = External { name: hidden, ty, prims, passing: Vec::new() };
        into.push(Item { kind: ItemKind::External(external), span });

        let mut call = make::apply(make::ident(hidden), args, name.span);
        if is_text {
            let shown = make::string(name.text.as_str().as_bytes().to_vec(), span);
            call = make::apply(make::library("c_text_result", span), vec![shown, call], name.span);
        }
        let flush = make::apply(make::library("flush_output", span), vec![make::unit(span)], span);
        let body = make::expr(ExprKind::Sequence(vec![flush, call]), span);
        let value = make::fun(vec![pattern], body, span);
        let bindings = vec![make::binding(make::var(name), value)];
        into.push(Item { kind: ItemKind::Let { recursive: false, bindings }, span });
        Ok(())
    }

    /// `EntryPoint = "name"` in the attributes that were just read.
    fn entry_point(&self) -> Option<Symbol> {
        let begin = self.tokens[..self.at].iter().rposition(|it| it.tok == Tok::Key("[<"))?;
        let tokens = &self.tokens[begin..self.at];
        let at = tokens
            .iter()
            .position(|it| matches!(&it.tok, Tok::Ident(text) if text.as_str() == "EntryPoint"))?;
        match &tokens.get(at + 2)?.tok {
            Tok::Constant(Constant::String(bytes)) => {
                std::str::from_utf8(bytes).ok().map(Symbol::new)
            }
            _ => None,
        }
    }

    /// C's order: the type before the name.
    fn extern_type(&mut self) -> Parsed<TypeExpr> {
        self.attributes()?;
        let span = self.here();
        let mut ty = if self.accept("void").is_some() {
            if !self.is_op("*") {
                return Ok(named_type("unit", Vec::new(), span));
            }
            self.advance();
            named_type("nativeint", Vec::new(), span)
        } else {
            self.atomic_type()?
        };
        while self.is_op("*") {
            self.advance();
            ty = named_type("nativeptr", vec![ty], span);
        }
        if self.is("&") {
            let span = self.here();
            return self.fail(Diagnostic::not_supported(
                span,
                "references as parameters of C functions; declare a pointer (`int*`) and pass `&&x`",
            ));
        }
        Ok(ty)
    }

    /// `&&x`
    pub(super) fn native_address(&mut self, place: Expr, span: Span) -> Parsed<Expr> {
        let ExprKind::Ident(Path { prefix: None, name }) = &place.kind else {
            let construct = "`&&` of anything but a local `let mutable` variable";
            return self.fail(Diagnostic::not_supported(place.span, construct));
        };
        self.addressed.push((self.at, name.text));
        let cell = make::made(Made::Cell(name.text), name.span);
        Ok(make::expr(ExprKind::AddressOf(Box::new(make::ident(cell))), span))
    }

    /// Does what was read so far take the address of this variable?
    pub(super) fn is_addressed(&self, binding: &Binding) -> bool {
        let PatternKind::Var(name) = binding.pattern.kind else { return false };
        binding.mutable && self.addressed.iter().any(|it| it.1 == name.text)
    }

    /// A variable with an address, in its block.
    pub(super) fn cell(&mut self, binding: Binding, body: Expr) -> Expr {
        let PatternKind::Var(name) = binding.pattern.kind else { return body };
        let span = binding.span;
        let whole = span.to(body.span);
        let cell = make::made(Made::Cell(name.text), name.span);
        let value = make::made(Made::local("value"), span);
        let function = |text: &str, args| make::apply(make::library(text, span), args, span);
        let read = make::fun(
            vec![make::unit_pattern(span)],
            function("ptr_read", vec![make::ident(name)]),
            span,
        );
        let write = make::fun(
            vec![make::var(value)],
            function("ptr_write", vec![make::ident(name), make::ident(value)]),
            span,
        );
        let place = function("byref_make", vec![read, write]);
        let wrap = |bindings: Vec<Binding>, body: Expr| {
            let kind = ExprKind::Let { recursive: false, bindings, body: Box::new(body) };
            make::expr(kind, whole)
        };
        let body = wrap(vec![make::binding(make::var(name), place)], body);
        let body = make::let_mutable(name, make::ident(cell), body);
        let mut initial = binding.value;
        if let Some(annotation) = binding.annotation {
            let kind = ExprKind::Annotate(Box::new(initial), annotation.ty);
            initial = make::expr(kind, span);
        }
        let made = function("native_cell", vec![initial]);
        wrap(vec![make::binding(make::var(cell), made)], body)
    }

    /// The body of a function: if it has memory of its own, that is given back at the end.
    pub(super) fn framed(&self, start: usize, body: Expr) -> Expr {
        let allocates = self.tokens[start..self.at]
            .iter()
            .any(|it| matches!(&it.tok, Tok::Ident(text) if text.as_str() == "stackalloc"));
        if !allocates && self.addressed.iter().all(|it| it.0 < start) {
            return body;
        }
        let span = body.span;
        let delayed = make::fun(vec![make::unit_pattern(span)], body, span);
        make::apply(make::library("native_frame", span), vec![delayed], span)
    }
}

fn named_type(text: &str, args: Vec<TypeExpr>, span: Span) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Constr(Path::plain(make::name(text, span)), args), span }
}

fn is_named(ty: &TypeExpr, name: &str) -> bool {
    matches!(&ty.kind, TypeExprKind::Constr(path, args) if args.is_empty() && path.name.text.as_str() == name)
}
