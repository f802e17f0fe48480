//! Small rewritings of what F# allows.

use oxbow_base::{Made, Span};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ExprKind, Name, Pattern, PatternKind};

use super::super::Infer;

/// `Case pair` of a case with several fields: `match pair with (a, b) -> Case (a, b)`
pub fn spread(path: &ast::Path, arg: &ast::Expr, count: usize, span: Span) -> ast::Expr {
    let names: Vec<Name> =
        (0..count).map(|at| super::made(Made::fresh("part", at as u32), arg.span)).collect();
    let patterns =
        names.iter().map(|&it| Pattern { kind: PatternKind::Var(it), span: it.span }).collect();
    let pattern = Pattern { kind: PatternKind::Tuple(patterns), span: arg.span };
    let parts = names.iter().map(|&it| super::ident(it)).collect();
    let parts = super::node(ExprKind::Tuple(parts), arg.span);
    let made = super::node(ExprKind::Construct(path.clone(), Some(Box::new(parts))), span);
    let case = ast::Case { pattern, guard: None, body: Some(made) };
    super::node(ExprKind::Match(Box::new(arg.clone()), vec![case]), span)
}

/// `String.length`
pub fn is_length_function(func: &ast::Expr) -> bool {
    let ExprKind::Field(object, path) = &func.kind else { return false };
    let ExprKind::Ident(module) = &object.kind else { return false };
    path.name.text.as_str() == "length" && module.name.text.as_str() == "String"
}

impl Infer<'_> {
    /// May this be a tuple for the fields of a case?
    pub(in super::super) fn is_spread(&self, arg: &ast::Expr) -> bool {
        self.is_clef() && !matches!(arg.kind, ExprKind::Tuple(_))
    }

    /// The length of a literal with characters of several bytes: F# counts other units (decision 159).
    pub(super) fn warn_length(&mut self, literal: &ast::Expr, place: Span) {
        let ExprKind::Constant(ast::Constant::String(bytes)) = &literal.kind else { return };
        if bytes.is_ascii() {
            return;
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let (count, units) = (bytes.len(), text.encode_utf16().count());
        self.diagnostics.warning(
            Diagnostic::warning(
                "W0905",
                format!("the length of this text is {count}, the number of its bytes"),
            )
            .at(place, format!("F# counts {units}"))
            .note("strings are bytes, in UTF-8 where they hold text"),
        );
    }
}
