(* Functions of all numbers of an array give the bits of the same function of one number: kernels alone, in each other and inside of
   arithmetic, with numbers for which results are infinite, zero, subnormal or no numbers. *)

let special =
  [| 0.0; -0.0; 1e-320; -1e-320; 1e-17; 1.0; -1.0; 22.5; 511.9; 512.0; -512.0; 708.0; 709.78; 709.79; -708.3; -745.1; -745.2; 1e9;
     -1e9; infinity; neg_infinity; nan |]

let numbers = Array.init 1000 (fun i -> (float (i * i mod 1009) -. 500.0) *. 0.0173)
let wide = Array.init 300 (fun i -> (float (i * 7919 mod 1013) -. 500.0) *. 1.61)
let all = Array.concat [ special; numbers; wide; Array.sub numbers 3 5 ]

(* The library's function, one at a time. *)
let exp1 = Sys.opaque_identity exp
let tanh1 = Sys.opaque_identity tanh

let same name many one =
  let bad = ref 0 in
  Array.iteri
    (fun i x ->
      if Int64.bits_of_float x <> Int64.bits_of_float (one all.(i)) && not (Float.is_nan x && Float.is_nan (one all.(i))) then begin
        incr bad;
        if !bad < 4 then Printf.printf "%s %h: %h, not %h\n" name all.(i) x (one all.(i))
      end)
    many;
  let hash = Array.fold_left (fun h x -> Hashtbl.hash (h, if Float.is_nan x then 0L else Int64.bits_of_float x)) 0 many in
  Printf.printf "%s: %d of %d differ, %d\n" name !bad (Array.length many) hash

let sigmoid x = 1.0 /. (1.0 +. exp (-.x))
let scale = Sys.opaque_identity 0.5
let shift = ref 0.25

let () =
  same "exp" (Array.map exp all) exp1;
  same "tanh" (Array.map tanh all) tanh1;
  same "sigmoid" (Array.map sigmoid all) (fun x -> 1.0 /. (1.0 +. exp1 (-.x)));
  same "scaled" (Array.map (fun x -> 2.0 *. tanh (x *. scale) -. scale) all) (fun x -> 2.0 *. tanh1 (x *. scale) -. scale);
  same "in each other" (Array.map (fun x -> tanh (1.0 -. exp x)) all) (fun x -> tanh1 (1.0 -. exp1 x));
  same "twice" (Array.map (fun x -> exp x +. exp (-.x)) all) (fun x -> exp1 x +. exp1 (-.x));
  same "with its argument" (Array.map (fun x -> x *. exp x) all) (fun x -> x *. exp1 x);
  same "by index" (Array.init (Array.length all) (fun i -> exp all.(i) /. 3.0)) (fun x -> exp1 x /. 3.0);
  same "a variable" (Array.map (fun x -> exp x +. !shift) all) (fun x -> exp1 x +. 0.25);
  let changing = Array.map (fun x -> shift := !shift +. 1.0; exp (x *. 0.0) +. !shift) (Array.make 5 1.0) in
  Array.iter (Printf.printf "%g ") changing;
  print_newline ()

(* In place, at even distances. *)
let () =
  let a = Array.copy all in
  for i = 0 to (Array.length a / 3) - 1 do
    a.(i * 3) <- exp a.(i * 3)
  done;
  let wrong = ref 0 in
  Array.iteri
    (fun i x ->
      let wanted = if i mod 3 = 0 && i / 3 < Array.length a / 3 then exp1 all.(i) else all.(i) in
      if compare x wanted <> 0 then incr wrong)
    a;
  Printf.printf "in place: %d differ\n" !wrong

(* What the argument does is seen in its order, and an exception leaves at once. *)
let () =
  let noted = Buffer.create 10 in
  let made = Array.init 4 (fun i -> Buffer.add_string noted (string_of_int i); 2.0 *. exp (float i)) in
  Printf.printf "%s %h\n" (Buffer.contents noted) made.(3);
  match Array.init 4 (fun i -> exp (if i = 2 then raise Exit else float i)) with
  | _ -> print_endline "no"
  | exception Exit -> print_endline "left"
