(* Effects: a scheduler with mailboxes, async/await, generators and exceptions *)
open Effect
open Effect.Deep
type _ Effect.t += Fork : (unit -> unit) -> unit t | Yield : unit t
  | Suspend : (('a, unit) continuation -> unit) -> 'a t
type 'a promise = { mutable state : 'a state } and 'a state = Done of ('a, exn) result | Waiting of ('a, unit) continuation list
let queue : (unit -> unit) Queue.t = Queue.create ()
let rec spawn f =
  match f () with
  | () -> next ()
  | exception e -> Printf.printf "task died: %s\n" (Printexc.to_string e); next ()
  | effect Yield, k -> Queue.push (fun () -> continue k ()) queue; next ()
  | effect Fork g, k -> Queue.push (fun () -> continue k ()) queue; spawn g
  | effect Suspend r, k -> r k; next ()
and next () = match Queue.take_opt queue with None -> () | Some f -> f ()
let async f =
  let p = { state = Waiting [] } in
  perform (Fork (fun () ->
    let r = try Ok (f ()) with e -> Error e in
    match p.state with
    | Waiting ks ->
      p.state <- Done r;
      List.iter (fun k -> Queue.push (fun () -> match r with Ok v -> continue k v | Error e -> discontinue k e) queue) (List.rev ks)
    | Done _ -> assert false));
  p
let await p = match p.state with
  | Done (Ok v) -> v | Done (Error e) -> raise e
  | Waiting _ -> perform (Suspend (fun k -> match p.state with Waiting ks -> p.state <- Waiting (k :: ks) | Done _ -> assert false))
type _ Effect.t += Emit : int -> unit t
let to_list f =
  match f () with
  | () -> [] | effect Emit n, k -> let rest = continue k () in n :: rest
let gen_seq (type a) (iter : (a -> unit) -> unit) : a Seq.t =
  let module M = struct type _ Effect.t += Y : a -> unit t end in
  fun () -> match iter (fun x -> perform (M.Y x)) with
    | () -> Seq.Nil
    | effect M.Y x, k -> Seq.Cons (x, fun () -> continue k ())
type _ Effect.t += Choose : bool t
let rec with_state : type a. int -> (unit -> a) -> int * a = fun init f ->
  let r = ref init in
  let v = match f () with v -> v | effect Emit n, k -> r := !r + n; continue k () in
  (!r, v)
let () =
  spawn (fun () ->
    let ps = List.init 3 (fun i -> async (fun () ->
      for j = 1 to i + 1 do Printf.printf "task %d step %d\n" i j; perform Yield done;
      if i = 1 then failwith "one" else i * 10)) in
    List.iteri (fun i p ->
      match await p with v -> Printf.printf "got %d\n" v | exception Failure m -> Printf.printf "fail %d %s\n" i m) ps;
    raise Exit);
  print_endline (String.concat "," (List.map string_of_int (to_list (fun () -> for i = 1 to 5 do perform (Emit (i * i)) done))));
  let s = gen_seq (fun f -> List.iter f ["a"; "b"; "c"]) in
  Seq.iter print_endline (Seq.take 2 s);
  let n, v = with_state 5 (fun () -> perform (Emit 3); perform (Emit 4); "v") in
  Printf.printf "%d %s\n" n v;
  (try ignore (perform Choose) with Unhandled Choose -> print_endline "unhandled");
  let r = match
      (try perform Choose with Exit -> print_endline "cleanup"; raise Not_found) with
    | b -> string_of_bool b
    | exception Not_found -> "nf"
    | effect Choose, k -> (try discontinue k Exit with Not_found -> "outer") in
  print_endline r;
  let protect_log = Buffer.create 10 in
  (match Fun.protect ~finally:(fun () -> Buffer.add_string protect_log "fin") (fun () -> perform Choose) with
   | b -> Printf.printf "%b\n" b | effect Choose, k -> continue k true);
  print_endline (Buffer.contents protect_log)
