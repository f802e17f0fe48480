module S = Pqueue.MakeMin(struct type t = int * int let compare (a,_) (b,_) = Int.compare a b end)
let show q = let rec go () = match S.pop_min q with None -> print_newline () | Some (i,s) -> Printf.printf "%d.%d " i s; go () in go ()
let () = for n = 0 to 30 do
  let items = List.init n (fun i -> ((i * 7 + n) mod 4, i)) in
  let a = S.of_list items and b = S.create () and c = S.of_iter List.iter items and d = S.of_array (Array.of_list items) in
  List.iter (S.add b) items;
  S.iter_unordered (fun (i,s) -> Printf.printf "%d.%d " i s) a; print_newline ();
  show a; show b; show c; show d
 done
