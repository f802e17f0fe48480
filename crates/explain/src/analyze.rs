//! From the final graph to the explanation of every function.

use oxbow_base::{IdMap, SourceMap};
use oxbow_passes::closure_repr::Reason as Decision;
use oxbow_psg::effective::Effective;
use oxbow_psg::{
    Callee, CaptureMode, LambdaId, Mono, NodeId, NodeKind, Program, Repr, Storage as Stored, VarId,
    walk,
};

use crate::escape_path::Paths;
use crate::graph::Graph;
use crate::history::{History, is_users, mode, place};
use crate::layout::{self, Captured};
use crate::model::{
    Class, Code, Copy, Derivative, Explanation, File, Lambda, Layout, Member, Reason,
    Representation, Set, Storage,
};
use crate::{allocations, types};

/// What the compilation left.
pub struct Input<'a> {
    pub history: History,
    /// The program after the last pass.
    pub program: &'a Program<Mono>,
    pub sources: &'a SourceMap,
    /// The symbols of functions in the module, and their text in each form, if it was made.
    pub symbols: IdMap<LambdaId, String>,
    pub code: &'a dyn Fn(LambdaId) -> Vec<Code>,
    /// Objects that are made in regions, and where those begin.
    pub regions: &'a [InRegion],
    /// Where gradients are taken, and why by a tape.
    pub derivatives: Vec<Gradient>,
    /// Which functions meet, if that was asked.
    pub sets: &'a [oxbow_passes::defunctionalize::Set],
}

/// A place that makes objects in a region, as `file:line:column`.
#[derive(Clone, Debug)]
pub struct InRegion {
    pub site: String,
    /// Where the region begins.
    pub scope: String,
    /// The place makes counted objects as well, for other callers.
    pub also_counted: bool,
}

/// Explains every function and allocation of the user's files.
pub fn analyze(mut input: Input<'_>) -> Explanation {
    input.history.end(input.program);
    let decided = std::mem::take(&mut input.history.decided);
    let graph = Graph::new(input.program);
    for (lambda, ..) in &decided {
        if let Some(node) = graph.node_of(*lambda)
            && is_users(input.program, *lambda, input.sources)
            && !input.program.lambdas[*lambda].dispatches
            && input.history.index(input.program.lambdas[*lambda].span).is_none()
        {
            let ty = input.program.ty(node);
            input.history.add_made(input.program, *lambda, ty, input.sources);
        }
    }
    input.history.number();
    let mut lambdas = std::mem::take(&mut input.history.lambdas);
    let paths = Paths::new(&graph, input.sources);
    let analysis = Analysis {
        paths: &paths,
        effective: Effective::new(input.program),
        calls: Calls::count(&paths),
        graph: &graph,
        input: &input,
    };
    for (lambda, decision, arity) in decided {
        let Some(index) = input.history.index(input.program.lambdas[lambda].span) else { continue };
        if let Some(copy) = analysis.copy(lambda, decision, arity) {
            lambdas[index].lambda.copies.push(copy);
        }
    }
    let allocations = allocations::find(&paths, &lambdas);
    let allocations = allocations::in_regions(allocations, input.regions);
    let lambdas: Vec<Lambda> = lambdas.into_iter().map(|it| it.lambda).collect();
    let files = input.sources.files().filter(|(_, it)| !it.is_library);
    let files =
        files.map(|(_, it)| File { name: it.name.clone(), text: it.text.to_string() }).collect();
    let mut derivatives: Vec<Derivative> = input
        .derivatives
        .iter()
        .map(|it| Derivative {
            place: place(input.sources, it.span),
            tape: it.tape,
            loops: it.loops,
            closures: closures_at(input.program, it.span),
        })
        .collect();
    derivatives.sort_by(|a, b| a.place.cmp(&b.place));
    let sets = input.sets.iter().filter_map(|it| set(it, input.sources)).collect();
    Explanation { files, lambdas, allocations, derivatives, sets }
}

/// What differentiation made of one gradient.
pub struct Gradient {
    pub span: oxbow_base::Span,
    /// Why there is a tape.
    pub tape: Option<&'static str>,
    /// Why products of matrices are taken by their loops.
    pub loops: Option<&'static str>,
}

/// A set with functions of the user's.
fn set(set: &oxbow_passes::defunctionalize::Set, sources: &SourceMap) -> Option<Set> {
    let is_users = |it: &&(oxbow_base::Span, usize)| !sources.file(it.0.file).is_library;
    let members: Vec<Member> = set
        .members
        .iter()
        .filter(is_users)
        .map(|&(span, applied)| Member { place: place(sources, span), applied })
        .collect();
    let others = set.members.len() - members.len();
    let closures = set.closures.map(oxbow_passes::defunctionalize::Reason::text);
    (!members.is_empty()).then_some(Set { members, others, closures })
}

/// The closures that are left in the code of a gradient. What the compiler made for it has the place of the
/// operator's call; the user's own functions have theirs.
fn closures_at(program: &Program<Mono>, span: oxbow_base::Span) -> usize {
    let mut count = 0;
    walk::for_each_reachable(program, |node| {
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind
            && program.lambdas[lambda].repr == Repr::Flat
            && (program.span(node) == span || program.lambdas[lambda].span == span)
        {
            count += 1;
        }
    });
    count
}

struct Analysis<'a> {
    paths: &'a Paths<'a>,
    graph: &'a Graph<'a, Mono>,
    input: &'a Input<'a>,
    effective: Effective,
    calls: Calls,
}

/// The calls of the whole program.
struct Calls {
    direct: IdMap<LambdaId, usize>,
    /// Through a closure that may be the function's.
    through: IdMap<LambdaId, usize>,
    /// Through a closure that may be any.
    open: usize,
}

impl Calls {
    fn count(paths: &Paths<'_>) -> Self {
        let program = paths.graph.program;
        let mut calls = Self { direct: IdMap::new(), through: IdMap::new(), open: 0 };
        walk::for_each_reachable(program, |node| match &program.nodes[node].kind {
            NodeKind::Apply { callee: Callee::Known(lambda), .. } => {
                *calls.direct.entry_or_insert_with(*lambda, || 0) += 1;
            }
            NodeKind::Apply { callee: Callee::Unknown, .. } => {
                let Some(callees) = paths.functions().called(node) else { return };
                calls.open += usize::from(callees.open);
                let mut known: Vec<LambdaId> = callees.known.iter().map(|it| it.lambda).collect();
                known.dedup();
                known.retain(|&it| !(callees.open && paths.functions().is_exposed(it)));
                for lambda in known {
                    *calls.through.entry_or_insert_with(lambda, || 0) += 1;
                }
            }
            _ => (),
        });
        calls
    }
}

impl Analysis<'_> {
    fn copy(&self, lambda: LambdaId, decision: Decision, arity: usize) -> Option<Copy> {
        let program = self.input.program;
        let node = self.graph.node_of(lambda)?;
        let it = &program.lambdas[lambda];
        let flat = it.repr == Repr::Flat;
        // Lifting puts what the function needs before its own parameters.
        let leading = it.params.len().saturating_sub(arity);
        let mut captured: Vec<Captured> = it.params[..leading]
            .iter()
            .map(|&var| self.captured(var, CaptureMode::ByValue))
            .collect();
        captured.extend(
            self.effective.captures[lambda].iter().map(|it| self.captured(it.var, it.mode)),
        );
        let representation = match (flat, captured.is_empty()) {
            (false, true) => Representation::Function,
            (false, false) => Representation::Parameters,
            (true, true) => Representation::StaticClosure,
            (true, false) => Representation::FlatClosure,
        };
        let layout = match representation {
            Representation::Function => Layout::default(),
            Representation::Parameters => layout::parameters(&program.types, captured),
            Representation::StaticClosure | Representation::FlatClosure => {
                layout::closure(&program.types, it.params.len(), captured)
            }
        };
        let own_type = program.types.split_function(program.ty(node), leading).1;
        let open = if self.paths.functions().is_exposed(lambda) { self.calls.open } else { 0 };
        let through = self.calls.through.get(lambda).copied().unwrap_or(0) + open;
        Some(Copy {
            symbol: self.input.symbols.get(lambda).cloned(),
            within: self.graph.name_around(node),
            ty: types::text(&program.types, own_type),
            representation,
            reason: self.reason(decision),
            layout,
            storage: self.storage(node, representation),
            creations: usize::from(representation == Representation::FlatClosure),
            direct_calls: self.calls.direct.get(lambda).copied().unwrap_or(0),
            possible_calls: if flat { through } else { 0 },
            code: (self.input.code)(lambda),
        })
    }

    fn captured(&self, var: VarId, by: CaptureMode) -> Captured {
        let program = self.input.program;
        let data = &program.vars[var];
        let library = self.input.sources.file(data.span.file).is_library;
        Captured {
            name: data.name.shown(),
            text: types::text(&program.types, data.ty),
            ty: data.ty,
            by,
            mode: mode(&program.types, data.ty, by),
            place: (!library).then(|| place(self.input.sources, data.span)),
        }
    }

    fn reason(&self, decision: Decision) -> Reason {
        let value = |node: NodeId| {
            let span = self.input.program.span(node);
            let library = self.input.sources.file(span.file).is_library;
            (!library).then(|| place(self.input.sources, span))
        };
        let (text, at) = match decision {
            Decision::GlobalOnlyCalled | Decision::NestedOnlyCalled => {
                ("every use is a call of its name with all arguments", None)
            }
            Decision::GlobalValue(node) | Decision::NestedValue(node) => {
                ("it is used as a value, not only called", value(node))
            }
            Decision::WellKnown => ("the runtime calls it", None),
            Decision::Anonymous => {
                ("it has no name to call it by: it is a value where it stands", None)
            }
        };
        Reason { text: text.into(), place: at }
    }

    fn storage(&self, node: NodeId, representation: Representation) -> Storage {
        let because = |text: &str| vec![Reason { text: text.into(), place: None }];
        match representation {
            Representation::Function | Representation::Parameters => {
                Storage { class: Class::None, reasons: because("there is no object") }
            }
            Representation::StaticClosure => Storage {
                class: Class::Static,
                reasons: because("it captures nothing: one constant object serves every use"),
            },
            Representation::FlatClosure => {
                let storage = storage_of(self.paths, node);
                let at = place(self.input.sources, self.input.program.span(node));
                match allocations::in_region(&storage, &at, self.input.regions) {
                    None => storage,
                    Some((region, mut placed)) => {
                        if region.also_counted {
                            let text = "for other callers it is counted".into();
                            placed.reasons.push(Reason { text, place: None });
                        }
                        placed
                    }
                }
            }
        }
    }
}

/// Where the object lives that a node makes, as `storage` decided it, and why.
pub(crate) fn storage_of(paths: &Paths<'_>, node: NodeId) -> Storage {
    let because = |text: &str| vec![Reason { text: text.into(), place: None }];
    match paths.graph.program.nodes[node].storage {
        Stored::Stack => Storage {
            class: Class::Stack,
            reasons: because("nothing uses it after the function that makes it has returned"),
        },
        Stored::Static => Storage {
            class: Class::Static,
            reasons: because("all its parts are constants and none can change"),
        },
        Stored::Counted => {
            let mut reasons = paths.find(node);
            if reasons.is_empty() {
                reasons = because("no use of it ends with the function that makes it");
            }
            Storage { class: Class::Counted, reasons }
        }
    }
}
