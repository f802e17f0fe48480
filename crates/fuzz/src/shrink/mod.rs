//! Makes a failing program smaller while it still fails.
//!
//! Greedy: the first smaller program that still fails is taken, until none is or the budget is
//! used up. Every step replaces expressions by expressions of the same type, so programs stay
//! well-typed; those in which a variable would lose its binding are passed over.
//!
//! ```text
//! items      whole definitions, from halves of the program down to single ones
//! parts      a definition by the report of a part of it, if nothing else reads the definition
//! nodes      each expression, the largest first: see `variants`
//! ```

mod scope;
mod variants;

use std::collections::HashSet;

use crate::generate::report;
use crate::leaf::leaf;
use crate::print;
use crate::tree::{Ending, Expr, Item, Kind, Program, Var};
use crate::types::Types;

pub use scope::well_scoped;

/// Shrinks with at most `budget` calls of `fails`.
pub fn shrink(
    program: &Program,
    budget: usize,
    fails: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let mut cx = Shrinker { best: program.clone(), seen: HashSet::new(), budget, fails };
    cx.seen.insert(print::standalone(program));
    loop {
        let before = cx.best.size();
        cx.ending();
        cx.items();
        cx.parts();
        cx.nodes();
        if cx.budget == 0 || cx.best.size() >= before {
            return cx.best;
        }
    }
}

struct Shrinker<'a> {
    best: Program,
    /// Texts that were tried.
    seen: HashSet<String>,
    budget: usize,
    fails: &'a mut dyn FnMut(&Program) -> bool,
}

impl Shrinker<'_> {
    /// Takes the candidate if it still fails.
    fn offer(&mut self, candidate: Program) -> bool {
        if self.budget == 0
            || !well_scoped(&candidate)
            || !self.seen.insert(print::standalone(&candidate))
        {
            return false;
        }
        self.budget -= 1;
        let fails = (self.fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    fn ending(&mut self) {
        if self.best.ending != Ending::Normal {
            let candidate = Program { ending: Ending::Normal, ..self.best.clone() };
            self.offer(candidate);
        }
    }

    fn items(&mut self) {
        let mut chunk = (self.best.items.len() / 2).max(1);
        loop {
            let mut end = self.best.items.len();
            while end > 0 {
                let start = end.saturating_sub(chunk);
                let candidate = without_items(&self.best, start, end);
                self.offer(candidate);
                end = start;
            }
            if chunk == 1 {
                return;
            }
            chunk /= 2;
        }
    }

    fn parts(&mut self) {
        let mut index = 0;
        while index < self.best.items.len() {
            let mut parts = Vec::new();
            for expr in self.best.items[index].exprs() {
                expr.children(&mut |it| collect(it, &mut parts));
            }
            // The smallest first; the larger ones are reached by other steps.
            parts.sort_by_key(|it: &&Expr| it.size());
            let parts: Vec<Expr> =
                parts.into_iter().filter(|it| it.size() > 1).take(PARTS).cloned().collect();
            for part in parts {
                let mut candidate = without_items(&self.best, index, index + 1);
                candidate.items.insert(index, Item::Run(report(part)));
                if self.offer(candidate) {
                    break;
                }
            }
            index += 1;
        }
    }

    fn nodes(&mut self) {
        let mut index = 0;
        while let Some(node) = nth(&self.best, index) {
            let mut smaller = variants::variants(&self.best.types, node);
            smaller.retain(|it| it != node);
            let mut taken = false;
            for variant in smaller {
                let mut candidate = self.best.clone();
                if let Some(place) = nth_mut(&mut candidate, index) {
                    *place = variant;
                }
                if self.offer(candidate) {
                    taken = true;
                    break;
                }
                if self.budget == 0 {
                    return;
                }
            }
            // The node that took the place may be made smaller still.
            index += usize::from(!taken);
        }
    }
}

/// Parts of a definition that are tried in place of the whole.
const PARTS: usize = 30;

/// An expression and all its parts.
fn collect<'a>(expr: &'a Expr, out: &mut Vec<&'a Expr>) {
    out.push(expr);
    expr.children(&mut |it| collect(it, out));
}

/// The program without some of its items; what they defined is replaced by the simplest values.
fn without_items(program: &Program, start: usize, end: usize) -> Program {
    let mut program = program.clone();
    let gone: Vec<Var> = program.items.drain(start..end).flat_map(|it: Item| it.vars()).collect();
    let types = program.types.clone();
    for expr in program.items.iter_mut().flat_map(|it| it.exprs_mut()) {
        simplify_vars(&types, expr, &gone);
    }
    program
}

/// Replaces variables by the simplest values of their types.
fn simplify_vars(types: &Types, expr: &mut Expr, gone: &[Var]) {
    if matches!(expr.kind, Kind::Var(var) if gone.contains(&var)) {
        *expr = leaf(types, &expr.ty);
    }
    expr.children_mut(&mut |it| simplify_vars(types, it, gone));
}

/// The expression at a place in preorder.
fn nth(program: &Program, index: usize) -> Option<&Expr> {
    fn find<'a>(expr: &'a Expr, left: &mut usize) -> Option<&'a Expr> {
        if *left == 0 {
            return Some(expr);
        }
        *left -= 1;
        let mut found = None;
        expr.children(&mut |it| {
            if found.is_none() {
                found = find(it, left);
            }
        });
        found
    }
    let mut left = index;
    program.items.iter().flat_map(|it| it.exprs()).find_map(|it| find(it, &mut left))
}

fn nth_mut(program: &mut Program, index: usize) -> Option<&mut Expr> {
    let mut left = index;
    for expr in program.items.iter_mut().flat_map(|it| it.exprs_mut()) {
        let size = expr.size();
        if left < size {
            return Some(descend(expr, left));
        }
        left -= size;
    }
    None
}

/// The expression at a place in preorder, which is inside.
fn descend(expr: &mut Expr, index: usize) -> &mut Expr {
    if index == 0 {
        return expr;
    }
    let mut left = index - 1;
    let mut path = 0;
    let mut done = false;
    expr.children(&mut |it| {
        let size = it.size();
        if !done && left >= size {
            left -= size;
            path += 1;
        } else {
            done = true;
        }
    });
    descend(child_mut(expr, path), left)
}

fn child_mut(expr: &mut Expr, wanted: usize) -> &mut Expr {
    match &mut expr.kind {
        Kind::Op(_, parts) | Kind::Build(_, parts) => &mut parts[wanted],
        Kind::Show(of) => of,
        Kind::Call { func, .. } if wanted == 0 => func,
        Kind::Call { args, .. } => args
            .iter_mut()
            .filter_map(|it| it.value.as_mut())
            .nth(wanted - 1)
            .expect("a call has as many children as `children` counts"),
        Kind::Fun { params, body } => {
            params.iter_mut().filter_map(|it| it.default.as_mut()).nth(wanted).unwrap_or(body)
        }
        Kind::Let { bound, .. } if wanted == 0 => bound,
        Kind::Let { body, .. } => body,
        Kind::LetRec { binds, body } => {
            binds.iter_mut().map(|it| &mut it.1).nth(wanted).unwrap_or(body)
        }
        Kind::LetModule { args, body, .. } => args.get_mut(wanted).unwrap_or(body),
        Kind::Match { on: body, .. } | Kind::Try { body, .. } if wanted == 0 => body,
        Kind::Match { arms, .. } | Kind::Try { arms, .. } => arms
            .iter_mut()
            .flat_map(|it| it.guard.iter_mut().chain(std::iter::once(&mut it.body)))
            .nth(wanted - 1)
            .expect("a match has as many children as `children` counts"),
        Kind::For { from, to, body, .. } => match wanted {
            0 => from,
            1 => to,
            _ => body,
        },
        Kind::Atom(_) | Kind::Var(_) => unreachable!("atoms have no children"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn places_agree() {
        let mut program = generate::program(5);
        for index in 0..program.size() {
            let Some(node) = nth(&program, index).cloned() else { break };
            assert_eq!(nth_mut(&mut program, index), Some(&mut node.clone()));
        }
    }

    /// A failure that needs one thing shrinks to little more than that thing.
    #[test]
    fn shrinks_to_the_cause() {
        let program = (0..50)
            .map(generate::program)
            .find(|it| print::standalone(it).contains("lazy"))
            .expect("some program is lazy");
        let small = shrink(&program, 3000, &mut |it| print::standalone(it).contains("(lazy "));
        assert!(small.size() <= 12, "{}", print::standalone(&small));
    }
}
