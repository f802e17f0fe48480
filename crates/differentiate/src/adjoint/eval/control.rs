//! Loops and branches: what a round or an arm changes becomes a value of the statement.

use oxbow_psg::{NodeId, VarId};

use super::super::ir::{BlockId, Counted, Def, End, Loop, Stmt, Test, ValueId};
use super::super::reason::Reason;
use super::value::{Env, Val, common_form, is_outside, leaves, same_form, with_leaves};
use super::{Eval, Head, Reader, Running, Stop, Target};

fn no_loop(head: Head) -> Stop {
    match head {
        Head::Function(lambda) => Stop::Recursion(lambda),
        Head::Join(_) | Head::Other => Stop::Unfit(Reason::NoLoop),
    }
}

impl Reader<'_> {
    pub(super) fn next_round(
        &mut self,
        head: Head,
        own: &Env,
        args: Vec<Val>,
        tail: bool,
    ) -> Eval<Val> {
        let Some(running) = self.loops.last() else { return Err(no_loop(head)) };
        if !tail || running.head != head || !running.own.is(own) {
            return match self.goes_outward(head, own) {
                true if tail => self.go_outward(head, own, args),
                _ => Err(no_loop(head)),
            };
        }
        let (expected, cells) = (running.args.clone(), running.cells);
        let state = running.state.clone();
        let mut values = Vec::new();
        for (arg, expected) in args.iter().zip(&expected) {
            same_form(arg, expected, cells)
                .then_some(())
                .ok_or(Stop::Unfit(Reason::FormChanges))?;
            leaves(arg, &mut values);
        }
        for (cell, expected) in self.cells[..cells].iter().zip(&state) {
            same_form(cell, expected, cells)
                .then_some(())
                .ok_or(Stop::Unfit(Reason::FormChanges))?;
            leaves(cell, &mut values);
        }
        let block = self.current;
        self.code.blocks[block].end = End::Continue(values);
        Err(Stop::Left)
    }

    /// Whether this is the next round of the loop around the innermost one, whose value is that of the other.
    fn goes_outward(&self, head: Head, own: &Env) -> bool {
        let [.., outer, inner] = &self.loops[..] else { return false };
        inner.tail && outer.head == head && outer.own.is(own)
    }

    /// `let rec rows i = cells i 0 and cells i j = if j = n then rows (i + 1) else cells i (j + 1)`: the inner loop
    /// yields the arguments for the next round of the outer one.
    fn go_outward(&mut self, head: Head, own: &Env, args: Vec<Val>) -> Eval<Val> {
        if let Some(inner) = self.loops.last_mut() {
            if inner.exit.is_some() && inner.outward.is_none() {
                return Err(no_loop(head));
            }
            inner.outward = Some((head, own.clone()));
        }
        self.leave(Val::Tuple(args.into()))?;
        Err(Stop::Left)
    }

    /// Ends the current block: the loop yields this value.
    pub(super) fn exit(&mut self, val: Val) -> Eval<()> {
        match self.loops.last().and_then(|it| it.outward.clone()) {
            // Some paths end it, others go on outside.
            Some((head, _)) => Err(no_loop(head)),
            None => self.leave(val),
        }
    }

    fn leave(&mut self, val: Val) -> Eval<()> {
        let Some(running) = self.loops.last_mut() else {
            oxbow_diag::ice!("the end of a round outside of a loop")
        };
        let cells = self.cells[..running.cells].to_vec();
        if let Some((first, state)) = &running.exit {
            let fits = same_form(&val, first, running.cells)
                && cells.iter().zip(state).all(|(a, b)| same_form(a, b, running.cells));
            if !fits {
                return Err(Stop::Unfit(Reason::FormChanges));
            }
        } else {
            let kept = |(cell, entry): (&Val, &Val)| {
                same_form(cell, entry, running.cells) || is_outside(cell, running.cells)
            };
            if !is_outside(&val, running.cells) || !cells.iter().zip(&running.state).all(kept) {
                return Err(Stop::Unfit(Reason::ReferenceLeaves));
            }
        }
        let mut values = Vec::new();
        leaves(&val, &mut values);
        for cell in &cells {
            leaves(cell, &mut values);
        }
        running.exit.get_or_insert((val, cells));
        let block = self.current;
        self.code.blocks[block].end = End::Yield(values);
        Ok(())
    }

    pub(super) fn function_loop(
        &mut self,
        head: Head,
        target: &Target,
        args: Vec<Val>,
        tail: bool,
    ) -> Eval<Val> {
        let params = target.params.clone();
        let val = self.run_loop((head, &target.own, tail), args, None, |it, args| {
            let mut env = target.env.clone();
            for (&param, arg) in params.iter().zip(args) {
                env = env.with(param, arg.clone());
            }
            match it.eval(target.body, &env, true) {
                Ok(val) => it.exit(val),
                Err(Stop::Left) => Ok(()),
                Err(unfit) => Err(unfit),
            }
        })?;
        match (self.outward.take(), val) {
            (Some((head, own)), Val::Tuple(args)) => {
                self.next_round(head, &own, args.to_vec(), true)
            }
            (_, val) => Ok(val),
        }
    }

    pub(super) fn while_loop(&mut self, cond: NodeId, body: NodeId, env: &Env) -> Eval<Val> {
        self.run_loop((Head::Other, &Env::default(), false), Vec::new(), None, |it, _| {
            let cond = it.eval_object(cond, env)?;
            let (then, otherwise) = (it.code.new_block(), it.code.new_block());
            let block = std::mem::replace(&mut it.current, then);
            it.code.blocks[block].end =
                End::Branch { test: Test::If(cond), arms: vec![then, otherwise] };
            let cells = it.cells.clone();
            match it.eval(body, env, false) {
                Ok(_) => match it.next_round(Head::Other, &Env::default(), Vec::new(), true) {
                    Ok(_) | Err(Stop::Left) => (),
                    Err(unfit) => return Err(unfit),
                },
                Err(Stop::Left) => (),
                Err(unfit) => return Err(unfit),
            }
            it.current = otherwise;
            it.cells = cells;
            it.exit(Val::Unit)
        })
    }

    pub(super) fn for_loop(
        &mut self,
        (var, from, to, down): (VarId, ValueId, ValueId, bool),
        body: NodeId,
        env: &Env,
    ) -> Eval<Val> {
        // Defined in the body by `run_loop`.
        let ty = self.program.vars[var].ty;
        let index = self.code.value(ty, Def::Param, self.current);
        let counted = Counted { index, from, to, down };
        self.run_loop((Head::Other, &Env::default(), false), Vec::new(), Some(counted), |it, _| {
            it.code.values[index].block = it.current;
            let env = env.with(var, Val::Dyn(index));
            match it.eval(body, &env, false) {
                Ok(_) => match it.next_round(Head::Other, &Env::default(), Vec::new(), true) {
                    Ok(_) | Err(Stop::Left) => Ok(()),
                    Err(unfit) => Err(unfit),
                },
                Err(stop) => Err(stop),
            }
        })
    }

    /// A block with parameters for these values.
    pub(super) fn block_for(&mut self, values: &[ValueId]) -> (BlockId, Vec<ValueId>) {
        let block = self.code.new_block();
        let param = |&it: &ValueId| {
            let ty = self.code.ty(it);
            self.code.value(ty, Def::Param, block)
        };
        (block, values.iter().map(param).collect())
    }

    pub(super) fn run_loop(
        &mut self,
        (head, own, tail): (Head, &Env, bool),
        args: Vec<Val>,
        counted: Option<Counted>,
        body: impl FnOnce(&mut Self, &[Val]) -> Eval<()>,
    ) -> Eval<Val> {
        let mut init = Vec::new();
        for val in args.iter().chain(&self.cells) {
            leaves(val, &mut init);
        }
        let (block, params) = self.block_for(&init);
        let mut fresh = params.iter().copied();
        let args: Vec<Val> = args.iter().map(|it| with_leaves(it, &mut fresh)).collect();
        let state: Vec<Val> = self.cells.iter().map(|it| with_leaves(it, &mut fresh)).collect();
        let outside = std::mem::replace(&mut self.current, block);
        self.cells.clone_from(&state);
        let cells = state.len();
        let own = own.clone();
        self.loops.push(Running {
            head,
            own,
            args: args.clone(),
            cells,
            exit: None,
            state,
            tail,
            outward: None,
        });
        match body(self, &args) {
            Ok(()) => (),
            Err(Stop::Left) => return Err(Stop::Unfit(Reason::LoopRaises)),
            Err(unfit) => return Err(unfit),
        }
        let Some(running) = self.loops.pop() else {
            oxbow_diag::ice!("the end of a round outside of a loop")
        };
        self.outward = running.outward;
        self.current = outside;
        let (val, state) = match running.exit {
            Some(exit) => exit,
            // The results of a `for` loop are its parameters.
            None if counted.is_some() => (Val::Unit, running.state),
            None => return Err(Stop::Unfit(Reason::EndlessLoop)),
        };
        let mut yielded = Vec::new();
        for it in std::iter::once(&val).chain(&state) {
            leaves(it, &mut yielded);
        }
        let results: Vec<ValueId> = yielded
            .iter()
            .map(|&it| {
                let ty = self.code.ty(it);
                self.code.value(ty, Def::Result, outside)
            })
            .collect();
        let mut fresh = results.iter().copied();
        let val = with_leaves(&val, &mut fresh);
        self.cells = state.iter().map(|it| with_leaves(it, &mut fresh)).collect();
        let count = self.code.value(self.int, Def::Result, outside);
        let it = Loop { params, init, body: block, results, count, counted };
        self.code.blocks[outside].stmts.push(Stmt::Loop(it));
        Ok(val)
    }

    pub(super) fn branch(
        &mut self,
        test: Test,
        arms: &[NodeId],
        env: &Env,
        tail: bool,
    ) -> Eval<Val> {
        let before = self.current;
        let cells = self.cells.clone();
        let mut blocks = Vec::new();
        // The last block of each arm that has a value, with the value and the cells.
        let mut ends: Vec<Option<(BlockId, Val, Vec<Val>)>> = Vec::new();
        for &arm in arms {
            let block = self.code.new_block();
            self.current = block;
            self.cells.clone_from(&cells);
            blocks.push(block);
            match self.eval(arm, env, tail) {
                Ok(val) => {
                    let state = std::mem::take(&mut self.cells);
                    ends.push(Some((self.current, val, state)));
                }
                Err(Stop::Left) => ends.push(None),
                Err(unfit) => return Err(unfit),
            }
        }
        self.current = before;
        let goes_on = blocks.iter().any(|&it| self.code.continues(it));
        if goes_on {
            for (block, val, state) in ends.into_iter().flatten() {
                (self.current, self.cells) = (block, state);
                self.exit(val)?;
            }
            self.code.blocks[before].end = End::Branch { test, arms: blocks };
            return Err(Stop::Left);
        }
        let alive: Vec<usize> = (0..ends.len()).filter(|&it| ends[it].is_some()).collect();
        match alive[..] {
            [] => {
                self.code.blocks[before].end = End::Branch { test, arms: blocks };
                Err(Stop::Left)
            }
            [only] => {
                let raising = |it: usize| (it != only).then_some(blocks[it]);
                let raising = (0..blocks.len()).map(raising).collect();
                if blocks.len() > 1 {
                    self.code.blocks[before].stmts.push(Stmt::Guard { test, arms: raising });
                }
                let Some(Some((_, val, state))) = ends.into_iter().nth(only) else {
                    oxbow_diag::ice!("a branch without arms")
                };
                self.splice(blocks[only], before);
                self.cells = state;
                Ok(val)
            }
            _ => self.merge((test, blocks), ends, cells.len()),
        }
    }

    /// Moves the statements of a block to the end of another one.
    pub(super) fn splice(&mut self, from: BlockId, to: BlockId) {
        let stmts = std::mem::take(&mut self.code.blocks[from].stmts);
        for stmt in &stmts {
            let results = match stmt {
                Stmt::Op { result, .. } => vec![*result],
                Stmt::Branch { results, .. } => results.clone(),
                Stmt::Guard { .. } => Vec::new(),
                Stmt::Loop(it) => it.results.iter().copied().chain([it.count]).collect(),
                Stmt::Recursion(it) => it.results.clone(),
                Stmt::Recur { results, .. } => results.clone(),
            };
            for result in results {
                self.code.values[result].block = to;
            }
        }
        self.code.blocks[to].stmts.extend(stmts);
    }

    pub(super) fn merge(
        &mut self,
        (test, arms): (Test, Vec<BlockId>),
        ends: Vec<Option<(BlockId, Val, Vec<Val>)>>,
        cells: usize,
    ) -> Eval<Val> {
        let alive: Vec<(BlockId, Val, Vec<Val>)> = ends.into_iter().flatten().collect();
        let before = self.current;
        let Some((_, first, state)) = alive.first() else {
            oxbow_diag::ice!("a branch without arms")
        };
        let mut form = vec![first.clone()];
        form.extend(state[..cells].iter().cloned());
        for (_, val, state) in &alive[1..] {
            for (it, form) in std::iter::once(val).chain(&state[..cells]).zip(&mut form) {
                let common = common_form(form, it, cells);
                *form = common.ok_or(Stop::Unfit(Reason::FormDecided))?;
            }
        }
        let mut per_arm: Vec<Vec<ValueId>> = Vec::new();
        for (block, val, state) in &alive {
            let mut values = Vec::new();
            self.current = *block;
            for (it, form) in std::iter::once(val).chain(&state[..cells]).zip(&form) {
                leaves(&self.in_form(it, form)?, &mut values);
            }
            per_arm.push(values);
        }
        self.current = before;
        let mut results = Vec::new();
        let mut merged = Vec::new();
        let mut yields: Vec<Vec<ValueId>> = vec![Vec::new(); alive.len()];
        for place in 0..per_arm[0].len() {
            let value = per_arm[0][place];
            if per_arm.iter().all(|it| it[place] == value) {
                merged.push(value);
                continue;
            }
            let ty = self.code.ty(value);
            let result = self.code.value(ty, Def::Result, self.current);
            results.push(result);
            merged.push(result);
            for (list, values) in yields.iter_mut().zip(&per_arm) {
                list.push(values[place]);
            }
        }
        for ((block, ..), values) in alive.iter().zip(yields) {
            self.code.blocks[*block].end = End::Yield(values);
        }
        let mut fresh = merged.into_iter();
        let mut form: Vec<Val> = form.iter().map(|it| with_leaves(it, &mut fresh)).collect();
        let val = form.remove(0);
        self.cells = form;
        let block = self.current;
        self.code.blocks[block].stmts.push(Stmt::Branch { test, arms, results, which: None });
        Ok(val)
    }

    /// The value with whole objects where the form has no parts.
    fn in_form(&mut self, val: &Val, form: &Val) -> Eval<Val> {
        let mut all = |vals: &[Val], forms: &[Val]| -> Eval<Vec<Val>> {
            vals.iter().zip(forms).map(|(val, form)| self.in_form(val, form)).collect()
        };
        match (val, form) {
            (Val::Data { ty, .. }, Val::Dyn(_)) => Ok(Val::Dyn(self.object(val, *ty)?)),
            (Val::Data { ty, ctor, fields }, Val::Data { fields: forms, .. }) => {
                let fields = all(fields, forms)?.into();
                Ok(Val::Data { ty: *ty, ctor: *ctor, fields })
            }
            (Val::Tuple(items), Val::Tuple(forms)) => Ok(Val::Tuple(all(items, forms)?.into())),
            _ => Ok(val.clone()),
        }
    }
}
