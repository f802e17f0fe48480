//! Where each owned value is still needed.

use oxbow_base::IdVec;

use crate::ir::{Function, OpIr, ValueId};
use crate::own::Class;

/// A set of values of one function.
#[derive(Clone, PartialEq)]
pub struct Set(Vec<u64>);

impl Set {
    pub fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    pub fn contains(&self, id: ValueId) -> bool {
        let at = oxbow_base::Id::index(id);
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    pub fn insert(&mut self, id: ValueId) {
        let at = oxbow_base::Id::index(id);
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub fn remove(&mut self, id: ValueId) {
        let at = oxbow_base::Id::index(id);
        self.0[at / 64] &= !(1 << (at % 64));
    }

    pub fn extend(&mut self, other: &Set) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors((word != 0).then_some(word), |it| {
                let rest = it & (it - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |it| oxbow_base::Id::from_index(at * 64 + it.trailing_zeros() as usize))
        })
    }
}

/// The owned value that a use of `value` keeps alive.
pub fn root(classes: &IdVec<ValueId, Class>, value: ValueId) -> Option<ValueId> {
    match classes[value] {
        Class::Static | Class::Borrowed => None,
        Class::Derived(root) => Some(root),
        Class::Owned | Class::Copied => Some(value),
    }
}

/// The roots that an op uses, its edges included.
pub fn used(
    function: &Function<'_>,
    classes: &IdVec<ValueId, Class>,
    block: usize,
    op: &OpIr<'_>,
    mut visit: impl FnMut(ValueId),
) {
    let mut each = |value: ValueId| {
        if let Some(root) = root(classes, value) {
            visit(root);
        }
    };
    op.operands.iter().for_each(|it| each(it.0));
    if let Some(tested) = op.tested {
        each(tested.exn);
        tested.value.into_iter().for_each(&mut each);
    }
    if std::ptr::eq(op, function.blocks[block].ops.last().expect("a block has a last op")) {
        let edges = &function.blocks[block].edges;
        edges.iter().for_each(|edge| edge.passed.iter().for_each(|it| each(it.0)));
    }
}

/// The values alive at the start of each block, its arguments included.
pub fn starts(function: &Function<'_>, classes: &IdVec<ValueId, Class>) -> Vec<Set> {
    let size = function.value_count();
    let mut starts = vec![Set::new(size); function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..function.blocks.len()).rev() {
            let mut live = end(function, &starts, block);
            for op in function.blocks[block].ops.iter().rev() {
                op.results.iter().for_each(|&it| live.remove(it));
                used(function, classes, block, op, |it| live.insert(it));
            }
            if live != starts[block] {
                starts[block] = live;
                changed = true;
            }
        }
    }
    starts
}

/// The values alive behind a block: those that its successors need, their arguments excluded.
pub fn end(function: &Function<'_>, starts: &[Set], block: usize) -> Set {
    let mut live = Set::new(function.value_count());
    for edge in &function.blocks[block].edges {
        live.extend(&entered(function, starts, edge.target));
    }
    live
}

/// What a block needs besides its arguments.
pub fn entered(function: &Function<'_>, starts: &[Set], block: usize) -> Set {
    let mut live = starts[block].clone();
    function.blocks[block].args.iter().flatten().for_each(|&it| live.remove(it));
    live
}
