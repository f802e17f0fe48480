//! Expressions whose value is dropped.

use oxbow_base::Symbol;
use oxbow_diag::Diagnostic;

use crate::ast::{self, ExprKind};
use crate::tast;
use crate::types::Type;

use super::env::{Env, ValueKind};
use super::{Expect, Infer};

impl Infer<'_> {
    /// An expression whose value is dropped: anything but `unit` is worth a warning.
    pub(super) fn statement(&mut self, env: &Env, expr: &ast::Expr) -> tast::Expr {
        // What gives a value of any type gives none: no other level decides the variable.
        self.enter_level();
        let ty = self.fresh();
        let result = self.expr(env, expr, Expect::plain(ty));
        self.leave_level();
        self.check_statement(expr, &result);
        let is_any = match *self.types.get(result.ty) {
            Type::Var { level, .. } => level > self.level,
            _ => false,
        };
        self.fix_levels(result.ty);
        if is_any && !self.is_clef() && !self.library {
            self.diagnostics.warning(
                Diagnostic::warning("W0021", "this statement never returns")
                    .at(expr.span, "nothing behind it is evaluated"),
            );
        }
        result
    }

    /// `ignore (f x)`: is `f x` a function?
    pub(super) fn check_ignored(
        &mut self,
        args: &[(ast::ArgLabel, ast::Expr)],
        typed: &tast::Expr,
    ) {
        let [(ast::ArgLabel::None, arg)] = args else { return };
        let tast::ExprKind::Apply { func, args } = &typed.kind else { return };
        let (tast::ExprKind::Var { var, .. }, [given]) = (&func.kind, args.as_slice()) else {
            return;
        };
        let ty = self.types.expand(given.ty);
        if self.library || self.is_clef() || !is_application(arg) {
            return;
        }
        let ignore = self.stdlib_value("ignore").map(|it| it.kind);
        if matches!(self.types.nodes[ty], Type::Arrow(..))
            && matches!(ignore, Some(ValueKind::Var(it)) if it == *var)
        {
            let shown = self.show(ty);
            self.diagnostics.warning(
                Diagnostic::warning("W0005", "this function application is partial")
                    .at(arg.span, format!("has type `{shown}` and does nothing"))
                    .help(format!("give the missing arguments, or write `ignore (… : {shown})`")),
            );
        }
    }

    /// How many arguments a named function takes that gives values of any type, and so gives none: `raise`, `exit`.
    fn returns_after(&mut self, env: &Env, func: &ast::Expr) -> Option<usize> {
        let ExprKind::Ident(path) = &func.kind else { return None };
        let value = match &path.prefix {
            None => env.value(path.name.text)?.clone(),
            Some(_) => return None,
        };
        let mut params = Vec::new();
        let mut rest = self.types.repr(value.ty);
        while let Type::Arrow(_, param, result) = self.types.nodes[rest] {
            params.push(param);
            rest = self.types.repr(result);
        }
        let is_any = value.vars.iter().any(|&it| self.types.repr(it) == rest);
        let is_given = params.iter().any(|&it| self.types.mentions_any(it, &[rest]));
        (is_any && !is_given && !params.is_empty()).then_some(params.len())
    }

    /// `raise e x`: what `raise` gives is no function, whatever its type.
    pub(super) fn check_extra_argument(
        &mut self,
        env: &Env,
        func: &ast::Expr,
        args: &[(ast::ArgLabel, ast::Expr)],
    ) {
        if self.library || self.is_clef() {
            return;
        }
        if let Some(count) = self.returns_after(env, func)
            && let Some((_, extra)) = args.get(count)
        {
            self.diagnostics.warning(
                Diagnostic::warning("W0020", "this argument will not be used")
                    .at(extra.span, "the function does not return"),
            );
        }
    }

    pub(super) fn check_statement(&mut self, expr: &ast::Expr, result: &tast::Expr) {
        let ty = self.types.expand(result.ty);
        let unit = self.types.repr(self.builtins.unit);
        match self.types.nodes[ty].clone() {
            Type::Var { .. } | Type::Error => (),
            Type::Arrow(..) if self.is_clef() || is_application(expr) => {
                if !self.library {
                    self.diagnostics.warning(
                        Diagnostic::warning("W0005", "this function application is partial")
                            .at(expr.span, format!("has type `{}` and does nothing", self.show(ty)))
                            .help("give the missing arguments, or use `ignore`"),
                    );
                }
            }
            _ if ty == unit => (),
            Type::Con(con, _) if con == self.builtins.unit_con => (),
            _ => {
                if !self.library {
                    let report =
                        Diagnostic::warning("W0010", "the value of this statement is dropped")
                            .at(expr.span, format!("has type `{}`, not `unit`", self.show(ty)));
                    let help = match compared(expr).filter(|_| self.is_clef()) {
                        Some(name) => format!("`=` compares; to assign, write `{name} <- …`"),
                        None => "use `ignore (…)` if that is meant".into(),
                    };
                    self.diagnostics.warning(report.help(help));
                }
            }
        }
    }
}

/// `x = e` as a statement: the name of `x`.
fn compared(expr: &ast::Expr) -> Option<Symbol> {
    let ExprKind::Apply(func, args) = &expr.kind else { return None };
    let (ExprKind::Ident(op), [(_, left), _]) = (&func.kind, args.as_slice()) else { return None };
    if op.name.text.as_str() != "=" {
        return None;
    }
    match &left.kind {
        ExprKind::Ident(name) if name.prefix.is_none() => Some(name.name.text),
        ExprKind::Index(..) => Some(Symbol::new("a[i]")),
        _ => None,
    }
}

/// Is the last thing that the expression does a call?
fn is_application(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Apply(..) => true,
        ExprKind::Let { body, .. } => is_application(body),
        ExprKind::Sequence(items) => items.last().is_some_and(is_application),
        _ => false,
    }
}
