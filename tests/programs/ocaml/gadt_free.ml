(* Programs as data: a free monad over typed instructions. *)
type _ op =
  | Get : string -> int op
  | Put : string * int -> unit op
  | Log : string -> unit op
type _ prog =
  | Return : 'a -> 'a prog
  | Bind : 'b op * ('b -> 'a prog) -> 'a prog
let rec ( >>= ) : type a b. a prog -> (a -> b prog) -> b prog = fun p k ->
  match p with
  | Return x -> k x
  | Bind (op, f) -> Bind (op, fun x -> f x >>= k)
let op o = Bind (o, fun x -> Return x)
let get k = op (Get k) and put k v = op (Put (k, v)) and log s = op (Log s)
let step : type a. (string, int) Hashtbl.t -> a op -> a = fun h -> function
  | Get k -> (try Hashtbl.find h k with Not_found -> 0)
  | Put (k, v) -> Hashtbl.replace h k v
  | Log s -> print_endline s
let rec run : type a. (string, int) Hashtbl.t -> a prog -> a = fun h -> function
  | Return x -> x
  | Bind (o, k) -> run h (k (step h o))
let rec count n = if n = 0 then get "x" else get "x" >>= fun v -> put "x" (v + n) >>= fun () -> count (n - 1)
let () =
  let h = Hashtbl.create 8 in
  let r = run h (log "start" >>= fun () -> count 100 >>= fun x -> log ("x = " ^ string_of_int x) >>= fun () -> Return (x * 2)) in
  Printf.printf "%d\n" r
