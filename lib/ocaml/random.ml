(* Pseudo-random numbers: the additive lagged Fibonacci generator of OCaml 4, lags 55
   and 24, whose sequences these are. *)

[@@@hidden "entropy random_seed default"]

external entropy : unit -> int = "%sys.entropy"

let random_seed () = [| entropy (); entropy (); entropy () |]

module State = struct
  type t = {
    numbers : int array;  (** 55 of them *)
    mutable index : int;
  }

  let assign into from =
    Array.unsafe_blit from.numbers 0 into.numbers 0 55;
    into.index <- from.index

  let full_init state seed =
    let seed = if Array.length seed = 0 then [| 0 |] else seed in
    let count = Array.length seed in
    for i = 0 to 54 do
      Array.unsafe_set state.numbers i i
    done;
    let digest = ref "x" in
    let rounds = 55 + (if count > 55 then count else 55) in
    for i = 0 to rounds - 1 do
      digest := Digest.string (!digest ^ string_of_int (Array.get seed (i mod count)));
      let byte n = Char.code (String.unsafe_get !digest n) in
      let word = byte 0 + (byte 1 lsl 8) + (byte 2 lsl 16) + (byte 3 lsl 24) in
      let at = i mod 55 in
      Array.unsafe_set state.numbers at
        ((Array.unsafe_get state.numbers at lxor word) land 0x3FFFFFFF)
    done;
    state.index <- 0

  let new_state () = { numbers = Array.make 55 0; index = 0 }

  let make seed =
    let state = new_state () in
    full_init state seed;
    state

  let make_self_init () = make (random_seed ())

  let copy state =
    let result = new_state () in
    assign result state;
    result

  (* 30 bits. *)
  let bits state =
    let next i n = if i + n >= 55 then i + n - 55 else i + n in
    let index = next state.index 1 in
    state.index <- index;
    let old = Array.unsafe_get state.numbers index in
    let sum =
      Array.unsafe_get state.numbers (next index 24) + (old lxor ((old lsr 25) land 0x1F))
    in
    let result = sum land 0x3FFFFFFF in
    Array.unsafe_set state.numbers index result;
    result

  (* Draws again when the number is in the last, incomplete group of [bound]. *)
  let rec int_below state bound =
    let drawn = bits state in
    let result = int_unsafe_mod drawn bound in
    if drawn - result > 0x3FFFFFFF - bound + 1 then int_below state bound else result

  let int state bound =
    if bound > 0x3FFFFFFF || bound <= 0 then invalid_arg "Random.int" else int_below state bound

  let rec large_int_below state bound =
    let b1 = bits state in
    let b2 = bits state in
    if bound <= 0x7FFFFFFF then begin
      let drawn = ((b2 land 0x3FFFC000) lsl 1) lor (b1 lsr 15) in
      let result = int_unsafe_mod drawn bound in
      if drawn - result > 0x7FFFFFFF - bound + 1 then large_int_below state bound else result
    end
    else begin
      let b3 = bits state in
      let drawn = ((((b3 land 0x3FFFFE00) lsl 12) lor (b2 lsr 9)) lsl 20) lor (b1 lsr 10) in
      let result = int_unsafe_mod drawn bound in
      if drawn - result > max_int - bound + 1 then large_int_below state bound else result
    end

  let full_int state bound =
    if bound <= 0 then invalid_arg "Random.full_int"
    else if bound > 0x3FFFFFFF then large_int_below state bound
    else int_below state bound

  let rec int32_below state bound =
    let b1 = Int32.of_int (bits state) in
    let b2 = Int32.shift_left (Int32.of_int (bits state land 1)) 30 in
    let drawn = Int32.logor b1 b2 in
    let result = Int32.rem drawn bound in
    if Int32.sub drawn result > Int32.add (Int32.sub Int32.max_int bound) 1l then
      int32_below state bound
    else result

  let int32 state bound =
    if bound <= 0l then invalid_arg "Random.int32" else int32_below state bound

  let rec int64_below state bound =
    let b1 = Int64.of_int (bits state) in
    let b2 = Int64.shift_left (Int64.of_int (bits state)) 30 in
    let b3 = Int64.shift_left (Int64.of_int (bits state land 7)) 60 in
    let drawn = Int64.logor b1 (Int64.logor b2 b3) in
    let result = Int64.rem drawn bound in
    if Int64.sub drawn result > Int64.add (Int64.sub Int64.max_int bound) 1L then
      int64_below state bound
    else result

  let int64 state bound =
    if bound <= 0L then invalid_arg "Random.int64" else int64_below state bound

  let nativeint state bound = Int64.to_nativeint (int64 state (Int64.of_nativeint bound))

  let float state bound =
    let low = Stdlib.float (bits state) in
    let high = Stdlib.float (bits state) in
    ((low /. 1073741824.0) +. high) /. 1073741824.0 *. bound

  let bool state = bits state land 1 = 0
end

(* What [init 27182818] gives. *)
let default =
  {
    State.numbers =
      [|
        0x3ae2522b; 0x1d8d4634; 0x15b4fad0; 0x18b14ace; 0x12f8a3c4; 0x3b086c47;
        0x16d467d6; 0x101d91c7; 0x321df177; 0x0176c193; 0x1ff72bf1; 0x1e889109;
        0x0b464b18; 0x2b86b97c; 0x0891da48; 0x03137463; 0x085ac5a1; 0x15d61f2f;
        0x3bced359; 0x29c1c132; 0x3a86766e; 0x366d8c86; 0x1f5b6222; 0x3ce1b59f;
        0x2ebf78e1; 0x27cd1b86; 0x258f3dc3; 0x389a8194; 0x02e4c44c; 0x18c43f7d;
        0x0f6e534f; 0x1e7df359; 0x055d0b7e; 0x10e84e7e; 0x126198e4; 0x0e7722cb;
        0x1cbede28; 0x3391b964; 0x3d40e92a; 0x0c59933d; 0x0b8cd0b7; 0x24efff1c;
        0x2803fdaa; 0x08ebc72e; 0x0f522e32; 0x05398edc; 0x2144a04c; 0x0aef3cbd;
        0x01ad4719; 0x35b93cd6; 0x2a559d4f; 0x1e6fd768; 0x26e27f36; 0x186f18c3;
        0x2fbf967a;
      |];
    State.index = 0;
  }

let bits () = State.bits default
let int bound = State.int default bound
let full_int bound = State.full_int default bound
let int32 bound = State.int32 default bound
let nativeint bound = State.nativeint default bound
let int64 bound = State.int64 default bound
let float bound = State.float default bound
let bool () = State.bool default
let full_init seed = State.full_init default seed
let init seed = State.full_init default [| seed |]
let self_init () = full_init (random_seed ())
let get_state () = State.copy default
let set_state state = State.assign default state
