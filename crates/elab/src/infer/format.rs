//! Format strings: a literal where a `format6` is expected becomes a record whose function
//! takes the arguments one by one and collects pieces of output.
//!
//! ```text
//! "x=%5d %s"   ⇒   { format_text = "x=%5d %s";
//!                    format_run = fun k acc ->
//!                      let acc = Piece_string "x=" :: acc in
//!                      fun a1 -> let acc = Piece_string (Oxbow_format.int "%5d" a1) :: acc in
//!                      let acc = Piece_string " " :: acc in
//!                      fun a2 -> let acc = Piece_string a2 :: acc in
//!                      k acc }
//! ```
//!
//! The record is made as a surface tree and inferred like any other, which types the
//! arguments.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::library_module;

use crate::ast::{
    self, ArgLabel, Constant, ExprKind, ModulePath, Name, ParamLabel, Path, PatternKind,
};
use crate::tast;
use crate::types::{Type, TypeId};

use super::env::{Ctor, Env, Module};
use super::{Expect, Infer};

/// A part of a format.
enum Piece {
    Literal(Vec<u8>),
    /// `%!`
    Flush,
    /// A conversion: how many `*`, its text, and what takes the argument.
    Convert {
        stars: usize,
        text: String,
        with: Conversion,
    },
}

enum Conversion {
    /// A function of `Oxbow_format`.
    Function(&'static str),
    /// `%s` alone.
    Plain,
    /// `%a`
    Printer,
    /// `%t`
    Action,
}

impl Infer<'_> {
    pub(super) fn is_format(&mut self, ty: TypeId) -> bool {
        let ty = self.types.expand(ty);
        let Type::Con(con, _) = self.types.nodes[ty] else { return false };
        match &self.stdlib {
            Some(Module::Structure(stdlib)) => {
                stdlib.types.get(&Symbol::new("format6")) == Some(&con)
            }
            _ => false,
        }
    }

    pub(super) fn format_literal(
        &mut self,
        env: &Env,
        text: &[u8],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        match parse(text) {
            Ok(pieces) => {
                let record = build(text, &pieces, span);
                // The pieces are a list, whatever the program calls `::`.
                let mut inner = env.clone();
                inner.add_ctor(Symbol::new("::"), Ctor::Variant(self.builtins.list, 1));
                self.expr(&inner, &record, expect)
            }
            Err(Fault::Invalid(message)) => {
                let reported = self.diagnostics.error(
                    Diagnostic::error("E0130", format!("invalid format: {message}")).at(span, ""),
                );
                self.error_expr(reported, span)
            }
            Err(Fault::NotSupported(construct)) => {
                let reported = self.not_supported(span, &construct);
                self.error_expr(reported, span)
            }
        }
    }
}

enum Fault {
    Invalid(String),
    NotSupported(String),
}

fn parse(text: &[u8]) -> Result<Vec<Piece>, Fault> {
    let mut pieces = Vec::new();
    let mut literal = Vec::new();
    let mut rest = text.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => (),
            b'@' if rest.peek() == Some(&b'%') => {
                literal.push(b'@');
                continue;
            }
            _ => {
                literal.push(byte);
                continue;
            }
        }
        let mut conversion = String::from("%");
        let mut stars = 0;
        while let Some(&flag) = rest.peek()
            && matches!(flag, b'-' | b'0' | b'+' | b' ' | b'#')
        {
            conversion.push(char::from(flag));
            rest.next();
        }
        while let Some(&digit) = rest.peek()
            && (digit.is_ascii_digit() || digit == b'*' || digit == b'.')
        {
            stars += usize::from(digit == b'*');
            conversion.push(char::from(digit));
            rest.next();
        }
        let Some(letter) = rest.next() else { return Err(Fault::Invalid("`%` at the end".into())) };
        conversion.push(char::from(letter));
        let with = match letter {
            b'%' | b'@' if conversion.len() == 2 => {
                literal.push(letter);
                continue;
            }
            b',' if conversion.len() == 2 => continue,
            b'!' if conversion.len() == 2 => {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Flush);
                continue;
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Conversion::Function("int"),
            b'l' | b'L' | b'n' => {
                let name = match letter {
                    b'l' => "int32",
                    b'L' => "int64",
                    _ => "nativeint",
                };
                match rest.next() {
                    Some(next @ (b'd' | b'i' | b'u' | b'x' | b'X' | b'o')) => {
                        conversion.push(char::from(next));
                        Conversion::Function(name)
                    }
                    _ => {
                        return Err(Fault::Invalid(format!(
                            "`{conversion}` must be followed by one of d, i, u, x, X, o"
                        )));
                    }
                }
            }
            b'f' | b'e' | b'E' | b'g' | b'G' | b'F' | b'h' | b'H' => Conversion::Function("float"),
            b's' if conversion == "%s" => Conversion::Plain,
            b's' => Conversion::Function("string"),
            b'S' => Conversion::Function("string_escaped"),
            b'c' => Conversion::Function("char"),
            b'C' => Conversion::Function("char_escaped"),
            b'b' | b'B' => Conversion::Function("bool"),
            b'a' if conversion == "%a" => Conversion::Printer,
            b't' if conversion == "%t" => Conversion::Action,
            b'(' | b'{' => {
                return Err(Fault::NotSupported(format!("formats in formats (`{conversion}`)")));
            }
            _ => return Err(Fault::Invalid(format!("unknown conversion `{conversion}`"))),
        };
        if !literal.is_empty() {
            pieces.push(Piece::Literal(std::mem::take(&mut literal)));
        }
        pieces.push(Piece::Convert { stars, text: conversion, with });
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    Ok(pieces)
}

/// Builds surface nodes at one place. Names start with `%`: no program can use them.
struct Maker {
    span: Span,
}

impl Maker {
    fn node(&self, kind: ExprKind) -> ast::Expr {
        ast::Expr { kind, span: self.span, attributes: Vec::new() }
    }
    fn name(&self, text: &str) -> Name {
        Name { text: text.into(), span: self.span }
    }
    fn local(&self, text: &str) -> ast::Expr {
        self.node(ExprKind::Ident(Path::plain(self.name(text))))
    }
    fn path(&self, module: &str, text: &str) -> Path {
        Path { prefix: Some(Box::new(ModulePath::Name(self.name(module)))), name: self.name(text) }
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
    fn var(&self, name: &str) -> ast::Pattern {
        ast::Pattern { kind: PatternKind::Var(self.name(name)), span: self.span }
    }
    fn construct(&self, name: &str, arg: ast::Expr) -> ast::Expr {
        self.node(ExprKind::Construct(self.path("Stdlib", name), Some(Box::new(arg))))
    }
    /// `let acc = piece :: acc in rest`
    fn push(&self, piece: ast::Expr, rest: ast::Expr) -> ast::Expr {
        let pair = self.node(ExprKind::Tuple(vec![piece, self.local("%acc")]));
        let cons =
            self.node(ExprKind::Construct(Path::plain(self.name("::")), Some(Box::new(pair))));
        self.let_in("%acc", cons, rest)
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

fn build(text: &[u8], pieces: &[Piece], span: Span) -> ast::Expr {
    let make = Maker { span };
    let mut body = make.apply(make.local("%k"), vec![make.local("%acc")]);
    for (index, piece) in pieces.iter().enumerate().rev() {
        body = match piece {
            Piece::Literal(text) => {
                make.push(make.construct("Piece_string", make.string(text)), body)
            }
            Piece::Flush => make.push(
                make.node(ExprKind::Construct(make.path("Stdlib", "Piece_flush"), None)),
                body,
            ),
            Piece::Convert { stars, text, with } => {
                let arg = format!("%a{index}");
                match with {
                    Conversion::Plain => {
                        let piece = make.construct("Piece_string", make.local(&arg));
                        make.fun(&[&arg], make.push(piece, body))
                    }
                    Conversion::Action => {
                        let piece = make.construct("Piece_fun", make.local(&arg));
                        make.fun(&[&arg], make.push(piece, body))
                    }
                    Conversion::Printer => {
                        let value = format!("%v{index}");
                        let call = make
                            .apply(make.local(&arg), vec![make.local("%out"), make.local(&value)]);
                        let piece = make.construct("Piece_fun", make.fun(&["%out"], call));
                        make.fun(&[&arg, &value], make.push(piece, body))
                    }
                    Conversion::Function(function) => {
                        let star = |n: usize| format!("%w{index}.{n}");
                        let mut format = make.string(text.as_bytes());
                        for n in 0..*stars {
                            let func = make
                                .node(ExprKind::Ident(make.path(library_module::FORMAT, "star")));
                            format = make.apply(func, vec![format, make.local(&star(n))]);
                        }
                        let func =
                            make.node(ExprKind::Ident(make.path(library_module::FORMAT, function)));
                        let shown = make.apply(func, vec![format, make.local(&arg)]);
                        let piece = make.construct("Piece_string", shown);
                        let mut inner = make.fun(&[&arg], make.push(piece, body));
                        for n in (0..*stars).rev() {
                            inner = make.fun(&[&star(n)], inner);
                        }
                        inner
                    }
                }
            }
        };
    }
    let run = make.fun(&["%k", "%acc"], body);
    make.node(ExprKind::Record {
        base: None,
        fields: vec![
            (make.path("Stdlib", "format_text"), None, make.string(text)),
            (make.path("Stdlib", "format_run"), None, run),
        ],
    })
}
