(* The runtime's functions on digits of long integers (decision 149): operands are strings with how many digits they
   have, results go to new bytes, which the caller has made large enough. *)

(* What C is given. *)
let[@inline] nat n = Nativeint.of_int n
let[@inline] bytes it = Bytes.unsafe_to_string it

external c_add_ : string -> string -> nativeint -> string -> nativeint -> unit = "%c.5.oxbow-runtime.oxbow_integer_add"
let[@inline] c_add a0 a1 a2 a3 a4 = c_add_ (bytes a0) a1 (nat a2) a3 (nat a4)

external c_sub_ : string -> string -> nativeint -> string -> nativeint -> unit = "%c.5.oxbow-runtime.oxbow_integer_sub"
let[@inline] c_sub a0 a1 a2 a3 a4 = c_sub_ (bytes a0) a1 (nat a2) a3 (nat a4)

external c_mul_ : string -> string -> nativeint -> string -> nativeint -> unit = "%c.5.oxbow-runtime.oxbow_integer_mul"
let[@inline] c_mul a0 a1 a2 a3 a4 = c_mul_ (bytes a0) a1 (nat a2) a3 (nat a4)

external c_mul_fits_ : nativeint -> nativeint -> nativeint = "%c.2.oxbow-runtime.oxbow_integer_mul_fits"
let[@inline] c_mul_fits a0 a1 = Nativeint.to_int (c_mul_fits_ (nat a0) (nat a1))

external c_compare_ : string -> string -> nativeint -> nativeint = "%c.3.oxbow-runtime.oxbow_integer_compare"
let[@inline] c_compare a0 a1 a2 = Nativeint.to_int (c_compare_ a0 a1 (nat a2))

external c_shift_left_ : string -> string -> nativeint -> nativeint -> unit
  = "%c.4.oxbow-runtime.oxbow_integer_shift_left"
let[@inline] c_shift_left a0 a1 a2 a3 = c_shift_left_ (bytes a0) a1 (nat a2) (nat a3)

external c_shift_right_ : string -> string -> nativeint -> nativeint -> nativeint
  = "%c.4.oxbow-runtime.oxbow_integer_shift_right"
let[@inline] c_shift_right a0 a1 a2 a3 = Nativeint.to_int (c_shift_right_ (bytes a0) a1 (nat a2) (nat a3))

external c_bits_ : nativeint -> string -> string -> nativeint -> string -> nativeint -> nativeint
  = "%c.6.oxbow-runtime.oxbow_integer_bits"
let[@inline] c_bits a0 a1 a2 a3 a4 a5 = Nativeint.to_int (c_bits_ (nat a0) (bytes a1) a2 (nat a3) a4 (nat a5))

external c_count_ : string -> nativeint -> nativeint = "%c.2.oxbow-runtime.oxbow_integer_count"
let[@inline] c_count a0 a1 = Nativeint.to_int (c_count_ a0 (nat a1))

external c_divide_ : string -> string -> string -> nativeint -> string -> nativeint -> unit
  = "%c.6.oxbow-runtime.oxbow_integer_divide"
let[@inline] c_divide a0 a1 a2 a3 a4 a5 = c_divide_ (bytes a0) (bytes a1) a2 (nat a3) a4 (nat a5)

external c_gcd_ : string -> string -> nativeint -> string -> nativeint -> unit = "%c.5.oxbow-runtime.oxbow_integer_gcd"
let[@inline] c_gcd a0 a1 a2 a3 a4 = c_gcd_ (bytes a0) a1 (nat a2) a3 (nat a4)

external c_gcd_ext_ : string -> string -> string -> nativeint -> string -> nativeint -> nativeint
  = "%c.6.oxbow-runtime.oxbow_integer_gcd_ext"
let[@inline] c_gcd_ext a0 a1 a2 a3 a4 a5 = Nativeint.to_int (c_gcd_ext_ (bytes a0) (bytes a1) a2 (nat a3) a4 (nat a5))

external c_pow_ : string -> nativeint -> string -> nativeint -> nativeint -> unit
  = "%c.5.oxbow-runtime.oxbow_integer_pow"
let[@inline] c_pow a0 a1 a2 a3 a4 = c_pow_ (bytes a0) (nat a1) a2 (nat a3) (nat a4)

external c_pow_mod_ : string -> string -> nativeint -> string -> nativeint -> string -> nativeint -> unit
  = "%c.7.oxbow-runtime.oxbow_integer_pow_mod"
let[@inline] c_pow_mod a0 a1 a2 a3 a4 a5 a6 = c_pow_mod_ (bytes a0) a1 (nat a2) a3 (nat a4) a5 (nat a6)

external c_root_ : string -> nativeint -> string -> nativeint -> nativeint -> unit
  = "%c.5.oxbow-runtime.oxbow_integer_root"
let[@inline] c_root a0 a1 a2 a3 a4 = c_root_ (bytes a0) (nat a1) a2 (nat a3) (nat a4)

external c_text_ : string -> nativeint -> string -> nativeint -> nativeint -> nativeint
  = "%c.5.oxbow-runtime.oxbow_integer_text"
let[@inline] c_text a0 a1 a2 a3 a4 = Nativeint.to_int (c_text_ (bytes a0) (nat a1) a2 (nat a3) (nat a4))

external c_of_text_ : string -> nativeint -> string -> nativeint -> nativeint -> nativeint -> unit
  = "%c.6.oxbow-runtime.oxbow_integer_of_text"
let[@inline] c_of_text a0 a1 a2 a3 a4 a5 = c_of_text_ (bytes a0) (nat a1) a2 (nat a3) (nat a4) (nat a5)

external mix_uint32 : int -> int -> int = "%hash.mix_uint32"
