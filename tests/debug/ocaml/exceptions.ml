exception Stop of { code : int; why : string }
let check n =
  if n > 2 then raise (Stop { code = n; why = "large" });
  n * 2
let attempt list =
  List.map
    (fun n ->
      match check n with
      | m -> Ok m
      | exception (Stop { code; why } as e) ->
        ignore e;
        Error (code, why))
    list
let () =
  let results = attempt [1; 2; 3] in
  let protected = Fun.protect ~finally:(fun () -> print_string "finally ") (fun () -> 5) in
  Printf.printf "%d %d\n" (List.length results) protected
