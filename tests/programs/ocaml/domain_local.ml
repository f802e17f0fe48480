(* Values of domains; suspensions that two domains force. *)

let () =
  let key = Domain.DLS.new_key (fun () -> [ "fresh" ]) in
  Domain.DLS.set key [ "main" ];
  let inside =
    Domain.join
      (Domain.spawn (fun () ->
           let before = Domain.DLS.get key in
           Domain.DLS.set key ("more" :: before);
           Domain.DLS.get key))
  in
  print_endline (String.concat " " inside);
  print_endline (String.concat " " (Domain.DLS.get key));
  let key = Domain.DLS.new_key ~split_from_parent:(fun n -> n + 100) (fun () -> 1) in
  let child () = Domain.DLS.get key in
  let nested () = (Domain.DLS.get key, Domain.join (Domain.spawn child)) in
  let own, grandchild = Domain.join (Domain.spawn nested) in
  Printf.printf "%d %d %d\n" (Domain.DLS.get key) own grandchild;
  let key = Domain.DLS.new_key (fun () -> ref 0) in
  let work n () =
    for _ = 1 to n do
      incr (Domain.DLS.get key)
    done;
    !(Domain.DLS.get key)
  in
  let counts = List.map Domain.join (List.map (fun n -> Domain.spawn (work n)) [ 10; 20; 30 ]) in
  print_endline (String.concat " " (List.map string_of_int counts))

let () =
  let is_forced = Atomic.make false and go_on = Atomic.make false in
  let suspended =
    lazy
      (Atomic.set is_forced true;
       while not (Atomic.get go_on) do
         Domain.cpu_relax ()
       done;
       "forced")
  in
  let d = Domain.spawn (fun () -> Lazy.force suspended) in
  while not (Atomic.get is_forced) do
    Domain.cpu_relax ()
  done;
  (match Lazy.force suspended with
  | text -> print_endline text
  | exception Lazy.Undefined -> print_endline "undefined");
  Atomic.set go_on true;
  print_endline (Domain.join d);
  print_endline (Lazy.force suspended)

let () =
  let failing = lazy (failwith "once more") in
  let force () = try Lazy.force failing with Failure text -> text in
  print_endline (Domain.join (Domain.spawn force));
  print_endline (force ())
