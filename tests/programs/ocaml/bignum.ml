(* Arbitrary-precision naturals as little-endian digit lists in base 10000, sealed behind a signature. *)

module Nat : sig
  type t
  val zero : t
  val one : t
  val of_int : int -> t
  val of_string : string -> t
  val to_string : t -> string
  val add : t -> t -> t
  val sub : t -> t -> t
  val mul : t -> t -> t
  val divmod_small : t -> int -> t * int
  val compare : t -> t -> int
  val pow : t -> int -> t
end = struct
  type t = int list
  let base = 10000
  let zero = []
  let one = [ 1 ]

  let rec of_int n =
    if n < 0 then invalid_arg "Nat.of_int"
    else if n = 0 then [] else (n mod base) :: of_int (n / base)

  let norm l =
    let rec strip = function 0 :: r -> strip r | l -> l in
    List.rev (strip (List.rev l))

  let of_string s =
    let rec go stop acc =
      if stop <= 0 then List.rev acc
      else
        let start = max 0 (stop - 4) in
        let chunk = String.sub s start (stop - start) in
        (* a leading zero would not matter, an 0x would: keep to digits *)
        let d = String.fold_left (fun d c -> d * 10 + Char.code c - 48) 0 chunk in
        go start (d :: acc) in
    norm (go (String.length s) [])

  let to_string l =
    match List.rev l with
    | [] -> "0"
    | d :: rest -> String.concat "" (string_of_int d :: List.map (Printf.sprintf "%04d") rest)

  let add a b =
    let rec go carry a b =
      match a, b with
      | [], [] -> if carry = 0 then [] else [ carry ]
      | x :: a, [] | [], x :: a ->
        let s = x + carry in
        (s mod base) :: go (s / base) a []
      | x :: a, y :: b ->
        let s = x + y + carry in
        (s mod base) :: go (s / base) a b in
    go 0 a b

  let compare a b =
    match Stdlib.compare (List.length a) (List.length b) with
    | 0 -> Stdlib.compare (List.rev a) (List.rev b)
    | c -> c

  let sub a b =
    let rec go borrow a b =
      match a, b with
      | [], [] -> if borrow = 0 then [] else failwith "Nat.sub: negative"
      | [], _ -> failwith "Nat.sub: negative"
      | x :: a, b ->
        let y, b = match b with [] -> (0, []) | y :: b -> (y, b) in
        let d = x - y - borrow in
        if d < 0 then (d + base) :: go 1 a b else d :: go 0 a b in
    norm (go 0 a b)

  let mul_small a k =
    let rec go carry = function
      | [] -> if carry = 0 then [] else (carry mod base) :: go (carry / base) []
      | x :: r ->
        let p = x * k + carry in
        (p mod base) :: go (p / base) r in
    if k = 0 then [] else go 0 a

  let rec mul a = function
    | [] -> []
    | y :: b -> add (mul_small a y) (match mul a b with [] -> [] | l -> 0 :: l)

  let divmod_small a k =
    if k = 0 then raise Division_by_zero;
    let q, r =
      List.fold_left (fun (q, r) d ->
          let cur = r * base + d in
          ((cur / k) :: q, cur mod k)) ([], 0) (List.rev a) in
    (norm q, r)

  let rec pow a n =
    if n = 0 then one
    else
      let h = pow a (n / 2) in
      let h2 = mul h h in
      if n mod 2 = 1 then mul h2 a else h2
end

let rec fact n = if n = 0 then Nat.one else Nat.mul (Nat.of_int n) (fact (n - 1))

let fib n =
  let rec go a b k = if k = 0 then a else go b (Nat.add a b) (k - 1) in
  go Nat.zero Nat.one n

let digit_sum s = String.fold_left (fun n c -> n + Char.code c - Char.code '0') 0 s

let () =
  print_endline (Nat.to_string (fact 50));
  print_endline (Nat.to_string (fib 300));
  print_endline (Nat.to_string (Nat.pow (Nat.of_int 2) 256));
  let a = Nat.of_string "123456789012345678901234567890" and b = Nat.of_string "987654321098765432109876543210" in
  print_endline (Nat.to_string (Nat.add a b));
  print_endline (Nat.to_string (Nat.mul a b));
  print_endline (Nat.to_string (Nat.sub b a));
  (try ignore (Nat.sub a b) with Failure m -> print_endline m);
  let q, r = Nat.divmod_small b 7919 in
  Printf.printf "%s rem %d\n" (Nat.to_string q) r;
  Printf.printf "%b\n" (Nat.compare (Nat.add (Nat.mul q (Nat.of_int 7919)) (Nat.of_int r)) b = 0);
  Printf.printf "digits of 2^500 sum to %d\n" (digit_sum (Nat.to_string (Nat.pow (Nat.of_int 2) 500)));
  Printf.printf "%s %s\n" (Nat.to_string Nat.zero) (Nat.to_string (Nat.of_string "00012"));
  (try ignore (Nat.divmod_small a 0) with Division_by_zero -> print_endline "div by zero");
  try ignore (Nat.of_int (-1)) with Invalid_argument m -> print_endline m
