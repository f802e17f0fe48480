//! Puts regions into the module: begins them, and makes copies of builders.

use oxbow_base::FxHashMap;
use oxbow_dialect::inspect::{
    body_ops, copy_of, erase, insert_after, insert_before, insert_first_argument, ops_of,
    replace_uses, reverse_postorder, site_text,
};
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::r#type::FunctionType;
use oxbow_dialect::melior::ir::{Type, ValueLike};
use oxbow_dialect::op::{
    Call, DialectOp, Func, Opcode, RegionBlock, RegionClosure, RegionEnter, TailCall, View, view,
};
use oxbow_dialect::{Builder, Op, Val, region_of, result_of};

use super::Placed;
use super::builders::Builders;
use super::closures;
use super::scopes::Scope;
use crate::ir::{OpIr, Program};
use crate::region_types::type_key;

pub struct Rewriter<'a, 'c> {
    program: &'a Program<'c>,
    builders: &'a Builders,
    build: &'a mut Builder<'c>,
    /// The copies that are made, by the number of the function.
    copies: FxHashMap<usize, String>,
    placed: Vec<Placed>,
    /// The function whose copy is being changed.
    copied: Option<usize>,
    /// For each function that is called: its callers, with the number of calls that do not go to copies.
    callers: FxHashMap<usize, FxHashMap<usize, usize>>,
    /// Where the region begins that is being put in.
    scope: String,
    /// The types of the program's values by their keys, numbered as they occur first: what a dump shows must not
    /// follow
    /// addresses, and the texts of types may be too long to compare.
    types: FxHashMap<usize, (usize, Type<'c>)>,
}

impl<'a, 'c> Rewriter<'a, 'c> {
    pub fn new(
        program: &'a Program<'c>,
        builders: &'a Builders,
        build: &'a mut Builder<'c>,
    ) -> Self {
        Self {
            program,
            builders,
            build,
            copies: FxHashMap::default(),
            placed: Vec::new(),
            copied: None,
            callers: callers(program),
            scope: String::new(),
            types: numbered_types(program),
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
                let callers = callee.and_then(|it| self.callers.get_mut(&it));
                if let Some(calls) = callers.and_then(|it| it.get_mut(&scope.function)) {
                    *calls = calls.saturating_sub(1);
                }
            }
        }
        let clones: Vec<Op<'c>> = needed.iter().map(|it| self.copy(it.0)).collect();
        for ((index, scope), &clone) in needed.into_iter().zip(&clones) {
            self.scope = scope;
            self.copied = Some(index);
            self.change(index, clone);
        }
        self.copied = None;
        for scope in scopes {
            self.scope = self.place_of(scope);
            self.scope(scope);
        }
        self.drop_unnamed(clones);
        self.placed.sort();
        self.placed.dedup();
        self.placed
    }

    /// Removes functions of which only the copies are called.
    fn drop_unnamed(&self, clones: Vec<Op<'c>>) {
        let functions = &self.program.functions;
        let mut originals: FxHashMap<&'c str, Op<'c>> = FxHashMap::default();
        for &index in self.copies.keys() {
            let func = Func::of(functions[index].op);
            if !func.exported() {
                originals.insert(func.sym_name(), func.op());
            }
        }
        if originals.is_empty() {
            return;
        }
        let mut work: Vec<Op<'c>> = functions.iter().map(|it| it.op).chain(clones).collect();
        work.retain(|it| !originals.contains_key(Func::of(*it).sym_name()));
        while let Some(function) = work.pop() {
            for op in body_ops(function) {
                let named = view(op).callee().or_else(|| view(op).code());
                work.extend(named.and_then(|it| originals.remove(it)));
            }
        }
        originals.into_values().for_each(erase);
    }

    /// Is a function called, or pointed to, other than by itself and for regions?
    fn still_used(&self, index: usize) -> bool {
        let mut callers = self.callers.get(&index).into_iter().flatten();
        self.program.functions[index].is_code
            || callers.any(|(&caller, &calls)| caller != index && calls > 0)
    }

    fn place_of(&self, scope: &Scope) -> String {
        let (block, at) = scope.sites[0];
        let op = self.program.functions[scope.function].blocks[block].ops[at].op;
        site_text(op.location())
    }

    fn callee(&self, op: &OpIr<'c>) -> Option<usize> {
        view(op.op).callee().map(|it| self.program.by_name[it])
    }

    /// Does an op of a builder allocate in the region?
    fn is_inside(&self, index: usize, op: &OpIr<'c>) -> bool {
        let made = op.results.first().is_some_and(|&it| self.builders.inside[index][it]);
        let makes =
            matches!(op.opcode, Opcode::BlockNew | Opcode::Call) || closures::makes(op.opcode);
        op.opcode == Opcode::TailCall || made && makes
    }

    fn scope(&mut self, scope: &Scope) {
        let function = &self.program.functions[scope.function];
        let op_at = |(block, at): (usize, usize)| function.blocks[block].ops[at].op;
        let first = op_at(scope.enter);
        self.build.location = op_at(scope.sites[0]).location();
        let mut holds: Vec<(usize, Type<'c>)> =
            scope.holds.iter().map(|it| self.types[it]).collect();
        holds.sort_by_key(|it| it.0);
        let holds: Vec<Type<'c>> = holds.into_iter().map(|it| it.1).collect();
        let enter = RegionEnter::of(self.build.create(&RegionEnter::draft(&holds)));
        enter.set_walked(scope.walked);
        insert_before(first, enter.op());
        for &site in &scope.sites {
            self.place_in_region(op_at(site), enter.region());
        }
    }

    /// An op that allocates does so in the region instead.
    fn place_in_region(&mut self, op: Op<'c>, region: Val<'c>) {
        self.build.location = op.location();
        let types: Vec<_> = (0..op.result_count()).map(|at| result_of(op, at).r#type()).collect();
        let mut env = Vec::new();
        let draft = match view(op) {
            View::BlockNew(it) => {
                self.note_placed(op);
                RegionBlock::draft(region, it.ctor(), &it.fields(), types[0])
            }
            View::MakeClosure(it) => {
                self.note_placed(op);
                RegionClosure::draft(region, it.func(), &it.captures(), types[0])
            }
            View::Closure(it) => {
                self.note_placed(op);
                let captures = closures::captures(op).expect("its environment can be seen");
                env = closures::environment(it).unwrap_or_default();
                RegionClosure::draft(region, it.func(), &captures, types[0])
            }
            View::Call(it) => {
                let (callee, args) = self.copied_call(it.callee(), region, it.args());
                Call::draft(&callee, &args, &types)
            }
            View::TailCall(it) => {
                let (callee, args) = self.copied_call(it.callee(), region, it.args());
                TailCall::draft(&callee, &args)
            }
            _ => unreachable!("an op that makes nothing is in no region"),
        };
        let new = self.build.create(&draft);
        if let (Some(it), false) = (RegionClosure::cast(new), env.is_empty()) {
            it.set_separate(true);
        }
        insert_before(op, new);
        for (at, _) in types.iter().enumerate() {
            replace_uses(result_of(op, at), result_of(new, at));
        }
        erase(op);
        env.into_iter().for_each(erase);
    }

    /// Notes that what an op makes lies in the region that is being put in.
    fn note_placed(&mut self, op: Op<'c>) {
        let site = site_text(op.location());
        let also_counted = self.copied.is_some_and(|it| self.still_used(it));
        self.placed.push(Placed { site, scope: self.scope.clone(), also_counted });
    }

    /// The copy of a function, and the arguments of its call.
    fn copied_call(
        &self,
        callee: &str,
        region: Val<'c>,
        args: Vec<Val<'c>>,
    ) -> (String, Vec<Val<'c>>) {
        let copy = self.copies[&self.program.by_name[callee]].clone();
        (copy, [region].into_iter().chain(args).collect())
    }

    /// A clone of a builder.
    fn copy(&mut self, index: usize) -> Op<'c> {
        let function = self.program.functions[index].op;
        let mut name = format!("{}.in_region", Func::of(function).sym_name());
        while self.program.by_name.contains_key(&name) {
            name.push('\'');
        }
        self.copies.insert(index, name.clone());
        let copy = copy_of(function);
        insert_after(function, copy);
        Func::of(copy).set_sym_name(&name);
        copy
    }

    /// Turns a clone of a function into one that gets a region.
    fn change(&mut self, index: usize, copy: Op<'c>) {
        let function = &self.program.functions[index];
        // The blocks and ops of a clone are in the same order.
        let blocks = reverse_postorder(region_of(copy));
        let region_type = self.build.types.region;
        let region = insert_first_argument(blocks[0], region_type, copy.location());
        let changed = Func::of(copy);
        let mut inputs = vec![region_type];
        inputs.extend(changed.inputs());
        let ty = FunctionType::new(self.build.context, &inputs, &changed.outputs());
        changed.set_function_type(ty.into());
        let kept: Vec<u32> = (0..self.builders.kept[index].len())
            .filter(|&at| self.builders.kept[index][at])
            .map(|at| at as u32 + 1)
            .collect();
        changed.set_kept(&kept);
        for (old, &new) in function.blocks.iter().zip(&blocks) {
            let ops: Vec<Op<'c>> = ops_of(new).collect();
            for (old, op) in old.ops.iter().zip(ops) {
                if self.is_inside(index, old) {
                    self.place_in_region(op, region);
                }
            }
        }
    }
}

/// Numbers the types of the program's values.
fn numbered_types<'c>(program: &Program<'c>) -> FxHashMap<usize, (usize, Type<'c>)> {
    let mut types = FxHashMap::default();
    for (_, value) in program.functions.iter().flat_map(|it| it.values.iter()) {
        let (next, ty) = (types.len(), value.value.r#type());
        types.entry(type_key(ty)).or_insert((next, ty));
    }
    types
}

/// Who calls each function, and how often.
fn callers(program: &Program<'_>) -> FxHashMap<usize, FxHashMap<usize, usize>> {
    let mut callers: FxHashMap<usize, FxHashMap<usize, usize>> = FxHashMap::default();
    for (caller, function) in program.functions.iter().enumerate() {
        for callee in function.ops().filter_map(|it| view(it.op).callee()) {
            let by_caller = callers.entry(program.by_name[callee]).or_default();
            *by_caller.entry(caller).or_default() += 1;
        }
    }
    callers
}
