(* Options of records in all places where data hold them: links that change, parents, arrays, references, lists, pairs,
   exceptions, closures, tables, suspensions and objects. *)

type node = {
  mutable n : int;
  mutable next : node option;
  mutable parent : tree option;
  name : string;
}

and tree = {
  mutable kids : tree list;
  mutable up : tree option;
  mutable link : link;
  label : string;
  mutable weight : float;
}

and link = End | To of node

type 'a chain = { value : 'a; mutable rest : 'a chain option; mutable seen : bool }

exception Found of node option * int

let seed = ref 17
let random n =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  (!seed lsr 8) mod n

let node n = { n; next = None; parent = None; name = "n" ^ string_of_int n }
let tree label = { kids = []; up = None; link = End; label; weight = 0.5 }
let name = function Some it -> it.name | None -> "-"
let label = function Some it -> it.label | None -> "-"
let rec length ?(limit = 20) = function Some it when limit > 0 -> 1 + length ~limit:(limit - 1) it.next | Some _ | None -> 0
let rec find p o = match o with None -> None | Some it when p it -> o | Some it -> find p it.next
let rec depth t = match t.up with Some up -> 1 + depth up | None -> 0
let rec root t = match t.up with Some up -> root up | None -> t

let rec grow depth =
  let t = tree ("t" ^ string_of_int depth) in
  if depth > 0 then
    for i = 1 to 1 + random 2 do
      let kid = grow (depth - 1) in
      kid.up <- Some t;
      if i = 1 then kid.link <- To (node depth);
      t.kids <- kid :: t.kids
    done;
  t

let rec walk f t =
  f t;
  List.iter (walk f) t.kids

let rec sum_chain f = function None -> 0 | Some { value; rest; _ } -> f value + sum_chain f rest
let rec chain make n = if n = 0 then None else Some { value = make n; rest = chain make (n - 1); seen = false }

let reverse o =
  let rec go before = function
    | None -> before
    | Some it as here ->
      let after = it.next in
      it.next <- before;
      go here after
  in
  go None o

let of_list l = List.fold_right (fun n rest -> Some { (node n) with next = rest }) l None
let rec to_list = function None -> [] | Some it -> it.n :: to_list it.next

class holder (first : node option) = object
  val mutable held = first
  method held = held
  method hold o = let old = held in held <- o; old
  method rename = Option.map (fun it -> { it with name = it.name ^ "'" }) held
end

let () =
  (* Links, walked and turned round. *)
  let l = of_list [ 1; 2; 3; 4; 5 ] in
  Printf.printf "%d %s %s\n" (length l) (name (find (fun it -> it.n = 3) l)) (name (find (fun it -> it.n = 9) l));
  let r = reverse l in
  Printf.printf "%s | %s\n" (String.concat "," (List.map string_of_int (to_list r))) (name l);
  (* Trees with parents. *)
  let t = grow 6 in
  let count = ref 0 and deepest = ref None in
  walk (fun it ->
    incr count;
    it.weight <- it.weight +. float (depth it);
    match !deepest with
    | Some other when depth other >= depth it -> ()
    | Some _ | None -> deepest := Some it) t;
  Printf.printf "%d %s %b %s\n" !count (label !deepest)
    (match !deepest with Some it -> root it == t | None -> false) (label t.up);
  walk (fun it -> match it.link with To n -> n.parent <- Some it; n.n <- n.n + 1 | End -> ()) t;
  let named = ref [] in
  walk (fun it -> match it.link with To { parent = Some p; n; _ } when n > 4 -> named := (p.label, n) :: !named | _ -> ()) t;
  List.iter (fun (p, n) -> Printf.printf "%s%d " p n) !named;
  print_newline ()

let () =
  (* Rings that change at random, in an array of options. *)
  let slots = Array.init 8 (fun i -> if i land 1 = 0 then Some (node i) else None) in
  for _ = 1 to 2000 do
    let i = random 8 and j = random 8 in
    match slots.(i), slots.(j), random 6 with
    | Some a, (Some _ as b), 0 -> a.next <- b
    | Some a, None, 1 -> slots.(j) <- a.next
    | Some a, Some b, 2 when a != b -> a.n <- a.n + b.n land 15
    | None, (Some _ as b), 3 -> slots.(i) <- b
    | ((Some { n = 0; _ } | None) as it), _, 4 | it, None, 4 ->
      let n = match it with None -> 100 + j | Some it -> it.n + 50 in
      slots.(i) <- Some { (node n) with next = slots.(j) }
    | _, _, 5 -> slots.(i) <- None
    | _ -> ()
  done;
  Array.iter (fun o -> Printf.printf "%s:%d " (name o) (length o)) slots;
  print_newline ();
  Array.fill slots 2 3 slots.(7);
  Array.sort (fun a b -> Option.compare (fun a b -> compare a.n b.n) a b) slots;
  Array.iter (fun o -> print_string (name o ^ " ")) slots;
  print_newline ()

let () =
  (* Other holders. *)
  let a = node 1 and b = node 2 in
  let options = [ Some a; None; Some b; a.next ] in
  Printf.printf "%d %s\n" (List.length (List.filter_map Fun.id options)) (String.concat " " (List.map name options));
  let both = (Some a, Some b) in
  let swap (x, y) = (y, x) in
  Printf.printf "%s %s\n" (name (fst (swap both))) (name (snd (swap both)));
  (try if length (Some a) = 1 then raise (Found (Some b, 3)) with Found (it, n) -> Printf.printf "%s %d\n" (name it) n);
  let table = Hashtbl.create 8 in
  Hashtbl.replace table "a" (Some a);
  Hashtbl.replace table "none" None;
  List.iter (fun key ->
    match Hashtbl.find_opt table key with
    | Some (Some it) -> print_string (it.name ^ " ")
    | Some None -> print_string "nothing "
    | None -> print_string "missing ") [ "a"; "none"; "b" ];
  print_newline ();
  let later = lazy (b.next <- Some a; b.next) in
  Printf.printf "%s %s %s\n" (name b.next) (name (Lazy.force later)) (name b.next);
  let remember = ref None in
  let keep o = let old = !remember in remember := o; fun () -> old in
  let first = keep (Some a) in
  let second = keep a.next in
  Printf.printf "%s %s %s\n" (name (first ())) (name (second ())) (name !remember);
  let o = new holder (Some a) in
  let old = o#hold b.next in
  Printf.printf "%s %s %s %b\n" (name old) (name o#held) (name o#rename) (match o#held with Some it -> it == a | None -> false)

let () =
  (* Generic records, and comparisons. *)
  let ints = chain (fun n -> n * n) 5 and strings = chain string_of_int 4 in
  Printf.printf "%d %d\n" (sum_chain Fun.id ints) (sum_chain String.length strings);
  Printf.printf "%b %b %b %d\n" (ints = chain (fun n -> n * n) 5) (ints = None) (strings <> chain string_of_int 3)
    (compare ints (chain (fun n -> n) 5));
  Printf.printf "%b %d\n" (Hashtbl.hash ints = Hashtbl.hash (chain (fun n -> n * n) 5)) (compare None strings);
  (match ints with Some c -> c.seen <- true; c.rest <- None | None -> ());
  Printf.printf "%b %d\n" (match ints with Some { seen; rest = None; _ } -> seen | Some _ | None -> false)
    (sum_chain Fun.id ints)
