(* Church numerals: numbers that are functions of functions. *)

let zero _ x = x
let succ n f x = f (n f x)
let add m n f x = m f (n f x)
let mul m n f = m (n f)

let rec of_int n = if n = 0 then zero else succ (of_int (n - 1))
let to_int n = n (fun k -> k + 1) 0

let () =
  let total = ref 0 in
  let ten = of_int 10 in
  let hundred = mul ten ten in
  for i = 1 to 20_000 do
    let n = add (mul hundred (of_int (i land 31))) ten in
    total := !total + to_int (mul n ten)
  done;
  Printf.printf "%d\n" !total
