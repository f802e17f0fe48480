(* The tape of reverse mode. The pass [differentiate] calls [create] and the [push] functions, the
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
external blit : 'a array -> int -> 'a array -> int -> int -> unit = "%array.unsafe_blit"
external is_zero : float -> bool = "%ad.is_zero"

type tape = {
  (* Four times the node that each edge leads to, and 1 if it is the last edge of its node, and 2 if it
     is the first one and the node before is a term of this node. *)
  mutable targets : int array;
  mutable weights : float array;
  mutable edges : int;
  mutable base : int;
  (* Zero outside of a sweep, except those of the inputs. *)
  mutable adjoints : float array;
}

let create () =
  { targets = make 128 0; weights = make 128 0.0; edges = 0; base = 1; adjoints = make 1 0.0 }

(* Room for [count] edges more. *)
let grow tape count =
  let used = tape.edges in
  let size = (2 * used) + count + 1 in
  let targets = make size 0 and weights = make size 0.0 in
  blit tape.targets 0 targets 0 used;
  blit tape.weights 0 weights 0 used;
  tape.targets <- targets;
  tape.weights <- weights

(* Forgets all nodes and makes [inputs] new ones; the first is [tape.base]. A node that nobody
   refers to stands between them and the others. *)
let start tape inputs =
  tape.base <- tape.base + tape.edges;
  tape.edges <- 0;
  if inputs >= length tape.targets then grow tape inputs;
  set tape.targets inputs 1;
  set tape.weights inputs 0.0;
  tape.edges <- inputs + 1

let[@inline] edge tape at node weight =
  set tape.targets at (4 * node);
  set tape.weights at weight

(* The last edge of a node: answers the node. *)
let[@inline] last_edge tape at node weight =
  set tape.targets at ((4 * node) + 1);
  set tape.weights at weight;
  tape.edges <- at + 1;
  tape.base + at

let push1 tape a u =
  let at = tape.edges in
  if at >= length tape.targets then grow tape 1;
  last_edge tape at a u

let push2 tape a u b v =
  let at = tape.edges in
  if at + 1 >= length tape.targets then grow tape 2;
  edge tape at a u;
  last_edge tape (at + 1) b v

let push3 tape a u b v c w =
  let at = tape.edges in
  if at + 2 >= length tape.targets then grow tape 3;
  edge tape at a u;
  edge tape (at + 1) b v;
  last_edge tape (at + 2) c w

let push4 tape a u b v c w d x =
  let at = tape.edges in
  if at + 3 >= length tape.targets then grow tape 4;
  edge tape at a u;
  edge tape (at + 1) b v;
  edge tape (at + 2) c w;
  last_edge tape (at + 3) d x

(* The same for a sum with the term [t]. If that is the last node, it takes no edge: so the sum of
   a loop takes as many edges as it has terms. *)

let[@inline] plus1 tape t a u =
  let at = tape.edges in
  if t = tape.base + at - 1 then begin
    if at >= length tape.targets then grow tape 1;
    set tape.targets at ((4 * a) + 3);
    set tape.weights at u;
    tape.edges <- at + 1;
    tape.base + at
  end
  else push2 tape t 1.0 a u

let plus2 tape t a u b v =
  let at = tape.edges in
  if t = tape.base + at - 1 then begin
    if at + 1 >= length tape.targets then grow tape 2;
    set tape.targets at ((4 * a) + 2);
    set tape.weights at u;
    last_edge tape (at + 1) b v
  end
  else push3 tape t 1.0 a u b v

let plus3 tape t a u b v c w =
  let at = tape.edges in
  if t = tape.base + at - 1 then begin
    if at + 2 >= length tape.targets then grow tape 3;
    set tape.targets at ((4 * a) + 2);
    set tape.weights at u;
    edge tape (at + 1) b v;
    last_edge tape (at + 2) c w
  end
  else push4 tape t 1.0 a u b v c w

(* Makes room for the adjoints, and those of the inputs zero. *)
let clear tape inputs =
  if length tape.adjoints < tape.edges then tape.adjoints <- make (length tape.targets) 0.0
  else
    for i = 0 to inputs - 1 do
      set tape.adjoints i 0.0
    done

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
  let targets = tape.targets and weights = tape.weights in
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
  let rec loop at sum =
    if at < tape.edges then begin
      let target = get tape.targets at in
      let sum = if target land 2 = 2 then sum +. get tape.adjoints (at - 1) else sum in
      let node = (target asr 2) - tape.base in
      let sum =
        if node >= 0 then sum +. (get tape.adjoints node *. get tape.weights at) else sum
      in
      if target land 1 = 1 then begin
        set tape.adjoints at sum;
        loop (at + 1) 0.0
      end
      else loop (at + 1) sum
    end
  in
  loop inputs 0.0

let wipe tape =
  for i = 0 to tape.edges - 1 do
    set tape.adjoints i 0.0
  done
