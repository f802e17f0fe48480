//! Whether every variable of a program is bound where it is read.

use crate::tree::{Arm, Expr, Item, Kind, Program, Var};

/// A shrinking step may separate a variable from its binding; such a program is of no use.
pub fn well_scoped(program: &Program) -> bool {
    let mut bound = vec![false; program.vars.len()];
    for item in &program.items {
        if matches!(item, Item::LetRec { .. }) {
            item.vars().into_iter().for_each(|it| bound[it] = true);
        }
        if !item.exprs().into_iter().all(|it| scoped(it, &mut bound)) {
            return false;
        }
        item.vars().into_iter().for_each(|it| bound[it] = true);
    }
    true
}

fn scoped(expr: &Expr, bound: &mut Vec<bool>) -> bool {
    match &expr.kind {
        Kind::Var(var) => bound[*var],
        Kind::Fun { params, body } => {
            let vars: Vec<Var> = params.iter().flat_map(|it| it.pat.vars()).collect();
            // A default sees the parameters before it, of which generated ones read none.
            params.iter().filter_map(|it| it.default.as_ref()).all(|it| scoped(it, bound))
                && within(&vars, bound, &mut |bound| scoped(body, bound))
        }
        Kind::Let { pat, bound: value, body, .. } => {
            scoped(value, bound) && within(&pat.vars(), bound, &mut |bound| scoped(body, bound))
        }
        Kind::LetRec { binds, body } => {
            let vars: Vec<Var> = binds.iter().map(|it| it.0).collect();
            within(&vars, bound, &mut |bound| {
                binds.iter().all(|it| scoped(&it.1, bound)) && scoped(body, bound)
            })
        }
        Kind::LetModule { args, vars, body, .. } => {
            args.iter().all(|it| scoped(it, bound))
                && within(vars, bound, &mut |bound| scoped(body, bound))
        }
        Kind::Match { on: body, arms } | Kind::Try { body, arms } => {
            let arm = |it: &Arm, bound: &mut Vec<bool>| {
                within(&it.pat.vars(), bound, &mut |bound| {
                    it.guard.iter().all(|it| scoped(it, bound)) && scoped(&it.body, bound)
                })
            };
            scoped(body, bound) && arms.iter().all(|it| arm(it, bound))
        }
        Kind::For { var, from, to, body, .. } => {
            scoped(from, bound)
                && scoped(to, bound)
                && within(&[*var], bound, &mut |bound| scoped(body, bound))
        }
        Kind::Atom(_) | Kind::Op(..) | Kind::Build(..) | Kind::Show(_) | Kind::Call { .. } => {
            let mut all = true;
            expr.children(&mut |it| all = all && scoped(it, bound));
            all
        }
    }
}

fn within(vars: &[Var], bound: &mut Vec<bool>, f: &mut dyn FnMut(&mut Vec<bool>) -> bool) -> bool {
    let before: Vec<bool> =
        vars.iter().map(|it| std::mem::replace(&mut bound[*it], true)).collect();
    let result = f(bound);
    for (var, was) in vars.iter().zip(before) {
        bound[*var] = was;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_programs_are_well_scoped() {
        for seed in 0..200 {
            assert!(well_scoped(&crate::generate::program(seed)), "seed {seed}");
        }
    }
}
