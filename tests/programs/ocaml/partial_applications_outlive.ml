module P0 = struct
  let keep : (int -> int) list ref = ref []
  type box = { mutable v : int; w : int }
  let[@inline never] b (r : box) y z = r.v + r.w + y + z
  let[@inline never] a (r : box) = print_int r.w; let k = r.v in fun y z -> k + y + z
  let[@inline never] pick n = if n land 1 = 0 then b else a
  let[@inline never] h n =
    let r = { v = n; w = n * 2 } in
    let f = pick n in
    let g = f r 2 in
    keep := g :: !keep;
    r.v <- r.v + 1;
    print_int n
  let () =
    for i = 0 to 5 do h i done;
    print_newline ();
    List.iter (fun g -> print_int (g 3); print_char ' ') !keep
end

let () = print_newline ()
