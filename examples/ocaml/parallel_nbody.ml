(* Bodies that attract each other, by several domains: each computes the accelerations of its part of them, and all wait for
   each other between the two halves of a step. The result does not depend on how many there are. *)

type bodies = { x : float array; y : float array; z : float array }

let count = 400
let steps = 60
let dt = 0.001

let domains =
  if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else Domain.recommended_domain_count ()

(* Where all wait until the last one has come. *)
type barrier = { mutex : Mutex.t; opened : Condition.t; mutable waiting : int; mutable round : int }

let make_barrier () = { mutex = Mutex.create (); opened = Condition.create (); waiting = 0; round = 0 }

let wait barrier parties =
  Mutex.lock barrier.mutex;
  barrier.waiting <- barrier.waiting + 1;
  let round = barrier.round in
  if barrier.waiting = parties then begin
    barrier.waiting <- 0;
    barrier.round <- round + 1;
    Condition.broadcast barrier.opened
  end
  else
    while barrier.round = round do
      Condition.wait barrier.opened barrier.mutex
    done;
  Mutex.unlock barrier.mutex

let start () =
  let place k i = sin (float_of_int ((i * k) + 1)) in
  {
    x = Array.init count (place 3);
    y = Array.init count (place 5);
    z = Array.init count (place 7);
  }

let accelerate p a i =
  let ax = ref 0.0 and ay = ref 0.0 and az = ref 0.0 in
  for j = 0 to count - 1 do
    let dx = p.x.(j) -. p.x.(i) and dy = p.y.(j) -. p.y.(i) and dz = p.z.(j) -. p.z.(i) in
    let d = (dx *. dx) +. (dy *. dy) +. (dz *. dz) +. 0.01 in
    let f = 1.0 /. (d *. sqrt d *. float_of_int count) in
    ax := !ax +. (f *. dx);
    ay := !ay +. (f *. dy);
    az := !az +. (f *. dz)
  done;
  a.x.(i) <- !ax;
  a.y.(i) <- !ay;
  a.z.(i) <- !az

let advance p v a i =
  v.x.(i) <- v.x.(i) +. (dt *. a.x.(i));
  v.y.(i) <- v.y.(i) +. (dt *. a.y.(i));
  v.z.(i) <- v.z.(i) +. (dt *. a.z.(i));
  p.x.(i) <- p.x.(i) +. (dt *. v.x.(i));
  p.y.(i) <- p.y.(i) +. (dt *. v.y.(i));
  p.z.(i) <- p.z.(i) +. (dt *. v.z.(i))

let zeros () = { x = Array.make count 0.0; y = Array.make count 0.0; z = Array.make count 0.0 }

let () =
  let p = start () and v = zeros () and a = zeros () in
  let barrier = make_barrier () in
  let work k () =
    let first = k * count / domains and last = ((k + 1) * count / domains) - 1 in
    for _ = 1 to steps do
      for i = first to last do
        accelerate p a i
      done;
      wait barrier domains;
      for i = first to last do
        advance p v a i
      done;
      wait barrier domains
    done
  in
  let others = List.init (domains - 1) (fun k -> Domain.spawn (work (k + 1))) in
  work 0 ();
  List.iter Domain.join others;
  let energy = ref 0.0 in
  for i = 0 to count - 1 do
    energy := !energy +. (v.x.(i) *. v.x.(i)) +. (v.y.(i) *. v.y.(i)) +. (v.z.(i) *. v.z.(i))
  done;
  Printf.printf "%.12f\n" (0.5 *. !energy);
  Printf.printf "%.12f %.12f %.12f\n" p.x.(0) p.y.(0) p.z.(0)
