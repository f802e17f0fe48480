//! Recursive functions: one for each sweep, which share the stacks.
//!
//! ```text
//! let rec forward n x = … let a = forward (n - 1) x in …; push x a; y
//! let rec reverse y' = pop x a; … let x'' = reverse a' in …; x'
//! ```
//!
//! A call keeps its values in a frame when it ends, after the calls inside of it, so the reverse sweep finds its own
//! frame first. It gets the adjoints of the results and gives those of the parameters.

use oxbow_psg::{Lambda, NodeId, NodeKind, Ty, TyId, VarId};

use super::backward::{Exit, Seed};
use super::ir::{BlockId, End, Recursion, ValueId};
use super::reason::Written;
use super::write::{Piece, Writer};

impl Writer<'_> {
    pub fn forward_recursion(&mut self, it: &Recursion) -> Written<()> {
        let code = self.code;
        let mut params = Vec::new();
        for &param in &it.params {
            let var = self.fresh("p", code.ty(param), false);
            self.vars[param] = Some(var);
            params.push(var);
        }
        let tys: Vec<TyId> = it.results.iter().map(|&it| code.ty(it)).collect();
        let result = self.several(&tys);
        let function = self.function("forward", &mut params, result);
        self.forward.insert(it.body, function);
        let body = self.scope(|writer| {
            writer.declare_kept(it.body);
            writer.forward_stmts(it.body)?;
            let End::Yield(values) = &code.blocks[it.body].end else {
                oxbow_diag::ice!("a recursive function that yields nothing")
            };
            writer.push_frame(it.body)?;
            let values = writer.values(values)?;
            Ok(writer.pack(values, result))
        })?;
        self.define(function, params, body);
        self.forward_call(it.body, &it.init, &it.results)
    }

    pub fn forward_call(
        &mut self,
        body: BlockId,
        args: &[ValueId],
        results: &[ValueId],
    ) -> Written<()> {
        let Some(&function) = self.forward.get(body) else {
            oxbow_diag::ice!("a call from outside of its function")
        };
        let args = self.values(args)?;
        let tys: Vec<TyId> = results.iter().map(|&it| self.code.ty(it)).collect();
        for (&result, var) in results.iter().zip(self.call_for(function, args, &tys)) {
            self.defined(result, var);
        }
        Ok(())
    }

    pub fn backward_recursion(&mut self, it: &Recursion) -> Written<()> {
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
        let function = self.function("reverse", &mut params, result);
        self.reverse.insert(it.body, (function, given.len()));
        // Outside of the function before its variables are.
        let outer: Vec<Option<VarId>> = results.iter().map(|&it| self.take(it)).collect();
        let body = self.scope(|writer| {
            writer.pop_frame(it.body);
            writer.backward_block(it.body, &Seed { exit: Exit::Yield, terms: &terms })?;
            let mut found = Vec::new();
            for &param in &given {
                let adjoint = match writer.take(param) {
                    Some(term) => writer.mention(term),
                    None => writer.float(0.0),
                };
                found.push(adjoint);
            }
            Ok(writer.pack(found, result))
        })?;
        self.define(function, params, body);
        self.call_reverse(it.body, outer, &it.init, &it.params);
        Ok(())
    }

    pub fn backward_call(&mut self, body: BlockId, args: &[ValueId], results: &[ValueId]) {
        let params = self.params_of(body);
        let outer = self.active(results).iter().map(|&it| self.take(it)).collect();
        self.call_reverse(body, outer, args, &params);
    }

    fn params_of(&self, body: BlockId) -> Vec<ValueId> {
        let code = self.code;
        let stmts = code.blocks.values().flat_map(|it| &it.stmts);
        let mut found = stmts.filter_map(|it| match it {
            super::ir::Stmt::Recursion(it) if it.body == body => Some(it.params.clone()),
            _ => None,
        });
        found
            .next_back()
            .unwrap_or_else(|| oxbow_diag::ice!("a call of a function that is not there"))
    }

    /// Calls the reverse sweep of a function; `terms` are the adjoints of its results.
    fn call_reverse(
        &mut self,
        body: BlockId,
        terms: Vec<Option<VarId>>,
        args: &[ValueId],
        params: &[ValueId],
    ) {
        let Some(&(function, count)) = self.reverse.get(body) else {
            oxbow_diag::ice!("a call from outside of its function")
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
