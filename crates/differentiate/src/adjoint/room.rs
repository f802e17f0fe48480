//! Room on the stacks for what loops keep.
//!
//! ```text
//! for t = 1 to n do                    room for n * (2 + m * 7) floats
//!   for i = 1 to m do … done           for t = 1 to n do for i = 1 to m do push 7 … done; push 2 done
//! done
//! ```
//!
//! A `for` loop without loops that keep something makes room for all its rounds when it begins, and its frames are
//! stored without a look. `for` loops in each other whose bounds are known before the outermost one begins tell the
//! stack there how much will come, up to a limit, since an exception may end them early. So it seldom moves. Where all
//! bounds are constants and the number is below the limit, there is room for all.

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::{Const, IntOp, IntWidth, NodeId};

use super::ir::{BlockId, Code, Counted, Def, End, Loop, Stmt, ValueId};
use super::plan::Plans;
use super::reason::Written;
use super::write::Writer;

/// A `for` loop that keeps something, with those inside of it.
#[derive(Clone)]
struct Nest {
    counted: Counted,
    body: BlockId,
    inner: Vec<Nest>,
}

#[derive(Default)]
pub struct Rooms {
    /// By the body of the loop that begins first.
    nests: IdMap<BlockId, Nest>,
    /// Bodies whose frames have room.
    ready: IdSet<BlockId>,
}

impl Rooms {
    pub fn is_ready(&self, body: BlockId) -> bool {
        self.ready.contains(body)
    }
}

pub fn find(code: &Code, plans: &Plans) -> Rooms {
    let mut rooms = Rooms::default();
    Finder { code, plans }.visit(code.root, Told::No, &mut rooms);
    rooms
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// There is room for all that comes.
    All,
    Yes,
    No,
}

/// What the library's `expected` takes for all.
const LIMIT: i64 = 262_144;

struct Finder<'a> {
    code: &'a Code,
    plans: &'a Plans,
}

impl<'a> Finder<'a> {
    /// `told` where a loop around says what comes.
    fn visit(&self, block: BlockId, told: Told, rooms: &mut Rooms) {
        for it in self.loops(block) {
            let mut blocks = IdSet::new();
            self.blocks(it.body, &mut blocks);
            let nest = self.nest(it, &blocks).filter(|_| self.keeps(it));
            let has_all = told == Told::All
                || nest.as_ref().is_some_and(|nest| {
                    (0..3).all(|it| self.size(nest, it).is_some_and(|size| size <= LIMIT))
                });
            let inside = match &nest {
                Some(_) if has_all => Told::All,
                Some(_) => Told::Yes,
                None => told,
            };
            if let Some(nest) = nest {
                if nest.inner.is_empty() || has_all {
                    rooms.ready.insert(it.body);
                }
                let begins = nest.inner.is_empty() || has_all || told == Told::No;
                if told != Told::All && begins {
                    rooms.nests.insert(it.body, nest);
                }
            }
            self.visit(it.body, inside, rooms);
        }
        self.arms(block).for_each(|it| self.visit(it, Told::No, rooms));
    }

    /// The loop with what is inside, if all bounds but its own are known outside of `blocks`.
    fn nest(&self, it: &Loop, blocks: &IdSet<BlockId>) -> Option<Nest> {
        let counted = it.counted?;
        if self.calls(it.body) || self.arms(it.body).any(|arm| self.keeps_inside(arm)) {
            return None;
        }
        let mut inner = Vec::new();
        for it in self.loops(it.body).filter(|it| self.keeps(it)) {
            let bounds = it.counted?;
            let is_known = |value: ValueId| match self.code.values[value].def {
                Def::Const(_) | Def::Outer(_) => true,
                Def::Param | Def::Result => !blocks.contains(self.code.values[value].block),
            };
            if !is_known(bounds.from) || !is_known(bounds.to) {
                return None;
            }
            inner.push(self.nest(it, blocks)?);
        }
        Some(Nest { counted, body: it.body, inner })
    }

    /// How many items of a stack a loop keeps with those inside of it, if all bounds are constants.
    fn size(&self, nest: &Nest, stack: usize) -> Option<i64> {
        let number = |value: ValueId| match self.code.values[value].def {
            Def::Const(Const::Int(IntWidth::I63, number)) => Some(number),
            _ => None,
        };
        let Counted { from, to, down, .. } = nest.counted;
        let (low, high) = if down { (to, from) } else { (from, to) };
        let rounds = number(high)?.checked_sub(number(low)?)?.checked_add(1)?.max(0);
        let own = self.plans.frames.get(nest.body).map_or(0, |it| it.lists()[stack].len());
        let mut each = own as i64;
        for it in &nest.inner {
            each = each.checked_add(self.size(it, stack)?)?;
        }
        rounds.checked_mul(each)
    }

    /// The loops that stand in a block itself.
    fn loops(&self, block: BlockId) -> impl Iterator<Item = &'a Loop> {
        self.code.blocks[block].stmts.iter().filter_map(|it| match it {
            Stmt::Loop(it) => Some(it),
            Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Branch { .. } => None,
            Stmt::Recursion(_) | Stmt::Recur { .. } => None,
        })
    }

    /// The arms of the branches of a block.
    fn arms(&self, block: BlockId) -> impl Iterator<Item = BlockId> + 'a {
        let data = &self.code.blocks[block];
        let inner = data.stmts.iter().flat_map(|it| match it {
            Stmt::Branch { arms, .. } => arms.as_slice(),
            // The body of a function is a place like an arm: what it keeps is not known before.
            Stmt::Recursion(it) => std::slice::from_ref(&it.body),
            Stmt::Op { .. } | Stmt::Guard { .. } | Stmt::Loop(_) | Stmt::Recur { .. } => &[],
        });
        let last = match &data.end {
            End::Branch { arms, .. } => arms.as_slice(),
            End::Open | End::Yield(_) | End::Continue(_) | End::Raise(_) => &[],
        };
        inner.chain(last).copied()
    }

    fn blocks(&self, block: BlockId, out: &mut IdSet<BlockId>) {
        out.insert(block);
        self.loops(block).for_each(|it| self.blocks(it.body, out));
        self.arms(block).for_each(|it| self.blocks(it, out));
    }

    /// Whether a loop keeps something, or one inside of it.
    fn keeps(&self, it: &Loop) -> bool {
        self.plans.frames.get(it.body).is_some_and(|it| !it.is_empty())
            || self.keeps_inside(it.body)
    }

    fn keeps_inside(&self, block: BlockId) -> bool {
        self.calls(block)
            || self.loops(block).any(|it| self.keeps(it))
            || self.arms(block).any(|it| self.keeps_inside(it))
    }

    /// Recursive functions keep what they keep.
    fn calls(&self, block: BlockId) -> bool {
        let stmts = &self.code.blocks[block].stmts;
        stmts.iter().any(|it| matches!(it, Stmt::Recursion(_) | Stmt::Recur { .. }))
    }
}

impl Writer<'_> {
    /// Before a `for` loop.
    pub fn make_room_for_all(&mut self, it: &Loop) -> Written<()> {
        let Some(nest) = self.rooms.nests.get(it.body).cloned() else { return Ok(()) };
        for place in 0..self.stacks.len() {
            if let Some(stack) = self.stacks[place]
                && let Some(mut all) = self.size(&nest, place)?
            {
                if !nest.inner.is_empty() {
                    all = self.call(self.library.expected, vec![all]);
                }
                self.make_room(stack, all)?;
            }
        }
        Ok(())
    }

    /// How many items a loop with those inside of it keeps on a stack; none if it never keeps one.
    fn size(&mut self, nest: &Nest, stack: usize) -> Written<Option<NodeId>> {
        let own = self.plans.frames.get(nest.body).map_or(0, |it| it.lists()[stack].len());
        let mut each = (own > 0).then(|| self.int(own as i64));
        for it in &nest.inner {
            each = match (each, self.size(it, stack)?) {
                (Some(a), Some(b)) => Some(self.int_op(IntOp::Add, a, b)),
                (a, b) => a.or(b),
            };
        }
        let Some(each) = each else { return Ok(None) };
        let Counted { from, to, down, .. } = nest.counted;
        let (low, high) = if down { (to, from) } else { (from, to) };
        let (low, high) = (self.value(low)?, self.value(high)?);
        let (low, high) = (self.as_item(low), self.as_item(high));
        Ok(Some(self.call(self.library.items, vec![low, high, each])))
    }
}
