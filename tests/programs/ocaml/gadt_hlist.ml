type _ hlist =
  | [] : unit hlist
  | (::) : 'a * 'b hlist -> ('a * 'b) hlist
type _ shows =
  | N : unit shows
  | C : ('a -> string) * 'b shows -> ('a * 'b) shows
let head : type a b. (a * b) hlist -> a = fun (x :: _) -> x
let tail : type a b. (a * b) hlist -> b hlist = fun (_ :: l) -> l
let rec length : type a. a hlist -> int = function [] -> 0 | _ :: l -> 1 + length l
let rec show : type a. a shows -> a hlist -> string = fun s l ->
  match s, l with
  | N, [] -> ""
  | C (f, N), [x] -> f x
  | C (f, s), x :: l -> f x ^ ", " ^ show s l
let () =
  let l = [1; "two"; 3.5; true] in
  Printf.printf "%d %s %d\n" (head l) (head (tail l)) (length l);
  print_endline (show (C (string_of_int, C (String.uppercase_ascii, C (string_of_float, C (string_of_bool, N))))) l)
