//! The code of one function of numbers, without calls: what `eval` finds and both sweeps are written from.
//!
//! ```text
//! b0: v3 = array.get v0 v1
//!     v7 = loop (v4 from v2) b1        b1: v5 = mul v4 v3; branch v6 (continue v5) (yield v4)
//!     yield v7
//! ```
//!
//! Recursion that is no loop is a statement with the function's body as a block; calls inside of it refer to that
//! block. Values are defined once. A block ends by yielding values to the statement that holds it, by
//! the next round of its loop, by a branch to blocks that do either, or never (it raises).

use oxbow_base::{IdVec, define_id};
use oxbow_psg::{Const, Key, LambdaId, Prim, TyId, VarId};

define_id!(pub ValueId, "v");
define_id!(pub BlockId, "b");

#[derive(Clone, Debug)]
pub struct Value {
    pub ty: TyId,
    pub def: Def,
    /// Where it is defined; the first block for what is known outside.
    pub block: BlockId,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Def {
    Const(Const),
    /// An immutable variable of the program around the operator.
    Outer(VarId),
    /// Of a loop.
    Param,
    /// Of the statement that lists it as its result.
    Result,
}

#[derive(Clone, Debug)]
pub enum Op {
    Prim(Prim),
    /// A call of a function that is not looked into; its operands are the function and the arguments.
    Call,
    Tuple,
    TupleGet(u32),
    Record,
    Construct(u32),
    Field {
        ctor: u32,
        index: u32,
        mutable: bool,
    },
    SetField {
        ctor: u32,
        index: u32,
    },
    Array,
    MakeExn(oxbow_psg::ExnId),
    /// Of a mutable variable of the program around.
    ReadVar(VarId),
    WriteVar(VarId),
    /// A function without local variables, as a value.
    Function(LambdaId),
    /// A call of `KnownFunction::AddProduct`, whose reverse is two of them.
    AddProduct,
}

#[derive(Clone, Debug)]
pub enum Test {
    If(ValueId),
    /// One arm for each key, and a last one if there is a default.
    Switch {
        value: ValueId,
        keys: Vec<Key>,
    },
}

impl Test {
    pub fn value(&self) -> ValueId {
        match self {
            Self::If(value) | Self::Switch { value, .. } => *value,
        }
    }
    pub fn value_mut(&mut self) -> &mut ValueId {
        match self {
            Self::If(value) | Self::Switch { value, .. } => value,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Op {
        result: ValueId,
        op: Op,
        args: Vec<ValueId>,
    },
    Branch {
        test: Test,
        arms: Vec<BlockId>,
        results: Vec<ValueId>,
        /// The one of the results that is the number of the arm, where the reverse sweep needs it instead of
        /// the object that was tested.
        which: Option<ValueId>,
    },
    /// Arms that raise; nothing happens if the arm without a block is taken.
    Guard {
        test: Test,
        arms: Vec<Option<BlockId>>,
    },
    Loop(Loop),
    Recursion(Recursion),
    /// A call of the recursive function with this body, inside of it.
    Recur {
        body: BlockId,
        args: Vec<ValueId>,
        results: Vec<ValueId>,
    },
}

/// A function that calls itself, and the call from outside. Its body ends by yielding the results.
#[derive(Clone, Debug)]
pub struct Recursion {
    pub params: Vec<ValueId>,
    pub init: Vec<ValueId>,
    pub body: BlockId,
    pub results: Vec<ValueId>,
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub params: Vec<ValueId>,
    pub init: Vec<ValueId>,
    pub body: BlockId,
    pub results: Vec<ValueId>,
    /// How many rounds ended with `Continue`; defined around the loop.
    pub count: ValueId,
    /// A `for` loop: its body only continues, and its results are the last values of the parameters.
    pub counted: Option<Counted>,
}

#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// Defined in the body.
    pub index: ValueId,
    pub from: ValueId,
    pub to: ValueId,
    pub down: bool,
}

#[derive(Clone, Debug, Default)]
pub enum End {
    #[default]
    Open,
    Yield(Vec<ValueId>),
    Continue(Vec<ValueId>),
    Branch {
        test: Test,
        arms: Vec<BlockId>,
    },
    Raise(ValueId),
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub end: End,
}

/// A function of one array (`input`) or number, whose only result is a number.
#[derive(Clone, Debug)]
pub struct Code {
    pub values: IdVec<ValueId, Value>,
    pub blocks: IdVec<BlockId, Block>,
    pub input: ValueId,
    pub root: BlockId,
}

impl Code {
    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default())
    }

    pub fn value(&mut self, ty: TyId, def: Def, block: BlockId) -> ValueId {
        self.values.push(Value { ty, def, block })
    }

    pub fn ty(&self, value: ValueId) -> TyId {
        self.values[value].ty
    }

    /// The arguments and results of the calls of a recursive function inside of it.
    pub fn recurs(&self, body: BlockId) -> Vec<(&[ValueId], &[ValueId])> {
        let stmts = self.blocks.values().flat_map(|it| &it.stmts);
        stmts
            .filter_map(|it| match it {
                Stmt::Recur { body: of, args, results } if *of == body => {
                    Some((args.as_slice(), results.as_slice()))
                }
                _ => None,
            })
            .collect()
    }

    /// Whether some end of the block is the next round of its loop.
    pub fn continues(&self, block: BlockId) -> bool {
        self.ends_with(block, &|end| matches!(end, End::Continue(_)))
    }

    pub fn yields(&self, block: BlockId) -> bool {
        self.ends_with(block, &|end| matches!(end, End::Yield(_)))
    }

    fn ends_with(&self, block: BlockId, wanted: &dyn Fn(&End) -> bool) -> bool {
        match &self.blocks[block].end {
            End::Branch { arms, .. } => arms.iter().any(|&it| self.ends_with(it, wanted)),
            end => wanted(end),
        }
    }

    /// The blocks at the ends of a block: itself, or those of its branches.
    pub fn leaves(&self, block: BlockId, out: &mut Vec<BlockId>) {
        match &self.blocks[block].end {
            End::Branch { arms, .. } => arms.iter().for_each(|&it| self.leaves(it, out)),
            End::Open | End::Yield(_) | End::Continue(_) | End::Raise(_) => out.push(block),
        }
    }
}
