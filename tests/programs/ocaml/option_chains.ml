(* Lookups chained through options and results in three styles over the same data. *)

type user = { id : int; manager : int option; email : string option }

let users = [ { id = 1; manager = None; email = Some "boss@x.org" }; { id = 2; manager = Some 1; email = None };
              { id = 3; manager = Some 2; email = Some "c@x.org" }; { id = 4; manager = Some 9; email = None } ]

let find id = List.find_opt (fun u -> u.id = id) users

let by_match id =
  match find id with
  | None -> None
  | Some { manager = None; _ } -> None
  | Some { manager = Some m; _ } ->
    match find m with
    | Some { email = Some e; _ } -> Some e
    | _ -> None

let by_bind id = Option.bind (find id) (fun u -> Option.bind u.manager (fun m -> Option.bind (find m) (fun u -> u.email)))

let ( let* ) r f = match r with Ok x -> f x | Error _ as e -> e
let need msg = function Some x -> Ok x | None -> Error msg

let by_result id =
  let* u = need (Printf.sprintf "no user %d" id) (find id) in
  let* m = need (Printf.sprintf "user %d has no manager" id) u.manager in
  let* boss = need (Printf.sprintf "manager %d is missing" m) (find m) in
  need (Printf.sprintf "manager %d has no email" boss.id) boss.email

let rec chain id = match find id with
  | None -> [ Printf.sprintf "?%d" id ]
  | Some { manager = None; id; _ } -> [ string_of_int id ]
  | Some { manager = Some m; id; _ } -> string_of_int id :: chain m

let () =
  List.iter (fun id ->
      let s = function Some e -> e | None -> "-" in
      Printf.printf "%d: %s %s %s [%s]\n" id (s (by_match id)) (s (by_bind id))
        (match by_result id with Ok e -> e | Error m -> m) (String.concat " " (chain id))) [ 1; 2; 3; 4; 5 ]
