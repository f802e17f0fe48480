//! Closures that nobody else can have when their code runs.
//!
//! ```text
//! take [1] of %env[0] {token = 0}         take [1] of %env[0] {token = 0, unique}
//! ```
//!
//! In continuation-passing style a closure is made, handed on, called once, and taken apart by its
//! code. Where that is so for all closures of a type, their code need not look at the count: the cell
//! is free, and what it held has a new owner. It is so if
//!
//! - all closures of the type that capture something are made by `make_closure` in cells of the heap;
//! - no op makes a second reference to one, nor puts one where something else could: only calls,
//!   branches, returns and captures pass them on;
//! - every call hands its closure over, with as many arguments as the code takes;
//! - closures that capture one are of such a type themselves, so they are never taken apart while
//!   somebody else has them.
//!
//! Runs when references are counted.

use oxbow_base::{FxHashMap, FxHashSet};
use oxbow_dialect::inspect::{operands, ops_of, reverse_postorder};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{DialectOp, Func, Opcode, Storage, Take, Upstream, View, opcode, view};
use oxbow_dialect::{Kind, OcamlType, Op, Val, region_of, result_of};

use crate::region_types::type_key;

#[derive(Default)]
struct Types<'c> {
    /// Types whose closures may be shared, lent, or elsewhere than in the heap.
    shared: FxHashSet<usize>,
    /// The types of the closures that each function is the code of.
    of_code: FxHashMap<&'c str, FxHashSet<usize>>,
}

pub fn run(functions: &[Op<'_>]) {
    let mut types = Types::default();
    let functions: Vec<Func<'_>> = functions.iter().map(|&it| Func::of(it)).collect();
    let by_name: FxHashMap<&str, Func<'_>> =
        functions.iter().map(|&it| (it.sym_name(), it)).collect();
    for op in functions.iter().flat_map(|&it| all(it)) {
        if let Some(code) = view(op).new_closure_code() {
            let ty = type_key(result_of(op, 0).r#type());
            types.of_code.entry(code).or_default().insert(ty);
        }
    }
    for &function in &functions {
        if function.exported() {
            let signature = function.inputs().into_iter().chain(function.outputs());
            signature.for_each(|it| types.share(it));
        }
        all(function).into_iter().for_each(|op| types.see(function, op, &by_name));
    }
    types.spread(&by_name);
    for &function in &functions {
        if !types.is_unique(function.sym_name()) {
            continue;
        }
        for take in all(function).into_iter().filter_map(Take::cast) {
            if take.object().r#type().kind() == Kind::Env {
                take.set_unique(true);
            }
        }
    }
}

fn all<'c>(function: Func<'c>) -> Vec<Op<'c>> {
    reverse_postorder(region_of(function.op())).into_iter().flat_map(ops_of).collect()
}

impl<'c> Types<'c> {
    /// Every closure in a value of this type may be shared.
    fn share(&mut self, ty: Type<'c>) {
        match ty.pair_parts() {
            Some(parts) => parts.into_iter().for_each(|it| self.share(it)),
            None if ty.kind() == Kind::Closure => {
                self.shared.insert(type_key(ty));
            }
            None => (),
        }
    }

    fn share_code(&mut self, function: &str) {
        self.shared.extend(self.of_code.get(function).into_iter().flatten());
    }

    fn see(&mut self, function: Func<'c>, op: Op<'c>, by_name: &FxHashMap<&str, Func<'c>>) {
        let values =
            operands(op).into_iter().chain((0..op.result_count()).map(|at| result_of(op, at)));
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        for ty in values.map(|it| it.r#type()) {
            match ty.kind() {
                // What is done with its own closure other than reading and taking it apart.
                Kind::Env
                    if !matches!(opcode(op), Opcode::EnvGet | Opcode::Take | Opcode::Drop) =>
                {
                    self.share_code(function.sym_name());
                }
                _ if ty.pair_parts().is_some() => parts.push(ty),
                _ => whole.push(ty),
            }
        }
        parts.into_iter().for_each(|it| self.share(it));
        match view(op) {
            View::EnvGet(_) | View::Take(_) | View::Drop(_) | View::Return(_) => (),
            View::Upstream(Upstream::Br | Upstream::CondBr | Upstream::Switch, _) => (),
            it @ (View::Call(_) | View::TailCall(_)) => {
                let callee = it.callee().expect("a call by name");
                if by_name.get(callee).is_none_or(|it| it.has_env()) {
                    self.share_code(callee);
                    whole.into_iter().for_each(|it| self.share(it));
                }
            }
            View::Invoke(it) => self.see_call(it.callee(), &it.args(), !it.handed_over(), &whole),
            View::TailInvoke(it) => self.see_call(it.callee(), &it.args(), false, &whole),
            View::MakeClosure(it) => {
                let ty = it.closure().r#type();
                let takes = by_name.get(it.func()).map(|it| it.inputs().len());
                let fits = takes == Some(ty.signature().0.len());
                let counted = it.storage() == Storage::Counted;
                if !fits || !it.captures().is_empty() && !counted {
                    self.share(ty);
                }
            }
            _ => whole.into_iter().for_each(|it| self.share(it)),
        }
    }

    /// The call of a function value, and the types of all that the op uses or gives.
    fn see_call(&mut self, callee: Val<'c>, args: &[Val<'c>], lends: bool, whole: &[Type<'c>]) {
        let ty = callee.r#type();
        let fits = ty.signature().0.len() == args.len();
        if !fits || lends {
            self.share(ty);
        }
        if !fits {
            whole.iter().for_each(|&it| self.share(it));
        }
    }

    /// What a closure captures is shared where the closure is.
    fn spread(&mut self, by_name: &FxHashMap<&'c str, Func<'c>>) {
        let mut changed = true;
        while changed {
            let before = self.shared.len();
            for (&name, &function) in by_name {
                let Some(captures) = function.captures() else { continue };
                if !self.is_unique(name) {
                    captures.into_iter().for_each(|it| self.share(it));
                }
            }
            changed = self.shared.len() != before;
        }
    }

    fn is_unique(&self, function: &str) -> bool {
        let types = self.of_code.get(function);
        types.is_some_and(|it| it.iter().all(|ty| !self.shared.contains(ty)))
    }
}
