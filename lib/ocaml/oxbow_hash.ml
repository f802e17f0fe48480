(* Hashing of structured values, for code that the compiler generates: OCaml's order of
   traversal, which is breadth first. The root is visited at once, then [run] visits what
   that has pushed. To visit a block is to call [mix_block], then to push one visit for each field; to visit another
   value is to mix it. *)

external prim_mix_int : int -> int -> int = "%hash.mix_int"
external prim_mix_uint32 : int -> int -> int = "%hash.mix_uint32"
external prim_mix_float : int -> float -> int = "%hash.mix_float"
external prim_mix_string : int -> string -> int = "%hash.mix_string"
external prim_mix_int64 : int -> int64 -> int = "%hash.mix_int64"
external prim_final : int -> int = "%hash.final"
external domain_any : unit -> bool = "%domain.any"

type state = {
  mutable hash : int;
  mutable left : int;  (** how many values still count *)
  mutable next : int;  (** the queue's next visit *)
  mutable stop : int;  (** and its end *)
  mutable total : int;  (** how many values the queue takes in all *)
  queue : (unit -> unit) array;
}

let queue_size = 256

let fresh size =
  { hash = 0; left = 0; next = 0; stop = 0; total = 0; queue = Array.make size (fun () -> ()) }

(* One queue for all: hashing calls no code of the program, so it is never nested. Domains hash at the same time, so
   in programs that have some each hash has its own. *)
let shared = fresh queue_size

let create meaningful total seed =
  let total = if total < 0 || total > queue_size then queue_size else total in
  let state = if domain_any () then fresh total else shared in
  state.hash <- seed land 0xFFFF_FFFF;
  state.left <- meaningful;
  (* The value itself, which nothing needs to queue, has the first place. *)
  state.next <- 1;
  state.stop <- 1;
  state.total <- total;
  state
[@@known hash_create]

let push state visit =
  if state.stop < state.total then begin
    Array.unsafe_set state.queue state.stop visit;
    state.stop <- state.stop + 1
  end
[@@known hash_push]

let mix_int state n =
  if state.left > 0 then begin
    state.hash <- prim_mix_int state.hash n;
    state.left <- state.left - 1
  end
[@@known hash_mix_int]

let mix_float state x =
  if state.left > 0 then begin
    state.hash <- prim_mix_float state.hash x;
    state.left <- state.left - 1
  end
[@@known hash_mix_float]

let mix_string state s =
  if state.left > 0 then begin
    state.hash <- prim_mix_string state.hash s;
    state.left <- state.left - 1
  end
[@@known hash_mix_string]

let mix_int64 state n =
  if state.left > 0 then begin
    state.hash <- prim_mix_int64 state.hash n;
    state.left <- state.left - 1
  end
[@@known hash_mix_int64]

(* An [int32] is mixed by its bits, as OCaml does. *)
let mix_int32 state (n : int32) =
  if state.left > 0 then begin
    state.hash <- prim_mix_uint32 state.hash (Int32.to_int n land 0xFFFF_FFFF);
    state.left <- state.left - 1
  end

(* A [nativeint] is folded as an [int] is, which differs from an [int64] if negative. *)
let mix_nativeint state (n : nativeint) =
  if state.left > 0 then begin
    let high = Nativeint.to_int (Nativeint.shift_right n 32) in
    let sign = Nativeint.to_int (Nativeint.shift_right n 63) in
    let bits = Nativeint.to_int n lxor high lxor sign in
    state.hash <- prim_mix_uint32 state.hash (bits land 0xFFFF_FFFF);
    state.left <- state.left - 1
  end

(* The header of a block is mixed, but does not count. *)
let mix_block state tag size =
  if state.left > 0 then
    state.hash <- prim_mix_uint32 state.hash (((size lsl 10) lor tag) land 0xFFFF_FFFF)
[@@known hash_mix_block]

let run state =
  while state.next < state.stop && state.left > 0 do
    let visit = Array.unsafe_get state.queue state.next in
    state.next <- state.next + 1;
    visit ()
  done;
  prim_final state.hash
[@@known hash_run]
