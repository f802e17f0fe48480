(* Sockets on this machine *)
open Unix

let show name text = Printf.printf "%s: %s\n%!" name text
let check name f = try f () with Unix_error (e, f, a) -> show name (error_message e ^ " in " ^ f ^ " " ^ a)
let loopback port = ADDR_INET (inet_addr_loopback, port)
let port_of fd = match getsockname fd with ADDR_INET (_, port) -> port | ADDR_UNIX _ -> 0

(* A server that echoes lines in capitals, and its clients. *)
let () =
  let listening = socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  setsockopt listening SO_REUSEADDR true;
  bind listening (loopback 0);
  listen listening 5;
  let port = port_of listening in
  show "bound" (string_of_bool (port > 0));
  match fork () with
  | 0 ->
      for _ = 1 to 3 do
        let client, from = accept listening in
        let ok = match from with ADDR_INET (a, _) -> a = inet_addr_loopback | _ -> false in
        let input = in_channel_of_descr client and output = out_channel_of_descr client in
        (try
           while true do
             let line = input_line input in
             output_string output (String.uppercase_ascii line ^ (if ok then "!" else "?") ^ "\n");
             flush output
           done
         with End_of_file -> ());
        close_out output
      done;
      _exit 0
  | pid ->
      close listening;
      for i = 1 to 3 do
        let input, output = open_connection (loopback port) in
        Printf.fprintf output "client %d\nagain\n%!" i;
        let first = input_line input in
        show "answer" (first ^ " " ^ input_line input);
        shutdown_connection input;
        show "end" (match input_line input with l -> l | exception End_of_file -> "end of file");
        close_in input
      done;
      show "server" (match waitpid [] pid with _, WEXITED n -> string_of_int n | _ -> "?");
      check "refused" (fun () -> ignore (open_connection (loopback port)))

(* Pairs, datagrams, options *)
let () =
  let a, b = socketpair PF_UNIX SOCK_STREAM 0 in
  show "send" (string_of_int (send_substring a "hello" 0 5 []));
  let buf = Bytes.make 10 '.' in
  show "peek" (string_of_int (recv b buf 0 10 [ MSG_PEEK ]));
  (try ignore (recv b buf 2 10 []) with Invalid_argument m -> show "range" m)

let () =
  let a, b = socketpair PF_UNIX SOCK_STREAM 0 in
  ignore (send_substring a "hello" 0 5 []);
  let buf = Bytes.make 10 '.' in
  let n = recv b buf 2 3 [] in
  show "recv" (Printf.sprintf "%d %s" n (Bytes.to_string buf));
  shutdown a SHUTDOWN_SEND;
  let n = read b buf 0 10 in
  show "rest" (Printf.sprintf "%d %s" n (Bytes.to_string buf));
  show "end" (string_of_int (read b buf 0 10));
  close a;
  close b;
  let u = socket PF_INET SOCK_DGRAM 0 and v = socket PF_INET SOCK_DGRAM 0 in
  bind u (loopback 0);
  bind v (loopback 0);
  ignore (sendto v (Bytes.of_string "datagram") 0 8 [] (loopback (port_of u)));
  let n, from = recvfrom u buf 0 10 [] in
  show "datagram" (Printf.sprintf "%d %s %b" n (Bytes.sub_string buf 0 n) (from = getsockname v));
  show "type" (string_of_int (getsockopt_int u SO_TYPE));
  show "options" (Printf.sprintf "%b %b" (getsockopt u SO_BROADCAST) (setsockopt u SO_BROADCAST true; getsockopt u SO_BROADCAST));
  setsockopt_float u SO_RCVTIMEO 0.02;
  show "timeout" (string_of_float (getsockopt_float u SO_RCVTIMEO));
  check "recv" (fun () -> try ignore (recv u buf 0 10 []) with Unix_error ((EAGAIN | EWOULDBLOCK), f, _) -> show "timed out" f);
  let s = socket PF_INET SOCK_STREAM 0 in
  show "linger" (match getsockopt_optint s SO_LINGER with None -> "none" | Some n -> string_of_int n);
  setsockopt_optint s SO_LINGER (Some 3);
  show "linger" (match getsockopt_optint s SO_LINGER with None -> "none" | Some n -> string_of_int n);
  show "error" (match getsockopt_error s with None -> "none" | Some e -> error_message e);
  check "not connected" (fun () -> ignore (getpeername s));
  check "not a socket" (fun () -> let r, _ = pipe () in ignore (getsockname r));
  check "no channel" (fun () -> ignore (in_channel_of_descr u))
(* Names of files *)
let () =
  let path = Filename.temp_file "oxbow" ".sock" in
  Sys.remove path;
  let listening = socket PF_UNIX SOCK_STREAM 0 in
  bind listening (ADDR_UNIX path);
  listen listening 1;
  show "path" (string_of_bool (getsockname listening = ADDR_UNIX path));
  let client = socket PF_UNIX SOCK_STREAM 0 in
  connect client (ADDR_UNIX path);
  let server, from = accept listening in
  show "from" (match from with ADDR_UNIX p -> Printf.sprintf "%S" p | _ -> "?");
  ignore (write_substring client "abc" 0 3);
  let buf = Bytes.create 5 in
  show "got" (Bytes.sub_string buf 0 (read server buf 0 5));
  Sys.remove path

let () =
  let there text = string_of_inet_addr (inet_addr_of_string text) in
  show "addresses" (String.concat " " (List.map there [ "127.0.0.1"; "255.1.2.3"; "::1"; "fe80::1:2"; "::ffff:1.2.3.4" ]));
  List.iter (fun t -> try ignore (inet_addr_of_string t); show t "?" with Failure m -> show t m) [ "1.2.3.400"; "127.1"; "x"; ""; "1::2::3" ];
  show "any" (String.concat " " (List.map string_of_inet_addr [ inet_addr_any; inet6_addr_any; inet6_addr_loopback ]));
  show "domains" (String.concat " " (List.map (fun a -> match domain_of_sockaddr a with PF_INET -> "inet" | PF_INET6 -> "inet6" | PF_UNIX -> "unix")
    [ loopback 1; ADDR_INET (inet6_addr_any, 1); ADDR_UNIX "x" ]));
  let infos = getaddrinfo "127.0.0.1" "80" [ AI_SOCKTYPE SOCK_STREAM; AI_NUMERICHOST ] in
  show "getaddrinfo" (String.concat " " (List.map (fun i -> match i.ai_addr with ADDR_INET (a, p) -> Printf.sprintf "%s:%d" (string_of_inet_addr a) p | _ -> "?") infos));
  show "none" (string_of_int (List.length (getaddrinfo "300.0.0.1" "80" [ AI_NUMERICHOST ])));
  let n = getnameinfo (loopback 7) [ NI_NUMERICHOST; NI_NUMERICSERV ] in
  show "getnameinfo" (n.ni_hostname ^ " " ^ n.ni_service)
