(* A zipper over a list, in a variable that every step overwrites. *)

type zipper = { left : int list; focus : int; right : int list }

let right z = match z.right with [] -> z | x :: rest -> { left = z.focus :: z.left; focus = x; right = rest }
let left z = match z.left with [] -> z | x :: rest -> { left = rest; focus = x; right = z.focus :: z.right }
let change f z = { z with focus = f z.focus }

let () =
  let z = ref { left = []; focus = 0; right = List.init 1000 (fun i -> i) } in
  for round = 1 to 15_000 do
    for _ = 1 to 999 do z := right !z; z := change (fun x -> (x + round) land 0xffff) !z done;
    for _ = 1 to 999 do z := left !z done
  done;
  Printf.printf "%d %d\n" !z.focus (List.fold_left ( + ) 0 !z.right)
