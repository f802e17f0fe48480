//! A module's declarations by symbol, and the ops that name each function.

use std::collections::HashMap;

use oxbow_dialect::inspect::{
    attr, body_ops, erase, erase_argument, insert_before, list_attr, name_of, operands, ops_of,
    remove_attr, replace_uses, string_attr, symbol_attr, type_list, uses_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{Attribute, Module, RegionLike, Type, ValueLike};
use oxbow_dialect::{Block, Builder, Op, Val, mlir_sys as sys, region_of, result_of};

pub struct View<'c> {
    pub build: Builder<'c>,
    pub body: Block<'c>,
    pub funcs: Vec<Op<'c>>,
}

impl<'c> View<'c> {
    pub fn new(module: &Module<'c>, context: &'c Context) -> Self {
        let build = Builder::new(context);
        let body = build.module_body(module);
        let funcs = ops_of(body).filter(|it| name_of(*it) == "ocaml.func").collect();
        Self { build, body, funcs }
    }

    /// Functions by symbol.
    pub fn by_name(&self) -> HashMap<&'c str, Op<'c>> {
        self.funcs.iter().map(|&it| (string_attr(it, "sym_name"), it)).collect()
    }

    /// For each function, the ops in function bodies that name it.
    pub fn references(&self) -> HashMap<&'c str, Vec<Op<'c>>> {
        let mut references: HashMap<&'c str, Vec<Op<'c>>> = HashMap::new();
        for &func in &self.funcs {
            for op in body_ops(func) {
                if let Some(name) = named_function(op) {
                    references.entry(name).or_default().push(op);
                }
            }
        }
        references
    }

    /// The module-level variables.
    pub fn globals(&self) -> Vec<Op<'c>> {
        ops_of(self.body).filter(|it| name_of(*it) == "ocaml.global").collect()
    }

    /// For each record or variant, the types of all its fields.
    pub fn datas(&self) -> HashMap<&'c str, Vec<Type<'c>>> {
        let datas = ops_of(self.body).filter(|it| name_of(*it) == "ocaml.data");
        datas
            .map(|it| {
                let ctors = list_attr(it, "ctors");
                (string_attr(it, "sym_name"), ctors.into_iter().flat_map(type_list).collect())
            })
            .collect()
    }

    pub fn entry(&self, func: Op<'c>) -> Block<'c> {
        let entry = region_of(func).first_block().expect("a function has a body");
        // SAFETY: the block lives as long as its module.
        unsafe { Block::from_raw(entry.to_raw()) }
    }

    /// The environment of a function with captures.
    pub fn env(&self, func: Op<'c>) -> Val<'c> {
        self.build.argument(self.entry(func), 0)
    }

    /// A new op before another, with its location.
    pub fn before(
        &mut self,
        anchor: Op<'c>,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Op<'c> {
        self.build.location = anchor.location();
        let op = self.build.detached(name, operands, results, attributes, &[], 0);
        insert_before(anchor, op);
        op
    }

    /// The constant closure over a function without captures, made before `anchor`.
    pub fn constant_closure(&mut self, anchor: Op<'c>, func: &str, ty: Type<'c>) -> Val<'c> {
        let attributes =
            [("func", self.build.symbol(func)), ("storage", self.build.string("static"))];
        result_of(self.before(anchor, "ocaml.make_closure", &[], &[ty], &attributes), 0)
    }

    /// Makes a function whose captures nothing reads one without an environment, at its definition
    /// and wherever it is named. Its `make_closure`s have no operands by now.
    pub fn drop_environment(&mut self, func: Op<'c>, references: &[Op<'c>]) {
        let name = string_attr(func, "sym_name");
        let env = self.env(func);
        for (user, _) in uses_of(env) {
            let value = result_of(user, 0);
            let closure = self.constant_closure(user, name, value.r#type());
            replace_uses(value, closure);
            erase(user);
        }
        erase_argument(self.entry(func), 0);
        remove_attr(func, "captures");
        remove_attr(func, "capture_names");
        for &op in references {
            match name_of(op) {
                "ocaml.call" | "ocaml.tail_call" => {
                    let args = operands(op);
                    set_operands(op, &args[1..]);
                }
                "ocaml.closure.declare" => {
                    let value = result_of(op, 0);
                    let closure = self.constant_closure(op, name, value.r#type());
                    replace_uses(value, closure);
                    erase(op);
                }
                "ocaml.closure.fill" => erase(op),
                "ocaml.make_closure" => {
                    oxbow_dialect::inspect::set_attr(op, "storage", self.build.string("static"));
                }
                _ => (),
            }
        }
    }
}

/// The types that a function captures; `None` without an environment.
pub fn captures_of<'c>(func: Op<'c>) -> Option<Vec<Type<'c>>> {
    attr(func, "captures").map(type_list)
}

/// The function that an op in a body names.
pub fn named_function<'c>(op: Op<'c>) -> Option<&'c str> {
    match name_of(op) {
        "ocaml.call" | "ocaml.tail_call" => Some(symbol_attr(op, "callee")),
        "ocaml.make_closure"
        | "ocaml.closure.declare"
        | "ocaml.closure.fill"
        | "ocaml.closure"
        | "ocaml.env.declare"
        | "ocaml.env.fill" => Some(symbol_attr(op, "func")),
        _ => None,
    }
}

/// Replaces all operands of an op whose operands are one list, or a list after fixed ones.
pub fn set_operands<'c>(op: Op<'c>, values: &[Val<'c>]) {
    let values: Vec<_> = values.iter().map(|it| it.to_raw()).collect();
    // SAFETY: the values are alive.
    unsafe {
        sys::mlirOperationSetOperands(op.to_raw(), values.len() as isize, values.as_ptr());
    }
}
