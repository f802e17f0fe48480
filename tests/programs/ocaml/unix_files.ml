(* Files, folders and descriptors, all below a folder that the program makes and removes. *)
open Unix

let check name f =
  match f () with
  | () -> Printf.printf "%s: no error\n%!" name
  | exception Unix_error (e, f, a) ->
      let a = if String.starts_with ~prefix:"/tmp" a then Filename.basename a else a in
      let a = if String.starts_with ~prefix:"oxbow" a then "DIR" else a in
      Printf.printf "%s: %s in %s on %S\n%!" name (error_message e) f a

let dir = Filename.temp_file "oxbow" ".d"
let () = Sys.remove dir; mkdir dir 0o755
let path name = Filename.concat dir name

let write_file name text =
  let fd = openfile (path name) [ O_WRONLY; O_CREAT; O_TRUNC ] 0o644 in
  let n = write_substring fd text 0 (String.length text) in
  close fd;
  n

let read_file name =
  let fd = openfile (path name) [ O_RDONLY ] 0 in
  let b = Bytes.create 100 in
  let rec go acc =
    match read fd b 0 7 with 0 -> acc | n -> go (acc ^ Bytes.sub_string b 0 n)
  in
  let text = go "" in
  close fd;
  text

let kind = function
  | S_REG -> "file" | S_DIR -> "dir" | S_LNK -> "link" | S_FIFO -> "fifo" | S_SOCK -> "socket"
  | S_CHR -> "char" | S_BLK -> "block"

let () =
  let n = write_file "a" "hello, world\n" in
  Printf.printf "%d %S\n" n (read_file "a");
  let s = stat (path "a") in
  Printf.printf "%s %o %d links %d %b\n" (kind s.st_kind) s.st_perm s.st_size s.st_nlink
    (abs_float (s.st_mtime -. time ()) < 100.);
  symlink "a" (path "l");
  link (path "a") (path "h");
  mkfifo (path "f") 0o600;
  Printf.printf "%s %s %s %s %s\n" (kind (stat (path "l")).st_kind) (kind (lstat (path "l")).st_kind)
    (readlink (path "l")) (kind (stat (path "f")).st_kind) (kind (stat "/dev/null").st_kind);
  Printf.printf "links %d same %b\n" (stat (path "h")).st_nlink
    ((stat (path "h")).st_ino = (stat (path "a")).st_ino);
  chmod (path "a") 0o400;
  Printf.printf "%o\n" (stat (path "a")).st_perm;
  chmod (path "a") 0o644;
  truncate (path "a") 5;
  Printf.printf "%S %Ld\n" (read_file "a") (LargeFile.stat (path "a")).LargeFile.st_size;
  utimes (path "a") 1000.5 2000.25;
  Printf.printf "%.2f %.2f\n" (stat (path "a")).st_atime (stat (path "a")).st_mtime;
  rename (path "h") (path "b");
  check "open" (fun () -> ignore (openfile (path "none") [ O_RDONLY ] 0));
  check "excl" (fun () -> ignore (openfile (path "a") [ O_WRONLY; O_CREAT; O_EXCL ] 0o644));
  check "unlink dir" (fun () -> unlink dir);
  check "rmdir full" (fun () -> rmdir dir);
  check "mkdir again" (fun () -> mkdir dir 0o755);
  check "opendir" (fun () -> ignore (opendir (path "nodir")));
  check "readlink" (fun () -> ignore (readlink (path "a")));
  check "nul" (fun () -> unlink "a\000b");
  check "access" (fun () -> access (path "a") [ R_OK; F_OK ]);
  check "access none" (fun () -> access (path "none") [ F_OK ]);
  check "chdir" (fun () -> chdir (path "a"));
  check "stat" (fun () -> ignore (stat (path "a/b")))

(* Folders *)
let () =
  let d = opendir dir in
  let rec names acc = match readdir d with n -> names (n :: acc) | exception End_of_file -> acc in
  let all = List.sort compare (names []) in
  rewinddir d;
  Printf.printf "%s (%d again)\n" (String.concat " " all) (List.length (names []));
  closedir d;
  check "readdir closed" (fun () -> ignore (readdir d))

(* Descriptors *)
let () =
  let fd = openfile (path "x") [ O_RDWR; O_CREAT; O_TRUNC ] 0o600 in
  ignore (write_substring fd "0123456789" 0 10);
  Printf.printf "%d " (lseek fd 3 SEEK_SET);
  let b = Bytes.make 4 '.' in
  let n = read fd b 1 2 in
  Printf.printf "%d %s " n (Bytes.to_string b);
  let here = lseek fd 0 SEEK_CUR in
  Printf.printf "%d %d\n" here (lseek fd (-1) SEEK_END);
  let copy = dup fd in
  close fd;
  Printf.printf "%d\n" (lseek copy 0 SEEK_CUR);
  ftruncate copy 4;
  Printf.printf "%d\n" (fstat copy).st_size;
  let out = out_channel_of_descr copy in
  ignore (lseek copy 0 SEEK_END);
  output_string out "channel";
  flush out;
  Printf.printf "%S pos %d\n" (read_file "x") (pos_out out);
  close_out out;
  check "read closed" (fun () -> ignore (read copy b 0 1));
  check "close closed" (fun () -> close copy);
  check "lseek closed" (fun () -> ignore (lseek copy 0 SEEK_SET));
  check "channel of closed" (fun () -> ignore (in_channel_of_descr copy));
  (try ignore (read copy b 3 2) with Invalid_argument m -> print_endline m);
  (try ignore (write copy b (-1) 2) with Invalid_argument m -> print_endline m);
  let full = openfile "/dev/full" [ O_WRONLY ] 0 in
  check "full" (fun () -> ignore (write full b 0 4));
  let channel = out_channel_of_descr full in
  output_string channel "text";
  (try flush channel with Sys_error m -> print_endline m);
  close_out_noerr channel;
  let a = openfile (path "a") [ O_RDONLY; O_CLOEXEC ] 0 in
  check "write to reader" (fun () -> ignore (write a b 0 1));
  let ch = in_channel_of_descr a in
  Printf.printf "%S %b\n" (input_line ch) (descr_of_in_channel ch = a);
  close_in ch;
  check "isatty" (fun () -> if isatty Unix.stdin && false then ());
  let fd = openfile (path "x") [ O_RDWR ] 0 in
  lockf fd F_LOCK 0;
  lockf fd F_TEST 0;
  lockf fd F_ULOCK 0;
  close fd;
  print_endline (error_message (EUNKNOWNERR 9999));
  print_endline (Printexc.to_string (Unix_error (EUNKNOWNERR 7, "f", "a\"b")))

(* Mapped files *)
let () =
  let open Bigarray in
  let fd = openfile (path "m") [ O_RDWR; O_CREAT ] 0o600 in
  let a = array1_of_genarray (map_file fd int32 c_layout true [| 10 |]) in
  for i = 0 to 9 do a.{i} <- Int32.of_int (i * i) done;
  Printf.printf "%d bytes\n" (fstat fd).st_size;
  let b = array2_of_genarray (map_file fd int32 c_layout false [| -1; 2 |]) in
  Printf.printf "%dx%d %ld %ld\n" (Array2.dim1 b) (Array2.dim2 b) b.{4, 1} b.{2, 0};
  b.{0, 0} <- 77l;
  let c = array1_of_genarray (map_file fd ~pos:8L int32 c_layout true [| 3 |]) in
  Printf.printf "%ld %ld %ld\n" a.{0} c.{0} c.{2};
  c.{0} <- 5l;
  Printf.printf "%ld\n" a.{2};
  (try ignore (map_file fd float64 c_layout true [| -1; 3 |]) with Failure m -> print_endline m);
  close fd

let rec remove_tree path =
  match (lstat path).st_kind with
  | S_DIR ->
      Array.iter (fun n -> remove_tree (Filename.concat path n)) (Sys.readdir path);
      rmdir path
  | _ -> unlink path

let () =
  mkdir (path "sub") 0o700;
  ignore (write_file "sub/y" "y");
  remove_tree dir;
  Printf.printf "gone %b\n" (not (Sys.file_exists dir))
