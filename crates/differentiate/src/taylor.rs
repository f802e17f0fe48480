//! Operations on Taylor series.
//!
//! ```text
//! mul        taylor_mul a b                                 of the library
//! atan       taylor_integrate (atan a.0) (1 / (1 + a * a)) a
//! ```
//!
//! The library has the recurrences of the basic operations. The others are integrals: their
//! derivative is the partial derivative, computed as a series, times that of the operand.

use oxbow_psg::{FloatOp, KnownFunction, Lambda, NodeId, NodeKind, Prim, VarId};

use super::constrain::differentiable;
use super::emit::Emitter;
use super::level::Level;
use super::rules::{Facts, Formula, Number, partial};

/// The library's function for an operation.
fn library_function(prim: Prim) -> Option<KnownFunction> {
    let Prim::Float(op) = prim else { return None };
    Some(match op {
        FloatOp::Add | FloatOp::Sum => KnownFunction::TaylorAdd,
        FloatOp::Sub => KnownFunction::TaylorSub,
        FloatOp::Neg => KnownFunction::TaylorNeg,
        FloatOp::Mul => KnownFunction::TaylorMul,
        FloatOp::Div => KnownFunction::TaylorDiv,
        FloatOp::Exp | FloatOp::FastExp => KnownFunction::TaylorExp,
        FloatOp::Sin => KnownFunction::TaylorSin,
        FloatOp::Cos => KnownFunction::TaylorCos,
        FloatOp::Sinh => KnownFunction::TaylorSinh,
        FloatOp::Cosh => KnownFunction::TaylorCosh,
        FloatOp::Tanh | FloatOp::FastTanh => KnownFunction::TaylorTanh,
        FloatOp::Sqrt => KnownFunction::TaylorSqrt,
        FloatOp::Cbrt => KnownFunction::TaylorCbrt,
        FloatOp::Pow => KnownFunction::TaylorPow,
        FloatOp::Hypot => KnownFunction::TaylorHypot,
        _ => return None,
    })
}

/// Operations in terms of others, where the rule would need the result as a series.
fn in_terms_of_others(prim: Prim) -> Option<Formula> {
    let x = || Formula::Operand(0);
    let op = |op: FloatOp, args: Vec<Formula>| Formula::Op(op, args);
    Some(match prim {
        Prim::Float(FloatOp::Exp2) => {
            let scaled = op(FloatOp::Mul, vec![x(), Formula::Const(std::f64::consts::LN_2)]);
            op(FloatOp::Exp, vec![scaled])
        }
        Prim::Float(FloatOp::Tan) => {
            op(FloatOp::Div, vec![op(FloatOp::Sin, vec![x()]), op(FloatOp::Cos, vec![x()])])
        }
        _ => return None,
    })
}

impl Emitter<'_> {
    /// A primitive on series. Every number among the operands becomes one.
    pub fn taylor(&mut self, prim: Prim, level: Level, args: Vec<Number>) -> NodeId {
        let places = differentiable(prim);
        let mut nodes = Vec::new();
        for (place, (node, own)) in args.into_iter().enumerate() {
            nodes.push(if places.contains(&place) || prim == Prim::AdAttach {
                self.lift(node, own, level)
            } else {
                self.ground(node, own)
            });
        }
        let function = match library_function(prim) {
            Some(function) => self.library(function, level.outer()),
            None => self.series_operation(prim, level, &nodes),
        };
        self.call(function, nodes)
    }

    /// The function for an operation that the library does not have.
    fn series_operation(&mut self, prim: Prim, level: Level, args: &[NodeId]) -> VarId {
        let key = (prim, vec![level; args.len()]);
        if let Some(&known) = self.operations.get(&key) {
            return known;
        }
        let tys: Vec<_> = args.iter().map(|&it| self.out.ty(it)).collect();
        let result = self.number_ty(level);
        let name = format!("{}_{}", prim.name().replace(['%', '.'], "_"), level.suffix());
        let ty = self.table().function(&tys, result);
        let function = self.global(&name, ty);
        self.operations.insert(key, function);
        self.add_front(function, |it| {
            let params: Vec<VarId> = tys.iter().map(|&ty| it.local("x", ty)).collect();
            let body = it.series_body(prim, level, &params);
            let lambda = it.out.lambdas.push(Lambda::new(
                Some(oxbow_base::Symbol::new(&name)),
                params,
                body,
                it.span,
            ));
            it.add(NodeKind::Lambda(lambda), ty)
        });
        function
    }

    fn series_body(&mut self, prim: Prim, level: Level, params: &[VarId]) -> NodeId {
        let places = differentiable(prim);
        let outer = level.outer();
        let is_series = |place: usize| places.contains(&place) || prim == Prim::AdAttach;
        let values: Vec<(VarId, Level)> = params
            .iter()
            .enumerate()
            .map(|(place, &it)| (it, if is_series(place) { level } else { Level::GROUND }))
            .collect();
        // No formula that is used here refers to the result.
        let facts = Facts { values, result: params[0], outer: level };
        if let Some(formula) = in_terms_of_others(prim) {
            return self.formula(&formula, &facts).0;
        }
        let mut firsts = Vec::new();
        for &(var, own) in &facts.values {
            let node = self.mention(var);
            let first = if own == level { self.first_coefficient(node, outer) } else { node };
            firsts.push((first, own.cut(outer.depth)));
        }
        let (first, own) = self.numeric(prim, firsts);
        let first = self.lift(first, own, outer);
        let mut sum = first;
        let ty = self.out.ty(first);
        let value = self.local("r", ty);
        for (count, &place) in places.iter().enumerate() {
            let weight = match prim {
                // The mantissa is the argument times a power of two.
                Prim::FloatFrexpMantissa => self.mantissa_weight(value, params[0], level),
                _ => self.formula(&partial(prim, place), &facts),
            };
            let weight = self.lift(weight.0, weight.1, level);
            let start = if count == 0 {
                self.mention(value)
            } else {
                let zero = self.float(0.0);
                self.lift(zero, Level::GROUND, outer)
            };
            let operand = self.mention(params[place]);
            let integrate = self.library(KnownFunction::TaylorIntegrate, outer);
            let part = self.call(integrate, vec![start, weight, operand]);
            sum = if count == 0 {
                part
            } else {
                let add = self.library(KnownFunction::TaylorAdd, outer);
                self.call(add, vec![sum, part])
            };
        }
        let ty = self.out.ty(sum);
        self.add(NodeKind::Let { var: value, value: first, body: sum }, ty)
    }

    fn mantissa_weight(&mut self, mantissa: VarId, operand: VarId, level: Level) -> Number {
        let outer = level.outer();
        let operand = self.mention(operand);
        let first = self.first_coefficient(operand, outer);
        let first = self.ground(first, outer);
        self.ratio_or_one(mantissa, first, outer)
    }

    /// `value / by`, or 1 where both are zero.
    fn ratio_or_one(&mut self, value: VarId, by: NodeId, outer: Level) -> Number {
        let value = self.mention(value);
        let value = self.ground(value, outer);
        let node = self.let_in(by, |it, by| {
            let (test, divisor, zero) = (it.mention(by), it.mention(by), it.float(0.0));
            let cond = it.compare(oxbow_psg::OrderOp::Eq, test, zero);
            let one = it.float(1.0);
            let ratio = it.plain_op(Prim::Float(FloatOp::Div), vec![value, divisor]);
            let ty = it.out.ty(one);
            it.add(NodeKind::If { cond, then: one, otherwise: ratio }, ty)
        });
        (node, Level::GROUND)
    }
}
