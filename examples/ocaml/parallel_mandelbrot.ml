(* The Mandelbrot set, row by row, by as many domains as the first argument says: each takes the next row that nobody has
   begun. Without an argument there are as many as the machine has processors. *)

let width = 1200
let height = 800
let limit = 300

let domains =
  if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else Domain.recommended_domain_count ()

let iterations cr ci =
  let rec loop zr zi n =
    let rr = zr *. zr and ii = zi *. zi in
    if n = limit || rr +. ii > 4.0 then n else loop (rr -. ii +. cr) ((2.0 *. zr *. zi) +. ci) (n + 1)
  in
  loop 0.0 0.0 0

let row y =
  let ci = (2.4 *. float_of_int y /. float_of_int height) -. 1.2 in
  Array.init width (fun x -> iterations ((3.2 *. float_of_int x /. float_of_int width) -. 2.2) ci)

let image () =
  let rows = Array.make height [||] and next = Atomic.make 0 in
  let rec work () =
    let y = Atomic.fetch_and_add next 1 in
    if y < height then begin
      rows.(y) <- row y;
      work ()
    end
  in
  let others = List.init (domains - 1) (fun _ -> Domain.spawn work) in
  work ();
  List.iter Domain.join others;
  rows

let () =
  let rows = image () in
  let shades = " .:-=+*#%@" in
  for line = 0 to 23 do
    let text =
      String.init 72 (fun x ->
          let n = rows.(line * height / 24).(x * width / 72) in
          shades.[if n = limit then 9 else n mod 9])
    in
    print_endline text
  done;
  let inside = Array.fold_left (Array.fold_left (fun sum n -> if n = limit then sum + 1 else sum)) 0 rows in
  Printf.printf "%d of %d points do not escape\n" inside (width * height)
