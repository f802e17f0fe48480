(* Weak arrays, sets and finalisers *)
let show name ok = Printf.printf "%s: %b\n%!" name ok

let () =
  let w : int ref Weak.t = Weak.create 3 in
  show "empty" (Weak.length w = 3 && not (Weak.check w 0) && Weak.get w 1 = None);
  let keep = ref 1 in
  Weak.set w 0 (Some keep);
  Weak.set w 1 (Some (ref (Sys.opaque_identity 2)));
  Weak.set w 2 (Some keep);
  Gc.full_major ();
  show "kept" (Weak.check w 0 && Weak.get w 0 == Weak.get w 0 || (match Weak.get w 0 with Some r -> r == keep | None -> false));
  show "dead" (not (Weak.check w 1) && Weak.get w 1 = None);
  incr keep;
  show "same" (match Weak.get w 2 with Some r -> !r = 2 | None -> false);
  Weak.set w 0 None;
  show "unset" (not (Weak.check w 0));
  Weak.fill w 0 3 (Some keep);
  show "filled" (Weak.check w 0 && Weak.check w 1 && Weak.check w 2);
  let v = Weak.create 2 in
  Weak.blit w 1 v 0 2;
  show "blit" (Weak.check v 1);
  incr keep;
  List.iter (fun f -> try f () with Invalid_argument m -> print_endline m)
    [ (fun () -> ignore (Weak.get w 3)); (fun () -> Weak.set w (-1) None); (fun () -> ignore (Weak.create (-1)));
      (fun () -> Weak.fill w 2 2 None); (fun () -> Weak.blit w 0 v 0 3); (fun () -> ignore (Weak.check w 9)) ]

(* Two weak arrays do not keep each other's values. *)
let () =
  let a = Weak.create 1 and b = Weak.create 1 in
  let set () =
    let r = ref (Sys.opaque_identity "text") in
    Weak.set a 0 (Some r);
    Weak.set b 0 (Some r);
    show "both" (Weak.check a 0 && Weak.check b 0);
    ignore (Sys.opaque_identity r)
  in
  set ();
  Gc.full_major ();
  show "neither" (not (Weak.check a 0) && not (Weak.check b 0))

type node = { name : string; mutable other : node option }

module H = Weak.Make (struct
  type t = node
  let equal a b = a.name = b.name
  let hash n = Hashtbl.hash n.name
end)

let () =
  let table = H.create 10 in
  let node name = { name; other = None } in
  let a = node "a" in
  show "merge" (H.merge table a == a && H.merge table (node "a") == a);
  let kept = List.init 50 (fun i -> H.merge table (node (string_of_int i))) in
  for i = 100 to 300 do ignore (H.merge table (node (string_of_int i))) done;
  Gc.full_major ();
  show "count" (H.count table = 51);
  show "find" (H.find table (node "7") == List.nth kept 7 && H.find_opt table (node "200") = None && H.mem table (node "a"));
  H.remove table a;
  show "removed" (not (H.mem table a));
  H.add table a;
  H.add table { a with other = None };
  show "found" (List.length (H.find_all table (node "a")) >= 1);
  let names = H.fold (fun n acc -> n.name :: acc) table [] in
  show "fold" (List.mem "49" names && not (List.mem "150" names));
  H.clear table;
  show "cleared" (H.count table = 0 && List.length kept = 50);
  ignore (Sys.opaque_identity a)

(* Finalisers *)
let () =
  let log = ref [] in
  let make name =
    let r = ref (Sys.opaque_identity 5) in
    Gc.finalise (fun r -> log := (name ^ string_of_int !r) :: !log) r;
    r
  in
  let a = make "a" in
  ignore (make "b");
  Gc.full_major ();
  show "finalised" (!log = [ "b5" ]);
  a := 6;
  let use r = incr r in
  use a;
  Gc.full_major ();
  show "after its last use" (List.mem "a7" !log);
  let cycle () =
    let n = { name = Sys.opaque_identity "cycle"; other = None } in
    n.other <- Some n;
    Gc.finalise_last (fun () -> log := "last" :: !log) n
  in
  cycle ();
  let plain () = Gc.finalise_last (fun () -> log := "plain" :: !log) (ref (Sys.opaque_identity 0)) in
  plain ();
  Gc.full_major ();
  show "last" (List.mem "plain" !log)

(* Ephemerons *)
module E = Ephemeron.K1.Make (struct
  type t = node
  let equal a b = a.name = b.name
  let hash n = Hashtbl.hash n.name
end)

let () =
  let node name = { name = Sys.opaque_identity name; other = None } in
  let key = node "key" in
  let e = Ephemeron.K1.make key "data" in
  show "query" (Ephemeron.K1.query e key = Some "data" && Ephemeron.K1.query e (node "key") = None);
  let make () = Ephemeron.K1.make (node "gone") (ref 1) in
  let gone = make () in
  Gc.full_major ();
  show "gone" (Ephemeron.K1.query gone key = None);
  let k2 = node "k2" in
  let e2 = Ephemeron.K2.make key k2 5 in
  show "two keys" (Ephemeron.K2.query e2 key k2 = Some 5 && Ephemeron.K2.query e2 k2 key = None);
  let en = Ephemeron.Kn.make [| key; k2 |] 'x' in
  show "many keys" (Ephemeron.Kn.query en [| key; k2 |] = Some 'x' && Ephemeron.Kn.query en [| key |] = None);
  let table = E.create 4 in
  let kept = List.init 30 (fun i -> node (string_of_int i)) in
  List.iteri (fun i n -> E.add table n (i * i)) kept;
  for i = 100 to 150 do E.add table (node (string_of_int i)) i done;
  Gc.full_major ();
  show "table" (E.find table (node "7") = 49 && E.find_opt table (node "120") = None && E.mem table (node "29"));
  E.clean table;
  show "length" (E.length table = 30 && (E.stats_alive table).Hashtbl.num_bindings = 30);
  E.replace table (List.hd kept) (-1);
  show "replaced" (E.find_all table (node "0") = [ -1 ]);
  E.remove table (List.hd kept);
  show "removed" (try ignore (E.find table (node "0")); false with Not_found -> true);
  let b = Ephemeron.K1.Bucket.make () in
  Ephemeron.K1.Bucket.add b key 1;
  Ephemeron.K1.Bucket.add b k2 2;
  show "bucket" (Ephemeron.K1.Bucket.find b k2 = Some 2 && Ephemeron.K1.Bucket.length b = 2);
  Ephemeron.K1.Bucket.remove b key;
  show "bucket" (Ephemeron.K1.Bucket.find b key = None);
  ignore (Sys.opaque_identity (kept, key, k2))
