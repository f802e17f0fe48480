(* Word count from stdin: Hashtbl frequencies, sorted report, line and character totals. *)

let is_letter c = match c with 'a' .. 'z' | 'A' .. 'Z' | '\'' -> true | _ -> false

let words line =
  let n = String.length line in
  let rec skip i = if i < n && not (is_letter line.[i]) then skip (i + 1) else i in
  let rec span i = if i < n && is_letter line.[i] then span (i + 1) else i in
  let rec go i acc =
    let i = skip i in
    if i >= n then List.rev acc
    else
      let j = span i in
      go j (String.lowercase_ascii (String.sub line i (j - i)) :: acc) in
  go 0 []

let () =
  let freq = Hashtbl.create 100 in
  let lines = ref 0 and chars = ref 0 and total = ref 0 and longest = ref "" in
  (try
     while true do
       let line = read_line () in
       incr lines;
       chars := !chars + String.length line + 1;
       List.iter (fun w ->
           incr total;
           if String.length w > String.length !longest then longest := w;
           let n = try Hashtbl.find freq w with Not_found -> 0 in
           Hashtbl.replace freq w (n + 1)) (words line)
     done
   with End_of_file -> ());
  Printf.printf "%d lines, %d words, %d characters\n" !lines !total !chars;
  Printf.printf "%d distinct, longest %S\n" (Hashtbl.length freq) !longest;
  let sorted =
    List.sort (fun (w1, n1) (w2, n2) -> if n1 <> n2 then compare n2 n1 else compare w1 w2)
      (List.of_seq (Hashtbl.to_seq freq)) in
  List.iteri (fun i (w, n) -> if i < 10 then Printf.printf "%2d. %-10s %3d\n" (i + 1) w n) sorted;
  let by_length = Array.make 15 0 in
  List.iter (fun (w, n) ->
      let l = String.length w in
      by_length.(l) <- by_length.(l) + n) sorted;
  Array.iteri (fun l n -> if n > 0 then Printf.printf "length %2d: %s\n" l (String.make n '#')) by_length
