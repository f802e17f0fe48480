(* Blocks of tapes: what numbers that were made at once owe to others, and how adjoints are handed on (decision 281). *)

open Eshkol_value

let[@inline] numbered ids i = let n = length_of ids in if n = 0 then i else if n = 1 then get ids 0 else get ids i
let[@inline] factor factors i = let n = length_of factors in if n = 0 then 1.0 else if n = 1 then get factors 0 else get factors i

external add_product :
  float array -> float array -> float array -> int -> int -> int -> int -> int -> int -> int -> int -> int -> unit
  = "%array.unsafe_add_product"

let slice sums from n =
  let made = make n 0.0 in
  blit sums from made 0 n;
  made

let add_slice sums from part =
  for i = 0 to length_of part - 1 do
    set sums (from + i) (get sums (from + i) +. get part i)
  done

(* Hands the adjoints of a block's numbers on, as floats. *)
let back_floats sums block =
  match block with
  | Spread b ->
      for i = 0 to b.entries - 1 do
        let to_ = numbered b.opd i in
        if to_ >= 0 then begin
          let to_ = b.from + to_ in
          set sums to_ (get sums to_ +. (factor b.factors i *. get sums (b.at + numbered b.res i)))
        end
      done
  | Left_factor b ->
      let made = make (b.rows * b.inner) 0.0 in
      let given = slice sums b.at (b.rows * b.columns) in
      add_product made given b.other b.rows b.columns b.inner b.inner 1 b.columns 1 1 b.columns;
      add_slice sums b.from made
  | Right_factor b ->
      let made = make (b.inner * b.columns) 0.0 in
      let given = slice sums b.at (b.rows * b.columns) in
      add_product made b.other given b.inner b.rows b.columns b.columns 1 1 b.inner b.columns 1;
      add_slice sums b.from made

(* The same with adjoints of any kind. *)
let back_numbers sums block =
  let add to_ x v = set sums to_ (Eshkol_num.add "" (get sums to_) (Eshkol_num.mul "" (flo x) v)) in
  match block with
  | Spread b ->
      for i = 0 to b.entries - 1 do
        let to_ = numbered b.opd i in
        if to_ >= 0 then add (b.from + to_) (factor b.factors i) (get sums (b.at + numbered b.res i))
      done
  | Left_factor b ->
      for i = 0 to b.rows - 1 do
        for j = 0 to b.columns - 1 do
          let given = get sums (b.at + (i * b.columns) + j) in
          for k = 0 to b.inner - 1 do
            add (b.from + (i * b.inner) + k) (get b.other ((k * b.columns) + j)) given
          done
        done
      done
  | Right_factor b ->
      for i = 0 to b.rows - 1 do
        for j = 0 to b.columns - 1 do
          let given = get sums (b.at + (i * b.columns) + j) in
          for k = 0 to b.inner - 1 do
            add (b.from + (k * b.columns) + j) (get b.other ((i * b.inner) + k)) given
          done
        done
      done

let block_at block = match block with Spread b -> b.at | Left_factor b -> b.at | Right_factor b -> b.at

(* The blocks of the numbers from a node on; the rest begins before it. *)
let rec blocks_from node back blocks =
  match blocks with
  | block :: rest when block_at block >= node ->
      if block_at block = node then back block;
      blocks_from node back rest
  | _ -> blocks
