(* String building: tables, histograms, banners, number formatting with thousands separators, hex dumps. *)

let pad_left w s = if String.length s >= w then s else String.make (w - String.length s) ' ' ^ s
let pad_right w s = if String.length s >= w then s else s ^ String.make (w - String.length s) ' '

let table header rows =
  let all = header :: rows in
  let widths = List.fold_left (List.map2 (fun w s -> max w (String.length s))) (List.map (fun _ -> 0) header) all in
  let line = "+" ^ String.concat "+" (List.map (fun w -> String.make (w + 2) '-') widths) ^ "+" in
  let row cells =
    "|" ^ String.concat "|" (List.map2 (fun w c ->
        " " ^ (if int_of_string_opt c <> None then pad_left w c else pad_right w c) ^ " ") widths cells) ^ "|" in
  String.concat "\n" ([ line; row header; line ] @ List.map row rows @ [ line ])

let thousands n =
  let s = string_of_int (abs n) in
  let b = Buffer.create 16 in
  if n < 0 then Buffer.add_char b '-';
  String.iteri (fun i c ->
      if i > 0 && (String.length s - i) mod 3 = 0 then Buffer.add_char b ',';
      Buffer.add_char b c) s;
  Buffer.contents b

let rec to_base b n =
  let digit d = "0123456789abcdefghijklmnopqrstuvwxyz".[d] in
  if n < 0 then "-" ^ to_base b (-n)
  else if n < b then String.make 1 (digit n)
  else to_base b (n / b) ^ String.make 1 (digit (n mod b))

let dump s =
  let b = Buffer.create 100 in
  let i = ref 0 in
  while !i < String.length s do
    let chunk = String.sub s !i (min 8 (String.length s - !i)) in
    Printf.bprintf b "%04x " !i;
    for k = 0 to 7 do
      if k < String.length chunk then Printf.bprintf b "%02x " (Char.code chunk.[k]) else Buffer.add_string b "   "
    done;
    Buffer.add_string b (String.map (fun c -> if c < ' ' || c > '~' then '.' else c) chunk);
    Buffer.add_char b '\n';
    i := !i + 8
  done;
  Buffer.contents b

let () =
  print_endline (table [ "name"; "qty"; "note" ] [ [ "bolt"; "12"; "steel" ]; [ "longer name"; "7"; "" ]; [ "x"; "1000"; "ok" ] ]);
  List.iter (fun n -> print_endline (thousands n)) [ 0; 999; 1000; 1234567; -45678; max_int ];
  List.iter (fun b -> Printf.printf "%s " (to_base b 2023)) [ 2; 3; 8; 16; 36 ];
  Printf.printf "%s\n" (to_base 2 (-10));
  print_string (dump "Hello, World!\n\000\127 end")
