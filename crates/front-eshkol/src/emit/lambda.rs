//! Procedures: known ones as functions, others as values.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast;

use super::{Emitter, Place, Signature, VALUE, form_type};
use crate::builtin::Form;
use crate::core::{Core, CoreKind, Lambda, VarId};
use crate::ml;

/// Procedures up to this many parameters have a constructor of their own.
const MAX_DIRECT: usize = 4;

impl Emitter<'_> {
    pub(super) fn signature(&self, var: VarId, lambda: &Lambda) -> Signature {
        Signature {
            params: lambda.params.iter().map(|&it| self.param_form(it)).collect(),
            rest: lambda.rest.is_some(),
            result: self.types.result(var),
            takes_continuation: lambda.takes_continuation,
        }
    }

    fn param_form(&self, var: VarId) -> Form {
        if self.vars[var].mutated { Form::Dyn } else { self.types.var(var) }
    }

    /// Notes how a parameter is held; a mutated one is put in a cell at the start of the body.
    fn param(&mut self, var: VarId) -> Form {
        let form = self.param_form(var);
        let place =
            if self.vars[var].mutated { Place::Cell { late: false } } else { Place::Value(form) };
        self.places.insert(var, place);
        form
    }

    fn param_pattern(&mut self, var: VarId) -> ast::Pattern {
        let form = self.param(var);
        let span = self.vars[var].span;
        ml::typed_pattern(self.name(var), form_type(form, span), span)
    }

    /// Cells for the mutated among some variables, around a body.
    pub(super) fn with_cells(&mut self, vars: &[VarId], body: ast::Expr, span: Span) -> ast::Expr {
        vars.iter().rev().filter(|&&it| self.vars[it].mutated).fold(body, |body, &var| {
            let name = self.name(var);
            let cell = ml::reference(ml::local(name, span), span);
            ml::let_(vec![ml::binding(ml::var_pattern(name, span), cell, span)], body, span)
        })
    }

    /// A known procedure: its parameters one by one, a rest parameter as a list.
    pub(super) fn function(&mut self, var: VarId, lambda: &Lambda) -> ast::Expr {
        let span = lambda.span;
        let all: Vec<VarId> = lambda.params.iter().copied().chain(lambda.rest).collect();
        let mut patterns: Vec<ast::Pattern> =
            all.iter().map(|&it| self.param_pattern(it)).collect();
        if patterns.is_empty() {
            patterns.push(ml::construct_pattern("", "()", None, span));
        }
        let result = self.types.result(var);
        let body = self.expr_as(&lambda.body, result);
        let body = self.with_cells(&all, body, span);
        let function = ml::fun(patterns, Some(form_type(result, span)), body, span);
        if self.pieces.contains(var) { ml::once(function) } else { function }
    }

    /// A procedure without rest parameter as a function from values to a value.
    pub(super) fn plain_function(&mut self, lambda: &Lambda) -> ast::Expr {
        let span = lambda.span;
        let mut patterns: Vec<ast::Pattern> =
            lambda.params.iter().map(|&it| self.param_pattern(it)).collect();
        if patterns.is_empty() {
            patterns.push(ml::construct_pattern("", "()", None, span));
        }
        let body = self.expr_as(&lambda.body, Form::Dyn);
        let body = self.with_cells(&lambda.params, body, span);
        ml::fun(patterns, None, body, span)
    }

    /// An expression that gives a procedure of so many arguments, as a function.
    pub(super) fn as_function(&mut self, core: &Core, count: usize) -> ast::Expr {
        let span = core.span;
        match &core.kind {
            CoreKind::Lambda(lambda) => return self.plain_function(lambda),
            CoreKind::Ref(var) => match self.places.get(*var).cloned() {
                Some(Place::Value(Form::Fun(_))) => return ml::local(self.name(*var), span),
                Some(Place::Function(signature)) => {
                    return self.function_of_values(*var, &signature, span);
                }
                _ => (),
            },
            _ => (),
        }
        let names: Vec<Symbol> = (0..count).map(|_| self.fresh("a")).collect();
        let mut args = vec![ml::string("", span), self.expr_as(core, Form::Dyn)];
        args.extend(names.iter().map(|&it| ml::local(it, span)));
        let call =
            ml::call(VALUE, ["call0", "call1", "call2", "call3", "call4"][count], args, span);
        ml::fun(self.value_patterns(&names, span), None, call, span)
    }

    fn value_patterns(&self, names: &[Symbol], span: Span) -> Vec<ast::Pattern> {
        if names.is_empty() {
            return vec![ml::construct_pattern("", "()", None, span)];
        }
        let value = |&it: &Symbol| ml::typed_pattern(it, form_type(Form::Dyn, span), span);
        names.iter().map(value).collect()
    }

    /// A known procedure without rest parameter as a function from values to a value.
    fn function_of_values(&mut self, var: VarId, signature: &Signature, span: Span) -> ast::Expr {
        let target = ml::local(self.name(var), span);
        let plain =
            signature.params.iter().all(|it| *it == Form::Dyn) && signature.result == Form::Dyn;
        if plain {
            return target;
        }
        let names: Vec<Symbol> = signature.params.iter().map(|_| self.fresh("a")).collect();
        let mut args: Vec<ast::Expr> = names
            .iter()
            .zip(&signature.params)
            .map(|(&name, &form)| self.convert(ml::local(name, span), Form::Dyn, form, span))
            .collect();
        if args.is_empty() {
            args.push(ml::unit(span));
        }
        let call = ml::apply(target, args, span);
        let call = self.convert(call, signature.result, Form::Dyn, span);
        ml::fun(self.value_patterns(&names, span), None, call, span)
    }

    /// A procedure as a value.
    pub(super) fn lambda_value(&mut self, lambda: &Lambda) -> ast::Expr {
        let span = lambda.span;
        let name = lambda.name.map_or("", |it| it.as_str());
        let all: Vec<VarId> = lambda.params.iter().copied().chain(lambda.rest).collect();
        if lambda.takes_continuation {
            return self.continuation_lambda(lambda, name);
        }
        if lambda.rest.is_none() && lambda.params.len() <= MAX_DIRECT {
            let function = self.plain_function(lambda);
            return self.procedure(lambda.params.len(), function, name, span);
        }
        for &var in &all {
            self.param(var);
        }
        let body = self.expr_as(&lambda.body, Form::Dyn);
        let body = self.with_cells(&all, body, span);
        let names: Vec<Symbol> = lambda.params.iter().map(|&it| self.name(it)).collect();
        let rest = lambda.rest.map(|it| self.name(it));
        let function = self.list_function(&names, rest, body, span);
        self.procedure_n(lambda.params.len(), lambda.rest.is_some(), function, name, span)
    }

    /// `PK (…, fun k args -> …)`
    fn continuation_lambda(&mut self, lambda: &Lambda, name: &str) -> ast::Expr {
        let span = lambda.span;
        let all: Vec<VarId> = lambda.params.iter().copied().chain(lambda.rest).collect();
        for &var in &all {
            self.param(var);
        }
        let body = self.expr_as(&lambda.body, Form::Dyn);
        let body = self.with_cells(&all, body, span);
        let names: Vec<Symbol> = lambda.params.iter().map(|&it| self.name(it)).collect();
        let rest = lambda.rest.map(|it| self.name(it));
        self.continuation_procedure(&names, rest, body, name, span)
    }

    fn continuation_procedure(
        &mut self,
        names: &[Symbol],
        rest: Option<Symbol>,
        body: ast::Expr,
        name: &str,
        span: Span,
    ) -> ast::Expr {
        let function = self.list_function(&names[1..], rest, body, span);
        let k = ml::typed_pattern(names[0], form_type(Form::Dyn, span), span);
        let function = ml::fun(vec![k], None, function, span);
        let least = names.len() - 1;
        let most = if rest.is_some() { -1 } else { least as i64 };
        let parts = vec![
            ml::int(least as i64, span),
            ml::int(most, span),
            function,
            ml::string(name, span),
        ];
        ml::construct(VALUE, "PK", parts, span)
    }

    /// A function of a list that binds names to its elements.
    pub(super) fn list_function(
        &mut self,
        names: &[Symbol],
        rest: Option<Symbol>,
        body: ast::Expr,
        span: Span,
    ) -> ast::Expr {
        let list = self.fresh("args");
        let lists: Vec<Symbol> = (0..names.len()).map(|_| self.fresh("args")).collect();
        let dyn_pattern = |name: Symbol| ml::typed_pattern(name, form_type(Form::Dyn, span), span);
        let before = |index: usize| if index == 0 { list } else { lists[index - 1] };
        let last = before(names.len());
        let mut body = match rest {
            Some(rest) => {
                let binding = ml::binding(dyn_pattern(rest), ml::local(last, span), span);
                ml::let_(vec![binding], body, span)
            }
            None => body,
        };
        for (index, &name) in names.iter().enumerate().rev() {
            let from = before(index);
            let tail = ml::call(VALUE, "rest", vec![ml::local(from, span)], span);
            let head = ml::call(VALUE, "first", vec![ml::local(from, span)], span);
            let uses_tail = rest.is_some() || index + 1 < names.len();
            if uses_tail {
                let binding = ml::binding(dyn_pattern(lists[index]), tail, span);
                body = ml::let_(vec![binding], body, span);
            }
            body = ml::let_(vec![ml::binding(dyn_pattern(name), head, span)], body, span);
        }
        ml::fun(vec![dyn_pattern(list)], None, body, span)
    }

    /// `P2 (f, "name")`
    pub(super) fn procedure(
        &self,
        count: usize,
        function: ast::Expr,
        name: &str,
        span: Span,
    ) -> ast::Expr {
        let constructor = ["P0", "P1", "P2", "P3", "P4"][count.min(MAX_DIRECT)];
        ml::construct(VALUE, constructor, vec![function, ml::string(name, span)], span)
    }

    pub(super) fn procedure_n(
        &self,
        least: usize,
        rest: bool,
        function: ast::Expr,
        name: &str,
        span: Span,
    ) -> ast::Expr {
        let most = if rest { -1 } else { least as i64 };
        let parts = vec![
            ml::int(least as i64, span),
            ml::int(most, span),
            function,
            ml::string(name, span),
        ];
        ml::construct(VALUE, "PN", parts, span)
    }

    /// A known procedure where a value is needed.
    pub(super) fn function_value(
        &mut self,
        var: VarId,
        signature: &Signature,
        span: Span,
    ) -> ast::Expr {
        let name = self.vars[var].name.as_str();
        let target = ml::local(self.name(var), span);
        let count = signature.params.len();
        let direct = !signature.rest && !signature.takes_continuation && count <= MAX_DIRECT;
        if direct {
            let function = self.function_of_values(var, signature, span);
            return self.procedure(count, function, name, span);
        }
        let names: Vec<Symbol> = (0..count).map(|_| self.fresh("a")).collect();
        let rest = signature.rest.then(|| self.fresh("rest"));
        let mut args: Vec<ast::Expr> = names
            .iter()
            .zip(&signature.params)
            .map(|(&name, &form)| self.convert(ml::local(name, span), Form::Dyn, form, span))
            .collect();
        args.extend(rest.map(|it| ml::local(it, span)));
        if args.is_empty() {
            args.push(ml::unit(span));
        }
        let call = ml::apply(target, args, span);
        let call = self.convert(call, signature.result, Form::Dyn, span);
        if signature.takes_continuation {
            return self.continuation_procedure(&names, rest, call, name, span);
        }
        let function = self.list_function(&names, rest, call, span);
        self.procedure_n(count, signature.rest, function, name, span)
    }

    pub(super) fn case_lambda(&mut self, clauses: &[Lambda], span: Span) -> ast::Expr {
        let nil = ml::construct(VALUE, "Nil", Vec::new(), span);
        let list = clauses.iter().rev().fold(nil, |list, clause| {
            let value = self.lambda_value(clause);
            ml::call(VALUE, "cons", vec![value, list], span)
        });
        let name = clauses.first().and_then(|it| it.name).map_or("", |it| it.as_str());
        ml::construct(VALUE, "PCase", vec![list, ml::string(name, span)], span)
    }
}
