module Make (M : Sig_types.MONAD) = struct
  include M
  let ( >>= ) = bind
  let map f m = m >>= fun x -> return (f x)
  let ( let* ) = bind
  let ( let+ ) m f = map f m
  let rec sequence = function
    | [] -> return []
    | m :: ms ->
      let* x = m in
      let+ xs = sequence ms in
      x :: xs
  let rec fold_m f acc = function
    | [] -> return acc
    | x :: xs -> let* acc = f acc x in fold_m f acc xs
end
