//! What primitives do with the objects that they are given.
//!
//! ```text
//! %array.unsafe_set a i x       x is put into a
//! %array.unsafe_get a i         a part of a is the result
//! %physeq x y                   nothing: both are only looked at
//! ```
//!
//! A primitive that is not named here and gets or gives objects counts as code that is not seen.

use oxbow_psg::Prim;

/// What becomes of the operands of a primitive that can be objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// They are looked at, and the result is none of them.
    Nothing,
    /// The result is a part of the operand.
    Reads { object: usize },
    /// The operand is put into another.
    Puts { value: usize, object: usize },
    /// The result is a new array that holds the operand.
    Makes { value: usize },
    /// Parts of one operand are put into another.
    Copies { from: usize, to: usize },
    /// Anything.
    Unknown,
}

pub fn moves(prim: Prim) -> Moves {
    match prim {
        Prim::PhysEq
        | Prim::PhysNe
        | Prim::Order(_)
        | Prim::StrictOrder(_)
        | Prim::Hash
        | Prim::StrictHash
        | Prim::HashParam
        | Prim::ExnToString
        | Prim::BacktraceNote
        | Prim::BacktraceRestore
        | Prim::BacktracePush
        | Prim::StackEnter
        | Prim::StackEnd
        | Prim::BacktracePrint
        | Prim::ObjTag
        | Prim::ObjNumber
        | Prim::ObjSize
        | Prim::Show
        | Prim::Text
        | Prim::ArrayLength
        | Prim::ArrayUninit
        | Prim::ArrayTanh
        | Prim::ArrayFastTanh
        | Prim::ArrayFastExp
        | Prim::ArrayAddProduct
        | Prim::WordIsInt
        | Prim::WordToInt
        | Prim::WordOfInt
        | Prim::WordIsMark
        | Prim::WordToMark
        | Prim::WordOfMark
        | Prim::WordIsFloat
        | Prim::WordToFloat
        | Prim::WordOfFloat
        | Prim::WordFloatFits
        | Prim::WordAdd
        | Prim::WordSub
        | Prim::WordMul
        | Prim::WordAddFits
        | Prim::WordSubFits
        | Prim::WordMulFits
        | Prim::WordLess
        | Prim::Uninit
        | Prim::Default
        | Prim::SysExit
        | Prim::AtomicLock
        | Prim::AtomicUnlock
        | Prim::AtomicSingle
        | Prim::Unreachable => Moves::Nothing,
        Prim::ArrayGet => Moves::Reads { object: 0 },
        Prim::ArraySet => Moves::Puts { value: 2, object: 0 },
        Prim::ArrayMake => Moves::Makes { value: 1 },
        Prim::ArrayBlit => Moves::Copies { from: 0, to: 2 },
        _ => Moves::Unknown,
    }
}
