(* Calls through packed modules: a table of machines with hidden states, and dictionaries handed to generic code. *)
module type MACHINE = sig
  type state
  val start : int -> state
  val step : state -> int -> state
  val result : state -> int
end

module Sum = struct
  type state = int
  let start n = n
  let step s x = (s + x) land 0xffffff
  let result s = s
end
module Mix = struct
  type state = { a : int; b : int }
  let start n = { a = n; b = n + 1 }
  let step s x = { a = s.b; b = (s.a * 31 + x) land 0xffffff }
  let result s = s.a lxor s.b
end
module Count = struct
  type state = int * int
  let start n = (n, 0)
  let step (odd, even) x = if x land 1 = 1 then (odd + 1, even) else (odd, even + x land 7)
  let result (odd, even) = odd + even
end

let machines : (module MACHINE) array = [| (module Sum); (module Mix); (module Count) |]

let run (module M : MACHINE) n seed =
  let rec go s i x =
    if i = n then M.result s else go (M.step s x) (i + 1) ((x * 1103 + 12345) land 0xfffff)
  in
  go (M.start seed) 0 seed

module type ORD = sig type t val compare : t -> t -> int end
let largest (type a) (module O : ORD with type t = a) (l : a array) =
  let best = ref l.(0) in
  for i = 1 to Array.length l - 1 do
    if O.compare l.(i) !best > 0 then best := l.(i)
  done;
  !best

let pick i : (module MACHINE) = machines.(i mod Array.length machines)

let () =
  let total = ref 0 in
  for i = 1 to 300 do
    total := (!total + run machines.(i mod 3) 100_000 i) land 0xffffff
  done;
  let numbers = Array.init 1000 (fun i -> (i * 7919) mod 10007) in
  let texts = Array.map string_of_int numbers in
  for _ = 1 to 3000 do
    total := (!total + largest (module Int) numbers + String.length (largest (module String) texts)) land 0xffffff
  done;
  for i = 1 to 5_000_000 do
    let (module M) = pick i in
    total := (!total + M.result (M.step (M.start i) 5)) land 0xffffff
  done;
  Printf.printf "%d\n" !total
