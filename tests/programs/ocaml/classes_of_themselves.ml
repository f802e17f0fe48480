(* Classes that make objects of themselves at arguments that their bodies decide, and objects alone that are known
   outside. *)
class ['a] lst (l : 'a) = object
  method here = l
  method ints = new lst (List.map (fun _ -> 1) l)
end

class ['a] pair (l : 'a) = object
  method m : 'a = (1, "a")
  method same : 'a pair = new pair l
end

class ['a] option_of (l : 'a) = object
  method get = l
  method some = new option_of (Some 1)
end

let () =
  let o = new lst [ 5; 6 ] in
  List.iter (Printf.printf "%d ") (o#here @ o#ints#here @ o#ints#ints#here);
  print_string (snd (new pair (3, "x"))#same#m);
  Printf.printf " %b\n" ((new option_of None)#some#get = Some 1)

(* The type of an object that no class makes may be known outside. *)
let last = ref None

let o = object (self)
  method name = "o"
  method keep = last := Some self
end

let all = ref []

let make n = object (self)
  method n : int = n
  method twins = [ self; self ]
  initializer all := self :: !all
end

let call f = object (self) method m = f self; 3 end

let () =
  o#keep;
  (match !last with Some it -> print_endline it#name | None -> ());
  ignore (make 1, make 2);
  List.iter (fun it -> Printf.printf "%d%d " it#n (List.length it#twins)) (List.sort compare !all |> List.rev);
  print_int (call ignore)#m;
  print_newline ()
