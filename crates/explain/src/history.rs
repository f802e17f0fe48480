//! The functions that the user wrote, and when the last of each disappeared.
//!
//! A function is known by the stretch of text it is written in: specialising, inlining and copying
//! keep it, whatever becomes of ids. Functions that the front end makes for a format string, and
//! those of the library, are left out.

use oxbow_base::{FxHashMap, IdMap, SourceMap, Span, Symbol};
use oxbow_passes::closure_repr;
use oxbow_psg::{
    CaptureMode, KnownType, LambdaId, Mono, NodeId, NodeKind, Poly, Program, Ty, TyId, TypeTable,
    VarId, walk,
};

use crate::graph::Graph;
use crate::model::{Binding, Capture, Gone, Lambda, Mode, Origin, Place};
use crate::types::TypeText;

/// Collects what is needed while the passes run.
pub struct History {
    pub(crate) lambdas: Vec<Written>,
    by_span: FxHashMap<Span, usize>,
    /// The pass that ran last.
    last: &'static str,
    /// Why each lambda is represented as it is, and how many parameters it had before.
    pub(crate) decided: Vec<(LambdaId, closure_repr::Reason, usize)>,
}

/// A function of the source.
pub(crate) struct Written {
    pub lambda: Lambda,
    pub span: Span,
    body: Span,
    present: bool,
    used: bool,
}

/// Where a span lies, for people.
pub(crate) fn place(sources: &SourceMap, span: Span) -> Place {
    let (start, end) =
        (sources.position(span.file, span.start), sources.position(span.file, span.end));
    Place {
        file: sources.file(span.file).name.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// How a variable is captured: a reference cell by its address.
pub(crate) fn mode(types: &TypeTable, ty: TyId, by: CaptureMode) -> Mode {
    match (by, types.get(ty)) {
        (CaptureMode::ByRef, _) => Mode::Reference,
        (CaptureMode::ByValue, Ty::Data(data, _)) if is_cell(types, *data) => Mode::Cell,
        (CaptureMode::ByValue, _) => Mode::Value,
    }
}

/// The type `ref` of the language.
pub(crate) fn is_cell(types: &TypeTable, data: oxbow_psg::DataId) -> bool {
    types.datas[data].known == Some(KnownType::Cell)
}

impl History {
    /// Notes the functions of the program as it was built.
    pub fn new(program: &Program<Poly>, sources: &SourceMap) -> Self {
        let mut history = Self {
            lambdas: Vec::new(),
            by_span: FxHashMap::default(),
            last: "monomorphize",
            decided: Vec::new(),
        };
        let graph = Graph::new(program);
        walk::for_each_reachable(program, |node| {
            if let NodeKind::Lambda(lambda) = program.nodes[node].kind
                && is_users(program, lambda, sources)
            {
                history.note(&graph, node, lambda, sources);
            }
        });
        history.number();
        history
    }

    fn note(
        &mut self,
        graph: &Graph<'_, Poly>,
        node: NodeId,
        lambda: LambdaId,
        sources: &SourceMap,
    ) {
        let program = graph.program;
        let it = &program.lambdas[lambda];
        // The body of a functor stands in the graph once for each application.
        if self.by_span.contains_key(&it.span) {
            return;
        }
        self.by_span.insert(it.span, self.lambdas.len());
        let mut types = TypeText::new(&program.types);
        let ty = types.text(program.ty(node));
        let params = it.params.iter().map(|&var| binding(program, &mut types, sources, var));
        let params = params.collect();
        let captures = it.captures.iter().map(|capture| Capture {
            name: program.vars[capture.var].name.shown(),
            ty: types.text(capture.ty),
            mode: mode(&program.types, capture.ty, capture.mode),
            place: place(sources, program.vars[capture.var].span),
        });
        let captures = captures.collect();
        // From the name to the end of the body.
        let name = graph
            .name_span(node)
            .filter(|name| name.file == it.span.file && name.start < it.span.start);
        let whole = name.map_or(it.span, |name| name.to(it.span));
        let lambda = Lambda {
            id: 0,
            name: it.name.map(Symbol::shown),
            origin: Origin::Written,
            place: place(sources, whole),
            ty,
            params,
            captures,
            inside: None,
            gone: None,
            copies: Vec::new(),
        };
        let body = program.span(it.body);
        self.lambdas.push(Written { lambda, span: it.span, body, present: true, used: true });
    }

    /// Adds a function that the compiler made at a place of the user's text.
    pub(crate) fn add_made(
        &mut self,
        program: &Program<Mono>,
        id: LambdaId,
        ty: TyId,
        sources: &SourceMap,
    ) {
        let it = &program.lambdas[id];
        self.by_span.insert(it.span, self.lambdas.len());
        let mut types = TypeText::new(&program.types);
        let ty = types.text(ty);
        let lambda = Lambda {
            id: 0,
            name: it.name.map(Symbol::shown),
            origin: if it.adapter { Origin::Adapter } else { Origin::Partial },
            place: place(sources, it.span),
            ty,
            params: Vec::new(),
            captures: Vec::new(),
            inside: None,
            gone: None,
            copies: Vec::new(),
        };
        let body = program.span(it.body);
        self.lambdas.push(Written { lambda, span: it.span, body, present: true, used: true });
    }

    /// Puts the functions in the order of the text and finds which stands in which.
    pub(crate) fn number(&mut self) {
        self.lambdas
            .sort_by_key(|it| (it.span.file, it.span.start, std::cmp::Reverse(it.span.end)));
        let mut open: Vec<usize> = Vec::new();
        for index in 0..self.lambdas.len() {
            let span = self.lambdas[index].span;
            while open.last().is_some_and(|&it| !contains(self.lambdas[it].span, span)) {
                open.pop();
            }
            let inside = open.last().map(|it| it + 1);
            let it = &mut self.lambdas[index].lambda;
            (it.id, it.inside) = (index + 1, inside);
            self.by_span.insert(span, index);
            open.push(index);
        }
    }

    /// The index of the written function that a lambda comes from.
    pub(crate) fn index(&self, span: Span) -> Option<usize> {
        self.by_span.get(&span).copied()
    }

    /// Looks at the program before a pass runs.
    pub fn before(&mut self, pass: &'static str, program: &Program<Mono>) {
        self.look(program);
        self.last = pass;
        if pass == "closure_repr" {
            let arities = program.lambdas.map(|it| it.params.len());
            // The pass is a function of the program: what it says of a copy holds of the original.
            let (_, reasons) = closure_repr::run_with_reasons(program.clone());
            self.decided =
                reasons.into_iter().map(|(id, reason)| (id, reason, arities[id])).collect();
        }
    }

    /// Looks at the program after the last pass.
    pub fn end(&mut self, program: &Program<Mono>) {
        self.look(program);
    }

    fn look(&mut self, program: &Program<Mono>) {
        let graph = Graph::new(program);
        let mut names: IdMap<LambdaId, VarId> = IdMap::new();
        graph.bound.iter().for_each(|(var, &lambda)| {
            names.insert(lambda, var);
        });
        // What is left of each function: whether it is used, and how much it takes.
        let mut found: FxHashMap<usize, (bool, usize)> = FxHashMap::default();
        let mut spans: Vec<Span> = Vec::new();
        walk::for_each_reachable(program, |node| {
            spans.push(program.span(node));
            if let NodeKind::Lambda(lambda) = program.nodes[node].kind
                && let Some(index) = self.index(program.lambdas[lambda].span)
            {
                let used = names.get(lambda).is_none_or(|&var| !graph.mentions(var).is_empty());
                let it = found.entry(index).or_default();
                it.0 |= used;
                it.1 = it.1.max(program.lambdas[lambda].params.len());
            }
        });
        spans.sort();
        let vanished: Vec<usize> = (0..self.lambdas.len())
            .filter(|it| self.lambdas[*it].present && !found.contains_key(it))
            .collect();
        for index in vanished {
            let it = &self.lambdas[index];
            let kept = any_within(&spans, it.body);
            let outer = it.lambda.inside.map(|it| it - 1);
            let merged = outer.filter(|outer| {
                let params = self.lambdas[*outer].lambda.params.len();
                kept && found.get(outer).is_some_and(|it| it.1 > params)
            });
            let reason = match merged {
                Some(outer) => {
                    let outer = self.lambdas[outer].lambda.title();
                    format!("`{outer}` takes its parameters as well: the two are one function")
                }
                None => gone_reason(self.last, it.used, kept).into(),
            };
            let it = &mut self.lambdas[index];
            it.present = false;
            it.lambda.gone = Some(Gone { pass: self.last, reason });
        }
        for (index, (used, _)) in found {
            self.lambdas[index].used = used;
        }
    }
}

/// A parameter, for people.
fn binding<P>(
    program: &Program<P>,
    types: &mut TypeText<'_>,
    sources: &SourceMap,
    var: VarId,
) -> Binding {
    let var = &program.vars[var];
    Binding { name: var.name.shown(), ty: types.text(var.ty), place: place(sources, var.span) }
}

/// Why the last of a function is gone after a pass.
fn gone_reason(pass: &str, used: bool, kept: bool) -> &'static str {
    match (pass, used, kept) {
        ("monomorphize", ..) => "nothing that can run uses it",
        (_, false, false) => "nothing uses it",
        ("contify", _, true) => "every call became a jump: it is a loop or a branch of its caller",
        ("specialize_functions", _, true) => {
            "copies that know their function arguments replaced it"
        }
        ("defunctionalize", _, true) => {
            "a constructor stands for it, and its code where that is called"
        }
        (_, _, true) => "its code stands where it was called",
        (_, _, false) => "its calls were replaced by what they compute",
    }
}

/// A function of the user's text; those that the front end makes for a format take `%k`.
pub(crate) fn is_users<P>(program: &Program<P>, lambda: LambdaId, sources: &SourceMap) -> bool {
    let it = &program.lambdas[lambda];
    let made = it.params.iter().any(|&it| program.vars[it].name.is_hidden());
    !made && !sources.file(it.span.file).is_library
}

/// Does one of the spans, which are in order, lie within `outer`?
fn any_within(spans: &[Span], outer: Span) -> bool {
    let first = spans.partition_point(|it| (it.file, it.start) < (outer.file, outer.start));
    spans[first..]
        .iter()
        .take_while(|it| it.file == outer.file && it.start < outer.end)
        .any(|&it| contains(outer, it))
}

pub(crate) fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
