(* LRU cache: a doubly linked list of mutable records plus a Hashtbl. *)

type ('k, 'v) node = {
  key : 'k;
  mutable value : 'v;
  mutable prev : ('k, 'v) node option;
  mutable next : ('k, 'v) node option;
}

type ('k, 'v) t = {
  capacity : int;
  table : ('k, ('k, 'v) node) Hashtbl.t;
  mutable first : ('k, 'v) node option;
  mutable last : ('k, 'v) node option;
  mutable hits : int;
  mutable misses : int;
  on_evict : 'k -> 'v -> unit;
}

let create ?(on_evict = fun _ _ -> ()) capacity =
  if capacity <= 0 then invalid_arg "Lru.create";
  { capacity; table = Hashtbl.create capacity; first = None; last = None;
    hits = 0; misses = 0; on_evict }

let unlink c n =
  (match n.prev with Some p -> p.next <- n.next | None -> c.first <- n.next);
  (match n.next with Some s -> s.prev <- n.prev | None -> c.last <- n.prev);
  n.prev <- None;
  n.next <- None

let push_front c n =
  n.next <- c.first;
  (match c.first with Some f -> f.prev <- Some n | None -> c.last <- Some n);
  c.first <- Some n

let get c k =
  match Hashtbl.find_opt c.table k with
  | None -> c.misses <- c.misses + 1; None
  | Some n ->
    c.hits <- c.hits + 1;
    unlink c n;
    push_front c n;
    Some n.value

let put c k v =
  match Hashtbl.find_opt c.table k with
  | Some n -> n.value <- v; unlink c n; push_front c n
  | None ->
    if Hashtbl.length c.table >= c.capacity then begin
      match c.last with
      | None -> assert false
      | Some l ->
        unlink c l;
        Hashtbl.remove c.table l.key;
        c.on_evict l.key l.value
    end;
    let n = { key = k; value = v; prev = None; next = None } in
    Hashtbl.replace c.table k n;
    push_front c n

let keys c =
  let rec go acc = function None -> List.rev acc | Some n -> go (n.key :: acc) n.next in
  go [] c.first

let () =
  let c = create ~on_evict:(fun k v -> Printf.printf "  evicted %s=%d\n" k v) 3 in
  let show () = Printf.printf "[%s]\n" (String.concat " " (keys c)) in
  put c "a" 1; put c "b" 2; put c "c" 3; show ();
  ignore (get c "a"); show ();
  put c "d" 4; show ();
  put c "c" 33; show ();
  (match get c "b" with None -> print_endline "b gone" | Some _ -> print_endline "b there");
  (match get c "c" with None -> print_endline "c gone" | Some v -> Printf.printf "c=%d\n" v);
  show ();
  (* a memoised function under a small cache *)
  let calls = ref 0 in
  let cache = create 10 in
  let slow n = incr calls; n * n in
  let cached n =
    match get cache n with
    | Some v -> v
    | None -> let v = slow n in put cache n v; v in
  let total = ref 0 in
  for i = 1 to 500 do total := !total + cached (i * i mod 17) done;
  Printf.printf "total %d, calls %d, hits %d, misses %d\n" !total !calls cache.hits cache.misses;
  try ignore (create 0 : (int, int) t) with Invalid_argument m -> print_endline m
