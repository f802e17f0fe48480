type account = { owner : string; mutable balance : float; history : (string * float) Queue.t }
let deposit account amount =
  account.balance <- account.balance +. amount;
  Queue.add ("deposit", amount) account.history;
  account.balance
let fill n =
  let cells = Array.make_matrix 2 2 0 in
  let i = ref 0 in
  while !i < n do
    let row = !i / 2 and column = !i mod 2 in
    cells.(row).(column) <- !i * !i;
    incr i
  done;
  cells
let () =
  let account = { owner = "Eva"; balance = 1.5; history = Queue.create () } in
  let now = deposit account 2.25 in
  let cells = fill 4 in
  let text = Bytes.make 3 'x' in
  Bytes.set text 1 'y';
  Printf.printf "%g %d %s\n" now cells.(1).(1) (Bytes.to_string text)
