(* A thousand domains, one after the other. *)

let () =
  let total = ref 0 in
  for i = 1 to 1000 do
    let d = Domain.spawn (fun () -> List.length (List.init i string_of_int)) in
    total := !total + Domain.join d
  done;
  Printf.printf "%d\n" !total
