(* Functions of many arguments, known and unknown, complete and partial, of mixed types. *)

let args_1 a0 =
  0 + (1 * a0)

let args_2 a0 a1 =
  0 + (1 * a0) + (2 * a1)

let args_5 a0 a1 a2 a3 a4 =
  0 + (1 * a0) + (2 * a1) + String.length a2 + (4 * a3) + (5 * a4)

let args_8 a0 a1 a2 a3 a4 a5 a6 a7 =
  0 + (1 * a0) + (2 * a1) + String.length a2 + (4 * a3) + (5 * a4) + String.length a5 + (7 * a6) + (8 *
    a7)

let args_9 a0 a1 a2 a3 a4 a5 a6 a7 a8 =
  0 + (1 * a0) + (2 * a1) + String.length a2 + (4 * a3) + (5 * a4) + String.length a5 + (7 * a6) + (8 *
    a7) + String.length a8

let args_16 a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13 a14 a15 =
  0 + (1 * a0) + (2 * a1) + String.length a2 + (4 * a3) + (5 * a4) + String.length a5 + (7 * a6) + (8 *
    a7) + String.length a8 + (10 * a9) + (11 * a10) + String.length a11 + (13 * a12) + (14 * a13) +
    String.length a14 + (16 * a15)

let args_17 a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13 a14 a15 a16 =
  0 + (1 * a0) + (2 * a1) + String.length a2 + (4 * a3) + (5 * a4) + String.length a5 + (7 * a6) + (8 *
    a7) + String.length a8 + (10 * a9) + (11 * a10) + String.length a11 + (13 * a12) + (14 * a13) +
    String.length a14 + (16 * a15) + (17 * a16)

let args_33 a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 a20 a21 a22 a23 a24 a25
  a26 a27 a28 a29 a30 a31 a32 =
  0 + (1 * a0) + (2 * a1) + String.length a2 + (4 * a3) + (5 * a4) + String.length a5 + (7 * a6) + (8 *
    a7) + String.length a8 + (10 * a9) + (11 * a10) + String.length a11 + (13 * a12) + (14 * a13) +
    String.length a14 + (16 * a15) + (17 * a16) + String.length a17 + (19 * a18) + (20 * a19) +
    String.length a20 + (22 * a21) + (23 * a22) + String.length a23 + (25 * a24) + (26 * a25) +
    String.length a26 + (28 * a27) + (29 * a28) + String.length a29 + (31 * a30) + (32 * a31) +
    String.length a32

let () =
  Printf.printf "1: %d\n" (args_1 1);
  let unknown = List.hd (List.rev [ args_1; args_1 ]) in Printf.printf "1: %d\n" (unknown 1);
  Printf.printf "2: %d\n" (args_2 1 2);
  let unknown = List.hd (List.rev [ args_2; args_2 ]) in Printf.printf "2: %d\n" (unknown 1 2);
  let partial = args_2 1 in
  Printf.printf "2: %d" (partial 2);
  Printf.printf " %d\n" (partial 3);
  Printf.printf "5: %d\n" (args_5 1 2 "sss" 4 5);
  let unknown = List.hd (List.rev [ args_5; args_5 ]) in Printf.printf "5: %d\n" (unknown 1 2 "sss" 4
    5);
  let partial = args_5 1 2 in
  Printf.printf "5: %d" (partial "sss" 4 5);
  Printf.printf " %d\n" (partial "ssss" 5 6);
  Printf.printf "8: %d\n" (args_8 1 2 "sss" 4 5 "ss" 7 8);
  let unknown = List.hd (List.rev [ args_8; args_8 ]) in Printf.printf "8: %d\n" (unknown 1 2 "sss" 4 5
    "ss" 7 8);
  let partial = args_8 1 2 "sss" 4 in
  Printf.printf "8: %d" (partial 5 "ss" 7 8);
  Printf.printf " %d\n" (partial 6 "sss" 8 9);
  Printf.printf "9: %d\n" (args_9 1 2 "sss" 4 5 "ss" 7 8 "s");
  let unknown = List.hd (List.rev [ args_9; args_9 ]) in Printf.printf "9: %d\n" (unknown 1 2 "sss" 4 5
    "ss" 7 8 "s");
  let partial = args_9 1 2 "sss" 4 in
  Printf.printf "9: %d" (partial 5 "ss" 7 8 "s");
  Printf.printf " %d\n" (partial 6 "sss" 8 9 "ss");
  Printf.printf "16: %d\n" (args_16 1 2 "sss" 4 5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16);
  let unknown = List.hd (List.rev [ args_16; args_16 ]) in Printf.printf "16: %d\n" (unknown 1 2 "sss" 4
    5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16);
  let partial = args_16 1 2 "sss" 4 5 "ss" 7 8 in
  Printf.printf "16: %d" (partial "s" 10 11 "ssss" 13 14 "sss" 16);
  Printf.printf " %d\n" (partial "ss" 11 12 "sssss" 14 15 "ssss" 17);
  Printf.printf "17: %d\n" (args_17 1 2 "sss" 4 5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16 17);
  let unknown = List.hd (List.rev [ args_17; args_17 ]) in Printf.printf "17: %d\n" (unknown 1 2 "sss" 4
    5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16 17);
  let partial = args_17 1 2 "sss" 4 5 "ss" 7 8 in
  Printf.printf "17: %d" (partial "s" 10 11 "ssss" 13 14 "sss" 16 17);
  Printf.printf " %d\n" (partial "ss" 11 12 "sssss" 14 15 "ssss" 17 18);
  Printf.printf "33: %d\n" (args_33 1 2 "sss" 4 5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16 17 "ss" 19 20
    "s" 22 23 "ssss" 25 26 "sss" 28 29 "ss" 31 32 "s");
  let unknown = List.hd (List.rev [ args_33; args_33 ]) in Printf.printf "33: %d\n" (unknown 1 2 "sss" 4
    5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16 17 "ss" 19 20 "s" 22 23 "ssss" 25 26 "sss" 28 29 "ss" 31
    32 "s");
  let partial = args_33 1 2 "sss" 4 5 "ss" 7 8 "s" 10 11 "ssss" 13 14 "sss" 16 in
  Printf.printf "33: %d" (partial 17 "ss" 19 20 "s" 22 23 "ssss" 25 26 "sss" 28 29 "ss" 31 32 "s");
  Printf.printf " %d\n" (partial 18 "sss" 20 21 "ss" 23 24 "sssss" 26 27 "ssss" 29 30 "sss" 32 33 "ss")
