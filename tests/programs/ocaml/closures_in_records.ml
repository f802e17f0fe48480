(* records with mutable function fields, updated through the function itself *)
type 'a node = { mutable f : 'a -> 'a; mutable next : 'a node option; name : string }
let mk name f = { f; next = None; name }
let rec run n x = let y = n.f x in match n.next with None -> y | Some m -> run m y
let chain l = match l with [] -> assert false | h :: t ->
  let last = List.fold_left (fun prev m -> prev.next <- Some m; m) h t in ignore last; h
let wrap n = let old = n.f in n.f <- (fun x -> old (old x))
let count = ref 0
let traced n = let old = n.f in n.f <- (fun x -> incr count; let r = old x in n.f <- old; r)
let () =
  let a = mk "a" (fun x -> x + 1) and b = mk "b" (fun x -> x * 3) and c = mk "c" (fun x -> x - 7) in
  let h = chain [a; b; c] in
  Printf.printf "%d\n" (run h 5);
  wrap a; wrap b; wrap b;
  Printf.printf "%d\n" (run h 5);
  traced c; traced a;
  Printf.printf "%d %d\n" (run h 5) !count;
  Printf.printf "%d %d\n" (run h 5) !count;
  let s = mk "s" (fun x -> x ^ "!") in
  wrap s; wrap s; print_endline (run s "hey");
  a.f <- (fun x -> if x > 100 then x else a.f (x * 2));
  Printf.printf "%d %s\n" (run h 5) (String.concat "," (List.map (fun n -> n.name) [a;b;c]));
  (* self-cycle through closure *)
  for i = 1 to 1000 do
    let n = mk "tmp" (fun x -> x) in
    n.next <- Some n;
    n.f <- (fun x -> match n.next with Some m when x < i -> m.f (x + 100) | _ -> x);
    count := !count + n.f 0
  done;
  Printf.printf "%d\n" !count
