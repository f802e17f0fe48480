(* A tiny SQL engine: tokenizer, parser, typed values, where/order/group/limit, insert/update/delete; script from stdin. *)

type value = Int of int | Text of string | Null

type expr =
  | Lit of value
  | Col of string
  | Op of string * expr * expr
  | Not of expr
  | Agg of string * string

type select = {
  cols : (expr * string) list;   (* empty means star *)
  table : string;
  where : expr option;
  group : string option;
  order : (string * bool) option; (* column, descending *)
  limit : int option;
}

type stmt =
  | Create of string * string list
  | Insert of string * value list list
  | Select of select
  | Update of string * (string * expr) list * expr option
  | Delete of string * expr option

type token = Word of string | Number of int | Quoted of string | Sym of string

exception Sql_error of string
let fail fmt = Printf.ksprintf (fun s -> raise (Sql_error s)) fmt

(* ---- lexing ---- *)

let tokenize s =
  let n = String.length s in
  let rec span i p = if i < n && p s.[i] then span (i + 1) p else i in
  let rec go i acc =
    if i >= n then List.rev acc
    else
      match s.[i] with
      | ' ' | '\t' | '\n' -> go (i + 1) acc
      | '0' .. '9' ->
        let j = span i (function '0' .. '9' -> true | _ -> false) in
        go j (Number (int_of_string (String.sub s i (j - i))) :: acc)
      | 'a' .. 'z' | 'A' .. 'Z' | '_' ->
        let j = span i (function 'a' .. 'z' | 'A' .. 'Z' | '_' | '0' .. '9' -> true | _ -> false) in
        go j (Word (String.lowercase_ascii (String.sub s i (j - i))) :: acc)
      | '\'' ->
        (match String.index_from_opt s (i + 1) '\'' with
         | Some j -> go (j + 1) (Quoted (String.sub s (i + 1) (j - i - 1)) :: acc)
         | None -> fail "unterminated string")
      | ('<' | '>' | '!') as c when i + 1 < n && s.[i + 1] = '=' -> go (i + 2) (Sym (String.make 1 c ^ "=") :: acc)
      | ('<' | '>' | '=' | '+' | '-' | '*' | '/' | '(' | ')' | ',' | ';') as c -> go (i + 1) (Sym (String.make 1 c) :: acc)
      | c -> fail "unexpected character %C" c in
  go 0 []

(* ---- parsing ---- *)

let show_token = function
  | Word w -> w
  | Number n -> string_of_int n
  | Quoted s -> "'" ^ s ^ "'"
  | Sym s -> s

let parse toks =
  let toks = ref toks in
  let peek () = match !toks with t :: _ -> Some t | [] -> None in
  let advance () = match !toks with _ :: t -> toks := t | [] -> () in
  let accept t = peek () = Some t && (advance (); true) in
  let expect t =
    if not (accept t) then
      fail "expected %s, found %s" (show_token t) (match peek () with Some t -> show_token t | None -> "end") in
  let word () = match peek () with
    | Some (Word w) -> advance (); w
    | Some t -> fail "expected a name, found %s" (show_token t)
    | None -> fail "expected a name, found end" in
  let rec comma p = let x = p () in if accept (Sym ",") then x :: comma p else [ x ] in
  let literal () = match peek () with
    | Some (Number n) -> advance (); Int n
    | Some (Quoted s) -> advance (); Text s
    | Some (Word "null") -> advance (); Null
    | Some (Sym "-") -> advance (); (match peek () with Some (Number n) -> advance (); Int (-n) | _ -> fail "bad number")
    | _ -> fail "expected a literal" in
  let rec expr () = let l = conj () in if accept (Word "or") then Op ("or", l, expr ()) else l
  and conj () = let l = cmp () in if accept (Word "and") then Op ("and", l, conj ()) else l
  and cmp () =
    if accept (Word "not") then Not (cmp ())
    else
      let l = sum () in
      match peek () with
      | Some (Sym (("<" | ">" | "=" | "<=" | ">=" | "!=") as o)) -> advance (); Op (o, l, sum ())
      | Some (Word "like") -> advance (); Op ("like", l, sum ())
      | _ -> l
  and sum () =
    let rec go l = match peek () with
      | Some (Sym (("+" | "-") as o)) -> advance (); let r = product () in go (Op (o, l, r))
      | _ -> l in
    go (product ())
  and product () =
    let rec go l = match peek () with
      | Some (Sym (("*" | "/") as o)) -> advance (); let r = atom () in go (Op (o, l, r))
      | _ -> l in
    go (atom ())
  and atom () =
    match peek () with
    | Some (Sym "(") -> advance (); let e = expr () in expect (Sym ")"); e
    | Some (Word (("count" | "sum" | "min" | "max") as f)) ->
      advance ();
      expect (Sym "(");
      let arg = if accept (Sym "*") then "*" else word () in
      expect (Sym ")");
      Agg (f, arg)
    | Some (Word w) when w <> "null" -> advance (); Col w
    | _ -> Lit (literal ()) in
  let opt kw p = if accept (Word kw) then Some (p ()) else None in
  let column () =
    let e = expr () in
    let name =
      if accept (Word "as") then word ()
      else match e with Col c -> c | Agg (f, a) -> f ^ "(" ^ a ^ ")" | _ -> "?" in
    (e, name) in
  let stmt =
    match word () with
    | "create" ->
      expect (Word "table");
      let t = word () in
      expect (Sym "(");
      let cs = comma word in
      expect (Sym ")");
      Create (t, cs)
    | "insert" ->
      expect (Word "into");
      let t = word () in
      expect (Word "values");
      Insert (t, comma (fun () -> expect (Sym "("); let vs = comma literal in expect (Sym ")"); vs))
    | "select" ->
      let cols = if accept (Sym "*") then [] else comma column in
      expect (Word "from");
      let table = word () in
      let where = opt "where" expr in
      let group = opt "group" (fun () -> expect (Word "by"); word ()) in
      let order = opt "order" (fun () ->
          expect (Word "by");
          let c = word () in
          (c, if accept (Word "desc") then true else (ignore (accept (Word "asc")); false))) in
      let limit = opt "limit" (fun () -> match literal () with Int n -> n | _ -> fail "bad limit") in
      Select { cols; table; where; group; order; limit }
    | "update" ->
      let t = word () in
      expect (Word "set");
      let sets = comma (fun () -> let c = word () in expect (Sym "="); (c, expr ())) in
      Update (t, sets, opt "where" expr)
    | "delete" ->
      expect (Word "from");
      let t = word () in
      Delete (t, opt "where" expr)
    | w -> fail "unknown statement %s" w in
  ignore (accept (Sym ";"));
  (match peek () with Some t -> fail "unexpected %s" (show_token t) | None -> ());
  stmt

(* ---- execution ---- *)

type table = { columns : string list; mutable rows : value array list }

let tables : (string, table) Hashtbl.t = Hashtbl.create 8
let find_table t = try Hashtbl.find tables t with Not_found -> fail "no table %s" t

let index columns c =
  let rec go i = function [] -> fail "no column %s" c | x :: r -> if x = c then i else go (i + 1) r in
  go 0 columns

let truth = function Int 0 | Null -> false | _ -> true
let of_bool b = Int (if b then 1 else 0)

let rec like pat s i j =
  if i = String.length pat then j = String.length s
  else match pat.[i] with
    | '%' -> like pat s (i + 1) j || (j < String.length s && like pat s i (j + 1))
    | '_' -> j < String.length s && like pat s (i + 1) (j + 1)
    | c -> j < String.length s && s.[j] = c && like pat s (i + 1) (j + 1)

let rec eval columns group row = function
  | Lit v -> v
  | Col c -> row.(index columns c)
  | Not e -> of_bool (not (truth (eval columns group row e)))
  | Op ("and", a, b) -> of_bool (truth (eval columns group row a) && truth (eval columns group row b))
  | Op ("or", a, b) -> of_bool (truth (eval columns group row a) || truth (eval columns group row b))
  | Op (o, a, b) ->
    let x = eval columns group row a in
    let y = eval columns group row b in
    (match o, x, y with
     | _, Null, _ | _, _, Null -> Null
     | "+", Int a, Int b -> Int (a + b)
     | "+", Text a, Text b -> Text (a ^ b)
     | "-", Int a, Int b -> Int (a - b)
     | "*", Int a, Int b -> Int (a * b)
     | "/", Int _, Int 0 -> Null
     | "/", Int a, Int b -> Int (a / b)
     | "like", Text s, Text p -> of_bool (like p s 0 0)
     | "=", a, b -> of_bool (a = b)
     | "!=", a, b -> of_bool (a <> b)
     | "<", a, b -> of_bool (a < b)
     | ">", a, b -> of_bool (a > b)
     | "<=", a, b -> of_bool (a <= b)
     | ">=", a, b -> of_bool (a >= b)
     | o, _, _ -> fail "type error in %s" o)
  | Agg ("count", "*") -> Int (List.length group)
  | Agg (f, c) ->
    let i = index columns c in
    let vs = List.filter (( <> ) Null) (List.map (fun r -> r.(i)) group) in
    (match f, vs with
     | "count", vs -> Int (List.length vs)
     | _, [] -> Null
     | "sum", vs -> Int (List.fold_left (fun a -> function Int n -> a + n | _ -> fail "sum of text") 0 vs)
     | "min", v :: vs -> List.fold_left min v vs
     | _, v :: vs -> List.fold_left max v vs)

let rec has_agg = function
  | Agg _ -> true
  | Op (_, a, b) -> has_agg a || has_agg b
  | Not e -> has_agg e
  | Lit _ | Col _ -> false

let matching t where = List.filter (fun r -> match where with None -> true | Some e -> truth (eval t.columns [] r e)) t.rows

let show = function Int n -> string_of_int n | Text s -> s | Null -> "-"

let print_rows names rows =
  let cells = names :: List.map (List.map show) rows in
  let widths = List.fold_left (List.map2 (fun w s -> max w (String.length s))) (List.map (fun _ -> 0) names) cells in
  List.iteri (fun i r ->
      print_endline ("  " ^ String.concat " | " (List.map2 (fun w s -> Printf.sprintf "%-*s" w s) widths r));
      if i = 0 then print_endline ("  " ^ String.concat "-+-" (List.map (fun w -> String.make w '-') widths))) cells

let run_select q =
  let t = find_table q.table in
  let rows = matching t q.where in
  let cols = if q.cols = [] then List.map (fun c -> (Col c, c)) t.columns else q.cols in
  let groups =
    match q.group with
    | Some c ->
      let i = index t.columns c in
      List.sort_uniq compare (List.map (fun r -> r.(i)) rows)
      |> List.map (fun k -> List.filter (fun r -> r.(i) = k) rows)
    | None -> if List.exists (fun (e, _) -> has_agg e) cols then [ rows ] else List.map (fun r -> [ r ]) rows in
  let blank = Array.make (List.length t.columns) Null in
  let out =
    List.map (fun g ->
        let row = match g with r :: _ -> r | [] -> blank in
        (row, List.map (fun (e, _) -> eval t.columns g row e) cols)) groups in
  let names = List.map snd cols in
  let out =
    match q.order with
    | None -> out
    | Some (c, desc) ->
      let key (row, vs) = match List.assoc_opt c (List.combine names vs) with Some v -> v | None -> row.(index t.columns c) in
      List.stable_sort (fun a b -> let r = compare (key a) (key b) in if desc then -r else r) out in
  let out = match q.limit with None -> out | Some n -> List.filteri (fun i _ -> i < n) out in
  print_rows names (List.map snd out)

let execute = function
  | Create (t, columns) ->
    if Hashtbl.mem tables t then fail "table %s exists" t;
    Hashtbl.add tables t { columns; rows = [] };
    print_endline "  created"
  | Insert (t, rows) ->
    let t = find_table t in
    List.iter (fun vs ->
        if List.length vs <> List.length t.columns then
          fail "expected %d values, got %d" (List.length t.columns) (List.length vs)) rows;
    t.rows <- t.rows @ List.map Array.of_list rows;
    Printf.printf "  %d inserted\n" (List.length rows)
  | Select q -> run_select q
  | Update (t, sets, where) ->
    let t = find_table t in
    let hit = matching t where in
    List.iter (fun r ->
        let vs = List.map (fun (c, e) -> (index t.columns c, eval t.columns [] r e)) sets in
        List.iter (fun (i, v) -> r.(i) <- v) vs) hit;
    Printf.printf "  %d updated\n" (List.length hit)
  | Delete (t, where) ->
    let t = find_table t in
    let gone = matching t where in
    t.rows <- List.filter (fun r -> not (List.memq r gone)) t.rows;
    Printf.printf "  %d deleted\n" (List.length gone)

let () =
  let rec loop () =
    match input_line stdin with
    | exception End_of_file -> ()
    | "" -> loop ()
    | line ->
      Printf.printf "sql> %s\n" line;
      (try execute (parse (tokenize line)) with Sql_error m -> Printf.printf "  error: %s\n" m);
      loop () in
  loop ()
