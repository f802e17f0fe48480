(* a lexer/parser and small GUI toolkit style *)
class type ['a] parser = object method parse : string -> int -> ('a * int) option end
let char c : char parser = object
  method parse s i = if i < String.length s && s.[i] = c then Some (c, i + 1) else None
end
let many (p : 'a parser) : 'a list parser = object
  method parse s i =
    let rec go acc i = match p#parse s i with None -> Some (List.rev acc, i) | Some (x, j) -> go (x :: acc) j in
    go [] i
end
let map f (p : 'a parser) : 'b parser = object
  method parse s i = match p#parse s i with None -> None | Some (x, j) -> Some (f x, j)
end
let () = match (map List.length (many (char 'a')))#parse "aaab" 0 with Some (n, i) -> Printf.printf "%d %d\n" n i | None -> ()
class virtual event_source = object
  val mutable handlers : (string * (int -> unit)) list = []
  method on name h = handlers <- (name, h) :: handlers
  method private emit name v = List.iter (fun (n, h) -> if n = name then h v) (List.rev handlers)
end
class slider lo hi = object (self)
  inherit event_source
  val mutable pos = lo
  method set p = let p' = max lo (min hi p) in if p' <> pos then begin pos <- p'; self#emit "change" p' end
  method pos = pos
end
class labelled_slider name lo hi = object (self)
  inherit slider lo hi as super
  val mutable log = []
  method! set p = super#set p; log <- Printf.sprintf "%s=%d" name self#pos :: log
  method log = List.rev log
end
let () =
  let s = new labelled_slider "vol" 0 10 in
  s#on "change" (Printf.printf "changed to %d\n");
  List.iter s#set [3; 20; 20; -5];
  print_endline (String.concat "," s#log)
class ['a] lazy_stream (f : unit -> ('a * 'a lazy_stream) option) = object (self : 'self)
  val mutable cache : ('a * 'a lazy_stream) option option = None
  method force = match cache with Some c -> c | None -> let c = f () in cache <- Some c; c
  method take n : 'a list = if n = 0 then [] else match self#force with None -> [] | Some (x, t) -> x :: t#take (n - 1)
end
let rec from n = new lazy_stream (fun () -> Some (n, from (n + 1)))
let () = List.iter (Printf.printf "%d ") ((from 5)#take 4); print_newline ()
class matrix n m = object (self)
  val data = Array.make_matrix n m 0.0
  method get i j = data.(i).(j)
  method set i j v = data.(i).(j) <- v
  method rows = n
  method cols = m
  method mul (o : matrix) = let r = new matrix n o#cols in
    for i = 0 to n - 1 do for j = 0 to o#cols - 1 do
      let s = ref 0.0 in for k = 0 to m - 1 do s := !s +. self#get i k *. o#get k j done; r#set i j !s done done; r
end
let () = let a = new matrix 2 2 in a#set 0 0 1.0; a#set 0 1 2.0; a#set 1 0 3.0; a#set 1 1 4.0;
  let b = a#mul a in Printf.printf "%.0f %.0f %.0f %.0f\n" (b#get 0 0) (b#get 0 1) (b#get 1 0) (b#get 1 1)
class state = object val mutable st : < next : char -> unit > option = None method set s = st <- Some s method feed c = match st with Some s -> s#next c | None -> () end
let () =
  let st = new state in
  let count = ref 0 in
  let rec outside () = object method next = function '"' -> st#set (inside ()) | _ -> () end
  and inside () = object method next = function '"' -> st#set (outside ()) | _ -> incr count end in
  st#set (outside ()); String.iter st#feed "a \"bc\" d \"e\""; Printf.printf "%d\n" !count
let counter_class start = object
  val mutable n = start
  method incr = n <- n + 1; n
end
let () = let cs = Array.init 5 counter_class in
  for i = 0 to 20 do ignore cs.(i mod 5)#incr done; Array.iter (fun c -> Printf.printf "%d " c#incr) cs; print_newline ()
class virtual ['a] monoid = object method virtual zero : 'a method virtual plus : 'a -> 'a -> 'a end
class int_monoid = object (self) inherit [int] monoid method zero = 0 method plus = ( + ) method total l = List.fold_left self#plus self#zero l end
let () = Printf.printf "%d\n" ((new int_monoid)#total [1; 2; 3])
class logger ?(prefix = "log") ?level () = object method log s = Printf.printf "%s%s: %s\n" prefix (match level with None -> "" | Some l -> "/" ^ string_of_int l) s end
class sub = object inherit logger ~prefix:"sub" ~level:3 () end
let () = (new logger ())#log "a"; (new logger ~level:2 ())#log "b"; (new sub)#log "c"
