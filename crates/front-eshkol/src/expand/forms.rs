//! The special forms that are expressions.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind};
use crate::datum::{Datum, DatumKind};
use crate::known;

impl Expander<'_> {
    pub(super) fn special_form(
        &mut self,
        name: &'static str,
        form: &Datum,
        items: &[Datum],
        scope: ScopeId,
    ) -> Core {
        let span = form.span;
        let args = &items[1..];
        let early = self.misshapen(name, form, args.len());
        if let Some(made) = early.or_else(|| self.eshkol_form(name, args, scope, span)) {
            return made;
        }
        match (name, args) {
            ("define", _) if self.is_eshkol(span) => self.define_expression(form, scope, span),
            ("quote", [datum]) => Core::new(CoreKind::Const(self.strip(datum)), span),
            ("quasiquote", [datum]) => self.quasi(datum, scope, 1),
            ("lambda" | "λ", [params, body @ ..]) => self.lambda(params, body, scope, None, span),
            ("named-lambda", [head, body @ ..]) => self.named_lambda(head, body, scope, span),
            ("set!", [target, value]) => {
                let value = self.expr(value, scope);
                self.assignment(target, value, scope, span)
            }
            ("define-derivative", [target, rules @ ..]) if !rules.is_empty() => {
                self.define_derivative(target, rules, scope, span)
            }
            ("if", [test, yes, no @ ..]) => {
                let (test, yes) = (self.expr(test, scope), self.expr(yes, scope));
                let no = self.sequence(no, scope, span);
                self.make_if(test, yes, no, span)
            }
            ("begin", _) => self.sequence(args, scope, span),
            ("and" | "or", []) => {
                let datum = Datum::new(DatumKind::Bool(name == "and"), span);
                Core::new(CoreKind::Const(datum), span)
            }
            ("and" | "or", [one]) => self.expr(one, scope),
            ("and" | "or", _) => {
                let items = args.iter().map(|it| self.expr(it, scope)).collect();
                let kind = if name == "and" { CoreKind::And(items) } else { CoreKind::Or(items) };
                Core::new(kind, span)
            }
            ("let", _) => self.let_form(args, scope, span),
            ("let*", [bindings, body @ ..]) => self.let_star(bindings, body, scope, span),
            ("letrec" | "letrec*", [bindings, body @ ..]) => {
                self.letrec(bindings, body, scope, span)
            }
            ("let-values", [bindings, body @ ..]) => self.let_values(bindings, body, scope, span),
            ("let*-values", [bindings, body @ ..]) => {
                self.let_star_values(bindings, body, scope, span)
            }
            ("receive", [formals, value, body @ ..]) => {
                let binding = Datum::list(vec![formals.clone(), value.clone()], formals.span);
                let bindings = Datum::list(vec![binding], formals.span);
                self.let_values(&bindings, body, scope, span)
            }
            ("fluid-let", [bindings, body @ ..]) => self.fluid_let(bindings, body, scope, span),
            ("parameterize", [bindings, body @ ..]) => {
                self.parameterize(bindings, body, scope, span)
            }
            ("do", [bindings, exit, body @ ..]) => self.do_loop(bindings, exit, body, scope, span),
            ("cond", _) => self.cond(args, scope, span),
            ("case", [key, clauses @ ..]) => self.case(key, clauses, scope, span),
            ("when", [test, body @ ..]) => {
                let test = self.expr(test, scope);
                let yes = self.sequence(body, scope, span);
                let no = Core::new(CoreKind::Unspecified, span);
                self.make_if(test, yes, no, span)
            }
            ("unless", [test, body @ ..]) => {
                let test = self.expr(test, scope);
                let no = self.sequence(body, scope, span);
                let yes = Core::new(CoreKind::Unspecified, span);
                self.make_if(test, yes, no, span)
            }
            ("case-lambda", clauses) => self.case_lambda(clauses, scope, span),
            ("delay", [body]) => self.delayed(known::MAKE_DELAY, body, scope, span),
            ("delay-force" | "make-promise-lazy", [body]) => {
                self.delayed(known::MAKE_DELAY_FORCE, body, scope, span)
            }
            ("cons-stream", [head, tail]) => {
                let head = self.expr(head, scope);
                let tail = self.delayed(known::MAKE_DELAY, tail, scope, span);
                self.call("cons", vec![head, tail], span)
            }
            ("guard", [clauses, body @ ..]) => self.guard(clauses, body, scope, span),
            ("assert", [test, ..]) => self.assert(test, scope, span),
            ("let/cc", [name, body @ ..]) => {
                let params = Datum::list(vec![name.clone()], name.span);
                let lambda = self.lambda(&params, body, scope, None, span);
                self.call("call/cc", vec![lambda], span)
            }
            ("match", [value, clauses @ ..]) => self.match_form(value, clauses, scope, span),
            ("let-syntax" | "letrec-syntax", [bindings, body @ ..]) => {
                let inner = self.scopes.child(Some(scope));
                let place = if name == "let-syntax" { scope } else { inner };
                self.bind_syntaxes(bindings, place, inner);
                self.body(body, inner, span)
            }
            ("cond-expand", clauses) => {
                let forms = self.cond_expand(clauses, scope, span);
                self.sequence(&forms, scope, span)
            }
            ("include" | "include-ci" | "load", _) => {
                let forms = self.include(args, span);
                self.sequence(&forms, scope, span)
            }
            ("syntax-error", _) => self.syntax_error(args, span),
            (
                "define" | "define-values" | "define-record-type" | "define-syntax" | "import"
                | "define-library" | "require" | "provide" | "export",
                _,
            ) => self.bad_core(span, &format!("`{name}` stands where an expression is needed")),
            _ => match self.out_of_place(name) {
                Some(message) => self.bad_core(items[0].span, message),
                None => self.bad_core(span, &format!("bad syntax in `{name}`")),
            },
        }
    }

    fn syntax_error(&mut self, args: &[Datum], span: Span) -> Core {
        let text = match args.first().map(|it| &it.kind) {
            Some(DatumKind::String(text)) => text.clone(),
            _ => "syntax error".into(),
        };
        self.diagnostics.error(Diagnostic::error("E0422", text).at(span, ""));
        Core::new(CoreKind::Unspecified, span)
    }

    pub(super) fn make_if(&self, test: Core, yes: Core, no: Core, span: Span) -> Core {
        Core::new(CoreKind::If(Box::new(test), Box::new(yes), Box::new(no)), span)
    }

    /// `(define-derivative f df …)`: from here on `f` has these derivatives, one for each argument.
    fn define_derivative(
        &mut self,
        target: &Datum,
        rules: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let function = self.expr(target, scope);
        let rules = rules.iter().map(|it| self.expr(it, scope)).collect();
        let place = self.call(known::PLACE, Vec::new(), span);
        let name = target.as_ident().map_or("", |it| self.scopes.symbol(it).as_str());
        let name = Datum::new(DatumKind::String(name.to_string()), span);
        let name = Core::new(CoreKind::Const(name), span);
        let rules = self.call("list", rules, span);
        let value = self.call(known::WITH_RULES, vec![place, name, function, rules], span);
        self.assignment(target, value, scope, span)
    }

    pub(super) fn assignment(
        &mut self,
        target: &Datum,
        value: Core,
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let Some(ident) = target.as_ident() else {
            return self.bad_core(target.span, "`set!` changes a variable, and this is no name");
        };
        match self.scopes.lookup(scope, ident) {
            Some(Binding::Var(var))
                if !self.is_library(self.vars[var].span) || self.is_library(span) =>
            {
                self.vars[var].mutated = true;
                self.note_mention(var, target.span);
                Core::new(CoreKind::Set(var, Box::new(value)), span)
            }
            Some(Binding::Var(_) | Binding::Builtin(_)) => {
                let name = self.scopes.symbol(ident);
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0431",
                        format!("`{name}` belongs to the library and cannot be changed"),
                    )
                    .at(target.span, "")
                    .help(format!("define a variable of that name first: `(define {name} …)`")),
                );
                Core::new(CoreKind::Unspecified, span)
            }
            Some(Binding::Special(_) | Binding::Macro(_)) => {
                self.bad_core(target.span, "`set!` changes a variable, and this is syntax")
            }
            None => {
                self.unbound(ident, scope, target.span);
                Core::new(CoreKind::Unspecified, span)
            }
        }
    }
}
