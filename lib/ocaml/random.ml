(* Pseudo-random numbers: the generator LXM of OCaml 5, a linear congruential one and one of
   shifts, whose sum is mixed. *)

[@@@links_printexc]
[@@@hidden "entropy random_seed default key current"]

external entropy : unit -> int = "%sys.entropy"

let random_seed () = [| entropy (); entropy (); entropy (); entropy () |]

module State = struct
  type t = {
    mutable addend : int64;  (** odd *)
    mutable sum : int64;
    mutable low : int64;  (** not 0 *)
    mutable high : int64;  (** not 0 *)
  }

  let assign state addend sum low high =
    state.addend <- Int64.logor addend 1L;
    state.sum <- sum;
    state.low <- (if low <> 0L then low else 1L);
    state.high <- (if high <> 0L then high else 2L)

  let fresh addend sum low high =
    let state = { addend; sum; low; high } in
    assign state addend sum low high;
    state

  let copy s = { s with addend = s.addend }

  let rotate n count =
    Int64.logor (Int64.shift_left n count) (Int64.shift_right_logical n (64 - count))

  let mixed n =
    let factor = 0xdaba0b6eb09322e3L in
    let folded n = Int64.logxor n (Int64.shift_right_logical n 32) in
    folded (Int64.mul (folded (Int64.mul (folded n) factor)) factor)

  let next s =
    let result = mixed (Int64.add s.sum s.low) in
    s.sum <- Int64.add (Int64.mul s.sum 0xd1342543de82ef95L) s.addend;
    let high = Int64.logxor s.high s.low in
    s.low <- Int64.logxor (Int64.logxor (rotate s.low 24) high) (Int64.shift_left high 16);
    s.high <- rotate high 37;
    result

  let full_init state seed =
    let count = Array.length seed in
    let bytes = Bytes.create ((count * 8) + 1) in
    for i = 0 to count - 1 do
      Bytes.set_int64_le bytes (i * 8) (Int64.of_int seed.(i))
    done;
    let digest mark =
      Bytes.set bytes (count * 8) mark;
      Digest.bytes bytes
    in
    let first = digest '\001' in
    let second = digest '\002' in
    let word = String.get_int64_le in
    assign state (word first 0) (word first 8) (word second 0) (word second 8)

  let make seed =
    let state = fresh 0L 0L 0L 0L in
    full_init state seed;
    state

  let make_self_init () = make (random_seed ())
  let bits s = Int64.to_int (next s) land 0x3FFFFFFF

  (* A number below [bound]: the lowest bits, drawn again in the last, incomplete group. *)
  let rec below s bound mask =
    let drawn = Int64.to_int (next s) land mask in
    let result = int_unsafe_mod drawn bound in
    if drawn - result > mask - bound + 1 then below s bound mask else result

  let int s bound =
    if bound > 0x3FFFFFFF || bound <= 0 then invalid_arg "Random.int" else below s bound 0x3FFFFFFF

  let full_int s bound =
    if bound <= 0 then invalid_arg "Random.full_int"
    else if bound <= 0x3FFFFFFF then below s bound 0x3FFFFFFF
    else if bound <= 0x7FFFFFFF then below s bound 0x7FFFFFFF
    else below s bound max_int

  let bits32 s = Int64.to_int32 (next s)
  let bits64 s = next s
  let nativebits s = Int64.to_nativeint (next s)

  let rec int32_below s bound =
    let drawn = Int32.shift_right_logical (bits32 s) 1 in
    let result = Int32.rem drawn bound in
    if Int32.sub drawn result > Int32.add (Int32.sub Int32.max_int bound) 1l then
      int32_below s bound
    else result

  let int32 s bound = if bound <= 0l then invalid_arg "Random.int32" else int32_below s bound

  let rec int64_below s bound =
    let drawn = Int64.shift_right_logical (next s) 1 in
    let result = Int64.rem drawn bound in
    if Int64.sub drawn result > Int64.add (Int64.sub Int64.max_int bound) 1L then
      int64_below s bound
    else result

  let int64 s bound = if bound <= 0L then invalid_arg "Random.int64" else int64_below s bound

  let nativeint s bound =
    if bound <= 0n then invalid_arg "Random.nativeint"
    else Int64.to_nativeint (int64_below s (Int64.of_nativeint bound))

  (* Ranges whose size is no positive number are drawn from all numbers. *)

  (* What numbers of 31, 32 and 63 bits can hold is drawn from those, on all machines alike. *)
  let int_in_range s ~min ~max =
    if min > max then invalid_arg "Random.int_in_range";
    let size = max - min + 1 in
    let rec draw bits =
      let drawn = (Int64.to_int (next s) lsl (63 - bits)) asr (63 - bits) in
      if drawn < min || drawn > max then draw bits else drawn
    in
    let drawn_from bits =
      let mask = max_int lsr (63 - bits) in
      if size > 0 && size <= mask then min + below s size mask else draw bits
    in
    let within largest = min >= -largest - 1 && max <= largest in
    drawn_from (if within 0x3FFFFFFF then 31 else if within 0x7FFFFFFF then 32 else 63)

  let int32_in_range s ~min ~max =
    if min > max then invalid_arg "Random.int32_in_range";
    let size = Int32.succ (Int32.sub max min) in
    let rec draw () =
      let drawn = bits32 s in
      if drawn < min || drawn > max then draw () else drawn
    in
    if size <= 0l then draw () else Int32.add min (int32_below s size)

  let int64_in_range s ~min ~max =
    if min > max then invalid_arg "Random.int64_in_range";
    let size = Int64.succ (Int64.sub max min) in
    let rec draw () =
      let drawn = next s in
      if drawn < min || drawn > max then draw () else drawn
    in
    if size <= 0L then draw () else Int64.add min (int64_below s size)

  let nativeint_in_range s ~min ~max =
    let min = Int64.of_nativeint min and max = Int64.of_nativeint max in
    Int64.to_nativeint (int64_in_range s ~min ~max)

  (* A number of 53 bits, divided by the next power of two; never 0. *)
  let rec fraction s =
    let drawn = Int64.shift_right_logical (next s) 11 in
    if drawn <> 0L then Int64.to_float drawn *. 0x1p-53 else fraction s

  let float s bound = fraction s *. bound
  let bool s = next s < 0L

  let split s =
    let a = next s in
    let b = next s in
    let c = next s in
    let d = next s in
    fresh a b c d

  let prefix = "lxm1:"

  let to_binary_string s =
    let bytes = Bytes.create 32 in
    List.iteri (fun i n -> Bytes.set_int64_le bytes (8 * i) n) [ s.addend; s.sum; s.low; s.high ];
    prefix ^ Bytes.to_string bytes

  let of_binary_string text =
    if String.length text <> 37 || not (String.starts_with ~prefix text) then
      failwith "Random.State.of_binary_string: expected a format compatible with OCaml 5.4.1";
    let word i = String.get_int64_le text (5 + (8 * i)) in
    fresh (word 0) (word 1) (word 2) (word 3)
end

let default =
  {
    State.addend = -6196874289567705097L;
    sum = 586573249833713189L;
    low = -8591268803865043407L;
    high = 6388613595849772044L;
  }

(* In programs with domains each has a state, which is split from that of the domain that starts it. *)
let key = Domain.DLS.new_key ~split_from_parent:State.split (fun () -> default)
let[@inline] current () = if domain_any () then Domain.DLS.get key else default

let bits () = State.bits (current ())
let int bound = State.int (current ()) bound
let full_int bound = State.full_int (current ()) bound
let int_in_range ~min ~max = State.int_in_range (current ()) ~min ~max
let int32 bound = State.int32 (current ()) bound
let int32_in_range ~min ~max = State.int32_in_range (current ()) ~min ~max
let nativeint bound = State.nativeint (current ()) bound
let nativeint_in_range ~min ~max = State.nativeint_in_range (current ()) ~min ~max
let int64 bound = State.int64 (current ()) bound
let int64_in_range ~min ~max = State.int64_in_range (current ()) ~min ~max
let float bound = State.float (current ()) bound
let bool () = State.bool (current ())
let bits32 () = State.bits32 (current ())
let bits64 () = State.bits64 (current ())
let nativebits () = State.nativebits (current ())
let full_init seed = State.full_init (current ()) seed
let init seed = State.full_init (current ()) [| seed |]
let self_init () = full_init (random_seed ())
let split () = State.split (current ())
let get_state () = State.copy (current ())

let set_state (s : State.t) = State.assign (current ()) s.addend s.sum s.low s.high
