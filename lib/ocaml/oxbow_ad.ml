(* The tape of reverse mode. The pass [differentiate] calls [create] and what makes nodes, the
   operators of [Ad] the others. Its floats are the numbers outside of the derivative, and
   may carry derivatives themselves. Nothing but primitives is used: these functions come before all
   others in a program.

   A node is a number of the computation; its edges lead to the numbers that it was computed
   from, with the partial derivatives. The edges of a node stand together on the tape, and the place of the
   last one is the number of the node, counted on through all derivatives that the program takes: a
   number below [base] belongs to an earlier one, or is 0 for a constant, and has no derivative in
   this one. *)

external ( + ) : int -> int -> int = "%int.add"
external ( - ) : int -> int -> int = "%int.sub"
external ( * ) : int -> int -> int = "%int.mul"
external ( / ) : int -> int -> int = "%int.unsafe_div"
external ( land ) : int -> int -> int = "%int.and"
external ( asr ) : int -> int -> int = "%int.asr"
external ( = ) : int -> int -> bool = "%eq"
external ( < ) : int -> int -> bool = "%lt"
external ( > ) : int -> int -> bool = "%gt"
external ( >= ) : int -> int -> bool = "%ge"
external ( +. ) : float -> float -> float = "%float.add"
external ( *. ) : float -> float -> float = "%float.mul"
external length : 'a array -> int = "%array.length"
external get : 'a array -> int -> 'a = "%array.unsafe_get"
external set : 'a array -> int -> 'a -> unit = "%array.unsafe_set"
external make : int -> 'a -> 'a array = "%array.unsafe_make"
external uninit : int -> 'a array = "%array.unsafe_uninit"
external blit : 'a array -> int -> 'a array -> int -> int -> unit = "%array.unsafe_blit"
external is_zero : float -> bool = "%ad.is_zero"

(* Stacks of gradients that are written out as code: a larger one with the same items, with room for
   [needed]. The first time that is all that it gets, since loops say how much they need. *)

let[@inline] larger length needed =
  let twice = 2 * length in
  (if needed > twice then needed else twice) + 64

let[@inline never] [@cold] more_floats (old : float array) needed : float array =
  let items = uninit (larger (length old) needed) in
  blit old 0 items 0 (length old);
  items

let[@inline never] [@cold] more_ints (old : int array) needed : int array =
  let items = uninit (larger (length old) needed) in
  blit old 0 items 0 (length old);
  items

let[@inline never] [@cold] more_arrays (old : float array array) needed =
  let items = make (larger (length old) needed) ([||] : float array) in
  blit old 0 items 0 (length old);
  items

(* How many items a loop from [low] to [high] keeps. A number that no machine has room for is as good as any other:
   the product must not begin anew at small ones. *)
let[@inline] items low high each =
  let limit = 0x4000000000000 in
  if low > high then 0
  else if each > 0 then begin
    let rounds = high - low + 1 in
    if 1 > rounds then limit else if rounds > limit / each then limit else rounds * each
  end
  else 0

(* Room that is made for loops in loops before they begin: an exception may end them early. *)
let[@inline] expected items = if items > 262144 then 262144 else items

(* Fields that do not change are read without counting references. *)
type buffers = {
  (* Four times the node that each edge leads to, and 1 if it is the last edge of its node, and 2 if it
     is the first one and the node before is a term of this node. *)
  targets : int array;
  weights : float array;
  (* How many edges they hold. *)
  room : int;
}

type tape = {
  mutable buffers : buffers;
  mutable edges : int;
  mutable base : int;
  (* Zero outside of a sweep, except the first ones: those of the inputs of the last sweep. *)
  mutable adjoints : float array;
  mutable dirty : int;
}

let create () =
  {
    buffers = { targets = make 128 0; weights = make 128 0.0; room = 128 };
    edges = 0;
    base = 1;
    adjoints = make 1 0.0;
    dirty = 0;
  }

let grow tape count =
  let used = tape.edges and old = tape.buffers in
  let room = (2 * used) + count + 1 in
  let targets = make room 0 and weights = make room 0.0 in
  blit old.targets 0 targets 0 used;
  blit old.weights 0 weights 0 used;
  let buffers = { targets; weights; room } in
  tape.buffers <- buffers;
  buffers

(* The buffers, with room for [count] edges from [at] on. *)
let[@inline] buffers tape at count =
  let buffers = tape.buffers in
  if at + count > buffers.room then grow tape count else buffers

(* Forgets all nodes and makes [inputs] new ones; answers the first. A node that nobody
   refers to stands between them and the others. *)
let start tape inputs =
  tape.base <- tape.base + tape.edges;
  tape.edges <- 0;
  let { targets; weights; _ } = buffers tape 0 (inputs + 1) in
  set targets inputs 1;
  set weights inputs 0.0;
  tape.edges <- inputs + 1;
  tape.base

(* A long tape is given back; a short one is used again. *)
let finish tape =
  if tape.buffers.room > 65536 then begin
    tape.base <- tape.base + tape.edges;
    tape.edges <- 0;
    tape.buffers <- { targets = make 128 0; weights = make 128 0.0; room = 128 };
    tape.adjoints <- make 1 0.0;
    tape.dirty <- 0
  end

(* The parts of a node. [differentiate] makes a function for each number of edges from them:

   push a u b v    let at = edges tape in let b = buffers tape at 2 in
                   edge b at a u 0; edge b (at + 1) b v 1; close tape (at + 1)

   For a sum, where the term before the edges is the last node, that one takes no edge: so the sum
   of a loop takes as many edges as it has terms. *)

let[@inline] edges tape = tape.edges

(* [kind] is 1 for the last edge of a node, 2 for the first one after a term without edge, 3 for both. *)
let[@inline] edge buffers at node weight kind =
  set buffers.targets at ((4 * node) + kind);
  set buffers.weights at weight

let[@inline] close tape last =
  tape.edges <- last + 1;
  tape.base + last

let[@inline] is_last tape at node = node = tape.base + at - 1

(* Makes room for the adjoints, all of them zero. *)
let clear tape inputs =
  if length tape.adjoints < tape.edges then tape.adjoints <- make tape.buffers.room 0.0
  else begin
    let adjoints = tape.adjoints in
    for i = 0 to tape.dirty - 1 do
      set adjoints i 0.0
    done
  end;
  tape.dirty <- inputs

(* Adds to the adjoint of a node; a constant has none. *)
let seed tape node by =
  let i = node - tape.base in
  if i >= 0 then set tape.adjoints i (get tape.adjoints i +. by)

let adjoint tape node =
  let i = node - tape.base in
  if i >= 0 then get tape.adjoints i else 0.0

(* From the results back to the inputs. [term] is what the node after this one passes to it
   as its term. An adjoint that is zero is not passed on, so that infinite partial derivatives of unused
   numbers do no harm. *)
let sweep tape inputs =
  let { targets; weights; _ } = tape.buffers in
  let adjoints = tape.adjoints and base = tape.base in
  let rec loop at current term =
    if at >= inputs then begin
      let target = get targets at in
      let current =
        if target land 1 = 1 then begin
          let own = get adjoints at in
          set adjoints at 0.0;
          own +. term
        end
        else current
      in
      let node = (target asr 2) - base in
      if is_zero current then ()
      else if node >= 0 then
        set adjoints node (get adjoints node +. (current *. get weights at));
      loop (at - 1) current (if target land 2 = 2 then current else 0.0)
    end
  in
  loop (tape.edges - 1) 0.0 0.0

(* From the inputs, whose tangents stand in [adjoints], to the results, whose tangents replace
   their adjoints until [wipe]. *)
let sweep_forward tape inputs =
  let { targets; weights; _ } = tape.buffers in
  let adjoints = tape.adjoints and base = tape.base and edges = tape.edges in
  let rec loop at sum =
    if at < edges then begin
      let target = get targets at in
      let sum = if target land 2 = 2 then sum +. get adjoints (at - 1) else sum in
      let node = (target asr 2) - base in
      let sum = if node >= 0 then sum +. (get adjoints node *. get weights at) else sum in
      if target land 1 = 1 then begin
        set adjoints at sum;
        loop (at + 1) 0.0
      end
      else loop (at + 1) sum
    end
  in
  loop inputs 0.0

let wipe tape =
  let adjoints = tape.adjoints in
  for i = 0 to tape.edges - 1 do
    set adjoints i 0.0
  done

(* Taylor series: numbers inside of [Ad.taylor] are the coefficients of a power series. A shorter
   series has zeros for the rest. *)

external ( -. ) : float -> float -> float = "%float.sub"
external ( /. ) : float -> float -> float = "%float.div"
external ( ~-. ) : float -> float = "%float.neg"
external ( ** ) : float -> float -> float = "%float.pow"
external float : int -> float = "%int.to_float"
external truncate : float -> int = "%float.to_int"
external exp : float -> float = "%float.exp"
external log : float -> float = "%float.log"
external sqrt : float -> float = "%float.sqrt"
external cbrt : float -> float = "%float.cbrt"
external sin : float -> float = "%float.sin"
external cos : float -> float = "%float.cos"
external sinh : float -> float = "%float.sinh"
external cosh : float -> float = "%float.cosh"
external tanh : float -> float = "%float.tanh"

let[@inline] coefficient a i = if i < length a then get a i else 0.0
let[@inline] longer a b = if length a > length b then length a else length b

(* The sum of [term i] for [i] from [first] to [last]. *)
let[@inline] sum first last term =
  let rec loop i total = if i > last then total else loop (i + 1) (total +. term i) in
  loop first 0.0

(* [n] coefficients: the first is given, each later one is computed from those before. *)
let[@inline] series n first next =
  let v = make n first in
  for k = 1 to n - 1 do
    set v k (next v k)
  done;
  v

let taylor_slope a = coefficient a 1

let taylor_is_zero a =
  let rec loop i = if i < length a then if is_zero (get a i) then loop (i + 1) else false else true in
  loop 0

let taylor_add a b =
  series (longer a b) (get a 0 +. get b 0) (fun _ k -> coefficient a k +. coefficient b k)

let taylor_sub a b =
  series (longer a b) (get a 0 -. get b 0) (fun _ k -> coefficient a k -. coefficient b k)

let taylor_neg a = series (length a) (-.get a 0) (fun _ k -> -.get a k)

let taylor_mul a b =
  series (longer a b)
    (get a 0 *. get b 0)
    (fun _ k -> sum 0 k (fun i -> coefficient a i *. coefficient b (k - i)))

let taylor_div a b =
  series (longer a b)
    (get a 0 /. get b 0)
    (fun v k ->
      (coefficient a k -. sum 1 k (fun i -> coefficient b i *. get v (k - i))) /. get b 0)

(* The series that begins with [first] and whose derivative is [w] times that of [a]. *)
let taylor_integrate first w a =
  series (length a) first (fun _ k ->
      sum 1 k (fun i -> float i *. get a i *. coefficient w (k - i)) /. float k)

let taylor_exp a =
  series (length a)
    (exp (get a 0))
    (fun v k -> sum 1 k (fun i -> float i *. get a i *. get v (k - i)) /. float k)

(* Two series, each of which is the derivative of the other, up to the sign of the second. *)
let[@inline] pair a first second sign =
  let n = length a in
  let s = make n first and c = make n second in
  for k = 1 to n - 1 do
    set s k (sum 1 k (fun i -> float i *. get a i *. get c (k - i)) /. float k);
    set c k (sign *. sum 1 k (fun i -> float i *. get a i *. get s (k - i)) /. float k)
  done;
  (s, c)

let taylor_sin a = match pair a (sin (get a 0)) (cos (get a 0)) (-1.0) with s, _ -> s
let taylor_cos a = match pair a (sin (get a 0)) (cos (get a 0)) (-1.0) with _, c -> c
let taylor_sinh a = match pair a (sinh (get a 0)) (cosh (get a 0)) 1.0 with s, _ -> s
let taylor_cosh a = match pair a (sinh (get a 0)) (cosh (get a 0)) 1.0 with _, c -> c

let taylor_tanh a =
  let slope v m =
    let square = sum 0 m (fun i -> get v i *. get v (m - i)) in
    if m = 0 then 1.0 -. square else -.square
  in
  series (length a)
    (tanh (get a 0))
    (fun v k -> sum 1 k (fun i -> float i *. get a i *. slope v (k - i)) /. float k)

(* A power with the exponent [r], where [first] is the power of the first coefficient. *)
let power first r a =
  series (length a) first (fun v k ->
      sum 1 k (fun i ->
          ((r *. float i) -. float (k - i)) *. get a i *. get v (k - i))
      /. (float k *. get a 0))

let taylor_sqrt a = power (sqrt (get a 0)) 0.5 a
let taylor_cbrt a = power (cbrt (get a 0)) (1.0 /. 3.0) a

(* Exponents that are small whole numbers are products, which hold at 0 as well. *)
let taylor_pow a b =
  let r = get b 0 in
  if length b > 1 then begin
    let inverse = taylor_div [| 1.0 |] a in
    let logarithm = taylor_integrate (log (get a 0)) inverse a in
    taylor_exp (taylor_mul b logarithm)
  end
  else begin
    let n = truncate r in
    let whole = is_zero (r -. float n) in
    if if whole then if n >= 0 then n < 1024 else false else false then begin
      let rec product n =
        if n = 0 then [| 1.0 |]
        else
          let half = product (n asr 1) in
          let square = taylor_mul half half in
          if n land 1 = 1 then taylor_mul a square else square
      in
      product n
    end
    else power (get a 0 ** r) r a
  end
