(* Calls in tail position between functions whose arguments differ in number and kind: some are all in registers, of
   one convention or of another, some are not. None may take stack. *)

let rec count n acc = if n = 0 then acc else floats n (acc + 1) 0.5
and floats n acc x = if n land 1 = 0 then strings n acc x "s" else count (n - 1) (acc + int_of_float (x *. 2.))
and strings n acc x s = if String.length s > 3 then count (n - 1) acc else floats (n - 1) (acc + String.length s) (x +. 0.)

(* Seven integers: not in the registers of every convention. *)
let rec seven a b c d e f g = if a = 0 then b + c + d + e + f + g else two (a - 1) (b + g)
and two a b = if a land 7 = 0 then seven a b 1 2 3 4 5 else two (a - 1) (b lxor a)

(* Thirteen: in the registers of none. *)
let rec many a b c d e f g h i j k l m =
  if a = 0 then b + c + d + e + f + g + h + i + j + k + l + m else few (a - 1) (b + m)
and few a b = if a land 3 = 0 then many a b 1 2 3 4 5 6 7 8 9 10 11 else few (a - 1) (b + 1)

(* Through function values, which are called by others as well. *)
let table = [| (fun k n -> k (n - 1)); (fun k n -> if n > 10 then k (n - 2) else k (n - 1)); (fun k n -> k (n - 3)) |]
let rec step n = if n <= 0 then n else table.(n mod 3) step n

let rec walk f n acc = if n = 0 then f acc else hop f n acc 1.0
and hop f n acc x = if x > 0.5 then walk f (n - 1) (acc + 1) else f (acc - n)

(* One that raises, in tail position of one that cannot. *)
let rec raising n x = if n = 0 then failwith (Printf.sprintf "%.1f" x) else other n x 1 2
and other n x a b = raising (n - 1) (x +. float_of_int (b - a))

let () =
  Printf.printf "%d\n" (count 600_000 0);
  Printf.printf "%d\n" (seven 600_000 1 1 1 1 1 1);
  Printf.printf "%d\n" (many 600_000 1 1 1 1 1 1 1 1 1 1 1 1);
  Printf.printf "%d\n" (step 600_000);
  Printf.printf "%d %d\n" (walk (fun x -> x + 1) 600_000 0) (walk abs 600_001 5);
  (try raising 600_000 0. with Failure s -> print_endline s)
