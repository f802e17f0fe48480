(* Whole computations with integers and rationals of any size. *)

let ( let* ) x f = f x

let factorial n =
  let rec go acc i = if i > n then acc else go (Z.mul acc (Z.of_int i)) (i + 1) in
  go Z.one 1

let fibonacci n =
  let rec go a b i = if i = 0 then a else go b (Z.add a b) (i - 1) in
  go Z.zero Z.one n

(* Gibbons's spigot: digits of pi, one by one. *)
let pi_digits count =
  let open Z in
  let rec go q r t k m x left acc =
    if Stdlib.( = ) left 0 then List.rev acc
    else if Compare.(~$4 * q + r - t < m * t) then
      go (~$10 * q) (~$10 * (r - m * t)) t k ((~$10 * (~$3 * q + r)) / t - ~$10 * m) x (Stdlib.( - ) left 1) (m :: acc)
    else
      go (q * k) ((~$2 * q + r) * x) (t * x) (succ k) ((q * (~$7 * k + ~$2) + r * x) / (t * x)) (x + ~$2) left acc
  in
  go one zero one one ~$3 ~$3 count []

let rsa () =
  let p = Z.nextprime (Z.of_string "170141183460469231731687303715884105727") in
  let q = Z.nextprime (Z.shift_left Z.one 160) in
  let n = Z.mul p q and phi = Z.mul (Z.pred p) (Z.pred q) in
  let e = Z.of_int 65537 in
  let d = Z.invert e phi in
  let message = Z.of_bits "attack at dawn, or a little later" in
  let secret = Z.powm message e n in
  Printf.printf "n = %s\nd = %s\nsecret = %s\n%s\n" (Z.to_string n) (Z.format "%#x" d) (Z.to_string secret)
    (let text = Z.to_bits (Z.powm secret d n) in
     String.sub text 0 (try String.index text '\000' with Not_found -> String.length text))

(* Maximise c.x where A x <= b and x >= 0, exactly, by Bland's rule. *)
let simplex a b c =
  let m = Array.length a and n = Array.length c in
  let width = n + m + 1 in
  let table =
    Array.init (m + 1) (fun i ->
        Array.init width (fun j ->
            if i = m then if j < n then Q.neg c.(j) else Q.zero
            else if j < n then a.(i).(j)
            else if j < n + m then if j - n = i then Q.one else Q.zero
            else b.(i)))
  in
  let basis = Array.init m (fun i -> n + i) in
  let rec entering j =
    if j = width - 1 then None else if Q.sign table.(m).(j) < 0 then Some j else entering (j + 1)
  in
  let leaving j =
    let best = ref None in
    for i = 0 to m - 1 do
      if Q.sign table.(i).(j) > 0 then
        let ratio = Q.div table.(i).(width - 1) table.(i).(j) in
        match !best with
        | Some (r, k) when Q.leq r ratio && not (Q.equal r ratio && basis.(i) < basis.(k)) -> ()
        | _ -> best := Some (ratio, i)
    done;
    !best
  in
  let rec go () =
    match entering 0 with
    | None -> ()
    | Some j -> (
        match leaving j with
        | None -> failwith "unbounded"
        | Some (_, i) ->
            let pivot = table.(i).(j) in
            table.(i) <- Array.map (fun x -> Q.div x pivot) table.(i);
            Array.iteri
              (fun k row ->
                if k <> i then begin
                  let factor = row.(j) in
                  table.(k) <- Array.mapi (fun l x -> Q.sub x (Q.mul factor table.(i).(l))) row
                end)
              table;
            basis.(i) <- j;
            go ())
  in
  go ();
  let x = Array.make n Q.zero in
  Array.iteri (fun i v -> if v < n then x.(v) <- table.(i).(width - 1)) basis;
  (table.(m).(width - 1), x)

let continued_fraction q =
  let rec go q left =
    if left = 0 then []
    else
      let whole = Z.fdiv (Q.num q) (Q.den q) in
      let rest = Q.sub q (Q.of_bigint whole) in
      whole :: (if Q.sign rest = 0 then [] else go (Q.inv rest) (left - 1))
  in
  go q 60

let harmonic n =
  let rec go acc i = if i > n then acc else go (Q.add acc (Q.of_ints 1 i)) (i + 1) in
  go Q.zero 1

(* Newton's iteration for the square root of 2, exactly. *)
let newton steps =
  let rec go x i = if i = 0 then x else go (Q.div_2exp (Q.add x (Q.div (Q.of_int 2) x)) 1) (i - 1) in
  go Q.one steps

let digest z = Printf.sprintf "%d bits, %s…%s" (Z.numbits z) (String.sub (Z.to_string z) 0 12) (Z.to_string (Z.rem z (Z.of_string "1000000000000")))

module Table = Hashtbl.Make (Z)
module Ordered = Set.Make (Z)

let () =
  Printf.printf "%s\n" (Z.to_string (factorial 60));
  Printf.printf "1000! %s\n" (digest (factorial 1000));
  Printf.printf "fac %b\n" (Z.equal (factorial 1000) (Z.fac 1000));
  Printf.printf "fib %s\n" (digest (fibonacci 20000));
  Printf.printf "fib %b\n" (Z.equal (fibonacci 20000) (Z.fib 20000));
  List.iter Z.print (pi_digits 200);
  print_newline ();
  rsa ();
  let q = Q.of_ints in
  let best, x =
    simplex
      [| [| q 2 1; q 1 1; q 1 3 |]; [| q 1 1; q 3 1; q 2 1 |]; [| q 1 7; q 0 1; q 1 1 |] |]
      [| q 14 1; q 31 2; q 9 1 |] [| q 3 1; q 2 1; q 4 1 |]
  in
  Printf.printf "simplex %s at" (Q.to_string best);
  Array.iter (fun x -> Printf.printf " %s" (Q.to_string x)) x;
  print_newline ();
  List.iter (fun z -> Printf.printf "%a " Z.output z) (continued_fraction (Q.of_string "3.14159265358979323846"));
  print_newline ();
  List.iter (fun z -> Printf.printf "%a " Z.output z) (continued_fraction (Q.of_float (sqrt 2.)));
  print_newline ();
  Format.printf "@[<v 2>harmonic:@,%a@,%.17g@]@." Q.pp_print (harmonic 60) (Q.to_float (harmonic 60));
  Format.printf "%d digits, %h@." (String.length (Q.to_string (newton 9))) (Q.to_float (newton 9));
  let table = Table.create 16 in
  for i = 0 to 999 do
    let key = Z.pow (Z.of_int (i mod 37)) (i mod 29) in
    Table.replace table key (1 + try Table.find table key with Not_found -> 0)
  done;
  let keys = Table.fold (fun key _ set -> Ordered.add key set) table Ordered.empty in
  Printf.printf "%d keys, the largest %s %d times\n" (Table.length table) (Z.to_string (Ordered.max_elt keys))
    (Table.find table (Ordered.max_elt keys));
  (* Polymorphic comparison and hashing see numbers. *)
  let sample = [ Z.shift_left Z.one 70; Z.neg (Z.shift_left Z.one 70); Z.zero; Z.of_int 5; Z.of_string "-9223372036854775808"; Z.of_int min_int; Z.shift_left Z.one 62 ] in
  List.iter (fun z -> Printf.printf "%s " (Z.to_string z)) (List.sort compare sample);
  print_newline ();
  Printf.printf "%b %b %b\n" (Z.shift_left Z.one 70 = Z.pow (Z.of_int 4) 35) (Z.one < Z.shift_left Z.one 90) (compare (Z.of_int 3, 1) (Z.of_int 3, 2) < 0);
  List.iter (fun z -> Printf.printf "%d " (Hashtbl.hash z)) sample;
  Printf.printf "%d\n" (Hashtbl.hash (Q.of_string "22/7", sample));
  let* bytes = Marshal.to_string sample [] in
  Printf.printf "%b\n" ((Marshal.from_string bytes 0 : Z.t list) = sample)
