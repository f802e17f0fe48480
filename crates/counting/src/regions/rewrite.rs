//! Puts regions into the module: begins them, and makes copies of builders.

use std::collections::HashMap;

use oxbow_dialect::inspect::{
    erase, insert_before, insert_first_argument, int_attr, operands, ops_of, replace_uses,
    reverse_postorder, set_attr, site_text, string_attr, symbol_attr, type_attr,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::r#type::FunctionType;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::{Block, Builder, Op, Val, mlir_sys as sys, region_of, result_of};

use super::Placed;
use super::builders::Builders;
use super::closures;
use super::scopes::Scope;
use crate::ir::{OpIr, Program};

pub struct Rewriter<'a, 'c> {
    program: &'a Program<'c>,
    builders: &'a Builders,
    module: Block<'c>,
    build: &'a mut Builder<'c>,
    /// The copies that are made, by the number of the function.
    copies: HashMap<usize, String>,
    placed: Vec<Placed>,
    /// The function whose copy is being changed.
    copied: Option<usize>,
    /// The calls that go to copies.
    moved: Vec<(usize, usize)>,
    /// Where the region begins that is being put in.
    scope: String,
}

impl<'a, 'c> Rewriter<'a, 'c> {
    pub fn new(
        program: &'a Program<'c>,
        builders: &'a Builders,
        module: Block<'c>,
        build: &'a mut Builder<'c>,
    ) -> Self {
        Self {
            program,
            builders,
            module,
            build,
            copies: HashMap::new(),
            placed: Vec::new(),
            copied: None,
            moved: Vec::new(),
            scope: String::new(),
        }
    }

    /// Puts all regions in. Copies come first: functions that are copied may have regions too.
    pub fn run(mut self, scopes: &[Scope]) -> Vec<Placed> {
        let mut needed: Vec<(usize, String)> = Vec::new();
        for scope in scopes {
            let function = &self.program.functions[scope.function];
            let sites = scope.sites.iter().map(|it| &function.blocks[it.0].ops[it.1]);
            let mut work: Vec<usize> = sites.filter_map(|it| self.callee(it)).collect();
            while let Some(index) = work.pop() {
                if needed.iter().any(|it| it.0 == index) {
                    continue;
                }
                needed.push((index, self.place_of(scope)));
                let ops = self.program.functions[index].ops();
                work.extend(
                    ops.filter(|it| self.is_inside(index, it)).filter_map(|it| self.callee(it)),
                );
            }
        }
        for scope in scopes {
            let function = &self.program.functions[scope.function];
            for &(block, at) in &scope.sites {
                let callee = self.callee(&function.blocks[block].ops[at]);
                self.moved.extend(callee.map(|it| (scope.function, it)));
            }
        }
        let clones: Vec<Op<'c>> = needed.iter().map(|it| self.copy(it.0)).collect();
        for ((index, scope), clone) in needed.into_iter().zip(clones) {
            self.scope = scope;
            self.copied = Some(index);
            self.change(index, clone);
        }
        self.copied = None;
        for scope in scopes {
            self.scope = self.place_of(scope);
            self.scope(scope);
        }
        self.placed.sort();
        self.placed.dedup();
        self.placed
    }

    /// Is a function called, or pointed to, other than by itself and for regions?
    fn still_used(&self, index: usize) -> bool {
        let function = &self.program.functions[index];
        let calls = |at: usize| {
            let ops = self.program.functions[at].ops();
            ops.filter(|it| self.callee(it) == Some(index)).count()
        };
        let moved = |at: usize| self.moved.iter().filter(|it| **it == (at, index)).count();
        function.is_code
            || (0..self.program.functions.len()).any(|at| at != index && calls(at) > moved(at))
    }

    fn place_of(&self, scope: &Scope) -> String {
        let (block, at) = scope.sites[0];
        let op = self.program.functions[scope.function].blocks[block].ops[at].op;
        site_text(op.location())
    }

    fn callee(&self, op: &OpIr<'c>) -> Option<usize> {
        matches!(op.name, "ocaml.call" | "ocaml.tail_call")
            .then(|| self.program.by_name[symbol_attr(op.op, "callee")])
    }

    /// Does an op of a builder allocate in the region?
    fn is_inside(&self, index: usize, op: &OpIr<'c>) -> bool {
        let made = op.results.first().is_some_and(|&it| self.builders.inside[index][it]);
        let makes = matches!(op.name, "ocaml.block.new" | "ocaml.call") || closures::makes(op.name);
        op.name == "ocaml.tail_call" || made && makes
    }

    fn scope(&mut self, scope: &Scope) {
        let function = &self.program.functions[scope.function];
        let op_at = |(block, at): (usize, usize)| function.blocks[block].ops[at].op;
        let first = op_at(scope.enter);
        self.build.location = op_at(scope.sites[0]).location();
        let mut holds: Vec<Type<'c>> = scope
            .holds
            .iter()
            // SAFETY: the key is the address of a type, which lives as long as the context.
            .map(|&it| unsafe { Type::from_raw(sys::MlirType { ptr: it as *const _ }) })
            .collect();
        holds.sort_by_key(|it| it.to_string());
        let mut attributes = vec![("holds", self.build.type_list(&holds))];
        if scope.walked {
            attributes.push(("walked", self.build.unit()));
        }
        let region = self.build.types.region;
        let enter = self.build.detached("ocaml.region.enter", &[], &[region], &attributes, &[], 0);
        insert_before(first, enter);
        for &site in &scope.sites {
            self.into_region(op_at(site), result_of(enter, 0));
        }
    }

    /// An op that allocates does so in the region instead.
    fn into_region(&mut self, op: Op<'c>, region: Val<'c>) {
        self.build.location = op.location();
        let name = oxbow_dialect::inspect::name_of(op);
        let mut args = vec![region];
        args.extend(match closures::makes(name) {
            true => closures::captures(op).expect("its environment can be seen"),
            false => operands(op),
        });
        let types: Vec<_> = (0..op.result_count()).map(|at| result_of(op, at).r#type()).collect();
        let env = match name {
            "ocaml.closure" => closures::environment(op).unwrap_or_default(),
            _ => Vec::new(),
        };
        if name == "ocaml.block.new" || closures::makes(name) {
            let site = site_text(op.location());
            let also_counted = self.copied.is_some_and(|it| self.still_used(it));
            self.placed.push(Placed { site, scope: self.scope.clone(), also_counted });
        }
        let new = match name {
            "ocaml.make_closure" | "ocaml.closure" => {
                let mut attributes = vec![("func", self.build.symbol(symbol_attr(op, "func")))];
                if name == "ocaml.closure" {
                    attributes.push(("separate", self.build.unit()));
                }
                self.build.detached("ocaml.region.closure", &args, &types, &attributes, &[], 0)
            }
            "ocaml.block.new" => {
                let ctor = self.build.i32_attr(int_attr(op, "ctor") as u32);
                self.build.detached("ocaml.region.block", &args, &types, &[("ctor", ctor)], &[], 0)
            }
            name => {
                let callee = &self.copies[&self.program.by_name[symbol_attr(op, "callee")]];
                let callee = self.build.symbol(callee);
                self.build.detached(name, &args, &types, &[("callee", callee)], &[], 0)
            }
        };
        insert_before(op, new);
        for (at, _) in types.iter().enumerate() {
            replace_uses(result_of(op, at), result_of(new, at));
        }
        erase(op);
        env.into_iter().for_each(erase);
    }

    /// A clone of a builder.
    fn copy(&mut self, index: usize) -> Op<'c> {
        let function = self.program.functions[index].op;
        let mut name = format!("{}.in_region", string_attr(function, "sym_name"));
        while self.program.by_name.contains_key(&name) {
            name.push('\'');
        }
        self.copies.insert(index, name.clone());
        // SAFETY: the clone is owned by the module.
        let copy = unsafe {
            let copy = sys::mlirOperationClone(function.to_raw());
            sys::mlirBlockInsertOwnedOperationAfter(self.module.to_raw(), function.to_raw(), copy);
            Op::from_raw(copy)
        };
        set_attr(copy, "sym_name", self.build.string(&name));
        copy
    }

    /// Turns a clone of a function into one that gets a region.
    fn change(&mut self, index: usize, copy: Op<'c>) {
        let function = &self.program.functions[index];
        // The blocks and ops of a clone are in the same order.
        let blocks = reverse_postorder(region_of(copy));
        let region_type = self.build.types.region;
        let region = insert_first_argument(blocks[0], region_type, copy.location());
        let ty = FunctionType::try_from(type_attr(copy, "function_type")).expect("a function type");
        let mut inputs = vec![region_type];
        inputs.extend((0..ty.input_count()).map(|at| ty.input(at).expect("in range")));
        let results: Vec<_> =
            (0..ty.result_count()).map(|at| ty.result(at).expect("in range")).collect();
        let ty = FunctionType::new(self.build.context, &inputs, &results);
        set_attr(copy, "function_type", self.build.type_attr(ty.into()));
        let kept: Vec<i32> = (0..self.builders.kept[index].len())
            .filter(|&at| self.builders.kept[index][at])
            .map(|at| at as i32 + 1)
            .collect();
        set_attr(copy, "kept", self.build.i32_list(&kept));
        for (old, &new) in function.blocks.iter().zip(&blocks) {
            let ops: Vec<Op<'c>> = ops_of(new).collect();
            for (old, op) in old.ops.iter().zip(ops) {
                if self.is_inside(index, old) {
                    self.into_region(op, region);
                }
            }
        }
    }
}
