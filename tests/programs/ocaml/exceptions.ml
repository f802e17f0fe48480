(* Exceptions: payloads, nesting, re-raise, finally, match-with-exception, standard ones, Printexc. *)

exception Simple
exception With_int of int
exception Pair of string * int
exception Rec of { code : int; why : string }
exception Nested of exn

let classify f =
  match f () with
  | v -> Printf.sprintf "value %d" v
  | exception Simple -> "simple"
  | exception With_int n when n > 10 -> "big int"
  | exception With_int n -> Printf.sprintf "int %d" n
  | exception Pair (s, n) -> Printf.sprintf "pair %s %d" s n
  | exception Rec { code; why } -> Printf.sprintf "rec %d %s" code why
  | exception (Not_found | Exit) -> "not found or exit"
  | exception Failure m -> "failure " ^ m
  | exception Invalid_argument m -> "invalid " ^ m
  | exception e -> "other " ^ Printexc.to_string e

let with_cleanup name f =
  Fun.protect ~finally:(fun () -> Printf.printf "  cleanup %s\n" name) f

let depth = ref 0
let rec dive n = if n = 0 then raise (With_int !depth) else begin incr depth; 1 + dive (n - 1) end

let find_first p l =
  let exception Found of int in
  try
    List.iter (fun x -> if p x then raise (Found x)) l;
    None
  with Found x -> Some x

let () =
  List.iter (fun f -> print_endline (classify f))
    [ (fun () -> 42); (fun () -> raise Simple); (fun () -> raise (With_int 3)); (fun () -> raise (With_int 30));
      (fun () -> raise (Pair ("p", 1))); (fun () -> raise (Rec { code = 7; why = "because" }));
      (fun () -> List.assoc 1 []); (fun () -> raise Exit); (fun () -> failwith "oops");
      (fun () -> int_of_string "abc"); (fun () -> [| 1; 2 |].(2)); (fun () -> List.hd []);
      (fun () -> 1 / (if !depth = 0 then 0 else 1)); (fun () -> Char.code "abc".[-1]); (fun () -> List.nth [ 1 ] (-1));
      (fun () -> Hashtbl.find (Hashtbl.create 1) "k"); (fun () -> raise (Nested (Failure "inner")));
      (fun () -> String.length (String.sub "abc" 2 5)); (fun () -> Stack.pop (Stack.create ()));
      (fun () -> dive 100); (fun () -> Option.get None); (fun () -> raise End_of_file);
      (fun () -> Char.code (Char.chr 300)); (fun () -> Array.length (Array.make (-1) 0)) ];
  (try with_cleanup "outer" (fun () -> with_cleanup "inner" (fun () -> failwith "deep"))
   with Failure m -> Printf.printf "caught %s\n" m);
  Printf.printf "%d\n" (with_cleanup "fine" (fun () -> 5));
  let r =
    try (try raise Simple with With_int _ -> 1) with Simple -> 2 in
  Printf.printf "%d\n" r;
  let r = try (try raise (With_int 1) with With_int n -> raise (With_int (n + 1))) with With_int n -> n in
  Printf.printf "%d\n" r;
  (match find_first (fun x -> x > 3) [ 1; 2; 5; 9 ] with Some x -> Printf.printf "found %d\n" x | None -> print_endline "none");
  (match find_first (fun x -> x > 30) [ 1; 2 ] with Some _ -> print_endline "?" | None -> print_endline "none");
  List.iter (fun e -> print_endline (Printexc.to_string e))
    [ Not_found; Failure "f"; Invalid_argument "i"; Division_by_zero; Exit; End_of_file; Simple; With_int (-3);
      Pair ("s", 2); Sys_error "disk"; Stack_overflow; Out_of_memory; Stack.Empty; Nested Simple;
      Assert_failure ("file.ml", 3, 4) ];
  let log = ref [] in
  let note s = log := s :: !log in
  (try note "a"; (try note "b"; raise Exit with Not_found -> note "never"); note "never" with Exit -> note "c");
  print_endline (String.concat "" (List.rev !log));
  let count = ref 0 in
  for i = 1 to 1000 do try if i mod 3 = 0 then raise (With_int i) with With_int n -> count := !count + n done;
  Printf.printf "%d\n" !count
