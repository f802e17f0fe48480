//! The functions that put nodes on a tape, one for each number of edges.
//!
//! ```text
//! push2 tape a u b v      let c = room_for tape 2 in let at = edges tape in
//!                         edge c at a u 0; edge c (at + 1) b v 1; close tape (at + 1)
//! plus1 tape t a u        if is_last tape t then … edge c at a u 3 … else push2 tape t 1.0 a u
//! ```
//!
//! The parts are inline functions of the library's `Oxbow_ad`.

use oxbow_psg::{
    InlineHint, IntOp, IntWidth, KnownFunction, Lambda, NodeId, NodeKind, Prim, TyId, VarId,
};

use super::emit::Emitter;
use super::level::Level;

/// What a node is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeOf {
    Edges,
    /// A sum with a term before the edges, which may take no edge.
    Sum,
}

impl Emitter<'_> {
    /// The function for nodes of numbers of this level with so many edges besides the term.
    pub fn push_function(&mut self, level: Level, count: usize, node: NodeOf) -> VarId {
        let key = (level, count, node);
        if let Some(&known) = self.pushes.get(&key) {
            return known;
        }
        let outer = level.outer();
        let tape = self.tape(level);
        let (tape_ty, int) = (self.out.vars[tape].ty, self.table().int);
        let number = self.number_ty(outer);
        let mut tys = vec![tape_ty];
        tys.extend((node == NodeOf::Sum).then_some(int));
        for _ in 0..count {
            tys.extend([int, number]);
        }
        let ty = self.table().function(&tys, int);
        let stem = if node == NodeOf::Sum { "plus" } else { "push" };
        let name = format!("{stem}{count}_{}", level.suffix());
        let function = self.global(&name, ty);
        self.pushes.insert(key, function);
        self.add_front(function, |it| it.push_lambda(level, count, node, &tys, &name));
        function
    }

    fn push_lambda(
        &mut self,
        level: Level,
        count: usize,
        node: NodeOf,
        tys: &[TyId],
        name: &str,
    ) -> NodeId {
        let params: Vec<VarId> = tys.iter().map(|&ty| self.local("x", ty)).collect();
        let (tape, given) = (params[0], params[1..].to_vec());
        let body = match node {
            NodeOf::Edges => self.node_body(level, tape, &given, 0),
            NodeOf::Sum => self.sum_body(level, count, tape, &given),
        };
        let lambda = self.out.lambdas.push(Lambda {
            // The sum of a loop over single terms is worth it.
            inline: if node == NodeOf::Sum && count == 1 && level.depth == 1 {
                InlineHint::Always
            } else {
                InlineHint::Default
            },
            ..Lambda::new(Some(oxbow_base::Symbol::new(name)), params, body, self.span)
        });
        let int = self.table().int;
        let ty = self.table().function(tys, int);
        self.add(NodeKind::Lambda(lambda), ty)
    }

    /// Edges to `given`, nodes and weights in turn; `first` is the kind of the first edge.
    fn node_body(&mut self, level: Level, tape: VarId, given: &[VarId], first: i64) -> NodeId {
        let (outer, int) = (level.outer(), self.table().int);
        let count = self.int(given.len() as i64 / 2);
        // This may go on to the next chunk, which has places of its own.
        let chunk = self.tape_call(KnownFunction::TapeRoomFor, outer, &[tape], &[count]);
        self.let_in(chunk, |it, chunk| {
            let at = it.tape_call(KnownFunction::TapeEdges, outer, &[tape], &[]);
            it.let_in(at, |it, at| {
                let mut steps = Vec::new();
                let last = given.len() / 2 - 1;
                let place = |it: &mut Self, by: usize| {
                    let args = vec![it.mention(at), it.int(by as i64)];
                    it.add(NodeKind::Prim { prim: Prim::Int(IntWidth::I63, IntOp::Add), args }, int)
                };
                for (index, edge) in given.chunks(2).enumerate() {
                    let kind = if index == 0 { first } else { 0 } + i64::from(index == last);
                    let args = vec![
                        it.mention(chunk),
                        place(it, index),
                        it.mention(edge[0]),
                        it.mention(edge[1]),
                        it.int(kind),
                    ];
                    let function = it.library(KnownFunction::TapeEdge, outer);
                    steps.push(it.call(function, args));
                }
                let args = vec![it.mention(tape), place(it, last)];
                let close = it.library(KnownFunction::TapeClose, outer);
                steps.push(it.call(close, args));
                it.add(NodeKind::Seq(steps), int)
            })
        })
    }

    fn sum_body(&mut self, level: Level, count: usize, tape: VarId, given: &[VarId]) -> NodeId {
        let (outer, int) = (level.outer(), self.table().int);
        let cond = self.tape_call(KnownFunction::TapeIsLast, outer, &[tape, given[0]], &[]);
        let then = self.node_body(level, tape, &given[1..], 2);
        let push = self.push_function(level, count + 1, NodeOf::Edges);
        let one = self.float(1.0);
        let one = self.lift(one, Level::GROUND, outer);
        let mut args = vec![self.mention(tape), self.mention(given[0]), one];
        for &var in &given[1..] {
            args.push(self.mention(var));
        }
        let otherwise = self.call(push, args);
        self.add(NodeKind::If { cond, then, otherwise }, int)
    }

    fn tape_call(
        &mut self,
        function: KnownFunction,
        outer: Level,
        vars: &[VarId],
        more: &[NodeId],
    ) -> NodeId {
        let function = self.library(function, outer);
        let mut args: Vec<NodeId> = vars.iter().map(|&it| self.mention(it)).collect();
        args.extend(more);
        self.call(function, args)
    }
}
