let f x =
  let y = x + 1 in
  let x = string_of_int y in
  let y = [x; x] in
  let z =
    let y = float_of_string x in
    y *. 2. in
  (x, y, z)
let () =
  let a, b, c = f 4 in
  let a = a ^ "!" in
  print_string a; print_int (List.length b); print_float c
