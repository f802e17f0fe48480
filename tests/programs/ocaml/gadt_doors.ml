type opened = private O
type closed = private C
type _ door = Opened : int -> opened door | Closed : int * bool -> closed door
let open_ : closed door -> opened door = function Closed (n, _) -> Opened n
let close : opened door -> closed door = fun (Opened n) -> Closed (n + 1, false)
let lock : closed door -> closed door = fun (Closed (n, _)) -> Closed (n, true)
let describe : type a. a door -> string = function
  | Opened n -> Printf.sprintf "open (%d)" n
  | Closed (n, l) -> Printf.sprintf "closed (%d%s)" n (if l then ", locked" else "")
type any = Any : 'a door -> any
let () =
  let d = Closed (0, false) in
  let e = open_ d in
  let f = lock (close e) in
  List.iter (fun (Any d) -> print_endline (describe d)) [Any d; Any e; Any f]
