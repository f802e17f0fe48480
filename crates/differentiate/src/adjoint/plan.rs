//! What the reverse sweep needs of the forward sweep, and how it gets it.
//!
//! ```text
//! y = w *. tanh s        needs w (read again from its array) and the result of tanh (kept)
//! s = s' +. w *. x       needs w and x; the sum itself is not needed
//! ```
//!
//! Values of the outermost block are still in scope. In a loop, cheap operations are done again, as long
//! as their operands can be had; the others are kept on a stack: a frame with a fixed place for each
//! of them for each round.

use oxbow_base::{IdMap, IdSet, IdVec};
use oxbow_psg::{Const, FloatOp, IntOp, IntWidth, Prim, Ty, TyId, TypeTable};

use super::super::constrain::differentiable;
use super::super::rules::{Formula, partial};
use super::activity::{Activity, is_cheap};
use super::ir::{BlockId, Code, Def, End, Loop, Op, Stmt, ValueId};
use super::prune::continues;
use super::reason::Reason;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Not needed.
    Unused,
    /// In scope without effort.
    Free,
    /// Computed again.
    Again,
    /// An integer that grows by this with each round of its loop.
    Step(i64),
    /// Kept in the frame of its loop, or in a variable.
    Kept,
}

pub struct Plans {
    pub plan: IdVec<ValueId, Plan>,
    /// The values kept by each loop body, by the stack that they go to.
    pub frames: IdMap<BlockId, Frame>,
    /// Numbers whose adjoints are added up in variables, since inner blocks use them.
    pub cells: IdSet<ValueId>,
    /// Blocks with something to do in the reverse sweep.
    pub busy: IdSet<BlockId>,
    /// The statement that defines a value: its block and place.
    pub def: IdMap<ValueId, (BlockId, usize)>,
}

#[derive(Default, Clone)]
pub struct Frame {
    pub floats: Vec<ValueId>,
    pub ints: Vec<ValueId>,
    pub arrays: Vec<ValueId>,
}

impl Frame {
    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|it| it.is_empty())
    }

    /// By stack.
    pub fn lists(&self) -> [&Vec<ValueId>; 3] {
        [&self.floats, &self.ints, &self.arrays]
    }
}

/// The operands and results that a formula mentions.
pub fn mentioned(formula: &Formula, args: &[ValueId], result: ValueId, out: &mut Vec<ValueId>) {
    match formula {
        Formula::Operand(place) | Formula::PowerOfTwo(place) => out.push(args[*place]),
        Formula::Result => out.push(result),
        Formula::Const(_) => (),
        Formula::Op(_, parts) => parts.iter().for_each(|it| mentioned(it, args, result, out)),
        Formula::IfZero(a, b, c) => {
            [a, b, c].into_iter().for_each(|it| mentioned(it, args, result, out));
        }
        Formula::Sign(of) => mentioned(of, args, result, out),
    }
}

/// Whether stacks have values of this type.
pub fn can_keep(types: &TypeTable, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Float | Ty::Bool => true,
        Ty::Int(width) => *width == IntWidth::I63 || width.bits() <= 32,
        Ty::Array(item) => *item == types.float,
        _ => false,
    }
}

struct Planner<'a> {
    code: &'a Code,
    types: &'a TypeTable,
    activity: &'a Activity,
    out: Plans,
    /// Parameters of loops: the loop and the place.
    params: IdMap<ValueId, (&'a Loop, usize)>,
    /// Those of recursive functions.
    given: IdSet<ValueId>,
    /// In the order in which they are found.
    needs: Vec<ValueId>,
    /// An array that the reverse sweep reads whole, and that does not stay as it was.
    changing: Option<Reason>,
}

pub fn plan(code: &Code, types: &TypeTable, activity: &Activity) -> Result<Plans, Reason> {
    let mut planner = Planner {
        code,
        types,
        activity,
        out: Plans {
            plan: code.values.ids().map(|_| Plan::Unused).collect(),
            frames: IdMap::new(),
            cells: IdSet::new(),
            busy: IdSet::new(),
            def: IdMap::new(),
        },
        params: IdMap::new(),
        given: IdSet::new(),
        needs: Vec::new(),
        changing: None,
    };
    planner.index();
    planner.block(code.root);
    if let Some(reason) = planner.changing {
        return Err(reason);
    }
    let End::Yield(results) = &code.blocks[code.root].end else { return Err(Reason::NeverReturns) };
    planner.used(results[0], code.root);
    planner.need_shadow(results[0]);
    planner.settle()?;
    Ok(planner.out)
}

impl<'a> Planner<'a> {
    fn index(&mut self) {
        for (id, block) in self.code.blocks.iter() {
            for (place, stmt) in block.stmts.iter().enumerate() {
                match stmt {
                    Stmt::Op { result, .. } => {
                        self.out.def.insert(*result, (id, place));
                    }
                    Stmt::Loop(it) => {
                        for (place, &param) in it.params.iter().enumerate() {
                            self.params.insert(param, (it, place));
                        }
                    }
                    Stmt::Recursion(it) => {
                        it.params.iter().for_each(|&it| {
                            self.given.insert(it);
                        });
                    }
                    Stmt::Branch { .. } | Stmt::Guard { .. } | Stmt::Recur { .. } => (),
                }
            }
        }
    }

    fn is_active(&self, value: ValueId) -> bool {
        self.activity.floats.contains(value)
    }

    fn need(&mut self, value: ValueId) {
        self.needs.push(value);
    }

    fn need_shadow(&mut self, array: ValueId) {
        if let Some(&shadow) = self.activity.shadows.get(array) {
            self.need(shadow);
        }
    }

    fn need_items(&mut self, array: ValueId) {
        if !self.activity.stable.contains(array) {
            self.changing = Some(Reason::ChangingMatrix);
        }
        self.need(array);
    }

    /// An active number is used in a block: its adjoint grows there.
    fn used(&mut self, value: ValueId, block: BlockId) {
        if self.is_active(value) && self.code.values[value].block != block {
            self.out.cells.insert(value);
        }
    }

    /// Whether there is something to do in the reverse sweep.
    fn block(&mut self, id: BlockId) -> bool {
        let code = self.code;
        let mut busy = false;
        for stmt in &code.blocks[id].stmts {
            busy |= self.stmt(stmt, id);
        }
        if let End::Branch { arms, .. } = &code.blocks[id].end {
            for &arm in arms {
                busy |= self.block(arm);
            }
        }
        if let End::Yield(values) | End::Continue(values) = &code.blocks[id].end {
            for &value in values {
                self.used(value, id);
                busy |= self.is_active(value);
            }
        }
        if busy {
            self.out.busy.insert(id);
        }
        busy
    }

    fn stmt(&mut self, stmt: &Stmt, block: BlockId) -> bool {
        match stmt {
            Stmt::Op { result, op, args } => self.op(*result, op, args, block),
            Stmt::Guard { .. } => false,
            Stmt::Branch { test, arms, results, which } => {
                let mut busy = results.iter().any(|&it| self.is_active(it));
                for &arm in arms {
                    busy |= self.block(arm);
                }
                if busy {
                    arms.iter().for_each(|&it| {
                        self.out.busy.insert(it);
                    });
                    self.need(which.unwrap_or(test.value()));
                }
                busy
            }
            Stmt::Loop(it) => {
                let mut busy = self.block(it.body);
                busy |= it.params.iter().chain(&it.results).any(|&it| self.is_active(it));
                for &init in &it.init {
                    self.used(init, block);
                }
                if busy {
                    self.out.busy.insert(it.body);
                    match it.counted {
                        Some(counted) => {
                            self.need(counted.from);
                            self.need(counted.to);
                        }
                        None => self.need(it.count),
                    }
                    self.ends(it.body);
                }
                busy
            }
            Stmt::Recursion(it) => {
                it.init.iter().for_each(|&it| self.used(it, block));
                self.block(it.body);
                self.out.busy.insert(it.body);
                true
            }
            Stmt::Recur { args, .. } => {
                args.iter().for_each(|&it| self.used(it, block));
                true
            }
        }
    }

    /// The tests that say on which way a round ended.
    fn ends(&mut self, block: BlockId) {
        if let End::Branch { test, arms } = &self.code.blocks[block].end {
            let continuing = arms.iter().filter(|&&it| self.code.continues(it)).count();
            let yielding = arms.iter().filter(|&&it| self.code.yields(it)).count();
            if continuing > 1 || yielding > 1 {
                self.need(test.value());
            }
            arms.iter().for_each(|&it| self.ends(it));
        }
    }

    fn op(&mut self, result: ValueId, op: &Op, args: &[ValueId], block: BlockId) -> bool {
        let is_active = |it: &Self, array: ValueId| it.activity.shadows.contains(array);
        match op {
            Op::Prim(Prim::ArrayGet) if self.is_active(result) => {
                self.need_shadow(args[0]);
                self.need(args[1]);
                true
            }
            Op::Prim(Prim::ArraySet) if is_active(self, args[0]) => {
                self.used(args[2], block);
                self.need_shadow(args[0]);
                self.need(args[1]);
                true
            }
            Op::Prim(Prim::ArrayMake) if is_active(self, result) => {
                self.used(args[1], block);
                if self.is_active(args[1]) {
                    self.need_shadow(result);
                }
                self.is_active(args[1])
            }
            Op::Array if is_active(self, result) => {
                args.iter().for_each(|&it| self.used(it, block));
                self.need_shadow(result);
                true
            }
            Op::Prim(Prim::ArrayBlit) if is_active(self, args[2]) => {
                self.need_shadow(args[2]);
                self.need_shadow(args[0]);
                [1, 3, 4].into_iter().for_each(|it| self.need(args[it]));
                true
            }
            Op::AddProduct if is_active(self, args[0]) => {
                self.need_shadow(args[0]);
                for (factor, other) in [(args[1], args[2]), (args[2], args[1])] {
                    if is_active(self, factor) {
                        self.need_shadow(factor);
                        self.need_items(other);
                    }
                }
                args[3..].iter().for_each(|&it| self.need(it));
                true
            }
            Op::Prim(prim) if self.is_active(result) => {
                for &place in differentiable(*prim) {
                    self.used(args[place], block);
                    if !self.is_active(args[place]) {
                        continue;
                    }
                    let mut values = Vec::new();
                    match prim {
                        // Written as one division.
                        Prim::Float(FloatOp::Div) if place == 0 => values.push(args[1]),
                        Prim::Float(FloatOp::Div) => values.extend([args[1], result]),
                        prim => mentioned(&partial(*prim, place), args, result, &mut values),
                    }
                    values.into_iter().for_each(|it| self.need(it));
                }
                true
            }
            _ => false,
        }
    }

    /// Decides for everything that is needed.
    fn settle(&mut self) -> Result<(), Reason> {
        let needs = std::mem::take(&mut self.needs);
        for &value in &needs {
            if self.out.plan[value] == Plan::Unused
                && !self.is_free(value)
                && self.again(value).is_none()
            {
                self.keep(value)?;
            }
        }
        needs.into_iter().try_for_each(|it| self.obtain(it))
    }

    fn is_free(&self, value: ValueId) -> bool {
        let data = &self.code.values[value];
        if self.activity.late.contains(value) && value != self.input_shadow() {
            return false;
        }
        match data.def {
            Def::Const(_) | Def::Outer(_) => true,
            Def::Param | Def::Result => data.block == self.code.root || self.is_index(value),
        }
    }

    /// That of the input is bound before all others.
    fn input_shadow(&self) -> ValueId {
        self.activity.shadows.get(self.code.input).copied().unwrap_or(self.code.input)
    }

    /// The index of a `for` loop.
    fn is_index(&self, value: ValueId) -> bool {
        self.code.values[value].def == Def::Param
            && !self.params.contains(value)
            && !self.given.contains(value)
    }

    /// The operands from which a value can be computed again.
    fn again(&self, value: ValueId) -> Option<Vec<ValueId>> {
        if let Some(&(block, place)) = self.out.def.get(value) {
            let Stmt::Op { op, args, .. } = &self.code.blocks[block].stmts[place] else {
                return None;
            };
            if self.activity.late.contains(value) {
                return Some(args.clone());
            }
            let stable = args.first().is_some_and(|&it| self.activity.stable.contains(it));
            return is_cheap(op, stable).then(|| args.clone());
        }
        let (of, _, init) = self.step(value)?;
        Some(vec![init, of])
    }

    /// The count of the loop, the step and the start of an integer that grows evenly.
    fn step(&self, value: ValueId) -> Option<(ValueId, i64, ValueId)> {
        let &(it, place) = self.params.get(value)?;
        if it.counted.is_some() || self.code.ty(value) != self.types.int {
            return None;
        }
        let next = continues(self.code, it.body);
        let [next] = next[..] else { return None };
        let &(block, at) = self.out.def.get(next[place])?;
        let Stmt::Op { op: Op::Prim(Prim::Int(IntWidth::I63, op)), args, .. } =
            &self.code.blocks[block].stmts[at]
        else {
            return None;
        };
        let Def::Const(Const::Int(_, by)) = self.code.values[*args.get(1)?].def else {
            return None;
        };
        if args[0] != value {
            return None;
        }
        let by = match op {
            IntOp::Add => by,
            IntOp::Sub => by.checked_neg()?,
            _ => return None,
        };
        Some((it.count, by, it.init[place]))
    }

    fn keep(&mut self, value: ValueId) -> Result<(), Reason> {
        if self.out.plan[value] == Plan::Kept {
            return Ok(());
        }
        let data = &self.code.values[value];
        if !can_keep(self.types, data.ty) {
            return Err(Reason::NeedsObject);
        }
        self.out.plan[value] = Plan::Kept;
        let frame = self.activity.frame[data.block];
        let is_float = data.ty == self.types.float;
        let is_array = matches!(self.types.get(data.ty), Ty::Array(_));
        let frame = self.out.frames.entry_or_insert_with(frame, Default::default);
        match (is_float, is_array) {
            (true, _) => frame.floats.push(value),
            (_, true) => frame.arrays.push(value),
            _ => frame.ints.push(value),
        }
        Ok(())
    }

    fn obtain(&mut self, value: ValueId) -> Result<(), Reason> {
        if self.out.plan[value] != Plan::Unused {
            return Ok(());
        }
        if self.is_free(value) {
            self.out.plan[value] = Plan::Free;
            return Ok(());
        }
        if self.activity.late.contains(value)
            && let Some(args) = self.again(value)
        {
            args.into_iter().try_for_each(|it| self.obtain(it))?;
            self.out.plan[value] = Plan::Again;
            return Ok(());
        }
        let mut missing = Vec::new();
        self.missing(value, &mut missing, &mut IdSet::new());
        // Keeping the value costs as much as keeping one operand.
        let scalar = !matches!(self.types.get(self.code.ty(value)), Ty::Array(_));
        let kept: Vec<bool> = missing
            .iter()
            .map(|&it| {
                let ty = self.code.ty(it);
                can_keep(self.types, ty) && !(scalar && matches!(self.types.get(ty), Ty::Array(_)))
            })
            .collect();
        let all = kept.iter().all(|&it| it);
        if can_keep(self.types, self.code.ty(value))
            && (!all || missing.len() > 1 || missing.contains(&value))
        {
            return self.keep(value);
        }
        missing.into_iter().try_for_each(|it| self.keep(it))?;
        self.compute_again(value)
    }

    /// The operands below a value that nothing provides.
    fn missing(&self, value: ValueId, out: &mut Vec<ValueId>, seen: &mut IdSet<ValueId>) {
        if !seen.insert(value) || self.out.plan[value] != Plan::Unused || self.is_free(value) {
            return;
        }
        match self.again(value) {
            Some(args) => args.into_iter().for_each(|it| self.missing(it, out, seen)),
            None => out.push(value),
        }
    }

    fn compute_again(&mut self, value: ValueId) -> Result<(), Reason> {
        if self.out.plan[value] != Plan::Unused {
            return Ok(());
        }
        if self.is_free(value) {
            self.out.plan[value] = Plan::Free;
            return Ok(());
        }
        let Some(args) = self.again(value) else {
            return self.keep(value);
        };
        self.out.plan[value] = match self.step(value) {
            Some((_, by, _)) if !self.out.def.contains(value) => Plan::Step(by),
            _ => Plan::Again,
        };
        args.into_iter().try_for_each(|it| self.compute_again(it))
    }
}
