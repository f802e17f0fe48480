(* Domains that change the same references, fields, arrays and tables without any care: what they read is some value
   that was written, and the program ends. *)

type node = { mutable name : string; mutable next : node option; mutable list : int list }

let rounds = 1500
let shared = ref [ 0 ]
let texts = Array.make 16 "first"
let pairs = Array.make 8 (0, "zero")
let table : (int, string list) Hashtbl.t = Hashtbl.create 8
let buffer = Buffer.create 8
let node = { name = "node"; next = None; list = [] }
let functions = Array.make 4 (fun n -> n)
let sink = Atomic.make 0

let work k () =
  let sum = ref 0 in
  for i = 1 to rounds do
    shared := i :: (match !shared with x :: y :: _ -> [ x; y ] | list -> list);
    texts.(i land 15) <- string_of_int (i * k);
    sum := !sum + String.length texts.(i * 7 land 15);
    pairs.(i land 7) <- (i, "pair" ^ string_of_int i);
    sum := !sum + (let n, text = pairs.(i * 3 land 7) in n + String.length text);
    node.name <- "node" ^ string_of_int i;
    node.list <- i :: (if List.length node.list > 10 then [] else List.rev node.list);
    node.next <- (if i land 3 = 0 then None else Some { name = texts.(i land 7); next = node.next; list = node.list });
    (match node.next with
    | Some { name; list; next = Some { name = other; _ }; _ } ->
        sum := !sum + List.length list + String.length name + String.length other;
        if i land 7 = 0 then node.next <- None
    | Some _ | None -> ());
    functions.(i land 3) <- (fun n -> n + i + String.length node.name);
    sum := functions.(i * 5 land 3) !sum;
    Array.blit texts (i land 7) texts 4 4;
    (try
       let found = match Hashtbl.find_opt table (i land 127) with Some (x :: _) -> [ x ] | _ -> [] in
       Hashtbl.replace table (i land 255) (string_of_int i :: found);
       if i land 511 = 0 then Hashtbl.reset table
     with Invalid_argument _ | Not_found -> ());
    try
      Buffer.add_string buffer texts.(i land 3);
      if Buffer.length buffer > 200 then Buffer.clear buffer;
      sum := !sum + String.length (Buffer.contents buffer)
    with Invalid_argument _ -> ()
  done;
  Atomic.set sink !sum

let () =
  List.iter Domain.join (List.init 3 (fun k -> Domain.spawn (work (k + 1))));
  print_endline "the end"
