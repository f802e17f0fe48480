open Effect
open Effect.Deep
type _ Effect.t += E : int -> int Effect.t
let show name t = Printf.printf "%s:\n%s" name (Printexc.raw_backtrace_to_string t)
let inner n = let a = perform (E n) in show "inside" (Printexc.get_callstack 20); a + 1
let outer n = let a = inner n in a * 2
let saved : (int, int) continuation option ref = ref None
let run n = match_with (fun () -> let a = outer n in a + 1) () { retc = (fun x -> x); exnc = raise; effc = (fun (type a) (e : a Effect.t) -> match e with
  | E m -> Some (fun (k : (a, int) continuation) -> saved := Some k; show "handler" (Printexc.get_callstack 20); 0) | _ -> None) }
let resume k n = let a = continue k n in a + 1
let () =
  let x = run 1 in
  show "top" (Printexc.get_callstack 20);
  (match !saved with Some k -> let r = resume k 5 in Printf.printf "%d %d\n" x r | None -> ());
  show "end" (Printexc.get_callstack 20)
