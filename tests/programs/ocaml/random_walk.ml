(* Random walks with a hand-written LCG in Int64; histogram of end points. *)

type rng = { mutable s : int64 }

let make seed = { s = Int64.of_int seed }

let next r =
  r.s <- Int64.add (Int64.mul r.s 6364136223846793005L) 1442695040888963407L;
  Int64.to_int (Int64.shift_right_logical r.s 33)

let below r n = next r mod n
let uniform r = float_of_int (next r) /. 2147483648.

let walk r steps =
  let pos = ref 0 in
  for _ = 1 to steps do
    pos := !pos + if below r 2 = 0 then 1 else -1
  done;
  !pos

let () =
  let r = make 42 in
  Printf.printf "first numbers:";
  for _ = 1 to 5 do Printf.printf " %d" (next r) done;
  print_newline ();
  let hist = Hashtbl.create 32 in
  for _ = 1 to 400 do
    let p = walk r 20 in
    Hashtbl.replace hist p (1 + Option.value ~default:0 (Hashtbl.find_opt hist p))
  done;
  let keys = List.sort compare (Hashtbl.fold (fun k _ l -> k :: l) hist []) in
  List.iter (fun k ->
      let n = Hashtbl.find hist k in
      Printf.printf "%+4d %3d %s\n" k n (String.make n '*')) keys;
  (* area of a quarter circle *)
  let inside = ref 0 in
  let n = 5000 in
  for _ = 1 to n do
    let x = uniform r and y = uniform r in
    if x *. x +. y *. y <= 1.0 then incr inside
  done;
  Printf.printf "pi is about %.3f\n" (4.0 *. float !inside /. float n);
  let lo = ref 1.0 and hi = ref 0.0 in
  for _ = 1 to 1000 do
    let u = uniform r in
    if u < !lo then lo := u;
    if u > !hi then hi := u
  done;
  Printf.printf "range %.4f .. %.4f\n" !lo !hi
