module P0 = struct
  type ex = Ex : [ `V of 'a ] * ('a -> string) -> ex
  let f (Ex (`V x, k)) = k x
  let () = print_endline (f (Ex (`V 3, string_of_int)))
end

let () = print_newline ()

module P1 = struct
  type seq = Seq : 's * ('s -> [ `Done | `Skip of 's | `Yield of int * 's ]) -> seq
  let fold f acc (Seq (s, step)) = let rec go acc s = match step s with `Done -> acc | `Skip s -> go acc s | `Yield (x, s) -> go (f acc x) s in go acc s
  let range a b = Seq (a, fun i -> if i > b then `Done else `Yield (i, i + 1))
  let filter p (Seq (s, step)) = Seq (s, fun s -> match step s with `Yield (x, s) when not (p x) -> `Skip s | r -> r)
  let () = print_int (fold (+) 0 (filter (fun x -> x mod 2 = 0) (range 1 10)))
end

let () = print_newline ()

module P2 = struct
  type ex = Ex : { v : 'a; f : 'a -> [ `N of int | `Next of 'a ] } -> ex
  let rec run (Ex { v; f }) = match f v with `N n -> n | `Next v -> run (Ex { v; f })
  let () = print_int (run (Ex { v = 0; f = fun n -> if n > 5 then `N n else `Next (n + 1) }))
end

let () = print_newline ()

module P3 = struct
  type _ ty = Int : int ty | Str : string ty
  type dyn = Dyn : 'a ty * 'a -> dyn
  let view : dyn -> [ `Int of int | `Str of string ] = function Dyn (Int, n) -> `Int n | Dyn (Str, s) -> `Str s
  let () = List.iter (fun d -> match view d with `Int n -> Printf.printf "int %d\n" n | `Str s -> Printf.printf "str %s\n" s) [Dyn (Int, 3); Dyn (Str, "x")]
end

let () = print_newline ()

module P4 = struct
  type _ t = I : int t | S : string t
  type pk = Pk : 'a t * 'a -> pk
  let f : pk -> [ `I of int | `S of string ] list = fun (Pk (t, v)) -> match t with I -> [`I v; `I (v + 1)] | S -> [`S v]
  let () = List.iter (fun p -> List.iter (function `I n -> print_int n | `S s -> print_string s) (f p)) [Pk (I, 3); Pk (S, "x")]
end

let () = print_newline ()

module P5 = struct
  type _ ty = Str : string ty | Map : ('a -> 'b) * 'b ty -> 'a ty
  let rec f : type a. a ty -> a -> [ `S of string ] = fun t v -> match t with Str -> `S v | Map (c, t) -> f t (c v)
  let () = match f (Map (string_of_int, Str)) 2 with `S s -> print_endline s
end

let () = print_newline ()

module P6 = struct
  type r = [ `I of int | `S of string ]
  type _ ty = Int : int ty | Str : string ty | Map : ('a -> 'b) * 'b ty -> 'a ty
  let rec f : type a. a ty -> a -> r = fun t v -> match t with Int -> `I v | Str -> `S v | Map (c, t) -> f t (c v)
  let () = match f (Map (string_of_int, Str)) 2 with `S s -> print_endline s | `I n -> print_int n
end

let () = print_newline ()

module P7 = struct
  type s = { f : 'a. 'a -> [ `B of 'a ] }
  let s = { f = fun x -> `B x }
  let () = match s.f "x" with `B x -> print_endline x
end

let () = print_newline ()

module P8 = struct
  let rec t : 'a. 'a -> int -> [ `S of 'a ] = fun x n -> if n = 0 then `S x else match t (x, x) (n - 1) with `S (a, _) -> `S a
  let () = match t "q" 2 with `S s -> print_endline s
end

let () = print_newline ()

module P9 = struct
  type shape = { map : 'a. 'a -> [ `Box of 'a ] }
  let s = { map = fun x -> `Box x }
  let un (`Box x) = x
  let () = Printf.printf "%d %s\n" (un (s.map 3)) (un (s.map "x"))
  let l = [s; { map = fun x -> `Box x }]
  let () = List.iter (fun s -> Printf.printf "%g\n" (un (s.map 2.5))) l
  type nat = { nt : 'a. [ `Some of 'a | `None ] -> 'a list }
  let n = { nt = function `Some x -> [x] | `None -> [] }
  let ns = [| n; { nt = function `Some x -> [x; x] | `None -> [] } |]
  let () = Array.iter (fun n -> Printf.printf "%d %d %g\n" (List.length (n.nt (`Some 1))) (List.length (n.nt (`Some "x"))) (List.hd (n.nt (`Some 1.5)))) ns
end

let () = print_newline ()

module P10 = struct
  type _ ty = Int : int ty | Str : string ty
  type dyn = Dyn : 'a ty * [ `Some of 'a | `None ] -> dyn
  let f : dyn -> int = function Dyn (Int, `Some n) -> n | Dyn (Str, `Some s) -> String.length s | Dyn (_, `None) -> 0
  let () = List.iter (fun d -> print_int (f d)) [Dyn (Int, `Some 3); Dyn (Str, `Some "x"); Dyn (Int, `None)]
end

let () = print_newline ()

module P11 = struct
  type _ ty = Int : int ty | Str : string ty
  type dyn = Dyn : 'a ty * [ `Some of 'a | `None ] -> dyn
  let g (x : [ `Some of int | `None ]) = match x with `Some n -> n | `None -> -1
  let f (Dyn (t, v)) = match t with Int -> g v | Str -> (match v with `Some s -> String.length s | `None -> 0)
  let () = List.iter (fun d -> print_int (f d)) [Dyn (Int, `Some 3); Dyn (Str, `Some "x"); Dyn (Int, `None)]
end

let () = print_newline ()

module P12 = struct
  type _ ty = Int : int ty | Str : string ty
  let f : type a. a ty -> [ `V of a ] -> int = fun t v -> match t with Int -> (match v with `V n -> n + 1) | Str -> (match v with `V s -> String.length s)
  let g : type a. a ty -> a -> [ `V of a ] = fun t v -> match t with Int -> `V (v + 1) | Str -> `V (v ^ "!")
  let () = Printf.printf "%d %d\n" (f Int (`V 3)) (f Str (`V "abc")); (match g Str "q" with `V s -> print_endline s); match g Int 1 with `V n -> print_int n
  type pk = Pk : 'a ty * 'a -> pk
  let () = List.iter (fun (Pk (t, v)) -> print_int (f t (g t v))) [Pk (Int, 3); Pk (Str, "xx")]
end

let () = print_newline ()

module P13 = struct
  type pr = { pair : 'a 'b. 'a -> 'b -> 'a * 'b }
  let use m = m.pair `X 'c'
  let () = let (d, e) = use { pair = (fun a b -> (a, b)) } in (match d with `X -> print_char e | `Y -> ())
end

let () = print_newline ()

module P14 = struct
  type packed = Pack : 'a list * ('a -> string) -> packed
  let l = [ `Red; `Green ]
  let m = `Rgb 3
  let () = (match m with `Rgb n -> print_int n);
    List.iter (function `Red -> print_endline "red" | `Green -> print_endline "green") l;
    let Pack (l, f) = Pack ([ 1; 2 ], string_of_int) in List.iter (fun x -> print_endline (f x)) l
end

let () = print_newline ()

module P15 = struct
  type any = A : 'a -> any
  let () = Printf.printf "%b %b %d\n" (A `Foo = A 0) (A `Foo = A `Bar) (Hashtbl.hash (A `Foo)); Printf.printf "%b\n" (compare (A `Foo) (A `Bar) < 0)
end

let () = print_newline ()

module P16 = struct
  type p = P : [ `A of 'a ] * ('a -> int) -> p
  let () = let P (`A x, f) = P (`A 1, fun n -> n) in print_int (f x)
end

let () = print_newline ()

module P17 = struct
  type _ k = Int : int k | Var : 'a k -> [ `V of 'a ] k
  let rec d : type a. a k -> a = fun k -> match k with Int -> 1 | Var a -> `V (d a)
  let () = let `V n = d (Var Int) in print_int n
end

let () = print_newline ()

module P18 = struct
  type 'a t = N | C of [ `A of 'a | `B ] * ('a * 'a) t
  let rec size : 'a. ('a -> int) -> 'a t -> int = fun w t -> match t with N -> 0 | C (`B, r) -> size (fun (a, b) -> w a + w b) r | C (`A x, r) -> w x + size (fun (a, b) -> w a + w b) r
  let () = print_int (size (fun x -> x) (C (`A 1, C (`A (2, 3), C (`B, C (`A (((1,2),(3,4)),((5,6),(7,8))), N)))))); print_newline ()
  let m : int t = C (`A 5, N)
  let () = (match m with C (`A x, _) -> print_int x | _ -> print_string "bad"); print_newline ()
end

let () = print_newline ()

module P19 = struct
  type _ k = Int : int k | Var : 'a k -> [ `V of 'a | `None ] k
  let rec show : type a. a k -> a -> string = fun k x -> match k with Int -> string_of_int x | Var a -> (match x with `None -> "None" | `V y -> "V " ^ show a y)
  let () = print_string (show (Var (Var Int)) (`V (`V 1)))
end

let () = print_newline ()

module P20 = struct
  type _ k = Int : int k | Var : 'a k -> [ `V of 'a | `None ] k
  let rec d : type a. a k -> a = fun k -> match k with Int -> 1 | Var a -> `V (d a)
  let () = match d (Var (Var Int)) with `V (`V n) -> print_int n | _ -> print_string "none"
end

let () = print_newline ()
