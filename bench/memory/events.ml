(* An event loop: callbacks are closures in a mutable table, which install each other. rounds: 20000 *)
let handlers : (string, int -> unit) Hashtbl.t = Hashtbl.create 16
let total = ref 0
let on name handler = Hashtbl.replace handlers name handler
let emit name value = match Hashtbl.find_opt handlers name with Some handler -> handler value | None -> ()

let install i =
  let name = "event" ^ string_of_int (i mod 20) in
  let label = String.make 10 'x' in
  on name (fun value ->
      total := (!total + value + String.length label) mod 1000003;
      if i mod 5 = 0 then Hashtbl.remove handlers name)

let () =
  let n = int_of_string Sys.argv.(1) in
  for i = 1 to n do
    install i;
    emit ("event" ^ string_of_int (i * 3 mod 20)) i
  done;
  Printf.printf "%d %d\n" !total (Hashtbl.length handlers)
