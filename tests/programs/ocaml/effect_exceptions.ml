(* Exceptions in and out of computations under handlers. *)
open Effect
open Effect.Deep

type _ Effect.t += E : int -> int t | F : string -> string t
exception A of int
exception B of string * float

let show = function A n -> Printf.sprintf "A %d" n | B (s, f) -> Printf.sprintf "B (%s, %g)" s f | e -> Printexc.to_string e

let handle f =
  match f () with
  | v -> Printf.printf "value %d\n" v
  | exception (A _ as e) -> Printf.printf "exception %s\n" (show e)
  | effect E n, k when n < 10 -> continue k (n + 1)
  | effect E n, k -> discontinue k (A n)

let () =
  handle (fun () -> perform (E 1) + perform (E 2));
  handle (fun () -> perform (E 1) + perform (E 20));
  handle (fun () -> try perform (E 30) with A n -> n + perform (E 3));
  handle (fun () -> try raise (A 5) with A n -> perform (E n));
  (try handle (fun () -> ignore (perform (E 1)); raise (B ("b", 1.5))) with B (s, f) -> Printf.printf "outside %s %g\n" s f);
  (* raised by the handler, not in the computation *)
  (try
     match perform (E 1) with
     | v -> Printf.printf "%d\n" v
     | exception A _ -> print_endline "not here"
     | effect E n, _ -> raise (A (n + 100))
   with A n -> Printf.printf "handler raised %d\n" n);
  (* raised behind the value *)
  (try
     match perform (E 1) with
     | v -> if v = 2 then raise (A v) else ()
     | exception A _ -> print_endline "not here"
     | effect E n, k -> continue k (n + 1)
   with A n -> Printf.printf "value case raised %d\n" n);
  (* through several handlers *)
  let deep =
    try
      try_with (fun () ->
        match_with (fun () -> try perform (E 7) with Not_found -> 70) ()
          { retc = (fun v -> v * 2); exnc = (fun e -> print_endline ("inner " ^ show e); raise e);
            effc = fun (type a) (e : a t) -> match e with
              | F s -> Some (fun (k : (a, _) continuation) -> continue k (s ^ s))
              | _ -> None }) ()
        { effc = fun (type a) (e : a t) -> match e with
            | E n -> Some (fun (k : (a, _) continuation) ->
                if n = 7 then discontinue k (B ("seven", 7.)) else continue k n)
            | _ -> None }
    with B (s, f) -> Printf.printf "%s %g\n" s f; 0 in
  Printf.printf "%d\n" deep;
  (* continue is a call: what comes behind it runs with the result *)
  let n = match perform (E 1) + perform (E 2) with
    | v -> Printf.printf "got %d\n" v; v
    | effect E n, k ->
      let r = (try continue k (n * 10) with A _ -> -1) in
      Printf.printf "after %d\n" n;
      r + 1 in
  Printf.printf "%d\n" n;
  (try ignore (perform (E 0)) with Unhandled (E n) -> Printf.printf "unhandled %d\n" n);
  (try handle (fun () -> int_of_string (perform (F "1"))) with Unhandled (F s) -> Printf.printf "unhandled %s\n" s);
  handle (fun () -> try int_of_string (perform (F "1")) with Unhandled _ -> 99)
