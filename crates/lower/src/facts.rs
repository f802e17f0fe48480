//! What lowering needs to know before it emits the first function: the effective captures (see
//! [`oxbow_psg::effective`]), a symbol for each function, the global variables that hold a value,
//! and the mutable variables whose address is in an object.

use oxbow_base::{IdMap, IdSet, IdVec};
use oxbow_psg::effective::Effective;
use oxbow_psg::{Capture, CaptureMode, LambdaId, Mono, Program, Repr, VarId};

use crate::names::Names;

pub struct Facts {
    /// Lambdas that the program's items reach, in order of first mention.
    pub lambdas: Vec<LambdaId>,
    /// The lambda that an immutable variable is bound to.
    pub bound: IdMap<VarId, LambdaId>,
    pub captures: IdVec<LambdaId, Vec<Capture>>,
    pub symbols: IdMap<LambdaId, String>,
    /// Global variables that hold a value, in order of binding.
    pub globals: Vec<VarId>,
    /// Mutable variables whose address is in a closure object.
    pub shared: IdSet<VarId>,
    /// The recursive group of a closure, by the group's first lambda.
    groups: IdMap<LambdaId, LambdaId>,
}

impl Facts {
    pub fn new(program: &Program<Mono>, names: &mut Names) -> Self {
        let Effective { lambdas, bound, captures, groups } = Effective::new(program);
        let globals = program
            .items
            .iter()
            .flat_map(|it| it.kind.vars())
            .copied()
            .filter(|&it| !bound.contains(it))
            .collect();
        let mut facts = Self {
            lambdas,
            bound,
            captures,
            groups,
            symbols: IdMap::new(),
            globals,
            shared: IdSet::new(),
        };
        for &lambda in &facts.lambdas {
            let name = program.lambdas[lambda].name.map_or("fun", |it| it.as_str());
            facts.symbols.insert(lambda, names.fresh(name));
            if program.lambdas[lambda].repr != Repr::Lifted {
                let by_ref =
                    facts.captures[lambda].iter().filter(|it| it.mode == CaptureMode::ByRef);
                by_ref.for_each(|it| {
                    facts.shared.insert(it.var);
                });
            }
        }
        facts
    }

    /// The lambda is the function itself wherever it is mentioned: no object is needed.
    pub fn is_constant(&self, lambda: LambdaId) -> bool {
        self.captures[lambda].is_empty()
    }

    /// Are both closures of one recursive group?
    pub fn in_one_group(&self, a: LambdaId, b: LambdaId) -> bool {
        self.groups.get(a).is_some_and(|it| self.groups.get(b) == Some(it))
    }
}
