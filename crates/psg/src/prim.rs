//! Primitive operations: what programs can do besides calling each other.
//!
//! The library reaches them by `external f : t = "%name"`. **No primitive raises an exception**: the library checks
//! bounds and divisors before it calls one, so every check is ordinary code that is inlined and optimised like others.
//!
//! Integers of width `I63` are OCaml's `int`: all operations wrap at 63 bits. Those of a `U…` width are unsigned:
//! `Div`, `Mod`, `Asr`, conversions and order treat them so.
//!
//! The table below is all there is to say of a primitive here: its name, its type, its effect. What it does is said by
//! the interpreter (`interp/prims`) and by lowering (`lower/src/prims`), which match on every case of every family: one
//! that is added to the table and not to them does not compile.
//!
//! `%native.…` work on memory by its address; that the address is right is the program's business.

use oxbow_base::Symbol;

use crate::prim_ops::{FloatOp, IntOp, IntWidth, OrderOp};
pub use crate::prim_types::Effect;
use crate::prim_types::{
    ANY, ANY_ARRAY, BOOL, BYTES, CHAR, EXN, FLOAT, FLOAT_ARRAY, FLOAT_FUNCTION, FLOAT32, INT,
    INT32, INT64, OTHER, PrimTy, STRING, Signature, UNIT,
};

/// In the place of a library's name: those that every program of C is linked with, and `libm`.
pub const STANDARD_LIBRARIES: &str = "libm+libc";

macro_rules! prims {
    ($([$family:ident $about:literal]
        $($(#[doc = $doc:literal])* $variant:ident = $name:literal,
            [$($param:expr),*] -> $result:expr, $effect:ident;)*)*) => {
        /// A primitive operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Prim {
            /// `%int.add`, `%int32.add`, `%int64.add`, …
            Int(IntWidth, IntOp),
            /// `%float.add`, …
            Float(FloatOp),
            /// `%eq %ne %lt %le %gt %ge %compare`, at any type.
            Order(OrderOp),
            /// `%strict.eq`, …: the same where the language refuses to compare functions.
            /// `monomorphize` reports those and makes `Order` of the others.
            StrictOrder(OrderOp),
            /// `%int.to_int32`, `%int32.to_int`, `%int64.to_int32`, …: wraps or sign-extends.
            IntCast { from: IntWidth, to: IntWidth },
            /// `%int.to_float`, `%int32.to_float`, `%int64.to_float`
            IntToFloat(IntWidth),
            /// `%float.to_int`, …: truncates; unspecified when out of range, as in OCaml.
            FloatToInt(IntWidth),
            /// `%c.2.libm.pow`: a function of a C library, with the number of its operands (one
            /// of type `unit` if it takes none). Scalars and strings only; an `int` is given as a
            /// number of 64 bits.
            Foreign { name: Symbol, library: Symbol, arity: u8 },
            /// `%send.2.m o a`: the method `m` of an object, called with it and the other operands.
            /// `monomorphize` replaces it.
            Send { label: Symbol, arity: u8 },
            $($($(#[doc = $doc])* $variant,)*)*
        }

        $(
            #[doc = $about]
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum $family {
                $($variant,)*
            }

            impl From<$family> for Prim {
                fn from(it: $family) -> Self {
                    match it {
                        $($family::$variant => Prim::$variant,)*
                    }
                }
            }
        )*

        /// A primitive as one of its family: what matches on all of them can do so in pieces.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Family {
            Parametric(Parametric),
            $($family($family),)*
        }

        impl Prim {
            pub fn family(self) -> Family {
                match self {
                    Prim::Int(width, op) => Family::Parametric(Parametric::Int(width, op)),
                    Prim::Float(op) => Family::Parametric(Parametric::Float(op)),
                    Prim::Order(op) => Family::Parametric(Parametric::Order(op)),
                    Prim::StrictOrder(op) => Family::Parametric(Parametric::StrictOrder(op)),
                    Prim::IntCast { from, to } => {
                        Family::Parametric(Parametric::IntCast { from, to })
                    }
                    Prim::IntToFloat(from) => Family::Parametric(Parametric::IntToFloat(from)),
                    Prim::FloatToInt(to) => Family::Parametric(Parametric::FloatToInt(to)),
                    Prim::Foreign { name, library, .. } => {
                        Family::Parametric(Parametric::Foreign { name, library })
                    }
                    Prim::Send { label, .. } => Family::Parametric(Parametric::Send { label }),
                    $($(Prim::$variant => Family::$family($family::$variant),)*)*
                }
            }

            /// Those without parameters.
            const SINGLE: &'static [(Prim, &'static str)] = &[$($((Prim::$variant, $name),)*)*];

            pub fn name(self) -> String {
                match self {
                    Prim::Int(width, op) => format!("%{}.{}", width.name(), op.name()),
                    Prim::Float(op) => format!("%float.{}", op.name()),
                    Prim::Order(op) => format!("%{}", op.name()),
                    Prim::StrictOrder(op) => format!("%strict.{}", op.name()),
                    Prim::IntCast { from, to } => format!("%{}.to_{}", from.name(), to.name()),
                    Prim::IntToFloat(from) => format!("%{}.to_float", from.name()),
                    Prim::FloatToInt(to) => format!("%float.to_{}", to.name()),
                    Prim::Foreign { name, library, arity } => {
                        format!("%c.{arity}.{library}.{name}")
                    }
                    Prim::Send { label, arity } => format!("%send.{arity}.{label}"),
                    $($(Prim::$variant => $name.into(),)*)*
                }
            }

            /// Its type. That of a function of C is what the program declares.
            pub(crate) fn signature(self) -> Option<Signature> {
                Some(match self {
                    Prim::Int(width, op) => op.signature(width),
                    Prim::Float(op) => op.signature(),
                    Prim::Order(op) | Prim::StrictOrder(op) => op.signature(),
                    Prim::IntCast { from, to } => {
                        Signature::new(&[PrimTy::Int(from)], PrimTy::Int(to))
                    }
                    Prim::IntToFloat(from) => Signature::new(&[PrimTy::Int(from)], FLOAT),
                    Prim::FloatToInt(to) => Signature::new(&[FLOAT], PrimTy::Int(to)),
                    Prim::Foreign { .. } | Prim::Send { .. } => return None,
                    $($(Prim::$variant => const { Signature::new(&[$($param),*], $result) },)*)*
                })
            }

            pub fn effect(self) -> Effect {
                match self {
                    // Order at structured types reads mutable fields and may raise (functional values).
                    Prim::Order(_) | Prim::StrictOrder(_) => Effect::Read,
                    Prim::Int(..)
                    | Prim::Float(_)
                    | Prim::IntCast { .. }
                    | Prim::IntToFloat(_)
                    | Prim::FloatToInt(_) => Effect::Pure,
                    Prim::Foreign { .. } | Prim::Send { .. } => Effect::Write,
                    $($(Prim::$variant => Effect::$effect,)*)*
                }
            }
        }
    };
}

/// The primitives that have parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parametric {
    Int(IntWidth, IntOp),
    Float(FloatOp),
    Order(OrderOp),
    StrictOrder(OrderOp),
    IntCast { from: IntWidth, to: IntWidth },
    IntToFloat(IntWidth),
    FloatToInt(IntWidth),
    Foreign { name: Symbol, library: Symbol },
    Send { label: Symbol },
}

prims! {
    [General "Work on values of any type: identity, hashes, exceptions as text."]
    /// `==`: same object, or same scalar.
    PhysEq = "%physeq", [ANY, ANY] -> BOOL, Read;
    /// `!=`
    PhysNe = "%physne", [ANY, ANY] -> BOOL, Read;
    /// OCaml's `Hashtbl.hash`, at any type. `monomorphize` expands it except at scalar types and strings.
    Hash = "%hash", [ANY] -> INT, Read;
    /// The same where the language refuses to hash functions, as `StrictOrder`.
    StrictHash = "%strict.hash", [ANY] -> INT, Read;
    /// The same with the numbers of meaningful values and of all values that are looked at, and a seed.
    /// `monomorphize` expands it.
    HashParam = "%hash.param", [INT, INT, INT, ANY] -> INT, Read;
    /// Mixes an int into a running hash (32-bit, as `caml_hash_mix_intnat`).
    HashMixInt = "%hash.mix_int", [INT, INT] -> INT, Pure;
    /// Mixes 32 raw bits (`caml_hash_mix_uint32`).
    HashMixUint32 = "%hash.mix_uint32", [INT, INT] -> INT, Pure;
    HashMixFloat = "%hash.mix_float", [INT, FLOAT] -> INT, Pure;
    HashMixString = "%hash.mix_string", [INT, STRING] -> INT, Pure;
    HashMixInt64 = "%hash.mix_int64", [INT, INT64] -> INT, Pure;
    /// The final mix, masked to 30 bits.
    HashFinal = "%hash.final", [INT] -> INT, Pure;
    /// As `Printexc.to_string` without registered printers.
    ExnToString = "%exn.to_string", [EXN] -> STRING, Alloc;

    [Scalar "Work on booleans, characters and floats."]
    BoolNot = "%bool.not", [BOOL] -> BOOL, Pure;
    CharCode = "%char.code", [CHAR] -> INT, Pure;
    /// Takes the low byte.
    CharUnsafeChr = "%char.unsafe_chr", [INT] -> CHAR, Pure;

    FloatBits = "%float.bits", [FLOAT] -> INT64, Pure;
    FloatOfBits = "%float.of_bits", [INT64] -> FLOAT, Pure;
    /// The single-precision pattern, widened.
    FloatOfBits32 = "%float.of_bits32", [INT32] -> FLOAT, Pure;
    FloatBits32 = "%float.bits32", [FLOAT] -> INT32, Pure;
    FloatLdexp = "%float.ldexp", [FLOAT, INT] -> FLOAT, Pure;
    /// The mantissa of `frexp`.
    FloatFrexpMantissa = "%float.frexp_mantissa", [FLOAT] -> FLOAT, Pure;
    FloatFrexpExponent = "%float.frexp_exponent", [FLOAT] -> INT, Pure;
    /// Rounded.
    Float32OfFloat = "%float32.of_float", [FLOAT] -> FLOAT32, Pure;
    Float32ToFloat = "%float32.to_float", [FLOAT32] -> FLOAT, Pure;

    [Bytes "Work on strings and bytes."]
    StringLength = "%string.length", [STRING] -> INT, Pure;
    /// Unchecked.
    StringGet = "%string.unsafe_get", [STRING, INT] -> CHAR, Pure;
    StringConcat = "%string.concat", [STRING, STRING] -> STRING, Alloc;
    BytesLength = "%bytes.length", [BYTES] -> INT, Pure;
    /// Contents unspecified.
    BytesCreate = "%bytes.create", [INT] -> BYTES, Alloc;
    /// Unchecked.
    BytesGet = "%bytes.unsafe_get", [BYTES, INT] -> CHAR, Read;
    /// Unchecked.
    BytesSet = "%bytes.unsafe_set", [BYTES, INT, CHAR] -> UNIT, Write;
    /// Two bytes, little endian, unsigned, unchecked.
    BytesGet16 = "%bytes.unsafe_get16", [BYTES, INT] -> INT, Read;
    BytesGet32 = "%bytes.unsafe_get32", [BYTES, INT] -> INT32, Read;
    BytesGet64 = "%bytes.unsafe_get64", [BYTES, INT] -> INT64, Read;
    BytesSet16 = "%bytes.unsafe_set16", [BYTES, INT, INT] -> UNIT, Write;
    BytesSet32 = "%bytes.unsafe_set32", [BYTES, INT, INT32] -> UNIT, Write;
    BytesSet64 = "%bytes.unsafe_set64", [BYTES, INT, INT64] -> UNIT, Write;
    /// `src:bytes -> int -> dst:bytes -> int -> len:int -> unit`, unchecked, overlap allowed.
    BytesBlit = "%bytes.unsafe_blit", [BYTES, INT, BYTES, INT, INT] -> UNIT, Write;
    /// `src:string -> int -> dst:bytes -> int -> len:int -> unit`, unchecked.
    BytesBlitString = "%bytes.unsafe_blit_string", [STRING, INT, BYTES, INT, INT] -> UNIT, Write;
    /// Position, length, unchecked.
    BytesFill = "%bytes.unsafe_fill", [BYTES, INT, INT, CHAR] -> UNIT, Write;
    /// The same object, no copy; the bytes must not change afterwards.
    BytesUnsafeToString = "%bytes.unsafe_to_string", [BYTES] -> STRING, Read;
    /// The same object; it must not be written.
    BytesUnsafeOfString = "%bytes.unsafe_of_string", [STRING] -> BYTES, Pure;

    [Arrays "Work on arrays."]
    ArrayLength = "%array.length", [ANY_ARRAY] -> INT, Pure;
    /// Unchecked.
    ArrayGet = "%array.unsafe_get", [ANY_ARRAY, INT] -> ANY, Read;
    /// Unchecked.
    ArraySet = "%array.unsafe_set", [ANY_ARRAY, INT, ANY] -> UNIT, Write;
    /// Length not negative.
    ArrayMake = "%array.unsafe_make", [INT, ANY] -> ANY_ARRAY, Alloc;
    /// Elements unspecified until set.
    ArrayUninit = "%array.unsafe_uninit", [INT] -> ANY_ARRAY, Alloc;
    /// `src -> int -> dst -> int -> len -> unit`, unchecked, overlap allowed.
    ArrayBlit = "%array.unsafe_blit", [ANY_ARRAY, INT, ANY_ARRAY, INT, INT] -> UNIT, Write;
    /// Position, step, count; each of these numbers becomes its `tanh`. These four are put in by `gather_kernels`.
    ArrayTanh = "%array.unsafe_tanh", [FLOAT_ARRAY, INT, INT, INT] -> UNIT, Write;
    ArrayExp = "%array.unsafe_exp", [FLOAT_ARRAY, INT, INT, INT] -> UNIT, Write;
    ArrayFastTanh = "%array.unsafe_fast_tanh", [FLOAT_ARRAY, INT, INT, INT] -> UNIT, Write;
    ArrayFastExp = "%array.unsafe_fast_exp", [FLOAT_ARRAY, INT, INT, INT] -> UNIT, Write;
    /// Matrices `c`, `a`, `b`; rows and columns of `a`, columns of `b`; the distances of rows and of columns in each:
    /// adds the product of `a` and `b` to `c`. What `KnownFunction::AddProduct` does with numbers without derivatives.
    ArrayAddProduct = "%array.unsafe_add_product",
        [FLOAT_ARRAY, FLOAT_ARRAY, FLOAT_ARRAY, INT, INT, INT, INT, INT, INT, INT, INT, INT] -> UNIT, Write;

    [System "Ask the system, or are about the stack."]
    /// Ends the process at once with this code; nothing is flushed.
    SysExit = "%sys.exit", [INT] -> ANY, Write;
    SysArgc = "%sys.argc", [UNIT] -> INT, Pure;
    SysArgv = "%sys.argv", [INT] -> STRING, Alloc;
    SysHasEnv = "%sys.has_env", [STRING] -> BOOL, Read;
    /// Empty when not set.
    SysGetEnv = "%sys.getenv", [STRING] -> STRING, Alloc;
    /// A fibre that has not begun. What it runs is the library's business (`KnownFunction::FiberStart`).
    FiberNew = "%fiber.new", [UNIT] -> EXN, Write;
    /// Lets a fibre run until it suspends itself (0) or ends (1).
    FiberResume = "%fiber.resume", [EXN] -> INT, Write;
    /// Does the fibre belong to this thread? Only that one may resume it.
    FiberIsOwn = "%fiber.is_own", [EXN] -> BOOL, Write;
    /// Leaves the fibre: 0 when it is resumed, 1 if it has to unwind, 2 if none runs.
    FiberSuspend = "%fiber.suspend", [UNIT] -> INT, Write;
    /// Number of a signal, and what is to become of it (0 the default, 1 nothing, 2 it is noted for `%signal.take`);
    /// what was before, or minus the error number.
    SignalSet = "%signal.set", [INT, INT] -> INT, Write;
    /// Has a signal come that is noted? Put in by `poll_signals`.
    SignalPending = "%signal.pending", [UNIT] -> BOOL, Write;
    /// The number of a signal that has come, which is not given again before `%signal.done`; 0 if there is none.
    SignalTake = "%signal.take", [UNIT] -> INT, Write;
    /// The program has done what it does about this signal.
    SignalDone = "%signal.done", [INT] -> UNIT, Write;
    /// Kind of a frame (`oxbow_abi::backtrace`), its place, the exception. Put in by `trace_exceptions`.
    BacktraceNote = "%backtrace.note", [INT, STRING, EXN] -> UNIT, Write;
    /// The frames of this exception follow; where it leaves a call next, it is raised again.
    BacktraceRestore = "%backtrace.restore", [EXN] -> UNIT, Write;
    /// Kind and place of one more frame.
    BacktracePush = "%backtrace.push", [INT, STRING] -> UNIT, Write;
    /// Are frames noted from now on? A program that asks is traced.
    BacktraceRecord = "%backtrace.record", [INT] -> UNIT, Write;
    BacktraceStatus = "%backtrace.status", [UNIT] -> BOOL, Write;
    BacktraceLength = "%backtrace.length", [UNIT] -> INT, Write;
    BacktraceKind = "%backtrace.kind", [INT] -> INT, Write;
    BacktracePlace = "%backtrace.place", [INT] -> STRING, Write;
    /// Writes the frames of an exception that ends the program. `trace_exceptions` drops it from other programs.
    BacktracePrint = "%backtrace.print", [EXN] -> UNIT, Write;
    /// A call begins at a place, and has ended. Put in by `trace_exceptions`.
    StackEnter = "%stack.enter", [STRING] -> UNIT, Write;
    StackLeave = "%stack.leave", [UNIT] -> UNIT, Write;
    /// How many calls are going on. In a program that asks they are kept.
    StackCount = "%stack.count", [UNIT] -> INT, Write;
    /// The place of one, from the innermost.
    StackPlace = "%stack.place", [INT] -> STRING, Write;
    /// Are calls kept? Known after `drop_frames`.
    StackKept = "%stack.kept", [UNIT] -> BOOL, Write;
    /// How many calls are going on in the fibre that runs.
    StackOwn = "%stack.own", [UNIT] -> INT, Write;
    /// Calls are those of a fibre from now on; what says which were before.
    StackBegin = "%stack.begin", [UNIT] -> INT, Write;
    StackEnd = "%stack.end", [INT] -> UNIT, Write;
    /// Is the stack nearly used up? Put in by `check_stack`.
    StackLow = "%sys.stack_low", [UNIT] -> BOOL, Write;
    /// Processor seconds.
    SysTime = "%sys.time", [UNIT] -> FLOAT, Write;
    /// Seconds since 1970.
    SysWallTime = "%sys.wall_time", [UNIT] -> FLOAT, Write;
    /// The place in the program's own text that last called the library, as far as it is known; else nothing.
    SysCaller = "%sys.caller", [UNIT] -> STRING, Write;
    /// Bits that differ from run to run.
    SysEntropy = "%sys.entropy", [UNIT] -> INT, Write;
    /// Can so many bytes be had in one piece?
    SysMemoryFits = "%sys.memory_fits", [INT] -> BOOL, Read;
    SysFileExists = "%sys.file_exists", [STRING] -> BOOL, Write;
    SysIsDirectory = "%sys.is_directory", [STRING] -> BOOL, Write;
    /// 0, or the error number.
    SysRemove = "%sys.remove", [STRING] -> INT, Write;
    /// The message for an error number.
    SysErrorMessage = "%sys.error_message", [INT] -> STRING, Alloc;

    [Domains "Start threads, and make them wait for each other."]
    /// Does the program start domains or threads? `monomorphize` answers.
    DomainAny = "%domain.any", [UNIT] -> BOOL, Pure;
    /// Starts a thread with this number, which runs `KnownFunction::DomainStart`; 0, or the error number.
    DomainSpawn = "%domain.spawn", [INT] -> INT, Write;
    /// The number of this thread; the first has 0.
    DomainSelf = "%domain.self", [UNIT] -> INT, Read;
    /// A small number that no other thread has as long as this one runs.
    DomainSlot = "%domain.slot", [UNIT] -> INT, Read;
    DomainRelax = "%domain.relax", [UNIT] -> UNIT, Write;
    DomainYield = "%domain.yield", [UNIT] -> UNIT, Write;
    /// Sleeps so many seconds.
    DomainDelay = "%domain.delay", [FLOAT] -> UNIT, Write;
    /// How many threads can run at once.
    DomainCores = "%domain.cores", [UNIT] -> INT, Write;
    /// Bytes that a mutex needs.
    MutexSize = "%mutex.size", [UNIT] -> INT, Write;
    MutexInit = "%mutex.init", [BYTES] -> UNIT, Write;
    /// 0, or the error number, as the next.
    MutexLock = "%mutex.lock", [BYTES] -> INT, Write;
    MutexTryLock = "%mutex.try_lock", [BYTES] -> INT, Write;
    MutexUnlock = "%mutex.unlock", [BYTES] -> INT, Write;
    ConditionSize = "%condition.size", [UNIT] -> INT, Write;
    ConditionInit = "%condition.init", [BYTES] -> UNIT, Write;
    /// Condition, mutex; 0, or the error number.
    ConditionWait = "%condition.wait", [BYTES, BYTES] -> INT, Write;
    /// Condition, 1 to wake all that wait.
    ConditionSignal = "%condition.signal", [BYTES, INT] -> UNIT, Write;
    /// From here to `%atomic.unlock`, no other thread is in such a section for the object.
    AtomicLock = "%atomic.lock", [ANY] -> UNIT, Write;
    AtomicUnlock = "%atomic.unlock", [ANY] -> UNIT, Write;
    /// What is read behind it was not read before.
    AtomicFence = "%atomic.fence", [UNIT] -> UNIT, Write;
    /// Is the first field of this record one word, or less?
    AtomicSingle = "%atomic.single", [ANY] -> BOOL, Pure;
    /// From here to `%channels.unlock`, no other thread uses channels for output (0) or input (1).
    ChannelsLock = "%channels.lock", [INT] -> UNIT, Write;
    /// 2 unlocks all that this thread has locked, as often as it has.
    ChannelsUnlock = "%channels.unlock", [INT] -> UNIT, Write;

    [Files "Read and write files."]
    /// Path, flags (1 write, 2 append, 4 create, 8 truncate, 16 exclusive), permissions; a file descriptor, or
    /// minus the error number.
    IoOpen = "%io.open", [STRING, INT, INT] -> INT, Write;
    IoClose = "%io.close", [INT] -> INT, Write;
    /// Descriptor, buffer, position, length; bytes written (all of them), or minus the error number.
    IoWrite = "%io.write", [INT, BYTES, INT, INT] -> INT, Write;
    /// The same for reading: 0 at the end of input.
    IoRead = "%io.read", [INT, BYTES, INT, INT] -> INT, Write;
    /// Descriptor, offset, whence (0 start, 1 here, 2 end); the new offset, or minus the error number.
    IoSeek = "%io.seek", [INT, INT, INT] -> INT, Write;

    /// Descriptor, offset (a multiple of the size of a page), length, and 1 if what is written goes to the file: its
    /// bytes, which stay until the program ends. Empty if it failed; C's `errno` says why.
    IoMap = "%io.map", [INT, INT, INT, INT] -> BYTES, Write;

    [Memory "See values as bytes, or ask about references to them."]
    /// Everything that an array reaches as bytes, what is shared once (1) or as often as it is met (0); a letter if
    /// there is a function, an exception or a fibre among it.
    MarshalWrite = "%marshal.write", [ANY_ARRAY, INT] -> STRING, Write;
    /// The array that `%marshal.write` made the bytes from this position on of; empty if they are damaged.
    MarshalRead = "%marshal.read", [STRING, INT] -> ANY_ARRAY, Write;
    /// A text that two types have in common only if their values look the same in memory. `monomorphize` expands it.
    MarshalShape = "%marshal.shape", [ANY_ARRAY] -> STRING, Read;

    /// Array, index, by how much the number of weak references to the element changes: are the references to
    /// it that are left weak, all of them?
    WeakCount = "%weak.count", [ANY_ARRAY, INT, INT] -> BOOL, Write;
    /// Puts a copy of an object that is an element in its place.
    WeakCopy = "%weak.copy", [ANY_ARRAY, INT] -> UNIT, Write;
    GcScan = "%gc.scan", [UNIT] -> UNIT, Write;

    [Texts "Make texts of values and read numbers."]
    /// One C conversion (`%d`, `%-5x`, …) for OCaml's `int`.
    FormatInt = "%format.int", [STRING, INT] -> STRING, Alloc;
    FormatInt32 = "%format.int32", [STRING, INT32] -> STRING, Alloc;
    FormatInt64 = "%format.int64", [STRING, INT64] -> STRING, Alloc;
    /// One C conversion (`%.12g`, `%f`, `%e`, …).
    FormatFloat = "%format.float", [STRING, FLOAT] -> STRING, Alloc;
    /// Is it a float in C's syntax (with `_` already removed)?
    ParseFloatOk = "%parse.float_ok", [STRING] -> BOOL, Read;
    ParseFloat = "%parse.float", [STRING] -> FLOAT, Read;
    /// The shortest digits that mean the size of a finite float, and the power of ten of the first one: `125e-3`.
    FloatDigits = "%float.digits", [FLOAT] -> STRING, Alloc;
    /// The same for the nearest float of 32 bits.
    FloatDigits32 = "%float.digits32", [FLOAT] -> STRING, Alloc;

    /// A value as source text, as F#'s `%A` writes it. `monomorphize` expands it.
    Show = "%show", [ANY] -> STRING, Alloc;
    /// The same for people, as F#'s `string` does: text without quotes.
    Text = "%text", [ANY] -> STRING, Alloc;
    /// Is this what .NET has `null` for: `None` or `()`?
    IsNull = "%null", [ANY] -> BOOL, Pure;

    [Words "Work on numbers and marks in the place of variants."]
    /// Is this value of a variant type an `int` that `%word.of_int` put there?
    WordIsInt = "%word.is_int", [ANY] -> BOOL, Pure;
    /// The `int` in a value of a variant type. Of an object, a number that no other object has as long as it
    /// lives; nothing that can be seen may depend on which.
    WordToInt = "%word.to_int", [ANY] -> INT, Pure;
    /// An `int` of 62 bits as a value of a variant type, without an object. The type's constant constructors
    /// have even numbers, and a `match` has a default for it.
    WordOfInt = "%word.of_int", [INT] -> ANY, Pure;
    /// Is this value of a variant type a mark that `%word.of_mark` put there?
    WordIsMark = "%word.is_mark", [ANY] -> BOOL, Pure;
    /// The number of a mark.
    WordToMark = "%word.to_mark", [ANY] -> INT, Pure;
    /// A number of 55 bits as a value of a variant type, which is neither an `int` nor a constructor of it. The
    /// type has less than 60 constant constructors.
    WordOfMark = "%word.of_mark", [INT] -> ANY, Pure;
    /// Is this value of a variant type a float that `%word.of_float` put there?
    WordIsFloat = "%word.is_float", [ANY] -> BOOL, Pure;
    /// The float in a value of a variant type.
    WordToFloat = "%word.to_float", [ANY] -> FLOAT, Pure;
    /// A float as a value of a variant type, without an object; `%word.float_fits` says that it has a word. The type's
    /// constant constructors have numbers that are divisible by four, and a `match` has a default for it.
    WordOfFloat = "%word.of_float", [FLOAT] -> ANY, Pure;
    /// Has the float a word, as those of magnitude 2^-127 to 2^128 have?
    WordFloatFits = "%word.float_fits", [FLOAT] -> BOOL, Pure;
    /// Arithmetic on two `int`s in variants, whose result has 62 bits: `…Fits` says so.
    WordAdd = "%word.add", [ANY, ANY] -> ANY, Pure;
    WordSub = "%word.sub", [ANY, ANY] -> ANY, Pure;
    WordMul = "%word.mul", [ANY, ANY] -> ANY, Pure;
    WordAddFits = "%word.add_fits", [ANY, ANY] -> BOOL, Pure;
    WordSubFits = "%word.sub_fits", [ANY, ANY] -> BOOL, Pure;
    WordMulFits = "%word.mul_fits", [ANY, ANY] -> BOOL, Pure;
    WordLess = "%word.less", [ANY, ANY] -> BOOL, Pure;

    [Native "Work on memory by its address."]
    /// So many bytes, all zero; the address of the first, divisible by 16. They live until what was marked
    /// before is released.
    NativeAlloc = "%native.alloc", [INT64] -> INT64, Write;
    /// A mark of what is allocated.
    NativeMark = "%native.mark", [UNIT] -> INT64, Write;
    /// Gives back what was allocated after the mark.
    NativeRelease = "%native.release", [INT64] -> UNIT, Write;
    /// The byte at an address, 0 to 255.
    NativeGet8 = "%native.get8", [INT64] -> INT, Read;
    /// Two bytes, unsigned.
    NativeGet16 = "%native.get16", [INT64] -> INT, Read;
    NativeGet32 = "%native.get32", [INT64] -> INT32, Read;
    NativeGet64 = "%native.get64", [INT64] -> INT64, Read;
    NativeSet8 = "%native.set8", [INT64, INT] -> UNIT, Write;
    NativeSet16 = "%native.set16", [INT64, INT] -> UNIT, Write;
    NativeSet32 = "%native.set32", [INT64, INT32] -> UNIT, Write;
    NativeSet64 = "%native.set64", [INT64, INT64] -> UNIT, Write;

    [Special "Have a meaning to the compiler alone, or look behind the types."]
    /// A place holder that nothing looks at before it is replaced.
    Uninit = "%uninit", [UNIT] -> ANY, Pure;
    /// The value that .NET gives to what has none yet: 0, `false`, `""`, `None`, and parts of that kind.
    /// `monomorphize` expands it.
    Default = "%default", [UNIT] -> ANY, Pure;
    /// A place that is never come to, as is known from elsewhere; tests that lead here only are left out.
    Unreachable = "%unreachable", [UNIT] -> ANY, Write;
    /// The same value at a type that is known to be equal here, though it is written otherwise (the equations of a
    /// constructor, a coercion). Where the two differ in representation, it converts.
    Retype = "%retype", [ANY] -> OTHER, Alloc;
    /// The value at another type, which it is believed to have as far as that cannot be seen. `monomorphize`
    /// expands it, and the others that look into values of any type.
    ObjMagic = "%obj.magic", [ANY] -> OTHER, Write;
    /// The tag of the value's block in OCaml, -1 of what is none.
    ObjTag = "%obj.tag", [ANY] -> INT, Read;
    /// The integer that OCaml has for a constant, 0 for a block.
    ObjNumber = "%obj.number", [ANY] -> INT, Read;
    /// The words of the value's block.
    ObjSize = "%obj.size", [ANY] -> INT, Read;
    /// A field of the value's block.
    ObjField = "%obj.field", [ANY, INT] -> OTHER, Write;
    /// The number of an object of OCaml. `monomorphize` replaces it, as it does the next.
    ObjectId = "%object.id", [ANY] -> INT, Read;
    /// A copy of an object of OCaml with another number.
    ObjectCopy = "%object.copy", [ANY, INT] -> ANY, Alloc;
    /// The number of the type `t` of a `t option`. `monomorphize` replaces it, as it does the next two.
    TypeNumber = "%type.number", [ANY] -> INT, Pure;
    TypeName = "%type.name", [ANY] -> STRING, Alloc;
    /// The value as an `obj` of Clef.
    Box = "%box", [ANY] -> OTHER, Write;
    /// Kept from being optimised away.
    Opaque = "%opaque", [ANY] -> ANY, Write;
    /// Puts a value where phrases of a prompt that come later find it, under a number, a constant.
    Keep = "%prompt.keep", [INT, ANY] -> UNIT, Write;
    /// What an earlier phrase has put there. As the value of an item it makes the variable stand for the place.
    Kept = "%prompt.kept", [INT] -> ANY, Write;

    [Derivatives "Belong to differentiation."]
    // Differentiation. Only the library's operators use these; `differentiate` replaces all of
    // them. `outer` and `inner` floats are those outside and inside of the derivative.
    /// Are inner numbers nodes of a tape?
    AdReverse = "%ad.reverse", [UNIT] -> BOOL, Write;
    /// `outer float -> outer float -> inner float`: a value and its tangent.
    AdDual = "%ad.dual", [FLOAT, FLOAT] -> FLOAT, Write;
    /// `float -> outer float`: what it is outside of the derivative.
    AdOuter = "%ad.outer", [FLOAT] -> FLOAT, Write;
    /// `inner float -> outer float`: the value.
    AdPrimal = "%ad.primal", [FLOAT] -> FLOAT, Write;
    /// `inner float -> outer float`: the tangent.
    AdTangent = "%ad.tangent", [FLOAT] -> FLOAT, Write;
    /// `outer float -> int -> inner float`: a value and its node on the tape.
    AdVariable = "%ad.variable", [FLOAT, INT] -> FLOAT, Write;
    /// `inner float -> int`: the node.
    AdIndex = "%ad.index", [FLOAT] -> INT, Write;
    /// `unit -> tape`: the tape of the inner numbers, of the library's type.
    AdTape = "%ad.tape", [UNIT] -> ANY, Write;
    /// `outer float array -> inner float`: the coefficients of a Taylor series.
    AdSeries = "%ad.series", [ANY_ARRAY] -> FLOAT, Write;
    /// `inner float -> outer float array`: the coefficients; fewer where the rest is zero.
    AdCoefficients = "%ad.coefficients", [FLOAT] -> ANY_ARRAY, Write;
    /// Zero with all its derivatives.
    AdIsZero = "%ad.is_zero", [FLOAT] -> BOOL, Write;
    /// The value without any derivative.
    AdConstant = "%ad.constant", [FLOAT] -> FLOAT, Write;
    /// Value, derivative and argument; the value as a function of the argument with that derivative.
    AdAttach = "%ad.attach", [FLOAT, FLOAT, FLOAT] -> FLOAT, Write;
    /// The value with all its numbers changed; `monomorphize` makes a function for each type.
    AdMapNumbers = "%ad.map_numbers", [FLOAT_FUNCTION, ANY] -> ANY, Write;
}

impl Prim {
    /// The primitive of an `external` declaration. Elaboration handles `%sequand`, `%sequor` and `%raise`.
    pub fn from_name(name: &str) -> Option<Prim> {
        if let Some(it) = Self::SINGLE.iter().find(|it| it.1 == name) {
            return Some(it.0);
        }
        let name = name.strip_prefix('%')?;
        let Some((family, op)) = name.split_once('.') else {
            return OrderOp::from_name(name).map(Prim::Order);
        };
        let width = |name: &str| IntWidth::ALL.into_iter().find(|it| it.name() == name);
        match family {
            "strict" => OrderOp::from_name(op).map(Prim::StrictOrder),
            "c" => {
                let (arity, rest) = op.split_once('.')?;
                let (library, name) = rest.rsplit_once('.')?;
                let arity = arity.parse().ok()?;
                Some(Prim::Foreign { name: name.into(), library: library.into(), arity })
            }
            "send" => {
                let (arity, label) = op.split_once('.')?;
                Some(Prim::Send { label: label.into(), arity: arity.parse().ok()? })
            }
            "float" => match op.strip_prefix("to_").and_then(width) {
                Some(to) => Some(Prim::FloatToInt(to)),
                None => FloatOp::from_name(op).map(Prim::Float),
            },
            _ => {
                let from = width(family)?;
                match op.strip_prefix("to_") {
                    Some("float") => Some(Prim::IntToFloat(from)),
                    Some(to) => Some(Prim::IntCast { from, to: width(to)? }),
                    None => IntOp::from_name(op).map(|op| Prim::Int(from, op)),
                }
            }
        }
    }

    pub fn arity(self) -> usize {
        match (self, self.signature()) {
            (_, Some(signature)) => signature.params().len(),
            (Prim::Foreign { arity, .. } | Prim::Send { arity, .. }, None) => usize::from(arity),
            (_, None) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for &(prim, name) in Prim::SINGLE {
            assert_eq!(prim.name(), name);
            assert_eq!(Prim::from_name(name), Some(prim), "two primitives are called {name}");
        }
        let (from, to) = (IntWidth::U8, IntWidth::I63);
        let (name, library) = ("pow".into(), STANDARD_LIBRARIES.into());
        for prim in [
            Prim::Int(IntWidth::I32, IntOp::Ult),
            Prim::Float(FloatOp::Fma),
            Prim::Order(OrderOp::Compare),
            Prim::StrictOrder(OrderOp::Eq),
            Prim::IntCast { from, to },
            Prim::IntToFloat(from),
            Prim::FloatToInt(to),
            Prim::Foreign { name, library, arity: 2 },
            Prim::Send { label: "m".into(), arity: 3 },
        ] {
            assert_eq!(Prim::from_name(&prim.name()), Some(prim));
        }
        for name in ["%int.fma", "%strict.add", "%c.x", "eq", "%float.to_nothing", "%int7.add"] {
            assert_eq!(Prim::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn what_writes_is_not_pure() {
        for &(prim, name) in Prim::SINGLE {
            let Some(signature) = prim.signature() else { continue };
            let effect = prim.effect();
            assert!(signature.result() != UNIT || effect == Effect::Write, "{name}");
        }
    }
}
