class node (v : int) = object (self)
  val mutable next : node option = None
  val mutable prev : node option = None
  method value = v
  method next = next
  method prev = prev
  method set_next (n : node) = next <- Some n; n#set_prev (self :> node)
  method set_prev (n : node) = prev <- Some n
end
let rec walk (n : node) = Printf.printf "%d " n#value; match n#next with None -> print_newline () | Some m -> walk m
let () =
  let a = new node 1 and b = new node 2 and c = new node 3 in
  a#set_next b; b#set_next c; walk a;
  (match c#prev with Some p -> Printf.printf "prev %d\n" p#value | None -> ());
  Printf.printf "%b %b\n" (a = a) (a = b)
class a = object method make = new b method name = "a" end
and b = object method make = new a method name = "b" end
let () = print_endline ((new a)#make#make#name)
class virtual tree = object
  method virtual sum : int
  method virtual map : (int -> int) -> tree
end
class leaf n = object
  inherit tree
  method sum = n
  method map f = (new leaf (f n) :> tree)
end
class branch (l : tree) (r : tree) = object
  inherit tree
  method sum = l#sum + r#sum
  method map f = (new branch (l#map f) (r#map f) :> tree)
end
let () =
  let t = new branch (new leaf 1) (new branch (new leaf 2) (new leaf 3) :> tree) in
  Printf.printf "%d %d\n" t#sum (t#map (fun x -> x * 10))#sum
class account = object (self : 'self)
  val mutable balance = 0.0
  val mutable log : (string * float) list = []
  method balance = balance
  method deposit x = balance <- balance +. x; self#note "deposit" x
  method withdraw x =
    if x > balance then failwith "insufficient funds";
    balance <- balance -. x; self#note "withdraw" x
  method private note what x = log <- (what, x) :: log
  method history = List.rev log
  method compare (o : 'self) = compare self#balance o#balance
end
class savings rate = object (self)
  inherit account as super
  method add_interest = self#deposit (balance *. rate)
  method withdraw x = if x > 100.0 then failwith "limit" else super#withdraw x
end
let () =
  let s = new savings 0.1 in
  s#deposit 50.0; s#add_interest;
  (try s#withdraw 200.0 with Failure m -> print_endline m);
  (try s#withdraw 60.0 with Failure m -> print_endline m);
  s#withdraw 5.0;
  Printf.printf "%.2f\n" s#balance;
  List.iter (fun (w, x) -> Printf.printf "%s %.2f\n" w x) s#history;
  let t = new savings 0.2 in t#deposit 1.0;
  Printf.printf "%d\n" (s#compare t)
