(* Extensible messages and a registry of handlers. *)
module Bus = struct
  type msg = ..
  type handler = msg -> bool
  let handlers : (string * handler) list ref = ref []
  let register name h = handlers := !handlers @ [ name, h ]
  let send m =
    match List.find_opt (fun (_, h) -> h m) !handlers with
    | Some (name, _) -> Printf.printf "handled by %s\n" name
    | None -> print_endline "unhandled"
end
type Bus.msg += Ping | Print of string
type Bus.msg += Add of { x : int; y : int }
let () =
  Bus.register "ping" (function Ping -> print_endline "pong"; true | _ -> false);
  Bus.register "print" (function Print s -> print_endline s; true | _ -> false)
module type PLUGIN = sig
  type Bus.msg += Event of int
  val total : unit -> int
end
module Plugin () : PLUGIN = struct
  type Bus.msg += Event of int
  let sum = ref 0
  let () = Bus.register "plugin" (function Event n -> sum := !sum + n; true | _ -> false)
  let total () = !sum
end
module P1 = Plugin ()
module P2 = Plugin ()
type Bus.msg += Again = P1.Event
let () =
  Bus.send Ping; Bus.send (Print "hello"); Bus.send (Add { x = 1; y = 2 });
  Bus.send (P1.Event 3); Bus.send (P2.Event 4); Bus.send (Again 10);
  Printf.printf "%d %d\n" (P1.total ()) (P2.total ());
  (match Again 1 with P2.Event _ -> print_endline "P2" | P1.Event n -> Printf.printf "P1 %d\n" n | _ -> ());
  (match Add { x = 1; y = 2 } with Add { x; y } -> Printf.printf "%d\n" (x + y) | _ -> ());
  Printf.printf "%b %b %b\n" (Ping = Ping) (Print "a" = Print "b") (Print "a" = Print "a")
let make () =
  let module M = struct type Bus.msg += Local of int end in
  ((fun n -> M.Local n), function M.Local n -> Some n | _ -> None)
let () =
  let a, get_a = make () in
  let b, get_b = make () in
  let show = function Some n -> string_of_int n | None -> "none" in
  Printf.printf "%s %s %s %s\n" (show (get_a (a 1))) (show (get_a (b 2))) (show (get_b (a 1))) (show (get_b (b 2)))
type 'a key = ..
type 'a key += Name | Count of int
let describe : int key -> string = function Name -> "name" | Count n -> "count " ^ string_of_int n | _ -> "?"
let () = print_endline (describe Name); print_endline (describe (Count 3))
type exn += Old of string
let () = try raise (Old "x") with Old s -> print_endline s
let () = print_endline (Printexc.to_string (Old "y"))
module Sealed : sig type t = .. type t += private Hidden of int val hide : int -> t end = struct
  type t = .. type t += Hidden of int let hide n = Hidden n
end
type Sealed.t += Seen
let () = List.iter (function Sealed.Hidden n -> Printf.printf "hidden %d\n" n | Seen -> print_endline "seen" | _ -> ()) [ Sealed.hide 1; Seen ]
