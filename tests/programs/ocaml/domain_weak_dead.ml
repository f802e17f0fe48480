(* Weak references and finalisers of programs with domains: what nobody has any more is seen to be dead after
   [Gc.full_major]. *)
type r = { mutable x : int; y : string }

let finalised = Atomic.make 0

(* Objects that only weak references and finalisers know after the call. *)
let[@inline never] fill w n =
  for i = 0 to Weak.length w - 1 do
    Gc.finalise (fun (_ : r) -> Atomic.incr finalised) { x = n + i; y = string_of_int i };
    Weak.set w i (Some { x = n - i; y = string_of_int i })
  done

let alive w =
  let n = ref 0 in
  for i = 0 to Weak.length w - 1 do if Weak.check w i then incr n done;
  !n

(* A variable that domains change: what it held before is dead. *)
let shared : r list ref = ref []

let[@inline never] replace w i =
  let r = { x = i; y = "replaced" } in
  Weak.set w i (Some r);
  shared := [ r ]

let () =
  let ds =
    List.init 3 (fun k ->
        Domain.spawn (fun () ->
            let w = Weak.create 20 in
            fill w k;
            Gc.full_major ();
            alive w))
  in
  List.iter (fun d -> Printf.printf "alive: %d\n" (Domain.join d)) ds;
  Gc.full_major ();
  Printf.printf "finalised: %d\n" (Atomic.get finalised);
  (* One domain replaces, and is still there when another one looks. *)
  let w = Weak.create 10 in
  let replaced = Semaphore.Binary.make false and seen = Semaphore.Binary.make false in
  let d =
    Domain.spawn (fun () ->
        for i = 0 to 9 do replace w i done;
        Semaphore.Binary.release replaced;
        Semaphore.Binary.acquire seen)
  in
  Semaphore.Binary.acquire replaced;
  Gc.full_major ();
  Printf.printf "of those replaced: %d\n" (alive w);
  Semaphore.Binary.release seen;
  Domain.join d;
  (* And while others compute, and pass points of rest. *)
  let stop = Atomic.make false in
  let busy =
    List.init 2 (fun i ->
        Domain.spawn (fun () ->
            let n = ref 0 in
            while not (Atomic.get stop) do
              n := (!n + i) land 1023
            done;
            !n >= 0))
  in
  let w = Weak.create 5 in
  let before = Atomic.get finalised in
  fill w 7;
  Gc.compact ();
  Printf.printf "while others run: %d alive, %d finalised\n" (alive w) (Atomic.get finalised - before);
  Atomic.set stop true;
  List.iter (fun d -> Printf.printf "%b\n" (Domain.join d)) busy;
  (* An ephemeron's data goes with its key. *)
  let data = Weak.create 1 in
  let e =
    let key = { x = 1; y = "key" } and value = { x = 2; y = "data" } in
    Weak.set data 0 (Some value);
    Ephemeron.K1.make (Sys.opaque_identity key) value
  in
  Gc.full_major ();
  Printf.printf "data: %d\n" (alive data);
  ignore (Sys.opaque_identity e);
  (* Finalisers that attach themselves anew do not keep a collection going. *)
  let rounds = ref 0 in
  let rec again r = incr rounds; Gc.finalise again r in
  Gc.finalise again { x = 0; y = "again" };
  Gc.full_major ();
  Printf.printf "again: %b\n" (!rounds >= 1);
  shared := []
