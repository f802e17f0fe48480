(* Tapes of gradients: what each number was computed from, and with which derivatives (decision 320).

   An entry is a node or a block of nodes, and has a link in the chunk:

   {v
   (right + 1) * 2^31 + (left + 1)     a node: its operands, -1 for none
   -n                                  n nodes that were made at once; [level.blocks] says from what
   v}

   Chunks are full to their last entry, so that sweeps count nodes down as they meet entries. *)

open Eshkol_value
open Eshkol_rules

let[@inline] link left right = ((right + 1) lsl 31) lor (left + 1)
let[@inline] left_of link = (link land 0x7fffffff) - 1
let[@inline] right_of link = (link lsr 31) - 1
let most_nodes = 0x7ffffffe

let no_chunk = { room = 0; links = [||]; floats = [||]; numbers = [||] }

(* Chunks grow to this many entries, which the caches of a processor hold while they are filled. *)
let[@inline] largest () = 4096

let[@inline never] [@cold] next_chunk level =
  let old = level.chunk in
  let twice = 2 * old.room in
  let room = if twice < 32 then 32 else if twice > largest () then largest () else twice in
  if old.room > 0 then level.full <- old :: level.full;
  level.chunk <-
    {
      room;
      links = make room 0;
      floats = (if level.flat then make (2 * room) 0.0 else [||]);
      numbers = (if level.flat then [||] else make (2 * room) zero);
    };
  level.filled <- 0

(* The place of the next entry, which has so many nodes. *)
let[@inline] claim level count =
  if level.filled >= level.chunk.room then next_chunk level;
  if level.nodes > most_nodes - count then fail (error_object "" "the computation is too long for a gradient" Nil);
  let at = level.filled in
  level.filled <- at + 1;
  level.nodes <- level.nodes + count;
  at

let record_floats level a x b y =
  let at = claim level 1 in
  let chunk = level.chunk in
  set chunk.links at (link a b);
  set chunk.floats (2 * at) x;
  set chunk.floats ((2 * at) + 1) y;
  level.nodes - 1

(* The derivatives on the tape become numbers of any kind. *)
let[@inline never] unflatten level =
  let boxed chunk =
    let numbers = make (2 * chunk.room) zero in
    for i = 0 to length_of chunk.floats - 1 do
      set numbers i (flo (get chunk.floats i))
    done;
    { room = chunk.room; links = chunk.links; floats = [||]; numbers }
  in
  let rec each f chunks made = match chunks with chunk :: rest -> each f rest (f chunk :: made) | [] -> made in
  level.chunk <- boxed level.chunk;
  level.full <- each (fun it -> it) (each boxed level.full []) [];
  level.flat <- false

let as_float v = Eshkol_num.to_float "" "" v

let record level a x b y =
  if level.flat && (is_active x || is_active y) then unflatten level;
  if level.flat then record_floats level a (as_float x) b (as_float y)
  else begin
    let at = claim level 1 in
    let chunk = level.chunk in
    set chunk.links at (link a b);
    set chunk.numbers (2 * at) x;
    set chunk.numbers ((2 * at) + 1) y;
    level.nodes - 1
  end

(* Nodes for numbers that are made at once: the first of them. *)
let begin_block level count =
  let first = level.nodes in
  if count > 0 then begin
    let at = claim level count in
    set level.chunk.links at (-count)
  end;
  first

let add_block level block = level.blocks <- block :: level.blocks

(* Sweeps. [node] is the result, nodes below [count] are the inputs. *)

let sweep_floats level sums node count =
  let blocks = ref level.blocks in
  (* [next] is the node after those of entry [at]. Answers that before the chunk. *)
  let rec entries links floats at next =
    if at < 0 then next
    else begin
      let link = get links at in
      if link < 0 then begin
        let first = next + link in
        if first <= node && first >= count then
          blocks := Eshkol_blocks.blocks_from first (fun block -> Eshkol_blocks.back_floats sums block) !blocks;
        entries links floats (at - 1) first
      end
      else begin
        let own = next - 1 in
        if own <= node && own >= count then begin
          let s = get sums own in
          if s <> 0.0 then begin
            let a = left_of link and b = right_of link in
            if a >= 0 then set sums a (get sums a +. (s *. get floats (2 * at)));
            if b >= 0 then set sums b (get sums b +. (s *. get floats ((2 * at) + 1)))
          end
        end;
        entries links floats (at - 1) own
      end
    end
  in
  let rec all chunks next =
    match chunks with
    | chunk :: rest -> all rest (entries chunk.links chunk.floats (chunk.room - 1) next)
    | [] -> ()
  in
  all level.full (entries level.chunk.links level.chunk.floats (level.filled - 1) level.nodes)

(* The same with adjoints of any kind. *)
let sweep_numbers level sums node count =
  let blocks = ref level.blocks in
  let add i v = if i >= 0 then set sums i (get sums i +: v) in
  let rec entries chunk at next =
    if at < 0 then next
    else begin
      let link = get chunk.links at in
      let first = if link < 0 then next + link else next - 1 in
      if first <= node && first >= count then
        if link < 0 then
          blocks := Eshkol_blocks.blocks_from first (fun block -> Eshkol_blocks.back_numbers sums block) !blocks
        else begin
          let s = get sums first in
          if not (Eshkol_num.is_exact_zero s) then begin
            let a = left_of link and b = right_of link in
            if a >= 0 then add a (s *: get chunk.numbers (2 * at));
            if b >= 0 then add b (s *: get chunk.numbers ((2 * at) + 1))
          end
        end;
      entries chunk (at - 1) first
    end
  in
  let rec all chunks next =
    match chunks with chunk :: rest -> all rest (entries chunk (chunk.room - 1) next) | [] -> ()
  in
  all level.full (entries level.chunk (level.filled - 1) level.nodes)

(* The derivatives of a node with respect to the first [count] ones. *)
let adjoints level node count =
  let made = make count level.nothing in
  let last = if node < count - 1 then node else count - 1 in
  if level.flat then begin
    let sums = make level.nodes 0.0 in
    set sums node 1.0;
    sweep_floats level sums node count;
    for i = 0 to last do
      set made i (flo (get sums i))
    done
  end
  else begin
    let sums = make level.nodes zero in
    set sums node one;
    sweep_numbers level sums node count;
    for i = 0 to last do
      set made i (get sums i +: level.nothing)
    done
  end;
  made
