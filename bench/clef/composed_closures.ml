(* Long chains of closures that call each other. *)

let compose f g = fun x -> f (g x)
let step k x = ((x * 3) + k) land 0xfffffff

let rec chain n = if n = 0 then fun x -> x else compose (step n) (chain (n - 1))

let rec balanced lo hi =
  if hi - lo = 1 then step lo
  else
    let mid = (lo + hi) / 2 in
    compose (balanced lo mid) (balanced mid hi)

let () =
  let f = chain 1000 in
  let g = balanced 0 1024 in
  let acc = ref 7 in
  for _ = 1 to 60_000 do
    acc := f (g !acc)
  done;
  (* Chains that live for one call. *)
  for i = 1 to 100_000 do
    acc := (chain (i land 63)) !acc
  done;
  Printf.printf "%d\n" !acc
