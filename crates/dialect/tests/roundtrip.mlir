ocaml.data @"int list" [[], [i64, !ocaml.data<"int list">]]
ocaml.data @point [[i64, f64]]
ocaml.exception @Not_found "Not_found" []
ocaml.exception @Failure "Failure" [!ocaml.string]
ocaml.global @counter : i64
ocaml.global thread_local @seed : i64
ocaml.global private @hidden : f64
ocaml.global private thread_local @own : !ocaml.string
ocaml.family !ocaml.closure<(i64) -> i64> takes [1, 2] {changes, owned, raises}
ocaml.family !ocaml.closure<(f64) -> f64> takes []
ocaml.objects !ocaml.data<"point"> framed [0] noted []

ocaml.func @add(%x: i64) -> (i64, !ocaml.exn) captures("k": i64, "x'": !ocaml.box<f64>) {
  %k = ocaml.env.get %env[0] -> i64
  %f = ocaml.env.self %env : !ocaml.closure<(i64) -> i64>
  %r = arith.addi %x, %k : i64
  %zero = arith.constant 0 : i64
  %done = arith.cmpi eq, %r, %zero : i64
  cf.cond_br %done, ^stop, ^again
^stop:
  ocaml.return %r : i64
^again:
  ocaml.tail_call @add(%f, %r) : (!ocaml.closure<(i64) -> i64>, i64)
}

ocaml.func @planned(%x: i64) -> (i64, !ocaml.exn) captures("k": i64) attributes {framed, never_raises, own_closure = "lent", separate_env} {
  ocaml.return %x : i64
}

ocaml.func @plain(%x: i64) -> i64 attributes {inline_hint = "never"} {
  ocaml.return %x : i64
}

ocaml.func @pick(%x: i64, %p: tuple<i64, f64>) -> !ocaml.closure<(i64) -> i64> {
  %f = ocaml.make_closure @plain() in "static" : () -> !ocaml.closure<(i64) -> i64>
  ocaml.return %f : !ocaml.closure<(i64) -> i64>
}

ocaml.func @calls(%g: !ocaml.closure<(i64, f64) -> i64>, %x: i64, %y: f64) -> (i64, !ocaml.exn) {
  %a = ocaml.call @plain(%x) : (i64) -> i64
  %slot = ocaml.slot.new : !ocaml.box<f64>
  ocaml.slot.store %y to %slot : !ocaml.box<f64>
  %z = ocaml.slot.load %slot : !ocaml.box<f64>
  %f = ocaml.make_closure @add(%a, %slot) in "stack" : (i64, !ocaml.box<f64>) -> !ocaml.closure<(i64) -> i64>
  %b, %e = ocaml.call @add(%f, %x) : (!ocaml.closure<(i64) -> i64>, i64) -> (i64, !ocaml.exn)
  %raised = ocaml.exn.raised %e
  cf.cond_br %raised, ^failed(%e : !ocaml.exn), ^go
^go:
  %p, %e1 = ocaml.invoke %g(%b) : !ocaml.closure<(i64, f64) -> i64>, (i64) -> (!ocaml.closure<(f64) -> i64>, !ocaml.exn)
  ocaml.tail_invoke %g(%b, %z) : !ocaml.closure<(i64, f64) -> i64>, (i64, f64)
^failed(%exn: !ocaml.exn):
  ocaml.raise %exn
}

ocaml.func @environments(%x: i64, %slot: !ocaml.box<f64>) -> !ocaml.closure<(i64) -> i64> {
  %env = ocaml.env.new
  %env1 = ocaml.env.capture %x in %env : i64
  %env2 = ocaml.env.capture %slot in %env1 : !ocaml.box<f64>
  %f = ocaml.closure @add with %env2 : !ocaml.closure<(i64) -> i64>
  %d = ocaml.closure.declare @add : !ocaml.closure<(i64) -> i64>
  ocaml.closure.fill @add, %d(%x, %slot) : (i64, !ocaml.box<f64>), !ocaml.closure<(i64) -> i64>
  %declared = ocaml.env.declare @add in "stack"
  %g = ocaml.closure @add with %declared in "stack" : !ocaml.closure<(i64) -> i64>
  ocaml.env.fill @add, %declared(%x, %slot) : (i64, !ocaml.box<f64>)
  %none = ocaml.exn.none
  %nothing = ocaml.no_value : tuple<i64, f64>
  ocaml.return %f : !ocaml.closure<(i64) -> i64>
}

ocaml.func @data(%x: i64, %y: f64) -> i1 {
  %pair = ocaml.pair.new %x, %y : tuple<i64, f64>
  %first = ocaml.pair.get %pair[0] : tuple<i64, f64> -> i64
  %nil = ocaml.ctor 0 : !ocaml.data<"int list">
  %list = ocaml.block.new 1(%first, %nil) : (i64, !ocaml.data<"int list">) -> !ocaml.data<"int list">
  %head = ocaml.block.get %list[1, 0] : !ocaml.data<"int list"> -> i64
  %tag = ocaml.block.tag %list : !ocaml.data<"int list">
  %imm = ocaml.is_immediate %list : !ocaml.data<"int list">
  %number = ocaml.immediate %nil : !ocaml.data<"int list">
  %point = ocaml.block.new 0(%head, %y) in "stack" : (i64, f64) -> !ocaml.data<"point">
  ocaml.block.store %x to %point[0, 0] : i64, !ocaml.data<"point">
  ocaml.block.store %x to %point[0, 0] {suspect} : i64, !ocaml.data<"point">
  %px = ocaml.block.load %point[0, 0] : !ocaml.data<"point"> -> i64
  %triple = ocaml.block.new 0(%px, %y, %list) : (i64, f64, !ocaml.data<"int list">) -> !ocaml.tuple<i64, f64, !ocaml.data<"int list">>
  %l = ocaml.block.get %triple[0, 2] : !ocaml.tuple<i64, f64, !ocaml.data<"int list">> -> !ocaml.data<"int list">
  %same = ocaml.phys_eq %l, %list : !ocaml.data<"int list">
  ocaml.global_store %px to @counter : i64
  %c = ocaml.global_load @counter : i64
  %o = ocaml.opaque %c : i64
  ocaml.return %same : i1
}

ocaml.func @sequences(%n: i64, %y: f64, %c: i8) -> i64 {
  %s = ocaml.string.const "a\00b"
  %len = ocaml.string.length %s
  %b = ocaml.string.get %s[%n] : i8
  ocaml.string.set %c to %s[%n] : i8
  %t = ocaml.runtime.call @oxbow_string_concat(%s, %s) : (!ocaml.string, !ocaml.string) -> !ocaml.string
  %z = ocaml.foreign.call @strlen(%s) from "libc" : (!ocaml.string) -> i64
  %w = ocaml.native.load %z : i32
  ocaml.native.store %w to %z : i32
  %a = ocaml.array.new(%y, %y) : (f64, f64) -> !ocaml.array<f64>
  %m = ocaml.array.make %n, %y : !ocaml.array<f64>
  %u = ocaml.array.uninit %n : !ocaml.array<f64>
  %l = ocaml.array.length %a : !ocaml.array<f64>
  %v = ocaml.array.get %a[%n] : !ocaml.array<f64>
  ocaml.array.set %v to %m[%n] : !ocaml.array<f64>
  ocaml.array.blit %a[%n] to %u[%n], %l : !ocaml.array<f64>
  ocaml.return %l : i64
}

ocaml.func @exceptions(%s: !ocaml.string) -> (!ocaml.string, !ocaml.exn) {
  %e = ocaml.exn.new @Failure(%s) : (!ocaml.string) -> !ocaml.exn
  %n = ocaml.exn.new @Not_found() in "static" : () -> !ocaml.exn
  %is = ocaml.exn.is %e, @Failure
  %name = ocaml.exn.name %n
  %field = ocaml.exn.get %e[@Failure, 0] -> !ocaml.string
  cf.cond_br %is, ^a, ^b
^a:
  ocaml.return %field : !ocaml.string
^b:
  ocaml.raise %n
}

ocaml.func @words(%n: i64) -> i64 {
  %v = ocaml.word.of_int %n : !ocaml.data<"int list">
  %is = ocaml.word.is_int %v : !ocaml.data<"int list">
  %m = ocaml.word.to_int %v : !ocaml.data<"int list">
  %f = ocaml.word.add_fits %v, %v : !ocaml.data<"int list">
  %g = ocaml.word.sub_fits %v, %v : !ocaml.data<"int list">
  %h = ocaml.word.mul_fits %v, %v : !ocaml.data<"int list">
  %a = ocaml.word.add %v, %v : !ocaml.data<"int list">
  %s = ocaml.word.sub %a, %v : !ocaml.data<"int list">
  %p = ocaml.word.mul %s, %v : !ocaml.data<"int list">
  %less = ocaml.word.less %p, %v : !ocaml.data<"int list">
  %wrapped = ocaml.word.wrap %n : !ocaml.data<"int list">
  %held = ocaml.word.unwrap %wrapped : !ocaml.data<"int list">
  %mark = ocaml.word.of_mark %n : !ocaml.data<"int list">
  %marked = ocaml.word.is_mark %mark : !ocaml.data<"int list">
  %number = ocaml.word.to_mark %mark : !ocaml.data<"int list">
  %x = arith.constant 1.5 : f64
  %fits = ocaml.word.float_fits %x
  %real = ocaml.word.of_float %x : !ocaml.data<"int list">
  %isreal = ocaml.word.is_float %real : !ocaml.data<"int list">
  %y = ocaml.word.to_float %real : !ocaml.data<"int list">
  %r = arith.select %is, %m, %n : i64
  ocaml.return %r : i64
}

ocaml.func @references(%l: !ocaml.tuple<!ocaml.string, i64, i64>) -> !ocaml.string {
  %s = ocaml.block.get %l[0, 0] : !ocaml.tuple<!ocaml.string, i64, i64> -> !ocaml.string
  ocaml.take [0] of %l[0] : !ocaml.tuple<!ocaml.string, i64, i64>
  ocaml.dup %s : !ocaml.string
  ocaml.drop %s : !ocaml.string
  ocaml.return %s : !ocaml.string
}

ocaml.func @for_debuggers(%l: !ocaml.string) -> i64 {
  ocaml.variable %l {argument = 1 : i32, called = "l", encoding = 7 : i32, parent = 0 : i32, scope = 0 : i32, shown = "string", size = 8 : i32} : !ocaml.string
  %n = arith.constant 3 : i64
  ocaml.alive %l : !ocaml.string
  ocaml.return %n : i64
}

ocaml.func @in_region(%r: !ocaml.region, %x: i64) -> !ocaml.tuple<!ocaml.string, i64, i64> attributes {kept = array<i32>} {
  %s = ocaml.string.const "s"
  %t = ocaml.region.block in %r 0(%s, %x, %x) : (!ocaml.string, i64, i64) -> !ocaml.tuple<!ocaml.string, i64, i64>
  ocaml.return %t : !ocaml.tuple<!ocaml.string, i64, i64>
}

ocaml.func @regions(%x: i64) -> i64 {
  %r = ocaml.region.enter [!ocaml.tuple<!ocaml.string, i64, i64>] {walked}
  %t = ocaml.call @in_region(%r, %x) : (!ocaml.region, i64) -> !ocaml.tuple<!ocaml.string, i64, i64>
  %n = ocaml.block.get %t[0, 1] : !ocaml.tuple<!ocaml.string, i64, i64> -> i64
  %b = ocaml.slot.new : !ocaml.box<f64>
  %f = ocaml.region.closure in %r @add(%x, %b) : (i64, !ocaml.box<f64>) -> !ocaml.closure<(i64) -> i64>
  %g = ocaml.region.closure in %r @add(%x, %b) {separate} : (i64, !ocaml.box<f64>) -> !ocaml.closure<(i64) -> i64>
  ocaml.region.reset %r {walked}
  ocaml.region.leave %r {walked}
  ocaml.return %n : i64
}

ocaml.func @oxbow_program_main() -> i1 attributes {exported} {
  %u = arith.constant false
  ocaml.return %u : i1
}
