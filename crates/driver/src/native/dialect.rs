//! The steps over the dialect: from the graph to what the back end converts.
//!
//! ```text
//! lower                   the graph becomes a module, or a file of MLIR is read
//! closures                closures get their representation (`oxbow_opt::apply`)
//! regions, count          ownership is made explicit
//! plan_…                  what holds for the whole program is written down (`oxbow_opt::PLAN`)
//! convert                 the `llvm` dialect
//! ```
//!
//! After each of them the module can be verified, and dumped.

use oxbow_backend::{LoweringOptions, MemoryChecks};
use oxbow_diag::ice;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::melior::ir::operation::OperationLike as _;
use oxbow_opt::Strategy;

use crate::session::no_function;
use crate::{Closures, Code, Error, MemoryMode, Session, SlotKind, Stop, mlir};

/// The names of the steps after which a module can be dumped.
pub fn steps() -> Vec<&'static str> {
    let plans = oxbow_opt::PLAN.iter().map(|it| it.name);
    ["lower", "closures", "regions", "count"].into_iter().chain(plans).collect()
}

/// Do debuggers and profilers see source lines? Code that runs in this process is gone
/// before one could be attached, and its start should not wait for tables.
#[derive(Clone, Copy, PartialEq)]
pub enum LineTables {
    Made,
    Left,
}

/// Where a module comes from.
#[derive(Clone, Copy, PartialEq)]
pub enum Origin {
    /// A program, which was checked.
    Program,
    /// A file in the dialect.
    Outside,
}

impl Origin {
    pub fn of(code: &Code) -> Self {
        match code {
            Code::Graph(_) => Self::Program,
            Code::Mlir(_) => Self::Outside,
        }
    }
}

/// The module as it comes from the graph or from a file.
pub fn lower<'c>(
    session: &mut Session,
    code: Code,
    context: &'c Context,
) -> Result<Module<'c>, Stop> {
    let module = match code {
        Code::Graph(program) => {
            let run = match session.options.keeps_variables() {
                true => oxbow_lower::run_for_debuggers,
                false => oxbow_lower::run,
            };
            session.step("lower", |cx| run(&program, &cx.sources, context))
        }
        Code::Mlir(file) => mlir::read(session, file, context)?,
    };
    after(session, &module, "lower")?;
    Ok(module)
}

/// The module of a whole program, with closures represented as the options say.
pub fn ready<'c>(
    session: &mut Session,
    code: Code,
    context: &'c Context,
) -> Result<Module<'c>, Stop> {
    let origin = Origin::of(&code);
    let module = lower(session, code, context)?;
    if origin == Origin::Outside {
        mlir::complete(session, &module, context)?;
    }
    closures(session, &module, context, origin)?;
    Ok(module)
}

/// Gives closures their representation.
pub fn closures<'c>(
    session: &mut Session,
    module: &Module<'c>,
    context: &'c Context,
    origin: Origin,
) -> Result<(), Stop> {
    if origin == Origin::Outside && session.options.closures == Closures::Slots {
        oxbow_opt::fold_envs::run(module, context);
        oxbow_opt::unused_captures::run(module, context);
        oxbow_opt::check_instances::run(module, context)
            .map_err(|faults| mlir::report(session, "E0950", &faults))?;
    }
    // Debuggers know variables as they were written, and closures are flat then.
    if session.options.keeps_variables() {
        return after(session, module, "closures");
    }
    let strategy = match session.options.closures {
        Closures::Auto | Closures::Flat => Strategy::Flat,
        Closures::Env => Strategy::Env,
        Closures::Slots => Strategy::Slots(match session.options.slots {
            SlotKind::Shared => oxbow_opt::SlotKind::Shared,
            SlotKind::ThreadLocal => oxbow_opt::SlotKind::ThreadLocal,
        }),
    };
    let faults = session.step("closures", |_| oxbow_opt::apply(module, context, strategy));
    faults.map_err(|faults| mlir::report(session, "E0302", &faults))?;
    after(session, module, "closures")
}

/// Makes ownership explicit.
pub fn count<'c>(
    session: &mut Session,
    module: &Module<'c>,
    context: &'c Context,
) -> Result<(), Stop> {
    if session.options.uncounted {
        return Ok(());
    }
    if !session.options.keeps_variables() {
        session.step("regions", |_| oxbow_counting::place(module, context));
    }
    after(session, module, "regions")?;
    session.step("count", |_| oxbow_counting::run(module, context));
    if let Some(text) = &session.options.plant {
        let planted = oxbow_counting::Fault::parse(text)
            .map_or(0, |fault| oxbow_counting::plant(module, context, &fault));
        if planted == 0 {
            ice!("the fault `{text}` cannot be planted");
        }
    }
    after(session, module, "count")
}

/// The same, and writes down what holds for the whole program.
pub fn plan<'c>(
    session: &mut Session,
    module: &Module<'c>,
    context: &'c Context,
) -> Result<(), Stop> {
    count(session, module, context)?;
    for pass in oxbow_opt::PLAN {
        session.step(pass.name, |_| (pass.run)(module, context));
        after(session, module, pass.name)?;
    }
    Ok(())
}

/// The module in the `llvm` dialect.
pub fn convert<'c>(
    session: &mut Session,
    module: &Module<'c>,
    context: &'c Context,
    lines: LineTables,
) -> Result<Module<'c>, Stop> {
    plan(session, module, context)?;
    let options = LoweringOptions {
        verify: session.options.verify,
        debug_info: lines == LineTables::Made,
        memory: match session.options.memory {
            MemoryMode::Quiet => MemoryChecks::Off,
            MemoryMode::Measured => MemoryChecks::Measured,
            MemoryMode::Checked => MemoryChecks::Checked,
        },
    };
    Ok(session.step("convert", |_| oxbow_backend::lower_to_llvm_dialect(module, context, options)))
}

/// Verifies and dumps what a step made, where that is asked for.
fn after(session: &mut Session, module: &Module<'_>, name: &'static str) -> Result<(), Stop> {
    if session.options.verify && !session.step("verify", |_| module.as_operation().verify()) {
        ice!("the module is broken after `{name}`");
    }
    if session.options.dump_after.as_deref() != Some(name) {
        return Ok(());
    }
    session.dump = Some(module_text(session, module)?);
    Err(Stop::Dumped)
}

/// The text of a module, or of the functions that were asked for: by the names that the program gave them, before
/// which code of machines has a mark.
pub fn module_text(session: &Session, module: &Module<'_>) -> Result<String, Stop> {
    let Some(name) = &session.options.dump_func else {
        return Ok(format!("{}", module.as_operation()));
    };
    let named = |symbol: &str| {
        symbol == name || symbol.strip_prefix(oxbow_backend::INTERNAL) == Some(name.as_str())
    };
    let found: Vec<String> = mlir::function_texts(module)
        .into_iter()
        .filter_map(|(symbol, text)| named(&symbol).then_some(text))
        .collect();
    if found.is_empty() {
        return Err(Error::Usage(no_function(name)).into());
    }
    Ok(found.concat())
}
