//! Refuses programs whose closures cannot live in capture slots.
//!
//! The strategy `slots` keeps the captures of a function literal in variables of the module: one set
//! for all closures that the literal makes. So when a closure is called, no later closure of the
//! same literal may have been made. That is certain if
//!
//! ```text
//! the literal is evaluated at most once       let add5 = make 5, with no other call of `make`
//! or each closure is dropped before the       for i = 1 to 9 do iter (fun x -> x + i) xs done
//!   literal can be evaluated again
//! ```
//!
//! The first holds for a literal outside of loops whose function runs at most once: at the top
//! level, or called from one such place and never used as a value. The second holds for a closure that
//! does not outlive its frame ([`Lifetime`] also counts what a loop carries to its next round), if the function that
//! makes it cannot be entered again while it runs, or what it calls in its place: no chain of calls
//! leads from it to itself. A call through a closure reaches the functions that [`Flow`] finds for it; where those are
//! not known, every function value.
//!
//! Phase: Mono. Needs: `closure_repr`. Everything else is refused with E0950, which shows how two
//! closures of the literal can come to be.

use oxbow_base::{IdMap, IdSet, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::effective::Effective;
use oxbow_psg::{Callee, LambdaId, Mono, NodeId, NodeKind, Program, Repr};

use crate::flow::{Flow, Lifetime, TailCalls};
use crate::known_calls::{self, ValueUse};

/// Reports every literal that could need two sets of slots.
pub fn run(program: &Program<Mono>, diagnostics: &mut Diagnostics) {
    if let Some(fiber) = program.well_known.fiber {
        diagnostics.error(
            Diagnostic::error(
                "E0950",
                "fibres run the same functions at once, but each function has one set of capture slots",
            )
            .at(program.vars[fiber].span, "what a fibre runs")
            .help("`--closures=flat` and `--closures=env` give every closure captures of its own"),
        );
        return;
    }
    if let Some(domain) = program.well_known.domain {
        diagnostics.error(
            Diagnostic::error(
                "E0950",
                "domains run the same functions at once, but each function has one set of capture slots",
            )
            .at(program.vars[domain].span, "what a domain runs")
            .help("`--closures=flat` gives every closure captures of its own"),
        );
        return;
    }
    let facts = Facts::new(program);
    for literal in &facts.literals {
        if !facts.fits(literal) {
            diagnostics.error(facts.refusal(literal));
        }
    }
}

/// The lambdas whose closures need slots.
pub fn slotted(program: &Program<Mono>) -> IdSet<LambdaId> {
    Facts::new(program).literals.iter().map(|it| it.lambda).collect()
}

/// The function that a node stands in; `None` is the program's own code, which runs once.
type Function = Option<LambdaId>;

/// A lambda that needs an object when it is evaluated.
struct Literal {
    node: NodeId,
    lambda: LambdaId,
    function: Function,
    /// The innermost loop around it in its function.
    in_loop: Option<NodeId>,
}

#[derive(Clone, Copy)]
struct Call {
    node: NodeId,
    function: Function,
    in_loop: Option<NodeId>,
}

/// A place of a report, with what it says there.
struct Label {
    span: Span,
    text: String,
    subject: Subject,
}

/// What a label speaks about.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    /// The function that stands at the place, which has no name.
    ThisFunction,
    Other,
}

struct Facts<'a> {
    program: &'a Program<Mono>,
    flow: Flow,
    lifetime: Lifetime,
    literals: Vec<Literal>,
    /// Where each function is called by its name.
    calls: IdMap<LambdaId, Vec<Call>>,
    /// Function values.
    values: IdMap<LambdaId, ValueUse>,
    /// Functions that a chain of calls leads back to.
    recursive: IdSet<LambdaId>,
    captures: oxbow_base::IdVec<LambdaId, Vec<oxbow_psg::Capture>>,
}

impl<'a> Facts<'a> {
    fn new(program: &'a Program<Mono>) -> Self {
        let known = known_calls::bound_lambdas(program);
        let mut walk = Walk::new(program);
        walk.run();
        let values = known_calls::value_uses(program, &known);
        let captures = Effective::new(program).captures;
        walk.literals.retain(|it| {
            program.lambdas[it.lambda].repr == Repr::Flat && !captures[it.lambda].is_empty()
        });
        for &function in &walk.functions {
            if let Some(calls) = walk.calls.get_mut(function) {
                calls.sort_by_key(|it| program.span(it.node).start);
            }
        }
        let flow = Flow::new(program);
        let lifetime = Lifetime::new(program, &flow, TailCalls::Continue);
        let recursive = walk.recursive(&values, &flow);
        Self {
            program,
            flow,
            lifetime,
            literals: walk.literals,
            calls: walk.calls,
            values,
            recursive,
            captures,
        }
    }

    fn fits(&self, literal: &Literal) -> bool {
        let once = literal.in_loop.is_none() && self.twice(literal.function).is_none();
        let reentered = literal.function.is_some_and(|it| self.recursive.contains(it));
        once || (!self.lifetime.escapes(&self.flow, literal.node) && !reentered)
    }

    /// How the function can run twice: two places that say so.
    fn twice(&self, function: Function) -> Option<[Label; 2]> {
        let mut function = function?;
        let mut seen = IdSet::new();
        loop {
            let calls = self.calls.get(function).map_or(&[][..], |it| it);
            let name = self.name(function);
            let span = self.program.lambdas[function].span;
            let makes = || self.about(function, format!("{name} makes a closure in each call"));
            if let Some(used) = self.values.get(function) {
                let place = match used {
                    ValueUse::Mentioned(node) => self.program.span(*node),
                    ValueUse::Anonymous | ValueUse::WellKnown => span,
                };
                let value = Label {
                    span: place,
                    text: "this function is a value, which can be called any number of times"
                        .into(),
                    subject: Subject::ThisFunction,
                };
                let other = match calls.first() {
                    Some(call) => self.at(call.node, format!("{name} is called here")),
                    None => makes(),
                };
                return Some([value, other]);
            }
            let [first, ..] = calls else { return None };
            if let [_, second, ..] = calls {
                return Some([
                    self.at(first.node, format!("this call of {name} makes one closure")),
                    self.at(second.node, format!("this call of {name} makes another")),
                ]);
            }
            if let Some(around) = first.in_loop {
                return Some([
                    self.at(first.node, format!("this call of {name} makes a closure")),
                    self.at(around, "in each round of this loop".into()),
                ]);
            }
            if !seen.insert(function) {
                let call = self.at(first.node, format!("this call of {name} is recursive"));
                return Some([call, makes()]);
            }
            function = first.function?;
        }
    }

    /// A label at a node, which is not about a function that stands there.
    fn at(&self, node: NodeId, text: String) -> Label {
        Label { span: self.program.span(node), text, subject: Subject::Other }
    }

    /// A label about a function, at its own place.
    fn about(&self, function: LambdaId, text: String) -> Label {
        let it = &self.program.lambdas[function];
        let subject = if it.name.is_some() { Subject::Other } else { Subject::ThisFunction };
        Label { span: it.span, text, subject }
    }

    fn name(&self, function: LambdaId) -> String {
        match self.program.lambdas[function].name {
            Some(name) => format!("`{name}`"),
            None => "this function".into(),
        }
    }

    fn refusal(&self, literal: &Literal) -> Diagnostic {
        let span = self.program.span(literal.node);
        let captured: Vec<String> = self.captures[literal.lambda]
            .iter()
            .map(|it| match self.program.vars[it.var].name {
                name if name.is_hidden() => "a value without a name".into(),
                name => format!("`{name}`"),
            })
            .collect();
        let mut report = Diagnostic::error(
            "E0950",
            "two closures of this function can be alive together, but it has one set of capture slots",
        )
        .at(span, format!("it captures {}", captured.join(", ")));
        let origins = match literal.in_loop {
            Some(around) => vec![self.at(around, "each round of this loop makes a closure".into())],
            None => self.twice(literal.function).map(Vec::from).unwrap_or_default(),
        };
        for label in origins {
            // At the literal's own place, words about a function without a name would seem to be about the literal.
            if label.span != span || label.subject != Subject::ThisFunction {
                report = report.label(label.span, label.text);
            }
        }
        report.help("`--closures=flat` and `--closures=env` give every closure captures of its own")
    }
}

/// Collects what the program's functions make and call.
struct Walk<'a> {
    program: &'a Program<Mono>,
    functions: Vec<LambdaId>,
    seen: IdSet<LambdaId>,
    literals: Vec<Literal>,
    calls: IdMap<LambdaId, Vec<Call>>,
    /// Calls of function values: who calls, and where.
    unknown: Vec<(Function, NodeId)>,
}

impl<'a> Walk<'a> {
    fn new(program: &'a Program<Mono>) -> Self {
        Self {
            program,
            functions: Vec::new(),
            seen: IdSet::new(),
            literals: Vec::new(),
            calls: IdMap::new(),
            unknown: Vec::new(),
        }
    }

    fn run(&mut self) {
        for item in &self.program.items {
            for root in item.kind.roots() {
                self.function(None, root);
            }
        }
        let mut done = 0;
        while let Some(&lambda) = self.functions.get(done) {
            done += 1;
            self.function(Some(lambda), self.program.lambdas[lambda].body);
        }
    }

    fn enter(&mut self, lambda: LambdaId) {
        if self.seen.insert(lambda) {
            self.functions.push(lambda);
        }
    }

    /// Visits the nodes of one function.
    fn function(&mut self, function: Function, root: NodeId) {
        let program = self.program;
        let mut todo = vec![(root, None)];
        while let Some((node, in_loop)) = todo.pop() {
            let mut inner = in_loop;
            match &program.nodes[node].kind {
                NodeKind::Lambda(lambda) => {
                    self.enter(*lambda);
                    self.literals.push(Literal { node, lambda: *lambda, function, in_loop });
                }
                NodeKind::Apply { callee: Callee::Known(lambda), .. } => {
                    self.enter(*lambda);
                    let call = Call { node, function, in_loop };
                    self.calls.entry_or_insert_with(*lambda, Vec::new).push(call);
                }
                NodeKind::Apply { callee: Callee::Unknown, .. } => {
                    self.unknown.push((function, node));
                }
                NodeKind::While { .. } | NodeKind::For { .. } => inner = Some(node),
                // Rounds of a loop run the body; the rest is what enters it.
                NodeKind::Join { join, body, rest } if program.joins[*join].recursive => {
                    todo.push((*body, Some(node)));
                    todo.push((*rest, in_loop));
                    continue;
                }
                _ => (),
            }
            program.nodes[node].kind.for_each_child(|child| todo.push((child, inner)));
        }
    }

    /// Functions that some chain of calls leads from and back to.
    fn recursive(&self, values: &IdMap<LambdaId, ValueUse>, flow: &Flow) -> IdSet<LambdaId> {
        let mut numbers: IdMap<LambdaId, usize> = IdMap::new();
        for (number, &lambda) in self.functions.iter().enumerate() {
            numbers.insert(lambda, number);
        }
        let mut graph: Vec<Vec<usize>> = vec![Vec::new(); self.functions.len()];
        for (callee, calls) in self.calls.iter() {
            for caller in calls.iter().filter_map(|it| it.function) {
                graph[numbers[caller]].push(numbers[callee]);
            }
        }
        let targets: Vec<usize> =
            (0..self.functions.len()).filter(|&it| values.contains(self.functions[it])).collect();
        for &(caller, call) in &self.unknown {
            let Some(caller) = caller else { continue };
            let calls = &mut graph[numbers[caller]];
            match flow.functions().called(call) {
                Some(callees) if !callees.open => {
                    let known = callees.known.iter();
                    calls.extend(known.filter_map(|it| numbers.get(it.lambda)));
                }
                _ => calls.extend(&targets),
            }
        }
        let mut recursive = IdSet::new();
        for component in oxbow_base::components(&graph) {
            let cyclic = component.len() > 1 || graph[component[0]].contains(&component[0]);
            if cyclic {
                for member in component {
                    recursive.insert(self.functions[member]);
                }
            }
        }
        recursive
    }
}
