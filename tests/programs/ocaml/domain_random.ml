(* Each domain draws numbers of its own, which follow from those of the domain that starts it. *)

let draw n = String.concat " " (List.init n (fun _ -> string_of_int (Random.int 1000)))

let () =
  Random.init 42;
  print_endline (draw 5);
  let d = Domain.spawn (fun () -> draw 5) in
  print_endline (Domain.join d);
  print_endline (draw 5);
  let nested =
    Domain.spawn (fun () ->
        let first = draw 2 in
        let inner = Domain.join (Domain.spawn (fun () -> draw 2)) in
        first ^ " | " ^ inner ^ " | " ^ draw 2)
  in
  print_endline (Domain.join nested);
  print_endline (draw 3);
  print_endline
    (Domain.join
       (Domain.spawn (fun () ->
            Random.init 7;
            draw 3)));
  Random.init 7;
  print_endline (draw 3)
