(* Caesar, Vigenere, ROT13, Atbash, rail fence and frequency analysis with Char and String functions. *)

let shift k c =
  let rot base = Char.chr (base + (Char.code c - base + k + 26) mod 26) in
  match c with
  | 'a' .. 'z' -> rot (Char.code 'a')
  | 'A' .. 'Z' -> rot (Char.code 'A')
  | _ -> c

let caesar k = String.map (shift (k mod 26))
let rot13 = caesar 13

let vigenere ~key ~decrypt s =
  let klen = String.length key in
  let k = ref 0 in
  String.map (fun c ->
      match c with
      | 'a' .. 'z' | 'A' .. 'Z' ->
        let d = Char.code (Char.lowercase_ascii key.[!k mod klen]) - 97 in
        incr k;
        shift (if decrypt then -d else d) c
      | _ -> c) s

let atbash = String.map (function
    | 'a' .. 'z' as c -> Char.chr (219 - Char.code c)
    | 'A' .. 'Z' as c -> Char.chr (155 - Char.code c)
    | c -> c)

let rail_fence n s =
  let rails = Array.init n (fun _ -> Buffer.create 16) in
  let r = ref 0 and d = ref 1 in
  String.iter (fun c ->
      Buffer.add_char rails.(!r) c;
      if !r + !d < 0 || !r + !d >= n then d := - !d;
      r := !r + !d) s;
  String.concat "" (Array.to_list (Array.map Buffer.contents rails))

let crack s =
  let score t =
    String.fold_left (fun n c -> if String.contains "etaoinshr " c then n + 1 else n) 0 t in
  let best = ref 0 in
  for k = 1 to 25 do
    if score (caesar (-k) s) > score (caesar (- !best) s) then best := k
  done;
  (!best, caesar (- !best) s)

let () =
  let msg = "Attack at Dawn, by the old bridge!" in
  print_endline (caesar 3 msg);
  print_endline (caesar (-3) (caesar 3 msg));
  Printf.printf "%b\n" (rot13 (rot13 msg) = msg);
  let v = vigenere ~key:"Lemon" ~decrypt:false msg in
  print_endline v;
  print_endline (vigenere ~decrypt:true ~key:"Lemon" v);
  print_endline (atbash msg);
  print_endline (rail_fence 3 "WEAREDISCOVEREDFLEEATONCE");
  let k, t = crack (caesar 17 "meet me near the station at nine tonight") in
  Printf.printf "%d %s\n" k t
