(* A spreadsheet: cell formulas, dependency tracking, cycle detection, recomputation, text rendering. *)

module Coord = struct
  type t = int * int (* column, row *)
  let compare = compare
  let to_string (c, r) = Printf.sprintf "%c%d" (Char.chr (65 + c)) (r + 1)
  let of_string s =
    if String.length s < 2 then None
    else
      match s.[0], int_of_string_opt (String.sub s 1 (String.length s - 1)) with
      | ('A' .. 'Z' as c), Some r when r > 0 -> Some (Char.code c - 65, r - 1)
      | _ -> None
end

module CMap = Map.Make (Coord)
module CSet = Set.Make (Coord)

type expr =
  | Num of float
  | Ref of Coord.t
  | Range of Coord.t * Coord.t
  | Bin of char * expr * expr
  | Call of string * expr list

type content = Empty | Text of string | Formula of expr

type error = Div0 | Cycle | Bad_value | Bad_name of string
type value = Number of float | String of string | Err of error | Blank

exception Parse of string

let parse_formula s =
  let n = String.length s in
  let i = ref 0 in
  let peek () =
    while !i < n && s.[!i] = ' ' do incr i done;
    if !i < n then s.[!i] else '\000' in
  let span p =
    let st = !i in
    while !i < n && p s.[!i] do incr i done;
    String.sub s st (!i - st) in
  let rec sum () =
    let rec go l = match peek () with
      | ('+' | '-') as o -> incr i; let r = product () in go (Bin (o, l, r))
      | _ -> l in
    go (product ())
  and product () =
    let rec go l = match peek () with
      | ('*' | '/') as o -> incr i; let r = atom () in go (Bin (o, l, r))
      | _ -> l in
    go (atom ())
  and atom () =
    match peek () with
    | '(' -> incr i; let e = sum () in close (); e
    | '-' -> incr i; Bin ('-', Num 0., atom ())
    | '0' .. '9' -> Num (float_of_string (span (function '0' .. '9' | '.' -> true | _ -> false)))
    | 'A' .. 'Z' ->
      let w = span (function 'A' .. 'Z' | '0' .. '9' -> true | _ -> false) in
      if peek () = '(' then begin
        incr i;
        let rec args () =
          let e = sum () in
          if peek () = ',' then begin incr i; e :: args () end else [ e ] in
        let l = args () in
        close ();
        Call (w, l)
      end else begin
        match Coord.of_string w with
        | None -> raise (Parse ("bad name " ^ w))
        | Some a ->
          if peek () = ':' then begin
            incr i;
            ignore (peek ());
            let w = span (function 'A' .. 'Z' | '0' .. '9' -> true | _ -> false) in
            match Coord.of_string w with
            | Some b -> Range (a, b)
            | None -> raise (Parse ("bad range end " ^ w))
          end else Ref a
      end
    | '\000' -> raise (Parse "unexpected end")
    | c -> raise (Parse (Printf.sprintf "unexpected %C" c))
  and close () = if peek () = ')' then incr i else raise (Parse "missing )") in
  let e = sum () in
  if peek () <> '\000' then raise (Parse "trailing text");
  e

type sheet = { mutable cells : content CMap.t; mutable cache : value CMap.t; mutable evals : int }

let create () = { cells = CMap.empty; cache = CMap.empty; evals = 0 }

let range_cells (c1, r1) (c2, r2) =
  List.concat
    (List.init (abs (c2 - c1) + 1) (fun dc ->
         List.init (abs (r2 - r1) + 1) (fun dr -> (min c1 c2 + dc, min r1 r2 + dr))))

exception Eval of error

let rec value sheet visiting at =
  match CMap.find_opt at sheet.cache with
  | Some v -> v
  | None ->
    let v =
      if CSet.mem at visiting then Err Cycle
      else begin
        match CMap.find_opt at sheet.cells with
        | None | Some Empty -> Blank
        | Some (Text s) -> String s
        | Some (Formula e) ->
          sheet.evals <- sheet.evals + 1;
          (try Number (eval sheet (CSet.add at visiting) e) with Eval err -> Err err)
      end in
    if not (CSet.mem at visiting) then sheet.cache <- CMap.add at v sheet.cache;
    v

and number sheet visiting at =
  match value sheet visiting at with
  | Number f -> f
  | Blank -> 0.
  | String _ -> raise (Eval Bad_value)
  | Err e -> raise (Eval e)

and eval sheet visiting = function
  | Num f -> f
  | Ref at -> number sheet visiting at
  | Range _ -> raise (Eval Bad_value)
  | Bin (op, a, b) ->
    let x = eval sheet visiting a in
    let y = eval sheet visiting b in
    (match op with
     | '+' -> x +. y
     | '-' -> x -. y
     | '*' -> x *. y
     | _ -> if y = 0. then raise (Eval Div0) else x /. y)
  | Call (name, args) ->
    let values =
      List.concat_map (function
          | Range (a, b) ->
            List.filter_map (fun at ->
                match value sheet visiting at with
                | Number f -> Some f
                | Err e -> raise (Eval e)
                | Blank | String _ -> None) (range_cells a b)
          | e -> [ eval sheet visiting e ]) args in
    match name, values with
    | "SUM", vs -> List.fold_left ( +. ) 0. vs
    | "COUNT", vs -> float (List.length vs)
    | ("AVG" | "MIN" | "MAX"), [] -> raise (Eval Div0)
    | "AVG", vs -> List.fold_left ( +. ) 0. vs /. float (List.length vs)
    | "MIN", v :: vs -> List.fold_left Float.min v vs
    | "MAX", v :: vs -> List.fold_left Float.max v vs
    | "IF", [ c; a; b ] -> if c <> 0. then a else b
    | "ROUND", [ v ] -> Float.round v
    | _ -> raise (Eval (Bad_name name))

let set sheet name text =
  match Coord.of_string name with
  | None -> Printf.printf "bad cell %s\n" name
  | Some at ->
    match
      if text = "" then Empty
      else if text.[0] = '=' then Formula (parse_formula (String.sub text 1 (String.length text - 1)))
      else match float_of_string_opt text with Some f -> Formula (Num f) | None -> Text text
    with
    | content ->
      sheet.cells <- CMap.add at content sheet.cells;
      sheet.cache <- CMap.empty
    | exception Parse m -> Printf.printf "%s: %s\n" name m

let show = function
  | Blank -> ""
  | String s -> s
  | Number f -> if Float.is_integer f then Printf.sprintf "%.0f" f else Printf.sprintf "%.2f" f
  | Err Div0 -> "#DIV/0"
  | Err Cycle -> "#CYCLE"
  | Err Bad_value -> "#VALUE"
  | Err (Bad_name n) -> "#" ^ n ^ "?"

let render sheet =
  let cols, rows = CMap.fold (fun (c, r) _ (mc, mr) -> (max c mc, max r mr)) sheet.cells (0, 0) in
  print_string "   ";
  for c = 0 to cols do Printf.printf " %-9s" (String.make 1 (Char.chr (65 + c))) done;
  print_newline ();
  for r = 0 to rows do
    Printf.printf "%2d " (r + 1);
    for c = 0 to cols do
      let v = value sheet CSet.empty (c, r) in
      match v with
      | Number _ -> Printf.printf "%9s " (show v)
      | _ -> Printf.printf " %-9s" (show v)
    done;
    print_newline ()
  done

let rec deps = function
  | Num _ -> CSet.empty
  | Ref a -> CSet.singleton a
  | Range (a, b) -> CSet.of_list (range_cells a b)
  | Bin (_, a, b) -> CSet.union (deps a) (deps b)
  | Call (_, l) -> List.fold_left (fun s e -> CSet.union s (deps e)) CSet.empty l

let dependents sheet at =
  CMap.fold (fun k c acc -> match c with Formula e when CSet.mem at (deps e) -> k :: acc | _ -> acc) sheet.cells []
  |> List.rev_map Coord.to_string

let () =
  let s = create () in
  List.iter (fun (c, t) -> set s c t)
    [ "A1", "item"; "B1", "price"; "C1", "qty"; "D1", "total";
      "A2", "bolt"; "B2", "0.25"; "C2", "120"; "D2", "=B2*C2";
      "A3", "gear"; "B3", "14.5"; "C3", "3"; "D3", "=B3*C3";
      "A4", "belt"; "B4", "9.99"; "C4", "2"; "D4", "=B4*C4";
      "A5", "sum"; "C5", "=SUM(C2:C4)"; "D5", "=SUM(D2:D4)";
      "A6", "avg"; "B6", "=AVG(B2:B4)"; "D6", "=D5/C5" ];
  render s;
  Printf.printf "%d evaluations\n" s.evals;
  set s "C3" "=C2/40+MAX(1, 2, -3)";
  set s "E2" "=D2/(C4-2)";
  set s "E3" "=E4";
  set s "E4" "=E3+1";
  set s "E5" "=A2+1";
  set s "E6" "=FOO(1)";
  set s "E7" "=IF(C4-2, 1, 2) + COUNT(A1:D6)";
  render s;
  List.iter (fun (c, t) -> set s c t) [ "Z", "1"; "A9", "=1+"; "A9", "=(1"; "A9", "=lower"; "A9", "=A1:"; "A9", "=1 1" ];
  Printf.printf "B2 is used by %s\n" (String.concat " " (dependents s (1, 1)));
  Printf.printf "C4 is used by %s\n" (String.concat " " (dependents s (2, 3)))
