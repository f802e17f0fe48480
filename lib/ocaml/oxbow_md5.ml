(* MD5, on ints of which the low 32 bits count. *)

let constants =
  [|
    0xd76aa478; 0xe8c7b756; 0x242070db; 0xc1bdceee; 0xf57c0faf; 0x4787c62a;
    0xa8304613; 0xfd469501; 0x698098d8; 0x8b44f7af; 0xffff5bb1; 0x895cd7be;
    0x6b901122; 0xfd987193; 0xa679438e; 0x49b40821; 0xf61e2562; 0xc040b340;
    0x265e5a51; 0xe9b6c7aa; 0xd62f105d; 0x02441453; 0xd8a1e681; 0xe7d3fbc8;
    0x21e1cde6; 0xc33707d6; 0xf4d50d87; 0x455a14ed; 0xa9e3e905; 0xfcefa3f8;
    0x676f02d9; 0x8d2a4c8a; 0xfffa3942; 0x8771f681; 0x6d9d6122; 0xfde5380c;
    0xa4beea44; 0x4bdecfa9; 0xf6bb4b60; 0xbebfbc70; 0x289b7ec6; 0xeaa127fa;
    0xd4ef3085; 0x04881d05; 0xd9d4d039; 0xe6db99e5; 0x1fa27cf8; 0xc4ac5665;
    0xf4292244; 0x432aff97; 0xab9423a7; 0xfc93a039; 0x655b59c3; 0x8f0ccc92;
    0xffeff47d; 0x85845dd1; 0x6fa87e4f; 0xfe2ce6e0; 0xa3014314; 0x4e0811a1;
    0xf7537e82; 0xbd3af235; 0x2ad7d2bb; 0xeb86d391;
  |]

let shifts = [| 7; 12; 17; 22; 5; 9; 14; 20; 4; 11; 16; 23; 6; 10; 15; 21 |]
let mask = 0xFFFF_FFFF
let rotate n count = ((n lsl count) lor ((n land mask) lsr (32 - count))) land mask

(* The digest of [length] bytes at [start], which are within the bytes. *)
let digest bytes start length =
  (* The message is followed by one bit, zeros, and its length in bits. *)
  let total = ((length + 8) / 64 * 64) + 64 in
  let message = Bytes.make total '\000' in
  Bytes.unsafe_blit bytes start message 0 length;
  Bytes.unsafe_set message length '\128';
  for i = 0 to 7 do
    Bytes.unsafe_set message (total - 8 + i) (unsafe_char_of_int ((length * 8) lsr (8 * i)))
  done;
  let word at = Bytes.unsafe_get16 message at lor (Bytes.unsafe_get16 message (at + 2) lsl 16) in
  let rec block at a0 b0 c0 d0 =
    if at >= total then begin
      let result = Bytes.create 16 in
      let put at n =
        Bytes.unsafe_set16 result at (n land 0xFFFF);
        Bytes.unsafe_set16 result (at + 2) ((n lsr 16) land 0xFFFF)
      in
      put 0 a0;
      put 4 b0;
      put 8 c0;
      put 12 d0;
      Bytes.unsafe_to_string result
    end
    else begin
      let rec step i a b c d =
        if i = 64 then
          block (at + 64) ((a0 + a) land mask) ((b0 + b) land mask) ((c0 + c) land mask)
            ((d0 + d) land mask)
        else begin
          let round = i lsr 4 in
          let mixed =
            match round with
            | 0 -> (b land c) lor (lnot b land d)
            | 1 -> (d land b) lor (lnot d land c)
            | 2 -> b lxor c lxor d
            | _ -> c lxor (b lor (lnot d land mask))
          in
          let index =
            match round with
            | 0 -> i
            | 1 -> ((5 * i) + 1) land 15
            | 2 -> ((3 * i) + 5) land 15
            | _ -> 7 * i land 15
          in
          let sum = a + mixed + Array.unsafe_get constants i + word (at + (4 * index)) in
          let shift = Array.unsafe_get shifts ((round * 4) + (i land 3)) in
          step (i + 1) d ((b + rotate (sum land mask) shift) land mask) b c
        end
      in
      step 0 a0 b0 c0 d0
    end
  in
  block 0 0x67452301 0xefcdab89 0x98badcfe 0x10325476
