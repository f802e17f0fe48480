//! Primitives of typed versions: arithmetic, comparisons, functions and vectors.

use oxbow_base::Span;
use oxbow_elab::ast;

use super::{STATIC, Type, Typed};
use crate::core::Core;
use crate::ml;
use crate::procedure::Procedure;

impl<'a: 'p, 'p> Typed<'_, 'a, 'p> {
    pub(super) fn builtin(
        &mut self,
        procedure: Procedure,
        args: &'p [Core],
        want: Option<Type>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        match (procedure, args) {
            (Procedure::VectorRef, [vector, index]) => {
                let args = [(vector, Type::Floats), (index, Type::Int)];
                self.library(STATIC, "get", &args, Type::Float, span)
            }
            (Procedure::VectorLength, [vector]) => {
                self.library("Array", "length", &[(vector, Type::Floats)], Type::Int, span)
            }
            (Procedure::Vector, [_, ..]) => {
                let items: Vec<_> = args.iter().map(|it| (it, Type::Float)).collect();
                let items = self.as_types(&items)?;
                self.in_order(items, span, |items| Some((ml::array(items, span), Type::Fresh)))
            }
            (Procedure::MakeVector, [length, fill]) => {
                let args = [(length, Type::Int), (fill, Type::Float)];
                self.library(STATIC, "make", &args, Type::Fresh, span)
            }
            // Its items are unspecified.
            (Procedure::MakeVector, [length]) => {
                let length = self.as_type(length, Type::Int)?;
                let fill = ml::float(0.0, span);
                Some((ml::call(STATIC, "make", vec![length, fill], span), Type::Fresh))
            }
            (Procedure::VectorCopy, [vector]) => {
                self.library("Array", "copy", &[(vector, Type::Floats)], Type::Fresh, span)
            }
            (Procedure::VectorSet, [vector, index, value]) => {
                let args = [(vector, Type::Fresh), (index, Type::Int), (value, Type::Float)];
                self.library(STATIC, "set", &args, Type::Unit, span)
            }
            (
                Procedure::Add
                | Procedure::Sub
                | Procedure::Mul
                | Procedure::Div
                | Procedure::Max
                | Procedure::Min,
                [_, ..],
            ) => self.arithmetic(procedure, args, want, span),
            (
                Procedure::Less
                | Procedure::Greater
                | Procedure::LessOrEqual
                | Procedure::GreaterOrEqual
                | Procedure::Equal,
                [a, b],
            ) => {
                let a = self.expr(a, Some(Type::Float))?;
                // What an exact number is compared with is exact, as far as is known.
                let like = if a.1 == Type::Int { Type::Int } else { Type::Float };
                let b = self.expr(b, Some(like))?;
                let [a, b] = if (a.1, b.1) == (Type::Int, Type::Int) {
                    [a.0, b.0]
                } else {
                    [as_float(a, span)?, as_float(b, span)?]
                };
                let operator = comparison(procedure)?;
                self.in_order(vec![a, b], span, |values| {
                    Some((ml::call("", operator, values, span), Type::Bool))
                })
            }
            (Procedure::IsZero | Procedure::IsPositive | Procedure::IsNegative, [a]) => {
                let operator = match procedure {
                    Procedure::IsZero => "=",
                    Procedure::IsPositive => ">",
                    _ => "<",
                };
                let (value, ty) = self.expr(a, Some(Type::Float))?;
                let zero = match ty {
                    Type::Float => ml::float(0.0, span),
                    Type::Int => ml::int(0, span),
                    Type::Bool | Type::Floats | Type::Fresh | Type::Unit => return None,
                };
                Some((ml::call("", operator, vec![value, zero], span), Type::Bool))
            }
            (Procedure::Not, [a]) => {
                let test = self.test(a)?;
                Some((ml::call("", "not", vec![test], span), Type::Bool))
            }
            (Procedure::Inexact, [a]) => {
                let value = self.expr(a, Some(Type::Float))?;
                Some((as_float(value, span)?, Type::Float))
            }
            (Procedure::Expt, [base, exponent]) => {
                let base = self.as_type(base, Type::Float)?;
                let exponent = self.expr(exponent, Some(Type::Float))?;
                let exponent = as_float(exponent, span)?;
                self.in_order(vec![base, exponent], span, |values| {
                    Some((ml::call("", "**", values, span), Type::Float))
                })
            }
            (Procedure::Atan, [a, b]) => {
                let args = [(a, Type::Float), (b, Type::Float)];
                self.library("", "atan2", &args, Type::Float, span)
            }
            (_, [a]) => {
                let function = procedure.on_float()?;
                self.library("", function, &[(a, Type::Float)], Type::Float, span)
            }
            _ => None,
        }
    }

    /// A function of the library on values of these types.
    fn library(
        &mut self,
        module: &str,
        function: &str,
        args: &[(&'p Core, Type)],
        result: Type,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let args = self.as_types(args)?;
        self.in_order(args, span, |args| Some((ml::call(module, function, args, span), result)))
    }

    fn as_types(&mut self, args: &[(&'p Core, Type)]) -> Option<Vec<ast::Expr>> {
        args.iter().map(|&(arg, ty)| self.as_type(arg, ty)).collect()
    }

    /// A value that has this type already: an exact number is no float.
    pub(super) fn as_type(&mut self, core: &'p Core, ty: Type) -> Option<ast::Expr> {
        let (value, own) = self.expr(core, Some(ty))?;
        own.serves_as(ty).then_some(value)
    }

    /// From the left; exact numbers stay exact until they meet a float.
    fn arithmetic(
        &mut self,
        procedure: Procedure,
        args: &'p [Core],
        want: Option<Type>,
        span: Span,
    ) -> Option<(ast::Expr, Type)> {
        let want = if want == Some(Type::Int) { Type::Int } else { Type::Float };
        let (mut values, mut types) = (Vec::new(), Vec::new());
        for arg in args {
            let (value, ty) = self.expr(arg, Some(want))?;
            values.push(value);
            types.push(ty);
        }
        self.in_order(values, span, |values| {
            combine(procedure, values.into_iter().zip(types).collect(), span)
        })
    }

    /// Operands are evaluated from the left, those of ML's calls from the right: where two of them are more than names
    /// and constants, they get names.
    pub(super) fn in_order(
        &mut self,
        mut values: Vec<ast::Expr>,
        span: Span,
        build: impl FnOnce(Vec<ast::Expr>) -> Option<(ast::Expr, Type)>,
    ) -> Option<(ast::Expr, Type)> {
        let is_work = |it: &ast::Expr| {
            !matches!(it.kind, ast::ExprKind::Constant(_) | ast::ExprKind::Ident(_))
        };
        let mut named = Vec::new();
        if values.iter().filter(|it| is_work(it)).count() > 1 {
            for value in values.iter_mut().filter(|it| is_work(it)) {
                let name = self.emitter.fresh("operand");
                let work = std::mem::replace(value, ml::local(name, span));
                named.push(ml::binding(ml::var_pattern(name, span), work, span));
            }
        }
        let (body, ty) = build(values)?;
        let wrap = |body, binding| ml::let_(vec![binding], body, span);
        Some((named.into_iter().rev().fold(body, wrap), ty))
    }
}

/// The operator of the library for two numbers of a type.
fn comparison(procedure: Procedure) -> Option<&'static str> {
    Some(match procedure {
        Procedure::Less => "<",
        Procedure::Greater => ">",
        Procedure::LessOrEqual => "<=",
        Procedure::GreaterOrEqual => ">=",
        Procedure::Equal => "=",
        _ => return None,
    })
}

/// Arithmetic on at least one operand.
fn combine(
    procedure: Procedure,
    mut operands: Vec<(ast::Expr, Type)>,
    span: Span,
) -> Option<(ast::Expr, Type)> {
    let first = operands.remove(0);
    if operands.is_empty() {
        return match (procedure, first.1) {
            (
                Procedure::Add | Procedure::Mul | Procedure::Max | Procedure::Min,
                Type::Float | Type::Int,
            ) => Some(first),
            (Procedure::Sub, Type::Float) => {
                Some((ml::call("", "~-.", vec![first.0], span), Type::Float))
            }
            (Procedure::Sub, Type::Int) => {
                let zero = (ml::int(0, span), Type::Int);
                operation(procedure, zero, first, span)
            }
            (Procedure::Div, Type::Float) => {
                let one = (ml::int(1, span), Type::Int);
                operation(procedure, one, first, span)
            }
            _ => None,
        };
    }
    operands.into_iter().try_fold(first, |left, right| operation(procedure, left, right, span))
}

fn operation(
    procedure: Procedure,
    left: (ast::Expr, Type),
    right: (ast::Expr, Type),
    span: Span,
) -> Option<(ast::Expr, Type)> {
    if (left.1, right.1) == (Type::Int, Type::Int) {
        let function = match procedure {
            Procedure::Add => "add",
            Procedure::Sub => "sub",
            Procedure::Mul => "mul",
            _ => return None,
        };
        return Some((ml::call(STATIC, function, vec![left.0, right.0], span), Type::Int));
    }
    let left = as_float(left, span)?;
    let right = match right {
        // An exact zero is no divisor.
        (value, Type::Int) if procedure == Procedure::Div => {
            ml::call(STATIC, "divisor", vec![value], span)
        }
        right => as_float(right, span)?,
    };
    let (module, function) = match procedure {
        Procedure::Add => ("", "+."),
        Procedure::Sub => ("", "-."),
        Procedure::Mul => ("", "*."),
        Procedure::Div => ("", "/."),
        Procedure::Max => (STATIC, "max2"),
        Procedure::Min => (STATIC, "min2"),
        _ => return None,
    };
    Some((ml::call(module, function, vec![left, right], span), Type::Float))
}

/// A number where it meets a float.
fn as_float((value, ty): (ast::Expr, Type), span: Span) -> Option<ast::Expr> {
    match ty {
        Type::Float => Some(value),
        Type::Int => Some(match value.kind {
            ast::ExprKind::Constant(ast::Constant::Int(it)) => ml::float(it as f64, span),
            _ => ml::call("", "float_of_int", vec![value], span),
        }),
        Type::Bool | Type::Floats | Type::Fresh | Type::Unit => None,
    }
}

/// The results of two ways. Where one is exact and the other is not, the exact one is not covered.
pub(super) fn join(
    yes: (ast::Expr, Type),
    no: (ast::Expr, Type),
    span: Span,
) -> Option<(ast::Expr, ast::Expr, Type)> {
    let leave = || ml::call(STATIC, "leave", vec![ml::unit(span)], span);
    match (yes.1, no.1) {
        (a, b) if a.serves_as(b) => Some((yes.0, no.0, b)),
        (a, b) if b.serves_as(a) => Some((yes.0, no.0, a)),
        (Type::Int, Type::Float) => Some((leave(), no.0, Type::Float)),
        (Type::Float, Type::Int) => Some((yes.0, leave(), Type::Float)),
        _ => None,
    }
}
