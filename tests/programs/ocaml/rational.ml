(* Exact rationals in an abstract module; harmonic numbers, Egyptian and continued fractions. *)

module Q : sig
  type t = private { num : int; den : int }
  val make : int -> int -> t
  val of_int : int -> t
  val ( + ) : t -> t -> t
  val ( - ) : t -> t -> t
  val ( * ) : t -> t -> t
  val ( / ) : t -> t -> t
  val compare : t -> t -> int
  val to_string : t -> string
  val floor : t -> int
end = struct
  type t = { num : int; den : int }
  let rec gcd a b = if b = 0 then abs a else gcd b (a mod b)
  let make num den =
    if den = 0 then raise Division_by_zero;
    let s = if den < 0 then -1 else 1 in
    let g = gcd num den in
    { num = s * num / g; den = s * den / g }
  let of_int n = { num = n; den = 1 }
  let compare a b = Stdlib.compare (a.num * b.den) (b.num * a.den)
  let to_string q = if q.den = 1 then string_of_int q.num else Printf.sprintf "%d/%d" q.num q.den
  let floor q = if q.num >= 0 then q.num / q.den else - ((q.den - 1 - q.num) / q.den)
  let ( + ) a b = make (a.num * b.den + b.num * a.den) (a.den * b.den)
  and ( - ) a b = make (a.num * b.den - b.num * a.den) (a.den * b.den)
  and ( * ) a b = make (a.num * b.num) (a.den * b.den)
  and ( / ) a b = make (a.num * b.den) (a.den * b.num)
end

let harmonic n =
  let rec go k acc = if k > n then acc else go (k + 1) Q.(acc + make 1 k) in
  go 1 (Q.of_int 0)

let rec egyptian (q : Q.t) =
  if q.num = 0 then []
  else
    let d = (q.den + q.num - 1) / q.num in
    d :: egyptian Q.(q - make 1 d)

let rec continued q =
  let n = Q.floor q in
  let frac = Q.(q - of_int n) in
  if frac.Q.num = 0 then [ n ] else n :: continued Q.(of_int 1 / frac)

let () =
  let p s = print_endline s in
  p (Q.to_string Q.(make 1 2 + make 1 3));
  p (Q.to_string Q.(make 6 (-8) * make 2 3));
  p (Q.to_string Q.(make 3 4 / make 9 8 - of_int 1));
  p (Q.to_string (harmonic 20));
  p (String.concat " + " (List.map (fun d -> "1/" ^ string_of_int d) (egyptian (Q.make 7 15))));
  p (String.concat ";" (List.map string_of_int (continued (Q.make 415 93))));
  p (String.concat ";" (List.map string_of_int (continued (Q.make (-7) 3))));
  let l = List.sort Q.compare [ Q.make 2 3; Q.make 1 2; Q.make 3 4; Q.make (-5) 7; Q.of_int 0 ] in
  p (String.concat " < " (List.map Q.to_string l));
  (match Q.(make 1 2 / of_int 0) with
   | q -> p (Q.to_string q)
   | exception Division_by_zero -> p "division by zero");
  let { Q.num; den } = Q.make 10 4 in
  Printf.printf "%d over %d, equal %b\n" num den (Q.make 10 4 = Q.make 5 2)
