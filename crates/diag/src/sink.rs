//! The sink that stages report into.

use oxbow_base::Span;

use crate::switches::{Switches, Wanted};
use crate::{Diagnostic, Severity};

/// Proof that an error has been reported. Only [`Diagnostics::error`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported(());

/// Reports in the order they were made.
#[derive(Debug, Default)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
    errors: usize,
    switches: Switches,
}

impl Diagnostics {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        debug_assert_eq!(diagnostic.severity, Severity::Error);
        self.errors += 1;
        self.all.push(diagnostic);
        Reported(())
    }

    pub fn warning(&mut self, diagnostic: Diagnostic) {
        debug_assert_eq!(diagnostic.severity, Severity::Warning);
        let number = diagnostic.code.strip_prefix('W').and_then(|it| it.parse().ok());
        let wanted = match (number, &diagnostic.primary) {
            (Some(number), Some(primary)) => Some(self.switches.wanted(number, primary.span)),
            _ => None,
        };
        match wanted {
            Some(Wanted::No) => (),
            Some(Wanted::AsError) => {
                self.error(Diagnostic { severity: Severity::Error, ..diagnostic });
            }
            Some(Wanted::Yes) | None => self.all.push(diagnostic),
        }
    }

    /// Which warnings are wanted in a part of the text, as `[@warning]` says it.
    pub fn switch_warnings(&mut self, span: Span, specification: &str) {
        self.switches.add(span, specification);
    }

    /// Which warnings are errors in a part of the text.
    pub fn switch_errors(&mut self, span: Span, specification: &str) {
        self.switches.add_errors(span, specification);
    }

    /// Which warnings are wanted where the text does not say it.
    pub fn switch_all_warnings(&mut self, specification: &str) {
        self.switches.add_general(specification);
    }

    /// What was said to another sink of the warnings that are wanted holds here, too.
    pub fn take_switches(&mut self, other: &mut Self) {
        self.switches.append(std::mem::take(&mut other.switches));
    }

    /// The token for an error that was reported earlier.
    pub fn reported(&self) -> Reported {
        if self.errors == 0 {
            crate::ice!("an error node without a report");
        }
        Reported(())
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Was an error reported that lies in this part of the text?
    pub fn has_error_within(&self, span: Span) -> bool {
        self.errors > 0
            && self.all.iter().any(|it| {
                it.severity == Severity::Error
                    && it.primary.as_ref().is_some_and(|it| {
                        it.span.file == span.file
                            && span.start <= it.span.start
                            && it.span.end <= span.end
                    })
            })
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter()
    }

    pub fn take(&mut self) -> Vec<Diagnostic> {
        self.errors = 0;
        std::mem::take(&mut self.all)
    }

    /// Of the reports about one construct that is not supported, only the first stays.
    pub fn keep_first_unsupported(&mut self) {
        let mut known: Vec<String> = Vec::new();
        self.all.retain(|it| {
            let again = it.code == Diagnostic::NOT_SUPPORTED && known.contains(&it.message);
            known.push(it.message.clone());
            !again
        });
        self.errors = self.all.iter().filter(|it| it.severity == Severity::Error).count();
    }

    /// Forgets reports made after `mark` (a value of [`Diagnostics::mark`]):
    /// for trial elaboration whose failure is reported differently.
    pub fn rollback(&mut self, mark: usize) {
        self.all.truncate(mark);
        self.errors = self.all.iter().filter(|it| it.severity == Severity::Error).count();
    }

    pub fn mark(&self) -> usize {
        self.all.len()
    }
}
