(* Knight's tour by Warnsdorff's rule and shortest knight paths by BFS. *)

let n = 6
let jumps = [ (1, 2); (2, 1); (2, -1); (1, -2); (-1, -2); (-2, -1); (-2, 1); (-1, 2) ]

let tour r0 c0 =
  let board = Array.make_matrix n n 0 in
  let free r c = r >= 0 && r < n && c >= 0 && c < n && board.(r).(c) = 0 in
  let exits r c = List.filter (fun (r, c) -> free r c) (List.map (fun (a, b) -> (r + a, c + b)) jumps) in
  let rec go r c k =
    board.(r).(c) <- k;
    if k = n * n then true
    else begin
      let options = List.map (fun (r, c) -> (List.length (exits r c), r, c)) (exits r c) in
      let ok = List.exists (fun (_, r, c) -> go r c (k + 1)) (List.sort compare options) in
      if not ok then board.(r).(c) <- 0;
      ok
    end in
  if go r0 c0 1 then Some board else None

let distance src dst =
  let d = Hashtbl.create 64 in
  let q = Queue.create () in
  Hashtbl.add d src 0;
  Queue.add src q;
  while not (Hashtbl.mem d dst) do
    let (r, c) as s = Queue.pop q in
    List.iter (fun (a, b) ->
        let r' = r + a and c' = c + b in
        if r' >= 0 && r' < 8 && c' >= 0 && c' < 8 && not (Hashtbl.mem d (r', c')) then begin
          Hashtbl.add d (r', c') (Hashtbl.find d s + 1);
          Queue.add (r', c') q
        end) jumps
  done;
  Hashtbl.find d dst

let () =
  (match tour 0 0 with
   | Some b -> Array.iter (fun row -> Array.iter (Printf.printf "%3d") row; print_newline ()) b
   | None -> print_endline "no tour");
  Printf.printf "%d %d %d\n" (distance (0, 0) (7, 7)) (distance (0, 0) (1, 1)) (distance (3, 3) (3, 3))
