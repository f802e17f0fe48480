(* Corners that programs of others brought to light: suspensions as values, hashes, the order of evaluation, optional
   parameters that are erased, recursive values, types that contain themselves at larger types, primitives. *)
let t name f =
  print_string (name ^ ": ");
  try print_endline (f ()) with e -> print_endline (Printexc.to_string e)
let b x = string_of_bool x
let f x = lazy (x+1)
type r = { l : int lazy_t }
let force a = ignore (Lazy.force a); a
let () =
  t "lazy=" (fun () -> b (lazy 1 = lazy 1));
  t "rec=" (fun () -> b ({ l = lazy 1 } = { l = lazy 1 }));
  t "forced=" (fun () -> b (force (f 1) = force (f 1)));
  t "cmp" (fun () -> string_of_int (compare (force (f 1)) (force (f 2))));
  t "hash" (fun () -> string_of_int (Hashtbl.hash (force (f 1))));
  t "sh" (fun () -> string_of_int (Hashtbl.seeded_hash 42 "hello"));
  t "hp" (fun () -> string_of_int (Hashtbl.hash_param 3 10 [1;2;3;4;5]));
  t "hp2" (fun () -> string_of_int (Hashtbl.hash_param 10 2 [1;2;3;4;5]));
  t "cbrt" (fun () -> Printf.sprintf "%.17g" (Float.cbrt 0.1));
  t "nan" (fun () -> let x = nan in b (x == x));
  t "memq" (fun () -> let x = nan in b (List.memq x [x]));
  t "arr" (fun () -> b ([||] == [||]))
let s n v = print_string n; print_string " "; v
let () =
  print_int ((( + ) (s "1" 7)) (s "2" 1)); print_newline ();
  print_string (Int64.to_string ((Int64.add (s "1" 7L)) (s "2" 1L))); print_newline ();
  print_string (Int64.to_string ((s "2" 1L) |> Int64.add (s "1" 7L))); print_newline ();
  print_int ((let _ = s "a" 1 in fun q -> q + 1) (s "b" 2)); print_newline ()
let f ?(a=1) ~c d = a + c + d
let () = List.iter (Printf.printf "%d ") (List.map (f ~c:1) [1;2]); print_newline ()
let cut ?(rev=false) ~sep s = if rev then s ^ sep else sep ^ s
let () = print_endline (cut "," "a")
type ra = { x : int; y : int } type rb = { x : int; z : int }
let v = { x = 1; y = 2 } let () = print_int v.y
type d = { v : int; inst : d option ref }
let rec d = { v = 1; inst = ref (Some d) }
let () = match !(d.inst) with Some e -> print_int e.v | None -> ()
let rec get = let v = lazy (1 + Lazy.force n) in fun () -> Lazy.force v and n = lazy 4
let () = print_int (get ())
let (id : ' a -> ' a) = fun x -> x
let () = print_endline (string_of_bool (id true && (false || true)))
type 'a t = Nil | One of 'a * ('a * 'a) t
let () = print_endline (b ((Nil : int t) = Nil))
let rec g : 'a. int -> 'a -> int = fun n x -> if n = 0 then 0 else if n mod 2 = 0 then 1 + g (n-1) [x] else 1 + g (n-1) (Some x)
let () = print_int (g 10 'c'); print_newline ()
let () = print_endline (try ignore (Sys.opaque_identity (Bytes.create max_int)); "no" with Out_of_memory -> "oom" | Invalid_argument _ -> "inv")
external idd : 'a -> 'a = "%identity"
external app : ('a -> 'b) -> 'a -> 'b = "%apply"
external rapp : 'a -> ('a -> 'b) -> 'b = "%revapply"
external addf : float -> float -> float = "%addfloat"
external alen : 'a array -> int = "%array_length"
external slen : string -> int = "%string_length"
external sget : string -> int -> char = "%string_unsafe_get"
external eq : 'a -> 'a -> bool = "%equal"
external cmp : 'a -> 'a -> int = "%compare"
external bsw : int -> int = "%bswap16"
external get16 : bytes -> int -> int = "%caml_bytes_get16"
let () = Printf.printf "%d %d %d %g %d %d %c %b %d %d %d\n" (idd 3) (app succ 4) (rapp 4 succ) (addf 1. 2.) (alen [|1;2|]) (slen "abc") (sget "abc" 1) (eq 1 1) (cmp 1 2) (bsw 0x1234) (get16 (Bytes.of_string "ab") 0)
