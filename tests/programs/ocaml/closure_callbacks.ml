(* Event handlers: subscribe, unsubscribe, once, handler errors, callbacks calling callbacks. *)

type 'a event = { name : string; mutable handlers : (int * ('a -> unit)) list; mutable next : int }

let create name = { name; handlers = []; next = 0 }

let on ev f =
  let id = ev.next in
  ev.next <- id + 1;
  ev.handlers <- ev.handlers @ [ (id, f) ];
  fun () -> ev.handlers <- List.filter (fun (i, _) -> i <> id) ev.handlers

let once ev f =
  let cancel = ref ignore in
  cancel := on ev (fun x -> !cancel (); f x)

let emit ev x =
  List.iter (fun (id, f) ->
      try f x with e ->
        Printf.printf "! handler %d of %s failed: %s\n" id ev.name (Printexc.to_string e))
    ev.handlers

let map_event f ev =
  let out = create (ev.name ^ "'") in
  ignore (on ev (fun x -> emit out (f x)));
  out

let filter_event p ev =
  let out = create (ev.name ^ "?") in
  ignore (on ev (fun x -> if p x then emit out x));
  out

let fold_event f init ev =
  let state = ref init in
  let out = create (ev.name ^ "+") in
  ignore (on ev (fun x -> state := f !state x; emit out !state));
  out

exception Rejected of int

let () =
  let clicks = create "clicks" in
  let off = on clicks (Printf.printf "a got %d\n") in
  once clicks (fun n -> Printf.printf "once got %d\n" n);
  ignore (on clicks (fun n -> if n > 2 then raise (Rejected n)));
  emit clicks 1;
  emit clicks 2;
  off ();
  emit clicks 3;
  off ();
  let big = filter_event (fun n -> n >= 10) clicks in
  let text = map_event (fun n -> String.make (n / 10) '#') big in
  let sum = fold_event ( + ) 0 clicks in
  ignore (on text print_endline);
  let last = ref 0 in
  ignore (on sum (fun s -> last := s));
  List.iter (emit clicks) [ 5; 20; 7; 35 ];
  Printf.printf "sum %d\n" !last;
  Printf.printf "%s has %d handlers\n" clicks.name (List.length clicks.handlers);
  (* a timer wheel of closures *)
  let queue = ref [] in
  let after t f = queue := List.merge (fun (a, _) (b, _) -> compare a b) !queue [ (t, f) ] in
  let rec run () =
    match !queue with
    | [] -> ()
    | (t, f) :: rest -> queue := rest; f t; run () in
  let rec tick n t =
    Printf.printf "%d@%d " n t;
    if n > 0 then after (t + n) (tick (n - 1)) in
  after 0 (tick 3);
  after 2 (tick 1);
  after 1 (fun t -> Printf.printf "one@%d " t);
  run ();
  print_newline ()
