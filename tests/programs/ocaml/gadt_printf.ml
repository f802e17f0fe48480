type (_, _) fmt =
  | End : ('r, 'r) fmt
  | Lit : string * ('a, 'r) fmt -> ('a, 'r) fmt
  | D : ('a, 'r) fmt -> (int -> 'a, 'r) fmt
  | S : ('a, 'r) fmt -> (string -> 'a, 'r) fmt
  | F : int * ('a, 'r) fmt -> (float -> 'a, 'r) fmt

let rec kprintf : type a r. (string -> r) -> string -> (a, r) fmt -> a = fun k acc -> function
  | End -> k acc
  | Lit (s, rest) -> kprintf k (acc ^ s) rest
  | D rest -> fun n -> kprintf k (acc ^ string_of_int n) rest
  | S rest -> fun s -> kprintf k (acc ^ s) rest
  | F (digits, rest) -> fun x -> kprintf k (acc ^ Printf.sprintf "%.*f" digits x) rest
let sprintf f = kprintf (fun s -> s) "" f
let printf f = kprintf print_string "" f

let () =
  print_endline (sprintf (Lit ("n = ", D (Lit (", s = ", S End)))) 42 "hi");
  printf (Lit ("x = ", F (2, Lit ("\n", End)))) 3.14159;
  print_endline (sprintf (Lit ("nothing", End)))
