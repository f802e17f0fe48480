//! Smaller expressions of the same type.

use crate::leaf::leaf;
use crate::shrink::simplify_vars;
use crate::tree::{Build, Expr, Kind, Pat, Var};
use crate::types::Types;

/// Inlined values are at most this large, unless they are read once.
const INLINED: usize = 10;
/// Parts of the same type that are tried in place of the whole.
const PARTS: usize = 12;

/// What an expression may shrink to, the most promising first.
pub fn variants(types: &Types, expr: &Expr) -> Vec<Expr> {
    let mut out = vec![leaf(types, &expr.ty)];
    if out[0].size() >= expr.size() && !matches!(expr.kind, Kind::Atom(_) | Kind::Op(..)) {
        out.clear();
    }
    let mut parts = Vec::new();
    expr.children(&mut |it| same_type(expr, it, &mut parts));
    out.extend(parts.into_iter().cloned());
    match &expr.kind {
        Kind::Let { pat, bound, body, annotated } => {
            if let Pat::Var(var) = pat
                && (bound.size() <= INLINED || reads(body, *var) <= 1)
            {
                let mut body = (**body).clone();
                inline(&mut body, *var, bound);
                out.push(body);
            }
            out.push(without(types, body, &pat.vars()));
            if *annotated {
                let kind = Kind::Let {
                    pat: pat.clone(),
                    annotated: false,
                    bound: bound.clone(),
                    body: body.clone(),
                };
                out.push(Expr::new(expr.ty.clone(), kind));
            }
        }
        Kind::LetRec { binds, body } => {
            let vars: Vec<Var> = binds.iter().map(|it| it.0).collect();
            out.push(without(types, body, &vars));
            if binds.len() > 1 {
                for (var, _) in binds {
                    let rest = binds.iter().filter(|it| it.0 != *var);
                    let binds = rest.map(|it| (it.0, without(types, &it.1, &[*var]))).collect();
                    let body = Box::new(without(types, body, &[*var]));
                    out.push(Expr::new(expr.ty.clone(), Kind::LetRec { binds, body }));
                }
            } else if let Some((var, bound)) = binds.first()
                && reads(bound, *var) == 0
            {
                out.push(Expr::bind(*var, bound.clone(), (**body).clone()));
            }
        }
        Kind::LetModule { vars, body, .. } => out.push(without(types, body, vars)),
        Kind::Match { on, arms } => {
            for arm in arms {
                out.push(without(types, &arm.body, &arm.pat.vars()));
            }
            fewer_arms(expr, arms, &mut out, &|arms| Kind::Match { on: on.clone(), arms });
        }
        Kind::Try { body, arms } => {
            for arm in arms {
                out.push(without(types, &arm.body, &arm.pat.vars()));
            }
            fewer_arms(expr, arms, &mut out, &|arms| Kind::Try { body: body.clone(), arms });
        }
        Kind::Build(build @ (Build::List | Build::Array), parts) => {
            for index in 0..parts.len() {
                let mut parts = parts.clone();
                parts.remove(index);
                out.push(Expr::new(expr.ty.clone(), Kind::Build(build.clone(), parts)));
            }
        }
        Kind::Build(Build::Ctor(name, Some(_)), parts) => {
            let kind = Kind::Build(Build::Ctor(name.clone(), None), parts.clone());
            out.push(Expr::new(expr.ty.clone(), kind));
        }
        Kind::Call { func, args, .. } => {
            if let Kind::Fun { params, body } = &func.kind
                && params.len() == args.len()
            {
                beta(expr, params, args, body, &mut out);
            }
        }
        Kind::Fun { params, body } => plainer_params(expr, params, body, &mut out),
        Kind::For { body, from, .. } => {
            if let Kind::For { var, .. } = &expr.kind {
                let mut body = (**body).clone();
                inline(&mut body, *var, from);
                out.push(body);
            }
        }
        Kind::Atom(_) | Kind::Var(_) | Kind::Op(..) | Kind::Build(..) | Kind::Show(_) => (),
    }
    out
}

/// Parts of the same type, outermost first.
fn same_type<'a>(whole: &Expr, part: &'a Expr, out: &mut Vec<&'a Expr>) {
    if out.len() >= PARTS {
        return;
    }
    if part.ty == whole.ty {
        out.push(part);
    }
    part.children(&mut |it| same_type(whole, it, out));
}

fn without(types: &Types, body: &Expr, vars: &[Var]) -> Expr {
    let mut body = body.clone();
    simplify_vars(types, &mut body, vars);
    body
}

fn reads(expr: &Expr, var: Var) -> usize {
    let mut read = Vec::new();
    expr.mentions(&mut read);
    read.iter().filter(|&&it| it == var).count()
}

fn inline(expr: &mut Expr, var: Var, value: &Expr) {
    if matches!(expr.kind, Kind::Var(it) if it == var) && expr.ty == value.ty {
        *expr = value.clone();
        return;
    }
    expr.children_mut(&mut |it| inline(it, var, value));
}

/// Without one arm, or without its guard. The last arm stays: it is what makes a match complete.
fn fewer_arms(
    expr: &Expr,
    arms: &[crate::tree::Arm],
    out: &mut Vec<Expr>,
    rebuild: &dyn Fn(Vec<crate::tree::Arm>) -> Kind,
) {
    for index in 0..arms.len() {
        let complete = matches!(arms.last().map(|it| &it.pat), Some(Pat::Wild | Pat::Var(_)));
        if index + 1 < arms.len() && (complete || matches!(expr.kind, Kind::Try { .. })) {
            let mut fewer = arms.to_vec();
            fewer.remove(index);
            out.push(Expr::new(expr.ty.clone(), rebuild(fewer)));
        }
        if arms[index].guard.is_some() {
            let mut plain = arms.to_vec();
            plain[index].guard = None;
            out.push(Expr::new(expr.ty.clone(), rebuild(plain)));
        }
    }
}

/// A call of a function that is there: its arguments are bound, the last first.
fn beta(
    expr: &Expr,
    params: &[crate::tree::Param],
    args: &[crate::tree::Arg],
    body: &Expr,
    out: &mut Vec<Expr>,
) {
    let mut result = body.clone();
    for (param, arg) in params.iter().zip(args) {
        let Some(value) = &arg.value else { return };
        let bound = Box::new(value.clone());
        let kind =
            Kind::Let { pat: param.pat.clone(), annotated: false, bound, body: Box::new(result) };
        result = Expr::new(expr.ty.clone(), kind);
    }
    out.push(result);
}

/// Patterns of parameters that are not read become `_`.
fn plainer_params(expr: &Expr, params: &[crate::tree::Param], body: &Expr, out: &mut Vec<Expr>) {
    for index in 0..params.len() {
        let vars = params[index].pat.vars();
        if !matches!(params[index].pat, Pat::Wild) && vars.iter().all(|it| reads(body, *it) == 0) {
            let mut params = params.to_vec();
            params[index].pat = Pat::Wild;
            out.push(Expr::new(
                expr.ty.clone(),
                Kind::Fun { params, body: Box::new(body.clone()) },
            ));
        }
    }
}
