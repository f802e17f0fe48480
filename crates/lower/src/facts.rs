//! What lowering needs to know before it emits the first function: the effective captures (see
//! [`oxbow_psg::effective`]), a symbol for each function, the global variables that hold a value,
//! and the mutable variables whose address is in an object.

use std::ops::Deref;

use oxbow_base::{IdMap, IdSet};
use oxbow_psg::effective::Effective;
use oxbow_psg::{CaptureMode, LambdaId, Mono, Program, Repr, VarId};

use crate::names::Names;

pub struct Facts {
    effective: Effective,
    pub symbols: IdMap<LambdaId, String>,
    /// Global variables that hold a value, in order of binding.
    pub globals: Vec<VarId>,
    /// Mutable variables whose address is in a closure object.
    pub shared: IdSet<VarId>,
}

impl Facts {
    pub fn new(program: &Program<Mono>, names: &mut Names) -> Self {
        let effective = Effective::new(program);
        let vars = program.items.iter().flat_map(|it| it.kind.vars()).copied();
        let globals = vars.filter(|&it| !effective.bound.contains(it)).collect();
        let mut facts = Self { effective, symbols: IdMap::new(), globals, shared: IdSet::new() };
        for &lambda in &facts.effective.lambdas {
            let name = program.lambdas[lambda].name.map_or("fun", |it| it.as_str());
            facts.symbols.insert(lambda, names.fresh(name));
            if program.lambdas[lambda].repr != Repr::Lifted {
                let captures = &facts.effective.captures[lambda];
                let by_ref = captures.iter().filter(|it| it.mode == CaptureMode::ByRef);
                by_ref.for_each(|it| {
                    facts.shared.insert(it.var);
                });
            }
        }
        facts
    }
}

/// The effective captures are asked for everywhere.
impl Deref for Facts {
    type Target = Effective;

    fn deref(&self) -> &Effective {
        &self.effective
    }
}
