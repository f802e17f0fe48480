//! Derivatives of known procedures on floats: a second version of the procedure, of floats alone, for the pass
//! `differentiate`, which takes its derivative at compile time.
//!
//! ```text
//! (gradient (lambda (v) (* (vector-ref v 0) k)) x)
//!     match Eshkol_static.floats x with
//!     | Some point -> (try of_floats (Ad.gradient (fun v -> get v 0 *. k) point) with Not_static -> dynamic)
//!     | None -> dynamic
//! ```
//!
//! The version is made of arithmetic, comparisons, branches, bindings, variables and vectors of its own that it
//! changes, and calls of known procedures, which are copied for the types of their arguments. It has no effects
//! outside: where the run finds something that it does not cover (an exact result, an index that is no index), it is
//! left, and the dynamic numbers of decision 29 do the work from the start. What has no such version uses them always.

use oxbow_base::{IdMap, Span, Symbol};
use oxbow_elab::ast;

use super::{Emitter, Place};
use crate::builtin::Form;
use crate::core::{Core, CoreKind, Item, Lambda, Var, VarId};
use crate::datum::{DatumKind, Number};
use crate::ml;
use crate::plan;
use crate::variant::{Calls, Variant};

mod builtins;
mod calls;

use builtins::join;

const STATIC: &str = "Eshkol_static";
/// Copies of procedures in one derivative; more make it slow to compile.
const MOST_COPIES: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Float,
    Int,
    Bool,
    /// A vector of floats that nobody changes.
    Floats,
    /// One that was made inside, and may be changed.
    Fresh,
    /// The value of what is done for its effect.
    Unit,
}

/// What a parameter of a copy stands for.
#[derive(Clone, Copy)]
enum Param<'p> {
    Value(Type),
    /// A procedure that is known: the copy is made for it, and it is not passed.
    Procedure(&'p Lambda),
}

impl PartialEq for Param<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(a), Self::Value(b)) => a == b,
            (Self::Procedure(a), Self::Procedure(b)) => std::ptr::eq(*a, *b),
            (Self::Value(_), Self::Procedure(_)) | (Self::Procedure(_), Self::Value(_)) => false,
        }
    }
}

/// A copy of a procedure for the types of its arguments.
struct Copied<'p> {
    var: VarId,
    params: Vec<Param<'p>>,
    name: Symbol,
    result: Option<Type>,
    /// The result was asked for before it was known.
    assumed: bool,
    value: Option<ast::Expr>,
}

/// Procedures that are bound together, and their copies so far.
#[derive(Default)]
struct Scope<'a> {
    lambdas: IdMap<VarId, &'a Lambda>,
    copies: Vec<Copied<'a>>,
}

struct Typed<'e, 'a, 'p> {
    emitter: &'e mut Emitter<'a>,
    types: IdMap<VarId, Type>,
    /// The first is that of the procedures around the derivative.
    scopes: Vec<Scope<'p>>,
    /// Local procedures below this scope belong to other copies of the code.
    barrier: usize,
    /// Variables of unknown form that are used as numbers or vectors: they are looked at once.
    inputs: Vec<(VarId, Type, Symbol)>,
    copies: usize,
    /// Procedures that are being copied for procedures: inside of themselves their variables would be mistaken.
    open: Vec<&'p Lambda>,
}

/// How an operator is called.
struct Operator {
    function: &'static str,
    /// Of the procedure's argument and result.
    argument: Type,
    result: Type,
    /// Arguments after the point.
    more: &'static [Type],
    /// The function of `Eshkol_static` that makes a value of the result.
    convert: &'static str,
}

fn operator(var: &Var) -> Option<Operator> {
    match var.variant {
        Some(Variant { of, at: Calls::Placed }) => derivative(of),
        _ => None,
    }
}

fn derivative(name: Symbol) -> Option<Operator> {
    let (function, argument, result, more, convert): (_, _, _, &'static [Type], _) =
        match name.as_str() {
            "derivative" => ("derivative", Type::Float, Type::Float, &[], "of_float"),
            "derivative-n" => ("derivative_n", Type::Float, Type::Float, &[Type::Int], "of_float"),
            "taylor" => ("taylor", Type::Float, Type::Float, &[Type::Int], "of_list"),
            "gradient" => ("gradient", Type::Floats, Type::Float, &[], "of_floats"),
            "value-and-gradient" => {
                ("value_and_gradient", Type::Floats, Type::Float, &[], "of_value_and_floats")
            }
            "hessian" => ("hessian", Type::Floats, Type::Float, &[], "of_rows"),
            "laplacian" => ("laplacian", Type::Floats, Type::Float, &[], "of_float"),
            "directional-derivative" => {
                ("directional_derivative", Type::Floats, Type::Float, &[Type::Floats], "of_float")
            }
            "jacobian" => ("jacobian", Type::Floats, Type::Floats, &[], "of_rows"),
            "divergence" => ("divergence", Type::Floats, Type::Floats, &[], "of_float"),
            "curl" => ("curl", Type::Floats, Type::Floats, &[], "of_floats"),
            _ => return None,
        };
    Some(Operator { function, argument, result, more, convert })
}

/// How many arguments an operator has after its procedure.
pub fn points(var: &Var) -> Option<usize> {
    operator(var).map(|it| 1 + it.more.len())
}

pub(super) fn is_operator(var: &Var) -> bool {
    operator(var).is_some()
}

/// Is it the name of one of the operators of `calculus.esk`?
pub fn is_derivative(name: Symbol) -> bool {
    derivative(name).is_some()
}

impl<'a> Emitter<'a> {
    /// A call of an operator with a procedure that has a version of floats; `dynamic` is the call without
    /// it, given the arguments after the procedure.
    pub(super) fn typed_derivative(
        &mut self,
        callee: VarId,
        args: &[Core],
        span: Span,
    ) -> Option<ast::Expr> {
        let operator = operator(&self.vars[callee])?;
        let [_, procedure, points @ ..] = args else { return None };
        if points.len() != 1 + operator.more.len() {
            return None;
        }
        let (function, bindings, inputs) = self.typed_procedure(procedure, &operator, span)?;
        let names: Vec<Symbol> = points.iter().map(|_| self.fresh("point")).collect();
        let exact: Vec<Symbol> = points.iter().map(|_| self.fresh("given")).collect();
        let dynamic_name = self.fresh("dynamic");
        let dynamic = ml::apply(ml::local(dynamic_name, span), vec![ml::unit(span)], span);

        // The operator, on values whose types are known.
        let mut given: Vec<ast::Expr> = exact.iter().map(|&it| ml::local(it, span)).collect();
        if operator.more == [Type::Int] {
            given.swap(0, 1);
            given.insert(1, function);
        } else {
            given.insert(0, function);
        }
        let found = ml::call("Ad", operator.function, given, span);
        let found = ml::call(STATIC, operator.convert, vec![found], span);
        let found = match bindings.is_empty() {
            true => found,
            false => ml::let_rec(bindings, found, span),
        };
        let left = ml::construct_pattern(STATIC, "Not_static", None, span);
        // An operator that refuses a dimension: the dynamic one says so in Eshkol's words.
        let any = ml::pattern(ast::PatternKind::Any, span);
        let refused = ml::construct_pattern("", "Invalid_argument", Some(any), span);
        let cases = vec![ml::case(left, dynamic.clone()), ml::case(refused, dynamic.clone())];
        let mut body = ml::expr(ast::ExprKind::Try(Box::new(found), cases), span);

        // What was given is looked at, the last of it innermost.
        let mut wanted: Vec<(Symbol, Type, ast::Expr)> = Vec::new();
        for (var, ty, name) in inputs {
            wanted.push((name, ty, ml::local(self.name(var), span)));
        }
        let types: Vec<Type> =
            [operator.argument].into_iter().chain(operator.more.iter().copied()).collect();
        for ((&name, &exact), ty) in names.iter().zip(&exact).zip(types) {
            wanted.push((exact, ty, ml::local(name, span)));
        }
        for (name, ty, value) in wanted.into_iter().rev() {
            let look = match ty {
                Type::Float => "float",
                Type::Int => "int",
                Type::Floats => "floats",
                Type::Bool | Type::Fresh | Type::Unit => return None,
            };
            let looked = ml::call(STATIC, look, vec![value], span);
            let some = ml::construct_pattern("", "Some", Some(ml::var_pattern(name, span)), span);
            let none = ml::construct_pattern("", "None", None, span);
            let cases = vec![ml::case(some, body), ml::case(none, dynamic.clone())];
            body = ml::match_(looked, cases, span);
        }

        // `let point = … in let dynamic () = … in …`
        let mut call: Vec<ast::Expr> = vec![self.expr_as(&args[0], Form::Dyn)];
        call.push(self.expr_as(procedure, Form::Dyn));
        let nil = ml::construct(super::VALUE, "Nil", Vec::new(), span);
        let list = names.iter().map(|&it| ml::local(it, span)).collect();
        call.push(self.list_of(list, nil, span));
        let call = ml::apply(ml::local(self.name(callee), span), call, span);
        let thunk = ml::fun(vec![ml::construct_pattern("", "()", None, span)], None, call, span);
        let thunk = ml::binding(ml::var_pattern(dynamic_name, span), thunk, span);
        body = ml::let_(vec![thunk], body, span);
        for (point, &name) in points.iter().zip(&names).rev() {
            let value = self.expr_as(point, Form::Dyn);
            let ty = super::form_type(Form::Dyn, span);
            let pattern = ml::typed_pattern(name, ty, span);
            body = ml::let_(vec![ml::binding(pattern, value, span)], body, span);
        }
        Some(body)
    }

    /// The procedure on floats, the copies of others that it calls, and what it needs from outside.
    #[expect(clippy::type_complexity, reason = "used once")]
    fn typed_procedure(
        &mut self,
        procedure: &Core,
        operator: &Operator,
        span: Span,
    ) -> Option<(ast::Expr, Vec<ast::Binding>, Vec<(VarId, Type, Symbol)>)> {
        let lambda: &Lambda = match &procedure.kind {
            CoreKind::Lambda(lambda) => lambda,
            CoreKind::Ref(var) => self.lambdas.get(*var).copied()?,
            _ => return None,
        };
        if lambda.params.len() != 1 {
            return None;
        }
        let mut typed = Typed {
            types: IdMap::new(),
            scopes: vec![Scope::default()],
            barrier: 1,
            inputs: Vec::new(),
            copies: 0,
            open: Vec::new(),
            emitter: self,
        };
        let (function, result) = typed.function(lambda, &[Param::Value(operator.argument)])?;
        if !result.serves_as(operator.result) {
            return None;
        }
        let bindings = typed.bindings(0, span)?;
        let inputs = std::mem::take(&mut typed.inputs);
        Some((function, bindings, inputs))
    }
}

impl<'a: 'p, 'p> Typed<'_, 'a, 'p> {
    fn function(&mut self, lambda: &'p Lambda, params: &[Param<'p>]) -> Option<(ast::Expr, Type)> {
        let span = lambda.span;
        let plain = lambda.rest.is_none()
            && !lambda.takes_continuation
            && lambda.params.len() == params.len();
        if !plain {
            return None;
        }
        let before: Vec<_> = lambda.params.iter().map(|it| self.types.get(*it).copied()).collect();
        let (mut patterns, mut cells) = (Vec::new(), Vec::new());
        let mut scope = Scope::default();
        for (&param, &kind) in lambda.params.iter().zip(params) {
            let ty = match kind {
                Param::Value(ty) => ty,
                Param::Procedure(_) if self.emitter.vars[param].mutated => return None,
                Param::Procedure(lambda) => {
                    scope.lambdas.insert(param, lambda);
                    continue;
                }
            };
            self.types.insert(param, ty);
            let name = self.emitter.name(param);
            patterns.push(ml::typed_pattern(name, type_expr(ty, span), span));
            if self.emitter.vars[param].mutated {
                cells.push(name);
            }
        }
        if patterns.is_empty() {
            patterns.push(ml::construct_pattern("", "()", None, span));
        }
        let made = match scope.lambdas.is_empty() {
            true => self.expr(&lambda.body, None),
            false => self.bound(Vec::new(), scope, |it| it.expr(&lambda.body, None), span),
        };
        for (param, before) in lambda.params.iter().zip(before) {
            match before {
                Some(ty) => self.types.insert(*param, ty),
                None => self.types.remove(*param),
            };
        }
        let (mut body, result) = made?;
        // A parameter that is assigned is a reference inside.
        for name in cells {
            let cell = ml::reference(ml::local(name, span), span);
            body = ml::let_(vec![ml::binding(ml::var_pattern(name, span), cell, span)], body, span);
        }
        Some((ml::fun(patterns, None, body, span), result))
    }

    /// The copies that a scope was asked for.
    fn bindings(&mut self, scope: usize, span: Span) -> Option<Vec<ast::Binding>> {
        let copies = std::mem::take(&mut self.scopes[scope].copies);
        copies
            .into_iter()
            .map(|it| Some(ml::binding(ml::var_pattern(it.name, span), it.value?, span)))
            .collect()
    }

    /// `want` is the type that fits best; the answer says what it is.
    fn expr(&mut self, core: &'p Core, want: Option<Type>) -> Option<(ast::Expr, Type)> {
        let span = core.span;
        match &core.kind {
            CoreKind::Const(datum) => match &datum.kind {
                DatumKind::Bool(value) => Some((ml::boolean(*value, span), Type::Bool)),
                DatumKind::Number(Number::Fixnum(value)) => {
                    Some((ml::int(*value, span), Type::Int))
                }
                DatumKind::Number(Number::Flonum(value)) => {
                    Some((ml::float(*value, span), Type::Float))
                }
                _ => None,
            },
            CoreKind::Ref(var) => self.variable(*var, want, span),
            CoreKind::If(test, yes, no) => {
                let test = self.test(test)?;
                let (yes, no) = (self.expr(yes, want)?, self.expr(no, want)?);
                let (yes, no, ty) = join(yes, no, span)?;
                Some((ml::if_(test, yes, no, span), ty))
            }
            CoreKind::And(items) => self.tests("&&", items, span),
            CoreKind::Or(items) => self.tests("||", items, span),
            CoreKind::Let(bindings, body) => self.let_form(bindings, body, want, span),
            CoreKind::Block(items, body) => self.block(items, body, want, span),
            CoreKind::Call(callee, args) => match &callee.kind {
                CoreKind::Builtin(id) => {
                    let procedure = self.emitter.builtins.get(*id).procedure;
                    self.builtin(procedure, args, want, span)
                }
                CoreKind::Ref(var) => self.call(*var, args, span),
                _ => None,
            },
            CoreKind::Unspecified => Some((ml::unit(span), Type::Unit)),
            CoreKind::Seq(items) => {
                let (last, first) = items.split_last()?;
                let first = first.iter().map(|it| self.effect(it)).collect::<Option<Vec<_>>>()?;
                let (last, ty) = self.expr(last, want)?;
                Some((ml::sequence(first.into_iter().chain([last]).collect(), span), ty))
            }
            CoreKind::Set(var, value) => {
                let ty = *self.types.get(*var)?;
                let value = self.as_type(value, ty)?;
                let cell = ml::local(self.emitter.name(*var), span);
                Some((ml::set_contents(cell, value, span), Type::Unit))
            }
            CoreKind::Builtin(_)
            | CoreKind::Lambda(_)
            | CoreKind::CaseLambda(_)
            | CoreKind::Guard { .. } => None,
        }
    }

    /// What is done for its effect.
    fn effect(&mut self, core: &'p Core) -> Option<ast::Expr> {
        match self.expr(core, None)? {
            (value, Type::Unit) => Some(value),
            (value, _) => Some(ml::call("", "ignore", vec![value], core.span)),
        }
    }

    fn variable(
        &mut self,
        var: VarId,
        want: Option<Type>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        if let Some(&ty) = self.types.get(var) {
            let value = ml::local(self.emitter.name(var), span);
            let mutated = self.emitter.vars[var].mutated;
            return Some((if mutated { ml::contents(value, span) } else { value }, ty));
        }
        // A parameter that stands for a known procedure is no value.
        if self.scopes.iter().any(|it| it.lambdas.contains(var)) {
            return None;
        }
        let form = match self.emitter.places.get(var) {
            Some(Place::Value(form)) => *form,
            _ => return None,
        };
        let ty = match form {
            Form::Float => Type::Float,
            Form::Int => Type::Int,
            Form::Bool => Type::Bool,
            Form::Dyn => {
                let is_given = |it: &Type| matches!(it, Type::Float | Type::Int | Type::Floats);
                let ty = want.filter(is_given)?;
                let known = self.inputs.iter().find(|it| it.0 == var);
                let (name, ty) = match known {
                    Some(known) if (known.1 == Type::Floats) == (ty == Type::Floats) => {
                        (known.2, known.1)
                    }
                    Some(_) => return None,
                    None => {
                        let name = self.emitter.fresh("input");
                        self.inputs.push((var, ty, name));
                        (name, ty)
                    }
                };
                return Some((ml::local(name, span), ty));
            }
            Form::Unit | Form::Never | Form::Fun(_) => return None,
        };
        Some((ml::local(self.emitter.name(var), span), ty))
    }

    fn test(&mut self, core: &'p Core) -> Option<ast::Expr> {
        let (test, ty) = self.expr(core, Some(Type::Bool))?;
        (ty == Type::Bool).then_some(test)
    }

    fn tests(
        &mut self,
        operator: &str,
        items: &'p [Core],
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let mut tests = Vec::new();
        for item in items {
            tests.push(self.test(item)?);
        }
        let last = tests.pop()?;
        let all = tests
            .into_iter()
            .rev()
            .fold(last, |rest, it| ml::call("", operator, vec![it, rest], span));
        Some((all, Type::Bool))
    }

    fn let_form(
        &mut self,
        bindings: &'p [(VarId, Core)],
        body: &'p Core,
        want: Option<Type>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let mut made = Vec::new();
        let mut scope = Scope::default();
        for (var, value) in bindings {
            if let CoreKind::Lambda(lambda) = &value.kind {
                if self.emitter.vars[*var].mutated {
                    return None;
                }
                scope.lambdas.insert(*var, lambda);
                continue;
            }
            let (value, ty) = self.expr(value, None)?;
            made.push((*var, value, ty));
        }
        let inside = |it: &mut Self| it.expr(body, want);
        let (body, ty) = self.bound(made, scope, inside, span)?;
        Some((body, ty))
    }

    /// Values first, then procedures: a procedure that mentions a later value is not covered.
    fn block(
        &mut self,
        items: &'p [Item],
        body: &'p Core,
        want: Option<Type>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let Some((item, rest)) = items.split_first() else { return self.expr(body, want) };
        let Some(var) = item.var else {
            let first = self.effect(&item.value)?;
            let (rest, ty) = self.block(rest, body, want, span)?;
            return Some((ml::sequence(vec![first, rest], span), ty));
        };
        if !plan::is_function(item, self.emitter.vars) {
            let (value, ty) = self.expr(&item.value, None)?;
            let inside = |it: &mut Self| it.block(rest, body, want, span);
            return self.bound(vec![(var, value, ty)], Scope::default(), inside, span);
        }
        let mut scope = Scope::default();
        for item in items {
            let CoreKind::Lambda(lambda) = &item.value.kind else { return None };
            if !plan::is_function(item, self.emitter.vars) {
                return None;
            }
            scope.lambdas.insert(item.var?, lambda);
        }
        self.bound(Vec::new(), scope, |it| it.expr(body, want), span)
    }

    /// Code inside of bindings of values and procedures.
    fn bound(
        &mut self,
        values: Vec<(VarId, ast::Expr, Type)>,
        scope: Scope<'p>,
        inside: impl FnOnce(&mut Self) -> Option<(ast::Expr, Type)>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let saved: Vec<_> = values.iter().map(|it| (it.0, self.types.get(it.0).copied())).collect();
        for (var, _, ty) in &values {
            self.types.insert(*var, *ty);
        }
        let at = self.scopes.len();
        self.scopes.push(scope);
        let made = inside(self);
        let copies = self.bindings(at, span);
        self.scopes.pop();
        for (var, before) in saved {
            match before {
                Some(ty) => self.types.insert(var, ty),
                None => self.types.remove(var),
            };
        }
        let (mut body, ty) = made?;
        let copies = copies?;
        if !copies.is_empty() {
            body = ml::let_rec(copies, body, span);
        }
        for (var, value, own) in values.into_iter().rev() {
            let name = self.emitter.name(var);
            let (pattern, value) = if self.emitter.vars[var].mutated {
                (ml::var_pattern(name, span), ml::reference(value, span))
            } else {
                (ml::typed_pattern(name, type_expr(own, span), span), value)
            };
            body = ml::let_(vec![ml::binding(pattern, value, span)], body, span);
        }
        Some((body, ty))
    }
}

impl Type {
    /// Whether a value of this type can be used where the other one is wanted.
    fn serves_as(self, wanted: Self) -> bool {
        self == wanted || (self, wanted) == (Self::Fresh, Self::Floats)
    }
}

fn type_expr(ty: Type, span: Span) -> ast::TypeExpr {
    match ty {
        Type::Float => ml::type_name("", "float", span),
        Type::Int => ml::type_name("", "int", span),
        Type::Bool => ml::type_name("", "bool", span),
        Type::Floats | Type::Fresh => ml::type_name(STATIC, "floats", span),
        Type::Unit => ml::type_name("", "unit", span),
    }
}
