(* Any iterator becomes a generator, which is asked for one element after the other. *)
open Effect
open Effect.Deep

let generator (type elt) (iterate : (elt -> unit) -> unit) : unit -> elt option =
  let module Yield = struct
    type _ Effect.t += Yield : elt -> unit t
  end in
  let open Yield in
  let rec step =
    ref (fun () ->
        match iterate (fun x -> perform (Yield x)) with
        | () ->
            step := (fun () -> None);
            None
        | effect Yield x, k ->
            step := (fun () -> continue k ());
            Some x)
  in
  fun () -> !step ()

let rec to_list g = match g () with None -> [] | Some x -> x :: to_list g

(* Two sorted sources as one. *)
let merge a b =
  generator (fun yield ->
      let rec go x y =
        match (x, y) with
        | None, None -> ()
        | Some v, None -> yield v; go (a ()) None
        | None, Some v -> yield v; go None (b ())
        | Some v, Some w -> if v <= w then (yield v; go (a ()) y) else (yield w; go x (b ()))
      in
      go (a ()) (b ()))

module Words = Map.Make (String)

let () =
  let multiples n = generator (fun yield -> for i = 1 to 10 do yield (i * n) done) in
  let merged = merge (multiples 3) (merge (multiples 5) (multiples 7)) in
  List.iter (Printf.printf "%d ") (to_list merged);
  print_newline ();
  let words = Words.of_seq (List.to_seq [ ("one", 1); ("two", 2); ("three", 3) ]) in
  let entries = generator (fun yield -> Words.iter (fun key value -> yield (key, value)) words) in
  List.iter (fun (key, value) -> Printf.printf "%s=%d " key value) (to_list entries);
  print_newline ()
