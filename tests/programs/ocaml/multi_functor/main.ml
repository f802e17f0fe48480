(* Multi-file program: functors defined in other files, applied to local structures. *)

module Opt = Monad_ext.Make (struct
    type 'a t = 'a option
    let return x = Some x
    let bind = Option.bind
  end)

module Writer = Monad_ext.Make (struct
    type 'a t = 'a * string list
    let return x = (x, [])
    let bind (x, w) f = let y, w' = f x in (y, w @ w')
  end)

module Gauss = struct
  type t = int * int
  let zero = (0, 0)
  let one = (1, 0)
  let add (a, b) (c, d) = (a + c, b + d)
  let mul (a, b) (c, d) = ((a * c) - (b * d), (a * d) + (b * c))
  let to_string (a, b) = Printf.sprintf "%d%+di" a b
end

module Bool_num : Sig_types.NUM with type t = bool = struct
  type t = bool
  let zero = false
  let one = true
  let add = ( || )
  let mul = ( && )
  let to_string = string_of_bool
end

module LG = Linear.Make (Gauss)
module LB = Linear.Make (Bool_num)

let () =
  let show = function None -> "none" | Some l -> String.concat "," (List.map string_of_int l) in
  print_endline (show (Opt.sequence [ Some 1; Some 2 ]));
  print_endline (show (Opt.sequence [ Some 1; None ]));
  let safe_div a b = if b = 0 then None else Some (a / b) in
  print_endline (show (Opt.map (fun x -> [ x ]) (Opt.fold_m safe_div 1000 [ 2; 5; 10 ])));
  print_endline (show (Opt.map (fun x -> [ x ]) (Opt.fold_m safe_div 1000 [ 2; 0; 10 ])));
  let n, log = Writer.fold_m (fun acc x -> (acc + x, [ Printf.sprintf "%d+%d" acc x ])) 0 [ 1; 2; 3 ] in
  Printf.printf "%d %s\n" n (String.concat " " log);
  print_endline (Gauss.to_string (LG.pow (1, 1) 10));
  print_endline (Gauss.to_string (LG.eval [ (1, 0); (0, 2); (3, -1) ] (2, 1)));
  print_endline (LG.show [| (1, 2); (3, -4) |]);
  print_endline (Gauss.to_string (LG.dot [| (1, 0); (0, 1) |] [| (5, 5); (2, 0) |]));
  Printf.printf "%b %b\n" (LB.dot [| true; false |] [| false; true |]) (LB.pow true 5)
