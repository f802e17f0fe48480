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

use std::collections::HashMap;

use oxbow_dialect::inspect::{
    blocks_of, key, name_of, operands, ops_of, place_of, string_attr, symbol_attr,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Type, ValueLike};
use oxbow_dialect::{Kind, OcamlType, Op, Val, region_of, result_of};

use super::{all_ops, is_gathered};
use crate::Fault;
use crate::fold_envs::gathered;
use crate::module::{View, captures_of};

pub fn check(view: &View<'_>, faults: &mut Vec<Fault>) {
    let mut flow = Flow { view, parents: HashMap::new(), returns: HashMap::new() };
    for op in all_ops(view) {
        flow.op(op, faults);
    }
    if faults.is_empty() {
        flow.compare(faults);
    }
}

struct Flow<'a, 'c> {
    view: &'a View<'c>,
    /// A forest: values that flow together have one root.
    parents: HashMap<usize, usize>,
    /// A stand-in for the result of each function.
    returns: HashMap<&'c str, usize>,
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
        oxbow_dialect::inspect::parent(op).map_or("", |it| string_attr(it, "sym_name"))
    }

    fn op(&mut self, op: Op<'c>, faults: &mut Vec<Fault>) {
        let args = operands(op);
        let envs: Vec<usize> =
            (0..args.len()).filter(|&at| args[at].r#type().kind() == Kind::Env).collect();
        let gives = (0..op.result_count()).any(|at| result_of(op, at).r#type().kind() == Kind::Env);
        let mut fault = |message: String| {
            faults.push(Fault { place: place_of(op.location()), message });
        };
        match name_of(op) {
            "ocaml.env.new" | "ocaml.env.declare" | "ocaml.env.fill" | "ocaml.env.self"
            | "ocaml.closure" => (),
            "ocaml.env.capture" => {
                if envs.contains(&0) {
                    fault("an environment cannot be captured".into());
                } else if !is_gathered(args[1]) {
                    fault(
                        "captures are added to an environment in the function that makes it".into(),
                    );
                }
            }
            "ocaml.env.get" => {
                if gives {
                    fault("an environment holds no environment".into());
                } else if self.held(args[0]).is_none() {
                    fault("what this environment holds is not known here".into());
                }
            }
            "ocaml.return" => {
                for at in envs {
                    let result = self.result_of_function(Self::enclosing(op));
                    self.join(key(args[at]), result);
                }
            }
            "ocaml.call" | "ocaml.tail_call" => self.call(op, &args, &envs),
            "arith.select" if !envs.is_empty() => {
                let result = key(result_of(op, 0));
                self.join(key(args[1]), result);
                self.join(key(args[2]), result);
            }
            "cf.br" | "cf.cond_br" | "cf.switch" => self.branch(op, &args),
            name if !envs.is_empty() || gives => {
                fault(format!("`{name}` cannot take or give an environment"));
            }
            _ => (),
        }
    }

    fn call(&mut self, op: Op<'c>, args: &[Val<'c>], envs: &[usize]) {
        let callee = symbol_attr(op, "callee");
        let target = self.view.funcs.iter().find(|it| string_attr(**it, "sym_name") == callee);
        if let Some(&target) = target {
            let entry = self.view.entry(target);
            for &at in envs {
                let param = self.view.build.argument(entry, at);
                self.join(key(args[at]), key(param));
            }
        }
        let result = self.result_of_function(callee);
        if name_of(op) == "ocaml.tail_call" {
            let own = self.result_of_function(Self::enclosing(op));
            self.join(own, result);
        } else if op.result_count() > 0 && result_of(op, 0).r#type().kind() == Kind::Env {
            self.join(key(result_of(op, 0)), result);
        }
    }

    /// Operands of a branch come first the condition, then in order of the successors.
    fn branch(&mut self, op: Op<'c>, args: &[Val<'c>]) {
        let mut at = usize::from(name_of(op) != "cf.br");
        for successor in op.successors() {
            for index in 0..successor.argument_count() {
                let Some(&value) = args.get(at) else { return };
                at += 1;
                if value.r#type().kind() == Kind::Env {
                    // SAFETY: the block lives as long as its module.
                    let block = unsafe { oxbow_dialect::Block::from_raw(successor.to_raw()) };
                    let argument = self.view.build.argument(block, index);
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
            let funcs = &self.view.funcs;
            let func = funcs.iter().find(|it| string_attr(**it, "sym_name") == name)?;
            captures_of(*func)
        };
        match oxbow_dialect::inspect::definition(env) {
            Some(op) if name_of(op) == "ocaml.env.declare" => captures(symbol_attr(op, "func")),
            Some(_) => None,
            None => {
                let funcs = self.view.funcs.iter().filter(|it| captures_of(**it).is_some());
                let mut own = funcs.filter(|it| key(self.view.env(**it)) == key(env));
                own.next().and_then(|it| captures_of(*it))
            }
        }
    }

    /// Compares what flows together with what closures need.
    fn compare(&self, faults: &mut Vec<Fault>) {
        let mut held: HashMap<usize, Vec<Vec<Type<'c>>>> = HashMap::new();
        let mut note = |root: usize, types: Vec<Type<'c>>| {
            let known = held.entry(root).or_default();
            if !known.contains(&types) {
                known.push(types);
            }
        };
        for &func in &self.view.funcs {
            for block in blocks_of(region_of(func)) {
                let arguments = (0..block.argument_count())
                    .map(|at| self.view.build.argument(block, at))
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
        for op in all_ops(self.view).into_iter().filter(|it| name_of(*it) == "ocaml.closure") {
            let name = symbol_attr(op, "func");
            let func = self.view.funcs.iter().find(|it| string_attr(**it, "sym_name") == name);
            let needed = func.and_then(|it| captures_of(*it)).unwrap_or_default();
            let root = self.root(key(operands(op)[0]));
            for types in held.get(&root).into_iter().flatten() {
                if *types != needed {
                    let show = |types: &[Type<'c>]| {
                        let types: Vec<_> = types.iter().map(ToString::to_string).collect();
                        format!("({})", types.join(", "))
                    };
                    faults.push(Fault {
                        place: place_of(op.location()),
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
