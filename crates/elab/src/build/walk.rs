//! Variables of typed trees: those a pattern binds, those an expression mentions.
//!
//! A mention tells how much the value around it needs it (see [`Use`]); `let rec` asks
//! that. The walk keeps its own stack.

use oxbow_base::{IdSet, Span};
use oxbow_psg::VarId;

use crate::tast::{Case, Expr, ExprKind, ItemKind, Pattern, PatternKind};

/// What must be known of a variable's value when the expression that mentions it is
/// evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Nothing: it stands under a function.
    Later,
    /// The value itself, which is stored in something made here.
    Stored,
    /// Perhaps its contents: unknown code gets a function that it stands under.
    Perhaps,
    /// Its contents, or unknown code gets it.
    Needed,
}

impl Use {
    /// Under a function that is used so.
    fn inside(self) -> Self {
        match self {
            // Who gets the function may call it at once.
            Self::Needed | Self::Perhaps => Self::Perhaps,
            Self::Later | Self::Stored => Self::Later,
        }
    }
}

/// The variables of a pattern in the order of the text, each once.
pub(super) fn pattern_vars(pattern: &Pattern) -> Vec<VarId> {
    let (mut vars, mut seen) = (Vec::new(), IdSet::new());
    let mut todo = vec![pattern];
    while let Some(pattern) = todo.pop() {
        let first = todo.len();
        if let PatternKind::Var(var) | PatternKind::Alias(_, var) = &pattern.kind
            && seen.insert(*var)
        {
            vars.push(*var);
        }
        pattern.for_each_part(|it| todo.push(it));
        todo[first..].reverse();
    }
    vars
}

/// Calls `visit` for every mention of a variable in `expr`.
pub(crate) fn for_each_mention(expr: &Expr, mut visit: impl FnMut(VarId, Use, Span)) {
    let mut walk = Walk { todo: vec![(expr, Use::Stored)] };
    while let Some((expr, at)) = walk.todo.pop() {
        if let ExprKind::Var { var, .. } = expr.kind {
            visit(var, at, expr.span);
        }
        walk.expr(expr, at);
    }
}

struct Walk<'t> {
    todo: Vec<(&'t Expr, Use)>,
}

impl<'t> Walk<'t> {
    fn expr(&mut self, expr: &'t Expr, at: Use) {
        let needed = match at {
            Use::Later | Use::Perhaps => at,
            Use::Stored | Use::Needed => Use::Needed,
        };
        match &expr.kind {
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Var { .. }
            | ExprKind::Builtin(_)
            | ExprKind::Overloaded(_)
            | ExprKind::AssertFalse
            | ExprKind::Here(_)
            | ExprKind::Error(_) => (),
            ExprKind::Lambda { params, body, .. } => {
                params.iter().for_each(|it| self.forces(&it.pattern, at.inside()));
                self.todo.push((body, at.inside()));
            }
            ExprKind::Function { cases, .. } => self.cases(cases, at.inside(), at.inside()),
            ExprKind::Apply { func, args } => {
                self.todo.push((func, needed));
                self.all(args, needed);
            }
            ExprKind::Let { bindings, body, .. } => {
                for binding in bindings {
                    self.binding(&binding.pattern, &binding.value, needed);
                }
                self.todo.push((body, at));
            }
            ExprKind::LetRec { bindings, body } => {
                self.todo.extend(bindings.iter().map(|it| (&it.value, needed)));
                self.todo.push((body, at));
            }
            ExprKind::LetItems { items, body } => {
                for item in items {
                    match &item.kind {
                        ItemKind::Let(bindings) => {
                            for binding in bindings {
                                self.binding(&binding.pattern, &binding.value, needed);
                            }
                        }
                        ItemKind::LetRec(bindings) => {
                            self.todo.extend(bindings.iter().map(|it| (&it.value, needed)));
                        }
                        ItemKind::Eval(value) => self.todo.push((value, needed)),
                    }
                }
                self.todo.push((body, at));
            }
            ExprKind::Match { scrutinee, cases, exceptions } => {
                self.todo.push((scrutinee, needed));
                self.cases(cases, needed, at);
                self.cases(exceptions, needed, at);
            }
            ExprKind::Try { body, cases } => {
                self.todo.push((body, needed));
                self.cases(cases, needed, at);
            }
            ExprKind::If { cond, then, otherwise } => {
                self.todo.push((cond, needed));
                self.todo.push((then, at));
                self.todo.extend(otherwise.iter().map(|it| (&**it, at)));
            }
            ExprKind::Sequence(items) => {
                if let Some((last, before)) = items.split_last() {
                    self.all(before, needed);
                    self.todo.push((last, at));
                }
            }
            ExprKind::While { cond, body } => {
                self.todo.extend([(&**cond, needed), (&**body, needed)])
            }
            ExprKind::For { from, to, body, .. } => {
                self.todo.extend([(&**from, needed), (&**to, needed), (&**body, needed)]);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Array(items) => {
                self.all(items, at)
            }
            ExprKind::Object { fields, .. } => self.all(fields, needed),
            ExprKind::Send { object, .. } => self.todo.push((object, needed)),
            ExprKind::Construct { args, .. } | ExprKind::MakeExn { args, .. } => self.all(args, at),
            ExprKind::Variant { arg, .. } => {
                self.todo.extend(arg.iter().map(|it| (&**it, at)));
            }
            ExprKind::Record { fields, .. } => self.all(fields, at),
            ExprKind::RecordWith { base, updates, .. } => {
                self.todo.push((base, needed));
                self.todo.extend(updates.iter().map(|it| (&it.1, at)));
            }
            ExprKind::Field { object, .. } => self.todo.push((object, needed)),
            ExprKind::SetField { object, value, .. } => {
                self.todo.extend([(&**object, needed), (&**value, needed)]);
            }
            ExprKind::AssignVar { value, .. } => self.todo.push((value, needed)),
            ExprKind::Lazy { value, .. } => self.todo.push((value, at.inside())),
            ExprKind::Assert(cond) => self.todo.push((cond, needed)),
        }
    }

    fn all(&mut self, exprs: &'t [Expr], at: Use) {
        self.todo.extend(exprs.iter().map(|it| (it, at)));
    }

    /// A variable bound to a stored value may itself be needed later on.
    fn binding(&mut self, pattern: &'t Pattern, value: &'t Expr, needed: Use) {
        self.forces(pattern, needed);
        self.todo.push((value, needed));
    }

    fn cases(&mut self, cases: &'t [Case], guard: Use, body: Use) {
        for case in cases {
            self.forces(&case.pattern, guard);
            self.todo.extend(case.guard.iter().map(|it| (it, guard)));
            self.todo.push((&case.body, body));
        }
    }

    /// The expressions inside a pattern.
    fn forces(&mut self, pattern: &'t Pattern, at: Use) {
        let mut todo = vec![pattern];
        while let Some(pattern) = todo.pop() {
            if let PatternKind::Lazy { force, .. } = &pattern.kind {
                self.todo.push((force, at));
            }
            pattern.for_each_part(|it| todo.push(it));
        }
    }
}
