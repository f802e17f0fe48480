//! Calls of known procedures in typed versions: each is copied for the types of its arguments.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast;

use super::{Copied, MOST_COPIES, Param, Scope, Type, Typed};
use crate::core::{Core, CoreKind, Lambda, VarId};
use crate::ml;

impl<'a: 'p, 'p> Typed<'_, 'a, 'p> {
    pub(super) fn call(
        &mut self,
        var: VarId,
        args: &'p [Core],
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let local = (self.barrier..self.scopes.len())
            .rev()
            .find_map(|at| Some((at, *self.scopes[at].lambdas.get(var)?)));
        let (scope, lambda) = match local {
            Some(found) => found,
            None => (0, *self.emitter.lambdas.get(var)?),
        };
        let (mut values, mut params) = (Vec::new(), Vec::new());
        for arg in args {
            if let Some(lambda) = self.procedure(arg) {
                params.push(Param::Procedure(lambda));
                continue;
            }
            let (value, ty) = self.expr(arg, None)?;
            values.push(value);
            params.push(Param::Value(ty));
        }
        if values.is_empty() {
            values.push(ml::unit(span));
        }
        if params.iter().any(|it| matches!(it, Param::Procedure(_))) {
            return self.call_for_procedures(var, lambda, params, values, span);
        }
        let (name, result) = self.copy(scope, var, lambda, params)?;
        self.apply(name, values, result, span)
    }

    fn apply(
        &mut self,
        name: Symbol,
        values: Vec<ast::Expr>,
        result: Type,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        self.in_order(values, span, |values| {
            Some((ml::apply(ml::local(name, span), values, span), result))
        })
    }

    /// A procedure that is known where it is passed.
    fn procedure(&self, core: &'p Core) -> Option<&'p Lambda> {
        match &core.kind {
            CoreKind::Lambda(lambda) => Some(lambda),
            CoreKind::Ref(var) if !self.types.contains(*var) => {
                let local =
                    self.scopes[self.barrier..].iter().rev().find_map(|it| it.lambdas.get(*var));
                local.or_else(|| self.emitter.lambdas.get(*var)).copied()
            }
            _ => None,
        }
    }

    /// The copy stands where it is called: the procedures that it is made for mention variables of this place.
    fn call_for_procedures(
        &mut self,
        var: VarId,
        lambda: &'p Lambda,
        params: Vec<Param<'p>>,
        values: Vec<ast::Expr>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let known = |it: &Copied<'_>| it.var == var && it.params == params;
        let around = (self.barrier..self.scopes.len())
            .rev()
            .find(|&at| self.scopes[at].copies.iter().any(known));
        if let Some(scope) = around {
            let (name, result) = self.copy(scope, var, lambda, params)?;
            return self.apply(name, values, result, span);
        }
        if self.open.iter().any(|it| std::ptr::eq(*it, lambda)) {
            return None;
        }
        let at = self.scopes.len();
        self.scopes.push(Scope::default());
        self.open.push(lambda);
        let made = self.copy(at, var, lambda, params);
        self.open.pop();
        let copies = self.bindings(at, span);
        self.scopes.pop();
        let ((name, result), copies) = (made?, copies?);
        let (call, result) = self.apply(name, values, result, span)?;
        Some((ml::let_rec(copies, call, span), result))
    }

    fn copy(
        &mut self,
        scope: usize,
        var: VarId,
        lambda: &'p Lambda,
        params: Vec<Param<'p>>,
    ) -> Option<(Symbol, Type)> {
        let known = |it: &Copied<'_>| it.var == var && it.params == params;
        if let Some(copy) = self.scopes[scope].copies.iter_mut().find(|it| known(it)) {
            // A number, until the body says otherwise.
            copy.assumed |= copy.result.is_none() || copy.value.is_none();
            let result = *copy.result.get_or_insert(Type::Float);
            return Some((copy.name, result));
        }
        self.copies += 1;
        if self.copies > MOST_COPIES {
            return None;
        }
        let name = self.emitter.fresh("typed");
        let place = self.scopes[scope].copies.len();
        let (mut guess, inputs) = (None, self.inputs.len());
        // A wrong guess is made right: a number, else what the body says, else nothing, else a vector.
        for _ in 0..4 {
            self.scopes[scope].copies.truncate(place);
            self.scopes[scope].copies.push(Copied {
                var,
                params: params.clone(),
                name,
                result: guess,
                assumed: false,
                value: None,
            });
            let barrier = self.barrier;
            if scope == 0 {
                self.barrier = self.scopes.len();
            }
            let made = self.function(lambda, &params);
            self.barrier = barrier;
            let copy = &mut self.scopes[scope].copies[place];
            let Some((value, result)) = made else {
                guess = match guess {
                    _ if !copy.assumed => return None,
                    Some(Type::Unit) => Some(Type::Fresh),
                    Some(Type::Fresh) => return None,
                    _ => Some(Type::Unit),
                };
                self.inputs.truncate(inputs);
                continue;
            };
            let right = !copy.assumed || copy.result == Some(result);
            copy.result = Some(result);
            copy.value = Some(value);
            if right {
                return Some((name, result));
            }
            guess = Some(result);
        }
        None
    }
}
