class immut x y = object (self : 'self)
  val x = x
  val y = y
  method x = x
  method y = y
  method with_x x = {< x >}
  method with_y y = {< y = y >}
  method add : 'a. (< x : int; y : int; .. > as 'a) -> 'self = fun o -> {< x = x + o#x; y = y + o#y >}
  method to_string = Printf.sprintf "(%d, %d)" self#x self#y
end
let () =
  let p = new immut 1 2 in
  print_endline (p#with_x 5)#to_string;
  print_endline ((p#with_y 9)#with_x 8)#to_string;
  print_endline (p#add (object method x = 10 method y = 20 method z = 30 end))#to_string;
  print_endline p#to_string
module Shape = struct
  class type t = object method area : float method scale : float -> t end
  class square s : t = object
    method area = s *. s
    method scale k = new square_ (s *. k)
  end
  and square_ s : t = object method area = s *. s method scale k = new square_ (s *. k) end
end
let () = Printf.printf "%.1f\n" ((new Shape.square 2.0)#scale 3.0)#area
module type COUNTER = sig
  class counter : int -> object
    method incr : unit
    method get : int
  end
  class type readable = object method get : int end
end
module Counter : COUNTER = struct
  class counter init = object
    val mutable n = init
    method incr = n <- n + 1
    method get = n
  end
  class type readable = object method get : int end
end
let () =
  let c = new Counter.counter 41 in
  c#incr;
  Printf.printf "%d %d\n" c#get ((c :> Counter.readable)#get)
module Make (X : sig type t val show : t -> string end) = struct
  class box (x : X.t) = object
    val mutable v = x
    method get = v
    method set y = v <- y
    method show = "<" ^ X.show v ^ ">"
  end
end
module IntBox = Make (struct type t = int let show = string_of_int end)
class big_box = object inherit IntBox.box 7 as super method show = "big" ^ super#show end
let () =
  let b = new IntBox.box 3 in
  b#set 4; print_endline b#show; print_endline (new big_box)#show
let apply_twice (o : < f : 'a -> 'a; .. >) x = o#f (o#f x)
let () = Printf.printf "%d\n" (apply_twice (object method f x = x * 3 method g = () end) 2)
class c ?(name = "anon") ~age () = object
  method info = Printf.sprintf "%s is %d" name age
end
class d = object inherit c ~age:3 () end
let () =
  print_endline (new c ~age:5 ())#info;
  print_endline (new c ~name:"bob" ~age:6 ())#info;
  print_endline (new d)#info
class e = let base = 100 in fun x -> let y = x + base in object method v = y + x end
let () = Printf.printf "%d\n" (new e 5)#v
class type ct = object ('a) method eq : 'a -> bool method id : int end
class f i : ct = object (self : 'a) method id = i method eq (o : 'a) = o#id = self#id end
let () = Printf.printf "%b %b\n" ((new f 1)#eq (new f 1)) ((new f 1)#eq (new f 2))
let memo = object (self)
  val tbl = Hashtbl.create 16
  method fib n = if n < 2 then n else
    try Hashtbl.find tbl n with Not_found ->
      let r = self#fib (n - 1) + self#fib (n - 2) in Hashtbl.add tbl n r; r
end
let () = Printf.printf "%d\n" (memo#fib 50)
