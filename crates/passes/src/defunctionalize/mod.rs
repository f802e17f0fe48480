//! Makes data of functions that are held as data, where all that can be meant are known.
//!
//! ```text
//! before   let compose f g = fun x -> f (g x)
//!          let rec chain n = if n = 0 then (fun x -> x) else compose (fun x -> x + n) (chain (n - 1))
//!          … chain 10 1 …
//! after    type function = A of function * function | B | C of int
//!          let rec chain n = if n = 0 then B else A (C n, chain (n - 1))
//!          let rec apply c x = match c with A (f, g) -> code_a f g x | B -> x | C n -> x + n
//!          and code_a f g x = apply f (apply g x)
//!          … apply (chain 10) 1 …
//! ```
//!
//! A function becomes a constructor that holds what it captures, and a call of a function value a match over
//! those that `flow` finds for this call. Constructors in a word, reuse in place, regions and everything else that is
//! done for variants is then done for functions. A partial application is a constructor, too. `classes` joins the
//! places between which a function may go, and `choose` decides for each class; what stays a closure is as it was.
//!
//! Phase: Mono -> Mono. Needs: nothing; marks known calls itself. Afterwards `simplify` inlines small matches. Growth:
//! one function for each set of functions that is called with one number of arguments.

mod choose;
mod classes;
mod dispatch;
mod order;
mod retype;
mod rewrite;

use oxbow_base::Span;
use oxbow_psg::{Mono, Program, captures};

use crate::flow::Flow;
use crate::known_calls;

pub use choose::{Reason, Set};

/// Converts what can be converted. `is_fixed` says that a function written there has the documented layout. Tells the
/// sets of functions that are values, too.
pub fn run(
    mut program: Program<Mono>,
    is_fixed: &dyn Fn(Span) -> bool,
) -> (Program<Mono>, Vec<Set>) {
    let mut sets = Vec::new();
    let known = known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    let values = choose::values(&program, &known);
    if values.uses.is_empty() {
        return (program, sets);
    }
    let flow = Flow::new(&program);
    let choice = choose::run(&mut program, &known, &values, &flow, is_fixed, &mut sets);
    let Some(choice) = choice else { return (program, sets) };
    let mut program = rewrite::run(program, known, &flow, choice);
    known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    (program, sets)
}
