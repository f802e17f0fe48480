(* A value is read from a variable and only looked at, while what the same variable holds is read once more, handed over
   and replaced: the first reader keeps what it needs. And variables of which only some ways replace what they hold. *)

let[@inline never] rec reversed acc = function [] -> acc | x :: r -> reversed ((x * 2) :: acc) r
let[@inline never] rec sum = function [] -> 0 | x :: r -> x + sum r

let q = ref []

let both () =
  let before = !q in
  let n = reversed [] !q in
  let s = sum before in
  q := n;
  s

type queue = { mutable items : string list; mutable count : int }

let[@inline never] pop w =
  match w.items with
  | [] -> "empty"
  | x :: rest ->
    w.items <- rest;
    w.count <- w.count - 1;
    x ^ "/" ^ string_of_int (List.length rest)

let[@inline never] rotate w =
  match w.items with
  | [] | [ _ ] -> ()
  | x :: y :: rest -> w.items <- y :: x :: rest

(* The part that is looked at lives longer than the object. *)
let[@inline never] rec show f = function
  | [] -> []
  | x :: rest ->
    let tail = show f rest in
    if String.length x > 1 then (f x ^ "!") :: tail else f x :: tail

let stack = ref [ "a" ]

let drain () =
  let b = Buffer.create 16 in
  let rec loop () =
    match !stack with
    | [] -> Buffer.contents b
    | x :: rest ->
      stack := rest;
      if String.length x < 3 then stack := (x ^ "x") :: (x ^ "y") :: !stack;
      Buffer.add_string b x;
      loop ()
  in
  loop ()

let () =
  q := List.init 5 succ;
  print_int (both ());
  print_int (both ());
  print_newline ();
  let w = { items = List.init 4 string_of_int; count = 4 } in
  let kept = w.items in
  rotate w;
  for _ = 1 to 5 do print_endline (pop w) done;
  print_endline (String.concat "," kept);
  print_endline (String.concat " " (show String.uppercase_ascii [ "a"; "bc"; "d" ]));
  let words = List.init 3 (fun i -> String.make (i + 1) 'z') in
  print_endline (String.concat " " (show (fun x -> x ^ x) words @ words));
  print_endline (drain ())
