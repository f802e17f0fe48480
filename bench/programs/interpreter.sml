(* An interpreter for a small language: expressions become closures over an array of variables. *)
datatype expr = Int of int | Var of string | Bin of char * expr * expr | If of expr * expr * expr
  | Let of string * expr * expr | Call of string * expr list
type def = { name : string, params : string list, body : expr }
fun position name i [] = raise Fail name
  | position name i (x :: rest) = if x = name then i else position name (i + 1) rest
type frame = { slots : int array, base : int }
val table : (string * (frame -> int) ref) list ref = ref []
fun find name = #2 (valOf (List.find (fn (n, _) => n = name) (!table)))
fun compile scope depth e : frame -> int =
  case e of
    Int n => (fn _ => n)
  | Var x => let val i = depth - 1 - position x 0 scope in fn (f : frame) => Array.sub (#slots f, #base f + i) end
  | Bin (c, a, b) =>
      let val a = compile scope depth a val b = compile scope depth b in
        case c of
          #"+" => (fn f => a f + b f)
        | #"-" => (fn f => a f - b f)
        | #"*" => (fn f => a f * b f)
        | #"<" => (fn f => if a f < b f then 1 else 0)
        | #"%" => (fn f => Int.rem (a f, b f))
        | _ => raise Fail "operator"
      end
  | If (c, a, b) =>
      let val c = compile scope depth c val a = compile scope depth a val b = compile scope depth b
      in fn f => if c f <> 0 then a f else b f end
  | Let (x, a, b) =>
      let val a = compile scope depth a val b = compile (x :: scope) (depth + 1) b
      in fn f => (Array.update (#slots f, #base f + depth, a f); b f) end
  | Call (name, args) =>
      let
        val cell = find name
        val args = map (compile scope depth) args
        val top = depth + 8
      in
        fn f =>
          let
            val base = #base f + top
            fun put i [] = () | put i (a :: rest) = (Array.update (#slots f, base + i, a f); put (i + 1) rest)
          in put 0 args; !cell { slots = #slots f, base = base } end
      end
val program : def list =
  let fun v x = Var x fun i n = Int n in
    [ { name = "fib", params = ["n"], body = If (Bin (#"<", v "n", i 2), v "n",
        Bin (#"+", Call ("fib", [Bin (#"-", v "n", i 1)]), Call ("fib", [Bin (#"-", v "n", i 2)]))) },
      { name = "gcd", params = ["a", "b"], body = If (v "b", Call ("gcd", [v "b", Bin (#"%", v "a", v "b")]), v "a") },
      { name = "sum", params = ["n", "acc"], body = If (v "n", Let ("g", Call ("gcd", [v "n", i 360]),
        Call ("sum", [Bin (#"-", v "n", i 1), Bin (#"+", v "acc", Bin (#"*", v "g", v "g"))])), v "acc") } ]
  end
val () = table := map (fn (d : def) => (#name d, ref (fn _ => 0))) program
val () = app (fn (d : def) => find (#name d) := compile (rev (#params d)) (length (#params d)) (#body d)) program
val slots = Array.array (200000, 0)
fun run e = compile [] 0 e { slots = slots, base = 0 }
val () = print (Int.toString (run (Call ("fib", [Int 29]))) ^ "\n")
fun loop 0 total = total | loop n total = loop (n - 1) (total + run (Call ("sum", [Int 5000, Int 0])))
val () = print (Int.toString (loop 100 0) ^ "\n")
