//! Warnings about the cases of a match.
//!
//! W0008: some value is not covered. W0011: a case is never reached. W0012: an alternative
//! of an or-pattern is never reached.

use oxbow_base::Span;
use oxbow_diag::{Diagnostic, limits};

use super::tree::Plan;
use super::witness::{self, Literals};
use crate::build::Builder;

/// What the cases belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::build) enum Subject {
    Match,
    /// Of a `let` or a parameter.
    Pattern,
    /// Of exceptions: the others pass through.
    Handler,
}

struct NotCovered {
    subject: Subject,
    span: Span,
    example: String,
    guarded: bool,
}

impl NotCovered {
    fn render(self) -> Diagnostic {
        let what = if self.subject == Subject::Pattern { "pattern" } else { "match" };
        // A tag begins with a back quote itself.
        let example = match self.example.contains('`') {
            true => format!("`` {} ``", self.example),
            false => format!("`{}`", self.example),
        };
        let mut diagnostic =
            Diagnostic::warning("W0008", format!("this {what} does not cover all cases"))
                .at(self.span, format!("{example} is not covered"));
        if self.guarded {
            diagnostic =
                diagnostic.note("a case with `when` does not count, since its guard may be false");
        }
        match self.subject {
            Subject::Match | Subject::Handler => {
                diagnostic.help(format!("add a case for {example}"))
            }
            Subject::Pattern => diagnostic.help("use `match` with a case for the other values"),
        }
    }
}

impl Builder<'_> {
    /// Only Clef promises an order of operands.
    fn literals(&self) -> Literals {
        if self.left_to_right { Literals::Clef } else { Literals::OCaml }
    }

    /// Reports on a match whose text is at `span`.
    pub(in crate::build) fn report(&mut self, plan: &Plan<'_>, subject: Subject, span: Span) {
        if plan.too_large {
            let report = limits::DECISIONS.report(span, "its cases overlap in too many ways");
            self.diagnostics.error(report.help("match on a part of the value first"));
            return;
        }
        if !self.warns(span) {
            return;
        }
        // Where constructors tell of types, inference has looked at the cases.
        let first = plan.arms.first().map(|it| it.span);
        let known = first.and_then(|it| self.types.coverage.get(&it).cloned());
        let uncovered = || witness::uncovered(&self.types, plan, self.literals());
        if subject != Subject::Handler
            && let Some(example) = known.unwrap_or_else(uncovered)
        {
            let guarded = plan.arms.iter().any(|it| it.guarded);
            self.diagnostics.warning(NotCovered { subject, span, example, guarded }.render());
        }
        // A case that nobody wrote has no text.
        let written = plan.arms.iter().filter(|it| it.span.start != it.span.end);
        for arm in written.filter(|it| it.leaves == 0) {
            let diagnostic = Diagnostic::warning("W0011", "this case is never reached")
                .at(arm.span, "earlier cases match all these values")
                .help("remove the case, or move it up");
            self.diagnostics.warning(diagnostic);
        }
        for arm in plan.arms.iter().filter(|it| it.leaves > 0) {
            if self.types.unreachable.contains(&arm.span) {
                let diagnostic = Diagnostic::warning("W0056", "this case is never reached")
                    .at(arm.span, "no value of the type matches it besides those above")
                    .help("replace its body: `… -> .`");
                self.diagnostics.warning(diagnostic);
            }
        }
        let mut shown: Option<Span> = None;
        for (alternative, used) in plan.alternatives.iter().zip(&plan.used) {
            let reached = *used || !alternative.written || plan.arms[alternative.arm].leaves == 0;
            let inside = shown.is_some_and(|it| {
                it.start <= alternative.span.start && alternative.span.end <= it.end
            });
            if reached || inside {
                continue;
            }
            shown = Some(alternative.span);
            let diagnostic = Diagnostic::warning("W0012", "this alternative is never reached")
                .at(alternative.span, "all these values are matched before")
                .help("remove the alternative");
            self.diagnostics.warning(diagnostic);
        }
    }
}
