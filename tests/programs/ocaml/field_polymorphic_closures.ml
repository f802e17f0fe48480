(* Polymorphic closures at several types, with captures, stored and returned. *)

let twice f x = f (f x)
let make_tagger tag = let count = ref 0 in fun show x -> incr count; Printf.sprintf "%s%d:%s" tag !count (show x)
let pair_with k = fun x -> (k, x)

let local n =
  let wrap x = (n, [ x; x ]) in
  let pick a b = if n > 2 then a else b in
  let i, l = wrap 1 and j, m = wrap "s" in
  (i + j + List.length l + List.length m, pick 1 2, pick "a" "b", pick 1.5 2.5, (pick fst snd) (10, 20))

type 'a cell = { mutable content : 'a; on_change : 'a -> unit }
let watch show initial = let log = Buffer.create 16 in
  ({ content = initial; on_change = (fun x -> Buffer.add_string log (show x ^ ";")) }, fun () -> Buffer.contents log)
let set c x = c.content <- x; c.on_change x

type 'a stack = { push : 'a -> unit; pop : unit -> 'a option; size : unit -> int }
let stack () = let items = ref [] in
  { push = (fun x -> items := x :: !items);
    pop = (fun () -> match !items with [] -> None | x :: rest -> items := rest; Some x);
    size = (fun () -> List.length !items) }

module Repeat (N : sig val n : int end) = struct let apply x = List.init N.n (fun _ -> x) end

let rec fold f acc = function [] -> acc | x :: rest -> fold f (f acc x) rest
let group key l = fold (fun acc x -> let k = key x in
  let old = try List.assoc k acc with Not_found -> [] in (k, x :: old) :: List.remove_assoc k acc) [] l

let () =
  Printf.printf "%d %s %.1f %b\n" (twice succ 1) (twice (fun s -> s ^ s) "ab") (twice sqrt 81.) (twice not true);
  let n, s = twice (fun (a, b) -> (a + 1, b ^ "!")) (0, "x") in
  Printf.printf "%d %s %d\n" n s (twice twice succ 0);
  let tag = make_tagger "t" in
  Printf.printf "%s %s\n" (tag string_of_int 5) (tag string_of_int 6);
  let a, b = pair_with 1 "x" and c, d = pair_with "k" 2.5 in
  Printf.printf "%d %s %s %.1f\n" a b c d;
  let a, b, c, d, e = local 3 and a', b', c', d', e' = local 1 in
  Printf.printf "%d %d %s %.1f %d / %d %d %s %.1f %d\n" a b c d e a' b' c' d' e';
  let c1, log1 = watch string_of_int 0 and c2, log2 = watch (fun f -> string_of_int (f 1)) succ in
  set c1 5; set c2 (fun x -> x * 7); set c1 c1.content; set c2 (let f = c2.content in fun x -> f x + c1.content);
  Printf.printf "%s %s %d\n" (log1 ()) (log2 ()) c1.content;
  let s = stack () and t = stack () in
  s.push 1; s.push 2; t.push (fun x -> x ^ "?"); t.push (fun x -> x ^ "!");
  let top = match t.pop () with Some f -> f "top" | None -> "empty" in
  Printf.printf "%d %d %s %d\n" (s.size ()) (t.size ()) top (match s.pop () with Some x -> x | None -> 0);
  let module R = Repeat (struct let n = 3 end) in
  Printf.printf "%s %d\n" (String.concat "" (R.apply "z")) (List.fold_left ( + ) 0 (R.apply 4));
  List.iter (fun (k, l) -> Printf.printf "%b:%s " k (String.concat "" (List.map string_of_int l))) (group (fun x -> x mod 2 = 0) [ 1; 2; 3; 4 ]);
  List.iter (fun (k, l) -> Printf.printf "%d:%s " k (String.concat "" l)) (group String.length [ "a"; "bb"; "c" ]);
  print_newline ()
