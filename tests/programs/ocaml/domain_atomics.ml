(* Atomic references: counters, lists by compare-and-set, values of two words, exchange. *)

let count = 3000

let () =
  let counter = Atomic.make 0 and total = Atomic.make 0 in
  let list = Atomic.make [] in
  let rec push x =
    let old = Atomic.get list in
    if not (Atomic.compare_and_set list old (x :: old)) then push x
  in
  let work k () =
    for i = 1 to count do
      Atomic.incr counter;
      ignore (Atomic.fetch_and_add total i);
      push (i * k)
    done
  in
  let domains = List.init 3 (fun k -> Domain.spawn (work (k + 1))) in
  List.iter Domain.join domains;
  Printf.printf "%d %d %d %d\n" (Atomic.get counter) (Atomic.get total)
    (List.length (Atomic.get list))
    (List.fold_left ( + ) 0 (Atomic.get list))

(* Both halves belong together. *)
let () =
  let pair = Atomic.make (0, "0") and faults = Atomic.make 0 in
  let write () =
    for i = 1 to count do
      Atomic.set pair (i, string_of_int i)
    done
  in
  let read () =
    for _ = 1 to count do
      let n, text = Atomic.get pair in
      if string_of_int n <> text then Atomic.incr faults
    done
  in
  let domains = List.map Domain.spawn [ write; read; write; read ] in
  List.iter Domain.join domains;
  Printf.printf "%d\n" (Atomic.get faults)

(* Each value is taken out once. *)
let () =
  let place = Atomic.make None and sum = Atomic.make 0 in
  let rec put n =
    if n > 0 then
      if Atomic.compare_and_set place None (Some n) then put (n - 1)
      else begin
        Domain.cpu_relax ();
        put n
      end
  in
  let is_done = Atomic.make false in
  let rec take () =
    match Atomic.exchange place None with
    | Some n ->
        ignore (Atomic.fetch_and_add sum n);
        take ()
    | None ->
        if not (Atomic.get is_done && Atomic.get place = None) then begin
          Domain.cpu_relax ();
          take ()
        end
  in
  let takers = List.init 2 (fun _ -> Domain.spawn take) in
  let putters = List.init 2 (fun _ -> Domain.spawn (fun () -> put 500)) in
  List.iter Domain.join putters;
  Atomic.set is_done true;
  List.iter Domain.join takers;
  Printf.printf "%d\n" (Atomic.get sum)

let () =
  let x = Atomic.make 1.5 and flag = Atomic.make false in
  Domain.join (Domain.spawn (fun () -> Atomic.set x 2.5; Atomic.set flag true));
  Printf.printf "%g %b %g\n" (Atomic.get x) (Atomic.get flag) (Atomic.exchange x 0.5)
