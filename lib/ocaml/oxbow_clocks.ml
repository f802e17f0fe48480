(* The part of [Unix] that is about signals, clocks and users. *)

[@@@part_of "Unix"]
[@@@links_printexc]

open Oxbow_unix
open Oxbow_sockets

(* Signals, as sets of bits *)

type sigprocmask_command =
  | SIG_SETMASK
  | SIG_BLOCK
  | SIG_UNBLOCK

external c_sigmask : int32 -> string -> string -> int32 = "%c.3.libm+libc.pthread_sigmask"
external c_sigpending : string -> int32 = "%c.1.libm+libc.sigpending"
external c_sigsuspend : string -> int32 = "%c.1.libm+libc.sigsuspend"
external c_sigwait : string -> string -> int32 = "%c.2.libm+libc.sigwait"

let put_signals signals =
  let bits = buffer 128 in
  List.iter
    (fun signal ->
      let at = Sys.signal_to_int signal - 1 in
      Bytes.set_uint8 bits (at / 8) (Bytes.get_uint8 bits (at / 8) lor (1 lsl (at land 7))))
    signals;
  bits

let signals_of bits =
  let rec from number =
    if number > 64 then []
    else
      let at = number - 1 in
      let rest = from (number + 1) in
      if Bytes.get_uint8 bits (at / 8) land (1 lsl (at land 7)) <> 0 then
        Sys.signal_of_int number :: rest
      else rest
  in
  from 1

let sigprocmask command signals =
  let how = match command with SIG_BLOCK -> 0l | SIG_UNBLOCK -> 1l | SIG_SETMASK -> 2l in
  let before = buffer 128 in
  let error = c_sigmask how (c (put_signals signals)) (c before) in
  run_signals ();
  if error <> 0l then fault (Int32.to_int error) "sigprocmask" "" else signals_of before

let sigpending () =
  let bits = buffer 128 in
  done_ "sigpending" (c_sigpending (c bits));
  signals_of bits

(* It always fails: a signal has come. *)
let sigsuspend signals =
  if c_sigsuspend (c (put_signals signals)) < 0l && Oxbow_system.last_error () <> 4 then
    failed "sigsuspend" "";
  run_signals ()

let pause () = sigsuspend (sigprocmask SIG_BLOCK [])

let sigwait signals =
  let number = buffer 4 in
  let error = c_sigwait (c (put_signals signals)) (c number) in
  if error <> 0l then fault (Int32.to_int error) "sigwait" ""
  else Sys.signal_of_int (int_at number 0)

(* Clocks *)

type tm = {
  tm_sec : int;
  tm_min : int;
  tm_hour : int;
  tm_mday : int;
  tm_mon : int;
  tm_year : int;
  tm_wday : int;
  tm_yday : int;
  tm_isdst : bool;
}

external c_gmtime : string -> string -> nativeint = "%c.2.libm+libc.gmtime_r"
external c_localtime : string -> string -> nativeint = "%c.2.libm+libc.localtime_r"
external c_mktime : string -> int64 = "%c.1.libm+libc.mktime"
external c_alarm : int32 -> int32 = "%c.1.libm+libc.alarm"
external c_nanosleep : string -> string -> int32 = "%c.2.libm+libc.nanosleep"
external c_getrusage : int32 -> string -> int32 = "%c.2.libm+libc.getrusage"
external wall_time : unit -> float = "%sys.wall_time"
external c_utimes : string -> string -> int32 = "%c.2.libm+libc.utimes"

let gettimeofday () = wall_time ()
let time () = floor (wall_time ())

let tm_of bytes =
  let part i = int_at bytes (4 * i) in
  {
    tm_sec = part 0;
    tm_min = part 1;
    tm_hour = part 2;
    tm_mday = part 3;
    tm_mon = part 4;
    tm_year = part 5;
    tm_wday = part 6;
    tm_yday = part 7;
    tm_isdst = part 8 <> 0;
  }

let moment seconds =
  let bytes = buffer 8 in
  Bytes.set_int64_le bytes 0 (Int64.of_float (floor seconds));
  c bytes

let gmtime seconds =
  let bytes = buffer 64 in
  if c_gmtime (moment seconds) (c bytes) = 0n then fault 22 "gmtime" ""
  else tm_of bytes

let localtime seconds =
  let bytes = buffer 64 in
  if c_localtime (moment seconds) (c bytes) = 0n then
    fault 22 "localtime" ""
  else tm_of bytes

let mktime tm =
  let bytes = buffer 64 in
  List.iteri
    (fun i n -> Bytes.set_int32_le bytes (4 * i) (Int32.of_int n))
    [
      tm.tm_sec; tm.tm_min; tm.tm_hour; tm.tm_mday; tm.tm_mon; tm.tm_year; tm.tm_wday; tm.tm_yday; -1;
    ];
  let seconds = c_mktime (c bytes) in
  if seconds = -1L then fault 34 "mktime" "" else (Int64.to_float seconds, tm_of bytes)

let alarm seconds = Int32.to_int (c_alarm (Int32.of_int seconds))

(* What is left is written into the same place when a signal comes. *)
let sleepf seconds =
  if seconds > 0.0 then begin
    let bytes = buffer 16 in
    put_seconds bytes 0 seconds 1e9;
    while c_nanosleep (c bytes) (c bytes) < 0l do
      if Oxbow_system.last_error () <> 4 then failed "sleep" "";
      run_signals ()
    done
  end

let sleep seconds = sleepf (float_of_int seconds)

type process_times = {
  tms_utime : float;
  tms_stime : float;
  tms_cutime : float;
  tms_cstime : float;
}

let times () =
  let usage who =
    let bytes = buffer 144 in
    done_ "times" (c_getrusage who (c bytes));
    (seconds_at bytes 0 1e6, seconds_at bytes 16 1e6)
  in
  let tms_utime, tms_stime = usage 0l in
  let tms_cutime, tms_cstime = usage (-1l) in
  { tms_utime; tms_stime; tms_cutime; tms_cstime }

(* Both 0 stand for now. *)
let utimes name access change =
  let bytes = buffer 32 in
  let now = if access = 0.0 && change = 0.0 then wall_time () else 0.0 in
  put_seconds bytes 0 (access +. now) 1e6;
  put_seconds bytes 16 (change +. now) 1e6;
  check_named "utimes" name (fun name -> c_utimes name (c bytes))

type interval_timer =
  | ITIMER_REAL
  | ITIMER_VIRTUAL
  | ITIMER_PROF

type interval_timer_status = { it_interval : float; it_value : float }

external c_getitimer : int32 -> string -> int32 = "%c.2.libm+libc.getitimer"
external c_setitimer : int32 -> string -> string -> int32 = "%c.3.libm+libc.setitimer"

let timer_number = function ITIMER_REAL -> 0l | ITIMER_VIRTUAL -> 1l | ITIMER_PROF -> 2l

let timer_of bytes =
  { it_interval = seconds_at bytes 0 1e6; it_value = seconds_at bytes 16 1e6 }

let getitimer timer =
  let bytes = buffer 32 in
  done_ "getitimer" (c_getitimer (timer_number timer) (c bytes));
  timer_of bytes

(* Less than a millionth of a second is not none. *)
let setitimer timer wanted =
  let bytes = buffer 32 and before = buffer 32 in
  let put at seconds =
    put_seconds bytes at (if seconds > 0.0 && seconds < 1e-6 then 1e-6 else seconds) 1e6
  in
  put 0 wanted.it_interval;
  put 16 wanted.it_value;
  done_ "setitimer" (c_setitimer (timer_number timer) (c bytes) (c before));
  timer_of before

(* Users, and this machine *)

external c_getuid : unit -> int32 = "%c.1.libm+libc.getuid"
external c_geteuid : unit -> int32 = "%c.1.libm+libc.geteuid"
external c_getgid : unit -> int32 = "%c.1.libm+libc.getgid"
external c_getegid : unit -> int32 = "%c.1.libm+libc.getegid"
external c_setuid : int32 -> int32 = "%c.1.libm+libc.setuid"
external c_setgid : int32 -> int32 = "%c.1.libm+libc.setgid"
external c_hostname : string -> nativeint -> int32 = "%c.2.libm+libc.gethostname"
external c_getlogin : string -> nativeint -> int32 = "%c.2.libm+libc.getlogin_r"

let getuid () = Int32.to_int (c_getuid ())
let geteuid () = Int32.to_int (c_geteuid ())
let getgid () = Int32.to_int (c_getgid ())
let getegid () = Int32.to_int (c_getegid ())
let setuid user = done_ "setuid" (c_setuid (Int32.of_int user))
let setgid group = done_ "setgid" (c_setgid (Int32.of_int group))

let gethostname () =
  let bytes = buffer 257 in
  done_ "gethostname" (c_hostname (c bytes) 256n);
  Oxbow_system.text_of bytes

let getlogin () =
  let bytes = buffer 257 in
  let error = c_getlogin (c bytes) 256n in
  if error <> 0l then fault (Int32.to_int error) "getlogin" "" else Oxbow_system.text_of bytes

type passwd_entry = {
  pw_name : string;
  pw_passwd : string;
  pw_uid : int;
  pw_gid : int;
  pw_gecos : string;
  pw_dir : string;
  pw_shell : string;
}

type group_entry = { gr_name : string; gr_passwd : string; gr_gid : int; gr_mem : string array }

external c_getpwnam : string -> nativeint = "%c.1.libm+libc.getpwnam"
external c_getpwuid : int32 -> nativeint = "%c.1.libm+libc.getpwuid"
external c_getgrnam : string -> nativeint = "%c.1.libm+libc.getgrnam"
external c_getgrgid : int32 -> nativeint = "%c.1.libm+libc.getgrgid"
external c_getgroups : int32 -> string -> int32 = "%c.2.libm+libc.getgroups"
external c_setgroups : nativeint -> string -> int32 = "%c.2.libm+libc.setgroups"
external c_initgroups : string -> int32 -> int32 = "%c.2.libm+libc.initgroups"

let user_of address =
  {
    pw_name = text_behind address;
    pw_passwd = text_behind (beyond address 8);
    pw_uid = number_at (beyond address 16);
    pw_gid = number_at (beyond address 20);
    pw_gecos = text_behind (beyond address 24);
    pw_dir = text_behind (beyond address 32);
    pw_shell = text_behind (beyond address 40);
  }

let group_of address =
  {
    gr_name = text_behind address;
    gr_passwd = text_behind (beyond address 8);
    gr_gid = number_at (beyond address 16);
    gr_mem = texts_behind (beyond address 24);
  }

let entry_named name call = if Oxbow_system.is_name name then entry (call name) else raise Not_found
let getpwnam name = user_of (entry_named name c_getpwnam)
let getgrnam name = group_of (entry_named name c_getgrnam)
let getpwuid user = user_of (entry (c_getpwuid (Int32.of_int user)))
let getgrgid group = group_of (entry (c_getgrgid (Int32.of_int group)))

let getgroups () =
  let bytes = buffer (4 * 65536) in
  let count = check "getgroups" "" (c_getgroups 65536l (c bytes)) in
  Array.init count (fun i -> int_at bytes (4 * i))

let setgroups groups =
  let bytes = buffer (4 * Array.length groups) in
  Array.iteri (fun i group -> put_int bytes (4 * i) group) groups;
  done_ "setgroups" (c_setgroups (Nativeint.of_int (Array.length groups)) (c bytes))

let initgroups name group =
  check_named "initgroups" name (fun name -> c_initgroups name (Int32.of_int group))
