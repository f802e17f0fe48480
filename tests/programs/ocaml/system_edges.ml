(* What is left of a channel after its reader has gone, the path that an error names, and values written without
   sharing. *)
let attempt name f =
  match f () with
  | () -> Printf.printf "%s ok\n" name
  | exception Sys_error message -> Printf.printf "%s: %s\n" name message

let broken () =
  let reader, writer = Unix.pipe () in
  Unix.close reader;
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  Unix.out_channel_of_descr writer

let () =
  let channel = broken () in
  output_string channel "lost";
  attempt "flush" (fun () -> flush channel);
  attempt "flush" (fun () -> flush channel);
  attempt "close" (fun () -> close_out channel);
  let channel = broken () in
  output_string channel "lost";
  attempt "close" (fun () -> close_out channel);
  attempt "close" (fun () -> close_out channel);
  attempt "output" (fun () -> output_string channel "more")

let () =
  try Unix.link "/nowhere/first" "/nowhere/second"
  with Unix.Unix_error (error, call, argument) ->
    Printf.printf "%s %s %s\n" (Unix.error_message error) call argument

type tree = Leaf | Node of tree * int ref * tree

let rec count = function Leaf -> 0 | Node (a, _, b) -> 1 + count a + count b

let () =
  let leaf = Node (Leaf, ref 1, Leaf) in
  let shared = Node (leaf, ref 2, leaf) in
  let same flags =
    match (Marshal.from_string (Marshal.to_string shared flags) 0 : tree) with
    | Node (a, _, b) as it -> Printf.printf "%d %b\n" (count it) (a == b)
    | Leaf -> print_endline "leaf"
  in
  same [];
  same [ Marshal.No_sharing ]
