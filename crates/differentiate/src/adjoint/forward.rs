//! Writes the forward sweep: the function as it was, and the frames of what the reverse sweep needs.
//!
//! ```text
//! for i = a to b do                    for i = a to b do
//!   s := !s +. tanh x.(i)                let t = tanh x.(i) in s <- s + t;
//! done                                   stack.(top) <- t; top <- top + 1
//! ```

use oxbow_psg::{IntOp, IntWidth, NodeId, NodeKind, OrderOp, Prim, Ty, VarId};

use super::ir::{BlockId, Counted, End, Loop, Op, Stmt, Test, ValueId};
use super::plan::Frame;
use super::reason::{Reason, Written};
use super::write::{Piece, Stack, Writer};

/// Where the values go that a block passes on.
#[derive(Clone, Copy)]
enum Target<'t> {
    /// To variables.
    Assign(&'t [VarId]),
    Loop(&'t Rounds),
}

pub struct Rounds {
    body: BlockId,
    params: Vec<VarId>,
    results: Vec<VarId>,
    count: Option<VarId>,
    running: Option<VarId>,
}

impl Writer<'_> {
    pub fn forward_stmts(&mut self, block: BlockId) -> Written<()> {
        let code = self.code;
        code.blocks[block].stmts.iter().try_for_each(|it| self.forward_stmt(it))
    }

    /// The statements at these places.
    pub fn forward_some(&mut self, block: BlockId, places: &[usize]) -> Written<()> {
        let code = self.code;
        places.iter().try_for_each(|&it| self.forward_stmt(&code.blocks[block].stmts[it]))
    }

    fn forward_stmt(&mut self, stmt: &Stmt) -> Written<()> {
        match stmt {
            Stmt::Op { result, op, args } => self.forward_op(*result, op, args)?,
            Stmt::Guard { test, arms } => {
                let arms = arms
                    .iter()
                    .map(|arm| match arm {
                        Some(arm) => self.forward_arm(*arm, Target::Assign(&[])),
                        None => Ok(self.unit()),
                    })
                    .collect::<Written<_>>()?;
                let node = self.test(test, arms)?;
                self.run(node);
            }
            Stmt::Branch { test, arms, results, .. } => {
                self.forward_branch(test, arms, results)?;
            }
            Stmt::Loop(it) => self.forward_loop(it)?,
            Stmt::Recursion(it) => self.forward_recursion(it)?,
            Stmt::Recur { body, args, results } => self.forward_call(*body, args, results)?,
        }
        Ok(())
    }

    fn forward_op(&mut self, result: ValueId, op: &Op, args: &[ValueId]) -> Written<()> {
        if self.activity.late.contains(result) {
            return Ok(());
        }
        let ty = self.code.ty(result);
        let node = self.op(op, args, ty)?;
        if ty == self.program.types.unit {
            self.run(node);
            return Ok(());
        }
        let var = self.bind("v", node);
        self.defined(result, var);
        Ok(())
    }

    fn forward_arm(&mut self, arm: BlockId, target: Target<'_>) -> Written<NodeId> {
        self.block(|it| {
            it.forward_stmts(arm)?;
            it.forward_end(arm, target)
        })
    }

    fn forward_end(&mut self, block: BlockId, target: Target<'_>) -> Written<()> {
        let code = self.code;
        match (&code.blocks[block].end, target) {
            (End::Raise(value), _) => {
                let value = self.value(*value)?;
                let unit = self.program.types.unit;
                let node = self.add(NodeKind::Raise(value), unit);
                self.run(node);
            }
            (End::Branch { test, arms }, _) => {
                let arms = arms.iter().map(|&it| self.forward_arm(it, target));
                let arms = arms.collect::<Written<_>>()?;
                let node = self.test(test, arms)?;
                self.run(node);
            }
            (End::Yield(values), Target::Assign(vars)) => {
                self.push_frame(block)?;
                self.pass(values, vars)?;
            }
            (End::Continue(values), Target::Loop(rounds)) => {
                self.push_frame(rounds.body)?;
                self.pass(values, &rounds.params)?;
                if let Some(count) = rounds.count {
                    let (old, one) = (self.mention(count), self.int(1));
                    let next = self.int_op(IntOp::Add, old, one);
                    self.assign(count, next);
                }
            }
            (End::Yield(values), Target::Loop(rounds)) => {
                self.push_frame(rounds.body)?;
                self.pass(values, &rounds.results)?;
                if let Some(running) = rounds.running {
                    let stop = self.bool(false);
                    self.assign(running, stop);
                }
            }
            (End::Open | End::Continue(_), _) => oxbow_diag::ice!("a block without end"),
        }
        Ok(())
    }

    /// The values were read before any of the variables changes.
    fn pass(&mut self, values: &[ValueId], vars: &[VarId]) -> Written<()> {
        for (&value, &var) in values.iter().zip(vars) {
            let value = self.value(value)?;
            self.assign(var, value);
        }
        Ok(())
    }

    fn forward_branch(
        &mut self,
        test: &Test,
        arms: &[BlockId],
        results: &[ValueId],
    ) -> Written<()> {
        let code = self.code;
        // A single result is the value of the branch.
        let all_yield = arms.iter().all(|&it| matches!(code.blocks[it].end, End::Yield(_)));
        if let [result] = *results
            && all_yield
        {
            let arms = arms
                .iter()
                .map(|&arm| {
                    self.scope(|it| {
                        it.forward_stmts(arm)?;
                        it.push_frame(arm)?;
                        match &code.blocks[arm].end {
                            End::Yield(values) => it.value(values[0]),
                            _ => Ok(it.unit()),
                        }
                    })
                })
                .collect::<Written<_>>()?;
            let node = self.test(test, arms)?;
            let var = self.bind("v", node);
            self.defined(result, var);
            return Ok(());
        }
        let plain = |it: &mut Self, result| {
            let ty = it.code.ty(result);
            it.default(ty).is_some()
        };
        if all_yield && !results.iter().all(|&it| plain(self, it)) {
            return self.forward_objects(test, arms, results);
        }
        let vars = self.results(results)?;
        let arms = arms.iter().map(|&it| self.forward_arm(it, Target::Assign(&vars)));
        let arms = arms.collect::<Written<_>>()?;
        let node = self.test(test, arms)?;
        self.run(node);
        for (&result, &var) in results.iter().zip(&vars) {
            self.defined(result, var);
        }
        Ok(())
    }

    /// There is nothing to start a variable for an object with, so the branch gives a tuple.
    fn forward_objects(
        &mut self,
        test: &Test,
        arms: &[BlockId],
        results: &[ValueId],
    ) -> Written<()> {
        let code = self.code;
        let tys: Vec<_> = results.iter().map(|&it| code.ty(it)).collect();
        let ty = self.program.types.intern(Ty::Tuple(tys.clone()));
        let arms = arms
            .iter()
            .map(|&arm| {
                self.scope(|it| {
                    it.forward_stmts(arm)?;
                    it.push_frame(arm)?;
                    let End::Yield(values) = &code.blocks[arm].end else { return Ok(it.unit()) };
                    let values = it.values(values)?;
                    Ok(it.add(NodeKind::Tuple(values), ty))
                })
            })
            .collect::<Written<_>>()?;
        let node = self.test(test, arms)?;
        let all = self.bind("all", node);
        for (place, (&result, ty)) in results.iter().zip(tys).enumerate() {
            let tuple = self.mention(all);
            let part = self.add(NodeKind::TupleGet { tuple, index: place as u32 }, ty);
            let var = self.bind("v", part);
            self.defined(result, var);
        }
        Ok(())
    }

    fn results(&mut self, results: &[ValueId]) -> Written<Vec<VarId>> {
        let mut vars = Vec::new();
        for &result in results {
            let ty = self.code.ty(result);
            let start = self.default(ty).ok_or(Reason::YieldsObjects)?;
            vars.push(self.declare("r", start));
        }
        Ok(vars)
    }

    fn forward_loop(&mut self, it: &Loop) -> Written<()> {
        let mut params = Vec::new();
        for &init in &it.init {
            let init = self.value(init)?;
            params.push(self.declare("p", init));
        }
        let rounds = match it.counted {
            Some(_) => {
                Rounds { body: it.body, results: Vec::new(), params, count: None, running: None }
            }
            None => {
                let results = self.results(&it.results)?;
                let (zero, yes) = (self.int(0), self.bool(true));
                let count = Some(self.declare("count", zero));
                let running = Some(self.declare("running", yes));
                Rounds { body: it.body, params, results, count, running }
            }
        };
        if let Some(counted) = it.counted {
            self.make_room_for_all(it)?;
            if !self.forward_split(it, counted, &rounds)? {
                self.forward_for(counted, |writer| writer.forward_round(it, &rounds))?;
            }
        } else if let Some(running) = rounds.running {
            let cond = self.mention(running);
            let body = self.block(|writer| writer.forward_round(it, &rounds))?;
            let unit = self.program.types.unit;
            let node = self.add(NodeKind::While { cond, body }, unit);
            self.run(node);
        }
        let found = if it.counted.is_some() { &rounds.params } else { &rounds.results };
        for (&result, &var) in it.results.iter().zip(found) {
            self.defined(result, var);
        }
        if let Some(count) = rounds.count {
            self.defined(it.count, count);
        }
        Ok(())
    }

    /// A `for` loop with the index of this one.
    pub fn forward_for(
        &mut self,
        counted: Counted,
        body: impl FnOnce(&mut Self) -> Written<()>,
    ) -> Written<()> {
        let ty = self.code.ty(counted.index);
        let var = self.fresh("i", ty, false);
        self.vars[counted.index] = Some(var);
        let (from, to) = (self.value(counted.from)?, self.value(counted.to)?);
        let body = self.block(body)?;
        let unit = self.program.types.unit;
        let node = self.add(NodeKind::For { var, from, to, down: counted.down, body }, unit);
        self.run(node);
        Ok(())
    }

    fn forward_round(&mut self, it: &Loop, rounds: &Rounds) -> Written<()> {
        self.forward_params(it, rounds);
        self.declare_kept(it.body);
        self.forward_stmts(it.body)?;
        self.forward_last(it.body, rounds)
    }

    pub fn forward_params(&mut self, it: &Loop, rounds: &Rounds) {
        for (&param, &var) in it.params.iter().zip(&rounds.params) {
            let now = self.mention(var);
            let now = self.bind("q", now);
            self.vars[param] = Some(now);
        }
    }

    pub fn forward_last(&mut self, body: BlockId, rounds: &Rounds) -> Written<()> {
        self.forward_end(body, Target::Loop(rounds))
    }

    /// The stacks of a frame with the values that go there.
    pub fn frame_parts(&self, frame: &Frame) -> Vec<(Stack, Vec<ValueId>)> {
        let mut parts = Vec::new();
        for (stack, list) in self.stacks.iter().zip(frame.lists()) {
            if let Some(stack) = stack
                && !list.is_empty()
            {
                parts.push((*stack, list.clone()));
            }
        }
        parts
    }

    pub fn push_frame(&mut self, body: BlockId) -> Written<()> {
        let Some(frame) = self.plans.frames.get(body).cloned() else { return Ok(()) };
        let roomy = self.rooms.is_ready(body);
        for (stack, values) in self.frame_parts(&frame) {
            if !roomy {
                let count = self.int(values.len() as i64);
                self.make_room(stack, count)?;
            }
            for (place, &value) in values.iter().enumerate() {
                let node = match self.kept.get(value) {
                    Some(&var) if self.is_nested(value) => self.mention(var),
                    _ => self.value(value)?,
                };
                let node = self.as_item(node);
                let (items, at) = (self.mention(stack.items), self.place(stack, place));
                let set = self.set(items, at, node);
                self.run(set);
            }
            let (top, count) = (self.mention(stack.top), self.int(values.len() as i64));
            let top = self.int_op(IntOp::Add, top, count);
            self.assign(stack.top, top);
        }
        Ok(())
    }

    pub fn place(&mut self, stack: Stack, place: usize) -> NodeId {
        let (top, place) = (self.mention(stack.top), self.int(place as i64));
        self.int_op(IntOp::Add, top, place)
    }

    /// Truth values and small integers are kept as integers.
    pub fn as_item(&mut self, node: NodeId) -> NodeId {
        let (ty, int) = (self.program.ty(node), self.program.types.int);
        if let Ty::Int(from) = *self.program.types.get(ty)
            && from != IntWidth::I63
        {
            return self.prim(Prim::IntCast { from, to: IntWidth::I63 }, vec![node], int);
        }
        if ty != self.program.types.bool {
            return node;
        }
        let (one, zero) = (self.int(1), self.int(0));
        self.branch(node, one, zero)
    }

    /// Room for `count` more items; the stack may move.
    pub fn make_room(&mut self, stack: Stack, count: NodeId) -> Written<()> {
        let top = self.mention(stack.top);
        let needed = self.int_op(IntOp::Add, top, count);
        let needed = self.bind("needed", needed);
        let node = {
            let (have, needed) = (self.mention(stack.items), self.mention(needed));
            let have = self.length(have);
            self.order(OrderOp::Gt, needed, have)
        };
        let grown = self.scope(|it| {
            let (old, needed) = (it.mention(stack.items), it.mention(needed));
            let new = it.call(stack.more, vec![old, needed]);
            it.assign(stack.items, new);
            Ok(it.unit())
        })?;
        let nothing = self.unit();
        let node = self.branch(node, grown, nothing);
        self.run(node);
        Ok(())
    }

    pub fn declare_stacks(&mut self) {
        let types = &self.program.types;
        let (float, int) = (types.float, types.int);
        let array = self.array_ty;
        let library = self.library;
        let wanted = [
            (float, library.more_floats, "floats"),
            (int, library.more_ints, "ints"),
            (array, library.more_arrays, "arrays"),
        ];
        for (index, (item, more, name)) in wanted.into_iter().enumerate() {
            let used = self
                .plans
                .frames
                .iter()
                .any(|(frame, it)| frame != self.code.root && !it.lists()[index].is_empty());
            if !used {
                continue;
            }
            let ty = self.program.types.intern(Ty::Array(item));
            let none = self.add(NodeKind::Array(Vec::new()), ty);
            let items = self.fresh(name, ty, true);
            self.pieces.push(Piece::Let(items, none));
            let zero = self.int(0);
            let top = self.declare("top", zero);
            self.stacks[index] = Some(Stack { items, top, more });
        }
    }
}
