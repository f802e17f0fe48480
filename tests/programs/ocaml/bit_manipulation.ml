(* Bit manipulation: sets as ints, Gray codes, CRC-32, reversing bits, subset enumeration, bit arrays in Bytes. *)

let crc_table = Array.init 256 (fun n ->
    let c = ref n in
    for _ = 0 to 7 do c := if !c land 1 = 1 then 0xEDB88320 lxor (!c lsr 1) else !c lsr 1 done;
    !c)
let crc32 s = String.fold_left (fun c ch -> crc_table.((c lxor Char.code ch) land 255) lxor (c lsr 8)) 0xFFFFFFFF s lxor 0xFFFFFFFF

let adler32 s =
  let a, b = String.fold_left (fun (a, b) c -> let a = (a + Char.code c) mod 65521 in (a, (b + a) mod 65521)) (1, 0) s in
  (b lsl 16) lor a

let reverse_bits w n = let r = ref 0 in for i = 0 to w - 1 do if n land (1 lsl i) <> 0 then r := !r lor (1 lsl (w - 1 - i)) done; !r
let gray n = n lxor (n lsr 1)
let members m = List.filter (fun i -> m land (1 lsl i) <> 0) (List.init 10 Fun.id)
let binary w n = String.init w (fun i -> if n land (1 lsl (w - 1 - i)) <> 0 then '1' else '0')

module Bits = struct
  let create n = Bytes.make ((n + 7) / 8) '\000'
  let get b i = Char.code (Bytes.get b (i lsr 3)) land (1 lsl (i land 7)) <> 0
  let set b i = Bytes.set b (i lsr 3) (Char.chr (Char.code (Bytes.get b (i lsr 3)) lor (1 lsl (i land 7))))
  let count b = let n = ref 0 in for i = 0 to Bytes.length b * 8 - 1 do if get b i then incr n done; !n
end

let () =
  Printf.printf "%08x %08x %08x\n" (crc32 "hello") (crc32 "") (crc32 "123456789");
  Printf.printf "%08x\n" (adler32 "Wikipedia");
  Printf.printf "%s %s\n" (binary 8 0b1101) (binary 8 (reverse_bits 8 0b1101));
  print_endline (String.concat " " (List.init 8 (fun i -> binary 3 (gray i))));
  let s = (1 lsl 2) lor (1 lsl 5) lor (1 lsl 7) in
  let show m = String.concat "," (List.map string_of_int (members m)) in
  print_endline (show s);
  let rec subsets sub acc = if sub = 0 then List.rev acc else subsets ((sub - 1) land s) (show sub :: acc) in
  print_endline (String.concat " " (subsets s []));
  let b = Bits.create 200 in
  for i = 0 to 199 do if i * i mod 7 = 1 then Bits.set b i done;
  Printf.printf "%d %b %b\n" (Bits.count b) (Bits.get b 8) (Bits.get b 9);
  Printf.printf "%d %d\n" (0xFF land lnot 0x0F) ((-1) lsr 56);
  let x = ref 5 and y = ref 9 in
  x := !x lxor !y; y := !x lxor !y; x := !x lxor !y;
  Printf.printf "%d %d\n" !x !y
