(* Functions of C that several modules call. Their last error is a number at an address. *)

external error_address : unit -> nativeint = "%c.1.libm+libc.__errno_location"
external get8 : nativeint -> int = "%native.get8"
external get32 : nativeint -> int32 = "%native.get32"
external get64 : nativeint -> int64 = "%native.get64"
external c_statx : int32 -> string -> int32 -> int32 -> string -> int32 = "%c.5.libm+libc.statx"
external c_opendir : string -> nativeint = "%c.1.libm+libc.opendir"
external c_readdir : nativeint -> nativeint = "%c.1.libm+libc.readdir"
external c_closedir : nativeint -> int32 = "%c.1.libm+libc.closedir"
external c_mkdir : string -> int32 -> int32 = "%c.2.libm+libc.mkdir"
external c_rmdir : string -> int32 = "%c.1.libm+libc.rmdir"
external c_rename : string -> string -> int32 = "%c.2.libm+libc.rename"
external c_chdir : string -> int32 = "%c.1.libm+libc.chdir"
external c_getcwd : string -> nativeint -> nativeint = "%c.2.libm+libc.getcwd"
external c_system : string -> int32 = "%c.1.libm+libc.system"

external set32 : nativeint -> int32 -> unit = "%native.set32"

let set_error number = set32 (error_address ()) (Int32.of_int number)
let last_error () = Int32.to_int (get32 (error_address ()))
let message = sys_error_message
let no_such_file = 2

(* A name with a NUL in it would be another one for C. *)
let is_name name = not (String.contains name '\000')

(* The text at an address, up to its NUL. *)
let text_at address =
  let buffer = Buffer.create 32 in
  let rec go address =
    let byte = get8 address in
    if byte <> 0 then begin
      Buffer.add_char buffer (Char.unsafe_chr byte);
      go (Nativeint.succ address)
    end
  in
  go address;
  Buffer.contents buffer

(* The text in a buffer that C has filled. *)
let text_of buffer =
  match Bytes.index_opt buffer '\000' with
  | Some stop -> Bytes.sub_string buffer 0 stop
  | None -> Bytes.to_string buffer

let current_folder = -100l

(* What [statx] tells of a name, whose layout is the same on all machines; or the error. *)
let status ?(follow = true) name =
  let buffer = Bytes.make 256 '\000' in
  let flags = if follow then 0l else 0x100l in
  if not (is_name name) then Error no_such_file
  else if c_statx current_folder name flags 0x7FFl (Bytes.unsafe_to_string buffer) < 0l then
    Error (last_error ())
  else Ok buffer

let mode status = Bytes.get_uint16_le status 28

(* The next name in an open folder. *)
let next_name folder =
  let entry = c_readdir folder in
  if entry = 0n then None else Some (text_at (Nativeint.add entry 19n))
