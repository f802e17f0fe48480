(* The order of evaluation of recursive modules, and what happens when they are used too early. *)
let say s = print_endline s
module rec A : sig val f : int -> int end = struct
  let () = say "A"
  let f x = if x = 0 then B.base else B.g (x - 1) + 1
  let () = say (string_of_int (f 0))
  let () = try say (string_of_int (f 3)) with Undefined_recursive_module (_, line, column) -> Printf.printf "%d %d\n" line column
end
and B : sig val base : int val g : int -> int end = struct
  let () = say "B"
  let base = 10
  let g x = A.f x
end
let () = say (string_of_int (A.f 5))

let early =
  try
    let module X = struct
      module rec P : sig val f : int -> int end = struct
        let f x = x + 1
        let y = Q.g 1
        let () = say (string_of_int y)
      end
      and Q : sig val g : int -> int end = struct
        let g x = P.f x * 2
      end
    end in
    X.P.f 1
  with Undefined_recursive_module (file, line, column) ->
    Printf.printf "%s %d %d\n" (Filename.basename file) line column; 0
let () = say (string_of_int early)

let stored = ref (fun x -> x)
module rec S : sig val f : int -> int end = struct
  let () = stored := T.g
  let f x = x * 2
end
and T : sig val g : int -> int val later : int Lazy.t end = struct
  let g x = S.f x + 1
  let later = lazy (S.f 21)
end
let () = say (string_of_int (!stored 4)); say (string_of_int (Lazy.force T.later))

let calls = ref 0
module rec Memo : sig val fib : int -> int end = struct
  let table : (int, int) Hashtbl.t = Hashtbl.create 10
  let fib n =
    match Hashtbl.find_opt table n with
    | Some x -> x
    | None -> let x = Step.step n in Hashtbl.add table n x; x
end
and Step : sig val step : int -> int end = struct
  let step n = incr calls; if n < 2 then n else Memo.fib (n - 1) + Memo.fib (n - 2)
end
let () = let r = Memo.fib 50 in Printf.printf "%d after %d calls\n" r !calls

module rec E : sig exception Bad of int val check : int -> int end = struct
  exception Bad of int
  let check x = if x > 3 then raise (Bad x) else U.use x
end
and U : sig val use : int -> int val safe : int -> int end = struct
  let use x = x + 100
  let safe x = try E.check x with E.Bad n -> -n
end
let () = Printf.printf "%d %d\n" (U.safe 2) (U.safe 7)
module F (X : sig val k : int end) = struct
  module rec P : sig val f : int -> int end = struct let f x = if x > X.k then x else Q.g (x * 2) end
  and Q : sig val g : int -> int end = struct let g x = P.f (x + 1) end
end
module F10 = F (struct let k = 10 end)
module F99 = F (struct let k = 99 end)
let () = Printf.printf "%d %d\n" (F10.P.f 1) (F99.P.f 1)
