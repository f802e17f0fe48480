//! Random differentiable functions, in programs that check their own derivatives.
//!
//! ```text
//! let f7 a = let u = sin (a.(0) *. a.(1)) in … List.fold_left …          made here
//! check 7 f7 (fun at -> Ad.value_and_gradient f7 at) [| 0.3; -0.8; 0.5 |]
//!                                      both gradients = jvp ≈ central differences     by the prelude
//! ```
//!
//! `check` gets the function as a value, so its own gradient uses the tape; the one that it is given may be
//! written out as code. Functions of odd seeds are made of loops and arrays only.
//!
//! A program prints `N ok` for each function, or what differs. The functions are smooth at their points, and
//! their values stay near 1: branches depend on integers or on inputs far from the bound, and
//! arguments of poles and roots are kept away from them.

use std::fmt::Write as _;

use crate::rng::Rng;

/// How many inputs a function has.
const INPUTS: usize = 3;

/// Compares reverse mode, forward mode and difference quotients.
const PRELUDE: &str = "\
exception Stop of float

type shape = Dot of float | Pair of shape * shape
type point = { x : float; mutable y : float }

let trees =
  let pair a b = Pair (a, b) in
  let small = pair (Dot 0.3) (Dot 0.7) in
  [| small; pair (pair small (Dot 0.2)) small; pair (Dot 0.9) (pair (pair (Dot 0.4) small) (Dot 0.6)) |]

let rec fold_shape f = function Dot x -> f x | Pair (a, b) -> fold_shape f a +. (0.5 *. fold_shape f b)
let twice f x = f (f x)
let rec repeat n f x = if n = 0 then x else repeat (n - 1) f (f x)

let check number f written at =
  let n = Array.length at in
  let value, reverse = Ad.value_and_gradient f at in
  let same, code = written at in
  let problem = ref \"\" in
  if abs_float (value -. f at) > 1e-12 *. (1.0 +. abs_float value) then problem := \"the value differs\";
  if abs_float (same -. value) > 1e-12 *. (1.0 +. abs_float value) then problem := \"the value of the code differs\";
  for i = 0 to n - 1 do
    let unit = Array.init n (fun j -> if i = j then 1.0 else 0.0) in
    let forward = Ad.directional_derivative f at unit in
    let moved h = f (Array.mapi (fun j x -> if i = j then x +. h else x) at) in
    let quotient h = (moved h -. moved (-.h)) /. (2.0 *. h) in
    (* Extrapolated once: the error is of the fourth order. *)
    let difference = ((4.0 *. quotient 5e-4) -. quotient 1e-3) /. 3.0 in
    let scale = 1.0 +. abs_float forward in
    if not (abs_float (forward -. reverse.(i)) <= 1e-9 *. scale) then
      problem := Printf.sprintf \"input %d: forward %.17g, reverse %.17g\" i forward reverse.(i);
    if not (abs_float (code.(i) -. reverse.(i)) <= 1e-9 *. scale) then
      problem := Printf.sprintf \"input %d: code %.17g, tape %.17g\" i code.(i) reverse.(i);
    if not (abs_float (forward -. difference) <= 2e-6 *. scale) then
      problem := Printf.sprintf \"input %d: derivative %.17g, difference %.17g\" i forward difference
  done;
  Printf.printf \"%d %s\\n\" number (if !problem = \"\" then \"ok\" else !problem)

";

/// A program that checks the functions of these seeds.
pub fn program(seeds: std::ops::Range<u64>) -> String {
    let mut text = PRELUDE.to_string();
    for seed in seeds {
        let mut maker = Maker {
            rng: Rng::new(seed),
            names: 0,
            in_series: false,
            raises: false,
            kernel: seed % 2 == 1,
        };
        let inputs: Vec<String> = (0..INPUTS).map(|it| format!("a.({it})")).collect();
        let body = maker.number(5, &inputs);
        let point: Vec<String> = (0..INPUTS).map(|_| maker.coordinate()).collect();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "let f{seed} a =\n  {body}\n\nlet () = check {seed} f{seed} (fun at -> Ad.value_and_gradient f{seed} at) [| {} |]\n\n",
            point.join("; ")
        );
    }
    text
}

struct Maker {
    rng: Rng,
    names: usize,
    /// Inside of a Taylor series: an exception's payload cannot be on a tape elsewhere.
    in_series: bool,
    /// The function raises exceptions, whose payloads cannot be in a series.
    raises: bool,
    /// Only what gradients as code go through.
    kernel: bool,
}

impl Maker {
    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// An input away from 0.
    fn coordinate(&mut self) -> String {
        let sign = if self.rng.chance(50) { "" } else { "-" };
        format!("{sign}0.{}", self.rng.range(31, 89))
    }

    fn constant(&mut self) -> String {
        format!("{}.{}", self.rng.range(0, 1), self.rng.range(11, 97))
    }

    fn leaf(&mut self, scope: &[String]) -> String {
        if self.rng.chance(15) { self.constant() } else { self.rng.pick(scope).clone() }
    }

    /// `(let NAME = VALUE in BODY)`, where the body may use the name.
    fn bound(&mut self, value: &str, depth: usize, scope: &[String]) -> String {
        let name = self.name("u");
        let mut inner = scope.to_vec();
        inner.push(name.clone());
        let body = self.number(depth, &inner);
        format!("(let {name} = {value} in {body})")
    }

    /// An expression of type float whose value stays small.
    fn number(&mut self, depth: usize, scope: &[String]) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let next = depth - 1;
        if self.kernel {
            return match self.rng.below(17) {
                0 | 1 => self.operator(next, scope),
                2 => self.function(next, scope),
                3 => {
                    let value = self.number(next, scope);
                    self.bound(&value, next, scope)
                }
                4 => self.closure(next, scope),
                5 => self.branch(next, scope),
                6 => self.loop_with_reference(next, scope),
                7 => self.array(next, scope),
                8 => self.record(next, scope),
                9 => self.higher_order(next, scope),
                10 => self.nested_loops(next, scope),
                11 => self.arrays_of_rounds(next, scope),
                12 => self.search(next, scope),
                13 | 14 => self.recursion(next, scope),
                15 => self.recursion_over_data(next, scope),
                _ => self.halves(next, scope),
            };
        }
        match self.rng.below(30) {
            0..=2 => self.operator(next, scope),
            3..=5 => self.function(next, scope),
            6 | 7 => {
                let value = self.number(next, scope);
                self.bound(&value, next, scope)
            }
            8 | 9 => self.closure(next, scope),
            10 => self.branch(next, scope),
            11 | 12 => self.loop_with_reference(next, scope),
            13 => self.local_recursion(next, scope),
            14 | 15 => self.list(next, scope),
            16 | 17 => self.array(next, scope),
            18 => self.data(next, scope),
            19 => self.record(next, scope),
            20 if !self.in_series => self.exception(next, scope),
            21 => self.higher_order(next, scope),
            22 => self.nested(next, scope),
            23 => self.table_of_functions(next, scope),
            24 => {
                let (a, b) = (self.number(next, scope), self.number(next, scope));
                format!("(let p, q = ({a}, {b}) in p *. cos q)")
            }
            25 => {
                let value = self.number(next, scope);
                let force = self.name("l");
                format!(
                    "(let {force} = lazy (sin ({value})) in Lazy.force {force} +. (0.5 *. Lazy.force {force}))"
                )
            }
            _ => self.operator(next, scope),
        }
    }

    fn operator(&mut self, depth: usize, scope: &[String]) -> String {
        let (a, b) = (self.number(depth, scope), self.number(depth, scope));
        match self.rng.below(8) {
            0 | 1 => format!("(({a}) +. ({b}))"),
            2 => format!("(({a}) -. ({b}))"),
            3 | 4 => format!("(tanh ({a}) *. ({b}))"),
            5 => format!("(({a}) /. (2.5 +. sin ({b})))"),
            6 => format!("atan2 ({a}) (2.0 +. cos ({b}))"),
            _ => format!("((1.6 +. sin ({a})) ** tanh ({b}))"),
        }
    }

    fn function(&mut self, depth: usize, scope: &[String]) -> String {
        let a = self.number(depth, scope);
        match self.rng.below(10) {
            0 => format!("sin ({a})"),
            1 => format!("cos ({a})"),
            2 => format!("exp (tanh ({a}))"),
            3 => format!("log (1.5 +. (({a}) *. tanh ({a})))"),
            4 => format!("sqrt (1.0 +. (({a}) *. ({a})))"),
            5 => format!("atan ({a})"),
            6 => format!("Float.erf ({a})"),
            7 => format!("asin (0.7 *. tanh ({a}))"),
            8 => format!("hypot 1.2 ({a})"),
            _ => format!("(-.log1p (exp (tanh ({a}))))"),
        }
    }

    /// A local function that captures, called twice.
    fn closure(&mut self, depth: usize, scope: &[String]) -> String {
        let (function, param) = (self.name("g"), self.name("y"));
        let mut inner = scope.to_vec();
        inner.push(param.clone());
        let body = self.number(depth, &inner);
        let (a, b) = (self.leaf(scope), self.leaf(scope));
        format!(
            "(let {function} {param} = {body} in {function} ({a}) +. (0.3 *. {function} (sin ({b}))))"
        )
    }

    fn branch(&mut self, depth: usize, scope: &[String]) -> String {
        let (a, b) = (self.number(depth, scope), self.number(depth, scope));
        let input = self.rng.below(INPUTS);
        format!("(if a.({input}) > 0.0 then {a} else {b})")
    }

    fn loop_with_reference(&mut self, depth: usize, scope: &[String]) -> String {
        let (reference, index) = (self.name("r"), self.name("i"));
        let mut inner = scope.to_vec();
        inner.push(format!("!{reference}"));
        inner.push(format!("(0.1 *. float {index})"));
        let body = self.number(depth.min(2), &inner);
        let start = self.leaf(scope);
        let rounds = self.rng.range(1, 4);
        format!(
            "(let {reference} = ref ({start}) in for {index} = 1 to {rounds} do {reference} := tanh ({body}) done; !{reference})"
        )
    }

    fn local_recursion(&mut self, depth: usize, scope: &[String]) -> String {
        let (function, total) = (self.name("go"), self.name("t"));
        let mut inner = scope.to_vec();
        inner.push(total.clone());
        let body = self.number(depth.min(2), &inner);
        let start = self.leaf(scope);
        let shape = if self.rng.chance(50) {
            format!("{function} (n - 1) (sin ({body}))")
        } else {
            format!("0.5 *. {function} (n - 1) (sin ({body}))")
        };
        format!(
            "(let rec {function} n {total} = if n = 0 then {total} else {shape} in {function} {} ({start}))",
            self.rng.range(1, 4)
        )
    }

    /// Recursion that is no loop: two calls, with a reference or an array that both change.
    fn recursion(&mut self, depth: usize, scope: &[String]) -> String {
        let (function, param) = (self.name("go"), self.name("t"));
        let mut inner = scope.to_vec();
        inner.push(param.clone());
        let (a, b) = (self.number(depth.min(2), &inner), self.number(depth.min(1), &inner));
        let (start, rounds) = (self.leaf(scope), self.rng.range(2, 4));
        match self.rng.below(4) {
            0 => format!(
                "(let rec {function} n {param} = if n < 1 then {b} else tanh ({function} (n - 1) (sin ({a})) -. (0.5 *. {function} (n - 2) {param})) in {function} {rounds} ({start}))"
            ),
            1 => {
                let seen = self.name("r");
                format!(
                    "(let {seen} = ref 0.1 in let rec {function} n {param} = if n < 1 then begin {seen} := !{seen} +. (0.2 *. {param}); {b} end else begin let l = {function} (n - 1) (cos ({a})) in {seen} := sin (!{seen} *. l); l +. (0.3 *. {function} (n - 2) (tanh !{seen})) end in {function} {rounds} ({start}) +. !{seen})"
                )
            }
            2 => {
                let array = self.name("v");
                format!(
                    "(let {array} = Array.map sin a in let rec {function} n {param} = if n < 1 then {b} else begin {array}.(n mod 3) <- tanh ({array}.(n mod 3) +. ({a})); 0.6 *. {function} (n - 1) {array}.(n mod 3) +. (0.3 *. {function} (n - 2) {param}) end in {function} {rounds} ({start}) +. Array.fold_left ( +. ) 0.0 {array})"
                )
            }
            _ => {
                let (other, pair) = (self.name("go"), self.name("p"));
                format!(
                    "(let rec {function} n {param} = if n < 1 then ({param}, {b}) else let {pair} = {other} (n - 1) (sin ({a})) in ({pair} *. {param}, {param} +. (0.5 *. {other} (n - 2) {pair})) and {other} n {param} = let x, y = {function} (n - 1) (cos {param}) in tanh (x *. y) in let x, y = {function} {rounds} ({start}) in x +. sin y)"
                )
            }
        }
    }

    /// Recursion over data whose form is known at run time only.
    fn recursion_over_data(&mut self, depth: usize, scope: &[String]) -> String {
        let (function, param) = (self.name("go"), self.name("t"));
        let mut inner = scope.to_vec();
        inner.extend([param.clone(), "c".to_string()]);
        let (a, b) = (self.number(depth.min(2), &inner), self.number(depth.min(1), &inner));
        let start = self.leaf(scope);
        let tree = self.rng.below(3);
        format!(
            "(let rec {function} {param} = function Dot c -> {b} | Pair (Dot c, r) -> tanh ({a}) +. {function} (0.5 *. {param}) r | Pair (l, r) -> sin ({function} {param} l *. {function} (cos {param}) r) in {function} ({start}) trees.({tree}))"
        )
    }

    fn list(&mut self, depth: usize, scope: &[String]) -> String {
        let items: Vec<String> =
            (0..self.rng.range(2, 4)).map(|_| self.number(depth.min(2), scope)).collect();
        let item = self.name("e");
        let mut inner = scope.to_vec();
        inner.push(item.clone());
        let body = self.number(depth.min(2), &inner);
        let list = format!("[ {} ]", items.join("; "));
        match self.rng.below(3) {
            0 => format!(
                "List.fold_left (fun total {item} -> (0.5 *. total) +. ({body})) 0.0 {list}"
            ),
            1 => {
                format!("List.fold_left ( +. ) 0.0 (List.map (fun {item} -> sin ({body})) {list})")
            }
            _ => format!("(match List.rev {list} with {item} :: _ -> {body} | [] -> 0.0)"),
        }
    }

    fn array(&mut self, depth: usize, scope: &[String]) -> String {
        let (array, item) = (self.name("v"), self.name("e"));
        let mut inner = scope.to_vec();
        inner.push(item.clone());
        let body = self.number(depth.min(2), &inner);
        let value = self.number(depth.min(2), scope);
        match self.rng.below(3) {
            0 => format!(
                "(let {array} = Array.map (fun {item} -> tanh ({body})) a in {array}.(0) <- {value}; Array.fold_left ( +. ) 0.0 {array})"
            ),
            1 => format!(
                "(let {array} = Array.make 4 ({value}) in for i = 1 to 3 do let {item} = {array}.(i - 1) in {array}.(i) <- sin ({body}) done; {array}.(3))"
            ),
            _ => format!(
                "(let {array} = Array.append a [| {value} |] in Array.fold_left (fun total {item} -> (0.4 *. total) +. cos ({body})) 0.1 {array})"
            ),
        }
    }

    /// Loops inside of each other over an array that is changed, with a branch inside.
    fn nested_loops(&mut self, depth: usize, scope: &[String]) -> String {
        let (array, total) = (self.name("v"), self.name("r"));
        let (i, j) = (self.name("i"), self.name("j"));
        let mut inner = scope.to_vec();
        inner.extend([
            format!("!{total}"),
            format!("{array}.({j})"),
            format!("(0.2 *. float ({i} + {j}))"),
        ]);
        let (a, b) = (self.number(depth.min(2), &inner), self.number(depth.min(1), &inner));
        let start = self.leaf(scope);
        let (rounds, width) = (self.rng.range(1, 4), self.rng.range(1, 3));
        let direction =
            if self.rng.chance(50) { format!("0 to {width}") } else { format!("{width} downto 0") };
        format!(
            "(let {total} = ref ({start}) and {array} = Array.make {} 0.3 in for {i} = 1 to {rounds} do for {j} = {direction} do {array}.({j}) <- tanh ({a}); if ({i} + {j}) mod 2 = 0 then {total} := sin ({b}) else {total} := !{total} *. 0.7 +. {array}.({j}) done done; !{total} +. {array}.(0))",
            width + 1
        )
    }

    /// A new array in each round, as a layer of a network.
    fn arrays_of_rounds(&mut self, depth: usize, scope: &[String]) -> String {
        let (state, item) = (self.name("s"), self.name("e"));
        let mut inner = scope.to_vec();
        inner.push(item.clone());
        let body = self.number(depth.min(2), &inner);
        let rounds = self.rng.range(1, 3);
        match self.rng.below(3) {
            0 => format!(
                "(let {state} = ref (Array.map (fun x -> 0.5 *. x) a) in for i = 1 to {rounds} do {state} := Array.map (fun {item} -> tanh ({body})) !{state} done; Array.fold_left ( +. ) 0.0 !{state})"
            ),
            1 => format!(
                "(let {state} = ref 0.1 in for i = 1 to {rounds} do let layer = Array.init 3 (fun k -> let {item} = a.(k) *. !{state} in sin ({body})) in {state} := Array.fold_left ( +. ) 0.0 layer *. 0.3 done; !{state})"
            ),
            _ => format!(
                "(let {state} = Array.sub (Array.append a a) 1 4 in for i = 1 to {rounds} do Array.blit {state} 0 {state} 1 3; let {item} = {state}.(3) in {state}.(0) <- cos ({body}) done; {state}.(0) +. {state}.(2))"
            ),
        }
    }

    /// A recursion with several ends.
    fn search(&mut self, depth: usize, scope: &[String]) -> String {
        let (function, value) = (self.name("go"), self.name("t"));
        let mut inner = scope.to_vec();
        inner.push(value.clone());
        let (a, b) = (self.number(depth.min(2), &inner), self.number(depth.min(1), &inner));
        let start = self.leaf(scope);
        let rounds = self.rng.range(1, 6);
        format!(
            "(let rec {function} n {value} = if n = 0 then {value} else let next = tanh ({a}) in if n = 2 then next *. ({b}) else if n mod 2 = 0 then {function} (n - 1) next else {function} (n - 1) (0.5 *. next +. 0.1) in {function} {rounds} ({start}))"
        )
    }

    /// A loop whose end is found while it runs.
    fn halves(&mut self, depth: usize, scope: &[String]) -> String {
        let (left, value) = (self.name("n"), self.name("r"));
        let mut inner = scope.to_vec();
        inner.push(format!("!{value}"));
        let body = self.number(depth.min(2), &inner);
        let start = self.leaf(scope);
        let rounds = self.rng.range(1, 30);
        format!(
            "(let {left} = ref {rounds} and {value} = ref ({start}) in while !{left} > 0 do {value} := cos ({body}); {left} := !{left} / 2 done; !{value})"
        )
    }

    fn data(&mut self, depth: usize, scope: &[String]) -> String {
        let (a, b) = (self.number(depth.min(3), scope), self.number(depth.min(2), scope));
        let item = self.name("e");
        let mut inner = scope.to_vec();
        inner.push(item.clone());
        let body = self.number(depth.min(2), &inner);
        format!(
            "fold_shape (fun {item} -> sin ({body})) (Pair (Dot ({a}), Pair (Dot 0.3, Dot ({b}))))"
        )
    }

    fn record(&mut self, depth: usize, scope: &[String]) -> String {
        let record = self.name("p");
        let (a, b) = (self.number(depth.min(3), scope), self.number(depth.min(2), scope));
        format!(
            "(let {record} = {{ x = {a}; y = 0.2 }} in {record}.y <- {record}.x *. cos ({b}); tanh {record}.x +. {record}.y)"
        )
    }

    fn exception(&mut self, depth: usize, scope: &[String]) -> String {
        self.raises = true;
        let (a, b) = (self.number(depth, scope), self.number(depth.min(2), scope));
        let input = self.rng.below(INPUTS);
        format!(
            "(try if a.({input}) > 0.0 then raise (Stop ({a})) else {b} with Stop value -> 0.7 *. value)"
        )
    }

    fn higher_order(&mut self, depth: usize, scope: &[String]) -> String {
        let param = self.name("y");
        let mut inner = scope.to_vec();
        inner.push(param.clone());
        let body = self.number(depth.min(2), &inner);
        let start = self.leaf(scope);
        let call = if self.rng.chance(50) {
            "twice".into()
        } else {
            format!("repeat {}", self.rng.range(1, 3))
        };
        format!("{call} (fun {param} -> tanh ({body})) ({start})")
    }

    /// A derivative inside of the function, whose own function sees what is outside.
    fn nested(&mut self, depth: usize, scope: &[String]) -> String {
        let param = self.name("z");
        let mut inner = scope.to_vec();
        inner.push(param.clone());
        let operators = if self.raises { 4 } else { 5 };
        let (operator, before) = (self.rng.below(operators), self.in_series);
        self.in_series |= operator == 4;
        let body = self.number(depth.min(2), &inner);
        self.in_series = before;
        let at = self.leaf(scope);
        match operator {
            0 => format!("tanh (Ad.derivative (fun {param} -> {body}) ({at}))"),
            1 => format!(
                "tanh (Ad.gradient (fun b -> let {param} = b.(0) in {body}) [| {at} |]).(0)"
            ),
            2 => format!(
                "tanh (Ad.jacobian (fun b -> let {param} = b.(0) in [| {body}; {param} |]) [| {at}; 0.4 |]).(0).(0)"
            ),
            3 => format!(
                "tanh (Ad.gradient_of (fun p -> let {param} = p.x in p.y *. ({body})) {{ x = {at}; y = 0.8 }}).x"
            ),
            _ => format!("tanh (Ad.derivative_n 2 (fun {param} -> {body}) ({at}))"),
        }
    }

    fn table_of_functions(&mut self, depth: usize, scope: &[String]) -> String {
        let param = self.name("y");
        let mut inner = scope.to_vec();
        inner.push(param.clone());
        let body = self.number(depth.min(2), &inner);
        let value = self.number(depth.min(2), scope);
        format!(
            "(let table = [ (fun {param} -> {body}); sin; (fun {param} -> 0.5 *. {param}) ] in List.fold_left (fun total g -> total +. tanh (g ({value}))) 0.0 table)"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seeds_give_the_same_program() {
        assert_eq!(program(3..9), program(3..9));
        assert_ne!(program(3..9), program(4..10));
    }
}
