(* Counters with hidden states, in lists, references, records and options; unpacked in patterns, by let, at the top. *)
module type COUNTER = sig
  type t
  val zero : t
  val next : t -> t
  val read : t -> int
end

let counters : (module COUNTER) list =
  [ (module struct type t = int let zero = 0 let next = succ let read x = x end);
    (module struct type t = string let zero = "" let next s = s ^ "x" let read = String.length end);
    (module struct type t = unit list let zero = [] let next l = () :: l let read = List.length end);
    (module struct type t = float let zero = 0.5 let next x = x *. 2. let read = int_of_float end) ]

let rec times n f x = if n = 0 then x else times (n - 1) f (f x)
let count n (module C : COUNTER) = C.read (times n C.next C.zero)
let () = List.iter (fun c -> print_int (count 5 c); print_char ' ') counters; print_newline ()

type counter = Counter : (module COUNTER with type t = 'a) * 'a -> counter
let start (module C : COUNTER) = Counter ((module C), C.zero)
let tick (Counter ((module C), x)) = Counter ((module C), C.next x)
let value (Counter ((module C), x)) = C.read x
let () =
  let all = List.map start counters in
  let all = List.map (fun c -> tick (tick (tick c))) all in
  print_endline (String.concat " " (List.map (fun c -> string_of_int (value c)) all))

type cell = { mutable current : (module COUNTER); tag : string }
let cell = { current = List.hd counters; tag = "cell" }
let () =
  cell.current <- List.nth counters 1;
  let (module C) = cell.current in
  Printf.printf "%s %d\n" cell.tag (C.read (C.next (C.next C.zero)))

let current = ref (List.nth counters 3)
module Top = (val !current)
let () = Printf.printf "%d\n" (Top.read (times 4 Top.next Top.zero))
let () =
  current := List.hd counters;
  let module Now = (val !current : COUNTER) in
  Printf.printf "%d %d\n" (Now.read (Now.next Now.zero)) (Top.read (Top.next Top.zero))

let pick : (module COUNTER) option -> int = function
  | Some (module C) when C.read C.zero = 0 -> C.read (C.next C.zero)
  | Some (module _) -> -1
  | None -> 0
let () = Printf.printf "%d %d\n" (pick (Some (List.hd counters))) (pick None)

module Twice (C : COUNTER) = struct
  include C
  let next x = C.next (C.next x)
end
let doubled (module C : COUNTER) = (module Twice (C) : COUNTER)
let () = List.iter (fun c -> print_int (count 3 (doubled (doubled c))); print_char ' ') counters; print_newline ()

let with_type (type a) (module C : COUNTER with type t = a) (x : a) : a = C.next x
let () =
  print_endline (with_type (module struct type t = string let zero = "" let next s = s ^ "!" let read = String.length end) "hi");
  print_int (with_type (module struct type t = int let zero = 0 let next = succ let read x = x end) 41);
  print_newline ()
