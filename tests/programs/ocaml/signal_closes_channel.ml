(* A function that handles a signal closes the channel that is being written. *)
let () =
  let r, w = Unix.pipe () in
  let c = Unix.out_channel_of_descr w in
  let closed = ref 0 in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ ->
    incr closed;
    let b = Bytes.create 65536 in
    for _ = 1 to 1 do ignore (Unix.read r b 0 65536) done;
    close_out_noerr c));
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_value = 0.2; it_interval = 0.0 });
  let big = String.make 60000 'x' in
  (try
    for _ = 1 to 10 do output_string c big done
  with Sys_error e -> print_endline ("Sys_error " ^ e));
  Printf.printf "closed %d\n%!" !closed;
  let l = List.init 1000 string_of_int in
  print_endline (String.concat "" l |> Digest.string |> Digest.to_hex)
