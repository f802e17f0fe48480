//! Ops of upstream's dialects, as far as anyone asks.

use melior::ir::{Attribute, AttributeLike};
use mlir_sys as sys;

use super::attributes::required;
use super::{Effects, Opcode, opcode};
use crate::builder::{Op, Val};
use crate::inspect::{attr, definition, set_attr};
use crate::ops::Predicate;

/// Which op of another dialect it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Upstream {
    /// `cf.br`
    Br,
    /// `cf.cond_br`
    CondBr,
    /// `cf.switch`
    Switch,
    /// `arith.constant`
    Constant,
    /// `arith.select`
    Select,
    /// `arith.cmpi`
    CmpI,
    /// Any other op of `arith`.
    Arith,
    /// An op of `math`.
    Math,
    /// `llvm.unreachable`
    Unreachable,
    /// `llvm.freeze`
    Freeze,
    /// Any other op of `llvm`.
    Llvm,
    /// What no stage makes: it is refused where modules come in from outside.
    Other,
}

impl Upstream {
    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "cf.br" => Self::Br,
            "cf.cond_br" => Self::CondBr,
            "cf.switch" => Self::Switch,
            "arith.constant" => Self::Constant,
            "arith.select" => Self::Select,
            "arith.cmpi" => Self::CmpI,
            "llvm.unreachable" => Self::Unreachable,
            "llvm.freeze" => Self::Freeze,
            _ => match name.split_once('.') {
                Some(("arith", _)) => Self::Arith,
                Some(("math", _)) => Self::Math,
                Some(("llvm", _)) => Self::Llvm,
                _ => Self::Other,
            },
        }
    }

    pub const fn effects(self) -> Effects {
        match self {
            Self::Br
            | Self::CondBr
            | Self::Switch
            | Self::Constant
            | Self::Select
            | Self::CmpI
            | Self::Arith
            | Self::Math
            | Self::Unreachable
            | Self::Freeze => Effects::NONE,
            Self::Llvm | Self::Other => Effects::ANYTHING,
        }
    }

    pub const fn is_terminator(self) -> bool {
        matches!(self, Self::Br | Self::CondBr | Self::Switch | Self::Unreachable)
    }
}

/// What an `arith.cmpi` asks of its operands.
pub fn comparison(op: Op<'_>) -> Option<Predicate> {
    if opcode(op) != Opcode::Upstream(Upstream::CmpI) {
        return None;
    }
    Predicate::of_number(integer(op, "predicate"))
}

/// The number that an `arith.constant` of an integer type gives.
pub fn integer_constant(value: Val<'_>) -> Option<i64> {
    let op = definition(value).filter(|it| opcode(*it) == Opcode::Upstream(Upstream::Constant))?;
    // SAFETY: the attribute is owned by the context, and may be of any kind.
    let is_integer = unsafe { sys::mlirAttributeIsAInteger(required(op, "value").to_raw()) };
    is_integer.then(|| integer(op, "value"))
}

/// What an `arith.constant` gives, of any type.
pub fn constant_value<'c>(op: Op<'c>) -> Option<Attribute<'c>> {
    let is_constant = opcode(op) == Opcode::Upstream(Upstream::Constant);
    is_constant.then(|| required(op, "value"))
}

/// The numbers that a `cf.switch` tells apart.
pub fn switch_cases<'c>(op: Op<'c>) -> Option<Attribute<'c>> {
    attr(op, "case_values")
}

/// Tells LLVM what a call does to memory.
pub fn set_memory_effects<'c>(call: Op<'c>, effects: Attribute<'c>) {
    set_attr(call, "memory_effects", effects);
}

fn integer(op: Op<'_>, name: &str) -> i64 {
    // SAFETY: callers have asked which op it is, or what the attribute is: an integer, of at most 64 bits in our
    // modules.
    unsafe { sys::mlirIntegerAttrGetValueInt(required(op, name).to_raw()) }
}
