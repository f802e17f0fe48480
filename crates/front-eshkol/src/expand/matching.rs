//! `match`: patterns over lists, vectors and constants.
//!
//! ```text
//! _  x  1  "s"  'datum  (p …)  (p . q)  #(p …)  (cons p q)  (list p …)
//! (? pred p …)  (and p …)  (or p …)  (not p)  (= f p)  (quasiquote …)   p ...  at the end of a list
//! ```

use oxbow_base::Span;

use super::Expander;
use super::scope::{Binding, ScopeId};
use crate::core::{Core, CoreKind, Item, Lambda, VarId};
use crate::datum::{Datum, DatumKind};
use crate::known;

/// A test, or a variable that gets a value when the tests before it hold.
enum Step {
    Test(Core),
    Bind(VarId, Core),
    /// The variable is a name of the pattern.
    Name(VarId, Core),
}

impl Expander<'_> {
    pub(super) fn match_form(
        &mut self,
        value: &Datum,
        clauses: &[Datum],
        scope: ScopeId,
        span: Span,
    ) -> Core {
        let subject = self.temp("subject", value.span);
        let value = self.expr(value, scope);
        let given = self.var_ref(subject, span);
        let mut otherwise = self.call(known::NO_MATCH, vec![given], span);
        for clause in clauses.iter().rev() {
            let Some([pattern, body @ ..]) = clause.as_list() else {
                self.bad(clause.span, "a clause of `match` is `(pattern expression …)`");
                continue;
            };
            otherwise = self.match_clause(pattern, body, subject, scope, otherwise, clause.span);
        }
        Core::new(CoreKind::Let(vec![(subject, value)], Box::new(otherwise)), span)
    }

    fn match_clause(
        &mut self,
        pattern: &Datum,
        body: &[Datum],
        subject: VarId,
        scope: ScopeId,
        otherwise: Core,
        span: Span,
    ) -> Core {
        let inner = self.scopes.child(Some(scope));
        let mut steps = Vec::new();
        let given = self.var_ref(subject, span);
        if self.is_keyword(pattern, scope, "else") {
            return self.sequence(body, scope, span);
        }
        self.pattern(pattern, given, inner, scope, &mut steps);
        let next = self.temp("next", span);
        let call_next = {
            let callee = self.var_ref(next, span);
            Core::new(CoreKind::Call(Box::new(callee), Vec::new()), span)
        };
        let mut guard = None;
        let mut body = body;
        if let [first, rest @ ..] = body
            && let Some([arrow, fail]) = first.as_list()
            && self.is_keyword(arrow, scope, "=>")
        {
            // `(=> fail)`: calling `fail` goes on with the next clause.
            if let Some(ident) = fail.as_ident() {
                self.scopes.bind(inner, ident, Binding::Var(next));
            }
            body = rest;
        } else if let [when, test, rest @ ..] = body
            && when.as_ident().is_some_and(|it| self.scopes.symbol(it).as_str() == "#:when")
        {
            guard = Some(self.expr(test, inner));
            body = rest;
        }
        let mut result = self.body(body, inner, span);
        if let Some(test) = guard {
            result = self.make_if(test, result, call_next.clone(), span);
        }
        for step in steps.into_iter().rev() {
            result = match step {
                Step::Test(test) => self.make_if(test, result, call_next.clone(), span),
                Step::Bind(var, value) | Step::Name(var, value) => {
                    Core::new(CoreKind::Let(vec![(var, value)], Box::new(result)), span)
                }
            };
        }
        let lambda = Lambda {
            params: Vec::new(),
            rest: None,
            body: otherwise,
            name: None,
            span,
            takes_continuation: false,
        };
        let value = Core::new(CoreKind::Lambda(Box::new(lambda)), span);
        let items = vec![Item { var: Some(next), value }];
        Core::new(CoreKind::Block(items, Box::new(result)), span)
    }

    fn pattern(
        &mut self,
        pattern: &Datum,
        value: Core,
        inner: ScopeId,
        scope: ScopeId,
        steps: &mut Vec<Step>,
    ) {
        let span = pattern.span;
        match &pattern.kind {
            DatumKind::Ident(ident) => {
                if self.scopes.symbol(*ident).as_str() != "_" {
                    let var = self.new_var(*ident, span);
                    self.scopes.bind(inner, *ident, Binding::Var(var));
                    steps.push(Step::Name(var, value));
                }
            }
            DatumKind::List(items, tail) => {
                self.list_pattern(pattern, items, tail.as_deref(), value, (inner, scope), steps);
            }
            DatumKind::Vector(items) => {
                let var = self.held(value, span, steps);
                let object = self.var_ref(var, span);
                let test = self.call("vector?", vec![object.clone()], span);
                steps.push(Step::Test(test));
                let length = self.call("vector-length", vec![object.clone()], span);
                let count = self.integer(items.len() as i64, span);
                let test = self.call("eqv?", vec![length, count], span);
                steps.push(Step::Test(test));
                for (index, item) in items.iter().enumerate() {
                    let index = self.integer(index as i64, span);
                    let part = self.call("vector-ref", vec![object.clone(), index], span);
                    self.pattern(item, part, inner, scope, steps);
                }
            }
            _ => {
                let constant = Core::new(CoreKind::Const(self.strip(pattern)), span);
                let test = self.call("equal?", vec![value, constant], span);
                steps.push(Step::Test(test));
            }
        }
    }

    /// A variable for a value that is looked at several times.
    fn held(&mut self, value: Core, span: Span, steps: &mut Vec<Step>) -> VarId {
        if let CoreKind::Ref(var) = value.kind {
            return var;
        }
        let var = self.temp("part", span);
        steps.push(Step::Bind(var, value));
        var
    }

    fn list_pattern(
        &mut self,
        pattern: &Datum,
        items: &[Datum],
        tail: Option<&Datum>,
        value: Core,
        (inner, scope): (ScopeId, ScopeId),
        steps: &mut Vec<Step>,
    ) {
        let span = pattern.span;
        let head =
            items.first().and_then(Datum::as_ident).map(|it| self.scopes.symbol(it).as_str());
        match (head, items) {
            (Some("quote"), [_, datum]) => {
                let constant = Core::new(CoreKind::Const(self.strip(datum)), span);
                let test = self.call("equal?", vec![value, constant], span);
                steps.push(Step::Test(test));
            }
            (Some("quasiquote"), [_, datum]) => {
                self.quasi_pattern(datum, value, 1, (inner, scope), steps);
            }
            (Some("cons"), [_, first, rest]) if tail.is_none() => {
                let pair = Datum::new(
                    DatumKind::List(vec![first.clone()], Some(Box::new(rest.clone()))),
                    span,
                );
                let DatumKind::List(items, tail) = &pair.kind else { return };
                self.pair_pattern(items, tail.as_deref(), value, (inner, scope), span, steps);
            }
            (Some("list"), [_, parts @ ..]) if tail.is_none() => {
                self.pair_pattern(parts, None, value, (inner, scope), span, steps);
            }
            (Some("?"), [_, predicate, parts @ ..]) => {
                let var = self.held(value, span, steps);
                let predicate = self.expr(predicate, scope);
                let object = self.var_ref(var, span);
                let test = self.make_call(predicate, vec![object.clone()], span);
                steps.push(Step::Test(test));
                parts.iter().for_each(|it| self.pattern(it, object.clone(), inner, scope, steps));
            }
            (Some("="), [_, function, part]) => {
                let function = self.expr(function, scope);
                let applied = self.make_call(function, vec![value], span);
                self.pattern(part, applied, inner, scope, steps);
            }
            (Some("and"), [_, parts @ ..]) => {
                let var = self.held(value, span, steps);
                let object = self.var_ref(var, span);
                parts.iter().for_each(|it| self.pattern(it, object.clone(), inner, scope, steps));
            }
            (Some("or"), [_, parts @ ..]) => {
                let var = self.held(value, span, steps);
                let object = self.var_ref(var, span);
                let tests =
                    parts.iter().map(|it| self.test_only(it, object.clone(), scope)).collect();
                steps.push(Step::Test(Core::new(CoreKind::Or(tests), span)));
            }
            (Some("not"), [_, part]) => {
                let var = self.held(value, span, steps);
                let object = self.var_ref(var, span);
                let test = self.test_only(part, object, scope);
                let test = self.call("not", vec![test], span);
                steps.push(Step::Test(test));
            }
            _ => self.pair_pattern(items, tail, value, (inner, scope), span, steps),
        }
    }

    /// A pattern inside `or` and `not`, which binds nothing outside.
    fn test_only(&mut self, pattern: &Datum, value: Core, scope: ScopeId) -> Core {
        let span = pattern.span;
        let inner = self.scopes.child(Some(scope));
        let mut steps = Vec::new();
        self.pattern(pattern, value, inner, scope, &mut steps);
        if steps.iter().any(|it| matches!(it, Step::Name(..))) {
            self.bad(span, "names inside of `or` and `not` would not be bound: write `_`");
        }
        let yes = Core::new(CoreKind::Const(Datum::new(DatumKind::Bool(true), span)), span);
        let mut result = yes;
        for step in steps.into_iter().rev() {
            result = match step {
                Step::Test(test) => {
                    let no =
                        Core::new(CoreKind::Const(Datum::new(DatumKind::Bool(false), span)), span);
                    self.make_if(test, result, no, span)
                }
                Step::Bind(var, value) | Step::Name(var, value) => {
                    Core::new(CoreKind::Let(vec![(var, value)], Box::new(result)), span)
                }
            };
        }
        result
    }

    fn pair_pattern(
        &mut self,
        items: &[Datum],
        tail: Option<&Datum>,
        value: Core,
        (inner, scope): (ScopeId, ScopeId),
        span: Span,
        steps: &mut Vec<Step>,
    ) {
        let is_dots = |this: &Self, it: &Datum| {
            it.as_ident().is_some_and(|it| matches!(this.scopes.symbol(it).as_str(), "..." | "___"))
        };
        let mut value = value;
        for (index, item) in items.iter().enumerate() {
            if items.get(index + 1).is_some_and(|it| is_dots(self, it)) {
                if index + 2 != items.len() || tail.is_some() {
                    return self.bad(item.span, "an ellipsis in a `match` pattern ends its list");
                }
                return self.rest_pattern(item, value, inner, scope, steps);
            }
            let var = self.held(value, item.span, steps);
            let object = self.var_ref(var, item.span);
            let test = self.call("pair?", vec![object.clone()], span);
            steps.push(Step::Test(test));
            let first = self.call("car", vec![object.clone()], span);
            self.pattern(item, first, inner, scope, steps);
            value = self.call("cdr", vec![object], span);
        }
        match tail {
            Some(tail) => self.pattern(tail, value, inner, scope, steps),
            None => {
                let test = self.call("null?", vec![value], span);
                steps.push(Step::Test(test));
            }
        }
    }

    /// `p ...`: a variable takes the whole rest, which must be a list.
    fn rest_pattern(
        &mut self,
        item: &Datum,
        value: Core,
        inner: ScopeId,
        scope: ScopeId,
        steps: &mut Vec<Step>,
    ) {
        let span = item.span;
        let var = self.held(value, span, steps);
        let object = self.var_ref(var, span);
        let test = self.call("list?", vec![object.clone()], span);
        steps.push(Step::Test(test));
        match item.kind {
            DatumKind::Ident(_) => self.pattern(item, object, inner, scope, steps),
            _ => self.bad(span, "in `match`, an ellipsis follows a name"),
        }
    }

    /// `depth` tells how many quasiquotes are around the datum.
    fn quasi_pattern(
        &mut self,
        datum: &Datum,
        value: Core,
        depth: u32,
        (inner, scope): (ScopeId, ScopeId),
        steps: &mut Vec<Step>,
    ) {
        let span = datum.span;
        match &datum.kind {
            DatumKind::List(items, tail) if !items.is_empty() => {
                let mut depth = depth;
                if let ([head, part], None) = (&items[..], tail) {
                    if self.is_keyword(head, scope, "unquote") {
                        if depth == 1 {
                            return self.pattern(part, value, inner, scope, steps);
                        }
                        depth -= 1;
                    } else if self.is_keyword(head, scope, "quasiquote") {
                        depth += 1;
                    }
                }
                let mut value = value;
                for item in items {
                    let var = self.held(value, span, steps);
                    let object = self.var_ref(var, span);
                    let test = self.call("pair?", vec![object.clone()], span);
                    steps.push(Step::Test(test));
                    let first = self.call("car", vec![object.clone()], span);
                    self.quasi_pattern(item, first, depth, (inner, scope), steps);
                    value = self.call("cdr", vec![object], span);
                }
                match tail {
                    Some(tail) => self.quasi_pattern(tail, value, depth, (inner, scope), steps),
                    None => {
                        let test = self.call("null?", vec![value], span);
                        steps.push(Step::Test(test));
                    }
                }
            }
            DatumKind::Vector(items) => {
                let var = self.held(value, span, steps);
                let object = self.var_ref(var, span);
                let test = self.call("vector?", vec![object.clone()], span);
                steps.push(Step::Test(test));
                let list = Datum::new(DatumKind::List(items.clone(), None), span);
                let items = self.call("vector->list", vec![object], span);
                self.quasi_pattern(&list, items, depth, (inner, scope), steps);
            }
            _ => {
                let constant = Core::new(CoreKind::Const(self.strip(datum)), span);
                let test = self.call("equal?", vec![value, constant], span);
                steps.push(Step::Test(test));
            }
        }
    }
}
