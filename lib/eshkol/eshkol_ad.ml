(* Derivatives of procedures on numbers of any kind.

   A number inside of a derivative knows the derivative that it belongs to and carries, in forward mode, its
   tangent; in reverse mode, its node on a tape; for derivatives of high order, the terms of a power
   series. Its primal value may itself be inside of a derivative that began earlier. An operation on two
   numbers takes place in the innermost derivative of both, to which numbers of outer ones are
   constants; so tangents of nested derivatives are never confused. The operators are in
   [calculus.esk]. *)

open Eshkol_value
open Eshkol_rules
open Eshkol_series
open Eshkol_tape

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
        else if op = 4 && is_nothing (tangent b) then by_first op p q *: tangent a
        else (by_first op p q *: tangent a) +: (by_second op p q v *: tangent b)
  in
  Dual { inside = level; primal = v; tangent = t }

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
      chunk = no_chunk;
      filled = 0;
      full = [];
      flat = inexact;
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
    Eshkol_cells.tensor t.shape t.cells [||] level (begin_block l n)
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
