(* AVL tree as a functor over an ordered type, with invariant checks. *)

module type ORD = sig
  type t
  val compare : t -> t -> int
  val show : t -> string
end

module type AVL = sig
  type elt
  type t
  val empty : t
  val add : elt -> t -> t
  val remove : elt -> t -> t
  val mem : elt -> t -> bool
  val height : t -> int
  val to_list : t -> elt list
  val check : t -> bool
  val draw : t -> string
end

module Make (O : ORD) : AVL with type elt = O.t = struct
  type elt = O.t
  type t = E | N of { l : t; v : elt; r : t; h : int }

  let empty = E
  let height = function E -> 0 | N { h; _ } -> h
  let node l v r = N { l; v; r; h = 1 + max (height l) (height r) }

  let balance l v r =
    let hl = height l and hr = height r in
    if hl > hr + 1 then
      match l with
      | N { l = ll; v = lv; r = lr; _ } when height ll >= height lr -> node ll lv (node lr v r)
      | N { l = ll; v = lv; r = N { l = lrl; v = lrv; r = lrr; _ }; _ } ->
        node (node ll lv lrl) lrv (node lrr v r)
      | _ -> assert false
    else if hr > hl + 1 then
      match r with
      | N { l = rl; v = rv; r = rr; _ } when height rr >= height rl -> node (node l v rl) rv rr
      | N { l = N { l = rll; v = rlv; r = rlr; _ }; v = rv; r = rr; _ } ->
        node (node l v rll) rlv (node rlr rv rr)
      | _ -> assert false
    else node l v r

  let rec add x = function
    | E -> node E x E
    | N { l; v; r; _ } as t ->
      let c = O.compare x v in
      if c = 0 then t
      else if c < 0 then balance (add x l) v r
      else balance l v (add x r)

  let rec pop_min = function
    | E -> raise Not_found
    | N { l = E; v; r; _ } -> (v, r)
    | N { l; v; r; _ } -> let m, l = pop_min l in (m, balance l v r)

  let rec remove x = function
    | E -> E
    | N { l; v; r; _ } ->
      match O.compare x v with
      | 0 ->
        (match l, r with
         | E, t | t, E -> t
         | _ -> let m, r = pop_min r in balance l m r)
      | c when c < 0 -> balance (remove x l) v r
      | _ -> balance l v (remove x r)

  let rec mem x = function
    | E -> false
    | N { l; v; r; _ } ->
      let c = O.compare x v in
      c = 0 || mem x (if c < 0 then l else r)

  let to_list t =
    let rec go acc = function E -> acc | N { l; v; r; _ } -> go (v :: go acc r) l in
    go [] t

  let rec check = function
    | E -> true
    | N { l; r; h; _ } ->
      abs (height l - height r) <= 1 && h = 1 + max (height l) (height r) && check l && check r

  let rec draw = function
    | E -> "."
    | N { l = E; v; r = E; _ } -> O.show v
    | N { l; v; r; _ } -> Printf.sprintf "(%s %s %s)" (draw l) (O.show v) (draw r)
end

module IntAvl = Make (struct type t = int let compare = Int.compare let show = string_of_int end)
module StrAvl = Make (struct include String let show s = s end)

let () =
  let t = List.fold_left (fun t x -> IntAvl.add x t) IntAvl.empty [ 1; 2; 3; 4; 5; 6; 7; 8; 9; 10 ] in
  print_endline (IntAvl.draw t);
  let t = List.fold_left (fun t x -> IntAvl.remove x t) t [ 4; 8; 100; 1 ] in
  print_endline (IntAvl.draw t);
  let big = ref IntAvl.empty in
  let x = ref 7 in
  for _ = 1 to 1000 do
    x := !x * 137 mod 4099;
    big := IntAvl.add !x !big
  done;
  Printf.printf "size %d height %d ok %b\n" (List.length (IntAvl.to_list !big))
    (IntAvl.height !big) (IntAvl.check !big);
  for i = 0 to 2000 do big := IntAvl.remove i !big done;
  Printf.printf "size %d height %d ok %b mem %b %b\n" (List.length (IntAvl.to_list !big))
    (IntAvl.height !big) (IntAvl.check !big) (IntAvl.mem 1000 !big)
    (IntAvl.mem (List.hd (IntAvl.to_list !big)) !big);
  let s = List.fold_right StrAvl.add [ "pear"; "fig"; "apple"; "kiwi"; "plum"; "date" ] StrAvl.empty in
  print_endline (StrAvl.draw s);
  print_endline (String.concat " " (StrAvl.to_list s))
