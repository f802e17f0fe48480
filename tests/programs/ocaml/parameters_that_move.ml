(* Functions that pass a parameter on in another place, so that a constant wanders from one to the next. *)

let seed = ref 1
let[@inline never] flip () = seed := (!seed * 1103515245 + 12345) land 0x3fffffff; !seed land 0x30000 <> 0x10000
let[@inline never] text n = Printf.sprintf "%d" n
let[@inline never] show n = print_endline (text n)

let[@inline never] rec first a b =
  if flip () then text a else if flip () then (let s = first b 4 in if flip () then s ^ "" else s) else ""

let[@inline never] rec last a b =
  if flip () then (if flip () then (let s = last b 4 in if flip () then s ^ "" else s) else "") else text a

let[@inline never] rec sum a b = if flip () then (if flip () then 1 + sum b 4 else 0) else (show a; 0)
let[@inline never] rec none a b : unit = if flip () then (none b 4; ignore (flip ())) else show a
let[@inline never] rec cell a b = if flip () then (let r = cell b 4 in if flip () then r else seed) else (show a; seed)

let[@inline never] rec early a b = if not (flip ()) then show a else if flip () then (early b 4; ignore (flip ()))

let[@inline never] rec rotate a b c =
  if flip () then (rotate b c 7; ignore (flip ())) else Printf.printf "%d %d %d\n" a b c

let[@inline never] rec floats a b = if flip () then (floats b 0.5; ignore (flip ())) else Printf.printf "%g\n" a
let[@inline never] rec strings a b = if flip () then (strings b "later"; ignore (flip ())) else print_endline a

let () =
  for _ = 1 to 12 do
    print_endline (first 6 6);
    print_endline (last 6 6);
    ignore (sum 6 6);
    none 6 6;
    ignore (cell 6 6);
    early 6 6;
    rotate 3 3 3;
    floats 1.5 1.5;
    strings "first" "first"
  done
