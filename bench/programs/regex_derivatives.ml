(* Regular expressions by derivatives, with smart constructors. *)

type regex =
  | Empty
  | Epsilon
  | Chars of (char -> bool)
  | Seq of regex * regex
  | Alt of regex * regex
  | And of regex * regex
  | Not of regex
  | Star of regex

let rec nullable = function
  | Empty | Chars _ -> false
  | Epsilon | Star _ -> true
  | Seq (a, b) | And (a, b) -> nullable a && nullable b
  | Alt (a, b) -> nullable a || nullable b
  | Not a -> not (nullable a)

let seq a b = match (a, b) with Empty, _ | _, Empty -> Empty | Epsilon, r | r, Epsilon -> r | _ -> Seq (a, b)
let alt a b = match (a, b) with Empty, r | r, Empty -> r | _ -> if a == b then a else Alt (a, b)
let both a b = match (a, b) with Empty, _ | _, Empty -> Empty | Not Empty, r | r, Not Empty -> r | _ -> And (a, b)
let inverse = function Not r -> r | r -> Not r

let rec derive c = function
  | Empty | Epsilon -> Empty
  | Chars p -> if p c then Epsilon else Empty
  | Seq (a, b) ->
      let left = seq (derive c a) b in
      if nullable a then alt left (derive c b) else left
  | Alt (a, b) -> alt (derive c a) (derive c b)
  | And (a, b) -> both (derive c a) (derive c b)
  | Not a -> inverse (derive c a)
  | Star a as r -> seq (derive c a) r

let matches r text =
  let rec go r i = if i = String.length text then nullable r else go (derive text.[i] r) (i + 1) in
  go r 0

let char c = Chars (fun d -> d = c)
let range a b = Chars (fun c -> a <= c && c <= b)
let any = Chars (fun _ -> true)
let plus r = Seq (r, Star r)
let word s = String.fold_right (fun c r -> seq (char c) r) s Epsilon

let () =
  let digits = plus (range '0' '9') in
  let number = Seq (Alt (char '-', Epsilon), Seq (digits, Alt (Epsilon, Seq (char '.', digits)))) in
  let ident = Seq (range 'a' 'z', Star (Alt (range 'a' 'z', range '0' '9'))) in
  let keywords = Alt (word "let", Alt (word "in", word "fun")) in
  let name = And (ident, Not keywords) in
  let list = Seq (char '[', Seq (Star (Seq (Alt (number, name), char ';')), char ']')) in
  let no_double = Not (Seq (Star any, Seq (char ';', Seq (char ';', Star any)))) in
  let all = And (list, no_double) in
  let body = String.concat "" (List.init 40 (fun i -> if i land 1 = 0 then "-12.5" ^ string_of_int i ^ ";" else "abc" ^ string_of_int i ^ ";")) in
  let texts = [ "[" ^ body ^ "]"; "[" ^ body ^ ";]"; "[let;]"; "[" ^ body ^ "x.1;]" ] in
  let found = ref 0 in
  for _ = 1 to 3000 do
    List.iter (fun t -> if matches all t then incr found) texts
  done;
  Printf.printf "%d\n" !found
