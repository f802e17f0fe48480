module Items = Map.Make (String)

exception Out_of_stock of { sku : string; wanted : int; left : int }

type t = { mutable items : Item.t Items.t; mutable log : string list }

let create () = { items = Items.empty; log = [] }
let note t fmt = Printf.ksprintf (fun s -> t.log <- s :: t.log) fmt

let add t (item : Item.t) =
  t.items <- Items.add item.sku item t.items;
  note t "added %s" item.sku

let find t sku = Items.find sku t.items

let sell t sku n =
  let item = find t sku in
  if item.Item.stock < n then raise (Out_of_stock { sku; wanted = n; left = item.stock });
  item.stock <- item.stock - n;
  note t "sold %d %s" n sku;
  Money.times n item.price

let total t = Items.fold (fun _ i acc -> Money.add acc (Item.value i)) t.items Money.zero
let by_category t =
  Items.fold (fun _ (i : Item.t) acc ->
      let k = Item.category_name i.category in
      let old = try List.assoc k acc with Not_found -> [] in
      (k, i.sku :: old) :: List.remove_assoc k acc) t.items []
  |> List.sort compare
