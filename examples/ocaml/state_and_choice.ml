(* State and non-determinism as effects. The handlers decide what the same code means: one runs it with a value that
   changes, one with a log, one tries all ways that it can go. *)
open Effect
open Effect.Deep

module type State = sig
  type value

  val get : unit -> value
  val put : value -> unit
  val run : value -> (unit -> 'a) -> 'a * value
end

module State (Value : sig type t end) : State with type value = Value.t = struct
  type value = Value.t
  type _ Effect.t += Get : value t | Put : value -> unit t

  let get () = perform Get
  let put value = perform (Put value)

  (* A computation becomes a function of the state. *)
  let run (type a) first (body : unit -> a) : a * value =
    let with_state : value -> a * value =
      match body () with
      | result -> fun value -> (result, value)
      | effect Get, k -> fun (value : value) -> continue k value value
      | effect Put value, k -> fun _ -> continue k () value
    in
    with_state first
end

module Count = State (Int)
module Words = State (struct type t = string list end)

let rec label = function
  | [] -> []
  | name :: rest ->
      let n = Count.get () in
      Count.put (n + 1);
      Words.put (name :: Words.get ());
      Printf.sprintf "%s%d" name n :: label rest

(* A continuation can be resumed once. All ways are tried by running the computation again for each: a path says what
   the first choices were. *)
type _ Effect.t += Choose : int -> int t

exception Dead_end

let choose options = List.nth options (perform (Choose (List.length options)))
let require condition = if not condition then raise Dead_end

let all body =
  let results = ref [] in
  (* The choices of the path that is tried next, from the last: the one taken, and out of how many. *)
  let rec next = function
    | [] -> ()
    | (taken, count) :: before when taken + 1 < count -> follow ((taken + 1, count) :: before)
    | _ :: before -> next before
  and follow path =
    let planned = ref (List.rev path) and taken = ref [] in
    let step count =
      let choice =
        match !planned with
        | (choice, _) :: rest ->
            planned := rest;
            choice
        | [] -> 0
      in
      taken := (choice, count) :: !taken;
      choice
    in
    (match body () with
    | result -> results := result :: !results
    | exception Dead_end -> ()
    | effect Choose count, k -> if count = 0 then discontinue k Dead_end else continue k (step count));
    next !taken
  in
  follow [];
  List.rev !results

let range low high = List.init (high - low + 1) (fun i -> low + i)

let pythagorean limit () =
  let a = choose (range 1 limit) in
  let b = choose (range a limit) in
  let c = choose (range b limit) in
  require ((a * a) + (b * b) = c * c);
  (a, b, c)

let queens n () =
  let rec place row placed =
    if row = n then List.rev placed
    else begin
      let column = choose (range 0 (n - 1)) in
      List.iteri (fun i other -> require (column <> other && abs (column - other) <> i + 1)) placed;
      place (row + 1) (column :: placed)
    end
  in
  place 0 []

let () =
  let (labels, words), count = Count.run 1 (fun () -> Words.run [] (fun () -> label [ "a"; "b"; "c" ])) in
  Printf.printf "%s, then %d, seen %s\n" (String.concat " " labels) count (String.concat "" words);
  List.iter (fun (a, b, c) -> Printf.printf "%d² + %d² = %d²\n" a b c) (all (pythagorean 20));
  let solutions = all (queens 6) in
  List.iter (fun solution -> print_endline (String.concat " " (List.map string_of_int solution))) solutions;
  Printf.printf "%d ways to place 7 queens\n" (List.length (all (queens 7)));
  (* Both at once: the state is of one way, or of all, by the order of the handlers. *)
  let coin () =
    Count.put (Count.get () + 1);
    choose [ "heads"; "tails" ]
  in
  let each = all (fun () -> Count.run 0 (fun () -> let first = coin () in first ^ " " ^ coin ())) in
  List.iter (fun (way, tosses) -> Printf.printf "%s: %d\n" way tosses) each;
  let ways, tosses = Count.run 0 (fun () -> all (fun () -> let first = coin () in first ^ " " ^ coin ())) in
  Printf.printf "%d ways, %d tosses\n" (List.length ways) tosses
