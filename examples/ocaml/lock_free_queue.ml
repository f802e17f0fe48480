(* A queue for any number of producers and consumers that never waits for a lock (Michael and Scott): a list with an
   empty first cell, whose ends are atomic. A cell that is added comes behind the last one, wherever that is by then. *)

module Queue = struct
  type 'a cell = { mutable value : 'a option; next : 'a cell option Atomic.t }
  type 'a t = { first : 'a cell Atomic.t; last : 'a cell Atomic.t }

  let create () =
    let empty = { value = None; next = Atomic.make None } in
    { first = Atomic.make empty; last = Atomic.make empty }

  let rec add queue value =
    let cell = { value = Some value; next = Atomic.make None } in
    put queue cell

  and put queue cell =
    let last = Atomic.get queue.last in
    match Atomic.get last.next with
    | Some behind ->
        (* Somebody has added one, and not yet said so. *)
        ignore (Atomic.compare_and_set queue.last last behind);
        put queue cell
    | None as nothing ->
        if Atomic.compare_and_set last.next nothing (Some cell) then
          ignore (Atomic.compare_and_set queue.last last cell)
        else put queue cell

  let rec take queue =
    let first = Atomic.get queue.first in
    match Atomic.get first.next with
    | None -> None
    | Some cell ->
        if Atomic.compare_and_set queue.first first cell then begin
          let value = cell.value in
          cell.value <- None;
          value
        end
        else take queue
end

let producers = 3
let consumers = 3
let each = 20_000

let () =
  let queue = Queue.create () in
  let left = Atomic.make (producers * each) in
  let produce number () =
    for i = 0 to each - 1 do
      Queue.add queue (number, i)
    done
  in
  (* What one consumer gets of one producer comes in order. *)
  let consume () =
    let latest = Array.make producers (-1) and count = ref 0 and sum = ref 0 and in_order = ref true in
    while Atomic.get left > 0 do
      match Queue.take queue with
      | Some (number, i) ->
          Atomic.decr left;
          if i <= latest.(number) then in_order := false;
          latest.(number) <- i;
          incr count;
          sum := !sum + i
      | None -> Domain.cpu_relax ()
    done;
    (!count, !sum, !in_order)
  in
  let consuming = List.init consumers (fun _ -> Domain.spawn consume) in
  let producing = List.init producers (fun number -> Domain.spawn (produce number)) in
  List.iter Domain.join producing;
  let results = List.map Domain.join consuming in
  let count, sum, in_order =
    List.fold_left (fun (a, b, c) (x, y, z) -> (a + x, b + y, c && z)) (0, 0, true) results
  in
  Printf.printf "%d taken, their sum %d, in order: %b\n" count sum in_order;
  Printf.printf "all: %b\n" (count = producers * each && sum = producers * (each * (each - 1) / 2));
  Printf.printf "left over: %b\n" (Queue.take queue <> None)
