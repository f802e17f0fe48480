(* Recursion that is no loop is code: derivatives around it, references and arrays that its calls change, mutual tail calls,
   many gradients in flat memory.
   covers: K10, K11 *)

let show values =
  Array.iter (fun v -> Printf.printf "%.6g " v) values;
  print_newline ()

let x = [| 0.3; 0.7; 0.2 |]

let rec tree n a = if n = 0 then a.(0) *. a.(1) else sin (tree (n - 1) a) +. (0.5 *. tree (n - 1) a *. a.(2))

(* Two loops in each other by tail calls; the inner one ends by the next round of the outer one. *)
let rows n a =
  let rec row i acc = if i = n then acc else cell i 0 acc
  and cell i j acc = if j = 3 then row (i + 1) (acc *. 0.9) else cell i (j + 1) (sin (acc +. (a.(j) *. float i))) in
  row 0 0.5

(* The same where the inner one may also end everything. *)
let leaves n a =
  let rec row i acc = if i = n then acc else cell i 0 acc
  and cell i j acc =
    if acc > 0.95 then acc *. a.(0) else if j = 3 then row (i + 1) (acc *. 0.9) else cell i (j + 1) (acc +. (a.(j) *. 0.1))
  in
  row 0 0.5

(* Calls change an array and a reference outside. *)
let changing a =
  let v = Array.copy a and sum = ref 0.0 in
  let rec go n t =
    if n = 0 then t *. v.(0)
    else begin
      v.(n mod 3) <- v.(n mod 3) +. (0.1 *. t);
      sum := (!sum *. 0.5) +. v.(n mod 3);
      let left = go (n - 1) (sin t) in
      left +. (0.5 *. go (n - 2 |> max 0) (cos t)) +. !sum
    end
  in
  go 4 a.(1) +. Array.fold_left ( +. ) !sum v

(* Over data that the program reads, with records as results. *)
type shape = Dot of float | Pair of shape * shape
type sums = { plain : float; squares : float }

let shape = Pair (Pair (Dot 0.3, Dot 0.5), Pair (Dot 0.2, Pair (Dot 0.7, Dot 0.1)))

let both a =
  let rec go k = function
    | Dot c -> { plain = c *. a.(0) *. k; squares = c *. c *. a.(1) }
    | Pair (l, r) ->
        let l = go (k *. a.(2)) l and r = go (k +. 1.0) r in
        { plain = l.plain +. r.plain; squares = l.squares *. (1.0 +. r.squares) }
  in
  let it = go 1.0 shape in
  it.plain +. it.squares

let () =
  Array.iter show (Ad.hessian (tree 3) x);
  show (Ad.gradient (fun y -> let g = Ad.gradient (tree 3) y in g.(0) *. g.(1)) x);
  show (Ad.gradient (rows 5) x);
  show (Ad.gradient (leaves 20) x);
  show (Ad.gradient (leaves 1) x);
  show (Ad.gradient changing x);
  show (Ad.gradient both x);
  show [| Ad.derivative (fun t -> tree 3 [| t; t *. t; 0.1 |]) 0.6 |]
