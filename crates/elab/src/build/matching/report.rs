//! Warnings about the cases of a match.
//!
//! W0008: some value is not covered. W0011: a case is never reached. W0012: an alternative
//! of an or-pattern is never reached.

use oxbow_base::Span;
use oxbow_diag::{Diagnostic, limits};

use super::tree::Plan;
use super::witness::{self, Literals};
use crate::build::Builder;
use crate::tast::Case;

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
    /// At least one.
    examples: Vec<String>,
    guarded: bool,
    /// Text that adds the cases, and where.
    edits: Vec<(Span, String)>,
}

/// More cases than these are not named one by one.
const NAMED: usize = 4;

/// A pattern as people see it: a tag begins with a back quote itself.
fn quoted(example: &str) -> String {
    match example.contains('`') {
        true => format!("`` {example} ``"),
        false => format!("`{example}`"),
    }
}

/// `a case for A`, `cases for A, B and C`, `cases for A, B, C, D and 5 others`.
fn cases_for(examples: &[String]) -> String {
    let named: Vec<String> = examples.iter().take(NAMED).map(|it| quoted(it)).collect();
    match (examples.len().saturating_sub(NAMED), &named[..]) {
        (0, [one]) => format!("a case for {one}"),
        (0, [first @ .., last]) => format!("cases for {} and {last}", first.join(", ")),
        (others, _) => format!("cases for {} and {others} more", named.join(", ")),
    }
}

impl NotCovered {
    fn render(self) -> Diagnostic {
        let what = if self.subject == Subject::Pattern { "pattern" } else { "match" };
        let example = quoted(self.examples.first().map_or("_", String::as_str));
        let mut diagnostic =
            Diagnostic::warning("W0008", format!("this {what} does not cover all cases"))
                .at(self.span, format!("{example} is not covered"));
        if self.guarded {
            diagnostic =
                diagnostic.note("a case with `when` does not count, since its guard may be false");
        }
        match self.subject {
            Subject::Match | Subject::Handler => {
                let diagnostic = diagnostic.help(format!("add {}", cases_for(&self.examples)));
                self.edits.into_iter().fold(diagnostic, |it, (span, text)| it.edit(span, text))
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

    /// Reports on a match whose text is at `span`. `last` is the last of its cases, behind which others can be added.
    pub(in crate::build) fn report(
        &mut self,
        plan: &Plan<'_>,
        subject: Subject,
        span: Span,
        last: Option<&Case>,
    ) {
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
        let examples = match known {
            Some(example) => example.into_iter().collect(),
            None => witness::uncovered(&self.types, plan, self.literals()),
        };
        if subject != Subject::Handler && !examples.is_empty() {
            let guarded = plan.arms.iter().any(|it| it.guarded);
            let edits = last.map(|it| self.added(&examples, it)).unwrap_or_default();
            let report = NotCovered { subject, span, examples, guarded, edits };
            self.diagnostics.warning(report.render());
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

    /// The edits that add cases behind the last one, written as that is: on lines of their own where it has one.
    fn added(&self, examples: &[String], last: &Case) -> Vec<(Span, String)> {
        let (pattern, body) = (last.pattern.span, last.body.span);
        // Code that the compiler made stands elsewhere.
        if pattern.file != body.file || body.end < pattern.end || body.start == body.end {
            return Vec::new();
        }
        let before =
            self.sources.file(pattern.file).text.get(..pattern.start as usize).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let has_line = line.trim_end().ends_with('|') && line.trim() == "|";
        let indent: String = line.chars().take_while(|it| it.is_whitespace()).collect();
        let separator = if has_line { format!("\n{indent}") } else { " ".into() };
        let end = Span { start: body.end, ..body };
        let mut text: String = String::new();
        let text_of_body = self.sources.text(body);
        // Cases behind an open match would be its own. In Clef the column of a line says whose they are.
        let has_cases =
            |word: &str| text_of_body.split(|it: char| !is_part(it)).any(|it| it == word);
        let is_open = ["match", "function", "try"].into_iter().any(has_cases)
            && !text_of_body.starts_with('(');
        if is_open && self.left_to_right && !has_line {
            return Vec::new();
        }
        let parentheses = is_open && !self.left_to_right;
        if parentheses {
            text.push(')');
        }
        for example in examples {
            text += &format!("{separator}| {example} -> failwith \"not implemented\"");
        }
        let mut edits = vec![(end, text)];
        if parentheses {
            edits.insert(0, (Span { end: body.start, ..body }, "(".into()));
        }
        edits
    }
}

fn is_part(it: char) -> bool {
    it.is_alphanumeric() || it == '_' || it == '\''
}
