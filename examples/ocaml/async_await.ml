(* Promises without callbacks: `async` starts a task, `await` suspends the one that runs until the other has a result. *)
open Effect
open Effect.Deep

type 'a state =
  | Pending of ('a, unit) continuation list
  | Fulfilled of 'a
  | Failed of exn

type 'a promise = 'a state ref

type _ Effect.t +=
  | Async : (unit -> 'a) -> 'a promise t
  | Await : 'a promise -> 'a t
  | Pause : unit t

let async task = perform (Async task)
let await promise = perform (Await promise)
let pause () = perform Pause

let run main =
  let ready : (unit -> unit) Queue.t = Queue.create () in
  let rec next () = match Queue.take_opt ready with Some task -> task () | None -> () in
  let settle promise state wake =
    match !promise with
    | Pending waiting ->
        promise := state;
        List.iter (fun k -> Queue.push (fun () -> wake k) ready) (List.rev waiting)
    | Fulfilled _ | Failed _ -> assert false
  in
  let rec start : 'a. 'a promise -> (unit -> 'a) -> unit =
    fun (type a) (promise : a promise) (task : unit -> a) : unit ->
     match task () with
     | value ->
         settle promise (Fulfilled value) (fun k -> continue k value);
         next ()
     | exception error ->
         settle promise (Failed error) (fun k -> discontinue k error);
         next ()
     | effect Async child, k ->
         let promise = ref (Pending []) in
         Queue.push (fun () -> continue k promise) ready;
         start promise child
     | effect Await other, k -> (
         match !other with
         | Fulfilled value -> continue k value
         | Failed error -> discontinue k error
         | Pending waiting ->
             other := Pending (k :: waiting);
             next ())
     | effect Pause, k ->
         Queue.push (fun () -> continue k ()) ready;
         next ()
  in
  let result = ref (Pending []) in
  start result main;
  match !result with
  | Fulfilled value -> value
  | Failed error -> raise error
  | Pending _ -> failwith "all tasks wait for each other"

(* A download that takes some turns *)
let fetch name turns =
  for i = 1 to turns do
    Printf.printf "%s: part %d of %d\n" name i turns;
    pause ()
  done;
  if name = "broken" then failwith "connection lost";
  String.length name * turns

let rec fib n = if n < 2 then n else
    let left = async (fun () -> fib (n - 1)) and right = async (fun () -> fib (n - 2)) in
    await left + await right

let () =
  let total =
    run (fun () ->
        let pages = List.map (fun (name, turns) -> async (fun () -> fetch name turns)) [ ("index", 3); ("style", 1); ("script", 2) ] in
        let broken = async (fun () -> fetch "broken" 2) in
        let size = List.fold_left (fun sum page -> sum + await page) 0 pages in
        (match await broken with
        | _ -> print_endline "no failure?"
        | exception Failure reason -> Printf.printf "broken: %s\n" reason);
        size)
  in
  Printf.printf "%d bytes\n" total;
  Printf.printf "fib 20 by %d tasks: %d\n" 21890 (run (fun () -> fib 20));
  let forever = ref (Pending []) in
  match run (fun () -> await forever) with
  | () -> ()
  | exception Failure reason -> print_endline reason
