(* A memo table that forgets the oldest entry when it is full. rounds: 20000 *)
let capacity = 100
let table : (int, string) Hashtbl.t = Hashtbl.create 64
let order : int Queue.t = Queue.create ()
let hits = ref 0

let compute key = String.concat "," (List.init (1 + (key mod 10)) string_of_int)

let lookup key =
  match Hashtbl.find_opt table key with
  | Some value ->
      incr hits;
      value
  | None ->
      let value = compute key in
      if Queue.length order >= capacity then Hashtbl.remove table (Queue.pop order);
      Hashtbl.add table key value;
      Queue.push key order;
      value

let () =
  let n = int_of_string Sys.argv.(1) in
  let sum = ref 0 and seed = ref 42 in
  for _ = 1 to n do
    seed := ((!seed * 1103515245) + 12345) land 0xffffff;
    sum := (!sum + String.length (lookup (!seed lsr 8 mod 300))) mod 1000003
  done;
  Printf.printf "%d %d %d\n" !sum !hits (Hashtbl.length table)
