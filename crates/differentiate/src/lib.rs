//! Replaces the operators of module `Ad` by code that computes exact derivatives.
//!
//! ```text
//! before   Ad.derivative (fun x -> x *. k) 2.0              k a float outside
//! after    derivative (fun (x: float * float) -> mul_F x k) 2.0
//!          derivative f x = (f (x, 1.0)).1                  mul_F x k = (x.0 * k, x.1 * k)
//! ```
//!
//! The operators are functions of the library, written with the `%ad` primitives. `constrain` says
//! what the code of each function demands of its numbers, `solve` finds for each instance of a
//! function how many derivatives surround each number, and `emit` writes the program anew with
//! numbers that carry these derivatives (`code`, `arrays`; `rules` has the derivatives of the
//! primitives). Gradients of functions whose code is known are written out before that (`adjoint`).
//! Nested derivatives have different levels, hence different types, and cannot be confused.
//! Decision 30 has the alternatives.
//!
//! Phase: Mono -> Mono, before everything that inlines. Programs without operators are left as they
//! are. Errors: `E0960` derivatives inside each other without end, `E0961` a number made from text or bits
//! inside of a derivative, `E0965` effects there, `E0962` a given derivative that misses a dependence, `E0963` a
//! function value for two modes that exclude each other. `W0960` warns of numbers that an object keeps for the next
//! derivative (`kept`).

mod adjoint;
mod arrays;
mod code;
mod constrain;
mod emit;
mod fuse;
mod kept;
mod level;
mod matrices;
mod prepare;
mod rules;
mod shape;
mod solve;
mod tape;
mod taylor;

use oxbow_base::{IdMap, IdSet, Span};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{Mono, NodeId, NodeKind, Prim, Program, VarId, walk};

pub use adjoint::{Outcome, Reason};
use solve::{InstanceId, Owner, Solver, Unsolved};

/// Replaces all operators of module `Ad`. Answers the program and, for each gradient in the user's code, whether it is
/// code or uses the tape. `is_user_code` tells the user's code from the library's: errors and outcomes are told there.
/// After an error the program still has operators, and is not to be used.
pub fn run(
    program: Program<Mono>,
    is_user_code: impl Fn(Span) -> bool,
    diagnostics: &mut Diagnostics,
) -> (Program<Mono>, Vec<Outcome>) {
    let (mut program, outcomes) = replace_operators(program, is_user_code, diagnostics);
    matrices::run(&mut program);
    (program, outcomes)
}

fn replace_operators(
    mut program: Program<Mono>,
    is_user_code: impl Fn(Span) -> bool,
    diagnostics: &mut Diagnostics,
) -> (Program<Mono>, Vec<Outcome>) {
    if !takes_derivatives(&program, |prim| prim.is_differentiation()) {
        return (program, Vec::new());
    }
    prepare::run(&mut program);
    let outcomes = adjoint::run(&mut program, &is_user_code);
    let is_left = |prim: Prim| prim.is_differentiation() && prim != Prim::AdIsZero;
    if outcomes.iter().any(|it| it.tape.is_none()) && !takes_derivatives(&program, is_left) {
        program = oxbow_passes::dead_functions::run(program);
        adjoint::compare_zeros(&mut program);
        return (program, outcomes);
    }
    let mut solver = Solver::new(&program, Box::new(&is_user_code));
    let solved = solver.run();
    if let Err(unsolved) = &solved {
        report_unsolved(&solver, unsolved, diagnostics);
    }
    if solved.is_err() || report(&solver, diagnostics) {
        drop(solver);
        return (program, outcomes);
    }
    kept::warn(&solver, diagnostics);
    (emit::run(solver), outcomes)
}

/// Whether code that can run has such a primitive.
fn takes_derivatives(program: &Program<Mono>, counts: impl Fn(Prim) -> bool) -> bool {
    let mut found = false;
    for root in reachable(program) {
        walk::for_each_node(program, root, |node| {
            found |=
                matches!(program.nodes[node].kind, NodeKind::Prim { prim, .. } if counts(prim));
        });
    }
    found
}

/// The values of items that can run, in the order of the items.
fn reachable(program: &Program<Mono>) -> Vec<NodeId> {
    let mut functions: IdMap<VarId, NodeId> = IdMap::new();
    let mut work = Vec::new();
    for item in &program.items {
        if solve::is_function_item(program, &item.kind) {
            for (&var, root) in item.kind.vars().iter().zip(item.kind.roots()) {
                functions.insert(var, root);
            }
        } else {
            work.extend(item.kind.roots());
        }
    }
    let mut live: IdSet<NodeId> = IdSet::new();
    while let Some(root) = work.pop() {
        live.insert(root);
        walk::for_each_node(program, root, |node| {
            if let NodeKind::Var { var, .. } = program.nodes[node].kind {
                work.extend(functions.remove(var));
            }
        });
    }
    let roots = program.items.iter().flat_map(|it| it.kind.roots());
    roots.filter(|&it| live.contains(it)).collect()
}

fn report_unsolved(solver: &Solver<'_>, unsolved: &Unsolved, diagnostics: &mut Diagnostics) {
    match unsolved {
        Unsolved::TooDeep(ty) => {
            let text = oxbow_psg::print::type_text(&solver.types.table, *ty);
            let construct = format!("differentiation with values of the type `{text}`");
            if let Some(item) = solver.program.items.first() {
                diagnostics.error(Diagnostic::not_supported(item.span, &construct));
            }
        }
        Unsolved::Unbounded(span) => {
            diagnostics.error(
                Diagnostic::error("E0960", "derivatives are taken inside each other without end")
                    .at(*span, "this leads to a derivative inside of itself")
                    .note("how deep derivatives nest must be known at compile time")
                    .help("use `Ad.derivative_n` or `Ad.taylor` for derivatives of an order that the program computes"),
            );
        }
    }
}

/// Whether there were errors.
fn report(solver: &Solver<'_>, diagnostics: &mut Diagnostics) -> bool {
    let mut failed = false;
    for (id, instance) in solver.instances.iter() {
        let constraints = &solver.constraints[&instance.owner];
        if !is_current(solver, id) {
            continue;
        }
        if instance.levels.iter().any(|it| it.is_contradictory()) {
            failed = true;
            diagnostics.error(
                Diagnostic::error(
                    "E0963",
                    "a number belongs to a Taylor series and to a derivative in reverse mode",
                )
                .at(instance.origin, "needed here in both ways")
                .note("a function value, the payload of an exception, or a reference that outlives the derivative has one representation")
                .help("give `Ad.taylor` and `Ad.derivative_n` a function of their own, such as `fun x -> f x`"),
            );
            break;
        }
        for &(node, ambient) in &constraints.opaque {
            if solver.level(id, ambient).is_ground() || is_constant(solver.program, node) {
                continue;
            }
            let NodeKind::Prim { prim, .. } = solver.program.nodes[node].kind else { continue };
            failed = true;
            if matches!(prim, Prim::FiberNew | Prim::FiberResume | Prim::FiberSuspend) {
                diagnostics.error(
                    Diagnostic::error("E0965", "effects cannot be used inside of a derivative")
                        .at(place(solver, id, node), "changes to another computation")
                        .note("numbers that pass from one computation to another would lose their derivatives")
                        .help("handle the effects before the derivative is taken, or pass a function instead"),
                );
                return true;
            }
            if prim == Prim::DomainSpawn {
                diagnostics.error(
                    Diagnostic::error("E0965", "domains and threads cannot be started inside of a derivative")
                        .at(place(solver, id, node), "starts another computation")
                        .note("numbers that pass from one computation to another would lose their derivatives")
                        .help("take the derivative within each domain, or start them outside of it"),
                );
                return true;
            }
            let what = if prim == Prim::ParseFloat { "text" } else { "a bit pattern" };
            diagnostics.error(
                Diagnostic::error(
                    "E0961",
                    format!("a float made from {what} cannot be differentiated"),
                )
                .at(place(solver, id, node), "inside of a derivative")
                .note("what it depends on is unknown, so its derivative would silently be zero")
                .help("compute it before the derivative is taken"),
            );
        }
        for &(node, operand) in &constraints.losing {
            if solver.level(id, operand).is_ground() {
                continue;
            }
            let NodeKind::Prim { prim, .. } = solver.program.nodes[node].kind else { continue };
            let (what, help) = match prim {
                Prim::Foreign { name, .. } => (
                    format!("`{name}` is a function of C and cannot be differentiated"),
                    "give its derivative: `Ad.custom f df`",
                ),
                _ => (
                    "a number of single precision cannot be differentiated".to_owned(),
                    "compute with `float` inside of the derivative",
                ),
            };
            failed = true;
            diagnostics.error(
                Diagnostic::error("E0961", what)
                    .at(place(solver, id, node), "inside of a derivative")
                    .note("its derivative would silently be zero")
                    .help(help),
            );
        }
        for &(node, [value, derivative, argument]) in &constraints.attached {
            let [value, derivative, argument] =
                [value, derivative, argument].map(|it| solver.level(id, it));
            if value.is_ground() && derivative.depth <= argument.depth {
                continue;
            }
            failed = true;
            diagnostics.error(
                Diagnostic::error(
                    "E0962",
                    "the functions given to `Ad.custom` depend on a number that is being differentiated",
                )
                .at(place(solver, id, node), "used here")
                .note("the given derivative is only with respect to the argument")
                .help("pass that number as the argument, or make it a constant with `Ad.constant`"),
            );
        }
    }
    failed
}

/// Intermediate instances of the solution are not part of the program.
fn is_current(solver: &Solver<'_>, id: InstanceId) -> bool {
    match solver.instances[id].owner {
        Owner::Item(_) => true,
        Owner::Function(var) => {
            let interface = &solver.constraints[&solver.instances[id].owner].interface;
            solver.find(var, &solver.levels(id, interface)) == Some(id)
        }
    }
}

fn is_constant(program: &Program<Mono>, node: oxbow_psg::NodeId) -> bool {
    let mut constant = false;
    if let NodeKind::Prim { args, .. } = &program.nodes[node].kind {
        constant = args.iter().all(|&it| matches!(program.nodes[it].kind, NodeKind::Const(_)));
    }
    constant
}

/// The user's code that leads to a node.
fn place(solver: &Solver<'_>, id: InstanceId, node: oxbow_psg::NodeId) -> Span {
    let span = solver.program.span(node);
    if solver.is_user(span) { span } else { solver.instances[id].origin }
}
