(* Values of several types on one stack through variants; primitive table of closures; error results. *)

type value = I of int | F of float | S of string | B of bool | L of value list | Q of string list

let rec show = function
  | I n -> string_of_int n
  | F f -> Printf.sprintf "%g" f
  | S s -> Printf.sprintf "%S" s
  | B b -> string_of_bool b
  | L l -> "[" ^ String.concat " " (List.map show l) ^ "]"
  | Q q -> "{" ^ String.concat " " q ^ "}"

exception Type_mismatch of string * value list

let prims : (string * (value list -> value list)) list = [
  "+", (function I b :: I a :: s -> I (a + b) :: s | F b :: F a :: s -> F (a +. b) :: s
               | S b :: S a :: s -> S (a ^ b) :: s | L b :: L a :: s -> L (a @ b) :: s | s -> raise (Type_mismatch ("+", s)));
  "*", (function I b :: I a :: s -> I (a * b) :: s | F b :: F a :: s -> F (a *. b) :: s
               | I n :: S t :: s -> S (String.concat "" (List.init n (fun _ -> t))) :: s | s -> raise (Type_mismatch ("*", s)));
  "dup", (function a :: s -> a :: a :: s | s -> raise (Type_mismatch ("dup", s)));
  "swap", (function a :: b :: s -> b :: a :: s | s -> raise (Type_mismatch ("swap", s)));
  "drop", (function _ :: s -> s | [] -> raise (Type_mismatch ("drop", [])));
  "=", (function b :: a :: s -> B (a = b) :: s | s -> raise (Type_mismatch ("=", s)));
  "<", (function b :: a :: s -> B (a < b) :: s | s -> raise (Type_mismatch ("<", s)));
  "wrap", (function a :: s -> L [ a ] :: s | s -> raise (Type_mismatch ("wrap", s)));
  "size", (function L l :: s -> I (List.length l) :: s | S t :: s -> I (String.length t) :: s | s -> raise (Type_mismatch ("size", s)));
]

let rec quote depth acc = function
  | "}" :: rest when depth = 0 -> (List.rev acc, rest)
  | w :: rest -> quote (depth + (match w with "{" -> 1 | "}" -> -1 | _ -> 0)) (w :: acc) rest
  | [] -> failwith "unclosed {"

let rec run stack = function
  | [] -> stack
  | "{" :: rest -> let q, rest = quote 0 [] rest in run (Q q :: stack) rest
  | "call" :: rest -> (match stack with Q q :: s -> run (run s q) rest | s -> raise (Type_mismatch ("call", s)))
  | "if" :: rest -> (match stack with Q e :: Q t :: B c :: s -> run (run s (if c then t else e)) rest | s -> raise (Type_mismatch ("if", s)))
  | "times" :: rest ->
    (match stack with
     | Q q :: I n :: s -> run (List.fold_left (fun s () -> run s q) s (List.init n (fun _ -> ()))) rest
     | s -> raise (Type_mismatch ("times", s)))
  | "map" :: rest ->
    (match stack with
     | Q q :: L l :: s -> run (L (List.map (fun v -> List.hd (run [ v ] q)) l) :: s) rest
     | s -> raise (Type_mismatch ("map", s)))
  | w :: rest ->
    match List.assoc_opt w prims with
    | Some f -> run (f stack) rest
    | None ->
      let v =
        match int_of_string_opt w, float_of_string_opt w, bool_of_string_opt w with
        | Some n, _, _ -> I n
        | _, Some f, _ -> F f
        | _, _, Some b -> B b
        | _ -> S w in
      run (v :: stack) rest

let () =
  List.iter (fun src ->
      Printf.printf "%s => " src;
      match run [] (String.split_on_char ' ' src) with
      | s -> print_endline (String.concat " " (List.rev_map show s))
      | exception Type_mismatch (op, s) -> Printf.printf "type error in %s on %s\n" op (String.concat " " (List.rev_map show s))
      | exception Failure m -> Printf.printf "%s\n" m)
    [ "1 2 +"; "1.5 2.5 *"; "ab 3 *"; "a b +"; "1 b +"; "1 wrap 2 wrap + 3 wrap +"; "5 dup *"; "1 2 < { yes } { no } if";
      "1 10 { 2 * } times"; "1 wrap 2 wrap + { dup * } map"; "{ 1 { 2 } call + } call"; "dup"; "{ 1"; "hello size"; "true false ="; "2 { 3 { 1 + } times } { } swap call" ]
