(* covers the Unicode functions of String, Bytes, Uchar and Buffer *)
let texts =
  [ "abc"; "h\xc3\xa9llo"; "\xe2\x82\xac"; "\xf0\x9f\x90\xab!"; "\xff"; "\xc3"; "\xe2\x82"; "\xe2\x28\xa1"; "\xed\xa0\x80";
    "\xf4\x90\x80\x80"; "\xf0\x9f\x90"; "\xc0\x80"; "\xe0\x80\x80"; "\x00\x61"; "\xd8\x3d\xdc\x2b"; "\x3d\xd8\x2b\xdc"; "\xd8\x3d"; "\xdc\x00\x00" ]

let show decode s =
  let rec go i =
    if i < String.length s then begin
      let d = decode s i in
      Printf.printf " %s%04X/%d" (if Uchar.utf_decode_is_valid d then "" else "!")
        (Uchar.to_int (Uchar.utf_decode_uchar d)) (Uchar.utf_decode_length d);
      go (i + Uchar.utf_decode_length d)
    end
  in
  go 0;
  print_newline ()

let () =
  List.iter
    (fun s ->
      Printf.printf "%S %b %b %b\n" s (String.is_valid_utf_8 s) (String.is_valid_utf_16be s) (String.is_valid_utf_16le s);
      show String.get_utf_8_uchar s;
      show String.get_utf_16be_uchar s;
      show String.get_utf_16le_uchar s)
    texts;
  let b = Bytes.make 6 '.' in
  let put set i n = Printf.printf "%d %S\n" (set b i (Uchar.of_int n)) (Bytes.to_string b) in
  List.iter
    (fun n ->
      put Bytes.set_utf_8_uchar 0 n;
      put Bytes.set_utf_8_uchar 3 n;
      put Bytes.set_utf_16be_uchar 1 n;
      put Bytes.set_utf_16le_uchar 3 n)
    [ 0x41; 0xE9; 0x20AC; 0x1F42B; 0x10FFFF ];
  let t f = try ignore (f ()) with Invalid_argument m -> print_endline m in
  t (fun () -> Bytes.set_utf_8_uchar b 6 (Uchar.of_int 65));
  t (fun () -> Bytes.set_utf_8_uchar b (-1) (Uchar.of_int 0xE9));
  t (fun () -> Bytes.set_utf_16be_uchar b 6 (Uchar.of_int 65));
  t (fun () -> Bytes.get_utf_8_uchar b 6);
  t (fun () -> Bytes.get_utf_16le_uchar b (-1));
  List.iter (fun n -> let u = Uchar.of_int n in Printf.printf "%d %d\n" (Uchar.utf_8_byte_length u) (Uchar.utf_16_byte_length u)) [ 0; 0x7F; 0x80; 0x7FF; 0x800; 0xFFFF; 0x10000 ];
  String.iter (fun c -> Printf.printf "%d" (Uchar.utf_8_decode_length_of_byte c)) "a\x80\xc1\xc2\xdf\xe0\xef\xf0\xf4\xf5\xff";
  print_newline ();
  Printf.printf "%d %d %d\n" (String.edit_distance "h\xc3\xa9llo" "hello") (String.edit_distance "" "abc") (String.edit_distance "abcdef" "badcfe");
  print_endline (String.concat "," (String.spellcheck ~max_dist:(fun _ -> 3) (fun f -> List.iter f [ "apple"; "maple"; "ample"; "zebra" ]) "appel"))
