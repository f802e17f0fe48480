(* Functions that are cast: parameters that nothing decides, data that differs in a parameter that
   nobody looks at, and functions that go through [Obj.t]. *)

type ('state, 'token) env = { count : int; triple : 'token * string * int; state : 'state }
type token = Number of int list | Plus | Stop
type 'a checkpoint = Needed of (int, token) env | Accepted of 'a | Rejected

(* The old token may be of any type, since [triple] is replaced. *)
let discard env triple = { env with triple; count = env.count + 1 }

let step env =
  let token, _, _ = env.triple in
  match token with
  | Number n -> Needed { env with state = List.fold_left ( + ) env.state n }
  | Plus -> Needed env
  | Stop -> Accepted (Obj.repr env.state)

let next env triple = step (discard env triple)

let offer : 'a. 'a checkpoint -> token * string * int -> 'a checkpoint = function
  | Needed env -> Obj.magic next env
  | Accepted _ | Rejected -> invalid_arg "offer"

let start () : int checkpoint =
  Obj.magic (Needed { count = 0; triple = (Obj.magic (), "", 0); state = 0 } : Obj.t checkpoint)

let rec drive (checkpoint : int checkpoint) = function
  | [] -> print_endline "more is needed"
  | token :: rest -> (
      match offer checkpoint token with
      | Needed env ->
          let _, text, place = env.triple in
          Printf.printf "%d %s %d %d\n" env.count text place env.state;
          drive (Needed env) rest
      | Accepted n -> Printf.printf "accepted %d\n" (n + 1)
      | Rejected -> print_endline "rejected")

let () = drive (start ()) [ (Number [ 3; 1 ], "a", 1); (Plus, "b", 2); (Number [ 4 ], "c", 3); (Stop, "d", 4); (Plus, "e", 5) ]
let () = drive (start ()) [ (Plus, "x", 1) ]

(* A phantom parameter. *)
type 'a box = { items : int list; label : string }

let total (box : string box) = List.fold_left ( + ) (String.length box.label) box.items

let () =
  let cast : float box -> int = Obj.magic total in
  Printf.printf "%d\n" (cast { items = [ 1; 2 ]; label = "abc" })

(* Tuples of functions, and functions that give functions. *)
let () =
  let pair = ((fun _ -> "constant"), fun a b -> a + b) in
  let (f, g) : (int -> string) * (int -> int -> int) = Obj.magic pair in
  print_endline (f 3);
  print_endline (string_of_int (g 3 4))

(* By way of [Obj.t]. *)
let table : (string * Obj.t) list =
  [ ("succ", Obj.repr succ); ("length", Obj.repr String.length); ("map", Obj.repr (List.map String.length)) ]

let () =
  let f : int -> int = Obj.obj (List.assoc "succ" table) in
  let g : string -> int = Obj.obj (List.assoc "length" table) in
  let h : string list -> int list = Obj.obj (List.assoc "map" table) in
  Printf.printf "%d %d %s\n" (f 1) (g "four") (String.concat "," (List.map string_of_int (h [ "a"; "bc" ])))
