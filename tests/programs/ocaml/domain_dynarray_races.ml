(* Domains that change one growing array without a lock: what they read is always a value. *)
let rounds = 20_000

let work a n =
  let seen = ref 0 in
  for i = 1 to rounds do
    try
      match (i + n) mod 5 with
      | 0 | 1 -> Dynarray.add_last a (Some (string_of_int i))
      | 2 -> ( match Dynarray.pop_last_opt a with Some (Some s) -> seen := !seen + String.length s | _ -> ())
      | 3 ->
          if Dynarray.length a > 0 then
            Option.iter (fun s -> seen := !seen + String.length s) (Dynarray.get a (i mod Dynarray.length a))
      | _ -> if i mod 1000 = 0 then Dynarray.clear a else Dynarray.append_array a [| None; Some "x" |]
    with Invalid_argument _ | Not_found -> ()
  done;
  !seen >= 0

let () =
  let a = Dynarray.create () in
  let domains = List.init 4 (fun n -> Domain.spawn (fun () -> work a n)) in
  print_endline (string_of_bool (List.for_all Domain.join domains));
  let b = Dynarray.create () in
  Dynarray.ensure_capacity b 10;
  List.iter (Dynarray.add_last b) [ "a"; "b"; "c" ];
  Dynarray.append_list b [ "d" ];
  print_endline (String.concat " " (Dynarray.to_list b));
  print_endline (Dynarray.pop_last b)
