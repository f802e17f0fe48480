(* An interpreter for a small language: expressions become closures over an array of variables. *)

type expr =
  | Int of int
  | Var of string
  | Bin of char * expr * expr
  | If of expr * expr * expr
  | Let of string * expr * expr
  | Call of string * expr list

type def = { name : string; params : string list; body : expr }

let rec position name i = function
  | [] -> failwith ("unbound " ^ name)
  | x :: rest -> if x = name then i else position name (i + 1) rest

(* Variables lie in a frame, from its base on. *)
type frame = { slots : int array; base : int }

let rec compile table scope depth e =
  match e with
  | Int n -> fun _ -> n
  | Var x ->
      let i = depth - 1 - position x 0 scope in
      fun f -> f.slots.(f.base + i)
  | Bin (op, a, b) -> (
      let a = compile table scope depth a and b = compile table scope depth b in
      match op with
      | '+' -> fun f -> a f + b f
      | '-' -> fun f -> a f - b f
      | '*' -> fun f -> a f * b f
      | '<' -> fun f -> if a f < b f then 1 else 0
      | '%' -> fun f -> a f mod b f
      | _ -> failwith "operator")
  | If (c, a, b) ->
      let c = compile table scope depth c in
      let a = compile table scope depth a and b = compile table scope depth b in
      fun f -> if c f <> 0 then a f else b f
  | Let (x, a, b) ->
      let a = compile table scope depth a in
      let b = compile table (x :: scope) (depth + 1) b in
      fun f ->
        f.slots.(f.base + depth) <- a f;
        b f
  | Call (name, args) ->
      let cell = Hashtbl.find table name in
      let args = List.map (compile table scope depth) args in
      let top = depth + 8 in
      fun f ->
        let base = f.base + top in
        let rec put i = function
          | [] -> ()
          | a :: rest ->
              f.slots.(base + i) <- a f;
              put (i + 1) rest
        in
        put 0 args;
        !cell { f with base }

let program =
  let v x = Var x and i n = Int n in
  [
    { name = "fib"; params = [ "n" ];
      body = If (Bin ('<', v "n", i 2), v "n",
        Bin ('+', Call ("fib", [ Bin ('-', v "n", i 1) ]), Call ("fib", [ Bin ('-', v "n", i 2) ]))) };
    { name = "gcd"; params = [ "a"; "b" ];
      body = If (v "b", Call ("gcd", [ v "b"; Bin ('%', v "a", v "b") ]), v "a") };
    { name = "sum"; params = [ "n"; "acc" ];
      body = If (v "n", Let ("g", Call ("gcd", [ v "n"; i 360 ]),
        Call ("sum", [ Bin ('-', v "n", i 1); Bin ('+', v "acc", Bin ('*', v "g", v "g")) ])), v "acc") };
  ]

let () =
  let table = Hashtbl.create 16 in
  List.iter (fun d -> Hashtbl.replace table d.name (ref (fun _ -> 0))) program;
  let define d =
    let scope = List.rev d.params in
    Hashtbl.find table d.name := compile table scope (List.length d.params) d.body
  in
  List.iter define program;
  let slots = Array.make 200_000 0 in
  let run e = compile table [] 0 e { slots; base = 0 } in
  Printf.printf "%d\n" (run (Call ("fib", [ Int 29 ])));
  let total = ref 0 in
  for _ = 1 to 100 do
    total := !total + run (Call ("sum", [ Int 5000; Int 0 ]))
  done;
  Printf.printf "%d\n" !total
