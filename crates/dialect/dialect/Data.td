// Ops on data: tuples, records, variants, strings, arrays, exceptions. Part of `Ocaml.td`.

//===----------------------------------------------------------------------===//
// Tuples, records, variants
//===----------------------------------------------------------------------===//

def PairNewOp : Ocaml_Op<"pair.new", [Pure,
    TypesMatchWith<"the components have the pair's types", "pair", "first",
                   "::llvm::cast<::mlir::TupleType>($_self).getType(0)">,
    TypesMatchWith<"the components have the pair's types", "pair", "second",
                   "::llvm::cast<::mlir::TupleType>($_self).getType(1)">]> {
  let summary = "a pair of scalars, in registers";
  let description = [{
    ```mlir
    %p = ocaml.pair.new %a, %b : tuple<i64, f64>
    ```
  }];
  let arguments = (ins AnyType:$first, AnyType:$second);
  let results = (outs AnyTuple:$pair);
  let assemblyFormat = "$first `,` $second attr-dict `:` qualified(type($pair))";
}

def PairGetOp : Ocaml_Op<"pair.get", [Pure]> {
  let summary = "a component of a pair";
  let description = [{
    ```mlir
    %b = ocaml.pair.get %p[1] : tuple<i64, f64> -> f64
    ```
  }];
  let arguments = (ins AnyTuple:$pair, I32Attr:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$pair `[` $index `]` attr-dict `:` qualified(type($pair)) `->` type($value)";
  let hasVerifier = 1;
}

def BlockNewOp : Ocaml_Op<"block.new", [UsesSymbols]> {
  let summary = "makes a record, a constructor with arguments, or a tuple in memory";
  let description = [{
    `storage` is "counted" (until the last reference is gone), "stack" (the function's frame) or
    "static" (a constant; all fields are constants). `borrows` (by the counting pass) says of an object in the
    frame that somebody else keeps alive what it holds, as long as the function runs: it is not counted. `token`
    is the number of the `ocaml.take` whose cell it uses.

    ```mlir
    %l = ocaml.block.new 1(%head, %tail) : (i64, !ocaml.data<"int list">) -> !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins I32Attr:$ctor, Variadic<AnyType>:$fields,
                       Ocaml_Storage:$storage, UnitAttr:$borrows,
                       OptionalAttr<I32Attr>:$token);
  let results = (outs Res<Ocaml_Block, "", [MemAlloc]>:$block);
  let assemblyFormat = [{
    $ctor `(` $fields `)` (`in` $storage^)? attr-dict `:` functional-type($fields, results)
  }];
}

def BlockGetOp : Ocaml_Op<"block.get", [ReadsImmutable, UsesSymbols]> {
  let summary = "an immutable field of a block whose constructor is known";
  let description = [{
    ```mlir
    %head = ocaml.block.get %l[1, 0] : !ocaml.data<"int list"> -> i64
    ```
  }];
  let arguments = (ins Ocaml_Block:$block, I32Attr:$ctor, I32Attr:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $block `[` $ctor `,` $index `]` attr-dict `:` type($block) `->` type($value)
  }];
}

def BlockLoadOp : Ocaml_Op<"block.load", [UsesSymbols]> {
  let summary = "reads a mutable field";
  let description = [{
    ```mlir
    %v = ocaml.block.load %r[0, 0] : !ocaml.data<"int ref"> -> i64
    ```
  }];
  let arguments = (ins Arg<Ocaml_Block, "", [MemRead]>:$block, I32Attr:$ctor, I32Attr:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $block `[` $ctor `,` $index `]` attr-dict `:` type($block) `->` type($value)
  }];
}

def BlockStoreOp : Ocaml_Op<"block.store", [UsesSymbols]> {
  let summary = "writes a mutable field";
  let description = [{
    ```mlir
    ocaml.block.store %v to %r[0, 0] : i64, !ocaml.data<"int ref">
    ```

    `acyclic` says that no cycle of references can come from it, whatever the types allow. `suspect` (by the plan of
    cycles) says that one can: the object is noted for the scan. `replaces` (in programs with domains) says that it drops
    what was there: that and the store are one step to others.
  }];
  let arguments = (ins AnyType:$value, Arg<Ocaml_Block, "", [MemWrite]>:$block, I32Attr:$ctor,
                       I32Attr:$index, UnitAttr:$acyclic, UnitAttr:$suspect, UnitAttr:$replaces);
  let assemblyFormat = [{
    $value `to` $block `[` $ctor `,` $index `]` attr-dict `:` type($value) `,` type($block)
  }];
}

def CtorOp : Ocaml_Op<"ctor", [Pure, UsesSymbols]> {
  let summary = "a constructor without arguments";
  let description = [{
    ```mlir
    %nil = ocaml.ctor 0 : !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins I32Attr:$value);
  let results = (outs Ocaml_Data:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def IsImmediateOp : Ocaml_Op<"is_immediate", [Pure]> {
  let summary = "is it a constructor without arguments?";
  let description = [{
    ```mlir
    %b = ocaml.is_immediate %l : !ocaml.data<"int list">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def ImmediateOp : Ocaml_Op<"immediate", [Pure]> {
  let summary = "the number of a constructor known to have no arguments";
  let description = [{
    ```mlir
    %n = ocaml.immediate %t : !ocaml.data<"token">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordIsIntOp : Ocaml_Op<"word.is_int", [Pure]> {
  let summary = "is it an integer in place of a constructor?";
  let description = [{
    ```mlir
    %b = ocaml.word.is_int %v : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordToIntOp : Ocaml_Op<"word.to_int", [Pure]> {
  let summary = "the integer in place of a constructor";
  let description = [{
    Of an object, a number that no other object has as long as it lives: its address by four.

    ```mlir
    %n = ocaml.word.to_int %v : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordOfIntOp : Ocaml_Op<"word.of_int", [Pure]> {
  let summary = "an integer of 62 bits in place of a constructor";
  let description = [{
    The word is four times the integer and three. The constant constructors of the
    type have even numbers, so that none of them is such a word.

    ```mlir
    %v = ocaml.word.of_int %n : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins I64:$value);
  let results = (outs Ocaml_Data:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def WordWrapOp : Ocaml_Op<"word.wrap", [Pure]> {
  let summary = "a constructor held in its word";
  let description = [{
    The only field of the constructor is a number whose lowest bit is 0; in the word, this bit is 1. In the
    declaration of the type the constructor has no arguments, and it is the only one of that kind.

    ```mlir
    %leaf = ocaml.word.wrap %n : !ocaml.data<"tree">
    ```
  }];
  let arguments = (ins I64:$value);
  let results = (outs Ocaml_Data:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def WordUnwrapOp : Ocaml_Op<"word.unwrap", [Pure]> {
  let summary = "the field of a constructor held in its word";
  let description = [{
    ```mlir
    %n = ocaml.word.unwrap %leaf : !ocaml.data<"tree">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordIsMarkOp : Ocaml_Op<"word.is_mark", [Pure]> {
  let summary = "is it a mark in place of a constructor?";
  let description = [{
    ```mlir
    %b = ocaml.word.is_mark %v : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordToMarkOp : Ocaml_Op<"word.to_mark", [Pure]> {
  let summary = "the number of a mark in place of a constructor";
  let description = [{
    ```mlir
    %n = ocaml.word.to_mark %v : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordOfMarkOp : Ocaml_Op<"word.of_mark", [Pure]> {
  let summary = "a mark in place of a constructor";
  let description = [{
    The word is 256 times the number and 241: what a constant constructor with the number
    120 of a type would be, for the mark 0.

    ```mlir
    %v = ocaml.word.of_mark %n : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins I64:$value);
  let results = (outs Ocaml_Data:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def WordIsFloatOp : Ocaml_Op<"word.is_float", [Pure]> {
  let summary = "is it a float in place of a constructor?";
  let description = [{
    ```mlir
    %b = ocaml.word.is_float %v : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordToFloatOp : Ocaml_Op<"word.to_float", [Pure]> {
  let summary = "the float in place of a constructor";
  let description = [{
    ```mlir
    %x = ocaml.word.to_float %v : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs F64:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def WordOfFloatOp : Ocaml_Op<"word.of_float", [Pure]> {
  let summary = "a float in place of a constructor";
  let description = [{
    `word.float_fits` says that the float has a word: one of magnitude 2^-127 to 2^128. The bits of the float, with
    384 added to the exponent, are turned left by four, so that the lowest three bits are 101. The constant
    constructors of the type have numbers that are divisible by four, so that none of them is such a word.

    ```mlir
    %v = ocaml.word.of_float %x : !ocaml.data<"dyn">
    ```
  }];
  let arguments = (ins F64:$value);
  let results = (outs Ocaml_Data:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def WordFloatFitsOp : Ocaml_Op<"word.float_fits", [Pure]> {
  let summary = "has the float a word in place of a constructor?";
  let description = [{
    ```mlir
    %b = ocaml.word.float_fits %x
    ```
  }];
  let arguments = (ins F64:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict";
}

class WordArithmetic<string name> : Ocaml_Op<"word." # name, [Pure, AllTypesMatch<["left", "right", "result"]>]> {
  let arguments = (ins Ocaml_Data:$left, Ocaml_Data:$right);
  let results = (outs Ocaml_Data:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` qualified(type($result))";
}

class WordTest<string name> : Ocaml_Op<"word." # name, [Pure, AllTypesMatch<["left", "right"]>]> {
  let arguments = (ins Ocaml_Data:$left, Ocaml_Data:$right);
  let results = (outs I1:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` qualified(type($left))";
}

def WordAddOp : WordArithmetic<"add"> {
  let summary = "the sum of two integers in place of constructors";
  let description = [{
    Both operands are integers, and `word.add_fits` says that the sum has 62 bits.

    ```mlir
    %v = ocaml.word.add %a, %b : !ocaml.data<"dyn">
    ```
  }];
}

def WordSubOp : WordArithmetic<"sub"> {
  let summary = "the difference of two integers in place of constructors";
  let description = [{
    ```mlir
    %v = ocaml.word.sub %a, %b : !ocaml.data<"dyn">
    ```
  }];
}

def WordMulOp : WordArithmetic<"mul"> {
  let summary = "the product of two integers in place of constructors";
  let description = [{
    ```mlir
    %v = ocaml.word.mul %a, %b : !ocaml.data<"dyn">
    ```
  }];
}

def WordAddFitsOp : WordTest<"add_fits"> {
  let summary = "has the sum of two integers in place of constructors 62 bits?";
  let description = [{
    ```mlir
    %b = ocaml.word.add_fits %x, %y : !ocaml.data<"dyn">
    ```
  }];
}

def WordSubFitsOp : WordTest<"sub_fits"> {
  let summary = "has the difference of two integers in place of constructors 62 bits?";
  let description = [{
    ```mlir
    %b = ocaml.word.sub_fits %x, %y : !ocaml.data<"dyn">
    ```
  }];
}

def WordMulFitsOp : WordTest<"mul_fits"> {
  let summary = "has the product of two integers in place of constructors 62 bits?";
  let description = [{
    ```mlir
    %b = ocaml.word.mul_fits %x, %y : !ocaml.data<"dyn">
    ```
  }];
}

def WordLessOp : WordTest<"less"> {
  let summary = "is the first of two integers in place of constructors less than the second?";
  let description = [{
    ```mlir
    %b = ocaml.word.less %x, %y : !ocaml.data<"dyn">
    ```
  }];
}

def BlockTagOp : Ocaml_Op<"block.tag", [ReadsImmutable]> {
  let summary = "the number of a constructor known to have arguments";
  let description = [{
    ```mlir
    %n = ocaml.block.tag %t : !ocaml.data<"token">
    ```
  }];
  let arguments = (ins Ocaml_Data:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def PhysEqOp : Ocaml_Op<"phys_eq", [Pure, SameTypeOperands]> {
  let summary = "is it the same object?";
  let description = [{
    ```mlir
    %b = ocaml.phys_eq %x, %y : !ocaml.string
    ```
  }];
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

//===----------------------------------------------------------------------===//
// Strings and arrays. Positions are plain numbers and are not checked.
//===----------------------------------------------------------------------===//

def StringConstOp : Ocaml_Op<"string.const", [Pure]> {
  let summary = "a constant string";
  let description = [{
    Equal contents may or may not be the same object.

    ```mlir
    %s = ocaml.string.const "hello"
    ```
  }];
  let arguments = (ins Ocaml_BytesAttr:$value);
  let results = (outs Ocaml_String:$result);
  let assemblyFormat = "$value attr-dict";
}

def StringLengthOp : Ocaml_Op<"string.length", [ReadsImmutable]> {
  let summary = "the number of bytes";
  let description = [{
    ```mlir
    %n = ocaml.string.length %s
    ```
  }];
  let arguments = (ins Ocaml_String:$string);
  let results = (outs I64:$length);
  let assemblyFormat = "$string attr-dict";
}

def StringGetOp : Ocaml_Op<"string.get"> {
  let summary = "one byte, or two to eight in little-endian order";
  let description = [{
    ```mlir
    %c = ocaml.string.get %s[%i] : i8
    ```
  }];
  let arguments = (ins Arg<Ocaml_String, "", [MemRead]>:$string, I64:$index);
  let results = (outs AnySignlessInteger:$value);
  let assemblyFormat = "$string `[` $index `]` attr-dict `:` type($value)";
}

def StringSetOp : Ocaml_Op<"string.set"> {
  let summary = "writes one byte, or two to eight in little-endian order";
  let description = [{
    ```mlir
    ocaml.string.set %c to %s[%i] : i8
    ```
  }];
  let arguments = (ins AnySignlessInteger:$value, Arg<Ocaml_String, "", [MemWrite]>:$string,
                       I64:$index);
  let assemblyFormat = "$value `to` $string `[` $index `]` attr-dict `:` type($value)";
}

def ArrayNewOp : Ocaml_Op<"array.new"> {
  let summary = "an array of the given elements";
  let description = [{
    ```mlir
    %a = ocaml.array.new(%x, %y) : (i64, i64) -> !ocaml.array<i64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$elements,
                       Ocaml_Storage:$storage);
  let results = (outs Res<Ocaml_Array, "", [MemAlloc]>:$array);
  let assemblyFormat = [{
    `(` $elements `)` (`in` $storage^)? attr-dict `:` functional-type($elements, results)
  }];
  let hasVerifier = 1;
}

def ArrayMakeOp : Ocaml_Op<"array.make", [
    TypesMatchWith<"the element has the array's element type", "array", "element",
                   "::llvm::cast<ArrayType>($_self).getElement()">]> {
  let summary = "an array of a number of equal elements";
  let description = [{
    ```mlir
    %a = ocaml.array.make %n, %x : !ocaml.array<f64>
    ```
  }];
  let arguments = (ins I64:$length, AnyType:$element);
  let results = (outs Res<Ocaml_Array, "", [MemAlloc]>:$array);
  let assemblyFormat = "$length `,` $element attr-dict `:` qualified(type($array))";
}

def ArrayUninitOp : Ocaml_Op<"array.uninit"> {
  let summary = "an array whose elements are set later";
  let description = [{
    ```mlir
    %a = ocaml.array.uninit %n : !ocaml.array<f64>
    ```
  }];
  let arguments = (ins I64:$length);
  let results = (outs Res<Ocaml_Array, "", [MemAlloc]>:$array);
  let assemblyFormat = "$length attr-dict `:` qualified(type($array))";
}

def ArrayLengthOp : Ocaml_Op<"array.length", [ReadsImmutable]> {
  let summary = "the number of elements";
  let description = [{
    ```mlir
    %n = ocaml.array.length %a : !ocaml.array<f64>
    ```
  }];
  let arguments = (ins Ocaml_Array:$array);
  let results = (outs I64:$length);
  let assemblyFormat = "$array attr-dict `:` qualified(type($array))";
}

def ArrayGetOp : Ocaml_Op<"array.get", [
    TypesMatchWith<"the value has the array's element type", "array", "value",
                   "::llvm::cast<ArrayType>($_self).getElement()">]> {
  let summary = "reads an element";
  let description = [{
    ```mlir
    %x = ocaml.array.get %a[%i] : !ocaml.array<f64>
    ```
  }];
  let arguments = (ins Arg<Ocaml_Array, "", [MemRead]>:$array, I64:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$array `[` $index `]` attr-dict `:` qualified(type($array))";
}

def ArraySetOp : Ocaml_Op<"array.set", [
    TypesMatchWith<"the value has the array's element type", "array", "value",
                   "::llvm::cast<ArrayType>($_self).getElement()">]> {
  let summary = "writes an element";
  let description = [{
    ```mlir
    ocaml.array.set %x to %a[%i] : !ocaml.array<f64>
    ```

    `suspect` (by the plan of cycles) says that it may close a cycle of references, `replaces` that it drops what was
    there, as for `ocaml.block.store`.
  }];
  let arguments = (ins AnyType:$value, Arg<Ocaml_Array, "", [MemWrite]>:$array, I64:$index,
                       UnitAttr:$suspect, UnitAttr:$replaces);
  let assemblyFormat = "$value `to` $array `[` $index `]` attr-dict `:` qualified(type($array))";
}

def ArrayBlitOp : Ocaml_Op<"array.blit", [AllTypesMatch<["source", "target"]>]> {
  let summary = "copies elements; the ranges may overlap";
  let description = [{
    ```mlir
    ocaml.array.blit %a[%i] to %b[%j], %n : !ocaml.array<f64>
    ```

    `suspect` (by the plan of cycles) says that it may close a cycle of references.
  }];
  let arguments = (ins Arg<Ocaml_Array, "", [MemRead]>:$source, I64:$from,
                       Arg<Ocaml_Array, "", [MemWrite]>:$target, I64:$to, I64:$length,
                       UnitAttr:$suspect);
  let assemblyFormat = [{
    $source `[` $from `]` `to` $target `[` $to `]` `,` $length attr-dict `:` qualified(type($source))
  }];
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

def ExnNewOp : Ocaml_Op<"exn.new", [UsesSymbols]> {
  let summary = "makes an exception value";
  let description = [{
    ```mlir
    %e = ocaml.exn.new @Failure(%s) : (!ocaml.string) -> !ocaml.exn
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$exception, Variadic<AnyType>:$fields,
                       Ocaml_Storage:$storage);
  let results = (outs Res<Ocaml_Exn, "", [MemAlloc]>:$exn);
  let assemblyFormat = [{
    $exception `(` $fields `)` (`in` $storage^)? attr-dict `:` functional-type($fields, results)
  }];
}

def ExnIsOp : Ocaml_Op<"exn.is", [ReadsImmutable, UsesSymbols]> {
  let summary = "was it made by this exception constructor?";
  let description = [{
    ```mlir
    %b = ocaml.exn.is %e, @Not_found
    ```
  }];
  let arguments = (ins Ocaml_Exn:$exn, FlatSymbolRefAttr:$exception);
  let results = (outs I1:$result);
  let assemblyFormat = "$exn `,` $exception attr-dict";
}

def ExnGetOp : Ocaml_Op<"exn.get", [ReadsImmutable, UsesSymbols]> {
  let summary = "an argument of an exception known to be of this constructor";
  let description = [{
    ```mlir
    %s = ocaml.exn.get %e[@Failure, 0] -> !ocaml.string
    ```
  }];
  let arguments = (ins Ocaml_Exn:$exn, FlatSymbolRefAttr:$exception, I32Attr:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$exn `[` $exception `,` $index `]` `->` type($value) attr-dict";
}

def ExnNameOp : Ocaml_Op<"exn.name", [ReadsImmutable]> {
  let summary = "the name of an exception's constructor, as `Printexc.to_string` shows it";
  let description = [{
    ```mlir
    %s = ocaml.exn.name %e
    ```
  }];
  let arguments = (ins Ocaml_Exn:$exn);
  let results = (outs Ocaml_String:$name);
  let assemblyFormat = "$exn attr-dict";
}

def ExnRaisedOp : Ocaml_Op<"exn.raised", [Pure]> {
  let summary = "did the call end with an exception?";
  let description = [{
    ```mlir
    %v, %e = ocaml.call @f(%x) : (i64) -> (i64, !ocaml.exn)
    %b = ocaml.exn.raised %e
    ```
  }];
  let arguments = (ins Ocaml_Exn:$exn);
  let results = (outs I1:$raised);
  let assemblyFormat = "$exn attr-dict";
}

def ExnNoneOp : Ocaml_Op<"exn.none", [Pure]> {
  let summary = "the exception of a call that ended normally";
  let description = [{
    ```mlir
    %e = ocaml.exn.none
    ```
  }];
  let results = (outs Ocaml_Exn:$exn);
  let assemblyFormat = "attr-dict";
}

def NoValueOp : Ocaml_Op<"no_value", [Pure]> {
  let summary = "the value of a call that ended with an exception, which nobody reads";
  let description = [{
    ```mlir
    %v = ocaml.no_value : i64
    ```
  }];
  let results = (outs AnyType:$value);
  let assemblyFormat = "attr-dict `:` type($value)";
}
