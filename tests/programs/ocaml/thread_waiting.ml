(* Threads that wait in the system for files, processes and signals. *)

let () =
  let before = Thread.sigmask Unix.SIG_BLOCK [ Sys.sigusr1 ] in
  Printf.printf "%b\n" (List.mem Sys.sigusr1 before);
  Printf.printf "%b\n" (List.mem Sys.sigusr1 (Thread.sigmask Unix.SIG_BLOCK []));
  Unix.kill (Unix.getpid ()) Sys.sigusr1;
  Printf.printf "%b\n" (Thread.wait_signal [ Sys.sigusr1 ] = Sys.sigusr1);
  ignore (Thread.sigmask Unix.SIG_SETMASK before)

let () =
  let from, into = Unix.pipe ~cloexec:true () in
  Printf.printf "%b\n" (Thread.wait_timed_read from 0.01);
  Printf.printf "%b\n" (Thread.wait_timed_write into 1.0);
  let reader =
    Thread.create
      (fun () ->
        let ready = Thread.wait_timed_read from 10.0 in
        let bytes = Bytes.create 5 in
        let n = Unix.read from bytes 0 5 in
        Printf.printf "%b %s\n%!" ready (Bytes.sub_string bytes 0 n))
      ()
  in
  Thread.delay 0.01;
  ignore (Unix.write_substring into "hello" 0 5);
  Thread.join reader;
  let readable, writable, _ = Thread.select [ from ] [ into ] [] 0.5 in
  Printf.printf "%d %d\n" (List.length readable) (List.length writable);
  let pid = Unix.create_process "sh" [| "sh"; "-c"; "exit 7" |] Unix.stdin Unix.stdout Unix.stderr in
  let waiter =
    Thread.create
      (fun pid ->
        match Thread.wait_pid pid with
        | p, Unix.WEXITED n -> Printf.printf "%b %d\n%!" (p = pid) n
        | _ -> print_endline "killed")
      pid
  in
  Thread.join waiter
