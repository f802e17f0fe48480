//! The functions that calls of function values go to: one for each set of functions and number of arguments.
//!
//! ```text
//! let apply c a = match c with
//!   | A (f, g) -> code_a f g a           takes as many arguments as are given
//!   | B k -> C (k, a)                    takes more: another constructor
//!   | D -> apply' (code_d a1) a2         takes fewer: the rest are for what it returns
//! ```

use oxbow_base::{FxHashMap, IdMap, IdSet, Span, Symbol};
use oxbow_psg::{
    Callee, Const, Item, ItemKind, Lambda, LambdaId, NodeId, NodeKind, Prim, TyId, Var, VarId, walk,
};

use super::order;
use super::rewrite::Rewrite;
use crate::effects;
use crate::flow::{Candidate, Flow};

/// Bodies above this size stay functions of their own: matches must not grow without bound.
const LARGEST: u32 = 120;

/// The functions that were made.
#[derive(Default)]
pub(super) struct Dispatch {
    made: FxHashMap<Key, (VarId, LambdaId)>,
    unfinished: Vec<Unfinished>,
    bindings: Vec<(VarId, NodeId)>,
    /// Calls of functions by their constructors.
    calls: Vec<(NodeId, LambdaId)>,
}

/// The class of what is called, the functions that it can be, the types of the arguments and of the result.
type Key = (u32, Vec<Candidate>, Vec<TyId>, TyId);

/// A function without a body.
struct Unfinished {
    lambda: LambdaId,
    root: u32,
    callees: Vec<Candidate>,
    result: TyId,
    span: Span,
}

impl Rewrite<'_> {
    /// The function that calls one of these with such arguments.
    pub(super) fn dispatcher(
        &mut self,
        root: u32,
        mut callees: Vec<Candidate>,
        given: Vec<TyId>,
        result: TyId,
        span: Span,
    ) -> (VarId, LambdaId) {
        callees.sort_unstable();
        let key = (root, callees, given, result);
        if let Some(&made) = self.dispatch.made.get(&key) {
            return made;
        }
        let first = self.retype.of_class(&mut self.program, root);
        let types: Vec<TyId> = [first].into_iter().chain(key.2.iter().copied()).collect();
        let params = types.iter().map(|&ty| self.variable("a", ty, span)).collect();
        let unit = self.program.types.unit;
        let body = self.program.add(NodeKind::Const(Const::Unit), unit, span);
        let name = Symbol::new("apply");
        let lambda = Lambda { dispatches: true, ..Lambda::new(Some(name), params, body, span) };
        let lambda = self.program.lambdas.push(lambda);
        let code = self.program.types.function(&types, result);
        let var = self.variable("apply", code, span);
        self.program.vars[var].global = true;
        let value = self.program.add(NodeKind::Lambda(lambda), code, span);
        self.dispatch.bindings.push((var, value));
        let callees = key.1.clone();
        self.dispatch.unfinished.push(Unfinished { lambda, root, callees, result, span });
        self.dispatch.made.insert(key, (var, lambda));
        (var, lambda)
    }

    fn variable(&mut self, name: &str, ty: TyId, span: Span) -> VarId {
        let (name, tyvars) = (Symbol::new(name), Vec::new());
        self.program.vars.push(Var { name, ty, tyvars, mutable: false, global: false, span })
    }

    fn read(&mut self, var: VarId, span: Span) -> NodeId {
        let ty = self.program.vars[var].ty;
        self.program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
    }

    /// Makes the bodies. Needs: functions are moved, so that their parameters begin with what constructors hold.
    pub(super) fn fill_dispatchers(&mut self, flow: &Flow) {
        while let Some(it) = self.dispatch.unfinished.pop() {
            let Some((&last, others)) = it.callees.split_last() else {
                // Nothing that is called here was ever made.
                let unit = self.program.types.unit;
                let unit = self.program.add(NodeKind::Const(Const::Unit), unit, it.span);
                let kind = NodeKind::Prim { prim: Prim::Unreachable, args: vec![unit] };
                self.program.lambdas[it.lambda].body = self.program.add(kind, it.result, it.span);
                continue;
            };
            let mut body = self.arm(&it, last, flow);
            if !others.is_empty() {
                let mut cases = Vec::new();
                for &callee in others {
                    let ctor = self.ctor(it.root, callee);
                    let arm = self.arm(&it, callee, flow);
                    cases.push((oxbow_psg::Key::Ctor(ctor), arm));
                }
                let value = self.read(self.program.lambdas[it.lambda].params[0], it.span);
                let kind = NodeKind::Switch { value, cases, default: Some(body) };
                body = self.program.add(kind, it.result, it.span);
            }
            self.program.lambdas[it.lambda].body = body;
        }
    }

    /// The call of one of the functions.
    fn arm(&mut self, it: &Unfinished, callee: Candidate, flow: &Flow) -> NodeId {
        let span = it.span;
        let params = self.program.lambdas[it.lambda].params.clone();
        let (object, given) = (params[0], &params[1..]);
        let ctor = self.ctor(it.root, callee);
        let mut args = Vec::new();
        for (index, ty) in self.held(callee).into_iter().enumerate() {
            let object = self.read(object, span);
            let kind = NodeKind::Field { object, ctor, index: index as u32 };
            args.push(self.program.add(kind, ty, span));
        }
        let takes = self.program.lambdas[callee.lambda].params.len() - args.len();
        let mut rest: Vec<NodeId> = given.iter().map(|&it| self.read(it, span)).collect();
        let over = rest.split_off(takes.min(rest.len()));
        let (is_partial, applied) = (rest.len() < takes, callee.applied + rest.len());
        args.extend(rest);
        if is_partial && let Some(class) = self.retype.class(&self.program, it.result) {
            let ctor = self.ctor(class, Candidate { lambda: callee.lambda, applied });
            return self.program.add(NodeKind::Construct { ctor, args }, it.result, span);
        }
        let code = self.program.lambdas[callee.lambda].body;
        let func = self.read(self.bound[callee.lambda], span);
        let known = if is_partial { Callee::Unknown } else { Callee::Known(callee.lambda) };
        let ty = if over.is_empty() { it.result } else { self.program.ty(code) };
        let call = self.program.add(NodeKind::Apply { func, args, callee: known }, ty, span);
        if !is_partial {
            self.dispatch.calls.push((call, callee.lambda));
        }
        if over.is_empty() {
            return call;
        }
        let kind = match self.retype.class(&self.program, ty) {
            Some(class) => {
                let mine = self.choice.members(class);
                let returned = flow.functions().at(flow.result(callee.lambda)).known;
                let returned = returned.into_iter().filter(|it| mine.contains(it)).collect();
                let types = over.iter().map(|&it| self.program.ty(it)).collect();
                let (var, lambda) = self.dispatcher(class, returned, types, it.result, span);
                let args = [call].into_iter().chain(over).collect();
                NodeKind::Apply { func: self.read(var, span), args, callee: Callee::Known(lambda) }
            }
            None => NodeKind::Apply { func: call, args: over, callee: Callee::Unknown },
        };
        self.program.add(kind, it.result, span)
    }

    /// Adds the functions to the program, whose functions are put in a new order.
    pub(super) fn place_dispatchers(&mut self) {
        for (var, value) in std::mem::take(&mut self.dispatch.bindings) {
            let (kind, span) = (ItemKind::Let { var, value }, self.program.span(value));
            self.program.items.push(Item { kind, span, library: true });
        }
        self.merge();
        order::run(&mut self.program);
    }

    /// Moves the body of a function that is called only by its constructor to that call: what the constructor held and
    /// what the body makes are then in one function, so that cells go from one to the other.
    fn merge(&mut self) {
        let mut mentions: IdMap<VarId, u32> = IdMap::new();
        let program = &self.program;
        walk::for_each_reachable(program, |node| {
            if let NodeKind::Var { var, .. } = program.nodes[node].kind {
                *mentions.entry_or_insert_with(var, || 0) += 1;
            }
        });
        let well_known = &program.well_known;
        for var in well_known.entries().chain(well_known.functions.iter().map(|it| it.1)) {
            mentions.insert(var, 2);
        }
        let mut moved = IdSet::<VarId>::new();
        for (call, lambda) in std::mem::take(&mut self.dispatch.calls) {
            let (var, it) = (self.bound[lambda], &self.program.lambdas[lambda]);
            let is_small = effects::size(&self.program, it.body, LARGEST + 1) <= LARGEST;
            if mentions.get(var) != Some(&1) || it.inline.stays() || !is_small {
                continue;
            }
            let (params, mut body, span) = (it.params.clone(), it.body, self.program.span(call));
            let NodeKind::Apply { args, .. } = self.program.nodes[call].kind.clone() else {
                continue;
            };
            let ty = self.program.ty(call);
            for (&var, &value) in params.iter().zip(&args) {
                body = self.program.add(NodeKind::Let { var, value, body }, ty, span);
            }
            self.program.nodes[call].kind = self.program.nodes[body].kind.clone();
            moved.insert(var);
        }
        for item in &mut self.program.items {
            if let ItemKind::LetRec { vars, values } = &mut item.kind {
                let stays: Vec<bool> = vars.iter().map(|&it| !moved.contains(it)).collect();
                let mut at = stays.iter();
                values.retain(|_| at.next() == Some(&true));
                vars.retain(|&it| !moved.contains(it));
            }
        }
        self.program.items.retain(|it| match &it.kind {
            ItemKind::Let { var, .. } => !moved.contains(*var),
            ItemKind::LetRec { vars, .. } => !vars.is_empty(),
            ItemKind::Eval(_) => true,
        });
    }
}
