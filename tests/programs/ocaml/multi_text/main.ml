(* Multi-file program: a markdown-to-HTML converter reading standard input. *)

open Util

let kind = function
  | Markdown.Heading _ -> "heading"
  | Markdown.Para _ -> "para"
  | Markdown.Bullets _ -> "bullets"
  | Markdown.Code _ -> "code"

let () =
  let blocks = Markdown.parse (read_lines stdin) in
  List.iter print_endline (blocks |>> Html.block);
  let kinds = List.sort compare (blocks |>> kind) in
  group_by Fun.id kinds |> List.iter (fun (k, l) -> Printf.printf "<!-- %s: %d -->\n" k (List.length l))
