//! Copies higher-order functions for the functions that they are called with.
//!
//! ```text
//! before   let rec map f l = match l with [] -> [] | x :: r -> f x :: map f r
//!          … map (fun x -> x + k) xs …
//! after    let rec map' k l =
//!            let f = fun x -> x + k in match l with [] -> [] | x :: r -> f x :: map' k r
//!          … map' k xs …
//! ```
//!
//! A parameter qualifies if it is a function, all recursive calls pass it on unchanged, and the
//! body calls it or hands it to another call: a function that only keeps it gains nothing. What the
//! argument captures becomes parameters of the copy; an argument that names a global function needs
//! none, and such copies are shared. `simplify` then inlines the argument's body.
//!
//! Phase: Mono -> Mono. Needs: nothing; known calls are marked afterwards. Only global
//! functions are copied, and of recursive groups only those of one function. The growth
//! of the program is bounded; where many calls run once, functions with loops are not copied for them (`start`).

use oxbow_base::{FxHashMap, IdMap, IdSet, Span};
use oxbow_psg::clone::Cloner;
use oxbow_psg::{
    Callee, Item, ItemKind, Lambda, LambdaId, Mono, NodeId, NodeKind, Program, Ty, TyId, VarId,
    captures, walk,
};

use crate::{effects, known_calls, start};

/// Functions above this size are not copied.
const MAX_SIZE: u32 = 400;
/// Named local functions above this size are not copied into a specialised one.
const MAX_ARGUMENT_SIZE: u32 = 60;

/// Specialises calls of global functions.
pub fn run(mut program: Program<Mono>) -> Program<Mono> {
    let mut size = 0;
    walk::for_each_reachable(&program, |_| size += 1);
    let known = known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    let candidates = candidates(&program);
    let many_loops = start::has_many_loops(&program);
    let mut pass = Specialize {
        program,
        known,
        candidates,
        copies: FxHashMap::default(),
        cloner: Cloner::new(),
        budget: size + 20_000,
        many_loops,
    };
    let items = std::mem::take(&mut pass.program.items);
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        pass.item(item, &mut out);
    }
    pass.program.items = out;
    let mut program = pass.program;
    known_calls::resolve(&mut program);
    captures::fill_all(&mut program);
    program
}

/// A function that can be copied.
struct Candidate {
    lambda: LambdaId,
    /// For each parameter: it is a function that never changes and may be called.
    stable: Vec<bool>,
    size: u32,
    has_loop: bool,
}

fn candidates(program: &Program<Mono>) -> IdMap<VarId, Candidate> {
    let mut found = IdMap::new();
    for item in &program.items {
        let (var, value) = match &item.kind {
            ItemKind::Let { var, value } => (*var, *value),
            ItemKind::LetRec { vars, values } if vars.len() == 1 => (vars[0], values[0]),
            ItemKind::LetRec { .. } | ItemKind::Eval(_) => continue,
        };
        let NodeKind::Lambda(lambda) = program.nodes[value].kind else { continue };
        let size = effects::size(program, program.lambdas[lambda].body, MAX_SIZE + 1);
        if size > MAX_SIZE || program.lambdas[lambda].inline.stays() {
            continue;
        }
        let stable = stable_params(program, var, lambda);
        if stable.contains(&true) {
            let recursive = matches!(item.kind, ItemKind::LetRec { .. });
            let has_loop = recursive || start::has_loop(program, lambda);
            found.insert(var, Candidate { lambda, stable, size, has_loop });
        }
    }
    found
}

/// Which parameters are functions that every recursive call passes on unchanged, and that are
/// called or handed to another function.
fn stable_params(program: &Program<Mono>, var: VarId, lambda: LambdaId) -> Vec<bool> {
    let params = &program.lambdas[lambda].params;
    let is_function = |it: &VarId| matches!(program.types.get(program.vars[*it].ty), Ty::Fn(..));
    let mut stable: Vec<bool> = params.iter().map(is_function).collect();
    if !stable.contains(&true) {
        return stable;
    }
    let (mut mentions, mut calls) = (0, 0);
    let mut called = vec![false; params.len()];
    walk::for_each_node(program, program.lambdas[lambda].body, |node| {
        match &program.nodes[node].kind {
            NodeKind::Var { var: it, .. } if *it == var => mentions += 1,
            NodeKind::Apply { func, args, .. }
                if is_var(program, *func, var) && args.len() == params.len() =>
            {
                calls += 1;
                for ((stable, &arg), &param) in stable.iter_mut().zip(args).zip(params) {
                    *stable &= is_var(program, arg, param);
                }
            }
            NodeKind::Apply { func, args, .. } => {
                for (called, &param) in called.iter_mut().zip(params) {
                    let mut used = [func].into_iter().chain(args);
                    *called |= used.any(|&it| is_var(program, it, param));
                }
            }
            _ => (),
        }
    });
    if mentions != calls {
        stable.fill(false);
    }
    stable.iter().zip(called).map(|(&stable, called)| stable && called).collect()
}

fn is_var(program: &Program<Mono>, node: NodeId, var: VarId) -> bool {
    matches!(program.nodes[node].kind, NodeKind::Var { var: it, .. } if it == var)
}

/// What is known of an argument.
enum Argument {
    Other,
    Global(VarId),
    /// A lambda node and the local variables that it needs.
    Lambda(NodeId, Vec<VarId>),
}

/// The function, and the global function for each parameter that has one.
type CopyKey = (VarId, Vec<Option<VarId>>);

struct Specialize {
    program: Program<Mono>,
    known: IdMap<VarId, LambdaId>,
    candidates: IdMap<VarId, Candidate>,
    /// Copies whose arguments are all global functions.
    copies: FxHashMap<CopyKey, (VarId, LambdaId)>,
    cloner: Cloner,
    budget: i64,
    /// Code that runs once calls many functions that have loops.
    many_loops: bool,
}

impl Specialize {
    fn item(&mut self, mut item: Item, out: &mut Vec<Item>) {
        let mut calls = Vec::new();
        let mut lambdas: IdMap<VarId, NodeId> = IdMap::new();
        for root in item.kind.roots() {
            walk::for_each_node(&self.program, root, |node| match &self.program.nodes[node].kind {
                NodeKind::Apply { func, args, .. } => {
                    if let NodeKind::Var { var, .. } = self.program.nodes[*func].kind
                        && let Some(candidate) = self.candidates.get(var)
                        && candidate.stable.len() == args.len()
                    {
                        calls.push((node, var));
                    }
                }
                NodeKind::Let { var, value, .. } => {
                    lambdas.insert(*var, *value);
                }
                NodeKind::LetRec { vars, values, .. } => {
                    for (&var, &value) in vars.iter().zip(values) {
                        lambdas.insert(var, value);
                    }
                }
                _ => (),
            });
        }
        let own = item.kind.vars().to_vec();
        if self.many_loops {
            let at_start: IdSet<NodeId> =
                start::calls(&self.program, &item.kind).into_iter().collect();
            calls.retain(|&(call, var)| !self.candidates[var].has_loop || !at_start.contains(call));
        }
        let mut made = Vec::new();
        for (call, var) in calls {
            // Calls of a function in its own body pass its parameters on.
            if !own.contains(&var) {
                made.extend(self.call(call, var, &lambdas));
            }
        }
        for (var, value) in made {
            match &mut item.kind {
                // The argument may mention the functions of this group.
                ItemKind::LetRec { vars, values } => {
                    vars.push(var);
                    values.push(value);
                }
                ItemKind::Let { .. } | ItemKind::Eval(_) => {
                    let kind = ItemKind::LetRec { vars: vec![var], values: vec![value] };
                    out.push(Item { kind, span: item.span, library: item.library });
                }
            }
        }
        out.push(item);
    }

    fn argument(&self, node: NodeId, lambdas: &IdMap<VarId, NodeId>) -> Argument {
        let lambda = match self.program.nodes[node].kind {
            NodeKind::Lambda(_) => node,
            NodeKind::Var { var, .. } if self.program.vars[var].global => {
                return if self.known.contains(var) {
                    Argument::Global(var)
                } else {
                    Argument::Other
                };
            }
            NodeKind::Var { var, .. } if self.known.contains(var) => match lambdas.get(var) {
                Some(&it)
                    if effects::size(&self.program, it, MAX_ARGUMENT_SIZE + 1)
                        <= MAX_ARGUMENT_SIZE =>
                {
                    it
                }
                _ => return Argument::Other,
            },
            _ => return Argument::Other,
        };
        let free = walk::free_vars(&self.program, lambda);
        if free.iter().any(|&it| self.program.vars[it].mutable) || free.len() > 12 {
            return Argument::Other;
        }
        Argument::Lambda(lambda, free)
    }

    /// Redirects a call to a copy of its function; answers the copy if it is new.
    fn call(
        &mut self,
        call: NodeId,
        var: VarId,
        lambdas: &IdMap<VarId, NodeId>,
    ) -> Option<(VarId, NodeId)> {
        let NodeKind::Apply { args, .. } = &self.program.nodes[call].kind else { return None };
        let args = args.clone();
        let candidate = &self.candidates[var];
        let size = i64::from(candidate.size);
        let arguments: Vec<Argument> = args
            .iter()
            .zip(&candidate.stable)
            .map(
                |(&arg, &stable)| {
                    if stable { self.argument(arg, lambdas) } else { Argument::Other }
                },
            )
            .collect();
        if arguments.iter().all(|it| matches!(it, Argument::Other)) {
            return None;
        }
        let key: Vec<Option<VarId>> = arguments
            .iter()
            .map(|it| match it {
                Argument::Global(var) => Some(*var),
                Argument::Other | Argument::Lambda(..) => None,
            })
            .collect();
        let shared = !arguments.iter().any(|it| matches!(it, Argument::Lambda(..)));
        let (copy, made) = match self.copies.get(&(var, key.clone())) {
            Some(&found) if shared => (found, None),
            _ => {
                if self.budget < size {
                    return None;
                }
                self.budget -= size;
                let (copy, lambda, value) = self.copy(var, &arguments, self.program.span(call));
                if shared {
                    self.copies.insert((var, key), (copy, lambda));
                }
                ((copy, lambda), Some((copy, value)))
            }
        };
        self.redirect(call, copy, &arguments);
        made
    }

    /// Makes `call` a call of `copy`: what the arguments need stands in their places.
    fn redirect(
        &mut self,
        call: NodeId,
        (copy, lambda): (VarId, LambdaId),
        arguments: &[Argument],
    ) {
        let span = self.program.span(call);
        let NodeKind::Apply { args, .. } = self.program.nodes[call].kind.clone() else { return };
        let mut new_args = Vec::new();
        for (&arg, argument) in args.iter().zip(arguments) {
            match argument {
                Argument::Other => new_args.push(arg),
                Argument::Global(_) => (),
                Argument::Lambda(_, free) => {
                    for &var in free {
                        new_args.push(self.mention(var, span));
                    }
                }
            }
        }
        // A function takes one argument at least.
        if new_args.is_empty() {
            let unit = self.program.types.unit;
            new_args.push(self.program.add(NodeKind::Const(oxbow_psg::Const::Unit), unit, span));
        }
        let func = self.mention(copy, span);
        self.program.nodes[call].kind =
            NodeKind::Apply { func, args: new_args, callee: Callee::Known(lambda) };
    }

    fn mention(&mut self, var: VarId, span: Span) -> NodeId {
        let ty = self.program.vars[var].ty;
        self.program.add(NodeKind::Var { var, tyargs: Vec::new() }, ty, span)
    }

    fn fresh(&mut self, var: VarId) -> VarId {
        let data = self.program.vars[var].clone();
        self.program.vars.push(data)
    }

    /// A copy of the function for these arguments: its variable and its lambda.
    fn copy(
        &mut self,
        var: VarId,
        arguments: &[Argument],
        span: Span,
    ) -> (VarId, LambdaId, NodeId) {
        let old = self.candidates[var].lambda;
        let old_params = self.program.lambdas[old].params.clone();
        let mut params = Vec::new();
        // What stands for the captured variables of each argument in the copy.
        let mut inner: Vec<Argument> = Vec::new();
        let mut bindings = Vec::new();
        for (&param, argument) in old_params.iter().zip(arguments) {
            match argument {
                Argument::Other => {
                    let fresh = self.fresh(param);
                    params.push(fresh);
                    inner.push(Argument::Other);
                }
                Argument::Global(func) => inner.push(Argument::Global(*func)),
                Argument::Lambda(value, free) => {
                    let captured: Vec<VarId> = free.iter().map(|&it| self.fresh(it)).collect();
                    for (&old, &new) in free.iter().zip(&captured) {
                        self.cloner.rename(old, new, None);
                    }
                    let value = self.cloner.clone(&mut self.program, *value, &mut |_, ty| ty);
                    let local = self.fresh(param);
                    bindings.push((local, value));
                    params.extend(&captured);
                    inner.push(Argument::Lambda(value, captured));
                }
            }
        }
        let (mut others, mut locals) = (params.iter(), bindings.iter());
        for (&param, argument) in old_params.iter().zip(&inner) {
            let new = match argument {
                Argument::Other => others.next().copied(),
                Argument::Global(func) => Some(*func),
                Argument::Lambda(_, captured) => {
                    for _ in captured {
                        others.next();
                    }
                    locals.next().map(|it| it.0)
                }
            };
            if let Some(new) = new {
                self.cloner.rename(param, new, None);
            }
        }
        let body = self.program.lambdas[old].body;
        let mut body = self.cloner.clone(&mut self.program, body, &mut |_, ty| ty);
        if params.is_empty() {
            let mut unit = self.program.vars[old_params[0]].clone();
            unit.ty = self.program.types.unit;
            params.push(self.program.vars.push(unit));
        }

        let result = self.program.ty(body);
        let tys: Vec<TyId> = params.iter().map(|&it| self.program.vars[it].ty).collect();
        let ty = self.program.types.function(&tys, result);
        let mut data = self.program.vars[var].clone();
        data.ty = ty;
        let copy = self.program.vars.push(data);
        let (name, inline) = (self.program.lambdas[old].name, self.program.lambdas[old].inline);
        let lambda = self.program.lambdas.push(Lambda {
            inline,
            ..Lambda::new(name, params, body, self.program.lambdas[old].span)
        });

        let mut calls = Vec::new();
        walk::for_each_node(&self.program, body, |node| {
            if let NodeKind::Apply { func, .. } = &self.program.nodes[node].kind
                && is_var(&self.program, *func, var)
            {
                calls.push(node);
            }
        });
        for call in calls {
            self.redirect(call, (copy, lambda), &inner);
        }
        for (local, value) in bindings.into_iter().rev() {
            body = self.program.add(NodeKind::Let { var: local, value, body }, result, span);
        }
        self.program.lambdas[lambda].body = body;
        (copy, lambda, self.program.add(NodeKind::Lambda(lambda), ty, span))
    }
}
