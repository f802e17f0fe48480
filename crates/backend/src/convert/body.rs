//! Function bodies: blocks, and one arm for each op.

use oxbow_abi::PROGRAM_MAIN;
use oxbow_base::FxHashMap;
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{
    BlockLike, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike,
};
use oxbow_dialect::{
    Block, Kind, Likely, OcamlType, Op, Predicate, Val, mlir_sys as sys, region_of, result_of,
    type_key,
};

use super::alloc::Place;
use super::closures::{Gathered, OwnEnv, closure_symbol};
use super::llvm_ops::Access;
use super::shared::StoredTo;
use super::statics::{Constant, StaticObject};
use super::{Converter, Hint, NewFunction};
use oxbow_dialect::inspect::{key, operands, ops_of, place_of, reverse_postorder};
use oxbow_dialect::op::{
    self, DialectOp, EnvGet, InlineHint, MakeClosure, Opcode, OwnClosure, Storage, Take, Upstream,
    View, constant_value, opcode, switch_cases, view,
};

/// The function being converted.
pub struct Body<'c> {
    region: RegionRef<'c, 'c>,
    pub entry: Block<'c>,
    pub result: Type<'c>,
    pub raises: bool,
    pub exported: bool,
    /// The program ends when it returns.
    pub is_main: bool,
    /// Its own arguments are all in registers.
    pub in_registers: bool,
    /// It has a convention of its own, so that nothing is called in tail position.
    pub cold: bool,
    /// How fast it runs does not matter: its code is short, and calls what others have in place.
    pub rare: bool,
    values: FxHashMap<usize, Val<'c>>,
    blocks: FxHashMap<usize, Block<'c>>,
    pub constants: FxHashMap<usize, Constant<'c>>,
    /// Whether the closure whose code this is only lent itself.
    pub lent: Option<Lent<'c>>,
    /// A closure for the call in tail position that may be lent.
    pub may_be_lent: Option<Val<'c>>,
    /// Cells for objects that are made later, by token, with their sizes.
    pub cells: FxHashMap<u32, (u64, Val<'c>)>,
    /// The entry of the old function.
    old_entry: Option<Block<'c>>,
    /// Environments that are put together here.
    pub envs: FxHashMap<usize, Gathered<'c>>,
    /// The function's own environment.
    pub own: Option<OwnEnv<'c>>,
    /// Where a result of several parts is put together. One place for all returns keeps the
    /// parts apart where they meet, so that callers that inline the function see them.
    pub exit: Option<Block<'c>>,
    /// Variables for the objects of the frame, and how many are in use, where code is checked.
    pub frames: Vec<Val<'c>>,
    pub frames_made: std::cell::Cell<usize>,
    /// For each token a variable that tells whether it has a cell, where code is checked.
    pub tokens: FxHashMap<u32, Val<'c>>,
    /// The places of variables that debuggers know, by name, type, scope and number of the parameter.
    pub told: FxHashMap<(String, String, [u32; 2]), Val<'c>>,
}

/// Whether a closure only lends itself to its code.
#[derive(Clone, Copy)]
pub enum Lent<'c> {
    Always,
    Never,
    /// This says so when the code runs.
    If(Val<'c>),
}

impl<'c> Body<'c> {
    /// The body of a function that has no counterpart in the old module.
    pub fn generated(entry: Block<'c>, result: Type<'c>, in_registers: bool) -> Self {
        let region = entry.parent_region().expect("the entry block is placed");
        Self {
            // SAFETY: the block is alive, and so is its region, which is part of the module that is being built:
            // that lives until conversion has ended.
            region: unsafe { RegionRef::from_raw(region.to_raw()) },
            entry,
            result,
            raises: true,
            exported: false,
            is_main: false,
            in_registers,
            cold: false,
            rare: false,
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            constants: FxHashMap::default(),
            lent: None,
            may_be_lent: None,
            cells: FxHashMap::default(),
            old_entry: None,
            envs: FxHashMap::default(),
            own: None,
            exit: None,
            frames: Vec::new(),
            frames_made: Default::default(),
            tokens: FxHashMap::default(),
            told: FxHashMap::default(),
        }
    }

    /// The counterpart of the value with this key, if it has one.
    pub fn value(&self, key: usize) -> Option<Val<'c>> {
        self.values.get(&key).copied()
    }

    pub fn get(&self, value: Val<'c>) -> Val<'c> {
        match self.values.get(&key(value)) {
            Some(&it) => it,
            None => ice!("{value} has no counterpart"),
        }
    }

    pub fn get_pair(&self, first: Val<'c>, second: Val<'c>) -> [Val<'c>; 2] {
        [self.get(first), self.get(second)]
    }

    pub fn get_all(&self, values: &[Val<'c>]) -> Vec<Val<'c>> {
        values.iter().map(|it| self.get(*it)).collect()
    }

    /// The value that reads the capture of this number from an op's environment.
    pub fn captured(&self, take: Take<'c>, index: u32) -> Val<'c> {
        let found = ops_of(self.old_entry.expect("the function has an old entry"))
            .filter_map(EnvGet::cast)
            .find(|it| it.env() == take.object() && it.index() == index);
        match found {
            Some(get) => get.value(),
            None => ice!("capture {index} is not read"),
        }
    }

    /// The counterpart of a value that need not have one.
    pub fn made(&self, value: Val<'c>) -> Option<Val<'c>> {
        self.values.get(&key(value)).copied()
    }

    /// Notes the counterpart of a value.
    pub fn bind(&mut self, old: Val<'c>, value: Val<'c>) {
        self.values.insert(key(old), value);
    }

    pub fn set(&mut self, op: Op<'c>, index: usize, value: Val<'c>) {
        self.values.insert(key(result_of(op, index)), value);
    }
}

impl<'c> Converter<'c> {
    /// For each register of parameters of these types: the size of the object that it surely
    /// points to.
    fn pointer_facts(&self, types: &[Type<'c>]) -> Vec<Option<u64>> {
        let parts = types.iter().flat_map(|it| it.pair_parts().map_or(vec![*it], |it| it.to_vec()));
        parts.map(|it| self.object_size(it)).collect()
    }

    /// How much memory a value of this type points to at least, if it is a pointer for sure.
    pub fn object_size(&self, ty: Type<'c>) -> Option<u64> {
        match ty.kind() {
            // Their memory is given back to the system.
            _ if self.is_measured() => None,
            Kind::Closure | Kind::Env => Some(8),
            Kind::Box => Some(self.layout.size_align(ty.element()).0),
            Kind::Tuple => Some(self.layout.fields(&ty.elements()).size),
            Kind::Data => match &self.datas.get(ty.data_name())?[..] {
                [only] if !only.is_empty() => Some(self.layout.fields(only).size),
                _ => None,
            },
            // Large strings and arrays are given back to the system.
            Kind::String | Kind::Array | Kind::Exn | Kind::Foreign => None,
            Kind::Region => Some(oxbow_abi::REGION_SIZE),
        }
    }

    /// Goes on in a new block of the function.
    pub fn start(&mut self, body: &Body<'c>, block: Block<'c>) {
        self.build.place(block, body.region);
        self.build.set_block(block);
    }

    pub fn function(&mut self, source: op::Func<'c>) {
        let op = source.op();
        let func = self.funcs[source.sym_name()].clone();
        self.build.location = op.location();
        let mut params = self.layout.flat_all(&func.params);
        let mut facts = self.pointer_facts(&func.params);
        if func.gets_closure() {
            params.insert(0, self.layout.ptr);
            facts.insert(0, None);
        }
        let result = if func.exported {
            self.layout.void
        } else {
            self.layout.result(func.result, func.raises)
        };
        let hint = match source.inline_hint() {
            Some(InlineHint::Always) => Hint::Inline,
            Some(InlineHint::Never) => Hint::NoInline,
            Some(InlineHint::Cold) => Hint::Cold,
            Some(InlineHint::Rare) => Hint::Rare,
            None => Hint::None,
        };
        let target = self.append_function(&NewFunction {
            symbol: &func.symbol,
            params: &params,
            facts: &facts,
            result,
            convention: func.convention(),
            exported: func.exported,
            hint,
        });
        let region = region_of(target);
        let order = reverse_postorder(region_of(op));
        let mut blocks = FxHashMap::default();
        for &old in &order {
            let count = old.argument_count();
            let types: Vec<_> =
                (0..count).map(|at| self.build.argument(old, at).r#type()).collect();
            let mut flat = self.layout.flat_all(&types);
            if func.only_value && blocks.is_empty() {
                flat.insert(0, self.layout.ptr);
            }
            let new = self.build.new_block(&flat);
            blocks.insert(old.to_raw().ptr as usize, new);
        }
        let entry = blocks[&(order[0].to_raw().ptr as usize)];
        let mut body = Body {
            region,
            entry,
            result: func.result,
            raises: func.raises,
            exported: func.exported,
            is_main: func.symbol == PROGRAM_MAIN,
            in_registers: func.in_registers,
            cold: func.cold,
            rare: hint == Hint::Rare,
            values: FxHashMap::default(),
            blocks,
            constants: FxHashMap::default(),
            lent: None,
            may_be_lent: None,
            cells: FxHashMap::default(),
            old_entry: Some(order[0]),
            envs: FxHashMap::default(),
            own: None,
            exit: None,
            frames: Vec::new(),
            frames_made: Default::default(),
            tokens: FxHashMap::default(),
            told: FxHashMap::default(),
        };
        for &old in &order {
            let new = body.blocks[&(old.to_raw().ptr as usize)];
            self.start(&body, new);
            let arguments: Vec<_> =
                (0..old.argument_count()).map(|at| self.build.argument(old, at)).collect();
            let types: Vec<_> = arguments.iter().map(|it| it.r#type()).collect();
            let is_entry = old.to_raw().ptr == order[0].to_raw().ptr;
            let first = usize::from(func.only_value && is_entry);
            let registers: Vec<_> =
                (first..new.argument_count()).map(|at| self.build.argument(new, at)).collect();
            for (argument, value) in arguments.iter().zip(self.implode_all(&types, &registers)) {
                body.bind(*argument, value);
            }
            if is_entry && func.captures.is_some() {
                let (closure, lent) = match func.own_closure {
                    Some(OwnClosure::Lent) => (registers[0], Lent::Always),
                    Some(OwnClosure::Owned) => (registers[0], Lent::Never),
                    Some(OwnClosure::Either) => {
                        let (closure, lent) = self.split_self(registers[0]);
                        (closure, Lent::If(lent))
                    }
                    None => ice!("nothing says what calls of {} do with its closure", func.symbol),
                };
                self.enter_env(&mut body, &func, arguments[0], closure);
                body.lent = Some(lent);
            }
            if is_entry {
                self.build.location = op.location();
                if body.is_main {
                    self.start_program();
                }
                self.open_frames(&mut body, order.iter().flat_map(|&it| ops_of(it)));
            }
            for op in ops_of(old) {
                self.build.location = op.location();
                self.op(&mut body, op);
            }
        }
        self.close(&mut body);
    }

    /// Emits the shared exit, if something uses it.
    pub fn close(&mut self, body: &mut Body<'c>) {
        if let Some(exit) = body.exit.take() {
            self.start(body, exit);
            let parts: Vec<_> =
                (0..exit.argument_count()).map(|at| self.build.argument(exit, at)).collect();
            let packed = self.pack(&parts);
            self.ret(Some(packed));
        }
    }

    /// Converts an op.
    fn op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        use Opcode::*;
        let opcode = opcode(op);
        if let Upstream(which) = opcode {
            if which == op::Upstream::Constant {
                let value = constant_value(op).expect("a constant has a value");
                body.constants.insert(key(result_of(op, 0)), Constant::Scalar(value));
            }
            return self.copy(body, op);
        }
        self.check_operands(body, op);
        match opcode {
            Return | Raise | Call | TailCall | Invoke | TailInvoke | RuntimeCall | ForeignCall => {
                self.control_op(body, op);
            }
            MakeClosure | ClosureDeclare | ClosureFill | GlobalLoad | GlobalStore | SlotNew
            | SlotLoad | SlotStore | NoValue | Variable | Alive => self.variable_op(body, op),
            PairNew | PairGet | BlockNew | BlockGet | BlockLoad | BlockStore | BlockTag | Ctor
            | IsImmediate | Immediate | PhysEq | Opaque | NativeLoad | NativeStore => {
                self.data_op(body, op);
            }
            WordIsInt | WordToInt | WordOfInt | WordWrap | WordUnwrap | WordIsMark | WordToMark
            | WordOfMark | WordIsFloat | WordToFloat | WordOfFloat | WordFloatFits | WordAdd
            | WordAddFits | WordSub | WordSubFits | WordMul | WordMulFits | WordLess => {
                self.word_op(body, op)
            }
            StringConst | StringLength | StringGet | StringSet | ArrayNew | ArrayMake
            | ArrayUninit | ArrayLength | ArrayGet | ArraySet | ArrayBlit => {
                self.array_op(body, op);
            }
            ExnNew | ExnIs | ExnGet | ExnName | ExnRaised | ExnNone => self.exn_op(body, op),
            EnvNew | EnvCapture | EnvDeclare | EnvFill | EnvGet | EnvSelf | Closure => {
                self.env_op(body, op);
            }
            Dup | Drop | Take => self.reference_op(body, op),
            RegionEnter | RegionBlock | RegionClosure | RegionReset | RegionLeave => {
                self.region_op(body, op);
            }
            Func | Data | Exception | Family | Global | Objects | Upstream(_) => {
                ice!("{opcode:?} stands in no function")
            }
        }
    }

    /// Closures that are made in one step, and variables.
    fn variable_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        let value = match view(op) {
            View::MakeClosure(it) => self.make_closure_op(body, it),
            View::ClosureDeclare(it) => {
                let func = self.funcs[it.func()].clone();
                self.closure_object(body, &func, place(it.storage()))
            }
            View::ClosureFill(it) => {
                let func = self.funcs[it.func()].clone();
                let (closure, captures) = (body.get(it.closure()), body.get_all(&it.captures()));
                self.fill_closure(body, &func, closure, &captures, Place::Heap);
                if it.suspect() {
                    self.note_fill(closure);
                }
                return;
            }
            View::GlobalLoad(it) => {
                let address = self.address_of(&super::variable_symbol(it.global()));
                self.load(it.value().r#type(), address, 0, Access::Global)
            }
            View::GlobalStore(it) => {
                let address = self.address_of(&super::variable_symbol(it.global()));
                let (ty, value) = (it.value().r#type(), body.get(it.value()));
                if it.replaces() {
                    let access = Access::Global;
                    let place = StoredTo { object: None, base: address, offset: 0, access };
                    return self.replace(body, ty, value, place, |_, _| ());
                }
                if self.domains {
                    return self.set_once(ty, value, address);
                }
                return self.store(ty, value, address, 0, Access::Global);
            }
            View::NoValue(it) => self.no_value(it.value().r#type()),
            View::Variable(it) => return self.tell_variable(body, it),
            View::Alive(_) => return,
            View::SlotNew(it) => {
                let element = it.slot().r#type().element();
                let (size, align) = self.layout.size_align(element);
                let slot = self.frame(body, size, align);
                self.clear_slot(slot, element);
                slot
            }
            View::SlotLoad(it) => {
                self.load(it.slot().r#type().element(), body.get(it.slot()), 0, Access::Any)
            }
            View::SlotStore(it) => {
                let (value, slot) = (body.get(it.value()), body.get(it.slot()));
                return self.store(it.value().r#type(), value, slot, 0, Access::Any);
            }
            _ => ice!("{:?} is no op on variables", opcode(op)),
        };
        body.set(op, 0, value);
    }

    fn make_closure_op(&mut self, body: &mut Body<'c>, new: MakeClosure<'c>) -> Val<'c> {
        let symbol = new.func();
        self.use_token(body, new.op());
        let captures = body.get_all(&new.captures());
        if captures.is_empty() {
            let constant = Constant::Object(closure_symbol(symbol));
            body.constants.insert(key(new.closure()), constant);
        }
        self.make_closure(body, symbol, &captures, new.storage())
    }

    /// A value that nobody looks at, but that may be dropped.
    pub fn no_value(&mut self, ty: Type<'c>) -> Val<'c> {
        if let Some(parts) = ty.pair_parts() {
            let parts = parts.map(|it| self.no_value(it));
            return self.pack(&parts);
        }
        if self.layout.is_counted(ty) {
            self.nothing(ty)
        } else {
            self.poison(self.layout.value(ty))
        }
    }

    /// An op of another dialect, with operands, successors and types replaced.
    fn copy(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        if op.successor_count() > 0 && op.operands().any(|it| it.r#type().pair_parts().is_some()) {
            return self.branch_with_pairs(body, op);
        }
        // SAFETY: the op is alive, indices are below the numbers that MLIR gives, and the copy is nobody's until it
        // is appended. Its results get their new types before anything uses them.
        unsafe {
            let clone = sys::mlirOperationClone(op.to_raw());
            for at in 0..sys::mlirOperationGetNumOperands(clone) {
                let old = Value::from_raw(sys::mlirOperationGetOperand(op.to_raw(), at));
                sys::mlirOperationSetOperand(clone, at, body.get(old).to_raw());
            }
            for at in 0..sys::mlirOperationGetNumSuccessors(clone) {
                let old = sys::mlirOperationGetSuccessor(op.to_raw(), at);
                let new = body.blocks[&(old.ptr as usize)];
                sys::mlirOperationSetSuccessor(clone, at, new.to_raw());
            }
            for at in 0..sys::mlirOperationGetNumResults(clone) {
                let result: Val<'c> = Value::from_raw(sys::mlirOperationGetResult(clone, at));
                let ty = self.layout.value(result.r#type());
                sys::mlirValueSetType(result.to_raw(), ty.to_raw());
                body.set(op, at as usize, result);
            }
            sys::mlirBlockAppendOwnedOperation(self.build.block().to_raw(), clone);
        }
    }

    /// A branch some of whose operands are pairs, which take two block arguments.
    fn branch_with_pairs(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        let successors: Vec<_> =
            op.successors().map(|it| body.blocks[&(it.to_raw().ptr as usize)]).collect();
        let old = operands(op);
        let flat = |this: &Self, range: &[Val<'c>]| {
            this.explode_all(range.iter().map(|it| (it.r#type(), body.get(*it))))
        };
        match opcode(op) {
            Opcode::Upstream(Upstream::Br) => {
                let arguments = flat(self, &old);
                self.build.br(successors[0], &arguments);
            }
            Opcode::Upstream(Upstream::CondBr) => {
                let count = op.successor(0).map(|it| it.argument_count()).unwrap_or_default();
                let (yes, no) = old[1..].split_at(count);
                let (yes, no) = (flat(self, yes), flat(self, no));
                let condition = body.get(old[0]);
                let likely = Likely::Unknown;
                self.build.cond_br_with(
                    condition,
                    (successors[0], &yes),
                    (successors[1], &no),
                    likely,
                );
            }
            Opcode::Upstream(Upstream::Switch) => {
                let counts: Vec<_> = op.successors().map(|it| it.argument_count()).collect();
                let mut rest = &old[1..];
                let mut segments = Vec::new();
                let mut all = vec![body.get(old[0])];
                for count in counts {
                    let (mine, others) = rest.split_at(count);
                    let mine = flat(self, mine);
                    segments.push(mine.len() as i32);
                    all.extend(mine);
                    rest = others;
                }
                let (first, cases) = segments.split_first().expect("a switch has a default");
                let cases_total = cases.iter().sum();
                let mut attributes = vec![
                    ("case_operand_segments", self.build.i32_list(cases)),
                    ("operandSegmentSizes", self.build.i32_list(&[1, *first, cases_total])),
                ];
                attributes.extend(switch_cases(op).map(|it| ("case_values", it)));
                self.build.op_with_successors("cf.switch", &all, &[], &attributes, &successors);
            }
            other => ice!("{other:?} with pairs"),
        }
    }

    /// A constant object for an op whose operands are all constants.
    pub fn static_block(
        &mut self,
        body: &mut Body<'c>,
        op: Op<'c>,
        header: u64,
        descriptor: Option<String>,
        fields: &[(Type<'c>, Constant<'c>)],
    ) {
        let symbol = self.fresh_static("static");
        self.static_object(&StaticObject { symbol: &symbol, header, descriptor, fields });
        self.set_static(body, op, symbol);
    }

    /// The same for one that nothing can change; equal ones of one file are one, as OCaml's constants are.
    pub fn shared_block(
        &mut self,
        body: &mut Body<'c>,
        op: Op<'c>,
        header: u64,
        descriptor: Option<String>,
        fields: &[(Type<'c>, Constant<'c>)],
    ) {
        let ty = result_of(op, 0).r#type();
        let file = place_of(self.build.location).map(|it| it.file);
        let fields_text: Vec<_> = fields.iter().map(|it| (type_key(it.0), &it.1)).collect();
        let ty = type_key(ty);
        let text = format!("{file:?} {ty} {header} {descriptor:?} {fields_text:?}");
        let symbol = match self.blocks.get(&text) {
            Some(symbol) => symbol.clone(),
            None => {
                let symbol = self.fresh_static("static");
                self.static_object(&StaticObject { symbol: &symbol, header, descriptor, fields });
                self.blocks.insert(text, symbol.clone());
                symbol
            }
        };
        self.set_static(body, op, symbol);
    }

    fn set_static(&mut self, body: &mut Body<'c>, op: Op<'c>, symbol: String) {
        let value = self.object_address(&symbol);
        body.constants.insert(key(result_of(op, 0)), Constant::Object(symbol));
        body.set(op, 0, value);
    }

    /// Physical equality of values of one dialect type.
    pub fn same(&mut self, ty: Type<'c>, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        match ty.pair_parts() {
            Some(parts) => {
                let [first, second] = [0, 1].map(|at| {
                    let part = self.layout.value(parts[at]);
                    let (a, b) =
                        (self.extract(a, at as i64, part), self.extract(b, at as i64, part));
                    self.same(parts[at], a, b)
                });
                self.binary("and", first, second)
            }
            // A float has no address here: it is the same if its bits are, as a `nan` is.
            None if ty.is_float() => {
                let types = &self.layout.types;
                let bits = if ty == types.f32 { types.i32 } else { types.i64 };
                let [a, b] = [a, b].map(|it| self.cast("bitcast", it, bits));
                self.icmp(Predicate::Eq, a, b)
            }
            None => self.icmp(Predicate::Eq, a, b),
        }
    }
}

pub fn types_of<'c>(values: &[Val<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|it| it.r#type()).collect()
}

pub fn place(storage: Storage) -> Place {
    match storage {
        Storage::Stack => Place::Frame,
        // What is no constant after all is counted.
        Storage::Counted | Storage::Static => Place::Heap,
    }
}
