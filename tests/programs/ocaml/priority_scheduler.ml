(* Round-robin with priorities: tasks as resumable closures that yield by returning their continuation. *)

type step = Done | Yield of (unit -> step) | Sleep of int * (unit -> step)
type task = { name : string; prio : int; mutable run : unit -> step; mutable wake : int; mutable slices : int }

let out = Buffer.create 200
let emit fmt = Printf.bprintf out fmt

let counter name n =
  let rec go i () =
    if i > n then Done
    else begin
      emit "%s%d " name i;
      Yield (go (i + 1))
    end in
  go 1

let sleeper name times =
  let rec go = function
    | [] -> fun () -> emit "%s! " name; Done
    | t :: rest -> fun () -> emit "%s(zzz%d) " name t; Sleep (t, go rest) in
  go times

let schedule tasks =
  let clock = ref 0 in
  let rec loop tasks finished =
    match tasks with
    | [] -> List.rev finished
    | _ ->
      incr clock;
      let ready = List.filter (fun t -> t.wake <= !clock) tasks in
      match List.stable_sort (fun a b -> compare (a.slices - (a.prio * 2)) (b.slices - (b.prio * 2))) ready with
      | [] -> emit ". "; loop tasks finished
      | t :: _ ->
        t.slices <- t.slices + 1;
        let rest = List.filter (fun u -> u != t) tasks in
        match t.run () with
        | Done -> loop rest ((t.name, !clock) :: finished)
        | Yield k -> t.run <- k; loop (rest @ [ t ]) finished
        | Sleep (n, k) -> t.run <- k; t.wake <- !clock + n; loop (rest @ [ t ]) finished in
  loop tasks []

let task ?(prio = 0) name run = { name; prio; run; wake = 0; slices = 0 }

let () =
  let finished = schedule [ task "a" (counter "a" 4); task ~prio:2 "b" (counter "b" 5); task "s" (sleeper "s" [ 3; 8 ]); task "c" (counter "c" 2) ] in
  print_endline (String.trim (Buffer.contents out));
  List.iter (fun (n, t) -> Printf.printf "%s finished at %d\n" n t) finished
