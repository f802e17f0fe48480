//! What is done with values: primitives, and the parts of tuples, records and constructors.

use oxbow_psg::{Const, DataKind, IntOp, IntWidth, NodeId, OrderOp, Prim, Ty, TyId, VarId};

use super::super::ir::{Def, Op, ValueId};
use super::super::reason::Reason;
use super::value::{Env, Val};
use super::{Eval, Reader, Stop};

impl Reader<'_> {
    pub(super) fn prim(&mut self, prim: Prim, args: &[NodeId], ty: TyId, env: &Env) -> Eval<Val> {
        if prim.is_differentiation()
            && !matches!(prim, Prim::AdConstant | Prim::AdAttach | Prim::AdIsZero)
        {
            return Err(Stop::Unfit(Reason::NestedDerivative));
        }
        if matches!(prim, Prim::SysExit | Prim::Unreachable) {
            return Err(Stop::Unfit(Reason::Exit));
        }
        let plain = |it: &TyId| {
            matches!(self.program.types.get(*it), Ty::Int(_) | Ty::Bool | Ty::Char | Ty::Unit)
        };
        if matches!(prim, Prim::PhysEq | Prim::PhysNe)
            && !args.iter().all(|&it| plain(&self.program.ty(it)))
        {
            return Err(Stop::Unfit(Reason::Identity));
        }
        // Levels tell whether a derivative is lost there.
        let changes_stacks = matches!(
            prim,
            Prim::FiberNew | Prim::FiberResume | Prim::FiberSuspend | Prim::DomainSpawn
        );
        if changes_stacks || matches!(prim, Prim::Foreign { .. } | Prim::Float32OfFloat) {
            return Err(Stop::Unfit(Reason::LosesDerivative));
        }
        let args = self.eval_objects(args, env)?;
        if matches!(prim, Prim::ParseFloat | Prim::FloatOfBits | Prim::FloatOfBits32) {
            return Err(Stop::Unfit(Reason::FromText));
        }
        if let Some(value) = self.fold(prim, &args) {
            return Ok(self.constant(value, ty));
        }
        Ok(self.emit(Op::Prim(prim), args, ty))
    }

    /// Integers that are known; more is left to later passes.
    fn fold(&self, prim: Prim, args: &[ValueId]) -> Option<Const> {
        let int = |at: usize| match self.code.values[*args.get(at)?].def {
            Def::Const(Const::Int(IntWidth::I63, value)) => Some(value),
            _ => None,
        };
        let wrap = |value: i64| Some(Const::Int(IntWidth::I63, IntWidth::I63.wrap(value)));
        match prim {
            Prim::Int(IntWidth::I63, IntOp::Add) => wrap(int(0)?.wrapping_add(int(1)?)),
            Prim::Int(IntWidth::I63, IntOp::Sub) => wrap(int(0)?.wrapping_sub(int(1)?)),
            Prim::Int(IntWidth::I63, IntOp::Mul) => wrap(int(0)?.wrapping_mul(int(1)?)),
            Prim::Order(OrderOp::Eq) => Some(Const::Bool(int(0)? == int(1)?)),
            Prim::Order(OrderOp::Lt) => Some(Const::Bool(int(0)? < int(1)?)),
            Prim::Order(OrderOp::Le) => Some(Const::Bool(int(0)? <= int(1)?)),
            Prim::Order(OrderOp::Gt) => Some(Const::Bool(int(0)? > int(1)?)),
            Prim::Order(OrderOp::Ge) => Some(Const::Bool(int(0)? >= int(1)?)),
            _ => None,
        }
    }

    pub(super) fn assign(&mut self, var: VarId, value: NodeId, ty: TyId, env: &Env) -> Eval<Val> {
        let val = self.eval(value, env, false)?;
        if let Some(&Val::Cell(cell)) = env.get(var) {
            self.cells[cell] = val;
            return Ok(Val::Unit);
        }
        let value = self.object(&val, self.program.ty(value))?;
        Ok(self.emit(Op::WriteVar(var), vec![value], ty))
    }

    pub(super) fn part(&mut self, tuple: Val, index: u32, ty: TyId) -> Eval<Val> {
        match tuple {
            Val::Tuple(items) => Ok(items[index as usize].clone()),
            Val::Dyn(value) => Ok(self.emit(Op::TupleGet(index), vec![value], ty)),
            _ => Err(Stop::Unfit(Reason::NoPart)),
        }
    }

    /// The field of an object, which is given with its type.
    pub(super) fn field(
        &mut self,
        (object, of): (Val, TyId),
        ctor: u32,
        index: u32,
        ty: TyId,
    ) -> Eval<Val> {
        match object {
            Val::Data { fields, .. } => Ok(fields[index as usize].clone()),
            Val::Object { cells, .. } => Ok(self.cells[cells[index as usize]].clone()),
            Val::Dyn(value) => {
                let mutable = self.is_mutable(of, ctor, Some(index));
                Ok(self.emit(Op::Field { ctor, index, mutable }, vec![value], ty))
            }
            _ => Err(Stop::Unfit(Reason::NoField)),
        }
    }

    /// The value is given with its type.
    pub(super) fn set_field(
        &mut self,
        object: Val,
        ctor: u32,
        index: u32,
        (val, ty): (Val, TyId),
    ) -> Eval<Val> {
        match object {
            Val::Object { cells, .. } => {
                self.cells[cells[index as usize]] = val;
                Ok(Val::Unit)
            }
            Val::Dyn(object) => {
                let value = self.object(&val, ty)?;
                let unit = self.unit;
                Ok(self.emit(Op::SetField { ctor, index }, vec![object, value], unit))
            }
            _ => Err(Stop::Unfit(Reason::NoField)),
        }
    }

    fn is_mutable(&self, ty: TyId, ctor: u32, index: Option<u32>) -> bool {
        let Ty::Data(data, _) = *self.program.types.get(ty) else { return true };
        let fields = match &self.program.types.datas[data].kind {
            DataKind::Record(fields) => fields,
            DataKind::Variant(ctors) => &ctors[ctor as usize].fields,
        };
        match index {
            Some(index) => fields[index as usize].mutable,
            None => fields.iter().any(|it| it.mutable),
        }
    }

    pub(super) fn construct(&mut self, ty: TyId, ctor: u32, fields: Vec<Val>) -> Val {
        if !self.is_mutable(ty, ctor, None) {
            return Val::Data { ty, ctor, fields: fields.into() };
        }
        let first = self.cells.len();
        let cells = (first..first + fields.len()).collect();
        self.cells.extend(fields);
        Val::Object { ty, cells }
    }
}
