(* event system with classes, virtual methods, polymorphic methods, inheritance *)
class type ['e] listener = object method notify : 'e -> unit method name : string end
class virtual ['e] source = object (self)
  val mutable listeners : 'e listener list = []
  method subscribe (l : 'e listener) = listeners <- l :: listeners
  method unsubscribe (l : 'e listener) = listeners <- List.filter (fun x -> x <> l) listeners
  method private emit e = List.iter (fun l -> l#notify e) (List.rev listeners)
  method virtual describe : string
  method count = List.length listeners
  method fold : 'a. ('a -> 'e listener -> 'a) -> 'a -> 'a = fun f init -> List.fold_left f init listeners
end
type ev = Temp of float | Door of bool | Tick
let show = function Temp f -> Printf.sprintf "temp %.1f" f | Door b -> if b then "open" else "shut" | Tick -> "tick"
class sensor name = object (self)
  inherit [ev] source as super
  val mutable last = 20.0
  val mutable log : string list = []
  method describe = "sensor " ^ name ^ " with " ^ string_of_int super#count
  method measure t = if abs_float (t -. last) > 0.5 then begin last <- t; self#emit (Temp t) end
  method reset = {< last = 0.0; log = [] >}
  method last = last
  initializer log <- ["created " ^ name]
  method log = log
end
class printer n = object
  val mutable seen = 0
  method name : string = n
  method notify e = seen <- seen + 1; Printf.printf "%s: %s (%d)\n" n (show e) seen
  method seen = seen
end
class filtering pred n = object inherit printer n as super
  method! notify e = if pred e then super#notify e else print_endline (n ^ " ignores")
end
class door = object (self) inherit [ev] source
  val mutable is_open = false
  method toggle = is_open <- not is_open; self#emit (Door is_open)
  method describe = "door" end
let () =
  let s = new sensor "kitchen" in
  let p = new printer "P" and f = new filtering (function Temp t -> t > 25. | _ -> true) "F" in
  s#subscribe (p :> ev listener); s#subscribe (f :> ev listener);
  print_endline s#describe;
  List.iter s#measure [20.2; 21.; 26.; 26.1; 19.];
  let t = s#reset in
  Printf.printf "%.1f %.1f %b\n" s#last t#last (s = t);
  print_endline (s#fold (fun acc l -> acc ^ l#name) "");
  Printf.printf "%d\n" (t#fold (fun n _ -> n + 1) 0);
  s#unsubscribe (p :> ev listener);
  s#measure 30.;
  print_endline s#describe;
  let d = new door in
  d#subscribe (f :> ev listener); d#toggle; d#toggle;
  let all = [(s :> < describe : string >); (d :> < describe : string >)] in
  List.iter (fun o -> print_endline o#describe) all;
  Printf.printf "%d %d %s\n" p#seen f#seen (String.concat ";" s#log);
  let o = object (self) val x = 1 method x = x method incr = {< x = x + 1 >} method twice = self#incr#incr end in
  Printf.printf "%d %d\n" o#x o#twice#x;
  Printf.printf "%b %b\n" (Oo.id s < Oo.id d) (Oo.copy s = s)
