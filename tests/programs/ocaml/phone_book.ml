(* A phone book driven by commands on stdin: association lists, sorting, searching. *)

type entry = { name : string; number : string; tags : string list }

let normalize s = String.concat "" (String.split_on_char '-' s)
let contains_sub ~sub s =
  let n = String.length sub and m = String.length s in
  let rec go i = i + n <= m && (String.sub s i n = sub || go (i + 1)) in
  go 0

let rec repl book =
  match input_line stdin with
  | exception End_of_file -> book
  | line ->
    let book =
      match String.split_on_char ' ' line with
      | "add" :: name :: number :: tags when not (List.exists (fun e -> e.name = name) book) ->
        { name; number = normalize number; tags } :: book
      | "add" :: name :: _ -> Printf.printf "cannot add %s\n" name; book
      | [ "del"; name ] ->
        let keep, gone = List.partition (fun e -> e.name <> name) book in
        Printf.printf "deleted %d\n" (List.length gone);
        keep
      | [ "find"; sub ] ->
        List.iter (fun e -> if contains_sub ~sub e.name || contains_sub ~sub e.number then Printf.printf "%s %s\n" e.name e.number) book;
        book
      | [ "tag"; t ] ->
        let l = List.filter (fun e -> List.mem t e.tags) book in
        print_endline (t ^ ": " ^ String.concat "," (List.sort compare (List.map (fun e -> e.name) l)));
        book
      | [ "list" ] ->
        List.iter (fun e -> Printf.printf "%-8s|%10s|%s\n" e.name e.number (String.concat "+" e.tags))
          (List.sort (fun a b -> compare a.name b.name) book);
        book
      | _ -> Printf.printf "? %s\n" line; book in
    repl book

let () = Printf.printf "%d entries\n" (List.length (repl []))
