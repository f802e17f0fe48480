class type ['a] iterator = object
  method next : 'a option
end
class ['a] list_iter (l : 'a list) = object
  val mutable rest = l
  method next = match rest with [] -> None | x :: r -> rest <- r; Some x
end
class ['a, 'b] map_iter (f : 'a -> 'b) (it : 'a iterator) = object
  method next = match it#next with None -> None | Some x -> Some (f x)
end
class ['a] filter_iter (p : 'a -> bool) (it : 'a iterator) = object (self)
  method next : 'a option = match it#next with
    | None -> None
    | Some x when p x -> Some x
    | Some _ -> self#next
end
let rec fold : 'a 'b. ('b -> 'a -> 'b) -> 'b -> 'a iterator -> 'b = fun f acc it ->
  match it#next with None -> acc | Some x -> fold f (f acc x) it
let () =
  let it = new list_iter [1; 2; 3; 4; 5; 6] in
  let m = new map_iter (fun x -> x * x) it in
  let f = new filter_iter (fun x -> x mod 2 = 0) m in
  Printf.printf "%d\n" (fold (+) 0 f);
  let s = new map_iter string_of_int (new list_iter [7; 8; 9]) in
  print_endline (fold (^) "" s)
class type printable = object method print : unit end
class named (n : string) : printable = object method print = print_endline n end
class ['a] queue = object (self)
  val mutable front : 'a list = []
  val mutable back : 'a list = []
  method enqueue x = back <- x :: back; self
  method private normalise = if front = [] then begin front <- List.rev back; back <- [] end
  method dequeue = self#normalise; match front with [] -> raise Not_found | x :: r -> front <- r; x
  method is_empty = front = [] && back = []
end
let () =
  (new named "hello")#print;
  let q = new queue in
  ignore (((q#enqueue 1)#enqueue 2)#enqueue 3);
  while not q#is_empty do Printf.printf "%d " q#dequeue done;
  print_newline ()
let () = try ignore ((new queue)#dequeue : int) with Not_found -> print_endline "empty"
