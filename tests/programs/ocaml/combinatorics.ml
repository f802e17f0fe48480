(* Permutations, combinations, power sets, products, Gray codes, next permutation. *)

let rec insert_everywhere x = function
  | [] -> [ [ x ] ]
  | y :: t as l -> (x :: l) :: List.map (fun r -> y :: r) (insert_everywhere x t)
let rec permutations = function [] -> [ [] ] | x :: t -> List.concat_map (insert_everywhere x) (permutations t)
let rec combinations k l = match k, l with
  | 0, _ -> [ [] ]
  | _, [] -> []
  | k, x :: t -> List.map (List.cons x) (combinations (k - 1) t) @ combinations k t
let rec powerset = function [] -> [ [] ] | x :: t -> let p = powerset t in p @ List.map (List.cons x) p
let rec product = function [] -> [ [] ] | l :: ls -> let r = product ls in List.concat_map (fun x -> List.map (List.cons x) r) l
let rec gray n = if n = 0 then [ "" ] else let g = gray (n - 1) in List.map (( ^ ) "0") g @ List.rev_map (( ^ ) "1") g

let next_permutation a =
  let n = Array.length a in
  let i = ref (n - 2) in
  while !i >= 0 && a.(!i) >= a.(!i + 1) do decr i done;
  !i >= 0 && begin
    let j = ref (n - 1) in
    while a.(!j) <= a.(!i) do decr j done;
    let t = a.(!i) in
    a.(!i) <- a.(!j); a.(!j) <- t;
    let lo = ref (!i + 1) and hi = ref (n - 1) in
    while !lo < !hi do
      let t = a.(!lo) in
      a.(!lo) <- a.(!hi); a.(!hi) <- t;
      incr lo; decr hi
    done;
    true
  end

let pascal n = List.init n (fun i -> let rec row k prev = if k > i then [] else prev :: row (k + 1) (prev * (i - k) / (k + 1)) in row 0 1)
let show l = String.concat "" (List.map string_of_int l)

let () =
  print_endline (String.concat " " (List.map show (permutations [ 1; 2; 3 ])));
  Printf.printf "%d\n" (List.length (permutations [ 1; 2; 3; 4; 5 ]));
  print_endline (String.concat " " (List.map show (combinations 2 [ 1; 2; 3; 4 ])));
  print_endline (String.concat "|" (List.map show (powerset [ 1; 2; 3 ])));
  print_endline (String.concat " " (List.map (String.concat "") (product [ [ "a"; "b" ]; [ "x" ]; [ "1"; "2" ] ])));
  print_endline (String.concat " " (gray 3));
  let a = [| 1; 1; 2; 3 |] in
  let n = ref 1 in
  while next_permutation a do incr n done;
  Printf.printf "%d %s\n" !n (show (Array.to_list a));
  List.iter (fun r -> print_endline (String.concat " " (List.map string_of_int r))) (pascal 6)
