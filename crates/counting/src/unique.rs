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

use std::collections::{HashMap, HashSet};

use oxbow_dialect::inspect::{
    attr, makes_closure, name_of, operands, ops_of, reverse_postorder, set_attr, string_attr,
    symbol_attr, type_attr, type_list,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::r#type::FunctionType;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::{Builder, Kind, OcamlType, Op, region_of, result_of};

use crate::reach::type_key;

#[derive(Default)]
struct Types<'c> {
    /// Types whose closures may be shared, lent, or elsewhere than in the heap.
    shared: HashSet<usize>,
    /// The types of the closures that each function is the code of.
    of_code: HashMap<&'c str, HashSet<usize>>,
}

pub fn run<'c>(functions: &[Op<'c>], build: &Builder<'c>) {
    let mut types = Types::default();
    let all = |function: Op<'c>| {
        reverse_postorder(region_of(function)).into_iter().flat_map(ops_of).collect::<Vec<_>>()
    };
    let by_name: HashMap<&str, Op<'c>> =
        functions.iter().map(|&it| (string_attr(it, "sym_name"), it)).collect();
    for op in functions.iter().flat_map(|&it| all(it)) {
        if makes_closure(name_of(op)) {
            let ty = type_key(result_of(op, 0).r#type());
            types.of_code.entry(symbol_attr(op, "func")).or_default().insert(ty);
        }
    }
    for &function in functions {
        if attr(function, "exported").is_some() {
            signature(function).into_iter().for_each(|it| types.share(it));
        }
        all(function).into_iter().for_each(|op| types.see(function, op, &by_name));
    }
    types.spread(&by_name);
    for &function in functions {
        if !types.is_unique(string_attr(function, "sym_name")) {
            continue;
        }
        for op in all(function).into_iter().filter(|it| name_of(*it) == "ocaml.take") {
            if operands(op)[0].r#type().kind() == Kind::Env {
                set_attr(op, "unique", build.unit());
            }
        }
    }
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

    fn see(&mut self, function: Op<'c>, op: Op<'c>, by_name: &HashMap<&str, Op<'c>>) {
        let name = name_of(op);
        let values =
            operands(op).into_iter().chain((0..op.result_count()).map(|at| result_of(op, at)));
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        for ty in values.map(|it| it.r#type()) {
            match ty.kind() {
                // What is done with its own closure other than reading and taking it apart.
                Kind::Env if !matches!(name, "ocaml.env.get" | "ocaml.take" | "ocaml.drop") => {
                    self.share_code(string_attr(function, "sym_name"));
                }
                _ if ty.pair_parts().is_some() => parts.push(ty),
                _ => whole.push(ty),
            }
        }
        parts.into_iter().for_each(|it| self.share(it));
        match name {
            "ocaml.env.get" | "ocaml.take" | "ocaml.drop" | "ocaml.return" | "cf.br"
            | "cf.cond_br" | "cf.switch" => (),
            "ocaml.call" | "ocaml.tail_call" => {
                let callee = symbol_attr(op, "callee");
                if by_name.get(callee).is_none_or(|it| attr(*it, "captures").is_some()) {
                    self.share_code(callee);
                    whole.into_iter().for_each(|it| self.share(it));
                }
            }
            "ocaml.invoke" | "ocaml.tail_invoke" => {
                let ty = operands(op)[0].r#type();
                let fits = ty.signature().0.len() == op.operand_count() - 1;
                if !fits || name == "ocaml.invoke" && attr(op, "handed_over").is_none() {
                    self.share(ty);
                }
                if !fits {
                    whole.into_iter().for_each(|it| self.share(it));
                }
            }
            "ocaml.make_closure" => {
                let (code, ty) = (symbol_attr(op, "func"), result_of(op, 0).r#type());
                let fits =
                    by_name.get(code).is_some_and(|it| parameters(*it) == ty.signature().0.len());
                let counted = string_attr(op, "storage") == "counted";
                if !fits || op.operand_count() > 0 && !counted {
                    self.share(ty);
                }
            }
            _ => whole.into_iter().for_each(|it| self.share(it)),
        }
    }

    /// What a closure captures is shared where the closure is.
    fn spread(&mut self, by_name: &HashMap<&'c str, Op<'c>>) {
        let mut changed = true;
        while changed {
            let before = self.shared.len();
            for (&name, &function) in by_name {
                let Some(captures) = attr(function, "captures") else { continue };
                if !self.is_unique(name) {
                    type_list(captures).into_iter().for_each(|it| self.share(it));
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

fn signature<'c>(function: Op<'c>) -> Vec<Type<'c>> {
    let ty = FunctionType::try_from(type_attr(function, "function_type")).expect("a function type");
    let inputs = (0..ty.input_count()).map(|at| ty.input(at).expect("in range"));
    inputs.chain((0..ty.result_count()).map(|at| ty.result(at).expect("in range"))).collect()
}

fn parameters(function: Op<'_>) -> usize {
    let ty = FunctionType::try_from(type_attr(function, "function_type")).expect("a function type");
    ty.input_count()
}
