let ( |>> ) l f = List.map f l
let read_lines ic =
  let rec go acc = match input_line ic with
    | l -> go (l :: acc)
    | exception End_of_file -> List.rev acc in
  go []

let group_by key l =
  List.fold_right (fun x acc ->
      let k = key x in
      match acc with
      | (k', xs) :: rest when k = k' -> (k, x :: xs) :: rest
      | _ -> (k, [ x ]) :: acc) l []

let starts p s = String.length s >= String.length p && String.sub s 0 (String.length p) = p
let drop n s = String.sub s n (String.length s - n)
