//! Loops that keep the values of a kernel compute its arguments first, then the kernel of all of them, then the rest.
//!
//! ```text
//! for j = 0 to 31 do                     for j = 0 to 31 do stack.(top + j) <- dot w j x done;
//!   let t = tanh (dot w j x) in          for j = 0 to 31 do stack.(top + j) <- tanh stack.(top + j) done;
//!   s <- s + v.(j) * t;                  for j = 0 to 31 do
//!   push t                                 let t = stack.(top) in s <- s + v.(j) * t; top <- top + 1
//! done                                   done
//! ```
//!
//! The loop in the middle is one operation of the runtime for many numbers at once (`gather_kernels`); what has
//! such an operation is a kernel. Applies to `for` loops without effects, but for filling new arrays, whose arguments
//! of the kernel do not depend on earlier rounds and whose tests raise one exception, so that nobody sees which is made
//! first. What both halves need must be cheap: it is computed in both.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{FloatOp, IntOp, NodeKind, Prim};

use super::activity::is_cheap;
use super::forward::Rounds;
use super::hoist::blocks_of;
use super::ir::{BlockId, Code, Counted, End, Loop, Op, Stmt, Test, ValueId};
use super::prune::has_effect;
use super::quiet::is_quiet;
use super::reason::Written;
use super::write::Writer;

/// What of a loop's body comes before the numbers that are taken together, and what after them. Places of statements.
pub struct Split {
    pub first: Vec<usize>,
    pub second: Vec<usize>,
    pub number: Number,
}

/// The value of a kernel, by its place in the loop's frame of floats.
#[derive(Clone, Copy)]
pub struct Number {
    op: FloatOp,
    argument: ValueId,
    result: ValueId,
    place: usize,
    /// How many floats a round keeps.
    step: usize,
}

struct Splitter<'a> {
    code: &'a Code,
    stmts: &'a [Stmt],
    /// The statements that define values.
    def: IdMap<ValueId, usize>,
    params: IdSet<ValueId>,
}

/// The way to split a `for` loop that keeps these floats, and no others in blocks inside of it.
pub fn find(
    code: &Code,
    it: &Loop,
    inside: &IdSet<BlockId>,
    floats: &[ValueId],
    others: &[&[ValueId]],
) -> Option<Split> {
    let End::Continue(next) = &code.blocks[it.body].end else { return None };
    let mut kept = floats.iter().chain(others.iter().copied().flatten());
    if !kept.all(|&value| code.values[value].block == it.body)
        || !is_quiet(code, inside, |op, args| !has_effect(op) || fills(code, it, inside, op, args))
    {
        return None;
    }
    let stmts = code.blocks[it.body].stmts.as_slice();
    let mut def = IdMap::new();
    for (place, stmt) in stmts.iter().enumerate() {
        for result in results(stmt) {
            def.insert(result, place);
        }
    }
    let params = it.params.iter().copied().collect();
    let splitter = Splitter { code, stmts, def, params };
    let needed = next.iter().chain(floats).chain(others.iter().copied().flatten());
    let needed: Vec<ValueId> = needed.copied().collect();
    (0..stmts.len()).find_map(|at| {
        let Stmt::Op { result, op: Op::Prim(Prim::Float(op)), args } = &stmts[at] else {
            return None;
        };
        op.over_array()?;
        let place = floats.iter().position(|kept| kept == result)?;
        let step = floats.len();
        let number = Number { op: *op, argument: args[0], result: *result, place, step };
        splitter.split(at, number, &needed)
    })
}

/// A store to an array that was made before the loop and that nothing else has seen since: nobody sees when it happens.
fn fills(code: &Code, it: &Loop, inside: &IdSet<BlockId>, op: &Op, args: &[ValueId]) -> bool {
    let (Op::Prim(Prim::ArraySet), &[array, ..]) = (op, args) else { return false };
    let before = &code.blocks[code.values[it.count].block].stmts;
    let makes = |stmt: &Stmt| match stmt {
        Stmt::Op { result, op: Op::Prim(prim), .. } => {
            *result == array && matches!(prim, Prim::ArrayMake | Prim::ArrayUninit)
        }
        _ => false,
    };
    let is_this = |stmt: &Stmt| matches!(stmt, Stmt::Loop(other) if other.body == it.body);
    let (Some(made), Some(at)) = (before.iter().position(makes), before.iter().position(is_this))
    else {
        return false;
    };
    let mut seen = it.init.clone();
    before[made + 1..at].iter().for_each(|it| mentions(code, it, &mut seen));
    let mut used = Vec::new();
    mentions_in(code, it.body, &mut used);
    let stmts = inside.iter().flat_map(|it| &code.blocks[it].stmts);
    let filled = stmts.filter(
        |it| matches!(it, Stmt::Op { op: Op::Prim(Prim::ArraySet), args, .. } if args[0] == array),
    );
    !seen.contains(&array) && used.iter().filter(|&&it| it == array).count() == filled.count()
}

impl Splitter<'_> {
    fn split(&self, at: usize, number: Number, needed: &[ValueId]) -> Option<Split> {
        let mut first = vec![false; self.stmts.len()];
        self.collect(number.argument, &mut first)?;
        for (place, stmt) in self.stmts.iter().enumerate().take(at) {
            // What is read behind a test may need it.
            if let Stmt::Guard { test, .. } = stmt {
                self.collect(test.value(), &mut first)?;
                first[place] = true;
            }
        }
        let mut second: Vec<bool> =
            (0..self.stmts.len()).map(|place| place != at && !first[place]).collect();
        let mut work: Vec<ValueId> = needed.to_vec();
        for (place, stmt) in self.stmts.iter().enumerate() {
            if second[place] {
                mentions(self.code, stmt, &mut work);
            }
        }
        while let Some(value) = work.pop() {
            if let Some(&place) = self.def.get(value)
                && place != at
                && !second[place]
            {
                // Nothing is written that is read, so arrays can be read again.
                let Stmt::Op { op, .. } = &self.stmts[place] else { return None };
                if !is_cheap(op, true) {
                    return None;
                }
                second[place] = true;
                mentions(self.code, &self.stmts[place], &mut work);
            }
        }
        let places = |wanted: &dyn Fn(usize) -> bool| {
            (0..self.stmts.len()).filter(|&it| wanted(it)).collect::<Vec<_>>()
        };
        let first = places(&|it| first[it]);
        Some(Split { first, second: places(&|it| second[it]), number })
    }

    /// The statements that a value needs; none if it needs an earlier round.
    fn collect(&self, value: ValueId, out: &mut [bool]) -> Option<()> {
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            if self.params.contains(value) {
                return None;
            }
            if let Some(&place) = self.def.get(value)
                && !out[place]
            {
                out[place] = true;
                mentions(self.code, &self.stmts[place], &mut work);
            }
        }
        Some(())
    }
}

fn results(stmt: &Stmt) -> Vec<ValueId> {
    match stmt {
        Stmt::Op { result, .. } => vec![*result],
        Stmt::Branch { results, .. } | Stmt::Recur { results, .. } => results.clone(),
        Stmt::Loop(it) => it.results.iter().copied().chain([it.count]).collect(),
        Stmt::Recursion(it) => it.results.clone(),
        Stmt::Guard { .. } => Vec::new(),
    }
}

/// The values that a statement uses, with the blocks inside of it.
fn mentions(code: &Code, stmt: &Stmt, out: &mut Vec<ValueId>) {
    let test = |test: &Test, out: &mut Vec<ValueId>| out.push(test.value());
    match stmt {
        Stmt::Op { args, .. } | Stmt::Recur { args, .. } => out.extend(args),
        Stmt::Branch { test: by, arms, .. } => {
            test(by, out);
            arms.iter().for_each(|&it| mentions_in(code, it, out));
        }
        Stmt::Guard { test: by, arms } => {
            test(by, out);
            arms.iter().flatten().for_each(|&it| mentions_in(code, it, out));
        }
        Stmt::Loop(it) => {
            out.extend(&it.init);
            out.extend(it.counted.iter().flat_map(|it| [it.from, it.to]));
            mentions_in(code, it.body, out);
        }
        Stmt::Recursion(it) => {
            out.extend(&it.init);
            mentions_in(code, it.body, out);
        }
    }
}

fn mentions_in(code: &Code, block: BlockId, out: &mut Vec<ValueId>) {
    let data = &code.blocks[block];
    data.stmts.iter().for_each(|it| mentions(code, it, out));
    match &data.end {
        End::Yield(values) | End::Continue(values) => out.extend(values),
        End::Branch { test, arms } => {
            out.push(test.value());
            arms.iter().for_each(|&it| mentions_in(code, it, out));
        }
        End::Raise(value) => out.push(*value),
        End::Open => (),
    }
}

impl Writer<'_> {
    /// The three loops, if this one can be split.
    pub fn forward_split(&mut self, it: &Loop, counted: Counted, rounds: &Rounds) -> Written<bool> {
        if !self.rooms.is_ready(it.body) {
            return Ok(false);
        }
        let Some(frame) = self.plans.frames.get(it.body) else { return Ok(false) };
        // What loops inside keep would lie between the numbers.
        let mut inside = IdSet::new();
        blocks_of(self.code, it.body, &mut inside);
        let keeps = |block| self.plans.frames.get(block).is_some_and(|it| !it.is_empty());
        if inside.iter().any(|block| block != it.body && keeps(block)) {
            return Ok(false);
        }
        let [floats, ints, arrays] = frame.lists();
        let Some(split) = find(self.code, it, &inside, floats, &[ints, arrays]) else {
            return Ok(false);
        };
        let Some(stack) = self.stacks[0] else { return Ok(false) };
        let Split { first, second, number } = split;
        let (step, unit) = (number.step as i64, self.program.types.unit);

        let start = self.place(stack, number.place);
        let start = self.bind("start", start);
        let now = self.mention(start);
        let at = self.declare("at", now);
        let body = |writer: &mut Self| {
            writer.forward_some(it.body, &first)?;
            let (items, place) = (writer.mention(stack.items), writer.mention(at));
            let value = writer.value(number.argument)?;
            let set = writer.set(items, place, value);
            writer.run(set);
            let (old, step) = (writer.mention(at), writer.int(step));
            let next = writer.int_op(IntOp::Add, old, step);
            writer.assign(at, next);
            Ok(())
        };
        self.forward_for(counted, body)?;

        let (low, high) =
            if counted.down { (counted.to, counted.from) } else { (counted.from, counted.to) };
        let (low, high) = (self.value(low)?, self.value(high)?);
        let (low, high) = (self.as_item(low), self.as_item(high));
        let one = self.int(1);
        let count = self.call(self.library.items, vec![low, high, one]);
        let (from, one) = (self.int(0), self.int(1));
        let to = self.int_op(IntOp::Sub, count, one);
        let var = self.fresh("j", self.program.types.int, false);
        let body = self.block(|writer| {
            let index = writer.mention(var);
            let by = writer.int(step);
            let far = if step == 1 { index } else { writer.int_op(IntOp::Mul, index, by) };
            let near = writer.mention(start);
            let place = writer.int_op(IntOp::Add, near, far);
            let place = writer.bind("place", place);
            let (items, from) = (writer.mention(stack.items), writer.mention(place));
            let value = writer.get(items, from);
            let value = writer.float_op(number.op, vec![value]);
            let (items, to) = (writer.mention(stack.items), writer.mention(place));
            let set = writer.set(items, to, value);
            writer.run(set);
            Ok(())
        })?;
        let node = self.add(NodeKind::For { var, from, to, down: false, body }, unit);
        self.run(node);

        self.forward_for(counted, |writer| {
            writer.forward_params(it, rounds);
            let (items, place) = (writer.mention(stack.items), writer.place(stack, number.place));
            let value = writer.get(items, place);
            let value = writer.bind("v", value);
            writer.defined(number.result, value);
            writer.forward_some(it.body, &second)?;
            writer.forward_last(it.body, rounds)
        })?;
        Ok(true)
    }
}
