//! Arrays of numbers that lie in bytes: `=`, `compare` and `hash` look at the numbers.
//!
//! ```text
//! before   a = b                                  (a, b : ('a, 'b, 'c) view of the library)
//! after    numbers_compare (rank a.element) a.sizes a.start a.data b.sizes b.start b.data = 0
//! ```
//!
//! The bytes of an array may be those of a larger one, and two floats with other bits may be equal. What the kind of
//! elements is shows when the program runs, so the library does the work.

use oxbow_psg::{IntWidth, KnownFunction, NodeId, OrderOp, Prim, Ty, TyId, VarId};

use super::generate::{Code, Task};
use super::order::Mode;

/// The fields of such a record.
const KIND: u32 = 0;
const SIZES: u32 = 2;
const START: u32 = 3;
const DATA: u32 = 4;

impl Code<'_, '_> {
    fn number_array_field(&mut self, ty: TyId, object: VarId, index: u32) -> NodeId {
        let field = self.context.field_types(ty, 0)[index as usize];
        self.ctor_field(object, 0, index, field)
    }

    /// The number of the kind of its elements, among all kinds.
    fn number_kind(&mut self, ty: TyId, object: VarId) -> NodeId {
        let kind = self.context.field_types(ty, 0)[KIND as usize];
        let value = self.number_array_field(ty, object, KIND);
        self.call(Task::Rank, kind, vec![value])
    }

    pub(super) fn numbers_order(&mut self, mode: Mode, ty: TyId, a: VarId, b: VarId) -> NodeId {
        let mut args = vec![self.number_kind(ty, a)];
        for object in [a, b] {
            args.extend([SIZES, START, DATA].map(|it| self.number_array_field(ty, object, it)));
        }
        let function = match mode {
            Mode::Equal | Mode::Partial => KnownFunction::NumbersCompare,
            Mode::Total => KnownFunction::NumbersCompareTotal,
        };
        let result = self.library(function, args);
        match mode {
            Mode::Equal => {
                let zero = self.int(0);
                self.order_prim(OrderOp::Eq, result, zero)
            }
            Mode::Total | Mode::Partial => result,
        }
    }

    /// An `int64` whose upper half is zero.
    pub(super) fn numbers_hash(&mut self, ty: TyId, a: VarId) -> NodeId {
        let mut args = vec![self.number_kind(ty, a)];
        args.extend([SIZES, START, DATA].map(|it| self.number_array_field(ty, a, it)));
        let hash = self.library(KnownFunction::NumbersHash, args);
        let wide = self.context.out.types.intern(Ty::Int(IntWidth::I64));
        let prim = Prim::IntCast { from: IntWidth::I63, to: IntWidth::I64 };
        self.prim(prim, vec![hash], wide)
    }
}
