(* Backtraces: where exceptions are raised, and the calls that they leave. *)

exception Refused of int

let[@inline never] check limit n = if n > limit then raise (Refused n) else n
let[@inline never] total limit items = List.length items + check limit (List.hd items)

module Store = struct
  module Cells = struct
    let[@inline never] rec_find key = function
      | [] -> raise Not_found
      | (k, v) :: _ when k = key -> v
      | _ -> raise Not_found
  end

  let[@inline never] rec walk depth key cells =
    if depth = 0 then Cells.rec_find key cells else 1 + walk (depth - 1) key cells
end

module Make (X : sig
  val limit : int
end) =
struct
  let[@inline never] run n = check X.limit n + 1
end

module Small = Make (struct
  let limit = 3
end)

class counter =
  object (self)
    val mutable n = 0
    method private step k = n <- n + check 5 k
    method add k = self#step k; n
  end

let[@inline never] show name work =
  match work () with
  | n -> Printf.printf "%s: %d\n" name n
  | exception e ->
      let trace = Printexc.get_raw_backtrace () in
      Printf.printf "%s: %s\n%s" name (Printexc.to_string e) (Printexc.raw_backtrace_to_string trace)

(* Tail calls have no frame, and what a handler does not match goes on. *)
let[@inline never] tail n = check 3 n
let[@inline never] middle n = try tail n + 1 with Not_found -> 0
let[@inline never] again n = try middle n with Refused k as e -> if k > 100 then 1 else raise e
let[@inline never] other n = try middle n with Refused k -> raise (Refused (k + 1))

let[@inline never] guarded n =
  try 1 + again n with
  | Refused k when k < 0 -> 0
  | Invalid_argument _ -> 1

let[@inline never] spread a b =
  check 10
    (a
    + b)
  + 1

let[@inline never] restored n =
  try again n
  with e ->
    let trace = Printexc.get_raw_backtrace () in
    (try ignore (Store.walk 0 1 []) with Not_found -> ());
    Printexc.raise_with_backtrace e trace

let[@inline never] element a i = a.(i)
let[@inline never] divide a b = a / b
let[@inline never] letter s i = s.[i]

let () =
  show "nothing recorded" (fun () -> again 9);
  Printexc.record_backtrace true;
  Printf.printf "%b\n" (Printexc.backtrace_status ());
  show "plain" (fun () -> total 3 [ 9; 1 ]);
  show "operands" (fun () -> check (check 1 7) (check 0 (0 + 0)));
  show "modules" (fun () -> 1 + Store.walk 2 'a' []);
  show "functor" (fun () -> Small.run 4 + 1);
  show "method" (fun () -> (new counter)#add 6 + 1);
  show "reraise" (fun () -> again 9 + 1);
  show "other" (fun () -> other 9 + 1);
  show "guard" (fun () -> guarded 9 + 1);
  show "lines" (fun () -> 1 + spread 5
    6);
  show "restored" (fun () -> restored 9 + 1);
  show "failwith" (fun () -> if Sys.opaque_identity true then failwith "no" else 1);
  show "invalid_arg" (fun () -> 1 + invalid_arg "no");
  show "element" (fun () -> 1 + element [| 1; 2 |] 2);
  show "division" (fun () -> 1 + divide 1 0);
  show "letter" (fun () -> 1 + Char.code (letter "abc" 3));
  show "number" (fun () -> 1 + int_of_string "1x");
  show "assert" (fun () -> assert (Sys.opaque_identity false); 1);
  show "protect" (fun () -> 1 + Fun.protect ~finally:(fun () -> ignore (try check 0 1 with Refused _ -> 0)) (fun () -> again 9 + 1));
  show "local" (fun () ->
      let rec down n = if n = 0 then raise Exit else 1 + down (n - 1) in
      down 2);
  (match Printexc.backtrace_slots (try ignore (again 9 + 1); raise Exit with _ -> Printexc.get_raw_backtrace ()) with
  | None -> print_endline "no slots"
  | Some slots ->
      Array.iteri
        (fun i slot ->
          let open Printexc in
          let text = function Some text -> text | None -> "-" in
          Printf.printf "%d %b %s | %s\n" i (Slot.is_raise slot) (text (Slot.name slot)) (text (Slot.format i slot));
          match Slot.location slot with
          | None -> ()
          | Some it ->
              Printf.printf "  %s %d %d-%d %d %d\n" it.filename it.line_number it.start_char it.end_char it.end_line
                it.end_col)
        slots);
  Printexc.record_backtrace false;
  show "off" (fun () -> again 9)
