// Ops on memory: references, regions, and hints. Part of `Ocaml.td`.

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

def DupOp : Ocaml_Op<"dup", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one more reference to a value";
  let description = [{
    Made by the counting pass. What holds no object is left alone.

    ```mlir
    ocaml.dup %l : !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def DropOp : Ocaml_Op<"drop", [MemoryEffects<[MemRead, MemWrite, MemFree]>]> {
  let summary = "one reference less; the last one frees the object and drops what it holds";
  let description = [{
    `cold` says that the path is taken rarely.

    ```mlir
    ocaml.drop %l : !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins AnyType:$value, UnitAttr:$cold);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def TakeOp : Ocaml_Op<"take", [MemoryEffects<[MemRead, MemWrite, MemFree]>]> {
  let summary = "drops a reference to an object, but keeps some of its fields";
  let description = [{
    The same as `ocaml.dup` of the listed fields and then `ocaml.drop` of the object, but an object
    with no other reference is taken apart without counting. The fields have been read before;
    those of an environment are numbered as by `ocaml.env.get`, those of a pair as by
    `ocaml.pair.get`.

    A closure may have lent itself to its code; then there is nothing to drop, only to keep. `lent`
    is a kept field of an environment that nothing but the `ocaml.tail_invoke` at the end of the
    block uses, as its closure: it can be lent as well.

    `token` names the op, `ocaml.block.new` or `ocaml.make_closure` with the same number, that
    makes its object in the cell which is free then; if it is not, in a new one. Every path from here
    leads to just one such op.

    `unique` says that nobody else can have the object, so that its count need not be looked at.

    ```mlir
    %head = ocaml.block.get %l[1, 0] : !ocaml.data<"string list"> -> !ocaml.string
    %tail = ocaml.block.get %l[1, 1] : !ocaml.data<"string list"> -> !ocaml.data<"string list">
    ocaml.take [0, 1] of %l[1] : !ocaml.data<"string list">
    ```
  }];
  let arguments = (ins AnyType:$object, I32Attr:$ctor, DenseI32ArrayAttr:$kept,
                       OptionalAttr<I32Attr>:$lent, OptionalAttr<I32Attr>:$token,
                       UnitAttr:$unique);
  let assemblyFormat = "$kept `of` $object `[` $ctor `]` attr-dict `:` qualified(type($object))";
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

def RegionEnterOp : Ocaml_Op<"region.enter"> {
  let summary = "begins a region";
  let description = [{
    Made by the pass that places regions. `holds` lists the types of the objects that may be made in it.
    They live until `ocaml.region.leave`, which the counting pass puts behind the last use of any of
    them, on every path. `walked` says that some refer to counted objects, which are dropped
    with the region.

    ```mlir
    %r = ocaml.region.enter [!ocaml.data<"tree">]
    ```
  }];
  let arguments = (ins TypeArrayAttr:$holds, UnitAttr:$walked);
  let results = (outs Res<Ocaml_Region, "", [MemAlloc]>:$region);
  let assemblyFormat = "$holds attr-dict";
}

def RegionBlockOp : Ocaml_Op<"region.block", [UsesSymbols]> {
  let summary = "makes a record, a constructor with arguments, or a tuple in a region";
  let description = [{
    The same as `ocaml.block.new`, but the object is not counted. A function that makes objects for its
    caller takes the region as its first parameter; its attribute `kept` lists the parameters
    that are in the region as well.

    ```mlir
    %t = ocaml.region.block in %r 1(%a, %b) : (!ocaml.data<"tree">, !ocaml.data<"tree">) -> !ocaml.data<"tree">
    ```
  }];
  let arguments = (ins Arg<Ocaml_Region, "", [MemRead, MemWrite]>:$region, I32Attr:$ctor,
                       Variadic<AnyType>:$fields);
  let results = (outs Res<Ocaml_Block, "", [MemAlloc]>:$block);
  let assemblyFormat = [{
    `in` $region $ctor `(` $fields `)` attr-dict `:` functional-type($fields, results)
  }];
}

def RegionClosureOp : Ocaml_Op<"region.closure", [UsesSymbols]> {
  let summary = "makes a closure in a region";
  let description = [{
    The same as `ocaml.make_closure`, but the closure is not counted. What it captures is, unless it is a
    constant: the region is `walked`. `separate` says that the captures are in an environment of their
    own, which lies in the region as well.

    ```mlir
    %f = ocaml.region.closure in %r @add(%k) : (i64) -> !ocaml.closure<(i64) -> i64>
    ```
  }];
  let arguments = (ins Arg<Ocaml_Region, "", [MemRead, MemWrite]>:$region, FlatSymbolRefAttr:$func,
                       Variadic<AnyType>:$captures, UnitAttr:$separate);
  let results = (outs Res<Ocaml_Closure, "", [MemAlloc]>:$closure);
  let assemblyFormat = [{
    `in` $region $func `(` $captures `)` attr-dict `:` functional-type($captures, results)
  }];
}

def RegionResetOp : Ocaml_Op<"region.reset"> {
  let summary = "ends the objects of a region, which is used again";
  let description = [{
    What a loop makes in one round and is dead in the next needs one region, entered before the loop.

    ```mlir
    ocaml.region.reset %r
    ```
  }];
  let arguments = (ins Arg<Ocaml_Region, "", [MemRead, MemWrite, MemFree]>:$region, UnitAttr:$walked);
  let assemblyFormat = "$region attr-dict";
}

def RegionLeaveOp : Ocaml_Op<"region.leave"> {
  let summary = "ends a region and the objects in it";
  let description = [{
    ```mlir
    ocaml.region.leave %r
    ```
  }];
  let arguments = (ins Arg<Ocaml_Region, "", [MemRead, MemWrite, MemFree]>:$region, UnitAttr:$walked);
  let assemblyFormat = "$region attr-dict";
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

def OpaqueOp : Ocaml_Op<"opaque", [SameOperandsAndResultType, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "its operand, hidden from the optimiser";
  let description = [{
    ```mlir
    %y = ocaml.opaque %x : i64
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Debuggers
//===----------------------------------------------------------------------===//

def VariableOp : Ocaml_Op<"variable", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a variable of the user has this value from here on";
  let description = [{
    For debuggers. `shown` is the name of its type, `size` and `encoding` are those of DWARF. It can be seen from ops whose
    locations have the name of its `scope`, a number within the function; `parent` is the scope around that one, 0 is
    the function itself. Parameters have a number, `argument`, from 1. Several ops with the same name and scope are
    about one variable.

    ```mlir
    ocaml.variable %l {called = "l", shown = "int list", size = 8 : i32, encoding = 7 : i32, scope = 1 : i32,
                       parent = 0 : i32, argument = 0 : i32} : !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins AnyType:$value, StrAttr:$called, StrAttr:$shown, I32Attr:$size, I32Attr:$encoding,
                       I32Attr:$scope, I32Attr:$parent, I32Attr:$argument);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def AliveOp : Ocaml_Op<"alive", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a use of a value that does nothing: it is not dropped before";
  let description = [{
    ```mlir
    ocaml.alive %l : !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}
