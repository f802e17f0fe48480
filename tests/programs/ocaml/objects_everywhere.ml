class c = object (self) method m = (object method inner = self#n end)#inner method n = 5 end
let () = Printf.printf "%d\n" (new c)#m
class outer k = object (self)
  val mutable v = k
  method make = object (inner) val w = 10 method get = v + w + k method set x = v <- x; inner#get end
  method v = v
end
let () = let o = new outer 1 in let i = o#make in Printf.printf "%d %d %d\n" i#get (i#set 5) o#v
class virtual ['a, 'b] conv = object method virtual conv : 'a -> 'b end
class sl = object (self) inherit [string, int] conv as s method conv = String.length method lens l = List.map self#conv l end
let () = List.iter (Printf.printf "%d ") ((new sl)#lens ["a"; "bb"]); print_newline ()
let f ?(o = object method x = 1 end) () = o#x
let () = Printf.printf "%d %d\n" (f ()) (f ~o:(object method x = 2 end) ())
class d = object val mutable x = 0 method bump = x <- x + 1; x end
let () =
  let o = new d in
  let m = fun () -> o#bump in
  ignore (m ()); ignore (m ()); Printf.printf "%d\n" (m ());
  let ms = List.map (fun o -> o#bump) [ o; o; new d ] in
  List.iter (Printf.printf "%d ") ms; print_newline ()
exception E of < code : int >
let () = try raise (E (object method code = 42 end)) with E o -> Printf.printf "%d\n" o#code
type t = { obj : < get : int >; mutable other : d option }
let r = { obj = object method get = 7 end; other = None }
let () = r.other <- Some (new d); (match r.other with Some d -> ignore d#bump | None -> ()); Printf.printf "%d\n" r.obj#get
let rec make n = object method n = n method next = if n = 0 then None else Some (make (n - 1)) end
let rec sum o = o#n + (match o#next with None -> 0 | Some p -> sum p)
let () = Printf.printf "%d\n" (sum (make 10))
class float_acc = object val mutable s = 0.0 method add x = s <- s +. x method get = s end
let () = let a = new float_acc in for i = 1 to 10 do a#add (float i) done; Printf.printf "%.1f\n" a#get
let () = print_endline (let o = object method show : 'a. ('a -> string) -> 'a -> string = fun f x -> "<" ^ f x ^ ">" end in o#show string_of_int 3 ^ o#show Fun.id "x")
class ['k, 'v] table = object
  val t : ('k, 'v) Hashtbl.t = Hashtbl.create 7
  method set k v = Hashtbl.replace t k v
  method get k = Hashtbl.find_opt t k
  method update k f d = Hashtbl.replace t k (f (Option.value (Hashtbl.find_opt t k) ~default:d))
end
let () = let t = new table in t#set "a" 1; t#update "a" succ 0; t#update "b" succ 10;
  List.iter (fun k -> match t#get k with Some v -> Printf.printf "%s=%d " k v | None -> ()) ["a"; "b"; "c"]; print_newline ()
class t2 = object (self : < x : int; .. >) method x = 1 method y = self#x + 1 end
let () = Printf.printf "%d\n" (new t2)#y
let l : < draw : unit > list ref = ref []
class e1 = object (self) initializer l := (self :> < draw : unit >) :: !l method draw = print_string "e1 " end
class e2 = object inherit e1 method! draw = print_string "e2 " end
let () = ignore (new e1); ignore (new e2); List.iter (fun o -> o#draw) !l; print_newline ()
let compare_by f (a : < .. >) b = compare (f a) (f b)
class a0 = object method private secret = 1 method reveal (o : a0) = o#reveal2 method reveal2 = 9 end
let () = Printf.printf "%d\n" ((new a0)#reveal (new a0))
let () = let x = object method f = function 0 -> "zero" | n when n < 0 -> "neg" | _ -> "pos" end in print_endline (x#f 0 ^ x#f (-1) ^ x#f 5)
class type stack_t = object method push : int -> unit method top : int end
let mk () : stack_t = object val mutable l = [] method push x = l <- x :: l method top = List.hd l end
let () = let s = mk () in s#push 4; Printf.printf "%d\n" s#top
let g (x : (< a : int > as 'a)) : 'a = x
let () = Printf.printf "%d\n" (g (object method a = 3 end))#a
class lz = object val v = lazy (print_string "forced "; 5) method v = Lazy.force v end
let () = let z = new lz in Printf.printf "%d %d\n" z#v z#v
