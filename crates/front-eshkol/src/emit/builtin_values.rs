//! Procedures of the library as values: each is made once, as a constant of the program.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast;

use super::{CONTROL, Emitter, VALUE, form_type};
use crate::builtin::{Builtin, BuiltinId, Form, Shape};
use crate::ml;
use crate::procedure::Procedure;

impl Emitter<'_> {
    /// A procedure of the library as a value.
    pub(super) fn builtin_value(&mut self, id: BuiltinId, span: Span) -> ast::Expr {
        let builtins = self.builtins;
        let it = builtins.get(id);
        let key = format!("builtin {}", it.name);
        if let Some(&name) = self.known_constants.get(&key) {
            return ml::local(name, span);
        }
        // Whoever mentions it first has no part in what goes wrong in a call.
        let value = self.builtin_procedure(it, self.of_library);
        let name = self.fresh("p");
        let pattern = ml::typed_pattern(name, form_type(Form::Dyn, span), span);
        self.constants.push(ml::let_item(false, vec![ml::binding(pattern, value, span)], span));
        self.known_constants.insert(key, name);
        ml::local(name, span)
    }

    fn builtin_procedure(&mut self, it: &Builtin, span: Span) -> ast::Expr {
        let dyn_pattern = |name: Symbol| ml::typed_pattern(name, form_type(Form::Dyn, span), span);
        match it.shape {
            Shape::Plain { required, optional: 0, rest: false } if required <= 4 => {
                let names: Vec<Symbol> = (0..required).map(|_| self.fresh("a")).collect();
                let values = names.iter().map(|&it| ml::local(it, span)).collect();
                let call = self.unplaced(it, values, span);
                let call = self.convert(call, it.result, Form::Dyn, span);
                let mut patterns: Vec<_> = names.iter().map(|&it| dyn_pattern(it)).collect();
                if patterns.is_empty() {
                    patterns.push(ml::construct_pattern("", "()", None, span));
                }
                let function = ml::fun(patterns, None, call, span);
                self.procedure(required, function, it.name, span)
            }
            Shape::Plain { required, optional, rest } => {
                let names: Vec<Symbol> =
                    (0..required + optional).map(|_| self.fresh("a")).collect();
                let tail = rest.then(|| self.fresh("rest"));
                let values: Vec<_> =
                    names.iter().chain(&tail).map(|&it| ml::local(it, span)).collect();
                let call = if it.procedure == Procedure::List {
                    values.into_iter().next().unwrap_or_else(|| ml::unit(span))
                } else {
                    self.unplaced(it, values, span)
                };
                let call = self.convert(call, it.result, Form::Dyn, span);
                let function = self.list_function(&names, tail, call, span);
                let most = if rest { -1 } else { (required + optional) as i64 };
                let parts = vec![
                    ml::int(required as i64, span),
                    ml::int(most, span),
                    function,
                    ml::string(it.name, span),
                ];
                ml::construct(VALUE, "PN", parts, span)
            }
            Shape::Fold(_) | Shape::Inverse(_) | Shape::Chain => self.fold_procedure(it, span),
        }
    }

    fn fold_procedure(&mut self, it: &Builtin, span: Span) -> ast::Expr {
        let dyn_pattern = |name: Symbol| ml::typed_pattern(name, form_type(Form::Dyn, span), span);
        let (a, b, list) = (self.fresh("a"), self.fresh("b"), self.fresh("args"));
        let call = self.unplaced(it, vec![ml::local(a, span), ml::local(b, span)], span);
        let binary = ml::fun(vec![dyn_pattern(a), dyn_pattern(b)], None, call, span);
        let (helper, number) = match it.shape {
            Shape::Fold(identity) if identity < 0 => ("fold1_args", 0),
            Shape::Fold(identity) => ("fold_args", identity),
            Shape::Inverse(identity) => ("inverse_args", identity),
            _ => ("chain_args", 0),
        };
        let number = ml::call(VALUE, "of_int", vec![ml::int(number.max(0), span)], span);
        let body = ml::call(CONTROL, helper, vec![binary, number, ml::local(list, span)], span);
        let function = ml::fun(vec![dyn_pattern(list)], None, body, span);
        self.procedure_n(it.arity().0, true, function, it.name, span)
    }

    /// The function of the library where the place of the call is not known.
    fn unplaced(&self, it: &Builtin, mut values: Vec<ast::Expr>, span: Span) -> ast::Expr {
        if it.takes_place {
            values.insert(0, ml::string("", span));
        }
        if values.is_empty() {
            values.push(ml::unit(span));
        }
        ml::call(it.module, it.function, values, span)
    }
}
