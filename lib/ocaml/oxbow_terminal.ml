(* The part of [Unix] that is about terminals. *)

[@@@part_of "Unix"]
[@@@links_printexc]

open Oxbow_unix

type terminal_io = {
  mutable c_ignbrk : bool;
  mutable c_brkint : bool;
  mutable c_ignpar : bool;
  mutable c_parmrk : bool;
  mutable c_inpck : bool;
  mutable c_istrip : bool;
  mutable c_inlcr : bool;
  mutable c_igncr : bool;
  mutable c_icrnl : bool;
  mutable c_ixon : bool;
  mutable c_ixoff : bool;
  mutable c_opost : bool;
  mutable c_obaud : int;
  mutable c_ibaud : int;
  mutable c_csize : int;
  mutable c_cstopb : int;
  mutable c_cread : bool;
  mutable c_parenb : bool;
  mutable c_parodd : bool;
  mutable c_hupcl : bool;
  mutable c_clocal : bool;
  mutable c_isig : bool;
  mutable c_icanon : bool;
  mutable c_noflsh : bool;
  mutable c_echo : bool;
  mutable c_echoe : bool;
  mutable c_echok : bool;
  mutable c_echonl : bool;
  mutable c_vintr : char;
  mutable c_vquit : char;
  mutable c_verase : char;
  mutable c_vkill : char;
  mutable c_veof : char;
  mutable c_veol : char;
  mutable c_vmin : int;
  mutable c_vtime : int;
  mutable c_vstart : char;
  mutable c_vstop : char;
}

type setattr_when =
  | TCSANOW
  | TCSADRAIN
  | TCSAFLUSH

type flush_queue =
  | TCIFLUSH
  | TCOFLUSH
  | TCIOFLUSH

type flow_action =
  | TCOOFF
  | TCOON
  | TCIOFF
  | TCION

external c_tcgetattr : int32 -> string -> int32 = "%c.2.libm+libc.tcgetattr"
external c_tcsetattr : int32 -> int32 -> string -> int32 = "%c.3.libm+libc.tcsetattr"
external c_tcsendbreak : int32 -> int32 -> int32 = "%c.2.libm+libc.tcsendbreak"
external c_tcdrain : int32 -> int32 = "%c.1.libm+libc.tcdrain"
external c_tcflush : int32 -> int32 -> int32 = "%c.2.libm+libc.tcflush"
external c_tcflow : int32 -> int32 -> int32 = "%c.2.libm+libc.tcflow"

(* Speeds, by the system's numbers *)
let speeds =
  [
    (0, 0); (50, 1); (75, 2); (110, 3); (134, 4); (150, 5); (200, 6); (300, 7); (600, 8); (1200, 9);
    (1800, 10); (2400, 11); (4800, 12); (9600, 13); (19200, 14); (38400, 15); (57600, 0x1001);
    (115200, 0x1002); (230400, 0x1003); (460800, 0x1004); (921600, 0x1007);
  ]

(* Where the flags of input, output, control and editing stand, and the characters *)
let input = 0
let output = 4
let control = 8
let local = 12
let characters = 17
let input_speed = 52
let output_speed = 56

let attributes name descriptor =
  let bytes = buffer 64 in
  done_ name (c_tcgetattr (Int32.of_int descriptor) (c bytes));
  bytes

let tcgetattr descriptor =
  let bytes = attributes "tcgetattr" descriptor in
  let flag at bit = int_at bytes at land bit <> 0 in
  let key i = Bytes.get bytes (characters + i) in
  let speed at =
    match List.find_opt (fun (_, number) -> number = int_at bytes at) speeds with
    | Some (speed, _) -> speed
    | None -> 9600
  in
  {
    c_ignbrk = flag input 1;
    c_brkint = flag input 2;
    c_ignpar = flag input 4;
    c_parmrk = flag input 8;
    c_inpck = flag input 16;
    c_istrip = flag input 32;
    c_inlcr = flag input 64;
    c_igncr = flag input 128;
    c_icrnl = flag input 256;
    c_ixon = flag input 1024;
    c_ixoff = flag input 4096;
    c_opost = flag output 1;
    c_obaud = speed output_speed;
    c_ibaud = speed input_speed;
    c_csize = 5 + ((int_at bytes control lsr 4) land 3);
    c_cstopb = (if flag control 0x40 then 2 else 1);
    c_cread = flag control 0x80;
    c_parenb = flag control 0x100;
    c_parodd = flag control 0x200;
    c_hupcl = flag control 0x400;
    c_clocal = flag control 0x800;
    c_isig = flag local 1;
    c_icanon = flag local 2;
    c_noflsh = flag local 128;
    c_echo = flag local 8;
    c_echoe = flag local 16;
    c_echok = flag local 32;
    c_echonl = flag local 64;
    c_vintr = key 0;
    c_vquit = key 1;
    c_verase = key 2;
    c_vkill = key 3;
    c_veof = key 4;
    c_veol = key 11;
    c_vmin = Char.code (key 6);
    c_vtime = Char.code (key 5);
    c_vstart = key 8;
    c_vstop = key 9;
  }

let tcsetattr descriptor moment wanted =
  let bytes = attributes "tcsetattr" descriptor in
  let bits at mask value = put_int bytes at (int_at bytes at land lnot mask lor value) in
  let flag at bit on = bits at bit (if on then bit else 0) in
  let key i character = Bytes.set bytes (characters + i) character in
  let number i n = Bytes.set_uint8 bytes (characters + i) n in
  let speed at wanted =
    match List.assoc_opt wanted speeds with
    | Some number ->
        put_int bytes at number;
        if at = output_speed then bits control 0x100f number
    | None -> fault 22 "tcsetattr" ""
  in
  flag input 1 wanted.c_ignbrk;
  flag input 2 wanted.c_brkint;
  flag input 4 wanted.c_ignpar;
  flag input 8 wanted.c_parmrk;
  flag input 16 wanted.c_inpck;
  flag input 32 wanted.c_istrip;
  flag input 64 wanted.c_inlcr;
  flag input 128 wanted.c_igncr;
  flag input 256 wanted.c_icrnl;
  flag input 1024 wanted.c_ixon;
  flag input 4096 wanted.c_ixoff;
  flag output 1 wanted.c_opost;
  speed output_speed wanted.c_obaud;
  speed input_speed wanted.c_ibaud;
  if wanted.c_csize < 5 || wanted.c_csize > 8 then fault 22 "tcsetattr" "";
  bits control 0x30 ((wanted.c_csize - 5) lsl 4);
  (match wanted.c_cstopb with
  | 1 -> flag control 0x40 false
  | 2 -> flag control 0x40 true
  | _ -> fault 22 "tcsetattr" "");
  flag control 0x80 wanted.c_cread;
  flag control 0x100 wanted.c_parenb;
  flag control 0x200 wanted.c_parodd;
  flag control 0x400 wanted.c_hupcl;
  flag control 0x800 wanted.c_clocal;
  flag local 1 wanted.c_isig;
  flag local 2 wanted.c_icanon;
  flag local 128 wanted.c_noflsh;
  flag local 8 wanted.c_echo;
  flag local 16 wanted.c_echoe;
  flag local 32 wanted.c_echok;
  flag local 64 wanted.c_echonl;
  key 0 wanted.c_vintr;
  key 1 wanted.c_vquit;
  key 2 wanted.c_verase;
  key 3 wanted.c_vkill;
  key 4 wanted.c_veof;
  key 11 wanted.c_veol;
  number 6 wanted.c_vmin;
  number 5 wanted.c_vtime;
  key 8 wanted.c_vstart;
  key 9 wanted.c_vstop;
  let moment = match moment with TCSANOW -> 0l | TCSADRAIN -> 1l | TCSAFLUSH -> 2l in
  done_ "tcsetattr" (c_tcsetattr (Int32.of_int descriptor) moment (c bytes))

let tcsendbreak descriptor duration =
  done_ "tcsendbreak" (c_tcsendbreak (Int32.of_int descriptor) (Int32.of_int duration))

let tcdrain descriptor = done_ "tcdrain" (c_tcdrain (Int32.of_int descriptor))

let tcflush descriptor queue =
  let queue = match queue with TCIFLUSH -> 0l | TCOFLUSH -> 1l | TCIOFLUSH -> 2l in
  done_ "tcflush" (c_tcflush (Int32.of_int descriptor) queue)

let tcflow descriptor action =
  let action = match action with TCOOFF -> 0l | TCOON -> 1l | TCIOFF -> 2l | TCION -> 3l in
  done_ "tcflow" (c_tcflow (Int32.of_int descriptor) action)
