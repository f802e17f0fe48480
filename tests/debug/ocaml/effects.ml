open Effect
open Effect.Deep
type _ Effect.t += Ask : string -> int Effect.t
let work name =
  let first = perform (Ask name) in
  let second = perform (Ask "two") in
  first + second
let () =
  let total =
    match_with work "one"
      { retc = (fun n -> n);
        exnc = raise;
        effc = (fun (type a) (e : a Effect.t) ->
          match e with
          | Ask question ->
            Some (fun (k : (a, _) continuation) ->
              let answer = String.length question in
              continue k answer)
          | _ -> None) } in
  print_int total
