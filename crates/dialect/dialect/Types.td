// The types of the `ocaml` dialect.

#ifndef OXBOW_OCAML_TYPES_TD
#define OXBOW_OCAML_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def Ocaml_Dialect : Dialect {
  let name = "ocaml";
  let summary = "Closures, environments and data of ML-family languages";
  let description = [{
    The first form of a program in MLIR. Control flow is that of `cf`, arithmetic that of
    `arith`; the dialect adds what those do not know: functions that capture, closures, heap
    objects with constructors, exceptions as second results.

    Scalars are builtin types: an OCaml `int` is an `i64` that holds twice the value, `int32`
    is `i32`, `int64` is `i64`, `float` is `f64`, `char` is `i8`, `bool` and `unit` are `i1`.
    A pair of scalars is the builtin `tuple<A, B>` and is passed in registers. A variant type
    without arguments is the `i32` number of the constructor.

    A function that may raise has a second result of type `!ocaml.exn`, which is null
    (`ocaml.exn.raised` is false) after a normal end.
  }];
  let cppNamespace = "::oxbow::ocaml";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

class Ocaml_Type<string name, string typeMnemonic> : TypeDef<Ocaml_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Ocaml_Env : Ocaml_Type<"Env", "env"> {
  let summary = "an opaque environment: the captured values of a closure";
}

def Ocaml_Box : Ocaml_Type<"Box", "box"> {
  let summary = "the address of a mutable variable";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Ocaml_Closure : Ocaml_Type<"Closure", "closure"> {
  let summary = "a function value";
  let description = [{
    Holds every argument up to the first result that is not a function, so that one function
    type has one spelling: `!ocaml.closure<(i64, f64) -> i64>`. How many arguments the code
    behind a value takes at once is the value's own affair.
  }];
  let parameters = (ins "::mlir::FunctionType":$type);
  let assemblyFormat = "`<` $type `>`";
  let genVerifyDecl = 1;
}

def Ocaml_String : Ocaml_Type<"String", "string"> {
  let summary = "a string or a mutable byte sequence";
}

def Ocaml_Array : Ocaml_Type<"Array", "array"> {
  let summary = "a mutable array with unboxed elements";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Ocaml_Data : Ocaml_Type<"Data", "data"> {
  let summary = "a record, or a variant with arguments";
  let description = "The name is that of an `ocaml.data` of the module, which lists the fields.";
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def Ocaml_Tuple : Ocaml_Type<"Tuple", "tuple"> {
  let summary = "a tuple in memory, of more than two scalars";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$elements);
  let assemblyFormat = "`<` $elements `>`";
}

def Ocaml_Exn : Ocaml_Type<"Exn", "exn"> {
  let summary = "an exception value, or none";
}

def Ocaml_Region : Ocaml_Type<"Region", "region"> {
  let summary = "a region: pages of objects that end together";
}

// Attributes that have a type of their own in Rust.

class Ocaml_WordAttr<list<string> words, string description> : StringBasedAttr<
    And<[StrAttrPred, Or<!foreach(it, words, CPred<
        "::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"" # it # "\"">)>]>, description>;

def Ocaml_StorageAttr : Ocaml_WordAttr<["counted", "stack", "static"],
    "where an object lives: `counted`, `stack` or `static`">;

def Ocaml_Storage : DefaultValuedStrAttr<Ocaml_StorageAttr, "counted">;

def Ocaml_InlineHintAttr : Ocaml_WordAttr<["always", "never", "cold", "rare"],
    "a hint: `always`, `never`, `cold` or `rare`">;

def Ocaml_OwnClosureAttr : Ocaml_WordAttr<["lent", "owned", "either"],
    "who drops the closure that is called: `lent`, `owned` or `either`">;

// A string attribute that need not be text.
def Ocaml_BytesAttr : StringBasedAttr<StrAttrPred, "any bytes">;

// The types of the fields of each constructor.
def Ocaml_CtorsAttr : TypedArrayAttrBase<TypeArrayAttr, "a list of types for each constructor">;

def Ocaml_Block : AnyTypeOf<[Ocaml_Data, Ocaml_Tuple], "a record, variant or tuple in memory">;

#endif
