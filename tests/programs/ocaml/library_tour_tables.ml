(* Hashtbl, Seq, Dynarray, Random, Digest, Bigarray, Lazy *)
module D = Dynarray
let () =
  Random.init 42; Printf.printf "%d %d %g %b %Ld %ld\n" (Random.int 1000) (Random.bits ()) (Random.float 1.) (Random.bool ()) (Random.int64 1000000L) (Random.int32 1000l);
  let st = Random.State.make [|1;2;3|] in Printf.printf "%d %d %s\n" (Random.State.int st 100) (Random.State.full_int st max_int) (Nativeint.to_string (Random.State.nativeint st 1000n));
  let st2 = Random.State.split st in Printf.printf "%d %d\n" (Random.State.bits st2) (Random.State.int_in_range st ~min:(-5) ~max:5);
  (try ignore (Random.int 0) with Invalid_argument m -> print_endline m);
  (try ignore (Random.int_in_range ~min:1 ~max:0) with Invalid_argument m -> print_endline m);
  print_endline (Digest.to_hex (Digest.string "hello")); print_endline (Digest.BLAKE256.to_hex (Digest.BLAKE256.string "hello"));
  (try ignore (Digest.from_hex "zz") with Invalid_argument m -> print_endline m);
  let h = Hashtbl.create 10 in
  for i = 0 to 20 do Hashtbl.add h (i mod 7) i done;
  Printf.printf "%d %s\n" (Hashtbl.length h) (String.concat "," (List.map string_of_int (Hashtbl.find_all h 3)));
  Hashtbl.filter_map_inplace (fun k v -> if k = 3 then None else Some (v * 2)) h;
  Hashtbl.iter (fun k v -> Printf.printf "%d:%d " k v) h; print_newline ();
  let s = Hashtbl.stats h in Printf.printf "%d %d %d\n" s.num_bindings s.num_buckets s.max_bucket_length;
  let h2 = Hashtbl.of_seq (Seq.zip (Seq.ints 0) (List.to_seq ["a";"b";"c"])) in
  Hashtbl.replace h2 1 "z"; Hashtbl.fold (fun k v acc -> (k, v) :: acc) h2 [] |> List.sort compare |> List.iter (fun (k, v) -> Printf.printf "%d=%s " k v); print_newline ();
  let d = D.of_list [1;2;3] in D.add_last d 4; D.append_seq d (Seq.take 3 (Seq.ints 10)); D.truncate d 6; Printf.printf "%d %d %s\n" (D.length d) (D.capacity d) (String.concat "," (D.to_list (D.map string_of_int d)));
  (try ignore (D.get d 10) with Invalid_argument m -> print_endline m); (try D.iter (fun _ -> D.add_last d 1) d with Invalid_argument m -> print_endline m);
  Printf.printf "%d %s\n" (D.pop_last d) (match D.find_last d with Some x -> string_of_int x | None -> "none");
  let open Bigarray in
  let a = Array2.init Float64 C_layout 3 4 (fun i j -> float (i * 10 + j)) in
  let sl = Array2.slice_left a 1 in Printf.printf "%g %d\n" sl.{2} (Array1.dim sl);
  let f = Array2.init Int Fortran_layout 2 3 (fun i j -> i * 10 + j) in Printf.printf "%d %d\n" f.{2,3} (Array2.slice_right f 2).{1};
  (try ignore a.{3,0} with Invalid_argument m -> print_endline m);
  let g = genarray_of_array2 a in let r = reshape g [|2;6|] in Printf.printf "%d %g\n" (Genarray.num_dims r) (Genarray.get r [|1;5|]);
  (try ignore (reshape g [|5|]) with Invalid_argument m -> print_endline m);
  let c = Array1.of_array Char C_layout [|'a';'b'|] in Array1.fill c 'z'; Printf.printf "%c %d\n" c.{1} (Array1.size_in_bytes c);
  let i8 = Array1.of_array Int8_signed C_layout [|127;128;-129|] in Printf.printf "%d %d %d\n" i8.{0} i8.{1} i8.{2};
  Printf.printf "%b %d\n" (Array1.of_array Int C_layout [|1;2|] = Array1.of_array Int C_layout [|1;2|]) (compare (Array1.of_array Int C_layout [|1;2|]) (Array1.of_array Int C_layout [|1;3|]));
  let l = lazy (print_string "once "; 5) in Printf.printf "%b %d %d %b\n" (Lazy.is_val l) (Lazy.force l) (Lazy.force l) (Lazy.is_val l);
  let rec bad = lazy (Lazy.force bad + 1) in (try ignore (Lazy.force bad) with Lazy.Undefined -> print_endline "undefined");
  let l = lazy (failwith "no") in (try ignore (Lazy.force l) with Failure m -> print_endline m); (try ignore (Lazy.force l) with Failure m -> print_endline m);
  Printf.printf "%d\n" (Lazy.force (Lazy.map succ (Lazy.from_val 3)));
  let s = Seq.unfold (fun (a, b) -> if a > 100 then None else Some (a, (b, a + b))) (0, 1) in
  print_endline (String.concat " " (List.of_seq (Seq.map string_of_int s)));
  let grouped = Seq.group (fun a b -> a / 10 = b / 10) (List.to_seq [1;2;11;12;21;3]) in
  Seq.iter (fun g -> print_string ("[" ^ String.concat "," (List.of_seq (Seq.map string_of_int g)) ^ "]")) grouped; print_newline ();
  let once = Seq.once (List.to_seq [1;2]) in ignore (List.of_seq once); (try ignore (List.of_seq once) with Seq.Forced_twice -> print_endline "twice");
  Printf.printf "%s\n" (String.concat "," (List.of_seq (Seq.map (fun (a, b) -> string_of_int a ^ b) (Seq.product (List.to_seq [1;2]) (List.to_seq ["x";"y"])))));
  let b = Buffer.create 3 in Buffer.add_utf_8_uchar b (Uchar.of_int 0x1F600); Buffer.add_substitute b (fun s -> "<" ^ s ^ ">") "$a ${b} \\$c $(d)"; print_endline (Buffer.contents b);
  (try Buffer.add_substitute b Fun.id "${x" with Not_found -> print_endline "not found");
  (try Buffer.truncate b 1000 with Invalid_argument m -> print_endline m);
  let by = Bytes.of_string "hello world" in Bytes.blit by 0 by 3 5; print_endline (Bytes.to_string by); Bytes.set_int32_be by 0 0x41424344l; print_endline (Bytes.to_string by);
  (try ignore (Bytes.get_uint16_le by 10) with Invalid_argument m -> print_endline m);
  print_endline (String.concat "|" (String.split_on_char ',' "a,,b")); print_endline (String.escaped "\000\t\255é");
  let v = String.is_valid_utf_8 "\xff" in Printf.printf "%b %d\n" v (Uchar.to_int (Uchar.utf_decode_uchar (String.get_utf_8_uchar "é" 0)))
