//! Cases for tags that the type of what is matched excludes.
//!
//! ```text
//! let f (x : [< `A | `B ]) = match x with `A -> 1 | `B -> 2 | `C -> 3        the last case is never reached
//! ```
//!
//! That is no mistake where a use still decides what the row is, but only for what is matched as a whole. Such cases
//! and alternatives are reported and left out: what comes later knows the tags of the row only.

use oxbow_base::{FxHashSet, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::tast::{self, Pattern, PatternKind};
use crate::types::{GENERIC, Tag, Type, TypeId};

use super::{Expect, Infer};

impl Infer<'_> {
    /// The row of a type `[< … ]` that is not fixed yet.
    pub(super) fn excluding_row(&mut self, ty: TypeId) -> Option<TypeId> {
        let ty = self.types.expand(ty);
        match &self.types.nodes[ty] {
            Type::Row(row) if row.closed && !row.object && !row.is_fixed() => {
                (row.level != GENERIC && self.rigid_rows.get(ty).is_none()).then_some(ty)
            }
            _ => None,
        }
    }

    /// The cases that can be reached, if others are about tags that the row excludes. There must be some, and none that
    /// matches all tags: then the row would have to allow them.
    pub(super) fn without_absent_cases(
        &mut self,
        cases: Vec<tast::Case>,
        scrutinee: TypeId,
    ) -> Vec<tast::Case> {
        let is_absent = |it: &tast::Case| has_absent(&it.pattern, &self.usage.absent);
        if self.usage.absent.is_empty() || !cases.iter().any(is_absent) {
            return cases;
        }
        let catches_all = cases.iter().any(|it| matches_all(&it.pattern));
        if catches_all || cases.iter().all(is_absent) {
            let all: Vec<Pattern> = cases.into_iter().map(|it| it.pattern).collect();
            self.report_absent(&all, scrutinee);
            return Vec::new();
        }
        let mut reached = Vec::new();
        for tast::Case { pattern, guard, body } in cases {
            let span = pattern.span;
            match self.without_absent(pattern) {
                Some(pattern) => reached.push(tast::Case { pattern, guard, body }),
                None => {
                    let report = Diagnostic::warning("W0011", "this case is never reached")
                        .at(span, "the type has no such tag")
                        .help("remove the case");
                    self.diagnostics.warning(report);
                }
            }
        }
        reached
    }

    fn report_absent(&mut self, patterns: &[Pattern], scrutinee: TypeId) {
        let mut todo: Vec<&Pattern> = patterns.iter().collect();
        while let Some(pattern) = todo.pop() {
            match &pattern.kind {
                PatternKind::Variant { tag, arg }
                    if self.usage.absent.contains(&(pattern.span, *tag)) =>
                {
                    let held = arg.as_ref().map(|it| it.ty);
                    let row = self.open_row(vec![(*tag, Tag::Present(held))]);
                    self.expect(Expect::plain(scrutinee), row, pattern.span);
                    return;
                }
                PatternKind::Alias(inner, _) => todo.push(inner),
                PatternKind::Or(left, right) => todo.extend([right.as_ref(), left]),
                _ => (),
            }
        }
    }

    /// The pattern without alternatives that match nothing.
    fn without_absent(&mut self, pattern: Pattern) -> Option<Pattern> {
        let Pattern { kind, ty, span } = pattern;
        let kind = match kind {
            PatternKind::Variant { tag, .. } if self.usage.absent.contains(&(span, tag)) => {
                return None;
            }
            PatternKind::Alias(inner, var) => {
                PatternKind::Alias(Box::new(self.without_absent(*inner)?), var)
            }
            PatternKind::Or(left, right) => {
                let places = (left.span, right.span);
                let sides = (self.without_absent(*left), self.without_absent(*right));
                match sides {
                    (Some(left), Some(right)) => PatternKind::Or(Box::new(left), Box::new(right)),
                    (None, None) => return None,
                    // Some tags of `#t`.
                    (Some(other), None) | (None, Some(other)) if places.0 == places.1 => {
                        return Some(other);
                    }
                    (Some(other), None) | (None, Some(other)) => {
                        let is_left = other.span == places.0;
                        let absent = if is_left { places.1 } else { places.0 };
                        let report =
                            Diagnostic::warning("W0012", "this alternative is never reached")
                                .at(absent, "the type has no such tag")
                                .help("remove the alternative");
                        self.diagnostics.warning(report);
                        return Some(other);
                    }
                }
            }
            kind => kind,
        };
        Some(Pattern { kind, ty, span })
    }
}

/// Is one of the alternatives about a tag that the row excludes?
fn has_absent(pattern: &Pattern, absent: &FxHashSet<(Span, Symbol)>) -> bool {
    match &pattern.kind {
        PatternKind::Variant { tag, .. } => absent.contains(&(pattern.span, *tag)),
        PatternKind::Alias(inner, _) => has_absent(inner, absent),
        PatternKind::Or(left, right) => has_absent(left, absent) || has_absent(right, absent),
        _ => false,
    }
}

/// Does it match whatever tag there is?
fn matches_all(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Any | PatternKind::Var(_) => true,
        PatternKind::Alias(inner, _) => matches_all(inner),
        PatternKind::Or(left, right) => matches_all(left) || matches_all(right),
        _ => false,
    }
}
