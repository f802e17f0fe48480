(* A pool of domains, each with tasks of its own. Who has none left takes the oldest of another, which tends to be the
   largest. The tasks of a domain lie in a ring, whose ends are counters that only grow: the owner works at the bottom,
   thieves take from the top (Chase and Lev). *)

module Deque = struct
  type 'a t = { top : int Atomic.t; bottom : int Atomic.t; ring : 'a option Atomic.t array; mask : int }

  let create bits =
    let size = 1 lsl bits in
    { top = Atomic.make 0; bottom = Atomic.make 0; ring = Array.init size (fun _ -> Atomic.make None); mask = size - 1 }

  let cell deque at = deque.ring.(at land deque.mask)

  (* For the owner: is there room? *)
  let push deque item =
    let bottom = Atomic.get deque.bottom in
    bottom - Atomic.get deque.top <= deque.mask
    && begin
         Atomic.set (cell deque bottom) (Some item);
         Atomic.set deque.bottom (bottom + 1);
         true
       end

  (* For the owner: the newest. *)
  let pop deque =
    let bottom = Atomic.get deque.bottom - 1 in
    Atomic.set deque.bottom bottom;
    let top = Atomic.get deque.top in
    if bottom < top then begin
      Atomic.set deque.bottom top;
      None
    end
    else if bottom > top then Atomic.exchange (cell deque bottom) None
    else begin
      (* The last one: thieves may want it, too. *)
      let item = Atomic.get (cell deque bottom) in
      let is_mine = Atomic.compare_and_set deque.top top (top + 1) in
      Atomic.set deque.bottom (top + 1);
      if is_mine then item else None
    end

  (* For the others: the oldest. *)
  let steal deque =
    let top = Atomic.get deque.top in
    if top >= Atomic.get deque.bottom then None
    else begin
      let item = Atomic.get (cell deque top) in
      if Atomic.compare_and_set deque.top top (top + 1) then item else None
    end
end

type task = pool -> int -> unit
and pool = { deques : task Deque.t array; unfinished : int Atomic.t }

let submit pool me task =
  Atomic.incr pool.unfinished;
  if not (Deque.push pool.deques.(me) task) then begin
    task pool me;
    Atomic.decr pool.unfinished
  end

let rec find pool me tries =
  match Deque.pop pool.deques.(me) with
  | Some task -> Some task
  | None ->
      let count = Array.length pool.deques in
      let rec from i = if i = count then None else
          match Deque.steal pool.deques.((me + i) mod count) with Some task -> Some task | None -> from (i + 1)
      in
      (match from 1 with
      | Some task -> Some task
      | None when tries > 0 ->
          Domain.cpu_relax ();
          find pool me (tries - 1)
      | None -> None)

let rec work pool me =
  match find pool me 100 with
  | Some task ->
      task pool me;
      Atomic.decr pool.unfinished;
      work pool me
  | None -> if Atomic.get pool.unfinished > 0 then work pool me

let run domains first =
  let pool = { deques = Array.init domains (fun _ -> Deque.create 10); unfinished = Atomic.make 0 } in
  submit pool 0 first;
  let others = List.init (domains - 1) (fun i -> Domain.spawn (fun () -> work pool (i + 1))) in
  work pool 0;
  List.iter Domain.join others

(* Ways to place queens: a task for each way to place the first few. *)
let queens n =
  let total = Atomic.make 0 in
  let all = (1 lsl n) - 1 in
  let rec count columns left right =
    if columns = all then 1
    else begin
      let sum = ref 0 and free = ref (all land lnot (columns lor left lor right)) in
      while !free <> 0 do
        let place = !free land - !free in
        free := !free land (!free - 1);
        sum := !sum + count (columns lor place) ((left lor place) lsl 1) ((right lor place) lsr 1)
      done;
      !sum
    end
  in
  let rec task depth columns left right pool me =
    if depth = 0 then ignore (Atomic.fetch_and_add total (count columns left right))
    else
      for i = 0 to n - 1 do
        let place = 1 lsl i in
        if place land (columns lor left lor right) = 0 then
          submit pool me (task (depth - 1) (columns lor place) ((left lor place) lsl 1) ((right lor place) lsr 1))
      done
  in
  (total, task 3 0 0 0)

(* Sorting by merging: halves are tasks, and who finishes the second half merges. *)
let merge_sort items =
  let n = Array.length items in
  let spare = Array.copy items in
  let rec sort from until finished : task =
   fun pool me ->
    if until - from <= 512 then begin
      let part = Array.sub items from (until - from) in
      Array.stable_sort compare part;
      Array.blit part 0 items from (until - from);
      finished pool me
    end
    else begin
      let middle = (from + until) / 2 in
      let halves = Atomic.make 2 in
      let half_finished pool me =
        if Atomic.fetch_and_add halves (-1) = 1 then begin
          let left = ref from and right = ref middle in
          for at = from to until - 1 do
            if !right >= until || (!left < middle && items.(!left) <= items.(!right)) then begin
              spare.(at) <- items.(!left);
              incr left
            end
            else begin
              spare.(at) <- items.(!right);
              incr right
            end
          done;
          Array.blit spare from items from (until - from);
          finished pool me
        end
      in
      submit pool me (sort from middle half_finished);
      submit pool me (sort middle until half_finished)
    end
  in
  sort 0 n (fun _ _ -> ())

let () =
  let domains =
    if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else Domain.recommended_domain_count ()
  in
  List.iter
    (fun n ->
      let total, task = queens n in
      run domains task;
      Printf.printf "%d queens: %d ways\n" n (Atomic.get total))
    [ 6; 8; 10; 11 ];
  let state = ref 12345 in
  let items = Array.init 100_000 (fun _ -> state := ((!state * 1103515245) + 12345) land 0x3fffffff; !state) in
  let expected = Array.copy items in
  Array.sort compare expected;
  run domains (merge_sort items);
  Printf.printf "sorted: %b\n" (items = expected)
