(* Shallow handlers: each step has its own. *)
open Effect
open Effect.Shallow

type _ Effect.t += Send : int -> unit t | Recv : int t | Tick : unit t

(* two coroutines that talk in turns *)
let rec run_send : int list -> (unit, string) continuation -> (int, string) continuation -> string =
  fun log sender receiver ->
    continue_with sender ()
      { retc = (fun v -> Printf.sprintf "sender ended: %s %s" v (String.concat "," (List.rev_map string_of_int log)));
        exnc = raise;
        effc = fun (type a) (e : a t) -> match e with
          | Send n -> Some (fun (k : (a, _) continuation) -> run_recv (n :: log) n k receiver)
          | Recv -> Some (fun _ -> "protocol error: recv")
          | _ -> None }
and run_recv : int list -> int -> (unit, string) continuation -> (int, string) continuation -> string = fun log n sender receiver ->
  continue_with receiver n
    { retc = (fun v -> "receiver ended: " ^ v);
      exnc = raise;
      effc = fun (type a) (e : a t) -> match e with
        | Recv -> Some (fun (k : (a, _) continuation) -> run_send log sender k)
        | Send _ -> Some (fun _ -> "protocol error: send")
        | _ -> None }

let sender n () = for i = 1 to n do perform (Send (i * i)) done; "sent all"
let receiver limit first =
  let rec go sum x = if sum + x > limit then string_of_int (sum + x) else go (sum + x) (perform Recv) in
  go 0 first

let count f =
  let rec go : int -> (unit, unit) continuation -> int = fun n k ->
    continue_with k ()
      { retc = (fun () -> n);
        exnc = (fun e -> Printf.printf "failed with %s\n" (Printexc.to_string e); n);
        effc = fun (type a) (e : a t) -> match e with
          | Tick -> Some (fun (k : (a, _) continuation) -> if n = 4 then discontinue_with k Exit (last n) else go (n + 1) k)
          | _ -> None }
  and last n : (unit, int) handler =
    { retc = (fun () -> -n); exnc = (fun e -> Printf.printf "stopped by %s\n" (Printexc.to_string e); 100 + n);
      effc = fun (type a) (_ : a t) -> (None : ((a, unit) continuation -> int) option) } in
  go 0 (fiber f)

let () =
  print_endline (run_send [] (fiber (sender 3)) (fiber (receiver 1000)));
  print_endline (run_send [] (fiber (sender 30)) (fiber (receiver 50)));
  Printf.printf "%d\n" (count (fun () -> for _ = 1 to 3 do perform Tick done));
  Printf.printf "%d\n" (count (fun () -> while true do perform Tick done));
  Printf.printf "%d\n" (count (fun () -> perform Tick; failwith "oops"));
  Printf.printf "%d\n" (count (fun () -> try while true do perform Tick done with Exit -> print_endline "cleaning up"));
  (* forwarded by a shallow handler: it stays *)
  let r = Effect.Deep.match_with (fun () -> count (fun () -> perform Tick; ignore (perform Recv); perform Tick)) ()
    { retc = (fun n -> n); exnc = raise;
      effc = fun (type a) (e : a t) -> match e with
        | Recv -> Some (fun (k : (a, _) Effect.Deep.continuation) -> print_endline "outer"; Effect.Deep.continue k 1)
        | _ -> None } in
  Printf.printf "%d\n" r;
  let k = fiber (fun x -> x + 1) in
  let h = { retc = string_of_int; exnc = raise; effc = fun (type a) (_ : a t) -> (None : ((a, int) continuation -> string) option) } in
  print_endline (continue_with k 41 h);
  (try print_endline (continue_with k 41 h) with Continuation_already_resumed -> print_endline "already resumed");
  (try print_endline (discontinue_with (fiber (fun x -> x + 1)) Not_found h) with Not_found -> print_endline "not found");
  (* one that never begins *)
  ignore (fiber (fun s -> print_endline s))
