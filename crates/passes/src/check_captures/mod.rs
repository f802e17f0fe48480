//! A variable that a closure captures by reference must outlive the closure.
//!
//! ```text
//! let mutable n = 0
//! List.iter (fun x -> n <- n + x) xs      accepted: `iter` only calls its argument
//! fun () -> n <- n + 1                    refused: the closure leaves the scope of `n`
//! ```
//!
//! From each closure over such a variable the check follows the value along the edges of [`Flow`]: through names, data,
//! branches and other closures that capture it (`follow`). A call of a known function is followed in that function, for
//! this call alone: what it does with its parameter is found once (`calls`). The value
//! escapes if it becomes the result of the variable's scope, or is stored in, assigned to or raised as
//! something that lives longer, or is given to code that is not known. Values of types without functions
//! hold no closure and are not followed.
//!
//! Phase: Mono, before anything is moved. The library keeps no function that it is given; it may
//! return it, and pass it to the other functions that it is given.

mod calls;
mod follow;
mod report;

use oxbow_base::{FxHashMap, IdSet, SourceMap, Span, SparseSet};
use oxbow_diag::Diagnostics;
use oxbow_psg::{CaptureMode, LambdaId, Mono, NodeId, NodeKind, Program, VarId, walk};

use crate::flow::{Flow, PlaceId};
use crate::holds::Holds;
use calls::{Fate, What};
use follow::{Boundary, Walk};

/// Does a closure of the user's files capture a variable by reference?
pub fn is_needed(program: &Program<Mono>, sources: &SourceMap) -> bool {
    let users = |var: VarId| !sources.file(program.vars[var].span.file).is_library;
    program.lambdas.values().any(|lambda| {
        lambda.captures.iter().any(|it| it.mode == CaptureMode::ByRef && users(it.var))
    })
}

/// Reports the closures of the user's files that outlive what they capture.
pub fn run(
    program: &Program<Mono>,
    flow: &Flow,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) {
    let mut literals: Vec<(LambdaId, NodeId)> = Vec::new();
    let mut check = Check::new(program, flow, sources);
    walk::for_each_reachable(program, |node| {
        check.index(node);
        if let NodeKind::Lambda(lambda) = program.nodes[node].kind {
            literals.push((lambda, node));
        }
    });
    check.arguments.sort_unstable();
    check.called.sort_unstable();
    literals.sort_unstable();
    let mut reported: SparseSet<VarId> = SparseSet::new();
    for (lambda, node) in literals {
        for capture in &program.lambdas[lambda].captures {
            let var = capture.var;
            if capture.mode != CaptureMode::ByRef || check.is_library(program.vars[var].span) {
                continue;
            }
            let Some(scope) = capture.source else { continue };
            let NodeKind::Let { body, .. } = program.nodes[scope].kind else { continue };
            let mut walk = Walk::new(program, Boundary::Scope(body), What::Itself);
            if let Err(path) = check.follow(flow.of_node(node), &mut walk)
                && reported.insert(var)
            {
                diagnostics.error(check.report(var, scope, lambda, node, &path));
            }
        }
    }
}

/// A step of the way out: where, and what happens there.
type Step = (Span, String);
/// `Err` is the way on which the value escapes.
type Followed = Result<(), Vec<Step>>;

struct Check<'a> {
    program: &'a Program<Mono>,
    flow: &'a Flow,
    sources: &'a SourceMap,
    holds: Holds,
    /// Calls by the places of their arguments, with the number of the argument.
    arguments: Vec<(PlaceId, NodeId, usize)>,
    /// Calls by the places of what they call.
    called: Vec<(PlaceId, NodeId)>,
    /// Parameters of functions and of join points: what they are depends on the caller.
    params: IdSet<VarId>,
    /// Functions that stand in others.
    local: IdSet<LambdaId>,
    fates: FxHashMap<(LambdaId, usize, What), Fate>,
    /// Parameters whose fate is being found out, and the first of them that was asked for again.
    open: Vec<(LambdaId, usize, What)>,
    reached: usize,
}

impl<'a> Check<'a> {
    fn new(program: &'a Program<Mono>, flow: &'a Flow, sources: &'a SourceMap) -> Self {
        let mut params = IdSet::new();
        let all = program.lambdas.values().flat_map(|it| &it.params);
        for &param in all.chain(program.joins.values().flat_map(|it| &it.params)) {
            params.insert(param);
        }
        let mut local: IdSet<LambdaId> = program.lambdas.ids().collect();
        for item in &program.items {
            for root in item.kind.roots() {
                if let NodeKind::Lambda(lambda) = program.nodes[root].kind {
                    local.remove(lambda);
                }
            }
        }
        Self {
            program,
            flow,
            sources,
            holds: Holds::default(),
            arguments: Vec::new(),
            called: Vec::new(),
            params,
            local,
            fates: FxHashMap::default(),
            open: Vec::new(),
            reached: usize::MAX,
        }
    }

    fn index(&mut self, node: NodeId) {
        let NodeKind::Apply { func, args, .. } = &self.program.nodes[node].kind else { return };
        if let Some(place) = self.flow.operand(self.program, *func) {
            self.called.push((place, node));
        }
        for (index, &arg) in args.iter().enumerate() {
            if let Some(place) = self.flow.operand(self.program, arg) {
                self.arguments.push((place, node, index));
            }
        }
    }

    fn is_library(&self, span: Span) -> bool {
        self.sources.file(span.file).is_library
    }

    fn may_hold(&mut self, node: NodeId) -> bool {
        self.holds.may_hold(&self.program.types, self.program.ty(node))
    }
}
