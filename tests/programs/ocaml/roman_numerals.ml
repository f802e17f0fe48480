(* Roman numerals both ways, with validation, and numbers spelled in words. *)

let table = [ 1000, "M"; 900, "CM"; 500, "D"; 400, "CD"; 100, "C"; 90, "XC";
              50, "L"; 40, "XL"; 10, "X"; 9, "IX"; 5, "V"; 4, "IV"; 1, "I" ]

let to_roman n =
  if n <= 0 || n >= 4000 then None
  else
    let rec go n = function
      | (v, s) :: _ as t when n >= v -> s ^ go (n - v) t
      | _ :: t -> go n t
      | [] -> "" in
    Some (go n table)

let value = function
  | 'I' -> 1 | 'V' -> 5 | 'X' -> 10 | 'L' -> 50
  | 'C' -> 100 | 'D' -> 500 | 'M' -> 1000
  | c -> raise (Invalid_argument (String.make 1 c))

let of_roman s =
  let n = String.length s in
  let rec go i prev acc =
    if i < 0 then acc
    else
      let v = value s.[i] in
      go (i - 1) (max v prev) (if v < prev then acc - v else acc + v) in
  let r = go (n - 1) 0 0 in
  if to_roman r = Some s then Ok r else Error "not canonical"

let ones = [| "zero"; "one"; "two"; "three"; "four"; "five"; "six"; "seven"; "eight"; "nine"; "ten";
              "eleven"; "twelve"; "thirteen"; "fourteen"; "fifteen"; "sixteen"; "seventeen";
              "eighteen"; "nineteen" |]
let tens = [| ""; ""; "twenty"; "thirty"; "forty"; "fifty"; "sixty"; "seventy"; "eighty"; "ninety" |]

let rec spell n =
  if n < 0 then "minus " ^ spell (-n)
  else if n < 20 then ones.(n)
  else if n < 100 then tens.(n / 10) ^ (if n mod 10 = 0 then "" else "-" ^ ones.(n mod 10))
  else if n < 1000 then group n 100 "hundred" " and "
  else if n < 1_000_000 then group n 1000 "thousand" " "
  else group n 1_000_000 "million" " "

and group n unit name sep =
  spell (n / unit) ^ " " ^ name ^ (if n mod unit = 0 then "" else sep ^ spell (n mod unit))

let () =
  List.iter (fun n ->
      match to_roman n with
      | Some r -> Printf.printf "%d = %s\n" n r
      | None -> Printf.printf "%d has no numeral\n" n)
    [ 1; 4; 9; 14; 40; 90; 400; 1994; 2023; 3999; 4000; 0 ];
  let ok = ref 0 in
  for n = 1 to 3999 do
    match to_roman n with
    | Some r when of_roman r = Ok n -> incr ok
    | _ -> ()
  done;
  Printf.printf "%d round trips\n" !ok;
  List.iter (fun s ->
      match of_roman s with
      | Ok n -> Printf.printf "%s = %d\n" s n
      | Error e -> Printf.printf "%s: %s\n" s e
      | exception Invalid_argument c -> Printf.printf "%s: bad letter %s\n" s c)
    [ "MCMXC"; "IIII"; "IC"; "XYZ"; "" ];
  List.iter (fun n -> print_endline (spell n)) [ 0; 13; 42; 100; 115; 999; 1001; 30_070; 1_234_567; -8 ]
