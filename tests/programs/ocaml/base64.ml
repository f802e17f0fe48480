(* Base64 and hex encoding with bit operations on char codes. *)

let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

let encode s =
  let n = String.length s in
  let out = Buffer.create ((n + 2) / 3 * 4) in
  let byte i = if i < n then Char.code s.[i] else 0 in
  let i = ref 0 in
  while !i < n do
    let w = (byte !i lsl 16) lor (byte (!i + 1) lsl 8) lor byte (!i + 2) in
    for k = 0 to 3 do
      if !i + k > n then Buffer.add_char out '='
      else Buffer.add_char out alphabet.[(w lsr (18 - 6 * k)) land 63]
    done;
    i := !i + 3
  done;
  Buffer.contents out

let decode s =
  if String.length s mod 4 <> 0 then Error "length"
  else
    let out = Buffer.create 16 in
    let acc = ref 0 and bits = ref 0 in
    try
      String.iter (fun c ->
          if c <> '=' then begin
            match String.index_opt alphabet c with
            | None -> failwith (Printf.sprintf "bad character %C" c)
            | Some v ->
              acc := ((!acc lsl 6) lor v) land 0xFFFFFF;
              bits := !bits + 6;
              if !bits >= 8 then begin
                bits := !bits - 8;
                Buffer.add_char out (Char.unsafe_chr ((!acc lsr !bits) land 255))
              end
          end) s;
      Ok (Buffer.contents out)
    with Failure m -> Error m

let hex s = String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq s)))

let unhex s = String.init (String.length s / 2) (fun i -> Char.chr (int_of_string ("0x" ^ String.sub s (2 * i) 2)))

let () =
  List.iter (fun s ->
      let e = encode s in
      Printf.printf "%-16S %-24s %s\n" s e
        (match decode e with Ok t when t = s -> "ok" | Ok t -> "wrong " ^ t | Error m -> m))
    [ ""; "f"; "fo"; "foo"; "foob"; "fooba"; "foobar"; "\000\255\128"; "OCaml & friends" ];
  List.iter (fun s -> print_endline (match decode s with Ok t -> String.escaped t | Error m -> m))
    [ "abc"; "ab!d"; "SGVsbG8=" ];
  print_endline (hex "Hello\n\255");
  print_endline (unhex "4f43616d6c");
  try ignore (unhex "zz") with Failure m -> print_endline m
