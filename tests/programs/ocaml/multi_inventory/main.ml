(* Multi-file program: abstract money, items with optional arguments, a store with exceptions; exits with 4. *)

let store = Store.create ()

let try_sell sku n =
  match Store.sell store sku n with
  | m -> Printf.printf "sold %d %s for %s\n" n sku (Money.to_string m)
  | exception Store.Out_of_stock { sku; wanted; left } -> Printf.printf "%s: wanted %d, only %d\n" sku wanted left
  | exception Not_found -> Printf.printf "no such item %s\n" sku

let () =
  List.iter (Store.add store)
    [ Item.make "hammer" 1250 ~stock:4 ~category:Item.Tool; Item.make "apple" 35 ~category:Food ~stock:200;
      Item.make "saw" 2499 ~stock:1 ~category:Item.Tool; Item.make "mystery" 99999 ];
  try_sell "hammer" 3;
  try_sell "hammer" 2;
  try_sell "apple" 12;
  try_sell "unicorn" 1;
  Printf.printf "worth %s\n" (Money.to_string (Store.total store));
  List.iter (fun (c, skus) -> Printf.printf "%s: %s\n" c (String.concat " " (List.sort compare skus))) (Store.by_category store);
  List.iter print_endline (List.rev store.Store.log);
  (try ignore (Item.make "bad" (-1)) with Invalid_argument m -> print_endline m);
  if Money.compare (Store.total store) (Money.of_cents 100) > 0 then exit 4
