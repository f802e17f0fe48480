//! Switches: on constructors, numbers, characters, strings and exceptions.

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::melior::ir::block::BlockLike;
use oxbow_dialect::op;
use oxbow_dialect::{Block, Likely, Predicate, Val};
use oxbow_psg::{IntWidth, Key, NodeId, TyId};

use crate::expr::Dest;
use crate::function::Function;

/// So many cases make a table.
const MANY: usize = 4;

impl<'c> Function<'_, '_, 'c> {
    /// Emits the dispatch and all cases; control does not come back.
    pub fn switch(
        &mut self,
        value: NodeId,
        cases: &[(Key, NodeId)],
        default: Option<NodeId>,
        dest: Dest<'c>,
    ) {
        let ty = self.low.program.ty(value);
        let location = self.low.build.location;
        let Some(value) = self.emit(value, Dest::Here) else { return };
        self.low.build.location = location;
        let blocks: Vec<Block<'c>> = cases.iter().map(|_| self.low.build.new_block(&[])).collect();
        let otherwise = self.low.build.new_block(&[]);
        let targets: Vec<(&Key, Block<'c>)> =
            cases.iter().map(|it| &it.0).zip(blocks.iter().copied()).collect();
        match cases.first().map(|it| &it.0) {
            None => self.low.build.br(otherwise, &[]),
            Some(Key::Ctor(_)) => self.switch_ctor(value, ty, &targets, otherwise),
            Some(Key::Int(..) | Key::Char(_)) => self.switch_number(value, &targets, otherwise),
            Some(Key::String(_)) => {
                self.switch_chain(value, &targets, otherwise, Self::equals_string)
            }
            Some(Key::Exn(_)) => self.switch_chain(value, &targets, otherwise, Self::is_exception),
        }
        for (block, case) in blocks.into_iter().zip(cases) {
            if self.enter(block) {
                self.emit(case.1, dest);
            }
        }
        if self.enter(otherwise) {
            match default {
                Some(default) => {
                    self.emit(default, dest);
                }
                None => self.low.build.unreachable(),
            }
        }
    }

    fn switch_number(
        &mut self,
        value: Val<'c>,
        targets: &[(&Key, Block<'c>)],
        otherwise: Block<'c>,
    ) {
        let number = |key: &Key| match *key {
            Key::Int(IntWidth::I63, it) => oxbow_abi::shifted_int(it),
            Key::Int(IntWidth::U32, it) => (it as i32).into(),
            Key::Int(_, it) => it,
            Key::Char(it) => (it as i8).into(),
            Key::Ctor(_) | Key::String(_) | Key::Exn(_) => ice!("{key:?} among numbers"),
        };
        let cases: Vec<_> = targets.iter().map(|it| (number(it.0), it.1)).collect();
        self.dispatch(value, &cases, otherwise);
    }

    /// A two-way branch where that is enough, else a switch.
    fn dispatch(&mut self, value: Val<'c>, cases: &[(i64, Block<'c>)], otherwise: Block<'c>) {
        match cases {
            [(number, block)] => {
                let number = self.low.build.const_int(value.r#type(), *number);
                let equal = self.low.build.cmp(Predicate::Eq, value, number);
                self.low.build.cond_br(equal, *block, otherwise, Likely::Unknown);
            }
            _ => self.low.build.switch(value, otherwise, cases),
        }
    }

    fn switch_ctor(
        &mut self,
        value: Val<'c>,
        ty: TyId,
        targets: &[(&Key, Block<'c>)],
        otherwise: Block<'c>,
    ) {
        let number = |key: &Key| match *key {
            Key::Ctor(it) => it as usize,
            Key::Int(..) | Key::Char(_) | Key::String(_) | Key::Exn(_) => {
                ice!("{key:?} among constructors")
            }
        };
        let targets: Vec<_> = targets.iter().map(|it| (number(it.0), it.1)).collect();
        let objects = self.low.types.are_objects(ty);
        let target =
            |ctor: usize| targets.iter().find(|it| it.0 == ctor).map_or(otherwise, |it| it.1);
        let (constants, blocks): (Vec<usize>, Vec<usize>) =
            (0..objects.len()).partition(|&it| !objects[it]);
        let constants: Vec<_> = constants.into_iter().map(|it| (it as i64, target(it))).collect();
        let blocks: Vec<_> = blocks.into_iter().map(|it| (it as i64, target(it))).collect();
        if self.low.types.is_enumeration(ty) {
            return self.choose(&constants, |_| value);
        }
        match (constants.is_empty(), blocks.is_empty()) {
            (true, _) => self
                .choose(&blocks, |this| this.low.build.append_value(&op::BlockTag::draft(value))),
            (_, true) => self.choose_constant(value, &constants),
            (false, false) => {
                let immediate = self.low.build.append_value(&op::IsImmediate::draft(value));
                let [in_constants, in_blocks] =
                    [&constants, &blocks].map(|it| self.only_target(it));
                let yes = in_constants.unwrap_or_else(|| self.low.build.new_block(&[]));
                let no = in_blocks.unwrap_or_else(|| self.low.build.new_block(&[]));
                self.low.build.cond_br(immediate, yes, no, Likely::Unknown);
                if in_constants.is_none() {
                    self.start(yes);
                    self.choose_constant(value, &constants);
                }
                if in_blocks.is_none() {
                    self.start(no);
                    self.choose(&blocks, |this| {
                        this.low.build.append_value(&op::BlockTag::draft(value))
                    });
                }
            }
        }
    }

    /// The block that all cases lead to, if there is just one.
    fn only_target(&self, cases: &[(i64, Block<'c>)]) -> Option<Block<'c>> {
        let first = cases.first()?.1;
        cases.iter().all(|it| it.1.to_raw().ptr == first.to_raw().ptr).then_some(first)
    }

    /// Dispatches over all constructors of one kind.
    fn choose(&mut self, cases: &[(i64, Block<'c>)], number: impl FnOnce(&mut Self) -> Val<'c>) {
        if let Some((others, default)) = self.split(cases) {
            let value = number(self);
            self.dispatch_all(value, cases, (&others, default));
        }
    }

    /// The cases are all that there are. A table of many needs no test for others then; where a few are to be told from
    /// the rest, they are.
    fn dispatch_all(
        &mut self,
        value: Val<'c>,
        cases: &[(i64, Block<'c>)],
        (others, default): (&[(i64, Block<'c>)], Block<'c>),
    ) {
        if cases.len() < MANY || others.len() + 1 < cases.len() {
            return self.dispatch(value, others, default);
        }
        let nothing = self.low.build.new_block(&[]);
        self.low.build.switch(value, nothing, cases);
        self.start(nothing);
        self.low.build.unreachable();
    }

    /// The same over the constant ones. One of them is told from the others by its word.
    fn choose_constant(&mut self, value: Val<'c>, cases: &[(i64, Block<'c>)]) {
        let Some((others, default)) = self.split(cases) else { return };
        if let [(number, block)] = others[..] {
            let constant = self.low.build.ctor(number as u32, value.r#type());
            let equal = self.low.build.append_value(&op::PhysEq::draft(value, constant));
            self.low.build.cond_br(equal, block, default, Likely::Unknown);
        } else {
            let number = self.low.build.append_value(&op::Immediate::draft(value));
            self.dispatch_all(number, cases, (&others, default));
        }
    }

    /// The cases that are to be told from the most frequent target, and that; if there is just one, goes there.
    fn split(&mut self, cases: &[(i64, Block<'c>)]) -> Option<(Vec<(i64, Block<'c>)>, Block<'c>)> {
        let Some(&last) = cases.last() else {
            self.low.build.unreachable();
            return None;
        };
        if let Some(only) = self.only_target(cases) {
            self.low.build.br(only, &[]);
            return None;
        }
        let count = |block: Block<'c>| {
            cases.iter().filter(|it| it.1.to_raw().ptr == block.to_raw().ptr).count()
        };
        let default = cases
            .iter()
            .rev()
            .fold(last.1, |best, it| if count(it.1) > count(best) { it.1 } else { best });
        let others: Vec<_> =
            cases.iter().copied().filter(|it| it.1.to_raw().ptr != default.to_raw().ptr).collect();
        Some((others, default))
    }

    fn switch_chain(
        &mut self,
        value: Val<'c>,
        targets: &[(&Key, Block<'c>)],
        otherwise: Block<'c>,
        test: fn(&mut Self, Val<'c>, &Key) -> Val<'c>,
    ) {
        for &(key, block) in targets {
            let equal = test(self, value, key);
            let next = self.low.build.new_block(&[]);
            self.low.build.cond_br(equal, block, next, Likely::Unknown);
            self.start(next);
        }
        self.low.build.br(otherwise, &[]);
    }

    fn equals_string(&mut self, value: Val<'c>, key: &Key) -> Val<'c> {
        let Key::String(bytes) = key else { ice!("{key:?} among strings") };
        let constant = self.low.build.string_const(bytes);
        self.string_equal(value, constant)
    }

    fn is_exception(&mut self, value: Val<'c>, key: &Key) -> Val<'c> {
        let Key::Exn(exn) = key else { ice!("{key:?} among exceptions") };
        let symbol = self.low.exception(*exn);
        self.low.build.exn_is(value, &symbol)
    }
}
