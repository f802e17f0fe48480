//! Recursive functions, there and back: two functions that share the stacks.
//!
//! ```text
//! let rec there n x = … let a = there (n - 1) x in …; push x a; y
//! let rec back y' = pop x a; … let x'' = back a' in …; x'
//! ```
//!
//! A call keeps its values in a frame when it ends, after the calls inside of it, so the way back finds its own
//! frame first. The way back gets the adjoints of the results and gives those of the parameters.

use oxbow_psg::{Lambda, NodeId, NodeKind, Ty, TyId, VarId};

use super::backward::{Back, Way};
use super::ir::{BlockId, End, Recursion, ValueId};
use super::write::{Piece, Writer};

impl Writer<'_> {
    pub fn forward_recursion(&mut self, it: &Recursion) {
        let code = self.code;
        let mut params = Vec::new();
        for &param in &it.params {
            let var = self.fresh("p", code.ty(param), false);
            self.vars[param] = Some(var);
            params.push(var);
        }
        let tys: Vec<TyId> = it.results.iter().map(|&it| code.ty(it)).collect();
        let result = self.several(&tys);
        let function = self.function("there", &mut params, result);
        self.there.insert(it.body, function);
        let body = self.scope(|writer| {
            writer.declare_kept(it.body);
            writer.forward_stmts(it.body);
            let End::Yield(values) = &code.blocks[it.body].end else {
                writer.failed = Some("a function without end");
                return writer.unit();
            };
            writer.push_frame(it.body);
            let values = values.iter().map(|&it| writer.value(it)).collect();
            writer.pack(values, result)
        });
        self.define(function, params, body);
        self.forward_call(it.body, &it.init, &it.results);
    }

    pub fn forward_call(&mut self, body: BlockId, args: &[ValueId], results: &[ValueId]) {
        let Some(&function) = self.there.get(&body) else {
            self.failed = Some("a call from outside of its function");
            return;
        };
        let args = args.iter().map(|&it| self.value(it)).collect();
        let tys: Vec<TyId> = results.iter().map(|&it| self.code.ty(it)).collect();
        for (&result, var) in results.iter().zip(self.call_for(function, args, &tys)) {
            self.defined(result, var);
        }
    }

    pub fn backward_recursion(&mut self, it: &Recursion) {
        let float = self.program.types.float;
        let results = self.active(&it.results);
        let given = self.active(&it.params);
        let mut params: Vec<VarId> =
            results.iter().map(|_| self.fresh("t", float, false)).collect();
        let mut own = params.iter().copied();
        let terms: Vec<Option<VarId>> = it
            .results
            .iter()
            .map(|it| results.contains(it).then(|| own.next()).flatten())
            .collect();
        let result = self.several(&vec![float; given.len()]);
        let function = self.function("back", &mut params, result);
        self.back.insert(it.body, (function, given.len()));
        // Outside of the function before its variables are.
        let outer: Vec<Option<VarId>> = results.iter().map(|&it| self.take(it)).collect();
        let body = self.scope(|writer| {
            writer.pop_frame(it.body);
            writer.backward_block(it.body, &Back { way: Way::Yield, terms: &terms });
            let mut found = Vec::new();
            for &param in &given {
                let adjoint = match writer.take(param) {
                    Some(term) => writer.mention(term),
                    None => writer.float(0.0),
                };
                found.push(adjoint);
            }
            writer.pack(found, result)
        });
        self.define(function, params, body);
        self.pass_back(it.body, outer, &it.init, &it.params);
    }

    pub fn backward_call(&mut self, body: BlockId, args: &[ValueId], results: &[ValueId]) {
        let Some(params) = self.params_of(body) else { return };
        let outer = self.active(results).iter().map(|&it| self.take(it)).collect();
        self.pass_back(body, outer, args, &params);
    }

    fn params_of(&mut self, body: BlockId) -> Option<Vec<ValueId>> {
        let code = self.code;
        let stmts = code.blocks.values().flat_map(|it| &it.stmts);
        let mut found = stmts.filter_map(|it| match it {
            super::ir::Stmt::Recursion(it) if it.body == body => Some(it.params.clone()),
            _ => None,
        });
        let found = found.next_back();
        if found.is_none() {
            self.failed = Some("a call from outside of its function");
        }
        found
    }

    /// Calls the way back of a function; `terms` are the adjoints of its results.
    fn pass_back(
        &mut self,
        body: BlockId,
        terms: Vec<Option<VarId>>,
        args: &[ValueId],
        params: &[ValueId],
    ) {
        let Some(&(function, count)) = self.back.get(&body) else {
            self.failed = Some("a call from outside of its function");
            return;
        };
        let float = self.program.types.float;
        let mut given = Vec::new();
        for term in terms {
            given.push(match term {
                Some(term) => self.mention(term),
                None => self.float(0.0),
            });
        }
        let found = self.call_for(function, given, &vec![float; count]);
        let mut found = found.into_iter();
        for (&arg, &param) in args.iter().zip(params) {
            if self.activity.floats.contains(param)
                && let Some(adjoint) = found.next()
            {
                let adjoint = self.mention(adjoint);
                self.contribute(arg, adjoint);
            }
        }
    }

    fn active(&self, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().copied().filter(|&it| self.activity.floats.contains(it)).collect()
    }

    /// The type of so many results: nothing, one value or a tuple.
    fn several(&mut self, tys: &[TyId]) -> TyId {
        match tys {
            [] => self.program.types.unit,
            [only] => *only,
            _ => self.program.types.intern(Ty::Tuple(tys.to_vec())),
        }
    }

    fn pack(&mut self, mut values: Vec<NodeId>, ty: TyId) -> NodeId {
        match values.len() {
            0 => self.unit(),
            1 => values.remove(0),
            _ => self.add(NodeKind::Tuple(values), ty),
        }
    }

    /// A function to be defined; one without parameters gets `unit`.
    fn function(&mut self, name: &str, params: &mut Vec<VarId>, result: TyId) -> VarId {
        if params.is_empty() {
            let unit = self.program.types.unit;
            params.push(self.fresh("nothing", unit, false));
        }
        let tys: Vec<TyId> = params.iter().map(|&it| self.program.vars[it].ty).collect();
        let ty = self.program.types.function(&tys, result);
        self.fresh(name, ty, false)
    }

    fn define(&mut self, function: VarId, params: Vec<VarId>, body: NodeId) {
        let var = &self.program.vars[function];
        let (name, ty) = (var.name, var.ty);
        let lambda = self.program.lambdas.push(Lambda::new(Some(name), params, body, self.span));
        let lambda = self.add(NodeKind::Lambda(lambda), ty);
        self.pieces.push(Piece::LetRec(function, lambda));
    }

    /// Calls a function and binds what it gives.
    fn call_for(&mut self, function: VarId, mut args: Vec<NodeId>, tys: &[TyId]) -> Vec<VarId> {
        if args.is_empty() {
            args.push(self.unit());
        }
        let node = self.call(function, args);
        match tys {
            [] => {
                self.run(node);
                Vec::new()
            }
            [_] => vec![self.bind("v", node)],
            _ => {
                let all = self.bind("all", node);
                let mut vars = Vec::new();
                for (place, &ty) in tys.iter().enumerate() {
                    let tuple = self.mention(all);
                    let part = self.add(NodeKind::TupleGet { tuple, index: place as u32 }, ty);
                    vars.push(self.bind("v", part));
                }
                vars
            }
        }
    }
}
