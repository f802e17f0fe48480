//! Primitive operations: every one of the table has its case here, in the piece of its family.
//!
//! Some are ops, some calls of the runtime; those that a pass replaces are left for nobody. What numbers are made
//! of is in `numbers`.

use oxbow_abi::AbiType;
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::r#type::IntegerType;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op;
use oxbow_dialect::{Predicate, Val};
use oxbow_psg::prim::{
    Arrays, Bytes, Domains, Family, Files, General, Memory, Native, Parametric, Scalar, Special,
    System, Texts, Words,
};
use oxbow_psg::{IntOp, IntWidth, NodeId, NodeKind, Prim, Ty, TyId};

use crate::function::Function;
use crate::numbers::float_to_signed;

/// A primitive with what it is applied to.
struct Applied<'a, 'c> {
    args: &'a [NodeId],
    operands: Vec<Val<'c>>,
    /// The type of its result.
    ty: TyId,
}

impl<'c> Applied<'_, 'c> {
    fn at(&self, place: usize) -> Val<'c> {
        self.operands[place]
    }

    /// The operands of a primitive that has so many.
    fn exactly<const N: usize>(&self) -> [Val<'c>; N] {
        match self.operands[..].try_into() {
            Ok(operands) => operands,
            Err(_) => ice!("a primitive of {N} operands has {}", self.operands.len()),
        }
    }
}

impl<'c> Function<'_, '_, 'c> {
    /// The value of a primitive; `None` if it does not return.
    pub fn prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) -> Option<Val<'c>> {
        let it = &self.low.program.nodes[node];
        let operands = self.operands(args)?;
        self.at(it.span);
        let on = Applied { args, operands, ty: it.ty };
        match prim.family() {
            Family::Parametric(it) => self.parametric(prim, it, &on),
            Family::General(it) => self.general(prim, it, &on),
            Family::Scalar(it) => Some(self.scalar(it, &on)),
            Family::Bytes(it) => Some(self.bytes(it, &on)),
            Family::Arrays(it) => Some(self.arrays(it, &on)),
            Family::System(it) => self.system(it, &on),
            Family::Domains(it) => Some(self.domains(prim, it, &on)),
            Family::Files(it) => Some(self.files(it, &on)),
            Family::Memory(it) => Some(self.memory(prim, it, &on)),
            Family::Texts(it) => Some(self.texts(prim, it, &on)),
            Family::Words(it) => Some(self.words(it, &on)),
            Family::Native(it) => Some(self.native_memory(it, &on)),
            Family::Special(it) => self.special(prim, it, &on),
            Family::Derivatives(_) => replaced(prim),
        }
    }

    fn parametric(&mut self, prim: Prim, it: Parametric, on: &Applied<'_, 'c>) -> Option<Val<'c>> {
        let program = self.low.program;
        let types = self.low.build.types;
        let build = &self.low.build;
        Some(match it {
            Parametric::Int(width, IntOp::Neg) => {
                let [a] = on.exactly();
                let value = build.arith("subi", build.const_int(a.r#type(), 0), a);
                self.narrow(width, value)
            }
            Parametric::Int(width, op) => {
                let [a, b] = on.exactly();
                // The first factor is shifted; a constant is so when the program is compiled.
                let is_constant =
                    |it: &NodeId| matches!(program.nodes[*it].kind, NodeKind::Const(_));
                let swapped = op == IntOp::Mul && on.args.get(1).is_some_and(is_constant);
                if swapped { self.int(width, op, b, a) } else { self.int(width, op, a, b) }
            }
            Parametric::Float(op) => self.float(op, &on.operands),
            Parametric::Order(op) => self.order(op, self.first_type(on)?, on.at(0), on.at(1)),
            Parametric::IntCast { from, to } => self.int_cast(from, to, on.at(0)),
            Parametric::IntToFloat(from) => {
                let [a] = on.exactly();
                let plain = if from == IntWidth::I63 { build.untag(a) } else { a };
                build.cast(if from.signed() { "sitofp" } else { "uitofp" }, plain, types.f64)
            }
            Parametric::FloatToInt(to) => self.float_to_int(to, on.at(0)),
            Parametric::Foreign { name, library } => {
                let arg_types: Vec<_> = on.args.iter().map(|&arg| program.ty(arg)).collect();
                let callee = (name.as_str(), library.as_str());
                self.foreign(callee, &on.operands, &arg_types, on.ty)
            }
            Parametric::StrictOrder(_) | Parametric::Send { .. } => replaced(prim),
        })
    }

    /// The type of the first operand.
    fn first_type(&self, on: &Applied<'_, 'c>) -> Option<TyId> {
        on.args.first().map(|&arg| self.low.program.ty(arg))
    }

    fn float_to_int(&mut self, to: IntWidth, a: Val<'c>) -> Val<'c> {
        let build = &self.low.build;
        let types = build.types;
        match to {
            // Out of range it is some number, not poison.
            IntWidth::U64 => {
                let plain = build.cast("fptoui", a, types.i64);
                build.value("llvm.freeze", &[plain], types.i64, &[])
            }
            IntWidth::I63 => build.tag(float_to_signed(build, types.i64, a)),
            IntWidth::U32 => build.cast("trunci", float_to_signed(build, types.i64, a), types.i32),
            _ => {
                let wide = if to.bits() < 63 { types.i32 } else { types.i64 };
                let plain = float_to_signed(build, wide, a);
                self.narrow(to, plain)
            }
        }
    }

    fn general(&mut self, prim: Prim, it: General, on: &Applied<'_, 'c>) -> Option<Val<'c>> {
        Some(match it {
            General::PhysEq => self.phys_eq(self.first_type(on)?, on.at(0), on.at(1)),
            General::PhysNe => {
                let [a, b] = on.exactly();
                let equal = self.phys_eq(self.first_type(on)?, a, b);
                self.not(equal)
            }
            General::Hash => self.hash(self.first_type(on)?, on.at(0)),
            General::HashMixInt => self.by_runtime("oxbow_hash_mix_int", on),
            General::HashMixUint32 => self.by_runtime("oxbow_hash_mix_uint32", on),
            General::HashMixFloat => self.by_runtime("oxbow_hash_mix_float", on),
            General::HashMixString => self.by_runtime("oxbow_hash_mix_string", on),
            General::HashMixInt64 => self.by_runtime("oxbow_hash_mix_int64", on),
            General::HashFinal => self.by_runtime("oxbow_hash_final", on),
            General::ExnToString => self.low.build.append_value(&op::ExnName::draft(on.at(0))),
            General::StrictHash | General::HashParam => replaced(prim),
        })
    }

    fn scalar(&mut self, it: Scalar, on: &Applied<'_, 'c>) -> Val<'c> {
        let build = &self.low.build;
        let types = build.types;
        match it {
            Scalar::BoolNot => self.not(on.at(0)),
            Scalar::CharCode => build.tag_small(build.cast("extui", on.at(0), types.i64)),
            Scalar::CharUnsafeChr => build.cast("trunci", build.untag(on.at(0)), types.i8),
            Scalar::FloatBits => build.cast("bitcast", on.at(0), types.i64),
            Scalar::FloatOfBits => build.cast("bitcast", on.at(0), types.f64),
            Scalar::Float32OfFloat => build.cast("truncf", on.at(0), types.f32),
            Scalar::Float32ToFloat => build.cast("extf", on.at(0), types.f64),
            Scalar::FloatBits32 => {
                build.cast("bitcast", build.cast("truncf", on.at(0), types.f32), types.i32)
            }
            Scalar::FloatOfBits32 => {
                build.cast("extf", build.cast("bitcast", on.at(0), types.f32), types.f64)
            }
            Scalar::FloatLdexp => self.by_runtime("oxbow_float_ldexp", on),
            Scalar::FloatFrexpMantissa => self.by_runtime("oxbow_float_frexp_mantissa", on),
            Scalar::FloatFrexpExponent => self.by_runtime("oxbow_float_frexp_exponent", on),
        }
    }

    fn bytes(&mut self, it: Bytes, on: &Applied<'_, 'c>) -> Val<'c> {
        let build = &self.low.build;
        let types = build.types;
        let i16 = || IntegerType::new(types.context, 16).into();
        match it {
            Bytes::StringLength | Bytes::BytesLength => {
                build.tag_small(build.append_value(&op::StringLength::draft(on.at(0))))
            }
            Bytes::StringGet | Bytes::BytesGet => self.load_bytes(on.at(0), on.at(1), types.i8),
            Bytes::BytesGet16 => {
                let [a, at] = on.exactly();
                let value = self.load_bytes(a, at, i16());
                let build = &self.low.build;
                build.tag_small(build.cast("extui", value, types.i64))
            }
            Bytes::BytesGet32 => self.load_bytes(on.at(0), on.at(1), types.i32),
            Bytes::BytesGet64 => self.load_bytes(on.at(0), on.at(1), types.i64),
            Bytes::BytesSet16 => {
                let [a, at, value] = on.exactly();
                let value = build.cast("trunci", build.untag(value), i16());
                self.store_bytes(a, at, value)
            }
            Bytes::BytesSet | Bytes::BytesSet32 | Bytes::BytesSet64 => {
                self.store_bytes(on.at(0), on.at(1), on.at(2))
            }
            Bytes::BytesUnsafeToString | Bytes::BytesUnsafeOfString => on.at(0),
            Bytes::StringConcat => self.by_runtime("oxbow_string_concat", on),
            Bytes::BytesCreate => self.by_runtime("oxbow_bytes_create", on),
            Bytes::BytesBlit | Bytes::BytesBlitString => self.by_runtime("oxbow_bytes_blit", on),
            Bytes::BytesFill => self.by_runtime("oxbow_bytes_fill", on),
        }
    }

    fn arrays(&mut self, it: Arrays, on: &Applied<'_, 'c>) -> Val<'c> {
        match it {
            Arrays::ArrayLength => {
                let build = &self.low.build;
                build.tag_small(build.append_value(&op::ArrayLength::draft(on.at(0))))
            }
            Arrays::ArrayGet => {
                let [a, at] = on.exactly();
                let ty = self.ty(on.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayGet::draft(a, build.untag(at), ty))
            }
            Arrays::ArraySet => {
                let [a, at, value] = on.exactly();
                let build = &self.low.build;
                build.append(&op::ArraySet::draft(value, a, build.untag(at)));
                self.unit()
            }
            Arrays::ArrayMake => {
                let [length, element] = on.exactly();
                let ty = self.ty(on.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayMake::draft(build.untag(length), element, ty))
            }
            Arrays::ArrayUninit => {
                let [length] = on.exactly();
                let ty = self.ty(on.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayUninit::draft(build.untag(length), ty))
            }
            Arrays::ArrayBlit => {
                let build = &self.low.build;
                let [from, at, to, to_at, length] = on.exactly();
                let [at, to_at, length] = [at, to_at, length].map(|it| build.untag(it));
                build.append(&op::ArrayBlit::draft(from, at, to, to_at, length));
                self.unit()
            }
            Arrays::ArrayTanh => self.by_runtime("oxbow_array_tanh", on),
            Arrays::ArrayExp => self.by_runtime("oxbow_array_exp", on),
            Arrays::ArrayFastTanh => self.by_runtime("oxbow_array_fast_tanh", on),
            Arrays::ArrayFastExp => self.by_runtime("oxbow_array_fast_exp", on),
            Arrays::ArrayAddProduct => self.by_runtime("oxbow_array_add_product", on),
        }
    }

    fn system(&mut self, it: System, on: &Applied<'_, 'c>) -> Option<Val<'c>> {
        let name = match it {
            System::SysExit => {
                let [code] = on.exactly();
                let build = &self.low.build;
                build.runtime_call("oxbow_sys_exit", &[build.untag(code)], None);
                build.unreachable();
                return None;
            }
            System::SysArgc => "oxbow_sys_argc",
            System::SysArgv => "oxbow_sys_argv",
            System::SysHasEnv => "oxbow_sys_has_env",
            System::SysGetEnv => "oxbow_sys_getenv",
            System::FiberNew => "oxbow_fiber_new",
            System::FiberResume => "oxbow_fiber_resume",
            System::FiberIsOwn => "oxbow_fiber_is_own",
            System::FiberSuspend => "oxbow_fiber_suspend",
            System::SignalSet => "oxbow_signal_set",
            System::SignalPending => "oxbow_signal_pending",
            System::SignalTake => "oxbow_signal_take",
            System::SignalDone => "oxbow_signal_done",
            System::BacktraceNote => "oxbow_backtrace_note",
            System::BacktraceRestore => "oxbow_backtrace_restore",
            System::BacktracePush => "oxbow_backtrace_push",
            System::BacktraceRecord => "oxbow_backtrace_record",
            System::BacktraceStatus => "oxbow_backtrace_status",
            System::BacktraceLength => "oxbow_backtrace_length",
            System::BacktraceKind => "oxbow_backtrace_kind",
            System::BacktracePlace => "oxbow_backtrace_place",
            System::BacktracePrint => "oxbow_backtrace_print",
            System::StackEnter => "oxbow_stack_enter",
            System::StackLeave => "oxbow_stack_leave",
            System::StackCount => "oxbow_stack_count",
            System::StackPlace => "oxbow_stack_place",
            System::StackKept => "oxbow_stack_kept",
            System::StackOwn => "oxbow_stack_own",
            System::StackBegin => "oxbow_stack_begin",
            System::StackEnd => "oxbow_stack_end",
            System::StackLow => "oxbow_stack_low",
            System::SysTime => "oxbow_sys_time",
            System::SysWallTime => "oxbow_sys_wall_time",
            System::SysCaller => "oxbow_sys_caller",
            System::SysEntropy => "oxbow_sys_entropy",
            System::SysMemoryFits => "oxbow_sys_memory_fits",
            System::SysFileExists => "oxbow_sys_file_exists",
            System::SysIsDirectory => "oxbow_sys_is_directory",
            System::SysRemove => "oxbow_sys_remove",
            System::SysErrorMessage => "oxbow_sys_error_message",
        };
        Some(self.by_runtime(name, on))
    }

    fn domains(&mut self, prim: Prim, it: Domains, on: &Applied<'_, 'c>) -> Val<'c> {
        let name = match it {
            Domains::DomainSpawn => "oxbow_domain_spawn",
            Domains::DomainSelf => "oxbow_domain_self",
            Domains::DomainSlot => "oxbow_domain_slot",
            Domains::DomainRelax => "oxbow_domain_relax",
            Domains::DomainYield => "oxbow_domain_yield",
            Domains::DomainDelay => "oxbow_domain_delay",
            Domains::DomainCores => "oxbow_domain_cores",
            Domains::MutexSize => "oxbow_mutex_size",
            Domains::MutexInit => "oxbow_mutex_init",
            Domains::MutexLock => "oxbow_mutex_lock",
            Domains::MutexTryLock => "oxbow_mutex_try_lock",
            Domains::MutexUnlock => "oxbow_mutex_unlock",
            Domains::ConditionSize => "oxbow_condition_size",
            Domains::ConditionInit => "oxbow_condition_init",
            Domains::ConditionWait => "oxbow_condition_wait",
            Domains::ConditionSignal => "oxbow_condition_signal",
            Domains::AtomicLock => "oxbow_atomic_lock",
            Domains::AtomicUnlock => "oxbow_atomic_unlock",
            Domains::AtomicFence => "oxbow_atomic_fence",
            Domains::ChannelsLock => "oxbow_channels_lock",
            Domains::ChannelsUnlock => "oxbow_channels_unlock",
            Domains::AtomicSingle => {
                let record = self.low.program.ty(on.args[0]);
                let single = self.low.types.is_first_field_single(record);
                return self.constant(&oxbow_psg::Const::Bool(single), on.ty);
            }
            Domains::DomainAny => replaced(prim),
        };
        self.by_runtime(name, on)
    }

    fn files(&mut self, it: Files, on: &Applied<'_, 'c>) -> Val<'c> {
        let name = match it {
            Files::IoOpen => "oxbow_io_open",
            Files::IoClose => "oxbow_io_close",
            Files::IoWrite => "oxbow_io_write",
            Files::IoRead => "oxbow_io_read",
            Files::IoSeek => "oxbow_io_seek",
            Files::IoMap => "oxbow_io_map",
        };
        self.by_runtime(name, on)
    }

    fn memory(&mut self, prim: Prim, it: Memory, on: &Applied<'_, 'c>) -> Val<'c> {
        let name = match it {
            Memory::MarshalWrite => "oxbow_marshal_write",
            Memory::MarshalRead => "oxbow_marshal_read",
            Memory::WeakCount => "oxbow_weak_count",
            Memory::WeakCopy => "oxbow_weak_copy",
            Memory::GcScan => "oxbow_gc_scan",
            Memory::MarshalShape => replaced(prim),
        };
        self.by_runtime(name, on)
    }

    fn texts(&mut self, prim: Prim, it: Texts, on: &Applied<'_, 'c>) -> Val<'c> {
        let name = match it {
            Texts::FormatInt => "oxbow_format_int",
            Texts::FormatInt32 => "oxbow_format_int32",
            Texts::FormatInt64 => "oxbow_format_int64",
            Texts::FormatFloat => "oxbow_format_float",
            Texts::FloatDigits => "oxbow_float_digits",
            Texts::FloatDigits32 => "oxbow_float_digits32",
            Texts::ParseFloatOk => "oxbow_parse_float_ok",
            Texts::ParseFloat => "oxbow_parse_float",
            Texts::Show | Texts::Text | Texts::IsNull => replaced(prim),
        };
        self.by_runtime(name, on)
    }

    fn words(&mut self, it: Words, on: &Applied<'_, 'c>) -> Val<'c> {
        let result = self.ty(on.ty);
        let build = &self.low.build;
        let a = on.at(0);
        match it {
            Words::WordIsInt => build.append_value(&op::WordIsInt::draft(a)),
            Words::WordToInt => build.tag(build.append_value(&op::WordToInt::draft(a))),
            Words::WordOfInt => build.append_value(&op::WordOfInt::draft(build.untag(a), result)),
            Words::WordIsMark => build.append_value(&op::WordIsMark::draft(a)),
            Words::WordToMark => build.tag(build.append_value(&op::WordToMark::draft(a))),
            Words::WordOfMark => build.append_value(&op::WordOfMark::draft(build.untag(a), result)),
            Words::WordIsFloat => build.append_value(&op::WordIsFloat::draft(a)),
            Words::WordToFloat => build.append_value(&op::WordToFloat::draft(a, result)),
            Words::WordOfFloat => build.append_value(&op::WordOfFloat::draft(a, result)),
            Words::WordFloatFits => build.append_value(&op::WordFloatFits::draft(a)),
            Words::WordAdd => build.append_value(&op::WordAdd::draft(a, on.at(1), a.r#type())),
            Words::WordSub => build.append_value(&op::WordSub::draft(a, on.at(1), a.r#type())),
            Words::WordMul => build.append_value(&op::WordMul::draft(a, on.at(1), a.r#type())),
            Words::WordAddFits => build.append_value(&op::WordAddFits::draft(a, on.at(1))),
            Words::WordSubFits => build.append_value(&op::WordSubFits::draft(a, on.at(1))),
            Words::WordMulFits => build.append_value(&op::WordMulFits::draft(a, on.at(1))),
            Words::WordLess => build.append_value(&op::WordLess::draft(a, on.at(1))),
        }
    }

    fn native_memory(&mut self, it: Native, on: &Applied<'_, 'c>) -> Val<'c> {
        match it {
            Native::NativeGet8 => self.native_load(on.at(0), 8),
            Native::NativeGet16 => self.native_load(on.at(0), 16),
            Native::NativeGet32 => self.native_load(on.at(0), 32),
            Native::NativeGet64 => self.native_load(on.at(0), 64),
            Native::NativeSet8 => self.native_store(on.at(0), on.at(1), 8),
            Native::NativeSet16 => self.native_store(on.at(0), on.at(1), 16),
            Native::NativeSet32 => self.native_store(on.at(0), on.at(1), 32),
            Native::NativeSet64 => self.native_store(on.at(0), on.at(1), 64),
            Native::NativeAlloc => self.by_runtime("oxbow_native_alloc", on),
            Native::NativeMark => self.by_runtime("oxbow_native_mark", on),
            Native::NativeRelease => self.by_runtime("oxbow_native_release", on),
        }
    }

    fn special(&mut self, prim: Prim, it: Special, on: &Applied<'_, 'c>) -> Option<Val<'c>> {
        Some(match it {
            Special::Uninit => {
                let ty = self.ty(on.ty);
                self.low.build.append_value(&op::NoValue::draft(ty))
            }
            Special::Unreachable => {
                self.low.build.unreachable();
                return None;
            }
            Special::Keep => {
                let value = on.at(1);
                let symbol = self.low.kept_place(on.args[0], value.r#type());
                self.low.build.global_store(&symbol, value);
                self.unit()
            }
            Special::Kept => {
                let ty = self.ty(on.ty);
                let symbol = self.low.kept_place(on.args[0], ty);
                self.low.build.global_load(&symbol, ty)
            }
            Special::Opaque => {
                self.low.build.append_value(&op::Opaque::draft(on.at(0), on.at(0).r#type()))
            }
            Special::Default
            | Special::Retype
            | Special::ObjMagic
            | Special::ObjTag
            | Special::ObjNumber
            | Special::ObjSize
            | Special::ObjField
            | Special::TypeNumber
            | Special::TypeName
            | Special::Box
            | Special::ObjectId
            | Special::ObjectCopy => replaced(prim),
        })
    }

    /// A primitive that is a function of the runtime.
    fn by_runtime(&mut self, name: &str, on: &Applied<'_, 'c>) -> Val<'c> {
        let program = self.low.program;
        let types: Vec<_> = on.args.iter().map(|&arg| program.ty(arg)).collect();
        self.runtime(name, &on.operands, &types, on.ty)
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

    pub fn not(&mut self, value: Val<'c>) -> Val<'c> {
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
}

/// Passes replace it.
fn replaced(prim: Prim) -> ! {
    ice!("{} is left for lowering", prim.name())
}
