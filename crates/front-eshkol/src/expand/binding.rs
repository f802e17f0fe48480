//! Forms that bind variables: `let` and its kin, `do`, `parameterize`, `fluid-let`.

use oxbow_base::Span;

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind, Item, Lambda, VarId};
use crate::datum::{Datum, DatumKind, Ident};
use crate::known;

/// Several values that are bound to names.
struct Unpacking {
    /// Holds them all.
    temp: VarId,
    value: Core,
    vars: Vec<VarId>,
}

pub(super) fn let_core(bound: Vec<(VarId, Core)>, body: Core, span: Span) -> Core {
    if bound.is_empty() {
        return body;
    }
    Core::new(CoreKind::Let(bound, Box::new(body)), span)
}

impl Expander<'_> {
    /// `((x e) …)` as names and expressions; `form` is what they belong to.
    fn bindings(&mut self, form: &str, datum: &Datum) -> Vec<(Ident, Span, Datum)> {
        let Some(items) = datum.as_list() else {
            let message = format!("the bindings of `{form}` are a list `((name value) …)`");
            self.bad(datum.span, &message);
            return Vec::new();
        };
        let mut result = Vec::new();
        for item in items {
            match item.as_list() {
                Some([name, value]) if name.as_ident().is_some() => {
                    let ident = name.as_ident().unwrap_or(Ident::Plain("_".into()));
                    result.push((ident, name.span, value.clone()));
                }
                other => {
                    self.bad(item.span, &format!("a binding of `{form}` is `(name value)`"));
                    // The name is bound all the same, so that its uses are not reported too.
                    let name = other.and_then(<[Datum]>::first).unwrap_or(item);
                    if let Some(ident) = name.as_ident() {
                        let value = Datum::new(DatumKind::Bool(false), item.span);
                        result.push((ident, name.span, value));
                    }
                }
            }
        }
        result
    }

    /// The bindings of a form that are not all of the kind `(name value)`.
    pub(super) fn listed<'d>(&mut self, form: &str, one: &str, datum: &'d Datum) -> &'d [Datum] {
        datum.as_list().unwrap_or_else(|| {
            self.bad(datum.span, &format!("the bindings of `{form}` are a list `({one} …)`"));
            &[]
        })
    }

    fn bind_var(&mut self, ident: Ident, span: Span, inner: ScopeId) -> VarId {
        if self.scopes.own(inner, ident).is_some() {
            let name = self.scopes.symbol(ident);
            self.bad(span, &format!("`{name}` is bound here twice"));
        }
        let var = self.new_var(ident, span);
        self.scopes.bind(inner, ident, Binding::Var(var));
        var
    }

    /// A procedure without a name gets that of its variable.
    pub(super) fn named(&self, var: VarId, mut value: Core) -> Core {
        let clauses = match &mut value.kind {
            CoreKind::Lambda(lambda) => std::slice::from_mut(&mut **lambda),
            CoreKind::CaseLambda(clauses) => &mut clauses[..],
            _ => &mut [],
        };
        for clause in clauses {
            clause.name.get_or_insert(self.vars[var].name);
        }
        value
    }

    pub(super) fn let_form(&mut self, args: &[Datum], scope: ScopeId, span: Span) -> Core {
        match args {
            [name, bindings, body @ ..] if name.as_ident().is_some() && !body.is_empty() => {
                self.named_let(name, bindings, body, scope, span)
            }
            [bindings, body @ ..] if bindings.as_ident().is_none() => {
                let bindings = self.bindings("let", bindings);
                let values: Vec<Core> = bindings.iter().map(|it| self.expr(&it.2, scope)).collect();
                let inner = self.scopes.child(Some(scope));
                let vars: Vec<VarId> =
                    bindings.iter().map(|it| self.bind_var(it.0, it.1, inner)).collect();
                let body = self.body(body, inner, span);
                let bound = vars.into_iter().zip(values);
                let bound = bound.map(|(var, it)| (var, self.named(var, it))).collect();
                let_core(bound, body, span)
            }
            _ => {
                self.bad_core(span, "bad `let`: it is written `(let name ((name value) …) body …)`")
            }
        }
    }

    fn named_let(
        &mut self,
        name: &Datum,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let bindings = self.bindings("let", bindings);
        let values: Vec<Core> = bindings.iter().map(|it| self.expr(&it.2, scope)).collect();
        let outer = self.scopes.child(Some(scope));
        let ident = name.as_ident().unwrap_or(Ident::Plain("_".into()));
        let function = self.bind_var(ident, name.span, outer);
        let inner = self.scopes.child(Some(outer));
        let params = bindings.iter().map(|it| self.bind_var(it.0, it.1, inner)).collect();
        let body = self.body(body, inner, span);
        self.looping(function, (params, body), values, span)
    }

    /// A procedure that calls itself, and its first call.
    fn looping(
        &mut self,
        function: VarId,
        (params, body): (Vec<VarId>, Core),
        values: Vec<Core>,
        span: Span,
    ) -> Core {
        let name = Some(self.vars[function].name);
        let lambda = Lambda { params, rest: None, body, name, span, takes_continuation: false };
        let value = Core::new(CoreKind::Lambda(Box::new(lambda)), span);
        let callee = self.var_ref(function, span);
        let call = Core::new(CoreKind::Call(Box::new(callee), values), span);
        let items = vec![Item { var: Some(function), value }];
        Core::new(CoreKind::Block(items, Box::new(call)), span)
    }

    pub(super) fn let_star(
        &mut self,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let bindings = self.bindings("let*", bindings);
        let mut scope = self.scopes.child(Some(scope));
        let mut bound = Vec::new();
        for (ident, at, value) in bindings {
            let value = self.expr(&value, scope);
            scope = self.scopes.child(Some(scope));
            let var = self.bind_var(ident, at, scope);
            bound.push((var, self.named(var, value)));
        }
        let body = self.body(body, scope, span);
        bound.into_iter().rev().fold(body, |body, it| let_core(vec![it], body, span))
    }

    pub(super) fn letrec(
        &mut self,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let bindings = self.bindings("letrec", bindings);
        let inner = self.scopes.child(Some(scope));
        let vars: Vec<VarId> = bindings.iter().map(|it| self.bind_var(it.0, it.1, inner)).collect();
        let items: Vec<Item> = bindings
            .iter()
            .zip(vars)
            .map(|(binding, var)| {
                let value = self.expr(&binding.2, inner);
                Item { var: Some(var), value: self.named(var, value) }
            })
            .collect();
        let scope = self.scopes.child(Some(inner));
        let body = self.body(body, scope, span);
        Core::new(CoreKind::Block(items, Box::new(body)), span)
    }

    /// `let-values`: all values are made before any name is bound.
    pub(super) fn let_values(
        &mut self,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let inner = self.scopes.child(Some(scope));
        let bindings = self.listed("let-values", "((name …) value)", bindings);
        let steps: Vec<Unpacking> =
            bindings.iter().filter_map(|it| self.unpacking(it, scope, inner)).collect();
        let mut result = self.body(body, inner, span);
        for step in steps.iter().rev() {
            result = self.parts(step, result, span);
        }
        let bound = steps.into_iter().map(|it| (it.temp, it.value)).collect();
        let_core(bound, result, span)
    }

    /// `let*-values`: each value sees the names before it.
    pub(super) fn let_star_values(
        &mut self,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let mut inner = self.scopes.child(Some(scope));
        let mut steps = Vec::new();
        for binding in self.listed("let*-values", "((name …) value)", bindings) {
            let outer = inner;
            inner = self.scopes.child(Some(outer));
            steps.extend(self.unpacking(binding, outer, inner));
        }
        let result = self.body(body, inner, span);
        steps.into_iter().rev().fold(result, |result, step| {
            let result = self.parts(&step, result, span);
            let_core(vec![(step.temp, step.value)], result, span)
        })
    }

    /// `((name …) value)`, the value in `scope` and the names in `inner`.
    fn unpacking(&mut self, binding: &Datum, scope: ScopeId, inner: ScopeId) -> Option<Unpacking> {
        let Some([formals, value]) = binding.as_list() else {
            self.bad(binding.span, "a binding of several values is `((name …) value)`");
            // The names are bound all the same, so that their uses are not reported too.
            if let Some(
                [formals @ Datum { kind: DatumKind::List(..) | DatumKind::Ident(_), .. }, ..],
            ) = binding.as_list()
            {
                self.formals(formals, inner);
            }
            return None;
        };
        let value = self.expr(value, scope);
        let (mut vars, rest) = self.formals(formals, inner);
        let temp = self.temp("values", formals.span);
        let value = self.unpack(value, vars.len(), rest.is_some(), binding.span);
        vars.extend(rest);
        Some(Unpacking { temp, value, vars })
    }

    /// Binds the names of several values around a body.
    fn parts(&mut self, it: &Unpacking, body: Core, span: Span) -> Core {
        let parts = it.vars.iter().enumerate();
        let parts = parts.map(|(index, &var)| (var, self.unpacked(it.temp, index, span))).collect();
        let_core(parts, body, span)
    }

    pub(super) fn do_loop(
        &mut self,
        bindings: &Datum,
        exit: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let (Some(bindings), Some([test, results @ ..])) = (bindings.as_list(), exit.as_list())
        else {
            return self.bad_core(span, "`do` needs `((name init step) …)` and `(test result …)`");
        };
        let inner = self.scopes.child(Some(scope));
        let (mut values, mut params, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for binding in bindings {
            let Some([name, init, step @ ..]) = binding.as_list().filter(|it| it.len() <= 3) else {
                self.bad(binding.span, "a variable of `do` is `(name init step)`");
                continue;
            };
            let Some(ident) = name.as_ident() else {
                self.bad(name.span, "a variable of `do` needs a name");
                continue;
            };
            values.push(self.expr(init, scope));
            params.push(self.bind_var(ident, name.span, inner));
            steps.push(step.first().cloned().unwrap_or_else(|| name.clone()));
        }
        let function = self.temp("do", span);
        let test = self.expr(test, inner);
        let result = self.sequence(results, inner, span);
        let steps: Vec<Core> = steps.iter().map(|it| self.expr(it, inner)).collect();
        let callee = self.var_ref(function, span);
        let again = Core::new(CoreKind::Call(Box::new(callee), steps), span);
        let next = if body.is_empty() {
            again
        } else {
            let mut all: Vec<Core> = body.iter().map(|it| self.expr(it, inner)).collect();
            all.push(again);
            Core::new(CoreKind::Seq(all), span)
        };
        let body = self.make_if(test, result, next, span);
        self.looping(function, (params, body), values, span)
    }

    pub(super) fn parameterize(
        &mut self,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let (mut params, mut values) = (Vec::new(), Vec::new());
        for binding in self.listed("parameterize", "(parameter value)", bindings) {
            match binding.as_list() {
                Some([param, value]) => {
                    params.push(self.expr(param, scope));
                    values.push(self.expr(value, scope));
                }
                _ => self.bad(binding.span, "a binding of `parameterize` is `(parameter value)`"),
            }
        }
        let inner = self.scopes.child(Some(scope));
        let body = self.body(body, inner, span);
        let thunk = self.thunk(body);
        let params = self.call("list", params, span);
        let values = self.call("list", values, span);
        self.call(known::PARAMETERIZE, vec![params, values, thunk], span)
    }

    /// `(fluid-let ((x e)) body)`: `x` has another value while the body runs.
    pub(super) fn fluid_let(
        &mut self,
        bindings: &Datum,
        body: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let bindings = self.bindings("fluid-let", bindings);
        let mut bound = Vec::new();
        let mut swaps = Vec::new();
        for (ident, at, value) in bindings {
            let value = self.expr(&value, scope);
            let Some(Binding::Var(var)) = self.scopes.lookup(scope, ident) else {
                self.unbound(ident, scope, at);
                continue;
            };
            self.vars[var].mutated = true;
            let other = self.temp("fluid", at);
            self.vars[other].mutated = true;
            bound.push((other, value));
            swaps.push((var, other));
        }
        let inner = self.scopes.child(Some(scope));
        let body = self.body(body, inner, span);
        let body = self.thunk(body);
        let before = self.swap(&swaps, span);
        let after = self.swap(&swaps, span);
        let wind = self.call("dynamic-wind", vec![before, body, after], span);
        let_core(bound, wind, span)
    }

    fn swap(&mut self, pairs: &[(VarId, VarId)], span: Span) -> Core {
        let mut all = Vec::new();
        for &(var, other) in pairs {
            let temp = self.temp("swap", span);
            let set = |target, value: Core| Core::new(CoreKind::Set(target, Box::new(value)), span);
            let first = set(var, self.var_ref(other, span));
            let second = set(other, self.var_ref(temp, span));
            let body = Core::new(CoreKind::Seq(vec![first, second]), span);
            let value = self.var_ref(var, span);
            all.push(let_core(vec![(temp, value)], body, span));
        }
        all.push(Core::new(CoreKind::Unspecified, span));
        let body = Core::new(CoreKind::Seq(all), span);
        self.thunk(body)
    }

    pub(super) fn case_lambda(&mut self, clauses: &[Datum], scope: ScopeId, span: Span) -> Core {
        let mut made = Vec::new();
        for clause in clauses {
            match clause.as_list() {
                Some([params, body @ ..]) if !body.is_empty() => {
                    made.push(self.lambda_of(params, body, scope, None, clause.span));
                }
                _ => self.bad(clause.span, "a clause of `case-lambda` is `(parameters body …)`"),
            }
        }
        Core::new(CoreKind::CaseLambda(made), span)
    }

    pub(super) fn delayed(
        &mut self,
        maker: &str,
        body: &Datum,
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let body = self.expr(body, scope);
        let thunk = self.thunk(body);
        self.call(maker, vec![thunk], span)
    }

    pub(super) fn assert(&mut self, test: &Datum, scope: ScopeId, span: Span) -> Core {
        let shown = self.strip(test);
        let test = self.expr(test, scope);
        let shown = Core::new(CoreKind::Const(shown), span);
        let failed = self.call(known::ASSERTION_FAILED, vec![shown], span);
        let fine = Core::new(CoreKind::Unspecified, span);
        self.make_if(test, fine, failed, span)
    }

    pub(super) fn string_datum(&self, datum: &Datum) -> Option<String> {
        match &datum.kind {
            DatumKind::String(text) => Some(text.clone()),
            _ => None,
        }
    }
}
