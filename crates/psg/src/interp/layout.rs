//! How OCaml would lay out data: what `compare`, `hash` and exception printing can
//! observe.
//!
//! Constant constructors are integers, numbered among themselves; the others are
//! blocks with tags numbered among themselves. A record of floats only is flat.

use oxbow_base::IdVec;

use crate::{DataId, DataKind, Program, Ty};

pub(super) struct Layout {
    datas: IdVec<DataId, DataLayout>,
}

struct DataLayout {
    /// The number of each constructor among those of its sort.
    numbers: Vec<u32>,
    flat_floats: bool,
}

impl Layout {
    pub fn new<P>(program: &Program<P>) -> Self {
        let is_float = |ty| matches!(program.types.get(ty), Ty::Float);
        let datas = program.types.datas.map(|decl| match &decl.kind {
            DataKind::Record(fields) => DataLayout {
                numbers: vec![0],
                flat_floats: !fields.is_empty() && fields.iter().all(|it| is_float(it.ty)),
            },
            DataKind::Variant(ctors) => {
                let (mut constants, mut blocks) = (0, 0);
                let number = |ctor: &crate::Ctor| {
                    let next = if ctor.fields.is_empty() { &mut constants } else { &mut blocks };
                    *next += 1;
                    *next - 1
                };
                DataLayout { numbers: ctors.iter().map(number).collect(), flat_floats: false }
            }
        });
        Self { datas }
    }

    /// The integer of a constant constructor, or the tag of another one.
    pub fn number(&self, data: DataId, ctor: u32) -> u32 {
        self.datas[data].numbers.get(ctor as usize).copied().unwrap_or(0)
    }

    pub fn is_flat(&self, data: DataId) -> bool {
        self.datas[data].flat_floats
    }
}
