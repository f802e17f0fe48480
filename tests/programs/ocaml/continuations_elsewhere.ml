(* Continuations that travel between domains in random order. One that was captured elsewhere is refused by a `Failure`
   and stays as it was: its own domain resumes it, or drops it. *)
open Effect

type _ Effect.t += Step : int -> int Effect.t

type job = { home : int; k : (int, int) Deep.continuation }

let boxes : job list Atomic.t array = Array.init 3 (fun _ -> Atomic.make [])

let rec put job =
  let box = boxes.(job.home) in
  let all = Atomic.get box in
  if not (Atomic.compare_and_set box all (job :: all)) then put job

let rec take from =
  match Atomic.get boxes.(from) with
  | [] -> None
  | job :: rest as all -> if Atomic.compare_and_set boxes.(from) all rest then Some job else take from

let refused = Atomic.make 0 and ended = Atomic.make 0 and sum = Atomic.make 0 and dropped = Atomic.make 0

let run home n =
  ignore
    (Deep.match_with
       (fun () ->
         let text = String.concat "," (List.init 5 string_of_int) in
         let a = perform (Step n) in
         let b = perform (Step a) in
         a + b + String.length text)
       ()
       {
         retc =
           (fun x ->
             Atomic.incr ended;
             ignore (Atomic.fetch_and_add sum x);
             x);
         exnc = raise;
         effc =
           (fun (type a) (e : a Effect.t) ->
             match e with
             | Step _ -> Some (fun (k : (a, int) Deep.continuation) -> put { home; k }; 0)
             | _ -> None);
       })

let waiting = Atomic.make 3

let worker me () =
  let random = Random.State.make [| me |] in
  for n = 1 to 300 do
    run me n;
    for _ = 1 to Random.State.int random 4 do
      match take (Random.State.int random 3) with
      | None -> ()
      | Some job -> (
          match Deep.continue job.k n with
          | _ -> if job.home <> me then print_endline "resumed elsewhere"
          | exception Failure _ ->
              if job.home = me then print_endline "refused at home";
              Atomic.incr refused;
              if Random.State.int random 8 = 0 then Atomic.incr dropped else put job)
    done
  done;
  Atomic.decr waiting;
  while Atomic.get waiting > 0 do Domain.cpu_relax () done;
  let rec finish () =
    match take me with
    | Some job ->
        ignore (Deep.continue job.k 1);
        finish ()
    | None -> ()
  in
  finish ()

let () =
  let domains = List.init 3 (fun me -> Domain.spawn (worker me)) in
  List.iter Domain.join domains;
  (* Those that were dropped far from home unwind now. *)
  Gc.full_major ();
  Printf.printf "all accounted for: %b\n" (Atomic.get ended + Atomic.get dropped = 900);
  Printf.printf "some were refused: %b, some ended: %b\n" (Atomic.get refused > 0) (Atomic.get ended > 0)
