(* A small Prolog: parser, unification with a trail, depth-first search with success continuations. *)

type term =
  | Atom of string
  | Num of int
  | Var of string * int
  | Comp of string * term list

type clause = { head : term; body : term list }

exception Syntax of string

(* ---- parsing ---- *)

let parse_clauses src =
  let n = String.length src in
  let pos = ref 0 in
  let rec skip () =
    if !pos < n then
      match src.[!pos] with
      | ' ' | '\n' -> incr pos; skip ()
      | '%' -> while !pos < n && src.[!pos] <> '\n' do incr pos done; skip ()
      | _ -> () in
  let looking s =
    skip ();
    let l = String.length s in
    !pos + l <= n && String.sub src !pos l = s in
  let accept s = looking s && (pos := !pos + String.length s; true) in
  let expect s = if not (accept s) then raise (Syntax (Printf.sprintf "expected %s at %d" s !pos)) in
  let word () =
    let start = !pos in
    while !pos < n && (match src.[!pos] with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true | _ -> false) do incr pos done;
    String.sub src start (!pos - start) in
  let rec term () =
    skip ();
    if !pos >= n then raise (Syntax "unexpected end");
    match src.[!pos] with
    | 'A' .. 'Z' | '_' -> Var (word (), 0)
    | '0' .. '9' -> Num (int_of_string (word ()))
    | '[' ->
      incr pos;
      if accept "]" then Atom "[]"
      else
        let rec items () =
          let t = term () in
          if accept "," then Comp (".", [ t; items () ])
          else if accept "|" then begin
            let tl = term () in
            expect "]";
            Comp (".", [ t; tl ])
          end else begin
            expect "]";
            Comp (".", [ t; Atom "[]" ])
          end in
        items ()
    | 'a' .. 'z' ->
      let name = word () in
      if accept "(" then Comp (name, args ()) else Atom name
    | c -> raise (Syntax (Printf.sprintf "unexpected %C" c))
  and args () =
    let t = goal () in
    if accept "," then t :: args () else (expect ")"; [ t ])
  and goal () =
    let l = term () in
    if accept "\\=" then Comp ("\\=", [ l; term () ])
    else if accept "=" then Comp ("=", [ l; term () ])
    else if accept "<" then Comp ("<", [ l; term () ])
    else l in
  let rec goals () =
    let g = goal () in
    if accept "," then g :: goals () else [ g ] in
  let rec all acc =
    skip ();
    if !pos >= n then List.rev acc
    else begin
      let head = goal () in
      let body = if accept ":-" then goals () else [] in
      expect ".";
      all ({ head; body } :: acc)
    end in
  (all, goals)

let program src = let all, _ = parse_clauses src in all []
let query src = let _, goals = parse_clauses src in goals ()

(* ---- solving ---- *)

let bindings : (string * int, term) Hashtbl.t = Hashtbl.create 97
let trail = ref []

let rec walk t =
  match t with
  | Var (x, i) -> (match Hashtbl.find_opt bindings (x, i) with Some t -> walk t | None -> t)
  | t -> t

let bind v t = Hashtbl.replace bindings v t; trail := v :: !trail

let undo mark =
  while !trail != mark do
    match !trail with
    | v :: rest -> Hashtbl.remove bindings v; trail := rest
    | [] -> assert false
  done

let rec unify a b =
  match walk a, walk b with
  | Var (x, i), Var (y, j) when x = y && i = j -> true
  | Var (x, i), t | t, Var (x, i) -> bind (x, i) t; true
  | Atom a, Atom b -> a = b
  | Num a, Num b -> a = b
  | Comp (f, xs), Comp (g, ys) -> f = g && List.length xs = List.length ys && List.for_all2 unify xs ys
  | _ -> false

let rec rename i = function
  | Var ("_", _) -> Var ("_" ^ string_of_int i, i)
  | Var (x, _) -> Var (x, i)
  | Comp (f, ts) -> Comp (f, List.map (rename i) ts)
  | t -> t

let rec resolve t =
  match walk t with
  | Comp (f, ts) -> Comp (f, List.map resolve ts)
  | t -> t

let rec show t =
  match t with
  | Atom a -> a
  | Num n -> string_of_int n
  | Var (x, i) -> if i = 0 then x else Printf.sprintf "_%s" x
  | Comp (".", [ h; tl ]) -> "[" ^ show h ^ show_tail tl ^ "]"
  | Comp (f, ts) -> f ^ "(" ^ String.concat "," (List.map show ts) ^ ")"

and show_tail = function
  | Atom "[]" -> ""
  | Comp (".", [ h; tl ]) -> "," ^ show h ^ show_tail tl
  | t -> "|" ^ show t

let steps = ref 0
exception Limit

let rec solve db depth goals sk =
  incr steps;
  if !steps > 20_000 then raise Limit;
  match goals with
  | [] -> sk ()
  | goal :: rest ->
    match walk goal with
    | Comp ("=", [ a; b ]) -> attempt (fun () -> unify a b) (fun () -> solve db depth rest sk)
    | Comp ("\\=", [ a; b ]) ->
      let mark = !trail in
      let u = unify a b in
      undo mark;
      if not u then solve db depth rest sk
    | Comp ("<", [ a; b ]) ->
      (match walk a, walk b with
       | Num x, Num y -> if x < y then solve db depth rest sk
       | _ -> ())
    | Comp ("not", [ g ]) ->
      let mark = !trail in
      let exception Yes in
      let failed = (try solve db (depth + 1) [ g ] (fun () -> raise Yes); true with Yes -> false) in
      undo mark;
      if failed then solve db depth rest sk
    | Comp ("plus", [ a; b; c ]) ->
      (match walk a, walk b with
       | Num x, Num y -> attempt (fun () -> unify c (Num (x + y))) (fun () -> solve db depth rest sk)
       | _ -> ())
    | goal ->
      List.iter (fun { head; body } ->
          incr steps;
          let id = !steps in
          attempt (fun () -> unify goal (rename id head)) (fun () ->
              solve db (depth + 1) (List.map (rename id) body @ rest) sk)) db

and attempt test k =
  let mark = !trail in
  if test () then k ();
  undo mark

let rec vars acc = function
  | Var (x, 0) when x.[0] <> '_' -> if List.mem x acc then acc else acc @ [ x ]
  | Comp (_, ts) -> List.fold_left vars acc ts
  | _ -> acc

exception Enough

let ask db src =
  Printf.printf "?- %s\n" src;
  Hashtbl.reset bindings;
  trail := [];
  steps := 0;
  match query src with
  | exception Syntax m -> Printf.printf "   syntax error: %s\n" m
  | goals ->
    let names = List.fold_left vars [] goals in
    let found = ref 0 in
    (try
       solve db 0 goals (fun () ->
           incr found;
           if names = [] then print_endline "   yes"
           else
             Printf.printf "   %s\n"
               (String.concat ", " (List.map (fun x -> x ^ " = " ^ show (resolve (Var (x, 0)))) names));
           if !found >= 6 then raise Enough)
     with
     | Enough -> print_endline "   ..."
     | Limit -> print_endline "   (gave up)");
    if !found = 0 then print_endline "   no"

let db = program "
% family
parent(tom, bob). parent(tom, liz). parent(bob, ann). parent(bob, pat). parent(pat, jim).
female(liz). female(ann). female(pat).
mother(X, Y) :- parent(X, Y), female(X).
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
sibling(X, Y) :- parent(P, X), parent(P, Y), X \\= Y.
% lists
append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
member(X, [X|_]).
member(X, [_|T]) :- member(X, T).
reverse([], []).
reverse([H|T], R) :- reverse(T, S), append(S, [H], R).
length([], 0).
length([_|T], N) :- length(T, M), plus(M, 1, N).
select(X, [X|T], T).
select(X, [H|T], [H|R]) :- select(X, T, R).
perm([], []).
perm(L, [H|T]) :- select(H, L, R), perm(R, T).
sorted([]). sorted([_]).
sorted([A,B|T]) :- not(B < A), sorted([B|T]).
sort(L, S) :- perm(L, S), sorted(S).
loop(X) :- loop(X).
"

let () =
  List.iter (ask db)
    [ "parent(tom, X)"; "ancestor(X, jim)"; "mother(pat, jim)"; "mother(tom, bob)"; "sibling(X, Y)";
      "append([1,2], [3], L)"; "append(X, Y, [a,b])"; "append(X, [c], [a,b,c])"; "reverse([1,2,3,4], R)";
      "length([a,b,c], N)"; "member(X, [1,2,3]), 1 < X"; "sort([3,1,2], S)"; "perm([1,2,3], P)";
      "X = f(Y, b), Y = a"; "f(X, a) = f(b, X)"; "loop(x)"; "member(Z, L)"; "parent(tom"; "not(parent(jim, X))" ]
