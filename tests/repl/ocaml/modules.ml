module M = struct let x = 1 let f y = x + y end;;
M.f 2;;
module type S = sig type t val x : t end;;
module A : S = struct type t = int let x = 3 end;;
A.x;;
module Stack = struct
  type 'a t = { mutable items : 'a list }
  let create () = { items = [] }
  let push x s = s.items <- x :: s.items
  exception Empty
  let pop s = match s.items with [] -> raise Empty | x :: r -> s.items <- r; x
end;;
let s : int Stack.t = Stack.create ();;
Stack.push 1 s;;
Stack.push 2 s;;
Stack.pop s;;
s;;
open M;;
f 10;;
exception Bad of int * string;;
raise (Bad (1, "x"));;
raise Not_found;;
failwith "oops";;
List.hd [];;
1 / 0;;
[|1|].(3);;
try raise (Bad (1, "x")) with Bad (n, _) -> n;;
let guard f = try Ok (f ()) with e -> Error e;;
match guard (fun () -> failwith "in") with Ok _ -> "ok" | Error (Failure m) -> m | Error _ -> "other";;
exception Plain;;
raise Plain;;
print_endline "hello";;
Printf.printf "%d %s\n" 3 "x";;
let shown = Printf.sprintf "%05.1f" 3.14159;;
Stack.pop s;;
Stack.pop s;;
assert (1 = 2);;
