(* Promises: async and await. *)
open Effect
open Effect.Deep

type 'a state = Done of 'a | Failed of exn | Waiting of (unit -> unit) list
type 'a promise = 'a state ref

type _ Effect.t +=
  | Async : (unit -> 'a) -> 'a promise t
  | Await : 'a promise -> 'a t

let async f = perform (Async f)
let await p = perform (Await p)

let ready : (unit -> unit) Queue.t = Queue.create ()

let settle p state =
  match !p with
  | Waiting waiters ->
    p := state;
    List.iter (fun f -> Queue.push f ready) (List.rev waiters)
  | Done _ | Failed _ -> assert false

let rec fiber : 'a. 'a promise -> (unit -> 'a) -> unit = fun (type a) (p : a promise) (f : unit -> a) ->
  match_with f ()
    { retc = (fun v -> settle p (Done v));
      exnc = (fun e -> settle p (Failed e));
      effc = fun (type c) (eff : c t) ->
        match eff with
        | Async g -> Some (fun (k : (c, _) continuation) ->
            let q = ref (Waiting []) in
            Queue.push (fun () -> continue k q) ready;
            fiber q g)
        | Await q -> Some (fun (k : (c, _) continuation) ->
            let rec resume () = match !q with
              | Done v -> continue k v
              | Failed e -> discontinue k e
              | Waiting waiters -> q := Waiting (resume :: waiters) in
            resume ())
        | _ -> None }

let run main =
  let p = ref (Waiting []) in
  fiber p main;
  while not (Queue.is_empty ready) do (Queue.pop ready) () done;
  match !p with
  | Done v -> v
  | Failed e -> raise e
  | Waiting _ -> failwith "deadlock"

let rec fib n =
  if n < 2 then n
  else begin
    let a = async (fun () -> fib (n - 1)) in
    let b = async (fun () -> fib (n - 2)) in
    await a + await b
  end

let () =
  Printf.printf "%d\n" (run (fun () -> fib 12));
  let text = run (fun () ->
    let words = List.map (fun w -> async (fun () -> String.uppercase_ascii w)) ["a"; "bc"; "def"] in
    String.concat "-" (List.map await words)) in
  print_endline text;
  let x = run (fun () ->
    let bad = async (fun () -> if true then failwith "no" else 1.5) in
    try await bad with Failure m -> print_endline ("caught " ^ m); 2.5) in
  Printf.printf "%g\n" x;
  (match run (fun () -> await (async (fun () -> raise Exit))) with
   | () -> ()
   | exception Exit -> print_endline "exit");
  (match run (fun () -> await (ref (Waiting []))) with
   | () -> ()
   | exception Failure m -> print_endline m)
