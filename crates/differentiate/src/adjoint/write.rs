//! Writes code of the graph: the pieces that both sweeps share.

use oxbow_base::{IdMap, IdVec, Span, Symbol};
use oxbow_psg::{
    Callee, Const, IntOp, IntWidth, Key, Mono, NodeId, NodeKind, OrderOp, Prim, Program, Ty, TyId,
    Var, VarId,
};

use super::activity::Activity;
use super::ir::{BlockId, Code, Def, Op, Test, ValueId};
use super::plan::{Plan, Plans};
use super::reason::{Reason, Written};
use super::room::Rooms;

/// A step of the code that is being written.
pub enum Piece {
    Let(VarId, NodeId),
    LetRec(VarId, NodeId),
    Do(NodeId),
}

/// A stack for kept values: the array and how many items are in use, both mutable variables.
#[derive(Clone, Copy)]
pub struct Stack {
    pub items: VarId,
    pub top: VarId,
    /// The library's function that makes room.
    pub more: VarId,
}

/// Functions of the library.
#[derive(Clone, Copy)]
pub struct Library {
    pub more_floats: VarId,
    pub more_ints: VarId,
    pub more_arrays: VarId,
    pub items: VarId,
    pub expected: VarId,
    /// If the program has products of matrices.
    pub add_product: Option<VarId>,
}

#[derive(Clone, Default)]
pub enum Adjoint {
    #[default]
    Zero,
    /// Terms that were bound.
    Terms(Vec<VarId>),
    Cell(VarId),
}

pub struct Writer<'a> {
    pub program: &'a mut Program<Mono>,
    pub code: &'a Code,
    pub activity: &'a Activity,
    pub plans: &'a Plans,
    pub library: Library,
    pub span: Span,
    /// Where each value is at the moment.
    pub vars: IdVec<ValueId, Option<VarId>>,
    pub pieces: Vec<Piece>,
    pub adjoints: IdVec<ValueId, Adjoint>,
    /// Variables for kept values of inner blocks.
    pub kept: IdMap<ValueId, VarId>,
    pub stacks: [Option<Stack>; 3],
    pub rooms: &'a Rooms,
    /// Recursive functions by their bodies: those of the forward sweep, and of the reverse sweep with how many adjoints
    /// they give.
    pub forward: IdMap<BlockId, VarId>,
    pub reverse: IdMap<BlockId, (VarId, usize)>,
    pub array_ty: TyId,
}

impl Writer<'_> {
    pub fn add(&mut self, kind: NodeKind, ty: TyId) -> NodeId {
        self.program.add(kind, ty, self.span)
    }

    pub fn fresh(&mut self, name: &str, ty: TyId, mutable: bool) -> VarId {
        let span = self.span;
        let name = Symbol::new(name);
        self.program.vars.push(Var { name, ty, tyvars: Vec::new(), mutable, global: false, span })
    }

    pub fn mention(&mut self, var: VarId) -> NodeId {
        let ty = self.program.vars[var].ty;
        self.add(NodeKind::Var { var, tyargs: Vec::new() }, ty)
    }

    pub fn bind(&mut self, name: &str, value: NodeId) -> VarId {
        let ty = self.program.ty(value);
        let var = self.fresh(name, ty, false);
        self.pieces.push(Piece::Let(var, value));
        var
    }

    pub fn declare(&mut self, name: &str, value: NodeId) -> VarId {
        let ty = self.program.ty(value);
        let var = self.fresh(name, ty, true);
        self.pieces.push(Piece::Let(var, value));
        var
    }

    pub fn run(&mut self, node: NodeId) {
        self.pieces.push(Piece::Do(node));
    }

    pub fn assign(&mut self, var: VarId, value: NodeId) {
        let unit = self.program.types.unit;
        let node = self.add(NodeKind::Assign { var, value }, unit);
        self.run(node);
    }

    pub fn unit(&mut self) -> NodeId {
        let ty = self.program.types.unit;
        self.add(NodeKind::Const(Const::Unit), ty)
    }

    pub fn float(&mut self, value: f64) -> NodeId {
        let ty = self.program.types.float;
        self.add(NodeKind::Const(Const::Float(value)), ty)
    }

    pub fn int(&mut self, value: i64) -> NodeId {
        let ty = self.program.types.int;
        self.add(NodeKind::Const(Const::Int(IntWidth::I63, value)), ty)
    }

    pub fn bool(&mut self, value: bool) -> NodeId {
        let ty = self.program.types.bool;
        self.add(NodeKind::Const(Const::Bool(value)), ty)
    }

    pub fn prim(&mut self, prim: Prim, args: Vec<NodeId>, ty: TyId) -> NodeId {
        self.add(NodeKind::Prim { prim, args }, ty)
    }

    pub fn float_op(&mut self, op: oxbow_psg::FloatOp, args: Vec<NodeId>) -> NodeId {
        let ty = self.program.types.float;
        self.prim(Prim::Float(op), args, ty)
    }

    pub fn int_op(&mut self, op: IntOp, a: NodeId, b: NodeId) -> NodeId {
        let ty = self.program.types.int;
        self.prim(Prim::Int(IntWidth::I63, op), vec![a, b], ty)
    }

    pub fn order(&mut self, op: OrderOp, a: NodeId, b: NodeId) -> NodeId {
        let ty = self.program.types.bool;
        self.prim(Prim::Order(op), vec![a, b], ty)
    }

    pub fn call(&mut self, function: VarId, args: Vec<NodeId>) -> NodeId {
        let ty = self.program.vars[function].ty;
        let result = self.program.types.split_function(ty, args.len()).1;
        let func = self.mention(function);
        self.add(NodeKind::Apply { func, args, callee: Callee::Unknown }, result)
    }

    pub fn length(&mut self, array: NodeId) -> NodeId {
        let ty = self.program.types.int;
        self.prim(Prim::ArrayLength, vec![array], ty)
    }

    pub fn get(&mut self, array: NodeId, index: NodeId) -> NodeId {
        let ty = self.program.ty(array);
        let Ty::Array(item) = *self.program.types.get(ty) else {
            oxbow_diag::ice!("an item of something that is no array")
        };
        self.prim(Prim::ArrayGet, vec![array, index], item)
    }

    pub fn set(&mut self, array: NodeId, index: NodeId, value: NodeId) -> NodeId {
        let ty = self.program.types.unit;
        self.prim(Prim::ArraySet, vec![array, index, value], ty)
    }

    pub fn branch(&mut self, cond: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        let ty = self.program.ty(then);
        self.add(NodeKind::If { cond, then, otherwise }, ty)
    }

    /// Something to start a variable with; objects other than float arrays have nothing.
    pub fn default(&mut self, ty: TyId) -> Option<NodeId> {
        Some(match self.program.types.get(ty).clone() {
            Ty::Float => self.float(0.0),
            Ty::Bool => self.bool(false),
            Ty::Int(width) => self.add(NodeKind::Const(Const::Int(width, 0)), ty),
            Ty::Char => self.add(NodeKind::Const(Const::Char(0)), ty),
            Ty::Unit => self.unit(),
            Ty::Array(_) => self.add(NodeKind::Array(Vec::new()), ty),
            _ => return None,
        })
    }

    /// Writes code of its own scope; its value is that of the node that `write` answers.
    pub fn scope(&mut self, write: impl FnOnce(&mut Self) -> Written<NodeId>) -> Written<NodeId> {
        let outer = std::mem::take(&mut self.pieces);
        let last = write(self)?;
        let pieces = std::mem::replace(&mut self.pieces, outer);
        Ok(self.finish(pieces, last))
    }

    /// The same for code that answers nothing.
    pub fn block(&mut self, write: impl FnOnce(&mut Self) -> Written<()>) -> Written<NodeId> {
        self.scope(|it| {
            write(it)?;
            Ok(it.unit())
        })
    }

    fn finish(&mut self, pieces: Vec<Piece>, last: NodeId) -> NodeId {
        let mut node = last;
        let mut actions: Vec<NodeId> = Vec::new();
        for piece in pieces.into_iter().rev() {
            match piece {
                Piece::Do(action) => actions.push(action),
                Piece::Let(var, value) => {
                    node = self.sequence(&mut actions, node);
                    let ty = self.program.ty(node);
                    node = self.add(NodeKind::Let { var, value, body: node }, ty);
                }
                Piece::LetRec(var, value) => {
                    node = self.sequence(&mut actions, node);
                    let ty = self.program.ty(node);
                    let (vars, values) = (vec![var], vec![value]);
                    node = self.add(NodeKind::LetRec { vars, values, body: node }, ty);
                }
            }
        }
        self.sequence(&mut actions, node)
    }

    fn sequence(&mut self, actions: &mut Vec<NodeId>, last: NodeId) -> NodeId {
        if actions.is_empty() {
            return last;
        }
        let mut items: Vec<NodeId> = std::mem::take(actions);
        items.reverse();
        items.push(last);
        let ty = self.program.ty(last);
        self.add(NodeKind::Seq(items), ty)
    }

    /// Where a value is; in the reverse sweep only what the plan provides is there.
    pub fn value(&mut self, value: ValueId) -> Written<NodeId> {
        Ok(match &self.code.values[value].def {
            Def::Const(constant) => {
                let (constant, ty) = (constant.clone(), self.code.ty(value));
                self.add(NodeKind::Const(constant), ty)
            }
            Def::Outer(var) => self.mention(*var),
            Def::Param | Def::Result => match self.vars[value] {
                Some(var) => self.mention(var),
                None => return Err(Reason::NotKept),
            },
        })
    }

    pub fn op(&mut self, op: &Op, args: &[ValueId], ty: TyId) -> Written<NodeId> {
        let nodes = self.values(args)?;
        let kind = match op {
            Op::Prim(prim) => NodeKind::Prim { prim: *prim, args: nodes },
            Op::Call => NodeKind::Apply {
                func: nodes[0],
                args: nodes[1..].to_vec(),
                callee: Callee::Unknown,
            },
            Op::Tuple => NodeKind::Tuple(nodes),
            Op::TupleGet(index) => NodeKind::TupleGet { tuple: nodes[0], index: *index },
            Op::Record => NodeKind::Record(nodes),
            Op::Construct(ctor) => NodeKind::Construct { ctor: *ctor, args: nodes },
            Op::Field { ctor, index, .. } => {
                NodeKind::Field { object: nodes[0], ctor: *ctor, index: *index }
            }
            Op::SetField { ctor, index } => {
                NodeKind::SetField { object: nodes[0], ctor: *ctor, index: *index, value: nodes[1] }
            }
            Op::Array => NodeKind::Array(nodes),
            Op::MakeExn(exn) => NodeKind::MakeExn { exn: *exn, args: nodes },
            Op::ReadVar(var) => NodeKind::Var { var: *var, tyargs: Vec::new() },
            Op::WriteVar(var) => NodeKind::Assign { var: *var, value: nodes[0] },
            Op::AddProduct => return Ok(self.add_product(nodes)),
            Op::Function(lambda) => {
                let node = self.add(NodeKind::Lambda(*lambda), ty);
                return Ok(oxbow_psg::clone::clone_subtree(self.program, node));
            }
        };
        Ok(self.add(kind, ty))
    }

    pub fn add_product(&mut self, args: Vec<NodeId>) -> NodeId {
        let Some(function) = self.library.add_product else {
            oxbow_diag::ice!("a product in a program without products")
        };
        self.call(function, args)
    }

    pub fn values(&mut self, values: &[ValueId]) -> Written<Vec<NodeId>> {
        values.iter().map(|&it| self.value(it)).collect()
    }

    /// A branch over arms that are nodes of one type.
    pub fn test(&mut self, test: &Test, arms: Vec<NodeId>) -> Written<NodeId> {
        let value = self.value(test.value())?;
        Ok(match test {
            Test::If(_) => self.branch(value, arms[0], arms[1]),
            Test::Switch { keys, .. } => {
                let ty = self.program.ty(arms[0]);
                let cases: Vec<(Key, NodeId)> =
                    keys.iter().cloned().zip(arms.iter().copied()).collect();
                let default = arms.get(keys.len()).copied();
                self.add(NodeKind::Switch { value, cases, default }, ty)
            }
        })
    }

    /// The same by the number of the arm.
    pub fn test_number(&mut self, number: ValueId, mut arms: Vec<NodeId>) -> Written<NodeId> {
        let value = self.value(number)?;
        let ty = self.program.ty(arms[0]);
        let default = arms.pop();
        let key = |place: usize| Key::Int(IntWidth::I63, place as i64);
        let cases = arms.into_iter().enumerate().map(|(place, arm)| (key(place), arm)).collect();
        Ok(self.add(NodeKind::Switch { value, cases, default }, ty))
    }

    pub fn is_nested(&self, value: ValueId) -> bool {
        let block = self.code.values[value].block;
        self.activity.frame[block] != block
    }

    /// Variables for kept values of the inner blocks of a frame.
    pub fn declare_kept(&mut self, frame: BlockId) {
        let Some(kept) = self.plans.frames.get(frame).cloned() else { return };
        for value in kept.floats.into_iter().chain(kept.ints).chain(kept.arrays) {
            if self.is_nested(value)
                && let Some(start) = self.default(self.code.ty(value))
            {
                let var = self.declare("kept", start);
                self.kept.insert(value, var);
            }
        }
    }

    /// A value was defined in the forward sweep.
    pub fn defined(&mut self, value: ValueId, var: VarId) {
        self.vars[value] = Some(var);
        if self.plans.plan[value] == Plan::Kept
            && let Some(&kept) = self.kept.get(value)
        {
            let value = self.mention(var);
            self.assign(kept, value);
        }
    }
}
