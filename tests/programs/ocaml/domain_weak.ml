(* Weak arrays, weak sets and ephemerons that several domains use. *)
type r = { mutable x : int; y : string }
let use n =
  let w = Weak.create 100 in
  let keep = Array.init 100 (fun i -> { x = i + n; y = string_of_int i }) in
  for i = 0 to 99 do Weak.set w i (Some keep.(i)) done;
  let found = ref 0 in
  for i = 0 to 99 do match Weak.get w i with Some r -> found := !found + r.x - i - n + 1 | None -> () done;
  ignore (Sys.opaque_identity keep);
  !found
module W = Weak.Make (struct type t = r let equal a b = a.y = b.y let hash a = Hashtbl.hash a.y end)
let wset n =
  let s = W.create 10 in
  let l = List.init 200 (fun i -> { x = i; y = string_of_int (i mod 50) }) in
  List.iter (fun r -> ignore (W.merge s r)) l;
  let c = W.count s in
  ignore (Sys.opaque_identity l); c
let () =
  Printf.printf "%d %d\n" (use 0) (wset 0);
  let ds = List.init 2 (fun i -> Domain.spawn (fun () -> let t = ref 0 in for j = 1 to 200 do t := !t + use (i + j) + wset j done; !t)) in
  List.iter (fun d -> Printf.printf "%d\n" (Domain.join d)) ds;
  let k = { x = 1; y = "key" } in
  let e = Ephemeron.K1.make k "data" in
  Printf.printf "%s\n" (match Ephemeron.K1.query e k with Some d -> d | None -> "none");
  let d = Domain.spawn (fun () -> match Ephemeron.K1.query e k with Some d -> d | None -> "none") in
  print_endline (Domain.join d);
  ignore (Sys.opaque_identity k)
(* One array for all *)
let () =
  let w = Weak.create 10 in
  let spin i () =
    let wrong = ref 0 in
    for j = 1 to 20_000 do
      let at = (i + j) mod 10 in
      if j land 3 = 0 then Weak.set w at (Some { x = at; y = string_of_int at })
      else
        match Weak.get w at with
        | Some r -> if r.x <> at || r.y <> string_of_int at then incr wrong
        | None -> ()
    done;
    !wrong
  in
  let ds = List.init 3 (fun i -> Domain.spawn (spin i)) in
  Printf.printf "wrong: %d\n" (List.fold_left (fun n d -> n + Domain.join d) 0 ds)
