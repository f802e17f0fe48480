(* Every iteration has its own variable; a reference outside the loop is one for all. *)

let show name fs = Printf.printf "%s: %s\n" name (String.concat " " (List.rev_map (fun f -> string_of_int (f ())) fs))

let for_up () =
  let fs = ref [] in
  for i = 1 to 5 do
    fs := (fun () -> i * i) :: !fs
  done;
  !fs

let for_down () =
  let fs = ref [] in
  for i = 5 downto 1 do
    let j = i * 10 in
    fs := (fun () -> i + j) :: !fs
  done;
  !fs

let while_shared () =
  let fs = ref [] and i = ref 0 in
  while !i < 4 do
    let now = !i in
    fs := (fun () -> (!i * 100) + now) :: !fs;
    incr i
  done;
  !fs

let own_cells () =
  let fs = ref [] in
  for i = 1 to 3 do
    let cell = ref i in
    fs := (fun () -> cell := !cell * 2; !cell) :: (fun () -> incr cell; !cell) :: !fs
  done;
  !fs

let nested () =
  let fs = ref [] in
  for i = 1 to 3 do
    for j = i to 3 do
      let k = ref (i * j) in
      fs := (fun () -> incr k; (i * 100) + (j * 10) + !k) :: !fs
    done
  done;
  !fs

let shadowed () =
  let fs = ref [] in
  let i = 7 in
  for i = i to i + 2 do
    let i = i * 2 in
    fs := (fun () -> i) :: !fs
  done;
  fs := (fun () -> i) :: !fs;
  !fs

let bound_changes () =
  let fs = ref [] and n = ref 3 in
  for i = 0 to !n do
    n := 100;
    fs := (fun () -> i + !n) :: !fs
  done;
  n := 0;
  !fs

let recursive () =
  let rec go i fs = if i = 4 then fs else go (i + 1) ((fun () -> i) :: fs) in
  go 0 []

let () =
  show "up" (for_up ());
  show "down" (for_down ());
  show "while" (while_shared ());
  let cells = own_cells () in
  show "cells" cells;
  show "cells" cells;
  let n = nested () in
  show "nested" n;
  show "nested" n;
  show "shadowed" (shadowed ());
  show "bound" (bound_changes ());
  show "recursive" (recursive ())
