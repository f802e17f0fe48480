(* Array-backed binary heap with growth, heapsort, and k smallest. *)

type 'a heap = {
  mutable data : 'a array;
  mutable size : int;
  cmp : 'a -> 'a -> int;
}

exception Empty

let create cmp = { data = [||]; size = 0; cmp }

let swap a i j =
  let t = a.(i) in
  a.(i) <- a.(j);
  a.(j) <- t

let push h x =
  if h.size = Array.length h.data then begin
    let bigger = Array.make (max 4 (2 * h.size)) x in
    Array.blit h.data 0 bigger 0 h.size;
    h.data <- bigger
  end;
  h.data.(h.size) <- x;
  h.size <- h.size + 1;
  let i = ref (h.size - 1) in
  while !i > 0 && h.cmp h.data.(!i) h.data.((!i - 1) / 2) < 0 do
    swap h.data !i ((!i - 1) / 2);
    i := (!i - 1) / 2
  done

let rec sift_down h i =
  let l = (2 * i) + 1 and r = (2 * i) + 2 in
  let smallest = if l < h.size && h.cmp h.data.(l) h.data.(i) < 0 then l else i in
  let smallest = if r < h.size && h.cmp h.data.(r) h.data.(smallest) < 0 then r else smallest in
  if smallest <> i then begin
    swap h.data i smallest;
    sift_down h smallest
  end

let pop h =
  if h.size = 0 then raise Empty;
  let top = h.data.(0) in
  h.size <- h.size - 1;
  h.data.(0) <- h.data.(h.size);
  sift_down h 0;
  top

let sort cmp l =
  let h = create cmp in
  List.iter (push h) l;
  List.init h.size (fun _ -> pop h)

let () =
  let show f l = print_endline (String.concat " " (List.map f l)) in
  show string_of_int (sort compare [ 5; 3; 8; 1; 9; 2; 7; 3 ]);
  show string_of_int (sort (fun a b -> compare b a) [ 5; 3; 8; 1; 9; 2; 7; 3 ]);
  show Fun.id (sort (fun a b -> compare (String.length a, a) (String.length b, b))
                 [ "pear"; "fig"; "banana"; "kiwi"; "apple" ]);
  show (Printf.sprintf "%.1f") (sort compare [ 2.5; -1.0; 3.25; 0.0 ]);
  let h = create compare in
  (try ignore (pop h) with Empty -> print_endline "empty");
  let x = ref 1 in
  for _ = 1 to 2000 do x := !x * 48271 mod 2147483647; push h (!x mod 10000) done;
  let firsts = List.init 10 (fun _ -> pop h) in
  show string_of_int firsts;
  let ok = ref true and last = ref (-1) in
  while h.size > 0 do
    let v = pop h in
    if v < !last then ok := false;
    last := v
  done;
  Printf.printf "ordered %b, largest %d\n" !ok !last
