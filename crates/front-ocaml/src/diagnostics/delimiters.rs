//! Reports about brackets, `begin … end` and `do … done`.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

fn text_at(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or("")
}

pub(crate) struct UnclosedDelimiter {
    pub opening: Span,
    pub closer: &'static str,
    /// The token that shows that the closing one is missing; `None` at the end of the file.
    pub before: Option<Span>,
    /// How many brackets around it are left open at the same place.
    pub others: usize,
}

impl UnclosedDelimiter {
    pub fn render(&self, text: &str) -> Diagnostic {
        let opening = text_at(text, self.opening);
        let mut report = Diagnostic::error("E0009", format!("`{opening}` is never closed"))
            .at(self.opening, format!("no `{}` follows", self.closer));
        if let Some(before) = self.before {
            report = report.label(before, format!("`{}` is missing before this", self.closer));
        }
        match self.others {
            0 => report,
            1 => report.note("the bracket around it is not closed either"),
            others => report.note(format!("{others} brackets around it are not closed either")),
        }
    }
}

pub(crate) struct MismatchedDelimiter {
    pub opening: Span,
    pub closing: Span,
    pub expected: &'static str,
}

impl MismatchedDelimiter {
    pub fn render(&self, text: &str) -> Diagnostic {
        let (opening, closing) = (text_at(text, self.opening), text_at(text, self.closing));
        Diagnostic::error("E0010", format!("`{opening}` is closed by `{closing}`"))
            .at(self.closing, format!("expected `{}`", self.expected))
            .label(self.opening, "opened here")
    }
}

pub(crate) struct StrayDelimiter {
    pub span: Span,
    pub text: &'static str,
}

impl StrayDelimiter {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0011", format!("`{}` closes nothing", self.text))
            .at(self.span, "no bracket is open here")
            .help("remove it, or add the opening one")
    }
}
