let compose f g = fun x -> g (f x)
let make base =
  let count = ref 0 in
  let step d =
    count := !count + d;
    base + !count in
  step
let rec even n = if n = 0 then true else odd (n - 1)
and odd n = if n = 0 then false else even (n - 1)
let () =
  let add = make 10 in
  let twice = compose add add in
  let partial = List.map (fun x -> x + 1) in
  let labelled ~a ?(b = 2) () = a * b in
  print_int (twice 3);
  print_int (List.length (partial [1]));
  print_int (labelled ~a:4 ());
  print_string (if even 3 then "e" else "o")
