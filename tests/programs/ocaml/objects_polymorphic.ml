class ['a] coll (init : 'a list) = object (self)
  val items = init
  method iter f = List.iter f items
  method map : 'b. ('a -> 'b) -> 'b list = fun f -> List.map f items
  method fold : 'b. ('b -> 'a -> 'b) -> 'b -> 'b = fun f z -> List.fold_left f z items
  method to_list = self#fold (fun acc x -> acc @ [x]) []
  method length = self#fold (fun n _ -> n + 1) 0
end
let () =
  let c = new coll [1; 2; 3] in
  print_endline (String.concat "," (c#map string_of_int));
  Printf.printf "%d %.1f %d\n" c#length (c#fold (fun a x -> a +. float x) 0.0) (List.length c#to_list);
  let s = new coll ["x"; "yy"] in
  Printf.printf "%d\n" (List.fold_left (+) 0 (s#map String.length))
let use (o : < id : 'a. 'a -> 'a >) = (o#id 1, o#id "s", o#id 2.5)
let () = let (a, b, c) = use (object method id : 'a. 'a -> 'a = fun x -> x end) in Printf.printf "%d %s %.1f\n" a b c
class virtual ['a] mylist = object (self)
  method virtual is_nil : bool
  method virtual hd : 'a
  method virtual tl : 'a mylist
  method length : int = if self#is_nil then 0 else 1 + self#tl#length
end
class ['a] nil = object
  inherit ['a] mylist
  method is_nil = true
  method hd = failwith "hd"
  method tl = failwith "tl"
end
class ['a] cons (h : 'a) (t : 'a mylist) = object
  inherit ['a] mylist
  method is_nil = false
  method hd = h
  method tl = t
end
let () =
  let l = new cons 1 (new cons 2 (new nil)) in
  Printf.printf "%d %d\n" l#length l#tl#hd
class type shape = object method area : float method name : string end
type shape_ = < area : float; name : string >
let shapes : shape list = [
  object method area = 1.0 method name = "unit" end;
  (object method area = 2.0 method name = "two" method secret = 42 end :> shape) ]
let () = List.iter (fun s -> Printf.printf "%s %.1f\n" s#name s#area) shapes
let total (l : #shape list) = List.fold_left (fun a s -> a +. s#area) 0.0 l
class ['a] vector n (x : 'a) = object
  val data = Array.make n x
  method get i = data.(i)
  method set i v = data.(i) <- v
  method size = Array.length data
end
let () =
  let v = new vector 3 0.5 in v#set 1 2.5;
  Printf.printf "%.1f %d\n" (v#get 0 +. v#get 1) v#size
class widget (name : string) = object (self)
  val mutable children : widget list = []
  val mutable parent : widget option = None
  method name = name
  method add (w : widget) = children <- children @ [w]; w#set_parent (self :> widget)
  method set_parent p = parent <- Some p
  method path : string = match parent with None -> name | Some p -> p#path ^ "/" ^ name
  method draw indent = Printf.printf "%s%s\n" (String.make indent ' ') name; List.iter (fun c -> c#draw (indent + 2)) children
end
class button label (cb : unit -> unit) = object
  inherit widget ("button:" ^ label)
  method click = cb ()
end
let () =
  let root = new widget "root" in
  let panel = new widget "panel" in
  let b = new button "ok" (fun () -> print_endline "clicked") in
  root#add panel; panel#add (b :> widget);
  root#draw 0; b#click; print_endline b#path
