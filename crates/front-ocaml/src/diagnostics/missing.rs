//! Reports about a word that a construct needs and that is not there.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

/// `let x = 5` inside an expression, without `in`.
pub(crate) struct MissingIn<'a> {
    pub let_span: Span,
    pub found: &'a str,
    pub found_span: Option<Span>,
}

impl MissingIn<'_> {
    pub fn render(&self) -> Diagnostic {
        let report = Diagnostic::error("E0013", format!("expected `in`, found {}", self.found))
            .at(self.let_span, "this `let` is inside an expression and has no `in`");
        let report = match self.found_span {
            Some(span) => report.label(span, "expected `in` before this"),
            None => report,
        };
        report.help("write `let … in …`")
    }
}

pub(crate) struct MissingThen<'a> {
    pub span: Span,
    pub found: &'a str,
    pub if_span: Span,
}

impl MissingThen<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0014", format!("expected `then`, found {}", self.found))
            .at(self.span, "expected `then`")
            .label(self.if_span, "this `if` needs a `then`")
    }
}

pub(crate) struct MissingArrow<'a> {
    pub span: Span,
    pub found: &'a str,
    /// What needs the arrow: "this `fun`", "this case".
    pub construct: &'a str,
    pub construct_span: Span,
}

impl MissingArrow<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0015", format!("expected `->`, found {}", self.found))
            .at(self.span, "expected `->`")
            .label(self.construct_span, format!("{} needs a `->`", self.construct))
    }
}

pub(crate) struct MissingWith<'a> {
    pub span: Span,
    pub found: &'a str,
    /// `match` or `try`.
    pub keyword: &'a str,
    pub keyword_span: Span,
}

impl MissingWith<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0016", format!("expected `with`, found {}", self.found))
            .at(self.span, "expected `with`")
            .label(self.keyword_span, format!("this `{}` needs a `with`", self.keyword))
    }
}

pub(crate) struct MissingDo<'a> {
    pub span: Span,
    pub found: &'a str,
    /// `while` or `for`.
    pub keyword: &'a str,
    pub keyword_span: Span,
}

impl MissingDo<'_> {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0017", format!("expected `do`, found {}", self.found))
            .at(self.span, "expected `do`")
            .label(self.keyword_span, format!("this `{}` needs `do … done`", self.keyword))
    }
}
