(* Rings of cells that come and go while many others live. *)

type cell = { value : int; mutable next : cell option }

let ring n =
  let first = { value = n; next = None } in
  let second = { value = n + 1; next = Some first } in
  first.next <- Some second;
  first

let () =
  let kept = Array.init 125_000 ring in
  let total = ref 0 in
  for i = 1 to 3_000_000 do
    let r = ring i in
    (match r.next with Some s -> total := (!total + s.value) land 0xffffff | None -> ());
    if i land 1023 = 0 then kept.(i lsr 10) <- r
  done;
  Array.iter (fun r -> total := (!total + r.value) land 0xffffff) kept;
  Printf.printf "%d\n" !total
