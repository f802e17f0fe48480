(* Modules, functors and exceptions: accounts behind a signature, reports over any ordered key. *)

module type ACCOUNT = sig
  type t

  exception Insufficient of { wanted : int; available : int }

  val make : string -> int -> t
  val owner : t -> string
  val balance : t -> int
  val transfer : from:t -> into:t -> int -> unit
end

module Account : ACCOUNT = struct
  type t = { owner : string; mutable balance : int }

  exception Insufficient of { wanted : int; available : int }

  let make owner balance = { owner; balance }
  let owner t = t.owner
  let balance t = t.balance

  let transfer ~from ~into amount =
    if from.balance < amount then raise (Insufficient { wanted = amount; available = from.balance });
    from.balance <- from.balance - amount;
    into.balance <- into.balance + amount
end

(* Groups anything by a key. *)
module Group (Key : Map.OrderedType) = struct
  module Keys = Map.Make (Key)

  let by key items =
    let add groups item =
      let k = key item in
      let old = try Keys.find k groups with Not_found -> [] in
      Keys.add k (item :: old) groups
    in
    Keys.map List.rev (List.fold_left add Keys.empty items)
end

module By_size = Group (Int)

let () =
  let ann = Account.make "Ann" 120 and bob = Account.make "Bob" 30 and cy = Account.make "Cy" 900 in
  let try_transfer from into amount =
    match Account.transfer ~from ~into amount with
    | () -> Printf.printf "%s pays %s %d\n" (Account.owner from) (Account.owner into) amount
    | exception Account.Insufficient { wanted; available } ->
      Printf.printf "%s cannot pay %d, only %d is there\n" (Account.owner from) wanted available
  in
  try_transfer ann bob 50;
  try_transfer bob cy 100;
  try_transfer cy ann 250;
  let digits account = String.length (string_of_int (Account.balance account)) in
  By_size.Keys.iter
    (fun size accounts ->
      Printf.printf "%d digits:" size;
      List.iter (fun it -> Printf.printf " %s=%d" (Account.owner it) (Account.balance it)) accounts;
      print_newline ())
    (By_size.by digits [ ann; bob; cy ])
