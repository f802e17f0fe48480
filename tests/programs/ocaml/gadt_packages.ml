type showable = Show : 'a * ('a -> string) -> showable
type comparable = Comparable : { value : 'a; other : 'a; compare : 'a -> 'a -> int } -> comparable
type counter = Counter : 's * ('s -> 's) * ('s -> int) -> counter
let show (Show (x, f)) = f x
let step (Counter (s, next, get)) = Counter (next s, next, get)
let read (Counter (s, _, get)) = get s
let named = function Show (type a) ((x, f) : a * (a -> string)) -> let g : a -> string = fun y -> "<" ^ f y ^ ">" in g x
let compared (Comparable r) = r.compare r.value r.other
let () =
  List.iter (fun s -> print_endline (show s); print_endline (named s))
    [Show (1, string_of_int); Show ("s", fun s -> s); Show (1.5, string_of_float);
     Show ((1, 'c'), fun (n, c) -> Printf.sprintf "%d%c" n c); Show ([1; 2], fun l -> String.concat "," (List.map string_of_int l))];
  let rec loop n c = if n = 0 then read c else loop (n - 1) (step c) in
  Printf.printf "%d %d\n" (loop 10 (Counter (0, succ, fun x -> x))) (loop 5 (Counter ("", (fun s -> s ^ "x"), String.length)));
  let d = Comparable { value = 1; other = 2; compare } and e = Comparable { value = "b"; other = "a"; compare = fun a b -> compare a b } in
  Printf.printf "%d %d\n" (compared d) (compared e);
  let Show (x, f) = Show (3, string_of_int) in
  print_endline (f x)
