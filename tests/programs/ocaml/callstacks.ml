let show name t = Printf.printf "%s:\n%s" name (Printexc.raw_backtrace_to_string t)
let stack n = Printexc.get_callstack n
let f x = let t = stack x in ignore (Sys.opaque_identity x); t
let g x =
  let t = f x in
  show "g" t; x + 1
let rec deep n = if n = 0 then (show "deep" (Printexc.get_callstack 4); 0) else 1 + deep (n - 1)
let () =
  ignore (g 10 + 1);
  ignore (g 2 + 1);
  ignore (deep 5 + 1);
  (try ignore (1 + deep 2); failwith "x" with Failure _ -> show "handler" (Printexc.get_callstack 10));
  let t = Printexc.get_callstack 1 in
  (match Printexc.backtrace_slots t with
  | Some slots -> Array.iteri (fun i s ->
      (match Printexc.Slot.location s with Some l -> Printf.printf "%s %d %d-%d %d %d\n" l.filename l.line_number l.start_char l.end_char l.end_line l.end_col | None -> print_endline "none");
      Printf.printf "%b %b %s %s\n" (Printexc.Slot.is_raise s) (Printexc.Slot.is_inline s) (Option.value (Printexc.Slot.name s) ~default:"-") (Option.value (Printexc.Slot.format i s) ~default:"-")) slots
  | None -> print_endline "no slots");
  Printf.printf "%b\n" (Printexc.backtrace_status ());
  show "none" (Printexc.get_callstack 0)
let () = Printexc.record_backtrace true
let () = (try ignore (deep 1 + 1); raise Exit with Exit -> show "after" (Printexc.get_callstack 5))
