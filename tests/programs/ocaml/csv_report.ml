(* CSV with quoted fields from stdin: parse, group, aggregate, print aligned columns. *)

let parse_line line =
  let n = String.length line in
  let fields = ref [] and buf = Buffer.create 32 in
  let finish () = fields := Buffer.contents buf :: !fields; Buffer.clear buf in
  let rec plain i =
    if i = n then finish ()
    else match line.[i] with
      | ',' -> finish (); plain (i + 1)
      | '"' when Buffer.length buf = 0 -> quoted (i + 1)
      | c -> Buffer.add_char buf c; plain (i + 1)
  and quoted i =
    if i = n then failwith "unterminated quote"
    else match line.[i] with
      | '"' when i + 1 < n && line.[i + 1] = '"' -> Buffer.add_char buf '"'; quoted (i + 2)
      | '"' -> plain (i + 1)
      | c -> Buffer.add_char buf c; quoted (i + 1) in
  plain 0;
  List.rev !fields

type sale = { region : string; product : string; units : int; price : float }

let read_all ic =
  let rec go acc = match input_line ic with
    | l -> go (l :: acc)
    | exception End_of_file -> List.rev acc in
  go []

let () =
  match read_all stdin with
  | [] -> print_endline "no input"
  | header :: rows ->
    let columns = parse_line header in
    Printf.printf "columns: %s\n" (String.concat " | " columns);
    let bad = ref 0 in
    let sales =
      List.filter_map (fun row ->
          match parse_line row with
          | [ region; product; units; price ] ->
            (try Some { region; product; units = int_of_string units; price = float_of_string price }
             with Failure m -> incr bad; Printf.printf "skipped %S (%s)\n" row m; None)
          | fields ->
            incr bad;
            Printf.printf "skipped row with %d fields\n" (List.length fields);
            None
          | exception Failure m -> incr bad; Printf.printf "skipped: %s\n" m; None)
        rows in
    Printf.printf "%d rows, %d skipped\n" (List.length sales) !bad;
    let totals = Hashtbl.create 8 in
    List.iter (fun s ->
        let units, money = try Hashtbl.find totals s.region with Not_found -> (0, 0.0) in
        Hashtbl.replace totals s.region (units + s.units, money +. float_of_int s.units *. s.price))
      sales;
    let rows =
      Hashtbl.fold (fun k v acc -> (k, v) :: acc) totals []
      |> List.sort (fun (_, (_, a)) (_, (_, b)) -> compare b a) in
    Printf.printf "%-12s %6s %12s\n" "region" "units" "revenue";
    print_endline (String.make 32 '-');
    List.iter (fun (r, (u, m)) -> Printf.printf "%-12s %6d %12.2f\n" r u m) rows;
    let best =
      List.fold_left (fun best s ->
          match best with
          | Some b when b.price >= s.price -> best
          | _ -> Some s) None sales in
    Option.iter (fun s -> Printf.printf "dearest: %s at %g\n" s.product s.price) best
