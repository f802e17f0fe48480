//! Which functions a place can hold: the least sets that satisfy the edges, found together with the edges of
//! the calls that depend on them.
//!
//! ```text
//! let twice f x = f (f x)                f : { succ, fun y -> y + k }
//! twice succ 1 + twice (fun y -> y + k) 2        so both calls in `twice` bind `y`, and give what both return
//! ```
//!
//! A member is a literal with the number of arguments that it has been given: a partial application of a
//! known function is known as well. What code that is not seen gets, it may call with anything. A place with more than
//! [`LIMIT`] members is taken to be such code: it holds unknown functions, and what it holds is out of sight. So each
//! place is visited at most [`LIMIT`] times, and the work grows with the program alone.

use oxbow_base::{FxHashSet, Id, IdMap, IdSet};
use oxbow_psg::{LambdaId, Mono, NodeId, Program, Ty};

use super::{Call, Edge, Flow, PlaceId, Way};

/// So many functions can be told apart at one place.
const LIMIT: usize = 24;

/// A function that a place can hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    pub lambda: LambdaId,
    /// How many arguments it has been given.
    pub applied: usize,
}

/// What is known of a function value.
#[derive(Clone, Debug, Default)]
pub struct Callees {
    pub known: Vec<Candidate>,
    /// There may be others.
    pub open: bool,
}

/// The functions that places can hold.
#[derive(Default)]
pub struct Functions {
    sets: IdMap<PlaceId, Vec<Candidate>>,
    open: IdSet<PlaceId>,
    exposed: IdSet<LambdaId>,
    /// The places of what each call calls that is not marked as known: several if what it calls returns functions
    /// for the rest of its arguments.
    called: IdMap<NodeId, Vec<PlaceId>>,
}

impl Functions {
    /// The functions that a place can hold.
    pub fn at(&self, place: PlaceId) -> Callees {
        let known = self.sets.get(place).cloned().unwrap_or_default();
        Callees { known, open: self.open.contains(place) }
    }

    /// The functions that a call of a function value calls first: if they take fewer arguments than are given, the rest
    /// are for what they return.
    pub fn callee(&self, call: NodeId) -> Callees {
        let first = self.called.get(call).and_then(|it| it.first());
        first.map_or_else(Callees::default, |&it| self.at(it))
    }

    /// Can code that is not seen call the function?
    pub fn is_exposed(&self, lambda: LambdaId) -> bool {
        self.exposed.contains(lambda)
    }

    /// The functions that a call of a function value can reach; none for other nodes.
    pub fn called(&self, call: NodeId) -> Option<Callees> {
        let mut callees = Callees::default();
        for &place in self.called.get(call)? {
            let Callees { known, open } = self.at(place);
            callees.known.extend(known);
            callees.open |= open;
        }
        callees.known.sort_unstable();
        callees.known.dedup();
        Some(callees)
    }
}

/// Finds the sets, and adds the edges of all calls.
pub(super) fn resolve(program: &Program<Mono>, flow: &mut Flow) {
    let mut solve = Solve {
        program,
        next: vec![Vec::new(); flow.places.len()],
        linked: FxHashSet::default(),
        calls: IdMap::new(),
        partial: FxHashSet::default(),
        full: IdSet::new(),
        hidden: FxHashSet::default(),
        found: Functions::default(),
        work: Vec::new(),
        flow,
    };
    for &edge in &solve.flow.function_edges {
        let it = &solve.flow.edges[edge];
        solve.next[it.from.index()].push(it.to);
    }
    for index in 0..solve.flow.calls.len() {
        let Call { node, func, .. } = solve.flow.calls[index];
        solve.found.called.entry_or_insert_with(node, Vec::new).push(func);
        solve.calls.entry_or_insert_with(func, Vec::new).push(index);
    }
    solve.open(solve.flow.outside());
    for (place, lambda) in solve.flow.literals.clone() {
        solve.add(place, Candidate { lambda, applied: 0 });
    }
    solve.run();
    let found = solve.found;
    flow.functions = found;
}

#[derive(Clone, Copy)]
enum Member {
    Known(Candidate),
    Unknown,
}

struct Solve<'a> {
    program: &'a Program<Mono>,
    flow: &'a mut Flow,
    /// Where functions go from each place.
    next: Vec<Vec<PlaceId>>,
    /// The same for those that were found on the way: some places have many.
    linked: FxHashSet<(PlaceId, PlaceId)>,
    /// The calls of what is at a place.
    calls: IdMap<PlaceId, Vec<usize>>,
    /// Calls that give fewer arguments than a function takes.
    partial: FxHashSet<usize>,
    /// Places that have come to the limit.
    full: IdSet<PlaceId>,
    /// What code that is not seen has got.
    hidden: FxHashSet<Candidate>,
    found: Functions,
    work: Vec<(PlaceId, Member)>,
}

impl Solve<'_> {
    fn add(&mut self, place: PlaceId, candidate: Candidate) {
        let outside = self.flow.outside();
        // What comes to such a place is out of sight from there on.
        let place = if self.full.contains(place) { outside } else { place };
        let set = self.found.sets.entry_or_insert_with(place, Vec::new);
        if place == outside {
            if self.hidden.insert(candidate) {
                set.push(candidate);
                self.work.push((place, Member::Known(candidate)));
            }
            return;
        }
        if set.contains(&candidate) {
            return;
        }
        set.push(candidate);
        let is_full = set.len() == LIMIT;
        self.work.push((place, Member::Known(candidate)));
        if is_full {
            self.full.insert(place);
            self.open(place);
            for candidate in self.found.sets[place].clone() {
                self.add(outside, candidate);
            }
        }
    }

    fn open(&mut self, place: PlaceId) {
        if self.found.open.insert(place) {
            self.work.push((place, Member::Unknown));
        }
    }

    fn give(&mut self, place: PlaceId, member: Member) {
        match member {
            Member::Known(candidate) => self.add(place, candidate),
            Member::Unknown => self.open(place),
        }
    }

    fn run(&mut self) {
        while let Some((place, member)) = self.work.pop() {
            // What code that is not seen gets, it hands out as something unknown.
            if let Member::Known(candidate) = member
                && place == self.flow.outside()
            {
                self.expose(candidate);
                continue;
            }
            for at in 0..self.next[place.index()].len() {
                let to = self.next[place.index()][at];
                self.give(to, member);
            }
            for at in 0..self.calls.get(place).map_or(0, Vec::len) {
                let call = self.calls[place][at];
                self.call(call, member);
            }
        }
    }

    /// What is at `from` goes to `to` as well.
    fn link(&mut self, from: PlaceId, to: PlaceId) {
        if !self.linked.insert((from, to)) {
            return;
        }
        self.next[from.index()].push(to);
        if from != self.flow.outside() {
            for at in 0..self.found.sets.get(from).map_or(0, Vec::len) {
                self.add(to, self.found.sets[from][at]);
            }
        }
        if self.found.open.contains(from) {
            self.open(to);
        }
    }

    fn edge(&mut self, from: PlaceId, to: PlaceId, way: Way, cause: NodeId) {
        self.flow.edges.push(Edge { from, to, way, cause });
        if matches!(way, Way::Same | Way::Enters | Way::Leaves) {
            self.link(from, to);
        }
    }

    /// Code that is not seen may call the function.
    fn expose(&mut self, candidate: Candidate) {
        let program = self.program;
        self.found.exposed.insert(candidate.lambda);
        let it = &program.lambdas[candidate.lambda];
        let outside = self.flow.outside();
        for &param in &it.params[candidate.applied..] {
            self.edge(outside, self.flow.var(param), Way::Same, it.body);
        }
        self.edge(self.flow.result(candidate.lambda), outside, Way::Same, it.body);
    }

    fn call(&mut self, call: usize, member: Member) {
        let Call { node, func, args, result } = self.flow.calls[call].clone();
        let Member::Known(Candidate { lambda, applied }) = member else {
            let outside = self.flow.outside();
            for arg in args.into_iter().flatten() {
                self.edge(arg, outside, Way::Same, node);
            }
            // It may be given fewer arguments than it takes, and be kept with them.
            if matches!(self.program.types.get(self.program.ty(node)), Ty::Fn(..)) {
                self.edge(func, outside, Way::Same, node);
            }
            return self.edge(outside, result, Way::Same, node);
        };
        let program = self.program;
        let params = &program.lambdas[lambda].params[applied..];
        for (arg, &param) in args.iter().zip(params) {
            if let Some(arg) = *arg {
                self.edge(arg, self.flow.var(param), Way::Enters, node);
            }
        }
        if args.len() < params.len() {
            // By the call and not by its result, which the rest of a call with more arguments shares.
            if self.partial.insert(call) {
                self.flow.lasting.insert(result);
                for held in args.iter().copied().flatten().chain([func]) {
                    self.edge(held, result, Way::Into, node);
                }
            }
            let applied = applied + args.len();
            return self.add(result, Candidate { lambda, applied });
        }
        let from = self.flow.result(lambda);
        if args.len() == params.len() {
            return self.edge(from, result, Way::Leaves, node);
        }
        // The rest of the arguments are for what it returns.
        let rest = args[params.len()..].to_vec();
        let next = self.flow.calls.len();
        self.found.called.entry_or_insert_with(node, Vec::new).push(from);
        self.flow.calls.push(Call { node, func: from, args: rest, result });
        self.calls.entry_or_insert_with(from, Vec::new).push(next);
        for at in 0..self.found.sets.get(from).map_or(0, Vec::len) {
            self.call(next, Member::Known(self.found.sets[from][at]));
        }
        if self.found.open.contains(from) {
            self.call(next, Member::Unknown);
        }
    }
}
