(* User-redefined operators: global, local and in modules; prefix and infix forms of every class. *)

module Vec = struct
  type t = int * int
  let ( + ) (a, b) (c, d) = Stdlib.(a + c, b + d)
  let ( - ) (a, b) (c, d) = Stdlib.(a - c, b - d)
  let ( * ) k (a, b) = Stdlib.(k * a, k * b)
  let ( ~- ) (a, b) = Stdlib.(-a, -b)
  let show (a, b) = Printf.sprintf "<%d,%d>" a b
end

module Modular (M : sig val p : int end) = struct
  let ( + ) a b = Stdlib.( + ) a b mod M.p
  let ( * ) a b = Stdlib.( * ) a b mod M.p
  let ( ** ) a n =
    let rec go acc b n =
      if n = 0 then acc
      else go (if n land 1 = 1 then acc * b else acc) (b * b) (n lsr 1) in
    go 1 a n
end

module M7 = Modular (struct let p = 7 end)
module M97 = Modular (struct let p = 97 end)

let ( ^^ ) a b = a ^ "-" ^ b
let ( |? ) o d = match o with Some x -> x | None -> d
let ( >>= ) o f = match o with None -> None | Some x -> f x
let ( !! ) l = List.rev l
let ( ~~ ) s = String.uppercase_ascii s
let ( <=> ) a b = compare a b
let ( @: ) x l = l @ [ x ]
let ( %% ) a b = ((a mod b) + b) mod b
let ( => ) a b = (not a) || b
let ( .%() ) h k = Hashtbl.find h k
let ( .%()<- ) h k v = Hashtbl.replace h k v

let () =
  print_endline Vec.(show ((1, 2) + (3, 4) - 2 * (1, 1)));
  print_endline Vec.(show (-(5, -6)));
  Printf.printf "%d %d %d\n" M7.(5 + 4 * 3) M7.(3 ** 100) M97.(50 * 50 + 1);
  print_endline ("a" ^^ "b" ^^ "c");
  Printf.printf "%d %d\n" (Some 1 |? 2) (None |? 2);
  let safe_div a b = if b = 0 then None else Some (a / b) in
  Printf.printf "%d %d\n" (Some 100 >>= safe_div 1000 >>= safe_div 50 |? -1) (Some 0 >>= safe_div 1 |? -1);
  List.iter print_int !![ 1; 2; 3 ];
  print_newline ();
  print_endline (~~"shout");
  Printf.printf "%d %d %d\n" (1 <=> 2) ("b" <=> "a") ([ 1 ] <=> [ 1 ]);
  List.iter (Printf.printf "%d ") (3 @: 2 @: [ 1 ]);
  print_newline ();
  Printf.printf "%d %d\n" (-7 %% 3) (-7 mod 3);
  Printf.printf "%b %b\n" (true => false) (false => false);
  let h = Hashtbl.create 4 in
  h.%("k") <- 42;
  h.%("k") <- h.%("k") + 1;
  Printf.printf "%d\n" h.%("k");
  let calc =
    let ( + ) a b = a * b and ( * ) a b = a + b in
    2 * 3 + 4 * 5 in
  Printf.printf "%d\n" calc;
  let ( + ) = ( +. ) in
  Printf.printf "%.2f\n" (1.5 + 2.25);
  let ( = ) a b = Stdlib.( = ) (abs a) (abs b) in
  Printf.printf "%b\n" (5 = -5);
  let ( - ) = fun a -> fun b -> if Stdlib.( < ) a b then 0 else Stdlib.( - ) a b in
  Printf.printf "%d %d\n" (3 - 5) (5 - 3)
