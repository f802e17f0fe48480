(* A pipeline of processes that this program makes of itself, and one of other programs *)
open Unix

(* Runs the stages side by side, each with the output of the one before as its input; gives what the last one writes. *)
let pipeline stages =
  let start (input, pids) stage =
    let reading, writing = pipe ~cloexec:true () in
    match fork () with
    | 0 ->
        close reading;
        stage (in_channel_of_descr input) (out_channel_of_descr writing);
        exit 0
    | pid ->
        close writing;
        close input;
        (reading, pid :: pids)
  in
  let nothing = openfile "/dev/null" [ O_RDONLY ] 0 in
  let last, pids = List.fold_left start (nothing, []) stages in
  let text = In_channel.input_all (in_channel_of_descr last) in
  close last;
  let status pid =
    match waitpid [] pid with
    | _, WEXITED n -> Printf.sprintf "exit %d" n
    | _, WSIGNALED n -> if n = Sys.sigpipe then "broken pipe" else "killed"
    | _, WSTOPPED _ -> "stopped"
  in
  (text, List.rev_map status pids)

let numbers count _ output =
  for i = 1 to count do
    Printf.fprintf output "%d\n" i
  done;
  flush output

let each_line f input output =
  In_channel.fold_lines (fun () line -> Option.iter (fun line -> output_string output (line ^ "\n")) (f line)) () input;
  flush output

let head count input output =
  let rec go left =
    if left > 0 then
      match input_line input with
      | line ->
          output_string output (line ^ "\n");
          go (left - 1)
      | exception End_of_file -> ()
  in
  go count;
  flush output

let sum input output =
  let total = In_channel.fold_lines (fun total line -> total + int_of_string line) 0 input in
  Printf.fprintf output "%d\n%!" total

let failing input output =
  ignore (input_line input);
  output_string output "one line\n";
  flush output;
  exit 3

let show name (text, ends) = Printf.printf "%s: %s [%s]\n%!" name (String.concat " " (String.split_on_char '\n' (String.trim text))) (String.concat ", " ends)

let () =
  let odd line = if int_of_string line land 1 = 1 then Some line else None in
  let square line = let n = int_of_string line in Some (string_of_int (n * n)) in
  show "sum" (pipeline [ numbers 10_000; each_line odd; each_line square; sum ]);
  (* The first stage writes more than a pipe takes, and nobody reads it. *)
  show "head" (pipeline [ numbers 1_000_000; head 3 ]);
  show "fails" (pipeline [ numbers 5; failing; each_line (fun line -> Some (String.uppercase_ascii line)) ]);
  show "empty" (pipeline [ numbers 0; each_line odd; sum ]);
  let exec program args input output =
    dup2 (descr_of_in_channel input) stdin;
    dup2 (descr_of_out_channel output) stdout;
    execvp program (Array.of_list (program :: args))
  in
  show "programs" (pipeline [ numbers 30; exec "grep" [ "1" ]; exec "sort" [ "-rn" ]; exec "head" [ "-n"; "4" ] ]);
  (* The same with an ignored signal: the write fails instead. *)
  let before = Sys.signal Sys.sigpipe Sys.Signal_ignore in
  let careful count _ output =
    match numbers count stdin output with
    | () -> exit 0
    | exception Sys_error reason -> prerr_endline reason; exit (if reason = "Broken pipe" then 7 else 8)
  and stdin = Stdlib.stdin in
  show "ignored" (pipeline [ (fun input output -> careful 1_000_000 input output); head 1 ]);
  Sys.set_signal Sys.sigpipe before
