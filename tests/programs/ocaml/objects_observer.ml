class ['event] subject = object (self : 'self)
  val mutable observers : ('self -> 'event -> unit) list = []
  method attach f = observers <- f :: observers
  method notify (e : 'event) = List.iter (fun f -> f self e) observers
end
class virtual ['s] observer = object
  method virtual update : 's -> string -> unit
end
type event = Resize of int * int | Close
class window title = object (self)
  inherit [event] subject
  val mutable size = (0, 0)
  method title : string = title
  method resize w h = size <- (w, h); self#notify (Resize (w, h))
  method close = self#notify Close
  method area = fst size * snd size
end
let () =
  let w = new window "main" in
  w#attach (fun win e ->
    match e with
    | Resize (a, b) -> Printf.printf "%s: %dx%d area %d\n" win#title a b win#area
    | Close -> Printf.printf "%s closed\n" win#title);
  let n = ref 0 in
  w#attach (fun _ _ -> incr n);
  w#resize 3 4; w#resize 10 20; w#close;
  Printf.printf "%d events\n" !n
class counter = object
  val mutable c = 0
  method incr = c <- c + 1
  method value = c
end
let c1 = new counter and c2 = new counter
let () = c1#incr; c1#incr; c2#incr; Printf.printf "%d %d\n" c1#value c2#value
let tbl : (string, counter) Hashtbl.t = Hashtbl.create 10
let () =
  List.iter (fun w ->
    let c = try Hashtbl.find tbl w with Not_found -> let c = new counter in Hashtbl.add tbl w c; c in
    c#incr) (String.split_on_char ' ' "a b a c a b");
  List.iter (fun w -> Printf.printf "%s=%d " w (Hashtbl.find tbl w)#value) ["a"; "b"; "c"];
  print_newline ()
