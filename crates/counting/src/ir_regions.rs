//! Which values are in regions, and what follows for the uses of them.

use oxbow_base::{FxHashSet, SparseMap};
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{DialectOp, Opcode, RegionEnter, view};
use oxbow_dialect::{Kind, OcamlType};

use crate::ir::{Def, Function, Program, ValueId, kept};
use crate::region_types::{is_among, type_key};
use crate::uses::Use;

/// Types of the objects in a region.
enum Holds {
    Types(FxHashSet<usize>),
    /// It is the caller's.
    Anything,
}

impl Program<'_> {
    /// Notes which values are in regions. Objects of a region hold each other without counting,
    /// and so does what a function gives back that was made in its caller's region.
    pub(crate) fn mark_regions(&mut self) {
        let kept: Vec<Vec<u32>> = self.functions.iter().map(|it| kept(it.op)).collect();
        for index in 0..self.functions.len() {
            let ids = self.functions[index].ids();
            let is_region = |it: &ValueId| {
                self.functions[index].values[*it].value.r#type().kind() == Kind::Region
            };
            let roots: Vec<ValueId> = ids.filter(is_region).collect();
            if roots.is_empty() {
                continue;
            }
            let holds: SparseMap<ValueId, Holds> =
                roots.iter().map(|&it| (it, self.holds(index, it))).collect();
            let function = &mut self.functions[index];
            for &at in &kept[index] {
                if let Some(arg) = function.blocks[0].args[at as usize] {
                    function.values[arg].region = function.blocks[0].args[0];
                }
            }
            while function.spread_regions(|root, ty| match &holds[root] {
                Holds::Anything => true,
                Holds::Types(types) => is_among(ty, types),
            }) {}
            for block in &mut function.blocks {
                for op in &mut block.ops {
                    let callee = view(op.op).callee().map(|it| self.by_name[it]);
                    for (value, how) in &mut op.operands {
                        let within = match (op.opcode, *how, callee) {
                            (Opcode::RegionBlock | Opcode::Return, ..) => true,
                            (_, Use::Param(at), Some(callee)) => kept[callee].contains(&at),
                            _ => false,
                        };
                        if within && function.values[*value].region.is_some() {
                            *how = Use::Borrow;
                        }
                    }
                }
            }
        }
    }

    fn holds(&self, function: usize, root: ValueId) -> Holds {
        match RegionEnter::defining(self.functions[function].values[root].value) {
            Some(enter) => Holds::Types(enter.holds().into_iter().map(type_key).collect()),
            None => Holds::Anything,
        }
    }
}

impl Function<'_> {
    /// One round of spreading: from what is made in a region to what holds or reads it.
    fn spread_regions(&mut self, mut holds: impl FnMut(ValueId, Type<'_>) -> bool) -> bool {
        let mut found = Vec::new();
        for block in &self.blocks {
            for op in &block.ops {
                let Some(&result) = op.results.first() else { continue };
                if self.values[result].region.is_some() {
                    continue;
                }
                let first = op.operands.first().map(|it| it.0);
                let region = match (op.opcode, self.values[result].def) {
                    (Opcode::RegionBlock | Opcode::RegionClosure | Opcode::Call, _) => {
                        first.filter(|it| self.values[*it].value.r#type().kind() == Kind::Region)
                    }
                    (_, Def::Part { of, .. }) => self.values[of]
                        .region
                        .filter(|&it| holds(it, self.values[result].value.r#type())),
                    _ => None,
                };
                found.extend(region.map(|it| (result, it)));
            }
            for &(value, arg) in block.edges.iter().flat_map(|it| &it.passed) {
                if let Some(root) = self.values[value].region
                    && self.values[arg].region.is_none()
                {
                    found.push((arg, root));
                }
            }
        }
        for &(value, root) in &found {
            self.values[value].region = Some(root);
        }
        !found.is_empty()
    }
}
