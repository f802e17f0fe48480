(* Over-application: functions returning functions called with all arguments at once, through every call path. *)

let choose n = match n with 0 -> ( + ) | 1 -> ( - ) | _ -> fun a b -> a * b + n
let adder a b = let s = a + b in fun c d -> let u = c + d in fun e -> s * 100 + u * 10 + e
let rec nest n = if n = 0 then fun x -> x else fun x -> nest (n - 1) (x + n)
let lookup tbl k = Hashtbl.find tbl k
let id x = x

let () =
  Printf.printf "%d %d %d\n" (choose 0 7 3) (choose 1 7 3) (choose 2 7 3);
  Printf.printf "%d\n" (adder 1 2 3 4 5);
  let p = adder 1 in
  Printf.printf "%d %d\n" (p 1 1 1 1) ((p 2 3) 4 5);
  Printf.printf "%d\n" (nest 10 0);
  let tbl = Hashtbl.create 4 in
  Hashtbl.replace tbl "pow" (fun b n -> let rec go n = if n = 0 then 1 else b * go (n - 1) in go n);
  Hashtbl.replace tbl "sub" ( - );
  Printf.printf "%d %d\n" (lookup tbl "pow" 2 10) (lookup tbl "sub" 2 10);
  Printf.printf "%d\n" (id id id id succ 41);
  Printf.printf "%d\n" (List.nth [ ( + ); ( * ) ] 1 6 7);
  Printf.printf "%d\n" (fst (max, 0) 3 9);
  Printf.printf "%d\n" ((if Sys.word_size = 64 then adder else fun a b c d e -> 0) 1 1 1 1 1);
  let r = ref (fun a -> fun b -> fun c -> a ^ b ^ c) in
  print_endline (!r "x" "y" "z");
  Printf.printf "%d\n" (Option.get (Some (fun a b -> a lsl b)) 3 4);
  let compose f g x = f (g x) in
  Printf.printf "%d\n" (compose choose (fun x -> x + 1) 0 10 4)
