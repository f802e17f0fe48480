(* Weak.get_copy copies plain blocks and shares custom ones. *)
let same name w = match Weak.get_copy w 0, Weak.get w 0 with
  | Some a, Some b -> Printf.printf "%s: %b\n" name (a == b) | _ -> print_endline (name ^ ": none")
let of_ v = let w = Weak.create 1 in Weak.set w 0 (Some v); w
let () =
  let m = Mutex.create () in let w = of_ m in
  (match Weak.get_copy w 0 with Some c -> Mutex.lock c; Printf.printf "try: %b\n" (Mutex.try_lock m) | None -> ());
  same "mutex" w;
  let c = Condition.create () in same "condition" (of_ c);
  let o = stdout in same "stdout" (of_ o);
  let i = open_in "/dev/null" in same "in" (of_ i);
  let s = Semaphore.Counting.make 2 in same "semaphore" (of_ s);
  let sb = Semaphore.Binary.make true in same "binary" (of_ sb);
  let b = Bigarray.Array1.create Bigarray.int Bigarray.c_layout 5 in
  let wb = of_ b in
  (match Weak.get_copy wb 0 with Some c -> b.{0} <- 7; c.{1} <- 8; Printf.printf "big: %d %d\n" c.{0} b.{1} | None -> ());
  same "bigarray" wb;
  let r = ref 5 in same "ref" (of_ r);
  let st = Bytes.of_string "abc" in same "bytes" (of_ st);
  let a = [|1;2|] in same "array" (of_ a);
  let at = Atomic.make 3 in same "atomic" (of_ at);
  let l = lazy (print_endline "forced"; 3) in
  same "lazy" (of_ l);
  let h = Hashtbl.create 3 in Hashtbl.add h 1 2; same "hashtbl" (of_ h);
  let bu = Buffer.create 3 in same "buffer" (of_ bu);
  ignore (Sys.opaque_identity (m, c, o, i, s, sb, b, r, st, a, at, l, h, bu))
