//! The dialect's types, seen from Rust.

use melior::Context;
use melior::ir::r#type::{FunctionType, IntegerType, TupleType};
use melior::ir::{Type, TypeLike};
use mlir_sys::{MlirContext, MlirStringRef, MlirType};

use crate::inspect::bytes_of;

unsafe extern "C" {
    fn oxbowEnvType(context: MlirContext) -> MlirType;
    fn oxbowStringType(context: MlirContext) -> MlirType;
    fn oxbowExnType(context: MlirContext) -> MlirType;
    fn oxbowRegionType(context: MlirContext) -> MlirType;
    fn oxbowBoxType(element: MlirType) -> MlirType;
    fn oxbowArrayType(element: MlirType) -> MlirType;
    fn oxbowDataType(context: MlirContext, name: MlirStringRef) -> MlirType;
    fn oxbowClosureType(function: MlirType) -> MlirType;
    fn oxbowTupleType(tuple: MlirType) -> MlirType;
    fn oxbowTypeKind(ty: MlirType) -> i32;
    fn oxbowTypeParameter(ty: MlirType) -> MlirType;
    fn oxbowDataTypeName(ty: MlirType) -> MlirStringRef;
}

/// Makes types. Those without parameters are made once.
#[derive(Clone, Copy)]
pub struct Types<'c> {
    pub context: &'c Context,
    pub i1: Type<'c>,
    pub i8: Type<'c>,
    pub i32: Type<'c>,
    pub i64: Type<'c>,
    pub f32: Type<'c>,
    pub f64: Type<'c>,
    pub env: Type<'c>,
    pub string: Type<'c>,
    pub exn: Type<'c>,
    pub region: Type<'c>,
}

impl<'c> Types<'c> {
    pub fn new(context: &'c Context) -> Self {
        let int = |bits| IntegerType::new(context, bits).into();
        // SAFETY: the context is alive for 'c, owns the type, and has the dialect loaded.
        let simple = |make: unsafe extern "C" fn(MlirContext) -> MlirType| unsafe {
            Type::from_raw(make(context.to_raw()))
        };
        Self {
            context,
            i1: int(1),
            i8: int(8),
            i32: int(32),
            i64: int(64),
            f32: Type::float32(context),
            f64: Type::float64(context),
            env: simple(oxbowEnvType),
            string: simple(oxbowStringType),
            exn: simple(oxbowExnType),
            region: simple(oxbowRegionType),
        }
    }

    pub fn boxed(&self, element: Type<'c>) -> Type<'c> {
        made_of(element, oxbowBoxType)
    }

    pub fn array(&self, element: Type<'c>) -> Type<'c> {
        made_of(element, oxbowArrayType)
    }

    pub fn data(&self, name: &str) -> Type<'c> {
        let name = MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
        // SAFETY: the context is alive for 'c and owns the type; the name is copied.
        unsafe { Type::from_raw(oxbowDataType(self.context.to_raw(), name)) }
    }

    /// A function value; if `result` is one too, its arguments are added to `inputs`.
    pub fn closure(&self, inputs: &[Type<'c>], result: Type<'c>) -> Type<'c> {
        made_of(FunctionType::new(self.context, inputs, &[result]).into(), oxbowClosureType)
    }

    /// Two scalars in registers.
    pub fn pair(&self, first: Type<'c>, second: Type<'c>) -> Type<'c> {
        TupleType::new(self.context, &[first, second]).into()
    }

    /// A tuple in memory.
    pub fn tuple(&self, elements: &[Type<'c>]) -> Type<'c> {
        made_of(TupleType::new(self.context, elements).into(), oxbowTupleType)
    }
}

/// A type of the dialect with one parameter, which is of the kind that the constructor takes.
fn made_of<'c>(parameter: Type<'c>, make: unsafe extern "C" fn(MlirType) -> MlirType) -> Type<'c> {
    // SAFETY: the parameter is a type of a context that lives for 'c, and that owns the new one, too.
    unsafe { Type::from_raw(make(parameter.to_raw())) }
}

/// The parameter of a type of the dialect that has one.
fn parameter(ty: Type<'_>) -> Type<'_> {
    let kinds = [Kind::Box, Kind::Array, Kind::Closure, Kind::Tuple];
    assert!(kinds.contains(&ty.kind()), "{ty} has a parameter");
    // SAFETY: the type is one of those that C++ asks for theirs, and both are owned by the context.
    unsafe { Type::from_raw(oxbowTypeParameter(ty.to_raw())) }
}

/// Identifies a type: types of one context are unique.
pub fn type_key(ty: Type<'_>) -> usize {
    ty.to_raw().ptr as usize
}

/// Which of the dialect's types it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A type of another dialect: an integer, a float, a pair.
    Foreign,
    Env,
    Box,
    Closure,
    String,
    Array,
    Data,
    Tuple,
    Exn,
    Region,
}

/// Inspection of types.
///
/// Whether a type is of some kind is asked before it is converted: a failed conversion would write the whole type out
/// for its message, and a type of few parts can have a text of any length.
pub trait OcamlType<'c>: Sized {
    fn kind(self) -> Kind;
    /// Element of a box or an array.
    fn element(self) -> Type<'c>;
    /// Arguments and result of a closure.
    fn signature(self) -> (Vec<Type<'c>>, Type<'c>);
    /// Name of a record or variant.
    fn data_name(self) -> &'c str;
    /// Components of a tuple in memory.
    fn elements(self) -> Vec<Type<'c>>;
    /// Components of a pair in registers.
    fn pair_parts(self) -> Option<[Type<'c>; 2]>;
    /// The bits of an integer.
    fn width(self) -> Option<u32>;
}

impl<'c> OcamlType<'c> for Type<'c> {
    fn kind(self) -> Kind {
        // SAFETY: the type is owned by a context that is alive, and may be of any dialect.
        match unsafe { oxbowTypeKind(self.to_raw()) } {
            1 => Kind::Env,
            2 => Kind::Box,
            3 => Kind::Closure,
            4 => Kind::String,
            5 => Kind::Array,
            6 => Kind::Data,
            7 => Kind::Tuple,
            8 => Kind::Exn,
            9 => Kind::Region,
            _ => Kind::Foreign,
        }
    }

    fn element(self) -> Type<'c> {
        assert!(matches!(self.kind(), Kind::Box | Kind::Array), "{self} has no element");
        parameter(self)
    }

    fn signature(self) -> (Vec<Type<'c>>, Type<'c>) {
        assert_eq!(self.kind(), Kind::Closure, "{self} has no signature");
        let function =
            FunctionType::try_from(parameter(self)).expect("a closure holds a function type");
        let inputs =
            (0..function.input_count()).map(|at| function.input(at).expect("in range")).collect();
        (inputs, function.result(0).expect("a closure has one result"))
    }

    fn data_name(self) -> &'c str {
        assert_eq!(self.kind(), Kind::Data, "{self} has no name");
        // SAFETY: it is a type with a name, as just asked; the name is an attribute, owned by the context, which
        // lives for 'c.
        let name = unsafe { bytes_of(oxbowDataTypeName(self.to_raw())) };
        std::str::from_utf8(name).expect("names are text")
    }

    fn elements(self) -> Vec<Type<'c>> {
        assert_eq!(self.kind(), Kind::Tuple, "{self} has no components");
        components(TupleType::try_from(parameter(self)).expect("a tuple holds a builtin tuple"))
    }

    fn pair_parts(self) -> Option<[Type<'c>; 2]> {
        let tuple = self.is_tuple().then(|| TupleType::try_from(self).expect("it is a tuple"))?;
        components(tuple).try_into().ok()
    }

    fn width(self) -> Option<u32> {
        self.is_integer().then(|| IntegerType::try_from(self).expect("it is an integer").width())
    }
}

fn components<'c>(tuple: TupleType<'c>) -> Vec<Type<'c>> {
    (0..tuple.type_count()).map(|at| tuple.r#type(at).expect("in range")).collect()
}
