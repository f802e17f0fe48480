type (_, _) eq = Refl : ('a, 'a) eq
let sym : type a b. (a, b) eq -> (b, a) eq = fun Refl -> Refl
let trans : type a b c. (a, b) eq -> (b, c) eq -> (a, c) eq = fun Refl Refl -> Refl
let cast : type a b. (a, b) eq -> a -> b = fun Refl x -> x
let cast_list (type a b) (Refl : (a, b) eq) (l : a list) : b list = l
let lift : type a b. (a, b) eq -> (a list, b list) eq = fun Refl -> Refl

type _ ty =
  | TInt : int ty
  | TString : string ty
  | TList : 'a ty -> 'a list ty
  | TPair : 'a ty * 'b ty -> ('a * 'b) ty
  | TFun : 'a ty * 'b ty -> ('a -> 'b) ty

let rec equal : type a b. a ty -> b ty -> (a, b) eq option = fun a b ->
  match a, b with
  | TInt, TInt -> Some Refl
  | TString, TString -> Some Refl
  | TList a, TList b -> (match equal a b with Some Refl -> Some Refl | None -> None)
  | TPair (a, b), TPair (c, d) ->
    (match equal a c, equal b d with
     | Some Refl, Some Refl -> Some Refl
     | _ -> None)
  | TFun (a, b), TFun (c, d) ->
    (match equal a c with
     | None -> None
     | Some Refl -> match equal b d with None -> None | Some Refl -> Some Refl)
  | _ -> None

let rec print : type a. a ty -> a -> string = fun t x ->
  match t with
  | TInt -> string_of_int x
  | TString -> "\"" ^ x ^ "\""
  | TList t -> "[" ^ String.concat "; " (List.map (print t) x) ^ "]"
  | TPair (a, b) -> let (x, y) = x in "(" ^ print a x ^ ", " ^ print b y ^ ")"
  | TFun _ -> "<fun>"

type dyn = Dyn : 'a ty * 'a -> dyn
let show (Dyn (t, x)) = print t x
let get : type a. a ty -> dyn -> a option = fun t (Dyn (u, x)) ->
  match equal u t with Some Refl -> Some x | None -> None

let () =
  print_endline (cast Refl "hello");
  print_endline (string_of_int (cast (trans Refl (sym Refl)) 5));
  List.iter print_int (cast_list Refl [1; 2]); print_newline ();
  List.iter print_int (cast (lift Refl) [3; 4]); print_newline ();
  let all = [Dyn (TInt, 3); Dyn (TString, "x"); Dyn (TList (TPair (TInt, TString)), [1, "a"; 2, "b"]); Dyn (TFun (TInt, TInt), succ)] in
  List.iter (fun d -> print_endline (show d)) all;
  let ints = List.filter_map (get TInt) all in
  Printf.printf "%d\n" (List.length ints);
  let fs = List.filter_map (get (TFun (TInt, TInt))) all in
  List.iter (fun f -> Printf.printf "%d\n" (f 41)) fs;
  match get (TList (TPair (TInt, TString))) (List.nth all 2) with
  | Some l -> List.iter (fun (n, s) -> Printf.printf "%d%s " n s) l; print_newline ()
  | None -> print_endline "none"
