(* A free applicative for command line options. *)
type _ opt =
  | Pure : 'a -> 'a opt
  | Str : string -> string opt
  | Num : string * int -> int opt
  | Ap : ('b -> 'a) opt * 'b opt -> 'a opt
let rec names : type a. a opt -> string list = function
  | Pure _ -> []
  | Str n -> [n]
  | Num (n, _) -> [n]
  | Ap (f, x) -> names f @ names x
let rec run : type a. (string * string) list -> a opt -> a = fun args -> function
  | Pure x -> x
  | Str n -> (try List.assoc n args with Not_found -> "")
  | Num (n, d) -> (match List.assoc_opt n args with Some s -> int_of_string s | None -> d)
  | Ap (f, x) -> let g = run args f in g (run args x)
let ( <*> ) f x = Ap (f, x)
let map f x = Pure f <*> x
type config = { name : string; port : int; tags : string list }
let spec = Pure (fun name port tag -> { name; port; tags = [tag; tag] }) <*> Str "name" <*> Num ("port", 80) <*> map String.uppercase_ascii (Str "tag")
let () =
  print_endline (String.concat "," (names spec));
  let c = run ["name", "x"; "port", "8080"; "tag", "t"] spec in
  Printf.printf "%s %d %s\n" c.name c.port (String.concat "+" c.tags);
  let d = run [] spec in
  Printf.printf "%S %d %d\n" d.name d.port (List.length d.tags)
