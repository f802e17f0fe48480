//! What only Eshkol has: files that end in `.scm` hold Scheme, as R7RS has it (decision 283).
//!
//! ```text
//! "n is ~{n}"                       (string-append "n is " (%shown n))
//! (the number x)                    x
//! (define (f a #:by b) …)           (lambda args (%call-with-keywords place "f" 1 '(#:by) args (lambda (a b) …)))
//! (let-match ((p v) …) body …)      (match v (p … body …))
//! (if a (define b 1))               (if a (let () (define b 1) b))
//! ```

use oxbow_base::{FileId, Span, Symbol};

use super::Expander;
use super::scope::ScopeId;
use crate::core::{Core, CoreKind, Lambda};
use crate::datum::{Datum, DatumKind, Ident};
use crate::{known, reader};

/// Which of the two languages a file is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Scheme,
    Eshkol,
}

impl Dialect {
    /// Of a file of this name.
    pub fn of(path: &str) -> Self {
        let scheme = [".scm", ".sld", ".ss", ".sls"];
        if scheme.iter().any(|it| path.ends_with(it)) { Self::Scheme } else { Self::Eshkol }
    }
}

/// Forms of Eshkol alone.
pub(super) const SPECIAL: &[&str] =
    &["the", "let-match", "with-region", "owned", "move", "shared", "borrow"];

/// What opens an expression in a string, and what closes it.
const OPEN: &str = "~{";

impl Expander<'_> {
    pub(super) fn note_dialect(&mut self, file: FileId, dialect: Dialect) {
        if dialect == Dialect::Scheme {
            self.scheme_files.insert(file);
        }
    }

    pub(super) fn is_eshkol(&self, span: Span) -> bool {
        !self.is_library(span) && !self.scheme_files.contains(span.file)
    }

    /// A string with expressions in it.
    pub(super) fn interpolated(&mut self, text: &str, scope: ScopeId, span: Span) -> Option<Core> {
        if !self.is_eshkol(span) || !text.contains(OPEN) {
            return None;
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(OPEN) {
            parts.push(self.text_constant(&rest[..at], span));
            let inside = &rest[at + OPEN.len()..];
            let Some(end) = closing(inside) else {
                return Some(self.bad_core(span, "`~{` in this string has no `}`"));
            };
            let data = reader::read(span.file, &inside[..end], self.diagnostics);
            let [datum] = &data[..] else {
                return Some(self.bad_core(span, "`~{…}` in a string holds one expression"));
            };
            let shown = self.expr(&moved(datum, span), scope);
            parts.push(self.call(known::SHOWN, vec![shown], span));
            rest = &inside[end + 1..];
        }
        parts.push(self.text_constant(rest, span));
        Some(self.call("string-append", parts, span))
    }

    fn text_constant(&self, text: &str, span: Span) -> Core {
        Core::new(CoreKind::Const(Datum::new(DatumKind::String(text.into()), span)), span)
    }

    /// Special forms of Eshkol.
    pub(super) fn eshkol_form(
        &mut self,
        name: &str,
        args: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Option<Core> {
        Some(match (name, args) {
            ("the", [_, value]) | ("owned" | "move" | "shared", [value]) => self.expr(value, scope),
            ("let-match", [bindings, body @ ..]) if !body.is_empty() => {
                self.let_match(bindings, body, scope, span)
            }
            ("with-region", [name, body @ ..]) if !body.is_empty() && is_region_name(name) => {
                let body = match body {
                    [size, rest @ ..] if !rest.is_empty() && is_number(size) => rest,
                    _ => body,
                };
                self.body(body, scope, span)
            }
            ("with-region", body) if !body.is_empty() => self.body(body, scope, span),
            ("borrow", [_, body @ ..]) if !body.is_empty() => self.body(body, scope, span),
            _ => return None,
        })
    }

    /// `(let-match ((pattern value) …) body …)`: the values one after the other.
    fn let_match(&mut self, bindings: &Datum, body: &[Datum], scope: ScopeId, span: Span) -> Core {
        let Some(bindings) = bindings.as_list() else {
            return self.bad_core(bindings.span, "`let-match` needs bindings `(pattern value)`");
        };
        let mut inner = vec![Datum::symbol("let", span), Datum::list(Vec::new(), span)];
        inner.extend(body.iter().cloned());
        let mut whole = self.base_form(inner, span);
        for binding in bindings.iter().rev() {
            let Some([pattern, value]) = binding.as_list() else {
                let message = "a binding of `let-match` is `(pattern value)`";
                return self.bad_core(binding.span, message);
            };
            let clause = Datum::list(vec![pattern.clone(), whole], span);
            let form = vec![Datum::symbol("match", span), value.clone(), clause];
            whole = self.base_form(form, span);
        }
        self.expr(&whole, scope)
    }

    /// A definition in the place of an expression is one of a body of its own, and has its value.
    pub(super) fn define_expression(&mut self, form: &Datum, scope: ScopeId, span: Span) -> Core {
        let mut name = form.as_list().and_then(|it| it.get(1));
        while let Some(DatumKind::List(parts, _)) = name.map(|it| &it.kind) {
            name = parts.first();
        }
        match name {
            Some(name) if name.as_ident().is_some() => {
                self.body(&[form.clone(), name.clone()], scope, span)
            }
            _ => self.bad_core(span, "`define` needs a name"),
        }
    }

    /// Whether a form defines something.
    pub(super) fn is_definition(&self, form: &Datum, scope: ScopeId) -> bool {
        let head = form.as_list().and_then(<[Datum]>::first).and_then(Datum::as_ident);
        let name = head.and_then(|it| self.special(it, scope));
        matches!(name, Some("define" | "define-values" | "define-record-type" | "define-syntax"))
    }

    /// `(lambda (a #:by b . rest) …)`: each keyword stands before the name of its parameter.
    pub(super) fn keyword_lambda(
        &mut self,
        params: &Datum,
        body: &[Datum],
        scope: ScopeId,
        name: Option<Symbol>,
        span: Span,
    ) -> Core {
        let DatumKind::List(items, tail) = &params.kind else {
            oxbow_diag::ice!("parameters are a list")
        };
        let (mut plain, mut keywords, mut named) = (Vec::new(), Vec::new(), Vec::new());
        let mut items = items.iter();
        while let Some(item) = items.next() {
            if item.keyword().is_none() {
                plain.push(item.clone());
                continue;
            }
            match items.next() {
                Some(param) if param.keyword().is_none() => {
                    keywords.push(item.clone());
                    named.push(param.clone());
                }
                _ => return self.bad_core(item.span, "a keyword needs the name of its parameter"),
            }
        }
        let count = self.integer(plain.len() as i64, span);
        let rest: Vec<Datum> = tail.as_deref().cloned().into_iter().collect();
        let has_rest = DatumKind::Bool(!rest.is_empty());
        let has_rest = Core::new(CoreKind::Const(Datum::new(has_rest, span)), span);
        let names = plain.into_iter().chain(named).chain(rest).collect();
        let names = Datum::new(DatumKind::List(names, None), params.span);
        let inner = self.lambda_of(&names, body, scope, name, span);
        let inner = Core::new(CoreKind::Lambda(Box::new(inner)), span);
        let keywords = Core::new(CoreKind::Const(Datum::list(keywords, span)), span);
        let who = self.text_constant(name.map_or("", |it| it.as_str()), span);
        let place = self.call(known::PLACE, Vec::new(), span);
        let all = self.temp("all", span);
        let given = self.var_ref(all, span);
        let args = vec![place, who, count, keywords, has_rest, given, inner];
        let body = self.call(known::CALL_WITH_KEYWORDS, args, span);
        let params = Vec::new();
        let outer = Lambda { params, rest: Some(all), body, name, span, takes_continuation: false };
        Core::new(CoreKind::Lambda(Box::new(outer)), span)
    }

    /// A parameter with its type, `(x : real)`, is the parameter.
    pub(super) fn untyped<'d>(&self, param: &'d Datum) -> &'d Datum {
        match param.as_list() {
            Some([name, colon, _]) if self.is_eshkol(param.span) && is_colon(colon) => name,
            _ => param,
        }
    }
}

fn is_colon(datum: &Datum) -> bool {
    matches!(datum.as_ident(), Some(Ident::Plain(name)) if name.as_str() == ":")
}

fn is_number(datum: &Datum) -> bool {
    matches!(datum.kind, DatumKind::Number(_))
}

/// A quoted name.
fn is_region_name(datum: &Datum) -> bool {
    let is_quote =
        |it: &Datum| matches!(it.as_ident(), Some(Ident::Plain(name)) if name.as_str() == "quote");
    datum.as_list().is_some_and(|it| it.len() == 2 && is_quote(&it[0]))
}

/// Where the brace is that closes an expression.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string && depth == 0 => return Some(at),
            '}' if !in_string => depth -= 1,
            _ => (),
        }
    }
    None
}

/// The same data at another place.
fn moved(datum: &Datum, span: Span) -> Datum {
    let all = |items: &[Datum]| items.iter().map(|it| moved(it, span)).collect();
    let kind = match &datum.kind {
        DatumKind::List(items, tail) => {
            DatumKind::List(all(items), tail.as_ref().map(|it| Box::new(moved(it, span))))
        }
        DatumKind::Vector(items) => DatumKind::Vector(all(items)),
        DatumKind::Labelled(label, datum) => {
            DatumKind::Labelled(*label, Box::new(moved(datum, span)))
        }
        other => other.clone(),
    };
    Datum::new(kind, span)
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn braces_in_strings_close_nothing() {
        assert_eq!(closing("x} y"), Some(1));
        assert_eq!(closing("(f \"}\") }"), Some(8));
        assert_eq!(closing("(f {a}) }"), Some(8));
        assert_eq!(closing("(f"), None);
    }
}
