open Util

type block =
  | Heading of int * string
  | Para of string list
  | Bullets of string list
  | Code of string list

let parse lines =
  let rec go acc = function
    | [] -> List.rev acc
    | "" :: rest -> go acc rest
    | "```" :: rest ->
      let rec code acc' = function
        | "```" :: rest -> (List.rev acc', rest)
        | l :: rest -> code (l :: acc') rest
        | [] -> (List.rev acc', []) in
      let body, rest = code [] rest in
      go (Code body :: acc) rest
    | l :: rest when starts "#" l ->
      let rec level i = if i < String.length l && l.[i] = '#' then level (i + 1) else i in
      let n = level 0 in
      go (Heading (n, String.trim (drop n l)) :: acc) rest
    | l :: rest when starts "- " l ->
      let rec items acc' = function
        | l :: rest when starts "- " l -> items (drop 2 l :: acc') rest
        | rest -> (List.rev acc', rest) in
      let body, rest = items [] (l :: rest) in
      go (Bullets body :: acc) rest
    | l :: rest ->
      let rec para acc' = function
        | ("" :: _ | []) as rest -> (List.rev acc', rest)
        | l :: _ as rest when starts "#" l || starts "- " l || l = "```" -> (List.rev acc', rest)
        | l :: rest -> para (l :: acc') rest in
      let body, rest = para [ l ] rest in
      go (Para body :: acc) rest in
  go [] lines
