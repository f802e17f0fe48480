//! Format strings: a literal where a `format6` is expected becomes a record whose function
//! takes the arguments one by one and collects pieces of output.
//!
//! ```text
//! "x=%5d@ %s"  ⇒   { format_text = "x=%5d@ %s";
//!                    format_run = (fun k acc ->
//!                      let acc = Piece_text "x=" :: acc in
//!                      fun a1 -> let acc = Piece_string (Oxbow_format.int "%5d" a1) :: acc in
//!                      let acc = Piece_mark ("@ ", Mark_break (1, 0)) :: acc in
//!                      fun a2 -> let acc = Piece_string a2 :: acc in
//!                      k acc);
//!                    format_shape = fun () -> Oxbow_scan.(int (string finish)) }
//! ```
//!
//! The record is made as a surface tree and inferred like any other, which types the
//! arguments. `format_shape` says how values that are read become arguments, and how a format of
//! the same type is made from a string (decision 94); it is there in programs with `Scanf` only.

mod flags;
mod parse;

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::library_module;

use crate::ast::{
    self, ArgLabel, Constant, ExprKind, ModulePath, Name, ParamLabel, Path, PatternKind,
};
use crate::tast;
use crate::types::{Type, TypeId};

use super::env::{Ctor, Env, Module};
use super::{Expect, Infer};
use parse::{BoxKind, Conversion, Mark, Piece};

/// Modules of the library under names that no program can hide.
const STDLIB: &str = "Stdlib";
const FORMAT: &str = "Format";
const SCAN: &str = "Scan";

/// What is known of where a format goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// A channel or a buffer: marks are text like any other.
    Output,
    /// A string, of `Printf` or of `Format`.
    String,
    /// Maybe a formatter.
    Any,
}

impl Infer<'_> {
    pub(super) fn is_format(&mut self, ty: TypeId) -> bool {
        let ty = self.types.expand(ty);
        let Type::Con(con, _) = self.types.nodes[ty] else { return false };
        self.stdlib_type("format6") == Some(con)
    }

    /// What the second parameter of a format's type says.
    fn format_target(&mut self, ty: TypeId) -> Target {
        let ty = self.types.expand(ty);
        let Type::Con(_, args) = &self.types.nodes[ty] else { return Target::Any };
        let Some(&out) = args.get(1) else { return Target::Any };
        let out = self.types.expand(out);
        let unit = self.types.expand(self.builtins.unit);
        let Type::Con(con, _) = self.types.nodes[out] else {
            return if out == unit { Target::String } else { Target::Any };
        };
        let buffer = match self.units.get(&Symbol::new("Buffer")) {
            Some(Module::Structure(buffer)) => buffer.types.get(&Symbol::new("t")).copied(),
            _ => None,
        };
        if self.stdlib_type("out_channel") == Some(con) || buffer == Some(con) {
            Target::Output
        } else if matches!(self.types.nodes[unit], Type::Con(it, _) if it == con) {
            Target::String
        } else {
            Target::Any
        }
    }

    pub(super) fn format_literal(
        &mut self,
        env: &Env,
        text: &[u8],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let target = self.format_target(expect.ty);
        let scan = self.units.get(&Symbol::new(library_module::SCAN)).cloned();
        let built = parse::parse(text).and_then(|pieces| {
            let make = Maker { span, reads: scan.is_some() };
            let shape = if scan.is_some() { make.shape(&pieces)? } else { make.no_shape(&pieces) };
            make.format(text, &joined(pieces, target), shape)
        });
        match built {
            Ok(record) => {
                // The pieces are a list, whatever the program calls `::`.
                let mut inner = env.clone();
                inner.add_ctor(Symbol::new("::"), Ctor::Variant(self.builtins.list, 1));
                let format = self.units.get(&Symbol::new(library_module::FORMAT)).cloned();
                let modules = [(STDLIB, self.stdlib.clone()), (FORMAT, format), (SCAN, scan)];
                for (name, module) in modules {
                    if let Some(module) = module {
                        inner.add_module(Made::local(name).symbol(), module);
                    }
                }
                self.expr(&inner, &record, expect)
            }
            Err(fault) => {
                let message = format!("invalid format: {}", fault.0);
                let report = Diagnostic::error("E0130", message).at(span, "");
                let reported = self.diagnostics.error(report);
                self.error_expr(reported, span)
            }
        }
    }
}

/// Pieces that are told apart only by `Format` become one where it cannot get them.
fn joined(pieces: Vec<Piece>, target: Target) -> Vec<Piece> {
    let mut result: Vec<Piece> = Vec::with_capacity(pieces.len());
    let add = |text: Vec<u8>, result: &mut Vec<Piece>| match result.last_mut() {
        Some(Piece::Literal(before)) => before.extend(text),
        _ => result.push(Piece::Literal(text)),
    };
    for piece in pieces {
        match piece {
            Piece::Literal(text) if target != Target::Any => add(text, &mut result),
            Piece::Mark { text, .. } if target == Target::Output => add(text, &mut result),
            Piece::Open { is_tag, indication } if target == Target::Output => {
                add(if is_tag { b"@{".to_vec() } else { b"@[".to_vec() }, &mut result);
                for piece in joined(indication, target) {
                    match piece {
                        Piece::Literal(text) => add(text, &mut result),
                        piece => result.push(piece),
                    }
                }
            }
            piece => result.push(piece),
        }
    }
    result
}

/// Builds surface nodes at one place. Names start with `%`: no program can use or hide them.
struct Maker {
    span: Span,
    /// Does the program read with formats?
    reads: bool,
}

impl Maker {
    fn node(&self, kind: ExprKind) -> ast::Expr {
        ast::Expr { kind, span: self.span, attributes: Vec::new() }
    }
    fn name(&self, text: &str) -> Name {
        Name { text: text.into(), span: self.span }
    }
    /// A name that no program can write.
    fn made(&self, stem: &str) -> Name {
        Name { text: Made::local(stem).symbol(), span: self.span }
    }
    fn local(&self, stem: &str) -> ast::Expr {
        self.node(ExprKind::Ident(Path::plain(self.made(stem))))
    }
    fn path(&self, module: &str, text: &str) -> Path {
        Path { prefix: Some(Box::new(ModulePath::Name(self.made(module)))), name: self.name(text) }
    }
    fn string(&self, text: &[u8]) -> ast::Expr {
        self.node(ExprKind::Constant(Constant::String(text.to_vec())))
    }
    fn apply(&self, func: ast::Expr, args: Vec<ast::Expr>) -> ast::Expr {
        let args = args.into_iter().map(|it| (ArgLabel::None, it)).collect();
        self.node(ExprKind::Apply(Box::new(func), args))
    }
    fn fun(&self, params: &[&str], body: ast::Expr) -> ast::Expr {
        let params = params
            .iter()
            .map(|it| ast::Param {
                label: ParamLabel::None,
                pattern: self.var(it),
                span: self.span,
            })
            .collect();
        self.node(ExprKind::Fun(params, None, Box::new(body)))
    }
    fn var(&self, stem: &str) -> ast::Pattern {
        ast::Pattern { kind: PatternKind::Var(self.made(stem)), span: self.span }
    }
    fn construct(&self, name: &str, arg: ast::Expr) -> ast::Expr {
        self.node(ExprKind::Construct(self.path(STDLIB, name), Some(Box::new(arg))))
    }
    fn constant(&self, name: &str) -> ast::Expr {
        self.node(ExprKind::Construct(self.path(STDLIB, name), None))
    }
    fn int(&self, value: i64) -> ast::Expr {
        self.node(ExprKind::Constant(Constant::Int(value)))
    }
    fn call(&self, module: &str, function: &str, args: Vec<ast::Expr>) -> ast::Expr {
        self.apply(self.node(ExprKind::Ident(self.path(module, function))), args)
    }
    fn pair(&self, first: ast::Expr, second: ast::Expr) -> ast::Expr {
        self.node(ExprKind::Tuple(vec![first, second]))
    }
    /// `let acc = piece :: acc in rest`
    fn push(&self, piece: ast::Expr, rest: ast::Expr) -> ast::Expr {
        self.let_in("acc", self.cons(piece, "acc"), rest)
    }
    fn cons(&self, piece: ast::Expr, pieces: &str) -> ast::Expr {
        let pair = self.pair(piece, self.local(pieces));
        self.node(ExprKind::Construct(Path::plain(self.name("::")), Some(Box::new(pair))))
    }
    fn let_in(&self, name: &str, value: ast::Expr, body: ast::Expr) -> ast::Expr {
        let binding = ast::Binding {
            pattern: self.var(name),
            value,
            annotation: None,
            mutable: false,
            attributes: Vec::new(),
            span: self.span,
        };
        self.node(ExprKind::Let { recursive: false, bindings: vec![binding], body: Box::new(body) })
    }
}

impl Maker {
    /// The record of a format.
    fn format(
        &self,
        text: &[u8],
        pieces: &[Piece],
        shape: ast::Expr,
    ) -> Result<ast::Expr, parse::Fault> {
        let end = self.apply(self.local("k"), vec![self.local("acc")]);
        let run = self.fun(&["k", "acc"], self.pieces(pieces, "", end)?);
        Ok(self.node(ExprKind::Record {
            base: None,
            fields: vec![
                (self.path(STDLIB, "format_text"), None, self.string(text)),
                (self.path(STDLIB, "format_run"), None, run),
                (self.path(STDLIB, "format_shape"), None, self.fun(&["u"], shape)),
            ],
        }))
    }

    /// Code that adds the pieces to `%acc`, then `body`. `prefix` tells the names of arguments from those around.
    fn pieces(
        &self,
        pieces: &[Piece],
        prefix: &str,
        mut body: ast::Expr,
    ) -> Result<ast::Expr, parse::Fault> {
        for (index, piece) in pieces.iter().enumerate().rev() {
            let name = format!("{prefix}{index}");
            body = match piece {
                Piece::Literal(text) => {
                    self.push(self.construct("Piece_text", self.string(text)), body)
                }
                Piece::Flush => self.push(self.constant("Piece_flush"), body),
                Piece::Mark { text, mark } => {
                    let pair = self.pair(self.string(text), self.mark(mark));
                    self.push(self.construct("Piece_mark", pair), body)
                }
                Piece::Open { is_tag, indication } => {
                    let outer = format!("o{name}");
                    let is_tag = if *is_tag { "true" } else { "false" };
                    let is_tag =
                        self.node(ExprKind::Construct(Path::plain(self.name(is_tag)), None));
                    let open = self.construct("Piece_open", self.pair(is_tag, self.local("acc")));
                    let after = self.let_in("acc", self.cons(open, &outer), body);
                    let inside = self.pieces(indication, &format!("{name}."), after)?;
                    let empty = self.node(ExprKind::List(Vec::new()));
                    self.let_in(&outer, self.local("acc"), self.let_in("acc", empty, inside))
                }
                Piece::Convert { stars, text, with } => {
                    self.conversion(&name, *stars, text, with, body)?
                }
            };
        }
        Ok(body)
    }

    fn mark(&self, mark: &Mark) -> ast::Expr {
        let ints = |a: i64, b: i64| self.pair(self.int(a), self.int(b));
        let char = |it: u8| self.node(ExprKind::Constant(Constant::Char(it)));
        match mark {
            Mark::OpenBox(kind, indent) => {
                let kind = self.constant(match kind {
                    BoxKind::Plain => "Box_plain",
                    BoxKind::Horizontal => "Box_h",
                    BoxKind::Vertical => "Box_v",
                    BoxKind::AllOrNothing => "Box_hv",
                    BoxKind::Packed => "Box_hov",
                });
                self.construct("Mark_open_box", self.pair(kind, self.int(*indent)))
            }
            Mark::CloseBox => self.constant("Mark_close_box"),
            Mark::OpenTag(tag) => self.construct("Mark_open_tag", self.string(tag)),
            Mark::CloseTag => self.constant("Mark_close_tag"),
            Mark::Break(width, offset) => self.construct("Mark_break", ints(*width, *offset)),
            Mark::Flush => self.constant("Mark_flush"),
            Mark::ForceNewline => self.constant("Mark_newline"),
            Mark::EndLine => self.constant("Mark_end_line"),
            Mark::Size(size) => self.construct("Mark_size", self.int(*size)),
            Mark::Char(it) => self.construct("Mark_char", char(*it)),
            Mark::Indication(it) => self.construct("Mark_indication", char(*it)),
        }
    }

    /// A function of the conversion's arguments, which adds a piece, then `body`.
    fn conversion(
        &self,
        name: &str,
        stars: usize,
        text: &[u8],
        with: &Conversion,
        body: ast::Expr,
    ) -> Result<ast::Expr, parse::Fault> {
        let arg = format!("a{name}");
        let string = |it: ast::Expr| self.construct("Piece_string", it);
        let add = |piece: ast::Expr, body: ast::Expr| self.fun(&[&arg], self.push(piece, body));
        Ok(match with {
            Conversion::Plain => add(string(self.local(&arg)), body),
            Conversion::Action => add(self.construct("Piece_fun", self.local(&arg)), body),
            Conversion::Printer => {
                let value = format!("v{name}");
                let call =
                    self.apply(self.local(&arg), vec![self.local("out"), self.local(&value)]);
                let piece = self.construct("Piece_fun", self.fun(&["out"], call));
                self.fun(&[&arg, &value], self.push(piece, body))
            }
            Conversion::Function(function) => {
                let star = |n: usize| format!("w{name}.{n}");
                let mut format = self.string(text);
                for n in 0..stars {
                    format = self.call(FORMAT, "star", vec![format, self.local(&star(n))]);
                }
                let shown = self.call(FORMAT, function, vec![format, self.local(&arg)]);
                let mut inner = add(string(shown), body);
                for n in (0..stars).rev() {
                    inner = self.fun(&[&star(n)], inner);
                }
                inner
            }
            Conversion::Counter => {
                let text = self.string(b"%u");
                add(string(self.call(FORMAT, "int", vec![text, self.local(&arg)])), body)
            }
            Conversion::Substitute(inner) => {
                let inner = || self.string(inner);
                // A format that was read has a type of its own.
                let same = if self.reads {
                    self.call(SCAN, "recast", vec![self.local(&arg), inner(), inner()])
                } else {
                    self.call(FORMAT, "same", vec![self.local(&arg), inner()])
                };
                let next = self.fun(&["acc"], body);
                let args = vec![same, next, self.local("acc")];
                self.fun(&[&arg], self.call(FORMAT, "run", args))
            }
            Conversion::Argument(inner) => {
                let same = self.call(FORMAT, "same", vec![self.local(&arg), self.string(inner)]);
                let shown = string(self.string(&parse::type_text(&parse::parse(inner)?)?));
                let body = self.push(shown, body);
                self.fun(&[&arg], self.let_in("_%same", same, body))
            }
            Conversion::CharSet => {
                let text = self.call(FORMAT, "is_string", vec![self.local(&arg)]);
                let body = self.let_in("_%same", text, body);
                add(self.refused(b"Printf: bad conversion %["), body)
            }
            Conversion::Reader => add(self.refused(b"Printf: bad conversion %r"), body),
            Conversion::Ignored(inner) => {
                // The format that is read has arguments, though it is none itself.
                let body = match &**inner {
                    Conversion::Substitute(inner) => {
                        self.pieces(&parse::parse(inner)?, &format!("{name}."), body)?
                    }
                    _ => body,
                };
                self.push(self.refused(b"Printf: bad conversion %_"), body)
            }
        })
    }

    /// A piece that cannot be put out.
    fn refused(&self, message: &[u8]) -> ast::Expr {
        self.construct("Piece_fun", self.call(FORMAT, "refused", vec![self.string(message)]))
    }

    /// How reading gives the arguments of the format.
    fn shape(&self, pieces: &[Piece]) -> Result<ast::Expr, parse::Fault> {
        self.shape_before(pieces, self.node(ExprKind::Ident(self.path(SCAN, "finish"))))
    }

    fn shape_before(
        &self,
        pieces: &[Piece],
        mut rest: ast::Expr,
    ) -> Result<ast::Expr, parse::Fault> {
        for piece in pieces.iter().rev() {
            rest = match piece {
                Piece::Literal(_) | Piece::Flush | Piece::Mark { .. } => rest,
                Piece::Open { indication, .. } => self.shape_before(indication, rest)?,
                Piece::Convert { stars, with, .. } => {
                    let mut shape = self.conversion_shape(with, rest)?;
                    for _ in 0..*stars {
                        shape = self.call(SCAN, "int", vec![shape]);
                    }
                    shape
                }
            };
        }
        Ok(rest)
    }

    fn conversion_shape(
        &self,
        with: &Conversion,
        rest: ast::Expr,
    ) -> Result<ast::Expr, parse::Fault> {
        let (name, inner): (_, Option<&Vec<u8>>) = match with {
            Conversion::Substitute(inner) => {
                let args = vec![self.string(inner), self.string(inner), rest];
                return Ok(self.call(SCAN, "substitute", args));
            }
            Conversion::Function("char_escaped") => ("char", None),
            Conversion::Function("string_escaped") => ("string", None),
            Conversion::Function(name) => (*name, None),
            Conversion::Counter => ("int", None),
            Conversion::Plain | Conversion::CharSet => ("string", None),
            Conversion::Printer => ("printer", None),
            Conversion::Action => ("action", None),
            Conversion::Reader => ("reader", None),
            Conversion::Ignored(inner) => match &**inner {
                Conversion::Reader => ("no_reader", None),
                Conversion::Substitute(inner) => {
                    return self.shape_before(&parse::parse(inner)?, rest);
                }
                _ => return Ok(rest),
            },
            Conversion::Argument(inner) => ("argument", Some(inner)),
        };
        let args = inner.map(|it| self.string(it)).into_iter().chain([rest]).collect();
        Ok(self.call(SCAN, name, args))
    }

    /// The shape in a program that reads nothing: its type says which functions `%r` takes.
    fn no_shape(&self, pieces: &[Piece]) -> ast::Expr {
        let reads = |with: &Conversion| match with {
            Conversion::Reader => true,
            Conversion::Ignored(inner) => **inner == Conversion::Reader,
            _ => false,
        };
        let any = pieces.iter().any(|it| matches!(it, Piece::Convert { with, .. } if reads(with)));
        let name = if any { "unread_reader" } else { "unread" };
        self.node(ExprKind::Ident(self.path(FORMAT, name)))
    }
}
