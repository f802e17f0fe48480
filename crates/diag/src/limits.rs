//! How much the compiler makes of one program before it gives up with a report.
//!
//! A stage that copies what it reads (instances of functions, expansions of macros, rows of a `match`) can turn a few
//! lines into more than any machine holds. Each such stage counts what it makes against a [`Limit`] of this file, and
//! reports `E0902`, or a code of its own, at the place in the source that makes it grow.
//!
//! ```text
//! Budget::new(limits::INSTANCES)  ─ take(1) for each copy ─▶  false when there are too many: report, make no more
//! ```
//!
//! The numbers are far above what programs need, and low enough that a program within them is compiled in seconds
//! and in less than two gigabytes.

use oxbow_base::Span;

use crate::Diagnostic;

/// A bound, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// In the plural, as it stands in a report: `levels of brackets`.
    pub what: &'static str,
    pub most: usize,
}

/// Brackets, branches and bodies inside each other: the stack of the compiler serves so many.
pub const NESTING: Limit = Limit { what: "levels of nesting", most: 10_000 };

/// `let … in` and `else if` that follow each other.
pub const CHAIN: Limit = Limit { what: "bindings or branches in a row", most: 200_000 };

/// Macros of Eshkol whose expansions stand inside each other.
pub const NESTED_EXPANSIONS: Limit =
    Limit { what: "expansions of macros inside each other", most: 20_000 };

/// Data that the expansions of one program's macros make.
pub const EXPANDED: Limit = Limit { what: "data made by macros", most: 2_000_000 };

/// The size of one type, with parts that occur twice counted twice.
pub const TYPE_SIZE: Limit = Limit { what: "parts of one type", most: 100_000 };

/// Expressions in the copies of bodies that one use of a functor or of an `inline` function of Clef makes.
pub const COPIED: Limit =
    Limit { what: "expressions in copies of functors or `inline` functions", most: 50_000 };

/// Tests and branches of one `match`.
pub const DECISIONS: Limit = Limit { what: "tests for one `match`", most: 50_000 };

/// Steps of the search for a value that no case of one `match` covers. Beyond them nothing is reported: it is a search
/// for warnings and for cases that types rule out.
pub const COVERAGE: Limit = Limit { what: "steps of a search for missing cases", most: 20_000 };

/// Copies of a function that ask for each other: more mean that their types grow.
pub const RECURSIVE_INSTANCES: Limit =
    Limit { what: "instances of one function inside each other", most: 64 };

/// Copies of all polymorphic functions.
pub const INSTANCES: Limit = Limit { what: "instances of polymorphic functions", most: 20_000 };

/// How much deeper a part of a value may be in its type than the value. What a type declares is never as deep, so that
/// the types of its parts grow.
pub const TYPE_GROWTH: Limit = Limit { what: "levels of a type", most: 100 };

/// Types whose values become uniform: a header tells so many constructors apart.
pub const UNIFORM_TYPES: Limit = Limit { what: "types of values of unknown type", most: 255 };

/// Nodes of the program when all copies are made.
pub const NODES: Limit = Limit { what: "expressions in all instances", most: 3_000_000 };

/// What has been made so far of something that is limited.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub limit: Limit,
    used: usize,
}

impl Limit {
    /// The report of a program that needs more.
    pub fn report(self, span: Span, label: impl Into<String>) -> Diagnostic {
        let message = format!("too large to compile: more than {} {}", self.most, self.what);
        Diagnostic::error("E0902", message).at(span, label)
    }
}

impl Budget {
    pub fn new(limit: Limit) -> Self {
        Self { limit, used: 0 }
    }

    /// Counts what is about to be made; false if it is too much.
    #[must_use]
    pub fn take(&mut self, count: usize) -> bool {
        self.used = self.used.saturating_add(count);
        !self.is_spent()
    }

    pub fn is_spent(&self) -> bool {
        self.used > self.limit.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_once_for_all() {
        let mut budget = Budget::new(Limit { what: "things", most: 3 });
        assert!(budget.take(3));
        assert!(!budget.take(1));
        assert!(!budget.take(0) && budget.is_spent());
        assert!(!budget.take(usize::MAX));
    }
}
