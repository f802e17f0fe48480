(* Bytes mutation and Buffer building. *)

let reverse b =
  let n = Bytes.length b in
  for i = 0 to n / 2 - 1 do
    let t = Bytes.get b i in
    Bytes.set b i (Bytes.get b (n - 1 - i));
    Bytes.set b (n - 1 - i) t
  done

let hexdump s =
  let b = Buffer.create 64 in
  String.iteri (fun i c ->
      if i > 0 && i mod 8 = 0 then Buffer.add_char b '\n';
      Buffer.add_string b (Printf.sprintf "%02x " (Char.code c))) s;
  Buffer.contents b

let () =
  let b = Bytes.of_string "stressed" in
  reverse b;
  print_endline (Bytes.to_string b);
  let z = Bytes.make 6 '-' in
  Bytes.blit_string "abcdef" 1 z 2 3;
  print_endline (Bytes.to_string z);
  Bytes.fill z 0 2 '*';
  print_endline (Bytes.sub_string z 0 4);
  Bytes.blit z 0 z 2 4;
  print_endline (Bytes.to_string z);
  print_endline (Bytes.to_string (Bytes.map Char.uppercase_ascii z));
  print_endline (Bytes.to_string (Bytes.cat (Bytes.of_string "x") (Bytes.of_string "yz")));
  let w = Bytes.create 8 in
  Bytes.set_int32_le w 0 0x01020304l;
  Bytes.set_uint16_be w 4 0xABCD;
  Bytes.set_uint8 w 6 255;
  Bytes.set_int8 w 7 (-2);
  print_endline (hexdump (Bytes.to_string w));
  Printf.printf "%d %d %ld %d\n" (Bytes.get_int8 w 6) (Bytes.get_uint8 w 7) (Bytes.get_int32_be w 0) (Bytes.get_uint16_le w 4);
  (try Bytes.set z 6 'q' with Invalid_argument m -> print_endline m);
  let buf = Buffer.create 1 in
  for i = 1 to 20 do
    Buffer.add_string buf (string_of_int i);
    if i < 20 then Buffer.add_char buf (if i mod 5 = 0 then '\n' else ' ')
  done;
  print_endline (Buffer.contents buf);
  Printf.printf "%d %C %S\n" (Buffer.length buf) (Buffer.nth buf 3) (Buffer.sub buf 0 5);
  Buffer.truncate buf 7;
  Printf.printf "%S\n" (Buffer.contents buf);
  let other = Buffer.create 4 in
  Buffer.add_buffer other buf;
  Buffer.add_bytes other (Bytes.of_string "!");
  Buffer.add_substring other "hello world" 5 6;
  Printf.bprintf other "%d-%s" 42 "end";
  print_endline (Buffer.contents other);
  Buffer.clear buf;
  Printf.printf "%d %S\n" (Buffer.length buf) (Buffer.contents buf);
  Printf.printf "%b %d\n" (Bytes.equal (Bytes.of_string "a") (Bytes.of_string "a")) (Bytes.index (Bytes.of_string "abc") 'c')
