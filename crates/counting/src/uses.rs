//! What an op does with each operand.

use oxbow_dialect::op::{self, Opcode};

/// Whether a use takes the reference over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Looks at it; whoever owns it keeps it.
    Borrow,
    /// Stores it or hands it on.
    Take,
    /// As the called function's parameter of this number.
    Param(u32),
    /// A component of a pair, which is borrowed if both are.
    Pair,
}

pub fn of_operand(opcode: Opcode, at: usize) -> Use {
    use Opcode::*;
    let take_if = |taken: bool| if taken { Use::Take } else { Use::Borrow };
    match opcode {
        Call | TailCall => Use::Param(at as u32),
        // A closure lends itself to its code; only in tail position nobody is left to drop it.
        Invoke => take_if(at != op::Invoke::CALLEE),
        Return | Raise | TailInvoke | BlockNew | ArrayNew | ArrayMake | ExnNew | MakeClosure
        | EnvCapture | Closure | GlobalStore | Opaque => Use::Take,
        ClosureFill => take_if(at >= op::ClosureFill::CAPTURES),
        EnvFill => take_if(at >= op::EnvFill::CAPTURES),
        RegionBlock => take_if(at >= op::RegionBlock::FIELDS),
        RegionClosure => take_if(at >= op::RegionClosure::CAPTURES),
        BlockStore => take_if(at == op::BlockStore::VALUE),
        ArraySet => take_if(at == op::ArraySet::VALUE),
        SlotStore => take_if(at == op::SlotStore::VALUE),
        PairNew => Use::Pair,
        // What only reads, and numbers.
        ArrayBlit | ArrayGet | ArrayLength | ArrayUninit | BlockGet | BlockLoad | BlockTag
        | Ctor | EnvGet | EnvSelf | ExnGet | ExnIs | ExnName | ExnNone | ExnRaised | Immediate
        | IsImmediate | NoValue | PairGet | PhysEq | StringConst | StringGet | StringLength
        | StringSet | SlotLoad | SlotNew | GlobalLoad | NativeLoad | NativeStore => Use::Borrow,
        WordAdd | WordAddFits | WordFloatFits | WordIsFloat | WordIsInt | WordIsMark | WordLess
        | WordMul | WordMulFits | WordOfFloat | WordOfInt | WordOfMark | WordSub | WordSubFits
        | WordToFloat | WordToInt | WordToMark | WordUnwrap | WordWrap => Use::Borrow,
        // The runtime and C keep nothing.
        RuntimeCall | ForeignCall => Use::Borrow,
        // References are counted for the ops of the program, not for those that count.
        Dup | Drop | Take | RegionEnter | RegionReset | RegionLeave => Use::Borrow,
        // Debuggers look at it.
        Variable | Alive => Use::Borrow,
        ClosureDeclare | EnvDeclare | EnvNew | Data | Exception | Family | Func | Global
        | Objects => Use::Borrow,
        Upstream(_) => Use::Borrow,
    }
}
