(* Shadowing in lets, parameters, patterns, nested functions and module scope. *)

let x = 1
let f () = x
let x = x + 10
let g () = x
let x = "now a string"

let rec loop x = if x = 0 then x else let x = x - 1 in loop x

let h x =
  let y = x in
  let x = x * 2 in
  let z = (let x = x + 1 in x) + x in
  (y, x, z)

let nested a =
  let a = a ^ "1" in
  fun a' ->
    let a = a ^ a' in
    fun b ->
      let a = a ^ b and b = a in
      (a, b)

let print_int n = print_string (Printf.sprintf "<%d>" n)
let string_of_int n = "#" ^ Stdlib.string_of_int n

let fold =
  let rec fold f acc = function
    | [] -> acc
    | acc' :: acc'' -> fold f (f acc acc') acc'' in
  fold

module M = struct
  let x = 3.5
  let f x = x +. x
  let y = f x
end

let () =
  Printf.printf "%d %d %s\n" (f ()) (g ()) x;
  Printf.printf "%d\n" (loop 5);
  let a, b, c = h 10 in
  Printf.printf "%d %d %d\n" a b c;
  let a, b = nested "a" "2" "3" in
  Printf.printf "%s %s\n" a b;
  print_int 5; print_newline ();
  print_endline (string_of_int 7);
  Printf.printf "%d\n" (fold ( - ) 100 [ 1; 2; 3 ]);
  Printf.printf "%.1f %.1f\n" M.x M.y;
  let open M in
  Printf.printf "%.1f\n" (f x);
  let x = 1 in
  let x = x + 1 in
  let x = float_of_int x in
  let x = Printf.sprintf "%.2f" x in
  print_endline x;
  match [ 1; 2; 3 ] with
  | x :: (y :: _ as x') -> Printf.printf "%d %d %d\n" x y (List.length x')
  | x -> Printf.printf "%d\n" (List.length x)
