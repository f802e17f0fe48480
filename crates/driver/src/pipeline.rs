//! The order of the passes and checks over the specialised graph, as data.
//!
//! ```text
//! build                           the front end (`session`)
//! monomorphize … differentiate    Part::Specialize: what finds programs at fault
//! simplify … storage              Part::Optimize: what the back end starts from
//! check_slots, check_zero_alloc   Part::Accept: faults that only the last graph shows
//! lower … plan_cycles             the dialect (`native`)
//! ```
//!
//! Each row is a step: it is timed, and the graph behind it can be verified and dumped (`--dump-after`), whether the
//! row changes the graph or looks at it.

use oxbow_base::{Language, SourceFile, Span};
use oxbow_differentiate as differentiate;
use oxbow_passes::{
    check_captures, check_cycles, check_slots, check_stack, check_unbounded, check_zero_alloc,
    closure_repr, contify, dead_functions, defunctionalize, gather_kernels, guard_unwinding,
    may_raise, merge_instances, peel_calls, poll_signals, simplify, specialize_functions, storage,
    trace_exceptions, unbox_products, unwrap_options,
};
use oxbow_psg::{Mono, Program};

use crate::{Closures, Error, Options, Session, native};

/// A pass or a check within the `Mono` phase. A name that occurs several times means the last run to `--dump-after`;
/// `name:1` is the first.
pub struct Row {
    pub name: &'static str,
    pub part: Part,
    pub work: Work,
    /// Whether the options ask for it.
    pub wanted: fn(&Options) -> bool,
    pub then: Then,
    /// Why it stands where it does.
    pub place: &'static str,
}

/// Which commands need a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of them.
    Specialize,
    /// Those that make code.
    Optimize,
    /// The same, after what the options of a command cannot change.
    Accept,
}

/// What a row does.
#[derive(Clone, Copy)]
pub enum Work {
    /// Makes another graph.
    Pass(fn(Program<Mono>) -> Program<Mono>),
    /// The same, and may report.
    Transform(fn(&mut Session, Program<Mono>) -> Program<Mono>),
    /// Reports what is wrong with the graph.
    Check(fn(&mut Session, &Program<Mono>)),
}

/// What errors do behind a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// They stop the compilation.
    Stop,
    /// The next row may find more of them.
    GoOn,
}

const ALWAYS: fn(&Options) -> bool = |_| true;

/// A transform that reports nothing.
const fn pass(
    name: &'static str,
    run: fn(Program<Mono>) -> Program<Mono>,
    place: &'static str,
) -> Row {
    let (part, work) = (Part::Optimize, Work::Pass(run));
    Row { name, part, work, wanted: ALWAYS, then: Then::GoOn, place }
}

/// One that changes what debuggers would show.
const fn optimisation(
    name: &'static str,
    run: fn(Program<Mono>) -> Program<Mono>,
    place: &'static str,
) -> Row {
    Row { wanted: |options| !options.keeps_variables(), ..pass(name, run, place) }
}

const fn check(
    name: &'static str,
    run: fn(&mut Session, &Program<Mono>),
    then: Then,
    place: &'static str,
) -> Row {
    let (part, work) = (Part::Specialize, Work::Check(run));
    Row { name, part, work, wanted: ALWAYS, then, place }
}

/// All rows, in their order.
pub const ROWS: &[Row] = &[
    Row {
        wanted: |options| options.warn_cycles,
        ..check(
            "check_cycles",
            |cx, program| {
                cx.with_flow(program, |cx, flow| {
                    let sources = &cx.sources;
                    let is_library = |span: Span| sources.file(span.file).is_library;
                    check_cycles::run(program, flow, &is_library, &mut cx.diagnostics);
                });
            },
            Then::GoOn,
            "sees the assignments as they were written",
        )
    },
    check(
        "check_captures",
        |cx, program| {
            // Most programs do not need the check, nor the graph that it asks.
            if check_captures::is_needed(program, &cx.sources) {
                cx.with_flow(program, |cx, flow| {
                    check_captures::run(program, flow, &cx.sources, &mut cx.diagnostics);
                });
            }
        },
        Then::GoOn,
        "sees the closures as they were written",
    ),
    check(
        "check_foreign",
        |cx, program| native::check_foreign(program, &mut cx.diagnostics),
        Then::Stop,
        "before unused functions of C are dropped",
    ),
    check(
        "check_unbounded",
        |cx, program| {
            let is_clef = |file: &SourceFile| !file.is_library && file.language == Language::Clef;
            if cx.sources.files().any(|(_, it)| is_clef(it)) {
                cx.with_flow(program, |cx, flow| {
                    let sources = &cx.sources;
                    let is_checked = |span: Span| is_clef(sources.file(span.file));
                    check_unbounded::run(program, flow, &is_checked, &mut cx.diagnostics);
                });
            }
        },
        Then::GoOn,
        "after `check_captures`: one report for each mistake, not for closures that outlive what they capture",
    ),
    Row {
        name: "drop_frames",
        part: Part::Specialize,
        work: Work::Transform(|cx, program| {
            trace_exceptions::drop_frames(program, cx.options.backtraces)
        }),
        wanted: ALWAYS,
        then: Then::GoOn,
        place: "before `differentiate`, to which a note of the library would be an effect",
    },
    Row {
        name: "differentiate",
        part: Part::Specialize,
        work: Work::Transform(|cx, program| {
            let is_user_code = |span: Span| !cx.sources.file(span.file).is_library;
            let (program, outcomes) =
                differentiate::run(program, is_user_code, &mut cx.diagnostics);
            cx.derivatives = outcomes;
            program
        }),
        wanted: ALWAYS,
        then: Then::Stop,
        place: "before all inlining: it reports at the functions that were written",
    },
    pass(
        "poll_signals",
        poll_signals::run,
        "before loops and functions change their form: it is the user's that poll",
    ),
    pass(
        "guard_unwinding",
        guard_unwinding::run,
        "before handlers are simplified: it is those that were written that must not run",
    ),
    Row {
        name: "trace_exceptions",
        part: Part::Optimize,
        work: Work::Transform(|cx, program| {
            let places = crate::places::Places::new(&cx.scopes, &cx.sources);
            trace_exceptions::run(program, cx.options.backtraces, |span| places.text(span))
        }),
        wanted: ALWAYS,
        then: Then::GoOn,
        place: "before all inlining: the calls are those that were written; after the passes that add handlers",
    },
    pass(
        "merge_instances",
        merge_instances::run,
        "before all inlining, which makes a difference of what a functor was applied to",
    ),
    Row {
        wanted: Options::keeps_variables,
        ..pass(
            "resolve_calls",
            simplify::resolve_calls,
            "in the place of `simplify`, if nothing else is to change",
        )
    },
    optimisation("simplify", simplify::run, "first: it shows what lambda an argument is"),
    optimisation(
        "specialize_functions",
        specialize_functions::run,
        "after `simplify`, which shows what lambda an argument is",
    ),
    optimisation("simplify", simplify::run, "again: the copies now call known functions"),
    optimisation(
        "peel_calls",
        peel_calls::run,
        "after inlining, so that the test is the one that is left",
    ),
    optimisation(
        "contify",
        contify::run,
        "after all inlining, which brings calls of a local function to one place",
    ),
    Row {
        name: "defunctionalize",
        part: Part::Optimize,
        work: Work::Transform(|cx, program| {
            let sources = &cx.sources;
            let is_fixed = |span: Span| sources.file(span.file).language == Language::Clef;
            let (program, sets) = defunctionalize::run(program, &is_fixed);
            cx.closure_sets = sets;
            program
        }),
        wanted: |options| options.closures == Closures::Auto && !options.keeps_variables(),
        then: Then::GoOn,
        place: "after all that shows which function is called, before a run of `simplify`, which inlines what it made",
    },
    optimisation(
        "unbox_products",
        unbox_products::run,
        "after `defunctionalize`, which tells functions apart by the types that hold them",
    ),
    optimisation(
        "unwrap_options",
        unwrap_options::run,
        "after `unbox_products`, so that what is still a record is an object",
    ),
    optimisation(
        "simplify",
        simplify::run,
        "again: a loop in its place lets references become variables",
    ),
    optimisation(
        "gather_kernels",
        gather_kernels::run,
        "after all that shows loops and what they compute",
    ),
    pass("dead_functions", dead_functions::run, "after the last copy of a function is made"),
    pass(
        "check_stack",
        check_stack::run,
        "after inlining, so that each function that is left tests once",
    ),
    pass(
        "closure_repr",
        closure_repr::run,
        "last of those that change code: it fixes what each lambda is",
    ),
    pass("may_raise", may_raise::run, "after `closure_repr`: a closure's code may always raise"),
    optimisation("storage", storage::run, "after everything that makes or moves allocations"),
    Row {
        part: Part::Accept,
        wanted: |options| options.closures == Closures::Slots,
        ..check(
            "check_slots",
            |cx, program| check_slots::run(program, &mut cx.diagnostics),
            Then::Stop,
            "sees the closures that are left",
        )
    },
    Row {
        part: Part::Accept,
        ..check(
            "check_zero_alloc",
            |cx, program| check_zero_alloc::run(program, &mut cx.diagnostics),
            Then::Stop,
            "after `storage`, which says where each object lives",
        )
    },
];

/// Steps whose result is the graph and that are no rows: the front end's, and the one that makes the phase.
const BEFORE: [&str; 2] = ["build", "monomorphize"];

/// The names that `--dump-after` takes, in the order of the steps.
pub fn names() -> Vec<&'static str> {
    let mut names = BEFORE.to_vec();
    for row in ROWS {
        if !names.contains(&row.name) {
            names.push(row.name);
        }
    }
    names.extend(native::steps());
    names
}

/// Whether `asked` names the run of the row at `index`.
pub(crate) fn names_run(asked: &str, index: usize) -> bool {
    let Some(row) = ROWS.get(index) else { return false };
    let run = ROWS.iter().take(index + 1).filter(|it| it.name == row.name).count();
    let is_last = ROWS.iter().skip(index + 1).all(|it| it.name != row.name);
    match asked.split_once(':') {
        Some((name, number)) => name == row.name && number.parse() == Ok(run),
        None => asked == row.name && is_last,
    }
}

/// Refuses the name of a step that does not exist.
pub(crate) fn check_name(name: Option<&str>) -> Result<(), Error> {
    let known = |name: &str| {
        BEFORE.contains(&name)
            || native::steps().contains(&name)
            || (0..ROWS.len()).any(|index| names_run(name, index))
    };
    match name {
        Some(name) if !known(name) => Err(Error::Usage(format!(
            "there is no pass `{name}`; the passes are {}",
            names().join(", ")
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named() {
        let runs: Vec<usize> = (0..ROWS.len()).filter(|&it| ROWS[it].name == "simplify").collect();
        let last = runs.len();
        assert!(last > 1);
        assert!(names_run("simplify", runs[last - 1]) && !names_run("simplify", runs[0]));
        assert!(names_run("simplify:1", runs[0]) && !names_run("simplify:1", runs[1]));
        assert!(names_run(&format!("simplify:{last}"), runs[last - 1]));
        assert!(
            check_name(Some("simplify:9")).is_err() && check_name(Some("closure_repr")).is_ok()
        );
    }

    /// The session runs one part after the other.
    #[test]
    fn parts_stand_together() {
        let order = |it: &Row| it.part as usize;
        assert!(ROWS.is_sorted_by_key(order));
    }
}
