(* Grid puzzles: spirals, rotation, magic squares, flood fill, diagonals. *)

let spiral n =
  let a = Array.make_matrix n n 0 in
  let rec go k r c dr dc =
    if k <= n * n then begin
      a.(r).(c) <- k;
      let r' = r + dr and c' = c + dc in
      if r' < 0 || r' >= n || c' < 0 || c' >= n || a.(r').(c') <> 0 then
        go (k + 1) (r + dc) (c - dr) dc (-dr)
      else go (k + 1) r' c' dr dc
    end in
  if n > 0 then (try go 1 0 0 0 1 with Invalid_argument _ -> ());
  a

let rotate a = let n = Array.length a in Array.init n (fun i -> Array.init n (fun j -> a.(n - 1 - j).(i)))

let magic n =
  let a = Array.make_matrix n n 0 in
  let r = ref 0 and c = ref (n / 2) in
  for k = 1 to n * n do
    a.(!r).(!c) <- k;
    let r' = (!r + n - 1) mod n and c' = (!c + 1) mod n in
    if a.(r').(c') <> 0 then r := (!r + 1) mod n else begin r := r'; c := c' end
  done;
  a

let print a = Array.iter (fun row -> Array.iter (Printf.printf "%3d") row; print_newline ()) a

let flood grid r c ch =
  let old = Bytes.get grid.(r) c in
  let rec go r c =
    if r >= 0 && r < Array.length grid && c >= 0 && c < Bytes.length grid.(r) && Bytes.get grid.(r) c = old then begin
      Bytes.set grid.(r) c ch;
      go (r + 1) c; go (r - 1) c; go r (c + 1); go r (c - 1)
    end in
  if old <> ch then go r c

let () =
  print (spiral 5);
  print (rotate (spiral 3));
  let m = magic 5 in
  print m;
  let row i = Array.fold_left ( + ) 0 m.(i) in
  let diag = ref 0 in
  Array.iteri (fun i r -> diag := !diag + r.(i)) m;
  Printf.printf "%d %d %d\n" (row 0) (row 4) !diag;
  let g = Array.map Bytes.of_string [| "..#.."; "..#.."; "###.."; "....." |] in
  flood g 0 0 'o';
  flood g 3 4 '*';
  flood g 0 2 '#';
  Array.iter (fun b -> print_endline (Bytes.to_string b)) g
