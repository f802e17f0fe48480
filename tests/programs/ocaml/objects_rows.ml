class type has_x = object method x : int end
class point x = object (self)
  method x : int = x
  method dist : 'a. (#has_x as 'a) -> int = fun o -> abs (x - o#x)
  method all : 'b. (#has_x as 'b) list -> int = fun l -> List.fold_left (fun a o -> a + self#dist o) 0 l
end
let () =
  let p = new point 3 in
  Printf.printf "%d %d\n" (p#dist (new point 10)) (p#dist (object method x = 1 method y = "s" end));
  Printf.printf "%d\n" (p#all [new point 1; new point 2])
class virtual ['a] cmp = object (self : 'self)
  method virtual compare : 'self -> int
  method less (o : 'self) = self#compare o < 0
end
class num n = object inherit [int] cmp method n : int = n method compare o = compare n o#n end
let () = Printf.printf "%b\n" ((new num 1)#less (new num 2))
class ['a] tree (cmp : 'a -> 'a -> int) = object (self)
  val mutable root : 'a node option = None
  method insert x = match root with None -> root <- Some (new node cmp x) | Some n -> n#insert x
  method iter f = match root with None -> () | Some n -> n#iter f
  method to_list = let l = ref [] in self#iter (fun x -> l := x :: !l); List.rev !l
end
and ['a] node cmp (x : 'a) = object
  val mutable left : 'a node option = None
  val mutable right : 'a node option = None
  method insert y =
    if cmp y x < 0 then (match left with None -> left <- Some (new node cmp y) | Some n -> n#insert y)
    else (match right with None -> right <- Some (new node cmp y) | Some n -> n#insert y)
  method iter (f : 'a -> unit) : unit =
    (match left with None -> () | Some n -> n#iter f); f x;
    (match right with None -> () | Some n -> n#iter f)
end
let () =
  let t = new tree compare in
  List.iter t#insert [5; 2; 8; 1; 9; 3];
  List.iter (Printf.printf "%d ") t#to_list; print_newline ();
  let s = new tree (fun a b -> compare b a) in
  List.iter s#insert ["b"; "a"; "c"];
  print_endline (String.concat " " s#to_list)
