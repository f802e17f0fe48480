type shape = Circle of float | Rect of { w : float; h : float } | Empty
type person = { name : string; mutable age : int; tags : string list }
let area scale s =
  let k = scale *. 2.0 in
  match s with
  | Circle r -> k *. r
  | Rect { w; h } -> k *. w *. h
  | Empty -> 0.0
let rec sum acc l =
  match l with
  | [] -> acc
  | x :: rest ->
    let acc = acc + x in
    sum acc rest
let make_adder n =
  fun m -> n + m
let () =
  let p = { name = "Ann"; age = 3; tags = ["a"; "b"] } in
  let shapes = [Circle 1.0; Rect { w = 2.0; h = 3.0 }; Empty] in
  let total = List.fold_left (fun t s -> t +. area 2.0 s) 0.0 shapes in
  let add = make_adder p.age in
  let arr = [| 1; 2; 3 |] in
  Printf.printf "%s %f %d %d %d\n" p.name total (sum 0 [1;2;3]) (add 4) arr.(1)
