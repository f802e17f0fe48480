//! Nodes to ops and blocks.
//!
//! [`Dest`] says what becomes of a node's value: it is wanted here, it is the function's result,
//! it goes to another block, or it decides a branch. Values that arrive from several places
//! (`if`, `match`, `try`, join points) meet in a block with an argument.
//!
//! Sequences (`Let`, `Seq`, the last branch of an `If`, the tail of a list literal) are loops
//! here, so that long ones do not use the stack.

use oxbow_diag::ice;
use oxbow_dialect::inspect::definition;
use oxbow_dialect::melior::ir::block::BlockLike;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{self, Opcode, opcode};
use oxbow_dialect::{Block, Likely, OcamlType, Predicate, Val};
use oxbow_psg::{Const, IntWidth, JoinId, NodeId, NodeKind, Prim, Ty, TyId, VarId};

use crate::function::{Function, JoinPoint, placed};

/// What becomes of a value.
#[derive(Clone, Copy)]
pub enum Dest<'c> {
    /// It is returned to the emitter; a unit may be dropped.
    Here,
    /// The function ends with it.
    Return,
    /// Control goes to the block, which takes it as its argument unless it is a unit.
    Goto(Block<'c>),
    /// A truth value: control goes to the first block or to the second.
    Branch(Block<'c>, Block<'c>),
}

impl<'c> Function<'_, '_, 'c> {
    /// Emits a node. The value, if it is wanted here and control gets here.
    pub fn emit(&mut self, node: NodeId, dest: Dest<'c>) -> Option<Val<'c>> {
        let (place, seen) = (self.place, self.seen.mark());
        let value = self.emit_chain(node, dest);
        self.leave_scope(seen, value.is_some());
        self.place = place;
        value
    }

    fn emit_chain(&mut self, node: NodeId, dest: Dest<'c>) -> Option<Val<'c>> {
        let program = self.low.program;
        let mut node = node;
        loop {
            let it = &program.nodes[node];
            self.at(it.span);
            match &it.kind {
                NodeKind::Let { var, value, body } => {
                    self.let_(*var, *value)?;
                    node = *body;
                }
                NodeKind::LetRec { vars, values, body } => {
                    self.let_rec(vars, values);
                    node = *body;
                }
                NodeKind::Seq(items) => {
                    let (&last, first) = items.split_last().expect("a sequence is not empty");
                    for &item in first {
                        self.emit(item, Dest::Here)?;
                    }
                    node = last;
                }
                NodeKind::If { .. }
                | NodeKind::Switch { .. }
                | NodeKind::Try { .. }
                | NodeKind::Join { .. }
                    if matches!(dest, Dest::Here) =>
                {
                    return self.meet(node);
                }
                NodeKind::If { cond, then, otherwise } => {
                    let (yes, no) = (self.low.build.new_block(&[]), self.low.build.new_block(&[]));
                    self.emit(*cond, Dest::Branch(yes, no));
                    if self.enter(yes) {
                        self.emit(*then, dest);
                    }
                    if !self.enter(no) {
                        return None;
                    }
                    node = *otherwise;
                }
                NodeKind::Join { join, body, rest } => {
                    self.join(*join, *rest, dest);
                    if !self.enter_join(*join) {
                        return None;
                    }
                    node = *body;
                }
                NodeKind::Try { body, var, handler } => {
                    let block = self.low.build.new_block(&[self.low.build.types.exn]);
                    let outer = self.handler.replace(block);
                    self.emit(*body, dest);
                    self.handler = outer;
                    if !self.enter(block) {
                        return None;
                    }
                    let exn = self.low.build.argument(block, 0);
                    self.bind(*var, exn);
                    node = *handler;
                }
                NodeKind::Switch { value, cases, default } => {
                    self.switch(*value, cases, *default, dest);
                    return None;
                }
                _ => return self.emit_leaf(node, dest),
            }
        }
    }

    /// Nodes whose last part is not itself in the node's place.
    fn emit_leaf(&mut self, node: NodeId, dest: Dest<'c>) -> Option<Val<'c>> {
        let program = self.low.program;
        let it = &program.nodes[node];
        let storage = placed(it.storage);
        let value = match &it.kind {
            NodeKind::Const(Const::Bool(value)) if matches!(dest, Dest::Branch(..)) => {
                let Dest::Branch(yes, no) = dest else { ice!("a branch") };
                self.low.build.br(if *value { yes } else { no }, &[]);
                return None;
            }
            NodeKind::Const(constant) => self.constant(constant, it.ty),
            NodeKind::Var { var, .. } => self.read(*var),
            NodeKind::Lambda(lambda) => self.closure(*lambda, storage),
            NodeKind::Apply { func, args, callee } => {
                return self.apply(node, *func, args, *callee, dest);
            }
            NodeKind::Prim { prim: Prim::BoolNot, args } if matches!(dest, Dest::Branch(..)) => {
                let Dest::Branch(yes, no) = dest else { ice!("a branch") };
                return self.emit(args[0], Dest::Branch(no, yes));
            }
            NodeKind::Prim { prim, args } => self.prim(node, *prim, args)?,
            NodeKind::Assign { var, value } => {
                let value = self.emit(*value, Dest::Here)?;
                self.at(it.span);
                self.write(*var, value);
                self.unit()
            }
            NodeKind::While { cond, body } => self.while_(*cond, *body)?,
            NodeKind::For { var, from, to, down, body } => {
                self.for_(*var, [*from, *to], *down, *body)?
            }
            NodeKind::Tuple(items) => {
                let items = self.operands(items)?;
                self.at(it.span);
                self.tuple(&items, it.ty, storage)
            }
            NodeKind::TupleGet { tuple, index } => {
                let tuple = self.emit(*tuple, Dest::Here)?;
                self.at(it.span);
                let ty = self.ty(it.ty);
                match tuple.r#type().pair_parts() {
                    Some(_) => self.low.build.pair_get(tuple, *index, ty),
                    None => self.low.build.block_get(tuple, 0, *index, ty),
                }
            }
            NodeKind::Record(fields) => {
                let fields = self.operands(fields)?;
                self.at(it.span);
                let ty = self.ty(it.ty);
                self.low.build.block_new(0, &fields, ty, storage)
            }
            NodeKind::Construct { .. } => self.construct(node)?,
            NodeKind::Field { object, ctor, index } => {
                let object_ty = program.ty(*object);
                let object = self.emit(*object, Dest::Here)?;
                self.at(it.span);
                self.field((object, object_ty), *ctor, *index, it.ty)
            }
            NodeKind::SetField { object, ctor, index, value } => {
                let acyclic = self.low.types.is_acyclic(program.ty(*object), *ctor, *index);
                let value = self.emit(*value, Dest::Here)?;
                let object = self.emit(*object, Dest::Here)?;
                self.at(it.span);
                self.low.build.block_store(value, object, *ctor, *index, acyclic);
                self.unit()
            }
            NodeKind::Array(items) => {
                let items = self.operands(items)?;
                self.at(it.span);
                let ty = self.ty(it.ty);
                self.low.build.append_value(&op::ArrayNew::draft(&items, storage, ty))
            }
            NodeKind::MakeExn { exn, args } => {
                let args = self.operands(args)?;
                self.at(it.span);
                let symbol = self.low.exception(*exn);
                let storage = if args.is_empty() { op::Storage::Static } else { storage };
                self.low.build.exn_new(&symbol, &args, storage)
            }
            NodeKind::ExnField { object, exn, index } => {
                let object = self.emit(*object, Dest::Here)?;
                self.at(it.span);
                let symbol = self.low.exception(*exn);
                let ty = self.ty(it.ty);
                self.low.build.exn_get(object, &symbol, *index, ty)
            }
            NodeKind::Raise(exn) => {
                let exn = self.emit(*exn, Dest::Here)?;
                self.at(it.span);
                let target = self.exception_target();
                self.low.build.br(target, &[exn]);
                return None;
            }
            NodeKind::Jump { join, args } => {
                let values = self.operands(args)?;
                self.at(it.span);
                self.jump(*join, args, values);
                return None;
            }
            NodeKind::Let { .. }
            | NodeKind::LetRec { .. }
            | NodeKind::Seq(_)
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::Try { .. }
            | NodeKind::Join { .. } => ice!("emitted by its caller"),
        };
        self.finish(value, it.ty, dest)
    }

    fn tuple(&mut self, items: &[Val<'c>], ty: TyId, storage: op::Storage) -> Val<'c> {
        let ty = self.ty(ty);
        match *items {
            [first, second] if ty.pair_parts().is_some() => self.low.build.pair_new(first, second),
            _ => self.low.build.block_new(0, items, ty, storage),
        }
    }

    /// Reads a field of a record or constructor.
    fn field(
        &mut self,
        (object, object_ty): (Val<'c>, TyId),
        ctor: u32,
        index: u32,
        ty: TyId,
    ) -> Val<'c> {
        let ty = self.ty(ty);
        if self.low.types.word_ctor(object_ty) == Some(ctor) {
            self.unwrap_word(object, ty)
        } else if self.low.types.is_mutable_field(object_ty, ctor, index) {
            self.low.build.block_load(object, ctor, index, ty)
        } else {
            self.low.build.block_get(object, ctor, index, ty)
        }
    }

    /// Goes on at a join. Values of type `unit` are not passed.
    fn jump(&mut self, join: JoinId, args: &[NodeId], values: Vec<Val<'c>>) {
        let program = self.low.program;
        let values: Vec<_> = args
            .iter()
            .zip(values)
            .filter(|(arg, _)| !self.low.types.is_unit(program.ty(**arg)))
            .map(|it| it.1)
            .collect();
        self.keep_alive();
        let Some(point) = self.joins.get(join) else { ice!("{join} is not in scope") };
        let block = point.block;
        self.low.build.br(block, &values);
    }

    /// Sends a value where it is wanted.
    pub fn finish(&mut self, value: Val<'c>, ty: TyId, dest: Dest<'c>) -> Option<Val<'c>> {
        if !matches!(dest, Dest::Here) {
            self.keep_alive();
        }
        match dest {
            Dest::Here => return Some(value),
            Dest::Return => self.low.build.return_(value),
            Dest::Goto(block) if self.low.types.is_unit(ty) => self.low.build.br(block, &[]),
            Dest::Goto(block) => self.low.build.br(block, &[value]),
            Dest::Branch(yes, no) => self.low.build.cond_br(value, yes, no, usual(value)),
        }
        None
    }

    /// Emits a node whose value arrives from several places, and goes on where they meet.
    fn meet(&mut self, node: NodeId) -> Option<Val<'c>> {
        let ty = self.low.program.ty(node);
        let is_unit = self.low.types.is_unit(ty);
        let arguments: Vec<Type> = if is_unit { Vec::new() } else { vec![self.ty(ty)] };
        let block = self.low.build.new_block(&arguments);
        self.emit(node, Dest::Goto(block));
        if !self.enter(block) {
            return None;
        }
        Some(if is_unit { self.unit() } else { self.low.build.argument(block, 0) })
    }

    /// Goes on in a block, if anything branches to it.
    pub fn enter(&mut self, block: Block<'c>) -> bool {
        if block.predecessor_count() == 0 {
            self.low.build.discard(block);
            return false;
        }
        self.start(block);
        true
    }

    pub fn unit(&mut self) -> Val<'c> {
        self.low.build.const_bool(false)
    }

    /// Operands are evaluated from the last to the first.
    pub fn operands(&mut self, nodes: &[NodeId]) -> Option<Vec<Val<'c>>> {
        let mut values = Vec::with_capacity(nodes.len());
        for &node in nodes.iter().rev() {
            values.push(self.emit(node, Dest::Here)?);
        }
        values.reverse();
        Some(values)
    }

    fn let_(&mut self, var: VarId, value: NodeId) -> Option<()> {
        let program = self.low.program;
        let value = match program.nodes[value].kind {
            NodeKind::Lambda(lambda) if !program.vars[var].mutable => {
                if !self.needs_object(lambda) {
                    return Some(());
                }
                self.closure(lambda, placed(program.nodes[value].storage))
            }
            _ => self.emit(value, Dest::Here)?,
        };
        self.bind(var, value);
        Some(())
    }

    fn join(&mut self, join: JoinId, rest: NodeId, dest: Dest<'c>) {
        let params = &self.low.program.joins[join].params;
        let types: Vec<_> = params
            .iter()
            .map(|&it| self.low.program.vars[it].ty)
            .filter(|&it| !self.low.types.is_unit(it))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|it| self.ty(it))
            .collect();
        let block = self.low.build.new_block(&types);
        self.joins.insert(join, JoinPoint { block });
        self.emit(rest, dest);
    }

    /// Goes on in a join point's block with its parameters bound.
    fn enter_join(&mut self, join: JoinId) -> bool {
        let block = self.joins[join].block;
        if !self.enter(block) {
            return false;
        }
        let mut index = 0;
        for &param in &self.low.program.joins[join].params {
            let value = if self.low.types.is_unit(self.low.program.vars[param].ty) {
                self.unit()
            } else {
                index += 1;
                self.low.build.argument(block, index - 1)
            };
            self.bind(param, value);
        }
        true
    }

    fn while_(&mut self, cond: NodeId, body: NodeId) -> Option<Val<'c>> {
        let [head, inside, exit] = [(); 3].map(|()| self.low.build.new_block(&[]));
        self.low.build.br(head, &[]);
        self.start(head);
        self.emit(cond, Dest::Branch(inside, exit));
        if self.enter(inside) && self.emit(body, Dest::Here).is_some() {
            self.low.build.br(head, &[]);
        }
        self.enter(exit).then(|| self.unit())
    }

    /// The counter is a plain number that never steps over its last value.
    fn for_(
        &mut self,
        var: VarId,
        [from, to]: [NodeId; 2],
        down: bool,
        body: NodeId,
    ) -> Option<Val<'c>> {
        let tagged = match self.low.types.table.get(self.low.program.ty(from)) {
            Ty::Int(IntWidth::I63) => true,
            Ty::Int(width) if width.signed() => false,
            other => ice!("a loop counts by {other:?}"),
        };
        let first = self.emit(from, Dest::Here)?;
        let last = self.emit(to, Dest::Here)?;
        let (first, last) = if tagged {
            (self.low.build.untag(first), self.low.build.untag(last))
        } else {
            (first, last)
        };
        let ty = first.r#type();
        let [inside, next, exit] =
            [vec![ty], vec![], vec![]].map(|arguments| self.low.build.new_block(&arguments));
        match self
            .constant_bounds(from, to)
            .map(|(from, to)| if down { from >= to } else { from <= to })
        {
            Some(true) => self.low.build.br(inside, &[first]),
            Some(false) => self.low.build.br(exit, &[]),
            None => {
                let order = if down { Predicate::Sge } else { Predicate::Sle };
                let runs = self.low.build.cmp(order, first, last);
                self.low.build.cond_br_with(runs, (inside, &[first]), (exit, &[]), Likely::Unknown);
            }
        }
        // A loop that nothing enters would keep upstream's canonicalizer busy for ever.
        if !self.enter(inside) {
            self.low.build.discard(next);
            return self.enter(exit).then(|| self.unit());
        }
        let counter = self.low.build.argument(inside, 0);
        let value = if tagged { self.low.build.tag_small(counter) } else { counter };
        self.bind(var, value);
        if self.emit(body, Dest::Here).is_some() {
            let done = self.low.build.cmp(Predicate::Eq, counter, last);
            self.low.build.cond_br(done, exit, next, Likely::Unknown);
        }
        if self.enter(next) {
            let step = self.low.build.const_int(ty, if down { -1 } else { 1 });
            let flags = self.low.build.parsed("#arith.overflow<nsw>");
            let stepped = self.low.build.value(
                "arith.addi",
                &[counter, step],
                ty,
                &[("overflowFlags", flags)],
            );
            self.low.build.br(inside, &[stepped]);
        }
        self.enter(exit).then(|| self.unit())
    }

    fn constant_bounds(&self, from: NodeId, to: NodeId) -> Option<(i64, i64)> {
        let number = |node: NodeId| match self.low.program.nodes[node].kind {
            NodeKind::Const(Const::Int(_, value)) => Some(value),
            _ => None,
        };
        Some((number(from)?, number(to)?))
    }

    /// A constructor; those in the last argument, as in a list literal, are made first.
    fn construct(&mut self, node: NodeId) -> Option<Val<'c>> {
        let program = self.low.program;
        let mut spine = vec![node];
        let mut innermost = node;
        while let NodeKind::Construct { args, .. } = &program.nodes[innermost].kind
            && let Some(&last) = args.last()
            && let NodeKind::Construct { .. } = program.nodes[last].kind
        {
            spine.push(last);
            innermost = last;
        }
        let mut tail: Option<Val<'c>> = None;
        while let Some(node) = spine.pop() {
            let it = &program.nodes[node];
            let NodeKind::Construct { ctor, args } = &it.kind else { ice!("a constructor") };
            let first = if tail.is_some() { &args[..args.len() - 1] } else { &args[..] };
            let mut fields = self.operands(first)?;
            fields.extend(tail);
            self.at(it.span);
            let ty = self.ty(it.ty);
            tail = Some(if self.low.types.is_enumeration(it.ty) {
                self.low.build.const_int(ty, (*ctor).into())
            } else if fields.is_empty() {
                self.low.build.ctor(*ctor, ty)
            } else if self.low.types.word_ctor(it.ty) == Some(*ctor) {
                self.wrap_word(args[0], fields[0], ty)
            } else {
                self.low.build.block_new(*ctor, &fields, ty, placed(it.storage))
            });
        }
        tail
    }

    /// An `int` has the free bit already; what is smaller is moved. A constant stays one, so that the
    /// word can stand in static data.
    fn wrap_word(&mut self, node: NodeId, value: Val<'c>, ty: Type<'c>) -> Val<'c> {
        let types = self.low.build.types;
        let from = value.r#type();
        let word = if from == types.i64 {
            value
        } else if let NodeKind::Const(constant) = &self.low.program.nodes[node].kind
            && let Some(number) = small_constant(constant)
        {
            self.low.build.const_int(types.i64, oxbow_abi::shifted_int(number))
        } else {
            let extend = if from == types.i1 { "extui" } else { "extsi" };
            let wide = self.low.build.cast(extend, value, types.i64);
            self.low.build.tag_small(wide)
        };
        self.low.build.append_value(&op::WordWrap::draft(word, ty))
    }

    fn unwrap_word(&mut self, object: Val<'c>, ty: Type<'c>) -> Val<'c> {
        let build = &self.low.build;
        let word = build.append_value(&op::WordUnwrap::draft(object));
        if ty == build.types.i64 { word } else { build.cast("trunci", build.untag(word), ty) }
    }

    pub fn constant(&mut self, constant: &Const, ty: TyId) -> Val<'c> {
        let ty = self.ty(ty);
        match constant {
            Const::Unit => self.unit(),
            Const::Bool(value) => self.low.build.const_bool(*value),
            Const::Int(IntWidth::I63, value) => {
                self.low.build.const_int(ty, oxbow_abi::shifted_int(*value))
            }
            // An unsigned number is given by its bits.
            Const::Int(IntWidth::U32, value) => {
                self.low.build.const_int(ty, (*value as i32).into())
            }
            Const::Int(_, value) => self.low.build.const_int(ty, *value),
            Const::Float(value) => self.low.build.const_float(ty, *value),
            Const::Char(value) => self.low.build.const_int(ty, (*value as i8).into()),
            Const::String(bytes) => self.low.build.string_const(bytes),
        }
    }
}

/// What a condition mostly is, as far as its own kind tells: numbers in place of constructors are integers more often
/// than not, and the result of arithmetic on them is one too.
fn usual(condition: Val<'_>) -> Likely {
    match definition(condition).map(opcode) {
        Some(
            Opcode::WordIsInt
            | Opcode::WordAddFits
            | Opcode::WordSubFits
            | Opcode::WordMulFits
            | Opcode::WordFloatFits,
        ) => Likely::First,
        _ => Likely::Unknown,
    }
}

/// The bits of a constant that is smaller than a word, as its register holds them.
fn small_constant(constant: &Const) -> Option<i64> {
    match constant {
        Const::Bool(value) => Some((*value).into()),
        Const::Char(value) => Some((*value as i8).into()),
        Const::Int(IntWidth::U8, value) => Some((*value as i8).into()),
        Const::Int(IntWidth::U16, value) => Some((*value as i16).into()),
        Const::Int(IntWidth::U32, value) => Some((*value as i32).into()),
        Const::Int(_, value) => Some(*value),
        Const::Unit | Const::Float(_) | Const::String(_) => None,
    }
}
