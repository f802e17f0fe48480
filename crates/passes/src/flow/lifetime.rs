//! Which objects may outlive the frame of the function that makes them, and by which path.
//!
//! ```text
//! let add = fun x -> x + k in add 1 + add 2      called and dropped: bounded by the frame
//! let add = fun x -> x + k in add :: rest        stored in something that is returned: outlives it
//! iter (fun x -> r := …) xs                      bounded if `iter` only calls its parameter
//! ```
//!
//! A value outlives the frame if it is returned, raised, assigned, put into an object that exists, into an array or an
//! exception, if it reaches code that is not seen, is kept by a partial application, is carried from the round of a
//! loop that made it to the next, or is mentioned in a tail call of the function that made it (its frame is gone when
//! the callee runs; the frames of its callers are not). A closure that is called in tail position counts as outliving
//! the frame, whoever made it, unless it was read from an object. What a closure captures outlives the frame with it.
//! A recursive closure that calls itself last hands on what its caller keeps.
//!
//! An object in a tuple, a record or a constructor outlives the frame if the whole does, or if a part of
//! the whole does: a read leads back to everything that lies in an object, however deep.
//!
//! Marks spread against the edges, each place at most twice: once as it is, once for what it holds. Each mark remembers
//! the edge that it came by.
//!
//! Needs: `closure_repr` (what is lifted has no object).

use oxbow_base::{Id, IdMap, IdSet};
use oxbow_psg::{JoinId, LambdaId, Mono, NodeId, Program, Ty};

use super::{Flow, Place, PlaceId, Role, Sorted, Way};

/// What a tail call does to the lifetime of what its caller made.
#[derive(Clone, Copy, PartialEq)]
pub enum TailCalls {
    /// The frame is gone when the callee runs.
    EndFrames,
    /// The callee counts as part of its caller: for what does not lie in a frame.
    Continue,
}

/// Why something outlives its frame.
#[derive(Clone, Copy, Debug)]
pub enum Why {
    /// The place does: a variable of a module, what a function returns, an array.
    Lasting,
    /// What is at the end of this edge does, or what that holds.
    Edge { edge: usize, itself: bool },
    /// The node puts it into an object that exists.
    Stored(NodeId),
    /// The node carries it to the next round of a loop.
    NextRound(NodeId),
    /// The node is a call that replaces the frame, in which it has this role.
    LastCall(NodeId, Role),
}

/// A step of the way out.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where the value is before the step.
    pub place: PlaceId,
    pub why: Why,
    /// It is the object itself that goes on, and not something that it holds.
    pub itself: bool,
}

/// The objects that may outlive the frames that make them.
pub struct Lifetime {
    /// Places whose values do.
    gone: IdMap<PlaceId, Why>,
    /// Places such that what their values hold does.
    opened: IdMap<PlaceId, Why>,
}

impl Lifetime {
    pub fn new(program: &Program<Mono>, flow: &Flow, tail_calls: TailCalls) -> Self {
        let follows = |way: Way| matches!(way, Way::Same | Way::Enters | Way::Into | Way::Part);
        let into =
            Sorted::new(flow.places.len(), &flow.edges, |it| follows(it.way).then_some(it.to));
        let mut spread = Spread {
            program,
            flow,
            into,
            found: Self { gone: IdMap::new(), opened: IdMap::new() },
            work: Vec::new(),
            seen: vec![0; flow.places.len()],
            round: 0,
        };
        for place in flow.lasting.iter() {
            spread.go(place, Why::Lasting);
        }
        for lambda in program.lambdas.ids() {
            spread.go(flow.result(lambda), Why::Lasting);
        }
        for store in &flow.stores {
            spread.go(store.value, Why::Stored(store.cause));
        }
        if tail_calls == TailCalls::EndFrames {
            spread.hand_over();
        }
        spread.run();
        spread.end_rounds();
        if tail_calls == TailCalls::EndFrames {
            spread.end_frames();
        }
        spread.found
    }

    /// May the object that a node makes outlive the frame of its function?
    pub fn escapes(&self, flow: &Flow, node: NodeId) -> bool {
        flow.of_node(node).is_none_or(|it| self.gone.contains(it))
    }

    /// The steps by which the object that a node makes gets out of the frame; none if it does not.
    pub fn path(&self, flow: &Flow, node: NodeId) -> Vec<Step> {
        let mut steps = Vec::new();
        let Some(mut place) = flow.of_node(node) else { return steps };
        let mut itself = true;
        // Each mark rests on an earlier one, so the way ends.
        while let Some(&why) = if itself { self.gone.get(place) } else { self.opened.get(place) } {
            steps.push(Step { place, why, itself });
            let Why::Edge { edge, itself: next } = why else { break };
            (place, itself) = (flow.edge(edge).to, next);
        }
        steps
    }
}

struct Spread<'a> {
    program: &'a Program<Mono>,
    flow: &'a Flow,
    into: Sorted,
    found: Lifetime,
    work: Vec<(PlaceId, bool)>,
    /// The last search that came to a place.
    seen: Vec<u32>,
    round: u32,
}

impl Spread<'_> {
    fn go(&mut self, place: PlaceId, why: Why) {
        if !self.found.gone.contains(place) {
            self.found.gone.insert(place, why);
            self.work.push((place, true));
        }
    }

    fn open(&mut self, place: PlaceId, why: Why) {
        if !self.found.opened.contains(place) {
            self.found.opened.insert(place, why);
            self.work.push((place, false));
        }
    }

    fn run(&mut self) {
        while let Some((place, itself)) = self.work.pop() {
            let edges: Vec<usize> = self.into.at(place).collect();
            for edge in edges {
                let it = self.flow.edges[edge];
                let why = Why::Edge { edge, itself };
                match (it.way, itself) {
                    (Way::Same | Way::Enters, true) => self.go(it.from, why),
                    (Way::Same | Way::Enters, false) => self.open(it.from, why),
                    // What holds it goes with all that it holds.
                    (Way::Into, _) => self.go(it.from, why),
                    (Way::Part, _) if self.is_shared(it.cause) => (),
                    (Way::Part, _) => self.open(it.from, why),
                    (Way::Leaves | Way::Stored | Way::Loaded, _) => (),
                }
            }
        }
    }

    /// What is read lies in no frame, nor does what it holds.
    fn is_shared(&self, read: NodeId) -> bool {
        matches!(self.program.types.get(self.program.ty(read)), Ty::Array(_) | Ty::Exn)
    }

    /// A closure that is called last is handed over to its own code, which takes it apart: in programs in
    /// continuation-passing style that is worth more than a place in a frame. One that is read from an object stays
    /// there.
    fn hand_over(&mut self) {
        self.round += 1;
        let mut work = self.flow.called_last.clone();
        while let Some((place, call)) = work.pop() {
            if std::mem::replace(&mut self.seen[place.index()], self.round) == self.round {
                continue;
            }
            if let Place::Made(_) = self.flow.places[place] {
                self.go(place, Why::LastCall(call, Role::Called));
            }
            let edges = self.into.at(place).map(|it| &self.flow.edges[it]);
            let same = edges.filter(|it| matches!(it.way, Way::Same | Way::Enters));
            work.extend(same.map(|it| (it.from, call)));
        }
    }

    /// What a round made is overwritten by the next.
    fn end_rounds(&mut self) {
        let flow = self.flow;
        let mut made: IdSet<JoinId> = IdSet::new();
        for (place, home) in flow.homes.iter() {
            if !self.found.gone.contains(place) {
                loops(flow, home.in_loop).for_each(|it| {
                    made.insert(it);
                });
            }
        }
        for last in flow.carried.iter().filter(|it| made.contains(it.join)) {
            for place in self.origins(last.place) {
                if loops(flow, flow.homes[place].in_loop).any(|it| it == last.join) {
                    self.go(place, Why::NextRound(last.cause));
                }
            }
        }
        self.run();
    }

    /// What a function made is gone when its last call runs.
    fn end_frames(&mut self) {
        let flow = self.flow;
        let mut made: IdSet<LambdaId> = IdSet::new();
        for (place, home) in flow.homes.iter() {
            if let Some(function) = home.function
                && !self.found.gone.contains(place)
            {
                made.insert(function);
            }
        }
        for last in &flow.handed_on {
            if !made.contains(last.function) {
                continue;
            }
            for place in self.origins(last.place) {
                if flow.homes[place].function == Some(last.function) {
                    self.go(place, Why::LastCall(last.cause, last.role));
                }
            }
        }
        self.run();
    }

    /// The objects that a value may be or hold, as far as their frames may still hold them.
    fn origins(&mut self, place: PlaceId) -> Vec<PlaceId> {
        self.round += 1;
        let mut found = Vec::new();
        let mut work = vec![place];
        while let Some(place) = work.pop() {
            if std::mem::replace(&mut self.seen[place.index()], self.round) == self.round {
                continue;
            }
            // What is gone holds nothing that is not.
            if self.found.gone.contains(place) {
                continue;
            }
            if let Place::Made(_) = self.flow.places[place] {
                found.push(place);
            }
            work.extend(self.into.at(place).map(|it| self.flow.edges[it].from));
        }
        found
    }
}

/// The loops around what is made in one, from the inside.
fn loops(flow: &Flow, in_loop: Option<usize>) -> impl Iterator<Item = JoinId> {
    let mut at = in_loop;
    std::iter::from_fn(move || {
        let (join, around) = flow.loops[at?];
        at = around;
        Some(join)
    })
}
