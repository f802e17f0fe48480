// The ops of the `ocaml` dialect. One record holds everything about an op; documentation
// is generated from here.

#ifndef OXBOW_OCAML_TD
#define OXBOW_OCAML_TD

include "Types.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ocaml_Op<string mnemonic, list<Trait> traits = []> : Op<Ocaml_Dialect, mnemonic, traits>;

// Checks the symbols that an op names, once for the whole module.
def UsesSymbols : DeclareOpInterfaceMethods<SymbolUserOpInterface>;

// Prints a value and an exception under names of their own.
def NamesResults : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Reads memory that only the initialisation of a fresh object writes: no effect, yet it must
// stay behind the test that made the access valid.
defvar ReadsImmutable = NoMemoryEffect;

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

def FuncOp : Ocaml_Op<"func", [IsolatedFromAbove, FunctionOpInterface, OpAsmOpInterface]> {
  let summary = "a function that may capture";
  let description = [{
    `captures` lists the types of the values that a closure over the function holds, in the
    order of `ocaml.env.get`. A function with captures has an implicit first block argument
    `%env : !ocaml.env` that is neither part of the signature nor printed.

    A second result of type `!ocaml.exn` says that the function may raise.
    `exported` gives the symbol to the linker, with C's calling convention.
    `inline_hint` is "always", "never", "cold": called rarely, so that calls leave registers alone, or "rare": made quickly, not to run quickly; `kept` belongs to regions (`ocaml.region.block`). Captures may have names, for readers and for the
    names of what is made for them.

    What holds for the whole program is written down by the passes that plan the code. `separate_env`: closures over
    the function hold an environment of its own instead of the captures. `framed`: some of them lie in frames.
    `never_raises`: its exception is always none, and its code gives none. `own_closure` says of a function with
    captures what its calls do with the closure: they lend it ("lent"), hand it over ("owned"), or its address
    says which ("either"). `notes_caller`: the function is the library's and may want memory, so that calls from the
    program's own text note their place. `only_value`: the function has no captures and nothing calls it by its name,
    so that its code is what closures over it point to.

    ```mlir
    ocaml.func @add(%x: i64) -> i64 captures("k": i64) {
      %k = ocaml.env.get %env[0] -> i64
      %r = arith.addi %x, %k : i64
      ocaml.return %r : i64
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<TypeArrayAttr>:$captures,
    OptionalAttr<StrArrayAttr>:$capture_names,
    OptionalAttr<Ocaml_InlineHintAttr>:$inline_hint,
    UnitAttr:$exported,
    OptionalAttr<DenseI32ArrayAttr>:$kept,
    UnitAttr:$separate_env,
    UnitAttr:$framed,
    UnitAttr:$never_raises,
    UnitAttr:$notes_caller,
    UnitAttr:$only_value,
    OptionalAttr<Ocaml_OwnClosureAttr>:$own_closure,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Parameter and result types, the environment not among them.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::LogicalResult verifyBody();
    /// The environment, if the function has captures.
    ::mlir::BlockArgument getEnv();
    bool raises();
    /// The type of a closure over the function.
    ClosureType getClosureType();
    void getAsmBlockArgumentNames(::mlir::Region &region, ::mlir::OpAsmSetValueNameFn name);
  }];
}

def DataOp : Ocaml_Op<"data", [Symbol]> {
  let summary = "declares a record or variant type";
  let description = [{
    One list of field types for each constructor; a record has one constructor. An empty list
    is a constructor without arguments.

    ```mlir
    ocaml.data @"int list" [[], [i64, !ocaml.data<"int list">]]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Ocaml_CtorsAttr:$ctors);
  let assemblyFormat = "$sym_name $ctors attr-dict";
}

def ExceptionOp : Ocaml_Op<"exception", [Symbol]> {
  let summary = "declares an exception";
  let description = [{
    `name` is what `Printexc.to_string` shows.

    ```mlir
    ocaml.exception @Failure "Failure" [!ocaml.string]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$name, TypeArrayAttr:$fields);
  let assemblyFormat = "$sym_name $name $fields attr-dict";
}

def GlobalOp : Ocaml_Op<"global", [Symbol]> {
  let summary = "a module-level variable, not initialised";
  let description = [{
    `private` keeps it to its module; `thread_local` gives each thread its own.

    ```mlir
    ocaml.global @counter : i64
    ocaml.global private thread_local @closure_3__x : i64
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility,
                       TypeAttr:$type, UnitAttr:$tls);
  let assemblyFormat = [{
    `` custom<Visibility>($sym_visibility) (`thread_local` $tls^)? $sym_name attr-dict `:` $type
  }];
}

def GlobalLoadOp : Ocaml_Op<"global_load", [MemoryEffects<[MemRead]>, UsesSymbols]> {
  let summary = "reads a module-level variable";
  let description = [{
    ```mlir
    %v = ocaml.global_load @counter : i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$global);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$global attr-dict `:` type($value)";
}

def GlobalStoreOp : Ocaml_Op<"global_store", [MemoryEffects<[MemWrite]>, UsesSymbols]> {
  let summary = "writes a module-level variable";
  let description = [{
    ```mlir
    ocaml.global_store %v to @counter : i64
    ```

    `replaces` says that it drops what was there, as for `ocaml.block.store`.
  }];
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global, UnitAttr:$replaces);
  let assemblyFormat = "$value `to` $global attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// What holds for the whole program, written down by the passes that plan the code
//===----------------------------------------------------------------------===//

def FamilyOp : Ocaml_Op<"family"> {
  let summary = "states what all closures of one type have in common";
  let description = [{
    `takes` lists the numbers of arguments that their code takes. `raises`: a call may end with an exception.
    `owned`: a call may hand over the closure. `changes`: a call may change memory. Each closure type that is called or
    made is stated once.

    ```mlir
    ocaml.family !ocaml.closure<(i64) -> i64> takes [1] {raises}
    ```
  }];
  let arguments = (ins TypeAttr:$type, DenseI32ArrayAttr:$takes, UnitAttr:$raises, UnitAttr:$owned,
                       UnitAttr:$changes);
  let assemblyFormat = "$type `takes` $takes attr-dict";
}

def ObjectsOp : Ocaml_Op<"objects"> {
  let summary = "states what is known of the objects of one type";
  let description = [{
    `framed` lists the constructors of which some objects lie in frames, `noted` those that stores may have noted for
    the scan for cycles; a tuple and an environment have the constructor 0. Of a type that is not stated, there are
    neither.

    ```mlir
    ocaml.objects !ocaml.data<"node"> framed [] noted [1]
    ```
  }];
  let arguments = (ins TypeAttr:$type, DenseI32ArrayAttr:$framed, DenseI32ArrayAttr:$noted);
  let assemblyFormat = "$type `framed` $framed `noted` $noted attr-dict";
}

//===----------------------------------------------------------------------===//
// Leaving a function
//===----------------------------------------------------------------------===//

def ReturnOp : Ocaml_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "ends a function normally";
  let description = [{
    Gives the first result; the exception result, if there is one, is none.

    ```mlir
    ocaml.return %v : i64
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def RaiseOp : Ocaml_Op<"raise", [Pure, HasParent<"FuncOp">, Terminator]> {
  let summary = "ends a function with an exception";
  let description = [{
    ```mlir
    ocaml.raise %e
    ```
  }];
  let arguments = (ins Ocaml_Exn:$exn);
  let assemblyFormat = "$exn attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def CallOp : Ocaml_Op<"call", [UsesSymbols, NamesResults, CallOpInterface]> {
  let summary = "calls a known function";
  let description = [{
    A function with captures takes its closure as the first argument. The closure lends itself,
    unless it is `handed_over` (by the counting pass). `fails` says that the callee always raises.

    ```mlir
    %v = ocaml.call @double(%x) : (i64) -> i64
    %v, %e = ocaml.call @find(%x) : (i64) -> (i64, !ocaml.exn)
    %v = ocaml.call @add(%f, %x) : (!ocaml.closure<(i64) -> i64>, i64) -> i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args, UnitAttr:$handed_over,
                       UnitAttr:$fails, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, $results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getArgs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getArgsMutable(); }
  }];
}

def TailCallOp : Ocaml_Op<"tail_call", [HasParent<"FuncOp">, Terminator, UsesSymbols]> {
  let summary = "leaves the function by calling a known one in its place";
  let description = [{
    Runs in constant stack. The callee's results are those of the caller. `fails` says that the callee always
    raises.

    ```mlir
    ocaml.tail_call @loop(%i, %acc) : (i64, i64)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args, UnitAttr:$fails);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` `(` type($args) `)`";
}

def InvokeOp : Ocaml_Op<"invoke", [NamesResults]> {
  let summary = "calls a function value";
  let description = [{
    With fewer arguments than the code takes it makes a closure of the rest, with more it calls
    the result. The results are the value and the exception. The closure lends itself to its code,
    unless it is `handed_over` (by the counting pass).

    ```mlir
    %v, %e = ocaml.invoke %f(%x) : !ocaml.closure<(i64) -> i64>, (i64) -> (i64, !ocaml.exn)
    ```
  }];
  let arguments = (ins Ocaml_Closure:$callee, Variadic<AnyType>:$args, UnitAttr:$handed_over);
  let results = (outs AnyType:$value, Ocaml_Exn:$exn);
  let assemblyFormat = [{
    $callee `(` $args `)` attr-dict `:` qualified(type($callee)) `,` functional-type($args, results)
  }];
  let hasVerifier = 1;
}

def TailInvokeOp : Ocaml_Op<"tail_invoke", [HasParent<"FuncOp">, Terminator]> {
  let summary = "leaves the function by calling a function value in its place";
  let description = [{
    ```mlir
    ocaml.tail_invoke %k(%x) : !ocaml.closure<(i64) -> i64>, (i64)
    ```
  }];
  let arguments = (ins Ocaml_Closure:$callee, Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $callee `(` $args `)` attr-dict `:` qualified(type($callee)) `,` `(` type($args) `)`
  }];
  let hasVerifier = 1;
}

def RuntimeCallOp : Ocaml_Op<"runtime.call"> {
  let summary = "calls a function of the runtime";
  let description = [{
    Arguments and result are as the runtime declares them: an OCaml `int` is passed as its plain
    value, a `bool` as `i8`.

    ```mlir
    %s = ocaml.runtime.call @oxbow_string_concat(%a, %b) : (!ocaml.string, !ocaml.string) -> !ocaml.string
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)";
}

def ForeignCallOp : Ocaml_Op<"foreign.call"> {
  let summary = "calls a function of a C library";
  let description = [{
    Arguments and result are scalars as C passes them; a string is passed as the address of its bytes,
    which end with a NUL. The program declares the function, and nothing checks that C agrees.

    ```mlir
    %n = ocaml.foreign.call @strlen(%s) from "libc" : (!ocaml.string) -> i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, StrAttr:$library, Variadic<AnyType>:$args);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = [{
    $callee `(` $args `)` `from` $library attr-dict `:` functional-type($args, results)
  }];
}

def NativeLoadOp : Ocaml_Op<"native.load", [MemoryEffects<[MemRead]>]> {
  let summary = "reads memory by its address";
  let description = [{
    ```mlir
    %v = ocaml.native.load %address : i32
    ```
  }];
  let arguments = (ins I64:$address);
  let results = (outs AnySignlessInteger:$value);
  let assemblyFormat = "$address attr-dict `:` type($value)";
}

def NativeStoreOp : Ocaml_Op<"native.store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes memory by its address";
  let description = [{
    ```mlir
    ocaml.native.store %v to %address : i32
    ```
  }];
  let arguments = (ins AnySignlessInteger:$value, I64:$address);
  let assemblyFormat = "$value `to` $address attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Closures and environments
//===----------------------------------------------------------------------===//

def MakeClosureOp : Ocaml_Op<"make_closure", [UsesSymbols]> {
  let summary = "makes a closure";
  let description = [{
    Two of them are never merged. Without captures it is the address of a constant. `token` is the number of
    the `ocaml.take` whose cell it uses.

    ```mlir
    %f = ocaml.make_closure @add(%k) : (i64) -> !ocaml.closure<(i64) -> i64>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$func, Variadic<AnyType>:$captures,
                       Ocaml_Storage:$storage,
                       OptionalAttr<I32Attr>:$token);
  let results = (outs Res<Ocaml_Closure, "", [MemAlloc]>:$closure);
  let assemblyFormat = [{
    $func `(` $captures `)` (`in` $storage^)? attr-dict `:` functional-type($captures, results)
  }];
}

def ClosureDeclareOp : Ocaml_Op<"closure.declare", [UsesSymbols]> {
  let summary = "makes a closure whose captures follow";
  let description = [{
    For recursive groups: all are declared, then each is filled, before any is called.

    ```mlir
    %even = ocaml.closure.declare @even : !ocaml.closure<(i64) -> i1>
    %odd = ocaml.closure.declare @odd : !ocaml.closure<(i64) -> i1>
    ocaml.closure.fill @even, %even(%odd) : (!ocaml.closure<(i64) -> i1>), !ocaml.closure<(i64) -> i1>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$func, Ocaml_Storage:$storage);
  let results = (outs Res<Ocaml_Closure, "", [MemAlloc]>:$closure);
  let assemblyFormat = "$func (`in` $storage^)? attr-dict `:` qualified(type($closure))";
}

def ClosureFillOp : Ocaml_Op<"closure.fill", [MemoryEffects<[MemWrite]>, UsesSymbols]> {
  let summary = "sets the captures of a declared closure";
  let description = [{
    `suspect` (by the plan of cycles) says that it may close a cycle of references.
  }];
  let arguments = (ins FlatSymbolRefAttr:$func, Ocaml_Closure:$closure, Variadic<AnyType>:$captures,
                       UnitAttr:$suspect);
  let assemblyFormat = [{
    $func `,` $closure `(` $captures `)` attr-dict `:` `(` type($captures) `)` `,` qualified(type($closure))
  }];
}

def ClosureOp : Ocaml_Op<"closure", [Pure, UsesSymbols]> {
  let summary = "joins a function and an environment";
  let description = [{
    ```mlir
    %f = ocaml.closure @add with %env : !ocaml.closure<(i64) -> i64>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$func, Ocaml_Env:$env,
                       Ocaml_Storage:$storage);
  let results = (outs Ocaml_Closure:$closure);
  let assemblyFormat = [{
    $func `with` $env (`in` $storage^)? attr-dict `:` qualified(type($closure))
  }];
}

def EnvNewOp : Ocaml_Op<"env.new"> {
  let summary = "makes an empty environment";
  let description = [{
    Two of them are never merged.

    ```mlir
    %env = ocaml.env.new
    ```
  }];
  let arguments = (ins Ocaml_Storage:$storage);
  let results = (outs Res<Ocaml_Env, "", [MemAlloc]>:$env);
  let assemblyFormat = "(`in` $storage^)? attr-dict";
}

def EnvDeclareOp : Ocaml_Op<"env.declare", [UsesSymbols]> {
  let summary = "makes an environment whose values follow";
  let description = [{
    For recursive groups: the environments of all are declared, closures are made over them, then
    each is filled, before any is called.

    ```mlir
    %env = ocaml.env.declare @even
    %even = ocaml.closure @even with %env : !ocaml.closure<(i64) -> i1>
    ocaml.env.fill @even, %env(%odd) : (!ocaml.closure<(i64) -> i1>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$func, Ocaml_Storage:$storage);
  let results = (outs Res<Ocaml_Env, "", [MemAlloc]>:$env);
  let assemblyFormat = "$func (`in` $storage^)? attr-dict";
}

def EnvFillOp : Ocaml_Op<"env.fill", [MemoryEffects<[MemWrite]>, UsesSymbols]> {
  let summary = "sets the values of a declared environment";
  let description = [{
    ```mlir
    ocaml.env.fill @even, %env(%odd) : (!ocaml.closure<(i64) -> i1>)
    ```

    `suspect` (by the plan of cycles) says that it may close a cycle of references.
  }];
  let arguments = (ins FlatSymbolRefAttr:$func, Ocaml_Env:$env, Variadic<AnyType>:$captures,
                       UnitAttr:$suspect);
  let assemblyFormat = "$func `,` $env `(` $captures `)` attr-dict `:` `(` type($captures) `)`";
}

def EnvCaptureOp : Ocaml_Op<"env.capture", [Pure]> {
  let summary = "an environment with one more value at its end";
  let description = [{
    ```mlir
    %env1 = ocaml.env.capture %k in %env : i64
    ```
  }];
  let arguments = (ins AnyType:$value, Ocaml_Env:$env);
  let results = (outs Ocaml_Env:$result);
  let assemblyFormat = "$value `in` $env attr-dict `:` type($value)";
}

def EnvGetOp : Ocaml_Op<"env.get", [Pure]> {
  let summary = "a captured value by number";
  let description = [{
    ```mlir
    %k = ocaml.env.get %env[0] -> i64
    ```
  }];
  let arguments = (ins Ocaml_Env:$env, I32Attr:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$env `[` $index `]` `->` type($value) attr-dict";
  let hasVerifier = 1;
}

def EnvSelfOp : Ocaml_Op<"env.self", [Pure]> {
  let summary = "the closure whose code is running";
  let description = [{
    It has the type of the function, or that of another that captures the same and is called with it.

    ```mlir
    %f = ocaml.env.self %env : !ocaml.closure<(i64) -> i64>
    ```
  }];
  let arguments = (ins Ocaml_Env:$env);
  let results = (outs Ocaml_Closure:$closure);
  let assemblyFormat = "$env attr-dict `:` qualified(type($closure))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Mutable variables
//===----------------------------------------------------------------------===//

def SlotNewOp : Ocaml_Op<"slot.new"> {
  let summary = "a mutable variable in the function's frame";
  let description = [{
    ```mlir
    %x = ocaml.slot.new : !ocaml.box<i64>
    ```
  }];
  let results = (outs Res<Ocaml_Box, "", [MemAlloc]>:$slot);
  let assemblyFormat = "attr-dict `:` qualified(type($slot))";
}

def SlotLoadOp : Ocaml_Op<"slot.load", [
    TypesMatchWith<"the value has the variable's type", "slot", "value",
                   "::llvm::cast<BoxType>($_self).getElement()">]> {
  let summary = "reads a mutable variable";
  let description = [{
    ```mlir
    %v = ocaml.slot.load %x : !ocaml.box<i64>
    ```
  }];
  let arguments = (ins Arg<Ocaml_Box, "", [MemRead]>:$slot);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$slot attr-dict `:` qualified(type($slot))";
}

def SlotStoreOp : Ocaml_Op<"slot.store", [
    TypesMatchWith<"the value has the variable's type", "slot", "value",
                   "::llvm::cast<BoxType>($_self).getElement()">]> {
  let summary = "writes a mutable variable";
  let description = [{
    ```mlir
    ocaml.slot.store %v to %x : !ocaml.box<i64>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<Ocaml_Box, "", [MemWrite]>:$slot);
  let assemblyFormat = "$value `to` $slot attr-dict `:` qualified(type($slot))";
}

include "Data.td"
include "Memory.td"

#endif
