//! What forms the variables and procedures of a core program have: one analysis of the whole program.
//!
//! A variable has the form that all values it can get have: the arguments of all calls, if every call of its
//! procedure is known; else it is a value of any kind. Forms are found by rising from "nothing yet":
//!
//! ```text
//!            Dyn
//!     ┌───────┼───────┐
//!   Float    Int     Bool
//!     └───────┼───────┘
//!           (none)
//! ```
//!
//! A sum with a float in it is a float, whatever the other operands are, or an error. Sums of integers can
//! leave the fixnums, so `Int` comes from lengths and constants only.

use oxbow_base::{FxHashMap, IdMap, IdSet};

use crate::builtin::{self, Form, Shape, TENSOR};
use crate::core::{Core, CoreKind, Lambda, Program, VarId, for_each_binding};
use crate::datum::{DatumKind, Number};
use crate::known;
use crate::lists::Lists;
use crate::procedure::Procedure;
use crate::procs;
use crate::reals::{Reals, leaves_reals};

#[derive(Default)]
pub struct Types {
    vars: IdMap<VarId, Form>,
    results: IdMap<VarId, Form>,
    /// Variables and procedures that nothing is known about.
    any: IdSet<VarId>,
    functions: IdSet<VarId>,
    /// Parameters that are held as functions.
    procs: IdMap<VarId, u8>,
    /// What is known about lists.
    pub lists: Lists,
    /// The program takes derivatives, so a number of unknown form may carry one.
    beyond_reals: bool,
    /// The program has complex numbers.
    pub complex: bool,
    /// The program has tensors.
    pub tensors: bool,
    /// Calls that give no complex numbers.
    reals: Reals,
    /// The form of each expression of the program, by its address. Expressions stay where they are while the
    /// program is borrowed, so that one made by a later stage has another address and is looked at anew.
    known: FxHashMap<*const Core, Option<Form>>,
}

/// Finds the forms.
pub fn infer(program: &Program) -> Types {
    let mut types = Types::default();
    let mut lambdas: IdMap<VarId, &Lambda> = IdMap::new();
    let mut pass = Pass { types: &mut types, program, lambdas: &mut lambdas };
    pass.prepare();
    pass.types.reals = Reals::of(program);
    pass.types.complex = mentions_complex(program) || pass.types.reals.leaves;
    pass.types.tensors = mentions_tensors(program);
    pass.types.beyond_reals = pass.types.complex || takes_derivatives(program);
    pass.solve();
    types.procs = procs::procs(program);
    types
}

fn join(a: Option<Form>, b: Option<Form>) -> Option<Form> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(Form::Never), other) | (other, Some(Form::Never)) => other,
        (Some(a), Some(b)) if a == b => Some(a),
        _ => Some(Form::Dyn),
    }
}

impl Types {
    pub fn var(&self, var: VarId) -> Form {
        if let Some(&count) = self.procs.get(var) {
            return Form::Fun(count);
        }
        self.vars.get(var).copied().unwrap_or(Form::Dyn)
    }

    pub fn result(&self, var: VarId) -> Form {
        self.results.get(var).copied().unwrap_or(Form::Dyn)
    }

    /// The form that an expression's value has.
    pub fn form(&self, core: &Core) -> Form {
        self.find(core).unwrap_or(Form::Dyn)
    }

    /// `None` if nothing is known yet.
    fn find(&self, core: &Core) -> Option<Form> {
        match self.known.get(&std::ptr::from_ref(core)) {
            Some(&form) => form,
            None => self.compute(core),
        }
    }

    /// The form that follows from those of the parts.
    fn compute(&self, core: &Core) -> Option<Form> {
        match &core.kind {
            CoreKind::Const(datum) => Some(match &datum.kind {
                DatumKind::Bool(_) => Form::Bool,
                DatumKind::Number(Number::Fixnum(_)) => Form::Int,
                DatumKind::Number(Number::Flonum(_)) => Form::Float,
                _ => Form::Dyn,
            }),
            CoreKind::Ref(var) => {
                if self.functions.contains(*var) || self.any.contains(*var) {
                    Some(Form::Dyn)
                } else {
                    self.vars.get(*var).copied()
                }
            }
            CoreKind::If(_, yes, no) => join(self.find(yes), self.find(no)),
            CoreKind::And(items) => match items.last().and_then(|it| self.find(it)) {
                Some(Form::Bool) => Some(Form::Bool),
                None => None,
                _ => Some(Form::Dyn),
            },
            CoreKind::Or(items) => {
                let is_bool =
                    |it: &Core| matches!(self.find(it), None | Some(Form::Bool | Form::Never));
                Some(if items.iter().all(is_bool) { Form::Bool } else { Form::Dyn })
            }
            CoreKind::Let(_, body) | CoreKind::Block(_, body) => self.find(body),
            CoreKind::Seq(items) => items.last().and_then(|it| self.find(it)),
            CoreKind::Call(callee, args) => match &callee.kind {
                CoreKind::Builtin(id) => self.builtin(builtin::table().get(*id), args),
                CoreKind::Ref(var) if self.functions.contains(*var) => {
                    if self.any.contains(*var) {
                        Some(Form::Dyn)
                    } else {
                        self.results.get(*var).copied()
                    }
                }
                _ => Some(Form::Dyn),
            },
            CoreKind::Unspecified
            | CoreKind::Builtin(_)
            | CoreKind::Set(..)
            | CoreKind::Lambda(_)
            | CoreKind::CaseLambda(_)
            | CoreKind::Guard { .. } => Some(Form::Dyn),
        }
    }

    fn builtin(&self, it: &builtin::Builtin, args: &[Core]) -> Option<Form> {
        if it.result == Form::Bool {
            return Some(Form::Bool);
        }
        if matches!(it.procedure, Procedure::Inexact) {
            return match self.beyond_reals.then(|| self.find(&args[0])) {
                None | Some(Some(Form::Float | Form::Int)) => Some(Form::Float),
                Some(None) => None,
                Some(Some(_)) => Some(Form::Dyn),
            };
        }
        if it.procedure == Procedure::Values && args.len() == 1 {
            return self.find(&args[0]);
        }
        if self.is_float_call(it.procedure, args) {
            return Some(Form::Float);
        }
        let arithmetic = float_operation(it.procedure).is_some() || is_float_function(it.procedure);
        if arithmetic && args.iter().any(|it| self.find(it).is_none()) {
            return None;
        }
        match (it.result, it.shape) {
            (Form::Float, _) => Some(Form::Float),
            (Form::Int, _) => Some(Form::Int),
            (Form::Never, _) => Some(Form::Never),
            (_, Shape::Fold(_)) if args.is_empty() => Some(Form::Int),
            _ => Some(Form::Dyn),
        }
    }

    /// A number with a derivative or a complex one, for all that is known.
    pub fn may_be_active(&self, core: &Core) -> bool {
        self.beyond_reals && !matches!(self.find(core), Some(Form::Float | Form::Int) | None)
    }

    /// Whether a call of a primitive is one on floats.
    pub fn is_float_call(&self, procedure: Procedure, args: &[Core]) -> bool {
        let leaves = self.complex && leaves_reals(procedure) && !self.reals.stays(args);
        if leaves || args.iter().any(|it| self.may_be_active(it)) {
            return false;
        }
        let is_float = |it: &Core| self.find(it) == Some(Form::Float);
        match (procedure, args) {
            (
                Procedure::Add
                | Procedure::Sub
                | Procedure::Mul
                | Procedure::Less
                | Procedure::Greater
                | Procedure::LessOrEqual
                | Procedure::GreaterOrEqual
                | Procedure::Equal,
                [_, _, ..],
            ) => args.iter().any(is_float),
            (Procedure::Div, [first, rest @ ..]) if !rest.is_empty() => {
                // An exact zero is no divisor, so the divisors must be floats or other constants.
                let divides = |it: &Core| is_float(it) || is_nonzero(it);
                rest.iter().all(divides) && (is_float(first) || rest.iter().any(is_float))
            }
            (Procedure::Expt, [base, exponent]) => is_float(base) && is_float(exponent),
            (_, [one]) => is_float_function(procedure) && is_float(one),
            _ => false,
        }
    }
}

/// Every operator begins its derivative with the same primitive.
fn takes_derivatives(program: &Program) -> bool {
    program.mentions(|it| it.procedure == Procedure::AdOpen)
}

/// Programs mention complex numbers by literals, procedures of theirs, or an import.
fn mentions_complex(program: &Program) -> bool {
    let mut found = program.imports_complex;
    for item in &program.items {
        item.value.walk(|core| {
            if let CoreKind::Const(datum) = &core.kind {
                found |= datum.has_complex();
            }
        });
    }
    found || program.mentions(|it| known::OF_COMPLEX.contains(&it.name))
}

/// Only procedures of tensors make the first one.
fn mentions_tensors(program: &Program) -> bool {
    program.mentions(|it| it.module == TENSOR)
}

fn is_nonzero(core: &Core) -> bool {
    match &core.kind {
        CoreKind::Const(datum) => {
            matches!(datum.kind, DatumKind::Number(Number::Fixnum(it)) if it != 0)
        }
        _ => false,
    }
}

/// The operator on floats.
pub fn float_operation(procedure: Procedure) -> Option<&'static str> {
    Some(match procedure {
        Procedure::Add => "+.",
        Procedure::Sub => "-.",
        Procedure::Mul => "*.",
        Procedure::Div => "/.",
        Procedure::Expt => "**",
        _ => return None,
    })
}

/// Functions from a float to a float.
fn is_float_function(procedure: Procedure) -> bool {
    matches!(
        procedure,
        Procedure::Exp
            | Procedure::Sin
            | Procedure::Cos
            | Procedure::Tan
            | Procedure::Sqrt
            | Procedure::Log
            | Procedure::Atan
            | Procedure::Asin
            | Procedure::Acos
            | Procedure::Abs
            | Procedure::Magnitude
            | Procedure::Floor
            | Procedure::Ceiling
            | Procedure::Sub
    )
}

struct Pass<'a, 'p> {
    types: &'a mut Types,
    program: &'p Program,
    lambdas: &'a mut IdMap<VarId, &'p Lambda>,
}

impl<'p> Pass<'_, 'p> {
    fn bind(&mut self, var: VarId, value: &'p Core) {
        if self.program.vars[var].mutated {
            self.types.any.insert(var);
        } else if let CoreKind::Lambda(lambda) = &value.kind {
            self.lambdas.insert(var, lambda);
            self.types.functions.insert(var);
            if lambda.takes_continuation {
                self.unknown(var, lambda);
            }
        }
    }

    /// Nothing is known about the parameters and result of a procedure.
    fn unknown(&mut self, var: VarId, lambda: &Lambda) {
        self.types.any.insert(var);
        self.unknown_params(lambda);
    }

    fn unknown_params(&mut self, lambda: &Lambda) {
        self.types.any.extend(lambda.params.iter().chain(&lambda.rest));
    }

    /// Finds the procedures, and those whose calls are not all known.
    fn prepare(&mut self) {
        let program = self.program;
        for_each_binding(&program.items, |var, value| self.bind(var, value));
        for item in &program.items {
            item.value.walk(|core: &'p Core| {
                if let CoreKind::Guard { var, .. } = core.kind {
                    self.types.any.insert(var);
                }
            });
        }
        for item in &program.items {
            if let (None, CoreKind::Lambda(lambda)) = (item.var, &item.value.kind) {
                self.unknown_params(lambda);
            }
            self.escapes(&item.value, item.var);
        }
    }

    /// Marks procedures that are used as values; `bound` is the variable of a procedure that is defined here.
    fn escapes(&mut self, core: &'p Core, bound: Option<VarId>) {
        match &core.kind {
            CoreKind::Ref(var) => {
                if let Some(&lambda) = self.lambdas.get(*var) {
                    // Its parameters can be anything; what it gives is still known.
                    self.unknown_params(lambda);
                }
            }
            CoreKind::Lambda(lambda) => {
                let known = bound.is_some_and(|it| self.types.functions.contains(it));
                if !known {
                    self.unknown_params(lambda);
                }
                if let Some(rest) = lambda.rest {
                    self.types.any.insert(rest);
                }
                for &param in &lambda.params {
                    if self.program.vars[param].mutated {
                        self.types.any.insert(param);
                    }
                }
                self.escapes(&lambda.body, None);
            }
            CoreKind::CaseLambda(clauses) => {
                for clause in clauses {
                    self.unknown_params(clause);
                    self.escapes(&clause.body, None);
                }
            }
            CoreKind::Call(callee, args) => {
                match &callee.kind {
                    CoreKind::Ref(var) if self.lambdas.contains(*var) => (),
                    _ => self.escapes(callee, None),
                }
                args.iter().for_each(|it| self.escapes(it, None));
            }
            CoreKind::Let(bindings, body) => {
                bindings.iter().for_each(|it| self.escapes(&it.1, Some(it.0)));
                self.escapes(body, None);
            }
            CoreKind::Block(items, body) => {
                items.iter().for_each(|it| self.escapes(&it.value, it.var));
                self.escapes(body, None);
            }
            _ => core.for_each_child(|it| self.escapes(it, None)),
        }
    }

    /// Raises forms until each follows from those it depends on. An expression is looked at again only when one of its
    /// parts or a variable in it has risen, and nothing rises more than a few times: the cost is linear.
    fn solve(&mut self) {
        let mut graph = Graph::new(self.program, self.lambdas);
        self.types.known = graph.nodes.iter().map(|it| (std::ptr::from_ref(*it), None)).collect();
        while let Some(at) = graph.next() {
            let node = graph.nodes[at];
            let before = self.types.find(node);
            let after = join(before, self.types.compute(node));
            if before == after {
                continue;
            }
            self.types.known.insert(node, after);
            graph.again(graph.parents[at]);
            for target in graph.targets.get(&at).cloned().unwrap_or_default() {
                let (forms, var) = match target {
                    Target::Variable(var) => (&mut self.types.vars, var),
                    Target::Result(var) => (&mut self.types.results, var),
                };
                if raise(forms, &self.types.any, var, after) {
                    graph.risen(var);
                }
            }
        }
    }
}

/// What gets the value of an expression.
#[derive(Clone, Copy)]
enum Target {
    Variable(VarId),
    /// The result of the procedure that the variable is bound to.
    Result(VarId),
}

/// The expressions of a program, what depends on each, and which are to be looked at.
struct Graph<'p> {
    nodes: Vec<&'p Core>,
    /// An item has itself.
    parents: Vec<usize>,
    /// Where variables are mentioned.
    mentions: IdMap<VarId, Vec<usize>>,
    targets: FxHashMap<usize, Vec<Target>>,
    work: Vec<usize>,
    waits: Vec<bool>,
}

impl<'p> Graph<'p> {
    fn new(program: &'p Program, lambdas: &IdMap<VarId, &'p Lambda>) -> Self {
        let mut graph = Self {
            nodes: Vec::new(),
            parents: Vec::new(),
            mentions: IdMap::new(),
            targets: FxHashMap::default(),
            work: Vec::new(),
            waits: Vec::new(),
        };
        let mut fed: FxHashMap<*const Core, Vec<Target>> = FxHashMap::default();
        for_each_binding(&program.items, |var, value| match lambdas.get(var) {
            Some(lambda) => fed.entry(&lambda.body).or_default().push(Target::Result(var)),
            None => fed.entry(value).or_default().push(Target::Variable(var)),
        });
        for item in &program.items {
            let mut todo = vec![(&item.value, graph.nodes.len())];
            while let Some((core, parent)) = todo.pop() {
                let at = graph.nodes.len();
                graph.nodes.push(core);
                graph.parents.push(parent);
                core.for_each_child(|it| todo.push((it, at)));
                graph.note(at, core, lambdas, &mut fed);
            }
        }
        // Parts stand behind what they are parts of, and are taken first.
        graph.work.extend(0..graph.nodes.len());
        graph.waits.resize(graph.nodes.len(), true);
        graph
    }

    /// What an expression mentions and passes on. Its arguments come later.
    fn note(
        &mut self,
        at: usize,
        core: &'p Core,
        lambdas: &IdMap<VarId, &'p Lambda>,
        fed: &mut FxHashMap<*const Core, Vec<Target>>,
    ) {
        match &core.kind {
            CoreKind::Ref(var) => {
                self.mentions.entry_or_insert_with(*var, Default::default).push(at)
            }
            CoreKind::Call(callee, args) => {
                if let CoreKind::Ref(var) = callee.kind
                    && let Some(&lambda) = lambdas.get(var)
                {
                    for (&param, arg) in lambda.params.iter().zip(args) {
                        fed.entry(arg).or_default().push(Target::Variable(param));
                    }
                }
            }
            _ => (),
        }
        if let Some(targets) = fed.remove(&std::ptr::from_ref(core)) {
            self.targets.insert(at, targets);
        }
    }

    fn next(&mut self) -> Option<usize> {
        let at = self.work.pop()?;
        self.waits[at] = false;
        Some(at)
    }

    fn again(&mut self, at: usize) {
        if !std::mem::replace(&mut self.waits[at], true) {
            self.work.push(at);
        }
    }

    /// A variable has risen, or the result of the procedure in it: its mentions and calls have.
    fn risen(&mut self, var: VarId) {
        for at in self.mentions.get(var).cloned().unwrap_or_default() {
            self.again(at);
            self.again(self.parents[at]);
        }
    }
}

fn raise(
    forms: &mut IdMap<VarId, Form>,
    any: &IdSet<VarId>,
    var: VarId,
    form: Option<Form>,
) -> bool {
    if any.contains(var) {
        return false;
    }
    let form = match form {
        Some(Form::Unit) => Some(Form::Dyn),
        // A procedure that never returns gives anything.
        other => other,
    };
    let before = forms.get(var).copied();
    let after = join(before, form);
    match after {
        Some(Form::Never) | None => false,
        Some(after) if before != Some(after) => {
            forms.insert(var, after);
            true
        }
        Some(_) => false,
    }
}
