//! Primitive operations: every one of the table has its case here.
//!
//! Some are ops, some calls of the runtime; those that a pass replaces are left for nobody. What numbers are made
//! of is in `numbers`.

use oxbow_abi::AbiType;
use oxbow_diag::ice;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op;
use oxbow_dialect::{Predicate, Val};
use oxbow_psg::{IntOp, IntWidth, NodeId, NodeKind, Prim, Ty, TyId};

use crate::function::Function;
use crate::numbers::float_to_signed;

impl<'c> Function<'_, '_, 'c> {
    /// The value of a primitive; `None` if it does not return.
    pub fn prim(&mut self, node: NodeId, prim: Prim, args: &[NodeId]) -> Option<Val<'c>> {
        let program = self.low.program;
        let it = &program.nodes[node];
        let operands = self.operands(args)?;
        self.at(it.span);
        let arg_type = args.first().map(|&arg| program.ty(arg));
        let types = self.low.build.types;
        let at = |place: usize| operands[place];
        let build = &self.low.build;
        Some(match prim {
            Prim::Int(width, IntOp::Neg) => {
                let [a] = exactly(&operands);
                let value = build.arith("subi", build.const_int(a.r#type(), 0), a);
                self.narrow(width, value)
            }
            Prim::Int(width, op) => {
                let [a, b] = exactly(&operands);
                // The first factor is shifted; a constant is so when the program is compiled.
                let is_constant =
                    |it: &NodeId| matches!(program.nodes[*it].kind, NodeKind::Const(_));
                let swapped = op == IntOp::Mul && args.get(1).is_some_and(is_constant);
                if swapped { self.int(width, op, b, a) } else { self.int(width, op, a, b) }
            }
            Prim::Float(op) => self.float(op, &operands),
            Prim::Order(op) => self.order(op, arg_type?, at(0), at(1)),
            Prim::IntCast { from, to } => self.int_cast(from, to, at(0)),
            Prim::IntToFloat(from) => {
                let [a] = exactly(&operands);
                let plain = if from == IntWidth::I63 { build.untag(a) } else { a };
                build.cast(if from.signed() { "sitofp" } else { "uitofp" }, plain, types.f64)
            }
            Prim::FloatToInt(to) => {
                let [a] = exactly(&operands);
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
            Prim::PhysEq => self.phys_eq(arg_type?, at(0), at(1)),
            Prim::PhysNe => {
                let [a, b] = exactly(&operands);
                let equal = self.phys_eq(arg_type?, a, b);
                self.not(equal)
            }
            Prim::Hash => self.hash(arg_type?, at(0)),
            Prim::BoolNot => self.not(at(0)),
            Prim::CharCode => build.tag_small(build.cast("extui", at(0), types.i64)),
            Prim::CharUnsafeChr => build.cast("trunci", build.untag(at(0)), types.i8),
            Prim::FloatBits => build.cast("bitcast", at(0), types.i64),
            Prim::FloatOfBits => build.cast("bitcast", at(0), types.f64),
            Prim::Float32OfFloat => build.cast("truncf", at(0), types.f32),
            Prim::Float32ToFloat => build.cast("extf", at(0), types.f64),
            Prim::FloatBits32 => {
                build.cast("bitcast", build.cast("truncf", at(0), types.f32), types.i32)
            }
            Prim::FloatOfBits32 => {
                build.cast("extf", build.cast("bitcast", at(0), types.f32), types.f64)
            }
            Prim::StringLength | Prim::BytesLength => {
                build.tag_small(build.append_value(&op::StringLength::draft(at(0))))
            }
            Prim::StringGet | Prim::BytesGet => self.load_bytes(at(0), at(1), types.i8),
            Prim::BytesGet16 => {
                let [a, at] = exactly(&operands);
                let i16 =
                    oxbow_dialect::melior::ir::r#type::IntegerType::new(types.context, 16).into();
                let value = self.load_bytes(a, at, i16);
                let build = &self.low.build;
                build.tag_small(build.cast("extui", value, types.i64))
            }
            Prim::BytesGet32 => self.load_bytes(at(0), at(1), types.i32),
            Prim::BytesGet64 => self.load_bytes(at(0), at(1), types.i64),
            Prim::BytesSet16 => {
                let [a, at, value] = exactly(&operands);
                let i16 =
                    oxbow_dialect::melior::ir::r#type::IntegerType::new(types.context, 16).into();
                let value = build.cast("trunci", build.untag(value), i16);
                self.store_bytes(a, at, value)
            }
            Prim::BytesSet | Prim::BytesSet32 | Prim::BytesSet64 => {
                self.store_bytes(at(0), at(1), at(2))
            }
            Prim::BytesUnsafeToString | Prim::BytesUnsafeOfString => at(0),
            Prim::ArrayLength => {
                build.tag_small(build.append_value(&op::ArrayLength::draft(at(0))))
            }
            Prim::ArrayGet => {
                let [a, at] = exactly(&operands);
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayGet::draft(a, build.untag(at), ty))
            }
            Prim::ArraySet => {
                let [a, at, value] = exactly(&operands);
                build.append(&op::ArraySet::draft(value, a, build.untag(at)));
                self.unit()
            }
            Prim::ArrayMake => {
                let [length, element] = exactly(&operands);
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayMake::draft(build.untag(length), element, ty))
            }
            Prim::ArrayUninit => {
                let [length] = exactly(&operands);
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::ArrayUninit::draft(build.untag(length), ty))
            }
            Prim::ArrayBlit => {
                let [from, at, to, to_at, length] = exactly(&operands);
                let [at, to_at, length] = [at, to_at, length].map(|it| build.untag(it));
                build.append(&op::ArrayBlit::draft(from, at, to, to_at, length));
                self.unit()
            }
            Prim::NativeGet8 => self.native_load(at(0), 8),
            Prim::NativeGet16 => self.native_load(at(0), 16),
            Prim::NativeGet32 => self.native_load(at(0), 32),
            Prim::NativeGet64 => self.native_load(at(0), 64),
            Prim::NativeSet8 => self.native_store(at(0), at(1), 8),
            Prim::NativeSet16 => self.native_store(at(0), at(1), 16),
            Prim::NativeSet32 => self.native_store(at(0), at(1), 32),
            Prim::NativeSet64 => self.native_store(at(0), at(1), 64),
            Prim::Foreign { name, library, .. } => {
                let arg_types: Vec<_> = args.iter().map(|&arg| program.ty(arg)).collect();
                let callee = (name.as_str(), library.as_str());
                self.foreign(callee, &operands, &arg_types, it.ty)
            }
            Prim::ExnToString => build.append_value(&op::ExnName::draft(at(0))),
            Prim::WordIsInt => build.append_value(&op::WordIsInt::draft(at(0))),
            Prim::WordToInt => build.tag(build.append_value(&op::WordToInt::draft(at(0)))),
            Prim::WordOfInt => {
                let [a] = exactly(&operands);
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::WordOfInt::draft(build.untag(a), ty))
            }
            Prim::WordIsMark => build.append_value(&op::WordIsMark::draft(at(0))),
            Prim::WordToMark => build.tag(build.append_value(&op::WordToMark::draft(at(0)))),
            Prim::WordOfMark => {
                let [a] = exactly(&operands);
                let ty = self.ty(it.ty);
                let build = &self.low.build;
                build.append_value(&op::WordOfMark::draft(build.untag(a), ty))
            }
            Prim::WordAdd => build.append_value(&op::WordAdd::draft(at(0), at(1), at(0).r#type())),
            Prim::WordSub => build.append_value(&op::WordSub::draft(at(0), at(1), at(0).r#type())),
            Prim::WordMul => build.append_value(&op::WordMul::draft(at(0), at(1), at(0).r#type())),
            Prim::WordAddFits => build.append_value(&op::WordAddFits::draft(at(0), at(1))),
            Prim::WordSubFits => build.append_value(&op::WordSubFits::draft(at(0), at(1))),
            Prim::WordMulFits => build.append_value(&op::WordMulFits::draft(at(0), at(1))),
            Prim::WordLess => build.append_value(&op::WordLess::draft(at(0), at(1))),
            Prim::Uninit => {
                let ty = self.ty(it.ty);
                self.low.build.append_value(&op::NoValue::draft(ty))
            }
            Prim::Unreachable => {
                build.unreachable();
                return None;
            }
            Prim::Opaque => build.append_value(&op::Opaque::draft(at(0), at(0).r#type())),
            Prim::SysExit => {
                let [code] = exactly(&operands);
                build.runtime_call("oxbow_sys_exit", &[build.untag(code)], None);
                build.unreachable();
                return None;
            }
            Prim::HashMixInt => self.by_runtime("oxbow_hash_mix_int", &operands, args, it.ty),
            Prim::HashMixUint32 => self.by_runtime("oxbow_hash_mix_uint32", &operands, args, it.ty),
            Prim::HashMixFloat => self.by_runtime("oxbow_hash_mix_float", &operands, args, it.ty),
            Prim::HashMixString => self.by_runtime("oxbow_hash_mix_string", &operands, args, it.ty),
            Prim::HashMixInt64 => self.by_runtime("oxbow_hash_mix_int64", &operands, args, it.ty),
            Prim::HashFinal => self.by_runtime("oxbow_hash_final", &operands, args, it.ty),
            Prim::FloatLdexp => self.by_runtime("oxbow_float_ldexp", &operands, args, it.ty),
            Prim::FloatFrexpMantissa => {
                self.by_runtime("oxbow_float_frexp_mantissa", &operands, args, it.ty)
            }
            Prim::FloatFrexpExponent => {
                self.by_runtime("oxbow_float_frexp_exponent", &operands, args, it.ty)
            }
            Prim::StringConcat => self.by_runtime("oxbow_string_concat", &operands, args, it.ty),
            Prim::BytesCreate => self.by_runtime("oxbow_bytes_create", &operands, args, it.ty),
            Prim::BytesBlit | Prim::BytesBlitString => {
                self.by_runtime("oxbow_bytes_blit", &operands, args, it.ty)
            }
            Prim::BytesFill => self.by_runtime("oxbow_bytes_fill", &operands, args, it.ty),
            Prim::ArrayTanh => self.by_runtime("oxbow_array_tanh", &operands, args, it.ty),
            Prim::ArrayExp => self.by_runtime("oxbow_array_exp", &operands, args, it.ty),
            Prim::SysArgc => self.by_runtime("oxbow_sys_argc", &operands, args, it.ty),
            Prim::SysArgv => self.by_runtime("oxbow_sys_argv", &operands, args, it.ty),
            Prim::SysHasEnv => self.by_runtime("oxbow_sys_has_env", &operands, args, it.ty),
            Prim::SysGetEnv => self.by_runtime("oxbow_sys_getenv", &operands, args, it.ty),
            Prim::FiberNew => self.by_runtime("oxbow_fiber_new", &operands, args, it.ty),
            Prim::FiberResume => self.by_runtime("oxbow_fiber_resume", &operands, args, it.ty),
            Prim::FiberIsOwn => self.by_runtime("oxbow_fiber_is_own", &operands, args, it.ty),
            Prim::FiberSuspend => self.by_runtime("oxbow_fiber_suspend", &operands, args, it.ty),
            Prim::DomainSpawn => self.by_runtime("oxbow_domain_spawn", &operands, args, it.ty),
            Prim::DomainSelf => self.by_runtime("oxbow_domain_self", &operands, args, it.ty),
            Prim::DomainSlot => self.by_runtime("oxbow_domain_slot", &operands, args, it.ty),
            Prim::DomainRelax => self.by_runtime("oxbow_domain_relax", &operands, args, it.ty),
            Prim::DomainYield => self.by_runtime("oxbow_domain_yield", &operands, args, it.ty),
            Prim::DomainDelay => self.by_runtime("oxbow_domain_delay", &operands, args, it.ty),
            Prim::DomainCores => self.by_runtime("oxbow_domain_cores", &operands, args, it.ty),
            Prim::MutexSize => self.by_runtime("oxbow_mutex_size", &operands, args, it.ty),
            Prim::MutexInit => self.by_runtime("oxbow_mutex_init", &operands, args, it.ty),
            Prim::MutexLock => self.by_runtime("oxbow_mutex_lock", &operands, args, it.ty),
            Prim::MutexTryLock => self.by_runtime("oxbow_mutex_try_lock", &operands, args, it.ty),
            Prim::MutexUnlock => self.by_runtime("oxbow_mutex_unlock", &operands, args, it.ty),
            Prim::ConditionSize => self.by_runtime("oxbow_condition_size", &operands, args, it.ty),
            Prim::ConditionInit => self.by_runtime("oxbow_condition_init", &operands, args, it.ty),
            Prim::ConditionWait => self.by_runtime("oxbow_condition_wait", &operands, args, it.ty),
            Prim::ConditionSignal => {
                self.by_runtime("oxbow_condition_signal", &operands, args, it.ty)
            }
            Prim::AtomicLock => self.by_runtime("oxbow_atomic_lock", &operands, args, it.ty),
            Prim::AtomicUnlock => self.by_runtime("oxbow_atomic_unlock", &operands, args, it.ty),
            Prim::AtomicFence => self.by_runtime("oxbow_atomic_fence", &operands, args, it.ty),
            Prim::ChannelsLock => self.by_runtime("oxbow_channels_lock", &operands, args, it.ty),
            Prim::ChannelsUnlock => {
                self.by_runtime("oxbow_channels_unlock", &operands, args, it.ty)
            }
            Prim::AtomicSingle => {
                let single = self.low.types.is_first_field_single(self.low.program.ty(args[0]));
                self.constant(&oxbow_psg::Const::Bool(single), it.ty)
            }
            Prim::StackLow => self.by_runtime("oxbow_stack_low", &operands, args, it.ty),
            Prim::SysTime => self.by_runtime("oxbow_sys_time", &operands, args, it.ty),
            Prim::SysWallTime => self.by_runtime("oxbow_sys_wall_time", &operands, args, it.ty),
            Prim::SysEntropy => self.by_runtime("oxbow_sys_entropy", &operands, args, it.ty),
            Prim::SysMemoryFits => self.by_runtime("oxbow_sys_memory_fits", &operands, args, it.ty),
            Prim::SysFileExists => self.by_runtime("oxbow_sys_file_exists", &operands, args, it.ty),
            Prim::SysIsDirectory => {
                self.by_runtime("oxbow_sys_is_directory", &operands, args, it.ty)
            }
            Prim::SysRemove => self.by_runtime("oxbow_sys_remove", &operands, args, it.ty),
            Prim::SysErrorMessage => {
                self.by_runtime("oxbow_sys_error_message", &operands, args, it.ty)
            }
            Prim::NativeAlloc => self.by_runtime("oxbow_native_alloc", &operands, args, it.ty),
            Prim::NativeMark => self.by_runtime("oxbow_native_mark", &operands, args, it.ty),
            Prim::NativeRelease => self.by_runtime("oxbow_native_release", &operands, args, it.ty),
            Prim::IoOpen => self.by_runtime("oxbow_io_open", &operands, args, it.ty),
            Prim::IoClose => self.by_runtime("oxbow_io_close", &operands, args, it.ty),
            Prim::IoWrite => self.by_runtime("oxbow_io_write", &operands, args, it.ty),
            Prim::IoRead => self.by_runtime("oxbow_io_read", &operands, args, it.ty),
            Prim::IoSeek => self.by_runtime("oxbow_io_seek", &operands, args, it.ty),
            Prim::FormatInt => self.by_runtime("oxbow_format_int", &operands, args, it.ty),
            Prim::FormatInt32 => self.by_runtime("oxbow_format_int32", &operands, args, it.ty),
            Prim::FormatInt64 => self.by_runtime("oxbow_format_int64", &operands, args, it.ty),
            Prim::FormatFloat => self.by_runtime("oxbow_format_float", &operands, args, it.ty),
            Prim::FloatDigits => self.by_runtime("oxbow_float_digits", &operands, args, it.ty),
            Prim::FloatDigits32 => self.by_runtime("oxbow_float_digits32", &operands, args, it.ty),
            Prim::ParseFloatOk => self.by_runtime("oxbow_parse_float_ok", &operands, args, it.ty),
            Prim::ParseFloat => self.by_runtime("oxbow_parse_float", &operands, args, it.ty),
            // Passes replace these.
            Prim::StrictOrder(_)
            | Prim::Send { .. }
            | Prim::ObjectId
            | Prim::ObjectCopy
            | Prim::StrictHash
            | Prim::HashParam
            | Prim::Show
            | Prim::DomainAny
            | Prim::Text
            | Prim::Default
            | Prim::Retype
            | Prim::ObjMagic
            | Prim::ObjTag
            | Prim::ObjNumber
            | Prim::ObjSize
            | Prim::ObjField
            | Prim::AdReverse
            | Prim::AdDual
            | Prim::AdOuter
            | Prim::AdPrimal
            | Prim::AdTangent
            | Prim::AdVariable
            | Prim::AdIndex
            | Prim::AdTape
            | Prim::AdSeries
            | Prim::AdCoefficients
            | Prim::AdIsZero
            | Prim::AdConstant
            | Prim::AdAttach
            | Prim::AdMapNumbers => ice!("{} is left for lowering", prim.name()),
        })
    }

    /// A primitive that is a function of the runtime.
    fn by_runtime(
        &mut self,
        name: &str,
        operands: &[Val<'c>],
        args: &[NodeId],
        result: TyId,
    ) -> Val<'c> {
        let program = self.low.program;
        let types: Vec<_> = args.iter().map(|&arg| program.ty(arg)).collect();
        self.runtime(name, operands, &types, result)
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

/// The operands of a primitive that has so many.
fn exactly<'c, const N: usize>(operands: &[Val<'c>]) -> [Val<'c>; N] {
    match operands.try_into() {
        Ok(operands) => operands,
        Err(_) => ice!("a primitive of {N} operands has {}", operands.len()),
    }
}
