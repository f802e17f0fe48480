(* OCaml's own primitives, declared by a program. *)

external id : 'a -> 'a = "%identity"
external code : char -> int = "%identity"
external chr : int -> char = "%identity"
external int_of_bool : bool -> int = "%identity"
external opaque : 'a -> 'a = "%opaque"
external ignore_it : 'a -> unit = "%ignore"
external ( @@@ ) : ('a -> 'b) -> 'a -> 'b = "%apply"
external ( |>> ) : 'a -> ('a -> 'b) -> 'b = "%revapply"
external first : 'a * 'b -> 'a = "%field0"
external second : 'a * 'b -> 'b = "%field1"
external read : 'a ref -> 'a = "%field0"
external write : 'a ref -> 'a -> unit = "%setfield0"
external cell : 'a -> 'a ref = "%makemutable"
external up : int ref -> unit = "%incr"
external down : int ref -> unit = "%decr"
external throw : exn -> 'a = "%raise"
external throw_again : exn -> 'a = "%reraise"
external throw_quietly : exn -> 'a = "%raise_notrace"
external both : bool -> bool -> bool = "%sequand"
external either : bool -> bool -> bool = "%sequor"
external no : bool -> bool = "%boolnot"
external force : 'a Lazy.t -> 'a = "%lazy_force"
external word_size : unit -> int = "%word_size"
external int_size : unit -> int = "%int_size"
external big_endian : unit -> bool = "%big_endian"
external is_unix : unit -> bool = "%ostype_unix"

external equal : 'a -> 'a -> bool = "%equal"
external differ : 'a -> 'a -> bool = "%notequal"
external less : 'a -> 'a -> bool = "%lessthan"
external less_equal : 'a -> 'a -> bool = "%lessequal"
external more : 'a -> 'a -> bool = "%greaterthan"
external more_equal : 'a -> 'a -> bool = "%greaterequal"
external order : 'a -> 'a -> int = "%compare"
external order_floats : float -> float -> int = "%compare"
external order_strings : string -> string -> int = "caml_string_compare"
external same : 'a -> 'a -> bool = "%eq"
external not_same : 'a -> 'a -> bool = "%noteq"
external equal_c : 'a -> 'a -> bool = "caml_equal"
external order_c : 'a -> 'a -> int = "caml_compare"
external equal_strings : string -> string -> bool = "caml_string_equal"

external neg : int -> int = "%negint"
external succ' : int -> int = "%succint"
external pred' : int -> int = "%predint"
external add : int -> int -> int = "%addint"
external sub : int -> int -> int = "%subint"
external mul : int -> int -> int = "%mulint"
external div : int -> int -> int = "%divint"
external rem : int -> int -> int = "%modint"
external land' : int -> int -> int = "%andint"
external lor' : int -> int -> int = "%orint"
external lxor' : int -> int -> int = "%xorint"
external left : int -> int -> int = "%lslint"
external right : int -> int -> int = "%lsrint"
external signed_right : int -> int -> int = "%asrint"
external less_int : int -> int -> bool = "%ltint"
external more_equal_int : int -> int -> bool = "%geint"
external of_float : float -> int = "%intoffloat"
external to_float : int -> float = "%floatofint"

external fneg : float -> float = "%negfloat"
external fabs : float -> float = "%absfloat"
external fadd : float -> float -> float = "%addfloat"
external fsub : float -> float -> float = "%subfloat"
external fmul : float -> float -> float = "%mulfloat"
external fdiv : float -> float -> float = "%divfloat"
external feq : float -> float -> bool = "%eqfloat"
external flt : float -> float -> bool = "%ltfloat"
external pow : float -> float -> float = "caml_power_float" "pow" [@@unboxed] [@@noalloc]
external sqrt' : float -> float = "caml_sqrt_float" "sqrt" [@@unboxed] [@@noalloc]
external fmod : float -> float -> float = "caml_fmod_float" "fmod" [@@unboxed] [@@noalloc]
external ldexp' : (float[@unboxed]) -> (int[@untagged]) -> (float[@unboxed])
  = "caml_ldexp_float" "caml_ldexp_float_unboxed" [@@noalloc]
external frexp' : float -> float * int = "caml_frexp_float"
external modf' : float -> float * float = "caml_modf_float"
external bits : float -> int64 = "caml_int64_bits_of_float" "caml_int64_bits_of_float_unboxed"
  [@@unboxed] [@@noalloc]

external add32 : int32 -> int32 -> int32 = "%int32_add"
external mul64 : int64 -> int64 -> int64 = "%int64_mul"
external shift64 : int64 -> int -> int64 = "%int64_lsr"
external div_native : nativeint -> nativeint -> nativeint = "%nativeint_div"
external to32 : int64 -> int32 = "%int64_to_int32"
external of_native : nativeint -> int64 = "%int64_of_nativeint"
external swap16 : int -> int = "%bswap16"
external swap32 : int32 -> int32 = "%bswap_int32"
external swap64 : int64 -> int64 = "%bswap_int64"
external swap_native : nativeint -> nativeint = "%bswap_native"

external string_length : string -> int = "%string_length"
external string_get : string -> int -> char = "%string_safe_get"
external string_unsafe_get : string -> int -> char = "%string_unsafe_get"
external string_get16 : string -> int -> int = "%caml_string_get16"
external string_get32 : string -> int -> int32 = "%caml_string_get32"
external string_get64 : string -> int -> int64 = "%caml_string_get64"
external bytes_length : bytes -> int = "%bytes_length"
external bytes_get : bytes -> int -> char = "%bytes_safe_get"
external bytes_get_byte : bytes -> int -> int = "%bytes_safe_get"
external bytes_set : bytes -> int -> char -> unit = "%bytes_safe_set"
external bytes_set_byte : bytes -> int -> int -> unit = "%bytes_unsafe_set"
external get16 : bytes -> int -> int = "%caml_bytes_get16"
external get32 : bytes -> int -> int32 = "%caml_bytes_get32"
external get64 : bytes -> int -> int64 = "%caml_bytes_get64"
external set16 : bytes -> int -> int -> unit = "%caml_bytes_set16"
external set32 : bytes -> int -> int32 -> unit = "%caml_bytes_set32"
external set64 : bytes -> int -> int64 -> unit = "%caml_bytes_set64"
external get16u : bytes -> int -> int = "%caml_bytes_get16u"
external of_bytes : bytes -> string = "%bytes_to_string"
external create : int -> bytes = "caml_create_bytes"
external blit_string : string -> int -> bytes -> int -> int -> unit = "caml_blit_string" [@@noalloc]
external fill : bytes -> int -> int -> char -> unit = "caml_fill_bytes" [@@noalloc]

external array_length : 'a array -> int = "%array_length"
external array_get : 'a array -> int -> 'a = "%array_safe_get"
external array_set : 'a array -> int -> 'a -> unit = "%array_safe_set"
external array_unsafe_get : 'a array -> int -> 'a = "%array_unsafe_get"
external array_unsafe_set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"
external array_append : 'a array -> 'a array -> 'a array = "caml_array_append"
external array_concat : 'a array list -> 'a array = "caml_array_concat"
external array_sub : 'a array -> int -> int -> 'a array = "caml_array_sub"
external array_blit : 'a array -> int -> 'a array -> int -> int -> unit = "caml_array_blit"

external parse_int : string -> int = "caml_int_of_string"
external parse_float : string -> float = "caml_float_of_string"
external format_float : string -> float -> string = "caml_format_float"
external output_char' : out_channel -> char -> unit = "caml_ml_output_char"
external output_byte' : out_channel -> int -> unit = "caml_ml_output_char"
external flush' : out_channel -> unit = "caml_ml_flush"

module type Ordered = sig
  type t

  val compare : t -> t -> int
end

module Set_of (O : Ordered) = struct
  let rec add x = function
    | [] -> [ x ]
    | y :: rest when O.compare x y > 0 -> y :: add x rest
    | rest -> x :: rest
end

module Ints = Set_of (struct
  type t = int

  external compare : t -> t -> int = "%compare"
end)

let show name b = Printf.printf "%s %b\n" name b
let ints name list = Printf.printf "%s %s\n" name (String.concat " " (List.map string_of_int list))
let floats name list = Printf.printf "%s %s\n" name (String.concat " " (List.map (Printf.sprintf "%h") list))
let caught f = try f () with e -> print_endline (Printexc.to_string e)

let () =
  ints "identity" [ id 3; code 'a'; int_of_bool true; opaque 5; succ' @@@ 4; 4 |>> pred' ];
  print_char (chr 66);
  print_newline ();
  ignore_it [ 1 ];
  let r = cell 10 in
  up r; up r; down r;
  write r (read r + 100);
  ints "cells" [ read r; first (1, "x"); second ("x", 2) ];
  caught (fun () -> throw Not_found);
  caught (fun () -> throw_again (Failure "again"));
  caught (fun () -> throw_quietly Exit);
  show "both" (both false (throw Exit));
  show "either" (either true (throw Exit));
  show "no" (no true);
  let values = List.map2 both [ true; true ] [ true; false ] in
  List.iter (show "mapped") values;
  ints "lazy" [ force (lazy (print_string "once "; 7)) ];
  ints "sizes" [ word_size (); int_size () ];
  show "big" (big_endian ());
  show "unix" (is_unix ())

let () =
  show "equal" (equal [ 1; 2 ] [ 1; 2 ]);
  show "differ" (differ "a" "b");
  show "less" (less 1.5 2.5 && less_equal 'a' 'a' && more (2, 1) (1, 2) && more_equal [] []);
  ints "order" [ order [ 1 ] [ 2 ]; order_floats nan 1.0; order_strings "b" "a"; order_c (Some 1) None ];
  let s = ref "text" in
  show "same" (same s s);
  show "not same" (not_same (ref 1) (ref 1));
  show "equal in C" (equal_c (1, [| 2.0 |]) (1, [| 2.0 |]));
  show "strings" (equal_strings "ab" "ab");
  caught (fun () -> show "functions" (equal (fun x -> x) succ))

let () =
  ints "ints"
    [ neg 3; add 3 4; sub 3 4; mul 3 4; div (-7) 2; rem (-7) 2; land' 12 10; lor' 12 10; lxor' 12 10;
      left 1 5; right (-1) 60; signed_right (-16) 2; of_float (-2.7) ];
  caught (fun () -> ints "by zero" [ div 1 (opaque 0) ]);
  caught (fun () -> ints "by zero" [ rem 1 (opaque 0) ]);
  show "int order" (less_int 1 2 && more_equal_int 2 2);
  ints "sorted" (List.fold_left (fun l x -> Ints.add x l) [] [ 3; 1; 2 ]);
  floats "floats"
    [ fneg 1.5; fabs (-2.5); fadd 0.1 0.2; fsub 1.0 0.9; fmul 3.0 0.1; fdiv 1.0 3.0; pow 2.0 0.5; sqrt' 2.0;
      fmod 7.5 2.0; ldexp' 1.5 4; to_float 3; fst (frexp' 10.0); fst (modf' 2.25) ];
  show "nan" (feq nan nan || flt nan nan);
  Printf.printf "%Lx\n" (bits 1.5)

let () =
  Printf.printf "%ld %Ld %Lx %nd %ld %Ld\n" (add32 Int32.max_int 1l) (mul64 3L 5L) (shift64 (-1L) 8)
    (div_native 7n 2n) (to32 0x1_2345_6789L) (of_native 5n);
  caught (fun () -> Printf.printf "%nd\n" (div_native 1n (opaque 0n)));
  Printf.printf "%x %lx %Lx %nx\n" (swap16 0xABCD) (swap32 0x01020304l) (swap64 0x0102030405060708L)
    (swap_native 0x0102030405060708n)

let () =
  let s = "hello, world" in
  ints "strings" [ string_length s; code (string_get s 1); code (string_unsafe_get s 4); string_get16 s 0 ];
  Printf.printf "%lx %Lx\n" (string_get32 s 0) (string_get64 s 2);
  caught (fun () -> print_char (string_get s 12));
  caught (fun () -> ints "end" [ string_get16 s 11 ]);
  let b = create 16 in
  fill b 0 16 '.';
  blit_string s 0 b 2 5;
  bytes_set b 0 'A';
  bytes_set_byte b 1 0x42;
  set16 b 8 0x4344;
  set32 b 10 0x45464748l;
  print_endline (Bytes.to_string b);
  ints "bytes" [ bytes_length b; code (bytes_get b 0); bytes_get_byte b 1; get16 b 8; get16u b 9 ];
  Printf.printf "%lx %Lx\n" (get32 b 8) (get64 b 2);
  set64 b 8 0x6162636465666768L;
  caught (fun () -> set64 b 9 0L);
  caught (fun () -> ignore (get32 b (-1)));
  print_endline (of_bytes b)

let () =
  let a = [| 1; 2; 3 |] in
  array_set a 0 10;
  array_unsafe_set a 1 20;
  ints "arrays" [ array_length a; array_get a 0; array_unsafe_get a 1 ];
  caught (fun () -> ints "outside" [ array_get a 3 ]);
  caught (fun () -> array_set a (-1) 3);
  array_blit a 0 a 1 2;
  ints "joined" (Array.to_list (array_concat [ array_append a [| 4 |]; array_sub a 1 2 ]));
  ints "lengths" (List.map array_length [ [| 1 |]; [||] ]);
  floats "of floats" [ array_get [| 1.5; 2.5 |] 1 ]

let () =
  ints "parsed" [ parse_int "0x1F"; parse_int "-12" ];
  floats "parsed" [ parse_float "1e-3" ];
  caught (fun () -> ints "none" [ parse_int "x" ]);
  print_endline (format_float "%.3f" 3.14159);
  output_char' stdout 'c';
  output_byte' stdout 100;
  output_char' stdout '\n';
  flush' stdout

external ba_get : ('a, 'b, 'c) Bigarray.Array1.t -> int -> 'a = "%caml_ba_ref_1"
external ba_set : ('a, 'b, 'c) Bigarray.Array1.t -> int -> 'a -> unit = "%caml_ba_set_1"
external ba_get_2 : ('a, 'b, 'c) Bigarray.Array2.t -> int -> int -> 'a = "%caml_ba_ref_2"
external ba_dim : ('a, 'b, 'c) Bigarray.Array2.t -> int = "%caml_ba_dim_2"

let () =
  let a = Bigarray.Array1.of_array Bigarray.int Bigarray.c_layout [| 1; 2; 3 |] in
  ba_set a 1 50;
  let b = Bigarray.Array2.init Bigarray.int Bigarray.fortran_layout 2 4 (fun i j -> (10 * i) + j) in
  ints "arrays of numbers" [ ba_get a 1; ba_get_2 b 2 3; ba_dim b ];
  caught (fun () -> ba_set a 3 0)
