(* A record is the same at all arguments that no field mentions, also where a pattern names it. *)
type read = Read
type write = Write
type 'a form = { text : string; size : int }

let freeze ({ text = _; _ } as it : write form) : read form = it
let relabel (it : write form) : read form = match it with { size; _ } as it when size > 3 -> it | { text; size } -> { text; size }

type 'a cell = { mutable held : int }

let share ({ held = _ } as it : write cell) : read cell = it

type ('key, 'a) store = { items : 'a list }

let with_key (type a b) ({ items = _ } as s : (a, int) store) : (b, int) store = s
let inside (Some { text; _ } as it : write form option) : read form option = ignore text; it [@@warning "-8"]
let both (({ size; _ }, _) as it : write form * int) : read form * int = ignore size; it

module Account (Kind : sig type t end) = struct
  type t = (Kind.t, int) store
  let empty : t = { items = [] }
  let add n (s : t) : t = { items = n :: s.items }
  let total (s : t) = List.fold_left ( + ) 0 s.items
end

module A = Account (Int)
module B = Account (String)

let () =
  let it : write form = { text = "a"; size = 4 } in
  Printf.printf "%s %d %s\n" (freeze it).text (relabel it).size (relabel { it with size = 1 }).text;
  let cell : write cell = { held = 1 } in
  let other = share cell in
  other.held <- 5;
  Printf.printf "%d\n" cell.held;
  let s : (string, int) store = with_key (A.add 3 (A.add 4 A.empty)) in
  Printf.printf "%d %d\n" (List.length s.items) (B.total (B.add 1 s));
  (match inside (Some it) with Some { text; _ } -> print_endline text | None -> ());
  print_int (snd (both (it, 7)));
  Printf.printf " %b %b\n" (compare (freeze it) (relabel it) = 0) (List.mem (freeze it) [ relabel it ])
