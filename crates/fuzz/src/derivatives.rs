//! Random differentiable functions, in programs that check their own derivatives.
//!
//! ```text
//! let f7 a = let u = sin (a.(0) *. a.(1)) in … List.fold_left …          made here
//! check 7 f7 [| 0.3; -0.8; 0.5 |]      gradient = jvp ≈ central differences     by the prelude
//! ```
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

let rec fold_shape f = function Dot x -> f x | Pair (a, b) -> fold_shape f a +. (0.5 *. fold_shape f b)
let twice f x = f (f x)
let rec repeat n f x = if n = 0 then x else repeat (n - 1) f (f x)

let check number f at =
  let n = Array.length at in
  let value, reverse = Ad.value_and_gradient f at in
  let problem = ref \"\" in
  if abs_float (value -. f at) > 1e-12 *. (1.0 +. abs_float value) then problem := \"the value differs\";
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
    if not (abs_float (forward -. difference) <= 2e-6 *. scale) then
      problem := Printf.sprintf \"input %d: derivative %.17g, difference %.17g\" i forward difference
  done;
  Printf.printf \"%d %s\\n\" number (if !problem = \"\" then \"ok\" else !problem)

";

/// A program that checks the functions of these seeds.
pub fn program(seeds: std::ops::Range<u64>) -> String {
    let mut text = PRELUDE.to_string();
    for seed in seeds {
        let mut maker = Maker { rng: Rng::new(seed), names: 0, in_series: false };
        let inputs: Vec<String> = (0..INPUTS).map(|it| format!("a.({it})")).collect();
        let body = maker.number(5, &inputs);
        let point: Vec<String> = (0..INPUTS).map(|_| maker.coordinate()).collect();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "let f{seed} a =\n  {body}\n\nlet () = check {seed} f{seed} [| {} |]\n\n",
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
        let (operator, before) = (self.rng.below(3), self.in_series);
        self.in_series |= operator == 2;
        let body = self.number(depth.min(2), &inner);
        self.in_series = before;
        let at = self.leaf(scope);
        match operator {
            0 => format!("tanh (Ad.derivative (fun {param} -> {body}) ({at}))"),
            1 => format!(
                "tanh (Ad.gradient (fun b -> let {param} = b.(0) in {body}) [| {at} |]).(0)"
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
