//! What calls do with the value: what a function does with its parameter is found once, and then holds for each call.

use oxbow_base::Made;
use oxbow_psg::{LambdaId, NodeId, NodeKind, Ty};

use super::follow::{Boundary, Walk};
use super::{Check, Followed, Step};
use crate::flow::{Place, PlaceId};

/// What a function does with a parameter.
#[derive(Clone)]
pub(super) enum Fate {
    Kept { returned: bool, stored_in: Vec<usize> },
    Escapes(Vec<Step>),
}

/// What is followed of a function that is given to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    Itself,
    /// And what it returns.
    Results,
}

/// A value as the argument of a call.
#[derive(Clone, Copy)]
pub(super) struct Given {
    pub call: NodeId,
    pub index: usize,
    pub what: What,
}

impl Check<'_> {
    /// The calls that get what is at a place, with the number of the argument.
    pub(super) fn arguments_at(&self, place: PlaceId) -> Vec<(NodeId, usize)> {
        let first = self.arguments.partition_point(|it| it.0 < place);
        let here = self.arguments[first..].iter().take_while(|it| it.0 == place);
        here.map(|it| (it.1, it.2)).collect()
    }

    /// Follows the calls that the value at a place has a part in.
    pub(super) fn calls(&mut self, place: PlaceId, walk: &mut Walk) -> Followed {
        let first = self.called.partition_point(|it| it.0 < place);
        let called = self.called[first..].iter().take_while(|it| it.0 == place);
        for call in called.map(|it| it.1).collect::<Vec<_>>() {
            let NodeKind::Apply { func, args, .. } = &self.program.nodes[call].kind else {
                continue;
            };
            // Called; a result that holds a function is followed where it is made, if that is inside.
            let arity = self.callee(*func).map_or(1, |it| self.program.lambdas[it].params.len());
            let is_followed = args.len() < arity || walk.what == What::Results;
            if is_followed && walk.contains(call) {
                self.result(call, place, &[], walk);
            }
        }
        for (call, index) in self.arguments_at(place) {
            if walk.contains(call) {
                let given = Given { call, index, what: walk.what };
                self.argument(given, place, &[], walk)?;
            }
        }
        Ok(())
    }

    /// The result of a call holds the value.
    fn result(&mut self, call: NodeId, from: PlaceId, steps: &[Step], walk: &mut Walk) {
        if let Some(result) = self.flow.of_node(call)
            && self.may_hold(call)
        {
            self.go(result, from, steps.iter().cloned(), walk);
        }
    }

    /// The function that a node stands for, whoever calls the function around it.
    pub(super) fn callee(&self, func: NodeId) -> Option<LambdaId> {
        let program = self.program;
        match program.nodes[func].kind {
            NodeKind::Lambda(lambda) => Some(lambda),
            NodeKind::Var { var, .. }
                if !program.vars[var].mutable && !self.params.contains(var) =>
            {
                let callees = self.flow.functions().at(self.flow.var(var));
                match callees.known[..] {
                    [only] if !callees.open && only.applied == 0 => Some(only.lambda),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Follows the value into a call; `before` is what is to be said of it first.
    pub(super) fn argument(
        &mut self,
        given: Given,
        place: PlaceId,
        before: &[Step],
        walk: &mut Walk,
    ) -> Followed {
        let program = self.program;
        let Given { call, index, what } = given;
        let NodeKind::Apply { func, args, .. } = &program.nodes[call].kind else { return Ok(()) };
        let span = program.span(args[index]);
        let told = |text: String| [before, &[(span, text)]].concat();
        let Some(lambda) = self.callee(*func) else {
            // Unknown code. What the library calls is what its caller gave it, which is followed there;
            // the result may hold the value.
            if self.is_library(program.span(call)) {
                self.result(call, place, before, walk);
                return Ok(());
            }
            let end = told("is given to a function that is not known here".into());
            return Err(self.out(place, end, walk));
        };
        let name = self.shown(lambda);
        let params = program.lambdas[lambda].params.len();
        if args.len() < params && self.may_hold(call) {
            // A partial application holds what it was given.
            let steps = told(format!("is kept by the partial application of {name}"));
            self.result(call, place, &steps, walk);
            return Ok(());
        }
        if index >= params {
            return Ok(());
        }
        if self.is_library(program.lambdas[lambda].span) && !self.is_library(program.span(call)) {
            let steps = told(format!("is given to {name}, which passes it on"));
            self.given_on(args, index, place, &steps, walk)?;
        }
        match self.fate(lambda, index, what) {
            Fate::Escapes(path) => {
                let steps = told(format!("is given to {name}"));
                Err(self.out(place, steps.into_iter().chain(path), walk))
            }
            Fate::Kept { returned, stored_in } => {
                for other in stored_in {
                    let object = args.get(other).and_then(|&it| self.flow.operand(program, it));
                    let Some(object) = object else { continue };
                    self.stored(object, span, place, walk)?;
                }
                if returned {
                    let steps = told(format!("is given to {name}, whose result holds it"));
                    self.result(call, place, &steps, walk);
                }
                Ok(())
            }
        }
    }

    /// The name of a function for people: overloaded members have numbers behind theirs.
    fn shown(&self, lambda: LambdaId) -> String {
        let name = self.program.lambdas[lambda].name;
        let shown = name.map(|it| match it.origin() {
            Some(Made::Overload(shown, _)) => shown,
            _ => it,
        });
        shown.map_or("the function".into(), |it| format!("`{it}`"))
    }

    /// A function of the library may give the value, or a part of it, to the other functions that it is
    /// called with: `List.iter (fun f -> kept <- f) fs`.
    fn given_on(
        &mut self,
        args: &[NodeId],
        index: usize,
        place: PlaceId,
        steps: &[Step],
        walk: &mut Walk,
    ) -> Followed {
        let program = self.program;
        for (other, &arg) in args.iter().enumerate() {
            if other == index {
                continue;
            }
            let mut ty = program.ty(arg);
            let mut index = 0;
            while let Ty::Fn(param, result) = *program.types.get(ty) {
                if self.holds.may_hold(&program.types, param) {
                    self.given_to(arg, index, place, steps, walk)?;
                }
                (ty, index) = (result, index + 1);
            }
        }
        Ok(())
    }

    /// The value becomes the argument of a function whose calls are not seen.
    fn given_to(
        &mut self,
        function: NodeId,
        index: usize,
        place: PlaceId,
        steps: &[Step],
        walk: &mut Walk,
    ) -> Followed {
        let program = self.program;
        let span = program.span(function);
        let unknown = |check: &Self, walk: &Walk| {
            let end = (span, "is given to a function that is not known here".into());
            Err(check.out(place, steps.iter().cloned().chain([end]), walk))
        };
        let Some(lambda) = self.callee(function) else {
            // A value that holds functions of the library only, such as `List.map f`.
            return if self.is_library(span) { Ok(()) } else { unknown(self, walk) };
        };
        let Some(&param) = program.lambdas[lambda].params.get(index) else {
            return unknown(self, walk);
        };
        if self.local.contains(lambda) && walk.holds(Place::Var(param)) {
            self.go(self.flow.var(param), place, steps.iter().cloned(), walk);
            return Ok(());
        }
        match self.fate(lambda, index, walk.what) {
            Fate::Escapes(path) => Err(self.out(place, steps.iter().cloned().chain(path), walk)),
            Fate::Kept { stored_in, .. } if !stored_in.is_empty() => unknown(self, walk),
            Fate::Kept { .. } => Ok(()),
        }
    }

    /// What a function does with a parameter.
    fn fate(&mut self, lambda: LambdaId, index: usize, what: What) -> Fate {
        let key = (lambda, index, what);
        if let Some(known) = self.fates.get(&key) {
            return known.clone();
        }
        // Being found out: its result may hold the value, the rest is found where the search began.
        if let Some(place) = self.open.iter().position(|&it| it == key) {
            self.reached = self.reached.min(place);
            return Fate::Kept { returned: true, stored_in: Vec::new() };
        }
        let depth = self.open.len();
        self.open.push(key);
        let param = self.program.lambdas[lambda].params[index];
        let mut walk = Walk::new(self.program, Boundary::Call(lambda), what);
        let fate = match self.follow(Some(self.flow.var(param)), &mut walk) {
            Ok(()) => Fate::Kept { returned: walk.returned, stored_in: walk.stored_in },
            Err(path) => Fate::Escapes(path),
        };
        self.open.pop();
        // What rests on an answer that is still being looked for is not kept.
        if self.reached >= depth {
            self.fates.insert(key, fate.clone());
            self.reached = usize::MAX;
        }
        fate
    }
}
