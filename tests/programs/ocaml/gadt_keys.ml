type _ key = Name : string key | Age : int key | Tags : string list key
type binding = B : 'a key * 'a -> binding
type (_, _) eq = Refl : ('a, 'a) eq
let same : type a b. a key -> b key -> (a, b) eq option = fun a b ->
  match a, b with
  | Name, Name -> Some Refl
  | Age, Age -> Some Refl
  | Tags, Tags -> Some Refl
  | (Name | Age | Tags), _ -> None
let rec find : type a. a key -> binding list -> a option = fun k -> function
  | [] -> None
  | B (k', v) :: rest -> (match same k' k with Some Refl -> Some v | None -> find k rest)
let add k v m = B (k, v) :: m
let describe (B (k, v)) = match k, v with
  | Name, "" -> "nameless"
  | Name, n -> "name " ^ n
  | Age, 0 -> "newborn"
  | Age, n -> "age " ^ string_of_int n
  | Tags, [] -> "no tags"
  | Tags, l -> "tags " ^ String.concat "," l
let () =
  let m = add Name "Ann" (add Age 30 (add Tags ["a"; "b"] [])) in
  (match find Name m with Some n -> print_endline n | None -> print_endline "-");
  (match find Age m with Some n -> Printf.printf "%d\n" (n + 1) | None -> print_endline "-");
  (match find Tags m with Some l -> print_endline (String.concat "+" l) | None -> print_endline "-");
  List.iter (fun b -> print_endline (describe b)) (B (Name, "") :: B (Age, 0) :: B (Tags, []) :: m)
