(* Suspensions are written when they are evaluated. *)
type t = { name : string; size : int Lazy.t; next : t Lazy.t option }
let size = lazy (print_endline "evaluated"; 42)
let () =
  let v = { name = "a"; size; next = Some (Lazy.from_val { name = "b"; size; next = None }) } in
  (try ignore (Marshal.to_string v []) with Invalid_argument m -> print_endline m);
  ignore (Lazy.force size);
  let copy : t = Marshal.from_string (Marshal.to_string v []) 0 in
  Printf.printf "%s %d %b\n" copy.name (Lazy.force copy.size) (Lazy.is_val copy.size);
  (match copy.next with
  | Some n -> Printf.printf "%s %d\n" (Lazy.force n).name (Lazy.force (Lazy.force n).size)
  | None -> print_endline "none");
  let failed = lazy (failwith "no") in
  (try ignore (Lazy.force failed : int) with Failure m -> print_endline m);
  (try ignore (Marshal.to_string failed []) with Invalid_argument m -> print_endline m);
  (try ignore (Marshal.from_string (String.make 40 'x') 0 : int) with Failure m -> print_endline m)
