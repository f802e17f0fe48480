(* Handlers of effects in several domains at once; continuations that another domain drops. *)

open Effect
open Effect.Deep

type _ Effect.t += Ask : int -> int Effect.t | Stop : string Effect.t

let run k =
  match_with
    (fun () ->
      let sum = ref 0 in
      for i = 1 to 300 do
        sum := !sum + perform (Ask i)
      done;
      !sum)
    ()
    {
      retc = Fun.id;
      exnc = raise;
      effc =
        (fun (type a) (effect_ : a Effect.t) ->
          match effect_ with
          | Ask n -> Some (fun (c : (a, int) continuation) -> continue c (n * k))
          | _ -> None);
    }

let () =
  let domains = List.init 3 (fun i -> Domain.spawn (fun () -> run (i + 1))) in
  Printf.printf "%d\n" (run 10);
  List.iter (fun d -> Printf.printf "%d\n" (Domain.join d)) domains

let kept : (string, string) continuation option ref = ref None

let suspend text =
  match_with
    (fun () -> text ^ perform Stop)
    ()
    {
      retc = Fun.id;
      exnc = raise;
      effc =
        (fun (type a) (effect_ : a Effect.t) ->
          match effect_ with
          | Stop ->
              Some
                (fun (c : (a, string) continuation) ->
                  kept := Some c;
                  "suspended")
          | _ -> None);
    }

let () =
  print_endline (suspend "one ");
  (match !kept with Some c -> print_endline (continue c "resumed") | None -> ());
  print_endline (suspend "two ");
  Domain.join (Domain.spawn (fun () -> kept := None));
  let unhandled () = try perform Stop with Unhandled Stop -> "unhandled" in
  print_endline (Domain.join (Domain.spawn unhandled))
