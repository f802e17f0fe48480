//! Questions about single places: what a value is or holds, who it belongs to, which edges there are.

use oxbow_base::IdSet;
use oxbow_psg::{LambdaId, Mono, NodeId, NodeKind, Program, VarId};

use super::{Edge, Flow, Place, PlaceId, Sorted, Store, Way};

impl Flow {
    /// The objects that the value at a place may be or hold, as far as they are not held by a variable of a module.
    pub fn held_at(&self, place: PlaceId) -> Vec<PlaceId> {
        let into = self.into();
        // Each place once for what is there, and once for what that holds.
        let mut seen = [IdSet::new(), IdSet::new()];
        let mut found = Vec::new();
        let mut work = vec![(place, true)];
        while let Some((place, itself)) = work.pop() {
            if !seen[usize::from(itself)].insert(place) || self.is_global(place) {
                continue;
            }
            if itself && !matches!(self.places[place], Place::Var(_) | Place::Result(_)) {
                found.push(place);
            }
            for edge in into.at(place) {
                let it = &self.edges[edge];
                match it.way {
                    Way::Same | Way::Enters | Way::Leaves => work.push((it.from, itself)),
                    Way::Into => work.push((it.from, true)),
                    Way::Part => work.push((it.from, false)),
                    Way::Stored | Way::Loaded => (),
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The variable of a module that an object is in, or one that it is a part of. What a function is given by its
    /// callers is theirs to look at.
    pub fn module_owner(&self, place: PlaceId) -> Option<VarId> {
        let into = self.into();
        let mut seen = IdSet::new();
        let mut work = vec![place];
        while let Some(place) = work.pop() {
            if !seen.insert(place) {
                continue;
            }
            if let Place::Var(var) = self.places[place]
                && self.globals.contains(var)
            {
                return Some(var);
            }
            let edges = into.at(place).map(|it| &self.edges[it]);
            let same = edges.filter(|it| matches!(it.way, Way::Same | Way::Part));
            work.extend(same.map(|it| it.from));
        }
        None
    }

    /// The edges that lead away from a place.
    pub fn from(&self, place: PlaceId) -> impl Iterator<Item = &Edge> {
        let out = self
            .out
            .get_or_init(|| Sorted::new(self.places.len(), &self.edges, |it| Some(it.from)));
        out.at(place).map(|it| &self.edges[it])
    }

    /// The edges that lead to a place, except those by the types of fields.
    pub fn to(&self, place: PlaceId) -> impl Iterator<Item = &Edge> {
        self.into().at(place).map(|it| &self.edges[it])
    }

    /// Where what is at a place is put.
    pub fn stores_of(&self, value: PlaceId) -> impl Iterator<Item = &Store> {
        let by_value = self.by_value.get_or_init(|| {
            let mut stores: Vec<usize> = (0..self.stores.len()).collect();
            stores.sort_by_key(|&it| self.stores[it].value);
            stores
        });
        let first = by_value.partition_point(|&it| self.stores[it].value < value);
        let here = by_value[first..].iter().map(|&it| &self.stores[it]);
        here.take_while(move |it| it.value == value)
    }

    /// The closure of a function literal.
    pub fn literal(&self, lambda: LambdaId) -> Option<PlaceId> {
        self.literals.iter().find(|it| it.1 == lambda).map(|it| it.0)
    }

    /// The place of the value of an operand of a call, a store or a primitive; none if it is no object.
    pub fn operand(&self, program: &Program<Mono>, node: NodeId) -> Option<PlaceId> {
        match program.nodes[node].kind {
            NodeKind::Var { var, .. } => Some(self.var(var)),
            _ => self.of_node(node),
        }
    }

    /// The edges by which something comes to a place.
    fn into(&self) -> &Sorted {
        self.into.get_or_init(|| {
            Sorted::new(self.places.len(), &self.edges, |it| match it.way {
                Way::Stored | Way::Loaded => None,
                Way::Same | Way::Enters | Way::Leaves | Way::Into | Way::Part => Some(it.to),
            })
        })
    }

    /// Is it a variable of a module, or out of sight?
    fn is_global(&self, place: PlaceId) -> bool {
        match self.places[place] {
            Place::Var(var) => self.globals.contains(var),
            Place::Outside | Place::Raised => true,
            _ => false,
        }
    }

    /// Is the value of the node a function that was given fewer arguments than it takes?
    pub fn is_partial(&self, place: PlaceId) -> bool {
        matches!(self.places[place], Place::Given(_)) && self.lasting.contains(place)
    }
}
