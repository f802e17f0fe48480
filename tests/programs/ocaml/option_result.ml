(* Option, Result, Int, Float and Fun modules. *)

let show = function Some n -> "Some " ^ string_of_int n | None -> "None"
let res = function Ok n -> "Ok " ^ string_of_int n | Error e -> "Error " ^ e

let parse s = match int_of_string_opt s with Some n -> Ok n | None -> Error ("bad " ^ s)

let () =
  let p = print_endline in
  p (show (Option.map succ (Some 1))); p (show (Option.bind (Some 4) (fun x -> if x > 3 then None else Some x)));
  p (string_of_int (Option.value None ~default:9)); p (string_of_int (Option.get (Some 5)));
  p (string_of_int (Option.fold ~none:0 ~some:(fun x -> x * 2) (Some 21)));
  p (Printf.sprintf "%b %b" (Option.is_some (Some ())) (Option.is_none (Some ())));
  Option.iter (fun x -> p ("iter " ^ x)) (Some "x"); Option.iter (fun x -> p x) None;
  p (show (Option.join (Some (Some 3)))); p (Printf.sprintf "%d" (List.length (Option.to_list (Some 1))));
  p (res (Option.to_result ~none:"nothing" None)); p (string_of_int (Option.compare compare (Some 1) None));
  p (res (Result.map succ (Ok 1))); p (res (Result.map_error String.uppercase_ascii (Error "e")));
  p (res (Result.bind (parse "12") (fun n -> parse (string_of_int n ^ "0")))); p (res (parse "zz"));
  p (Printf.sprintf "%b %b" (Result.is_ok (parse "1")) (Result.is_error (parse "1")));
  p (show (Result.to_option (parse "x"))); p (string_of_int (Result.value (Error "e") ~default:7));
  p (Result.fold ~ok:string_of_int ~error:Fun.id (parse "q"));
  (try ignore (Result.get_ok (parse "q")) with Invalid_argument m -> p m);
  (try ignore (Option.get None) with Invalid_argument m -> p m);
  Result.iter (fun n -> p (string_of_int n)) (Ok 3); Result.iter_error p (Error "iter_error");
  let sum l = List.fold_left (fun acc s -> Result.bind acc (fun a -> Result.map (( + ) a) (parse s))) (Ok 0) l in
  p (res (sum [ "1"; "2"; "3" ])); p (res (sum [ "1"; "two"; "3"; "four" ]));
  p (Printf.sprintf "%d %d %s %b" (Int.abs (-3)) (Int.min 2 1) (Int.to_string 5) (Int.equal 1 1));
  p (Printf.sprintf "%d %d %d" (Int.add 1 2) (Int.rem (-7) 3) Int.max_int);
  p (Printf.sprintf "%g %g %s %b" (Float.of_int 3) (Float.pow 2. 10.) (Float.to_string 2.5) (Float.is_nan nan));
  p (Printf.sprintf "%g %d %b" (Float.fma 2. 3. 4.) (Float.to_int 9.99) (Float.is_integer 4.));
  p (Printf.sprintf "%d %d" (Fun.flip ( - ) 1 10) (Fun.const 3 "x"));
  p (Printf.sprintf "%b" (Fun.negate (fun x -> x > 3) 2));
  p (string_of_int (Fun.protect ~finally:(fun () -> p "finally") (fun () -> 8)))
