(* Abstract types behind signatures: a stack, a temperature with private invariants, ids. *)

module type STACK = sig
  type 'a t
  exception Empty
  val create : unit -> 'a t
  val push : 'a t -> 'a -> unit
  val pop : 'a t -> 'a
  val depth : 'a t -> int
end

module ListStack : STACK = struct
  type 'a t = { mutable items : 'a list; mutable depth : int }
  exception Empty
  let create () = { items = []; depth = 0 }
  let push s x = s.items <- x :: s.items; s.depth <- s.depth + 1
  let pop s = match s.items with
    | [] -> raise Empty
    | x :: r -> s.items <- r; s.depth <- s.depth - 1; x
  let depth s = s.depth
end

module ArrayStack : STACK = struct
  type 'a t = { mutable data : 'a option array; mutable n : int }
  exception Empty
  let create () = { data = Array.make 2 None; n = 0 }
  let push s x =
    if s.n = Array.length s.data then
      s.data <- Array.append s.data (Array.make s.n None);
    s.data.(s.n) <- Some x;
    s.n <- s.n + 1
  let pop s =
    if s.n = 0 then raise Empty;
    s.n <- s.n - 1;
    match s.data.(s.n) with
    | Some x -> s.data.(s.n) <- None; x
    | None -> assert false
  let depth s = s.n
end

module Temp : sig
  type t
  val of_celsius : float -> t
  val of_fahrenheit : float -> t
  val celsius : t -> float
  val kelvin : t -> float
  val ( <! ) : t -> t -> bool
end = struct
  type t = float
  let absolute_zero = -273.15
  let of_celsius c = if c < absolute_zero then invalid_arg "too cold" else c
  let of_fahrenheit f = of_celsius ((f -. 32.) *. 5. /. 9.)
  let celsius t = t
  let kelvin t = t -. absolute_zero
  let ( <! ) (a : t) b = a < b
end

module Id : sig type t val fresh : unit -> t val to_int : t -> int val equal : t -> t -> bool end = struct
  type t = int
  let last = ref 0
  let fresh () = incr last; !last
  let to_int t = t
  let equal = Int.equal
end

let exercise name (module_push : int -> unit) (module_pop : unit -> int) depth =
  for i = 1 to 10 do module_push (i * i) done;
  let a = module_pop () in
  let b = module_pop () in
  Printf.printf "%s: %d %d depth %d\n" name a b (depth ())

let () =
  let l = ListStack.create () and a = ArrayStack.create () in
  exercise "list" (ListStack.push l) (fun () -> ListStack.pop l) (fun () -> ListStack.depth l);
  exercise "array" (ArrayStack.push a) (fun () -> ArrayStack.pop a) (fun () -> ArrayStack.depth a);
  (try ignore (ListStack.pop (ListStack.create ())) with
   | ArrayStack.Empty -> print_endline "array empty"
   | ListStack.Empty -> print_endline "list empty");
  let t = Temp.of_fahrenheit 212. in
  Printf.printf "%.2f %.2f\n" (Temp.celsius t) (Temp.kelvin t);
  Printf.printf "%b\n" Temp.(of_celsius 10. <! t);
  (try ignore (Temp.of_celsius (-300.)) with Invalid_argument m -> print_endline m);
  let i = Id.fresh () in
  let j = Id.fresh () in
  Printf.printf "%d %d %b %b\n" (Id.to_int i) (Id.to_int j) (Id.equal i j) (Id.equal i i)
