//! Reports about what stands where: unexpected tokens and nesting.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

pub(crate) struct Unexpected<'a> {
    pub span: Span,
    /// The token, already quoted or named.
    pub found: &'a str,
    /// What belongs here: "an expression", "`then`".
    pub expected: &'a str,
    /// The construct that needs it, if it began earlier.
    pub context: Option<(Span, &'a str)>,
}

impl Unexpected<'_> {
    pub fn render(&self) -> Diagnostic {
        let report =
            Diagnostic::error("E0001", format!("expected {}, found {}", self.expected, self.found))
                .at(self.span, format!("expected {}", self.expected));
        match self.context {
            Some((span, text)) => report.label(span, text),
            None => report,
        }
    }
}

pub(crate) struct NestingTooDeep {
    pub span: Span,
    pub limit: u32,
}

impl NestingTooDeep {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0012", "nesting too deep")
            .at(self.span, format!("more than {} levels", self.limit))
            .help("give the inner parts names of their own")
    }
}
