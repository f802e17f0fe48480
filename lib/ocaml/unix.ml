(* The system: files, processes, signals, clocks, users. Everything is done by functions of C, whose memory is a
   buffer of bytes with the layout of Linux ([Oxbow_unix] says how). The network is in [Oxbow_sockets], terminals in
   [Oxbow_terminal]. *)

[@@@links_printexc]
[@@@hidden "errors known_error number_of error_name print_error fault failed check done_ named"]
[@@@hidden "check_named set8 set64 c_malloc c_free buffer c int_at wide_at put_int put_wide beyond"]
[@@@hidden "address_at number_at text_behind bytes_at addresses_at c_memory c_strings release"]
[@@@hidden "put_seconds seconds_at bits_of c_read c_write c_close c_fcntl flag_bits checked_range"]
[@@@hidden "most take_into give_from c_getsockopt check_channel c_inet_aton c_inet_pton c_inet_ntop"]
[@@@hidden "domain_number type_number put_address address_of filled_address c_socket c_socketpair"]
[@@@hidden "c_accept4 c_bind c_connect c_listen c_shutdown c_getsockname c_getpeername"]
[@@@hidden "closes_on_exec with_address c_recv c_recvfrom c_send c_sendto message_bits c_setsockopt"]
[@@@hidden "bool_option int_option float_option get_option set_option put_number c_gethostbyname"]
[@@@hidden "c_gethostbyaddr c_getprotobyname c_getprotobynumber c_getservbyname c_getservbyport"]
[@@@hidden "entry texts_behind host_of protocol_of swapped service_of c_getaddrinfo c_freeaddrinfo"]
[@@@hidden "infos_at c_getnameinfo c_tcgetattr c_tcsetattr c_tcsendbreak c_tcdrain c_tcflush"]
[@@@hidden "c_tcflow speeds input output control local characters input_speed output_speed"]
[@@@hidden "attributes c_setenv changes c_open c_fsync c_lseek c_truncate c_ftruncate c_isatty"]
[@@@hidden "open_bit array_range status_kind device stats_of status plain_stats c_unlink c_linkat"]
[@@@hidden "c_realpath c_chmod c_fchmod c_chown c_fchown c_umask c_access c_symlink c_readlink"]
[@@@hidden "c_mkfifo c_chroot c_rewinddir c_dup c_dup2 c_pipe2 c_lock c_select put_set members"]
[@@@hidden "io_map page c_fork c_waitpid c_getpid c_getppid c_nice c_execv c_execve c_execvp"]
[@@@hidden "c_execvpe c_setsid c_kill execute execute_with status_of wait_for ended c_spawn"]
[@@@hidden "c_actions_init c_actions_dup2 c_actions_destroy shell shell_words readers writers"]
[@@@hidden "started start_on accept_despite_signals c_sigmask c_sigpending c_sigsuspend c_sigwait"]
[@@@hidden "put_signals signals_of c_gmtime c_localtime c_mktime c_alarm c_nanosleep c_getrusage"]
[@@@hidden "wall_time c_utimes tm_of moment c_getitimer c_setitimer timer_number timer_of c_getuid"]
[@@@hidden "c_geteuid c_getgid c_getegid c_setuid c_setgid c_hostname c_getlogin c_getpwnam"]
[@@@hidden "c_getpwuid c_getgrnam c_getgrgid c_getgroups c_setgroups c_initgroups user_of group_of"]
[@@@hidden "entry_named"]
[@@@abstract "dir_handle"]

include Oxbow_unix
include Oxbow_sockets
include Oxbow_terminal
include Oxbow_clocks

(* The environment: that of the start, and what the program has set since *)

external c_setenv : string -> string -> int32 -> int32 = "%c.3.libm+libc.setenv"

let changes : (string * string) list ref = ref []

let environment () =
  let started =
    match open_in_bin "/proc/self/environ" with
    | exception Sys_error _ -> []
    | channel ->
        let all = In_channel.input_all channel in
        close_in channel;
        List.filter (fun text -> text <> "") (String.split_on_char '\000' all)
  in
  let key text = match String.index_opt text '=' with Some i -> String.sub text 0 i | None -> text in
  let kept = List.filter (fun text -> not (List.mem_assoc (key text) !changes)) started in
  Array.of_list (kept @ List.rev_map (fun (name, value) -> name ^ "=" ^ value) !changes)

let unsafe_environment = environment
let getenv = Sys.getenv
let unsafe_getenv = Sys.getenv

let putenv name value =
  if name = "" || String.contains name '=' || not (Oxbow_system.is_name name) then
    fault 22 "putenv" name;
  if not (Oxbow_system.is_name value) then fault 22 "putenv" value;
  ignore (check "putenv" name (c_setenv name value 1l));
  changes := (name, value) :: List.remove_assoc name !changes

(* Files *)

let stdin = 0
let stdout = 1
let stderr = 2

type open_flag =
  | O_RDONLY
  | O_WRONLY
  | O_RDWR
  | O_NONBLOCK
  | O_APPEND
  | O_CREAT
  | O_TRUNC
  | O_EXCL
  | O_NOCTTY
  | O_DSYNC
  | O_SYNC
  | O_RSYNC
  | O_SHARE_DELETE
  | O_CLOEXEC
  | O_KEEPEXEC

type file_perm = int

external c_open : string -> int32 -> int32 -> int32 = "%c.3.libm+libc.open"
external c_fsync : int32 -> int32 = "%c.1.libm+libc.fsync"
external c_lseek : int32 -> int64 -> int32 -> int64 = "%c.3.libm+libc.lseek"
external c_truncate : string -> int64 -> int32 = "%c.2.libm+libc.truncate"
external c_ftruncate : int32 -> int64 -> int32 = "%c.2.libm+libc.ftruncate"
external c_isatty : int32 -> int32 = "%c.1.libm+libc.isatty"

let open_bit = function
  | O_RDONLY | O_SHARE_DELETE | O_KEEPEXEC -> 0
  | O_WRONLY -> 1
  | O_RDWR -> 2
  | O_CREAT -> 0o100
  | O_EXCL -> 0o200
  | O_NOCTTY -> 0o400
  | O_TRUNC -> 0o1000
  | O_APPEND -> 0o2000
  | O_NONBLOCK -> 0o4000
  | O_DSYNC -> 0o10000
  | O_SYNC | O_RSYNC -> 0o4010000
  | O_CLOEXEC -> 0o2000000

let openfile name flags permissions =
  named "open" name;
  let bits = bits_of open_bit flags in
  check "open" name (c_open name (Int32.of_int bits) (Int32.of_int permissions))

let fsync descriptor = done_ "fsync" (c_fsync (Int32.of_int descriptor))

let write_substring descriptor text start count =
  write descriptor (Bytes.unsafe_of_string text) start count

let single_write_substring descriptor text start count =
  single_write descriptor (Bytes.unsafe_of_string text) start count

(* The bytes of an array of numbers of one byte lie side by side. *)

let array_range name (array : (_, _, _) Bigarray.view) start count =
  checked_range name (Bigarray.Array1.dim array) start count;
  array.Bigarray.start + start

let read_bigarray descriptor array start count =
  let at = array_range "Unix.read_bigarray" array start count in
  take_into "read_bigarray" array.Bigarray.data at count (fun piece size ->
      c_read (Int32.of_int descriptor) piece size)

let write_bigarray descriptor array start count =
  let at = array_range "Unix.write_bigarray" array start count in
  write descriptor array.Bigarray.data at count

let single_write_bigarray descriptor array start count =
  let at = array_range "Unix.single_write_bigarray" array start count in
  single_write descriptor array.Bigarray.data at count

type seek_command =
  | SEEK_SET
  | SEEK_CUR
  | SEEK_END

let lseek descriptor offset command =
  let whence = match command with SEEK_SET -> 0l | SEEK_CUR -> 1l | SEEK_END -> 2l in
  let place = c_lseek (Int32.of_int descriptor) (Int64.of_int offset) whence in
  if place < 0L then failed "lseek" "" else Int64.to_int place

let truncate name size = check_named "truncate" name (fun name -> c_truncate name (Int64.of_int size))

let ftruncate descriptor size =
  done_ "ftruncate" (c_ftruncate (Int32.of_int descriptor) (Int64.of_int size))

type file_kind =
  | S_REG
  | S_DIR
  | S_CHR
  | S_BLK
  | S_LNK
  | S_FIFO
  | S_SOCK

type stats = {
  st_dev : int;
  st_ino : int;
  st_kind : file_kind;
  st_perm : file_perm;
  st_nlink : int;
  st_uid : int;
  st_gid : int;
  st_rdev : int;
  st_size : int;
  st_atime : float;
  st_mtime : float;
  st_ctime : float;
}

let status_kind mode =
  match mode land 0o170000 with
  | 0o040000 -> S_DIR
  | 0o020000 -> S_CHR
  | 0o060000 -> S_BLK
  | 0o120000 -> S_LNK
  | 0o010000 -> S_FIFO
  | 0o140000 -> S_SOCK
  | _ -> S_REG

let device major minor =
  ((major land 0xfffff000) lsl 32)
  lor ((major land 0xfff) lsl 8)
  lor ((minor land 0xffffff00) lsl 12)
  lor (minor land 0xff)

let stats_of status =
  let number at = int_at status at land 0xFFFFFFFF in
  let wide at = wide_at status at in
  let moment at = float_of_int (wide at) +. (float_of_int (number (at + 8)) /. 1e9) in
  let mode = Oxbow_system.mode status in
  {
    st_dev = device (number 136) (number 140);
    st_ino = wide 32;
    st_kind = status_kind mode;
    st_perm = mode land 0o7777;
    st_nlink = number 16;
    st_uid = number 20;
    st_gid = number 24;
    st_rdev = device (number 128) (number 132);
    st_size = wide 40;
    st_atime = moment 64;
    st_mtime = moment 112;
    st_ctime = moment 96;
  }

let status name file result =
  match result with Ok status -> stats_of status | Error error -> (fault error name file : stats)

let stat file = status "stat" file (Oxbow_system.status file)
let lstat file = status "lstat" file (Oxbow_system.status ~follow:false file)

let fstat descriptor =
  let bytes = buffer 256 in
  let text = Bytes.unsafe_to_string bytes in
  done_ "fstat" (Oxbow_system.c_statx (Int32.of_int descriptor) "" 0x1000l 0x7FFl text);
  stats_of bytes

type plain_stats = stats

let isatty descriptor = c_isatty (Int32.of_int descriptor) <> 0l

module LargeFile = struct
  let lseek descriptor offset command =
    Int64.of_int (lseek descriptor (Int64.to_int offset) command)

  let truncate name size = truncate name (Int64.to_int size)
  let ftruncate descriptor size = ftruncate descriptor (Int64.to_int size)

  type nonrec stats = {
    st_dev : int;
    st_ino : int;
    st_kind : file_kind;
    st_perm : file_perm;
    st_nlink : int;
    st_uid : int;
    st_gid : int;
    st_rdev : int;
    st_size : int64;
    st_atime : float;
    st_mtime : float;
    st_ctime : float;
  }

  let large ({ st_dev; st_ino; st_kind; st_perm; st_nlink; st_uid; st_gid; st_rdev; st_size; _ } : plain_stats)
      times =
    let st_atime, st_mtime, st_ctime = times in
    {
      st_dev;
      st_ino;
      st_kind;
      st_perm;
      st_nlink;
      st_uid;
      st_gid;
      st_rdev;
      st_size = Int64.of_int st_size;
      st_atime;
      st_mtime;
      st_ctime;
    }

  let widened (found : plain_stats) = large found (found.st_atime, found.st_mtime, found.st_ctime)
  let stat name = widened (stat name)
  let lstat name = widened (lstat name)
  let fstat descriptor = widened (fstat descriptor)
end

(* Names *)

external c_unlink : string -> int32 = "%c.1.libm+libc.unlink"

external c_linkat : int32 -> string -> int32 -> string -> int32 -> int32
  = "%c.5.libm+libc.linkat"

external c_realpath : string -> string -> nativeint = "%c.2.libm+libc.realpath"
external c_chmod : string -> int32 -> int32 = "%c.2.libm+libc.chmod"
external c_fchmod : int32 -> int32 -> int32 = "%c.2.libm+libc.fchmod"
external c_chown : string -> int32 -> int32 -> int32 = "%c.3.libm+libc.chown"
external c_fchown : int32 -> int32 -> int32 -> int32 = "%c.3.libm+libc.fchown"
external c_umask : int32 -> int32 = "%c.1.libm+libc.umask"
external c_access : string -> int32 -> int32 = "%c.2.libm+libc.access"
external c_symlink : string -> string -> int32 = "%c.2.libm+libc.symlink"
external c_readlink : string -> string -> nativeint -> nativeint = "%c.3.libm+libc.readlink"
external c_mkfifo : string -> int32 -> int32 = "%c.2.libm+libc.mkfifo"
external c_chroot : string -> int32 = "%c.1.libm+libc.chroot"

let unlink name = check_named "unlink" name c_unlink

let rename from into =
  named "rename" into;
  check_named "rename" from (fun from -> Oxbow_system.c_rename from into)

let link ?(follow = false) from into =
  named "link" into;
  let flags = if follow then 0x400l else 0l in
  named "link" from;
  let folder = Oxbow_system.current_folder in
  ignore (check "link" into (c_linkat folder from folder into flags))

let realpath name =
  named "realpath" name;
  let bytes = buffer 4097 in
  if c_realpath name (c bytes) = 0n then
    failed "realpath" name
  else Oxbow_system.text_of bytes

let chmod name mode = check_named "chmod" name (fun name -> c_chmod name (Int32.of_int mode))

let fchmod descriptor mode =
  done_ "fchmod" (c_fchmod (Int32.of_int descriptor) (Int32.of_int mode))

let chown name user group =
  check_named "chown" name (fun name -> c_chown name (Int32.of_int user) (Int32.of_int group))

let fchown descriptor user group =
  done_ "fchown" (c_fchown (Int32.of_int descriptor) (Int32.of_int user) (Int32.of_int group))

let umask mode = Int32.to_int (c_umask (Int32.of_int mode))

type access_permission =
  | R_OK
  | W_OK
  | X_OK
  | F_OK

let access name permissions =
  let bit = function R_OK -> 4 | W_OK -> 2 | X_OK -> 1 | F_OK -> 0 in
  let bits = List.fold_left (fun bits it -> bits lor bit it) 0 permissions in
  check_named "access" name (fun name -> c_access name (Int32.of_int bits))

let symlink ?to_dir:(_ : bool option) target name =
  named "symlink" target;
  named "symlink" name;
  ignore (check "symlink" name (c_symlink target name))

let has_symlink () = true

let readlink name =
  named "readlink" name;
  let bytes = buffer 4096 in
  let count = c_readlink name (c bytes) 4096n in
  if count < 0n then failed "readlink" name
  else Bytes.sub_string bytes 0 (Nativeint.to_int count)

let mkfifo name mode = check_named "mkfifo" name (fun name -> c_mkfifo name (Int32.of_int mode))
let mkdir name mode = check_named "mkdir" name (fun name -> Oxbow_system.c_mkdir name (Int32.of_int mode))
let rmdir name = check_named "rmdir" name Oxbow_system.c_rmdir
let chdir name = check_named "chdir" name Oxbow_system.c_chdir
let chroot name = check_named "chroot" name c_chroot

let getcwd () =
  let bytes = buffer 4097 in
  if Oxbow_system.c_getcwd (c bytes) 4097n = 0n then
    failed "getcwd" ""
  else Oxbow_system.text_of bytes

(* Folders *)

type dir_handle = { mutable folder : nativeint  (** 0: closed *) }

external c_rewinddir : nativeint -> unit = "%c.1.libm+libc.rewinddir"

let opendir name =
  named "opendir" name;
  let folder = Oxbow_system.c_opendir name in
  if folder = 0n then failed "opendir" name else { folder }

let readdir handle =
  if handle.folder = 0n then fault 9 "readdir" "";
  match Oxbow_system.next_name handle.folder with Some name -> name | None -> raise End_of_file

let rewinddir handle =
  if handle.folder = 0n then fault 9 "rewinddir" "";
  c_rewinddir handle.folder

let closedir handle =
  if handle.folder = 0n then fault 9 "closedir" "";
  ignore (Oxbow_system.c_closedir handle.folder);
  handle.folder <- 0n

(* Descriptors *)

external c_dup : int32 -> int32 = "%c.1.libm+libc.dup"
external c_dup2 : int32 -> int32 -> int32 = "%c.2.libm+libc.dup2"
external c_pipe2 : string -> int32 -> int32 = "%c.2.libm+libc.pipe2"
external c_lock : int32 -> int32 -> string -> int32 = "%c.3.libm+libc.fcntl64"

external c_select : int32 -> string -> string -> string -> nativeint -> int32
  = "%c.5.libm+libc.select"

let dup ?(cloexec = false) descriptor =
  let copy = check "dup" "" (c_dup (Int32.of_int descriptor)) in
  if cloexec then set_close_on_exec copy;
  copy

let dup2 ?(cloexec = false) from into =
  ignore (check "dup2" "" (c_dup2 (Int32.of_int from) (Int32.of_int into)));
  if cloexec then set_close_on_exec into
  else if from = into then clear_close_on_exec into

let pipe ?(cloexec = false) () =
  let both = buffer 8 in
  done_ "pipe" (c_pipe2 (c both) (Int32.of_int (closes_on_exec cloexec)));
  (int_at both 0, int_at both 4)

let put_set descriptors =
  let bits = buffer 128 in
  List.iter
    (fun it ->
      if it < 0 || it >= 1024 then fault 22 "select" "";
      Bytes.set_uint8 bits (it / 8) (Bytes.get_uint8 bits (it / 8) lor (1 lsl (it land 7))))
    descriptors;
  bits

let members bits descriptors =
  List.filter (fun it -> Bytes.get_uint8 bits (it / 8) land (1 lsl (it land 7)) <> 0) descriptors

let select to_read to_write special timeout =
  let readable = put_set to_read and writable = put_set to_write and other = put_set special in
  let largest = List.fold_left max (-1) (to_read @ to_write @ special) in
  let limit = if timeout < 0.0 then 0n else c_malloc 16n in
  if timeout >= 0.0 then begin
    let whole = floor timeout in
    set64 limit (Int64.of_float whole);
    set64 (beyond limit 8) (Int64.of_float ((timeout -. whole) *. 1e6))
  end;
  let count =
    c_select (Int32.of_int (largest + 1)) (c readable) (c writable) (c other) limit
  in
  if limit <> 0n then c_free limit;
  done_ "select" count;
  (members readable to_read, members writable to_write, members other special)

type lock_command =
  | F_ULOCK
  | F_LOCK
  | F_TLOCK
  | F_TEST
  | F_RLOCK
  | F_TRLOCK

(* The lock is from here on, or up to here if the length is negative. *)
let lockf descriptor command length =
  let lock = buffer 32 in
  let try_lock kind how =
    Bytes.set_int16_le lock 0 kind;
    Bytes.set_int16_le lock 2 1;
    put_wide lock 8 (min length 0);
    put_wide lock 16 (abs length);
    done_ "lockf" (c_lock (Int32.of_int descriptor) how (c lock))
  in
  match command with
  | F_ULOCK -> try_lock 2 6l
  | F_LOCK -> try_lock 1 7l
  | F_TLOCK -> try_lock 1 6l
  | F_RLOCK -> try_lock 0 7l
  | F_TRLOCK -> try_lock 0 6l
  | F_TEST ->
      try_lock 1 5l;
      if Bytes.get_int16_le lock 0 <> 2 then fault 13 "lockf" ""

(* Files in memory *)

external io_map : int -> int -> int -> int -> bytes = "%io.map"

let page = 4096

(* A size of -1 in the dimension that varies slowest says: as far as the file goes. *)
let map_file descriptor ?(pos = 0L) kind layout shared sizes =
  let from = Int64.to_int pos and size = Bigarray.kind_size_in_bytes kind in
  let count = Array.length sizes in
  if count > 16 then invalid_arg "Unix.map_file: bad number of dimensions";
  let slowest = if Bigarray.is_c layout then 0 else count - 1 in
  let sizes = Array.copy sizes in
  let rest = ref size in
  Array.iteri
    (fun i n ->
      if i <> slowest then rest := !rest * n;
      if n < 0 && not (n = -1 && i = slowest) then
        invalid_arg "Unix.map_file: negative dimension")
    sizes;
  let length = (fstat descriptor).st_size in
  if count > 0 && sizes.(slowest) = -1 then begin
    if length < from then failwith "Unix.map_file: file position exceeds file size";
    if !rest = 0 || (length - from) mod !rest <> 0 then
      failwith "Unix.map_file: file size doesn't match array dimensions";
    sizes.(slowest) <- (length - from) / !rest
  end;
  let bytes = size * Bigarray.total sizes in
  if length < from + bytes then ftruncate descriptor (from + bytes);
  let before = from mod page in
  if before mod size <> 0 then
    invalid_arg "Unix.map_file: the position is no multiple of the size of an element";
  let data = io_map descriptor (from - before) (before + bytes) (if shared then 1 else 0) in
  if before + bytes > 0 && Bytes.length data = 0 then failed "map_file" "";
  {
    Bigarray.element = kind;
    Bigarray.order = layout;
    Bigarray.sizes = sizes;
    Bigarray.start = before / size;
    Bigarray.data = data;
  }

(* Processes *)

type process_status =
  | WEXITED of int
  | WSIGNALED of Sys.signal
  | WSTOPPED of Sys.signal

type wait_flag =
  | WNOHANG
  | WUNTRACED

external c_fork : unit -> int32 = "%c.1.libm+libc.fork"
external c_waitpid : int32 -> string -> int32 -> int32 = "%c.3.libm+libc.waitpid"
external c_getpid : unit -> int32 = "%c.1.libm+libc.getpid"
external c_getppid : unit -> int32 = "%c.1.libm+libc.getppid"
external c_nice : int32 -> int32 = "%c.1.libm+libc.nice"
external c_execv : string -> nativeint -> int32 = "%c.2.libm+libc.execv"
external c_execve : string -> nativeint -> nativeint -> int32 = "%c.3.libm+libc.execve"
external c_execvp : string -> nativeint -> int32 = "%c.2.libm+libc.execvp"
external c_execvpe : string -> nativeint -> nativeint -> int32 = "%c.3.libm+libc.execvpe"
external c_setsid : unit -> int32 = "%c.1.libm+libc.setsid"
external c_kill : int32 -> int32 -> int32 = "%c.2.libm+libc.kill"

let fork () = check "fork" "" (c_fork ())
let getpid () = Int32.to_int (c_getpid ())
let getppid () = Int32.to_int (c_getppid ())
let setsid () = check "setsid" "" (c_setsid ())
let _exit code = sys_exit code

let nice n =
  Oxbow_system.set_error 0;
  let now = c_nice (Int32.of_int n) in
  if now = -1l && Oxbow_system.last_error () <> 0 then failed "nice" "" else Int32.to_int now

(* These come back only if they have failed. *)
let execute name file words call =
  named name file;
  Array.iter (named name) words;
  let words = c_strings words in
  ignore (call file words);
  let error = Oxbow_system.last_error () in
  release words;
  fault error name file

let execute_with name file words environment call =
  let variables = c_strings environment in
  execute name file words (fun file words -> call file words variables)

let execv file words = execute "execv" file words c_execv
let execvp file words = execute "execvp" file words c_execvp
let execve file words environment = execute_with "execve" file words environment c_execve
let execvpe file words environment = execute_with "execvpe" file words environment c_execvpe

let status_of status =
  if status land 127 = 0 then WEXITED ((status lsr 8) land 255)
  else if status land 255 = 127 then WSTOPPED (Sys.signal_of_int ((status lsr 8) land 255))
  else WSIGNALED (Sys.signal_of_int (status land 127))

let wait_for name flags pid =
  let status = buffer 4 in
  let bit = function WNOHANG -> 1 | WUNTRACED -> 2 in
  let found = c_waitpid (Int32.of_int pid) (c status) (Int32.of_int (bits_of bit flags)) in
  let pid = check name "" found in
  (pid, status_of (int_at status 0))

let waitpid flags pid = wait_for "waitpid" flags pid
let wait () = wait_for "wait" [] (-1)

let rec ended pid =
  match waitpid [] pid with
  | _, status -> status
  | exception Unix_error (EINTR, _, _) -> ended pid

let kill pid signal =
  done_ "kill" (c_kill (Int32.of_int pid) (Int32.of_int (Sys.signal_to_int signal)));
  run_signals ()

(* Other programs *)

external c_spawn : string -> string -> string -> nativeint -> nativeint -> nativeint -> int32
  = "%c.6.libm+libc.posix_spawnp"

external c_actions_init : string -> int32 = "%c.1.libm+libc.posix_spawn_file_actions_init"

external c_actions_dup2 : string -> int32 -> int32 -> int32
  = "%c.3.libm+libc.posix_spawn_file_actions_adddup2"

external c_actions_destroy : string -> int32 = "%c.1.libm+libc.posix_spawn_file_actions_destroy"

(* A descriptor that is to be one of the first three is moved away from them first. *)
let create_process_env program words environment new_in new_out new_err =
  named "create_process" program;
  Array.iter (named "create_process") words;
  let copies = ref [] in
  let away descriptor target =
    if descriptor = target || descriptor > 2 then descriptor
    else begin
      let copy = check "create_process" program (c_fcntl (Int32.of_int descriptor) 1030l 3l) in
      copies := copy :: !copies;
      copy
    end
  in
  let targets = [ (away new_in 0, 0l); (away new_out 1, 1l); (away new_err 2, 2l) ] in
  let actions = c (buffer 128) and pid = buffer 4 in
  ignore (c_actions_init actions);
  List.iter
    (fun (from, into) -> ignore (c_actions_dup2 actions (Int32.of_int from) into))
    targets;
  let arguments = c_strings words and variables = c_strings environment in
  let error = c_spawn (c pid) program actions 0n arguments variables in
  release arguments;
  release variables;
  ignore (c_actions_destroy actions);
  List.iter close !copies;
  if error <> 0l then fault (Int32.to_int error) "create_process" program else int_at pid 0

let create_process program words new_in new_out new_err =
  create_process_env program words (environment ()) new_in new_out new_err

let shell = "/bin/sh"
let shell_words command = [| shell; "-c"; command |]
let system command = ended (create_process shell (shell_words command) stdin stdout stderr)

(* The processes behind channels *)
let readers : (in_channel * int) list ref = ref []
let writers : (out_channel * int) list ref = ref []

let started name channel processes =
  match List.assq_opt channel processes with Some pid -> pid | None -> fault 9 name ""

let process_in_pid channel = started "process_in_pid" channel !readers
let process_out_pid channel = started "process_out_pid" channel !writers
let process_pid (channel, _) = started "process_pid" channel !readers
let process_full_pid (channel, _, _) = started "process_full_pid" channel !readers

(* Starts a process on some ends of pipes and closes those; if that fails, the others, too. *)
let start_on create ends others =
  match create () with
  | pid ->
      List.iter close ends;
      pid
  | exception error ->
      List.iter close (ends @ others);
      raise error

let open_process_args_in program words =
  let reading, writing = pipe ~cloexec:true () in
  let create () = create_process program words stdin writing stderr in
  let pid = start_on create [ writing ] [ reading ] in
  let channel = in_channel_of_descr reading in
  readers := (channel, pid) :: !readers;
  channel

let open_process_args_out program words =
  let reading, writing = pipe ~cloexec:true () in
  let create () = create_process program words reading stdout stderr in
  let pid = start_on create [ reading ] [ writing ] in
  let channel = out_channel_of_descr writing in
  writers := (channel, pid) :: !writers;
  channel

let open_process_args program words =
  let in_reading, in_writing = pipe ~cloexec:true () in
  let out_reading, out_writing = pipe ~cloexec:true () in
  let create () = create_process program words out_reading in_writing stderr in
  let pid = start_on create [ out_reading; in_writing ] [ in_reading; out_writing ] in
  let channel = in_channel_of_descr in_reading in
  readers := (channel, pid) :: !readers;
  (channel, out_channel_of_descr out_writing)

let open_process_args_full program words environment =
  let in_reading, in_writing = pipe ~cloexec:true () in
  let out_reading, out_writing = pipe ~cloexec:true () in
  let err_reading, err_writing = pipe ~cloexec:true () in
  let create () =
    create_process_env program words environment out_reading in_writing err_writing
  in
  let pid =
    start_on create
      [ out_reading; in_writing; err_writing ]
      [ in_reading; out_writing; err_reading ]
  in
  let channel = in_channel_of_descr in_reading in
  readers := (channel, pid) :: !readers;
  (channel, out_channel_of_descr out_writing, in_channel_of_descr err_reading)

let open_process_in command = open_process_args_in shell (shell_words command)
let open_process_out command = open_process_args_out shell (shell_words command)
let open_process command = open_process_args shell (shell_words command)

let open_process_full command environment =
  open_process_args_full shell (shell_words command) environment

let close_process_in channel =
  let pid = started "close_process_in" channel !readers in
  readers := List.remove_assq channel !readers;
  close_in channel;
  ended pid

let close_process_out channel =
  let pid = started "close_process_out" channel !writers in
  writers := List.remove_assq channel !writers;
  (try close_out channel with Sys_error _ -> ());
  ended pid

let close_process (input, output) =
  let pid = started "close_process" input !readers in
  readers := List.remove_assq input !readers;
  close_in input;
  (try close_out output with Sys_error _ -> ());
  ended pid

let close_process_full (input, output, errors) =
  let pid = started "close_process_full" input !readers in
  readers := List.remove_assq input !readers;
  close_in input;
  (try close_out output with Sys_error _ -> ());
  close_in errors;
  ended pid

let rec accept_despite_signals descriptor =
  match accept ~cloexec:true descriptor with
  | accepted -> accepted
  | exception Unix_error (EINTR, _, _) -> accept_despite_signals descriptor

(* A process for each connection; its parent ends at once, so that nobody has to wait for it. *)
let establish_server serve address =
  let descriptor = socket ~cloexec:true (domain_of_sockaddr address) SOCK_STREAM 0 in
  setsockopt descriptor SO_REUSEADDR true;
  bind descriptor address;
  listen descriptor 5;
  while true do
    let client, _ = accept_despite_signals descriptor in
    match fork () with
    | 0 ->
        if fork () <> 0 then _exit 0;
        close descriptor;
        serve (in_channel_of_descr client) (out_channel_of_descr client);
        exit 0
    | pid ->
        close client;
        ignore (ended pid)
  done
