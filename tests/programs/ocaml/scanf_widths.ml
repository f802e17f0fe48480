let try_ name f = match f () with
  | s -> Printf.printf "%s -> %s\n" name s
  | exception Scanf.Scan_failure m -> Printf.printf "%s !! Scan_failure %s\n" name m
  | exception Failure m -> Printf.printf "%s !! Failure %s\n" name m
  | exception End_of_file -> Printf.printf "%s !! End_of_file\n" name
let i = string_of_int
let () =
  let ss = Scanf.sscanf in
  try_ "%0s" (fun () -> ss "abc" "%0s%s" (fun a b -> a ^ "," ^ b));
  try_ "%0s|" (fun () -> ss "abc" "%0s|%s" (fun a b -> a ^ "," ^ b));
  try_ "%0d" (fun () -> ss "123" "%0d%d" (fun a b -> i a ^ "," ^ i b));
  try_ "%0[" (fun () -> ss "abc" "%0[a-z]%s" (fun a b -> a ^ "," ^ b));
  try_ "%0f" (fun () -> ss "1.5" "%0f%s" (fun a b -> string_of_float a ^ "," ^ b));
  try_ "%0x" (fun () -> ss "ff" "%0x%s" (fun a b -> i a ^ "," ^ b));
  try_ "%0S" (fun () -> ss "\"ab\"" "%0S" Fun.id);
  try_ "%2S" (fun () -> ss "\"ab\"" "%2S" Fun.id);
  try_ "%u" (fun () -> ss "9223372036854775807" "%u" i);
  try_ "%u2" (fun () -> ss "9223372036854775808" "%u" i);
  try_ "%u3" (fun () -> ss "99999999999999999999" "%u" i);
  try_ "%u+" (fun () -> ss "+5" "%u" i);
  try_ "%u4" (fun () -> ss "4611686018427387904" "%u" i);
  try_ "%d4" (fun () -> ss "4611686018427387904" "%d" i);
  try_ "%lu" (fun () -> ss "4294967295" "%lu" Int32.to_string);
  try_ "%lu2" (fun () -> ss "4294967296" "%lu" Int32.to_string);
  try_ "%nu" (fun () -> ss "18446744073709551615" "%nu" Nativeint.to_string);
  try_ "%Lu" (fun () -> ss "18446744073709551615" "%Lu" Int64.to_string);
  try_ "%Lu2" (fun () -> ss "18446744073709551616" "%Lu" Int64.to_string);
  try_ "%ld" (fun () -> ss "4294967295" "%ld" Int32.to_string);
  try_ "%lx" (fun () -> ss "ffffffff" "%lx" Int32.to_string);
  try_ "%x" (fun () -> ss "7fffffffffffffff" "%x" i);
  try_ "%x2" (fun () -> ss "8000000000000000" "%x" i);
  try_ "%Lo" (fun () -> ss "1777777777777777777777" "%Lo" Int64.to_string);
  try_ "%i u" (fun () -> ss "0u123" "%i" i);
  try_ "%d u" (fun () -> ss "0u123" "%d%s" (fun a b -> i a ^ b));
  try_ "%d _" (fun () -> ss "1_000" "%d" i);
  try_ "%d __" (fun () -> ss "1__0" "%d" i);
  try_ "%d _1" (fun () -> ss "_1" "%d" i);
  try_ "%f _" (fun () -> ss "1_0.5_0" "%f" string_of_float)
