(* The tape of reverse mode. The pass [differentiate] calls [create] and the [push] functions, the
   operators of [Ad] the others. Its floats are the numbers outside of the derivative, and
   may carry derivatives themselves. Nothing but primitives is used: these functions come before all
   others in a program.

   A node is a number of the computation; its edges lead to the numbers that it was computed
   from, with the partial derivatives. Nodes are numbered on through all derivatives that the
   program takes: a number below [base] belongs to an earlier one, or is 0 for a constant, and has
   no derivative in this one. *)

external int_add : int -> int -> int = "%int.add"
external ( + ) : int -> int -> int = "%int.add"
external ( - ) : int -> int -> int = "%int.sub"
external ( * ) : int -> int -> int = "%int.mul"
external ( < ) : int -> int -> bool = "%lt"
external ( <= ) : int -> int -> bool = "%le"
external ( >= ) : int -> int -> bool = "%ge"
external ( && ) : bool -> bool -> bool = "%sequand"
external ( +. ) : float -> float -> float = "%float.add"
external ( *. ) : float -> float -> float = "%float.mul"
external length : 'a array -> int = "%array.length"
external get : 'a array -> int -> 'a = "%array.unsafe_get"
external set : 'a array -> int -> 'a -> unit = "%array.unsafe_set"
external make : int -> 'a -> 'a array = "%array.unsafe_make"
external blit : 'a array -> int -> 'a array -> int -> int -> unit = "%array.unsafe_blit"
external is_zero : float -> bool = "%ad.is_zero"

type tape = {
  (* The first edge after those of each node. *)
  mutable ends : int array;
  (* Where each edge leads, and its partial derivative. *)
  mutable targets : int array;
  mutable weights : float array;
  mutable nodes : int;
  mutable edges : int;
  mutable base : int;
  mutable adjoints : float array;
}

let create () =
  {
    ends = make 64 0;
    targets = make 128 0;
    weights = make 128 0.0;
    nodes = 0;
    edges = 0;
    base = 1;
    adjoints = make 64 0.0;
  }

let grow_nodes tape =
  let n = length tape.ends in
  let ends = make (2 * n) 0 in
  blit tape.ends 0 ends 0 n;
  tape.ends <- ends

let grow_edges tape =
  let n = length tape.targets in
  let targets = make (2 * n) 0 and weights = make (2 * n) 0.0 in
  blit tape.targets 0 targets 0 n;
  blit tape.weights 0 weights 0 n;
  tape.targets <- targets;
  tape.weights <- weights

(* Forgets all nodes and makes [inputs] new ones without edges; the first is [tape.base]. *)
let start tape inputs =
  tape.base <- tape.base + tape.nodes;
  tape.nodes <- inputs;
  tape.edges <- 0;
  while length tape.ends < inputs do
    grow_nodes tape
  done;
  for i = 0 to inputs - 1 do
    set tape.ends i 0
  done

(* Ends the edges of a new node. *)
let[@inline] close tape edges =
  let node = tape.nodes in
  if node >= length tape.ends then grow_nodes tape;
  set tape.ends node edges;
  tape.edges <- edges;
  tape.nodes <- node + 1;
  tape.base + node

let push1 tape i v =
  if i < tape.base then 0
  else begin
    let at = tape.edges in
    if at >= length tape.targets then grow_edges tape;
    set tape.targets at i;
    set tape.weights at v;
    close tape (at + 1)
  end

let push2 tape i v j w =
  let base = tape.base in
  if i < base then push1 tape j w
  else if j < base then push1 tape i v
  else begin
    let at = tape.edges in
    if at + 1 >= length tape.targets then grow_edges tape;
    let targets = tape.targets and weights = tape.weights in
    set targets at i;
    set weights at v;
    set targets (at + 1) j;
    set weights (at + 1) w;
    close tape (at + 2)
  end

let push3 tape i u j v k w = push2 tape (push2 tape i u j v) 1.0 k w

(* Makes all adjoints zero. *)
let clear tape =
  let n = tape.nodes in
  if length tape.adjoints < n then tape.adjoints <- make (length tape.ends) 0.0
  else
    for i = 0 to n - 1 do
      set tape.adjoints i 0.0
    done

(* Adds to the adjoint of a node; a constant has none. *)
let seed tape node by =
  let i = node - tape.base in
  if 0 <= i then set tape.adjoints i (get tape.adjoints i +. by)

(* From the results back to the inputs. *)
let sweep tape inputs =
  let ends = tape.ends and targets = tape.targets and weights = tape.weights in
  let adjoints = tape.adjoints and base = tape.base in
  for i = tape.nodes - 1 downto inputs do
    let adjoint = get adjoints i in
    if is_zero adjoint then ()
    else
      let first = if i < 1 then 0 else get ends (i - 1) in
      for e = first to get ends i - 1 do
        let target = get targets e - base in
        set adjoints target (get adjoints target +. (adjoint *. get weights e))
      done
  done

(* From the inputs, whose tangents stand in [adjoints], to the results. *)
let sweep_forward tape inputs =
  for i = inputs to tape.nodes - 1 do
    let first = if i < 1 then 0 else get tape.ends (i - 1) in
    let sum = { contents = 0.0 } in
    for e = first to get tape.ends i - 1 do
      let source = get tape.targets e - tape.base in
      sum.contents <- sum.contents +. (get tape.adjoints source *. get tape.weights e)
    done;
    set tape.adjoints i sum.contents
  done

let adjoint tape node =
  let i = node - tape.base in
  if 0 <= i then get tape.adjoints i else 0.0
