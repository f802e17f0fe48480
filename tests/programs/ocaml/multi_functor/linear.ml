module Make (N : Sig_types.NUM) = struct
  type vec = N.t array
  let dot a b =
    let s = ref N.zero in
    Array.iteri (fun i x -> s := N.add !s (N.mul x b.(i))) a;
    !s
  let rec pow x n =
    if n = 0 then N.one
    else
      let h = pow x (n / 2) in
      let h2 = N.mul h h in
      if n mod 2 = 0 then h2 else N.mul x h2
  let eval coeffs x = List.fold_right (fun c acc -> N.add c (N.mul x acc)) coeffs N.zero
  let show v = "<" ^ String.concat " " (Array.to_list (Array.map N.to_string v)) ^ ">"
end
