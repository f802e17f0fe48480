(* Seven sorting algorithms over lists and arrays, checked against each other. *)

let rec insertion = function
  | [] -> []
  | x :: rest ->
    let rec ins = function [] -> [ x ] | y :: t as l -> if x <= y then x :: l else y :: ins t in
    ins (insertion rest)

let rec quick = function
  | [] -> []
  | p :: rest -> let lo, hi = List.partition (fun x -> x < p) rest in quick lo @ (p :: quick hi)

let rec merge_sort l =
  let rec split a b = function [] -> (a, b) | x :: t -> split (x :: b) a t in
  let rec merge a b = match a, b with
    | [], l | l, [] -> l
    | x :: xs, y :: ys -> if x <= y then x :: merge xs b else y :: merge a ys in
  match l with
  | [] | [ _ ] -> l
  | _ -> let a, b = split [] [] l in merge (merge_sort a) (merge_sort b)

let rec selection l =
  match l with
  | [] -> []
  | x :: t ->
    let m = List.fold_left min x t in
    let rec drop = function [] -> [] | y :: t -> if y = m then t else y :: drop t in
    m :: selection (drop l)

let on_array f l = let a = Array.of_list l in f a; Array.to_list a

let swap a i j = let t = a.(i) in a.(i) <- a.(j); a.(j) <- t

let bubble a =
  let again = ref true in
  while !again do
    again := false;
    for i = 0 to Array.length a - 2 do
      if a.(i) > a.(i + 1) then begin swap a i (i + 1); again := true end
    done
  done

let quick_in_place a =
  let rec go lo hi =
    if lo < hi then begin
      let p = a.((lo + hi) / 2) and i = ref lo and j = ref hi in
      while !i <= !j do
        while a.(!i) < p do incr i done;
        while a.(!j) > p do decr j done;
        if !i <= !j then begin swap a !i !j; incr i; decr j end
      done;
      go lo !j;
      go !i hi
    end in
  go 0 (Array.length a - 1)

let counting a =
  let m = Array.fold_left max 0 a in
  let c = Array.make (m + 1) 0 in
  Array.iter (fun x -> c.(x) <- c.(x) + 1) a;
  let k = ref 0 in
  Array.iteri (fun v n -> for _ = 1 to n do a.(!k) <- v; incr k done) c

let shell a =
  let gap = ref (Array.length a / 2) in
  while !gap > 0 do
    for i = !gap to Array.length a - 1 do
      let x = a.(i) and j = ref i in
      while !j >= !gap && a.(!j - !gap) > x do a.(!j) <- a.(!j - !gap); j := !j - !gap done;
      a.(!j) <- x
    done;
    gap := !gap / 2
  done

let () =
  let seed = ref 7 in
  let data = List.init 120 (fun _ -> seed := !seed * 1103 mod 65521; !seed mod 500) in
  let expected = List.sort compare data in
  List.iter (fun (name, sort) ->
      Printf.printf "%-10s %b %b %b\n" name (sort data = expected) (sort [] = []) (sort [ 2; 1; 2 ] = [ 1; 2; 2 ]))
    [ "insertion", insertion; "quick", quick; "merge", merge_sort; "selection", selection; "bubble", on_array bubble;
      "in place", on_array quick_in_place; "counting", on_array counting; "shell", on_array shell ];
  print_endline (String.concat " " (quick [ "pear"; "apple"; "fig" ]));
  List.iter (Printf.printf "%.1f ") (merge_sort [ 2.5; -1.; 0. ]);
  print_newline ()
