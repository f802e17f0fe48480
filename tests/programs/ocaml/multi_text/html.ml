open Markdown

let escape s =
  let b = Buffer.create (String.length s) in
  String.iter (function
      | '<' -> Buffer.add_string b "&lt;"
      | '>' -> Buffer.add_string b "&gt;"
      | '&' -> Buffer.add_string b "&amp;"
      | c -> Buffer.add_char b c) s;
  Buffer.contents b

let inline s =
  let b = Buffer.create 32 in
  let strong = ref false and em = ref false in
  let toggle r tag = Buffer.add_string b (if !r then "</" ^ tag ^ ">" else "<" ^ tag ^ ">"); r := not !r in
  let s = escape s in
  let n = String.length s in
  let rec go i =
    if i < n then
      if i + 1 < n && s.[i] = '*' && s.[i + 1] = '*' then begin toggle strong "b"; go (i + 2) end
      else if s.[i] = '_' then begin toggle em "i"; go (i + 1) end
      else begin Buffer.add_char b s.[i]; go (i + 1) end in
  go 0;
  Buffer.contents b

let block = function
  | Heading (n, t) -> Printf.sprintf "<h%d>%s</h%d>" n (inline t) n
  | Para ls -> "<p>" ^ String.concat "\n" (List.map inline ls) ^ "</p>"
  | Bullets ls -> "<ul>\n" ^ String.concat "" (List.map (fun l -> "  <li>" ^ inline l ^ "</li>\n") ls) ^ "</ul>"
  | Code ls -> "<pre>" ^ escape (String.concat "\n" ls) ^ "</pre>"
