//! Programs as OCaml text.
//!
//! A variable gets the name its maker suggested, also where another variable has that name, as
//! long as the other is not read in its scope: so programs are full of shadowing, and stay right.
//!
//! ```text
//! names    which name a variable gets
//! decls    types, exceptions, and functions that show values
//! exprs    expressions and patterns
//! rich     types of the profile `rich`, with their classes and functions, and values of them
//! ```

mod decls;
mod exprs;
mod names;
pub mod rich;

use crate::globals::{MODULES, prelude_for};
use crate::tree::{Ending, Item, Program};
use names::Names;

/// The text of a program that is alone in its file.
pub fn standalone(program: &Program) -> String {
    let mut body = body(program);
    match program.ending {
        Ending::Normal => (),
        Ending::Exit(code) => body += &format!("let () = exit {code}\n"),
        Ending::Raise => body += "let () = raise Not_found\n",
    }
    format!("(* seed {} *)\n{}\n{body}", program.seed, prelude_for(&body))
}

/// What stands before the output of each program of a batch.
pub const SEPARATOR: &str = "=====";

/// Several programs in one file, each in a module. Endings are left out.
pub fn batch(programs: &[Program]) -> String {
    let mut modules = String::new();
    for program in programs {
        // Named for itself: exceptions print their module's name, also in another batch.
        let (seed, body) = (program.seed, body(program));
        modules += &format!(
            "let () = fuel := 2000; logged := 0; print_string \"\\n{SEPARATOR}\\n\"\n\nmodule P{seed} = struct\n{body}end\n\n"
        );
    }
    format!("{}\n{modules}", prelude_for(&modules))
}

/// Types, exceptions and definitions.
fn body(program: &Program) -> String {
    let mut exprs =
        exprs::Printer { program, names: Names::new(program), out: String::new(), indent: 0 };
    let bodies: Vec<_> = program.items.iter().map(mentions).collect();
    for (index, item) in program.items.iter().enumerate() {
        // Names that later items read may not be taken by this one.
        let mut later: Vec<usize> = bodies[index + 1..].concat();
        if matches!(item, Item::LetRec { .. }) {
            later.extend(&bodies[index]);
        }
        print_item(&mut exprs, item, &later);
    }
    let items = exprs.out;
    format!("{}{items}", decls::text(program, &items))
}

fn mentions(item: &Item) -> Vec<usize> {
    let mut out = Vec::new();
    item.exprs().iter().for_each(|it| it.mentions(&mut out));
    out
}

fn print_item(printer: &mut exprs::Printer<'_>, item: &Item, later: &[usize]) {
    match item {
        Item::Let { var, bound } => {
            let bound_text = printer.text(bound);
            let name = printer.names.bind(*var, later);
            let ty = &printer.program.vars[*var].ty;
            // Without its type, a value such as `ref []` would not be typed completely.
            let open = ty.any(&|it| matches!(it, crate::types::Ty::Param(_)));
            let annotation =
                if open { String::new() } else { format!(" : {}", printer.program.types.text(ty)) };
            printer.out += &format!("let {name}{annotation} =\n  {bound_text}\n");
        }
        Item::LetRec { binds } => {
            let mut later = later.to_vec();
            later.extend(binds.iter().map(|it| it.0));
            let names: Vec<String> =
                binds.iter().map(|it| printer.names.bind(it.0, &later)).collect();
            for (index, (name, (_, bound))) in names.iter().zip(binds).enumerate() {
                let word = if index == 0 { "let rec" } else { "and" };
                let bound = printer.text(bound);
                printer.out += &format!("{word} {name} = {bound}\n");
            }
        }
        Item::Module { module, args, vars } => {
            let args: Vec<String> = args.iter().map(|it| printer.text(it)).collect();
            let name = printer.names.bind_module(vars, MODULES[*module].members);
            printer.out +=
                &format!("module {name} = {}\n", exprs::fill(MODULES[*module].text, &args));
        }
        Item::Run(expr) => {
            let text = printer.text(expr);
            printer.out += &format!("let () = {text}\n");
        }
    }
}
