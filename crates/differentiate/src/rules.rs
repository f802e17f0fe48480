//! The derivative of every primitive operation, and operations on numbers of any level.
//!
//! ```text
//! mul at F      fun a b -> (a.0 * b.0, a.1 * b.0 + a.0 * b.1)
//! mul at R      fun a b -> (a.0 * b.0, push2 tape a.1 b.0 b.1 a.0)
//! mul at FR     the latter, with every `*` the former
//! ```
//!
//! An operation becomes a call of a function that is generated once for each operation, level, and
//! set of operands that have the level (those of a lower level have no derivative and cost nothing). Inside,
//! values and partial derivatives are computed one level further out, down to floats. What the rules
//! say at kinks and poles is written in `docs/differentiation.md`.

use oxbow_diag::ice;
use oxbow_psg::{
    Callee, Const, FloatOp, InlineHint, IntWidth, Lambda, NodeId, NodeKind, OrderOp, Prim, Ty,
    TyId, Var, VarId,
};

use super::constrain::differentiable;
use super::emit::Emitter;
use super::level::Level;

/// A partial derivative, in terms of the operands' values and the result's value.
#[derive(Clone, Debug)]
pub enum Formula {
    Operand(usize),
    Result,
    Const(f64),
    Op(FloatOp, Vec<Formula>),
    /// If the first is zero the second, else the third.
    IfZero(Box<Formula>, Box<Formula>, Box<Formula>),
    /// 1, -1, or 0 at 0.
    Sign(Box<Formula>),
    /// 2 to the power of an integer operand.
    PowerOfTwo(usize),
}

use Formula::{Const as Constant, Operand, Result as Value};

fn op(op: FloatOp, args: impl Into<Vec<Formula>>) -> Formula {
    Formula::Op(op, args.into())
}
fn add(a: Formula, b: Formula) -> Formula {
    op(FloatOp::Add, [a, b])
}
fn sub(a: Formula, b: Formula) -> Formula {
    op(FloatOp::Sub, [a, b])
}
fn mul(a: Formula, b: Formula) -> Formula {
    op(FloatOp::Mul, [a, b])
}
fn div(a: Formula, b: Formula) -> Formula {
    op(FloatOp::Div, [a, b])
}
fn neg(a: Formula) -> Formula {
    op(FloatOp::Neg, [a])
}
fn unary(it: FloatOp, a: Formula) -> Formula {
    op(it, [a])
}
fn square(a: Formula) -> Formula {
    mul(a.clone(), a)
}
fn inverse(a: Formula) -> Formula {
    div(Constant(1.0), a)
}
/// `a / (b * b)`, where the square may be infinite or too small.
fn over_square(a: Formula, b: Formula) -> Formula {
    div(div(a, b.clone()), b)
}
fn if_zero(test: Formula, then: Formula, otherwise: Formula) -> Formula {
    Formula::IfZero(Box::new(test), Box::new(then), Box::new(otherwise))
}

/// The partial derivative of a primitive with respect to one operand.
pub fn partial(prim: Prim, operand: usize) -> Formula {
    let x = || Operand(0);
    let y = || Operand(1);
    let (one, minus_one) = (Constant(1.0), Constant(-1.0));
    let float = match prim {
        Prim::FloatLdexp => return Formula::PowerOfTwo(1),
        // The mantissa is the argument times a power of two.
        Prim::FloatFrexpMantissa => return if_zero(x(), one, div(Value, x())),
        Prim::AdAttach => return if operand == 0 { one } else { y() },
        Prim::Float(float) => float,
        other => ice!("{} has no derivative", other.name()),
    };
    match (float, operand) {
        (FloatOp::Add | FloatOp::Sum, _) | (FloatOp::Sub, 0) | (FloatOp::Rem, 0) => one,
        (FloatOp::Sub, _) | (FloatOp::Neg, _) => minus_one,
        (FloatOp::Mul, 0) | (FloatOp::Fma, 0) => y(),
        (FloatOp::Mul, _) | (FloatOp::Fma, 1) => x(),
        (FloatOp::Fma, _) => one,
        (FloatOp::Div, 0) => inverse(y()),
        (FloatOp::Div, _) => neg(div(Value, y())),
        (FloatOp::Rem, _) => neg(unary(FloatOp::Trunc, div(x(), y()))),
        (FloatOp::Abs, _) => Formula::Sign(Box::new(x())),
        (FloatOp::Pow, 0) => {
            let less = sub(y(), Constant(1.0));
            if_zero(y(), Constant(0.0), mul(y(), op(FloatOp::Pow, [x(), less])))
        }
        // At 0 a power is constant in its exponent.
        (FloatOp::Pow, _) => if_zero(x(), Constant(0.0), mul(Value, unary(FloatOp::Log, x()))),
        (FloatOp::Sqrt, _) => div(Constant(0.5), Value),
        (FloatOp::Cbrt, _) => inverse(mul(Constant(3.0), square(Value))),
        (FloatOp::Exp | FloatOp::FastExp, _) => Value,
        (FloatOp::Exp2, _) => mul(Value, Constant(std::f64::consts::LN_2)),
        (FloatOp::Expm1, _) => unary(FloatOp::Exp, x()),
        (FloatOp::Log, _) => inverse(x()),
        (FloatOp::Log2, _) => inverse(mul(x(), Constant(std::f64::consts::LN_2))),
        (FloatOp::Log10, _) => inverse(mul(x(), Constant(std::f64::consts::LN_10))),
        (FloatOp::Log1p, _) => inverse(add(one, x())),
        (FloatOp::Sin, _) => unary(FloatOp::Cos, x()),
        (FloatOp::Cos, _) => neg(unary(FloatOp::Sin, x())),
        (FloatOp::Tan, _) => add(one, square(Value)),
        (FloatOp::Asin, _) => inverse(unary(FloatOp::Sqrt, sub(one, square(x())))),
        (FloatOp::Acos, _) => div(minus_one, unary(FloatOp::Sqrt, sub(one, square(x())))),
        (FloatOp::Atan, _) => inverse(add(one, square(x()))),
        (FloatOp::Atan2, 0) => over_square(y(), op(FloatOp::Hypot, [x(), y()])),
        (FloatOp::Atan2, _) => neg(over_square(x(), op(FloatOp::Hypot, [x(), y()]))),
        (FloatOp::Sinh, _) => unary(FloatOp::Cosh, x()),
        (FloatOp::Cosh, _) => unary(FloatOp::Sinh, x()),
        (FloatOp::Tanh | FloatOp::FastTanh, _) => sub(one, square(Value)),
        (FloatOp::Asinh, _) => inverse(op(FloatOp::Hypot, [x(), one])),
        (FloatOp::Acosh, _) => {
            let root = |of: Formula| unary(FloatOp::Sqrt, of);
            inverse(mul(root(sub(x(), one.clone())), root(add(x(), one))))
        }
        (FloatOp::Atanh, _) => inverse(sub(one, square(x()))),
        (FloatOp::Erf, _) => gauss(std::f64::consts::FRAC_2_SQRT_PI),
        (FloatOp::Erfc, _) => gauss(-std::f64::consts::FRAC_2_SQRT_PI),
        (FloatOp::Hypot, place) => if_zero(Value, Constant(0.0), div(Operand(place), Value)),
        (FloatOp::CopySign, _) => {
            let sign = |of: Formula| op(FloatOp::CopySign, [Constant(1.0), of]);
            mul(sign(x()), sign(y()))
        }
        (FloatOp::NextAfter, _) => one,
        (FloatOp::Ceil | FloatOp::Floor | FloatOp::Trunc | FloatOp::Round, _) => {
            ice!("steps have no derivative")
        }
    }
}

fn gauss(factor: f64) -> Formula {
    mul(Constant(factor), unary(FloatOp::Exp, neg(square(Operand(0)))))
}

/// An operand's place, its tangent or node, and the partial derivative.
type Term = (usize, VarId, Formula);

/// A node and the level of its number.
pub type Number = (NodeId, Level);

impl Emitter<'_> {
    pub fn number_ty(&mut self, level: Level) -> TyId {
        let table = self.table();
        if level.is_ground() {
            return table.float;
        }
        if level.is_taylor() {
            return self.array_ty(level.outer());
        }
        let outer = self.number_ty(level.outer());
        let second = if level.is_reverse() { self.table().int } else { outer };
        self.table().intern(Ty::Tuple(vec![outer, second]))
    }

    pub fn float(&mut self, value: f64) -> NodeId {
        let ty = self.table().float;
        self.add(NodeKind::Const(Const::Float(value)), ty)
    }

    pub fn int(&mut self, value: i64) -> NodeId {
        let ty = self.table().int;
        self.add(NodeKind::Const(Const::Int(IntWidth::I63, value)), ty)
    }

    /// A number of a lower level as one of a higher level, without derivative.
    pub fn lift(&mut self, node: NodeId, from: Level, to: Level) -> NodeId {
        if from.depth >= to.depth {
            return node;
        }
        let node = self.lift(node, from, to.outer());
        if to.is_taylor() {
            return self.series(to.outer(), vec![node]);
        }
        let second = if to.is_reverse() {
            self.int(0)
        } else {
            let zero = self.float(0.0);
            self.lift(zero, Level::GROUND, to.outer())
        };
        let ty = self.number_ty(to);
        self.add(NodeKind::Tuple(vec![node, second]), ty)
    }

    /// A number without its innermost derivatives, or lifted.
    pub fn lower(&mut self, node: NodeId, from: Level, to: Level) -> NodeId {
        if from.depth <= to.depth {
            return self.lift(node, from, to);
        }
        let outer = self.value_of(node, from);
        self.lower(outer, from.outer(), to)
    }

    /// The number one level further out.
    pub fn value_of(&mut self, node: NodeId, level: Level) -> NodeId {
        if level.is_taylor() {
            self.first_coefficient(node, level.outer())
        } else {
            self.part(node, 0)
        }
    }

    /// The value alone.
    pub fn ground(&mut self, node: NodeId, level: Level) -> NodeId {
        self.lower(node, level, Level::GROUND)
    }

    pub fn part(&mut self, tuple: NodeId, index: u32) -> NodeId {
        let ty = self.out.ty(tuple);
        let Ty::Tuple(items) = self.table().get(ty).clone() else {
            ice!("a part of something that is no tuple")
        };
        self.add(NodeKind::TupleGet { tuple, index }, items[index as usize])
    }

    /// A primitive on numbers. Operands that are no numbers have the level 0.
    pub fn numeric(&mut self, prim: Prim, args: Vec<Number>) -> Number {
        let places = differentiable(prim);
        let level = places.iter().map(|&it| args[it].1).max().unwrap_or_default();
        if level.is_ground() {
            let nodes = args.into_iter().map(|(node, level)| self.ground(node, level)).collect();
            return (self.plain_op(prim, nodes), level);
        }
        if level.is_taylor() {
            return (self.taylor(prim, level, args), level);
        }
        let mut nodes = Vec::new();
        let mut levels = Vec::new();
        for (place, (node, own)) in args.into_iter().enumerate() {
            if places.contains(&place) {
                nodes.push(node);
                levels.push(own);
            } else if prim == Prim::AdAttach {
                // The derivative is used one level further out.
                let used = own.cut(level.outer().depth);
                nodes.push(self.lower(node, own, used));
                levels.push(used);
            } else {
                nodes.push(self.ground(node, own));
                levels.push(Level::GROUND);
            }
        }
        let function = self.operation(prim, level, levels);
        (self.call(function, nodes), level)
    }

    pub(super) fn plain_op(&mut self, prim: Prim, args: Vec<NodeId>) -> NodeId {
        if prim == Prim::AdAttach {
            return args[0];
        }
        let ty = self.table().float;
        self.add(NodeKind::Prim { prim, args }, ty)
    }

    pub fn call(&mut self, function: VarId, args: Vec<NodeId>) -> NodeId {
        let ty = self.out.vars[function].ty;
        let result = self.table().split_function(ty, args.len()).1;
        let func = self.mention(function);
        self.note_use(function);
        self.add(NodeKind::Apply { func, args, callee: Callee::Unknown }, result)
    }

    /// The function for an operation at this level with operands of these levels.
    fn operation(&mut self, prim: Prim, level: Level, levels: Vec<Level>) -> VarId {
        let key = (prim, levels);
        if let Some(&known) = self.operations.get(&key) {
            return known;
        }
        let levels = key.1.clone();
        let mut tys = Vec::new();
        for (place, &own) in levels.iter().enumerate() {
            let is_int = prim == Prim::FloatLdexp && place == 1;
            tys.push(if is_int { self.table().int } else { self.number_ty(own) });
        }
        let result = self.number_ty(level);
        let name =
            format!("{}_{}", prim.name().trim_start_matches('%').replace('.', "_"), level.suffix());
        let ty = self.table().function(&tys, result);
        let function = self.global(&name, ty);
        self.operations.insert(key, function);

        self.add_front(function, |it| {
            let params: Vec<VarId> = tys.iter().map(|&ty| it.local("x", ty)).collect();
            let body = it.operation_body(prim, level, &levels, &params);
            let lambda = it.out.lambdas.push(Lambda {
                inline: if level.depth == 1 { InlineHint::Always } else { InlineHint::Default },
                ..Lambda::new(Some(oxbow_base::Symbol::new(&name)), params, body, it.span)
            });
            it.add(NodeKind::Lambda(lambda), ty)
        });
        function
    }

    fn operation_body(
        &mut self,
        prim: Prim,
        level: Level,
        levels: &[Level],
        params: &[VarId],
    ) -> NodeId {
        let outer = level.outer();
        // Value, and tangent or node, of each operand.
        let mut values: Vec<(VarId, Level)> = Vec::new();
        let mut seconds: Vec<Option<VarId>> = Vec::new();
        let mut bound: Vec<(VarId, NodeId)> = Vec::new();
        for (&param, &own) in params.iter().zip(levels) {
            if own != level {
                values.push((param, own));
                seconds.push(None);
                continue;
            }
            let parts = [0, 1].map(|index| {
                let param = self.mention(param);
                let part = self.part(param, index);
                let ty = self.out.ty(part);
                let var = self.local(if index == 0 { "v" } else { "t" }, ty);
                bound.push((var, part));
                var
            });
            values.push((parts[0], outer));
            seconds.push(Some(parts[1]));
        }
        let args = values.iter().map(|&(var, level)| (self.mention(var), level)).collect();
        let (value, own) = self.numeric(prim, args);
        let value = self.lift(value, own, outer);
        let ty = self.out.ty(value);
        let result = self.local("r", ty);
        bound.push((result, value));

        let mut terms: Vec<Term> = Vec::new();
        for (place, second) in seconds.iter().enumerate() {
            if let Some(second) = *second {
                terms.push((place, second, partial(prim, place)));
            }
        }
        let facts = Facts { values, result, outer };
        let second = if level.is_reverse() {
            self.push(level, &terms, &facts)
        } else {
            self.tangent(prim, &terms, &facts)
        };
        let first = self.mention(result);
        let ty = self.number_ty(level);
        let body = self.add(NodeKind::Tuple(vec![first, second]), ty);
        bound
            .into_iter()
            .rev()
            .fold(body, |body, (var, value)| self.add(NodeKind::Let { var, value, body }, ty))
    }

    /// The sum of the operands' tangents times the partial derivatives.
    fn tangent(&mut self, prim: Prim, terms: &[Term], facts: &Facts) -> NodeId {
        let outer = facts.outer;
        let mut sum: Option<Number> = None;
        for (place, tangent_var, formula) in terms {
            let tangent_var = *tangent_var;
            let tangent = (self.mention(tangent_var), outer);
            sum = Some(match (sum, formula) {
                (None, Constant(1.0)) => tangent,
                (None, Constant(-1.0)) => self.numeric(Prim::Float(FloatOp::Neg), vec![tangent]),
                (Some(sum), Constant(1.0)) => {
                    self.numeric(Prim::Float(FloatOp::Add), vec![sum, tangent])
                }
                (Some(sum), Constant(-1.0)) => {
                    self.numeric(Prim::Float(FloatOp::Sub), vec![sum, tangent])
                }
                (sum, formula) => {
                    let weight = self.formula(formula, facts);
                    let term = self.numeric(Prim::Float(FloatOp::Mul), vec![weight, tangent]);
                    let term = self.unless_zero(prim, *place, tangent_var, term, outer);
                    match sum {
                        Some(sum) => self.numeric(Prim::Float(FloatOp::Add), vec![sum, term]),
                        None => term,
                    }
                }
            });
        }
        match sum {
            Some((node, level)) => self.lift(node, level, outer),
            None => ice!("an operation without active operands"),
        }
    }

    /// The term of an exponent is `nan` for a negative base, also if the exponent is constant.
    fn unless_zero(
        &mut self,
        prim: Prim,
        place: usize,
        tangent: VarId,
        term: Number,
        outer: Level,
    ) -> Number {
        if prim != Prim::Float(FloatOp::Pow) || place != 1 {
            return term;
        }
        let tangent = self.mention(tangent);
        let cond = self.is_zero(tangent, outer);
        let zero = self.float(0.0);
        self.choose(cond, (zero, Level::GROUND), term)
    }

    /// A new node of the tape with the operands' nodes and the partial derivatives.
    fn push(&mut self, level: Level, terms: &[Term], facts: &Facts) -> NodeId {
        let tape = self.tape(level);
        let mut args = vec![self.mention(tape)];
        self.note_use(tape);
        for (_, node, formula) in terms {
            args.push(self.mention(*node));
            let (weight, own) = self.formula(formula, facts);
            args.push(self.lift(weight, own, facts.outer));
        }
        let push = self.push_function(level, terms.len(), super::tape::NodeOf::Edges);
        self.call(push, args)
    }

    pub(super) fn formula(&mut self, formula: &Formula, facts: &Facts) -> Number {
        match formula {
            Formula::Operand(place) => {
                let (var, level) = facts.values[*place];
                (self.mention(var), level)
            }
            Formula::Result => (self.mention(facts.result), facts.outer),
            Formula::Const(value) => (self.float(*value), Level::GROUND),
            Formula::Op(op, args) => {
                let args = args.iter().map(|it| self.formula(it, facts)).collect();
                self.numeric(Prim::Float(*op), args)
            }
            Formula::IfZero(test, then, otherwise) => {
                let (test, level) = self.formula(test, facts);
                let test = self.ground(test, level);
                let zero = self.float(0.0);
                let cond = self.compare(OrderOp::Eq, test, zero);
                let (then, otherwise) = (self.formula(then, facts), self.formula(otherwise, facts));
                self.choose(cond, then, otherwise)
            }
            Formula::Sign(of) => {
                let (of, level) = self.formula(of, facts);
                let of = self.ground(of, level);
                let value = self.local("s", self.out.ty(of));
                let (a, b, c) = (self.mention(value), self.mention(value), self.mention(value));
                let (zero, again, third) = (self.float(0.0), self.float(0.0), self.float(0.0));
                let above = self.compare(OrderOp::Gt, a, zero);
                let below = self.compare(OrderOp::Lt, b, again);
                let (one, minus_one) = (self.float(1.0), self.float(-1.0));
                // Zero, or nan for nan.
                let rest = self.plain_op(Prim::Float(FloatOp::Mul), vec![c, third]);
                let ground = Level::GROUND;
                let rest = self.choose(below, (minus_one, ground), (rest, ground));
                let body = self.choose(above, (one, ground), rest).0;
                let ty = self.out.ty(body);
                (self.add(NodeKind::Let { var: value, value: of, body }, ty), ground)
            }
            Formula::PowerOfTwo(place) => {
                let exponent = self.mention(facts.values[*place].0);
                let one = self.float(1.0);
                (self.plain_op(Prim::FloatLdexp, vec![one, exponent]), Level::GROUND)
            }
        }
    }

    pub fn compare(&mut self, op: OrderOp, a: NodeId, b: NodeId) -> NodeId {
        let ty = self.table().bool;
        self.add(NodeKind::Prim { prim: Prim::Order(op), args: vec![a, b] }, ty)
    }

    fn choose(&mut self, cond: NodeId, then: Number, otherwise: Number) -> Number {
        let level = then.1.max(otherwise.1);
        let then = self.lift(then.0, then.1, level);
        let otherwise = self.lift(otherwise.0, otherwise.1, level);
        let ty = self.out.ty(then);
        (self.add(NodeKind::If { cond, then, otherwise }, ty), level)
    }

    /// A global variable of the compiler's own.
    pub fn global(&mut self, name: &str, ty: TyId) -> VarId {
        let name = oxbow_base::Symbol::new(name);
        let span = self.span;
        self.out.vars.push(Var { name, ty, tyvars: Vec::new(), mutable: false, global: true, span })
    }

    pub fn local(&mut self, name: &str, ty: TyId) -> VarId {
        let var = self.global(name, ty);
        self.out.vars[var].global = false;
        var
    }

    pub fn mention(&mut self, var: VarId) -> NodeId {
        let ty = self.out.vars[var].ty;
        self.add(NodeKind::Var { var, tyargs: Vec::new() }, ty)
    }
}

/// What a formula refers to.
pub(super) struct Facts {
    pub values: Vec<(VarId, Level)>,
    pub result: VarId,
    /// The level at which it is computed.
    pub outer: Level,
}
