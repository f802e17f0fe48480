//! The types of primitives, in OCaml's notation.

use crate::{FloatOp, IntOp, IntWidth, OrderOp, Prim, Ty, TyId, TypeTable};

/// Checks operands and result against the type of the primitive.
pub(crate) fn check(
    types: &mut TypeTable,
    prim: Prim,
    args: &[TyId],
    result: TyId,
) -> Result<(), String> {
    if args.len() != prim.arity() {
        return Err(format!("{} takes {} operands", prim.name(), prim.arity()));
    }
    if matches!(prim, Prim::Foreign { .. }) {
        let fits = args.iter().chain([&result]).all(|&it| is_foreign(types, it));
        return fits.then_some(()).ok_or_else(|| format!("{} is given an object", prim.name()));
    }
    let signature = signature(prim);
    let mut matcher = Matcher { types, variable: None };
    let mut given = args.iter().copied().chain([result]);
    for expected in signature.split(" -> ") {
        let fits = given.next().is_some_and(|ty| matcher.matches(expected, ty));
        if !fits {
            return Err(format!("{} : {signature} is given another type", prim.name()));
        }
    }
    Ok(())
}

/// Can a value of this type be given to a function of C? Strings are, as the address of their bytes.
pub fn is_foreign(types: &TypeTable, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Unit | Ty::Bool | Ty::Char | Ty::Float | Ty::Float32 | Ty::String | Ty::Int(_) => true,
        Ty::Bytes
        | Ty::Exn
        | Ty::Array(_)
        | Ty::Fn(..)
        | Ty::Tuple(_)
        | Ty::Data(..)
        | Ty::Dyn
        | Ty::Var(_) => false,
    }
}

/// The type of the result, if the operands determine it.
pub(crate) fn result(types: &mut TypeTable, prim: Prim, args: &[TyId]) -> Option<TyId> {
    if matches!(prim, Prim::Foreign { .. }) {
        return None;
    }
    let signature = signature(prim);
    let mut parts: Vec<_> = signature.split(" -> ").collect();
    let result = parts.pop()?;
    let mut matcher = Matcher { types, variable: None };
    for (expected, &ty) in parts.into_iter().zip(args) {
        matcher.matches(expected, ty);
    }
    matcher.build(result)
}

/// Whether the result has a type that no operand shows.
pub(crate) fn result_is_open(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::SysExit
            | Prim::Unreachable
            | Prim::ArrayUninit
            | Prim::AdTape
            | Prim::AdCoefficients
            | Prim::WordOfInt
            | Prim::WordOfMark
            | Prim::Uninit
            | Prim::Default
            | Prim::Foreign { .. }
    )
}

struct Matcher<'a> {
    types: &'a mut TypeTable,
    /// What `'a` stands for.
    variable: Option<TyId>,
}

impl Matcher<'_> {
    fn matches(&mut self, expected: &str, ty: TyId) -> bool {
        match (expected, self.types.get(ty)) {
            ("'a", _) => *self.variable.get_or_insert(ty) == ty,
            ("'a array", &Ty::Array(item)) => self.matches("'a", item),
            ("float array", &Ty::Array(item)) => self.matches("float", item),
            ("(float->float)", &Ty::Fn(param, result)) => {
                self.matches("float", param) && self.matches("float", result)
            }
            (_, found) => basic(expected).as_ref() == Some(found),
        }
    }

    fn build(&mut self, expected: &str) -> Option<TyId> {
        match expected {
            "'a" => self.variable,
            "'a array" => self.variable.map(|item| self.types.intern(Ty::Array(item))),
            _ => basic(expected).map(|ty| self.types.intern(ty)),
        }
    }
}

fn basic(name: &str) -> Option<Ty> {
    Some(match name {
        "unit" => Ty::Unit,
        "bool" => Ty::Bool,
        "char" => Ty::Char,
        "float" => Ty::Float,
        "float32" => Ty::Float32,
        "string" => Ty::String,
        "bytes" => Ty::Bytes,
        "exn" => Ty::Exn,
        _ => Ty::Int(IntWidth::ALL.into_iter().find(|it| it.name() == name)?),
    })
}

fn signature(prim: Prim) -> String {
    let text = match prim {
        Prim::Int(width, op) => {
            let int = width.name();
            return match op {
                IntOp::Neg => format!("{int} -> {int}"),
                IntOp::Shl | IntOp::Lsr | IntOp::Asr => format!("{int} -> int -> {int}"),
                IntOp::Ult => format!("{int} -> {int} -> bool"),
                IntOp::Add
                | IntOp::Sub
                | IntOp::Mul
                | IntOp::Div
                | IntOp::Mod
                | IntOp::And
                | IntOp::Or
                | IntOp::Xor => format!("{int} -> {int} -> {int}"),
            };
        }
        Prim::Float(FloatOp::Fma) => "float -> float -> float -> float",
        Prim::Float(op) if op.arity() == 2 => "float -> float -> float",
        Prim::Float(_) => "float -> float",
        Prim::Order(OrderOp::Compare) | Prim::StrictOrder(OrderOp::Compare) => "'a -> 'a -> int",
        Prim::Order(_) | Prim::StrictOrder(_) => "'a -> 'a -> bool",
        Prim::IntCast { from, to } => return format!("{} -> {}", from.name(), to.name()),
        Prim::IntToFloat(from) => return format!("{} -> float", from.name()),
        Prim::FloatToInt(to) => return format!("float -> {}", to.name()),
        Prim::PhysEq | Prim::PhysNe => "'a -> 'a -> bool",
        Prim::Hash | Prim::StrictHash => "'a -> int",
        Prim::HashParam => "int -> int -> int -> 'a -> int",
        Prim::HashMixInt | Prim::HashMixUint32 => "int -> int -> int",
        Prim::HashMixFloat => "int -> float -> int",
        Prim::HashMixString => "int -> string -> int",
        Prim::HashMixInt64 => "int -> int64 -> int",
        Prim::HashFinal => "int -> int",
        Prim::ExnToString => "exn -> string",
        Prim::BoolNot => "bool -> bool",
        Prim::CharCode => "char -> int",
        Prim::CharUnsafeChr => "int -> char",
        Prim::FloatBits => "float -> int64",
        Prim::FloatOfBits => "int64 -> float",
        Prim::FloatOfBits32 => "int32 -> float",
        Prim::FloatBits32 => "float -> int32",
        Prim::FloatLdexp => "float -> int -> float",
        Prim::FloatFrexpMantissa => "float -> float",
        Prim::FloatFrexpExponent => "float -> int",
        Prim::StringLength => "string -> int",
        Prim::StringGet => "string -> int -> char",
        Prim::StringConcat => "string -> string -> string",
        Prim::BytesLength => "bytes -> int",
        Prim::BytesCreate => "int -> bytes",
        Prim::BytesGet => "bytes -> int -> char",
        Prim::BytesSet => "bytes -> int -> char -> unit",
        Prim::BytesGet16 => "bytes -> int -> int",
        Prim::BytesGet32 => "bytes -> int -> int32",
        Prim::BytesGet64 => "bytes -> int -> int64",
        Prim::BytesSet16 => "bytes -> int -> int -> unit",
        Prim::BytesSet32 => "bytes -> int -> int32 -> unit",
        Prim::BytesSet64 => "bytes -> int -> int64 -> unit",
        Prim::BytesBlit => "bytes -> int -> bytes -> int -> int -> unit",
        Prim::BytesBlitString => "string -> int -> bytes -> int -> int -> unit",
        Prim::BytesFill => "bytes -> int -> int -> char -> unit",
        Prim::BytesUnsafeToString => "bytes -> string",
        Prim::BytesUnsafeOfString => "string -> bytes",
        Prim::ArrayLength => "'a array -> int",
        Prim::ArrayGet => "'a array -> int -> 'a",
        Prim::ArraySet => "'a array -> int -> 'a -> unit",
        Prim::ArrayMake => "int -> 'a -> 'a array",
        Prim::ArrayUninit => "int -> 'a array",
        Prim::ArrayBlit => "'a array -> int -> 'a array -> int -> int -> unit",
        Prim::ArrayTanh | Prim::ArrayExp => "float array -> int -> int -> int -> unit",
        Prim::SysExit => "int -> 'a",
        Prim::SysArgc => "unit -> int",
        Prim::SysArgv => "int -> string",
        Prim::SysHasEnv => "string -> bool",
        Prim::SysGetEnv => "string -> string",
        Prim::StackLow => "unit -> bool",
        Prim::SysTime | Prim::SysWallTime => "unit -> float",
        Prim::SysEntropy => "unit -> int",
        Prim::SysMemoryFits => "int -> bool",
        Prim::SysFileExists | Prim::SysIsDirectory => "string -> bool",
        Prim::SysRemove => "string -> int",
        Prim::SysErrorMessage => "int -> string",
        Prim::IoOpen => "string -> int -> int -> int",
        Prim::IoClose => "int -> int",
        Prim::IoWrite | Prim::IoRead => "int -> bytes -> int -> int -> int",
        Prim::IoSeek => "int -> int -> int -> int",
        Prim::FormatInt => "string -> int -> string",
        Prim::FormatInt32 => "string -> int32 -> string",
        Prim::FormatInt64 => "string -> int64 -> string",
        Prim::FormatFloat => "string -> float -> string",
        Prim::ParseFloatOk => "string -> bool",
        Prim::ParseFloat => "string -> float",
        Prim::ParseFloatIs => "string -> float -> bool",
        Prim::Float32OfFloat => "float -> float32",
        Prim::Float32ToFloat => "float32 -> float",
        Prim::Show | Prim::Text => "'a -> string",
        // Checked by themselves, see `check`.
        Prim::Foreign { .. } => "'a",
        Prim::NativeAlloc => "int64 -> int64",
        Prim::NativeMark => "unit -> int64",
        Prim::NativeRelease => "int64 -> unit",
        Prim::NativeGet8 | Prim::NativeGet16 => "int64 -> int",
        Prim::NativeGet32 => "int64 -> int32",
        Prim::NativeGet64 => "int64 -> int64",
        Prim::NativeSet8 | Prim::NativeSet16 => "int64 -> int -> unit",
        Prim::NativeSet32 => "int64 -> int32 -> unit",
        Prim::NativeSet64 => "int64 -> int64 -> unit",
        Prim::WordIsInt | Prim::WordIsMark => "'a -> bool",
        Prim::WordToInt | Prim::WordToMark => "'a -> int",
        Prim::WordOfInt | Prim::WordOfMark => "int -> 'a",
        Prim::WordAdd | Prim::WordSub | Prim::WordMul => "'a -> 'a -> 'a",
        Prim::WordAddFits | Prim::WordSubFits | Prim::WordMulFits | Prim::WordLess => {
            "'a -> 'a -> bool"
        }
        Prim::Opaque => "'a -> 'a",
        Prim::Uninit | Prim::Default | Prim::Unreachable => "unit -> 'a",
        Prim::AdReverse => "unit -> bool",
        Prim::AdDual => "float -> float -> float",
        Prim::AdOuter | Prim::AdPrimal | Prim::AdTangent | Prim::AdConstant => "float -> float",
        Prim::AdVariable => "float -> int -> float",
        Prim::AdIndex => "float -> int",
        Prim::AdTape => "unit -> 'a",
        Prim::AdSeries => "'a array -> float",
        Prim::AdCoefficients => "float -> 'a array",
        Prim::AdIsZero => "float -> bool",
        Prim::AdAttach => "float -> float -> float -> float",
        // Without blanks: they part the operands.
        Prim::AdMapNumbers => "(float->float) -> 'a -> 'a",
    };
    text.into()
}
