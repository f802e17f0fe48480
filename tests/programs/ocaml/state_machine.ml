(* State machines: a traffic light, a vending machine, and a table-driven recogniser of numbers. *)

type light = Red | Red_amber | Green | Amber
let next_light = function Red -> Red_amber | Red_amber -> Green | Green -> Amber | Amber -> Red
let light_name = function Red -> "red" | Red_amber -> "red+amber" | Green -> "green" | Amber -> "amber"

type vend = Idle | Has of int | Vending of string * int
type input = Coin of int | Choose of string | Refund

let price = function "cola" -> Some 150 | "water" -> Some 100 | _ -> None

let step state input =
  match state, input with
  | Idle, Coin n -> (Has n, "credit " ^ string_of_int n)
  | Has m, Coin n -> (Has (m + n), "credit " ^ string_of_int (m + n))
  | (Idle | Vending _), Refund -> (Idle, "nothing to refund")
  | Has m, Refund -> (Idle, "refund " ^ string_of_int m)
  | Idle, Choose _ -> (Idle, "insert coins")
  | Has m, Choose what ->
    (match price what with
     | None -> (state, "no " ^ what)
     | Some p when p <= m -> (Vending (what, m - p), "vending " ^ what)
     | Some p -> (state, Printf.sprintf "need %d more" (p - m)))
  | Vending (w, change), (Coin _ | Choose _) -> (Has change, "took " ^ w)

(* states: 0 start, 1 sign, 2 integer, 3 point, 4 fraction, 5 e, 6 e sign, 7 exponent *)
let classify = function '0' .. '9' -> 0 | '+' | '-' -> 1 | '.' -> 2 | 'e' | 'E' -> 3 | _ -> 4
let table = [|
  [| 2; 1; 3; -1; -1 |]; [| 2; -1; 3; -1; -1 |]; [| 2; -1; 4; 5; -1 |]; [| 4; -1; -1; -1; -1 |];
  [| 4; -1; -1; 5; -1 |]; [| 7; 6; -1; -1; -1 |]; [| 7; -1; -1; -1; -1 |]; [| 7; -1; -1; -1; -1 |] |]

let is_number s =
  let rec go st i =
    if st < 0 then false
    else if i = String.length s then st = 2 || st = 4 || st = 7
    else go table.(st).(classify s.[i]) (i + 1) in
  go 0 0

let () =
  let l = ref Red in
  for _ = 1 to 6 do print_string (light_name !l ^ " "); l := next_light !l done;
  print_newline ();
  ignore (List.fold_left (fun st i -> let st, msg = step st i in print_endline msg; st) Idle
            [ Choose "cola"; Coin 100; Choose "cola"; Coin 100; Choose "tea"; Choose "cola"; Coin 5; Refund; Refund ]);
  List.iter (fun s -> Printf.printf "%s:%b " s (is_number s)) [ "12"; "-1.5"; ".5"; "1."; "."; "1e10"; "1e"; "+-1"; "1.5E-3"; ""; "abc" ];
  print_newline ()
