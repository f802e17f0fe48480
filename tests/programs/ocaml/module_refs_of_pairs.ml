(* References at module level that hold pairs: what they hold at first is dropped by the first store. *)

let cell = ref (3, fun x -> x + 3)

let swap x =
  let old = !cell in
  cell := x;
  old

let flagged = ref (true, fun () -> "first")
let texts = ref ("a" ^ string_of_int 1, "b" ^ string_of_int 2)
let weighted = ref (1.5, [ "x" ])

module Cell (X : sig
  type t

  val initial : t
end) =
struct
  let cell = ref X.initial

  let swap x =
    let old = !cell in
    cell := x;
    old
end

module Calls = Cell (struct
  type t = int * (int -> int)

  let initial = (1, fun x -> x)
end)

let () =
  let a, f = Sys.opaque_identity swap (4, fun x -> x * 2) in
  Printf.printf "%d %d\n" a (f 3);
  let k = Sys.opaque_identity 7 in
  let a, f = swap (5, fun x -> x - k) in
  Printf.printf "%d %d\n" a (f 3);
  for i = 1 to 5 do
    flagged := (not (fst !flagged), let g = snd !flagged in fun () -> g () ^ string_of_int i);
    texts := (snd !texts ^ "!", fst !texts);
    weighted := (fst !weighted *. 2.0, string_of_int i :: snd !weighted);
    let n, g = Calls.swap (i, fun x -> (x * i) + fst !Calls.cell) in
    Printf.printf "%d %d\n" n (g 10)
  done;
  Printf.printf "%b %s %s %s %g %s\n" (fst !flagged) (snd !flagged ()) (fst !texts) (snd !texts)
    (fst !weighted)
    (String.concat "," (snd !weighted))
