(* LZ77 with chains of hashes, there and back. *)

let window = 4096

let hash s i = ((Char.code s.[i] * 961) + (Char.code s.[i + 1] * 31) + Char.code s.[i + 2]) land 4095

let compress s =
  let n = String.length s in
  let out = Buffer.create (n / 2) in
  let last = Array.make 4096 (-1) and previous = Array.make n (-1) in
  let insert i =
    if i + 2 < n then begin
      let h = hash s i in
      previous.(i) <- last.(h);
      last.(h) <- i
    end
  in
  let rec same i j k = if k < 255 && j + k < n && s.[i + k] = s.[j + k] then same i j (k + 1) else k in
  let rec search i j tries ((_, length) as best) =
    if i < 0 || tries = 0 || j - i > window then best
    else
      let k = same i j 0 in
      search previous.(i) j (tries - 1) (if k > length then (i, k) else best)
  in
  let rec go j =
    if j < n then begin
      let at, length = if j + 2 < n then search last.(hash s j) j 16 (0, 0) else (0, 0) in
      if length >= 4 then begin
        Buffer.add_char out '\255';
        Buffer.add_char out (Char.chr ((j - at) land 255));
        Buffer.add_char out (Char.chr ((j - at) lsr 8));
        Buffer.add_char out (Char.chr length);
        for i = j to j + length - 1 do insert i done;
        go (j + length)
      end
      else begin
        Buffer.add_char out s.[j];
        insert j;
        go (j + 1)
      end
    end
  in
  go 0;
  Buffer.contents out

let expand s =
  let out = Buffer.create (2 * String.length s) in
  let rec go i =
    if i < String.length s then
      if s.[i] = '\255' then begin
        let back = Char.code s.[i + 1] lor (Char.code s.[i + 2] lsl 8) in
        for _ = 1 to Char.code s.[i + 3] do
          Buffer.add_char out (Buffer.nth out (Buffer.length out - back))
        done;
        go (i + 4)
      end
      else begin
        Buffer.add_char out s.[i];
        go (i + 1)
      end
  in
  go 0;
  Buffer.contents out

let () =
  let words = [| "the "; "quick "; "brown "; "fox "; "jumps "; "over "; "lazy "; "dog, "; "and\n" |] in
  let seed = ref 11 in
  let b = Buffer.create 300_000 in
  for _ = 1 to 60_000 do
    seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
    Buffer.add_string b words.((!seed lsr 8) mod 9)
  done;
  let text = Buffer.contents b in
  let total = ref 0 in
  for _ = 1 to 20 do
    let packed = compress text in
    total := !total + String.length packed;
    if expand packed <> text then print_endline "different"
  done;
  Printf.printf "%d %d\n" (String.length text) !total
