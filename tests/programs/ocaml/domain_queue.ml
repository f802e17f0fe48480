(* The queue of Michael and Scott: producers and consumers without a lock. *)

type 'a node = { value : 'a option; next : 'a node option Atomic.t }
type 'a queue = { head : 'a node Atomic.t; tail : 'a node Atomic.t }

let create () =
  let first = { value = None; next = Atomic.make None } in
  { head = Atomic.make first; tail = Atomic.make first }

let push queue value =
  let node = { value = Some value; next = Atomic.make None } in
  let rec loop () =
    let last = Atomic.get queue.tail in
    match Atomic.get last.next with
    | Some next ->
        ignore (Atomic.compare_and_set queue.tail last next);
        loop ()
    | None as seen ->
        if Atomic.compare_and_set last.next seen (Some node) then
          ignore (Atomic.compare_and_set queue.tail last node)
        else loop ()
  in
  loop ()

let rec pop queue =
  let first = Atomic.get queue.head in
  match Atomic.get first.next with
  | None -> None
  | Some next -> if Atomic.compare_and_set queue.head first next then next.value else pop queue

let () =
  let queue = create () and left = Atomic.make 3 in
  let produce k () =
    for i = 1 to 2000 do
      push queue (k, i)
    done;
    Atomic.decr left
  in
  let consume () =
    let last = Array.make 3 0 and sum = ref 0 and in_order = ref true in
    let rec loop () =
      let ended = Atomic.get left = 0 in
      match pop queue with
      | Some (k, i) ->
          if last.(k) >= i then in_order := false;
          last.(k) <- i;
          sum := !sum + (i * (k + 1));
          loop ()
      | None ->
          if not ended then begin
            Domain.cpu_relax ();
            loop ()
          end
    in
    loop ();
    (!sum, !in_order)
  in
  let producers = List.init 3 (fun k -> Domain.spawn (produce k)) in
  let consumers = List.init 2 (fun _ -> Domain.spawn consume) in
  List.iter Domain.join producers;
  let results = List.map Domain.join consumers in
  Printf.printf "%d %b %b\n"
    (List.fold_left (fun sum (n, _) -> sum + n) 0 results)
    (List.for_all snd results)
    (pop queue = None)
