(* More fibres than there are stacks: a fibre's frames move away while others run, and come back. *)

open Effect
open Effect.Deep

type _ Effect.t += Yield : unit Effect.t | Fork : (unit -> unit) -> unit Effect.t

let run main =
  let queue = Queue.create () in
  let next () = match Queue.take_opt queue with Some f -> f () | None -> () in
  let rec spawn f =
    match f () with
    | () -> next ()
    | exception Not_found -> next ()
    | effect Yield, k ->
        Queue.add (fun () -> continue k ()) queue;
        next ()
    | effect Fork f, k ->
        Queue.add (fun () -> spawn f) queue;
        continue k ()
  in
  spawn main

(* Frames of different depth, with values that live across a yield. *)
let rec deep n text =
  if n = 0 then begin
    perform Yield;
    String.length text
  end
  else
    let more = text ^ string_of_int (n land 7) in
    1 + deep (n - 1) more

let () =
  let total = ref 0 in
  run (fun () ->
      for i = 1 to 5000 do
        perform
          (Fork
             (fun () ->
               let name = Printf.sprintf "f%d" i in
               for round = 1 to 3 do
                 total := !total + deep (if i mod 997 = 0 then 3000 else i mod 13) name + round;
                 perform Yield;
                 if i mod 10 = 0 && round = 2 then raise Not_found
               done))
      done);
  Printf.printf "%d\n" !total

(* Each waits for the next, so that all are in the middle of something. *)
type _ Effect.t += Ask : int -> int Effect.t

let rec nest n =
  let before = [ n; n + 1 ] in
  let it =
    if n = 0 then perform (Ask 1)
    else
      match nest (n - 1) with
      | it -> it + perform (Ask it)
      | effect Ask q, k when q land 1 = n land 1 -> continue k (q + List.length before)
  in
  it + List.hd before

let () =
  match nest 3000 with
  | it -> Printf.printf "%d\n" it
  | effect Ask _, k -> continue k 1

(* Two fibres that share a stack: one resumes the other. *)
type _ Effect.t += Give : int -> unit Effect.t

type 'a next = Done | Next of 'a * (unit -> 'a next)

let generate f () = match f () with () -> Done | effect Give x, k -> Next (x, fun () -> continue k ())

let () =
  let make start () =
    for i = 0 to 9 do
      perform (Give (start + i))
    done
  in
  let waiting = Array.init 4000 (fun i -> generate (make (10 * i)) ()) in
  (* Each of these takes from others while it gives. *)
  let both =
    Array.init 4000 (fun i ->
        generate
          (fun () ->
            let rec go = function
              | Done -> ()
              | Next (x, more) ->
                  perform (Give (2 * x));
                  go (more ())
            in
            go waiting.(3999 - i))
          ())
  in
  let rec sum acc = function Done -> acc | Next (x, more) -> sum (acc + x) (more ()) in
  let total = ref 0 in
  Array.iteri (fun i it -> if i land 1 = 0 then total := sum !total it) both;
  Printf.printf "%d\n" !total
