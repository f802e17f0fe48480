(* Pattern matching: or-patterns, as, guards, ranges, nested tuples, arrays, strings, constants, inline records. *)

type shape =
  | Point
  | Circle of { r : float }
  | Rect of { w : float; h : float }
  | Poly of (float * float) list
  | Group of shape * shape

let rec describe = function
  | Point -> "point"
  | Circle { r } when r = 0. -> "degenerate circle"
  | Circle { r = 1. } -> "unit circle"
  | Circle _ -> "circle"
  | Rect { w; h } when w = h -> "square"
  | Rect _ -> "rect"
  | Poly ([] | [ _ ] | [ _; _ ]) -> "not a polygon"
  | Poly [ _; _; _ ] -> "triangle"
  | Poly (_ :: _ :: _ :: rest) -> Printf.sprintf "polygon with %d more" (List.length rest)
  | Group ((Point | Group (Point, Point)), Point) -> "points"
  | Group (a, b) -> describe a ^ " and " ^ describe b

let kind = function
  | 'a' | 'e' | 'i' | 'o' | 'u' -> "vowel"
  | 'a' .. 'z' -> "consonant"
  | 'A' .. 'Z' as c -> "capital of " ^ String.make 1 (Char.lowercase_ascii c)
  | '0' .. '9' -> "digit"
  | ' ' | '\t' | '\n' -> "blank"
  | _ -> "other"

let size n =
  match n with
  | 0 -> "zero"
  | 1 | 2 | 3 -> "few"
  | n when n < 0 -> "negative"
  | _ when n mod 2 = 0 -> "even"
  | max when max = max_int -> "max"
  | _ -> "odd"

let arr = function
  | [||] -> "empty"
  | [| x |] -> Printf.sprintf "one %d" x
  | [| 0; y |] | [| y; 0 |] -> Printf.sprintf "zero and %d" y
  | [| a; b; c |] when a + b = c -> "sum"
  | a -> Printf.sprintf "%d elements" (Array.length a)

let command s =
  match String.split_on_char ' ' s with
  | [ "go"; ("north" | "south" | "east" | "west") as dir ] -> "walking " ^ dir
  | [ "go"; dir ] -> "cannot go " ^ dir
  | "take" :: (_ :: _ as things) -> "taking " ^ String.concat "+" things
  | [ ("quit" | "exit") ] -> "bye"
  | [] | [ "" ] -> "nothing"
  | verb :: _ -> "unknown verb " ^ verb

let pairs = function
  | (0, _), _ | _, (0, _) -> "a zero"
  | ((a, "k") as p), (b, _) when a > b -> fst p |> string_of_int
  | (_, s), (_, t) when s = t -> "same text"
  | _ -> "plain"

let rec merge a b =
  match a, b with
  | [], l | l, [] -> l
  | (x :: xs as l), (y :: ys as r) -> if x <= y then x :: merge xs r else y :: merge l ys

let int32s = function 0l -> "zero" | 1l -> "one" | -1l -> "minus one" | _ -> "many"
let floats = function 0.5 -> "half" | 1e3 -> "thousand" | x when x <> x -> "nan" | _ -> "float"
let opt = function Some (Some x) -> x | Some None -> -1 | None -> -2

let () =
  List.iter (fun s -> print_endline (describe s))
    [ Point; Circle { r = 0. }; Circle { r = 1. }; Circle { r = 2. }; Rect { w = 2.; h = 2. };
      Rect { w = 1.; h = 2. }; Poly []; Poly [ (0., 0.); (1., 0.); (0., 1.) ];
      Poly (List.init 5 (fun i -> (float i, 0.))); Group (Point, Point); Group (Group (Point, Point), Point);
      Group (Point, Circle { r = 1. }) ];
  String.iter (fun c -> Printf.printf "%C is a %s\n" c (kind c)) "eQz7 \n~";
  List.iter (fun n -> print_string (size n ^ " ")) [ 0; 2; -5; 10; 11; max_int ];
  print_newline ();
  List.iter (fun a -> print_endline (arr a)) [ [||]; [| 7 |]; [| 0; 4 |]; [| 4; 0 |]; [| 1; 2; 3 |]; [| 1; 2; 4 |]; [| 1; 1 |] ];
  List.iter (fun c -> print_endline (command c)) [ "go north"; "go up"; "take lamp rope"; "take"; "quit"; ""; "dance now" ];
  List.iter (fun p -> print_endline (pairs p)) [ ((0, "a"), (1, "b")); ((3, "k"), (2, "z")); ((1, "s"), (1, "s")); ((1, "k"), (2, "j")) ];
  List.iter (Printf.printf "%d ") (merge [ 1; 4; 6 ] [ 2; 3; 7; 9 ]);
  print_newline ();
  Printf.printf "%s %s %s\n" (int32s 0l) (int32s (-1l)) (int32s 5l);
  Printf.printf "%s %s %s %s\n" (floats 0.5) (floats 1000.) (floats nan) (floats 2.);
  Printf.printf "%d %d %d\n" (opt (Some (Some 3))) (opt (Some None)) (opt None);
  let (a, b), [ c; d ] = (1, 2), [ 3; 4 ] in
  Printf.printf "%d\n" (a + b + c + d)
