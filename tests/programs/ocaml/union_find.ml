(* Union-find with path compression; Kruskal's minimum spanning tree; islands in a grid. *)

type t = { parent : int array; rank : int array; mutable sets : int }

let make n = { parent = Array.init n (fun i -> i); rank = Array.make n 0; sets = n }

let rec find u x =
  if u.parent.(x) = x then x
  else begin
    let r = find u u.parent.(x) in
    u.parent.(x) <- r;
    r
  end

let union u a b =
  let a = find u a and b = find u b in
  if a = b then false
  else begin
    u.sets <- u.sets - 1;
    if u.rank.(a) < u.rank.(b) then u.parent.(a) <- b
    else begin
      u.parent.(b) <- a;
      if u.rank.(a) = u.rank.(b) then u.rank.(a) <- u.rank.(a) + 1
    end;
    true
  end

let kruskal n edges =
  let u = make n in
  let sorted = List.stable_sort (fun (_, _, w) (_, _, w') -> compare w w') edges in
  List.filter (fun (a, b, _) -> union u a b) sorted

let islands grid =
  let h = Array.length grid and w = String.length grid.(0) in
  let u = make (h * w) in
  let water = ref 0 in
  for r = 0 to h - 1 do
    for c = 0 to w - 1 do
      if grid.(r).[c] = '.' then incr water
      else begin
        if r + 1 < h && grid.(r + 1).[c] <> '.' then ignore (union u (r * w + c) ((r + 1) * w + c));
        if c + 1 < w && grid.(r).[c + 1] <> '.' then ignore (union u (r * w + c) (r * w + c + 1))
      end
    done
  done;
  u.sets - !water

let () =
  let edges = [ (0, 1, 7); (0, 3, 5); (1, 2, 8); (1, 3, 9); (1, 4, 7); (2, 4, 5);
                (3, 4, 15); (3, 5, 6); (4, 5, 8); (4, 6, 9); (5, 6, 11) ] in
  let mst = kruskal 7 edges in
  List.iter (fun (a, b, w) -> Printf.printf "%c-%c %d\n" (Char.chr (65 + a)) (Char.chr (65 + b)) w) mst;
  Printf.printf "total %d\n" (List.fold_left (fun s (_, _, w) -> s + w) 0 mst);
  Printf.printf "%d islands\n" (islands [| "##..#"; "#...#"; "..#.."; ".##.#" |]);
  let u = make 1000 in
  for i = 0 to 999 do ignore (union u i (i * i mod 1000)) done;
  Printf.printf "%d sets\n" u.sets
