let o = object (self)
  val mutable x = 1
  method get = x
  method add n = x <- x + n; self#get
end
let () = print_int o#get; print_newline ()
let () = print_int (o#add 5); print_newline ()
let show p = print_endline (p#name ^ ":" ^ string_of_int p#age)
let () = show (object method name = "a" method age = 3 end)
let () = show (object method name = "b" method age = 4 method extra = 1.0 end)
class point x0 = object (self : 'self)
  val mutable x = x0
  method x = x
  method move d = x <- x + d
  method copy_at y = {< x = y >}
  method print = Printf.printf "<%d>\n" self#x
end
class colored x c = object
  inherit point x as super
  method color : string = c
  method print = print_string ("[" ^ c ^ "]"); super#print
end
let () =
  let p = new point 3 in
  p#move 4; p#print;
  let c = new colored 5 "red" in
  c#move 1; c#print;
  (c#copy_at 100)#print;
  let l = [p; (c :> point)] in
  List.iter (fun o -> o#move 10; o#print) l;
  let q = Oo.copy c in
  q#move 1; q#print; c#print;
  Printf.printf "%b %b %b\n" (c = c) (q = c) (compare p p = 0)
class virtual shape = object (self)
  method virtual area : float
  method virtual name : string
  method describe = Printf.printf "%s has area %.2f\n" self#name self#area
end
class circle r = object inherit shape method area = 3.14159 *. r *. r method name = "circle" end
class rect w h = object inherit shape method area = w *. h method name = "rect" initializer print_endline "rect made" end
let () = List.iter (fun (s : shape) -> s#describe) [ (new circle 2.0 :> shape); new rect 2.0 3.0 ]
class ['a] stack = object
  val mutable items : 'a list = []
  method push x = items <- x :: items
  method pop = match items with [] -> failwith "empty" | x :: r -> items <- r; x
  method size = List.length items
  method fold : 'b. ('b -> 'a -> 'b) -> 'b -> 'b = fun f init -> List.fold_left f init items
end
let () =
  let s = new stack in
  s#push 1; s#push 2; s#push 3;
  Printf.printf "%d %d %d %s\n" s#pop s#size (s#fold (+) 0) (s#fold (fun a x -> a ^ string_of_int x) "");
  let t = new stack in
  t#push "x"; print_endline t#pop
