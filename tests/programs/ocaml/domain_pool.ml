(* A pool of domains: each has tasks of its own and takes those of others when it has none. *)

type pool = {
  tasks : (unit -> unit) Queue.t array;
  locks : Mutex.t array;
  pending : int Atomic.t;
  mutable workers : unit Domain.t list;
  is_closed : bool Atomic.t;
}

let take pool at =
  Mutex.protect pool.locks.(at) (fun () -> Queue.take_opt pool.tasks.(at))

let run_one pool at =
  let count = Array.length pool.tasks in
  let rec search k =
    if k = count then false
    else
      match take pool ((at + k) mod count) with
      | Some task ->
          task ();
          Atomic.decr pool.pending;
          true
      | None -> search (k + 1)
  in
  search 0

let create count =
  let pool =
    {
      tasks = Array.init count (fun _ -> Queue.create ());
      locks = Array.init count (fun _ -> Mutex.create ());
      pending = Atomic.make 0;
      workers = [];
      is_closed = Atomic.make false;
    }
  in
  let work at () =
    while not (Atomic.get pool.is_closed) do
      if not (run_one pool at) then Domain.cpu_relax ()
    done
  in
  pool.workers <- List.init (count - 1) (fun at -> Domain.spawn (work (at + 1)));
  pool

let submit pool at task =
  Atomic.incr pool.pending;
  let at = at mod Array.length pool.tasks in
  Mutex.protect pool.locks.(at) (fun () -> Queue.push task pool.tasks.(at))

let wait pool =
  while Atomic.get pool.pending > 0 do
    if not (run_one pool 0) then Domain.cpu_relax ()
  done

let close pool =
  Atomic.set pool.is_closed true;
  List.iter Domain.join pool.workers

let parallel_map pool f items =
  let results = Array.make (Array.length items) None in
  Array.iteri (fun i x -> submit pool i (fun () -> results.(i) <- Some (f x))) items;
  wait pool;
  Array.map (function Some y -> y | None -> assert false) results

let rec collatz n steps = if n = 1 then steps else collatz (if n land 1 = 0 then n / 2 else (3 * n) + 1) (steps + 1)

let () =
  let pool = create 3 in
  let lengths = parallel_map pool (fun n -> (n, collatz n 0)) (Array.init 200 (fun i -> i + 1)) in
  let best = Array.fold_left (fun (n, l) (n', l') -> if l' > l then (n', l') else (n, l)) (0, 0) lengths in
  Printf.printf "%d %d\n" (fst best) (snd best);
  let words = parallel_map pool (fun n -> String.make (n mod 5) 'x') (Array.init 50 Fun.id) in
  Printf.printf "%d\n" (String.length (String.concat "" (Array.to_list words)));
  (* Tasks that submit tasks. *)
  let total = Atomic.make 0 in
  let rec split depth () =
    if depth = 0 then Atomic.incr total
    else begin
      submit pool depth (split (depth - 1));
      submit pool (depth + 1) (split (depth - 1))
    end
  in
  split 7 ();
  wait pool;
  Printf.printf "%d\n" (Atomic.get total);
  close pool
