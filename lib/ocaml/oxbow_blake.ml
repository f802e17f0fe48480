(* BLAKE2b without a key (RFC 7693) *)

let start =
  [|
    0x6a09e667f3bcc908L; 0xbb67ae8584caa73bL; 0x3c6ef372fe94f82bL; 0xa54ff53a5f1d36f1L;
    0x510e527fade682d1L; 0x9b05688c2b3e6c1fL; 0x1f83d9abfb41bd6bL; 0x5be0cd19137e2179L;
  |]

(* The order in which each of ten rounds takes the words of a block; two more begin anew. *)
let orders =
  [|
    [| 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14; 15 |];
    [| 14; 10; 4; 8; 9; 15; 13; 6; 1; 12; 0; 2; 11; 7; 5; 3 |];
    [| 11; 8; 12; 0; 5; 2; 15; 13; 10; 14; 3; 6; 7; 1; 9; 4 |];
    [| 7; 9; 3; 1; 13; 12; 11; 14; 2; 6; 5; 10; 4; 0; 15; 8 |];
    [| 9; 0; 5; 7; 2; 4; 10; 15; 14; 1; 11; 12; 6; 8; 3; 13 |];
    [| 2; 12; 6; 10; 0; 11; 8; 3; 4; 13; 7; 5; 15; 14; 1; 9 |];
    [| 12; 5; 1; 15; 14; 13; 4; 10; 0; 7; 6; 3; 9; 2; 8; 11 |];
    [| 13; 11; 7; 14; 12; 1; 3; 9; 5; 0; 15; 4; 8; 6; 2; 10 |];
    [| 6; 15; 14; 9; 11; 3; 0; 8; 12; 2; 13; 7; 1; 4; 10; 5 |];
    [| 10; 2; 8; 4; 7; 6; 1; 5; 15; 11; 9; 14; 3; 12; 13; 0 |];
  |]

let rotate n count =
  Int64.logor (Int64.shift_right_logical n count) (Int64.shift_left n (64 - count))

(* Mixes two words into four of the sixteen. *)
let mix v a b c d x y =
  let turn target with_ count = v.(target) <- rotate (Int64.logxor v.(target) v.(with_)) count in
  v.(a) <- Int64.add (Int64.add v.(a) v.(b)) x;
  turn d a 32;
  v.(c) <- Int64.add v.(c) v.(d);
  turn b c 24;
  v.(a) <- Int64.add (Int64.add v.(a) v.(b)) y;
  turn d a 16;
  v.(c) <- Int64.add v.(c) v.(d);
  turn b c 63

let compress state block count is_last =
  let v = Array.append state start in
  v.(12) <- Int64.logxor v.(12) (Int64.of_int count);
  if is_last then v.(14) <- Int64.lognot v.(14);
  let word = Array.init 16 (fun i -> Bytes.get_int64_le block (8 * i)) in
  for round = 0 to 11 do
    let order = orders.(round mod 10) in
    let step i a b c d = mix v a b c d word.(order.(2 * i)) word.(order.((2 * i) + 1)) in
    step 0 0 4 8 12;
    step 1 1 5 9 13;
    step 2 2 6 10 14;
    step 3 3 7 11 15;
    step 4 0 5 10 15;
    step 5 1 6 11 12;
    step 6 2 7 8 13;
    step 7 3 4 9 14
  done;
  for i = 0 to 7 do
    state.(i) <- Int64.logxor state.(i) (Int64.logxor v.(i) v.(i + 8))
  done

(* The digest of [length] bytes at [first], which are within the bytes. *)
let digest size bytes first length =
  let state = Array.copy start in
  state.(0) <- Int64.logxor state.(0) (Int64.of_int (0x01010000 lor size));
  let block = Bytes.create 128 in
  let rec go at =
    let left = length - at in
    if left > 128 then begin
      Bytes.blit bytes (first + at) block 0 128;
      compress state block (at + 128) false;
      go (at + 128)
    end
    else begin
      Bytes.fill block 0 128 '\000';
      Bytes.blit bytes (first + at) block 0 left;
      compress state block length true
    end
  in
  go 0;
  let result = Bytes.create 64 in
  Array.iteri (fun i n -> Bytes.set_int64_le result (8 * i) n) state;
  Bytes.sub_string result 0 size
