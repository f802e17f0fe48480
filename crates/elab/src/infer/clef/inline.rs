//! `let inline`: the definition is elaborated anew at each use, where its operators find the types
//! that the use brings.

use std::rc::Rc;

use oxbow_base::{Mark, Span};
use oxbow_diag::Diagnostic;

use crate::ast;
use crate::tast;

use super::super::env::{Env, Value, ValueKind};
use super::super::{Expect, Infer};

#[derive(Debug)]
pub struct InlineFunction {
    value: ast::Expr,
    env: Env,
    library: bool,
    /// Being elaborated, to find those that use themselves.
    open: std::cell::Cell<bool>,
}

/// Was the binding marked `inline`, and is it a function?
pub fn is_inline(binding: &ast::Binding) -> bool {
    let marked = binding.attributes.iter().any(|it| it.is(Mark::Inline));
    marked && matches!(binding.value.kind, ast::ExprKind::Fun(..) | ast::ExprKind::Function(..))
}

impl Infer<'_> {
    /// Keeps the definition of an inline function; it is checked once as it stands.
    pub(in super::super) fn inline_binding(
        &mut self,
        env: &Env,
        binding: &ast::Binding,
    ) -> Option<Value> {
        let ast::PatternKind::Var(name) = binding.pattern.kind else { return None };
        let function = InlineFunction {
            value: binding.value.clone(),
            env: env.clone(),
            library: self.library,
            open: std::cell::Cell::new(false),
        };
        let number = self.clef.inlines.len() as u32;
        self.clef.inlines.push(Rc::new(function));
        let before = self.clef.overloads.len();
        self.enter_level();
        let typed = self.inline_use(number, name.span);
        self.leave_level();
        // Nothing uses this elaboration: its operators need no meaning.
        self.clef.overloads.truncate(before);
        self.forget_unit_rules(before);
        let value = Value {
            kind: ValueKind::Inline(number),
            vars: Vec::new(),
            ty: typed.ty,
            instance: None,
            span: name.span,
        };
        Some(value)
    }

    /// The function as an expression of its own.
    pub(in super::super) fn inline_use(&mut self, number: u32, span: Span) -> tast::Expr {
        let function = self.clef.inlines[number as usize].clone();
        if function.open.get() {
            let report = Diagnostic::not_supported(span, "an `inline` function that uses itself");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        }
        function.open.set(true);
        let tyvars = std::mem::take(&mut self.tyvars);
        let named = std::mem::replace(&mut self.named_level, self.level);
        let library = std::mem::replace(&mut self.library, function.library);
        let or_vars = std::mem::take(&mut self.or_vars);
        // What is wrong with a use of the library is said at the use.
        let place = self.clef.inline_place;
        if function.library && !library && place.is_none() {
            self.clef.inline_place = Some(span);
        }
        self.local_depth += 1;
        let ty = self.fresh();
        let made =
            self.copying(span, |cx| cx.expr(&function.env, &function.value, Expect::plain(ty)));
        let mut typed = made.unwrap_or_else(|| self.failed(span));
        self.local_depth -= 1;
        self.clef.inline_place = place;
        self.or_vars = or_vars;
        self.library = library;
        self.named_level = named;
        self.tyvars = tyvars;
        function.open.set(false);
        if let tast::ExprKind::Lambda { inline, .. } | tast::ExprKind::Function { inline, .. } =
            &mut typed.kind
        {
            *inline = tast::InlineAttribute::Always;
        }
        typed
    }
}
