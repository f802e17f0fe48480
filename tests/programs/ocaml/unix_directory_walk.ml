(* A tree of directories is made, walked in several ways, and removed. *)
open Unix

let root = Filename.concat (Filename.get_temp_dir_name ()) (Printf.sprintf "oxbow-walk-%d" (getpid ()))
let path parts = List.fold_left Filename.concat root parts

let entries folder =
  let handle = opendir folder in
  let rec all found = match readdir handle with name -> all (name :: found) | exception End_of_file -> found in
  let names = all [] in
  closedir handle;
  List.sort compare (List.filter (fun name -> name <> Filename.current_dir_name && name <> Filename.parent_dir_name) names)

(* Folders before what they hold; links are not followed. *)
let rec walk f folder =
  List.iter
    (fun name ->
      let path = Filename.concat folder name in
      let info = lstat path in
      f path info;
      if info.st_kind = S_DIR then walk f path)
    (entries folder)

let rec remove path =
  match (lstat path).st_kind with
  | S_DIR ->
      Array.iter (fun name -> remove (Filename.concat path name)) (Sys.readdir path);
      rmdir path
  | S_REG | S_CHR | S_BLK | S_LNK | S_FIFO | S_SOCK -> unlink path

let write path text = Out_channel.with_open_bin path (fun output -> output_string output text)
let relative path = String.sub path (String.length root + 1) (String.length path - String.length root - 1)

let kind = function
  | S_REG -> "file" | S_DIR -> "folder" | S_LNK -> "link" | S_FIFO -> "pipe"
  | S_CHR | S_BLK | S_SOCK -> "other"

let check name f =
  match f () with
  | () -> Printf.printf "%s: no failure\n" name
  | exception Unix_error (error, call, path) ->
      let path = if String.length path > String.length root then relative path else path in
      Printf.printf "%s: %s by %s of %s\n" name (error_message error) call path
  | exception Sys_error reason ->
      let length = String.length root in
      let reason = if String.length reason > length && String.sub reason 0 length = root then relative reason else reason in
      Printf.printf "%s: %s\n" name reason

let () =
  ignore (umask 0o022);
  mkdir root 0o755;
  Fun.protect
    ~finally:(fun () -> if Sys.file_exists root then remove root)
    (fun () ->
      List.iter (fun parts -> mkdir (path parts) 0o755) [ [ "src" ]; [ "src"; "deep" ]; [ "src"; "deep"; "er" ]; [ "empty" ] ];
      List.iter
        (fun (parts, size) -> write (path parts) (String.make size 'x'))
        [ ([ "read.me" ], 10); ([ "src"; "a.ml" ], 200); ([ "src"; "b.ml" ], 0); ([ "src"; "deep"; "c.ml" ], 70_000); ([ "src"; "deep"; "er"; "name with blanks" ], 1) ];
      symlink "src" (path [ "alias" ]);
      symlink "nowhere" (path [ "dangling" ]);
      mkfifo (path [ "fifo" ]) 0o600;
      link (path [ "read.me" ]) (path [ "second" ]);
      chmod (path [ "src"; "a.ml" ]) 0o440;
      utimes (path [ "src"; "b.ml" ]) 1e9 2e9;
      let total = ref 0 and count = ref 0 in
      walk
        (fun path info ->
          incr count;
          if info.st_kind = S_REG then total := !total + info.st_size;
          let target = if info.st_kind = S_LNK then " -> " ^ readlink path else "" in
          Printf.printf "%-30s %-6s %o%s\n" (relative path) (kind info.st_kind)
            (if info.st_kind = S_LNK then 0 else info.st_perm) target)
        root;
      Printf.printf "%d entries, %d bytes\n" !count !total;
      Printf.printf "links %d, times %.0f\n" (stat (path [ "second" ])).st_nlink (stat (path [ "src"; "b.ml" ])).st_mtime;
      Printf.printf "through a link: %s\n" (String.concat " " (entries (path [ "alias" ])));
      Printf.printf "there: %b %b %b\n" (Sys.file_exists (path [ "alias" ])) (Sys.file_exists (path [ "dangling" ])) (Sys.is_directory (path [ "alias" ]));
      check "not empty" (fun () -> rmdir (path [ "src" ]));
      check "no folder" (fun () -> ignore (opendir (path [ "read.me" ])));
      check "gone" (fun () -> ignore (stat (path [ "dangling" ])));
      check "is there" (fun () -> mkdir (path [ "empty" ]) 0o755);
      check "a folder" (fun () -> unlink (path [ "empty"; "none" ]));
      check "into itself" (fun () -> rename (path [ "src" ]) (path [ "src"; "deep"; "src" ]));
      check "no link" (fun () -> ignore (readlink (path [ "read.me" ])));
      check "channel" (fun () -> ignore (open_in (path [ "none" ])));
      check "channel" (fun () -> ignore (open_out (path [ "empty" ])));
      check "readdir" (fun () -> ignore (Sys.readdir (path [ "none" ])));
      rename (path [ "src"; "deep" ]) (path [ "moved" ]);
      let here = getcwd () in
      chdir root;
      Printf.printf "moved: %s\n" (String.concat " " (entries "moved"));
      Printf.printf "same: %b\n" (Filename.basename (getcwd ()) = Filename.basename root);
      (match openfile "second" [ O_RDWR; O_APPEND ] 0 with
      | file ->
          ignore (write_substring file "more" 0 4);
          Printf.printf "at %d\n" (lseek file 0 SEEK_CUR);
          ftruncate file 3;
          close file);
      Printf.printf "both: %d\n" (stat "read.me").st_size;
      chdir here);
  Printf.printf "removed: %b\n" (not (Sys.file_exists root))
