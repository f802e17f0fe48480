//! From the core program to the surface tree that the ML family shares.
//!
//! ```text
//! value of unknown type     Eshkol_value.dyn
//! known procedure           a function with its own parameters; a rest parameter is a list
//! procedure as a value      P1 (f, "name"), … : a constructor for each number of parameters
//! variable that changes     a reference
//! constant                  an item of its own before all others
//! ```
//!
//! Each expression is made in the form that fits it (a test is a bool, a length an int) and converted where
//! another form is needed.

mod builtin_values;
mod calls;
mod constant;
mod expr;
mod floats;
mod lambda;
mod pairs;
mod typed;

pub use typed::{is_derivative, points};

use oxbow_base::{FxHashMap, FxHashSet, Id as _, IdMap, IdSet, IdVec, Made, Span, Symbol};
use oxbow_elab::ast;

use crate::builtin::{self, Builtins, Form};
use crate::core::{Core, CoreKind, Item, Lambda, Program, Var, VarId};
use crate::infer::Types;
use crate::ml;
use crate::plan::{self, Step};

pub const VALUE: &str = "Eshkol_value";
pub const DATA: &str = "Eshkol_data";
pub const TEXT: &str = "Eshkol_text";
pub const PORT: &str = "Eshkol_port";
pub const NUM: &str = "Eshkol_num";
pub const NUMBER_TEXT: &str = "Eshkol_number_text";
pub const COMPLEX: &str = "Eshkol_complex";
pub const CONTROL: &str = "Eshkol_control";

/// How a variable is held.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Value(Form),
    /// A reference; `late` if it can be read before it has a value.
    Cell {
        late: bool,
    },
    Function(Signature),
}

/// What a known procedure takes and gives.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub params: Vec<Form>,
    pub rest: bool,
    pub result: Form,
    /// The first parameter is the continuation.
    pub takes_continuation: bool,
}

pub(crate) struct Emitter<'a> {
    vars: &'a IdVec<VarId, Var>,
    pieces: &'a IdSet<VarId>,
    builtins: &'static Builtins,
    types: &'a Types,
    places: IdMap<VarId, Place>,
    /// The procedures that are bound to variables.
    lambdas: IdMap<VarId, &'a Lambda>,
    /// The library's operators of differentiation.
    operators: IdSet<VarId>,
    /// Known procedures that are needed as values, each once whoever mentions it, and whether it is there.
    valued: IdMap<VarId, bool>,
    /// Items that define constants, and their names by what they are.
    constants: Vec<ast::Item>,
    known_constants: FxHashMap<String, Symbol>,
    /// Whether something in the program changes pairs.
    changes_pairs: bool,
    /// The symbols of the program's text, in the order of their numbers.
    symbols: Vec<String>,
    symbol_numbers: FxHashMap<String, i64>,
    /// Expressions of the program that have no effect, by their addresses (see `Types`).
    pure: FxHashSet<*const Core>,
    fresh: u32,
    /// A place in the library, for what is the program's and stands nowhere in it.
    of_library: Span,
    /// The place of a span for messages at run time.
    locate: &'a dyn Fn(Span) -> String,
}

/// The module's items.
pub fn emit(
    program: &Program,
    types: &Types,
    locate: &dyn Fn(Span) -> String,
    (start, of_library): (Span, Span),
) -> Vec<ast::Item> {
    let mut emitter = Emitter {
        vars: &program.vars,
        pieces: &program.pieces,
        builtins: builtin::table(),
        types,
        places: IdMap::new(),
        lambdas: lambdas(program),
        operators: operators(program),
        valued: IdMap::new(),
        constants: Vec::new(),
        known_constants: FxHashMap::default(),
        changes_pairs: program.items.iter().any(|it| changes_pairs(&it.value)),
        symbols: Vec::new(),
        symbol_numbers: FxHashMap::default(),
        pure: FxHashSet::default(),
        fresh: 0,
        of_library,
        locate,
    };
    emitter.find_pure(&program.items);
    let mut made = emitter.top_level(&program.items);
    if let Some(main) = program.main {
        let span = program.vars[main].span;
        let call = ml::apply(ml::local(emitter.name(main), span), vec![ml::unit(span)], span);
        let form = match emitter.places.get(main) {
            Some(Place::Function(it)) => it.result,
            _ => Form::Dyn,
        };
        let call = emitter.convert(call, form, Form::Dyn, span);
        let finish = ml::call(CONTROL, "finish", vec![call], span);
        made.push(ml::eval_item(finish, span));
    }
    let begin = ml::call(CONTROL, "start", vec![ml::unit(start)], start);
    let mut all = vec![ml::eval_item(begin, start)];
    if types.complex {
        let enable = ml::call(COMPLEX, "enable", vec![ml::unit(start)], start);
        all.push(ml::eval_item(enable, start));
    }
    all.extend(emitter.symbol_item(start));
    all.append(&mut emitter.constants);
    all.extend(made);
    all
}

fn changes_pairs(core: &Core) -> bool {
    let mut found = false;
    core.walk(|it| {
        found |= matches!(it.kind,
            CoreKind::Builtin(id) if builtin::table().get(id).effect.stores_to_pairs());
    });
    found
}

impl Emitter<'_> {
    fn top_level(&mut self, items: &[Item]) -> Vec<ast::Item> {
        let plan = plan::plan(items, None, self.vars);
        self.note_places(items, &plan);
        let mut made = Vec::new();
        let mut later = Vec::new();
        for step in &plan.steps {
            match step {
                Step::Cell(var) => {
                    let span = self.vars[*var].span;
                    let value = self.undefined_cell(span);
                    made.push(ml::let_item(false, vec![self.bind_cell(*var, value)], span));
                }
                Step::Functions(group) => {
                    let span = items[group[0]].value.span;
                    let (bindings, recursive) = self.functions(items, group);
                    made.push(ml::let_item(recursive, bindings, span));
                    later.push((made.len(), group));
                }
                Step::Item(at) => made.push(self.top_item(&items[*at])),
            }
        }
        for (at, group) in later.into_iter().rev() {
            for binding in self.values(items, group) {
                let span = items[group[0]].value.span;
                made.insert(at, ml::let_item(false, vec![binding], span));
            }
        }
        made
    }

    fn top_item(&mut self, item: &Item) -> ast::Item {
        let span = item.value.span;
        match item.var {
            Some(var) => match self.places.get(var) {
                Some(Place::Value(form)) => {
                    let form = *form;
                    let value = self.expr_as(&item.value, form);
                    let pattern = ml::typed_pattern(self.name(var), form_type(form, span), span);
                    ml::let_item(false, vec![ml::binding(pattern, value, span)], span)
                }
                _ => {
                    let value = self.expr_as(&item.value, Form::Dyn);
                    let cell = ml::local(self.name(var), span);
                    ml::eval_item(ml::set_contents(cell, value, span), span)
                }
            },
            None => {
                let value = self.effect(&item.value);
                ml::eval_item(value, span)
            }
        }
    }

    /// Decides how the variables of a block are held.
    fn note_places(&mut self, items: &[Item], plan: &plan::Plan) {
        for item in items {
            let Some(var) = item.var else { continue };
            let place = match &item.value.kind {
                CoreKind::Lambda(lambda) if plan::is_function(item, self.vars) => {
                    Place::Function(self.signature(var, lambda))
                }
                _ if self.vars[var].mutated || plan.late.contains(var) => {
                    Place::Cell { late: plan.late.contains(var) }
                }
                _ => Place::Value(self.types.var(var)),
            };
            self.places.insert(var, place);
        }
    }

    /// The functions of a group, and whether they are recursive. Those that the group itself needs as values
    /// have them beside: `let rec f = fun x -> … f' … and f' = P1 (f, "f")`.
    fn functions(&mut self, items: &[Item], group: &[usize]) -> (Vec<ast::Binding>, bool) {
        let mut bindings: Vec<ast::Binding> = group
            .iter()
            .map(|&at| {
                let item = &items[at];
                let (Some(var), CoreKind::Lambda(lambda)) = (item.var, &item.value.kind) else {
                    oxbow_diag::ice!("a function item is a lambda")
                };
                let value = self.function(var, lambda);
                let span = item.value.span;
                ml::binding(ml::var_pattern(self.name(var), span), value, span)
            })
            .collect();
        let values = self.values(items, group);
        let recursive = is_recursive(items, group) || !values.is_empty();
        bindings.extend(values);
        (bindings, recursive)
    }

    /// The values of the functions of a group that are needed, and have none yet.
    fn values(&mut self, items: &[Item], group: &[usize]) -> Vec<ast::Binding> {
        let vars = group.iter().filter_map(|&at| items[at].var);
        vars.filter_map(|var| self.value_of(var)).collect()
    }

    /// The value of a function, if it is needed and there is none yet.
    fn value_of(&mut self, var: VarId) -> Option<ast::Binding> {
        let made = self.valued.get_mut(var).filter(|made| !**made)?;
        *made = true;
        let Some(Place::Function(signature)) = self.places.get(var).cloned() else { return None };
        let span = self.vars[var].span;
        let value = self.function_value(var, &signature, span);
        Some(ml::binding(ml::var_pattern(self.value_name(var), span), value, span))
    }

    fn value_name(&self, var: VarId) -> Symbol {
        Made::Value(self.vars[var].name, number(var)).symbol()
    }

    fn undefined_cell(&self, span: Span) -> ast::Expr {
        ml::reference(ml::construct(VALUE, "Undefined", Vec::new(), span), span)
    }

    fn bind_cell(&self, var: VarId, value: ast::Expr) -> ast::Binding {
        let span = self.vars[var].span;
        ml::binding(ml::var_pattern(self.name(var), span), value, span)
    }

    /// The variable's name in the tree: no two are equal.
    fn name(&self, var: VarId) -> Symbol {
        Made::Variable(self.vars[var].name, number(var)).symbol()
    }

    fn fresh(&mut self, stem: &str) -> Symbol {
        self.fresh += 1;
        Made::fresh(stem, self.fresh).symbol()
    }

    fn place_text(&self, span: Span) -> ast::Expr {
        ml::string(&(self.locate)(span), span)
    }
}

/// The number of a variable, in its name.
fn number(var: VarId) -> u32 {
    u32::try_from(var.index()).expect("fewer than 2^32 variables")
}

fn lambdas<'a>(program: &'a Program) -> IdMap<VarId, &'a Lambda> {
    let mut found: IdMap<VarId, &'a Lambda> = IdMap::new();
    let mut note = |var: VarId, value: &'a CoreKind| {
        if let CoreKind::Lambda(lambda) = value
            && !program.vars[var].mutated
        {
            found.insert(var, lambda);
        }
    };
    let mut todo: Vec<&Core> = Vec::new();
    for item in &program.items {
        item.var.into_iter().for_each(|it| note(it, &item.value.kind));
        todo.push(&item.value);
    }
    while let Some(core) = todo.pop() {
        match &core.kind {
            CoreKind::Let(bindings, _) => bindings.iter().for_each(|it| note(it.0, &it.1.kind)),
            CoreKind::Block(items, _) => {
                for item in items {
                    item.var.into_iter().for_each(|it| note(it, &item.value.kind));
                }
            }
            _ => (),
        }
        core.for_each_child(|it| todo.push(it));
    }
    found
}

fn operators(program: &Program) -> IdSet<VarId> {
    let library = program.items[..program.user_start].iter().filter_map(|it| it.var);
    library.filter(|&it| typed::is_operator(&program.vars[it])).collect()
}

/// A function alone in its group that does not mention itself needs no `rec`.
fn is_recursive(items: &[Item], group: &[usize]) -> bool {
    let index: IdMap<VarId, usize> =
        group.iter().filter_map(|&at| items[at].var.map(|var| (var, at))).collect();
    let mut found = Vec::new();
    for &at in group {
        items[at].value.mentions(&index, &mut found);
    }
    !found.is_empty()
}

fn form_type(form: Form, span: Span) -> ast::TypeExpr {
    match form {
        Form::Dyn | Form::Never => ml::type_name(VALUE, "dyn", span),
        Form::Bool => ml::type_name("", "bool", span),
        Form::Int => ml::type_name("", "int", span),
        Form::Float => ml::type_name("", "float", span),
        Form::Unit => ml::type_name("", "unit", span),
        Form::Fun(count) => {
            let value = || form_type(Form::Dyn, span);
            let first = if count == 0 { form_type(Form::Unit, span) } else { value() };
            let more = (1..count).fold(value(), |result, _| ml::arrow(value(), result, span));
            ml::arrow(first, more, span)
        }
    }
}
