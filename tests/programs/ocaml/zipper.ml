(* List zipper as a text cursor, and a tree zipper with navigation by options. *)

type 'a zipper = { left : 'a list; right : 'a list }

let of_list l = { left = []; right = l }
let to_list z = List.rev_append z.left z.right
let right z = match z.right with [] -> z | x :: r -> { left = x :: z.left; right = r }
let left z = match z.left with [] -> z | x :: l -> { left = l; right = x :: z.right }
let insert x z = { z with left = x :: z.left }
let delete z = match z.left with [] -> z | _ :: l -> { z with left = l }

let explode s = List.init (String.length s) (String.get s)
let implode l = String.concat "" (List.map (String.make 1) l)
let show z = implode (List.rev z.left) ^ "|" ^ implode z.right

let edit script z =
  List.fold_left (fun z c ->
      match c with
      | '<' -> left z
      | '>' -> right z
      | '#' -> delete z
      | c -> insert c z) z (explode script)

type tree = Leaf of string | Node of tree list

type path =
  | Top
  | Step of { before : tree list; up : path; after : tree list }

type loc = tree * path

let ( >>= ) = Option.bind

let down : loc -> loc option = function
  | Node (t :: ts), p -> Some (t, Step { before = []; up = p; after = ts })
  | _ -> None

let next = function
  | t, Step ({ before; after = a :: rest; _ } as s) ->
    Some (a, Step { s with before = t :: before; after = rest })
  | _ -> None

let up = function
  | _, Top -> None
  | t, Step { before; up; after } -> Some (Node (List.rev_append before (t :: after)), up)

let rec root l = match up l with None -> fst l | Some l -> root l

let replace t (_, p) = Some (t, p)

let rec print = function
  | Leaf s -> s
  | Node ts -> "(" ^ String.concat " " (List.map print ts) ^ ")"

let () =
  let z = of_list (explode "hello") in
  List.iter (fun s -> Printf.printf "%-10s %s\n" s (show (edit s z)))
    [ ""; "X"; ">>X"; ">>##"; ">>>>>>!"; "<#<"; ">a<<b>>>c" ];
  print_endline (implode (to_list (edit ">>>" z)));
  let t = Node [ Leaf "a"; Node [ Leaf "b"; Leaf "c"; Node [ Leaf "d" ] ]; Leaf "e" ] in
  print_endline (print t);
  let show = function None -> "nowhere" | Some l -> print (root l) in
  let start = Some (t, Top) in
  print_endline (show (start >>= down >>= next >>= down >>= next >>= replace (Leaf "X")));
  print_endline (show (start >>= down >>= replace (Node []) >>= next >>= next >>= replace (Leaf "E")));
  print_endline (show (start >>= down >>= down));
  print_endline (show (start >>= up));
  match start >>= down >>= next >>= down >>= next >>= next >>= down with
  | Some (Leaf s, _) -> print_endline ("at " ^ s)
  | Some (Node _, _) -> print_endline "at a node"
  | None -> print_endline "lost"
