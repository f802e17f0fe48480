(* Domains: results, exceptions, identities, actions at their end. *)

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

exception Broken of string * int list

let () =
  let domains = List.init 4 (fun i -> Domain.spawn (fun () -> (i, fib (15 + i), string_of_int i))) in
  List.iter
    (fun d ->
      let i, n, text = Domain.join d in
      Printf.printf "%d %d %s\n" i n text)
    domains

(* Joined twice, and by another domain. *)
let () =
  let d = Domain.spawn (fun () -> [ 1; 2; 3 ]) in
  let again = Domain.spawn (fun () -> List.length (Domain.join d)) in
  Printf.printf "%d %d\n" (List.length (Domain.join d)) (Domain.join again)

(* Exceptions, also when joined twice. *)
let () =
  let d = Domain.spawn (fun () -> if fib 5 = 5 then raise (Broken ("inside", [ 1; 2 ])) else 0) in
  let show () =
    match Domain.join d with
    | n -> Printf.printf "%d\n" n
    | exception Broken (text, list) -> Printf.printf "Broken %s %d\n" text (List.length list)
  in
  show ();
  show ()

let () =
  Printf.printf "%b %d\n" (Domain.is_main_domain ()) (Domain.self () :> int);
  let d = Domain.spawn (fun () -> (Domain.is_main_domain (), (Domain.self () :> int))) in
  let id = (Domain.get_id d :> int) in
  let is_main, inside = Domain.join d in
  Printf.printf "%b %b %b\n" is_main (id = inside) (id > 0);
  Printf.printf "%b\n" (Domain.recommended_domain_count () >= 1)

(* Domains within domains. *)
let rec depth n = if n = 0 then 0 else 1 + Domain.join (Domain.spawn (fun () -> depth (n - 1)))
let () = Printf.printf "%d\n" (depth 5)

let () =
  let d =
    Domain.spawn (fun () ->
        Domain.at_exit (fun () -> print_endline "first in, last out");
        Domain.at_exit (fun () -> print_endline "last in, first out");
        print_endline "body")
  in
  Domain.join d;
  let d = Domain.spawn (fun () -> Domain.at_exit (fun () -> failwith "at the end")) in
  (match Domain.join d with () -> print_endline "no" | exception Failure text -> print_endline text);
  match Domain.before_first_spawn (fun () -> ()) with
  | () -> print_endline "no"
  | exception Invalid_argument text -> print_endline text

(* A closure that a domain returns, and one that it is given. *)
let () =
  let base = ref 10 in
  let add = Domain.join (Domain.spawn (fun () -> let k = !base in fun n -> n + k)) in
  base := 20;
  Printf.printf "%d\n" (add 5);
  Domain.join (Domain.spawn (fun () -> base := add !base));
  Printf.printf "%d\n" !base
