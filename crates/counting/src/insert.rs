//! Places the reference ops of one function.

use oxbow_base::{FxHashMap, IdVec};
use oxbow_dialect::inspect::{append, insert_after, insert_before, operands, set_successor};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{RegionRef, Type, ValueLike};
use oxbow_dialect::op::{
    ArrayGet, ArraySet, BlockLoad, BlockStore, DialectOp, Drop, Dup, GlobalLoad, GlobalStore,
    NoValue, Opcode, RegionEnter, RegionLeave, SlotLoad, Take, View, callee_of, view,
};
use oxbow_dialect::{Builder, Kind, OcamlType, Op, Val, region_of, result_of};

use crate::closure_ownership::ClosureOwnership;
use crate::ir::{Def, Function, OpIr, Program, ValueId, is_counted};
use crate::live::{self, Set, root};
use crate::own::{self, Class, Owners};

/// A reference op, before it is made.
#[derive(Clone, PartialEq, Debug)]
enum Action {
    Dup(ValueId),
    /// The closure that the next op calls is not only lent to its code.
    HandOver,
    Drop {
        value: ValueId,
        cold: bool,
    },
    /// `lent` is a field that only the call in tail position at the end uses, as its closure.
    Take {
        value: ValueId,
        ctor: u32,
        kept: Vec<u32>,
        lent: Option<u32>,
    },
}

/// What goes before or behind the ops of a block, in order.
enum Item {
    Op(usize),
    Action(Action),
}

struct Insertion<'a, 'c> {
    program: &'a Program<'c>,
    function: &'a Function<'c>,
    owners: &'a Owners,
    ownership: &'a ClosureOwnership,
    index: usize,
    borrowed: IdVec<ValueId, bool>,
    classes: IdVec<ValueId, Class>,
    starts: Vec<Set>,
}

pub fn run<'c>(
    program: &Program<'c>,
    index: usize,
    owners: &Owners,
    ownership: &ClosureOwnership,
    build: &mut Builder<'c>,
) {
    let function = &program.functions[index];
    let borrowed = own::borrowed(function, &owners.args[index]);
    let classes = own::classes(program, index, owners, &borrowed);
    let starts = live::starts(function, &classes);
    let insertion =
        Insertion { program, function, owners, ownership, index, borrowed, classes, starts };
    // On edges into blocks with one predecessor: at their start.
    let mut at_start: FxHashMap<usize, Vec<Action>> = FxHashMap::default();
    let mut sequences = Vec::new();
    for block in 0..function.blocks.len() {
        let (items, edges) = insertion.block(block);
        sequences.push(items);
        for (edge, actions) in edges {
            let target = function.blocks[block].edges[edge].target;
            if function.blocks[target].incoming == 1 {
                at_start.entry(target).or_default().extend(actions);
            } else {
                insertion.split(build, block, edge, &actions);
            }
        }
    }
    for (block, items) in sequences.into_iter().enumerate() {
        let mut all: Vec<Item> =
            at_start.remove(&block).unwrap_or_default().into_iter().map(Item::Action).collect();
        all.extend(items);
        insertion.fuse(block, &mut all);
        insertion.emit(build, block, &all);
    }
    insertion.keep_memory(build);
}

impl<'c> Insertion<'_, 'c> {
    fn takes(&self, op: &OpIr<'c>, how: crate::uses::Use) -> bool {
        self.owners.takes(self.program, op, how, &self.borrowed)
    }

    /// The ops of a block with what goes between them, and what goes on its edges.
    fn block(&self, block: usize) -> (Vec<Item>, Vec<(usize, Vec<Action>)>) {
        let it = &self.function.blocks[block];
        let mut live = live::end(self.function, &self.starts, block);
        let mut edges = Vec::new();
        // Behind each op, from the last to the first; then turned round.
        let mut reversed = Vec::new();
        for (at, op) in it.ops.iter().enumerate().rev() {
            let is_last = at + 1 == it.ops.len();
            let mut behind = Vec::new();
            let mut before = Vec::new();
            if is_last && !it.edges.is_empty() {
                live::used(self.function, &self.classes, block, op, |it| live.insert(it));
                for number in 0..it.edges.len() {
                    let actions = self.edge(block, number, &live, op);
                    match it.edges.len() {
                        1 => before = actions,
                        _ if actions.is_empty() => (),
                        _ => edges.push((number, actions)),
                    }
                }
            }
            for &result in &op.results {
                let needed = live.contains(result);
                match (self.classes[result], self.function.values[result].def) {
                    (_, Def::Raised) => (),
                    (Class::Owned, _) if !needed => {
                        behind.push(Action::Drop { value: result, cold: false });
                    }
                    (Class::Copied, _) if needed => behind.push(Action::Dup(result)),
                    _ => (),
                }
                live.remove(result);
            }
            self.operands(op, &mut live, &mut before, &mut behind);
            reversed.extend(behind.into_iter().rev().map(Item::Action));
            reversed.push(Item::Op(at));
            reversed.extend(before.into_iter().rev().map(Item::Action));
        }
        for &arg in it.args.iter().flatten() {
            if self.classes[arg] == Class::Owned && !live.contains(arg) {
                reversed.push(Item::Action(Action::Drop { value: arg, cold: false }));
            }
        }
        reversed.reverse();
        (reversed, edges)
    }

    /// What the operands of an op need before and behind it. `live` holds what is needed behind,
    /// and then what is needed before.
    fn operands(
        &self,
        op: &OpIr<'c>,
        live: &mut Set,
        before: &mut Vec<Action>,
        behind: &mut Vec<Action>,
    ) {
        let mut taken: Vec<(ValueId, usize)> = Vec::new();
        let mut looked_at: Vec<ValueId> = Vec::new();
        for &(value, how) in &op.operands {
            if self.takes(op, how) {
                match taken.iter_mut().find(|it| it.0 == value) {
                    Some((_, count)) => *count += 1,
                    None => taken.push((value, 1)),
                }
            } else if let Some(root) = root(&self.classes, value)
                && !looked_at.contains(&root)
            {
                looked_at.push(root);
            }
        }
        // What lies in a region stays in it, whoever else has a reference.
        for &(value, _) in &taken {
            if let Class::Derived(root) = self.classes[value]
                && !looked_at.contains(&root)
            {
                looked_at.push(root);
            }
        }
        for &(value, count) in &taken {
            let dups = match self.classes[value] {
                Class::Static => 0,
                Class::Borrowed | Class::Derived(_) => count,
                Class::Owned | Class::Copied => {
                    let stays = live.contains(value) || looked_at.contains(&value);
                    count - 1 + usize::from(stays)
                }
            };
            before.extend(std::iter::repeat_n(Action::Dup(value), dups));
        }
        for &value in &looked_at {
            if !live.contains(value) && self.is_last_call(op, value) {
                before.push(Action::HandOver);
                continue;
            }
            let tested = op.tested.is_some_and(|it| it.exn == value || it.value == Some(value));
            if !live.contains(value) && !tested {
                behind.push(Action::Drop { value, cold: false });
            }
        }
        for value in looked_at.into_iter().chain(taken.into_iter().map(|it| it.0)) {
            if let Some(root) = root(&self.classes, value) {
                live.insert(root);
            }
        }
    }

    /// Is the value a closure that this op calls, and nothing else of it, and worth ownership over?
    fn is_last_call(&self, op: &OpIr<'c>, value: ValueId) -> bool {
        let called = match op.opcode {
            Opcode::Invoke => self.ownership.of_type(operands(op.op)[0].r#type()),
            Opcode::Call => {
                let callee = self.program.by_name[callee_of(op.op)];
                self.program.functions[callee].has_env && self.ownership.of_function(callee)
            }
            _ => false,
        };
        let roots = op.operands.iter().filter(|it| root(&self.classes, it.0) == Some(value));
        called
            && roots.count() == 1
            && op.operands.first().is_some_and(|it| it.0 == value)
            && operands(op.op)[0] == self.function.values[value].value
    }

    /// What happens to the values alive before a branch on one of its edges.
    fn edge(&self, block: usize, number: usize, live: &Set, op: &OpIr<'c>) -> Vec<Action> {
        let edge = &self.function.blocks[block].edges[number];
        let entered = live::entered(self.function, &self.starts, edge.target);
        let raised = op.tested.is_some() && number == 0;
        let mut actions = Vec::new();
        for &(value, arg) in &edge.passed {
            if self.owners.args[self.index][arg] && self.classes[value] == Class::Borrowed {
                actions.push(Action::Dup(value));
            }
        }
        for value in live.iter() {
            let passed = edge
                .passed
                .iter()
                .filter(|it| it.0 == value && self.owners.args[self.index][it.1])
                .count();
            let needed = passed + usize::from(entered.contains(value));
            if needed > 1 {
                actions.extend(std::iter::repeat_n(Action::Dup(value), needed - 1));
            }
            // A call gives a value or an exception, never both.
            let absent = op.tested.is_some_and(|it| match raised {
                true => it.value == Some(value),
                false => it.exn == value,
            });
            if needed == 0 && !absent {
                actions.push(Action::Drop { value, cold: raised });
            }
        }
        actions
    }

    /// An edge with a block of its own.
    fn split(&self, build: &mut Builder<'c>, block: usize, edge: usize, actions: &[Action]) {
        let it = &self.function.blocks[block];
        let target = self.function.blocks[it.edges[edge].target].block;
        let last = it.ops.last().expect("a block has a last op").op;
        build.location = last.location();
        let count = oxbow_dialect::melior::ir::BlockLike::argument_count(&target);
        let types: Vec<Type<'c>> =
            (0..count).map(|at| build.argument(target, at).r#type()).collect();
        let middle = build.new_block(&types);
        let region: RegionRef<'c, 'c> = region_of(self.function.op);
        build.place(middle, region);
        build.set_block(middle);
        for action in actions {
            if let Some(op) = self.make(build, action) {
                append(middle, op);
            }
        }
        let args: Vec<_> = (0..count).map(|at| build.argument(middle, at)).collect();
        build.br(target, &args);
        set_successor(last, edge, middle);
    }

    /// Dups of parts and the drop of the whole become one op.
    fn fuse(&self, block: usize, items: &mut Vec<Item>) {
        let ops = &self.function.blocks[block].ops;
        let mut at = 0;
        while at < items.len() {
            let whole = match &items[at] {
                Item::Action(Action::Drop { value, cold: false }) => *value,
                _ => {
                    at += 1;
                    continue;
                }
            };
            let takeable = {
                let ty = self.function.values[whole].value.r#type();
                {
                    // Only of the closure's own environment it is known what it holds.
                    let own_env = ty.kind() == Kind::Env && self.function.is_arg(whole);
                    ty.pair_parts().is_some()
                        || own_env
                        || matches!(ty.kind(), Kind::Tuple | Kind::Data)
                }
            };
            let mut kept: Vec<(usize, u32)> = Vec::new();
            let mut ctor = None;
            if takeable {
                for earlier in (0..at).rev() {
                    let Item::Action(Action::Dup(part)) = items[earlier] else { continue };
                    let Def::Part { of, ctor: of_ctor, index, takeable: true } =
                        self.function.values[part].def
                    else {
                        continue;
                    };
                    let fits = of == whole
                        && *ctor.get_or_insert(of_ctor) == of_ctor
                        && kept.iter().all(|it| it.1 != index)
                        && !items[earlier + 1..at].iter().any(|it| self.moves(ops, it, part));
                    if fits {
                        kept.push((earlier, index));
                    }
                }
            }
            // What is in an environment is known, so it can be freed without the runtime.
            let is_env = takeable && self.function.values[whole].value.r#type().kind() == Kind::Env;
            if let Some(ctor) = ctor.or(is_env.then_some(0))
                && (is_env || !kept.is_empty())
            {
                let mut fields: Vec<u32> = kept.iter().map(|it| it.1).collect();
                fields.sort_unstable();
                let lent = is_env.then(|| self.lent(ops, whole, &items[at + 1..])).flatten();
                let lent = lent.filter(|it| fields.contains(it));
                items[at] = Item::Action(Action::Take { value: whole, ctor, kept: fields, lent });
                // From the last to the first: the places before stay valid.
                for (earlier, _) in kept {
                    items.remove(earlier);
                    at -= 1;
                }
            }
            at += 1;
        }
    }

    /// The captured closure that a call in tail position calls, if nothing else happens before.
    fn lent(&self, ops: &[OpIr<'c>], env: ValueId, rest: &[Item]) -> Option<u32> {
        let last = ops.last().filter(|it| it.opcode == Opcode::TailInvoke)?;
        let closure = last.operands.first()?.0;
        let Def::Part { of, index, takeable: true, .. } = self.function.values[closure].def else {
            return None;
        };
        let only = last.operands.iter().filter(|it| it.0 == closure).count() == 1
            && rest.iter().all(|it| match it {
                Item::Op(at) => {
                    *at + 1 == ops.len() || ops[*at].operands.iter().all(|it| it.0 != closure)
                }
                Item::Action(Action::Dup(it)) => *it != closure,
                Item::Action(_) => true,
            });
        (of == env && only).then_some(index)
    }

    /// Does this hand the reference to `value` on?
    fn moves(&self, ops: &[OpIr<'c>], item: &Item, value: ValueId) -> bool {
        match item {
            Item::Op(at) => {
                let op = &ops[*at];
                op.operands.iter().any(|&(it, how)| it == value && self.takes(op, how))
            }
            Item::Action(Action::Drop { value: it, .. }) => *it == value,
            Item::Action(Action::Take { value: it, .. }) => *it == value,
            Item::Action(Action::Dup(_) | Action::HandOver) => false,
        }
    }

    fn emit(&self, build: &mut Builder<'c>, block: usize, items: &[Item]) {
        let it = &self.function.blocks[block];
        let mut waiting = Vec::new();
        for item in items {
            match item {
                Item::Action(action) => waiting.push(action),
                Item::Op(at) => {
                    let next = it.ops[*at].op;
                    build.location = next.location();
                    for action in waiting.drain(..) {
                        match self.make(build, action) {
                            Some(op) => insert_before(next, op),
                            None => hand_over(next),
                        }
                    }
                }
            }
        }
        debug_assert!(waiting.is_empty(), "nothing follows a terminator");
    }

    /// The op of an action that is one.
    fn make(&self, build: &Builder<'c>, action: &Action) -> Option<Op<'c>> {
        let value = |id: ValueId| self.function.values[id].value;
        Some(match action {
            Action::HandOver => return None,
            Action::Dup(id) => build.create(&Dup::draft(value(*id))),
            Action::Drop { value: id, cold } => drop_op(build, value(*id), *cold),
            Action::Take { value: id, ctor, kept, lent } => {
                let take = Take::of(build.create(&Take::draft(value(*id), *ctor, kept)));
                lent.iter().for_each(|&it| take.set_lent(it));
                take.op()
            }
        })
    }

    /// What a store replaces is dropped, and what variables hold when the function ends.
    fn keep_memory(&self, build: &mut Builder<'c>) {
        let moves = &self.function.moves;
        for (number, block) in self.function.blocks.iter().enumerate() {
            for (at, it) in block.ops.iter().enumerate() {
                build.location = it.op.location();
                let place = (number as u32, at as u32);
                match view(it.op) {
                    _ if moves.reads.contains(&place) => leave_nothing(build, it.op),
                    _ if moves.stores.contains(&place) => (),
                    View::BlockNew(new) => {
                        let made = it.results[0];
                        if self.function.values[made].def == Def::Pair && self.borrowed[made] {
                            new.set_borrows(true);
                        }
                    }
                    View::BlockStore(_)
                    | View::ArraySet(_)
                    | View::SlotStore(_)
                    | View::GlobalStore(_) => self.replace(build, it),
                    View::Return(_) | View::Raise(_) | View::TailCall(_) | View::TailInvoke(_) => {
                        for &slot in &self.function.slots {
                            let element = slot.r#type().element();
                            let load = build.create(&SlotLoad::draft(slot, element));
                            insert_before(it.op, load);
                            let op = drop_op(build, result_of(load, 0), false);
                            insert_before(it.op, op);
                        }
                    }
                    _ => (),
                }
            }
        }
    }

    /// Is this the only store to a variable, before anything reads it?
    fn is_set_once(&self, store: GlobalStore<'c>) -> bool {
        self.program.stores.get(store.global()).copied().unwrap_or(0) <= 1
    }

    /// Where others may store as well, the op itself drops what it replaces; whether it can.
    fn replace_at_once(&self, it: &OpIr<'c>) -> bool {
        match view(it.op) {
            View::BlockStore(it) => it.set_replaces(true),
            View::ArraySet(it) => it.set_replaces(true),
            View::GlobalStore(it) => it.set_replaces(!self.is_set_once(it)),
            _ => return false,
        }
        true
    }

    /// A store drops what it replaces.
    fn replace(&self, build: &Builder<'c>, it: &OpIr<'c>) {
        // The value is the first operand of all of them.
        let ty = operands(it.op)[0].r#type();
        if !is_counted(ty) {
            return;
        }
        if self.program.domains && self.replace_at_once(it) {
            return;
        }
        let load = match view(it.op) {
            View::BlockStore(it) => BlockLoad::draft(it.block(), it.ctor(), it.index(), ty),
            View::ArraySet(it) => ArrayGet::draft(it.array(), it.index(), ty),
            View::SlotStore(it) => SlotLoad::draft(it.slot(), ty),
            View::GlobalStore(store) => {
                if self.is_set_once(store) {
                    return;
                }
                GlobalLoad::draft(store.global(), ty)
            }
            _ => return,
        };
        let old = build.create(&load);
        insert_before(it.op, old);
        insert_after(it.op, drop_op(build, result_of(old, 0), false));
    }
}

/// The place that an op has read holds nothing until a value is stored there.
fn leave_nothing<'c>(build: &Builder<'c>, read: Op<'c>) {
    let nothing = build.create(&NoValue::draft(result_of(read, 0).r#type()));
    let value = result_of(nothing, 0);
    let store = match view(read) {
        View::BlockLoad(it) => {
            let draft = BlockStore::draft(value, it.block(), it.ctor(), it.index());
            let store = BlockStore::of(build.create(&draft));
            store.set_acyclic(true);
            store.op()
        }
        View::ArrayGet(it) => build.create(&ArraySet::draft(value, it.array(), it.index())),
        View::GlobalLoad(it) => build.create(&GlobalStore::draft(value, it.global())),
        _ => unreachable!("only what is read from memory is moved"),
    };
    insert_after(read, store);
    insert_after(read, nothing);
}

/// The closure that an op calls goes to its code.
fn hand_over(call: Op<'_>) {
    match view(call) {
        View::Call(it) => it.set_handed_over(true),
        View::Invoke(it) => it.set_handed_over(true),
        _ => unreachable!("only calls that come back lend a closure"),
    }
}

fn drop_op<'c>(build: &Builder<'c>, value: Val<'c>, cold: bool) -> Op<'c> {
    if value.r#type().kind() == Kind::Region {
        let leave = RegionLeave::of(build.create(&RegionLeave::draft(value)));
        leave.set_walked(RegionEnter::defining(value).is_some_and(RegionEnter::walked));
        return leave.op();
    }
    let drop = Drop::of(build.create(&Drop::draft(value)));
    drop.set_cold(cold);
    drop.op()
}
