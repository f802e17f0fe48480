(* State, reader, writer and transactions. *)
open Effect
open Effect.Deep

module State (S : sig type t end) = struct
  type _ Effect.t += Get : S.t Effect.t | Put : S.t -> unit Effect.t
  let get () = perform Get
  let put v = perform (Put v)
  let run (init : S.t) f =
    let comp = match f () with
      | x -> (fun s -> (s, x))
      | effect Get, k -> (fun (s : S.t) -> continue k s s)
      | effect Put s, k -> (fun _ -> continue k () s) in
    comp init
end

module Ints = State (struct type t = int end)
module Strings = State (struct type t = string end)
module Floats = State (struct type t = float end)

type _ Effect.t += Tell : string -> unit t | Ask : (string -> int) t

let with_log f =
  let buffer = Buffer.create 16 in
  let result = match f () with
    | v -> v
    | effect Tell s, k -> Buffer.add_string buffer s; Buffer.add_char buffer ';'; continue k () in
  (result, Buffer.contents buffer)

(* references that are put back when the computation fails *)
type 'a reference = { mutable value : 'a }
type _ Effect.t += Set : 'a reference * 'a -> unit t
let atomically f =
  let comp = match f () with
    | x -> (fun _ -> x)
    | exception e -> (fun undo -> undo (); raise e)
    | effect Set (r, v), k -> (fun undo ->
        let old = r.value in
        r.value <- v;
        continue k () (fun () -> r.value <- old; undo ())) in
  comp (fun () -> ())

let () =
  let s, x = Ints.run 10 (fun () ->
    for _ = 1 to 5 do Ints.put (Ints.get () * 2) done;
    Ints.get () + 1) in
  Printf.printf "%d %d\n" s x;
  let (f, (s, ())) = Floats.run 0.5 (fun () ->
    Strings.run "a" (fun () ->
      for i = 1 to 3 do
        Strings.put (Strings.get () ^ string_of_int i);
        Floats.put (Floats.get () *. 2.)
      done)) in
  Printf.printf "%g %s\n" f s;
  let (n, log) = with_log (fun () ->
    List.fold_left (fun acc x -> perform (Tell (string_of_int x)); acc + x) 0 [1; 2; 3]) in
  Printf.printf "%d %s\n" n log;
  (match perform Ask "four" with
   | n -> Printf.printf "%d\n" n
   | effect Ask, k -> continue k String.length);
  let a = { value = 1 } and b = { value = "x" } in
  (try atomically (fun () ->
    perform (Set (a, 2));
    perform (Set (b, "y"));
    perform (Set (a, 3));
    Printf.printf "%d %s\n" a.value b.value;
    failwith "undo")
  with Failure m -> Printf.printf "%s: %d %s\n" m a.value b.value);
  atomically (fun () -> perform (Set (a, 9)));
  Printf.printf "%d\n" a.value
