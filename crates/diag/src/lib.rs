//! Diagnostics as data: what is wrong, where, and what would help.
//!
//! A stage reports into a [`Diagnostics`] sink and goes on; only the sink can
//! make a [`Reported`], so an error node cannot exist without its message.
//! Text is made late, by [`render`].

mod ice;
mod json;
pub mod limits;
mod render;
mod sink;
mod switches;

pub use ice::{InternalError, OUR_FAULT};
pub use json::{render_json, render_plain_json};
pub use render::{RenderOptions, render, render_plain};
pub use sink::{Diagnostics, Reported};

use oxbow_base::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
}

/// One report. Messages are lower case, without a full stop, code in backticks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Stable code, `E0102` or `W0008`; see `docs/diagnostics.md`.
    pub code: &'static str,
    pub message: String,
    /// The place of the fault and what is wrong there (may be empty).
    pub primary: Option<Label>,
    /// Other places that matter, each with its own sentence.
    pub secondary: Vec<Label>,
    /// Facts that help to understand.
    pub notes: Vec<String>,
    /// What to change.
    pub help: Vec<String>,
    /// The change that `help` describes, made to the text: all of it or nothing.
    pub edits: Vec<Edit>,
    /// Changes of which somebody has to choose one.
    pub choices: Vec<Edit>,
}

/// Text that takes the place of what the span covers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

impl Diagnostic {
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }
    fn new(severity: Severity, code: &'static str, message: String) -> Self {
        Self {
            severity,
            code,
            message,
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            edits: Vec::new(),
            choices: Vec::new(),
        }
    }
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label { span, text: text.into() });
        self
    }
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Self {
        self.edits.push(Edit { span, text: text.into() });
        self
    }
    /// One of several changes that would do.
    pub fn choice(mut self, span: Span, text: impl Into<String>) -> Self {
        self.choices.push(Edit { span, text: text.into() });
        self
    }
    /// The code of [`Diagnostic::not_supported`].
    pub const NOT_SUPPORTED: &str = "E0900";

    /// The report for a construct that is valid in its language but that the
    /// compiler does not handle.
    pub fn not_supported(span: Span, construct: &str) -> Self {
        Self::error(Self::NOT_SUPPORTED, format!("not supported yet: {construct}")).at(span, "")
    }
}
