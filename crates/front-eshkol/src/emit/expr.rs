//! Expressions, in the form that fits them.

use oxbow_base::{Span, Symbol};
use oxbow_elab::ast;
use oxbow_elab::ast::PatternKind;

use super::{CONTROL, Emitter, NUM, Place, VALUE, form_type};
use crate::builtin::Form;
use crate::core::{Core, CoreKind, Item, VarId};
use crate::datum::DatumKind;
use crate::ml;
use crate::plan::{self, Step};

/// The form that fits both branches.
pub fn join(a: Form, b: Form) -> Form {
    match (a, b) {
        (a, b) if a == b => a,
        (Form::Never, other) | (other, Form::Never) => other,
        _ => Form::Dyn,
    }
}

impl Emitter<'_> {
    /// From one form to another. A value is known to be of the form it is taken as.
    pub(super) fn convert(&self, value: ast::Expr, from: Form, to: Form, span: Span) -> ast::Expr {
        match (from, to) {
            (from, to) if from == to => value,
            (Form::Never, _) => match to {
                Form::Dyn => value,
                _ => self.never(value, to, span),
            },
            (Form::Bool, Form::Dyn) => ml::call(VALUE, "of_bool", vec![value], span),
            (Form::Int, Form::Dyn) => ml::call(VALUE, "of_int", vec![value], span),
            (Form::Float, Form::Dyn) => ml::call(VALUE, "flo", vec![value], span),
            (Form::Unit, Form::Dyn) => {
                let end = ml::construct(VALUE, "Unspecified", Vec::new(), span);
                ml::sequence(vec![value, end], span)
            }
            (Form::Dyn, Form::Bool) => ml::call(VALUE, "truth", vec![value], span),
            (Form::Dyn, Form::Int) => ml::call(VALUE, "to_int", vec![value], span),
            (Form::Dyn, Form::Float) => {
                let place = ml::string("", span);
                ml::call(NUM, "to_float", vec![place, ml::string("", span), value], span)
            }
            (Form::Int, Form::Float) => ml::call("", "float_of_int", vec![value], span),
            (_, Form::Unit) => ml::call("", "ignore", vec![value], span),
            (Form::Int | Form::Float | Form::Unit, Form::Bool) => ml::sequence(
                vec![ml::call("", "ignore", vec![value], span), ml::boolean(true, span)],
                span,
            ),
            (from, to) => oxbow_diag::ice!("no way from {from:?} to {to:?}"),
        }
    }

    fn never(&self, value: ast::Expr, to: Form, span: Span) -> ast::Expr {
        let end = match to {
            Form::Bool => ml::boolean(false, span),
            Form::Int => ml::int(0, span),
            Form::Float => ml::float(0.0, span),
            Form::Unit | Form::Dyn | Form::Never | Form::Fun(_) => ml::unit(span),
        };
        ml::sequence(vec![ml::call("", "ignore", vec![value], span), end], span)
    }

    pub(super) fn expr_as(&mut self, core: &Core, want: Form) -> ast::Expr {
        match want {
            Form::Bool => self.test(core),
            Form::Unit => self.effect(core),
            Form::Float => self.float(core),
            Form::Fun(count) => self.as_function(core, usize::from(count)),
            _ => {
                let (value, form) = self.expr(core);
                self.convert_constant(core, value, form, want)
            }
        }
    }

    /// A constant is made as a value once, not at each use.
    fn convert_constant(
        &mut self,
        core: &Core,
        value: ast::Expr,
        from: Form,
        to: Form,
    ) -> ast::Expr {
        if let CoreKind::Const(datum) = &core.kind
            && from != Form::Dyn
            && to == Form::Dyn
        {
            return self.constant_value(datum);
        }
        self.convert(value, from, to, core.span)
    }

    fn float(&mut self, core: &Core) -> ast::Expr {
        if let CoreKind::Const(datum) = &core.kind
            && let DatumKind::Number(crate::datum::Number::Fixnum(value)) = datum.kind
        {
            return ml::float(value as f64, core.span);
        }
        if self.types.form(core) == Form::Dyn
            && let Some(value) = self.float_operation(core)
        {
            return value;
        }
        let (value, form) = self.expr(core);
        self.convert(value, form, Form::Float, core.span)
    }

    /// For its effect alone.
    pub(super) fn effect(&mut self, core: &Core) -> ast::Expr {
        let span = core.span;
        match &core.kind {
            CoreKind::Unspecified | CoreKind::Const(_) => ml::unit(span),
            CoreKind::If(test, yes, no) => {
                let test = self.test(test);
                let (yes, no) = (self.effect(yes), self.effect(no));
                ml::if_(test, yes, no, span)
            }
            CoreKind::Seq(items) => {
                let items = items.iter().map(|it| self.effect(it)).collect();
                ml::sequence(items, span)
            }
            CoreKind::Let(bindings, body) => self.let_form(bindings, body, Form::Unit, span).0,
            CoreKind::Block(items, body) => self.block(items, body, Some(Form::Unit), span).0,
            CoreKind::And(items) => {
                let (last, tests) =
                    items.split_last().unwrap_or_else(|| oxbow_diag::ice!("empty `and`"));
                let last = self.effect(last);
                tests.iter().rev().fold(last, |rest, it| {
                    let test = self.test(it);
                    ml::if_(test, rest, ml::unit(span), span)
                })
            }
            CoreKind::Or(items) => {
                let (last, tests) =
                    items.split_last().unwrap_or_else(|| oxbow_diag::ice!("empty `or`"));
                let last = self.effect(last);
                tests.iter().rev().fold(last, |rest, it| {
                    let test = self.test(it);
                    ml::if_(test, ml::unit(span), rest, span)
                })
            }
            _ => {
                let (value, form) = self.expr(core);
                self.convert(value, form, Form::Unit, span)
            }
        }
    }

    /// As a condition.
    pub(super) fn test(&mut self, core: &Core) -> ast::Expr {
        let span = core.span;
        match &core.kind {
            CoreKind::Const(datum) => {
                ml::boolean(!matches!(datum.kind, DatumKind::Bool(false)), span)
            }
            CoreKind::Lambda(_) | CoreKind::Builtin(_) => ml::boolean(true, span),
            CoreKind::If(test, yes, no) => {
                let test = self.test(test);
                let (yes, no) = (self.test(yes), self.test(no));
                ml::if_(test, yes, no, span)
            }
            CoreKind::And(items) => self.tests("&&", items, span),
            CoreKind::Or(items) => self.tests("||", items, span),
            CoreKind::Let(bindings, body) => self.let_form(bindings, body, Form::Bool, span).0,
            CoreKind::Block(items, body) => self.block(items, body, Some(Form::Bool), span).0,
            CoreKind::Seq(items) => {
                let (last, first) =
                    items.split_last().unwrap_or_else(|| oxbow_diag::ice!("empty sequence"));
                let mut all: Vec<_> = first.iter().map(|it| self.effect(it)).collect();
                all.push(self.test(last));
                ml::sequence(all, span)
            }
            _ => {
                let (value, form) = self.expr(core);
                self.convert(value, form, Form::Bool, span)
            }
        }
    }

    fn tests(&mut self, operator: &str, items: &[Core], span: Span) -> ast::Expr {
        let mut items: Vec<_> = items.iter().map(|it| self.test(it)).collect();
        let last = items.pop().unwrap_or_else(|| ml::boolean(true, span));
        items.into_iter().rev().fold(last, |rest, it| ml::call("", operator, vec![it, rest], span))
    }

    pub(super) fn expr(&mut self, core: &Core) -> (ast::Expr, Form) {
        let span = core.span;
        match &core.kind {
            CoreKind::Const(datum) => self.constant(datum),
            CoreKind::Unspecified => {
                (ml::construct(VALUE, "Unspecified", Vec::new(), span), Form::Dyn)
            }
            CoreKind::Ref(var) => self.variable(*var, span),
            CoreKind::Builtin(id) => (self.builtin_value(*id, span), Form::Dyn),
            CoreKind::Set(var, value) => {
                let value = self.expr_as(value, Form::Dyn);
                let cell = ml::local(self.name(*var), span);
                (ml::set_contents(cell, value, span), Form::Unit)
            }
            CoreKind::If(test, yes, no) => self.branch(test, yes, no, span),
            CoreKind::And(items) => self.and(items, span),
            CoreKind::Or(items) => self.or(items, span),
            CoreKind::Lambda(lambda) => (self.lambda_value(lambda), Form::Dyn),
            CoreKind::CaseLambda(clauses) => (self.case_lambda(clauses, span), Form::Dyn),
            CoreKind::Let(bindings, body) => {
                let want = self.types.form(body);
                self.let_form(bindings, body, want, span)
            }
            CoreKind::Block(items, body) => self.block(items, body, None, span),
            CoreKind::Seq(items) => {
                let (last, first) =
                    items.split_last().unwrap_or_else(|| oxbow_diag::ice!("empty sequence"));
                let mut all: Vec<_> = first.iter().map(|it| self.effect(it)).collect();
                let (value, form) = self.expr(last);
                all.push(value);
                (ml::sequence(all, span), form)
            }
            CoreKind::Call(callee, args) => self.call(callee, args, span),
            CoreKind::Guard { body, var, handler } => {
                (self.guard(body, *var, handler, span), Form::Dyn)
            }
        }
    }

    fn variable(&mut self, var: VarId, span: Span) -> (ast::Expr, Form) {
        match self.places.get(var).cloned() {
            Some(Place::Value(form)) => (ml::local(self.name(var), span), form),
            Some(Place::Cell { late }) => {
                let value = ml::contents(ml::local(self.name(var), span), span);
                if !late {
                    return (value, Form::Dyn);
                }
                let name = ml::string(self.vars[var].name.as_str(), span);
                let place = self.place_text(span);
                (ml::call(VALUE, "defined", vec![place, name, value], span), Form::Dyn)
            }
            Some(Place::Function(_)) => {
                self.valued.entry_or_insert_with(var, || false);
                (ml::local(self.value_name(var), span), Form::Dyn)
            }
            None => oxbow_diag::ice!("`{}` has no place", self.vars[var].name),
        }
    }

    fn branch(&mut self, test: &Core, yes: &Core, no: &Core, span: Span) -> (ast::Expr, Form) {
        let test = self.test(test);
        let (yes_value, yes_form) = self.expr(yes);
        let (no_value, no_form) = self.expr(no);
        let form = join(yes_form, no_form);
        let yes = self.convert_constant(yes, yes_value, yes_form, form);
        let no = self.convert_constant(no, no_value, no_form, form);
        (ml::if_(test, yes, no, span), form)
    }

    fn and(&mut self, items: &[Core], span: Span) -> (ast::Expr, Form) {
        let (last, tests) = items.split_last().unwrap_or_else(|| oxbow_diag::ice!("empty `and`"));
        let (mut value, form) = self.expr(last);
        if form != Form::Bool {
            value = self.convert_constant(last, value, form, Form::Dyn);
        }
        let all_bool = form == Form::Bool;
        let value = tests.iter().rev().fold(value, |rest, it| {
            let test = self.test(it);
            let no = if all_bool {
                ml::boolean(false, span)
            } else {
                ml::construct(VALUE, "False", Vec::new(), span)
            };
            ml::if_(test, rest, no, span)
        });
        (value, if all_bool { Form::Bool } else { Form::Dyn })
    }

    fn or(&mut self, items: &[Core], span: Span) -> (ast::Expr, Form) {
        if items.iter().all(|it| self.types.form(it) == Form::Bool) {
            return (self.tests("||", items, span), Form::Bool);
        }
        let (last, tests) = items.split_last().unwrap_or_else(|| oxbow_diag::ice!("empty `or`"));
        let value = self.expr_as(last, Form::Dyn);
        let value = tests.iter().rev().fold(value, |rest, it| {
            let (value, form) = self.expr(it);
            if form == Form::Bool {
                return ml::if_(value, ml::construct(VALUE, "True", Vec::new(), span), rest, span);
            }
            let value = self.convert_constant(it, value, form, Form::Dyn);
            let name = self.fresh("or");
            let test = self.convert(ml::local(name, span), Form::Dyn, Form::Bool, span);
            let choice = ml::if_(test, ml::local(name, span), rest, span);
            let pattern = ml::typed_pattern(name, form_type(Form::Dyn, span), span);
            ml::let_(vec![ml::binding(pattern, value, span)], choice, span)
        });
        (value, Form::Dyn)
    }

    /// Values first to last, then the body. Names are unique, so that one `let` may stand inside another.
    fn let_form(
        &mut self,
        bindings: &[(VarId, Core)],
        body: &Core,
        want: Form,
        span: Span,
    ) -> (ast::Expr, Form) {
        let mut made = Vec::new();
        for (var, value) in bindings {
            let at = value.span;
            let name = self.name(*var);
            match &value.kind {
                CoreKind::Lambda(lambda) if !self.vars[*var].mutated => {
                    let signature = self.signature(*var, lambda);
                    let function = self.function(*var, lambda);
                    self.places.insert(*var, Place::Function(signature));
                    made.push(ml::binding(ml::var_pattern(name, at), function, at));
                }
                _ if self.vars[*var].mutated => {
                    let value = self.expr_as(value, Form::Dyn);
                    self.places.insert(*var, Place::Cell { late: false });
                    let cell = ml::reference(value, at);
                    made.push(ml::binding(ml::var_pattern(name, at), cell, at));
                }
                _ => {
                    let form = self.types.var(*var);
                    let value = self.expr_as(value, form);
                    self.places.insert(*var, Place::Value(form));
                    let pattern = ml::typed_pattern(name, form_type(form, at), at);
                    made.push(ml::binding(pattern, value, at));
                }
            }
        }
        let (body, form) = match want {
            Form::Bool => (self.test(body), Form::Bool),
            Form::Unit => (self.effect(body), Form::Unit),
            _ => self.expr(body),
        };
        let value = bindings.iter().zip(made).rev().fold(body, |body, ((var, _), it)| {
            let value = self.value_of(*var);
            let body = value.into_iter().fold(body, |body, it| ml::let_(vec![it], body, span));
            ml::let_(vec![it], body, span)
        });
        (value, form)
    }

    /// Definitions inside a body.
    fn block(
        &mut self,
        items: &[Item],
        body: &Core,
        want: Option<Form>,
        span: Span,
    ) -> (ast::Expr, Form) {
        let plan = plan::plan(items, Some(body), self.vars);
        self.note_places(items, &plan);
        enum Made {
            Let(Box<ast::Binding>),
            Rec(Vec<ast::Binding>, bool),
            Effect(Box<ast::Expr>),
        }
        let mut made = Vec::new();
        let mut later = Vec::new();
        for step in &plan.steps {
            match step {
                Step::Cell(var) => {
                    let cell = self.undefined_cell(span);
                    made.push(Made::Let(Box::new(self.bind_cell(*var, cell))));
                }
                Step::Functions(group) => {
                    let (bindings, recursive) = self.functions(items, group);
                    made.push(Made::Rec(bindings, recursive));
                    later.push((made.len(), group));
                }
                Step::Item(at) => {
                    let item = &items[*at];
                    let at = item.value.span;
                    match item.var.map(|var| (var, self.places.get(var).cloned())) {
                        Some((var, Some(Place::Value(form)))) => {
                            let value = self.expr_as(&item.value, form);
                            let pattern =
                                ml::typed_pattern(self.name(var), form_type(form, at), at);
                            made.push(Made::Let(Box::new(ml::binding(pattern, value, at))));
                        }
                        Some((var, _)) => {
                            let value = self.expr_as(&item.value, Form::Dyn);
                            let cell = ml::local(self.name(var), at);
                            made.push(Made::Effect(Box::new(ml::set_contents(cell, value, at))));
                        }
                        None => made.push(Made::Effect(Box::new(self.effect(&item.value)))),
                    }
                }
            }
        }
        let (body, form) = match want {
            Some(Form::Bool) => (self.test(body), Form::Bool),
            Some(Form::Unit) => (self.effect(body), Form::Unit),
            _ => self.expr(body),
        };
        for (at, group) in later.into_iter().rev() {
            for binding in self.values(items, group) {
                made.insert(at, Made::Let(Box::new(binding)));
            }
        }
        let value = made.into_iter().rev().fold(body, |body, it| match it {
            Made::Let(binding) => ml::let_(vec![*binding], body, span),
            Made::Rec(bindings, true) => ml::let_rec(bindings, body, span),
            Made::Rec(bindings, false) => ml::let_(bindings, body, span),
            Made::Effect(effect) => ml::sequence(vec![*effect, body], span),
        });
        (value, form)
    }

    /// ```text
    /// let saved = handlers and winds in
    /// match enter (); body with
    /// | value -> handlers := saved; value
    /// | exception Raised object -> handlers := saved; rewind; handler
    /// ```
    fn guard(&mut self, body: &Core, var: VarId, handler: &Core, span: Span) -> ast::Expr {
        let unit = || vec![ml::unit(span)];
        let body = self.expr_as(body, Form::Dyn);
        self.places.insert(
            var,
            if self.vars[var].mutated {
                Place::Cell { late: false }
            } else {
                Place::Value(Form::Dyn)
            },
        );
        let handler = self.expr_as(handler, Form::Dyn);
        let handler = self.with_cells(&[var], handler, span);
        let (saved, winds, result) =
            (self.fresh("saved"), self.fresh("winds"), self.fresh("result"));
        let restore = || ml::call(CONTROL, "set_handlers", vec![ml::local(saved, span)], span);
        let rewind = ml::call(CONTROL, "rewind_to", vec![ml::local(winds, span)], span);
        let enter = ml::call(CONTROL, "guard_enter", unit(), span);
        let inner = ml::sequence(vec![enter, body], span);
        let value = ml::case(
            ml::var_pattern(result, span),
            ml::sequence(vec![restore(), ml::local(result, span)], span),
        );
        let object = ml::typed_pattern(self.name(var), form_type(Form::Dyn, span), span);
        let caught = ml::construct_pattern(VALUE, "Raised", Some(object), span);
        let caught = ml::pattern(PatternKind::Exception(Box::new(caught)), span);
        let caught = ml::case(caught, ml::sequence(vec![restore(), rewind, handler], span));
        let guarded = ml::match_(inner, vec![value, caught], span);
        let bind = |name: Symbol, function: &str, body: ast::Expr| {
            let value = ml::call(CONTROL, function, vec![ml::unit(span)], span);
            ml::let_(vec![ml::binding(ml::var_pattern(name, span), value, span)], body, span)
        };
        bind(saved, "get_handlers", bind(winds, "get_winds", guarded))
    }
}
