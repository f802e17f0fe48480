(* The tape of reverse mode. The pass [differentiate] calls [create] and what makes nodes, the
   operators of [Ad] the others. Its floats are the numbers outside of the derivative, and
   may carry derivatives themselves. Nothing but primitives is used: these functions come before all
   others in a program.

   A node is a number of the computation; its edges lead to the numbers that it was computed
   from, with the partial derivatives. The edges of a node stand together on the tape, in the order of the
   nodes, whose numbers count on through all derivatives that the program takes: a number below [first] belongs to an
   earlier one, or is 0 for a constant, and has no derivative in this one. *)

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
[@@known tape_more_floats]

let[@inline never] [@cold] more_ints (old : int array) needed : int array =
  let items = uninit (larger (length old) needed) in
  blit old 0 items 0 (length old);
  items
[@@known tape_more_ints]

let[@inline never] [@cold] more_arrays (old : float array array) needed =
  let items = make (larger (length old) needed) ([||] : float array) in
  blit old 0 items 0 (length old);
  items
[@@known tape_more_arrays]

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
[@@known tape_items]

(* Room that is made for loops in loops before they begin: an exception may end them early. *)
let[@inline] expected items = if items > 262144 then 262144 else items [@@known tape_expected]

(* The tape is made of chunks: a full one stays where it is, and the next one goes on with the numbers. So a
   long tape is never copied, and takes what it holds. The edges of one node are in one chunk.

   Fields that do not change are read without counting references. *)
type chunk = {
  (* Four times the node that each edge leads to, and 1 if it is the last edge of its node, and 2 if it
     is the first one and the node before is a term of this node. *)
  targets : int array;
  weights : float array;
  (* How many edges they have room for. *)
  room : int;
  (* How many they hold, once the tape has gone on to the next chunk. *)
  mutable filled : int;
}

type tape = {
  (* The chunk that is being filled: its place among all, and how many edges it holds. *)
  mutable chunk : chunk;
  mutable place : int;
  mutable edges : int;
  (* The number of the next node, and the first one of this derivative. *)
  mutable nodes : int;
  mutable first : int;
  (* All of them: those behind the one that is being filled are used again. *)
  mutable chunks : chunk array;
  mutable known : int;
  (* Of each node. Zero outside of a sweep, except the first ones: those of the inputs of the last sweep. *)
  mutable adjoints : float array;
  mutable dirty : int;
}

(* Chunks grow to this many edges, which the caches of a processor hold while they are filled. *)
let[@inline] largest () = 8192

(* So many chunks, and adjoints, are kept for the next derivative. *)
let[@inline] kept_chunks () = 512
let[@inline] kept_adjoints () = 2097152

(* Numbers that carry derivatives are objects, and a place must hold one before another is stored there. *)
let[@inline] new_chunk room =
  { targets = uninit room; weights = make room 0.0; room; filled = 0 }

let create () =
  let chunk = new_chunk 128 in
  {
    chunk;
    place = 0;
    edges = 0;
    nodes = 1;
    first = 1;
    chunks = make 1 chunk;
    known = 1;
    adjoints = make 1 0.0;
    dirty = 0;
  }
[@@known tape_create]

(* The chunk of this place with room for [count] edges: an earlier derivative's, or a new one. *)
let chunk_at tape place count wanted =
  let old = tape.chunks in
  if place < tape.known then
    if (get old place).room >= count then get old place
    else begin
      let chunk = new_chunk count in
      set old place chunk;
      chunk
    end
  else begin
    let chunk = new_chunk (if wanted > count then wanted else count) in
    if place >= length old then begin
      let chunks = make (2 * length old) chunk in
      blit old 0 chunks 0 (length old);
      tape.chunks <- chunks
    end
    else set old place chunk;
    tape.known <- place + 1;
    chunk
  end

(* Goes on to the next chunk. *)
let[@inline never] [@cold] next tape count =
  let full = tape.chunk in
  let twice = 2 * full.room in
  full.filled <- tape.edges;
  tape.edges <- 0;
  tape.place <- tape.place + 1;
  let chunk = chunk_at tape tape.place count (if twice > largest () then largest () else twice) in
  tape.chunk <- chunk;
  chunk

(* The chunk that the next [count] edges go to. *)
let[@inline] room_for tape count =
  let chunk = tape.chunk in
  if tape.edges + count > chunk.room then next tape count else chunk
[@@known tape_room_for]

(* Forgets all nodes and makes [inputs] new ones, which have no edges; answers the first. A node that nobody
   refers to stands between them and the others, so that no sum goes on from an input. *)
let start tape inputs =
  let first = tape.nodes in
  tape.first <- first;
  tape.nodes <- first + inputs + 1;
  tape.edges <- 0;
  tape.place <- 0;
  tape.chunk <- get tape.chunks 0;
  first

(* A short tape is used again; the end of a long one is given back. *)
let finish tape =
  if tape.known > kept_chunks () then begin
    let first = get tape.chunks 0 in
    let chunks = make (kept_chunks ()) first in
    blit tape.chunks 1 chunks 1 (kept_chunks () - 1);
    tape.chunks <- chunks;
    tape.known <- kept_chunks ();
    tape.edges <- 0;
    tape.place <- 0;
    tape.chunk <- first
  end;
  if length tape.adjoints > kept_adjoints () then begin
    tape.adjoints <- make 1 0.0;
    tape.dirty <- 0
  end

(* The parts of a node. [differentiate] makes a function for each number of edges from them:

   push a u b v    let c = room_for tape 2 in let at = edges tape in
                   edge c at a u 0; edge c (at + 1) b v 1; close tape (at + 1)

   For a sum, where the term before the edges is the last node, that one takes no edge: so the sum
   of a loop takes as many edges as it has terms. *)

let[@inline] edges tape = tape.edges [@@known tape_edges]

(* [kind] is 1 for the last edge of a node, 2 for the first one after a term without edge, 3 for both. *)
let[@inline] edge chunk at node weight kind =
  set chunk.targets at ((4 * node) + kind);
  set chunk.weights at weight
[@@known tape_edge]

let[@inline] close tape last =
  let node = tape.nodes in
  tape.edges <- last + 1;
  tape.nodes <- node + 1;
  node
[@@known tape_close]

let[@inline] is_last tape node = node = tape.nodes - 1 [@@known tape_is_last]

(* How many nodes there are. *)
let[@inline] total tape = tape.nodes - tape.first

(* Makes room for the adjoints, all of them zero. *)
let clear tape inputs =
  let total = total tape in
  if length tape.adjoints < total then tape.adjoints <- make (total + (total / 8)) 0.0
  else begin
    let adjoints = tape.adjoints in
    for i = 0 to tape.dirty - 1 do
      set adjoints i 0.0
    done
  end;
  tape.dirty <- inputs

(* Adds to the adjoint of a node; a constant has none. *)
let seed tape node by =
  let i = node - tape.first in
  if i >= 0 then set tape.adjoints i (get tape.adjoints i +. by)

let adjoint tape node =
  let i = node - tape.first in
  if i >= 0 then get tape.adjoints i else 0.0

(* The edges of one chunk from the last to the first. [node] is the one after that of the last edge, counted from the
   first of this derivative; [term] is what it passes to the one before as its term. An adjoint that is zero is not
   passed on, so that infinite partial derivatives of unused numbers do no harm. Answers both for the chunk before. *)
let sweep_chunk tape chunk last node term =
  let { targets; weights; _ } = chunk in
  let adjoints = tape.adjoints and first = tape.first in
  let rec loop at current node term =
    if at >= 0 then begin
      let target = get targets at in
      let ends = target land 1 in
      let node = node - ends in
      let current =
        if ends = 1 then begin
          let own = get adjoints node in
          set adjoints node 0.0;
          own +. term
        end
        else current
      in
      let from = (target asr 2) - first in
      if is_zero current then ()
      else if from >= 0 then
        set adjoints from (get adjoints from +. (current *. get weights at));
      loop (at - 1) current node (if target land 2 = 2 then current else 0.0)
    end
    else (node, term)
  in
  loop last 0.0 node term

(* From the results back to the inputs. *)
let sweep tape =
  let rec loop place last node term =
    match sweep_chunk tape (get tape.chunks place) last node term with
    | node, term ->
        if place > 0 then loop (place - 1) ((get tape.chunks (place - 1)).filled - 1) node term
  in
  loop tape.place (tape.edges - 1) (total tape) 0.0

(* The same from the first to the last edge, for tangents. Answers the node that comes next. *)
let sweep_chunk_forward tape chunk edges node =
  let { targets; weights; _ } = chunk in
  let adjoints = tape.adjoints and first = tape.first in
  let rec loop at node sum =
    if at < edges then begin
      let target = get targets at in
      let sum = if target land 2 = 2 then sum +. get adjoints (node - 1) else sum in
      let from = (target asr 2) - first in
      let sum = if from >= 0 then sum +. (get adjoints from *. get weights at) else sum in
      if target land 1 = 1 then begin
        set adjoints node sum;
        loop (at + 1) (node + 1) 0.0
      end
      else loop (at + 1) node sum
    end
    else node
  in
  loop 0 node 0.0

(* From the inputs, whose tangents stand in [adjoints], to the results, whose tangents replace
   their adjoints until [wipe]. *)
let sweep_forward tape inputs =
  let rec loop place node =
    let chunk = get tape.chunks place in
    let edges = if place = tape.place then tape.edges else chunk.filled in
    let node = sweep_chunk_forward tape chunk edges node in
    if place < tape.place then loop (place + 1) node
  in
  loop 0 (inputs + 1)

let wipe tape =
  let adjoints = tape.adjoints in
  for i = 0 to total tape - 1 do
    set adjoints i 0.0
  done

(* Taylor series: numbers inside of [Ad.taylor] are the coefficients of a power series. A shorter
   series has zeros for the rest, which are not multiplied with: the other factor may be infinite. *)

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
external hypot : float -> float -> float = "%float.hypot"

(* Comparisons see the value alone. *)
external equal : float -> float -> bool = "%eq"

let[@inline] coefficient a i = if i < length a then get a i else 0.0
let[@inline] longer a b = if length a > length b then length a else length b
let[@inline] larger_of (a : int) b = if a > b then a else b
let[@inline] smaller_of (a : int) b = if a > b then b else a

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

let taylor_slope a = coefficient a 1 [@@known taylor_slope]

let taylor_is_zero a =
  let rec loop i = if i < length a then if is_zero (get a i) then loop (i + 1) else false else true in
  loop 0
[@@known taylor_is_zero]

let taylor_add a b =
  series (longer a b) (get a 0 +. get b 0) (fun _ k -> coefficient a k +. coefficient b k)
[@@known taylor_add]

let taylor_sub a b =
  series (longer a b) (get a 0 -. get b 0) (fun _ k -> coefficient a k -. coefficient b k)
[@@known taylor_sub]

let taylor_neg a = series (length a) (-.get a 0) (fun _ k -> -.get a k) [@@known taylor_neg]

let taylor_mul a b =
  series (longer a b)
    (get a 0 *. get b 0)
    (fun _ k ->
      sum (larger_of 0 (k - length b + 1)) (smaller_of k (length a - 1)) (fun i -> get a i *. get b (k - i)))
[@@known taylor_mul]

let taylor_div a b =
  series (longer a b)
    (get a 0 /. get b 0)
    (fun v k ->
      (coefficient a k -. sum 1 (smaller_of k (length b - 1)) (fun i -> get b i *. get v (k - i))) /. get b 0)
[@@known taylor_div]

(* The series that begins with [first] and whose derivative is [w] times that of [a]. *)
let taylor_integrate first w a =
  series (length a) first (fun _ k ->
      sum (larger_of 1 (k - length w + 1)) k (fun i -> float i *. get a i *. get w (k - i)) /. float k)
[@@known taylor_integrate]

(* The exponential of [a], whose first coefficient is given. *)
let[@inline] exponential first a =
  series (length a) first (fun v k -> sum 1 k (fun i -> float i *. get a i *. get v (k - i)) /. float k)

let taylor_exp a = exponential (exp (get a 0)) a [@@known taylor_exp]

(* Two series, each of which is the derivative of the other, up to the sign of the second. *)
let[@inline] pair a first second sign =
  let n = length a in
  let s = make n first and c = make n second in
  for k = 1 to n - 1 do
    set s k (sum 1 k (fun i -> float i *. get a i *. get c (k - i)) /. float k);
    set c k (sign *. sum 1 k (fun i -> float i *. get a i *. get s (k - i)) /. float k)
  done;
  (s, c)

let taylor_sin a = match pair a (sin (get a 0)) (cos (get a 0)) (-1.0) with s, _ -> s [@@known taylor_sin]
let taylor_cos a = match pair a (sin (get a 0)) (cos (get a 0)) (-1.0) with _, c -> c [@@known taylor_cos]
let taylor_sinh a = match pair a (sinh (get a 0)) (cosh (get a 0)) 1.0 with s, _ -> s [@@known taylor_sinh]
let taylor_cosh a = match pair a (sinh (get a 0)) (cosh (get a 0)) 1.0 with _, c -> c [@@known taylor_cosh]

let taylor_tanh a =
  let slope v m =
    let square = sum 0 m (fun i -> get v i *. get v (m - i)) in
    if m = 0 then 1.0 -. square else -.square
  in
  series (length a)
    (tanh (get a 0))
    (fun v k -> sum 1 k (fun i -> float i *. get a i *. slope v (k - i)) /. float k)
[@@known taylor_tanh]

(* At 0 a power is the binomial series in the rest [a - a0] of the series: the terms with a factor or a power of the
   rest that is zero are left out, since powers of 0 may be infinite. *)
let power_at_zero first r a =
  let n = length a in
  let v = series n first (fun _ _ -> 0.0) in
  let rest = series n 0.0 (fun _ k -> get a k) in
  let rec add j factor power =
    if j < n then
      if is_zero factor then ()
      else begin
        let by = factor *. (get a 0 ** (r -. float j)) in
        for k = j to n - 1 do
          let p = get power k in
          if is_zero p then () else set v k (get v k +. (by *. p))
        done;
        add (j + 1) (factor *. (r -. float j) /. float (j + 1)) (taylor_mul power rest)
      end
  in
  add 1 r rest;
  v

(* A power with the exponent [r], where [first] is the power of the first coefficient. *)
let power first r a =
  if equal (get a 0) 0.0 then power_at_zero first r a
  else
    series (length a) first (fun v k ->
        sum 1 k (fun i ->
            ((r *. float i) -. float (k - i)) *. get a i *. get v (k - i))
        /. (float k *. get a 0))

let taylor_sqrt a = power (sqrt (get a 0)) 0.5 a [@@known taylor_sqrt]
let taylor_cbrt a = power (cbrt (get a 0)) (1.0 /. 3.0) a [@@known taylor_cbrt]

(* Without squares, which may be infinite or too small. At 0 all derivatives are taken to be 0. *)
let taylor_hypot a b =
  let first = hypot (get a 0) (get b 0) in
  let at_zero = equal first 0.0 in
  series (longer a b) first (fun v k ->
      if at_zero then 0.0
      else begin
        let own c i = coefficient c i *. (coefficient c (k - i) /. first) in
        (sum 1 k (fun i -> float i *. (own a i +. own b i))
        -. sum 1 (k - 1) (fun i -> float i *. own v i))
        /. float k
      end)
[@@known taylor_hypot]

(* Exponents that are small whole numbers are products. At 0 a power is constant in its exponent. *)
let taylor_pow a b =
  let r = get b 0 in
  let rec constant i = if i < length b then if is_zero (get b i) then constant (i + 1) else false else true in
  if equal (get a 0) 0.0 then power_at_zero (get a 0 ** r) r a
  else if constant 1 then begin
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
  else begin
    let inverse = taylor_div [| 1.0 |] a in
    let logarithm = taylor_integrate (log (get a 0)) inverse a in
    exponential (get a 0 ** r) (taylor_mul b logarithm)
  end
[@@known taylor_pow]
