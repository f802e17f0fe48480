(* Strings built in a loop, by concatenation and in buffers. rounds: 2000 *)
let () =
  let n = int_of_string Sys.argv.(1) in
  let last = ref "" and sum = ref 0 in
  let buffer = Buffer.create 16 in
  for i = 1 to n do
    last := !last ^ string_of_int i;
    if String.length !last > 200 then last := String.sub !last 100 50;
    Buffer.clear buffer;
    for j = 0 to 9 do
      Buffer.add_string buffer (Printf.sprintf "%d:%s;" j (String.uppercase_ascii "item"))
    done;
    let words = String.split_on_char ';' (Buffer.contents buffer) in
    sum := (!sum + List.length words + String.length (String.concat "-" words)) mod 1000003
  done;
  Printf.printf "%d %d\n" !sum (String.length !last)
