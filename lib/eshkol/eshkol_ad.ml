(* Derivatives of procedures on numbers of any kind.

   A number inside of a derivative knows the derivative that it belongs to and carries, in forward mode, its
   tangent; in reverse mode, its node on a tape; for derivatives of high order, the terms of a power
   series. Its primal value may itself be inside of a derivative that began earlier. An operation on two
   numbers takes place in the innermost derivative of both, to which numbers of outer ones are
   constants; so tangents of nested derivatives are never confused. The operators are in
   [calculus.esk]. *)

open Eshkol_value

let one = of_int 1
let zero = of_int 0
let[@inline] ( +: ) a b = Eshkol_num.add "" a b
let[@inline] ( -: ) a b = Eshkol_num.sub "" a b
let[@inline] ( *: ) a b = Eshkol_num.mul "" a b
let half v = Eshkol_num.div "" v (of_int 2)
let minus v = Eshkol_num.negate "" v

(* Where a derivative does not exist it is infinite, also at exact numbers. *)
let over a b = Eshkol_num.div "" a (if Eshkol_num.is_exact_zero b then flo 0.0 else b)

let tag_of v =
  if is_int v then 0
  else match v with Dual d -> d.inside.tag | Traced t -> t.on.tag | Series s -> s.along.tag | _ -> 0

let primal v =
  match v with Dual d -> d.primal | Traced t -> t.value | Series s -> get s.terms 0 | _ -> v

(* The number as a derivative sees it: without what belongs to derivatives inside of it, which are over. *)
let rec seen_by level v = if tag_of v > level.tag then seen_by level (primal v) else v

(* Functions that are differentiated are functions of real numbers: elsewhere they have no value. *)
let real v = match v with Complex _ -> Eshkol_num.not_a_number | _ -> v

let real_root v = real (Eshkol_num.square_root "" v)

(* Operations and their derivatives with respect to each operand, by the numbers of [Eshkol_num] *)

let value2 op place p q =
  match op with
  | 0 -> Eshkol_num.add place p q
  | 1 -> Eshkol_num.sub place p q
  | 2 -> Eshkol_num.mul place p q
  | 3 -> Eshkol_num.div place p q
  | 4 -> real (Eshkol_num.expt place p q)
  | 5 -> Eshkol_num.atan_number place p q
  | 6 -> Eshkol_num.modulo place p q
  | _ -> Eshkol_num.remainder place p q

let is_ground_zero v = Eshkol_num.is_zero "" v

let by_first op p q =
  match op with
  | 2 -> q
  | 3 -> over one q
  | 4 -> if is_ground_zero q then zero else q *: real (Eshkol_num.expt "" p (q -: one))
  | 5 -> over q ((p *: p) +: (q *: q))
  | _ -> one

let by_second op p q v =
  match op with
  | 0 -> one
  | 1 -> of_int (-1)
  | 2 -> p
  | 3 -> minus (over v q)
  | 4 -> if is_ground_zero p then zero else v *: real (Eshkol_num.log_number "" p Absent)
  | 5 -> minus (over p ((p *: p) +: (q *: q)))
  | 6 -> minus (Eshkol_num.floor_number "" (over p q))
  | _ -> minus (Eshkol_num.truncate_number "" (over p q))

let value1 op place p =
  match op with
  | 0 -> Eshkol_num.exp_number place p
  | 1 -> real (Eshkol_num.log_number place p Absent)
  | 2 -> Eshkol_num.sin_number place p
  | 3 -> Eshkol_num.cos_number place p
  | 4 -> Eshkol_num.tan_number place p
  | 5 -> real (Eshkol_num.asin_number place p)
  | 6 -> real (Eshkol_num.acos_number place p)
  | 7 -> Eshkol_num.atan_number place p Absent
  | 8 -> Eshkol_num.sinh_number place p
  | 9 -> Eshkol_num.cosh_number place p
  | 10 -> Eshkol_num.tanh_number place p
  | 11 -> real (Eshkol_num.square_root place p)
  | _ -> Eshkol_num.abs place p

(* Of the value [v] at [p]. *)
let slope1 op p v =
  match op with
  | 0 -> v
  | 1 -> over one p
  | 2 -> Eshkol_num.cos_number "" p
  | 3 -> minus (Eshkol_num.sin_number "" p)
  | 4 -> one +: (v *: v)
  | 5 -> over one (real_root (one -: (p *: p)))
  | 6 -> minus (over one (real_root (one -: (p *: p))))
  | 7 -> over one (one +: (p *: p))
  | 8 -> Eshkol_num.cosh_number "" p
  | 9 -> Eshkol_num.sinh_number "" p
  | 10 -> one -: (v *: v)
  | 11 -> over one (v +: v)
  | _ -> of_int (let s = Eshkol_num.sign "" "abs" p in if s > 0 then 1 else if s < 0 then -1 else 0)

(* Tapes *)

let grow level =
  let n = length_of level.left in
  let size = if n = 0 then 64 else n * 2 in
  let copy from fill =
    let made = make size fill in
    blit from 0 made 0 n;
    made
  in
  level.left <- copy level.left (-1);
  level.right <- copy level.right (-1);
  if level.flat then begin
    let copy from =
      let made = make size 0.0 in
      blit from 0 made 0 n;
      made
    in
    level.by_left <- copy level.by_left;
    level.by_right <- copy level.by_right
  end
  else begin
    let copy from =
      let made = make size zero in
      blit from 0 made 0 n;
      made
    in
    level.slope_left <- copy level.slope_left;
    level.slope_right <- copy level.slope_right
  end

let unflatten level =
  let n = length_of level.left in
  let boxed from =
    let made = make n zero in
    for i = 0 to level.nodes - 1 do
      set made i (flo (get from i))
    done;
    made
  in
  level.slope_left <- boxed level.by_left;
  level.slope_right <- boxed level.by_right;
  level.by_left <- [||];
  level.by_right <- [||];
  level.flat <- false

let record_floats level a x b y =
  let i = level.nodes in
  if i >= length_of level.left then grow level;
  set level.left i a;
  set level.right i b;
  set level.by_left i x;
  set level.by_right i y;
  level.nodes <- i + 1;
  i

let as_float v = Eshkol_num.to_float "" "" v

let record level a x b y =
  if level.flat && (is_active x || is_active y) then unflatten level;
  if level.flat then record_floats level a (as_float x) b (as_float y)
  else begin
    let i = level.nodes in
    if i >= length_of level.left then grow level;
    set level.left i a;
    set level.right i b;
    set level.slope_left i x;
    set level.slope_right i y;
    level.nodes <- i + 1;
    i
  end

(* Nodes for numbers that are made at once, on a tape of floats: the first of them. *)
let begin_block level count =
  let first = level.nodes in
  while level.nodes + count > length_of level.left do
    grow level
  done;
  for i = first to first + count - 1 do
    set level.left i (if i = first then block_mark else -1);
    set level.right i (-1)
  done;
  level.nodes <- first + count;
  first

let add_block level block = level.blocks <- block :: level.blocks

let node_of level v = match v with Traced t when t.on == level -> t.node | _ -> -1

(* Products and sums of floats on a tape of floats, the most frequent case. *)
let traced_floats op level a b =
  if not level.flat then Absent
  else
    let float_in v =
      if is_flo v then flo_of v
      else
        match v with
        | Traced t when t.on == level -> if is_flo t.value then flo_of t.value else nan
        | _ -> nan
    in
    let x = float_in a and y = float_in b in
    if x <> x || y <> y || op > 2 then Absent
    else
      let na = node_of level a and nb = node_of level b in
      let floats value left right =
        Traced { on = level; value = flo value; node = record_floats level na left nb right }
      in
      match op with
      | 0 -> floats (x +. y) 1.0 1.0
      | 1 -> floats (x -. y) 1.0 (-1.0)
      | _ -> floats (x *. y) y x

let traced2 op place level a b =
  match traced_floats op level a b with
  | Absent ->
      let na = node_of level a and nb = node_of level b in
      let p = if na >= 0 then primal a else a and q = if nb >= 0 then primal b else b in
      let v = value2 op place p q in
      let x = if na >= 0 then by_first op p q else zero in
      let y = if nb >= 0 then by_second op p q v else zero in
      Traced { on = level; value = v; node = record level na x nb y }
  | made -> made

(* Forward mode *)

let dual2 op place level a b =
  let here v = tag_of v = level.tag in
  let tangent v = match v with Dual d -> d.tangent | _ -> zero in
  let p = if here a then primal a else a and q = if here b then primal b else b in
  let v = value2 op place p q in
  let t =
    match op with
    | 0 -> if not (here a) then tangent b else if here b then tangent a +: tangent b else tangent a
    | 1 ->
        if not (here a) then minus (tangent b)
        else if here b then tangent a -: tangent b
        else tangent a
    | _ ->
        if not (here b) then by_first op p q *: tangent a
        else if not (here a) then by_second op p q v *: tangent b
        else (by_first op p q *: tangent a) +: (by_second op p q v *: tangent b)
  in
  Dual { inside = level; primal = v; tangent = t }

(* Power series, as arrays of terms; those that are missing are zero. *)

let at a i = if i < length_of a then get a i else zero

let build n f =
  let made = make n zero in
  for i = 0 to n - 1 do
    set made i (f made i)
  done;
  made

(* The sum of [f j] for [j] from [first] to [last]. *)
let sum first last f =
  let rec go j total = if j > last then total else go (j + 1) (total +: f j) in
  go first zero

let product n a b = build n (fun _ k -> sum 0 k (fun j -> at a j *: at b (k - j)))
let quotient n a b = build n (fun c k -> over (at a k -: sum 1 k (fun j -> at b j *: get c (k - j))) (at b 0))

(* The series that starts with [first] and whose derivative is that of [a] times [slope]. *)
let integral n first a slope =
  build n (fun made k ->
      if k = 0 then first
      else over (sum 1 k (fun j -> of_int j *: at a j *: slope made (k - j))) (of_int k))

let exponential n place a = integral n (value1 0 place (at a 0)) a (fun made i -> get made i)

let logarithm n place a =
  build n (fun l k ->
      if k = 0 then value1 1 place (at a 0)
      else
        over
          (at a k -: over (sum 1 (k - 1) (fun j -> of_int j *: get l j *: at a (k - j))) (of_int k))
          (at a 0))

(* Sine and cosine, or with [sign] 1 the hyperbolic ones, need each other. *)
let waves n place a sign first second =
  let s = make n zero and c = make n zero in
  for k = 0 to n - 1 do
    let weighted other = over (sum 1 k (fun j -> of_int j *: at a j *: get other (k - j))) (of_int k) in
    if k = 0 then begin
      set s 0 (value1 first place (at a 0));
      set c 0 (value1 second place (at a 0))
    end
    else begin
      set s k (weighted c);
      set c k (of_int sign *: weighted s)
    end
  done;
  (s, c)

(* With the derivative 1 plus or minus the square of the result. *)
let riccati n first a sign =
  let square made k = sum 0 k (fun j -> get made j *: get made (k - j)) in
  integral n first a (fun made i ->
      let s = of_int sign *: square made i in
      if i = 0 then one +: s else s)

let root n place a =
  build n (fun r k ->
      if k = 0 then value1 11 place (at a 0)
      else over (half (at a k -: sum 1 (k - 1) (fun j -> get r j *: get r (k - j)))) (get r 0))

let rec whole_power n a k =
  if k = 0 then [| one |]
  else
    let h = whole_power n a (k / 2) in
    let h = product n h h in
    if k land 1 = 1 then product n h a else h

let scaled n a factor = build n (fun _ k -> at a k *: factor)

let power n place a b =
  let c = at b 0 in
  let whole = Eshkol_num.is_integer c && not (is_active c) && Eshkol_num.sign "" "" c >= 0 in
  if length_of b = 1 && whole && Eshkol_num.num_lt "" c (of_int 1000000) then begin
    let made = whole_power n a (to_int (Eshkol_num.exact "" c)) in
    build n (fun _ k -> if k = 0 then value2 4 place (at a 0) c else at made k)
  end
  else if length_of b = 1 then
    build n (fun p k ->
        if k = 0 then value2 4 place (at a 0) c
        else
          over
            (sum 1 k (fun j -> ((c *: of_int j) -: of_int (k - j)) *: at a j *: get p (k - j)))
            (of_int k *: at a 0))
  else
    let exponent = product n b (logarithm n place a) in
    integral n (value2 4 place (at a 0) c) exponent (fun made i -> get made i)

let series2 op place n a b =
  match op with
  | 0 -> build n (fun _ k -> at a k +: at b k)
  | 1 -> build n (fun _ k -> at a k -: at b k)
  | 2 -> product n a b
  | 3 -> build n (let c = quotient n a b in fun _ k -> if k = 0 then value2 3 place (at a 0) (at b 0) else get c k)
  | 4 -> power n place a b
  | 5 ->
      let square = build n (let x = product n a a and y = product n b b in fun _ k -> get x k +: get y k) in
      let by_a = quotient n b square and by_b = quotient n a square in
      build n (fun _ k ->
          if k = 0 then value2 5 place (at a 0) (at b 0)
          else
            over
              (sum 1 k (fun j -> of_int j *: ((at a j *: get by_a (k - j)) -: (at b j *: get by_b (k - j)))))
              (of_int k))
  | _ ->
      let p = at a 0 and q = at b 0 in
      let times = by_second op p q zero in
      build n (fun _ k -> if k = 0 then value2 op place p q else at a k +: (times *: at b k))

let series1 op place n a =
  let first = at a 0 in
  let start = [| one |] in
  let plus_square sign = build n (let s = product n a a in fun _ k -> at start k +: (of_int sign *: get s k)) in
  let through slope = integral n (value1 op place first) a (fun _ i -> get slope i) in
  match op with
  | 0 -> exponential n place a
  | 1 -> logarithm n place a
  | 2 -> fst (waves n place a (-1) 2 3)
  | 3 -> snd (waves n place a (-1) 2 3)
  | 4 -> riccati n (value1 4 place first) a 1
  | 5 -> through (quotient n start (root n place (plus_square (-1))))
  | 6 -> through (scaled n (quotient n start (root n place (plus_square (-1)))) (of_int (-1)))
  | 7 -> through (quotient n start (plus_square 1))
  | 8 -> fst (waves n place a 1 8 9)
  | 9 -> snd (waves n place a 1 8 9)
  | 10 -> riccati n (value1 10 place first) a (-1)
  | 11 -> root n place a
  | _ -> scaled n a (slope1 12 first first)

let terms_in level v = match v with Series s when s.along == level -> s.terms | _ -> [| v |]

let binary op place a b =
  match if tag_of a >= tag_of b then a else b with
  | Dual d -> dual2 op place d.inside a b
  | Traced t -> traced2 op place t.on a b
  | Series s ->
      let x = terms_in s.along a and y = terms_in s.along b in
      let n = if length_of x > length_of y then length_of x else length_of y in
      Series { along = s.along; terms = series2 op place n x y }
  | v -> v

let unary op place a =
  match a with
  | Dual d ->
      let v = value1 op place d.primal in
      Dual { inside = d.inside; primal = v; tangent = slope1 op d.primal v *: d.tangent }
  | Traced t ->
      let v = value1 op place t.value in
      let node = record t.on t.node (slope1 op t.value v) (-1) zero in
      Traced { on = t.on; value = v; node }
  | Series s -> Series { along = s.along; terms = series1 op place (length_of s.terms) s.terms }
  | v -> v

(* What the operators are made of. Places and names of operators come as strings of the program. *)

let refuse place who message v =
  fail (error_object (utf8_of place) (utf8_of who ^ ": " ^ message) (cons v Nil))

(* For the operators. *)
let refuse_text place who message v = refuse place who (utf8_of message) v

let counter = ref 0

let rec is_inexact_point v =
  if is_int v then false
  else
    match v with
    | Pair p -> is_inexact_point p.car || is_inexact_point p.cdr
    | Vec a ->
        let rec any i = i < length_of a && (is_inexact_point (get a i) || any (i + 1)) in
        any 0
    | Tensor t -> length_of t.parts = 0 || is_inexact_point (Vec t.parts)
    | _ -> Eshkol_num.is_number v && Eshkol_num.is_inexact "" v

(* A derivative at a point begins. *)
let open_level point =
  active_binary := binary;
  active_unary := unary;
  counter := !counter + 1;
  let inexact = is_inexact_point point in
  Level
    {
      tag = !counter;
      live = true;
      nothing = (if inexact then flo 0.0 else zero);
      nodes = 0;
      left = [||];
      right = [||];
      flat = inexact;
      by_left = [||];
      by_right = [||];
      slope_left = [||];
      slope_right = [||];
      blocks = [];
    }

let level_of v = match v with Level l -> l | _ -> fail (error_object "" "no derivative" Nil)
let close_level v = (level_of v).live <- false

let unit_of v = if Eshkol_num.is_number v && Eshkol_num.is_inexact "" v then flo 1.0 else one

let number place who v =
  if Eshkol_num.is_number v then v else refuse place who "the point is no number:" v

(* Forward mode: the point itself, or moving along a direction or an axis. *)

let dual level v t = Dual { inside = level; primal = v; tangent = t }
let start place who level x = dual (level_of level) (number place who x) (unit_of x)

(* A direction at a tensor is a tensor of its shape, or a vector or list of as many numbers. *)
let flat_direction t direction =
  match direction with
  | Tensor d -> if Eshkol_cells.same_shape t.shape d.shape then Vec (Eshkol_cells.items_of d) else Nil
  | Vec _ -> direction
  | _ -> Eshkol_cells.vector_of direction

let rec along place who level x direction =
  match (x, direction) with
  | Vec a, Vec d when length_of a = length_of d ->
      Vec (build (length_of a) (fun _ i -> along place who level (get a i) (get d i)))
  | Pair p, Pair d ->
      let first = along place who level p.car d.car in
      cons first (along place who level p.cdr d.cdr)
  | Nil, Nil -> Nil
  | Tensor t, _ -> (
      match along place who level (Vec (Eshkol_cells.items_of t)) (flat_direction t direction) with
      | Vec made -> Eshkol_cells.of_numbers t.shape made
      | other -> other)
  | _ ->
      if Eshkol_num.is_number x && Eshkol_num.is_number direction then dual (level_of level) x direction
      else refuse place who "the direction has another shape than the point:" direction

let items place who x =
  match x with
  | Vec a -> a
  | Tensor t -> Eshkol_cells.items_of t
  | Nil | Pair _ ->
      let n = list_length_from x 0 in
      let made = make n zero in
      let rec fill v i = match v with Pair p -> set made i p.car; fill p.cdr (i + 1) | _ -> () in
      fill x 0;
      made
  | _ -> refuse place who "the point is neither a vector nor a list:" x

(* In the shape of [x]. *)
let shaped x made =
  match x with
  | Vec _ -> Vec made
  | Tensor t -> Eshkol_cells.of_numbers t.shape made
  | _ ->
      let rec go i list = if i < 0 then list else go (i - 1) (cons (get made i) list) in
      go (length_of made - 1) Nil

let size place who x = of_int (length_of (items place who x))

let axis place who level x i =
  let a = items place who x in
  let i = to_int i in
  let move _ j = let v = number place who (get a j) in if j = i then dual (level_of level) v (unit_of v) else v in
  shaped x (build (length_of a) move)

(* The tangent of a number, or of those in a vector or list. *)
let rec tangent place who level v =
  let l = level_of level in
  match v with
  | Dual d ->
      if d.inside == l then d.tangent
      else if d.inside.tag > l.tag then
        dual d.inside (tangent place who level d.primal) (tangent place who level d.tangent)
      else l.nothing
  | Traced t when t.on.tag > l.tag -> tangent place who level t.value
  | Series s when s.along.tag > l.tag -> tangent place who level (get s.terms 0)
  | Vec a -> Vec (build (length_of a) (fun _ i -> tangent place who level (get a i)))
  | Tensor t -> Eshkol_cells.of_numbers t.shape (build (Eshkol_cells.count t) (fun _ i -> tangent place who level (Eshkol_cells.number_at t i)))
  | Pair p ->
      let first = tangent place who level p.car in
      cons first (tangent place who level p.cdr)
  | Nil -> Nil
  | v -> if Eshkol_num.is_number v then l.nothing else refuse place who "the function gave no number:" v

let component place who level y i =
  let a = match y with Vec _ | Pair _ | Tensor _ -> items place who y | _ -> refuse place who "the field gave no vector:" y in
  tangent place who level (get a (to_int i))

let check_field place who y n =
  match y with
  | Vec _ | Pair _ | Tensor _ ->
      if length_of (items place who y) <> to_int n then
        refuse place who "the field has another dimension than the point:" y
  | _ -> refuse place who "the field gave no vector:" y

(* Reverse mode *)

(* The elements of a tensor as variables. *)
let variable_tensor level t =
  let l = level_of level in
  let n = Eshkol_cells.count t in
  let leaf () = record l (-1) zero (-1) zero in
  if l.flat && length_of t.parts = 0 && t.on == Nil then begin
    let first = l.nodes in
    for _ = 1 to n do
      ignore (leaf ())
    done;
    Eshkol_cells.tensor t.shape t.cells [||] level first
  end
  else
    Eshkol_cells.tensor t.shape [||]
      (build n (fun _ i -> let value = Eshkol_cells.number_at t i in Traced { on = l; value; node = leaf () }))
      Nil 0

let rec variables place who level x =
  match x with
  | Vec a -> Vec (build (length_of a) (fun _ i -> variables place who level (get a i)))
  | Tensor t -> variable_tensor level t
  | Pair p ->
      let first = variables place who level p.car in
      cons first (variables place who level p.cdr)
  | Nil -> Nil
  | _ ->
      if Eshkol_num.is_number x then
        let l = level_of level in
        Traced { on = l; value = x; node = record l (-1) zero (-1) zero }
      else refuse place who "the point is no number, vector or list of numbers:" x

let adjoints level node count =
  let made = make count level.nothing in
  let last = if node < count - 1 then node else count - 1 in
  if level.flat then begin
    let sums = make level.nodes 0.0 in
    let blocks = ref level.blocks in
    set sums node 1.0;
    let left = level.left and right = level.right in
    let by_left = level.by_left and by_right = level.by_right in
    for i = node downto count do
      let s = get sums i in
      if get left i = block_mark then blocks := Eshkol_blocks.blocks_from i (fun block -> Eshkol_blocks.back_floats sums block) !blocks
      else if s <> 0.0 then begin
        let a = get left i and b = get right i in
        if a >= 0 then set sums a (get sums a +. (s *. get by_left i));
        if b >= 0 then set sums b (get sums b +. (s *. get by_right i))
      end
    done;
    for i = 0 to last do
      set made i (flo (get sums i))
    done
  end
  else begin
    let sums = make level.nodes zero in
    let blocks = ref level.blocks in
    set sums node one;
    let add i v = if i >= 0 then set sums i (get sums i +: v) in
    for i = node downto count do
      let s = get sums i in
      if get level.left i = block_mark then blocks := Eshkol_blocks.blocks_from i (fun block -> Eshkol_blocks.back_numbers sums block) !blocks
      else if not (Eshkol_num.is_exact_zero s) then begin
        if get level.left i >= 0 then add (get level.left i) (s *: get level.slope_left i);
        if get level.right i >= 0 then add (get level.right i) (s *: get level.slope_right i)
      end
    done;
    for i = 0 to last do
      set made i (get sums i +: level.nothing)
    done
  end;
  made

let rec leaves x =
  match x with
  | Vec a ->
      let rec go i n = if i >= length_of a then n else go (i + 1) (n + leaves (get a i)) in
      go 0 0
  | Pair p -> leaves p.car + leaves p.cdr
  | Tensor t -> Eshkol_cells.count t
  | Nil -> 0
  | _ -> 1

(* Derivatives of the number [y] in the shape of the point. *)
let gather place who level y x =
  let l = level_of level in
  let count = leaves x in
  let found =
    match seen_by l y with
    | Traced t when t.on == l -> adjoints l t.node count
    | v -> if Eshkol_num.is_number v then make count l.nothing else refuse place who "the function gave no number:" v
  in
  let next = ref 0 in
  let rec shape x =
    match x with
    | Vec a -> Vec (build (length_of a) (fun _ i -> shape (get a i)))
    | Pair p ->
        let first = shape p.car in
        cons first (shape p.cdr)
    | Tensor t -> Eshkol_cells.of_numbers t.shape (build (Eshkol_cells.count t) (fun _ _ -> shape zero))
    | Nil -> Nil
    | _ ->
        let i = !next in
        next := i + 1;
        get found i
  in
  shape x

(* Rows of derivatives at a tensor are a matrix. *)
let stacked x rows =
  match x, rows with
  | Tensor t, Vec rows ->
      let columns = Eshkol_cells.count t in
      let numbers row = match row with Tensor r -> Eshkol_cells.items_of r | _ -> [||] in
      let all = build (length_of rows * columns) (fun _ _ -> zero) in
      for i = 0 to length_of rows - 1 do
        blit (numbers (get rows i)) 0 all (i * columns) columns
      done;
      Eshkol_cells.of_numbers [| length_of rows; columns |] all
  | _ -> rows

let jacobian place who level y x =
  match y with
  | Vec _ | Pair _ | Tensor _ ->
      let rows = items place who y in
      let made = Vec (build (length_of rows) (fun _ i -> gather place who level (get rows i) x)) in
      stacked x made
  | _ -> refuse place who "the function gave no vector:" y

let value_of level y = match seen_by (level_of level) y with Traced t when t.on == level_of level -> t.value | v -> v

(* Power series *)

let series place who level x order =
  let l = level_of level in
  let n = if is_int order && to_int order >= 0 then to_int order else refuse place who "the order is no natural number:" order in
  let x = number place who x in
  Series { along = l; terms = build (n + 1) (fun _ i -> if i = 0 then x else if i = 1 then unit_of x else l.nothing) }

let axis_series place who level x i order =
  let a = items place who x in
  let move _ j = let v = number place who (get a j) in if j = to_int i then series place who level v order else v in
  shaped x (build (length_of a) move)

let coefficients place who level y order =
  let l = level_of level in
  let n = to_int order + 1 in
  match seen_by l y with
  | Series s when s.along == l -> Vec (build n (fun _ i -> if i < length_of s.terms then get s.terms i else l.nothing))
  | v ->
      if Eshkol_num.is_number v then Vec (build n (fun _ i -> if i = 0 then v else l.nothing))
      else refuse place who "the function gave no number:" v

(* Rules that the program gives *)

let innermost args =
  let rec go list best =
    match list with Pair p -> go p.cdr (if tag_of p.car > tag_of best then p.car else best) | _ -> best
  in
  match go args zero with
  | Dual d -> Level d.inside
  | Traced t -> Level t.on
  | Series s -> Level s.along
  | _ -> False

let primal_in level v = if tag_of v = (level_of level).tag then primal v else v

(* Of power series the rule is taken along the whole series. *)
let is_series level args =
  let rec go list = match list with Pair p -> (match p.car with Series s when s.along == level_of level -> true | _ -> go p.cdr) | _ -> false in
  go args

let combine place who level value args slopes =
  let l = level_of level in
  let check v =
    if not (Eshkol_num.is_number v) then refuse place who "the rule gave no number:" v
    else if (not (is_series level args)) && tag_of v >= l.tag then
      refuse place who "the rule depends on another number that is being differentiated:" (ground v)
  in
  let total = ref Absent in
  let add v = total := match !total with Absent -> v | sum -> sum +: v in
  check value;
  let rec go args slopes =
    match (args, slopes) with
    | Pair a, Pair s ->
        check s.car;
        (match a.car with
        | Dual d when d.inside == l -> add (s.car *: d.tangent)
        | Traced t when t.on == l ->
            let previous = match !total with Absent -> (-1) | v -> to_int v in
            total := of_int (record l t.node s.car previous one)
        | Series x when x.along == l ->
            let n = length_of x.terms and slope = terms_in l s.car in
            add (Series { along = l; terms = integral n zero x.terms (fun _ i -> at slope i) })
        | _ -> ());
        go a.cdr s.cdr
    | _ -> ()
  in
  go args slopes;
  if l.nodes > 0 then Traced { on = l; value; node = to_int !total }
  else match !total with Series _ as s -> value +: s | t -> dual l value t

(* A number with the names of two derivatives exchanged. *)
let rec exchanged first second v =
  match v with
  | Dual d ->
      let a = level_of first and b = level_of second in
      let level = if d.inside == a then b else if d.inside == b then a else d.inside in
      exchanged first second d.primal +: (exchanged first second d.tangent *: dual level zero one)
  | _ -> v

let procedure_name f =
  match f with
  | P0 (_, n) | P1 (_, n) | P2 (_, n) | P3 (_, n) | P4 (_, n) | PN (_, _, _, n) | PK (_, _, _, n) | PCase (_, n) ->
      if n = "" then "the function" else n
  | _ -> "the function"

let takes f count =
  match f with
  | PCase (clauses, _) ->
      let rec any l = match l with Pair p -> case_accepts p.car count || any p.cdr | _ -> false in
      any clauses
  | Cont _ | Exit _ | Param _ -> true
  | _ -> case_accepts f count

(* Whether a procedure takes the coordinates of the point as arguments, and not the point itself. *)
let takes_coordinates place who f x =
  (not (takes f 1))
  &&
  match x with
  | Vec _ | Pair _ | Tensor _ ->
      let n = length_of (items place who x) in
      takes f n
      || refuse place who (procedure_name f ^ " takes neither the point nor its " ^ string_of_int n ^ " coordinates:") f
         == True
  | _ -> false

let coordinates place who x = shaped Nil (items place who x)

(* Whether a procedure can be called with so many arguments. *)
let callable place who f count =
  let count = to_int count in
  if not (is_procedure f) then refuse place who "expected a procedure, but got" f
  else if not (takes f count) then
    refuse place who (procedure_name f ^ " does not take " ^ string_of_int count ^ " argument" ^ plural count ^ ":") f
