//! Calls of functions and jumps: known code is read in its place.

use std::rc::Rc;

use oxbow_psg::{DataKind, JoinId, LambdaId, NodeId, NodeKind, Ty, TyId, VarId};

use super::super::ir::Op;
use super::super::reason::Reason;
use super::value::{Env, Val};
use super::{Eval, Head, Reader, Stop, Target};

impl Reader<'_> {
    pub(super) fn recursive(&self, vars: &[VarId], values: &[NodeId], env: &Env) -> Env {
        // A recursive function is looked up by its lambda; its environment is that of the group, in which
        // the names of the group are found again by `var_of_group`.
        let mut inner = env.clone();
        for (&var, &value) in vars.iter().zip(values) {
            if let NodeKind::Lambda(lambda) = self.program.nodes[value].kind {
                inner = inner.with(var, Val::Closure { lambda, env: env.clone() });
            }
        }
        inner
    }

    /// The environment of a lambda's body: its own, and the names of its recursive group.
    fn scope(&self, lambda: LambdaId, env: &Env) -> Env {
        let mut scope = env.clone();
        if self.known.grouped.contains(lambda) {
            for capture in &self.program.lambdas[lambda].captures {
                if env.get(capture.var).is_none()
                    && let Some(&other) = self.known.lambdas.get(capture.var)
                    && self.known.grouped.contains(other)
                {
                    scope =
                        scope.with(capture.var, Val::Closure { lambda: other, env: env.clone() });
                }
            }
        }
        scope
    }

    pub(super) fn bind_join(&mut self, join: JoinId, body: NodeId, env: &Env) {
        let data = &self.program.joins[join];
        let target = Target {
            params: data.params.clone(),
            body,
            env: env.clone(),
            own: Env::default(),
            recursive: data.recursive,
        };
        self.joins.insert(join, target);
    }

    pub(super) fn call(&mut self, func: Val, args: Vec<Val>, ty: TyId, tail: bool) -> Eval<Val> {
        if let Val::Dyn(function) = func {
            let (tys, result) = self.program.types.split_function(ty, args.len());
            let mut operands = vec![function];
            for (arg, ty) in args.iter().zip(tys) {
                operands.push(self.object(arg, ty)?);
            }
            return Ok(self.emit(Op::Call, operands, result));
        }
        self.apply(func, args, tail)
    }

    pub(super) fn apply(&mut self, func: Val, args: Vec<Val>, tail: bool) -> Eval<Val> {
        match func {
            Val::Closure { lambda, env } => {
                let (params, body) = self.flat(lambda);
                let arity = params.len();
                if self.known.add_product == Some(lambda) && args.len() == arity {
                    return self.add_product(&params, &args);
                }
                if args.len() < arity {
                    let func = Rc::new(Val::Closure { lambda, env });
                    return Ok(Val::Partial { func, args: args.into() });
                }
                let mut args = args;
                let more = args.split_off(arity);
                let target = Target {
                    params,
                    body,
                    env: self.scope(lambda, &env),
                    own: env,
                    recursive: self.known.recursive.contains(lambda),
                };
                let last = tail && more.is_empty();
                let result = self.go(Head::Function(lambda), &target, args, last)?;
                if more.is_empty() {
                    return Ok(result);
                }
                let ty = self.program.ty(body);
                self.call(result, more, ty, tail)
            }
            Val::Partial { func, args: first } => {
                let mut all = first.to_vec();
                all.extend(args);
                self.apply((*func).clone(), all, tail)
            }
            _ => Err(Stop::Unfit(Reason::UnknownCall)),
        }
    }

    fn add_product(&mut self, params: &[VarId], args: &[Val]) -> Eval<Val> {
        let mut operands = Vec::new();
        for (arg, &param) in args.iter().zip(params) {
            operands.push(self.object(arg, self.program.vars[param].ty)?);
        }
        Ok(self.emit(Op::AddProduct, operands, self.unit))
    }

    /// All parameters of a function that gives nothing but functions until it has them: `fun a -> function …`.
    fn flat(&self, lambda: LambdaId) -> (Vec<VarId>, NodeId) {
        let data = &self.program.lambdas[lambda];
        let (mut params, mut body) = (data.params.clone(), data.body);
        while let NodeKind::Lambda(inner) = self.program.nodes[body].kind {
            let data = &self.program.lambdas[inner];
            params.extend(&data.params);
            body = data.body;
        }
        (params, body)
    }

    pub(super) fn jump(&mut self, join: JoinId, args: Vec<Val>, tail: bool) -> Eval<Val> {
        let Some(target) = self.joins.get(join).cloned() else {
            return Err(Stop::Unfit(Reason::Jump));
        };
        self.go(Head::Join(join), &target, args, tail)
    }

    fn go(&mut self, head: Head, target: &Target, args: Vec<Val>, tail: bool) -> Eval<Val> {
        // A structure that is known is walked through as it is.
        let known = args.iter().any(|it| self.is_known_variant(it));
        if target.recursive && !known {
            if let Head::Function(lambda) = head
                && self.functions.contains(lambda)
            {
                return self.enter(head, target, &args);
            }
            if self.loops.iter().any(|it| it.head == head) {
                return self.next_round(head, &target.own, args, tail);
            }
            return self.function_loop(head, target, args, tail);
        }
        let mut env = target.env.clone();
        for (&param, arg) in target.params.iter().zip(args) {
            env = env.with(param, arg);
        }
        if self.loops.iter().any(|it| it.head == head) && !tail {
            return Err(Stop::Unfit(Reason::NoLoop));
        }
        self.eval(target.body, &env, tail)
    }

    fn is_known_variant(&self, val: &Val) -> bool {
        let Val::Data { ty, .. } = val else { return false };
        match *self.program.types.get(*ty) {
            Ty::Data(data, _) => {
                matches!(self.program.types.datas[data].kind, DataKind::Variant(_))
            }
            _ => false,
        }
    }
}
