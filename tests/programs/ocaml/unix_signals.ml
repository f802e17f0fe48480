(* Signals that functions handle *)
open Unix

let show name text = Printf.printf "%s: %s\n%!" name text
let count = ref 0
let self = getpid ()

(* In a loop that calls nothing *)
let () =
  Sys.set_signal Sys.sigusr1 (Sys.Signal_handle (fun s -> incr count; if s <> Sys.sigusr1 then show "other" ""));
  kill self Sys.sigusr1;
  while !count = 0 do () done;
  show "loop" (string_of_int !count)

(* In recursion *)
let rec spin n = if !count > 1 then n else spin (n + 1)
let () =
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.02 });
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> incr count));
  ignore (spin 0);
  show "recursion" (string_of_int !count)

(* An exception from a handler *)
exception Timeout
let with_timeout seconds f =
  let before = Sys.signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise Timeout)) in
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = seconds });
  let result = try Some (f ()) with Timeout -> None in
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.0 });
  Sys.set_signal Sys.sigalrm before;
  result

let () =
  show "timeout" (match with_timeout 0.03 (fun () -> while true do () done) with None -> "yes" | Some () -> "no");
  show "in time" (match with_timeout 10.0 (fun () -> 42) with None -> "no" | Some n -> string_of_int n)

(* A read that is interrupted: EINTR from Unix, none from channels *)
let () =
  let r, w = pipe () in
  let seen = ref 0 in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> incr seen));
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.03 });
  let buf = Bytes.create 10 in
  (try ignore (read r buf 0 10) with Unix_error (EINTR, f, _) -> show "interrupted" (Printf.sprintf "%s %d" f !seen));
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.03 });
  (try ignore (select [ r ] [] [] 5.0) with Unix_error (EINTR, f, _) -> show "interrupted" (Printf.sprintf "%s %d" f !seen));
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> incr seen; ignore (write_substring w "line\n" 0 5)));
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.03 });
  let ch = in_channel_of_descr r in
  let line = input_line ch in
  show "channel" (Printf.sprintf "%s %d" line !seen);
  let t = gettimeofday () in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> incr seen));
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.02 });
  sleepf 0.1;
  show "sleep" (Printf.sprintf "%b %d" (gettimeofday () -. t >= 0.1) !seen);
  (* A handler that raises ends the wait. *)
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise Exit));
  ignore (setitimer ITIMER_REAL { it_interval = 0.0; it_value = 0.02 });
  (try ignore (input_line ch) with Exit -> show "raised" "in input_line")

(* Blocked signals wait. *)
let () =
  let seen = ref [] in
  let note name s = Sys.set_signal s (Sys.Signal_handle (fun _ -> seen := name :: !seen)) in
  note "usr1" Sys.sigusr1;
  note "usr2" Sys.sigusr2;
  let before = sigprocmask SIG_BLOCK [ Sys.sigusr1; Sys.sigusr2 ] in
  kill self Sys.sigusr1;
  kill self Sys.sigusr2;
  show "blocked" (Printf.sprintf "%d seen, %d pending, %d before" (List.length !seen) (List.length (sigpending ())) (List.length before));
  ignore (sigprocmask SIG_UNBLOCK [ Sys.sigusr1 ]);
  show "one" (String.concat " " !seen);
  ignore (sigprocmask SIG_SETMASK before);
  show "both" (String.concat " " !seen);
  ignore (sigprocmask SIG_BLOCK [ Sys.sigusr1 ]);
  kill self Sys.sigusr1;
  show "wait" (string_of_bool (sigwait [ Sys.sigusr1 ] = Sys.sigusr1));
  ignore (sigprocmask SIG_UNBLOCK [ Sys.sigusr1 ]);
  (match fork () with
  | 0 -> sleepf 0.05; kill (getppid ()) Sys.sigusr2; _exit 0
  | pid ->
      pause ();
      ignore (Sys.opaque_identity (ref 0));
      while List.length !seen < 3 do () done;
      show "pause" (String.concat " " !seen);
      ignore (waitpid [] pid))

(* Break *)
let () =
  Sys.catch_break true;
  (try kill self Sys.sigint; while true do () done with Sys.Break -> show "break" "caught");
  Sys.catch_break false;
  (match fork () with
  | 0 -> kill (getpid ()) Sys.sigint; _exit 0
  | pid -> show "default" (match waitpid [] pid with _, WSIGNALED s -> string_of_bool (s = Sys.sigint) | _ -> "?"));
  (try Sys.set_signal Sys.sigkill (Sys.Signal_handle ignore) with Sys_error m -> show "kill" m | Invalid_argument m -> show "kill" m);
  (* A child that ends is told of. *)
  let ended = ref false in
  Sys.set_signal Sys.sigchld (Sys.Signal_handle (fun _ -> ended := true));
  (match fork () with
  | 0 -> _exit 0
  | pid ->
      while not !ended do (try sleepf 0.01 with Unix_error (EINTR, _, _) -> ()) done;
      show "child" (match waitpid [] pid with _, WEXITED 0 -> "ended" | _ -> "?"))
