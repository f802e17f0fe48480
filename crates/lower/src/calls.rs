//! Closures and calls.

use oxbow_diag::ice;
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::op;
use oxbow_dialect::{Kind, Likely, OcamlType, Val};
use oxbow_psg::{Callee, CaptureMode, LambdaId, NodeId, NodeKind, Repr, VarId};

use crate::expr::Dest;
use crate::function::{Function, placed};

impl<'c> Function<'_, '_, 'c> {
    /// Whether making the lambda a value takes an object of its own.
    pub fn needs_object(&self, lambda: LambdaId) -> bool {
        self.low.program.lambdas[lambda].repr != Repr::Lifted && !self.low.facts.is_constant(lambda)
    }

    fn closure_type(&mut self, lambda: LambdaId) -> oxbow_dialect::melior::ir::Type<'c> {
        let program = self.low.program;
        let params = &program.lambdas[lambda].params;
        let params: Vec<_> = params.iter().map(|&it| self.ty(program.vars[it].ty)).collect();
        let result = self.node_type(program.lambdas[lambda].body);
        self.low.build.types.closure(&params, result)
    }

    /// A lambda as a value.
    pub fn closure(&mut self, lambda: LambdaId, storage: op::Storage) -> Val<'c> {
        if self.low.program.lambdas[lambda].repr == Repr::Lifted {
            ice!("`{}` is lifted but used as a value", self.low.facts.symbols[lambda]);
        }
        let captures = self.low.facts.captures[lambda].clone();
        let values: Vec<_> = captures.iter().map(|it| self.captured(it)).collect();
        let ty = self.closure_type(lambda);
        let symbol = self.low.facts.symbols[lambda].clone();
        let storage = if values.is_empty() { op::Storage::Static } else { storage };
        self.low.build.make_closure(&symbol, &values, ty, storage)
    }

    /// Closures do not refer to each other: those of one group share what they capture.
    pub fn let_rec(&mut self, vars: &[VarId], values: &[NodeId]) {
        let program = self.low.program;
        for (&var, &value) in vars.iter().zip(values) {
            let NodeKind::Lambda(lambda) = program.nodes[value].kind else {
                ice!("a recursive binding of `{}` to no function", program.vars[var].name)
            };
            if self.needs_object(lambda) {
                let value = self.closure(lambda, placed(program.nodes[value].storage));
                self.bind(var, value);
            }
        }
    }

    pub fn apply(
        &mut self,
        node: NodeId,
        func: NodeId,
        args: &[NodeId],
        callee: Callee,
        dest: Dest<'c>,
    ) -> Option<Val<'c>> {
        let it = &self.low.program.nodes[node];
        let args = self.operands(args)?;
        match callee {
            Callee::Known(lambda) => self.known_call(node, func, lambda, args, dest),
            Callee::Unknown => {
                let closure = self.emit(func, Dest::Here)?;
                self.at(it.span);
                let result = self.ty(it.ty);
                if self.is_tail(dest)
                    && self.raises
                    && result == self.result
                    && self.frame_is_private(&args)
                {
                    self.keep_alive();
                    self.low.build.tail_invoke(closure, &args);
                    return None;
                }
                let (value, exn) = self.low.build.invoke(closure, &args, result);
                self.check(exn);
                self.finish(value, it.ty, dest)
            }
        }
    }

    fn known_call(
        &mut self,
        node: NodeId,
        func: NodeId,
        lambda: LambdaId,
        args: Vec<Val<'c>>,
        dest: Dest<'c>,
    ) -> Option<Val<'c>> {
        let program = self.low.program;
        let it = &program.nodes[node];
        let target = &program.lambdas[lambda];
        let mut all = Vec::new();
        let mut lends_slot = false;
        if target.repr == Repr::Lifted {
            self.at(it.span);
            for capture in self.low.facts.captures[lambda].clone() {
                lends_slot |= capture.mode == CaptureMode::ByRef && self.owns_slot(capture.var);
                all.push(self.captured(&capture));
            }
        } else if let (Some(own), Some(env)) = (self.lambda, self.env)
            && self.low.facts.in_one_group(own, lambda)
            && self.needs_object(lambda)
            && matches!(program.nodes[func].kind, NodeKind::Var { .. })
        {
            let ty = self.closure_type(lambda);
            all.push(self.low.build.env_self(env, ty));
        } else if self.needs_object(lambda) {
            all.push(self.emit(func, Dest::Here)?);
        } else if !matches!(program.nodes[func].kind, NodeKind::Var { .. } | NodeKind::Lambda(_)) {
            // The function itself is known; what leads to it may still have effects.
            self.emit(func, Dest::Here)?;
        }
        all.extend(args);
        self.at(it.span);
        let result = self.node_type(target.body);
        let symbol = self.low.facts.symbols[lambda].clone();
        let same_results = target.raises == self.raises && result == self.result;
        if self.is_tail(dest) && same_results && !lends_slot && self.frame_is_private(&all) {
            self.keep_alive();
            self.low.build.tail_call(&symbol, &all);
            return None;
        }
        let (value, exn) = self.low.build.call(&symbol, &all, result, target.raises);
        if let Some(exn) = exn {
            self.check(exn);
        }
        self.finish(value, it.ty, dest)
    }

    /// In tail position, and no handler of this function waits for the call's exception.
    fn is_tail(&self, dest: Dest<'c>) -> bool {
        matches!(dest, Dest::Return) && self.handler.is_none()
    }

    /// No argument can lead to a variable in this function's frame.
    fn frame_is_private(&self, args: &[Val<'c>]) -> bool {
        !self.shares_frame
            || args.iter().all(|it| {
                let parts = it.r#type().pair_parts().map_or(vec![it.r#type()], |it| it.to_vec());
                parts.iter().all(|it| matches!(it.kind(), Kind::Foreign | Kind::String))
            })
    }

    /// Leaves for the handler, or the function, if a call ended with an exception.
    pub fn check(&mut self, exn: Val<'c>) {
        if self.handler.is_none() && !self.raises {
            // The callee's code can raise in general, but was shown not to here.
            return;
        }
        let target = self.exception_target();
        let raised = self.low.build.exn_raised(exn);
        let next = self.low.build.new_block(&[]);
        self.low.build.cond_br_with(raised, (target, &[exn]), (next, &[]), Likely::Second);
        self.start(next);
    }
}
