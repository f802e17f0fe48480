//! The dialect's types, seen from Rust.

use melior::Context;
use melior::ir::r#type::{FunctionType, IntegerType, TupleType};
use melior::ir::{Type, TypeLike};
use mlir_sys::{MlirContext, MlirStringRef, MlirType};

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
        // SAFETY: the context is alive for 'c.
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
        // SAFETY: types are owned by the context; likewise below.
        unsafe { Type::from_raw(oxbowBoxType(element.to_raw())) }
    }

    pub fn array(&self, element: Type<'c>) -> Type<'c> {
        unsafe { Type::from_raw(oxbowArrayType(element.to_raw())) }
    }

    pub fn data(&self, name: &str) -> Type<'c> {
        let name = MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
        unsafe { Type::from_raw(oxbowDataType(self.context.to_raw(), name)) }
    }

    /// A function value; if `result` is one too, its arguments are added to `inputs`.
    pub fn closure(&self, inputs: &[Type<'c>], result: Type<'c>) -> Type<'c> {
        let function: Type = FunctionType::new(self.context, inputs, &[result]).into();
        unsafe { Type::from_raw(oxbowClosureType(function.to_raw())) }
    }

    /// Two scalars in registers.
    pub fn pair(&self, first: Type<'c>, second: Type<'c>) -> Type<'c> {
        TupleType::new(self.context, &[first, second]).into()
    }

    /// A tuple in memory.
    pub fn tuple(&self, elements: &[Type<'c>]) -> Type<'c> {
        let tuple: Type = TupleType::new(self.context, elements).into();
        unsafe { Type::from_raw(oxbowTupleType(tuple.to_raw())) }
    }
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
/// Whether a type is of some kind is asked before it is converted: a failed conversion would write the whole type out for its
/// message, and a type of few parts can have a text of any length.
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
        // SAFETY: the type is alive; likewise below.
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
        unsafe { Type::from_raw(oxbowTypeParameter(self.to_raw())) }
    }

    fn signature(self) -> (Vec<Type<'c>>, Type<'c>) {
        assert_eq!(self.kind(), Kind::Closure, "{self} has no signature");
        let function = unsafe { Type::from_raw(oxbowTypeParameter(self.to_raw())) };
        let function = FunctionType::try_from(function).expect("a closure holds a function type");
        let inputs =
            (0..function.input_count()).map(|at| function.input(at).expect("in range")).collect();
        (inputs, function.result(0).expect("a closure has one result"))
    }

    fn data_name(self) -> &'c str {
        assert_eq!(self.kind(), Kind::Data, "{self} has no name");
        // SAFETY: the name is an attribute, owned by the context, and was made from a `str`.
        unsafe {
            let name = oxbowDataTypeName(self.to_raw());
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(name.data.cast(), name.length))
        }
    }

    fn elements(self) -> Vec<Type<'c>> {
        assert_eq!(self.kind(), Kind::Tuple, "{self} has no components");
        let tuple = unsafe { Type::from_raw(oxbowTypeParameter(self.to_raw())) };
        components(TupleType::try_from(tuple).expect("a tuple holds a builtin tuple"))
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
