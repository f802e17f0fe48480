(* Types may have any name, also those that the compiler uses in its own symbols. *)

type any = Any : 'a * ('a -> string) -> any | Nothing | More of anys
and anys = { one : any; other : any; number : int }
type string_list = { string : string; more : string_list option }

module First = struct
  type tuple = Empty | Tuple of int * string * tuple
end

module Second = struct
  type tuple = End | Other of tuple * (int * string * tuple) * tuple
end

let rec show = function
  | Any (x, s) -> s x
  | Nothing -> "-"
  | More { one; other; number } -> show one ^ show other ^ string_of_int number

let rec texts l = l.string ^ match l.more with None -> "" | Some l -> texts l

let rec first n = if n = 0 then First.Empty else First.Tuple (n, string_of_int n, first (n - 1))
let rec total = function First.Empty -> 0 | First.Tuple (n, s, t) -> n + String.length s + total t

let rec second n =
  if n = 0 then Second.End else Second.Other (second (n - 1), (n, String.make n 'x', Second.End), second (n - 1))

let rec size = function Second.End -> 1 | Second.Other (a, (n, s, b), c) -> size a + n + String.length s + size b + size c

let kept = ref Nothing
let others = ref (First.Empty, Second.End)

let () =
  for i = 1 to 3 do
    let more one other = More { one; other; number = i } in
    let any = more (more (Any (i, string_of_int)) Nothing) (Any ("s", fun s -> s ^ string_of_int i)) in
    let l = { string = string_of_int i; more = Some { string = "!"; more = None } } in
    kept := if i = 2 then any else more any !kept;
    others := (first (i * 10), second i);
    Printf.printf "%s %s %d %d\n" (show !kept) (texts l) (total (fst !others)) (size (snd !others))
  done
