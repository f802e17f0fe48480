(* An echo server on the loopback address: a process that serves several clients at once by `select`, and clients that
   are processes and threads. *)
open Unix

type client = { socket : file_descr; waiting : Buffer.t }

let serve listening count =
  let clients = ref [] and served = ref 0 in
  let buffer = Bytes.create 4096 in
  let forget client =
    close client.socket;
    clients := List.filter (fun it -> it != client) !clients;
    incr served
  in
  while !served < count do
    let writing = List.filter (fun it -> Buffer.length it.waiting > 0) !clients in
    let socket it = it.socket in
    let readable, writable, _ = select (listening :: List.map socket !clients) (List.map socket writing) [] 5.0 in
    if List.mem listening readable then begin
      let socket, _ = accept ~cloexec:true listening in
      set_nonblock socket;
      clients := { socket; waiting = Buffer.create 100 } :: !clients
    end;
    List.iter
      (fun it ->
        if List.mem it.socket writable then begin
          let text = Buffer.contents it.waiting in
          match write_substring it.socket text 0 (String.length text) with
          | written ->
              Buffer.clear it.waiting;
              Buffer.add_substring it.waiting text written (String.length text - written)
          | exception Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ()
        end)
      !clients;
    List.iter
      (fun it ->
        if List.mem it.socket readable then
          match read it.socket buffer 0 4096 with
          | 0 -> forget it
          | count -> Buffer.add_subbytes it.waiting buffer 0 count
          | exception Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ()
          | exception Unix_error (ECONNRESET, _, _) -> forget it)
      !clients
  done;
  close listening

(* Sends lines of all lengths and compares what comes back. *)
let talk port number =
  let input, output = open_connection (ADDR_INET (inet_addr_loopback, port)) in
  let right = ref 0 in
  for i = 1 to 200 do
    let line = Printf.sprintf "%d:%s" number (String.make (i * i mod 700) (Char.chr (97 + (i mod 26)))) in
    output_string output line;
    output_char output '\n';
    flush output;
    if input_line input = line then incr right
  done;
  (* A long text, all at once *)
  let long = String.init 100_000 (fun i -> Char.chr (65 + ((i + number) mod 26))) in
  let sender =
    Thread.create
      (fun () ->
        output_string output long;
        output_char output '\n';
        flush output)
      ()
  in
  let back = input_line input in
  Thread.join sender;
  shutdown_connection input;
  let at_end = match input_line input with _ -> false | exception End_of_file -> true in
  close_in input;
  (!right, back = long, at_end)

let () =
  let listening = socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  bind listening (ADDR_INET (inet_addr_loopback, 0));
  listen listening 10;
  let port = match getsockname listening with ADDR_INET (_, port) -> port | ADDR_UNIX _ -> 0 in
  match fork () with
  | 0 ->
      serve listening 6;
      exit 0
  | server ->
      close listening;
      let children =
        List.init 3 (fun number ->
            match fork () with
            | 0 -> exit (match talk port number with 200, true, true -> 0 | _ -> 1)
            | pid -> pid)
      in
      let results = Array.make 3 (0, false, false) in
      let threads = List.init 3 (fun i -> Thread.create (fun () -> results.(i) <- talk port (10 + i)) ()) in
      List.iter Thread.join threads;
      Array.iter (fun (lines, long, at_end) -> Printf.printf "thread: %d lines, long %b, end %b\n" lines long at_end) results;
      let status pid = match waitpid [] pid with _, WEXITED n -> n | _, (WSIGNALED n | WSTOPPED n) -> 1000 + n in
      List.iter (fun pid -> Printf.printf "process: %d\n" (status pid)) children;
      Printf.printf "server: %d\n" (status server)
