(* One domain makes lists, another takes and drops them: cells go home, and what stores replace is freed. *)

let place : int list Atomic.t = Atomic.make []
let is_done = Atomic.make false

let () =
  let consumer =
    Domain.spawn (fun () ->
        let sum = ref 0 in
        while not (Atomic.get is_done) do
          sum := !sum + List.length (Atomic.exchange place []);
          Domain.cpu_relax ()
        done;
        !sum + List.length (Atomic.exchange place []))
  in
  for i = 1 to 500 do
    let rec put () =
      if not (Atomic.compare_and_set place [] (List.init (i mod 50) Fun.id)) then begin
        Domain.cpu_relax ();
        put ()
      end
    in
    put ()
  done;
  Atomic.set is_done true;
  Printf.printf "%d\n" (Domain.join consumer);
  print_endline "done"
