//! Primitives.
//!
//! "Unchecked" ones are checked here: leaving the bounds is a fault of the library
//! that a compiled program would not survive either.

use std::rc::Rc;

use super::eval::{Machine, Result, Stop, fault};
use super::layout::Layout;
use super::value::{ObjectKind, Value};
use super::{c_format, exn_text, floats, hash, number_arrays, numbers, order, show};
use crate::IntWidth::I64;
use crate::prim::{
    Arrays, Bytes, Domains, Family, Files, General, Memory, Native, Parametric, Scalar, Special,
    System, Texts, Words,
};
use crate::{IntWidth, OrderOp, OwnFunctions, Prim, kernels};

const OBJECT: &str = "a value as `obj`: the interpreter knows no types before they are specialised";
const OWN_ORDER: &str = "a type's own equality: specialisation finds where it is asked for";

const OWN_TEXT: &str = "the text of an object: specialisation finds where it is asked for";

/// More bytes than a program under test has any need for in one object.
const LARGEST_REQUEST: i64 = 1 << 34;

impl<P> Machine<'_, P> {
    pub fn prim(&mut self, prim: Prim, args: &[Value]) -> Result<Value> {
        if args.len() != prim.arity() {
            return fault(format!("{} with {} operands", prim.name(), args.len()));
        }
        match prim.family() {
            Family::Parametric(it) => self.parametric(it, args),
            Family::General(it) => self.general(it, args),
            Family::Scalar(it) => scalar(it, args),
            Family::Bytes(it) => bytes(it, args),
            Family::Arrays(it) => arrays(it, args),
            Family::System(it) => self.system(it, args),
            Family::Domains(it) => domains(it),
            Family::Files(it) => self.files(it, args),
            Family::Memory(it) => memory(it),
            Family::Texts(it) => self.texts(it, args),
            Family::Words(it) => words(it, args),
            Family::Native(it) => self.native_memory(it, args),
            Family::Special(it) => self.special(it, args),
            Family::Derivatives(_) => fault(format!("{} before `differentiate`", prim.name())),
        }
    }

    fn parametric(&mut self, prim: Parametric, args: &[Value]) -> Result<Value> {
        let float = |index: usize| args[index].as_float();
        match prim {
            Parametric::Int(width, op) => numbers::int_op(width, op, args),
            Parametric::Float(op) => numbers::float_op(op, args),
            Parametric::Order(op) | Parametric::StrictOrder(op) => {
                self.order(op, &args[0], &args[1])
            }
            Parametric::IntCast { from, to } => Ok(Value::wrap(to, args[0].as_width(from)?)),
            Parametric::IntToFloat(from) => {
                let value = args[0].as_width(from)?;
                let float = if from == IntWidth::U64 { value as u64 as f64 } else { value as f64 };
                Ok(Value::Float(float))
            }
            Parametric::FloatToInt(to) => Ok(numbers::float_to_int(to, float(0)?)),
            Parametric::Send { .. } => Err(Stop::Refused("a method is called elsewhere".into())),
            Parametric::Foreign { name, .. } => {
                Err(Stop::Refused(format!("the C function `{name}` cannot be called here").into()))
            }
        }
    }

    fn general(&mut self, prim: General, args: &[Value]) -> Result<Value> {
        let int = |index: usize| args[index].as_int();
        let float = |index: usize| args[index].as_float();
        let seed = |index: usize| Ok(args[index].as_int()? as u32);
        let mixed = |hash: u32| Ok(Value::Int(i64::from(hash)));
        match prim {
            General::PhysEq => Ok(Value::Bool(order::same(&self.layout, &args[0], &args[1]))),
            General::PhysNe => Ok(Value::Bool(!order::same(&self.layout, &args[0], &args[1]))),
            General::Hash | General::StrictHash | General::HashParam
                if self.layout.has_own_order && self.holds(&args[0], OwnFunctions::has_order) =>
            {
                Err(Stop::Refused(OWN_ORDER.into()))
            }
            General::Hash | General::StrictHash => {
                Ok(Value::Int(hash::hash(&self.layout, &args[0])))
            }
            General::HashParam => match args[..] {
                [Value::Int(meaningful), Value::Int(total), Value::Int(seed), ref value] => {
                    let limits = hash::Limits { meaningful, total };
                    Ok(Value::Int(hash::hash_from(&self.layout, limits, seed as u32, value)))
                }
                _ => fault("%hash.param without its limits"),
            },
            General::HashMixInt => mixed(hash::mix_int(seed(0)?, int(1)?)),
            General::HashMixUint32 => mixed(hash::mix(seed(0)?, seed(1)?)),
            General::HashMixFloat => mixed(hash::mix_float(seed(0)?, float(1)?)),
            General::HashMixString => {
                mixed(args[1].with_bytes(|it| Ok(hash::mix_string(seed(0)?, it)))?)
            }
            General::HashMixInt64 => {
                mixed(hash::mix_int64(seed(0)?, args[1].as_width(IntWidth::I64)?))
            }
            General::HashFinal => Ok(Value::Int(hash::finish(seed(0)?))),
            General::ExnToString => {
                Ok(Value::bytes(exn_text::exn_text(self.program, &self.layout, &args[0])))
            }
        }
    }

    fn system(&mut self, prim: System, args: &[Value]) -> Result<Value> {
        let int = |index: usize| args[index].as_int();
        match prim {
            System::SysExit => Err(Stop::Exit(int(0)? as i32)),
            System::SysArgc => Ok(Value::Int(self.host.args().len() as i64)),
            System::SysArgv => {
                let range = range(self.host.args().len(), int(0)?, 1)?;
                Ok(Value::bytes(self.host.args()[range.start].clone()))
            }
            System::SysHasEnv => Ok(Value::Bool(self.host.env(&args[0].as_string()?).is_some())),
            System::SysGetEnv => {
                Ok(Value::bytes(self.host.env(&args[0].as_string()?).unwrap_or_default()))
            }
            // The interpreter counts calls and raises by itself.
            System::StackLow | System::SignalPending => Ok(Value::Bool(false)),
            System::SignalSet | System::SignalTake | System::SignalDone => {
                Err(Stop::Refused("signals: the interpreter has none".into()))
            }
            // Nothing is recorded, so there are no frames.
            System::BacktraceNote
            | System::BacktraceRestore
            | System::BacktracePush
            | System::BacktracePrint
            | System::StackEnter
            | System::StackLeave
            | System::StackEnd => Ok(Value::Unit),
            System::BacktraceStatus | System::StackKept => Ok(Value::Bool(false)),
            System::BacktraceLength
            | System::BacktraceKind
            | System::StackOwn
            | System::StackBegin => Ok(Value::Int(0)),
            System::BacktraceRecord
            | System::BacktracePlace
            | System::StackCount
            | System::StackPlace => {
                Err(Stop::Refused("backtraces: the interpreter has none".into()))
            }
            System::SysCaller => Ok(Value::bytes("")),
            System::SysTime => Ok(Value::Float(self.host.time())),
            System::SysWallTime => Ok(Value::Float(self.host.wall_time())),
            System::SysMemoryFits => Ok(Value::Bool(int(0)? < LARGEST_REQUEST)),
            System::SysEntropy => Ok(Value::wrap(IntWidth::I63, self.host.entropy())),
            System::SysFileExists => Ok(Value::Bool(self.host.exists(&args[0].as_string()?))),
            System::SysIsDirectory => {
                Ok(Value::Bool(self.host.is_directory(&args[0].as_string()?)))
            }
            System::SysRemove => Ok(Value::Int(self.host.remove(&args[0].as_string()?))),
            System::SysErrorMessage => Ok(Value::bytes(self.host.error_message(int(0)?))),
            System::FiberNew | System::FiberResume | System::FiberSuspend | System::FiberIsOwn => {
                Err(Stop::Refused("effects: the interpreter has one stack".into()))
            }
        }
    }

    fn files(&mut self, prim: Files, args: &[Value]) -> Result<Value> {
        let int = |index: usize| args[index].as_int();
        match prim {
            Files::IoOpen => {
                let path = args[0].as_string()?;
                Ok(Value::Int(self.host.open(&path, int(1)?, int(2)?)))
            }
            Files::IoClose => Ok(Value::Int(self.host.close(int(0)?))),
            Files::IoWrite => args[1].with_bytes(|it| {
                let range = range(it.len(), int(2)?, int(3)?)?;
                Ok(Value::Int(self.host.write(int(0)?, &it[range])))
            }),
            Files::IoRead => args[1].with_bytes_mut(|it| {
                let range = range(it.len(), int(2)?, int(3)?)?;
                Ok(Value::Int(self.host.read(int(0)?, &mut it[range])))
            }),
            Files::IoMap => Err(Stop::Refused("files in memory: the interpreter has none".into())),
            Files::IoSeek => Ok(Value::Int(self.host.seek(int(0)?, int(1)?, int(2)?))),
        }
    }

    fn texts(&mut self, prim: Texts, args: &[Value]) -> Result<Value> {
        let float = |index: usize| args[index].as_float();
        match prim {
            Texts::Show if self.holds(&args[0], |own| own.shown.is_some()) => {
                Err(Stop::Refused(OWN_TEXT.into()))
            }
            Texts::Text if self.holds(&args[0], |own| own.text.is_some()) => {
                Err(Stop::Refused(OWN_TEXT.into()))
            }
            Texts::Show => Ok(Value::bytes(show::show(self.program, &args[0]))),
            Texts::Text => Ok(Value::bytes(show::text(self.program, &args[0]))),
            Texts::IsNull => Ok(Value::Bool(show::is_null(self.program, &args[0]))),
            Texts::FormatInt => format_int(args, IntWidth::I63),
            Texts::FormatInt32 => format_int(args, IntWidth::I32),
            Texts::FormatInt64 => format_int(args, IntWidth::I64),
            Texts::FormatFloat => {
                args[0].with_bytes(|format| match c_format::format_float(format, float(1)?) {
                    Some(text) => Ok(Value::bytes(text)),
                    None => bad_format(format),
                })
            }
            Texts::ParseFloatOk => {
                args[0].with_bytes(|it| Ok(Value::Bool(floats::parse(it).is_some())))
            }
            Texts::ParseFloat => {
                args[0].with_bytes(|it| Ok(Value::Float(floats::parse(it).unwrap_or(0.0))))
            }
            Texts::FloatDigits => Ok(Value::bytes(floats::digits(float(0)?.abs()))),
            Texts::FloatDigits32 => Ok(Value::bytes(floats::digits((float(0)? as f32).abs()))),
        }
    }

    fn native_memory(&mut self, prim: Native, args: &[Value]) -> Result<Value> {
        let int = |index: usize| args[index].as_int();
        match prim {
            Native::NativeMark => Ok(Value::Int64(self.native.mark())),
            Native::NativeAlloc => Ok(Value::Int64(self.native.alloc(args[0].as_width(I64)?)?)),
            Native::NativeRelease => {
                self.native.release(args[0].as_width(I64)?);
                Ok(Value::Unit)
            }
            Native::NativeGet8 => Ok(Value::Int(self.native.load::<1>(&args[0])?[0].into())),
            Native::NativeGet16 => {
                Ok(Value::Int(u16::from_le_bytes(self.native.load(&args[0])?).into()))
            }
            Native::NativeGet32 => {
                Ok(Value::Int32(i32::from_le_bytes(self.native.load(&args[0])?)))
            }
            Native::NativeGet64 => {
                Ok(Value::Int64(i64::from_le_bytes(self.native.load(&args[0])?)))
            }
            Native::NativeSet8 => self.native.store(&args[0], [int(1)? as u8]),
            Native::NativeSet16 => self.native.store(&args[0], (int(1)? as u16).to_le_bytes()),
            Native::NativeSet32 => {
                let value = args[1].as_width(IntWidth::I32)? as i32;
                self.native.store(&args[0], value.to_le_bytes())
            }
            Native::NativeSet64 => {
                self.native.store(&args[0], args[1].as_width(I64)?.to_le_bytes())
            }
        }
    }

    fn special(&mut self, prim: Special, args: &[Value]) -> Result<Value> {
        let int = |index: usize| args[index].as_int();
        match prim {
            // A default needs the type of the node, which `eval` looks at.
            Special::Uninit | Special::Default => Ok(Value::Unit),
            Special::ObjTag => {
                Ok(Value::Int(order::tag_of(&self.layout, &args[0]).map_or(-1, i64::from)))
            }
            Special::ObjNumber => Ok(Value::Int(match args[0] {
                Value::Int32(_) | Value::Int64(_) | Value::Sized(..) => 0,
                ref value => order::immediate(&self.layout, value).unwrap_or(0),
            })),
            Special::ObjSize => Ok(Value::Int(object_size(&self.layout, &args[0]))),
            Special::ObjField => match &args[0] {
                Value::Object(object) => {
                    let fields = object.fields.borrow();
                    let range = range(fields.len(), int(1)?, 1)?;
                    Ok(fields[range.start].clone())
                }
                other => fault(format!("a field of {}", other.describe())),
            },
            Special::Unreachable => fault("a place was come to that cannot be"),
            Special::ObjectId => match &args[0] {
                Value::Object(object) => Ok(object.fields.borrow()[0].clone()),
                other => fault(format!("the number of {}", other.describe())),
            },
            Special::ObjectCopy => match &args[0] {
                Value::Object(object) => {
                    let mut fields = object.fields.borrow().clone();
                    fields[0] = args[1].clone();
                    Ok(Value::object(object.kind, fields))
                }
                other => fault(format!("a copy of {}", other.describe())),
            },
            Special::Keep | Special::Kept => {
                Err(Stop::Refused("a prompt: the interpreter has no phrases".into()))
            }
            Special::TypeNumber | Special::TypeName | Special::Box => {
                Err(Stop::Refused(OBJECT.into()))
            }
            Special::Opaque | Special::Retype | Special::ObjMagic => Ok(args[0].clone()),
        }
    }

    fn order(&mut self, op: OrderOp, a: &Value, b: &Value) -> Result<Value> {
        if self.has_own_order(&[a.clone(), b.clone()]) {
            return Err(Stop::Refused(OWN_ORDER.into()));
        }
        if let Ok(result) = order::order(&self.layout, op, a, b) {
            return Ok(result);
        }
        let message = "compare: functional value";
        match self.program.well_known.exns.invalid_argument {
            Some(exn) => Err(Stop::Raise(self.exception(exn, vec![Value::bytes(message)]))),
            None => fault(message),
        }
    }
}

fn memory(prim: Memory) -> Result<Value> {
    match prim {
        Memory::MarshalWrite | Memory::MarshalRead | Memory::MarshalShape => {
            Err(Stop::Refused("values as bytes: those of the interpreter look otherwise".into()))
        }
        Memory::WeakCount | Memory::WeakCopy => {
            Err(Stop::Refused("weak references: the interpreter does not count".into()))
        }
        Memory::GcScan => Ok(Value::Unit),
    }
}

/// Programs without domains come past the first of these.
fn domains(prim: Domains) -> Result<Value> {
    match prim {
        Domains::DomainAny => Ok(Value::Bool(false)),
        Domains::DomainSelf | Domains::DomainSlot | Domains::MutexSize | Domains::ConditionSize => {
            Ok(Value::Int(0))
        }
        Domains::DomainRelax
        | Domains::DomainYield
        | Domains::MutexInit
        | Domains::ConditionInit
        | Domains::AtomicFence
        | Domains::AtomicLock
        | Domains::AtomicUnlock
        | Domains::ChannelsLock
        | Domains::ChannelsUnlock => Ok(Value::Unit),
        Domains::AtomicSingle => Ok(Value::Bool(true)),
        Domains::DomainSpawn
        | Domains::DomainDelay
        | Domains::DomainCores
        | Domains::MutexLock
        | Domains::MutexTryLock
        | Domains::MutexUnlock
        | Domains::ConditionWait
        | Domains::ConditionSignal => {
            Err(Stop::Refused("domains and threads: the interpreter has one thread".into()))
        }
    }
}

fn scalar(prim: Scalar, args: &[Value]) -> Result<Value> {
    let int = |index: usize| args[index].as_int();
    let float = |index: usize| args[index].as_float();
    match prim {
        Scalar::BoolNot => Ok(Value::Bool(!args[0].as_bool()?)),
        Scalar::CharCode => Ok(Value::Int(i64::from(args[0].as_char()?))),
        Scalar::CharUnsafeChr => Ok(Value::Char(int(0)? as u8)),
        Scalar::FloatBits => Ok(Value::Int64(float(0)?.to_bits() as i64)),
        Scalar::FloatOfBits => {
            Ok(Value::Float(f64::from_bits(args[0].as_width(IntWidth::I64)? as u64)))
        }
        Scalar::FloatOfBits32 => {
            let bits = args[0].as_width(IntWidth::I32)? as u32;
            Ok(Value::Float(f64::from(f32::from_bits(bits))))
        }
        Scalar::FloatBits32 => Ok(Value::Int32((float(0)? as f32).to_bits() as i32)),
        Scalar::Float32OfFloat => Ok(Value::Float32(float(0)? as f32)),
        Scalar::Float32ToFloat => match args[0] {
            Value::Float32(value) => Ok(Value::Float(f64::from(value))),
            _ => fault("a float32 is expected"),
        },
        Scalar::FloatLdexp => Ok(Value::Float(numbers::ldexp(float(0)?, int(1)?))),
        Scalar::FloatFrexpMantissa => Ok(Value::Float(numbers::frexp(float(0)?).0)),
        Scalar::FloatFrexpExponent => Ok(Value::Int(numbers::frexp(float(0)?).1)),
    }
}

fn bytes(prim: Bytes, args: &[Value]) -> Result<Value> {
    let int = |index: usize| args[index].as_int();
    match prim {
        Bytes::StringLength | Bytes::BytesLength => {
            args[0].with_bytes(|it| Ok(Value::Int(it.len() as i64)))
        }
        Bytes::StringGet | Bytes::BytesGet => Ok(Value::Char(load::<1>(&args[0], int(1)?)?[0])),
        Bytes::StringConcat => {
            let (mut text, tail) = (args[0].as_string()?, args[1].as_string()?);
            text.extend(tail);
            Ok(Value::bytes(text))
        }
        Bytes::BytesCreate => Ok(Value::bytes(vec![0; length(int(0)?)?])),
        Bytes::BytesSet => store(&args[0], int(1)?, [args[2].as_char()?]),
        Bytes::BytesGet16 => {
            Ok(Value::Int(i64::from(u16::from_le_bytes(load(&args[0], int(1)?)?))))
        }
        Bytes::BytesGet32 => Ok(Value::Int32(i32::from_le_bytes(load(&args[0], int(1)?)?))),
        Bytes::BytesGet64 => Ok(Value::Int64(i64::from_le_bytes(load(&args[0], int(1)?)?))),
        Bytes::BytesSet16 => store(&args[0], int(1)?, (int(2)? as u16).to_le_bytes()),
        Bytes::BytesSet32 => {
            let value = args[2].as_width(IntWidth::I32)? as i32;
            store(&args[0], int(1)?, value.to_le_bytes())
        }
        Bytes::BytesSet64 => {
            let value = args[2].as_width(IntWidth::I64)?;
            store(&args[0], int(1)?, value.to_le_bytes())
        }
        Bytes::BytesBlit | Bytes::BytesBlitString => {
            let count = int(4)?;
            let from = args[0].with_bytes(|it| {
                let range = range(it.len(), int(1)?, count)?;
                Ok(it[range].to_vec())
            })?;
            args[2].with_bytes_mut(|it| {
                let range = range(it.len(), int(3)?, count)?;
                it[range].copy_from_slice(&from);
                Ok(Value::Unit)
            })
        }
        Bytes::BytesFill => args[0].with_bytes_mut(|it| {
            let range = range(it.len(), int(1)?, int(2)?)?;
            it[range].fill(args[3].as_char()?);
            Ok(Value::Unit)
        }),
        Bytes::BytesUnsafeToString | Bytes::BytesUnsafeOfString => Ok(args[0].clone()),
    }
}

fn arrays(prim: Arrays, args: &[Value]) -> Result<Value> {
    let int = |index: usize| args[index].as_int();
    match prim {
        Arrays::ArrayLength => Ok(Value::Int(args[0].as_array()?.fields.borrow().len() as i64)),
        Arrays::ArrayGet => {
            let fields = args[0].as_array()?.fields.borrow();
            let range = range(fields.len(), int(1)?, 1)?;
            Ok(fields[range.start].clone())
        }
        Arrays::ArraySet => {
            let mut fields = args[0].as_array()?.fields.borrow_mut();
            let range = range(fields.len(), int(1)?, 1)?;
            fields[range.start] = args[2].clone();
            Ok(Value::Unit)
        }
        Arrays::ArrayMake => {
            Ok(Value::object(ObjectKind::Array, vec![args[1].clone(); length(int(0)?)?]))
        }
        Arrays::ArrayUninit => {
            Ok(Value::object(ObjectKind::Array, vec![Value::Undefined; length(int(0)?)?]))
        }
        Arrays::ArrayBlit => {
            let count = int(4)?;
            let from = {
                let fields = args[0].as_array()?.fields.borrow();
                fields[range(fields.len(), int(1)?, count)?].to_vec()
            };
            let mut fields = args[2].as_array()?.fields.borrow_mut();
            let range = range(fields.len(), int(3)?, count)?;
            fields[range].clone_from_slice(&from);
            Ok(Value::Unit)
        }
        Arrays::ArrayTanh | Arrays::ArrayExp | Arrays::ArrayFastTanh | Arrays::ArrayFastExp => {
            let (start, step) = (int(1)?, int(2)?);
            let mut fields = args[0].as_array()?.fields.borrow_mut();
            for index in 0..int(3)? {
                let place = range(fields.len(), start + index * step, 1)?.start;
                let number = fields[place].as_float()?;
                let result = match prim {
                    Arrays::ArrayExp => number.exp(),
                    Arrays::ArrayFastTanh => kernels::tanh(&kernels::Machine, number),
                    Arrays::ArrayFastExp => kernels::exp(&kernels::Machine, number),
                    _ => number.tanh(),
                };
                fields[place] = Value::Float(result);
            }
            Ok(Value::Unit)
        }
        Arrays::ArrayAddProduct => number_arrays::add_product(args),
    }
}

fn words(prim: Words, args: &[Value]) -> Result<Value> {
    let int = |index: usize| args[index].as_int();
    match prim {
        Words::WordIsInt => Ok(Value::Bool(matches!(args[0], Value::Int(_)))),
        Words::WordToInt => match &args[0] {
            Value::Object(object) => Ok(Value::Int(Rc::as_ptr(object) as usize as i64 >> 2)),
            _ => Ok(Value::Int(int(0)?)),
        },
        Words::WordOfInt => Ok(Value::Int(int(0)?)),
        Words::WordIsMark => Ok(Value::Bool(matches!(args[0], Value::Mark(_)))),
        Words::WordToMark => match args[0] {
            Value::Mark(number) => Ok(Value::Int(number)),
            ref other => fault(format!("{} instead of a mark", other.describe())),
        },
        Words::WordOfMark => Ok(Value::Mark(int(0)?)),
        // A float among constructors is a float.
        Words::WordIsFloat => Ok(Value::Bool(matches!(args[0], Value::Float(_)))),
        Words::WordToFloat | Words::WordOfFloat => Ok(Value::Float(args[0].as_float()?)),
        Words::WordFloatFits => {
            Ok(Value::Bool(oxbow_abi::float_word(args[0].as_float()?).is_some()))
        }
        Words::WordAdd => Ok(Value::Int(int(0)?.wrapping_add(int(1)?))),
        Words::WordSub => Ok(Value::Int(int(0)?.wrapping_sub(int(1)?))),
        Words::WordMul => Ok(Value::Int(int(0)?.wrapping_mul(int(1)?))),
        Words::WordAddFits => Ok(Value::Bool(has_62_bits(int(0)?.checked_add(int(1)?)))),
        Words::WordSubFits => Ok(Value::Bool(has_62_bits(int(0)?.checked_sub(int(1)?)))),
        Words::WordMulFits => Ok(Value::Bool(has_62_bits(int(0)?.checked_mul(int(1)?)))),
        Words::WordLess => Ok(Value::Bool(int(0)? < int(1)?)),
    }
}

fn format_int(args: &[Value], width: IntWidth) -> Result<Value> {
    let value = args[1].as_width(width)?;
    args[0].with_bytes(|format| match c_format::format_int(format, width, value) {
        Some(text) => Ok(Value::bytes(text)),
        None => bad_format(format),
    })
}

fn bad_format<T>(format: &[u8]) -> Result<T> {
    fault(format!("the format `{}`", String::from_utf8_lossy(format)))
}

fn length(value: i64) -> Result<usize> {
    match usize::try_from(value) {
        Ok(length) if length < 1 << 40 => Ok(length),
        _ => fault(format!("the length {value}")),
    }
}

fn has_62_bits(value: Option<i64>) -> bool {
    value.is_some_and(|it| (-(1 << 61)..1 << 61).contains(&it))
}

/// `count` places from `start`, within `len`.
pub(super) fn range(len: usize, start: i64, count: i64) -> Result<std::ops::Range<usize>> {
    if let (Ok(start), Ok(count)) = (usize::try_from(start), usize::try_from(count))
        && let Some(end) = start.checked_add(count)
        && end <= len
    {
        return Ok(start..end);
    }
    fault(format!("{count} at {start} of {len}: out of bounds in an unchecked primitive"))
}

/// The words of a value's block in OCaml.
fn object_size(layout: &Layout, value: &Value) -> i64 {
    match value {
        Value::Object(object) => {
            let is_tags =
                matches!(object.kind, ObjectKind::Data { data, .. } if layout.is_tags(data));
            object.fields.borrow().len() as i64 + i64::from(is_tags)
        }
        Value::Bytes(bytes) => bytes.borrow().len() as i64 / 8 + 1,
        Value::Float(_) | Value::Float32(_) => 1,
        Value::Int32(_) | Value::Int64(_) | Value::Sized(..) => 2,
        Value::Unit
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Char(_)
        | Value::Mark(_)
        | Value::Constant { .. }
        | Value::Cell(_)
        | Value::Undefined => 0,
    }
}

fn load<const N: usize>(bytes: &Value, at: i64) -> Result<[u8; N]> {
    bytes.with_bytes(|it| {
        let mut part = [0; N];
        part.copy_from_slice(&it[range(it.len(), at, N as i64)?]);
        Ok(part)
    })
}

fn store<const N: usize>(bytes: &Value, at: i64, part: [u8; N]) -> Result<Value> {
    bytes.with_bytes_mut(|it| {
        let range = range(it.len(), at, N as i64)?;
        it[range].copy_from_slice(&part);
        Ok(Value::Unit)
    })
}
