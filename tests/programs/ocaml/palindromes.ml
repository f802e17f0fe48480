(* Palindromes: ignoring punctuation, longest substring, numeric palindromes, anagram groups. *)

let clean s =
  String.to_seq s
  |> Seq.filter (function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' -> true | _ -> false)
  |> Seq.map Char.lowercase_ascii
  |> String.of_seq

let is_palindrome s =
  let s = clean s in
  let rec go i j = i >= j || (s.[i] = s.[j] && go (i + 1) (j - 1)) in
  go 0 (String.length s - 1)

let longest s =
  let n = String.length s in
  let rec expand i j = if i >= 0 && j < n && s.[i] = s.[j] then expand (i - 1) (j + 1) else (i + 1, j - i - 1) in
  let best = ref (0, 0) in
  for c = 0 to n - 1 do
    List.iter (fun (i, l) -> if l > snd !best then best := (i, l)) [ expand c c; expand c (c + 1) ]
  done;
  let i, l = !best in
  String.sub s i l

let rec rev_num n acc = if n = 0 then acc else rev_num (n / 10) (acc * 10 + n mod 10)

let steps_to_palindrome n =
  let rec go n k =
    if n = rev_num n 0 then Some (k, n) else if k > 30 then None else go (n + rev_num n 0) (k + 1) in
  go n 0

let signature w =
  let b = Bytes.of_string w in
  let l = List.sort compare (List.of_seq (Bytes.to_seq b)) in
  String.of_seq (List.to_seq l)

let () =
  List.iter (fun s -> Printf.printf "%-32s %b\n" s (is_palindrome s))
    [ "A man, a plan, a canal: Panama"; "No lemon, no melon"; "Hello"; ""; "Was it a car or a cat I saw?"; "ab" ];
  List.iter (fun s -> Printf.printf "%s -> %S\n" s (longest s)) [ "babad"; "forgeeksskeegfor"; "abc"; "" ];
  List.iter (fun n ->
      match steps_to_palindrome n with
      | Some (k, p) -> Printf.printf "%d: %d in %d steps\n" n p k
      | None -> Printf.printf "%d: gave up\n" n) [ 121; 56; 89; 196; 10 ];
  let groups = Hashtbl.create 10 in
  List.iter (fun w ->
      let k = signature w in
      Hashtbl.replace groups k (w :: (try Hashtbl.find groups k with Not_found -> [])))
    [ "listen"; "silent"; "enlist"; "google"; "elgoog"; "abc"; "cab"; "xyz" ];
  Hashtbl.fold (fun _ ws acc -> List.sort compare ws :: acc) groups []
  |> List.filter (fun ws -> List.length ws > 1)
  |> List.sort compare
  |> List.iter (fun ws -> print_endline (String.concat " " ws))
