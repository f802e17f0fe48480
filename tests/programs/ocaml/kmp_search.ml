(* Substring search: naive, Knuth-Morris-Pratt, Rabin-Karp; replace_all built on top. *)

let failure p =
  let m = String.length p in
  let f = Array.make m 0 in
  let k = ref 0 in
  for i = 1 to m - 1 do
    while !k > 0 && p.[!k] <> p.[i] do k := f.(!k - 1) done;
    if p.[!k] = p.[i] then incr k;
    f.(i) <- !k
  done;
  f

let kmp p s =
  let f = failure p and m = String.length p in
  let k = ref 0 and hits = ref [] in
  String.iteri (fun i c ->
      while !k > 0 && p.[!k] <> c do k := f.(!k - 1) done;
      if p.[!k] = c then incr k;
      if !k = m then begin
        hits := (i - m + 1) :: !hits;
        k := f.(!k - 1)
      end) s;
  List.rev !hits

let naive p s =
  let m = String.length p in
  List.filter (fun i -> String.sub s i m = p) (List.init (max 0 (String.length s - m + 1)) Fun.id)

let rabin_karp p s =
  let m = String.length p and n = String.length s in
  let base = 256 and q = 1_000_003 in
  if m > n then []
  else begin
    let high = ref 1 in
    for _ = 1 to m - 1 do high := !high * base mod q done;
    let hash t = String.fold_left (fun h c -> (h * base + Char.code c) mod q) 0 t in
    let hp = hash p in
    let h = ref (hash (String.sub s 0 m)) in
    let out = ref [] in
    for i = 0 to n - m do
      if !h = hp && String.sub s i m = p then out := i :: !out;
      if i < n - m then begin
        let without = (!h - Char.code s.[i] * !high mod q + q) mod q in
        h := (without * base + Char.code s.[i + m]) mod q
      end
    done;
    List.rev !out
  end

let replace_all ~sub ~by s =
  let m = String.length sub in
  let rec go i acc = function
    | [] -> List.rev (String.sub s i (String.length s - i) :: acc)
    | j :: rest when j < i -> go i acc rest
    | j :: rest -> go (j + m) (by :: String.sub s i (j - i) :: acc) rest in
  String.concat "" (go 0 [] (kmp sub s))

let () =
  let cases = [ ("aba", "ababababa"); ("needle", "find the needle in the needles"); ("x", "abc"); ("aaa", "aaaaaa"); ("abcd", "abc") ] in
  List.iter (fun (p, s) ->
      let k = kmp p s in
      Printf.printf "%s in %s: [%s] %b %b\n" p s (String.concat ";" (List.map string_of_int k))
        (k = naive p s) (k = rabin_karp p s)) cases;
  Printf.printf "[%s]\n" (String.concat ";" (Array.to_list (Array.map string_of_int (failure "abacabab"))));
  print_endline (replace_all ~sub:"cat" ~by:"tiger" "cat, concat, catcat, cut");
  print_endline (replace_all ~sub:"aa" ~by:"b" "aaaaa")
