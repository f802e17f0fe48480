(* A hash table and a map with 100,000 insertions each, and a string-keyed table. *)

module IM = Map.Make (Int)

let () =
  let h = Hashtbl.create 16 in
  let x = ref 12345 in
  for i = 1 to 100_000 do
    x := (!x * 1103515245 + 12345) land 0x3FFFFFFF;
    let k = !x mod 30_000 in
    Hashtbl.replace h k (i + try Hashtbl.find h k with Not_found -> 0)
  done;
  let sum = Hashtbl.fold (fun k v acc -> (acc + (k * v)) land 0xFFFFFFFFFF) h 0 in
  Printf.printf "%d %d\n" (Hashtbl.length h) sum;
  let m = ref IM.empty in
  for i = 1 to 50_000 do m := IM.add (i * 7919 mod 50_021) i !m done;
  Printf.printf "%d %d\n" (IM.cardinal !m) (IM.fold (fun k v a -> (a + (k * v)) land 0xFFFFFFFF) !m 0);
  let s = Hashtbl.create 16 in
  for i = 1 to 50_000 do
    let k = "key" ^ string_of_int (i mod 5_000) in
    Hashtbl.replace s k (1 + Option.value ~default:0 (Hashtbl.find_opt s k))
  done;
  Printf.printf "%d %d\n" (Hashtbl.length s) (Hashtbl.find s "key42")
