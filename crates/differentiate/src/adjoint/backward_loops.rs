//! The reverse sweep through loops: their rounds from the last to the first, each with the frame that it left.

use oxbow_psg::{IntOp, IntWidth, NodeKind, OrderOp, Prim, Ty, VarId};

use super::backward::{Exit, Seed};
use super::ir::{BlockId, Loop, ValueId};
use super::plan::Plan;
use super::reason::Written;
use super::write::Writer;

impl Writer<'_> {
    pub(super) fn backward_loop(&mut self, it: &Loop) -> Written<()> {
        let code = self.code;
        let is_active = |writer: &Self, value: ValueId| writer.activity.floats.contains(value);
        // The adjoints of the parameters after a round.
        let mut after: Vec<Option<VarId>> = Vec::new();
        let results: Vec<Option<VarId>> = it.results.iter().map(|&it| self.take(it)).collect();
        for (place, &param) in it.params.iter().enumerate() {
            if !is_active(self, param) {
                after.push(None);
                continue;
            }
            let start = match results.get(place) {
                Some(Some(term)) if it.counted.is_some() => self.mention(*term),
                _ => self.float(0.0),
            };
            after.push(Some(self.declare("d", start)));
        }
        let (int, unit) = (self.program.types.int, self.program.types.unit);
        match it.counted {
            Some(counted) => {
                let ty = self.code.ty(counted.index);
                let var = self.fresh("i", ty, false);
                let body = self.block(|writer| writer.backward_round(it, var, None, &after))?;
                let (from, to) = (self.value(counted.to)?, self.value(counted.from)?);
                let down = !counted.down;
                let node = self.add(NodeKind::For { var, from, to, down, body }, unit);
                self.run(node);
            }
            None => {
                let count = self.value(it.count)?;
                let count = self.bind("count", count);
                if code.yields(it.body) {
                    let node = self
                        .block(|writer| writer.backward_round(it, count, Some(&results), &after))?;
                    self.run(node);
                }
                if code.continues(it.body) {
                    let var = self.fresh("k", int, false);
                    let body = self.block(|writer| writer.backward_round(it, var, None, &after))?;
                    let (count, one, to) = (self.mention(count), self.int(1), self.int(0));
                    let from = self.int_op(IntOp::Sub, count, one);
                    let node = self.add(NodeKind::For { var, from, to, down: true, body }, unit);
                    self.run(node);
                }
            }
        }
        for (&init, after) in it.init.iter().zip(&after) {
            if let Some(after) = *after {
                let term = self.mention(after);
                self.contribute(init, term);
            }
        }
        Ok(())
    }

    /// `round` is the index of a `for` loop, or the number of the round. The last one of other loops has the adjoints
    /// of the `results`; all others have those of the parameters `after` them.
    fn backward_round(
        &mut self,
        it: &Loop,
        round: VarId,
        results: Option<&[Option<VarId>]>,
        after: &[Option<VarId>],
    ) -> Written<()> {
        self.pop_frame(it.body);
        match it.counted {
            Some(counted) => self.vars[counted.index] = Some(round),
            None => {
                for (&param, &init) in it.params.iter().zip(&it.init) {
                    if let Plan::Step(by) = self.plans.plan[param] {
                        let (init, round, by) =
                            (self.value(init)?, self.mention(round), self.int(by));
                        let distance = self.int_op(IntOp::Mul, round, by);
                        let now = self.int_op(IntOp::Add, init, distance);
                        let var = self.bind("n", now);
                        self.vars[param] = Some(var);
                    }
                }
            }
        }
        let (exit, terms): (Exit, Vec<Option<VarId>>) = match results {
            Some(results) => (Exit::Yield, results.to_vec()),
            None => {
                let mut terms = Vec::new();
                for after in after {
                    terms.push(after.map(|it| {
                        let now = self.mention(it);
                        self.bind("d", now)
                    }));
                }
                (Exit::Continue, terms)
            }
        };
        self.backward_block(it.body, &Seed { exit, terms: &terms })?;
        for (&param, after) in it.params.iter().zip(after) {
            if let Some(after) = *after {
                let now = match self.take(param) {
                    Some(term) => self.mention(term),
                    None => self.float(0.0),
                };
                self.assign(after, now);
            }
        }
        Ok(())
    }

    pub fn pop_frame(&mut self, body: BlockId) {
        let Some(frame) = self.plans.frames.get(body).cloned() else { return };
        for (stack, values) in self.frame_parts(&frame) {
            let (top, count) = (self.mention(stack.top), self.int(values.len() as i64));
            let top = self.int_op(IntOp::Sub, top, count);
            self.assign(stack.top, top);
            for (place, &value) in values.iter().enumerate() {
                let (items, at) = (self.mention(stack.items), self.place(stack, place));
                let mut node = self.get(items, at);
                let ty = self.code.ty(value);
                if ty == self.program.types.bool {
                    let zero = self.int(0);
                    node = self.order(OrderOp::Ne, node, zero);
                }
                if let Ty::Int(to) = *self.program.types.get(ty)
                    && to != IntWidth::I63
                {
                    node = self.prim(Prim::IntCast { from: IntWidth::I63, to }, vec![node], ty);
                }
                let var = self.bind("v", node);
                self.vars[value] = Some(var);
                // Inner blocks find it there.
                self.kept.insert(value, var);
            }
        }
    }
}
