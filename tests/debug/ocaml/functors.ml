module Names = Map.Make (String)
module Ints = Set.Make (Int)
let count words =
  List.fold_left
    (fun counts word ->
      let before = Option.value (Names.find_opt word counts) ~default:0 in
      Names.add word (before + 1) counts)
    Names.empty words
let () =
  let counts = count ["a"; "b"; "a"] in
  let pairs = Names.bindings counts in
  let set = Ints.of_list [3; 1; 2] in
  let elements = Ints.elements set in
  Printf.printf "%d %d\n" (List.length pairs) (List.length elements)
