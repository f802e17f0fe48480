type expr = Num of int | Add of expr * expr | Mul of expr * expr | Neg of expr
class virtual ['r] visitor = object (self)
  method virtual num : int -> 'r
  method virtual add : expr -> expr -> 'r
  method virtual mul : expr -> expr -> 'r
  method virtual neg : expr -> 'r
  method visit e = match e with
    | Num n -> self#num n
    | Add (a, b) -> self#add a b
    | Mul (a, b) -> self#mul a b
    | Neg a -> self#neg a
end
class eval = object (self)
  inherit [int] visitor
  method num n = n
  method add a b = self#visit a + self#visit b
  method mul a b = self#visit a * self#visit b
  method neg a = - (self#visit a)
end
class show = object (self)
  inherit [string] visitor
  method num = string_of_int
  method add a b = "(" ^ self#visit a ^ " + " ^ self#visit b ^ ")"
  method mul a b = self#visit a ^ " * " ^ self#visit b
  method neg a = "-" ^ self#visit a
end
class loud_eval = object
  inherit eval as super
  val mutable count = 0
  method! visit e = count <- count + 1; super#visit e
  method count = count
end
class map = object (self)
  method expr = function
    | Num n -> self#num n
    | Add (a, b) -> Add (self#expr a, self#expr b)
    | Mul (a, b) -> Mul (self#expr a, self#expr b)
    | Neg a -> Neg (self#expr a)
  method num n = Num n
end
class double = object inherit map method! num n = Num (n * 2) end
let e = Add (Num 3, Mul (Num 4, Neg (Num 5)))
let () =
  Printf.printf "%s = %d\n" ((new show)#visit e) ((new eval)#visit e);
  let l = new loud_eval in
  Printf.printf "%d after " (l#visit e);
  Printf.printf "%d visits\n" l#count;
  print_endline ((new show)#visit ((new double)#expr e))
