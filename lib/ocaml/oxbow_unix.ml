(* What the modules behind [Unix] share: errors of the system, memory that C reads and writes, and
   descriptors. The layout of structures is that of Linux on 64-bit machines. *)

[@@@part_of "Unix"]
[@@@links_printexc]

type error =
  | E2BIG | EACCES | EAGAIN | EBADF | EBUSY | ECHILD | EDEADLK | EDOM | EEXIST | EFAULT | EFBIG
  | EINTR | EINVAL | EIO | EISDIR | EMFILE | EMLINK | ENAMETOOLONG | ENFILE | ENODEV | ENOENT
  | ENOEXEC | ENOLCK | ENOMEM | ENOSPC | ENOSYS | ENOTDIR | ENOTEMPTY | ENOTTY | ENXIO | EPERM
  | EPIPE | ERANGE | EROFS | ESPIPE | ESRCH | EXDEV | EWOULDBLOCK | EINPROGRESS | EALREADY
  | ENOTSOCK | EDESTADDRREQ | EMSGSIZE | EPROTOTYPE | ENOPROTOOPT | EPROTONOSUPPORT
  | ESOCKTNOSUPPORT | EOPNOTSUPP | EPFNOSUPPORT | EAFNOSUPPORT | EADDRINUSE | EADDRNOTAVAIL
  | ENETDOWN | ENETUNREACH | ENETRESET | ECONNABORTED | ECONNRESET | ENOBUFS | EISCONN | ENOTCONN
  | ESHUTDOWN | ETOOMANYREFS | ETIMEDOUT | ECONNREFUSED | EHOSTDOWN | EHOSTUNREACH | ELOOP
  | EOVERFLOW
  | EUNKNOWNERR of int

exception Unix_error of error * string * string

let errors =
  [
    (E2BIG, 7, "E2BIG"); (EACCES, 13, "EACCES"); (EAGAIN, 11, "EAGAIN"); (EBADF, 9, "EBADF");
    (EBUSY, 16, "EBUSY"); (ECHILD, 10, "ECHILD"); (EDEADLK, 35, "EDEADLK"); (EDOM, 33, "EDOM");
    (EEXIST, 17, "EEXIST"); (EFAULT, 14, "EFAULT"); (EFBIG, 27, "EFBIG"); (EINTR, 4, "EINTR");
    (EINVAL, 22, "EINVAL"); (EIO, 5, "EIO"); (EISDIR, 21, "EISDIR"); (EMFILE, 24, "EMFILE");
    (EMLINK, 31, "EMLINK"); (ENAMETOOLONG, 36, "ENAMETOOLONG"); (ENFILE, 23, "ENFILE");
    (ENODEV, 19, "ENODEV"); (ENOENT, 2, "ENOENT"); (ENOEXEC, 8, "ENOEXEC"); (ENOLCK, 37, "ENOLCK");
    (ENOMEM, 12, "ENOMEM"); (ENOSPC, 28, "ENOSPC"); (ENOSYS, 38, "ENOSYS");
    (ENOTDIR, 20, "ENOTDIR"); (ENOTEMPTY, 39, "ENOTEMPTY"); (ENOTTY, 25, "ENOTTY");
    (ENXIO, 6, "ENXIO"); (EPERM, 1, "EPERM"); (EPIPE, 32, "EPIPE"); (ERANGE, 34, "ERANGE");
    (EROFS, 30, "EROFS"); (ESPIPE, 29, "ESPIPE"); (ESRCH, 3, "ESRCH"); (EXDEV, 18, "EXDEV");
    (EWOULDBLOCK, 11, "EWOULDBLOCK"); (EINPROGRESS, 115, "EINPROGRESS");
    (EALREADY, 114, "EALREADY"); (ENOTSOCK, 88, "ENOTSOCK"); (EDESTADDRREQ, 89, "EDESTADDRREQ");
    (EMSGSIZE, 90, "EMSGSIZE"); (EPROTOTYPE, 91, "EPROTOTYPE"); (ENOPROTOOPT, 92, "ENOPROTOOPT");
    (EPROTONOSUPPORT, 93, "EPROTONOSUPPORT"); (ESOCKTNOSUPPORT, 94, "ESOCKTNOSUPPORT");
    (EOPNOTSUPP, 95, "EOPNOTSUPP"); (EPFNOSUPPORT, 96, "EPFNOSUPPORT");
    (EAFNOSUPPORT, 97, "EAFNOSUPPORT"); (EADDRINUSE, 98, "EADDRINUSE");
    (EADDRNOTAVAIL, 99, "EADDRNOTAVAIL"); (ENETDOWN, 100, "ENETDOWN");
    (ENETUNREACH, 101, "ENETUNREACH"); (ENETRESET, 102, "ENETRESET");
    (ECONNABORTED, 103, "ECONNABORTED"); (ECONNRESET, 104, "ECONNRESET");
    (ENOBUFS, 105, "ENOBUFS"); (EISCONN, 106, "EISCONN"); (ENOTCONN, 107, "ENOTCONN");
    (ESHUTDOWN, 108, "ESHUTDOWN"); (ETOOMANYREFS, 109, "ETOOMANYREFS");
    (ETIMEDOUT, 110, "ETIMEDOUT"); (ECONNREFUSED, 111, "ECONNREFUSED");
    (EHOSTDOWN, 112, "EHOSTDOWN"); (EHOSTUNREACH, 113, "EHOSTUNREACH"); (ELOOP, 40, "ELOOP");
    (EOVERFLOW, 75, "EOVERFLOW");
  ]


let known_error number =
  match List.find_opt (fun (_, n, _) -> n = number) errors with
  | Some (error, _, _) -> error
  | None -> EUNKNOWNERR number

let number_of error =
  match error with
  | EUNKNOWNERR number -> number
  | _ -> (
      match List.find_opt (fun (e, _, _) -> e = error) errors with Some (_, n, _) -> n | None -> 0)

let error_name error =
  match error with
  | EUNKNOWNERR number -> "Unix.EUNKNOWNERR " ^ string_of_int number
  | _ -> (
      match List.find_opt (fun (e, _, _) -> e = error) errors with
      | Some (_, _, name) -> "Unix." ^ name
      | None -> "")

let error_message error = sys_error_message (number_of error)

let print_error = function
  | Unix_error (error, name, argument) ->
      let quoted text = "\"" ^ String.escaped text ^ "\"" in
      Some
        ("Unix.Unix_error(" ^ error_name error ^ ", " ^ quoted name ^ ", " ^ quoted argument ^ ")")
  | _ -> None
;;

exn_printers := print_error :: !exn_printers

let handle_unix_error f x =
  try f x
  with Unix_error (error, name, argument) ->
    prerr_string (Sys.executable_name ^ ": \"" ^ name ^ "\" failed");
    if argument <> "" then prerr_string (" on \"" ^ argument ^ "\"");
    prerr_endline (": " ^ error_message error);
    exit 2

let fault number name argument = raise (Unix_error (known_error number, name, argument))

(* The last call of C has failed. A signal that interrupted it has its handler called first. *)
let failed name argument =
  let error = Oxbow_system.last_error () in
  if error = -interrupted then run_signals ();
  fault error name argument

(* What C gives, if it is no failure. *)
let check name argument (result : int32) =
  if result < 0l then failed name argument else Int32.to_int result

let done_ name (result : int32) = if result < 0l then failed name ""

let named name argument =
  if not (Oxbow_system.is_name argument) then fault Oxbow_system.no_such_file name argument

(* [check] for a function whose first argument is the name of a file. *)
let check_named name file call =
  named name file;
  ignore (check name file (call file))

(* Memory *)

external set8 : nativeint -> int -> unit = "%native.set8"
external set64 : nativeint -> int64 -> unit = "%native.set64"
external c_malloc : nativeint -> nativeint = "%c.1.libm+libc.malloc"
external c_free : nativeint -> unit = "%c.1.libm+libc.free"

let buffer size = Bytes.make size '\000'
let c = Bytes.unsafe_to_string
let int_at bytes at = Int32.to_int (Bytes.get_int32_le bytes at)
let wide_at bytes at = Int64.to_int (Bytes.get_int64_le bytes at)
let put_int bytes at n = Bytes.set_int32_le bytes at (Int32.of_int n)
let put_wide bytes at n = Bytes.set_int64_le bytes at (Int64.of_int n)
let beyond address offset = Nativeint.add address (Nativeint.of_int offset)
let address_at address = Int64.to_nativeint (Oxbow_system.get64 address)
let number_at address = Int32.to_int (Oxbow_system.get32 address)

(* The text that an address at an address leads to. *)
let text_behind address =
  let text = address_at address in
  if text = 0n then "" else Oxbow_system.text_at text

let bytes_at address count =
  String.init count (fun i -> Char.unsafe_chr (Oxbow_system.get8 (beyond address i)))

(* What C calls an array of strings: their addresses, then 0. *)
let rec addresses_at address =
  match address_at address with 0n -> [] | first -> first :: addresses_at (beyond address 8)

let c_memory text =
  let address = c_malloc (Nativeint.of_int (String.length text + 1)) in
  String.iteri (fun i c -> set8 (beyond address i) (Char.code c)) text;
  set8 (beyond address (String.length text)) 0;
  address

let c_strings texts =
  let address = c_malloc (Nativeint.of_int (8 * (Array.length texts + 1))) in
  let put i value = set64 (beyond address (8 * i)) value in
  Array.iteri (fun i text -> put i (Int64.of_nativeint (c_memory text))) texts;
  put (Array.length texts) 0L;
  address

let release address =
  List.iter c_free (addresses_at address);
  c_free address

(* Seconds and their fractions, as two numbers of 64 bits. *)
let put_seconds bytes at seconds fraction =
  let whole = floor seconds in
  Bytes.set_int64_le bytes at (Int64.of_float whole);
  Bytes.set_int64_le bytes (at + 8) (Int64.of_float ((seconds -. whole) *. fraction))

let seconds_at bytes at fraction =
  Int64.to_float (Bytes.get_int64_le bytes at)
  +. (Int64.to_float (Bytes.get_int64_le bytes (at + 8)) /. fraction)

let bits_of bit flags = List.fold_left (fun bits flag -> bits lor bit flag) 0 flags

(* Descriptors *)

type file_descr = int

external c_read : int32 -> string -> nativeint -> nativeint = "%c.3.libm+libc.read"
external c_write : int32 -> string -> nativeint -> nativeint = "%c.3.libm+libc.write"
external c_close : int32 -> int32 = "%c.1.libm+libc.close"
external c_fcntl : int32 -> int32 -> int32 -> int32 = "%c.3.libm+libc.fcntl"

let close descriptor = done_ "close" (c_close (Int32.of_int descriptor))

(* Sets or clears a bit of what [get] reads and [set] writes. *)
let flag_bits name get set bit on descriptor =
  let descriptor = Int32.of_int descriptor in
  let bits = check name "" (c_fcntl descriptor get 0l) in
  let bits = if on then bits lor bit else bits land lnot bit in
  done_ name (c_fcntl descriptor set (Int32.of_int bits))

let set_nonblock descriptor = flag_bits "set_nonblock" 3l 4l 0o4000 true descriptor
let clear_nonblock descriptor = flag_bits "clear_nonblock" 3l 4l 0o4000 false descriptor
let set_close_on_exec descriptor = flag_bits "set_close_on_exec" 1l 2l 1 true descriptor
let clear_close_on_exec descriptor = flag_bits "clear_close_on_exec" 1l 2l 1 false descriptor

let checked_range name length start count =
  if start < 0 || count < 0 || start > length - count then invalid_arg name

(* No more than this goes through one call. *)
let most = 65536

(* Has C fill so many bytes from [start] on. *)
let take_into name bytes start count call =
  let piece = buffer (min count most) in
  let taken = Nativeint.to_int (call (c piece) (Nativeint.of_int (Bytes.length piece))) in
  if taken < 0 then failed name ""
  else begin
    Bytes.blit piece 0 bytes start (min taken (Bytes.length piece));
    taken
  end

let read descriptor bytes start count =
  checked_range "Unix.read" (Bytes.length bytes) start count;
  take_into "read" bytes start count (fun piece size ->
      c_read (Int32.of_int descriptor) piece size)

(* How many bytes C has taken of them, or a negative number. *)
let give_from bytes start count call =
  let piece = Bytes.sub_string bytes start (min count most) in
  Nativeint.to_int (call piece (Nativeint.of_int (String.length piece)))

let single_write descriptor bytes start count =
  checked_range "Unix.single_write" (Bytes.length bytes) start count;
  if count = 0 then 0
  else
    let given = give_from bytes start count (fun piece size -> c_write (Int32.of_int descriptor) piece size) in
    if given < 0 then failed "single_write" "" else given

let write descriptor bytes start count =
  checked_range "Unix.write" (Bytes.length bytes) start count;
  let rec go written =
    if written = count then written
    else
      let given =
        give_from bytes (start + written) (count - written) (fun piece size ->
            c_write (Int32.of_int descriptor) piece size)
      in
      if given >= 0 then go (written + given)
      else if Oxbow_system.last_error () = 11 && written > 0 then written
      else failed "write" ""
  in
  go 0

(* Channels *)

external c_getsockopt : int32 -> int32 -> int32 -> string -> string -> int32
  = "%c.5.libm+libc.getsockopt"

(* Channels are for files, streams and terminals. *)
let check_channel name descriptor =
  let status = buffer 256 in
  done_ name (Oxbow_system.c_statx (Int32.of_int descriptor) "" 0x1000l 0x7FFl (c status));
  match Oxbow_system.mode status land 0o170000 with
  | 0o100000 | 0o020000 | 0o010000 -> ()
  | 0o140000 ->
      let kind = buffer 4 and size = buffer 4 in
      put_int size 0 4;
      done_ name (c_getsockopt (Int32.of_int descriptor) 1l 3l (c kind) (c size));
      if int_at kind 0 <> 1 then fault 22 name ""
  | _ -> fault 22 name ""

let in_channel_of_descr descriptor =
  check_channel "in_channel_of_descr" descriptor;
  make_in_channel descriptor (descriptor_offset descriptor)

let out_channel_of_descr descriptor =
  check_channel "out_channel_of_descr" descriptor;
  let channel = make_out_channel descriptor (descriptor_offset descriptor) in
  out_channels := channel :: !out_channels;
  channel

let descr_of_in_channel channel =
  if channel.in_descriptor < 0 then fault 9 "descr_of_channel" "" else channel.in_descriptor

let descr_of_out_channel channel =
  if channel.out_descriptor < 0 then fault 9 "descr_of_channel" "" else channel.out_descriptor
