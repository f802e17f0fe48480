//! Ops that are still to be made.

use melior::ir::Type;

use super::attributes::AttrValue;
use crate::builder::{Builder, Op, Val, result_of};
use crate::types::Types;

/// An op that is described and not made yet: a builder makes it and decides where it stands.
pub struct Draft<'c> {
    pub(super) name: &'static str,
    pub(super) operands: Vec<Val<'c>>,
    pub(super) results: Vec<ResultType<'c>>,
    pub(super) attributes: Vec<(&'static str, AttrValue<'c>)>,
}

/// The type of a result.
pub(super) enum ResultType<'c> {
    Given(Type<'c>),
    /// The same for all ops of the kind.
    Fixed(fn(&Types<'c>) -> Type<'c>),
}

impl<'c> Builder<'c> {
    /// An op in no block.
    pub fn create(&self, draft: &Draft<'c>) -> Op<'c> {
        let results: Vec<_> = draft
            .results
            .iter()
            .map(|it| match it {
                ResultType::Given(ty) => *ty,
                ResultType::Fixed(of) => of(&self.types),
            })
            .collect();
        let attributes: Vec<_> = draft
            .attributes
            .iter()
            .map(|(name, value)| (*name, value.make(self.context)))
            .collect();
        self.detached(draft.name, &draft.operands, &results, &attributes, &[], 0)
    }

    /// An op at the end of the current block.
    pub fn append(&self, draft: &Draft<'c>) -> Op<'c> {
        let op = self.create(draft);
        self.append_op(op);
        op
    }

    /// The same; the value of its only result.
    pub fn append_value(&self, draft: &Draft<'c>) -> Val<'c> {
        result_of(self.append(draft), 0)
    }
}
