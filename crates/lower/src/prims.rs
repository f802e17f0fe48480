//! Primitive operations.
//!
//! An `int` is held as twice its value, so that sums, differences and comparisons are the
//! machine's own and 63-bit wrap-around is exact:
//!
//! ```text
//! a * b      (a >> 1) * b        a / b    (a / b) << 1       a mod b   a mod b
//! a lsl n    a << (n >> 1)       a lsr n  (a >>> n) & ~1     a asr n   (a >> n) & ~1
//! ```

use oxbow_abi::AbiType;
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op;
use oxbow_dialect::{Builder, FloatPredicate, Predicate, Val};
use oxbow_psg::{FloatOp, IntOp, IntWidth, NodeId, NodeKind, OrderOp, Prim, Ty, TyId, kernels};

use crate::function::Function;
use crate::written::Written;

impl<'c> Function<'_, '_, 'c> {
    /// The value of a primitive; `None` if it does not return.
    pub fn prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) -> Option<Val<'c>> {
        let program = self.low.program;
        let it = &program.nodes[node];
        let operands = self.operands(args)?;
        self.at(it.span);
        let arg_type = args.first().map(|&arg| program.ty(arg));
        let types = self.low.build.types;
        let build = &self.low.build;
        Some(match (prim, &operands[..]) {
            // The first factor is shifted; a constant is so when the program is compiled.
            (Prim::Int(width, IntOp::Mul), &[a, b])
                if args
                    .get(1)
                    .is_some_and(|&it| matches!(program.nodes[it].kind, NodeKind::Const(_))) =>
            {
                self.int(width, IntOp::Mul, b, a)
            }
            (Prim::Int(width, op), &[a, b]) => self.int(width, op, a, b),
            (Prim::Int(width, IntOp::Neg), &[a]) => {
                let value = build.arith("subi", build.const_int(a.r#type(), 0), a);
                self.narrow(width, value)
            }
            (Prim::Float(op), args) => self.float(op, args),
            (Prim::Order(op), &[a, b]) => self.order(op, arg_type?, a, b),
            (Prim::IntCast { from, to }, &[a]) => self.int_cast(from, to, a),
            (Prim::IntToFloat(from), &[a]) => {
                let plain = if from == IntWidth::I63 { build.untag(a) } else { a };
                build.cast(if from.signed() { "sitofp" } else { "uitofp" }, plain, types.f64)
            }
            (Prim::FloatToInt(to), &[a]) => {
                match to {
                    // Out of range it is some number, not poison.
                    IntWidth::U64 => {
                        let plain = build.cast("fptoui", a, types.i64);
                        build.value("llvm.freeze", &[plain], types.i64, &[])
                    }
                    IntWidth::I63 => build.tag(float_to_signed(build, types.i64, a)),
                    IntWidth::U32 => {
                        build.cast("trunci", float_to_signed(build, types.i64, a), types.i32)
                    }
                    _ => {
                        let wide = if to.bits() < 63 { types.i32 } else { types.i64 };
                        let plain = float_to_signed(build, wide, a);
                        self.narrow(to, plain)
                    }
                }
            }
            (Prim::PhysEq, &[a, b]) => self.phys_eq(arg_type?, a, b),
            (Prim::PhysNe, &[a, b]) => {
                let equal = self.phys_eq(arg_type?, a, b);
                self.not(equal)
            }
            (Prim::Hash, &[a]) => self.hash(arg_type?, a),
            (Prim::ParseFloatIs, &[text, value]) => {
                let float = program.types.float;
                let read = self.runtime("oxbow_parse_float", &[text], &[arg_type?], float);
                self.low.build.cmpf(FloatPredicate::Oeq, read, value)
            }
            (Prim::BoolNot, &[a]) => self.not(a),
            (Prim::CharCode, &[a]) => build.tag_small(build.cast("extui", a, types.i64)),
            (Prim::CharUnsafeChr, &[a]) => build.cast("trunci", build.untag(a), types.i8),
            (Prim::FloatBits, &[a]) => build.cast("bitcast", a, types.i64),
            (Prim::FloatOfBits, &[a]) => build.cast("bitcast", a, types.f64),
            (Prim::Float32OfFloat, &[a]) => build.cast("truncf", a, types.f32),
            (Prim::Float32ToFloat, &[a]) => build.cast("extf", a, types.f64),
            (Prim::FloatBits32, &[a]) => {
                build.cast("bitcast", build.cast("truncf", a, types.f32), types.i32)
            }
            (Prim::FloatOfBits32, &[a]) => {
                build.cast("extf", build.cast("bitcast", a, types.f32), types.f64)
            }
            (Prim::StringLength | Prim::BytesLength, &[a]) => {
                build.tag_small(build.append_value(&op::StringLength::draft(a)))
            }
            (Prim::StringGet | Prim::BytesGet, &[a, at]) => self.load_bytes(a, at, types.i8),
            (Prim::BytesGet16, &[a, at]) => {
                let i16 =
                    oxbow_dialect::melior::ir::r#type::IntegerType::new(types.context, 16).into();
                let value = self.load_bytes(a, at, i16);
                let build = &self.low.build;
                build.tag_small(build.cast("extui", value, types.i64))
            }
            (Prim::BytesGet32, &[a, at]) => self.load_bytes(a, at, types.i32),
            (Prim::BytesGet64, &[a, at]) => self.load_bytes(a, at, types.i64),
            (Prim::BytesSet16, &[a, at, value]) => {
                let i16 =
                    oxbow_dialect::melior::ir::r#type::IntegerType::new(types.context, 16).into();
                let value = build.cast("trunci", build.untag(value), i16);
                self.store_bytes(a, at, value)
            }
            (Prim::BytesSet | Prim::BytesSet32 | Prim::BytesSet64, &[a, at, value]) => {
                self.store_bytes(a, at, value)
            }
            (Prim::BytesUnsafeToString | Prim::BytesUnsafeOfString, &[a]) => a,
            (Prim::ArrayLength, &[a]) => {
                build.tag_small(build.append_value(&op::ArrayLength::draft(a)))
            }
            (Prim::ArrayGet, &[a, at]) => {
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayGet::draft(a, build.untag(at), ty))
            }
            (Prim::ArraySet, &[a, at, value]) => {
                build.append(&op::ArraySet::draft(value, a, build.untag(at)));
                self.unit()
            }
            (Prim::ArrayMake, &[length, element]) => {
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayMake::draft(build.untag(length), element, ty))
            }
            (Prim::ArrayUninit, &[length]) => {
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayUninit::draft(build.untag(length), ty))
            }
            (Prim::ArrayBlit, &[from, at, to, to_at, length]) => {
                let [at, to_at, length] = [at, to_at, length].map(|it| build.untag(it));
                build.append(&op::ArrayBlit::draft(from, at, to, to_at, length));
                self.unit()
            }
            (Prim::NativeGet8, &[at]) => self.native_load(at, 8),
            (Prim::NativeGet16, &[at]) => self.native_load(at, 16),
            (Prim::NativeGet32, &[at]) => self.native_load(at, 32),
            (Prim::NativeGet64, &[at]) => self.native_load(at, 64),
            (Prim::NativeSet8, &[at, value]) => self.native_store(at, value, 8),
            (Prim::NativeSet16, &[at, value]) => self.native_store(at, value, 16),
            (Prim::NativeSet32, &[at, value]) => self.native_store(at, value, 32),
            (Prim::NativeSet64, &[at, value]) => self.native_store(at, value, 64),
            (Prim::Foreign { name, library, .. }, operands) => {
                let arg_types: Vec<_> = args.iter().map(|&arg| program.ty(arg)).collect();
                let callee = (name.as_str(), library.as_str());
                self.foreign(callee, operands, &arg_types, it.ty)
            }
            (Prim::ExnToString, &[a]) => build.append_value(&op::ExnName::draft(a)),
            (Prim::WordIsInt, &[a]) => build.append_value(&op::WordIsInt::draft(a)),
            (Prim::WordToInt, &[a]) => build.tag(build.append_value(&op::WordToInt::draft(a))),
            (Prim::WordOfInt, &[a]) => {
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::WordOfInt::draft(build.untag(a), ty))
            }
            (Prim::WordIsMark, &[a]) => build.append_value(&op::WordIsMark::draft(a)),
            (Prim::WordToMark, &[a]) => build.tag(build.append_value(&op::WordToMark::draft(a))),
            (Prim::WordOfMark, &[a]) => {
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::WordOfMark::draft(build.untag(a), ty))
            }
            (Prim::WordAdd, &[a, b]) => build.append_value(&op::WordAdd::draft(a, b, a.r#type())),
            (Prim::WordSub, &[a, b]) => build.append_value(&op::WordSub::draft(a, b, a.r#type())),
            (Prim::WordMul, &[a, b]) => build.append_value(&op::WordMul::draft(a, b, a.r#type())),
            (Prim::WordAddFits, &[a, b]) => build.append_value(&op::WordAddFits::draft(a, b)),
            (Prim::WordSubFits, &[a, b]) => build.append_value(&op::WordSubFits::draft(a, b)),
            (Prim::WordMulFits, &[a, b]) => build.append_value(&op::WordMulFits::draft(a, b)),
            (Prim::WordLess, &[a, b]) => build.append_value(&op::WordLess::draft(a, b)),
            (Prim::Uninit, _) => {
                let ty = self.ty(it.ty);
                self.low.build.append_value(&op::NoValue::draft(ty))
            }
            (Prim::Unreachable, _) => {
                build.unreachable();
                return None;
            }
            (Prim::Opaque, &[a]) => build.append_value(&op::Opaque::draft(a, a.r#type())),
            (Prim::SysExit, &[code]) => {
                build.runtime_call("oxbow_sys_exit", &[build.untag(code)], None);
                build.unreachable();
                return None;
            }
            (prim, operands) => {
                let Some(name) = runtime_name(prim) else {
                    ice!("{} with {} operands", prim.name(), operands.len())
                };
                let arg_types: Vec<_> = args.iter().map(|&arg| program.ty(arg)).collect();
                self.runtime(name, operands, &arg_types, it.ty)
            }
        })
    }

    /// Calls the runtime, with `int` and `bool` as it wants them.
    fn runtime(
        &mut self,
        name: &str,
        operands: &[Val<'c>],
        types: &[TyId],
        result: TyId,
    ) -> Val<'c> {
        let Some(function) = oxbow_abi::function(name) else { ice!("the runtime has no {name}") };
        let values: Vec<_> = operands
            .iter()
            .zip(types)
            .filter_map(|(&value, &ty)| match self.low.types.table.get(ty) {
                Ty::Unit => None,
                Ty::Int(IntWidth::I63) => Some(self.low.build.untag(value)),
                Ty::Bool => Some(self.low.build.cast("extui", value, self.low.build.types.i8)),
                _ => Some(value),
            })
            .collect();
        if values.len() != function.params.len() {
            ice!("{name} takes {} arguments, not {}", function.params.len(), values.len());
        }
        let build = &self.low.build;
        let call = |result| build.runtime_call(name, &values, Some(result));
        match (self.low.types.table.get(result), function.result) {
            (_, AbiType::Void) => {
                build.runtime_call(name, &values, None);
                self.unit()
            }
            (Ty::Int(IntWidth::I63), _) => {
                let Some(plain) = call(build.types.i64) else { ice!("{name} has a result") };
                build.tag(plain)
            }
            (Ty::Bool, _) => {
                let Some(byte) = call(build.types.i8) else { ice!("{name} has a result") };
                self.byte_to_bool(byte)
            }
            _ => {
                let ty = self.ty(result);
                let Some(value) = self.low.build.runtime_call(name, &values, Some(ty)) else {
                    ice!("{name} has a result")
                };
                value
            }
        }
    }

    fn byte_to_bool(&mut self, byte: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        build.cmp(Predicate::Ne, byte, build.const_int(build.types.i8, 0))
    }

    pub fn string_equal(&mut self, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let i8 = self.low.build.types.i8;
        let byte = self.low.build.runtime_call("oxbow_string_equal", &[a, b], Some(i8));
        match byte {
            Some(byte) => self.byte_to_bool(byte),
            None => ice!("oxbow_string_equal has a result"),
        }
    }

    fn not(&mut self, value: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        build.arith("xori", value, build.const_bool(true))
    }

    fn load_bytes(&mut self, string: Val<'c>, at: Val<'c>, ty: Type<'c>) -> Val<'c> {
        let build = &self.low.build;
        build.append_value(&op::StringGet::draft(string, build.untag(at), ty))
    }

    fn store_bytes(&mut self, string: Val<'c>, at: Val<'c>, value: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        build.append(&op::StringSet::draft(value, string, build.untag(at)));
        self.unit()
    }

    /// Brings a result that was computed in 32 bits back into the range of a smaller type.
    pub fn narrow(&self, width: IntWidth, value: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let ty = value.r#type();
        match width {
            IntWidth::I63 | IntWidth::I32 | IntWidth::I64 | IntWidth::U32 | IntWidth::U64 => value,
            IntWidth::U8 => build.arith("andi", value, build.const_int(ty, 0xff)),
            IntWidth::U16 => build.arith("andi", value, build.const_int(ty, 0xffff)),
            IntWidth::I8 | IntWidth::I16 => {
                let spare = build.const_int(ty, i64::from(32 - width.bits()));
                build.arith("shrsi", build.arith("shli", value, spare), spare)
            }
        }
    }

    fn int(&mut self, width: IntWidth, op: IntOp, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let result = self.int_wide(width, op, a, b);
        if op == IntOp::Ult { result } else { self.narrow(width, result) }
    }

    fn int_wide(&mut self, width: IntWidth, op: IntOp, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let ty = a.r#type();
        let tagged = width == IntWidth::I63;
        // Counts outside the width give some value, not poison; the mask costs nothing.
        let count = || {
            let plain = if tagged { build.untag(b) } else { b };
            let small = !tagged && width.bits() < 64;
            // Shifts of the sized types count by an `int`.
            let plain = match (tagged, small) {
                (true, _) => plain,
                (false, true) => build.cast("trunci", build.untag(plain), ty),
                (false, false) => build.untag(plain),
            };
            let mask = if small { 31 } else { 63 };
            build.arith("andi", plain, build.const_int(ty, mask))
        };
        let clear = |value| {
            if tagged { build.arith("andi", value, build.const_int(ty, -2)) } else { value }
        };
        match op {
            IntOp::Add => build.arith("addi", a, b),
            IntOp::Sub => build.arith("subi", a, b),
            IntOp::Mul if tagged => build.arith("muli", build.untag(a), b),
            IntOp::Mul => build.arith("muli", a, b),
            IntOp::Div if tagged => build.tag(build.arith("divsi", a, b)),
            IntOp::Mod if tagged => build.arith("remsi", a, b),
            IntOp::Div if !width.signed() => build.arith("divui", a, b),
            IntOp::Mod if !width.signed() => build.arith("remui", a, b),
            IntOp::Div | IntOp::Mod => {
                // The machine traps on the least value divided by -1.
                let minus = build.cmp(Predicate::Eq, b, build.const_int(ty, -1));
                let divisor = build.select(minus, build.const_int(ty, 1), b);
                let zero = build.const_int(ty, 0);
                if op == IntOp::Div {
                    build.select(
                        minus,
                        build.arith("subi", zero, a),
                        build.arith("divsi", a, divisor),
                    )
                } else {
                    build.select(minus, zero, build.arith("remsi", a, divisor))
                }
            }
            IntOp::Neg => ice!("negation has one operand"),
            IntOp::And => build.arith("andi", a, b),
            IntOp::Or => build.arith("ori", a, b),
            IntOp::Xor => build.arith("xori", a, b),
            IntOp::Shl => build.arith("shli", a, count()),
            // A negative number of a small type has more bits set than its own.
            IntOp::Lsr if matches!(width, IntWidth::I8 | IntWidth::I16) => {
                let mask = build.const_int(ty, (1 << width.bits()) - 1);
                build.arith("shrui", build.arith("andi", a, mask), count())
            }
            IntOp::Asr if !width.signed() => build.arith("shrui", a, count()),
            IntOp::Lsr => clear(build.arith("shrui", a, count())),
            IntOp::Asr => clear(build.arith("shrsi", a, count())),
            IntOp::Ult => build.cmp(Predicate::Ult, a, b),
        }
    }

    fn int_cast(&mut self, from: IntWidth, to: IntWidth, a: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let types = build.types;
        let wide = |it: IntWidth| it.bits() >= 63;
        let plain = if from == IntWidth::I63 { build.untag(a) } else { a };
        if from == to {
            return a;
        }
        let extend = if from.signed() { "extsi" } else { "extui" };
        let moved = match (wide(from), wide(to)) {
            (true, false) => build.cast("trunci", plain, types.i32),
            (false, true) => build.cast(extend, plain, types.i64),
            (true, true) | (false, false) => plain,
        };
        match to {
            IntWidth::I63 if !wide(from) => build.tag_small(moved),
            IntWidth::I63 => build.tag(moved),
            _ => self.narrow(to, moved),
        }
    }

    fn float(&mut self, op: FloatOp, args: &[Val<'c>]) -> Val<'c> {
        let build = &self.low.build;
        let f64 = build.types.f64;
        match (op, args) {
            (FloatOp::Add, &[a, b]) => build.arith("addf", a, b),
            (FloatOp::Sum, &[a, b]) => {
                let any_order = build.parsed("#arith.fastmath<reassoc>");
                build.value("arith.addf", &[a, b], f64, &[("fastmath", any_order)])
            }
            (FloatOp::Sub, &[a, b]) => build.arith("subf", a, b),
            (FloatOp::Mul, &[a, b]) => build.arith("mulf", a, b),
            (FloatOp::Div, &[a, b]) => build.arith("divf", a, b),
            (FloatOp::Neg, &[a]) => build.cast("negf", a, f64),
            (FloatOp::FastExp, &[a]) => kernels::exp(&Written(build), a),
            (FloatOp::FastTanh, &[a]) => kernels::tanh(&Written(build), a),
            (op, args) => {
                let name = match op {
                    FloatOp::Rem => "fmod",
                    FloatOp::Abs => "fabs",
                    op => op.name(),
                };
                match build.runtime_call(name, args, Some(f64)) {
                    Some(value) => value,
                    None => ice!("{name} has a result"),
                }
            }
        }
    }

    fn phys_eq(&mut self, ty: TyId, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        match self.low.types.table.get(ty) {
            Ty::Unit => build.const_bool(true),
            Ty::Bool | Ty::Char | Ty::Int(_) => build.cmp(Predicate::Eq, a, b),
            // A float has no address here: it is the same if its bits are, as a `nan` is.
            Ty::Float => {
                let [a, b] = [a, b].map(|it| build.cast("bitcast", it, build.types.i64));
                build.cmp(Predicate::Eq, a, b)
            }
            Ty::Float32 => {
                let [a, b] = [a, b].map(|it| build.cast("bitcast", it, build.types.i32));
                build.cmp(Predicate::Eq, a, b)
            }
            Ty::Data(..) if self.low.types.is_enumeration(ty) => build.cmp(Predicate::Eq, a, b),
            _ => build.append_value(&op::PhysEq::draft(a, b)),
        }
    }

    /// Order at scalar types and strings; at others it has been expanded.
    fn order(&mut self, op: OrderOp, ty: TyId, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        enum By {
            Signed,
            Unsigned,
            Float,
        }
        let by = match self.low.types.table.get(ty) {
            Ty::Unit => {
                let holds = matches!(op, OrderOp::Eq | OrderOp::Le | OrderOp::Ge);
                return match op {
                    OrderOp::Compare => self.low.build.const_int(self.low.build.types.i64, 0),
                    _ => self.low.build.const_bool(holds),
                };
            }
            Ty::String | Ty::Bytes => return self.order_strings(op, a, b),
            Ty::Bool | Ty::Char => By::Unsigned,
            Ty::Int(width) if !width.signed() => By::Unsigned,
            Ty::Int(_) => By::Signed,
            Ty::Float | Ty::Float32 => By::Float,
            Ty::Data(..) if self.low.types.is_enumeration(ty) => By::Unsigned,
            other => ice!("order at {other:?} is not expanded"),
        };
        use {FloatPredicate as F, Predicate as P};
        let build = &self.low.build;
        let test = |unsigned, signed, float| match by {
            By::Unsigned => build.cmp(unsigned, a, b),
            By::Signed => build.cmp(signed, a, b),
            By::Float => build.cmpf(float, a, b),
        };
        match op {
            OrderOp::Eq => test(P::Eq, P::Eq, F::Oeq),
            OrderOp::Ne => test(P::Ne, P::Ne, F::Une),
            OrderOp::Lt => test(P::Ult, P::Slt, F::Olt),
            OrderOp::Le => test(P::Ule, P::Sle, F::Ole),
            OrderOp::Gt => test(P::Ugt, P::Sgt, F::Ogt),
            OrderOp::Ge => test(P::Uge, P::Sge, F::Oge),
            OrderOp::Compare => {
                let wide = |it| build.cast("extui", it, build.types.i64);
                let above = wide(test(P::Ugt, P::Sgt, F::Ogt));
                let below = wide(test(P::Ult, P::Slt, F::Olt));
                let mut sign = build.arith("subi", above, below);
                if matches!(by, By::Float) {
                    // A nan is below every number and equal to itself.
                    let a_is_number = wide(build.cmpf(F::Oeq, a, a));
                    let b_is_number = wide(build.cmpf(F::Oeq, b, b));
                    sign = build.arith("addi", sign, build.arith("subi", a_is_number, b_is_number));
                }
                build.tag_small(sign)
            }
        }
    }

    fn order_strings(&mut self, op: OrderOp, a: Val<'c>, b: Val<'c>) -> Val<'c> {
        let predicate = match op {
            OrderOp::Eq => return self.string_equal(a, b),
            OrderOp::Ne => {
                let equal = self.string_equal(a, b);
                return self.not(equal);
            }
            OrderOp::Lt => Some(Predicate::Slt),
            OrderOp::Le => Some(Predicate::Sle),
            OrderOp::Gt => Some(Predicate::Sgt),
            OrderOp::Ge => Some(Predicate::Sge),
            OrderOp::Compare => None,
        };
        let build = &self.low.build;
        let i64 = build.types.i64;
        let Some(sign) = build.runtime_call("oxbow_string_compare", &[a, b], Some(i64)) else {
            ice!("oxbow_string_compare has a result")
        };
        match predicate {
            Some(predicate) => build.cmp(predicate, sign, build.const_int(i64, 0)),
            None => build.tag_small(sign),
        }
    }

    fn hash(&mut self, ty: TyId, a: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let i64 = build.types.i64;
        let (name, value) = match self.low.types.table.get(ty) {
            Ty::Unit => ("oxbow_hash_int", build.const_int(i64, 0)),
            Ty::Bool | Ty::Char => ("oxbow_hash_int", build.cast("extui", a, i64)),
            Ty::Int(IntWidth::I63) => ("oxbow_hash_int", build.untag(a)),
            Ty::Int(IntWidth::I32) => ("oxbow_hash_int32", a),
            Ty::Int(IntWidth::I64) => ("oxbow_hash_int64", a),
            Ty::Float => ("oxbow_hash_float", a),
            Ty::String | Ty::Bytes => ("oxbow_hash_string", a),
            Ty::Data(..) if self.low.types.is_enumeration(ty) => {
                ("oxbow_hash_int", build.cast("extui", a, i64))
            }
            other => ice!("hash at {other:?} is not expanded"),
        };
        match build.runtime_call(name, &[value], Some(i64)) {
            Some(hash) => build.tag_small(hash),
            None => ice!("{name} has a result"),
        }
    }
}

/// Primitives that are a function of the runtime.
fn runtime_name(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::HashMixInt => "oxbow_hash_mix_int",
        Prim::HashMixUint32 => "oxbow_hash_mix_uint32",
        Prim::HashMixFloat => "oxbow_hash_mix_float",
        Prim::HashMixString => "oxbow_hash_mix_string",
        Prim::HashMixInt64 => "oxbow_hash_mix_int64",
        Prim::HashFinal => "oxbow_hash_final",
        Prim::FloatLdexp => "oxbow_float_ldexp",
        Prim::FloatFrexpMantissa => "oxbow_float_frexp_mantissa",
        Prim::FloatFrexpExponent => "oxbow_float_frexp_exponent",
        Prim::StringConcat => "oxbow_string_concat",
        Prim::BytesCreate => "oxbow_bytes_create",
        Prim::BytesBlit | Prim::BytesBlitString => "oxbow_bytes_blit",
        Prim::BytesFill => "oxbow_bytes_fill",
        Prim::ArrayTanh => "oxbow_array_tanh",
        Prim::ArrayExp => "oxbow_array_exp",
        Prim::SysArgc => "oxbow_sys_argc",
        Prim::SysArgv => "oxbow_sys_argv",
        Prim::SysHasEnv => "oxbow_sys_has_env",
        Prim::SysGetEnv => "oxbow_sys_getenv",
        Prim::StackLow => "oxbow_stack_low",
        Prim::SysTime => "oxbow_sys_time",
        Prim::SysWallTime => "oxbow_sys_wall_time",
        Prim::SysEntropy => "oxbow_sys_entropy",
        Prim::SysMemoryFits => "oxbow_sys_memory_fits",
        Prim::SysFileExists => "oxbow_sys_file_exists",
        Prim::SysIsDirectory => "oxbow_sys_is_directory",
        Prim::SysRemove => "oxbow_sys_remove",
        Prim::SysErrorMessage => "oxbow_sys_error_message",
        Prim::NativeAlloc => "oxbow_native_alloc",
        Prim::NativeMark => "oxbow_native_mark",
        Prim::NativeRelease => "oxbow_native_release",
        Prim::IoOpen => "oxbow_io_open",
        Prim::IoClose => "oxbow_io_close",
        Prim::IoWrite => "oxbow_io_write",
        Prim::IoRead => "oxbow_io_read",
        Prim::IoSeek => "oxbow_io_seek",
        Prim::FormatInt => "oxbow_format_int",
        Prim::FormatInt32 => "oxbow_format_int32",
        Prim::FormatInt64 => "oxbow_format_int64",
        Prim::FormatFloat => "oxbow_format_float",
        Prim::ParseFloatOk => "oxbow_parse_float_ok",
        Prim::ParseFloat => "oxbow_parse_float",
        _ => return None,
    })
}

/// Out of range and for nan it is the least number, as the processor has it.
fn float_to_signed<'c>(build: &Builder<'c>, ty: Type<'c>, a: Val<'c>) -> Val<'c> {
    let least = if ty == build.types.i32 { i64::from(i32::MIN) } else { i64::MIN };
    let limit = build.const_float(build.types.f64, -(least as f64));
    let above = build.cmpf(FloatPredicate::Olt, build.cast("negf", a, build.types.f64), limit);
    let below = build.cmpf(FloatPredicate::Olt, a, limit);
    let in_range = build.arith("andi", above, below);
    build.select(in_range, build.cast("fptosi", a, ty), build.const_int(ty, least))
}
