let trace = Buffer.create 100
let report name =
  let digest = Digest.to_hex (Digest.string (Buffer.contents trace)) in
  Printf.printf "%s: %s\n" name digest
let () = report (Printf.sprintf "sort %d" 3)
let note a b = Buffer.add_string trace (Printf.sprintf "%d:%d " a b)
let () =
  note 1 2;
  report "x"
