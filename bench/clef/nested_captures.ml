(* Loops within local functions that read and change variables around them. *)

let run n =
  let total = ref 0 in
  let bias = n land 7 in
  for i = 1 to n do
    let row = i * 31 in
    let visit j =
      let cell = (row lxor (j * 17)) + bias in
      let weigh k = ((cell * k) lxor (cell lsr 3)) land 1023 in
      for k = 1 to 8 do
        total := (!total + weigh k) land 0xffffff
      done
    in
    for j = 1 to n do
      visit j
    done
  done;
  !total

let () = Printf.printf "%d\n" (run 6_000)
