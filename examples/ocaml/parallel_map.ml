(* `map` by several domains: each takes the next block of elements that nobody has taken, until there is none. The
   result is that of `Array.map`, and an exception is that of the first element that has one. *)

let domains =
  if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else Domain.recommended_domain_count ()

let parallel_map ?(block = 64) f items =
  let count = Array.length items in
  let results = Array.make count None in
  let next = Atomic.make 0 in
  let failure = Atomic.make None in
  let rec note at error =
    match Atomic.get failure with
    | Some (before, _) when before < at -> ()
    | seen -> if not (Atomic.compare_and_set failure seen (Some (at, error))) then note at error
  in
  let rec work () =
    let start = Atomic.fetch_and_add next block in
    if start < count then begin
      for i = start to min count (start + block) - 1 do
        match f items.(i) with
        | result -> results.(i) <- Some result
        | exception error -> note i error
      done;
      work ()
    end
  in
  let others = List.init (domains - 1) (fun _ -> Domain.spawn work) in
  work ();
  List.iter Domain.join others;
  match Atomic.get failure with
  | Some (_, error) -> raise error
  | None -> Array.map Option.get results

(* How many steps it takes to reach 1 by halving even numbers and taking three times odd ones and one more *)
let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let is_prime n =
  let rec try_from d = d * d > n || (n mod d <> 0 && try_from (d + 1)) in
  n > 1 && try_from 2

let () =
  let numbers = Array.init 300_000 (fun i -> i + 1) in
  let found = parallel_map steps numbers in
  let best = ref 0 in
  Array.iteri (fun i n -> if n > found.(!best) then best := i) found;
  Printf.printf "%d takes %d steps\n" numbers.(!best) found.(!best);
  let words = parallel_map ~block:16 (fun n -> if is_prime n then string_of_int n else "") (Array.init 20_000 Fun.id) in
  Printf.printf "%d digits of primes\n" (Array.fold_left (fun sum word -> sum + String.length word) 0 words);
  let sorted = parallel_map ~block:1 (fun seed -> List.sort compare (List.init 1000 (fun i -> i * seed mod 1009))) [| 3; 5; 7; 11 |] in
  Array.iter (fun list -> Printf.printf "%d … %d\n" (List.hd list) (List.nth list 999)) sorted;
  match parallel_map (fun n -> if n mod 1000 = 999 then failwith (string_of_int n) else n) numbers with
  | _ -> print_endline "no failure?"
  | exception Failure n -> Printf.printf "the first failure: %s\n" n
