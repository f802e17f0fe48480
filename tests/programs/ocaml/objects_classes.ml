(* private, constraint, virtual val, several inherits *)
class virtual named = object
  val virtual name : string
  method hello = "hello " ^ name
end
class virtual aged = object
  val virtual mutable age : int
  method birthday = age <- age + 1
  method age = age
end
class person n a = object
  inherit named
  inherit aged
  val name = n
  val mutable age = a
  method! hello = "hi " ^ name
end
let () = let p = new person "joe" 30 in p#birthday; Printf.printf "%s %d\n" p#hello p#age
class a = object method m = "a" method n = "an" end
class b = object method m = "b" method k = "bk" end
class ab = object (self)
  inherit a as super_a
  inherit b as super_b
  method both = super_a#m ^ super_b#m ^ self#m ^ self#n ^ self#k
end
let () = print_endline (new ab)#both
class base = object (self)
  method template = self#step1 ^ self#step2
  method step1 = "1"
  method private step2 = "2"
end
class derived = object inherit base method! step1 = "one" method! private step2 = "two" end
class public_step = object inherit base method step2 = "public" end
let () = print_endline (new base)#template; print_endline (new derived)#template; print_endline (new public_step)#step2
(* initialisation order *)
let say s = print_endline s
class p1 = let () = say "p1 let" in object
  val a = (say "p1.a"; 1)
  initializer say "p1 init"
end
class p2 x = let () = say "p2 let" in object
  inherit p1
  val b = (say ("p2.b " ^ x); 2)
  initializer say "p2 init"
  method b = b
end
let () = say (string_of_int (new p2 (say "arg"; "x"))#b)
(* objects in data structures, closures over objects *)
let make_counter () =
  let n = ref 0 in
  object
    method next = incr n; !n
    method reset = n := 0
  end
let () =
  let c = make_counter () in
  ignore c#next; ignore c#next;
  Printf.printf "%d " c#next; c#reset; Printf.printf "%d\n" c#next
(* constraint *)
class ['a] wrapper (x : 'a) = object
  constraint 'a = < name : string; .. >
  method name = "wrapped " ^ x#name
  method inner = x
end
let () =
  let w = new wrapper (object method name = "n" method extra = 3 end) in
  Printf.printf "%s %d\n" w#name w#inner#extra
(* double coercion, functions of objects *)
class animal = object method speak = "..." end
class dog = object inherit animal method! speak = "woof" method fetch = "stick" end
let to_animals (l : dog list) = (l : dog list :> animal list)
let () = List.iter (fun (a : animal) -> print_endline a#speak) (to_animals [new dog; new dog])
let f (g : animal -> string) (d : dog) = (g : animal -> string :> dog -> string) d
let () = print_endline (f (fun a -> a#speak) (new dog))
(* hashing and comparison *)
let () =
  let x = new dog and y = new dog in
  Printf.printf "%b %b %b %b\n" (x = x) (x = y) (x == x) (compare x y = - (compare y x));
  let t = Hashtbl.create 3 in Hashtbl.add t x 1; Hashtbl.add t y 2;
  Printf.printf "%d %d\n" (Hashtbl.find t x) (Hashtbl.find t y);
  Printf.printf "%b\n" (Oo.id x < Oo.id y)
(* self passed around *)
class chain = object (self)
  val mutable s = ""
  method add x = s <- s ^ x; self
  method get = s
end
let () = print_endline ((((new chain)#add "a")#add "b")#add "c")#get
(* method returning function, functions as fields *)
class calc = object
  val ops = [ ("+", ( + )); ("*", ( * )) ]
  method op name = List.assoc name ops
  method adder = fun x y -> x + y
end
let () = let c = new calc in Printf.printf "%d %d\n" (c#op "*" 6 7) (c#adder 1 2)
let () = print_endline (let o = object method x = 1 end in string_of_int (o#x + o#x))
(* objects with optional and labelled methods *)
class lab = object method f ?(a = 1) ~b () = a * b end
let () = let l = new lab in Printf.printf "%d %d\n" (l#f ~b:3 ()) (l#f ~a:2 ~b:3 ())
(* local class *)
let g k = let module M = struct class c = object method v = k * 2 end end in (new M.c)#v
let () = Printf.printf "%d\n" (g 21)
(* exceptions in methods, try *)
class risky = object method go n = if n < 0 then raise Exit else n end
let () = print_int (try (new risky)#go (-1) with Exit -> 99); print_newline ()
let () = print_endline (match new dog with d when d#fetch = "stick" -> "good" | _ -> "bad")
(* polymorphic variants and objects *)
class ['a] cell (v : 'a) = object val mutable v = v method get = v method set x = v <- x end
let c : [ `A | `B of int ] cell = new cell `A
let () = c#set (`B 3); print_endline (match c#get with `A -> "A" | `B n -> "B" ^ string_of_int n)
class alias = animal
let () = print_endline (new alias)#speak
let o = object (self) method fact n = if n = 0 then 1 else n * self#fact (n - 1) end
let () = print_int (o#fact 10); print_newline ()
