//! Shapes that break reclamation of memory: long loops whose state is rebuilt each round, and
//! lists, trees, maps, arrays and records of closures that are dropped, shared, kept half, or left
//! by an exception.
//!
//! Each is an OCaml text with holes for generated parts, which are evaluated once, before the loop;
//! what it computes depends on every object that should still be alive. Its own variables begin
//! with `q`, which no other variable does. A round costs little, and each loop burns fuel, so
//! programs end soon.

use crate::tree::Expr;
use crate::types::Ty;

use super::Generator;

/// A text of type `int`. `{0}` is the number of rounds, the other holes have these types.
struct Text {
    text: &'static str,
    holes: &'static [Hole],
    rounds: (i64, i64),
}

#[derive(Clone, Copy)]
enum Hole {
    Int,
    /// `int -> int`
    Function,
    /// `(int -> int) list`
    Functions,
    Str,
}

use Hole::{Function, Functions, Int, Str};

const TEXTS: &[Text] = &[
    // The state of a loop is a list of closures; the oldest are dropped.
    Text {
        text: "(burn (); let qc = {1} in let qf = {2} in \
               let rec qkeep n l = match l with x :: r when n > 0 -> x :: qkeep (n - 1) r | _ -> [] in \
               let rec qgo i st = if i >= {0} then st else \
                 qgo (i + 1) (qkeep 5 ((if i land 7 = 0 then qf else fun x -> x + i * qc) :: st)) in \
               List.fold_left (fun acc g -> acc * 3 + g (acc land 15)) 1 (qgo 0 [ qf ]))",
        holes: &[Int, Function],
        rounds: (40, 400),
    },
    // A closure over the closure of the round before; begun anew now and then.
    Text {
        text: "(burn (); let qc = {1} in let qf = {2} in let qlast = ref qf in \
               for i = 0 to {0} do \
                 let g = !qlast in \
                 qlast := if i land 7 = 7 then (fun x -> x + qc) else fun x -> g ((x land 63) + i) \
               done; !qlast 5)",
        holes: &[Int, Function],
        rounds: (40, 400),
    },
    // An array of closures, read and overwritten.
    Text {
        text: "(burn (); let qf = {1} in let qa = Array.init 7 (fun i x -> x + i) in \
               for i = 0 to {0} do \
                 let g = qa.(i mod 7) and h = qa.((i * 3) mod 7) in \
                 qa.((i * 5 + 1) mod 7) <- (if i mod 4 = 0 then qf else \
                   if i mod 4 = 1 then h else fun x -> (x land 7) + i); \
                 if i mod 50 = 0 then log (g 2) \
               done; Array.fold_left (fun acc g -> acc + g (acc land 7)) 0 qa)",
        holes: &[Function],
        rounds: (40, 300),
    },
    // Trees of closures are built, mapped, read once and dropped.
    Text {
        text: "(burn (); let qc = {1} in \
               let rec qbuild d n = if d = 0 then Leaf else \
                 Node (qbuild (d - 1) (2 * n), (fun x -> x + n * qc), qbuild (d - 1) (2 * n + 1)) in \
               let rec qmap f t = match t with Leaf -> Leaf | Node (l, g, r) -> Node (qmap f l, f g, qmap f r) in \
               let rec qsum t = match t with Leaf -> 0 | Node (l, g, r) -> qsum l + g 1 + qsum r in \
               let qtotal = ref 0 in \
               for i = 1 to {0} do \
                 let t = qbuild 4 i in \
                 let t2 = if i land 1 = 0 then t else qmap (fun g x -> g (g x) land 4095) t in \
                 qtotal := (!qtotal + qsum t2 + (if i land 3 = 0 then qsum t else 0)) land 0xffffff \
               done; !qtotal)",
        holes: &[Int],
        rounds: (3, 15),
    },
    // A binary search tree from numbers to closures, old versions kept in a list.
    Text {
        text: "(burn (); let qf = {1} in let qs = {2} in \
               let rec qput k v t = match t with \
                 | Leaf -> Node (Leaf, (k, v), Leaf) \
                 | Node (l, (k2, v2), r) -> if k < k2 then Node (qput k v l, (k2, v2), r) \
                   else if k > k2 then Node (l, (k2, v2), qput k v r) else Node (l, (k, v), r) in \
               let rec qget k t = match t with \
                 | Leaf -> (fun x -> x - k) \
                 | Node (l, (k2, v), r) -> if k < k2 then qget k l else if k > k2 then qget k r else v in \
               let rec qgo i t old = if i >= {0} then (t, old) else \
                 let k = (i * 7) mod 13 in let g = qget k t in \
                 let t2 = qput k (if i land 3 = 0 then qf else if i land 3 = 1 then g else fun x -> (x land 31) + i + String.length qs) t in \
                 qgo (i + 1) t2 (if i mod 20 = 0 then [ t ] else if i mod 20 = 10 then t :: old else old) in \
               let t, old = qgo 0 Leaf [] in \
               List.fold_left (fun acc t -> acc + qget 3 t 4 + qget 11 t 5) (qget 5 t 9) old)",
        holes: &[Function, Str],
        rounds: (20, 150),
    },
    // Closures in a hash table, replaced and removed.
    Text {
        text: "(burn (); let qf = {1} in let qt = Hashtbl.create 5 in \
               for i = 0 to {0} do \
                 let k = string_of_int (i mod 11) in \
                 (match Hashtbl.find_opt qt k with \
                  | Some g when i land 3 = 0 -> Hashtbl.replace qt k (fun x -> g ((x land 15) - 1) land 255) \
                  | Some _ when i land 3 = 1 -> Hashtbl.remove qt k \
                  | Some _ -> Hashtbl.replace qt k qf \
                  | None -> Hashtbl.add qt k (fun x -> x + i)) \
               done; \
               let qsum = ref 0 in \
               for i = 0 to 10 do match Hashtbl.find_opt qt (string_of_int i) with Some g -> qsum := !qsum + g i | None -> () done; \
               !qsum + Hashtbl.length qt)",
        holes: &[Function],
        rounds: (20, 150),
    },
    // A record whose field is a closure over the record's own last value.
    Text {
        text: "(burn (); let qc = {1} in let qf = {2} in let qb = { v = qf; tag = qc } in \
               for i = 1 to {0} do \
                 let g = qb.v in \
                 qb.v <- (if i land 7 = 0 then (fun x -> x + qb.tag) else fun x -> if x land 1 = 0 then x + i else g (x - 1)) \
               done; qb.v 6 + qb.v 7)",
        holes: &[Int, Function],
        rounds: (20, 300),
    },
    // A queue of two lists, whose elements are pairs with closures.
    Text {
        text: "(burn (); let qf = {1} in let qs = {2} in \
               let rec qgo i front back acc = if i >= {0} then acc + List.length front + List.length back else \
                 match front with \
                 | (s, g) :: rest -> \
                   let back = if i land 1 = 0 then (cut (s ^ qs), fun x -> (g x land 255) + 1) :: back else back in \
                   qgo (i + 1) rest back ((acc + (if i land 15 = 0 then g i else 1) + String.length s) land 0xffffff) \
                 | [] -> qgo (i + 1) (List.rev ((qs, qf) :: (\"n\", (fun x -> x * i)) :: back)) [] acc in \
               qgo 0 [ (\"\", qf) ] [] 0)",
        holes: &[Function, Str],
        rounds: (30, 250),
    },
    // Frames that own closures and strings are left by an exception that carries another.
    Text {
        text: "(burn (); let qf = {1} in let qs = {2} in let exception Qout of (int -> int) * string in \
               let rec qdeep n (g : int -> int) s = \
                 if n = 0 then raise (Qout (g, s)) else \
                 let h x = g x land 1023 + n in \
                 let r = qdeep (n - 1) h (cut (s ^ string_of_int n)) in r + h n + String.length s in \
               let qsum = ref 0 in \
               for i = 1 to {0} do \
                 let own = [ qf; (fun x -> x + i) ] in \
                 (try qsum := !qsum + qdeep (i mod 6) (List.nth own (i land 1)) qs \
                  with Qout (g, s) -> qsum := (!qsum + (if i mod 10 = 0 then g i else i) + String.length s) land 0xffffff); \
                 if List.length own <> 2 then qsum := 0 \
               done; !qsum)",
        holes: &[Function, Str],
        rounds: (10, 120),
    },
    // Partial applications of a function of three arguments, kept and completed later.
    Text {
        text: "(burn (); let qc = {1} in let qf = {2} in let qadd a b c = a * 100 + b * 10 + (c land 7) in \
               let rec qgo i l = if i >= {0} then l else \
                 qgo (i + 1) (match l with [] -> [ qadd i ] | p :: r when i land 7 = 0 -> [ qadd (p 1 2 land 7) ] \
                   | p :: r -> qadd (i land 3) :: (if i land 1 = 0 then p :: r else r)) in \
               let qones = List.map (fun p -> p (qc land 7)) (qgo 0 []) in \
               List.fold_left (fun acc p -> (acc + p acc) land 0xffff) (qf 1) qones)",
        holes: &[Int, Function],
        rounds: (20, 120),
    },
    // Options and sums of closures, taken apart and put together again, some shared.
    Text {
        text: "(burn (); let qf = {1} in let ql = {2} in \
               let rec qgo i s acc = if i >= {0} then acc else \
                 let s2 = match s with \
                   | L (Some g) -> if i land 3 = 0 then R [ g; g ] else L (Some (fun x -> (g x land 127) + i)) \
                   | L None -> R (qf :: ql) \
                   | R (g :: _ :: _) when i land 1 = 0 -> L (if i land 7 = 2 then None else Some g) \
                   | R (g :: rest) -> R (if i land 7 = 5 then [] else (fun x -> x + i) :: rest) \
                   | R [] -> L None in \
                 let n = match s2 with L (Some g) when i mod 9 = 0 -> g i | L _ -> 1 | R l -> List.length l in \
                 qgo (i + 1) (match s2 with L (Some _) when i land 7 = 7 -> R (qf :: ql) | _ -> s2) (acc * 3 + n) in \
               qgo 0 (L None) 1)",
        holes: &[Function, Functions],
        rounds: (20, 120),
    },
    // Lazy values over closures, forced once, twice or never.
    Text {
        text: "(burn (); let qf = {1} in \
               let rec qgo i l acc = if i >= {0} then acc + List.length l else \
                 let z = lazy (log i; (if i land 7 = 0 then qf i else i) land 255) in \
                 match l with \
                 | (a, b) :: rest when i land 3 = 0 -> qgo (i + 1) rest ((acc + Lazy.force a + Lazy.force a) land 0xffff) \
                 | (a, b) :: _ when i land 7 = 1 -> qgo (i + 1) [ (z, b) ] (acc + Lazy.force b) \
                 | _ -> qgo (i + 1) ((z, z) :: l) acc in \
               qgo 0 [] 0)",
        holes: &[Function],
        rounds: (10, 60),
    },
];

impl Generator {
    /// A loop with much allocation; its result is used in an expression of the type.
    pub fn memory(&mut self, ty: &Ty, size: usize) -> Expr {
        let it = &TEXTS[self.rng.below(TEXTS.len())];
        let function = Ty::fun(&[Ty::Int], Ty::Int);
        let mut parts = vec![Expr::int(self.rng.range(it.rounds.0, it.rounds.1))];
        for hole in it.holes {
            let of = match hole {
                Int => Ty::Int,
                Function => function.clone(),
                Functions => Ty::list(function.clone()),
                Str => Ty::Str,
            };
            parts.push(self.expr(&of, (size / 4).max(2)));
        }
        let text = Expr::op(Ty::Int, it.text, parts);
        if *ty == Ty::Int { text } else { self.let_in(text, ty, size / 2) }
    }
}

#[cfg(test)]
mod tests {
    use super::TEXTS;

    #[test]
    fn every_hole_is_in_its_text() {
        for it in TEXTS {
            for index in 0..=it.holes.len() {
                assert!(it.text.contains(&format!("{{{index}}}")), "{index}: {}", it.text);
            }
            assert!(!it.text.contains(&format!("{{{}}}", it.holes.len() + 1)));
        }
    }
}
