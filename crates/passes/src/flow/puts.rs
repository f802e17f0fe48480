//! Which of its arguments a function puts into which.
//!
//! ```text
//! let push x q = … q.last.next <- Cons { x; … } …        argument 0 goes into argument 1
//! ```
//!
//! The value is followed as it is and as part of what holds it, the object as it is and by its parts, in the
//! function itself and in those that it calls; what a call returns comes back to that call only. A store that both come
//! to puts the one into the other. So what the library stores is found in its own text, whatever its names are.

use oxbow_base::{FxHashMap, IdSet, Span, SparseMap};
use oxbow_psg::{LambdaId, Mono, NodeId, NodeKind, Program, VarId};

use super::{Flow, Place, PlaceId, Sorted, Way};

/// Answers the question for the functions of one program.
pub struct Puts<'a> {
    program: &'a Program<Mono>,
    flow: &'a Flow,
    out: Sorted,
    /// Stores by the place of their value.
    stores: Vec<(PlaceId, PlaceId)>,
    known: FxHashMap<(LambdaId, usize, usize), bool>,
}

/// What is followed from a parameter.
#[derive(Clone, Copy, PartialEq)]
enum What {
    /// The value, and what holds it.
    Holders,
    /// The object, and its parts.
    Parts,
}

impl<'a> Puts<'a> {
    pub fn new(program: &'a Program<Mono>, flow: &'a Flow) -> Self {
        let out = Sorted::new(flow.places.len(), &flow.edges, |it| match it.way {
            Way::Stored | Way::Loaded => None,
            Way::Same | Way::Enters | Way::Leaves | Way::Into | Way::Part => Some(it.from),
        });
        let mut stores: Vec<_> = flow.stores.iter().map(|it| (it.value, it.object)).collect();
        stores.sort_unstable();
        Self { program, flow, out, stores, known: FxHashMap::default() }
    }

    /// Can a call put one of its arguments into another, by a function for whose place `asked` holds?
    pub fn puts(
        &mut self,
        call: NodeId,
        value: usize,
        object: usize,
        asked: &dyn Fn(Span) -> bool,
    ) -> bool {
        let Some(callees) = self.flow.functions().called(call) else { return false };
        callees.known.iter().any(|it| {
            let is_asked = asked(self.program.lambdas[it.lambda].span);
            is_asked && self.moves_into(it.lambda, value + it.applied, object + it.applied)
        })
    }

    /// Can a function put one of its arguments into another?
    pub fn moves_into(&mut self, lambda: LambdaId, value: usize, object: usize) -> bool {
        let params = &self.program.lambdas[lambda].params;
        if value >= params.len() || object >= params.len() || value == object {
            return false;
        }
        let key = (lambda, value, object);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let found = self.meet(params[value], params[object]);
        self.known.insert(key, found);
        found
    }

    fn meet(&self, value: VarId, object: VarId) -> bool {
        let objects = self.reach(object, What::Parts);
        let values = self.reach(value, What::Holders);
        values.iter().any(|it| self.stored(it).any(|object| objects.contains(object)))
    }

    /// The objects that what is at a place is put into.
    fn stored(&self, value: PlaceId) -> impl Iterator<Item = PlaceId> + use<'_> {
        let first = self.stores.partition_point(|it| it.0 < value);
        self.stores[first..].iter().take_while(move |it| it.0 == value).map(|it| it.1)
    }

    /// Items of a tuple are arguments as well: `table.Add(key, value)`.
    fn is_item(&self, read: NodeId) -> bool {
        matches!(self.program.nodes[read].kind, NodeKind::TupleGet { .. })
    }

    fn reach(&self, var: VarId, what: What) -> IdSet<PlaceId> {
        let mut seen: IdSet<PlaceId> = IdSet::new();
        let mut entered: IdSet<NodeId> = IdSet::new();
        // Results of functions that were come to before the call was entered.
        let mut waiting: SparseMap<NodeId, Vec<PlaceId>> = SparseMap::new();
        let mut work = vec![self.flow.var(var)];
        while let Some(place) = work.pop() {
            let is_end = matches!(self.flow.place(place), Place::Outside | Place::Raised);
            if is_end || !seen.insert(place) {
                continue;
            }
            for edge in self.out.at(place) {
                let it = &self.flow.edges[edge];
                match it.way {
                    Way::Same => work.push(it.to),
                    Way::Enters => {
                        entered.insert(it.cause);
                        work.push(it.to);
                        work.extend(waiting.remove(it.cause).unwrap_or_default());
                    }
                    Way::Leaves if entered.contains(it.cause) => work.push(it.to),
                    Way::Leaves => {
                        waiting.entry_or_insert_with(it.cause, Default::default).push(it.to)
                    }
                    Way::Into if what == What::Holders => work.push(it.to),
                    Way::Part if what == What::Parts || self.is_item(it.cause) => work.push(it.to),
                    Way::Into | Way::Part | Way::Stored | Way::Loaded => (),
                }
            }
            if what == What::Holders {
                work.extend(self.stored(place));
            }
        }
        seen
    }
}
