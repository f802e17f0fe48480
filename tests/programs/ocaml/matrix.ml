(* Integer and float matrices as arrays of arrays: product, power, transpose, determinant. *)

let make r c f = Array.init r (fun i -> Array.init c (f i))
let dims m = (Array.length m, if Array.length m = 0 then 0 else Array.length m.(0))

exception Shape of (int * int) * (int * int)

let mul a b =
  let (r, n) = dims a and (n', c) = dims b in
  if n <> n' then raise (Shape (dims a, dims b));
  make r c (fun i j ->
      let s = ref 0 in
      for k = 0 to n - 1 do s := !s + a.(i).(k) * b.(k).(j) done;
      !s)

let identity n = make n n (fun i j -> if i = j then 1 else 0)

let rec power m k =
  if k = 0 then identity (Array.length m)
  else if k mod 2 = 1 then mul m (power m (k - 1))
  else let h = power m (k / 2) in mul h h

let transpose m =
  let r, c = dims m in
  make c r (fun i j -> m.(j).(i))

let minor m i =
  Array.of_list (List.filteri (fun r _ -> r <> 0) (Array.to_list m))
  |> Array.map (fun row -> Array.append (Array.sub row 0 i) (Array.sub row (i + 1) (Array.length row - i - 1)))

let rec det m =
  match m with
  | [||] -> 1
  | [| [| a |] |] -> a
  | [| [| a; b |]; [| c; d |] |] -> a * d - b * c
  | _ ->
    let s = ref 0 in
    Array.iteri (fun i x ->
        let t = x * det (minor m i) in
        s := if i land 1 = 0 then !s + t else !s - t) m.(0);
    !s

let print m =
  Array.iter (fun row ->
      print_endline (String.concat " " (Array.to_list (Array.map (Printf.sprintf "%4d") row)))) m

let () =
  let a = [| [| 1; 2; 3 |]; [| 4; 5; 6 |] |] in
  let b = transpose a in
  print b;
  print_newline ();
  print (mul a b);
  print_newline ();
  print (mul b a);
  let fib = power [| [| 1; 1 |]; [| 1; 0 |] |] 60 in
  Printf.printf "\nfib 60 = %d\n" fib.(0).(1);
  Printf.printf "det = %d\n" (det [| [| 2; -1; 0; 3 |]; [| 1; 4; 2; 0 |]; [| 0; 5; -3; 1 |]; [| 7; 1; 1; 2 |] |]);
  (try print (mul a a) with
   | Shape ((r, c), (r', c')) -> Printf.printf "cannot multiply %dx%d by %dx%d\n" r c r' c');
  (* rows are distinct with make_matrix, shared with a careless make *)
  let good = Array.make_matrix 2 2 0 and bad = Array.make 2 (Array.make 2 0) in
  good.(0).(0) <- 1;
  bad.(0).(0) <- 1;
  Printf.printf "%d %d\n" good.(1).(0) bad.(1).(0)
