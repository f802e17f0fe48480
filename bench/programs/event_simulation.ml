(* A queue of events, each a closure to run at its time: customers at counters of a bank. *)

type heap = Leaf | Node of int * (unit -> unit) * heap * heap

let rec merge a b =
  match (a, b) with
  | Leaf, h | h, Leaf -> h
  | Node (ta, fa, la, ra), Node (tb, _, _, _) when ta <= tb -> Node (ta, fa, merge ra b, la)
  | _, Node (tb, fb, lb, rb) -> Node (tb, fb, merge rb a, lb)

let queue = ref Leaf
let now = ref 0
let after delay action = queue := merge !queue (Node (!now + delay, action, Leaf, Leaf))

let rec run () =
  match !queue with
  | Leaf -> ()
  | Node (time, action, l, r) ->
      now := time;
      queue := merge l r;
      action ();
      run ()

let seed = ref 7
let random n =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  (!seed lsr 8) mod n

type counter = { mutable busy : bool; waiting : (unit -> unit) Queue.t; mutable served : int }

let serve counter work continue =
  let start () =
    counter.busy <- true;
    after work (fun () ->
        counter.served <- counter.served + 1;
        counter.busy <- false;
        if not (Queue.is_empty counter.waiting) then (Queue.pop counter.waiting) ();
        continue ())
  in
  if counter.busy then Queue.push start counter.waiting else start ()

let () =
  let counters = Array.init 8 (fun _ -> { busy = false; waiting = Queue.create (); served = 0 }) in
  let total = ref 0 and gone = ref 0 in
  let rec customer visits born =
    if visits = 0 then begin
      total := (!total + (!now - born)) land 0xffffff;
      incr gone
    end
    else serve counters.(random 8) (1 + random 20) (fun () -> after (random 50) (fun () -> customer (visits - 1) born))
  in
  let rec arrivals n =
    if n > 0 then begin
      customer (1 + random 4) !now;
      after (random 9) (fun () -> arrivals (n - 1))
    end
  in
  arrivals 250_000;
  run ();
  Printf.printf "%d %d %d" !now !total !gone;
  Array.iter (fun c -> Printf.printf " %d" c.served) counters;
  print_newline ()
