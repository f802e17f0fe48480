type category = Tool | Food | Other of string

type t = { sku : string; price : Money.t; mutable stock : int; category : category }

let make ?(stock = 0) ?(category = Other "misc") sku cents =
  { sku; price = Money.of_cents cents; stock; category }

let value i = Money.times i.stock i.price

let category_name = function
  | Tool -> "tool"
  | Food -> "food"
  | Other s -> "other/" ^ s
