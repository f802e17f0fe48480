(* Bank accounts: mutable records, user exceptions with payloads, transaction log. *)

type account = {
  id : int;
  owner : string;
  mutable balance : int; (* cents *)
  mutable history : entry list;
}

and entry =
  | Deposit of int
  | Withdrawal of int
  | Transfer_in of { from : int; amount : int }
  | Transfer_out of { dest : int; amount : int }

exception Insufficient_funds of { wanted : int; available : int }
exception Unknown_account of int
exception Invalid_amount

let accounts : (int, account) Hashtbl.t = Hashtbl.create 16
let next_id = ref 100

let money cents =
  let sign = if cents < 0 then "-" else "" in
  let c = abs cents in
  Printf.sprintf "%s$%d.%02d" sign (c / 100) (c mod 100)

let open_account ?(initial = 0) owner =
  incr next_id;
  let a = { id = !next_id; owner; balance = initial;
            history = if initial > 0 then [ Deposit initial ] else [] } in
  Hashtbl.add accounts a.id a;
  a.id

let find id = try Hashtbl.find accounts id with Not_found -> raise (Unknown_account id)

let record a e = a.history <- e :: a.history

let check n = if n <= 0 then raise Invalid_amount

let deposit id n =
  check n;
  let a = find id in
  a.balance <- a.balance + n;
  record a (Deposit n)

let withdraw id n =
  check n;
  let a = find id in
  if a.balance < n then raise (Insufficient_funds { wanted = n; available = a.balance });
  a.balance <- a.balance - n;
  record a (Withdrawal n)

let transfer ~src ~dst n =
  check n;
  let a = find src and b = find dst in
  if a.balance < n then raise (Insufficient_funds { wanted = n; available = a.balance });
  a.balance <- a.balance - n;
  b.balance <- b.balance + n;
  record a (Transfer_out { dest = dst; amount = n });
  record b (Transfer_in { from = src; amount = n })

let attempt what f =
  match f () with
  | () -> Printf.printf "%-22s ok\n" what
  | exception Insufficient_funds { wanted; available } ->
    Printf.printf "%-22s refused: wanted %s, has %s\n" what (money wanted) (money available)
  | exception Unknown_account id -> Printf.printf "%-22s no account %d\n" what id
  | exception Invalid_amount -> Printf.printf "%-22s invalid amount\n" what

let describe = function
  | Deposit n -> "deposit " ^ money n
  | Withdrawal n -> "withdrawal " ^ money n
  | Transfer_in { from; amount } -> Printf.sprintf "from %d %s" from (money amount)
  | Transfer_out { dest; amount } -> Printf.sprintf "to %d %s" dest (money amount)

let statement id =
  let a = find id in
  Printf.printf "%s (#%d): %s\n" a.owner a.id (money a.balance);
  List.iteri (fun i e -> Printf.printf "  %d. %s\n" (i + 1) (describe e)) (List.rev a.history)

let replay a =
  List.fold_right (fun e total ->
      match e with
      | Deposit n | Transfer_in { amount = n; _ } -> total + n
      | Withdrawal n | Transfer_out { amount = n; _ } -> total - n) a.history 0

let () =
  let ann = open_account ~initial:100_00 "Ann" in
  let bob = open_account "Bob" in
  attempt "deposit" (fun () -> deposit bob 25_50);
  attempt "withdraw" (fun () -> withdraw ann 30_05);
  attempt "overdraw" (fun () -> withdraw bob 1000_00);
  attempt "transfer" (fun () -> transfer ~src:ann ~dst:bob 50_00);
  attempt "transfer too much" (fun () -> transfer ~dst:ann ~src:bob 99_99);
  attempt "to nowhere" (fun () -> transfer ~src:ann ~dst:999 1);
  attempt "negative" (fun () -> deposit ann (-5));
  statement ann;
  statement bob;
  Hashtbl.iter (fun _ a -> assert (replay a = a.balance)) accounts;
  print_endline (money (-1234567))
