//! A module's declarations by symbol, and the ops that name each function.

use oxbow_dialect::inspect::{
    body_ops, erase, erase_argument, first_block, insert_before, ops_of, replace_uses, uses_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Module, Type, ValueLike};
use oxbow_dialect::op::{Data, DialectOp, Draft, Func, Global, MakeClosure, Storage, View, view};
use oxbow_dialect::{Block, Builder, Op, Val, region_of, result_of};
use rustc_hash::FxHashMap;

pub struct Declarations<'c> {
    pub build: Builder<'c>,
    pub body: Block<'c>,
    pub funcs: Vec<Func<'c>>,
}

impl<'c> Declarations<'c> {
    pub fn new(module: &Module<'c>, context: &'c Context) -> Self {
        let build = Builder::new(context);
        let body = build.module_body(module);
        let funcs = ops_of(body).filter_map(Func::cast).collect();
        Self { build, body, funcs }
    }

    /// Functions by symbol.
    pub fn by_name(&self) -> FxHashMap<&'c str, Func<'c>> {
        self.funcs.iter().map(|&it| (it.sym_name(), it)).collect()
    }

    /// For each function, the ops in function bodies that name it.
    pub fn references(&self) -> FxHashMap<&'c str, Vec<Op<'c>>> {
        let mut references: FxHashMap<&'c str, Vec<Op<'c>>> = FxHashMap::default();
        for &func in &self.funcs {
            for op in body_ops(func.op()) {
                if let Some(name) = named_function(op) {
                    references.entry(name).or_default().push(op);
                }
            }
        }
        references
    }

    /// The module-level variables.
    pub fn globals(&self) -> Vec<Global<'c>> {
        ops_of(self.body).filter_map(Global::cast).collect()
    }

    /// For each record or variant, the types of all its fields.
    pub fn datas(&self) -> FxHashMap<&'c str, Vec<Type<'c>>> {
        let datas = ops_of(self.body).filter_map(Data::cast);
        datas.map(|it| (it.sym_name(), it.ctors().concat())).collect()
    }

    pub fn entry(&self, func: Func<'c>) -> Block<'c> {
        first_block(region_of(func.op())).expect("a function has a body")
    }

    /// The environment of a function with captures.
    pub fn env(&self, func: Func<'c>) -> Val<'c> {
        self.build.argument(self.entry(func), 0)
    }

    /// A new op before another, with its location.
    pub fn before(&mut self, anchor: Op<'c>, draft: &Draft<'c>) -> Op<'c> {
        self.build.location = anchor.location();
        let op = self.build.create(draft);
        insert_before(anchor, op);
        op
    }

    /// The same; the value of its only result.
    pub fn value_before(&mut self, anchor: Op<'c>, draft: &Draft<'c>) -> Val<'c> {
        result_of(self.before(anchor, draft), 0)
    }

    /// The constant closure over a function without captures, made before `anchor`.
    pub fn constant_closure(&mut self, anchor: Op<'c>, func: &str, ty: Type<'c>) -> Val<'c> {
        self.value_before(anchor, &MakeClosure::draft(func, &[], Storage::Static, ty))
    }

    /// Makes a function whose captures nothing reads one without an environment, at its definition
    /// and wherever it is named. Its `make_closure`s have no operands by now.
    pub fn drop_environment(&mut self, func: Func<'c>, references: &[Op<'c>]) {
        let name = func.sym_name();
        let env = self.env(func);
        for (user, _) in uses_of(env) {
            let value = result_of(user, 0);
            let closure = self.constant_closure(user, name, value.r#type());
            replace_uses(value, closure);
            erase(user);
        }
        erase_argument(self.entry(func), 0);
        func.remove_captures();
        func.remove_capture_names();
        for &op in references {
            match view(op) {
                View::Call(it) => it.set_args(&it.args()[1..]),
                View::TailCall(it) => it.set_args(&it.args()[1..]),
                View::ClosureDeclare(it) => {
                    let value = it.closure();
                    let closure = self.constant_closure(op, name, value.r#type());
                    replace_uses(value, closure);
                    erase(op);
                }
                View::ClosureFill(_) => erase(op),
                View::MakeClosure(it) => it.set_storage(Storage::Static),
                _ => (),
            }
        }
    }
}

/// The function that an op in a body names.
pub fn named_function<'c>(op: Op<'c>) -> Option<&'c str> {
    view(op).callee().or_else(|| view(op).code())
}
