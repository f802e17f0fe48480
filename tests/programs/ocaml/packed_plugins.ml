(* A registry of plug-ins: modules of one module type in a hash table, found by their names. *)
module type PLUGIN = sig
  type state
  val name : string
  val init : int -> state
  val step : state -> int -> state
  val show : state -> string
end

module Sum : PLUGIN = struct
  type state = int
  let name = "sum"
  let init n = n
  let step s x = s + x
  let show = string_of_int
end

module Mean = struct
  type state = { total : float; count : int }
  let name = "mean"
  let init n = { total = float_of_int n; count = 1 }
  let step s x = { total = s.total +. float_of_int x; count = s.count + 1 }
  let show s = Printf.sprintf "%.3f (of %d)" (s.total /. float_of_int s.count) s.count
end

module Trace = struct
  type state = string list
  let name = "trace"
  let init n = [ string_of_int n ]
  let step s x = string_of_int x :: s
  let show s = String.concat "," (List.rev s)
end

let registry : (string, (module PLUGIN)) Hashtbl.t = Hashtbl.create 7

let register (module P : PLUGIN) = Hashtbl.replace registry P.name (module P : PLUGIN)

let () =
  register (module Sum);
  register (module Mean);
  register (module Trace);
  register
    (module struct
      type state = (int, int) Hashtbl.t
      let name = "count"
      let init n = let t = Hashtbl.create 3 in Hashtbl.add t n 1; t
      let step t x =
        let n = try Hashtbl.find t x with Not_found -> 0 in
        Hashtbl.replace t x (n + 1); t
      let show t =
        Hashtbl.fold (fun k v l -> (k, v) :: l) t []
        |> List.sort compare
        |> List.map (fun (k, v) -> Printf.sprintf "%d:%d" k v)
        |> String.concat " "
    end)

let run name inputs =
  match Hashtbl.find_opt registry name with
  | None -> Printf.printf "%s: no such plug-in\n" name
  | Some (module P) ->
    let final = List.fold_left P.step (P.init 10) inputs in
    Printf.printf "%s: %s\n" P.name (P.show final)

let () =
  List.iter (fun n -> run n [ 1; 2; 3; 2; 1 ]) [ "sum"; "mean"; "trace"; "count"; "none" ]

let all () =
  Hashtbl.fold (fun _ p l -> p :: l) registry []
  |> List.sort (fun (module A : PLUGIN) (module B : PLUGIN) -> compare A.name B.name)

let () =
  print_endline (String.concat "; " (List.map (fun (module P : PLUGIN) -> P.name) (all ())))
