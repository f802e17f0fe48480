(* covers: K13
   Long loops with few states kept: the gradients of all schedules are those of the plain loop, and the number of
   states that are kept at once is that of the schedule. *)

let near a b = abs_float (a -. b) <= 1e-9 *. (1.0 +. abs_float b)

(* A pendulum with friction. *)
let step _ p s =
  let speed = s.(1) -. (0.01 *. ((p.(0) *. sin s.(0)) +. (p.(1) *. s.(1)))) in
  [| s.(0) +. (0.01 *. speed); speed |]

let loss p s = (s.(0) *. s.(0)) +. (p.(0) *. s.(1))

let plain steps p start =
  let rec go i s = if i = steps then loss p s else go (i + 1) (step i p s) in
  go 0 start

let parameters = [| 1.3; 0.2 |]
let start = [| 0.5; 0.1 |]

let compare name schedule steps most =
  let whole z = plain steps (Array.sub z 0 2) (Array.sub z 2 2) in
  let value, wanted = Ad.value_and_gradient whole (Array.append parameters start) in
  let got, dp, ds = Ad.checkpointed schedule steps step loss parameters start in
  let found = Array.append dp ds in
  let same = ref (near got value) in
  Array.iteri (fun i d -> if not (near d wanted.(i)) then same := false) found;
  let kept = Ad.last_checkpoints.most_kept in
  Printf.printf "%s %d steps: %s, kept %s\n" name steps
    (if !same then "ok" else Printf.sprintf "%.12g %.12g" got value)
    (if kept <= most then "ok" else string_of_int kept)

let () =
  List.iter (fun steps -> compare "sqrt" Ad.Sqrt steps (int_of_float (2.1 *. sqrt (float steps)) + 2)) [ 0; 1; 2; 10; 99; 1000 ];
  List.iter (fun steps -> compare "binomial" (Ad.Binomial 6) steps 6) [ 0; 1; 2; 10; 99; 1000 ];
  compare "one state" (Ad.Binomial 1) 30 1

(* How often steps are done: at most as often as the schedule promises. *)
let () =
  let _ = Ad.checkpointed (Ad.Binomial 10) 1000 step loss parameters start in
  let times = float Ad.last_checkpoints.steps_done /. 1000.0 in
  Printf.printf "steps are done %s times\n" (if times < 7.0 then "fewer than 7" else string_of_float times)

let () =
  match Ad.checkpointed Ad.Sqrt 3 (fun _ _ s -> Array.append s s) loss parameters start with
  | _ -> print_endline "accepted"
  | exception Invalid_argument text -> print_endline text

(* Inside of other derivatives. *)
let () =
  let inside schedule a =
    let value, _, _ = Ad.checkpointed schedule 20 step loss [| a.(0); 0.2 |] start in
    value *. a.(1)
  in
  let wanted = Ad.gradient (fun a -> plain 20 [| a.(0); 0.2 |] start *. a.(1)) [| 1.3; 2.0 |] in
  List.iter
    (fun schedule ->
      let g = Ad.gradient (inside schedule) [| 1.3; 2.0 |] in
      Printf.printf "inside of a gradient: %s\n" (if near g.(0) wanted.(0) && near g.(1) wanted.(1) then "ok" else "differs"))
    [ Ad.Sqrt; Ad.Binomial 3 ];
  (* The gradient of a gradient: second derivatives through the checkpoints. *)
  let slope p0 = let _, dp, _ = Ad.checkpointed (Ad.Binomial 3) 20 step loss [| p0; 0.2 |] start in dp.(0) in
  let second = Ad.derivative slope 1.3 in
  let exact = Ad.derivative (fun p -> Ad.derivative (fun p -> plain 20 [| p; 0.2 |] start) p) 1.3 in
  Printf.printf "second derivative: %s\n" (if near second exact then "ok" else Printf.sprintf "%g %g" second exact)
