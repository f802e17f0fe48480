(* Values of every kind cross between fibres. *)
open Effect
open Effect.Deep
type point = { x : float; y : float }
type shape = Circle of point * float | Empty
type _ Effect.t +=
  | Float : float -> float t
  | Text : string * int -> string t
  | Pair : int * string -> (string * int) t
  | Point : point -> point t
  | Shape : shape option -> shape t
  | Fn : (int -> int) -> (int -> int -> int) t
  | Arr : int array -> float array t
  | First : 'a list -> 'a option t
  | Apply : ('a -> 'b) * 'a -> 'b t
  | Big : int64 * int32 * nativeint -> int64 t
  | Bool : bool -> bool t
  | Char : char -> char t
  | Unit : unit t
  | Lazy_ : int Lazy.t -> int Lazy.t t
  | Seq_ : int -> int Seq.t t

let handler f =
  match_with f () { retc = Fun.id; exnc = raise; effc = fun (type a) (e : a t) ->
    match e with
    | Float f -> Some (fun (k : (a, _) continuation) -> continue k (f *. 2.))
    | Text (s, n) -> Some (fun (k : (a, _) continuation) -> continue k (String.concat "" (List.init n (fun _ -> s))))
    | Pair (n, s) -> Some (fun (k : (a, _) continuation) -> continue k (s, n))
    | Point p -> Some (fun (k : (a, _) continuation) -> continue k { x = p.y; y = p.x })
    | Shape (Some s) -> Some (fun (k : (a, _) continuation) -> continue k s)
    | Shape None -> Some (fun (k : (a, _) continuation) -> continue k Empty)
    | Fn f -> Some (fun (k : (a, _) continuation) -> continue k (fun a b -> f a + f b))
    | Arr a -> Some (fun (k : (a, _) continuation) -> continue k (Array.map float_of_int a))
    | First [] -> Some (fun (k : (a, _) continuation) -> continue k None)
    | First (x :: _) -> Some (fun (k : (a, _) continuation) -> continue k (Some x))
    | Apply (f, x) -> Some (fun (k : (a, _) continuation) -> continue k (f x))
    | Big (a, b, c) -> Some (fun (k : (a, _) continuation) -> continue k Int64.(add a (add (of_int32 b) (of_nativeint c))))
    | Bool b -> Some (fun (k : (a, _) continuation) -> continue k (not b))
    | Char c -> Some (fun (k : (a, _) continuation) -> continue k (Char.uppercase_ascii c))
    | Unit -> Some (fun (k : (a, _) continuation) -> continue k ())
    | Lazy_ l -> Some (fun (k : (a, _) continuation) -> continue k (lazy (Lazy.force l + 1)))
    | Seq_ n -> Some (fun (k : (a, _) continuation) -> continue k (Seq.map (fun i -> i * i) (List.to_seq (List.init n Fun.id))))
    | _ -> None }

let () =
  handler (fun () ->
    Printf.printf "%g\n" (perform (Float 1.25));
    print_endline (perform (Text ("ab", 3)));
    let s, n = perform (Pair (1, "one")) in
    Printf.printf "%s %d\n" s n;
    let p = perform (Point { x = 1.; y = 2. }) in
    Printf.printf "%g %g\n" p.x p.y;
    (match perform (Shape (Some (Circle (p, 3.)))), perform (Shape None) with
     | Circle (q, r), Empty -> Printf.printf "%b %g\n" (q == p || q = p) r
     | _ -> print_endline "?");
    Printf.printf "%d\n" (perform (Fn (fun x -> x * x)) 3 4);
    Array.iter (Printf.printf "%g ") (perform (Arr [| 1; 2; 3 |]));
    print_newline ();
    (match perform (First ["x"; "y"]), perform (First [2.5]), perform (First ([] : int list)) with
     | Some s, Some f, None -> Printf.printf "%s %g\n" s f
     | _ -> print_endline "?");
    Printf.printf "%s %d\n" (perform (Apply (string_of_int, 5))) (perform (Apply (String.length, "abc")));
    Printf.printf "%Ld\n" (perform (Big (1L, 2l, 3n)));
    Printf.printf "%b %c\n" (perform (Bool true)) (perform (Char 'q'));
    perform Unit;
    Printf.printf "%d\n" (Lazy.force (perform (Lazy_ (lazy 41))));
    Seq.iter (Printf.printf "%d ") (perform (Seq_ 5));
    print_newline ())
