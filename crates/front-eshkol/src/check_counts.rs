//! Calls with a wrong number of arguments, where the procedure that is called is known.
//!
//! ```text
//! (define (f a b) a)              (f 1)                  a definition that nothing changes
//! ((lambda (x) x))                                       written on the spot
//! (define g (case-lambda …))      (g 1 2 3)              no clause takes three
//! (define h (let (…) (lambda …))) (h)                    what a body ends with
//! (define (make n) (lambda …))    ((make 1))             what a known procedure gives
//! ```
//!
//! It looks at the program as it was written: before continuations become arguments. Calls of all other
//! procedures are checked when they happen.

use oxbow_base::{IdMap, Span};
use oxbow_diag::{Diagnostic, Diagnostics};

use crate::builtin;
use crate::core::{Core, CoreKind, Lambda, Program, VarId, for_each_binding};
use crate::variant::{Calls, Variant};

/// A value is followed through so many variables, bodies and calls.
const FAR: u32 = 16;

/// Reports the calls in the user's part of the program.
pub fn check_counts(program: &Program, diagnostics: &mut Diagnostics) {
    let mut values = IdMap::new();
    for_each_binding(&program.items, |var, value| {
        if !program.vars[var].mutated {
            values.insert(var, value);
        }
    });
    let mut check = Check { program, values, diagnostics };
    for item in &program.items[program.user_start..] {
        check.visit(&item.value);
    }
}

struct Check<'p, 'd> {
    program: &'p Program,
    /// The values of variables that nothing changes.
    values: IdMap<VarId, &'p Core>,
    diagnostics: &'d mut Diagnostics,
}

/// What is known of a procedure.
struct Known<'p> {
    clauses: &'p [Lambda],
    /// The variable that it was found by.
    var: Option<VarId>,
}

impl<'p> Check<'p, '_> {
    fn visit(&mut self, core: &'p Core) {
        let mut todo = vec![core];
        while let Some(core) = todo.pop() {
            if let CoreKind::Call(callee, args) = &core.kind {
                self.call(callee, args.len(), core.span);
            }
            let before = todo.len();
            core.for_each_child(|it| todo.push(it));
            todo[before..].reverse();
        }
    }

    fn call(&mut self, callee: &'p Core, given: usize, span: Span) {
        if let CoreKind::Builtin(id) = callee.kind {
            let it = builtin::table().get(id);
            let (least, most) = it.arity();
            if given < least || most.is_some_and(|most| given > most) {
                let report = report(&format!("`{}`", it.name), &[(least, most)], given, span);
                self.diagnostics.error(report);
            }
            return;
        }
        let Some(known) = self.known(callee, FAR) else { return };
        if known.clauses.iter().any(|it| takes(it, given)) {
            return;
        }
        let var = known.var.map(|it| &self.program.vars[it]);
        // The library's `%f/at` stands for `f` and has the place of the call first.
        let placed = match var.and_then(|it| it.variant) {
            Some(Variant { of, at: Calls::Placed }) if given > 0 => Some(of),
            _ => None,
        };
        let hidden = usize::from(placed.is_some());
        let named = match placed.or(var.map(|it| it.name)) {
            Some(name) => format!("`{name}`"),
            None => "this procedure".to_string(),
        };
        let arity = |it: &Lambda| {
            let least = it.params.len() - hidden;
            (least, it.rest.is_none().then_some(least))
        };
        let accepted: Vec<_> = known.clauses.iter().map(arity).collect();
        let mut report = report(&named, &accepted, given - hidden, span);
        let defined = known.clauses.first().map(|it| it.span);
        if let Some(it) = defined.filter(|it| it.file == span.file) {
            let head = Span::new(it.file, it.start, it.end.min(it.start + 1));
            report = report.label(head, "defined here");
        }
        self.diagnostics.error(report);
    }

    /// The procedure that an expression gives whenever it gives a value.
    fn known(&self, core: &'p Core, far: u32) -> Option<Known<'p>> {
        let far = far.checked_sub(1)?;
        match &core.kind {
            CoreKind::Lambda(lambda) => {
                Some(Known { clauses: std::slice::from_ref(&**lambda), var: None })
            }
            CoreKind::CaseLambda(clauses) => Some(Known { clauses, var: None }),
            CoreKind::Ref(var) => {
                let known = self.known(self.values.get(*var)?, far)?;
                Some(Known { var: Some(*var), ..known })
            }
            CoreKind::Let(_, body) | CoreKind::Block(_, body) => self.known(body, far),
            CoreKind::Seq(items) => self.known(items.last()?, far),
            CoreKind::Call(callee, args) => {
                let known = self.known(callee, far)?;
                let clause = known.clauses.iter().find(|it| takes(it, args.len()))?;
                let given = self.known(&clause.body, far)?;
                Some(Known { var: None, ..given })
            }
            CoreKind::Const(_)
            | CoreKind::Unspecified
            | CoreKind::Builtin(_)
            | CoreKind::Set(..)
            | CoreKind::If(..)
            | CoreKind::And(_)
            | CoreKind::Or(_)
            | CoreKind::Guard { .. } => None,
        }
    }
}

fn takes(lambda: &Lambda, count: usize) -> bool {
    let least = lambda.params.len();
    count == least || (count > least && lambda.rest.is_some())
}

fn report(
    named: &str,
    accepted: &[(usize, Option<usize>)],
    given: usize,
    span: Span,
) -> Diagnostic {
    let message = format!("{named} takes {}, but is called with {given}", counts(accepted));
    Diagnostic::error("E0435", message).at(span, "")
}

/// `2 arguments`, `1 to 3 arguments`, `0, 2 or at least 4 arguments`.
fn counts(accepted: &[(usize, Option<usize>)]) -> String {
    let mut accepted = accepted.to_vec();
    accepted.sort_unstable();
    accepted.dedup();
    let open = accepted.iter().position(|it| it.1.is_none());
    accepted.truncate(open.map_or(usize::MAX, |it| it + 1));
    let one = |&(least, most): &(usize, Option<usize>)| match most {
        Some(most) if most == least => least.to_string(),
        Some(most) => format!("{least} to {most}"),
        None => format!("at least {least}"),
    };
    let texts: Vec<String> = accepted.iter().map(one).collect();
    let text = match &texts[..] {
        [] => "no number of".to_string(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    let single = matches!(accepted[..], [(1, None | Some(1))]);
    format!("{text} argument{}", if single { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn numbers_of_arguments_in_words() {
        assert_eq!(counts(&[(1, Some(1))]), "1 argument");
        assert_eq!(counts(&[(0, Some(0))]), "0 arguments");
        assert_eq!(counts(&[(1, None)]), "at least 1 argument");
        assert_eq!(counts(&[(1, Some(3))]), "1 to 3 arguments");
        assert_eq!(counts(&[(2, Some(2)), (1, Some(1))]), "1 or 2 arguments");
        assert_eq!(
            counts(&[(4, None), (0, Some(0)), (2, Some(2)), (5, Some(5))]),
            "0, 2 or at least 4 arguments"
        );
        assert_eq!(counts(&[]), "no number of arguments");
    }
}
