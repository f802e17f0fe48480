(* Labelled and optional arguments: defaults, partial and out-of-order application, passing ?x through. *)

let range ?(from = 0) ?(step = 1) until =
  let rec go i = if i >= until then [] else i :: go (i + step) in
  go from

let greet ?title ~first ?(last = "Doe") () =
  match title with
  | Some t -> Printf.sprintf "%s %s %s" t first last
  | None -> first ^ " " ^ last

let area ~width ~height = width * height
let divide ~num ~den = num / den
let fold_range ~f ~init lo hi =
  let acc = ref init in
  for i = lo to hi do acc := f !acc i done;
  !acc

let log ?(level = "info") ?prefix msg =
  let p = match prefix with None -> "" | Some p -> p ^ ": " in
  Printf.printf "[%s] %s%s\n" level p msg

let warn ?prefix msg = log ~level:"warn" ?prefix msg

let rec power ?(acc = 1) b n = if n = 0 then acc else power ~acc:(acc * b) b (n - 1)

let apply ~f x = f x
let compose ~f ~g x = g (f x)
let show l = String.concat " " (List.map string_of_int l)

type config = { host : string; port : int; verbose : bool }
let config ?(host = "localhost") ?(port = 80) ?(verbose = false) () = { host; port; verbose }

let bump ?(by = 1) r = r := !r + by

let () =
  print_endline (show (range 5));
  print_endline (show (range ~from:2 6));
  print_endline (show (range ~step:3 ~from:1 12));
  print_endline (show (range ?from:None ?step:(Some 4) 10));
  print_endline (greet ~first:"Jo" ());
  print_endline (greet ~last:"Lane" ~title:"Dr" ~first:"Ann" ());
  let anon = greet ~first:"X" in
  print_endline (anon ~last:"Y" ());
  Printf.printf "%d %d\n" (area ~width:3 ~height:4) (area ~height:5 ~width:6);
  let half = divide ~den:2 in
  let of_100 = divide ~num:100 in
  Printf.printf "%d %d\n" (half ~num:9) (of_100 ~den:7);
  Printf.printf "%d\n" (divide 7 2);
  Printf.printf "%d\n" (fold_range 1 5 ~init:0 ~f:( + ));
  let product = fold_range ~f:( * ) ~init:1 in
  Printf.printf "%d %d\n" (product 1 6) (product 3 4);
  log "plain";
  log ~prefix:"net" "down";
  warn "careful";
  warn ~prefix:"disk" "full";
  Printf.printf "%d %d\n" (power 2 10) (power ~acc:3 2 2);
  Printf.printf "%d\n" (apply ~f:(fun x -> x + 1) 41);
  let f x = x * 2 and g x = x + 1 in
  Printf.printf "%d\n" (compose ~g ~f 10);
  let c = config ~port:8080 () in
  Printf.printf "%s:%d %b\n" c.host c.port c.verbose;
  let width = 7 and height = 8 in
  Printf.printf "%d\n" (area ~height ~width);
  let r = ref 0 in
  bump r; bump ~by:10 r; bump ?by:None r;
  List.iter (fun f -> f r) [ bump ~by:100; (fun r -> bump r) ];
  Printf.printf "%d\n" !r
