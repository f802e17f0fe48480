(* Calendar arithmetic: leap years, day of week, month grids, day differences. *)

type month = Jan | Feb | Mar | Apr | May | Jun | Jul | Aug | Sep | Oct | Nov | Dec
type date = { y : int; m : month; d : int }

let months = [| Jan; Feb; Mar; Apr; May; Jun; Jul; Aug; Sep; Oct; Nov; Dec |]
let names = [| "January"; "February"; "March"; "April"; "May"; "June"; "July"; "August"; "September"; "October"; "November"; "December" |]
let index m = let rec go i = if months.(i) = m then i else go (i + 1) in go 0
let leap y = (y mod 4 = 0 && y mod 100 <> 0) || y mod 400 = 0
let days_in y = function Feb -> if leap y then 29 else 28 | Apr | Jun | Sep | Nov -> 30 | _ -> 31
let valid { y; m; d } = y > 0 && d >= 1 && d <= days_in y m

let to_days { y; m; d } =
  let a = (14 - (index m + 1)) / 12 in
  let y' = y + 4800 - a in
  let m' = index m + 1 + (12 * a) - 3 in
  d + ((153 * m') + 2) / 5 + (365 * y') + (y' / 4) - (y' / 100) + (y' / 400) - 32045

let weekday dt = (to_days dt + 1) mod 7

let rec next { y; m; d } =
  if d < days_in y m then { y; m; d = d + 1 }
  else match m with
    | Dec -> { y = y + 1; m = Jan; d = 1 }
    | _ -> { y; m = months.(index m + 1); d = 1 }

let show { y; m; d } = Printf.sprintf "%04d-%02d-%02d" y (index m + 1) d

let print_month y m =
  Printf.printf "%s\n Su Mo Tu We Th Fr Sa\n" (Printf.sprintf "   %s %d" names.(index m) y);
  let first = weekday { y; m; d = 1 } in
  print_string (String.make (3 * first) ' ');
  for d = 1 to days_in y m do
    Printf.printf "%3d" d;
    if (first + d) mod 7 = 0 && d < days_in y m then print_newline ()
  done;
  print_newline ()

let () =
  print_month 2024 Feb;
  print_month 2023 Oct;
  List.iter (fun y -> Printf.printf "%d %b " y (leap y)) [ 1900; 2000; 2023; 2024 ];
  print_newline ();
  let a = { y = 1999; m = Dec; d = 31 } and b = { y = 2024; m = Mar; d = 1 } in
  Printf.printf "%d days from %s to %s\n" (to_days b - to_days a) (show a) (show b);
  print_endline (show (next a));
  print_endline (show (next { y = 2023; m = Feb; d = 28 }));
  Printf.printf "%b %b\n" (valid { y = 2023; m = Feb; d = 29 }) (valid { y = 2024; m = Feb; d = 29 });
  let fridays = ref 0 in
  for y = 2000 to 2009 do Array.iter (fun m -> if weekday { y; m; d = 13 } = 5 then incr fridays) months done;
  Printf.printf "%d Friday the 13ths\n" !fridays;
  Printf.printf "%b\n" (compare a b < 0)
