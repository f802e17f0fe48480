(* A small bank of machines: many objects of many classes, kept in lists, arrays, tables and each other. *)
class type device = object
  method id : int
  method tick : int -> unit
  method report : string
end

let next_id = let n = ref 0 in fun () -> incr n; !n

class virtual machine = object (self)
  val id = next_id ()
  val mutable ticks = 0
  method id = id
  method virtual kind : string
  method private count = ticks <- ticks + 1
  method tick (_ : int) = self#count
  method report = Printf.sprintf "%s#%d after %d" self#kind id ticks
end

class pump rate = object (self)
  inherit machine as super
  val mutable level = 0.0
  method kind = "pump"
  method! tick dt = super#tick dt; level <- level +. rate *. float dt; self#check
  method private check = if level > 10.0 then level <- 0.0
  method level = level
end

class ['a] recorder (sample : unit -> 'a) = object
  inherit machine as super
  val mutable samples : 'a list = []
  method kind = "recorder"
  method! tick dt = super#tick dt; samples <- sample () :: samples
  method samples = List.rev samples
  method! report = super#report ^ Printf.sprintf " with %d samples" (List.length samples)
end

class group (members : device list) = object (self)
  inherit machine as super
  val mutable members = members
  method kind = "group"
  method add (d : device) = members <- d :: members
  method! tick dt = super#tick dt; List.iter (fun d -> d#tick dt) members
  method! report =
    super#report ^ " [" ^ String.concat "; " (List.map (fun d -> d#report) members) ^ "]"
  initializer Printf.printf "group %d of %d\n" self#id (List.length members)
end

let () =
  let p = new pump 1.5 in
  let levels = new recorder (fun () -> p#level) in
  let names = new recorder (fun () -> if p#level > 5.0 then "high" else "low") in
  let g = new group [ (p :> device); (levels :> device) ] in
  g#add (names :> device);
  for i = 1 to 8 do g#tick (i mod 3) done;
  print_endline g#report;
  List.iter (Printf.printf "%.1f ") levels#samples;
  print_newline ();
  print_endline (String.concat " " names#samples);
  let byid = Hashtbl.create 8 in
  List.iter (fun (d : device) -> Hashtbl.replace byid d#id d)
    [ (p :> device); (g :> device); (levels :> device); (names :> device) ];
  let ids = List.sort compare (Hashtbl.fold (fun k _ acc -> k :: acc) byid []) in
  List.iter (fun id -> print_endline (Hashtbl.find byid id)#report) ids;
  let copies = Array.init 3 (fun i -> let c = Oo.copy p in c#tick (i + 1); c) in
  Array.iter (fun c -> Printf.printf "%.1f " c#level) copies;
  Printf.printf "%.1f\n" p#level;
  let sorted = List.sort (fun a b -> compare a#level b#level) (Array.to_list copies) in
  Printf.printf "%b %b\n" (List.hd sorted == copies.(2)) (List.memq p sorted);
  Printf.printf "%b\n" (List.assq copies.(1) [ (copies.(0), 0); (copies.(1), 1) ] = 1)

(* Objects that refer to each other. *)
class person name = object (self)
  val mutable friends : person list = []
  method name : string = name
  method befriend (p : person) =
    if not (List.memq p friends) then begin
      friends <- p :: friends;
      p#befriend (self :> person)
    end
  method friends = List.map (fun (p : person) -> p#name) friends
end

let () =
  let a = new person "ann" and b = new person "bob" and c = new person "cem" in
  a#befriend b; b#befriend c; c#befriend a;
  List.iter (fun p -> Printf.printf "%s: %s\n" p#name (String.concat ", " p#friends)) [ a; b; c ]
