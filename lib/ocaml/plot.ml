(* Pictures of numbers: lines, points, histograms and maps of values, as SVG and as text of braille dots.

   A picture is a list of layers on common axes. Numbers that are not finite are left out; a line has a gap there. *)

[@@@hidden "finite half_width part inside widened spread range_of scale nice steps label colours escape dots"]
[@@@hidden "heat_colour"]
[@@@hidden "runs width height left right top bottom braille legend frame body"]

type layer =
  | Line of string * (float * float) array
  | Points of string * (float * float) array
  (* From each place to the next one, so many. *)
  | Bars of string * float array * float array
  (* Rows from below; the ranges of x and y that they cover. *)
  | Heat of (float * float) * (float * float) * float array array

let line name points = Line (name, points)

(* One number for each step. *)
let curve name values = Line (name, Array.mapi (fun i v -> (float i, v)) values)
let points name points = Points (name, points)

let finite (x : float) = x -. x = 0.0

(* A range may be wider than any number: halves of its ends are not. *)
let half_width (low, high) = (high /. 2.0) -. (low /. 2.0)

(* Where [v] lies in a range, from 0 to 1, and back. *)
let part (low, high) v = ((v /. 2.0) -. (low /. 2.0)) /. half_width (low, high)
let inside (low, high) t = (low *. (1.0 -. t)) +. (high *. t)

(* Around a single number there is room, too. *)
let widened (low, high) =
  if half_width (low, high) > 0.0 then (low, high)
  else
    let by = if abs_float low < 1e-300 then 1.0 else abs_float low /. 2.0 in
    (low -. by, low +. by)

(* How many of the numbers are in each of [bins] parts of their range, all of the same width. *)
let histogram name bins values =
  if bins < 1 then invalid_arg "Plot.histogram: no bins";
  let values = Array.of_list (List.filter finite (Array.to_list values)) in
  let low = Array.fold_left min infinity values and high = Array.fold_left max neg_infinity values in
  let range = if Array.length values = 0 then (0.0, 1.0) else widened (low, high) in
  let counts = Array.make bins 0.0 in
  Array.iter
    (fun v ->
      let at = min (bins - 1) (int_of_float (part range v *. float bins)) in
      counts.(at) <- counts.(at) +. 1.0)
    values;
  Bars (name, Array.init (bins + 1) (fun i -> inside range (float i /. float bins)), counts)

(* The values of [f] at the middles of [columns] times [rows] fields. *)
let heat xs ys columns rows f =
  if columns < 1 || rows < 1 then invalid_arg "Plot.heat: no fields";
  let middle range count i = inside range ((float i +. 0.5) /. float count) in
  let row j = Array.init columns (fun i -> f (middle xs columns i) (middle ys rows j)) in
  Heat (xs, ys, Array.init rows row)

(* --- ranges and axes --- *)

let spread (low, high) v = if finite v then (min low v, max high v) else (low, high)

let range_of layers =
  let none = (infinity, neg_infinity) in
  List.fold_left
    (fun (x, y) layer ->
      match layer with
      | Line (_, points) | Points (_, points) ->
          Array.fold_left
            (fun (x, y) (a, b) -> if finite a && finite b then (spread x a, spread y b) else (x, y))
            (x, y) points
      | Bars (_, places, counts) -> (Array.fold_left spread x places, Array.fold_left spread (spread y 0.0) counts)
      | Heat ((x0, x1), (y0, y1), _) -> (spread (spread x x0) x1, spread (spread y y0) y1))
    (none, none) layers

let scale who (low, high) = if low > high then invalid_arg (who ^ ": nothing to draw") else widened (low, high)

(* The largest of 1, 2 and 5 times a power of ten that makes at least [count] steps. *)
let nice range count =
  let wanted = half_width range /. float count *. 2.0 in
  let power = 10.0 ** floor (log10 wanted) in
  if 5.0 *. power <= wanted then 5.0 *. power else if 2.0 *. power <= wanted then 2.0 *. power else power

let steps (low, high) =
  let by = nice (low, high) 4 in
  let rec go i out =
    let at = by *. i in
    if at > high +. (by *. 1e-9) || List.length out > 20 then List.rev out else go (i +. 1.0) (at :: out)
  in
  go (ceil ((low /. by) -. 1e-9)) []

let label v = Printf.sprintf "%.6g" (if v = 0.0 then 0.0 else v)

(* --- SVG --- *)

let colours = [| "#1f6fb4"; "#d1492e"; "#2e8b57"; "#8e5bb5"; "#c98a1b"; "#3aa6a6" |]
let width = 480.0
let height = 320.0
let left = 56.0
let right = 468.0
let top = 30.0
let bottom = 286.0

let escape text =
  let out = Buffer.create (String.length text) in
  String.iter
    (function
      | '<' -> Buffer.add_string out "&lt;"
      | '>' -> Buffer.add_string out "&gt;"
      | '&' -> Buffer.add_string out "&amp;"
      | c -> Buffer.add_char out c)
    text;
  Buffer.contents out

(* From dark blue over green to yellow. *)
let heat_colour t =
  let mix a b = int_of_float (a +. ((b -. a) *. if t < 0.5 then 2.0 *. t else (2.0 *. t) -. 1.0)) in
  if t < 0.5 then Printf.sprintf "rgb(%d,%d,%d)" (mix 50.0 40.0) (mix 20.0 145.0) (mix 95.0 140.0)
  else Printf.sprintf "rgb(%d,%d,%d)" (mix 40.0 250.0) (mix 145.0 225.0) (mix 140.0 50.0)

(* The parts of a line between numbers that are not finite. *)
let runs points =
  let close run out = if run = [] then out else List.rev run :: out in
  let rec go i run out =
    if i = Array.length points then List.rev (close run out)
    else
      let ((x, y) as point) = points.(i) in
      if finite x && finite y then go (i + 1) (point :: run) out else go (i + 1) [] (close run out)
  in
  go 0 [] []

let legend out names =
  List.iteri
    (fun i (name, colour) ->
      let y = top +. 14.0 +. (16.0 *. float i) in
      let x = right -. 104.0 in
      Printf.bprintf out "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>" x (y -. 9.0) colour;
      Printf.bprintf out "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n" (x +. 14.0) y (escape name))
    names

(* The axes with their numbers. *)
let frame out title (xs, place_x) (ys, place_y) =
  Printf.bprintf out "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\"" width height;
  Printf.bprintf out " font-family=\"sans-serif\" font-size=\"11\">\n";
  Printf.bprintf out "<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n" width height;
  Printf.bprintf out "<text x=\"%.1f\" y=\"19\" font-size=\"14\" text-anchor=\"middle\">%s</text>\n"
    ((left +. right) /. 2.0) (escape title);
  List.iter
    (fun v ->
      let x = place_x v in
      Printf.bprintf out "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>" x top x bottom;
      Printf.bprintf out "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n" x (bottom +. 16.0) (label v))
    (steps xs);
  List.iter
    (fun v ->
      let y = place_y v in
      Printf.bprintf out "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>" left y right y;
      Printf.bprintf out "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n" (left -. 6.0) (y +. 4.0)
        (label v))
    (steps ys);
  Printf.bprintf out "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#444\"/>\n" left top bottom right

let body out (place_x, place_y) colour layer =
  match layer with
  | Line (_, points) ->
      List.iter
        (fun run ->
          Printf.bprintf out "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"" colour;
          List.iteri
            (fun i (x, y) -> Printf.bprintf out "%s%.1f,%.1f" (if i = 0 then "" else " ") (place_x x) (place_y y))
            run;
          Printf.bprintf out "\"/>\n")
        (runs points)
  | Points (_, points) ->
      Array.iter
        (fun (x, y) ->
          if finite x && finite y then
            Printf.bprintf out "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n" (place_x x) (place_y y)
              colour)
        points
  | Bars (_, places, counts) ->
      Array.iteri
        (fun i count ->
          let x = place_x places.(i) and y = place_y count in
          let wide = place_x places.(i + 1) -. x and high = place_y 0.0 -. y in
          Printf.bprintf out "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"" x y wide high
            colour;
          Printf.bprintf out " stroke=\"white\"/>\n")
        counts
  | Heat (_, _, [||]) -> ()
  | Heat (xs, ys, rows) ->
      let range = Array.fold_left (Array.fold_left spread) (infinity, neg_infinity) rows in
      let x i = place_x (inside xs (float i /. float (Array.length rows.(0)))) in
      let y j = place_y (inside ys (float j /. float (Array.length rows))) in
      let field j i v =
        if finite v then
          let t = part (widened range) v in
          (* Half a point more, so that no gaps show. *)
          Printf.bprintf out "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n" (x i)
            (y (j + 1))
            (x (i + 1) -. x i +. 0.5)
            (y j -. y (j + 1) +. 0.5)
            (heat_colour t)
      in
      Array.iteri (fun j row -> Array.iteri (field j) row) rows

let svg title layers =
  let xs, ys = range_of layers in
  let xs = scale "Plot.svg" xs and ys = scale "Plot.svg" ys in
  let place_x v = inside (left, right) (part xs v) and place_y v = inside (bottom, top) (part ys v) in
  let out = Buffer.create 4096 in
  frame out title (xs, place_x) (ys, place_y);
  let colour i = colours.(i mod Array.length colours) in
  List.iteri (fun i layer -> body out (place_x, place_y) (colour i) layer) layers;
  let named i = function
    | (Line (name, _) | Points (name, _) | Bars (name, _, _)) when name <> "" -> [ (name, colour i) ]
    | Line _ | Points _ | Bars _ | Heat _ -> []
  in
  legend out (List.concat (List.mapi named layers));
  Buffer.add_string out "</svg>\n";
  Buffer.contents out

(* --- text --- *)

(* A character of braille has two columns and four rows of dots; these are their bits, from above. *)
let dots = [| [| 0x01; 0x08 |]; [| 0x02; 0x10 |]; [| 0x04; 0x20 |]; [| 0x40; 0x80 |] |]

let braille out bits =
  if bits = 0 then Buffer.add_char out ' ' else Buffer.add_utf_8_uchar out (Uchar.of_int (0x2800 + bits))

(* Lines of [columns] characters; a map of values has a dot where they are above the middle of their range. *)
let text columns rows layers =
  if columns < 1 || rows < 1 then invalid_arg "Plot.text: no room";
  let xs, ys = range_of layers in
  let xs = scale "Plot.text" xs and ys = scale "Plot.text" ys in
  let wide = (2 * columns) - 1 and high = (4 * rows) - 1 in
  let cells = Array.make (columns * rows) 0 in
  let at range last v = int_of_float (Float.round (part range v *. float last)) in
  let set x y =
    if x >= 0 && x <= wide && y >= 0 && y <= high then begin
      let row = (high - y) / 4 and bit = dots.((high - y) mod 4).(x mod 2) in
      let cell = (row * columns) + (x / 2) in
      cells.(cell) <- cells.(cell) lor bit
    end
  in
  let dot x y = if finite x && finite y then set (at xs wide x) (at ys high y) in
  let draw = function
    | Points (_, points) -> Array.iter (fun (x, y) -> dot x y) points
    | Line (_, points) ->
        let segment (x0, y0) (x1, y1) =
          let x0 = at xs wide x0 and y0 = at ys high y0 and x1 = at xs wide x1 and y1 = at ys high y1 in
          let n = max 1 (max (abs (x1 - x0)) (abs (y1 - y0))) in
          for i = 0 to n do
            let between a b = a + int_of_float (Float.round (float ((b - a) * i) /. float n)) in
            set (between x0 x1) (between y0 y1)
          done
        in
        let rec along = function
          | a :: (b :: _ as rest) -> segment a b; along rest
          | [ (x, y) ] -> dot x y
          | [] -> ()
        in
        List.iter along (runs points)
    | Bars (_, places, counts) ->
        Array.iteri
          (fun i count ->
            for x = at xs wide places.(i) to at xs wide places.(i + 1) - 1 do
              if count > 0.0 then
                for y = 0 to at ys high count do set x y done
            done)
          counts
    | Heat (_, _, [||]) -> ()
    | Heat (of_x, of_y, values) ->
        let low, top = Array.fold_left (Array.fold_left spread) (infinity, neg_infinity) values in
        let middle = (low /. 2.0) +. (top /. 2.0) in
        let cell range n v =
          let t = part range v in
          if t >= 0.0 && t <= 1.0 then min (n - 1) (int_of_float (t *. float n)) else -1
        in
        for y = 0 to high do
          let row = cell of_y (Array.length values) (inside ys (float y /. float high)) in
          for x = 0 to wide do
            let column = cell of_x (Array.length values.(0)) (inside xs (float x /. float wide)) in
            if row >= 0 && column >= 0 && values.(row).(column) > middle then set x y
          done
        done
  in
  List.iter draw layers;
  let out = Buffer.create (columns * rows * 3) in
  let (x_low, x_high), (y_low, y_high) = (xs, ys) in
  let margin = max (String.length (label y_low)) (String.length (label y_high)) in
  for row = 0 to rows - 1 do
    let mark = if row = 0 then label y_high else if row = rows - 1 then label y_low else "" in
    Printf.bprintf out "%*s |" margin mark;
    for column = 0 to columns - 1 do braille out cells.((row * columns) + column) done;
    Buffer.add_char out '\n'
  done;
  let first = label x_low and last = label x_high in
  let room = max 1 (columns - String.length first - String.length last) in
  Printf.bprintf out "%*s  %s%s%s\n" margin "" first (String.make room ' ') last;
  Buffer.contents out

let save file text =
  let out = open_out_bin file in
  output_string out text;
  close_out out
