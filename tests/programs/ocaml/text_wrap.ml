(* Greedy and justified text wrapping, centring, indentation and a simple table. *)

let text =
  "It is a truth well known among those who write compilers that a program in want of a \
   closure must first have an environment, however small, in which its free variables may be \
   settled and made comfortable."

let words s = List.filter (fun w -> w <> "") (String.split_on_char ' ' s)

let wrap width s =
  let flush line acc = if line = [] then acc else List.rev line :: acc in
  let rec go line len acc = function
    | [] -> List.rev (flush line acc)
    | w :: rest ->
      let l = String.length w in
      if line <> [] && len + 1 + l > width then go [ w ] l (flush line acc) rest
      else go (w :: line) (if line = [] then l else len + 1 + l) acc rest in
  go [] 0 [] (words s)

let justify width line =
  match line with
  | [] -> ""
  | [ w ] -> w
  | _ ->
    let letters = List.fold_left (fun n w -> n + String.length w) 0 line in
    let gaps = List.length line - 1 in
    let space = width - letters in
    let b = Buffer.create width in
    List.iteri (fun i w ->
        Buffer.add_string b w;
        if i < gaps then
          Buffer.add_string b (String.make (space / gaps + if i < space mod gaps then 1 else 0) ' '))
      line;
    Buffer.contents b

let centre width s =
  let pad = width - String.length s in
  if pad <= 0 then s else String.make (pad / 2) ' ' ^ s ^ String.make (pad - pad / 2) ' '

let boxed width lines =
  let bar = "+" ^ String.make (width + 2) '-' ^ "+" in
  (bar :: List.map (fun l -> Printf.sprintf "| %s |" (centre width l)) lines) @ [ bar ]

let () =
  List.iter (fun l -> print_endline (String.concat " " l)) (wrap 40 text);
  print_newline ();
  let lines = wrap 30 text in
  let last = List.length lines - 1 in
  List.iteri (fun i l ->
      print_endline (if i = last then String.concat " " l else justify 30 l)) lines;
  List.iter print_endline (boxed 20 [ "closures"; "for"; "everyone"; "a line that is too long" ]);
  Printf.printf "%d\n" (List.length (wrap 10 ""));
  List.iter (fun l -> print_endline ("  > " ^ String.concat " " l)) (wrap 3 "a bb ccc dddd e f")
