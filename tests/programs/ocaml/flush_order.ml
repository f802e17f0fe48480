(* Channels are flushed from the newest to the oldest. *)
let () =
  let dup fd = Printf.sprintf "/dev/fd/%d" fd in
  let a = open_out (dup 1) in
  let b = open_out (dup 1) in
  output_string a "a\n"; output_string b "b\n"; print_string "o\n"; flush_all (); print_endline "end"
