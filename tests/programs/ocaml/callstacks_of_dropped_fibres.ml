open Effect
open Effect.Deep
type _ Effect.t += E : int -> int Effect.t
(* dropped continuations and nested handlers keep the calls of others in order *)
let rec work n = if n = 0 then perform (E 1) + 0 else 1 + work (n - 1)
let with_ f = match_with f () { retc = Fun.id; exnc = raise; effc = (fun (type a) (e : a Effect.t) -> match e with E _ -> Some (fun (k : (a, int) continuation) -> ignore k; 7) | _ -> None) }
let show () = let t = Printexc.get_callstack 20 in print_string (Printexc.raw_backtrace_to_string t)
let nested () = let a = with_ (fun () -> let a = with_ (fun () -> 1 + work 3) in show (); a + work 2) in show (); a
let () = Printf.printf "%d\n" (nested () + 1); show ()
let () = try ignore (1 + with_ (fun () -> 1 + (try work 2 + raise Exit with Not_found -> 3))) with Exit -> ()
let () = show ()
