(* Values as bytes and back *)
type tree = Leaf | Node of tree * int * tree
type color = Red | Green | Blue of int | Mix of color list
type r = { name : string; mutable count : int; score : float; tags : string list; next : r option }
type big = { a : int; b : float; c : string; d : int; e : int; f : string; g : float; h : int; i : int; j : int; k : string; l : int; m : int; n : string; o : int; p : string }

let round (type a) (x : a) : a = Marshal.from_string (Marshal.to_string x []) 0
let show name ok = Printf.printf "%s: %b\n" name ok
let rec build n = if n = 0 then Leaf else Node (build (n - 1), n, build (n - 1))

let () =
  show "int" (round 42 = 42);
  show "min_int" (round min_int = min_int);
  show "float" (round 3.25 = 3.25);
  show "nan" (compare (round nan) nan = 0);
  show "string" (round "hello\000world" = "hello\000world");
  show "empty" (round "" = "");
  show "unit" (round () = ());
  show "bool" (round true);
  show "char" (round 'x' = 'x');
  show "int32" (round 7l = 7l && round (-7L) = -7L && round 9n = 9n);
  show "list" (round [ 1; 2; 3 ] = [ 1; 2; 3 ]);
  show "pair" (round (1, "a") = (1, "a"));
  show "triple" (round (1.5, [ "b" ], 'c') = (1.5, [ "b" ], 'c'));
  show "array" (round [| 1; 2 |] = [| 1; 2 |] && round [| 1.; 2. |] = [| 1.; 2. |]);
  show "arrays" (round [| [| "a" |]; [||] |] = [| [| "a" |]; [||] |]);
  show "pairs" (round [| (1, 2.); (3, 4.) |] = [| (1, 2.); (3, 4.) |]);
  show "tree" (round (build 8) = build 8);
  show "colors" (round [ Red; Green; Blue 3; Mix [ Red; Blue 4 ] ] = [ Red; Green; Blue 3; Mix [ Red; Blue 4 ] ]);
  let r = { name = "n"; count = 1; score = 2.5; tags = [ "x"; "y" ]; next = None } in
  show "record" (round { r with next = Some r } = { r with next = Some r });
  show "option" (round (Some (Some 3)) = Some (Some 3) && round (None : int option) = None);
  show "bytes" (round (Bytes.of_string "b") = Bytes.of_string "b");
  show "variants" (round [ `A; `B 3; `C "x" ] = [ `A; `B 3; `C "x" ]);
  show "result" (round [ Ok 1; Error "e" ] = [ Ok 1; Error "e" ]);
  let big = { a = 1; b = 2.; c = "3"; d = 4; e = 5; f = "6"; g = 7.; h = 8; i = 9; j = 10; k = "11"; l = 12; m = 13; n = "14"; o = 15; p = "16" } in
  show "large record" (round big = big && round [ big; big ] = [ big; big ]);
  let t = Hashtbl.create 10 in
  List.iter (fun i -> Hashtbl.add t i (string_of_int i)) [ 1; 2; 3; 40 ];
  let t' = round t in
  Hashtbl.add t' 50 "fifty";
  show "hashtbl" (Hashtbl.find t' 40 = "40" && Hashtbl.length t' = 5 && Hashtbl.length t = 4);
  let module M = Map.Make (String) in
  let m = M.of_seq (List.to_seq [ ("a", 1); ("b", 2) ]) in
  show "map" (M.equal ( = ) (round m) m);
  show "long list" (let l = List.init 200000 (fun i -> i) in round l = l)

(* Sharing and cycles *)
type cell = { mutable value : int; mutable link : cell option }

let () =
  let shared = ref 0 in
  let a, b = round (shared, shared) in
  a := 5;
  show "shared" (!b = 5 && !shared = 0 && a == b);
  let rec ones = 1 :: ones in
  let ones' = round ones in
  show "cyclic list" (List.hd ones' = 1 && List.tl ones' == ones');
  let c = { value = 1; link = None } in
  c.link <- Some c;
  let c' = round c in
  c'.value <- 9;
  show "cyclic record" ((match c'.link with Some d -> d.value | None -> 0) = 9);
  c.link <- None;
  c'.link <- None;
  let s = "text" in
  let l = round [ s; s ] in
  show "strings" (List.nth l 0 == List.nth l 1)

(* Functions are refused. *)
let () =
  let refused name f = match f () with
    | (_ : string) -> Printf.printf "%s: written\n" name
    | exception Invalid_argument m -> Printf.printf "%s: %s\n" name m in
  refused "function" (fun () -> Marshal.to_string (fun x -> x + 1) []);
  refused "in a list" (fun () -> Marshal.to_string [ Some (fun x -> x + Sys.opaque_identity 1) ] []);
  refused "none" (fun () -> Marshal.to_string (None : (int -> int) option) [])

(* Sizes, buffers, channels *)
let () =
  let text = Marshal.to_string [ 1; 2; 3 ] [] in
  let bytes = Bytes.of_string text in
  show "sizes" (Marshal.header_size = 16 && Marshal.total_size bytes 0 = String.length text
    && Marshal.data_size bytes 0 = String.length text - 16);
  let buffer = Bytes.make 1000 ' ' in
  let n = Marshal.to_buffer buffer 10 900 [ "a" ] [] in
  show "buffer" (n = Marshal.total_size buffer 10 && (Marshal.from_bytes buffer 10 : string list) = [ "a" ]);
  (try ignore (Marshal.to_buffer buffer 0 5 [ "a" ] []) with Failure m -> print_endline m);
  (try ignore (Marshal.to_buffer buffer 999 5 [ "a" ] []) with Invalid_argument m -> print_endline m);
  (try ignore (Marshal.data_size (Bytes.make 20 'x') 0) with Failure m -> print_endline m);
  (try ignore (Marshal.data_size bytes 1000) with Invalid_argument m -> print_endline m);
  (try ignore (Marshal.from_string "short" 0 : int) with Invalid_argument m -> print_endline m);
  let name = Filename.temp_file "oxbow" ".bin" in
  let out = open_out_bin name in
  output_value out (1, "one");
  Marshal.to_channel out [| 2.5 |] [ Marshal.No_sharing ];
  close_out out;
  let input = open_in_bin name in
  let (p : int * string) = input_value input in
  let (a : float array) = Marshal.from_channel input in
  show "channel" (p = (1, "one") && a = [| 2.5 |]);
  (try ignore (input_value input : int) with End_of_file -> print_endline "end of file");
  close_in input;
  let out = open_out_bin name in
  output_string out (String.sub text 0 (String.length text - 3));
  close_out out;
  let input = open_in_bin name in
  (try ignore (input_value input : int list) with Failure m -> print_endline m);
  close_in input;
  let out = open_out_bin name in
  output_string out "no value at all, but some text";
  close_out out;
  let input = open_in_bin name in
  (try ignore (input_value input : int list) with Failure m -> print_endline m);
  close_in input;
  Sys.remove name
