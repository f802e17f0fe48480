(* Natural numbers of any size: digits in base 2^30, the least first, no leading zeros. Products, quotients and texts of
   long ones are those of the runtime (decision 284). *)

open Eshkol_value

let base_bits = 30
let base = 1 lsl 30
let mask = base - 1

let zero : int array = [||]
let is_zero a = length_of a = 0

(* Drops leading zeros. *)
let trim a =
  let rec top n = if n > 0 && get a (n - 1) = 0 then top (n - 1) else n in
  let n = top (length_of a) in
  if n = length_of a then a
  else begin
    let made = make n 0 in
    blit a 0 made 0 n;
    made
  end

(* [n] is not negative. *)
let of_int n =
  if n = 0 then zero
  else if n < base then [| n |]
  else if n lsr 60 = 0 then [| n land mask; n lsr 30 |]
  else [| n land mask; (n lsr 30) land mask; n lsr 60 |]

let compare_mag a b =
  let n = length_of a and m = length_of b in
  if n <> m then if n < m then -1 else 1
  else
    let rec go i =
      if i < 0 then 0
      else
        let x = get a i and y = get b i in
        if x < y then -1 else if x > y then 1 else go (i - 1)
    in
    go (n - 1)

let add a b =
  let a, b = if length_of a >= length_of b then (a, b) else (b, a) in
  let n = length_of a and m = length_of b in
  let made = make (n + 1) 0 in
  let carry = ref 0 in
  for i = 0 to m - 1 do
    let s = get a i + get b i + !carry in
    set made i (s land mask);
    carry := s lsr 30
  done;
  for i = m to n - 1 do
    let s = get a i + !carry in
    set made i (s land mask);
    carry := s lsr 30
  done;
  set made n !carry;
  trim made

(* [a] is not less than [b]. *)
let sub a b =
  let n = length_of a and m = length_of b in
  let made = make n 0 in
  let borrow = ref 0 in
  for i = 0 to n - 1 do
    let d = get a i - (if i < m then get b i else 0) - !borrow in
    if d < 0 then (set made i (d + base); borrow := 1) else (set made i d; borrow := 0)
  done;
  trim made

(* The loop inside goes over the longer factor. *)
let mul_simple a b =
  let a, b = if length_of a <= length_of b then (a, b) else (b, a) in
  let n = length_of a and m = length_of b in
  if n = 0 || m = 0 then zero
  else begin
    let made = make (n + m) 0 in
    for i = 0 to n - 1 do
      let x = get a i in
      let carry = ref 0 in
      for j = 0 to m - 1 do
        let t = (x * get b j) + get made (i + j) + !carry in
        set made (i + j) (t land mask);
        carry := t lsr 30
      done;
      set made (i + m) !carry
    done;
    trim made
  end

let digit_bits d =
  let rec go d n = if d = 0 then n else go (d lsr 1) (n + 1) in
  go d 0

let bit_length a =
  let n = length_of a in
  if n = 0 then 0 else ((n - 1) * 30) + digit_bits (get a (n - 1))

(* Numbers as the runtime has them: words of 64 bits, here written by halves, the least first. *)

let low_half = 0xFFFFFFFF
let words a = (bit_length a + 63) / 64
let room count = bytes_create (count * 8)

let packed a =
  let count = words a in
  let made = room count in
  let held = ref 0 and bits = ref 0 and at = ref 0 in
  let put () =
    set32 made (!at * 4) (int32_of_int (!held land low_half));
    at := !at + 1;
    held := !held lsr 32;
    bits := !bits - 32
  in
  for i = 0 to length_of a - 1 do
    held := !held lor (get a i lsl !bits);
    bits := !bits + 30;
    if !bits >= 32 then put ()
  done;
  while !at < count * 2 do
    put ()
  done;
  made

let unpacked_digits from count =
  let n = ((count * 64) + 29) / 30 in
  let made = make n 0 in
  let held = ref 0 and bits = ref 0 and at = ref 0 in
  for i = 0 to n - 1 do
    if !bits < 30 && !at < count * 2 then begin
      held := !held lor ((int_of_int32 (get32 from (!at * 4)) land low_half) lsl !bits);
      at := !at + 1;
      bits := !bits + 32
    end;
    set made i (!held land mask);
    held := !held lsr 30;
    bits := !bits - 30
  done;
  trim made

(* From this many digits on the runtime is faster, the way there included. *)
let long = 60

(* From this many on for texts, which take a division for each digit here. *)
let long_text = 200

let[@inline never] mul_long a b =
  let a, b = if length_of a >= length_of b then (a, b) else (b, a) in
  let m = words a and n = words b in
  let out = room (m + n) in
  Oxbow_digits.c_mul out (bytes_unsafe_to_string (packed a)) m (bytes_unsafe_to_string (packed b)) n;
  unpacked_digits out (m + n)

let mul a b = if length_of a < long || length_of b < long then mul_simple a b else mul_long a b

(* Quotient and remainder by a digit. *)
let div_small a d =
  let n = length_of a in
  let made = make n 0 in
  let r = ref 0 in
  for i = n - 1 downto 0 do
    let t = (!r lsl 30) lor get a i in
    set made i (int_unsafe_div t d);
    r := int_unsafe_mod t d
  done;
  (trim made, !r)

let shift_left a bits =
  if is_zero a then a
  else begin
    let whole = int_unsafe_div bits 30 and rest = int_unsafe_mod bits 30 in
    let n = length_of a in
    let made = make (n + whole + 1) 0 in
    let carry = ref 0 in
    for i = 0 to n - 1 do
      let t = (get a i lsl rest) lor !carry in
      set made (i + whole) (t land mask);
      carry := t lsr 30
    done;
    set made (n + whole) !carry;
    trim made
  end

let shift_right a bits =
  let whole = int_unsafe_div bits 30 and rest = int_unsafe_mod bits 30 in
  let n = length_of a - whole in
  if n <= 0 then zero
  else begin
    let made = make n 0 in
    for i = 0 to n - 1 do
      let high = if i + whole + 1 < length_of a then get a (i + whole + 1) else 0 in
      set made i (((get a (i + whole) lsr rest) lor (high lsl (30 - rest))) land mask)
    done;
    trim made
  end

(* [a] is not shorter than [b]. *)
let[@inline never] divide_long a b =
  let m = words a and n = words b in
  let quotient = room (m - n + 1) and rest = room n in
  Oxbow_digits.c_divide quotient rest (bytes_unsafe_to_string (packed a)) m (bytes_unsafe_to_string (packed b)) n;
  (unpacked_digits quotient (m - n + 1), unpacked_digits rest n)

(* Long division (Knuth, volume 2, algorithm D). *)
let div_mod a b =
  if compare_mag a b < 0 then (zero, a)
  else if length_of b = 1 then
    let q, r = div_small a (get b 0) in
    (q, of_int r)
  else if length_of b >= long && length_of a - length_of b >= long then divide_long a b
  else begin
    let shift = 30 - digit_bits (get b (length_of b - 1)) in
    let v = shift_left b shift in
    let n = length_of v in
    let shifted = shift_left a shift in
    let m = length_of a - n in
    let u = make (length_of a + 1) 0 in
    blit shifted 0 u 0 (length_of shifted);
    let q = make (m + 1) 0 in
    let top = get v (n - 1) and next = get v (n - 2) in
    for j = m downto 0 do
      let head = (get u (j + n) lsl 30) lor get u (j + n - 1) in
      let guess = ref (int_unsafe_div head top) in
      let left = ref (head - (!guess * top)) in
      while
        !left < base && (!guess >= base || !guess * next > (!left lsl 30) lor get u (j + n - 2))
      do
        guess := !guess - 1;
        left := !left + top
      done;
      let borrow = ref 0 and carry = ref 0 in
      for i = 0 to n - 1 do
        let p = (!guess * get v i) + !carry in
        carry := p lsr 30;
        let d = get u (i + j) - (p land mask) - !borrow in
        if d < 0 then (set u (i + j) (d + base); borrow := 1) else (set u (i + j) d; borrow := 0)
      done;
      let d = get u (j + n) - !carry - !borrow in
      if d < 0 then begin
        set u (j + n) (d + base);
        guess := !guess - 1;
        let carry = ref 0 in
        for i = 0 to n - 1 do
          let s = get u (i + j) + get v i + !carry in
          set u (i + j) (s land mask);
          carry := s lsr 30
        done;
        set u (j + n) ((get u (j + n) + !carry) land mask)
      end
      else set u (j + n) d;
      set q j !guess
    done;
    (trim q, shift_right (trim u) shift)
  end

let bit a i =
  let d = int_unsafe_div i 30 in
  d < length_of a && (get a d lsr int_unsafe_mod i 30) land 1 = 1

(* Whether some bit below [count] is set. *)
let low_bits a count =
  let rec go i = i < count && (bit a i || go (i + 1)) in
  let whole = int_unsafe_div count 30 in
  let rec digits i = i < whole && i < length_of a && (get a i <> 0 || digits (i + 1)) in
  digits 0 || go (whole * 30)

(* The nearest float, ties to even: 62 leading bits with a sticky last one are rounded once. *)
let to_float a =
  let bits = bit_length a in
  let small v =
    let rec go i acc = if i < 0 then acc else go (i - 1) ((acc lsl 30) lor get v i) in
    go (length_of v - 1) 0
  in
  if bits <= 61 then float_of_int (small a)
  else
    let shift = bits - 61 in
    let head = small (shift_right a shift) in
    let head = if low_bits a shift then head lor 1 else head in
    ldexp (float_of_int head) shift

let[@inline never] long_to_text a radix =
  let size = (bit_length a / (digit_bits radix - 1)) + 2 in
  let made = bytes_create size in
  let n = Oxbow_digits.c_text made size (bytes_unsafe_to_string (packed a)) (words a) radix in
  let text = bytes_create n in
  copy_bytes made 0 text 0 n;
  bytes_unsafe_to_string text

(* The value of a text of digits of the radix. *)
let[@inline never] of_text text radix =
  let n = string_length text in
  let count = ((n * digit_bits (radix - 1)) / 64) + 1 in
  let out = room count in
  Oxbow_digits.c_of_text out count text 0 n radix;
  unpacked_digits out count

(* Digits in a radix. *)
let to_text a radix =
  if is_zero a then "0"
  else if length_of a >= long_text then long_to_text a radix
  else begin
    (* The largest power of the radix that is a digit. *)
    let rec chunk power count = if power * radix >= base then (power, count) else chunk (power * radix) (count + 1) in
    let power, count = chunk radix 1 in
    let digit d = unsafe_char_of_int (if d < 10 then 48 + d else 87 + d) in
    let size = (length_of a * 31) + 2 in
    let made = bytes_create size in
    let rec put_digits value left at =
      if left = 0 then at
      else begin
        set_byte made at (digit (int_unsafe_mod value radix));
        put_digits (int_unsafe_div value radix) (left - 1) (at - 1)
      end
    in
    let rec put_last value at =
      if value = 0 then at
      else begin
        set_byte made at (digit (int_unsafe_mod value radix));
        put_last (int_unsafe_div value radix) (at - 1)
      end
    in
    let rec go a at =
      let q, r = div_small a power in
      if is_zero q then put_last r at else go q (put_digits r count at)
    in
    let at = go a (size - 1) in
    let n = size - 1 - at in
    let text = bytes_create n in
    copy_bytes made (at + 1) text 0 n;
    bytes_unsafe_to_string text
  end

let mul_add_small a factor plus =
  let n = length_of a in
  let made = make (n + 1) 0 in
  let carry = ref plus in
  for i = 0 to n - 1 do
    let t = (get a i * factor) + !carry in
    set made i (t land mask);
    carry := t lsr 30
  done;
  set made n !carry;
  trim made
