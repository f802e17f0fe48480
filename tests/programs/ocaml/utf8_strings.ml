(* UTF-8 by hand: decoding, counting code points, reversing, encoding, invalid input. *)

let decode s =
  let n = String.length s in
  let cont i = if i < n && Char.code s.[i] land 0xC0 = 0x80 then Some (Char.code s.[i] land 0x3F) else None in
  let rec go i acc =
    if i >= n then List.rev acc
    else
      let c = Char.code s.[i] in
      let bad () = go (i + 1) (0xFFFD :: acc) in
      if c < 0x80 then go (i + 1) (c :: acc)
      else if c land 0xE0 = 0xC0 then
        match cont (i + 1) with Some a -> go (i + 2) ((((c land 0x1F) lsl 6) lor a) :: acc) | None -> bad ()
      else if c land 0xF0 = 0xE0 then
        match cont (i + 1), cont (i + 2) with
        | Some a, Some b -> go (i + 3) ((((c land 0xF) lsl 12) lor (a lsl 6) lor b) :: acc)
        | _ -> bad ()
      else if c land 0xF8 = 0xF0 then
        match cont (i + 1), cont (i + 2), cont (i + 3) with
        | Some a, Some b, Some d -> go (i + 4) ((((c land 7) lsl 18) lor (a lsl 12) lor (b lsl 6) lor d) :: acc)
        | _ -> bad ()
      else bad () in
  go 0 []

let encode cps =
  let b = Buffer.create 16 in
  let add n = Buffer.add_char b (Char.chr n) in
  List.iter (fun c ->
      if c < 0x80 then add c
      else if c < 0x800 then (add (0xC0 lor (c lsr 6)); add (0x80 lor (c land 63)))
      else if c < 0x10000 then (add (0xE0 lor (c lsr 12)); add (0x80 lor ((c lsr 6) land 63)); add (0x80 lor (c land 63)))
      else (add (0xF0 lor (c lsr 18)); add (0x80 lor ((c lsr 12) land 63)); add (0x80 lor ((c lsr 6) land 63)); add (0x80 lor (c land 63)))) cps;
  Buffer.contents b

let () =
  List.iter (fun s ->
      let cps = decode s in
      Printf.printf "%s: %d bytes, %d code points:" s (String.length s) (List.length cps);
      List.iter (Printf.printf " U+%04X") cps;
      Printf.printf " reversed %s, round trip %b\n" (encode (List.rev cps)) (encode cps = s))
    [ "plain"; "naïve"; "日本"; "a€b"; "\u{1F42B}!" ];
  List.iter (fun s -> Printf.printf "%S -> %s\n" s (encode (decode s))) [ "\xff"; "a\xc3"; "\xe2\x82z" ]
