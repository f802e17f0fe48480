//! Primitive operations: what programs can do besides calling each other.
//!
//! The library reaches them by `external f : t = "%name"`. **No primitive raises
//! an exception**: the library checks bounds and divisors before it calls one, so
//! every check is ordinary code that is inlined and optimised like any other.
//!
//! Integers of width `I63` are OCaml's `int`: all operations wrap at 63 bits. Those of a `U…` width
//! are unsigned: `Div`, `Mod`, `Asr`, conversions and order treat them so.
//!
//! `%native.…` work on memory by its address; that the address is right is the program's business.

use oxbow_base::Symbol;

/// In the place of a library's name: those that every program of C is linked with, and `libm`.
pub const STANDARD_LIBRARIES: &str = "libm+libc";

/// Widths of integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntWidth {
    /// OCaml's `int`.
    I63,
    I32,
    /// `int64` and `nativeint`.
    I64,
    I8,
    I16,
    U8,
    U16,
    U32,
    U64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    /// Truncating; the divisor is not zero. The least value divided by -1 is itself.
    Div,
    /// Sign of the dividend; the divisor is not zero.
    Mod,
    Neg,
    And,
    Or,
    Xor,
    /// Shift counts are within 0..width; others give an unspecified value.
    Shl,
    Lsr,
    Asr,
    /// Unsigned less-than, to bool: `0 <= a && a < b` in one test for `b >= 0`.
    Ult,
}

/// Operations on `float`, all to `float`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`.
    Rem,
    Neg,
    Abs,
    Pow,
    Sqrt,
    Cbrt,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Ceil,
    Floor,
    Trunc,
    /// Half away from zero, as C's `round`.
    Round,
    Hypot,
    CopySign,
    NextAfter,
    Fma,
    /// `Add`, where the terms of a sum may be added in any order.
    Sum,
    /// `exp` and `tanh` by `kernels`, for loops of vector instructions.
    FastExp,
    FastTanh,
}

/// Polymorphic order: decided by the operand type. `monomorphize` replaces those at
/// structured types by calls of generated functions; those at scalar types and
/// strings stay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OrderOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// -1, 0 or 1; a `nan` is equal to itself and below every other float.
    Compare,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// No effect and the same result for the same operands.
    Pure,
    /// Depends on memory that `Write` primitives and field stores change; may be
    /// dropped when unused, not moved over a write.
    Read,
    /// Makes a fresh mutable object; may be dropped when unused, never merged.
    Alloc,
    /// Changes memory or the world.
    Write,
}

macro_rules! prims {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $arity:literal, $effect:ident;)*) => {
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
            $($(#[doc = $doc])* $variant,)*
        }

        impl Prim {
            const NAMED: &'static [(Prim, &'static str, usize, Effect)] =
                &[$((Prim::$variant, $name, $arity, Effect::$effect),)*];
        }
    };
}

prims! {
    /// `==`: same object, or same scalar.
    PhysEq = "%physeq", 2, Read;
    /// `!=`
    PhysNe = "%physne", 2, Read;
    /// `'a -> int`: OCaml's `Hashtbl.hash`, at any type. `monomorphize` expands it
    /// except at scalar types and strings.
    Hash = "%hash", 1, Read;
    /// The same where the language refuses to hash functions, as `StrictOrder`.
    StrictHash = "%strict.hash", 1, Read;
    /// `int -> int -> int -> 'a -> int`: the same with the numbers of meaningful values and of all values that
    /// are looked at, and a seed. `monomorphize` expands it.
    HashParam = "%hash.param", 4, Read;
    /// `int -> int -> int`: mixes an int into a running hash (32-bit, as `caml_hash_mix_intnat`).
    HashMixInt = "%hash.mix_int", 2, Pure;
    /// `int -> int -> int`: mixes 32 raw bits (`caml_hash_mix_uint32`).
    HashMixUint32 = "%hash.mix_uint32", 2, Pure;
    /// `int -> float -> int`
    HashMixFloat = "%hash.mix_float", 2, Pure;
    /// `int -> string -> int`
    HashMixString = "%hash.mix_string", 2, Pure;
    /// `int -> int64 -> int`
    HashMixInt64 = "%hash.mix_int64", 2, Pure;
    /// `int -> int`: the final mix, masked to 30 bits.
    HashFinal = "%hash.final", 1, Pure;
    /// `exn -> string`: as `Printexc.to_string` without registered printers.
    ExnToString = "%exn.to_string", 1, Alloc;

    BoolNot = "%bool.not", 1, Pure;
    /// `char -> int`
    CharCode = "%char.code", 1, Pure;
    /// `int -> char`, takes the low byte.
    CharUnsafeChr = "%char.unsafe_chr", 1, Pure;

    /// `float -> int64`
    FloatBits = "%float.bits", 1, Pure;
    /// `int64 -> float`
    FloatOfBits = "%float.of_bits", 1, Pure;
    /// `int32 -> float`: the single-precision pattern, widened.
    FloatOfBits32 = "%float.of_bits32", 1, Pure;
    /// `float -> int32`
    FloatBits32 = "%float.bits32", 1, Pure;
    /// `float -> int -> float`
    FloatLdexp = "%float.ldexp", 2, Pure;
    /// `float -> float`: the mantissa of `frexp`.
    FloatFrexpMantissa = "%float.frexp_mantissa", 1, Pure;
    /// `float -> int`
    FloatFrexpExponent = "%float.frexp_exponent", 1, Pure;

    /// `string -> int`
    StringLength = "%string.length", 1, Pure;
    /// `string -> int -> char`, unchecked.
    StringGet = "%string.unsafe_get", 2, Pure;
    /// `string -> string -> string`
    StringConcat = "%string.concat", 2, Alloc;
    /// `bytes -> int`
    BytesLength = "%bytes.length", 1, Pure;
    /// `int -> bytes`, contents unspecified.
    BytesCreate = "%bytes.create", 1, Alloc;
    /// `bytes -> int -> char`, unchecked.
    BytesGet = "%bytes.unsafe_get", 2, Read;
    /// `bytes -> int -> char -> unit`, unchecked.
    BytesSet = "%bytes.unsafe_set", 3, Write;
    /// `bytes -> int -> int`: two bytes, little endian, unsigned, unchecked.
    BytesGet16 = "%bytes.unsafe_get16", 2, Read;
    /// `bytes -> int -> int32`
    BytesGet32 = "%bytes.unsafe_get32", 2, Read;
    /// `bytes -> int -> int64`
    BytesGet64 = "%bytes.unsafe_get64", 2, Read;
    /// `bytes -> int -> int -> unit`
    BytesSet16 = "%bytes.unsafe_set16", 3, Write;
    /// `bytes -> int -> int32 -> unit`
    BytesSet32 = "%bytes.unsafe_set32", 3, Write;
    /// `bytes -> int -> int64 -> unit`
    BytesSet64 = "%bytes.unsafe_set64", 3, Write;
    /// `src:bytes -> int -> dst:bytes -> int -> len:int -> unit`, unchecked, overlap allowed.
    BytesBlit = "%bytes.unsafe_blit", 5, Write;
    /// `src:string -> int -> dst:bytes -> int -> len:int -> unit`, unchecked.
    BytesBlitString = "%bytes.unsafe_blit_string", 5, Write;
    /// `bytes -> int -> int -> char -> unit`: position, length, unchecked.
    BytesFill = "%bytes.unsafe_fill", 4, Write;
    /// `bytes -> string`: the same object, no copy; the bytes must not change afterwards.
    BytesUnsafeToString = "%bytes.unsafe_to_string", 1, Read;
    /// `string -> bytes`: the same object; it must not be written.
    BytesUnsafeOfString = "%bytes.unsafe_of_string", 1, Pure;

    /// `'a array -> int`
    ArrayLength = "%array.length", 1, Pure;
    /// `'a array -> int -> 'a`, unchecked.
    ArrayGet = "%array.unsafe_get", 2, Read;
    /// `'a array -> int -> 'a -> unit`, unchecked.
    ArraySet = "%array.unsafe_set", 3, Write;
    /// `int -> 'a -> 'a array`, length not negative.
    ArrayMake = "%array.unsafe_make", 2, Alloc;
    /// `int -> 'a array`: elements unspecified until set.
    ArrayUninit = "%array.unsafe_uninit", 1, Alloc;
    /// `src -> int -> dst -> int -> len -> unit`, unchecked, overlap allowed.
    ArrayBlit = "%array.unsafe_blit", 5, Write;
    /// `float array -> int -> int -> int -> unit`: position, step, count; these numbers become their `tanh`.
    /// Put in by `gather_kernels`.
    ArrayTanh = "%array.unsafe_tanh", 4, Write;
    /// The same for `exp`.
    ArrayExp = "%array.unsafe_exp", 4, Write;

    /// `int -> 'a`: ends the process at once with this code; nothing is flushed.
    SysExit = "%sys.exit", 1, Write;
    /// `unit -> int`
    SysArgc = "%sys.argc", 1, Pure;
    /// `int -> string`
    SysArgv = "%sys.argv", 1, Alloc;
    /// `string -> bool`
    SysHasEnv = "%sys.has_env", 1, Read;
    /// `string -> string`, empty when not set.
    SysGetEnv = "%sys.getenv", 1, Alloc;
    /// `unit -> bool`: is the stack nearly used up? Put in by `check_stack`.
    StackLow = "%sys.stack_low", 1, Write;
    /// `unit -> float`: processor seconds.
    SysTime = "%sys.time", 1, Write;
    /// `unit -> float`: seconds since 1970.
    SysWallTime = "%sys.wall_time", 1, Write;
    /// `unit -> int`: bits that differ from run to run.
    SysEntropy = "%sys.entropy", 1, Write;
    /// `int -> bool`: can so many bytes be had in one piece?
    SysMemoryFits = "%sys.memory_fits", 1, Read;
    /// `string -> bool`
    SysFileExists = "%sys.file_exists", 1, Write;
    /// `string -> bool`
    SysIsDirectory = "%sys.is_directory", 1, Write;
    /// `string -> int`: 0, or the error number.
    SysRemove = "%sys.remove", 1, Write;
    /// `int -> string`: the message for an error number.
    SysErrorMessage = "%sys.error_message", 1, Alloc;

    /// `string -> int -> int -> int`: path, flags (1 write, 2 append, 4 create, 8 truncate,
    /// 16 exclusive), permissions; a file descriptor, or minus the error number.
    IoOpen = "%io.open", 3, Write;
    /// `int -> int`
    IoClose = "%io.close", 1, Write;
    /// `int -> bytes -> int -> int -> int`: descriptor, buffer, position, length; bytes
    /// written (all of them), or minus the error number.
    IoWrite = "%io.write", 4, Write;
    /// The same for reading: 0 at the end of input.
    IoRead = "%io.read", 4, Write;
    /// `int -> int -> int -> int`: descriptor, offset, whence (0 start, 1 here, 2 end);
    /// the new offset, or minus the error number.
    IoSeek = "%io.seek", 3, Write;

    /// `string -> int -> string`: one C conversion (`%d`, `%-5x`, …) for OCaml's `int`.
    FormatInt = "%format.int", 2, Alloc;
    /// `string -> int32 -> string`
    FormatInt32 = "%format.int32", 2, Alloc;
    /// `string -> int64 -> string`
    FormatInt64 = "%format.int64", 2, Alloc;
    /// `string -> float -> string`: one C conversion (`%.12g`, `%f`, `%e`, …).
    FormatFloat = "%format.float", 2, Alloc;
    /// `string -> bool`: is it a float in C's syntax (with `_` already removed)?
    ParseFloatOk = "%parse.float_ok", 1, Read;
    /// `string -> float`
    ParseFloat = "%parse.float", 1, Read;
    /// `string -> float -> bool`: does the text, which is one of a float, say this number? The number
    /// that is read is not seen, so the question may be asked inside of derivatives.
    ParseFloatIs = "%parse.float_is", 2, Read;

    /// `float -> float32`, rounded.
    Float32OfFloat = "%float32.of_float", 1, Pure;
    /// `float32 -> float`
    Float32ToFloat = "%float32.to_float", 1, Pure;
    /// `'a -> string`: a value as source text, as F#'s `%A` writes it. `monomorphize` expands it.
    Show = "%show", 1, Alloc;
    /// `'a -> string`: the same for people, as F#'s `string` does: text without quotes.
    Text = "%text", 1, Alloc;

    /// `'a -> bool`: is this value of a variant type an `int` that `%word.of_int` put there?
    WordIsInt = "%word.is_int", 1, Pure;
    /// `'a -> int`: the `int` in a value of a variant type. Of an object, a number that no other object has
    /// as long as it lives; nothing that can be seen may depend on which.
    WordToInt = "%word.to_int", 1, Pure;
    /// `int -> 'a`: an `int` of 62 bits as a value of a variant type, without an object. The
    /// type's constant constructors have even numbers, and a `match` has a default for it.
    WordOfInt = "%word.of_int", 1, Pure;
    /// `'a -> bool`: is this value of a variant type a mark that `%word.of_mark` put there?
    WordIsMark = "%word.is_mark", 1, Pure;
    /// `'a -> int`: the number of a mark.
    WordToMark = "%word.to_mark", 1, Pure;
    /// `int -> 'a`: a number of 55 bits as a value of a variant type, which is neither an `int` nor a
    /// constructor of it. The type has less than 60 constant constructors.
    WordOfMark = "%word.of_mark", 1, Pure;
    /// `'a -> 'a -> 'a`: arithmetic on two `int`s in variants, whose result has 62 bits: `…Fits` says so.
    WordAdd = "%word.add", 2, Pure;
    WordSub = "%word.sub", 2, Pure;
    WordMul = "%word.mul", 2, Pure;
    /// `'a -> 'a -> bool`
    WordAddFits = "%word.add_fits", 2, Pure;
    WordSubFits = "%word.sub_fits", 2, Pure;
    WordMulFits = "%word.mul_fits", 2, Pure;
    WordLess = "%word.less", 2, Pure;
    /// `int64 -> int64`: so many bytes, all zero; the address of the first, divisible by 16. They
    /// live until what was marked before is released.
    NativeAlloc = "%native.alloc", 1, Write;
    /// `unit -> int64`: a mark of what is allocated.
    NativeMark = "%native.mark", 1, Write;
    /// `int64 -> unit`: gives back what was allocated after the mark.
    NativeRelease = "%native.release", 1, Write;
    /// `int64 -> int`: the byte at an address, 0 to 255.
    NativeGet8 = "%native.get8", 1, Read;
    /// `int64 -> int`: two bytes, unsigned.
    NativeGet16 = "%native.get16", 1, Read;
    /// `int64 -> int32`
    NativeGet32 = "%native.get32", 1, Read;
    /// `int64 -> int64`
    NativeGet64 = "%native.get64", 1, Read;
    /// `int64 -> int -> unit`
    NativeSet8 = "%native.set8", 2, Write;
    /// `int64 -> int -> unit`
    NativeSet16 = "%native.set16", 2, Write;
    /// `int64 -> int32 -> unit`
    NativeSet32 = "%native.set32", 2, Write;
    /// `int64 -> int64 -> unit`
    NativeSet64 = "%native.set64", 2, Write;

    /// `unit -> 'a`: a place holder that nothing looks at before it is replaced.
    Uninit = "%uninit", 1, Pure;
    /// `unit -> 'a`: the value that .NET gives to what has none yet: 0, `false`, `""`, `None`, and parts
    /// of that kind. `monomorphize` expands it.
    Default = "%default", 1, Pure;
    /// `unit -> 'a`: a place that is never come to, as is known from elsewhere; tests that lead here only
    /// are left out.
    Unreachable = "%unreachable", 1, Write;
    /// `'a -> 'a`, kept from being optimised away.
    Opaque = "%opaque", 1, Write;

    // Differentiation. Only the library's operators use these; `differentiate` replaces all of
    // them. `outer` and `inner` floats are those outside and inside of the derivative.
    /// `unit -> bool`: are inner numbers nodes of a tape?
    AdReverse = "%ad.reverse", 1, Write;
    /// `outer float -> outer float -> inner float`: a value and its tangent.
    AdDual = "%ad.dual", 2, Write;
    /// `float -> outer float`: what it is outside of the derivative.
    AdOuter = "%ad.outer", 1, Write;
    /// `inner float -> outer float`: the value.
    AdPrimal = "%ad.primal", 1, Write;
    /// `inner float -> outer float`: the tangent.
    AdTangent = "%ad.tangent", 1, Write;
    /// `outer float -> int -> inner float`: a value and its node on the tape.
    AdVariable = "%ad.variable", 2, Write;
    /// `inner float -> int`: the node.
    AdIndex = "%ad.index", 1, Write;
    /// `unit -> tape`: the tape of the inner numbers, of the library's type.
    AdTape = "%ad.tape", 1, Write;
    /// `outer float array -> inner float`: the coefficients of a Taylor series.
    AdSeries = "%ad.series", 1, Write;
    /// `inner float -> outer float array`: the coefficients; fewer where the rest is zero.
    AdCoefficients = "%ad.coefficients", 1, Write;
    /// `float -> bool`: zero with all its derivatives.
    AdIsZero = "%ad.is_zero", 1, Write;
    /// `float -> float`: the value without any derivative.
    AdConstant = "%ad.constant", 1, Write;
    /// `float -> float -> float -> float`: value, derivative and argument; the value as a function of
    /// the argument with that derivative.
    AdAttach = "%ad.attach", 3, Write;
    /// `(float -> float) -> 'a -> 'a`: the value with all its numbers changed; `monomorphize` makes a
    /// function for each type.
    AdMapNumbers = "%ad.map_numbers", 2, Write;
}

impl IntWidth {
    pub const ALL: [IntWidth; 9] = [
        Self::I63,
        Self::I32,
        Self::I64,
        Self::I8,
        Self::I16,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
    ];
    pub fn name(self) -> &'static str {
        match self {
            Self::I63 => "int",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
        }
    }
    pub fn bits(self) -> u32 {
        match self {
            Self::I63 => 63,
            Self::I32 | Self::U32 => 32,
            Self::I64 | Self::U64 => 64,
            Self::I8 | Self::U8 => 8,
            Self::I16 | Self::U16 => 16,
        }
    }
    pub fn signed(self) -> bool {
        match self {
            Self::I63 | Self::I32 | Self::I64 | Self::I8 | Self::I16 => true,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => false,
        }
    }
    /// The value of this type with the same low bits. Those of `U64` are kept as the `i64` of the
    /// same bits.
    pub fn wrap(self, value: i64) -> i64 {
        let spare = 64 - self.bits();
        if self.signed() {
            (value << spare) >> spare
        } else {
            (((value as u64) << spare) >> spare) as i64
        }
    }
}

const INT_OPS: [(IntOp, &str); 13] = [
    (IntOp::Add, "add"),
    (IntOp::Sub, "sub"),
    (IntOp::Mul, "mul"),
    (IntOp::Div, "unsafe_div"),
    (IntOp::Mod, "unsafe_mod"),
    (IntOp::Neg, "neg"),
    (IntOp::And, "and"),
    (IntOp::Or, "or"),
    (IntOp::Xor, "xor"),
    (IntOp::Shl, "shl"),
    (IntOp::Lsr, "lsr"),
    (IntOp::Asr, "asr"),
    (IntOp::Ult, "ult"),
];

const FLOAT_OPS: [(FloatOp, &str, usize); 43] = [
    (FloatOp::Add, "add", 2),
    (FloatOp::Sub, "sub", 2),
    (FloatOp::Mul, "mul", 2),
    (FloatOp::Div, "div", 2),
    (FloatOp::Rem, "rem", 2),
    (FloatOp::Neg, "neg", 1),
    (FloatOp::Abs, "abs", 1),
    (FloatOp::Pow, "pow", 2),
    (FloatOp::Sqrt, "sqrt", 1),
    (FloatOp::Cbrt, "cbrt", 1),
    (FloatOp::Exp, "exp", 1),
    (FloatOp::Exp2, "exp2", 1),
    (FloatOp::Expm1, "expm1", 1),
    (FloatOp::Log, "log", 1),
    (FloatOp::Log2, "log2", 1),
    (FloatOp::Log10, "log10", 1),
    (FloatOp::Log1p, "log1p", 1),
    (FloatOp::Sin, "sin", 1),
    (FloatOp::Cos, "cos", 1),
    (FloatOp::Tan, "tan", 1),
    (FloatOp::Asin, "asin", 1),
    (FloatOp::Acos, "acos", 1),
    (FloatOp::Atan, "atan", 1),
    (FloatOp::Atan2, "atan2", 2),
    (FloatOp::Sinh, "sinh", 1),
    (FloatOp::Cosh, "cosh", 1),
    (FloatOp::Tanh, "tanh", 1),
    (FloatOp::Asinh, "asinh", 1),
    (FloatOp::Acosh, "acosh", 1),
    (FloatOp::Atanh, "atanh", 1),
    (FloatOp::Erf, "erf", 1),
    (FloatOp::Erfc, "erfc", 1),
    (FloatOp::Ceil, "ceil", 1),
    (FloatOp::Floor, "floor", 1),
    (FloatOp::Trunc, "trunc", 1),
    (FloatOp::Round, "round", 1),
    (FloatOp::Hypot, "hypot", 2),
    (FloatOp::CopySign, "copysign", 2),
    (FloatOp::NextAfter, "nextafter", 2),
    (FloatOp::Fma, "fma", 3),
    (FloatOp::Sum, "sum", 2),
    (FloatOp::FastExp, "fast_exp", 1),
    (FloatOp::FastTanh, "fast_tanh", 1),
];

const ORDER_OPS: [(OrderOp, &str); 7] = [
    (OrderOp::Eq, "%eq"),
    (OrderOp::Ne, "%ne"),
    (OrderOp::Lt, "%lt"),
    (OrderOp::Le, "%le"),
    (OrderOp::Gt, "%gt"),
    (OrderOp::Ge, "%ge"),
    (OrderOp::Compare, "%compare"),
];

impl FloatOp {
    pub fn name(self) -> &'static str {
        FLOAT_OPS.iter().find(|it| it.0 == self).map_or("?", |it| it.1)
    }
    pub fn arity(self) -> usize {
        FLOAT_OPS.iter().find(|it| it.0 == self).map_or(1, |it| it.2)
    }

    /// For a kernel: the primitive that does the same to many numbers of an array.
    pub fn over_array(self) -> Option<Prim> {
        match self {
            Self::Tanh => Some(Prim::ArrayTanh),
            Self::Exp => Some(Prim::ArrayExp),
            _ => None,
        }
    }
}

impl OrderOp {
    fn name(self) -> &'static str {
        ORDER_OPS.iter().find(|it| it.0 == self).map_or("%?", |it| it.1)
    }
}

impl IntOp {
    pub fn name(self) -> &'static str {
        INT_OPS.iter().find(|it| it.0 == self).map_or("?", |it| it.1)
    }
}

impl Prim {
    /// The primitive of an `external` declaration. Three special names are not
    /// primitives and are handled by elaboration: `%sequand`, `%sequor`, `%raise`.
    pub fn from_name(name: &str) -> Option<Prim> {
        if let Some(it) = Self::NAMED.iter().find(|it| it.1 == name) {
            return Some(it.0);
        }
        if let Some(it) = ORDER_OPS.iter().find(|it| it.1 == name) {
            return Some(Prim::Order(it.0));
        }
        if let Some(op) = name.strip_prefix("%strict.") {
            let it = ORDER_OPS.iter().find(|it| it.1.strip_prefix('%') == Some(op))?;
            return Some(Prim::StrictOrder(it.0));
        }
        let (family, op) = name.strip_prefix('%')?.split_once('.')?;
        if family == "c" {
            let (arity, rest) = op.split_once('.')?;
            let (library, name) = rest.rsplit_once('.')?;
            let arity = arity.parse().ok()?;
            return Some(Prim::Foreign { name: name.into(), library: library.into(), arity });
        }
        let width = |name: &str| IntWidth::ALL.into_iter().find(|it| it.name() == name);
        if family == "float" {
            if let Some(to) = op.strip_prefix("to_").and_then(width) {
                return Some(Prim::FloatToInt(to));
            }
            return FLOAT_OPS.iter().find(|it| it.1 == op).map(|it| Prim::Float(it.0));
        }
        let from = width(family)?;
        match op.strip_prefix("to_") {
            Some("float") => Some(Prim::IntToFloat(from)),
            Some(to) => Some(Prim::IntCast { from, to: width(to)? }),
            None => INT_OPS.iter().find(|it| it.1 == op).map(|it| Prim::Int(from, it.0)),
        }
    }

    pub fn name(self) -> String {
        match self {
            Prim::Int(width, op) => format!("%{}.{}", width.name(), op.name()),
            Prim::Float(op) => format!("%float.{}", op.name()),
            Prim::Order(op) => op.name().into(),
            Prim::StrictOrder(op) => format!("%strict.{}", &op.name()[1..]),
            Prim::IntCast { from, to } => format!("%{}.to_{}", from.name(), to.name()),
            Prim::IntToFloat(from) => format!("%{}.to_float", from.name()),
            Prim::FloatToInt(to) => format!("%float.to_{}", to.name()),
            Prim::Foreign { name, library, arity } => format!("%c.{arity}.{library}.{name}"),
            _ => Self::NAMED.iter().find(|it| it.0 == self).map_or("?", |it| it.1).into(),
        }
    }

    pub fn arity(self) -> usize {
        match self {
            Prim::Int(_, IntOp::Neg) => 1,
            Prim::Int(..) | Prim::Order(_) | Prim::StrictOrder(_) => 2,
            Prim::Float(op) => op.arity(),
            Prim::IntCast { .. } | Prim::IntToFloat(_) | Prim::FloatToInt(_) => 1,
            Prim::Foreign { arity, .. } => usize::from(arity),
            _ => Self::NAMED.iter().find(|it| it.0 == self).map_or(0, |it| it.2),
        }
    }

    /// Replaced by `differentiate`; unknown to the stages after it.
    pub fn is_differentiation(self) -> bool {
        matches!(
            self,
            Prim::AdReverse
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
        )
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
            Prim::Foreign { .. } => Effect::Write,
            _ => Self::NAMED.iter().find(|it| it.0 == self).map_or(Effect::Write, |it| it.3),
        }
    }
}
