//! A module as the analyses see it: functions, blocks, ops, and the values that count.

use oxbow_abi::ObjectKind;
use oxbow_base::{FxHashMap, FxHashSet, define_id};
use oxbow_base::{Id, IdVec};
use oxbow_dialect::inspect::{argument, definition, key, operands, ops_of, reverse_postorder};
use oxbow_dialect::layout::small_cell;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, ValueLike};
use oxbow_dialect::op::{
    BlockNew, BlockStore, Data, DialectOp, ExnRaised, Func, Opcode, Storage, Upstream, View,
    opcode, view,
};
use oxbow_dialect::{Block, Kind, OcamlType, Op, Val, region_of, result_of};

use crate::effects::{self, Effects, Place};
use crate::graph::{id, successors};
use crate::moves::{self, Moves};
use crate::region_types::type_key;
use crate::single_stores;
use crate::uses::{self, Use};

define_id!(
    /// A counted value of one function.
    pub ValueId, "v"
);

/// Everything that the inference looks at.
pub struct Program<'c> {
    pub functions: Vec<Function<'c>>,
    pub by_name: FxHashMap<String, usize>,
    /// Field types of each constructor.
    pub datas: FxHashMap<String, Vec<Vec<Type<'c>>>>,
    /// How often each module-level variable is set.
    pub stores: FxHashMap<String, usize>,
    /// Types with fields that are stored to.
    pub changed: FxHashSet<usize>,
    /// The fields that are stored to.
    stored: FxHashSet<Place>,
    pub effects: Effects,
    /// Domains are started: other threads may read and store at any moment.
    pub domains: bool,
}

pub struct Function<'c> {
    pub op: Op<'c>,
    /// In an order in which definitions come before uses; the entry is the first.
    pub blocks: Vec<BlockIr<'c>>,
    pub values: IdVec<ValueId, Value<'c>>,
    /// Closures point to it, or the runtime calls it.
    pub is_code: bool,
    /// Closures point to it.
    pub is_pointed_to: bool,
    /// Its first argument is the closure.
    pub has_env: bool,
    /// It only reads captures from its closure, or calls functions that do with it: the closure
    /// itself goes nowhere.
    pub quiet_env: bool,
    /// Cell sizes of the objects that it makes.
    pub makes: Vec<u64>,
    /// Variables in the frame that hold counted values.
    pub slots: Vec<Val<'c>>,
    pub moves: Moves,
}

pub struct BlockIr<'c> {
    pub block: Block<'c>,
    /// For each argument, whether it counts.
    pub args: Vec<Option<ValueId>>,
    pub ops: Vec<OpIr<'c>>,
    pub edges: Vec<Edge>,
    /// How many edges lead here.
    pub incoming: usize,
    pub predecessors: Vec<u32>,
}

pub struct OpIr<'c> {
    pub op: Op<'c>,
    pub opcode: Opcode,
    /// Counted operands, in order; those of branches are on the edges.
    pub operands: Vec<(ValueId, Use)>,
    pub results: Vec<ValueId>,
    /// Values that stay alive up to here: those that a call gave whose exception is tested here.
    pub tested: Option<Tested>,
}

/// A branch on whether a call has raised; the first edge is the one where it has.
#[derive(Clone, Copy)]
pub struct Tested {
    pub value: Option<ValueId>,
    pub exn: ValueId,
}

pub struct Edge {
    pub target: usize,
    /// The operands that count, with the arguments that they become.
    pub passed: Vec<(ValueId, ValueId)>,
}

pub struct Value<'c> {
    pub value: Val<'c>,
    pub def: Def,
    /// Block and number of the op that makes it; 0 for an argument.
    pub place: (u32, u32),
    /// The region that it lies in, or may refer to.
    pub region: Option<ValueId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// Argument of a block, by number.
    Arg {
        block: u32,
        index: u32,
    },
    /// The op hands over a reference.
    Fresh,
    /// The exception of a call: null unless it has raised.
    Raised,
    Static,
    /// A module-level variable that is set once.
    Global,
    /// A part of another value that does not change, at least while the function runs.
    Part {
        of: ValueId,
        ctor: u32,
        index: u32,
        takeable: bool,
    },
    /// Read from memory that may change; `of` is the object read, if it counts.
    Load {
        of: Option<ValueId>,
        block: u32,
        at: u32,
    },
    /// Read from an array or a variable that can change, but not while the function runs.
    Kept {
        of: Option<ValueId>,
    },
    /// One of two values.
    Select,
    /// A pair of other values.
    Pair,
}

/// Where a value is used.
#[derive(Clone, Default)]
pub struct Uses {
    pub ops: Vec<(u32, u32)>,
    /// The branches that pass it on, to become an argument.
    pub passed: Vec<(u32, u32)>,
    /// The arguments that it becomes.
    pub args: Vec<ValueId>,
}

/// Does a value of this type hold references that count?
pub fn is_counted(ty: Type<'_>) -> bool {
    match ty.pair_parts() {
        Some(parts) => parts.iter().any(|&it| is_counted(it)),
        None => !matches!(ty.kind(), Kind::Foreign | Kind::Box),
    }
}

impl<'c> Program<'c> {
    pub fn read(module: impl Iterator<Item = Op<'c>>, functions: &[Op<'c>]) -> Self {
        let mut program = Self {
            functions: Vec::new(),
            by_name: FxHashMap::default(),
            datas: FxHashMap::default(),
            stores: single_stores::stores(functions),
            changed: FxHashSet::default(),
            stored: FxHashSet::default(),
            effects: Effects::none(),
            domains: functions
                .iter()
                .any(|&it| Func::of(it).sym_name() == oxbow_abi::PROGRAM_DOMAIN),
        };
        for op in module.filter_map(Data::cast) {
            program.datas.insert(op.sym_name().into(), op.ctors());
        }
        let mut code = FxHashSet::default();
        for &function in functions {
            for block in reverse_postorder(region_of(function)) {
                for op in ops_of(block) {
                    code.extend(view(op).new_closure_code());
                    if let Some(store) = BlockStore::cast(op) {
                        program.changed.insert(type_key(store.block().r#type()));
                        program.stored.extend(effects::place(op));
                    }
                }
            }
        }
        for &op in functions {
            let name = Func::of(op).sym_name();
            let is_pointed_to = code.contains(name) || Func::of(op).has_env();
            program.by_name.insert(name.into(), program.functions.len());
            let function = program.function(op, is_pointed_to);
            program.functions.push(function);
        }
        crate::self_borrowing::mark(&mut program);
        program.mark_regions();
        program.effects = Effects::new(&program.functions, &program.by_name, program.domains);
        program.mark_kept();
        program.mark_moved();
        program
    }

    fn function(&self, op: Op<'c>, is_pointed_to: bool) -> Function<'c> {
        let order = reverse_postorder(region_of(op));
        let numbers: FxHashMap<usize, usize> =
            order.iter().enumerate().map(|(at, it)| (it.to_raw().ptr as usize, at)).collect();
        let mut function = Function {
            op,
            blocks: Vec::new(),
            values: IdVec::new(),
            is_code: is_pointed_to || Func::of(op).exported(),
            is_pointed_to,
            has_env: Func::of(op).has_env(),
            quiet_env: false,
            makes: Vec::new(),
            slots: Vec::new(),
            moves: Moves::default(),
        };
        let mut ids: FxHashMap<usize, ValueId> = FxHashMap::default();
        for (number, &block) in order.iter().enumerate() {
            let mut args = Vec::new();
            for index in 0..block.argument_count() {
                let value = argument(block, index);
                args.push(is_counted(value.r#type()).then(|| {
                    let def = Def::Arg { block: number as u32, index: index as u32 };
                    let id = function.values.push(Value {
                        value,
                        def,
                        place: (number as u32, 0),
                        region: None,
                    });
                    ids.insert(key(value), id);
                    id
                }));
            }
            function.blocks.push(BlockIr {
                block,
                args,
                ops: Vec::new(),
                edges: Vec::new(),
                incoming: 0,
                predecessors: Vec::new(),
            });
        }
        for (number, &block) in order.iter().enumerate() {
            for (at, op) in ops_of(block).enumerate() {
                let it = self.op(&mut function, &mut ids, op, (number as u32, at as u32));
                function.blocks[number].ops.push(it);
            }
        }
        for (number, &block) in order.iter().enumerate() {
            let targets: Vec<_> = successors(block).iter().map(|it| numbers[&id(*it)]).collect();
            let edges = edges(&function, &ids, number, &targets);
            for &target in &targets {
                function.blocks[target].incoming += 1;
                function.blocks[target].predecessors.push(number as u32);
            }
            function.blocks[number].edges = edges;
        }
        function
    }

    fn op(
        &self,
        function: &mut Function<'c>,
        ids: &mut FxHashMap<usize, ValueId>,
        op: Op<'c>,
        place: (u32, u32),
    ) -> OpIr<'c> {
        let opcode = opcode(op);
        let all = operands(op);
        let mut counted = Vec::new();
        let borrows = self.may_borrow(op);
        if op.successor_count() == 0 {
            for (at, value) in all.iter().enumerate() {
                if let Some(&id) = ids.get(&key(*value)) {
                    let how = if borrows { Use::Pair } else { uses::of_operand(opcode, at) };
                    counted.push((id, how));
                }
            }
        }
        match view(op) {
            View::SlotNew(it) if is_counted(it.slot().r#type().element()) => {
                function.slots.push(it.slot());
            }
            View::BlockNew(it) if it.storage() == Storage::Counted => {
                let types: Vec<_> = all.iter().map(|it| it.r#type()).collect();
                function.makes.extend(block_cell(&types));
            }
            _ => (),
        }
        let mut results = Vec::new();
        for index in 0..op.result_count() {
            let value = result_of(op, index);
            if is_counted(value.r#type()) {
                let def = self.definition(ids, op, index, place);
                let id = function.values.push(Value { value, def, place, region: None });
                ids.insert(key(value), id);
                results.push(id);
            }
        }
        let is_branch = opcode == Opcode::Upstream(Upstream::CondBr);
        let tested = is_branch.then(|| tested(ids, all[0])).flatten();
        OpIr { op, opcode, operands: counted, results, tested }
    }

    fn definition(
        &self,
        ids: &FxHashMap<usize, ValueId>,
        op: Op<'c>,
        index: usize,
        place: (u32, u32),
    ) -> Def {
        let first =
            || op.operand(0).ok().and_then(|it| ids.get(&(it.to_raw().ptr as usize))).copied();
        let part = |ctor: u32, index: u32, takeable: bool| match first() {
            Some(of) => Def::Part { of, ctor, index, takeable },
            None => Def::Fresh,
        };
        let (block, at) = place;
        let load = |of: Option<ValueId>| Def::Load { of, block, at };
        match view(op) {
            View::BlockGet(it) => part(it.ctor(), it.index(), true),
            View::EnvGet(it) => part(0, it.index(), true),
            View::PairGet(it) => part(0, it.index(), true),
            View::ExnGet(it) => part(0, it.index(), false),
            View::EnvSelf(_) => part(0, 0, false),
            // A field that nothing in the program stores to is as good as an immutable one.
            View::BlockLoad(it)
                if effects::place(op).is_none_or(|it| !self.stored.contains(&it)) =>
            {
                part(it.ctor(), it.index(), true)
            }
            View::BlockLoad(_) | View::ArrayGet(_) => load(first()),
            View::SlotLoad(_) => load(None),
            View::GlobalLoad(it) => match self.stores.get(it.global()).copied().unwrap_or(0) {
                0 | 1 => Def::Global,
                _ => load(None),
            },
            View::StringConst(_)
            | View::Ctor(_)
            | View::ExnName(_)
            | View::ExnNone(_)
            | View::NoValue(_) => Def::Static,
            it @ (View::BlockNew(_) | View::ArrayNew(_))
                if it.storage() == Some(Storage::Static) =>
            {
                Def::Static
            }
            View::ArrayNew(_) | View::MakeClosure(_) | View::ExnNew(_)
                if op.operand_count() == 0 =>
            {
                Def::Static
            }
            // Numbers in place of constructors have no count.
            View::WordWrap(_)
            | View::WordOfInt(_)
            | View::WordOfMark(_)
            | View::WordOfFloat(_)
            | View::WordAdd(_)
            | View::WordSub(_)
            | View::WordMul(_) => Def::Static,
            View::PairNew(_) => Def::Pair,
            View::BlockNew(_) if self.may_borrow(op) => Def::Pair,
            View::Upstream(Upstream::Select, _) => Def::Select,
            // It gives an exception and no value.
            View::Call(it) if index == 0 && it.fails() => Def::Static,
            View::Call(_) | View::Invoke(_) if index == 1 => Def::Raised,
            _ => Def::Fresh,
        }
    }

    /// Notes what is read from places that nothing changes while the function runs.
    fn mark_kept(&mut self) {
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            let mut known: FxHashMap<Place, bool> = FxHashMap::default();
            let mut kept = Vec::new();
            for id in function.ids() {
                if let Def::Load { of, block, at } = function.values[id].def {
                    let op = &function.blocks[block as usize].ops[at as usize];
                    let Some(place) = effects::place(op.op) else { continue };
                    if *known.entry(place).or_insert_with(|| !self.may_change(function, place)) {
                        kept.push((id, of));
                    }
                }
            }
            for (id, of) in kept {
                let function = &mut self.functions[index];
                let (block, at) = function.values[id].place;
                let op = &function.blocks[block as usize].ops[at as usize];
                function.values[id].def = match (view(op.op), of) {
                    (View::BlockLoad(load), Some(of)) => {
                        Def::Part { of, ctor: load.ctor(), index: load.index(), takeable: true }
                    }
                    _ => Def::Kept { of },
                };
            }
        }
    }

    /// What is moved out of memory is owned by the reader.
    fn mark_moved(&mut self) {
        // Another domain may look at the place between the read and the store.
        if self.domains {
            return;
        }
        let outside = moves::called_at_any_time(self);
        for index in 0..self.functions.len() {
            let moves = moves::find(self, &self.functions[index], &outside);
            let function = &mut self.functions[index];
            for &(block, at) in &moves.reads {
                let read = &function.blocks[block as usize].ops[at as usize];
                for &value in &read.results {
                    function.values[value].def = Def::Fresh;
                }
            }
            function.moves = moves;
        }
    }

    /// May the place change before the last use of something read from it? A function called in
    /// tail position may change it, if nothing but what came from outside is lent to it.
    fn may_change(&self, function: &Function<'c>, place: Place) -> bool {
        let outside = |it: ValueId| match function.values[it].def {
            Def::Arg { block, .. } => block == 0,
            Def::Fresh | Def::Raised | Def::Static | Def::Global => true,
            Def::Part { .. } | Def::Load { .. } | Def::Kept { .. } | Def::Select | Def::Pair => {
                false
            }
        };
        function.blocks.iter().flat_map(|it| &it.ops).any(|op| match op.opcode {
            Opcode::TailCall | Opcode::TailInvoke => {
                self.effects.changes(op.op, place, &self.by_name)
                    && !op.operands.iter().all(|it| outside(it.0))
            }
            _ => self.effects.changes(op.op, place, &self.by_name),
        })
    }

    /// Can the op make an object that holds what somebody else keeps alive, without counting? It is
    /// in the frame, and what is in it does not change.
    fn may_borrow(&self, op: Op<'c>) -> bool {
        BlockNew::cast(op).is_some_and(|it| {
            it.storage() == Storage::Stack && !self.changed.contains(&type_key(it.block().r#type()))
        })
    }

    /// The size of the cell that a value of this type and constructor lies in.
    pub fn cell(&self, ty: Type<'c>, ctor: u32) -> Option<u64> {
        match ty.kind() {
            Kind::Tuple => block_cell(&ty.elements()),
            Kind::Data => block_cell(self.datas.get(ty.data_name())?.get(ctor as usize)?),
            _ => None,
        }
    }
}

/// The parameters of a function that lie in the region it gets.
pub fn kept(function: Op<'_>) -> Vec<u32> {
    Func::of(function).kept().unwrap_or_default()
}

/// The size of a small block's cell.
fn block_cell(types: &[Type<'_>]) -> Option<u64> {
    small_cell(ObjectKind::Tuple, 0, types)
}

/// What a branch on this condition tests.
fn tested(ids: &FxHashMap<usize, ValueId>, condition: Val<'_>) -> Option<Tested> {
    let raised = ExnRaised::defining(condition)?.exn();
    let exn = *ids.get(&key(raised))?;
    let call = definition(raised).filter(|it| it.result_count() == 2)?;
    let value = ids.get(&key(result_of(call, 0))).copied();
    Some(Tested { value, exn })
}

/// The edges of a block's last op.
fn edges(
    function: &Function<'_>,
    ids: &FxHashMap<usize, ValueId>,
    block: usize,
    targets: &[usize],
) -> Vec<Edge> {
    let Some(last) = function.blocks[block].ops.last() else { return Vec::new() };
    let all = operands(last.op);
    // The condition or the value that is switched on comes first.
    let mut rest = match last.opcode {
        Opcode::Upstream(Upstream::Br) => &all[..],
        _ => all.get(1..).unwrap_or_default(),
    };
    targets
        .iter()
        .map(|&target| {
            let args = &function.blocks[target].args;
            let (passed, others) = rest.split_at(args.len().min(rest.len()));
            rest = others;
            let passed = passed
                .iter()
                .zip(args)
                .filter_map(|(value, arg)| Some((*ids.get(&key(*value))?, (*arg)?)))
                .collect();
            Edge { target, passed }
        })
        .collect()
}

impl<'c> Function<'c> {
    /// The ops that use each value, as block and place; with what edges pass on.
    pub fn uses(&self) -> IdVec<ValueId, Uses> {
        let mut uses: IdVec<ValueId, Uses> = self.ids().map(|_| Uses::default()).collect();
        for (number, block) in self.blocks.iter().enumerate() {
            for (place, op) in block.ops.iter().enumerate() {
                for it in &op.operands {
                    uses[it.0].ops.push((number as u32, place as u32));
                }
            }
            for it in block.edges.iter().flat_map(|it| &it.passed) {
                uses[it.0].passed.push((number as u32, block.ops.len() as u32 - 1));
                uses[it.0].args.push(it.1);
            }
        }
        uses
    }

    pub fn ops(&self) -> impl Iterator<Item = &OpIr<'c>> {
        self.blocks.iter().flat_map(|it| &it.ops)
    }

    pub fn value_type(&self, value: ValueId) -> Type<'c> {
        self.values[value].value.r#type()
    }

    /// The op that makes a value.
    pub fn maker(&self, value: ValueId) -> Option<&OpIr<'c>> {
        let (block, at) = self.values[value].place;
        let op = &self.blocks[block as usize].ops[at as usize];
        (!self.is_arg(value)).then_some(op)
    }

    /// The block in which a value begins, and the first op behind.
    pub fn place(&self, value: ValueId) -> (usize, usize) {
        let (block, at) = self.values[value].place;
        (block as usize, at as usize + usize::from(!self.is_arg(value)))
    }

    /// Can the block of a value be entered again in one call?
    pub fn in_loop(&self, value: ValueId) -> bool {
        self.leads_to(self.place(value).0, self.place(value).0, None)
    }

    /// Does a path of one edge or more lead from a block to a block that does not enter another?
    pub fn leads_to(&self, from: usize, to: usize, without: Option<usize>) -> bool {
        let mut seen = vec![false; self.blocks.len()];
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            for edge in &self.blocks[at].edges {
                if edge.target == to {
                    return true;
                }
                if Some(edge.target) != without && !seen[edge.target] {
                    seen[edge.target] = true;
                    work.push(edge.target);
                }
            }
        }
        false
    }

    /// Is the result a record, variant or tuple in memory?
    pub fn returns_block(&self) -> bool {
        let outputs = Func::of(self.op).outputs();
        outputs.first().is_some_and(|it| matches!(it.kind(), Kind::Data | Kind::Tuple))
    }

    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    pub fn is_arg(&self, value: ValueId) -> bool {
        matches!(self.values[value].def, Def::Arg { .. })
    }

    pub fn ids(&self) -> impl Iterator<Item = ValueId> {
        (0..self.values.len()).map(ValueId::from_index)
    }
}
