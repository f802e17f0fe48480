//! Which functions are compiled together, and which of those at once.
//!
//! ```text
//! main ─┬─ print ─┬─ float_text          a unit: what is used by `print` alone goes with it
//!       │         └─ bignum_text ─ …     large: a unit of its own within
//!       └─ raise_uncaught ─ …            a unit, too
//! ```
//!
//! A function that dominates others (all ways to them pass through it) makes a unit with them if together they are
//! large enough to be worth it; the rest is compiled at once. Small functions are copied to where they are used.

use super::graph::{Function, Graph};

/// Instructions of a unit, at least.
const UNIT: usize = 400;

/// Instructions of a function that is copied, at most.
const SMALL: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Compiled before the program starts.
    Eager,
    /// Compiled when one of its functions is called.
    Unit(usize),
}

#[derive(PartialEq, Eq, Debug)]
pub struct Partition {
    /// Of each function.
    pub home: Vec<Home>,
    /// The functions of each unit.
    pub units: Vec<Vec<usize>>,
}

impl Partition {
    pub fn of(graph: &Graph) -> Self {
        let count = graph.functions.len();
        let parents = dominators(graph);
        let mut home = vec![Home::Eager; count];
        let mut units: Vec<Vec<usize>> = Vec::new();
        let heads = heads(graph, &parents);
        // A function comes after the one that dominates it.
        for &function in &parents.order {
            home[function] = match parents.of[function] {
                _ if heads[function] => {
                    units.push(Vec::new());
                    Home::Unit(units.len() - 1)
                }
                Some(parent) => home[parent],
                None => Home::Eager,
            };
            if let Home::Unit(unit) = home[function] {
                units[unit].push(function);
            }
        }
        let mut partition = Self { home, units };
        partition.leave_what_waits(graph);
        partition
    }

    /// May the function be copied to wherever it is used?
    pub fn is_copied(graph: &Graph, function: usize) -> bool {
        let function = &graph.functions[function];
        !function.is_pointed_to
            && !function.is_root
            && (function.size <= SMALL || function.is_inlined)
    }

    /// The functions that are defined where these are: themselves, and copies of small ones.
    pub fn with_copies(&self, graph: &Graph, functions: &[usize]) -> Vec<usize> {
        let mut has = vec![false; graph.functions.len()];
        let mut all = functions.to_vec();
        all.iter().for_each(|&it| has[it] = true);
        let mut next = 0;
        while let Some(&function) = all.get(next) {
            next += 1;
            for &used in &graph.functions[function].functions {
                if !has[used] && Self::is_copied(graph, used) {
                    has[used] = true;
                    all.push(used);
                }
            }
        }
        all
    }

    /// What is needed by units alone, and by several, need not be compiled before the program starts.
    fn leave_what_waits(&mut self, graph: &Graph) {
        let is_reached = |it: &Function| it.is_root || it.is_in_data;
        let mut reached: Vec<bool> = graph.functions.iter().map(is_reached).collect();
        let mut work: Vec<usize> =
            (0..reached.len()).filter(|&it| reached[it] && self.home[it] == Home::Eager).collect();
        while let Some(function) = work.pop() {
            for &used in &graph.functions[function].functions {
                if !reached[used] && self.home[used] == Home::Eager {
                    reached[used] = true;
                    work.push(used);
                }
            }
        }
        for function in 0..reached.len() {
            if self.home[function] != Home::Eager || reached[function] {
                continue;
            }
            self.home[function] = Home::Unit(self.units.len());
            self.units.push(vec![function]);
        }
    }
}

/// For each function the one that all ways from the roots pass through last.
struct Dominators {
    of: Vec<Option<usize>>,
    /// The functions that are reached, dominating ones first.
    order: Vec<usize>,
}

/// Which functions begin a unit, decided from the leaves up.
fn heads(graph: &Graph, parents: &Dominators) -> Vec<bool> {
    let mut rest: Vec<usize> = graph.functions.iter().map(|it| it.size).collect();
    let mut heads = vec![false; rest.len()];
    for &function in parents.order.iter().rev() {
        let it = &graph.functions[function];
        if !it.is_root && !it.is_rare && rest[function] >= UNIT {
            heads[function] = true;
        } else if let Some(parent) = parents.of[function] {
            rest[parent] += rest[function];
        }
    }
    heads
}

/// Cooper, Harvey and Kennedy's iteration. What is pointed to by data is reached from outside all functions.
fn dominators(graph: &Graph) -> Dominators {
    let count = graph.functions.len();
    // One more stands for what is outside.
    let outside = count;
    let is_outer = |it: usize| graph.functions[it].is_root || graph.functions[it].is_in_data;
    let mut before = vec![Vec::new(); count + 1];
    for (function, it) in graph.functions.iter().enumerate() {
        it.functions.iter().for_each(|&used| before[used].push(function));
        if is_outer(function) {
            before[function].push(outside);
        }
    }
    let order = reverse_postorder(graph, (0..count).filter(|&it| is_outer(it)).collect());
    let mut number = vec![usize::MAX; count + 1];
    number[outside] = 0;
    order.iter().enumerate().for_each(|(at, &it)| number[it] = at + 1);
    let mut of: Vec<Option<usize>> = vec![None; count + 1];
    of[outside] = Some(outside);
    let mut changed = true;
    while changed {
        changed = false;
        for &function in &order {
            let mut found: Option<usize> = None;
            for &other in before[function].iter().filter(|&&it| of[it].is_some()) {
                found = Some(found.map_or(other, |it| meet(&of, &number, it, other)));
            }
            if found.is_some() && of[function] != found {
                of[function] = found;
                changed = true;
            }
        }
    }
    of.truncate(count);
    let of = of.into_iter().map(|it| it.filter(|&it| it != outside)).collect();
    Dominators { of, order }
}

/// The last function that dominates both.
fn meet(of: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] > number[b] {
            a = of[a].expect("it is reached");
        }
        while number[b] > number[a] {
            b = of[b].expect("it is reached");
        }
    }
    a
}

fn reverse_postorder(graph: &Graph, roots: Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; graph.functions.len()];
    let mut order = Vec::new();
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.pop() {
            match graph.functions[function].functions.get(next) {
                Some(&used) => {
                    stack.push((function, next + 1));
                    if !std::mem::replace(&mut seen[used], true) {
                        stack.push((used, 0));
                    }
                }
                None => order.push(function),
            }
        }
    }
    order.reverse();
    order
}
