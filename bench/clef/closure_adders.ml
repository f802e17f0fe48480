(* Closures that are made at run time, stored in an array and called unknown. *)

let make_adder k = fun x -> (x + k) land 0xffffff
let make_scaler k = fun x -> (x * k) land 0xffffff
let make_mixer a b = fun x -> ((x lxor a) + b) land 0xffffff

let functions =
  Array.init 64 (fun i ->
      match i mod 3 with
      | 0 -> make_adder (i * 17)
      | 1 -> make_scaler ((2 * i) + 1)
      | _ -> make_mixer (i * 5) (i * 11))

let apply_all f_array x =
  let x = ref x in
  for i = 0 to Array.length f_array - 1 do
    x := f_array.(i) !x
  done;
  !x

let () =
  let acc = ref 1 in
  for _ = 1 to 2_000_000 do
    acc := apply_all functions !acc
  done;
  (* Adders made and dropped in the loop. *)
  let twice f x = f (f x) in
  for i = 1 to 20_000_000 do
    let add = make_adder i in
    acc := twice (if i land 3 = 0 then make_scaler 3 else add) !acc
  done;
  Printf.printf "%d\n" !acc
