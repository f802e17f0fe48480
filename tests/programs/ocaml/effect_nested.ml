(* Handlers in handlers. *)
open Effect
open Effect.Deep

type _ Effect.t += A : int -> int t | B : int -> int t | C : string t

let with_a tag add f =
  match f () with
  | v -> Printf.sprintf "%s(%s)" tag v
  | effect A n, k -> continue k (n + add)

let with_b tag mul f =
  match f () with
  | v -> Printf.sprintf "%s(%s)" tag v
  | effect B n, k -> continue k (n * mul)

let rec many n f = if n = 0 then f () else with_b ("b" ^ string_of_int n) n (fun () -> many (n - 1) f)

let () =
  print_endline (with_a "a" 1 (fun () -> with_b "b" 10 (fun () ->
    string_of_int (perform (A (perform (B (perform (A 1)))))))));
  (* the inner handler of the same effect wins *)
  print_endline (with_a "x" 1 (fun () -> with_a "y" 100 (fun () -> string_of_int (perform (A 0)))));
  (* a handler performs outwards *)
  print_endline (with_a "out" 5 (fun () ->
    match string_of_int (perform (B 1)) with
    | v -> v
    | effect B n, k -> let m = perform (A n) in continue k (m * 2)));
  (* the handler stays for the rest of the computation *)
  let trace = Buffer.create 16 in
  let r = match
      let x = perform (A 1) in
      let y = (match perform (A x) + perform (B x) with
        | v -> v
        | effect B n, k -> Buffer.add_string trace "b"; continue k (perform (A n))) in
      x + y + perform (A y)
    with
    | v -> v
    | effect A n, k -> Buffer.add_string trace (Printf.sprintf "a%d" n); continue k (n + 1) in
  Printf.printf "%d %s\n" r (Buffer.contents trace);
  (* far away *)
  print_endline (with_a "far" 7 (fun () -> many 20 (fun () -> string_of_int (perform (A 1) + perform (B 1)))));
  (* a continuation resumed inside another handler, and inside another fibre *)
  let saved : (int, string) continuation option ref = ref None in
  let first = match (let b = perform (B 1) in string_of_int (b + perform (A 2))) with
    | v -> "first " ^ v
    | effect B _, k -> saved := Some k; "suspended" in
  print_endline first;
  (match !saved with
   | Some k -> print_endline (with_a "late" 40 (fun () -> continue k 1))
   | None -> ());
  (* unhandled everywhere *)
  (try print_endline (with_a "a" 1 (fun () -> many 3 (fun () -> perform C)))
   with Unhandled C -> print_endline "nobody wants C");
  print_endline (with_a "a" 1 (fun () -> many 3 (fun () -> try perform C with Unhandled C -> "caught inside")))
