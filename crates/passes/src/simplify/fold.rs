//! Primitives whose result is known at compile time.

use std::cmp::Ordering;

use oxbow_psg::{Const, FloatOp, IntOp, IntWidth, Mono, NodeId, NodeKind, OrderOp, Prim, Program};

/// What an invalid operation gives at run time.
const MACHINE_NAN: f64 = f64::from_bits(0xfff8_0000_0000_0000);

pub(super) enum Folded {
    Const(Const),
    /// The result is this operand; the others are constants.
    Operand(usize),
    Prim(Prim, Vec<NodeId>),
}

/// Evaluates a primitive on simplified operands as far as possible.
pub(super) fn prim(program: &Program<Mono>, prim: Prim, args: &[NodeId]) -> Option<Folded> {
    let consts: Vec<Option<&Const>> = args
        .iter()
        .map(|&it| match &program.nodes[it].kind {
            NodeKind::Const(it) => Some(it),
            _ => None,
        })
        .collect();
    if let Prim::BoolNot = prim {
        return not(program, args[0], consts[0]);
    }
    if let Some(all) = consts.iter().copied().collect::<Option<Vec<_>>>() {
        return evaluate(prim, &all).map(Folded::Const);
    }
    if let (Prim::Int(_, op), &[left, right]) = (prim, consts.as_slice()) {
        let is =
            |it: Option<&Const>, value: i64| matches!(it, Some(Const::Int(_, it)) if *it == value);
        return match op {
            IntOp::Add | IntOp::Or | IntOp::Xor if is(left, 0) => Some(Folded::Operand(1)),
            IntOp::Add
            | IntOp::Sub
            | IntOp::Or
            | IntOp::Xor
            | IntOp::Shl
            | IntOp::Lsr
            | IntOp::Asr
                if is(right, 0) =>
            {
                Some(Folded::Operand(0))
            }
            IntOp::Mul if is(left, 1) => Some(Folded::Operand(1)),
            IntOp::Mul | IntOp::Div if is(right, 1) => Some(Folded::Operand(0)),
            IntOp::And if is(left, -1) => Some(Folded::Operand(1)),
            IntOp::And if is(right, -1) => Some(Folded::Operand(0)),
            _ => None,
        };
    }
    None
}

fn not(program: &Program<Mono>, arg: NodeId, known: Option<&Const>) -> Option<Folded> {
    if let Some(Const::Bool(it)) = known {
        return Some(Folded::Const(Const::Bool(!it)));
    }
    let NodeKind::Prim { prim: Prim::Order(op), args } = &program.nodes[arg].kind else {
        return None;
    };
    let op = match op {
        OrderOp::Eq => OrderOp::Ne,
        OrderOp::Ne => OrderOp::Eq,
        // The others are all false when a nan is met.
        _ => return None,
    };
    Some(Folded::Prim(Prim::Order(op), args.clone()))
}

/// The value wrapped to the width, sign-extended.
fn wrap(width: IntWidth, value: i64) -> i64 {
    width.wrap(value)
}

fn evaluate(prim: Prim, args: &[&Const]) -> Option<Const> {
    match (prim, args) {
        (Prim::Int(width, IntOp::Neg), &[&Const::Int(_, a)]) => {
            Some(Const::Int(width, wrap(width, a.wrapping_neg())))
        }
        (Prim::Int(width, op), &[&Const::Int(_, a), &Const::Int(_, b)]) => int(width, op, a, b),
        (Prim::Float(op), &[&Const::Float(a)]) => match op {
            FloatOp::Neg => Some(Const::Float(-a)),
            FloatOp::Abs => Some(Const::Float(a.abs())),
            FloatOp::Sqrt if a >= 0.0 => Some(Const::Float(a.sqrt())),
            _ => None,
        },
        (Prim::Float(op), &[&Const::Float(a), &Const::Float(b)]) => {
            let result = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                _ => return None,
            };
            // A computed nan is the machine's: x86 sets its sign, which printing shows.
            let made = result.is_nan() && !a.is_nan() && !b.is_nan();
            Some(Const::Float(if made { MACHINE_NAN } else { result }))
        }
        (Prim::Order(op), &[a, b]) => order(op, a, b),
        (Prim::PhysEq, &[a, b]) => scalar_equal(a, b).map(Const::Bool),
        (Prim::PhysNe, &[a, b]) => scalar_equal(a, b).map(|it| Const::Bool(!it)),
        (Prim::CharCode, &[&Const::Char(it)]) => Some(Const::Int(IntWidth::I63, i64::from(it))),
        (Prim::CharUnsafeChr, &[&Const::Int(_, it)]) => Some(Const::Char(it as u8)),
        (Prim::StringLength, &[Const::String(it)]) => {
            Some(Const::Int(IntWidth::I63, it.len() as i64))
        }
        (Prim::StringGet, &[Const::String(it), &Const::Int(_, at)]) => {
            it.get(usize::try_from(at).ok()?).copied().map(Const::Char)
        }
        (Prim::IntCast { to, .. }, &[&Const::Int(_, it)]) => Some(Const::Int(to, wrap(to, it))),
        (Prim::IntToFloat(IntWidth::U64), &[&Const::Int(_, it)]) => {
            Some(Const::Float(it as u64 as f64))
        }
        (Prim::IntToFloat(_), &[&Const::Int(_, it)]) => Some(Const::Float(it as f64)),
        _ => None,
    }
}

fn scalar_equal(a: &Const, b: &Const) -> Option<bool> {
    match (a, b) {
        (Const::Int(_, a), Const::Int(_, b)) => Some(a == b),
        (Const::Char(a), Const::Char(b)) => Some(a == b),
        (Const::Bool(a), Const::Bool(b)) => Some(a == b),
        (Const::Unit, Const::Unit) => Some(true),
        _ => None,
    }
}

fn order(op: OrderOp, a: &Const, b: &Const) -> Option<Const> {
    let ordering = match (a, b) {
        (Const::Int(IntWidth::U64, a), Const::Int(IntWidth::U64, b)) => {
            Some((*a as u64).cmp(&(*b as u64)))
        }
        (Const::Int(_, a), Const::Int(_, b)) => Some(a.cmp(b)),
        (Const::Char(a), Const::Char(b)) => Some(a.cmp(b)),
        (Const::Bool(a), Const::Bool(b)) => Some(a.cmp(b)),
        (Const::String(a), Const::String(b)) => Some(a.cmp(b)),
        (Const::Unit, Const::Unit) => Some(Ordering::Equal),
        (Const::Float(a), Const::Float(b)) => match (op, a.partial_cmp(b)) {
            (OrderOp::Compare, None) => return None,
            (_, it) => it,
        },
        _ => return None,
    };
    let holds = |test: fn(Ordering) -> bool| Some(Const::Bool(ordering.is_some_and(test)));
    match op {
        OrderOp::Eq => holds(Ordering::is_eq),
        OrderOp::Ne => Some(Const::Bool(!ordering.is_some_and(Ordering::is_eq))),
        OrderOp::Lt => holds(Ordering::is_lt),
        OrderOp::Le => holds(Ordering::is_le),
        OrderOp::Gt => holds(Ordering::is_gt),
        OrderOp::Ge => holds(Ordering::is_ge),
        OrderOp::Compare => ordering.map(|it| Const::Int(IntWidth::I63, it as i64)),
    }
}

fn int(width: IntWidth, op: IntOp, a: i64, b: i64) -> Option<Const> {
    let bits = width.bits();
    let signed = width.signed();
    let shift = u32::try_from(b).ok().filter(|&it| it < bits);
    // The bits of the width, without sign extension.
    let unsigned = |it: i64| if bits == 64 { it as u64 } else { it as u64 & ((1 << bits) - 1) };
    let result = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::Div if b != 0 && !signed => ((a as u64) / (b as u64)) as i64,
        IntOp::Mod if b != 0 && !signed => ((a as u64) % (b as u64)) as i64,
        IntOp::Div if b != 0 => a.wrapping_div(b),
        IntOp::Mod if b != 0 => a.wrapping_rem(b),
        IntOp::Div | IntOp::Mod | IntOp::Neg => return None,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a << shift?,
        IntOp::Lsr => (unsigned(a) >> shift?) as i64,
        IntOp::Asr if !signed => (unsigned(a) >> shift?) as i64,
        IntOp::Asr => a >> shift?,
        IntOp::Ult => return Some(Const::Bool(unsigned(a) < unsigned(b))),
    };
    Some(Const::Int(width, wrap(width, result)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_63_bits() {
        let max = (1 << 62) - 1;
        assert_eq!(
            int(IntWidth::I63, IntOp::Add, max, 1),
            Some(Const::Int(IntWidth::I63, -(1 << 62)))
        );
        assert_eq!(int(IntWidth::I63, IntOp::Lsr, -1, 1), Some(Const::Int(IntWidth::I63, max)));
        assert_eq!(int(IntWidth::I63, IntOp::Lsr, -1, 0), Some(Const::Int(IntWidth::I63, -1)));
        assert_eq!(
            int(IntWidth::I63, IntOp::Shl, 1, 62),
            Some(Const::Int(IntWidth::I63, -(1 << 62)))
        );
        assert_eq!(int(IntWidth::I32, IntOp::Lsr, -1, 28), Some(Const::Int(IntWidth::I32, 15)));
        assert_eq!(int(IntWidth::I63, IntOp::Div, 1, 0), None);
        assert_eq!(int(IntWidth::I63, IntOp::Ult, -1, 5), Some(Const::Bool(false)));
    }

    #[test]
    fn nan_is_unordered() {
        let nan = Const::Float(f64::NAN);
        assert_eq!(order(OrderOp::Eq, &nan, &nan), Some(Const::Bool(false)));
        assert_eq!(order(OrderOp::Ne, &nan, &nan), Some(Const::Bool(true)));
        assert_eq!(order(OrderOp::Compare, &nan, &nan), None);
    }
}
