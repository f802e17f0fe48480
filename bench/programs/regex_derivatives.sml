(* Regular expressions by derivatives, with smart constructors. *)
datatype regex = Empty | Epsilon | Chars of char -> bool | Seq of regex * regex | Alt of regex * regex
  | And of regex * regex | Not of regex | Star of regex
fun nullable r =
  case r of
    Empty => false | Chars _ => false | Epsilon => true | Star _ => true
  | Seq (a, b) => nullable a andalso nullable b
  | And (a, b) => nullable a andalso nullable b
  | Alt (a, b) => nullable a orelse nullable b
  | Not a => not (nullable a)
fun seq (Empty, _) = Empty | seq (_, Empty) = Empty | seq (Epsilon, r) = r | seq (r, Epsilon) = r | seq (a, b) = Seq (a, b)
fun alt (Empty, r) = r | alt (r, Empty) = r | alt (a, b) = if MLton.eq (a, b) then a else Alt (a, b)
fun both (Empty, _) = Empty | both (_, Empty) = Empty | both (Not Empty, r) = r | both (r, Not Empty) = r
  | both (a, b) = And (a, b)
fun inverse (Not r) = r | inverse r = Not r
fun derive c r =
  case r of
    Empty => Empty | Epsilon => Empty
  | Chars p => if p c then Epsilon else Empty
  | Seq (a, b) => let val left = seq (derive c a, b) in if nullable a then alt (left, derive c b) else left end
  | Alt (a, b) => alt (derive c a, derive c b)
  | And (a, b) => both (derive c a, derive c b)
  | Not a => inverse (derive c a)
  | Star a => seq (derive c a, r)
fun matches r text =
  let fun go (r, i) = if i = size text then nullable r else go (derive (String.sub (text, i)) r, i + 1) in go (r, 0) end
fun char c = Chars (fn d => d = c)
fun range (a, b) = Chars (fn c => a <= c andalso c <= b)
val any = Chars (fn _ => true)
fun plus r = Seq (r, Star r)
fun word s = foldr (fn (c, r) => seq (char c, r)) Epsilon (explode s)
val digits = plus (range (#"0", #"9"))
val number = Seq (Alt (char #"-", Epsilon), Seq (digits, Alt (Epsilon, Seq (char #".", digits))))
val ident = Seq (range (#"a", #"z"), Star (Alt (range (#"a", #"z"), range (#"0", #"9"))))
val keywords = Alt (word "let", Alt (word "in", word "fun"))
val name = And (ident, Not keywords)
val list = Seq (char #"[", Seq (Star (Seq (Alt (number, name), char #";")), char #"]"))
val noDouble = Not (Seq (Star any, Seq (char #";", Seq (char #";", Star any))))
val all = And (list, noDouble)
val body = concat (List.tabulate (40, fn i =>
  if i mod 2 = 0 then "-12.5" ^ Int.toString i ^ ";" else "abc" ^ Int.toString i ^ ";"))
val texts = ["[" ^ body ^ "]", "[" ^ body ^ ";]", "[let;]", "[" ^ body ^ "x.1;]"]
fun loop (0, found) = found
  | loop (n, found) = loop (n - 1, foldl (fn (t, found) => if matches all t then found + 1 else found) found texts)
val () = print (Int.toString (loop (3000, 0)) ^ "\n")
