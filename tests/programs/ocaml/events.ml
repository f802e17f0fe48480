(* Events: threads that meet at channels. *)

let () =
  let numbers = Event.new_channel () and texts = Event.new_channel () in
  let producer n = for i = 1 to n do Event.sync (Event.send numbers i) done in
  let t = Thread.create producer 5 in
  let received = List.init 5 (fun _ -> Event.sync (Event.receive numbers)) in
  Thread.join t;
  print_endline (String.concat " " (List.map string_of_int received));
  (* Whatever comes first. *)
  let either () =
    Event.select
      [
        Event.wrap (Event.receive numbers) (fun n -> "number " ^ string_of_int n);
        Event.wrap (Event.receive texts) (fun text -> "text " ^ text);
      ]
  in
  let t = Thread.create (fun () -> Event.sync (Event.send texts "one"); Event.sync (Event.send numbers 2)) () in
  print_endline (either ());
  print_endline (either ());
  Thread.join t

let () =
  let channel = Event.new_channel () in
  (match Event.poll (Event.receive channel) with
  | Some n -> Printf.printf "%d\n" n
  | None -> print_endline "nobody");
  Printf.printf "%d\n" (Event.sync (Event.wrap (Event.always 20) (fun n -> n + 1)));
  let made = ref 0 in
  let event = Event.guard (fun () -> incr made; Event.always !made) in
  let first = Event.sync event in
  let second = Event.sync event in
  Printf.printf "%d %d\n" first second;
  let aborted = Event.wrap_abort (Event.receive channel) (fun () -> print_endline "not chosen") in
  Printf.printf "%d\n" (Event.sync (Event.choose [ Event.always 7; aborted ]))

(* A server that adds, with answers over channels of their own. *)
let () =
  let requests = Event.new_channel () in
  let rec serve total =
    match Event.sync (Event.receive requests) with
    | `Add (n, answer) ->
        Event.sync (Event.send answer (total + n));
        serve (total + n)
    | `Stop -> ()
  in
  let server = Thread.create serve 0 in
  let ask n =
    let answer = Event.new_channel () in
    Event.sync (Event.send requests (`Add (n, answer)));
    Event.sync (Event.receive answer)
  in
  let clients = List.init 3 (fun k -> Thread.create (fun () -> for i = 1 to 20 do ignore (ask (i * k)) done) ()) in
  List.iter Thread.join clients;
  Printf.printf "%d\n" (ask 0);
  Event.sync (Event.send requests `Stop);
  Thread.join server
