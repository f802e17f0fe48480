//! Lets go of a typed tree without recursion along its chains.
//!
//! Dropping a `let` drops its body, which is a `let`, and so on: as deep as the program is
//! long. Here the long ways are taken apart in a loop; what is left is nesting.

use crate::tast::{Binding, Case, Expr, ExprKind, Item, ItemKind, RecBinding};

pub(super) fn discard(items: Vec<Item>) {
    let mut todo = Vec::new();
    take_items(items, &mut todo);
    while let Some(expr) = todo.pop() {
        match expr.kind {
            ExprKind::Let { bindings, body, .. } => {
                take_bindings(bindings, &mut todo);
                todo.push(*body);
            }
            ExprKind::LetRec { bindings, body } => {
                take_rec_bindings(bindings, &mut todo);
                todo.push(*body);
            }
            ExprKind::LetItems { items, body } => {
                take_items(items, &mut todo);
                todo.push(*body);
            }
            ExprKind::Lambda { body, .. } => todo.push(*body),
            ExprKind::Function { cases, .. } => take_cases(cases, &mut todo),
            ExprKind::Match { scrutinee, cases, exceptions } => {
                todo.push(*scrutinee);
                take_cases(cases, &mut todo);
                take_cases(exceptions, &mut todo);
            }
            ExprKind::Try { body, cases } => {
                todo.push(*body);
                take_cases(cases, &mut todo);
            }
            ExprKind::If { cond, then, otherwise } => {
                todo.extend([*cond, *then]);
                todo.extend(otherwise.map(|it| *it));
            }
            ExprKind::Sequence(exprs) => todo.extend(exprs),
            ExprKind::While { cond, body } => todo.extend([*cond, *body]),
            ExprKind::For { body, .. } => todo.push(*body),
            ExprKind::Apply { func, args } => {
                todo.push(*func);
                todo.extend(args);
            }
            ExprKind::Tuple(exprs) | ExprKind::List(exprs) | ExprKind::Array(exprs) => {
                todo.extend(exprs)
            }
            ExprKind::Construct { args, .. } | ExprKind::MakeExn { args, .. } => todo.extend(args),
            ExprKind::Variant { arg, .. } => todo.extend(arg.map(|it| *it)),
            ExprKind::Record { fields, .. } | ExprKind::Object { fields, .. } => {
                todo.extend(fields)
            }
            ExprKind::Send { object, .. } => todo.push(*object),
            ExprKind::Lazy { value, .. } => todo.push(*value),
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Var { .. }
            | ExprKind::Builtin(_)
            | ExprKind::Overloaded(_)
            | ExprKind::RecordWith { .. }
            | ExprKind::Field { .. }
            | ExprKind::SetField { .. }
            | ExprKind::AssignVar { .. }
            | ExprKind::Assert(_)
            | ExprKind::AssertFalse
            | ExprKind::Here(_)
            | ExprKind::Error(_) => (),
        }
    }
}

fn take_items(items: Vec<Item>, todo: &mut Vec<Expr>) {
    for item in items {
        match item.kind {
            ItemKind::Let(bindings) => take_bindings(bindings, todo),
            ItemKind::LetRec(bindings) => take_rec_bindings(bindings, todo),
            ItemKind::Eval(expr) => todo.push(expr),
        }
    }
}

fn take_bindings(bindings: Vec<Binding>, todo: &mut Vec<Expr>) {
    todo.extend(bindings.into_iter().map(|it| it.value));
}

fn take_rec_bindings(bindings: Vec<RecBinding>, todo: &mut Vec<Expr>) {
    todo.extend(bindings.into_iter().map(|it| it.value));
}

fn take_cases(cases: Vec<Case>, todo: &mut Vec<Expr>) {
    for case in cases {
        todo.extend(case.guard);
        todo.push(case.body);
    }
}
