(* needs OCaml 5 *)
(* A generator: the loop over a tree is suspended at each element. *)
open Effect
open Effect.Deep
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
let rec make lo hi = if lo > hi then Leaf else let m = (lo + hi) / 2 in Node (make lo (m-1), m, make (m+1) hi)
let rec iter f = function Leaf -> () | Node (l, x, r) -> iter f l; f x; iter f r

module Generator (T : sig type t end) = struct
  type _ Effect.t += Yield : T.t -> unit Effect.t
  let to_seq (iter : (T.t -> unit) -> unit) : unit -> T.t option =
    let rec next = ref (fun () ->
      match iter (fun x -> perform (Yield x)) with
      | () -> next := (fun () -> None); None
      | effect (Yield x), k -> next := (fun () -> continue k ()); Some x)
    in fun () -> !next ()
end
module G = Generator (struct type t = int end)
let () =
  let t = make 1 1_000_000 in
  for _ = 1 to 5 do
    let g = G.to_seq (fun f -> iter f t) in
    let rec sum acc = match g () with None -> acc | Some x -> sum (acc + x) in
    Printf.printf "%d\n" (sum 0)
  done
