//! Builders for the dialect's ops and for the ops of `arith` and `cf` used with them.

use melior::ir::r#type::FunctionType;
use melior::ir::{Attribute, Type, TypeLike, ValueLike};
use mlir_sys as sys;

use crate::OcamlType;
use crate::builder::{Block, Builder, Op, Val, result_of};
use crate::op::{InlineHint, Storage};

/// Integer comparison, numbered as `arith.cmpi` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predicate {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
    Ule = 7,
    Ugt = 8,
    Uge = 9,
}

impl Predicate {
    pub(crate) fn of_number(number: i64) -> Option<Self> {
        use Predicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let all = [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge];
        all.get(usize::try_from(number).ok()?).copied()
    }
}

/// Float comparison, numbered as `arith.cmpf` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatPredicate {
    Oeq = 1,
    Ogt = 2,
    Oge = 3,
    Olt = 4,
    Ole = 5,
    Une = 13,
}

/// How likely a branch takes its first successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Likely {
    Unknown,
    First,
    Second,
}

/// The parts of a function's declaration.
pub struct FuncSpec<'a, 'c> {
    pub name: &'a str,
    pub params: &'a [Type<'c>],
    pub result: Type<'c>,
    pub raises: bool,
    pub captures: &'a [Type<'c>],
    /// One for each capture, or none at all.
    pub capture_names: &'a [&'a str],
    pub inline_hint: Option<InlineHint>,
    pub exported: bool,
}

impl<'c> Builder<'c> {
    /// A function with an empty body, appended to the current block.
    pub fn func(&self, spec: &FuncSpec<'_, 'c>) -> Op<'c> {
        let results = [spec.result, self.types.exn];
        let results = if spec.raises { &results[..] } else { &results[..1] };
        let ty = FunctionType::new(self.context, spec.params, results).into();
        let mut attributes =
            vec![("sym_name", self.string(spec.name)), ("function_type", self.type_attr(ty))];
        if !spec.captures.is_empty() {
            attributes.push(("captures", self.type_list(spec.captures)));
            if !spec.capture_names.is_empty() {
                let names: Vec<_> = spec.capture_names.iter().map(|it| self.string(it)).collect();
                attributes.push(("capture_names", self.list(&names)));
            }
        }
        if let Some(hint) = spec.inline_hint {
            attributes.push(("inline_hint", self.string(hint.word())));
        }
        if spec.exported {
            attributes.push(("exported", self.unit()));
        }
        let op = self.detached("ocaml.func", &[], &[], &attributes, &[], 1);
        self.append_op(op);
        op
    }

    // Scalars.

    pub fn const_int(&self, ty: Type<'c>, value: i64) -> Val<'c> {
        self.value("arith.constant", &[], ty, &[("value", self.integer(ty, value))])
    }
    pub fn const_bool(&self, value: bool) -> Val<'c> {
        self.const_int(self.types.i1, value.into())
    }
    pub fn const_float(&self, ty: Type<'c>, value: f64) -> Val<'c> {
        self.value("arith.constant", &[], ty, &[("value", self.float(ty, value))])
    }
    /// `arith.<name>` on two values of one type.
    pub fn arith(&self, name: &str, lhs: Val<'c>, rhs: Val<'c>) -> Val<'c> {
        self.value(&format!("arith.{name}"), &[lhs, rhs], lhs.r#type(), &[])
    }
    /// `arith.<name>` from one type to another.
    pub fn cast(&self, name: &str, value: Val<'c>, to: Type<'c>) -> Val<'c> {
        self.value(&format!("arith.{name}"), &[value], to, &[])
    }
    pub fn cmp(&self, predicate: Predicate, lhs: Val<'c>, rhs: Val<'c>) -> Val<'c> {
        let predicate = self.integer(self.types.i64, predicate as i64);
        self.value("arith.cmpi", &[lhs, rhs], self.types.i1, &[("predicate", predicate)])
    }
    pub fn cmpf(&self, predicate: FloatPredicate, lhs: Val<'c>, rhs: Val<'c>) -> Val<'c> {
        let predicate = self.integer(self.types.i64, predicate as i64);
        self.value("arith.cmpf", &[lhs, rhs], self.types.i1, &[("predicate", predicate)])
    }
    pub fn select(&self, condition: Val<'c>, yes: Val<'c>, no: Val<'c>) -> Val<'c> {
        self.value("arith.select", &[condition, yes, no], yes.r#type(), &[])
    }
    /// The plain number of an `int`: half of what the register holds, which is even.
    pub fn untag(&self, value: Val<'c>) -> Val<'c> {
        let one = self.const_int(self.types.i64, 1);
        self.value("arith.shrsi", &[value, one], self.types.i64, &[("isExact", self.unit())])
    }
    /// An `int` from a number that fits 63 bits.
    pub fn tag_small(&self, value: Val<'c>) -> Val<'c> {
        let one = self.const_int(self.types.i64, 1);
        let flags = self.parsed("#arith.overflow<nsw>");
        self.value("arith.shli", &[value, one], self.types.i64, &[("overflowFlags", flags)])
    }
    /// An `int` from any number, modulo 2^63.
    pub fn tag(&self, value: Val<'c>) -> Val<'c> {
        let one = self.const_int(self.types.i64, 1);
        self.arith("shli", value, one)
    }

    // Control flow.

    pub fn br(&self, target: Block<'c>, arguments: &[Val<'c>]) {
        self.op_with_successors("cf.br", arguments, &[], &[], &[target]);
    }
    pub fn cond_br(&self, condition: Val<'c>, yes: Block<'c>, no: Block<'c>, likely: Likely) {
        self.cond_br_with(condition, (yes, &[]), (no, &[]), likely);
    }
    pub fn cond_br_with(
        &self,
        condition: Val<'c>,
        yes: (Block<'c>, &[Val<'c>]),
        no: (Block<'c>, &[Val<'c>]),
        likely: Likely,
    ) {
        let mut operands = vec![condition];
        operands.extend(yes.1);
        operands.extend(no.1);
        let sizes = self.i32_list(&[1, yes.1.len() as i32, no.1.len() as i32]);
        let mut attributes = vec![("operandSegmentSizes", sizes)];
        match likely {
            Likely::Unknown => (),
            Likely::First => attributes.push(("branch_weights", self.i32_list(&[4000, 1]))),
            Likely::Second => attributes.push(("branch_weights", self.i32_list(&[1, 4000]))),
        }
        self.op_with_successors("cf.cond_br", &operands, &[], &attributes, &[yes.0, no.0]);
    }
    /// Branches to the block of the case that equals `flag`, else to `default`.
    pub fn switch(&self, flag: Val<'c>, default: Block<'c>, cases: &[(i64, Block<'c>)]) {
        if cases.is_empty() {
            return self.br(default, &[]);
        }
        let ty = flag.r#type();
        let values: Vec<Attribute> = cases.iter().map(|it| self.integer(ty, it.0)).collect();
        // SAFETY: all is of one context; there are as many elements as the shape says, of the tensor's type.
        let values = unsafe {
            let shape = [cases.len() as i64];
            let tensor = sys::mlirRankedTensorTypeGet(
                1,
                shape.as_ptr(),
                ty.to_raw(),
                sys::mlirAttributeGetNull(),
            );
            let raw: Vec<_> = values.iter().map(melior::ir::AttributeLike::to_raw).collect();
            Attribute::from_raw(sys::mlirDenseElementsAttrGet(
                tensor,
                raw.len() as isize,
                raw.as_ptr(),
            ))
        };
        let attributes = [
            ("case_values", values),
            ("case_operand_segments", self.i32_list(&vec![0; cases.len()])),
            ("operandSegmentSizes", self.i32_list(&[1, 0, 0])),
        ];
        let mut successors = vec![default];
        successors.extend(cases.iter().map(|it| it.1));
        self.op_with_successors("cf.switch", &[flag], &[], &attributes, &successors);
    }
    pub fn unreachable(&self) {
        self.op("llvm.unreachable", &[], &[], &[]);
    }

    // Functions and closures.

    pub fn return_(&self, value: Val<'c>) {
        self.op("ocaml.return", &[value], &[], &[]);
    }
    pub fn raise(&self, exn: Val<'c>) {
        self.op("ocaml.raise", &[exn], &[], &[]);
    }
    /// The value, and the exception of a callee that raises.
    pub fn call(
        &self,
        callee: &str,
        args: &[Val<'c>],
        result: Type<'c>,
        raises: bool,
    ) -> (Val<'c>, Option<Val<'c>>) {
        let results = [result, self.types.exn];
        let results = if raises { &results[..] } else { &results[..1] };
        let op = self.op("ocaml.call", args, results, &[("callee", self.symbol(callee))]);
        (result_of(op, 0), raises.then(|| result_of(op, 1)))
    }
    pub fn tail_call(&self, callee: &str, args: &[Val<'c>]) {
        self.op("ocaml.tail_call", args, &[], &[("callee", self.symbol(callee))]);
    }
    pub fn invoke(
        &self,
        closure: Val<'c>,
        args: &[Val<'c>],
        result: Type<'c>,
    ) -> (Val<'c>, Val<'c>) {
        let mut operands = vec![closure];
        operands.extend(args);
        let op = self.op("ocaml.invoke", &operands, &[result, self.types.exn], &[]);
        (result_of(op, 0), result_of(op, 1))
    }
    pub fn tail_invoke(&self, closure: Val<'c>, args: &[Val<'c>]) {
        let mut operands = vec![closure];
        operands.extend(args);
        self.op("ocaml.tail_invoke", &operands, &[], &[]);
    }
    pub fn runtime_call(
        &self,
        callee: &str,
        args: &[Val<'c>],
        result: Option<Type<'c>>,
    ) -> Option<Val<'c>> {
        let results: Vec<_> = result.into_iter().collect();
        let op = self.op("ocaml.runtime.call", args, &results, &[("callee", self.symbol(callee))]);
        result.map(|_| result_of(op, 0))
    }
    pub fn make_closure(
        &self,
        func: &str,
        captures: &[Val<'c>],
        ty: Type<'c>,
        storage: Storage,
    ) -> Val<'c> {
        let attributes = [("func", self.symbol(func)), ("storage", self.string(storage.word()))];
        self.value("ocaml.make_closure", captures, ty, &attributes)
    }
    pub fn env_get(&self, env: Val<'c>, index: u32, ty: Type<'c>) -> Val<'c> {
        self.value("ocaml.env.get", &[env], ty, &[("index", self.i32_attr(index))])
    }
    pub fn env_self(&self, env: Val<'c>, ty: Type<'c>) -> Val<'c> {
        self.value("ocaml.env.self", &[env], ty, &[])
    }

    // Variables.

    pub fn global(&self, name: &str, ty: Type<'c>) -> Op<'c> {
        let attributes = [("sym_name", self.string(name)), ("type", self.type_attr(ty))];
        self.op("ocaml.global", &[], &[], &attributes)
    }
    pub fn global_load(&self, name: &str, ty: Type<'c>) -> Val<'c> {
        self.value("ocaml.global_load", &[], ty, &[("global", self.symbol(name))])
    }
    pub fn global_store(&self, name: &str, value: Val<'c>) {
        self.op("ocaml.global_store", &[value], &[], &[("global", self.symbol(name))]);
    }
    pub fn slot_load(&self, slot: Val<'c>) -> Val<'c> {
        self.value("ocaml.slot.load", &[slot], slot.r#type().element(), &[])
    }
    pub fn slot_store(&self, value: Val<'c>, slot: Val<'c>) {
        self.op("ocaml.slot.store", &[value, slot], &[], &[]);
    }

    // Data.

    pub fn pair_new(&self, first: Val<'c>, second: Val<'c>) -> Val<'c> {
        let ty = self.types.pair(first.r#type(), second.r#type());
        self.value("ocaml.pair.new", &[first, second], ty, &[])
    }
    pub fn pair_get(&self, pair: Val<'c>, index: u32, ty: Type<'c>) -> Val<'c> {
        self.value("ocaml.pair.get", &[pair], ty, &[("index", self.i32_attr(index))])
    }
    pub fn block_new(
        &self,
        ctor: u32,
        fields: &[Val<'c>],
        ty: Type<'c>,
        storage: Storage,
    ) -> Val<'c> {
        let attributes = [("ctor", self.i32_attr(ctor)), ("storage", self.string(storage.word()))];
        self.value("ocaml.block.new", fields, ty, &attributes)
    }
    /// An immutable field.
    pub fn block_get(&self, block: Val<'c>, ctor: u32, index: u32, ty: Type<'c>) -> Val<'c> {
        let attributes = [("ctor", self.i32_attr(ctor)), ("index", self.i32_attr(index))];
        self.value("ocaml.block.get", &[block], ty, &attributes)
    }
    /// A mutable field.
    pub fn block_load(&self, block: Val<'c>, ctor: u32, index: u32, ty: Type<'c>) -> Val<'c> {
        let attributes = [("ctor", self.i32_attr(ctor)), ("index", self.i32_attr(index))];
        self.value("ocaml.block.load", &[block], ty, &attributes)
    }
    /// `acyclic`: it is known to close no cycle.
    pub fn block_store(
        &self,
        value: Val<'c>,
        block: Val<'c>,
        ctor: u32,
        index: u32,
        acyclic: bool,
    ) {
        let mut attributes = vec![("ctor", self.i32_attr(ctor)), ("index", self.i32_attr(index))];
        if acyclic {
            attributes.push(("acyclic", self.unit()));
        }
        self.op("ocaml.block.store", &[value, block], &[], &attributes);
    }
    pub fn ctor(&self, number: u32, ty: Type<'c>) -> Val<'c> {
        self.value("ocaml.ctor", &[], ty, &[("value", self.i32_attr(number))])
    }
    pub fn string_const(&self, bytes: &[u8]) -> Val<'c> {
        self.value("ocaml.string.const", &[], self.types.string, &[("value", self.bytes(bytes))])
    }
    pub fn exn_new(&self, exception: &str, fields: &[Val<'c>], storage: Storage) -> Val<'c> {
        let attributes =
            [("exception", self.symbol(exception)), ("storage", self.string(storage.word()))];
        self.value("ocaml.exn.new", fields, self.types.exn, &attributes)
    }
    pub fn exn_is(&self, exn: Val<'c>, exception: &str) -> Val<'c> {
        self.value("ocaml.exn.is", &[exn], self.types.i1, &[("exception", self.symbol(exception))])
    }
    pub fn exn_get(&self, exn: Val<'c>, exception: &str, index: u32, ty: Type<'c>) -> Val<'c> {
        let attributes = [("exception", self.symbol(exception)), ("index", self.i32_attr(index))];
        self.value("ocaml.exn.get", &[exn], ty, &attributes)
    }
    pub fn exn_raised(&self, exn: Val<'c>) -> Val<'c> {
        self.value("ocaml.exn.raised", &[exn], self.types.i1, &[])
    }
}
