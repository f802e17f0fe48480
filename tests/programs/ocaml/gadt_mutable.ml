(* Hidden state that changes, shared with code that knows its type. *)
type cell = Cell : { mutable value : 'a; show : 'a -> string; next : 'a -> 'a } -> cell
type watcher = Watch : 'a ref * ('a -> string) -> watcher
type any_array = Arr : 'a array * ('a -> string) -> any_array
let tick (Cell c) = c.value <- c.next c.value
let read (Cell c) = c.show c.value
let () =
  let cells = [ Cell { value = 1; show = string_of_int; next = (fun x -> x * 2) };
                Cell { value = "a"; show = (fun s -> s); next = (fun s -> s ^ "b") };
                Cell { value = (1, 2.5); show = (fun (a, b) -> Printf.sprintf "%d/%g" a b); next = (fun (a, b) -> (a + 1, b *. 2.)) } ] in
  for _ = 1 to 3 do List.iter tick cells done;
  List.iter (fun c -> print_endline (read c)) cells;
  let r = ref 1 and s = ref [ "x" ] in
  let ws = [ Watch (r, string_of_int); Watch (s, String.concat ",") ] in
  r := 42; s := "y" :: !s;
  List.iter (fun (Watch (r, f)) -> print_endline (f !r)) ws;
  let swap (Watch (r, f)) = let old = !r in r := old; f old in
  List.iter (fun w -> print_endline (swap w)) ws;
  let ints = [| 1; 2; 3 |] and floats = [| 1.5; 2.5 |] in
  let all = [ Arr (ints, string_of_int); Arr (floats, string_of_float) ] in
  ints.(0) <- 10; floats.(1) <- 0.5;
  List.iter (fun (Arr (a, f)) -> Array.iter (fun x -> print_string (f x ^ " ")) a; print_newline ()) all;
  List.iter (fun (Arr (a, _)) -> let t = a.(0) in a.(0) <- a.(1); a.(1) <- t) all;
  Array.iter (Printf.printf "%d ") ints; Array.iter (Printf.printf "%g ") floats; print_newline ()
