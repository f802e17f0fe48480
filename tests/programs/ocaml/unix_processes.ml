(* Processes, pipes and signals *)
open Unix

let status = function
  | WEXITED n -> Printf.sprintf "exited %d" n
  | WSIGNALED s -> Printf.sprintf "killed by %s" (Sys.signal_to_string s)
  | WSTOPPED s -> Printf.sprintf "stopped by %s" (Sys.signal_to_string s)

let lines ch =
  let rec go acc = match input_line ch with l -> go (l :: acc) | exception End_of_file -> List.rev acc in
  go []

let show name text = Printf.printf "%s: %s\n%!" name text

let () =
  show "system" (status (system "exit 3"));
  show "system killed" (status (system "kill -9 $$"));
  let ch = open_process_in "echo one; echo two; exit 4" in
  show "in" (String.concat "," (lines ch));
  show "closed" (status (close_process_in ch));
  let ch = open_process_out "cat; echo end" in
  output_string ch "written\n";
  show "out" (status (close_process_out ch));
  let input, output = open_process "tr a-z A-Z" in
  output_string output "pipeline\n";
  close_out output;
  show "both" (String.concat "," (lines input));
  show "closed" (status (close_process (input, output)));
  let input, output, errors = open_process_full "cat; echo $V >&2" [| "V=val"; "PATH=/bin:/usr/bin" |] in
  output_string output "full\n";
  close_out output;
  let out = String.concat "," (lines input) in
  show "full" (out ^ " " ^ String.concat "," (lines errors));
  show "closed" (status (close_process_full (input, output, errors)));
  let ch = open_process_args_in "printf" [| "printf"; "%s-%s"; "a b"; "c" |] in
  show "args" (String.concat "," (lines ch));
  show "closed" (status (close_process_in ch))

(* A pipeline by hand: seq 1 100 | grep 7 | wc -l *)
let () =
  let r1, w1 = pipe ~cloexec:true () in
  let r2, w2 = pipe ~cloexec:true () in
  let r3, w3 = pipe ~cloexec:true () in
  let p1 = create_process "seq" [| "seq"; "1"; "100" |] stdin w1 stderr in
  let p2 = create_process "grep" [| "grep"; "7" |] r1 w2 stderr in
  let p3 = create_process "wc" [| "wc"; "-l" |] r2 w3 stderr in
  List.iter close [ w1; r1; w2; r2; w3 ];
  let ch = in_channel_of_descr r3 in
  show "pipeline" (String.trim (input_line ch));
  close_in ch;
  List.iter (fun p -> show "part" (status (snd (waitpid [] p)))) [ p1; p2; p3 ];
  try ignore (create_process "no-such-program" [| "x" |] stdin stdout stderr)
  with Unix_error (e, f, a) -> show "spawn" (error_message e ^ " " ^ f ^ " " ^ a)

(* fork, exec, wait *)
let () =
  (match fork () with
  | 0 -> ( try execv "/no/such" [| "x" |] with Unix_error (e, f, a) ->
      _exit (if e = ENOENT && f = "execv" && a = "/no/such" then 11 else 12))
  | pid -> show "exec fails" (status (snd (waitpid [] pid))));
  (match fork () with
  | 0 -> execvp "sh" [| "sh"; "-c"; "exit 9" |]
  | pid -> show "exec" (status (snd (waitpid [] pid))));
  (match fork () with
  | 0 -> execve "/bin/sh" [| "sh"; "-c"; "exit $CODE" |] [| "CODE=21" |]
  | pid -> show "execve" (status (snd (waitpid [] pid))));
  (match fork () with
  | 0 -> sleep 100; _exit 0
  | pid ->
      show "nohang" (match waitpid [ WNOHANG ] pid with 0, _ -> "runs" | _ -> "ended");
      kill pid Sys.sigterm;
      show "killed" (status (snd (waitpid [] pid))));
  (try ignore (wait ()) with Unix_error (e, f, _) -> show "wait" (error_message e ^ " " ^ f));
  try kill 999999999 0 with Unix_error (e, f, _) -> show "kill" (error_message e ^ " " ^ f)

(* Broken pipes *)
let () =
  let r, w = pipe () in
  close r;
  (match fork () with
  | 0 -> ignore (write_substring w "x" 0 1); _exit 0
  | pid -> show "default" (status (snd (waitpid [] pid))));
  let before = Sys.signal Sys.sigpipe Sys.Signal_ignore in
  show "before" (match before with Sys.Signal_default -> "default" | Sys.Signal_ignore -> "ignored" | _ -> "handled");
  (try ignore (write_substring w "x" 0 1) with Unix_error (e, f, _) -> show "epipe" (error_message e ^ " " ^ f));
  let ch = out_channel_of_descr w in
  output_string ch "y";
  (try flush ch with Sys_error m -> show "channel" m);
  close_out_noerr ch

(* Several descriptors *)
let () =
  let r, w = pipe () in
  let a, b, c = select [ r ] [ w ] [] 0.0 in
  show "select" (Printf.sprintf "%d %d %d" (List.length a) (List.length b) (List.length c));
  ignore (write_substring w "x" 0 1);
  let a, _, _ = select [ r ] [] [] (-1.0) in
  show "select" (string_of_bool (a = [ r ]));
  set_nonblock r;
  let buf = Bytes.create 4 in
  show "read" (string_of_int (read r buf 0 4));
  (try ignore (read r buf 0 4) with Unix_error ((EAGAIN | EWOULDBLOCK), f, _) -> show "again" f);
  clear_nonblock r;
  close w;
  show "end" (string_of_int (read r buf 0 4));
  let r2 = dup r in
  dup2 Unix.stdin r2;
  close r2;
  close r;
  try ignore (select [ r ] [] [] 0.0) with Unix_error (e, f, _) -> show "select" (error_message e ^ " " ^ f)

let () =
  putenv "OXBOW_TEST" "set";
  show "env" (getenv "OXBOW_TEST");
  show "child" (let ch = open_process_in "echo $OXBOW_TEST" in let l = input_line ch in ignore (close_process_in ch); l);
  show "environment" (string_of_bool (Array.mem "OXBOW_TEST=set" (environment ())));
  let t = gmtime 86400.5 in
  show "gmtime" (Printf.sprintf "%d-%d-%d %d:%d:%d wday %d yday %d" (t.tm_year + 1900) (t.tm_mon + 1) t.tm_mday t.tm_hour t.tm_min t.tm_sec t.tm_wday t.tm_yday);
  let t = localtime 1e9 in
  let s, t' = mktime { t with tm_mday = t.tm_mday + 40 } in
  show "mktime" (Printf.sprintf "%.0f %d %d" s t'.tm_mon t'.tm_mday);
  show "times" (string_of_bool ((times ()).tms_utime >= 0.0 && gettimeofday () > 1e9));
  show "user" (let u = getpwuid (getuid ()) in string_of_bool (u.pw_uid = getuid () && (getpwnam u.pw_name) = u));
  show "group" (let g = getgrgid (getgid ()) in string_of_bool ((getgrnam g.gr_name).gr_gid = g.gr_gid));
  (try ignore (getpwnam "no-such-user") with Not_found -> show "user" "not found");
  show "host" (string_of_bool (String.length (gethostname ()) > 0));
  show "pids" (string_of_bool (getpid () > 1 && getppid () > 0 && getuid () = geteuid ()))
