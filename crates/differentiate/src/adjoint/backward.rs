//! Writes the reverse sweep: adjoints from the result to the input.
//!
//! ```text
//! y = a *. b            a' += y' * b; b' += y' * a
//! x = w.(i)             w'.(i) <- w'.(i) + x'
//! for i = m to n        for i = n downto m, with the frame of each round
//! ```
//!
//! The adjoint of a number is the sum of terms that are bound as they are found, or a variable if inner
//! blocks add to it. An adjoint that is zero is not divided or multiplied by what may be infinite, so
//! numbers that the result does not depend on do no harm.

use oxbow_psg::{Const, FloatOp, IntOp, NodeId, NodeKind, OrderOp, Prim, VarId};

use super::super::constrain::differentiable;
use super::super::rules::{Formula, partial};
use super::ir::{BlockId, Def, End, Op, Stmt, ValueId};
use super::plan::Plan;
use super::reason::Written;
use super::write::{Adjoint, Writer};

/// How a block was left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Yield,
    Continue,
}

/// What the reverse sweep through a block begins with: how it was left, and the adjoints of what it passed on.
pub struct Seed<'s> {
    pub exit: Exit,
    pub terms: &'s [Option<VarId>],
}

impl Writer<'_> {
    /// The reverse sweep through the whole function, for a result with the adjoint 1.
    pub fn backward(&mut self, result: ValueId) -> Written<()> {
        let root = self.code.root;
        self.open(root)?;
        let one = self.float(1.0);
        self.contribute(result, one);
        self.backward_stmts(root)
    }

    /// The same for an array of results, whose adjoints are given.
    pub fn backward_weighted(&mut self, result: ValueId, weights: VarId) -> Written<()> {
        let root = self.code.root;
        let last = |it: &mut Self| {
            let weights = it.mention(weights);
            let (length, one) = (it.length(weights), it.int(1));
            it.int_op(IntOp::Sub, length, one)
        };
        let (found, given) = (self.value(result)?, self.mention(weights));
        let (found, given) = (self.length(found), self.length(given));
        let differs = self.order(OrderOp::Ne, found, given);
        let complaint = self.complaint("Ad.vjp: the weights have another length than the result");
        let nothing = self.unit();
        let check = self.branch(differs, complaint, nothing);
        self.run(check);
        self.open(root)?;
        if let Some(&shadow) = self.activity.shadows.get(result) {
            let (from, to) = (self.int(0), last(self));
            self.each(from, to, |it, k| {
                let (array, index) = (it.value(shadow)?, it.mention(k));
                let old = it.get(array, index);
                let (array, index) = (it.mention(weights), it.mention(k));
                let weight = it.get(array, index);
                let sum = it.float_op(FloatOp::Add, vec![old, weight]);
                let (array, index) = (it.value(shadow)?, it.mention(k));
                let node = it.set(array, index, sum);
                it.run(node);
                Ok(())
            })?;
        }
        self.backward_stmts(root)
    }

    /// Raises `Invalid_argument`.
    fn complaint(&mut self, text: &str) -> NodeId {
        let Some(exn) = self.program.well_known.exns.invalid_argument else {
            oxbow_diag::ice!("the library has no `Invalid_argument`")
        };
        let (string, exception, unit) =
            (self.program.types.string, self.program.types.exn, self.program.types.unit);
        let text = self.add(NodeKind::Const(Const::String(text.as_bytes().into())), string);
        let value = self.add(NodeKind::MakeExn { exn, args: vec![text] }, exception);
        self.add(NodeKind::Raise(value), unit)
    }

    /// Makes what the reverse sweep through a block needs.
    fn open(&mut self, block: BlockId) -> Written<()> {
        let code = self.code;
        let values: Vec<ValueId> =
            code.values.iter().filter(|it| it.1.block == block).map(|it| it.0).collect();
        for &value in &values {
            if block != code.root && !matches!(self.plans.plan[value], Plan::Kept | Plan::Step(_)) {
                let is_index = self.plans.plan[value] == Plan::Free;
                if !is_index {
                    self.vars[value] = None;
                }
            }
            if self.plans.plan[value] == Plan::Kept
                && let Some(&var) = self.kept.get(value)
                && self.is_nested(value)
            {
                self.vars[value] = Some(var);
            }
            self.adjoints[value] = Adjoint::Zero;
            if self.plans.cells.contains(value) {
                let zero = self.float(0.0);
                self.adjoints[value] = Adjoint::Cell(self.declare("d", zero));
            }
        }
        for stmt in &code.blocks[block].stmts {
            if let Stmt::Op { result, op, args } = stmt
                && self.plans.plan[*result] == Plan::Again
            {
                let node = self.op(op, args, code.ty(*result))?;
                let var = self.bind("v", node);
                self.vars[*result] = Some(var);
            }
        }
        Ok(())
    }

    pub fn backward_block(&mut self, block: BlockId, seed: &Seed<'_>) -> Written<()> {
        self.open(block)?;
        let code = self.code;
        match &code.blocks[block].end {
            End::Yield(values) if seed.exit == Exit::Yield => {
                self.contribute_all(values, seed.terms)
            }
            End::Continue(values) if seed.exit == Exit::Continue => {
                self.contribute_all(values, seed.terms);
            }
            End::Branch { test, arms } => {
                let taken = |arm: BlockId| match seed.exit {
                    Exit::Yield => code.yields(arm),
                    Exit::Continue => code.continues(arm),
                };
                let left: Vec<BlockId> = arms.iter().copied().filter(|&it| taken(it)).collect();
                if let [only] = left[..] {
                    let node = self.block(|it| it.backward_block(only, seed))?;
                    self.run(node);
                } else {
                    let arms = arms
                        .iter()
                        .map(|&arm| {
                            self.block(|it| {
                                if taken(arm) {
                                    it.backward_block(arm, seed)?;
                                }
                                Ok(())
                            })
                        })
                        .collect::<Written<_>>()?;
                    let node = self.test(test, arms)?;
                    self.run(node);
                }
            }
            _ => (),
        }
        self.backward_stmts(block)
    }

    fn backward_stmts(&mut self, block: BlockId) -> Written<()> {
        let code = self.code;
        for stmt in code.blocks[block].stmts.iter().rev() {
            match stmt {
                Stmt::Op { result, op, args } => self.backward_op(*result, op, args)?,
                Stmt::Guard { .. } => (),
                Stmt::Branch { test, arms, results, which } => {
                    if !arms.iter().any(|&it| self.plans.busy.contains(it)) {
                        continue;
                    }
                    let terms: Vec<_> = results.iter().map(|&it| self.take(it)).collect();
                    let seed = Seed { exit: Exit::Yield, terms: &terms };
                    let arms = arms
                        .iter()
                        .map(|&arm| {
                            self.block(|it| {
                                it.pop_frame(arm);
                                it.backward_block(arm, &seed)
                            })
                        })
                        .collect::<Written<_>>()?;
                    let node = match which {
                        Some(which) => self.test_number(*which, arms)?,
                        None => self.test(test, arms)?,
                    };
                    self.run(node);
                }
                Stmt::Loop(it) => {
                    if self.plans.busy.contains(it.body) {
                        self.backward_loop(it)?;
                    }
                }
                Stmt::Recursion(it) => self.backward_recursion(it)?,
                Stmt::Recur { body, args, results } => self.backward_call(*body, args, results),
            }
        }
        Ok(())
    }

    fn contribute_all(&mut self, values: &[ValueId], terms: &[Option<VarId>]) {
        for (&value, term) in values.iter().zip(terms) {
            if let Some(term) = *term {
                let term = self.mention(term);
                self.contribute(value, term);
            }
        }
    }

    /// Adds to the adjoint of a number.
    pub fn contribute(&mut self, value: ValueId, term: NodeId) {
        if !self.activity.floats.contains(value) {
            return;
        }
        if let Adjoint::Cell(cell) = self.adjoints[value] {
            let old = self.mention(cell);
            let sum = self.float_op(FloatOp::Add, vec![old, term]);
            self.assign(cell, sum);
            return;
        }
        let var = self.bind("t", term);
        match &mut self.adjoints[value] {
            Adjoint::Terms(terms) => terms.push(var),
            other => *other = Adjoint::Terms(vec![var]),
        }
    }

    /// The adjoint of a number; none if nothing depends on it.
    pub fn take(&mut self, value: ValueId) -> Option<VarId> {
        if !self.activity.floats.contains(value) {
            return None;
        }
        match std::mem::take(&mut self.adjoints[value]) {
            Adjoint::Zero => None,
            Adjoint::Cell(cell) => {
                let now = self.mention(cell);
                Some(self.bind("d", now))
            }
            Adjoint::Terms(terms) => {
                let mut terms = terms.into_iter();
                let mut sum = terms.next()?;
                for term in terms {
                    let (a, b) = (self.mention(sum), self.mention(term));
                    let node = self.float_op(FloatOp::Add, vec![a, b]);
                    sum = self.bind("d", node);
                }
                Some(sum)
            }
        }
    }

    fn backward_op(&mut self, result: ValueId, op: &Op, args: &[ValueId]) -> Written<()> {
        let shadow = |it: &Self, array: ValueId| it.activity.shadows.get(array).copied();
        match op {
            Op::Prim(Prim::ArrayGet) => {
                if let (Some(shadow), Some(term)) = (shadow(self, args[0]), self.take(result)) {
                    self.add_to_item(shadow, args[1], term)?;
                }
            }
            Op::Prim(Prim::ArraySet) => {
                let Some(shadow) = shadow(self, args[0]) else { return Ok(()) };
                let (array, index) = (self.value(shadow)?, self.value(args[1])?);
                let term = self.get(array, index);
                let term = self.bind("d", term);
                let (array, index, zero) =
                    (self.value(shadow)?, self.value(args[1])?, self.float(0.0));
                let node = self.set(array, index, zero);
                self.run(node);
                let term = self.mention(term);
                self.contribute(args[2], term);
            }
            Op::Prim(Prim::ArrayMake) => {
                let Some(shadow) = shadow(self, result) else { return Ok(()) };
                if self.activity.floats.contains(args[1]) {
                    self.sum_of_items(shadow, args[1])?;
                }
            }
            Op::Array => {
                let Some(shadow) = shadow(self, result) else { return Ok(()) };
                for (place, &item) in args.iter().enumerate() {
                    let (array, index) = (self.value(shadow)?, self.int(place as i64));
                    let term = self.get(array, index);
                    self.contribute(item, term);
                }
            }
            Op::Prim(Prim::ArrayBlit) => self.backward_blit(args)?,
            Op::AddProduct => self.backward_product(args)?,
            Op::Prim(prim) if !differentiable(*prim).is_empty() => {
                if let Some(term) = self.take(result) {
                    self.backward_number(*prim, args, result, term)?;
                }
            }
            _ => (),
        }
        Ok(())
    }

    fn add_to_item(&mut self, array: ValueId, index: ValueId, term: VarId) -> Written<()> {
        let (from, at) = (self.value(array)?, self.value(index)?);
        let old = self.get(from, at);
        let term = self.mention(term);
        let sum = self.float_op(FloatOp::Add, vec![old, term]);
        let (into, at) = (self.value(array)?, self.value(index)?);
        let node = self.set(into, at, sum);
        self.run(node);
        Ok(())
    }

    /// A loop over `from` to `to`.
    fn each(
        &mut self,
        from: NodeId,
        to: NodeId,
        write: impl FnOnce(&mut Self, VarId) -> Written<()>,
    ) -> Written<()> {
        let (int, unit) = (self.program.types.int, self.program.types.unit);
        let var = self.fresh("k", int, false);
        let body = self.block(|it| write(it, var))?;
        let node = self.add(NodeKind::For { var, from, to, down: false, body }, unit);
        self.run(node);
        Ok(())
    }

    fn sum_of_items(&mut self, shadow: ValueId, value: ValueId) -> Written<()> {
        let zero = self.float(0.0);
        let sum = self.declare("sum", zero);
        let array = self.value(shadow)?;
        let (from, length, one) = (self.int(0), self.length(array), self.int(1));
        let to = self.int_op(IntOp::Sub, length, one);
        self.each(from, to, |it, k| {
            let (old, array, k) = (it.mention(sum), it.value(shadow)?, it.mention(k));
            let item = it.get(array, k);
            let new = it.float_op(FloatOp::Add, vec![old, item]);
            it.assign(sum, new);
            Ok(())
        })?;
        let sum = self.mention(sum);
        self.contribute(value, sum);
        Ok(())
    }

    /// The items that were overwritten have no adjoint any more; those that were copied get theirs.
    fn backward_blit(&mut self, args: &[ValueId]) -> Written<()> {
        let Some(&into) = self.activity.shadows.get(args[2]) else { return Ok(()) };
        let from = self.activity.shadows.get(args[0]).copied();
        let (length, zero) = (self.value(args[4])?, self.float(0.0));
        let array_ty = self.array_ty;
        let copy = self.prim(Prim::ArrayMake, vec![length, zero], array_ty);
        let copy = self.bind("copy", copy);
        let last = |it: &mut Self| -> Written<NodeId> {
            let (length, one) = (it.value(args[4])?, it.int(1));
            Ok(it.int_op(IntOp::Sub, length, one))
        };
        let (start, end) = (self.int(0), last(self)?);
        self.each(start, end, |it, k| {
            let at = |it: &mut Self| -> Written<NodeId> {
                let (start, k) = (it.value(args[3])?, it.mention(k));
                Ok(it.int_op(IntOp::Add, start, k))
            };
            let (array, place) = (it.value(into)?, at(it)?);
            let term = it.get(array, place);
            let (array, index) = (it.mention(copy), it.mention(k));
            let node = it.set(array, index, term);
            it.run(node);
            let (array, place, zero) = (it.value(into)?, at(it)?, it.float(0.0));
            let node = it.set(array, place, zero);
            it.run(node);
            Ok(())
        })?;
        let Some(from) = from else { return Ok(()) };
        let (start, end) = (self.int(0), last(self)?);
        self.each(start, end, |it, k| {
            let at = |it: &mut Self| -> Written<NodeId> {
                let (start, k) = (it.value(args[1])?, it.mention(k));
                Ok(it.int_op(IntOp::Add, start, k))
            };
            let (array, place) = (it.value(from)?, at(it)?);
            let old = it.get(array, place);
            let (array, index) = (it.mention(copy), it.mention(k));
            let term = it.get(array, index);
            let sum = it.float_op(FloatOp::Add, vec![old, term]);
            let (array, place) = (it.value(from)?, at(it)?);
            let node = it.set(array, place, sum);
            it.run(node);
            Ok(())
        })?;
        Ok(())
    }

    /// Each factor gets the product of the adjoint and the other factor, transposed.
    fn backward_product(&mut self, args: &[ValueId]) -> Written<()> {
        let [c, a, b, rows, inner, columns, c_row, c_column, a_row, a_column, b_row, b_column] =
            *args
        else {
            oxbow_diag::ice!("a product of other operands")
        };
        let shadow = |it: &Self, array: ValueId| it.activity.shadows.get(array).copied();
        let Some(adjoint) = shadow(self, c) else { return Ok(()) };
        let calls = [
            shadow(self, a).map(|into| {
                let sizes = [rows, columns, inner];
                let distances = [a_row, a_column, c_row, c_column, b_column, b_row];
                ([into, adjoint, b], sizes, distances)
            }),
            shadow(self, b).map(|into| {
                let sizes = [inner, rows, columns];
                let distances = [b_row, b_column, a_column, a_row, c_row, c_column];
                ([into, a, adjoint], sizes, distances)
            }),
        ];
        for (arrays, sizes, distances) in calls.into_iter().flatten() {
            let args: Vec<ValueId> = arrays.into_iter().chain(sizes).chain(distances).collect();
            let args = self.values(&args)?;
            let node = self.add_product(args);
            self.run(node);
        }
        Ok(())
    }

    fn backward_number(
        &mut self,
        prim: Prim,
        args: &[ValueId],
        result: ValueId,
        term: VarId,
    ) -> Written<()> {
        let is_active = |it: &Self, place: usize| it.activity.floats.contains(args[place]);
        if prim == Prim::Float(FloatOp::Div) {
            let constant = matches!(self.code.values[args[1]].def, Def::Const(_));
            let (value, by) = (self.mention(term), self.value(args[1])?);
            let quotient = self.float_op(FloatOp::Div, vec![value, by]);
            let quotient = if constant { quotient } else { self.unless_zero(term, quotient) };
            let quotient = self.bind("q", quotient);
            if is_active(self, 0) {
                let node = self.mention(quotient);
                self.contribute(args[0], node);
            }
            if is_active(self, 1) {
                let (quotient, value) = (self.mention(quotient), self.value(result)?);
                let product = self.float_op(FloatOp::Mul, vec![quotient, value]);
                let node = self.float_op(FloatOp::Neg, vec![product]);
                self.contribute(args[1], node);
            }
            return Ok(());
        }
        for &place in differentiable(prim) {
            if !is_active(self, place) {
                continue;
            }
            let node = match partial(prim, place) {
                Formula::Const(1.0) => self.mention(term),
                Formula::Const(-1.0) => {
                    let term = self.mention(term);
                    self.float_op(FloatOp::Neg, vec![term])
                }
                formula => {
                    let factor = self.formula(&formula, args, result)?;
                    let value = self.mention(term);
                    let product = self.float_op(FloatOp::Mul, vec![value, factor]);
                    if may_be_infinite(prim) { self.unless_zero(term, product) } else { product }
                }
            };
            self.contribute(args[place], node);
        }
        Ok(())
    }

    fn unless_zero(&mut self, term: VarId, node: NodeId) -> NodeId {
        let term = self.mention(term);
        let bool = self.program.types.bool;
        let cond = self.prim(Prim::AdIsZero, vec![term], bool);
        let zero = self.float(0.0);
        self.branch(cond, zero, node)
    }

    fn formula(&mut self, formula: &Formula, args: &[ValueId], result: ValueId) -> Written<NodeId> {
        Ok(match formula {
            Formula::Operand(place) => self.value(args[*place])?,
            Formula::Result => self.value(result)?,
            Formula::Const(value) => self.float(*value),
            Formula::Op(op, parts) => {
                let parts = parts.iter().map(|it| self.formula(it, args, result));
                let parts = parts.collect::<Written<_>>()?;
                self.float_op(*op, parts)
            }
            Formula::IfZero(test, then, otherwise) => {
                let (test, zero) = (self.formula(test, args, result)?, self.float(0.0));
                let cond = self.order(OrderOp::Eq, test, zero);
                let then = self.formula(then, args, result)?;
                let otherwise = self.formula(otherwise, args, result)?;
                self.branch(cond, then, otherwise)
            }
            Formula::Sign(of) => {
                let of = self.formula(of, args, result)?;
                let of = self.bind("s", of);
                let (a, b, c) = (self.mention(of), self.mention(of), self.mention(of));
                let zeros = [self.float(0.0), self.float(0.0), self.float(0.0)];
                let above = self.order(OrderOp::Gt, a, zeros[0]);
                let below = self.order(OrderOp::Lt, b, zeros[1]);
                // Zero, or nan for nan.
                let rest = self.float_op(FloatOp::Mul, vec![c, zeros[2]]);
                let (one, minus_one) = (self.float(1.0), self.float(-1.0));
                let rest = self.branch(below, minus_one, rest);
                self.branch(above, one, rest)
            }
            Formula::PowerOfTwo(place) => {
                let (one, exponent) = (self.float(1.0), self.value(args[*place])?);
                let ty = self.program.types.float;
                self.prim(Prim::FloatLdexp, vec![one, exponent], ty)
            }
        })
    }
}

/// Whether a partial derivative is infinite somewhere.
fn may_be_infinite(prim: Prim) -> bool {
    let Prim::Float(op) = prim else { return false };
    matches!(
        op,
        FloatOp::Pow
            | FloatOp::Sqrt
            | FloatOp::Cbrt
            | FloatOp::Log
            | FloatOp::Log2
            | FloatOp::Log10
            | FloatOp::Log1p
            | FloatOp::Asin
            | FloatOp::Acos
            | FloatOp::Acosh
            | FloatOp::Atanh
            | FloatOp::Atan2
            | FloatOp::Hypot
            | FloatOp::Rem
    )
}
