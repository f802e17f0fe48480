class point x_init = object
  val mutable x = x_init
  method get_x = x
  method get_offset = x - x_init
  method move d = x <- x + d
end
class adjusted x_init = let origin = (x_init / 10) * 10 in object
  val mutable x = origin
  method get_x = x
  method get_offset = x - origin
  method move d = x <- x + d
end
class ['a] circle (c : 'a) = object
  constraint 'a = #point
  val mutable center = c
  method center = center
  method set_center c = center <- c
  method move = center#move
end
class colored_point x (c : string) = object inherit point x val c = c method color = c end
class ['a] colored_circle c = object
  constraint 'a = #colored_point
  inherit ['a] circle c
  method color = center#color
end
let () =
  let c = new colored_circle (new colored_point 3 "red") in
  c#move 4; Printf.printf "%d %s\n" c#center#get_x c#color;
  let a = new adjusted 37 in a#move 5; Printf.printf "%d %d\n" a#get_x a#get_offset
class printable_point y = object (self)
  inherit point y as super
  method print = print_int self#get_x
  initializer print_string "new at "; self#print; print_newline ()
end
let p = new printable_point 17
let get_succ_x p = p#get_x + 1
let set_x (p : #point) = p#move 5
let () = set_x p; Printf.printf "%d\n" (get_succ_x p)
class virtual comparable = object (_ : 'a) method virtual leq : 'a -> bool end
class money (x : float) = object
  inherit comparable
  val repr = x
  method value = repr
  method leq p = repr <= p#value
end
class money2 x = object inherit money x method times k = {< repr = k *. repr >} end
let min (x : #comparable) y = if x#leq y then x else y
let () = Printf.printf "%.1f %.1f\n" (min (new money 1.3) (new money 3.1))#value (min (new money2 5.0) (new money2 3.14))#value
class ['observer, 'event] subject = object (self)
  val mutable observers = ([] : 'observer list)
  method add_observer obs = observers <- obs :: observers
  method notify_observers (e : 'event) = List.iter (fun x -> x#notify self e) observers
end
class ['subject, 'event] observer = object method notify (sender : 'subject) (e : 'event) = () end
type event = Raise | Resize | Move
class ['observer] window_subject = object (self)
  inherit ['observer, event] subject
  val mutable position = 0
  method identity = 1
  method move x = position <- position + x; self#notify_observers Move
  method draw = Printf.printf "{Position = %d}\n" position
end
class ['subject] window_observer = object
  inherit ['subject, event] observer
  method notify s e = s#draw
end
let () =
  let window = new window_subject in
  let window_observer = new window_observer in
  window#add_observer window_observer;
  window#move 1; window#move 5
class ['a] maybe_list (l : 'a list) = object (self : 'self)
  val l = l
  method is_empty = l = []
  method cons x = {< l = x :: l >}
  method fold : 'b. ('b -> 'a -> 'b) -> 'b -> 'b = fun f z -> List.fold_left f z l
  method exists p = self#fold (fun a x -> a || p x) false
  method append (o : 'self) = o#fold (fun (acc : 'self) x -> acc#cons x) self
end
let () = let m = ((new maybe_list [])#cons 1)#cons 2 in Printf.printf "%b %d\n" (m#exists (fun x -> x = 2)) ((m#append m)#fold (+) 0)
class safe_money = object (self : 'a) val mutable balance = 0 method deposit n = if n > 0 then balance <- balance + n method balance = balance method transfer (o : 'a) n = balance <- balance - n; o#deposit n end
let () = let a = new safe_money and b = new safe_money in a#deposit 10; a#transfer b 4; Printf.printf "%d %d\n" a#balance b#balance
class virtual abstract_point x_init = object (self)
  method virtual get_x : int
  method get_offset = self#get_x - x_init
  method virtual move : int -> unit
end
class pt x = object inherit abstract_point x val mutable x = x method get_x = x method move d = x <- x + d end
let () = let p = new pt 7 in p#move 2; Printf.printf "%d\n" p#get_offset
class backup = object (self : 'mytype)
  val mutable copy = None
  method save = copy <- Some {< copy = None >}
  method restore = match copy with Some x -> x | None -> self
end
class ['a] oref x = object val mutable x : 'a = x method get = x method set y = x <- y end
class ['a] backup_ref x = object inherit ['a] oref x inherit backup end
let rec get p n = if n = 0 then p#get else get (p#restore) (n - 1)
let () = let p = new backup_ref 0 in p#save; p#set 1; p#save; p#set 2; List.iter (Printf.printf "%d ") [get p 0; get p 1; get p 2; get p 3]; print_newline ()
