(* The part of [Unix] that is about the network: addresses, sockets, and who is called what. *)

[@@@part_of "Unix"]
[@@@links_printexc]

open Oxbow_unix

(* Addresses of machines: four bytes, or sixteen *)

type inet_addr = string

external c_inet_pton : int32 -> string -> string -> int32 = "%c.3.libm+libc.inet_pton"

external c_inet_ntop : int32 -> string -> string -> int32 -> nativeint
  = "%c.4.libm+libc.inet_ntop"

let inet_addr_of_string text =
  let four = buffer 4 and sixteen = buffer 16 in
  if not (Oxbow_system.is_name text) then failwith "inet_addr_of_string"
  else if c_inet_pton 2l text (c four) = 1l then Bytes.to_string four
  else if c_inet_pton 10l text (c sixteen) = 1l then Bytes.to_string sixteen
  else failwith "inet_addr_of_string"

let is_inet6_addr address = String.length address = 16

let string_of_inet_addr address =
  let text = buffer 64 in
  let family = if is_inet6_addr address then 10l else 2l in
  if c_inet_ntop family address (c text) 64l = 0n then failed "string_of_inet_addr" ""
  else Oxbow_system.text_of text

let inet_addr_any = "\000\000\000\000"
let inet_addr_loopback = "\127\000\000\001"
let inet6_addr_any = "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
let inet6_addr_loopback = "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\001"

type socket_domain =
  | PF_UNIX
  | PF_INET
  | PF_INET6

type socket_type =
  | SOCK_STREAM
  | SOCK_DGRAM
  | SOCK_RAW
  | SOCK_SEQPACKET

type sockaddr =
  | ADDR_UNIX of string
  | ADDR_INET of inet_addr * int

let domain_of_sockaddr = function
  | ADDR_UNIX _ -> PF_UNIX
  | ADDR_INET (address, _) -> if is_inet6_addr address then PF_INET6 else PF_INET

let domain_number = function PF_UNIX -> 1 | PF_INET -> 2 | PF_INET6 -> 10
let type_number = function SOCK_STREAM -> 1 | SOCK_DGRAM -> 2 | SOCK_RAW -> 3 | SOCK_SEQPACKET -> 5

(* An address as C has it. *)
let put_address address =
  match address with
  | ADDR_UNIX path ->
      let length = String.length path in
      if length >= 108 then fault 36 "" path;
      let bytes = buffer (2 + length + 1) in
      Bytes.set_uint16_le bytes 0 1;
      Bytes.blit_string path 0 bytes 2 length;
      (* One that begins with a NUL is no name of a file, and all its bytes count. *)
      if length = 0 then Bytes.sub bytes 0 2
      else if path.[0] = '\000' then Bytes.sub bytes 0 (2 + length)
      else bytes
  | ADDR_INET (host, port) ->
      let is_long = is_inet6_addr host in
      let bytes = buffer (if is_long then 28 else 16) in
      Bytes.set_uint16_le bytes 0 (if is_long then 10 else 2);
      Bytes.set_uint16_be bytes 2 port;
      Bytes.blit_string host 0 bytes (if is_long then 8 else 4) (String.length host);
      bytes

let address_of bytes length =
  if length < 2 then ADDR_UNIX ""
  else
    match Bytes.get_uint16_le bytes 0 with
    | 1 ->
        let path = Bytes.sub_string bytes 2 (length - 2) in
        let stop =
          if path <> "" && path.[0] = '\000' then String.length path
          else match String.index_opt path '\000' with Some i -> i | None -> String.length path
        in
        ADDR_UNIX (String.sub path 0 stop)
    | 2 -> ADDR_INET (Bytes.sub_string bytes 4 4, Bytes.get_uint16_be bytes 2)
    | 10 -> ADDR_INET (Bytes.sub_string bytes 8 16, Bytes.get_uint16_be bytes 2)
    | _ -> fault 97 "" ""

(* Has C fill in an address. *)
let filled_address call =
  let bytes = buffer 128 and size = buffer 4 in
  put_int size 0 128;
  let result = call (c bytes) (c size) in
  (result, fun () -> address_of bytes (min 128 (int_at size 0)))

(* Sockets *)

external c_socket : int32 -> int32 -> int32 -> int32 = "%c.3.libm+libc.socket"

external c_socketpair : int32 -> int32 -> int32 -> string -> int32
  = "%c.4.libm+libc.socketpair"

external c_accept4 : int32 -> string -> string -> int32 -> int32 = "%c.4.libm+libc.accept4"
external c_bind : int32 -> string -> int32 -> int32 = "%c.3.libm+libc.bind"
external c_connect : int32 -> string -> int32 -> int32 = "%c.3.libm+libc.connect"
external c_listen : int32 -> int32 -> int32 = "%c.2.libm+libc.listen"
external c_shutdown : int32 -> int32 -> int32 = "%c.2.libm+libc.shutdown"
external c_getsockname : int32 -> string -> string -> int32 = "%c.3.libm+libc.getsockname"
external c_getpeername : int32 -> string -> string -> int32 = "%c.3.libm+libc.getpeername"

let closes_on_exec cloexec = if cloexec then 0o2000000 else 0

let socket ?(cloexec = false) domain kind protocol =
  let kind = type_number kind lor closes_on_exec cloexec in
  check "socket" ""
    (c_socket
       (Int32.of_int (domain_number domain))
       (Int32.of_int kind) (Int32.of_int protocol))

let socketpair ?(cloexec = false) domain kind protocol =
  let both = buffer 8 in
  let kind = type_number kind lor closes_on_exec cloexec in
  done_ "socketpair"
    (c_socketpair
       (Int32.of_int (domain_number domain))
       (Int32.of_int kind) (Int32.of_int protocol) (c both));
  (int_at both 0, int_at both 4)

let accept ?(cloexec = false) descriptor =
  let result, address =
    filled_address (fun bytes size ->
        c_accept4 (Int32.of_int descriptor) bytes size (Int32.of_int (closes_on_exec cloexec)))
  in
  let accepted = check "accept" "" result in
  (accepted, address ())

let with_address call descriptor address =
  let bytes = put_address address in
  call (Int32.of_int descriptor) (c bytes) (Int32.of_int (Bytes.length bytes))

let bind descriptor address = done_ "bind" (with_address c_bind descriptor address)
let connect descriptor address = done_ "connect" (with_address c_connect descriptor address)

let listen descriptor waiting =
  done_ "listen" (c_listen (Int32.of_int descriptor) (Int32.of_int waiting))

type shutdown_command =
  | SHUTDOWN_RECEIVE
  | SHUTDOWN_SEND
  | SHUTDOWN_ALL

let shutdown descriptor command =
  let how = match command with SHUTDOWN_RECEIVE -> 0l | SHUTDOWN_SEND -> 1l | SHUTDOWN_ALL -> 2l in
  done_ "shutdown" (c_shutdown (Int32.of_int descriptor) how)

let getsockname descriptor =
  let result, address = filled_address (c_getsockname (Int32.of_int descriptor)) in
  done_ "getsockname" result;
  address ()

let getpeername descriptor =
  let result, address = filled_address (c_getpeername (Int32.of_int descriptor)) in
  done_ "getpeername" result;
  address ()

type msg_flag =
  | MSG_OOB
  | MSG_DONTROUTE
  | MSG_PEEK

external c_recv : int32 -> string -> nativeint -> int32 -> nativeint = "%c.4.libm+libc.recv"

external c_recvfrom : int32 -> string -> nativeint -> int32 -> string -> string -> nativeint
  = "%c.6.libm+libc.recvfrom"

external c_send : int32 -> string -> nativeint -> int32 -> nativeint = "%c.4.libm+libc.send"

external c_sendto : int32 -> string -> nativeint -> int32 -> string -> int32 -> nativeint
  = "%c.6.libm+libc.sendto"

let message_bits flags =
  let bit = function MSG_OOB -> 1 | MSG_PEEK -> 2 | MSG_DONTROUTE -> 4 in
  Int32.of_int (bits_of bit flags)

let recv descriptor bytes start count flags =
  checked_range "Unix.recv" (Bytes.length bytes) start count;
  take_into "recv" bytes start count (fun piece size ->
      c_recv (Int32.of_int descriptor) piece size (message_bits flags))

let recvfrom descriptor bytes start count flags =
  checked_range "Unix.recvfrom" (Bytes.length bytes) start count;
  let from = ref (fun () -> ADDR_UNIX "") in
  let taken =
    take_into "recvfrom" bytes start count (fun piece size ->
        let taken, address =
          filled_address (fun bytes length ->
              c_recvfrom (Int32.of_int descriptor) piece size (message_bits flags) bytes length)
        in
        from := address;
        taken)
  in
  (taken, !from ())

let send descriptor bytes start count flags =
  checked_range "Unix.send" (Bytes.length bytes) start count;
  let given =
    give_from bytes start count (fun piece size ->
        c_send (Int32.of_int descriptor) piece size (message_bits flags))
  in
  if given < 0 then failed "send" "" else given

let sendto descriptor bytes start count flags address =
  checked_range "Unix.sendto" (Bytes.length bytes) start count;
  let there = put_address address in
  let given =
    give_from bytes start count (fun piece size ->
        c_sendto (Int32.of_int descriptor) piece size (message_bits flags) (c there)
          (Int32.of_int (Bytes.length there)))
  in
  if given < 0 then failed "sendto" "" else given

let send_substring descriptor text start count flags =
  send descriptor (Bytes.unsafe_of_string text) start count flags

let sendto_substring descriptor text start count flags address =
  sendto descriptor (Bytes.unsafe_of_string text) start count flags address

(* Options: a level and a number *)

type socket_bool_option =
  | SO_DEBUG
  | SO_BROADCAST
  | SO_REUSEADDR
  | SO_KEEPALIVE
  | SO_DONTROUTE
  | SO_OOBINLINE
  | SO_ACCEPTCONN
  | TCP_NODELAY
  | IPV6_ONLY
  | SO_REUSEPORT

type socket_int_option =
  | SO_SNDBUF
  | SO_RCVBUF
  | SO_ERROR
  | SO_TYPE
  | SO_RCVLOWAT
  | SO_SNDLOWAT

type socket_optint_option = SO_LINGER

type socket_float_option =
  | SO_RCVTIMEO
  | SO_SNDTIMEO

external c_setsockopt : int32 -> int32 -> int32 -> string -> int32 -> int32
  = "%c.5.libm+libc.setsockopt"

let bool_option = function
  | SO_DEBUG -> (1l, 1l)
  | SO_BROADCAST -> (1l, 6l)
  | SO_REUSEADDR -> (1l, 2l)
  | SO_KEEPALIVE -> (1l, 9l)
  | SO_DONTROUTE -> (1l, 5l)
  | SO_OOBINLINE -> (1l, 10l)
  | SO_ACCEPTCONN -> (1l, 30l)
  | TCP_NODELAY -> (6l, 1l)
  | IPV6_ONLY -> (41l, 26l)
  | SO_REUSEPORT -> (1l, 15l)

let int_option = function
  | SO_SNDBUF -> 7l
  | SO_RCVBUF -> 8l
  | SO_ERROR -> 4l
  | SO_TYPE -> 3l
  | SO_RCVLOWAT -> 18l
  | SO_SNDLOWAT -> 19l

let float_option = function SO_RCVTIMEO -> 20l | SO_SNDTIMEO -> 21l

let get_option descriptor (level, number) size =
  let bytes = buffer size and length = buffer 4 in
  put_int length 0 size;
  done_ "getsockopt" (c_getsockopt (Int32.of_int descriptor) level number (c bytes) (c length));
  bytes

let set_option descriptor (level, number) bytes =
  let length = Int32.of_int (Bytes.length bytes) in
  done_ "setsockopt" (c_setsockopt (Int32.of_int descriptor) level number (c bytes) length)

let put_number n =
  let bytes = buffer 4 in
  put_int bytes 0 n;
  bytes

let getsockopt descriptor option = int_at (get_option descriptor (bool_option option) 4) 0 <> 0

let setsockopt descriptor option on =
  set_option descriptor (bool_option option) (put_number (if on then 1 else 0))

let getsockopt_int descriptor option = int_at (get_option descriptor (1l, int_option option) 4) 0
let setsockopt_int descriptor option n = set_option descriptor (1l, int_option option) (put_number n)

let getsockopt_optint descriptor SO_LINGER =
  let bytes = get_option descriptor (1l, 13l) 8 in
  if int_at bytes 0 <> 0 then Some (int_at bytes 4) else None

let setsockopt_optint descriptor SO_LINGER wanted =
  let bytes = buffer 8 in
  (match wanted with
  | None -> ()
  | Some seconds ->
      put_int bytes 0 1;
      put_int bytes 4 seconds);
  set_option descriptor (1l, 13l) bytes

let getsockopt_float descriptor option =
  seconds_at (get_option descriptor (1l, float_option option) 16) 0 1e6

let setsockopt_float descriptor option seconds =
  let bytes = buffer 16 in
  put_seconds bytes 0 seconds 1e6;
  set_option descriptor (1l, float_option option) bytes

let getsockopt_error descriptor =
  match getsockopt_int descriptor SO_ERROR with 0 -> None | number -> Some (known_error number)

let open_connection address =
  let descriptor = socket ~cloexec:true (domain_of_sockaddr address) SOCK_STREAM 0 in
  match connect descriptor address with
  | () -> (in_channel_of_descr descriptor, out_channel_of_descr descriptor)
  | exception error ->
      close descriptor;
      raise error

let shutdown_connection channel = shutdown (descr_of_in_channel channel) SHUTDOWN_SEND

(* Names *)

type host_entry = {
  h_name : string;
  h_aliases : string array;
  h_addrtype : socket_domain;
  h_addr_list : inet_addr array;
}

type protocol_entry = { p_name : string; p_aliases : string array; p_proto : int }
type service_entry = { s_name : string; s_aliases : string array; s_port : int; s_proto : string }

external c_gethostbyname : string -> nativeint = "%c.1.libm+libc.gethostbyname"

external c_gethostbyaddr : string -> int32 -> int32 -> nativeint
  = "%c.3.libm+libc.gethostbyaddr"

external c_getprotobyname : string -> nativeint = "%c.1.libm+libc.getprotobyname"
external c_getprotobynumber : int32 -> nativeint = "%c.1.libm+libc.getprotobynumber"
external c_getservbyname : string -> string -> nativeint = "%c.2.libm+libc.getservbyname"
external c_getservbyport : int32 -> string -> nativeint = "%c.2.libm+libc.getservbyport"

let entry address = if address = 0n then raise Not_found else address

let texts_behind address =
  let list = address_at address in
  if list = 0n then [||]
  else Array.of_list (List.map Oxbow_system.text_at (addresses_at list))

let host_of address =
  let size = number_at (beyond address 20) in
  let list = addresses_at (address_at (beyond address 24)) in
  {
    h_name = text_behind address;
    h_aliases = texts_behind (beyond address 8);
    h_addrtype = (if number_at (beyond address 16) = 10 then PF_INET6 else PF_INET);
    h_addr_list = Array.of_list (List.map (fun it -> bytes_at it size) list);
  }

let gethostbyname name =
  if not (Oxbow_system.is_name name) then raise Not_found;
  host_of (entry (c_gethostbyname name))

let gethostbyaddr address =
  let family = if is_inet6_addr address then 10l else 2l in
  host_of (entry (c_gethostbyaddr address (Int32.of_int (String.length address)) family))

let protocol_of address =
  {
    p_name = text_behind address;
    p_aliases = texts_behind (beyond address 8);
    p_proto = number_at (beyond address 16);
  }

let getprotobyname name =
  if not (Oxbow_system.is_name name) then raise Not_found;
  protocol_of (entry (c_getprotobyname name))

let getprotobynumber number = protocol_of (entry (c_getprotobynumber (Int32.of_int number)))
let swapped port = ((port land 255) lsl 8) lor ((port lsr 8) land 255)

let service_of address =
  {
    s_name = text_behind address;
    s_aliases = texts_behind (beyond address 8);
    s_port = swapped (number_at (beyond address 16));
    s_proto = text_behind (beyond address 24);
  }

let getservbyname name protocol =
  if not (Oxbow_system.is_name name && Oxbow_system.is_name protocol) then raise Not_found;
  service_of (entry (c_getservbyname name protocol))

let getservbyport port protocol =
  if not (Oxbow_system.is_name protocol) then raise Not_found;
  service_of (entry (c_getservbyport (Int32.of_int (swapped port)) protocol))

type addr_info = {
  ai_family : socket_domain;
  ai_socktype : socket_type;
  ai_protocol : int;
  ai_addr : sockaddr;
  ai_canonname : string;
}

type getaddrinfo_option =
  | AI_FAMILY of socket_domain
  | AI_SOCKTYPE of socket_type
  | AI_PROTOCOL of int
  | AI_NUMERICHOST
  | AI_CANONNAME
  | AI_PASSIVE

external c_getaddrinfo : nativeint -> nativeint -> string -> string -> int32
  = "%c.4.libm+libc.getaddrinfo"

external c_freeaddrinfo : nativeint -> unit = "%c.1.libm+libc.freeaddrinfo"

(* The entries of a list of C, without those of other kinds. *)
let rec infos_at address =
  if address = 0n then []
  else
    let number at = number_at (beyond address at) in
    let rest = infos_at (address_at (beyond address 40)) in
    let family =
      match number 4 with 1 -> Some PF_UNIX | 2 -> Some PF_INET | 10 -> Some PF_INET6 | _ -> None
    in
    let kind =
      match number 8 with
      | 1 -> Some SOCK_STREAM
      | 2 -> Some SOCK_DGRAM
      | 3 -> Some SOCK_RAW
      | 5 -> Some SOCK_SEQPACKET
      | _ -> None
    in
    match (family, kind) with
    | Some ai_family, Some ai_socktype ->
        let size = number 16 in
        let bytes = Bytes.of_string (bytes_at (address_at (beyond address 24)) size) in
        {
          ai_family;
          ai_socktype;
          ai_protocol = number 12;
          ai_addr = address_of bytes size;
          ai_canonname = text_behind (beyond address 32);
        }
        :: rest
    | _ -> rest

let getaddrinfo node service options =
  let hints = buffer 48 in
  let flag bit = put_int hints 0 (int_at hints 0 lor bit) in
  List.iter
    (function
      | AI_FAMILY domain -> put_int hints 4 (domain_number domain)
      | AI_SOCKTYPE kind -> put_int hints 8 (type_number kind)
      | AI_PROTOCOL number -> put_int hints 12 number
      | AI_PASSIVE -> flag 1
      | AI_CANONNAME -> flag 2
      | AI_NUMERICHOST -> flag 4)
    options;
  if not (Oxbow_system.is_name node && Oxbow_system.is_name service) then []
  else begin
    let text it = if it = "" then 0n else c_memory it in
    let node = text node and service = text service and found = buffer 8 in
    let error = c_getaddrinfo node service (c hints) (c found) in
    if node <> 0n then c_free node;
    if service <> 0n then c_free service;
    if error <> 0l then []
    else begin
      let first = Int64.to_nativeint (Bytes.get_int64_le found 0) in
      let infos = infos_at first in
      c_freeaddrinfo first;
      infos
    end
  end

type name_info = { ni_hostname : string; ni_service : string }

type getnameinfo_option =
  | NI_NOFQDN
  | NI_NUMERICHOST
  | NI_NAMEREQD
  | NI_NUMERICSERV
  | NI_DGRAM

external c_getnameinfo :
  string -> int32 -> string -> int32 -> string -> int32 -> int32 -> int32
  = "%c.7.libm+libc.getnameinfo"

let getnameinfo address options =
  let bit = function
    | NI_NUMERICHOST -> 1
    | NI_NUMERICSERV -> 2
    | NI_NOFQDN -> 4
    | NI_NAMEREQD -> 8
    | NI_DGRAM -> 16
  in
  let there = put_address address and host = buffer 4096 and service = buffer 1024 in
  let error =
    c_getnameinfo (c there)
      (Int32.of_int (Bytes.length there))
      (c host) 4096l (c service) 1024l
      (Int32.of_int (bits_of bit options))
  in
  if error <> 0l then raise Not_found;
  { ni_hostname = Oxbow_system.text_of host; ni_service = Oxbow_system.text_of service }
