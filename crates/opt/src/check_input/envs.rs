//! What environments hold, across functions.
//!
//! An environment is opaque, so nothing at its use says what it holds. It comes from `env.new` by
//! captures, from `env.declare`, or is a function's own; it goes through branches, calls and returns. All
//! that flow together must hold the same, and a closure over them must be of a function that captures
//! just that:
//!
//! ```text
//! %e = call @make_env(%k)     closure @add with %e        @make_env returns what @add captures?
//! ```

use oxbow_dialect::inspect::{blocks_of, key, name_of, operands, ops_of, place_of, successors};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, ValueLike};
use oxbow_dialect::op::{
    Closure, DialectOp, EnvDeclare, Func, Opcode, Upstream, View, opcode, view,
};
use oxbow_dialect::{Kind, OcamlType, Op, Val, region_of, result_of};
use rustc_hash::FxHashMap;

use super::{all_ops, is_gathered};
use crate::Fault;
use crate::fold_envs::gathered;
use crate::module::Declarations;

pub fn check(declarations: &Declarations<'_>, faults: &mut Vec<Fault>) {
    let mut flow =
        Flow { declarations, parents: FxHashMap::default(), returns: FxHashMap::default() };
    for op in all_ops(declarations) {
        flow.op(op, faults);
    }
    if faults.is_empty() {
        flow.compare(faults);
    }
}

struct Flow<'a, 'c> {
    declarations: &'a Declarations<'c>,
    /// A forest: values that flow together have one root.
    parents: FxHashMap<usize, usize>,
    /// A stand-in for the result of each function.
    returns: FxHashMap<&'c str, usize>,
}

impl<'c> Flow<'_, 'c> {
    fn root(&self, mut value: usize) -> usize {
        while let Some(&next) = self.parents.get(&value) {
            value = next;
        }
        value
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }

    fn result_of_function(&mut self, name: &'c str) -> usize {
        // Odd numbers are no addresses.
        let fresh = self.returns.len() * 2 + 1;
        *self.returns.entry(name).or_insert(fresh)
    }

    fn enclosing(op: Op<'c>) -> &'c str {
        Func::around(op).map_or("", Func::sym_name)
    }

    fn op(&mut self, op: Op<'c>, faults: &mut Vec<Fault>) {
        let args = operands(op);
        let envs: Vec<usize> =
            (0..args.len()).filter(|&at| args[at].r#type().kind() == Kind::Env).collect();
        let gives = (0..op.result_count()).any(|at| result_of(op, at).r#type().kind() == Kind::Env);
        let mut fault = |message: String| {
            faults.push(Fault { place: place_of(op.location()), message });
        };
        match view(op) {
            View::EnvNew(_)
            | View::EnvDeclare(_)
            | View::EnvFill(_)
            | View::EnvSelf(_)
            | View::Closure(_) => (),
            View::EnvCapture(it) => {
                if it.value().r#type().kind() == Kind::Env {
                    fault("an environment cannot be captured".into());
                } else if !is_gathered(it.env()) {
                    fault(
                        "captures are added to an environment in the function that makes it".into(),
                    );
                }
            }
            View::EnvGet(it) => {
                if gives {
                    fault("an environment holds no environment".into());
                } else if self.held(it.env()).is_none() {
                    fault("what this environment holds is not known here".into());
                }
            }
            View::Return(_) => {
                for at in envs {
                    let result = self.result_of_function(Self::enclosing(op));
                    self.join(key(args[at]), result);
                }
            }
            View::Call(_) | View::TailCall(_) => self.call(op, &args, &envs),
            View::Upstream(Upstream::Select, _) if !envs.is_empty() => {
                let result = key(result_of(op, 0));
                self.join(key(args[1]), result);
                self.join(key(args[2]), result);
            }
            View::Upstream(Upstream::Br | Upstream::CondBr | Upstream::Switch, _) => {
                self.branch(op, &args);
            }
            _ if !envs.is_empty() || gives => {
                fault(format!("`{}` cannot take or give an environment", name_of(op)));
            }
            _ => (),
        }
    }

    fn call(&mut self, op: Op<'c>, args: &[Val<'c>], envs: &[usize]) {
        let Some(callee) = view(op).callee() else { return };
        let target = self.declarations.funcs.iter().find(|it| it.sym_name() == callee);
        if let Some(&target) = target {
            let entry = self.declarations.entry(target);
            for &at in envs {
                let param = self.declarations.build.argument(entry, at);
                self.join(key(args[at]), key(param));
            }
        }
        let result = self.result_of_function(callee);
        if opcode(op) == Opcode::TailCall {
            let own = self.result_of_function(Self::enclosing(op));
            self.join(own, result);
        } else if op.result_count() > 0 && result_of(op, 0).r#type().kind() == Kind::Env {
            self.join(key(result_of(op, 0)), result);
        }
    }

    /// Operands of a branch come first the condition, then in order of the successors.
    fn branch(&mut self, op: Op<'c>, args: &[Val<'c>]) {
        let mut at = usize::from(opcode(op) != Opcode::Upstream(Upstream::Br));
        for successor in successors(op) {
            for index in 0..successor.argument_count() {
                let Some(&value) = args.get(at) else { return };
                at += 1;
                if value.r#type().kind() == Kind::Env {
                    let argument = self.declarations.build.argument(successor, index);
                    self.join(key(value), key(argument));
                }
            }
        }
    }

    /// What an environment holds by its definition.
    fn held(&self, env: Val<'c>) -> Option<Vec<Type<'c>>> {
        if let Some(values) = gathered(env) {
            return Some(values.iter().map(|it| it.r#type()).collect());
        }
        let captures = |name: &str| {
            let funcs = &self.declarations.funcs;
            let func = funcs.iter().find(|it| it.sym_name() == name)?;
            func.captures()
        };
        match (EnvDeclare::defining(env), oxbow_dialect::inspect::definition(env)) {
            (Some(declare), _) => captures(declare.func()),
            (None, Some(_)) => None,
            (None, None) => {
                let funcs = self.declarations.funcs.iter().filter(|it| it.captures().is_some());
                let mut own = funcs.filter(|it| key(self.declarations.env(**it)) == key(env));
                own.next().and_then(|it| it.captures())
            }
        }
    }

    /// Compares what flows together with what closures need.
    fn compare(&self, faults: &mut Vec<Fault>) {
        let mut held: FxHashMap<usize, Vec<Vec<Type<'c>>>> = FxHashMap::default();
        let mut note = |root: usize, types: Vec<Type<'c>>| {
            let known = held.entry(root).or_default();
            if !known.contains(&types) {
                known.push(types);
            }
        };
        for &func in &self.declarations.funcs {
            for block in blocks_of(region_of(func.op())) {
                let arguments = (0..block.argument_count())
                    .map(|at| self.declarations.build.argument(block, at))
                    .collect::<Vec<_>>();
                let results = ops_of(block).flat_map(|op| {
                    (0..op.result_count()).map(move |at| result_of(op, at)).collect::<Vec<_>>()
                });
                for value in arguments.into_iter().chain(results.collect::<Vec<_>>()) {
                    if value.r#type().kind() == Kind::Env
                        && let Some(types) = self.held(value)
                    {
                        note(self.root(key(value)), types);
                    }
                }
            }
        }
        for op in all_ops(self.declarations).into_iter().filter_map(Closure::cast) {
            let name = op.func();
            let func = self.declarations.funcs.iter().find(|it| it.sym_name() == name);
            let needed = func.and_then(|it| it.captures()).unwrap_or_default();
            let root = self.root(key(op.env()));
            for types in held.get(&root).into_iter().flatten() {
                if *types != needed {
                    let show = |types: &[Type<'c>]| {
                        let types: Vec<_> = types.iter().map(ToString::to_string).collect();
                        format!("({})", types.join(", "))
                    };
                    faults.push(Fault {
                        place: place_of(op.op().location()),
                        message: format!(
                            "@{name} captures {}, but the environment may hold {}",
                            show(&needed),
                            show(types)
                        ),
                    });
                }
            }
        }
    }
}
