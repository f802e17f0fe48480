//! Calls that are wrong: too many arguments, labels that the function does not have.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ArgLabel};
use crate::tast;
use crate::types::{Type, TypeId};

use super::Infer;

impl Infer<'_> {
    /// Is the first parameter a tuple of so many parts?
    pub(super) fn takes_tuple(&mut self, func: TypeId, count: u32) -> bool {
        let func = self.types.expand(func);
        let Type::Arrow(_, param, _) = self.types.nodes[func] else { return false };
        let param = self.types.expand(param);
        matches!(&self.types.nodes[param], Type::Tuple(items) if items.len() == count as usize)
    }

    /// `f 1 2` where `f (1, 2)` is meant.
    pub(super) fn not_tupled(
        &mut self,
        name: Option<Symbol>,
        typed: &tast::Expr,
        given: Span,
        span: Span,
    ) -> tast::Expr {
        let who = name.map_or("this function".to_string(), |it| format!("`{it}`"));
        let call = name.map_or("f", Symbol::as_str);
        let shown = self.show(typed.ty);
        let mut diagnostic =
            Diagnostic::error("E0127", format!("{who} takes one argument, a tuple"))
                .at(given, "given one by one")
                .note(format!("it has type `{shown}`"));
        if let tast::ExprKind::Var { var, .. } = typed.kind {
            let defined = self.types.vars[var].span;
            if defined.file == span.file {
                diagnostic = diagnostic.label(defined, format!("{who} is defined here"));
            }
        }
        let help = format!("write the arguments in parentheses, with commas: `{call} (a, b)`");
        let reported = self.diagnostics.error(diagnostic.help(help));
        self.error_expr(reported, span)
    }

    #[expect(clippy::too_many_arguments, reason = "the facts of one diagnostic")]
    pub(super) fn too_many(
        &mut self,
        func: Span,
        name: Option<Symbol>,
        typed: &tast::Expr,
        given: u32,
        taken: u32,
        extra: Span,
        span: Span,
    ) -> tast::Expr {
        let shown = self.show(typed.ty);
        let who = name.map_or("this expression".to_string(), |it| format!("`{it}`"));
        let diagnostic = if taken == 0 {
            Diagnostic::error("E0126", format!("{who} is not a function, it cannot be applied"))
                .at(func, format!("has type `{shown}`"))
                .label(extra, "applied to this argument")
                .help("a missing `;`, `in` or operator before the argument has the same effect")
        } else {
            let noun = if taken == 1 { "argument" } else { "arguments" };
            let verb = if given == 1 { "is" } else { "are" };
            let mut diagnostic = Diagnostic::error(
                "E0127",
                format!("{who} takes {taken} {noun}, but {given} {verb} given"),
            )
            .at(extra, "not expected")
            .note(format!("it has type `{shown}`"));
            if let tast::ExprKind::Var { var, .. } = typed.kind {
                let defined = self.types.vars[var].span;
                if defined.file == span.file {
                    diagnostic = diagnostic.label(defined, format!("{who} is defined here"));
                }
            }
            if self.is_clef() {
                diagnostic.help(
                    "an argument that is a call stands in parentheses: `f (g x)`, not `f g x`",
                )
            } else {
                diagnostic.help(
                    "remove the argument, or put a `;` before it if it begins a new expression",
                )
            }
        };
        let reported = self.diagnostics.error(diagnostic);
        self.error_expr(reported, span)
    }

    pub(super) fn unknown_label(
        &mut self,
        rest: &[(ArgLabel, &ast::Expr)],
        name: Option<Symbol>,
        ty: TypeId,
        span: Span,
    ) -> tast::Expr {
        let who = name.map_or("this function".to_string(), |it| format!("`{it}`"));
        let shown = self.show(ty);
        let Some(first) = rest.first() else { return self.failed(span) };
        let (text, place) = match *first {
            (ArgLabel::Labelled(label), _) => {
                (format!("{who} has no parameter `~{}`", label.text), label.span)
            }
            (ArgLabel::Optional(label), _) => {
                (format!("{who} has no parameter `?{}`", label.text), label.span)
            }
            (ArgLabel::None, arg) => {
                (format!("{who} takes no further argument without a label"), arg.span)
            }
        };
        let mut diagnostic =
            Diagnostic::error("E0128", text).at(place, "").note(format!("it has type `{shown}`"));
        if let (ArgLabel::Labelled(label) | ArgLabel::Optional(label), _) = rest[0] {
            let known = self.labels_of(ty);
            if let Some(near) = super::suggest::nearest(label.text, known.into_iter()) {
                diagnostic = diagnostic.help(format!("did you mean `~{near}`?"));
            }
        }
        let reported = self.diagnostics.error(diagnostic);
        self.error_expr(reported, span)
    }
}
