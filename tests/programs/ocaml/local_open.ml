(* Local opens, module aliases, let module, let open, nested signatures, shadowed constructors. *)

module Colour = struct
  type t = Red | Green | Other of string
  let show = function Red -> "red" | Green -> "green" | Other s -> s
  module Ops = struct
    let ( + ) a b = Other (show a ^ "/" ^ show b)
    let default = Red
  end
end

module Signal = struct
  type t = Red | Green
  let flip = function Red -> Green | Green -> Red
  let show = function Red -> "stop" | Green -> "go"
end

module C = Colour
module CO = C.Ops

let mix = CO.(default + C.Green)
let area w h = Float.(to_int (of_int w *. of_int h))

let () =
  print_endline (C.show mix);
  print_endline C.(show (Ops.( + ) Red (Other "blue")));
  print_endline (Signal.show (Signal.flip Signal.Red));
  print_endline Signal.(show (flip Green));
  let open Colour in
  print_endline (show Red);
  let open Signal in
  print_endline (show Red);
  let c : Colour.t = Red and s : Signal.t = Red in
  print_endline (Colour.show c ^ show s);
  (match (Colour.Other "x" : Colour.t) with Other s -> print_endline s | Red | Green -> print_endline "?");
  Printf.printf "%d\n" (area 3 4);
  let module Counter = struct
    let n = ref 0
    let next () = incr n; !n
  end in
  ignore (Counter.next ());
  Printf.printf "%d\n" (Counter.next ());
  Printf.printf "%s\n" String.(concat "-" [ uppercase_ascii "a"; make 2 'b'; sub "hello" 1 2 ]);
  Printf.printf "%d\n" List.(length (filter (fun x -> x > 1) [ 1; 2; 3 ]));
  let l = List.[ hd [ 1; 2 ]; nth [ 5; 6 ] 1 ] in
  Printf.printf "%d\n" (List.fold_left ( + ) 0 l)
